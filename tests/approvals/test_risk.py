"""What makes a plan risky, and how risky."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kafkaconsole.approvals import messages
from kafkaconsole.approvals.risk import Level, PlanFacts, Thresholds, assess

PLAIN = PlanFacts(
    replayed=10, skipped=0, kept=1000, without_commit=0, deleted=0, members=0, is_moving=False, is_production=False
)
LIMITS = Thresholds(replayed=500, share_percent=50)


def test_a_plain_plan_is_of_low_risk() -> None:
    risk = assess(PLAIN, LIMITS)
    assert (risk.level, risk.reasons) == (Level.LOW, ())


@pytest.mark.parametrize(
    ("changed", "code", "level", "words"),
    [
        ({"skipped": 1}, "risk.skips", Level.HIGH, "1 offset is skipped and never read."),
        ({"deleted": 2}, "risk.deletes", Level.HIGH, "2 commits are deleted"),
        ({"is_moving": True}, "risk.commits_move", Level.HIGH, "although it is Empty"),
        (
            {"replayed": 501, "kept": 5000},
            "risk.replays_many",
            Level.RAISED,
            "501 offsets are read again, more than 500",
        ),
        ({"replayed": 500}, "risk.replays_share", Level.RAISED, "50 % of what the logs hold"),
        ({"without_commit": 3}, "risk.no_snapshot", Level.RAISED, "3 partitions have no commit yet"),
        ({"members": 1}, "risk.in_use", Level.RAISED, "by 1 member"),
        ({"is_production": True}, "risk.production", Level.RAISED, "production"),
    ],
)
def test_each_reason_has_its_level_and_its_words(
    changed: dict[str, int | bool], code: str, level: Level, words: str
) -> None:
    (reason,) = assess(replace(PLAIN, **changed), LIMITS).reasons  # type: ignore[arg-type]
    assert (reason.code, reason.level) == (code, level)
    assert words in messages.sentence(reason.code, reason.facts)


@pytest.mark.parametrize("changed", [{"replayed": 500, "kept": 5000}, {"replayed": 499}, {"kept": 0, "replayed": 0}])
def test_up_to_the_thresholds_replaying_is_no_risk(changed: dict[str, int]) -> None:
    assert assess(replace(PLAIN, **changed), LIMITS).level is Level.LOW  # type: ignore[arg-type]


def test_the_gravest_reason_gives_the_level_and_comes_first() -> None:
    risk = assess(replace(PLAIN, is_production=True, skipped=7), LIMITS)
    assert risk.level is Level.HIGH
    assert [one.code for one in risk.reasons] == ["risk.skips", "risk.production"]
    assert risk.as_json()["level"] == "high"
