"""The facts of every warning, whole: they are part of the API, and its sentences are made of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    GroupState,
    Offset,
    Problem,
    ProblemKind,
    TimedOffset,
    TopicConfig,
    TopicPartition,
)
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.facts import Earlier, PartitionFacts, Seen
from kafkaconsole.resets.warnings.naming import NAMED
from tests.resets.making import NOW, T0, a_change, a_group, a_member, a_partition, a_plan, timed

T1 = TopicPartition("t", 1)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
FORBIDDEN = Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED")
BY_TIME = a_change("by_duration", strategy={"duration": "PT1H"})
FOUND = a_partition(found_at=timed(50, 1000))
READS_T0 = {"count": 1, "partitions": ["t-0"]}
SEAT: dict[str, object] = {"host": "10.0.0.1", "reads": READS_T0}
FIRST = {"member_id": "billing-1-id", "client_id": "billing-1", "instance_id": None, **SEAT}
SECOND = {"member_id": "billing-2-id", "client_id": "billing-2", "instance_id": "static-2", **SEAT}


def config(policy: str, stamps: str = "CreateTime") -> TopicConfig:
    """A topic's settings."""
    return TopicConfig(frozenset({policy}), stamps)


def warnings(change: Change | None, *partitions: PartitionFacts, **more: Any) -> dict[str, object]:
    """Every warning of a plan: its code and its facts."""
    plan = a_plan(change or a_change(), *partitions, **more)
    assert len({one.code for one in plan.warnings}) == len(plan.warnings)
    return {one.code: dict(one.facts) for one in plan.warnings}


def test_a_group_in_use_is_told_with_its_members() -> None:
    group = a_group(GroupState.STABLE, members=(a_member("billing-1"), a_member("billing-2", "static-2")))
    told = warnings(None, group=group)
    assert told == {
        "group_not_empty": {"group": "g", "state": "Stable", "count": 2, "members": [FIRST, SECOND]},
        "static_members": {"count": 1, "members": [SECOND], "timeout_s": None, "is_exact": False},
    }


def test_a_group_that_is_to_be_made_is_told_by_name() -> None:
    told = warnings(a_change(create_group=True), a_partition(committed=None), group=a_group(GroupState.MISSING))
    assert told == {"group_will_be_created": {"group": "g"}}


def test_topics_that_members_read_are_told_of_a_deletion() -> None:
    group = a_group(GroupState.STABLE, members=(a_member("billing-1"),))
    others = (a_partition(), a_partition(of=TopicPartition("u", 0)))
    told = warnings(a_change("delete_offsets"), *others, group=group)
    assert told["delete_while_subscribed"] == {"group": "g", "topics": ["t"]}
    assert "delete_while_subscribed" not in warnings(a_change(), *others, group=group)


def test_members_of_the_group_that_is_copied_are_counted() -> None:
    copied = a_change("copy_group", strategy={"from_group": "other"})
    other = a_group(group=GroupId("other"), members=(a_member(), a_member("billing-2")))
    told = warnings(copied, a_partition(source=Committed(Offset(50))), source_group=other)
    assert told == {"source_group_active": {"group": "other", "members": 2}}


def test_a_moment_of_the_future_is_told_and_the_present_is_not() -> None:
    def at(text: str) -> dict[str, object]:
        return warnings(a_change("to_datetime", strategy={"datetime": text}), FOUND)

    assert at("2026-12-01T09:00:00.001Z") == {"future_instant": {"instant": "2026-12-01T09:00:00.001000+00:00"}}
    assert at("2026-12-01T09:00:00Z") == {}


def test_partitions_that_are_gone_are_named() -> None:
    assert warnings(None, gone=(T1,)) == {"partitions_gone": {"count": 1, "partitions": ["t-1"]}}


@pytest.mark.parametrize(
    ("empty_for", "kept", "at", "assumed"),
    [
        (timedelta(days=8), 7 * DAY, "2026-11-30T09:00:00+00:00", False),
        (timedelta(days=6, seconds=1), 7 * DAY, "2026-12-02T08:59:59+00:00", False),
        (timedelta(days=6, seconds=1), FORBIDDEN, "2026-12-02T08:59:59+00:00", True),
    ],
)
def test_when_commits_expire_is_told_a_day_ahead(
    empty_for: timedelta, kept: timedelta | Problem, at: str, assumed: bool
) -> None:
    since = NOW - empty_for
    told = {"group": "g", "empty_since": since.isoformat(), "at": at, "assumed": assumed}
    assert warnings(None, seen=Seen(empty_since=since), offsets_retention=kept) == {"group_expires": told}
    assert warnings(None, seen=Seen(empty_since=NOW - 6 * DAY), offsets_retention=7 * DAY) == {}
    simple = a_group(protocol_type="")
    assert warnings(None, seen=Seen(empty_since=since), offsets_retention=kept, group=simple) == {}


def test_commits_that_move_are_told_in_the_order_of_partitions() -> None:
    second = {T1: None, T0: Committed(Offset(45))}
    told = warnings(None, a_partition(), a_partition(of=T1), second=second)
    moved = [{"partition": "t-0", "from": 40, "to": 45}, {"partition": "t-1", "from": 40, "to": None}]
    assert told == {"commits_moving": {"group": "g", "count": 2, "moved": moved}}


def test_commits_that_moved_lately_are_told_by_topic() -> None:
    told = warnings(None, seen=Seen(moved_while_empty={"t": NOW - HOUR, "a": NOW}))
    topics = {"a": "2026-12-01T09:00:00+00:00", "t": "2026-12-01T08:00:00+00:00"}
    assert told == {"commits_moved_lately": {"group": "g", "topics": topics}}
    assert list(topics) == list(told["commits_moved_lately"]["topics"])  # type: ignore[index]


def test_settings_of_topics_are_told_by_name() -> None:
    configs = {"c": config("compact", "LogAppendTime"), "b": FORBIDDEN, "a": config("delete")}
    assert warnings(BY_TIME, FOUND, topic_configs=configs) == {
        "compacted_topics": {"count": 1, "topics": ["c"]},
        "log_append_time": {"count": 1, "topics": ["c"], "by_producer": ["a"]},
        "topic_settings_unknown": {"count": 1, "topics": ["b"]},
    }
    assert warnings(None, topic_configs={"a": config("delete", "LogAppendTime")}) == {}


def test_topics_made_again_are_not_told_as_grown() -> None:
    grown = {"t": (3, NOW - DAY)}
    told = warnings(None, seen=Seen(partitions_before=grown), partitions_counts={"t": 6})
    added = {"from": 3, "to": 6, "seen_at": "2026-11-30T09:00:00+00:00"}
    assert told == {"partitions_added": {"count": 1, "topics": {"t": added}}}
    again = Seen(made_again={"t": NOW - DAY, "x": NOW}, partitions_before=grown)
    told = warnings(None, seen=again, partitions_counts={"t": 6})
    assert told == {"topics_made_again": {"count": 1, "topics": {"t": "2026-11-30T09:00:00+00:00"}}}
    told = warnings(None, seen=Seen(topic_ids={"t": "former"}))
    assert told == {"topics_made_again": {"count": 1, "topics": {"t": "2026-12-01T09:00:00+00:00"}}}


def test_a_topic_of_another_plan_that_has_grown_is_not_told() -> None:
    assert warnings(None, seen=Seen(partitions_before={"other": (3, NOW - DAY)}), partitions_counts={"t": 6}) == {}


@pytest.mark.parametrize("took", [timedelta(0), -DAY])
def test_a_log_start_that_was_seen_no_earlier_tells_nothing(took: timedelta) -> None:
    seen = Seen(log_starts={T0: TimedOffset(Offset(0), NOW - took)})
    assert warnings(None, a_partition(10, 100), seen=seen) == {}


def test_a_log_start_that_moved_by_one_offset_moves() -> None:
    seen = Seen(log_starts={T0: TimedOffset(Offset(9), NOW - DAY / 24)})
    told = warnings(a_change("to_offset", strategy={"offset": 12}), a_partition(10, 100), seen=seen)
    assert told == {"target_expires": {"count": 1, "partitions": ["t-0"], "hours": "2.0"}}


def test_a_target_that_goes_in_a_million_years_is_no_warning() -> None:
    seen = Seen(log_starts={T0: TimedOffset(Offset(9), NOW - 365 * DAY)})
    assert warnings(a_change("to_offset", strategy={"offset": 2**62}), a_partition(10, 2**62 + 1), seen=seen) == {}


def test_a_partition_that_is_left_has_no_target_to_lose() -> None:
    seen = Seen(log_starts={T0: TimedOffset(Offset(0), NOW - DAY)})
    left = a_change("to_earliest", rules={"no_commit": "leave"})
    assert list(warnings(left, a_partition(10, 100, None), seen=seen)) == ["no_changes"]


def test_the_target_that_goes_first_says_how_soon() -> None:
    starts = {T0: TimedOffset(Offset(0), NOW - DAY), T1: TimedOffset(Offset(4), NOW - DAY)}
    told = warnings(
        a_change("to_offset", strategy={"offset": 15}),
        a_partition(10, 100),
        a_partition(10, 100, of=T1),
        seen=Seen(log_starts=starts),
    )
    assert told == {"target_expires": {"count": 2, "partitions": ["t-0", "t-1"], "hours": "12.0"}}


def test_what_is_lost_undecided_and_beyond_the_end_is_counted() -> None:
    told = warnings(
        a_change("to_latest"),
        a_partition(10, 100, 4, stable=60),
        a_partition(10, 100, 101, of=T1),
        internal_topics=frozenset({"t", "x"}),
    )
    assert told == {
        "internal_topic": {"topics": ["t"]},
        "open_transactions": {"count": 1, "partitions": ["t-0"], "offsets": 40},
        "records_lost": {"count": 1, "partitions": ["t-0"], "offsets": 6},
        "committed_beyond_end": {"count": 1, "partitions": ["t-1"]},
    }


def test_how_old_the_reading_is_that_is_put_back_is_told() -> None:
    earlier = Earlier(
        NOW - HOUR,
        {T0: Committed(Offset(50))},
        {"t": "topic-id-of-t"},
        read_at=NOW - HOUR - timedelta(seconds=90),
        held_since={"t": NOW - DAY},
    )
    back = a_change("restore", strategy={"as_of": "2026-12-01T08:00:00Z"})
    told = warnings(back, a_partition(source=Committed(Offset(50))), earlier=earlier)["restored_from_history"]
    assert isinstance(told, dict)
    assert {key: told[key] for key in ("at", "read_at", "age_s", "held_since")} == {
        "at": "2026-12-01T08:00:00+00:00",
        "read_at": "2026-12-01T07:58:30+00:00",
        "age_s": 90,
        "held_since": {"t": "2026-11-30T09:00:00+00:00"},
    }


def test_where_the_group_has_gone_since_it_was_reset_is_told() -> None:
    held = {T0: Committed(Offset(50)), T1: Committed(Offset(50))}
    earlier = Earlier(NOW - HOUR, held, {"t": "topic-id-of-t"}, attempt=7, written={T0: Offset(40), T1: Offset(45)})
    partitions = [a_partition(committed=45, of=of, source=held[of]) for of in (T0, T1)]
    told = warnings(a_change("restore", strategy={"snapshot": 7}), *partitions, earlier=earlier)
    moved = [{"partition": "t-0", "before": 50, "set": 40, "now": 45}]
    assert told == {"moved_since": {"count": 1, "attempt": 7, "moved": moved}}


def test_times_of_the_future_and_out_of_order_are_told_by_partition() -> None:
    ahead = a_partition(found_at=TimedOffset(Offset(50), NOW + DAY))
    told = warnings(
        BY_TIME, ahead, a_partition(of=T1, found_at=timed(50, 1000)), around={T0: (TimedOffset(Offset(49), NOW),)}
    )
    assert told == {
        "timestamps_in_future": {"count": 1, "partitions": ["t-0"]},
        "timestamps_out_of_order": {"count": 1, "partitions": ["t-0"]},
    }


def test_no_warning_names_more_than_twenty_and_each_counts_all() -> None:
    assert NAMED == 20
    many = [TopicPartition("t", number) for number in range(25)]
    members = tuple(a_member(f"billing-{number}", f"seat-{number}") for number in range(25))
    told = warnings(
        None,
        *(a_partition(of=of) for of in many),
        group=a_group(GroupState.STABLE, members=members),
        gone=tuple(many),
        second=dict.fromkeys(many),
        topic_configs={f"c{number:02}": config("compact") for number in range(25)},
        seen=Seen(moved_while_empty={f"m{number:02}": NOW for number in range(25)}),
    )
    for code, names in (
        ("group_not_empty", "members"),
        ("static_members", "members"),
        ("partitions_gone", "partitions"),
        ("commits_moving", "moved"),
        ("compacted_topics", "topics"),
    ):
        facts = told[code]
        assert isinstance(facts, dict) and (facts["count"], len(facts[names])) == (25, 20), code
    lately = warnings(None, seen=Seen(moved_while_empty={f"m{number:02}": NOW for number in range(25)}))
    assert len(lately["commits_moved_lately"]["topics"]) == 20  # type: ignore[index]


def test_what_a_copy_cannot_take_is_named() -> None:
    copied = a_change("copy_group", strategy={"from_group": "other"})
    told = warnings(copied, source_group=a_group(group=GroupId("other")))
    assert told["lines_not_in_source"] == {"count": 1, "partitions": ["t-0"]}


def test_an_open_transaction_at_the_log_start_is_counted_whole() -> None:
    told = warnings(a_change("to_latest"), a_partition(0, 10, None, stable=0))
    assert told["open_transactions"] == {"count": 1, "partitions": ["t-0"], "offsets": 10}


def test_a_clock_may_be_ahead_by_a_whole_minute() -> None:
    def ahead(by: timedelta) -> dict[str, object]:
        return warnings(None, around={T0: (TimedOffset(Offset(10), NOW + by),)})

    assert ahead(timedelta(minutes=1)) == {}
    assert list(ahead(timedelta(minutes=1, milliseconds=1))) == ["timestamps_in_future"]


@pytest.mark.parametrize(("moved", "target", "hours"), [(7, 4, "13.7"), (24_000, 20_051, "20.1")])
def test_how_soon_a_target_goes_is_told_in_tenths_of_hours(moved: int, target: int, hours: str) -> None:
    told = warnings(
        a_change("to_offset", strategy={"offset": moved + target}),
        a_partition(moved, 100_000, moved),
        seen=Seen(log_starts={T0: TimedOffset(Offset(0), NOW - DAY)}),
    )
    assert told["target_expires"] == {"count": 1, "partitions": ["t-0"], "hours": hours}
