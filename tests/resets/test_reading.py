"""What only the records can tell: times around a target, and matches that the broker's own search misses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import Committed, Offset, TimedOffset, TopicPartition
from kafkaconsole.resets import reading
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.plans import Action, Line, Why
from tests.fakes.kafka import FakeKafka
from tests.kafka.worlds import settings_for
from tests.resets.making import NOW, T0, a_change

MINUTE = timedelta(minutes=1)
BY_TIME = {"datetime": (NOW - 4 * MINUTE).isoformat()}


@pytest.fixture
def fake() -> FakeKafka:
    """Topic t: one partition of ten records, one a minute, the last one now. Group g: a commit at 4."""
    broker = FakeKafka()
    broker.add_topic("t")
    for number in range(10):
        broker.produce("t", 0, b"m", at=NOW - (9 - number) * MINUTE)
    broker.set_committed("g", {T0: Committed(Offset(4))})
    return broker


def line_of(fake: FakeKafka, kind: str = "to_datetime", **strategy: object) -> Line:
    """The one line of the plan, records read."""
    change = a_change(kind, strategy=strategy or BY_TIME)
    facts = gather(fake, change, now=NOW, times=fake)
    (line,) = compute(change, facts, NOW).lines
    return line


def test_the_line_tells_the_record_at_the_target_and_the_one_before_it(fake: FakeKafka) -> None:
    line = line_of(fake)
    assert (line.target, line.record_at, line.record_before_at) == (5, NOW - 4 * MINUTE, NOW - 5 * MINUTE)


def test_at_the_end_there_is_only_a_record_before_and_at_the_start_only_one_after(fake: FakeKafka) -> None:
    end, start = line_of(fake, "to_offset", offset=10), line_of(fake, "to_offset", offset=0)
    assert (end.record_at, end.record_before_at) == (None, NOW)
    assert (start.record_at, start.record_before_at) == (NOW - 9 * MINUTE, None)


def test_a_hole_before_the_target_is_looked_over(fake: FakeKafka) -> None:
    fake.compact("t", 0, away=[3, 4])
    assert line_of(fake).record_before_at == NOW - 7 * MINUTE


def test_a_match_that_the_brokers_search_missed_is_found_in_the_records(fake: FakeKafka) -> None:
    fake.answer("offsets_at", T0, None)
    line = line_of(fake)
    assert (line.action, line.target, line.why) == (Action.SET, 5, None)


def test_that_there_is_no_match_is_proved_by_the_records_where_the_newest_was_deleted(fake: FakeKafka) -> None:
    fake.answer("offsets_at", T0, None)
    fake.answer("max_timestamps", T0, TimedOffset(Offset(0), NOW + MINUTE))
    fake.delete_records("t", 0, before=2)
    line = line_of(fake, "to_datetime", datetime=(NOW + MINUTE / 2).isoformat())
    assert (line.action, line.target, line.why) == (Action.SET, 10, Why.NO_RECORD_AFTER)


def test_a_log_too_long_to_read_stays_uncertain(fake: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SETTLED_OFFSETS", 9)
    fake.answer("offsets_at", T0, None)
    assert (line_of(fake).action, line_of(fake).why) == (Action.REFUSE, Why.NO_RECORD_AFTER_UNCERTAIN)


def test_records_that_cannot_be_read_in_time_leave_it_uncertain(fake: FakeKafka) -> None:
    fake.answer("offsets_at", T0, None)
    fake.fail("read", KafkaUnavailable(reason="timed_out"))
    assert line_of(fake).why is Why.NO_RECORD_AFTER_UNCERTAIN


def test_once_the_time_is_up_no_further_partition_is_searched(fake: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "TIME_LIMIT", timedelta(0))
    fake.answer("offsets_at", T0, None)
    assert line_of(fake).why is Why.NO_RECORD_AFTER_UNCERTAIN and "read" not in fake.calls


def test_a_real_broker_misses_a_match_and_the_records_tell_it(kafka_one: LocalKafka, topic_name: str) -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    topics.create_topic(kafka_one, topic_name, configs={"segment.ms": "100000"})
    for seconds in (9000, 1000, 9500):  # the third begins another segment
        topics.produce(kafka_one, topic_name, [topics.Record(b"m", at=start + timedelta(seconds=seconds))])
    topics.delete_records(kafka_one, topic_name, before={0: 1})
    of, instant = TopicPartition(topic_name, 0), start + timedelta(seconds=8000)
    change = a_change(
        "to_datetime",
        strategy={"datetime": instant.isoformat()},
        scope={"topics": [{"topic": topic_name}]},
        create_group=True,
    )
    with open_admin(settings_for(kafka_one)) as admin, open_reader(settings_for(kafka_one)) as times:
        assert admin.offsets_at({of: instant})[of] is None, "the broker is not blind here any more"
        (line,) = compute(change, gather(admin, change, now=NOW, times=times), NOW).lines
    assert (line.target, line.why) == (2, None)
    assert (line.record_at, line.record_before_at) == (
        start + timedelta(seconds=9500),
        start + timedelta(seconds=1000),
    )
