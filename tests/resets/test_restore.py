"""Restoring: what the group had before an attempt, or at a moment that the history knows; never a guess."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets.change import change_as_json, parse_change
from kafkaconsole.resets.digest import digest_of
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.facts import Earlier, PartitionFacts
from kafkaconsole.resets.planning import deletions_of, targets_of
from kafkaconsole.resets.plans import Action, Plan, Why
from tests.resets.making import BODY, NOW, T0, a_change, a_partition, a_plan, codes

T1 = TopicPartition("t", 1)
SNAPSHOT = a_change("restore", strategy={"snapshot": 7})
AS_OF = a_change("restore", strategy={"as_of": "2026-12-01T08:00:00Z"})
IDS = {"t": "topic-id-of-t"}


def held(offset: int, metadata: str = "", epoch: int | None = None) -> Committed:
    """A commit of then."""
    return Committed(Offset(offset), metadata, epoch)


def snapshot(offsets: dict[TopicPartition, Committed | None], **more: Any) -> Earlier:
    """What attempt 7 kept."""
    return Earlier(at=NOW, attempt=7, offsets=offsets, topic_ids=IDS, **more)


def history(offsets: dict[TopicPartition, Committed | None], **more: Any) -> Earlier:
    """What the history read, half a minute before the moment."""
    told: dict[str, Any] = {"topic_ids": IDS, "read_at": NOW - timedelta(seconds=30), **more}
    return Earlier(at=NOW, offsets=offsets, **told)


def restored(earlier: Earlier, *partitions: PartitionFacts, **more: Any) -> Plan:
    """The plan that puts it back; each partition's source is its commit of then."""
    change = more.pop("change", AS_OF if earlier.attempt is None else SNAPSHOT)
    sourced = [replace(one, source=earlier.offsets.get(one.of)) for one in partitions]
    return a_plan(change, *sourced, earlier=earlier, **more)


def test_a_snapshot_is_put_back_whole_with_its_text_and_epoch() -> None:
    plan = restored(snapshot({T0: held(30, "theirs\0", 4)}), a_partition(metadata="now", epoch=9))
    (line,) = plan.lines
    assert (line.action, line.target, line.why, line.replayed) == (Action.SET, 30, None, 10)
    assert targets_of(plan.lines) == {T0: held(30, "theirs\0", 4)}


def test_a_clamped_snapshot_keeps_its_text_and_loses_its_epoch() -> None:
    plan = restored(snapshot({T0: held(3, "theirs", 4)}), a_partition(10, 100))
    assert (plan.lines[0].wanted, plan.lines[0].why) == (3, Why.CLAMPED_TO_LOG_START)
    assert targets_of(plan.lines) == {T0: held(10, "theirs", None)}


def test_what_had_no_commit_then_is_deleted_or_left() -> None:
    earlier = snapshot({T0: None, T1: None})
    plan = restored(earlier, a_partition(), a_partition(of=T1, committed=None))
    assert [(line.action, line.why) for line in plan.lines] == [
        (Action.DELETE, Why.NO_COMMIT_THEN),
        (Action.LEAVE, Why.NO_COMMIT_THEN),
    ]
    assert deletions_of(plan.lines) == (T0,) and targets_of(plan.lines) == {}


def test_a_partition_that_the_snapshot_does_not_tell_of_is_left() -> None:
    plan = restored(snapshot({T0: held(30)}), a_partition(), a_partition(of=T1))
    assert (plan.lines[1].action, plan.lines[1].why) == (Action.LEAVE, Why.NOT_IN_SNAPSHOT)


def test_an_earlier_commit_on_a_topic_made_again_is_refused_whatever_the_rules() -> None:
    change = a_change("restore", strategy={"snapshot": 7}, rules={"no_commit": "earliest"})
    earlier = Earlier(at=NOW, attempt=7, offsets={T0: held(30)}, topic_ids={"t": "its-former-id"})
    plan = restored(earlier, a_partition(), change=change)
    assert (plan.lines[0].action, plan.lines[0].why, plan.refused) == (Action.REFUSE, Why.TOPIC_MADE_AGAIN, True)


def test_the_history_puts_back_offsets_and_keeps_the_text_of_now() -> None:
    plan = restored(history({T0: held(30)}), a_partition(metadata="now", epoch=9))
    assert targets_of(plan.lines) == {T0: held(30, "now", None)}


def test_the_plan_says_how_old_the_reading_is() -> None:
    plan = restored(history({T0: held(30)}, held_since={"t": NOW - timedelta(hours=2)}), a_partition())
    (warning,) = plan.warnings
    assert (warning.code, warning.facts["age_s"]) == ("restored_from_history", 30)
    assert warning.facts["held_since"] == {"t": (NOW - timedelta(hours=2)).isoformat()}


@pytest.mark.parametrize("rule", ["strategy", "leave", "earliest", "latest"])
def test_a_gap_or_a_topic_that_was_never_looked_at_refuses_whatever_the_rules(rule: str) -> None:
    change = a_change("restore", strategy={"as_of": "2026-12-01T08:00:00Z"}, rules={"no_commit": rule})
    gap = history({}, topic_ids={}, not_known={"t": (NOW, None)})
    for earlier in (gap, history({}, topic_ids={})):
        (line,) = restored(earlier, a_partition(), change=change).lines
        assert (line.action, line.why) == (Action.REFUSE, Why.NOT_KNOWN_THEN)


def test_a_topic_that_the_history_met_without_a_commit_is_deleted() -> None:
    (line,) = restored(history({}, topic_ids={"t": ""}), a_partition()).lines
    assert (line.action, line.why) == (Action.DELETE, Why.NO_COMMIT_THEN)


@pytest.mark.parametrize(("rule", "target"), [("earliest", 10), ("latest", 100)])
def test_a_rule_may_give_an_offset_where_there_was_none_then(rule: str, target: int) -> None:
    change = a_change("restore", strategy={"snapshot": 7}, rules={"no_commit": rule})
    plan = restored(
        snapshot({T0: None, T1: held(50)}), a_partition(), a_partition(of=T1, committed=None), change=change
    )
    assert [line.target for line in plan.lines] == [target, 50]


def test_a_group_that_moved_since_is_told_with_both_numbers() -> None:
    earlier = snapshot({T0: held(30), T1: held(31)}, written={T0: Offset(10), T1: Offset(40)})
    plan = restored(earlier, a_partition(committed=25), a_partition(of=T1, committed=40))
    assert codes(plan) == ["moved_since"]
    assert plan.warnings[0].facts["moved"] == [{"partition": "t-0", "before": 30, "set": 10, "now": 25}]


def test_the_text_and_epoch_that_are_put_back_are_signed() -> None:
    plans = [
        restored(snapshot({T0: held(30, text, epoch)}), a_partition()) for text, epoch in (("a", 1), ("b", 1), ("a", 2))
    ]
    assert len({plan.digest for plan in plans}) == 3
    again = parse_change(change_as_json(SNAPSHOT))
    assert digest_of(again, "cluster-id", plans[0].lines) == plans[0].digest


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "strategy.as_of"),
        ({"as_of": "2026-12-01T08:00:00Z", "snapshot": 7}, "strategy.as_of"),
        ({"snapshot": 0}, "strategy.snapshot"),
        ({"snapshot": "7"}, "strategy.snapshot"),
        ({"as_of": "2026-12-01T08:00:00"}, "strategy.as_of"),
        ({"as_of": "yesterday"}, "strategy.as_of"),
    ],
)
def test_one_of_the_two_is_named_and_readable(fields: dict[str, object], problem: str) -> None:
    with pytest.raises(BadChange) as caught:
        a_change("restore", strategy=fields)
    assert [one.field for one in caught.value.problems] == [problem]


def test_a_moment_has_one_canonical_form_and_a_snapshot_needs_no_scope() -> None:
    same = a_change("restore", strategy={"as_of": "2026-12-01 17:00:00 +0900"})
    assert same.strategy.as_json() == {"kind": "restore", "as_of": "2026-12-01T08:00:00Z"}
    body = {key: value for key, value in BODY.items() if key != "scope"}
    assert parse_change({**body, "strategy": {"kind": "restore", "snapshot": 7}}).scope is None
