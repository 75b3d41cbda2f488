"""Asking for a look at records, and what the clock does with looks."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups import queries as groups
from kafkaconsole.history import queries as history
from kafkaconsole.records import errors
from kafkaconsole.records.look_models import LookState, RecordLook
from kafkaconsole.resets import policies
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.reading_rights import may_look_at_records
from kafkaconsole.words import words

MOST_AROUND = 25
"""Records on each side of the offset, at most: fifty together."""
MOST_WAITING = 5
"""Looks that may wait for one person at a time."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look: `before` records below the offset, `after` records from it on (its own among them)."""

    topic: str
    partition: int
    offset: int
    before: int
    after: int


@transaction.atomic
def look_at_plan(*, request: ResetRequest, by: User, place: Place) -> RecordLook:
    """Look at records of a partition that the request's plan has a line for. Raises NotAllowed, NotInPlan, …"""
    policies.may_read_records(by, request).require()
    if request.plan is None:
        raise errors.NoPlanYet(request=request.pk, state=str(request.state))
    if not request.plan.lines.filter(topic=place.topic, partition=place.partition).exists():
        raise errors.NotInPlan(
            field="partition", found=f"{place.topic}-{place.partition}", expected=words("other partitions")
        )
    made = RecordLook(by=by, cluster=request.cluster, group_name=request.group_name, request=request)
    return _start(made, place, request)


@transaction.atomic
def look_at_group(*, cluster: Cluster, group_name: str, by: User, place: Place, for_skip: bool = False) -> RecordLook:
    """Look at records of a partition that the group reads, as the last sweep knows. Raises NotAllowed, NotOfGroup, …"""
    may_look_at_records(by, cluster, group_name).require()
    group = groups.group_for(by, cluster, group_name)
    if not any(
        (line.topic, line.partition) == (place.topic, place.partition) for line in history.standing(group).lines
    ):
        raise errors.NotOfGroup(group=group_name, partition=f"{place.topic}-{place.partition}")
    return _start(RecordLook(by=by, cluster=cluster, group_name=group_name, for_skip=for_skip), place, group)


def left_behind_looks() -> int:
    """Nudge again for looks that a lost message or a killed worker left waiting; returns how many."""
    now = timezone.now()
    unsent = models.Q(lease_until__isnull=True, created_at__lte=now - settings.NUDGE_AFTER)
    found = RecordLook.objects.filter(unsent | models.Q(lease_until__lte=now), state=LookState.WAITING)
    ids = list(found.order_by("id").values_list("pk", flat=True)[:100])
    for look_id in ids:
        nudge.after_commit(nudge.Nudge.LOOK_AT_RECORDS, look_id=look_id)
    return len(ids)


def drop_old_looks() -> int:
    """Drop looks past EXPORT_LIFE with the records in them; returns how many."""
    dropped, _ = RecordLook.objects.filter(created_at__lt=timezone.now() - settings.EXPORT_LIFE).delete()
    return dropped


def _start(made: RecordLook, place: Place, target: models.Model) -> RecordLook:
    waiting = RecordLook.objects.filter(by=made.by, state=LookState.WAITING).count()
    if waiting >= MOST_WAITING:
        raise errors.TooManyLooks(waiting=waiting, most=MOST_WAITING)
    _check("before", place.before, 0)
    _check("after", place.after, 1)
    for field in ("topic", "partition", "offset", "before", "after"):
        setattr(made, field, getattr(place, field))
    made.save()
    facts = {"look": made.pk, "partition": f"{place.topic}-{place.partition}", "offset": place.offset}
    told = facts | {"before": place.before, "after": place.after}
    audit.record("records.looked", actor=made.by, target=target, facts=told)
    nudge.after_commit(nudge.Nudge.LOOK_AT_RECORDS, look_id=made.pk)
    return made


def _check(field: str, found: int, least: int) -> None:
    if not least <= found <= MOST_AROUND:
        raise errors.BadLimit(
            field=field,
            found=found,
            expected=words("a whole number from {least} to {most}", least=least, most=MOST_AROUND),
        )
