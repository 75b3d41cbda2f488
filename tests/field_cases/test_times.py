"""Moments: what a look-up really finds, and zones that never move a cut."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from kafkaconsole.kafka.values import Problem, ProblemKind, TopicPartition
from kafkaconsole.resets.instants import parse_instant
from kafkaconsole.resets.messages import sentence
from tests.fakes.kafka import FakeKafka
from tests.field_cases.playing import (
    NOW,
    a_broker,
    a_plan,
    clock,
    commit,
    lines,
    only_line,
    problems_of,
    records,
    warned,
)


def with_records(*times_of: list[datetime], committed: int = 0) -> FakeKafka:
    """Topic orders, one partition for each list of record times."""
    fake = FakeKafka()
    fake.add_topic("orders", len(times_of))
    for partition, times in enumerate(times_of):
        records(fake, *times, partition=partition)
    commit(fake, dict.fromkeys(range(len(times_of)), committed))
    return fake


def minutes(count: int) -> list[datetime]:
    """A record a minute from 10:00."""
    return [clock(10, minute) for minute in range(count)]


def test_ts_01_no_record_at_or_after_goes_to_the_end_and_says_so() -> None:
    fake = with_records([clock(10), clock(11)], [clock(10)])
    plan = a_plan(fake, "to_datetime", datetime="2026-03-01T10:30:00Z")
    assert [(line.target, line.why) for line in plan.lines] == [(1, None), (1, "no_record_after")]
    assert warned(plan, "lines_without_record")["partitions"] == ["orders-1"]


def test_ts_02_now_is_the_end_and_never_the_beginning() -> None:
    fake = with_records(minutes(60), committed=60)
    plan = a_plan(fake, "to_datetime", datetime=NOW.isoformat())
    assert (plan.lines[0].target, plan.lines[0].why, plan.totals.replayed) == (60, "no_record_after", 0)


def test_ts_04_an_empty_partition_is_told_from_one_without_a_later_record() -> None:
    fake = with_records([clock(10)], [])
    fake.skip_to("orders", 1, 7)
    fake.delete_records("orders", 1, before=7)
    plan = a_plan(fake, "to_datetime", datetime="2026-03-01T10:30:00Z")
    assert [(line.target, line.why) for line in plan.lines] == [(1, "no_record_after"), (7, "partition_empty")]
    later = sentence("lines_without_record", warned(plan, "lines_without_record"))
    assert later.endswith("on 1 partition (orders-0). The newest is 2026-03-01T10:00:00Z (orders-0).")
    empty = sentence("lines_empty", warned(plan, "lines_empty"))
    assert empty.startswith("1 partition (orders-1) holds no records")


def test_ts_06_seconds_and_milliseconds_are_told_apart_and_said() -> None:
    moment = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert parse_instant("1700000000", None).at == parse_instant("1700000000000", None).at == moment
    plan = a_plan(with_records(minutes(3)), "to_datetime", datetime="1700000000")
    assert plan.resolved_instant == moment
    assert problems_of("to_datetime", datetime="1700000000000000")[0].field == "strategy.datetime"


@pytest.mark.parametrize("text", ["2026-03-02T13:00:00Z", "9999-12-31T00:00:00Z"])
def test_ts_07_a_moment_to_come_is_warned_of(text: str) -> None:
    plan = a_plan(with_records(minutes(3)), "to_datetime", datetime=text)
    assert plan.lines[0].target == 3
    assert "in the future" in sentence("future_instant", warned(plan, "future_instant"))


def test_ts_09_times_out_of_order_give_the_first_record_by_offset() -> None:
    times = [clock(0, 100), clock(0, 300), clock(0, 200), clock(0, 400)]
    plan = a_plan(with_records(times, committed=4), "to_datetime", datetime="2026-03-01T04:10:00Z", times=True)
    assert (plan.lines[0].target, plan.lines[0].replayed) == (1, 3)
    told = sentence("timestamps_out_of_order", warned(plan, "timestamps_out_of_order"))
    assert "records older than the moment come after it" in told


def test_ts_11_a_time_before_the_first_record_is_the_first_that_is_kept() -> None:
    fake = FakeKafka()
    fake.add_topic("orders")
    fake.skip_to("orders", 0, 400)
    fake.delete_records("orders", 0, before=400)
    records(fake, *[clock(8) + timedelta(seconds=one) for one in range(600)])
    commit(fake, {0: 900})
    plan = a_plan(fake, "to_datetime", datetime="2026-02-22T08:00:00Z")
    (line,) = plan.lines
    assert (line.target, line.replayed, line.record_at) == (400, 500, clock(8))
    told = sentence("log_begins_later", warned(plan, "log_begins_later"))
    assert "The log begins with 2026-03-01T08:00:00Z (orders-0). What was before is deleted" in told


def test_ts_13_each_topics_clock_is_named_where_they_differ() -> None:
    fake = with_records([clock(9)] * 10)
    fake.add_topic("stamped")
    fake.topic_map["stamped"].timestamp_type = "LogAppendTime"
    records(fake, *[clock(36)] * 10, topic="stamped")
    both = {"topics": [{"topic": "orders"}, {"topic": "stamped"}]}
    plan = a_plan(fake, "to_datetime", datetime="2026-03-01T12:00:00Z", scope=both)
    assert {str(line.of): line.target for line in plan.lines} == {"orders-0": 10, "stamped-0": 0}
    told = sentence("log_append_time", warned(plan, "log_append_time"))
    assert told.startswith("On stamped a record's time is when the broker wrote it")
    assert told.endswith("On orders it is the producer's own time.")


def test_ts_12_a_duration_is_fixed_when_the_plan_is_made() -> None:
    plan = a_plan(with_records(minutes(60)), "by_duration", duration="PT2H", now=clock(12, 30))
    assert plan.resolved_instant == clock(10, 30)
    assert plan.lines[0].target == 30


def test_ts_14_every_partition_in_scope_has_a_line() -> None:
    fake = with_records([clock(10), clock(11)], [clock(9)], [])
    found = lines(fake, "to_datetime", datetime="2026-03-01T10:30:00Z")
    assert {name: line.target for name, line in found.items()} == {"orders-0": 1, "orders-1": 1, "orders-2": 0}


def test_ts_15_a_partition_whose_times_cannot_be_asked_for_refuses_the_plan() -> None:
    fake = with_records(minutes(3), minutes(3))
    old = Problem(ProblemKind.UNSUPPORTED, "UNSUPPORTED_FOR_MESSAGE_FORMAT")
    fake.answer("offsets_at", TopicPartition("orders", 1), old)
    plan = a_plan(fake, "to_datetime", datetime="2026-03-01T10:01:00Z")
    assert [line.action for line in plan.lines] == ["set", "refuse"]
    assert plan.refused


@pytest.mark.parametrize(
    "text",
    ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.998Z", "1969-12-31T23:59:59.997Z", "1960-01-01T00:00:00Z",
     "-1", "-2", "-3"],
)  # fmt: skip
def test_ts_16_a_time_before_1970_is_no_secret_command(text: str) -> None:
    assert problems_of("to_datetime", datetime=text)[0].field == "strategy.datetime"


def test_ts_18_two_moments_on_one_partition_are_two_answers() -> None:
    fake = with_records(minutes(61))
    targets = [only_line(fake, "to_datetime", datetime=f"2026-03-01T10:{minute}:00Z").target for minute in (10, 40, 10)]
    assert targets == [10, 40, 10]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("2026-03-01T10:00:00+05:30", 1),
        ("2026-03-01T10:00:00+0530", 1),
        ("2026-03-01T10:15:00+05:45", 1),
        ("2026-03-01T01:00:00-03:30", 1),
        ("2026-03-01T04:30:00Z", 1),
    ],
)
def test_tz_01_offsets_with_minutes_are_read_whole(text: str, target: int) -> None:
    fake = with_records([clock(4, 29), clock(4, 30), clock(4, 31)])
    assert only_line(fake, "to_datetime", datetime=text).target == target


@pytest.mark.parametrize(
    ("zone", "winter", "summer"), [("Asia/Tokyo", (2, 40), (2, 40)), ("America/New_York", (16, 40), (15, 40))]
)
def test_tz_03_a_wall_clock_is_the_zones_own(zone: str, winter: tuple[int, int], summer: tuple[int, int]) -> None:
    for day, (hour, minute) in (("2026-01-15", winter), ("2026-07-15", summer)):
        at = parse_instant(f"{day}T11:40", zone).at
        assert (at.hour, at.minute) == (hour, minute)
        assert parse_instant(f"{day}T11:40", "UTC").at.hour == 11


def test_tz_04_the_zone_of_a_text_is_never_cut_off() -> None:
    line = only_line(with_records([clock(7), clock(9)]), "to_datetime", datetime="2026-03-01T09:00:00+02:00")
    assert (line.target, line.record_at) == (0, clock(7))


def test_race_08_what_retention_took_since_is_another_target_and_another_digest() -> None:
    fake = a_broker({0: (100, 500)}, {0: 400})
    before = a_plan(fake, "to_offset", offset=120)
    fake.delete_records("orders", 0, before=150)
    after = a_plan(fake, "to_offset", offset=120)
    assert [plan.lines[0].target for plan in (before, after)] == [120, 150]
    assert before.digest != after.digest
