"""Where two plans of a request do not agree: what an approver must look at again. Found by the database, for 10,000 lines too."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Max, Q, Value
from django.db.models.functions import Coalesce

from kafkaconsole.resets.models import Plan, PlanLine

SHOWN = 50
NONE = -1
"""Stands for "no offset" where the database compares: to it, nothing equals nothing."""

PAIRS = ("committed_before", "committed_now", "target_before", "target_now")


@dataclass(frozen=True, slots=True)
class LineDifference:
    """One partition: commit and target as they were planned before and as they are now; None: no such line, or none."""

    topic: str
    partition: int
    committed_before: int | None
    committed_now: int | None
    target_before: int | None
    target_now: int | None


def differences(before: Plan, now: Plan) -> list[LineDifference]:
    """At most SHOWN lines that differ in commit, target or what is done, by topic and partition: one query."""
    old, new = Q(plan=before), Q(plan=now)
    of = PlanLine.objects.filter(plan__in=(before, now)).order_by().values("topic", "partition")
    both = of.annotate(
        lines_before=Count("pk", filter=old),
        lines_now=Count("pk", filter=new),
        committed_before=_offset("committed", old),
        committed_now=_offset("committed", new),
        target_before=_offset("target", old),
        target_now=_offset("target", new),
        action_before=Coalesce(Max("action", filter=old), Value("")),
        action_now=Coalesce(Max("action", filter=new), Value("")),
    )
    same = Q(lines_before=F("lines_now"), committed_before=F("committed_now"), target_before=F("target_now"))
    same &= Q(action_before=F("action_now"))  # left and deleted both have no target
    rows = both.filter(~same).order_by("topic", "partition").values_list("topic", "partition", *PAIRS)[:SHOWN]
    return [_difference(*row) for row in rows]


def _offset(field: str, of: Q) -> Coalesce:
    return Coalesce(Max(field, filter=of), NONE)


def _difference(topic: str, partition: int, *offsets: int) -> LineDifference:
    return LineDifference(topic, partition, *(None if offset == NONE else offset for offset in offsets))
