"""A plan in sums: the lanes of the big ruler and the lag that it leaves. Computed by the database, for 10,000 lines too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Max, QuerySet, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Greatest, Least
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafkaconsole.resets.models import Plan, PlanLine
from kafkaconsole.resets.plans import Action

GOING_ON = Least(Greatest("committed", "log_start"), "log_end")
"""Where the group would go on from: its commit, moved into the log (planning counts so too)."""


@dataclass(frozen=True, slots=True)
class Lane:
    """The partitions of a plan that move the same way, laid on top of each other: offsets counted from the log starts.

    Has the shape that the ruler draws. `log_start` is 1 where retention has deleted something, so that the ruler shows it.
    """

    direction: str
    partitions: int
    moved: int
    log_start: int
    log_end: int
    committed: int
    target: int
    action: str = Action.SET.value

    @property
    def words(self) -> str:
        """The lane for those who do not see it."""
        count = ngettext("%(n)s partition", "%(n)s partitions", self.partitions) % {"n": f"{self.partitions:,}"}
        told = {
            "replay": _("%(count)s go back, %(moved)s offsets are read again"),
            "skip": _("%(count)s go forward, %(moved)s offsets are skipped"),
            "none": _("%(count)s stay where they are"),
        }[self.direction]
        return told % {"count": count, "moved": f"{self.moved:,}"}


def lanes_of(plan: Plan) -> list[Lane]:
    """At most two lanes: what goes back and what goes forward; if nothing moves, one that shows where the group stands."""
    return lanes_by_plan([plan.pk]).get(plan.pk, [])


def lanes_by_plan(plan_ids: Iterable[int]) -> dict[int, list[Lane]]:
    """The lanes of several plans in three queries."""
    ids = list(plan_ids)
    found: dict[int, list[Lane]] = {}
    moving = PlanLine.objects.filter(plan__in=ids, action=Action.SET)
    for direction, lines, moved in (
        ("replay", moving.filter(replayed__gt=0), "replayed"),
        ("skip", moving.filter(skipped__gt=0), "skipped"),
    ):
        for plan_id, lane in _lanes(lines, direction, moved):
            found.setdefault(plan_id, []).append(lane)
    resting = moving.filter(replayed=0, skipped=0).exclude(plan__in=list(found))
    for plan_id, lane in _lanes(resting, "none", "replayed"):
        found.setdefault(plan_id, []).append(lane)
    return found


def _lanes(lines: QuerySet[PlanLine], direction: str, moved: str) -> Iterable[tuple[int, Lane]]:
    sums = (
        lines.order_by()
        .values("plan")
        .annotate(
            partitions=Count("pk"),
            moved=Sum(moved),
            first=Max("log_start"),
            end=_from_start(F("log_end")),
            now=_from_start(GOING_ON),
            to=_from_start(F("target")),
        )
    )
    for row in sums:
        edge = 1 if row["first"] else 0
        at = {name: int(row[name]) + edge for name in ("end", "now", "to")}
        yield row["plan"], Lane(direction, row["partitions"], int(row["moved"]), edge, at["end"], at["now"], at["to"])


def _from_start(expression: Combinable) -> Sum:
    return Sum(expression - F("log_start"))


def lag_after(plan: Plan) -> int | None:
    """What is left to read once the plan is applied, by the log ends it was made with; None if one is not known."""
    lines = plan.lines.exclude(log_end__isnull=True)
    sums = lines.aggregate(
        lag=Sum(F("log_end") - Least(Greatest(Coalesce("target", "committed"), "log_start"), "log_end"))
    )
    return None if sums["lag"] is None else int(sums["lag"])
