"""Delegation for an absence: who signs for whom, from when until when (docs/decisions/0066)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.teams import policies
from kafkaconsole.teams.errors import BadDelegation, DelegationOver, DelegationOverlaps
from kafkaconsole.teams.models import Delegation, Team
from kafkaconsole.words import words

LONGEST = timedelta(days=366)


@transaction.atomic
def delegate(*, by: User, to: User, team: Team | None, starts_at: datetime, ends_at: datetime) -> Delegation:
    """Let another's signature count as one's own for a time; team None: for all of one's teams. Times are aware.

    Raises NotAllowed, BadDelegation, and DelegationOverlaps where a part of that time is given away already.
    """
    policies.may_delegate(by, team).require()
    _check_deputy(by, to)
    _check_time(starts_at, ends_at)
    User.objects.select_for_update().get(pk=by.pk)  # two at once take turns
    same_team = Q() if team is None else Q(team=team) | Q(team=None)
    others = Delegation.objects.filter(same_team, by=by, ended_at=None, starts_at__lt=ends_at, ends_at__gt=starts_at)
    other = others.select_related("to").first()
    if other is not None:
        raise DelegationOverlaps(to=str(other.to), starts_at=_text(other.starts_at), ends_at=_text(other.ends_at))
    row = Delegation.objects.create(by=by, to=to, team=team, starts_at=starts_at, ends_at=ends_at)
    audit.record("delegation.made", actor=by, target=row, facts=_facts(row) | {"before": None})
    return row


@transaction.atomic
def end(*, by: User, delegation: Delegation) -> Delegation:
    """End it before its time, or before it began. Raises NotAllowed, DelegationOver."""
    policies.may_end(by, delegation).require()
    row = Delegation.objects.select_for_update(of=("self",)).select_related("by", "to", "team").get(pk=delegation.pk)
    now = timezone.now()
    if row.ended_at is not None or row.ends_at <= now:
        raise DelegationOver(to=str(row.to), at=_text(row.ended_at or row.ends_at))
    row.ended_at = now
    row.save(update_fields=["ended_at"])
    audit.record(
        "delegation.ended",
        actor=by,
        target=row,
        facts=_facts(row) | {"before": _text(row.ends_at), "after": _text(now)},
    )
    return row


def _check_deputy(by: User, to: User) -> None:
    if to.pk == by.pk:
        raise BadDelegation(field="to", found=to.username, expected=words("somebody else"))
    if not to.is_active or to.is_service or to.is_auditor:
        expected = words("a person who may sign in and sign: no auditor and no service account")
        raise BadDelegation(field="to", found=to.username, expected=expected)


def _check_time(starts_at: datetime, ends_at: datetime) -> None:
    if ends_at <= starts_at:
        raise BadDelegation(field="ends_at", found=_text(ends_at), expected=words("a time after the start"))
    if ends_at <= timezone.now():
        raise BadDelegation(field="ends_at", found=_text(ends_at), expected=words("a time to come"))
    if ends_at - starts_at > LONGEST:
        raise BadDelegation(field="ends_at", found=_text(ends_at), expected=words("at most 366 days after the start"))


def _facts(row: Delegation) -> dict[str, object]:
    return {
        "by": row.by.username,
        "to": row.to.username,
        "team": row.team.slug if row.team else None,
        "starts_at": _text(row.starts_at),
        "ends_at": _text(row.ends_at),
    }


def _text(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
