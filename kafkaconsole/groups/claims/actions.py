"""Claiming a group, and answering a claim: permission, change and record in one transaction."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups import actions, queries
from kafkaconsole.groups.claims import policies
from kafkaconsole.groups.errors import BadClaim, ClaimClosed, ClaimTaken, OwnedMeanwhile
from kafkaconsole.groups.matching import Kind, check
from kafkaconsole.groups.models import Claim, ClaimState
from kafkaconsole.teams.models import Team
from kafkaconsole.words import known, words

LONGEST_TEXT = 1000


@transaction.atomic
def claim(*, by: User, cluster: Cluster, group: str, team: Team, reason: str) -> Claim:
    """Ask that a group which nobody owns belongs to a team of the person's. Raises BadClaim, BadOwnership, ClaimTaken."""
    check(Kind.NAME, group)
    policies.may_claim(by, cluster, group).require()
    policies.may_claim_for(by, team).require()
    why = _text("reason", reason, least=1)
    try:
        with transaction.atomic():
            made = Claim.objects.create(
                cluster=cluster, group_name=group, team=team, reason=why, claimed_by=by, claimed_at=timezone.now()
            )
    except IntegrityError as error:
        raise ClaimTaken(group=group, cluster=cluster.name, team=team.name) from error
    audit.record("claim.made", actor=by, target=made, facts={**_facts(made), "reason": why})
    return made


@transaction.atomic
def grant(*, by: User, claim: Claim, comment: str = "") -> Claim:
    """Give the group to the team by a rule for its exact name on its cluster.

    Raises BadClaim, ClaimClosed, OwnedMeanwhile where a rule gives it to a team by now, AmbiguousOwner where two do.
    """
    policies.may_answer(by, claim).require()
    actions.hold(claim.cluster)
    row = _answer(claim, ClaimState.GRANTED, by, _text("comment", comment))
    owner = queries.owner_of(row.cluster, row.group_name)
    if owner is not None:
        raise OwnedMeanwhile(group=row.group_name, cluster=row.cluster.name, team=owner.name)
    audit.record("claim.granted", actor=by, target=row, facts={**_facts(row), "comment": row.comment})
    actions.give(by=by, cluster=row.cluster, environment=None, kind=Kind.NAME, pattern=row.group_name, team=row.team)
    return row


@transaction.atomic
def reject(*, by: User, claim: Claim, comment: str) -> Claim:
    """Say no, and why. Raises BadClaim, ClaimClosed."""
    policies.may_answer(by, claim).require()
    row = _answer(claim, ClaimState.REJECTED, by, _text("comment", comment, least=1))
    audit.record("claim.rejected", actor=by, target=row, facts={**_facts(row), "comment": row.comment})
    return row


@transaction.atomic
def withdraw(*, by: User, claim: Claim) -> Claim:
    """Take it back. Raises ClaimClosed."""
    policies.may_withdraw(by, claim).require()
    row = _answer(claim, ClaimState.WITHDRAWN, by, "")
    audit.record("claim.withdrawn", actor=by, target=row, facts=_facts(row))
    return row


def _answer(claim: Claim, state: ClaimState, by: User, comment: str) -> Claim:
    """The one answer that a claim gets: of two people who answer at once the second is refused."""
    row = Claim.objects.filter(pk=claim.pk, state=ClaimState.OPEN)
    if not row.update(state=state, answered_by=by, answered_at=timezone.now(), comment=comment):
        first = Claim.objects.select_related("answered_by").get(pk=claim.pk)
        raise ClaimClosed(group=first.group_name, state=known(STATES[first.state]), by=first.answered_by)
    return Claim.objects.select_related("cluster__environment", "team", "claimed_by").get(pk=claim.pk)


STATES = {
    ClaimState.GRANTED.value: words("granted"),
    ClaimState.REJECTED.value: words("rejected"),
    ClaimState.WITHDRAWN.value: words("withdrawn"),
}
"""As they stand in a sentence."""


def _text(field: str, text: str, *, least: int = 0) -> str:
    kept = text.strip()
    if not least <= len(kept) <= LONGEST_TEXT:
        expected = words("{least} to {most} characters", least=least, most=f"{LONGEST_TEXT:,}")
        raise BadClaim(field=field, found=kept[:100], expected=expected)
    return kept


def _facts(claim: Claim) -> dict[str, object]:
    return {"cluster": claim.cluster.name, "group": claim.group_name, "team": claim.team.slug}
