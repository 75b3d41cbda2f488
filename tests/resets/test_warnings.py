"""The warnings beyond a plan's numbers: when each is given, when it is not, and what it says."""

from __future__ import annotations

import base64
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    GroupState,
    GroupType,
    Offset,
    Problem,
    ProblemKind,
    TimedOffset,
    TopicConfig,
    TopicPartition,
)
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.facts import PartitionFacts, Seen
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.surroundings import Watch, with_settings
from kafkaconsole.resets.warning_sentences import WARNINGS
from tests.fakes.kafka import FakeKafka
from tests.resets.making import NOW, T0, a_change, a_group, a_member, a_partition, a_plan, some_facts, timed

T1 = TopicPartition("t", 1)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
FORBIDDEN = Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED")
WARNINGS_PAGE = Path(__file__).parents[2] / "docs" / "warnings.md"
PLAIN = TopicConfig(frozenset({"delete"}), "CreateTime")


def told(change: Change | None = None, *partitions: PartitionFacts, **more: Any) -> dict[str, str]:
    """Every warning of a plan by its code, as people read it."""
    plan = a_plan(change or a_change(), *partitions, **more)
    return {one.code: sentence(one.code, one.facts) for one in plan.warnings}


def test_a_compacted_topic_makes_counts_upper_bounds() -> None:
    both = TopicConfig(frozenset({"compact", "delete"}), "CreateTime")
    assert "t: compacted" in told(topic_configs={"t": both})["compacted_topics"]
    assert told(topic_configs={"t": PLAIN}) == {}


def test_whose_clock_the_times_are_is_said_only_of_plans_by_time() -> None:
    config = {"t": TopicConfig(frozenset({"delete"}), "LogAppendTime")}
    by_time = a_change("by_duration", strategy={"duration": "PT1H"})
    found = a_partition(found_at=timed(50, 1000))
    assert (
        "On t a record's time is when the broker wrote it"
        in told(by_time, found, topic_configs=config)["log_append_time"]
    )
    assert told(topic_configs=config) == {}


def test_without_the_right_the_records_tell_whose_clock_it_is() -> None:
    by_time = a_change("by_duration", strategy={"duration": "PT1H"})
    near = (TimedOffset(Offset(50), NOW - HOUR, "log_append_time"),)
    found = a_partition(found_at=TimedOffset(Offset(50), NOW - HOUR))
    warnings = told(by_time, found, topic_configs={"t": FORBIDDEN}, around={T0: near})
    assert list(warnings) == ["log_append_time", "topic_settings_unknown"]
    assert "DESCRIBE_CONFIGS" in warnings["topic_settings_unknown"]


def test_a_topic_made_again_is_told_from_our_history_and_from_its_id_now() -> None:
    lately = Seen(made_again={"t": NOW - DAY, "other": NOW})
    assert "t (since 2026-11-30T09:00:00Z)" in told(seen=lately)["topics_made_again"]
    assert "topics_made_again" in told(seen=Seen(topic_ids={"t": "its-former-id"}))
    assert told(seen=Seen(topic_ids={"t": "topic-id-of-t"})) == {}


def test_partitions_that_were_added_are_told_with_both_numbers() -> None:
    seen = Seen(partitions_before={"t": (3, NOW - DAY)})
    assert "t had 3 and has 6" in told(seen=seen, partitions_counts={"t": 6})["partitions_added"]
    assert told(seen=seen, partitions_counts={"t": 3}) == {}


@pytest.mark.parametrize(
    ("then", "target", "hours"),
    [
        (0, 10, "0.0"),  # the log start itself: the next to go
        (0, 15, "12.0"),
        (0, 20, None),  # a day ahead or more
        (10, 15, None),  # the log start does not move
    ],
)
def test_a_target_that_retention_will_reach_within_a_day_is_told(then: int, target: int, hours: str | None) -> None:
    seen = Seen(log_starts={T0: TimedOffset(Offset(then), NOW - DAY)})
    change = a_change("to_offset", strategy={"offset": target})
    warnings = told(change, a_partition(10, 100), seen=seen)
    assert ("target_expires" in warnings) == (hours is not None)
    assert hours is None or f"in about {hours} hours" in warnings["target_expires"]


def test_the_end_of_a_log_is_never_about_to_be_deleted() -> None:
    seen = Seen(log_starts={T0: TimedOffset(Offset(0), NOW - DAY)})
    assert told(a_change("to_latest"), a_partition(10, 11, 10), seen=seen) == {}


def test_a_record_of_the_future_is_told_and_a_clock_a_little_ahead_is_not() -> None:
    near = {T0: (TimedOffset(Offset(10), NOW + HOUR),)}
    assert "t-0" in told(around=near)["timestamps_in_future"]
    assert told(around={T0: (TimedOffset(Offset(10), NOW + timedelta(seconds=59)),)}) == {}
    assert "timestamps_in_future" in told(None, a_partition(newest=TimedOffset(Offset(10), NOW + HOUR)))


@pytest.mark.parametrize(
    ("times", "mixed"),
    [
        ({49: -1, 50: 0, 51: 1}, False),
        ({49: 5, 50: 0}, True),  # newer, and not read again
        ({50: 0, 51: -1}, True),  # older, and read again
    ],
)
def test_times_out_of_order_around_the_target_are_told(times: dict[int, int], mixed: bool) -> None:
    instant = NOW - HOUR
    near = tuple(TimedOffset(Offset(offset), instant + timedelta(minutes=minutes)) for offset, minutes in times.items())
    change = a_change("by_duration", strategy={"duration": "PT1H"})
    found = a_partition(found_at=TimedOffset(Offset(50), instant))
    assert ("timestamps_out_of_order" in told(change, found, around={T0: near})) is mixed
    assert "timestamps_out_of_order" not in told(a_change("to_offset", strategy={"offset": 50}), around={T0: near})


def test_commits_that_move_between_two_readings_are_told_with_both_numbers() -> None:
    text = told(second={T0: Committed(Offset(45))})["commits_moving"]
    assert "t-0 from 40 to 45" in text and "manual assignment" in text
    assert "t-0 from 40 to none" in told(second={T0: None})["commits_moving"]


def test_commits_that_moved_lately_are_told_while_the_group_is_empty() -> None:
    seen = Seen(empty_since=NOW - DAY, moved_while_empty={"t": NOW - HOUR})
    assert "moved on t" in told(seen=seen)["commits_moved_lately"]
    assert "commits_moved_lately" not in told(seen=seen, group=a_group(GroupState.STABLE))


@pytest.mark.parametrize(
    ("empty_for", "kept", "warned"),
    [(6.5, 7, True), (5.5, 7, False), (6.5, 30, False), (8, 7, True)],
)
def test_a_group_whose_commits_expire_within_a_day_is_told(empty_for: float, kept: int, warned: bool) -> None:
    told_so = told(seen=Seen(empty_since=NOW - empty_for * DAY), offsets_retention=kept * DAY)
    assert ("group_expires" in told_so) is warned


def test_where_the_brokers_do_not_tell_how_long_kafkas_default_is_taken_and_said() -> None:
    text = told(seen=Seen(empty_since=NOW - 6.5 * DAY), offsets_retention=FORBIDDEN)["group_expires"]
    assert "Kafka's usual 7 days" in text


def test_a_group_whose_clock_a_reset_starts_anew_is_not_warned_of() -> None:
    seen = Seen(empty_since=NOW - 6.5 * DAY)
    for group in (a_group(protocol_type=""), a_group(type=GroupType.CONSUMER), a_group(GroupState.STABLE)):
        assert "group_expires" not in told(seen=seen, offsets_retention=7 * DAY, group=group)


def test_a_deletion_under_a_subscription_is_told_before_kafka_refuses_it() -> None:
    group = a_group(GroupState.STABLE, members=(a_member(),))
    assert "subscribed to t" in told(a_change("delete_offsets"), group=group)["delete_while_subscribed"]
    assert "delete_while_subscribed" not in told(a_change("to_latest"), group=group)


STREAMS_TEXT = base64.b64encode(b"\x02" + (1_760_000_000_000).to_bytes(8, "big")).decode()


@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("streams_application", {"group": a_group(assignor="stream")}),
        ("streams_application", {"partitions": [a_partition(metadata=STREAMS_TEXT)]}),
        ("streams_application", {"partitions": [a_partition(of=TopicPartition("g-counts-changelog", 0))]}),
        ("connect_sink", {"group": a_group(group=GroupId("connect-orders"))}),
        ("connect_sink", {"group": a_group(GroupState.STABLE, members=(a_member("connector-consumer-orders-0"),))}),
        ("flink_job", {"group": a_group(group=GroupId("orders-flink-1"))}),
        ("flink_job", {"group": a_group(GroupState.STABLE, members=(a_member("Flink-source-0"),))}),
        ("spark_query", {"group": a_group(group=GroupId("spark-kafka-source-1b2c--driver-0"))}),
    ],
)
def test_a_framework_is_known_by_its_signs(code: str, facts: dict[str, Any]) -> None:
    partitions = facts.pop("partitions", [])
    assert code in told(None, *partitions, **facts)


@pytest.mark.parametrize("name", ["g", "blinking", "flinktown", "sparkling", "connecting", "reconnect-1"])
def test_a_name_that_only_resembles_a_frameworks_is_not_one(name: str) -> None:
    plan = a_plan(a_change(), a_partition(metadata="bm90IGEgc3RyZWFt"), group=a_group(group=GroupId(name)))
    assert plan.warnings == ()


def test_topics_settings_are_asked_for_and_retention_only_where_a_group_may_expire() -> None:
    fake = FakeKafka()
    fake.add_topic("t")
    facts = with_settings(fake, some_facts())
    assert facts.topic_configs == {"t": PLAIN} and facts.offsets_retention is None
    assert with_settings(fake, some_facts(seen=Seen(empty_since=NOW))).offsets_retention == 7 * DAY


def test_how_long_a_static_member_stays_is_told_as_far_as_it_is_known() -> None:
    fake = FakeKafka()
    fake.add_topic("t")
    for kind, words in ((GroupType.CONSUMER, ", which takes 45 seconds;"), (GroupType.CLASSIC, "at most 30 minutes);")):
        members = (a_member(instance_id="seat-7"),)
        facts = with_settings(fake, some_facts(group=a_group(GroupState.STABLE, type=kind, members=members)))
        assert words in told(group=facts.group, session_timeout=facts.session_timeout)["static_members"]
    fake.answer("session_timeout", "g", FORBIDDEN)
    facts = with_settings(fake, facts)
    text = told(group=facts.group, session_timeout=facts.session_timeout)["static_members"]
    assert "times out (session.timeout.ms, usually 45 seconds);" in text
    nobody = with_settings(fake, some_facts(group=a_group(GroupState.STABLE, members=(a_member(),))))
    assert nobody.session_timeout is None


def test_a_second_reading_finds_what_moves_and_only_where_nobody_is_a_member() -> None:
    fake = FakeKafka()
    fake.set_committed("g", {T0: Committed(Offset(40)), T1: Committed(Offset(7))})
    facts = some_facts(a_partition(), a_partition(of=T1, committed=7))
    assert Watch(timedelta(0)).again(fake, facts).second == {}
    fake.commit_by_hand("g", T0)
    assert Watch(timedelta(0)).again(fake, facts).second == {T0: Committed(Offset(41))}
    calls = len(fake.calls)
    assert Watch(None).again(fake, facts).second == {}
    busy = some_facts(a_partition(), group=a_group(GroupState.STABLE))
    assert Watch(timedelta(0)).again(fake, busy).second == {}
    assert len(fake.calls) == calls


def test_a_copied_group_that_has_members_is_told() -> None:
    source = a_group(GroupState.STABLE, group=GroupId("other"), members=(a_member(), a_member("billing-2")))
    change = a_change("copy_group", strategy={"from_group": "other"})
    found = told(change, a_partition(source=Committed(Offset(50))), source_group=source)
    assert "has 2 members and moves on" in found["source_group_active"]


def test_a_plan_by_time_names_the_partitions_without_a_later_record() -> None:
    by_time = a_change("by_duration", strategy={"duration": "PT1H"})
    found = told(by_time, a_partition(newest=timed(99, 1000)), a_partition(of=T1, found_at=timed(50, 1000)))
    assert "no record at or after the moment on 1 partition (t-0)" in found["lines_without_record"]


ROWS = re.findall(
    r"^\| `(\w+)` \|.*\| `(test_\w+)` \| (.+) \|$", WARNINGS_PAGE.read_text(encoding="utf-8"), re.MULTILINE
)


def test_every_warning_is_documented_with_a_test_that_exists_and_where_it_runs() -> None:
    assert [code for code, _, _ in ROWS] == list(dict.fromkeys(code for code, _, _ in ROWS))
    assert {code for code, _, _ in ROWS} == WARNINGS.keys()
    by_file = {one.name: one.read_text(encoding="utf-8") for one in Path(__file__).parent.glob("test_*.py")}
    for _, test, where in ROWS:
        homes = [name for name, text in by_file.items() if f"def {test}(" in text]
        assert len(homes) == 1, test
        assert where == "a real broker" if homes[0].endswith("_on_kafka.py") else where.startswith("fake: "), test
