"""How risky a plan is, and why in words: plain Python over a few numbers of the plan, no I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kafkaconsole.words import words


class Level(StrEnum):
    """How risky a plan is; ordered by `rank`."""

    LOW = "low"
    RAISED = "raised"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for the lowest."""
        return list(Level).index(self)


LEVELS = {Level.LOW: words("any"), Level.RAISED: words("raised risk or high"), Level.HIGH: words("high risk")}
"""Of a policy, for people: it is for plans of this risk and above."""


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What of a plan makes it risky. Counts are of offsets, but for those that say otherwise.

    `kept` is how many offsets the logs of the changed partitions hold. `without_commit` counts partitions that get a
    commit and have none: there the snapshot holds nothing to put back. `deleted` counts commits that are deleted.
    """

    replayed: int
    skipped: int
    kept: int
    without_commit: int
    deleted: int
    members: int
    is_moving: bool
    is_production: bool


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where on replaying is risky: so many offsets, or such a share of what the logs hold, in percent."""

    replayed: int
    share_percent: int


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that makes a plan risky; `code` finds the sentence, `facts` fill it."""

    code: str
    level: Level
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Risk:
    """The level, which is the highest of its reasons, and the reasons, the gravest first."""

    level: Level
    reasons: tuple[Reason, ...]

    def as_json(self) -> dict[str, object]:
        """As the plan's row keeps it."""
        told = [{"code": one.code, "level": one.level.value, "facts": dict(one.facts)} for one in self.reasons]
        return {"level": self.level.value, "reasons": told}


def assess(plan: PlanFacts, thresholds: Thresholds) -> Risk:
    """What makes the plan risky, each reason with its level."""
    reasons = sorted(_reasons(plan, thresholds), key=lambda one: -one.level.rank)
    level = max((one.level for one in reasons), key=lambda one: one.rank, default=Level.LOW)
    return Risk(level, tuple(reasons))


def _reasons(plan: PlanFacts, thresholds: Thresholds) -> Iterator[Reason]:
    if plan.skipped > 0:
        yield Reason("risk.skips", Level.HIGH, {"skipped": plan.skipped})
    if plan.deleted > 0:
        yield Reason("risk.deletes", Level.HIGH, {"deleted": plan.deleted})
    if plan.is_moving:
        yield Reason("risk.commits_move", Level.HIGH)
    if plan.replayed > thresholds.replayed:
        told = {"replayed": plan.replayed, "threshold": thresholds.replayed}
        yield Reason("risk.replays_many", Level.RAISED, told)
    if plan.kept > 0 and plan.replayed * 100 >= plan.kept * thresholds.share_percent:
        share = plan.replayed * 100 // plan.kept
        yield Reason("risk.replays_share", Level.RAISED, {"percent": share, "threshold": thresholds.share_percent})
    if plan.without_commit > 0:
        yield Reason("risk.no_snapshot", Level.RAISED, {"partitions": plan.without_commit})
    if plan.members > 0:
        yield Reason("risk.in_use", Level.RAISED, {"members": plan.members})
    if plan.is_production:
        yield Reason("risk.production", Level.RAISED)
