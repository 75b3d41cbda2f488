"""Where two plans of a request do not agree: what an approver must look at again."""

from __future__ import annotations

from dataclasses import dataclass

from kafkaconsole.resets.models import Plan

SHOWN = 50


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
    """At most SHOWN lines that differ in commit or target, by topic and partition."""
    old, new = _lines(before), _lines(now)
    changed = sorted(of for of in old.keys() | new.keys() if old.get(of) != new.get(of))
    return [_difference(of, old.get(of), new.get(of)) for of in changed[:SHOWN]]


Pair = tuple[int | None, int | None]


def _difference(of: tuple[str, int], old: Pair | None, new: Pair | None) -> LineDifference:
    committed_before, target_before = old or (None, None)
    committed_now, target_now = new or (None, None)
    return LineDifference(*of, committed_before, committed_now, target_before, target_now)


def _lines(plan: Plan) -> dict[tuple[str, int], Pair]:
    rows = plan.lines.values_list("topic", "partition", "committed", "target")
    return {(topic, partition): (committed, target) for topic, partition, committed, target in rows}
