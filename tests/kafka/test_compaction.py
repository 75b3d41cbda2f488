"""A compacted log on a real broker: holes are read over, and lookups name records that exist."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import Offset, OffsetBounds, RecordSpan, TimedOffset, TopicPartition
from tests.kafka.worlds import settings_for

pytestmark = pytest.mark.kafka

START = datetime(2026, 3, 1, tzinfo=UTC)
CLEANED_AT_ONCE = {
    "cleanup.policy": "compact",
    "segment.ms": "100",
    "min.cleanable.dirty.ratio": "0.001",
    "max.compaction.lag.ms": "100",
    "min.compaction.lag.ms": "0",
    "message.timestamp.type": "CreateTime",
}


def test_holes_are_read_over(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name, configs=CLEANED_AT_ONCE)
    of = TopicPartition(topic_name, 0)
    keys = [b"a", b"a", b"b", b"a", b"b"]
    for place, key in enumerate(keys):
        at = START + timedelta(seconds=place)
        topics.produce(kafka_one, topic_name, [topics.Record(b"%d" % place, key=key, at=at)])
    whole = [RecordSpan(of, Offset(0), Offset(100))]

    def offsets() -> list[int]:
        # The active segment is never cleaned: each look writes on, so that the segments before it are.
        topics.produce(kafka_one, topic_name, [topics.Record(b"last", key=b"z", at=START + timedelta(hours=1))])
        with open_reader(settings_for(kafka_one)) as reader:
            records = reader.read(whole, time_limit=timedelta(seconds=20))
            return [record.offset for record in records if record.key != b"z"]

    assert comes_true(lambda: offsets() == [3, 4], limit=90, every=1.0)
    with open_reader(settings_for(kafka_one)) as reader:
        inside = list(reader.read([RecordSpan(of, Offset(0), Offset(3))], time_limit=timedelta(seconds=20)))
        times = reader.times_around({of: Offset(1)}, reach=1, time_limit=timedelta(seconds=20))
    assert inside == []
    assert times == {of: (TimedOffset(Offset(3), START + timedelta(seconds=3)),)}
    with open_admin(settings_for(kafka_one)) as admin:
        found = admin.offsets_at({of: START + timedelta(seconds=1)})[of]
        bounds = admin.bounds([of])[of]
    assert found == TimedOffset(Offset(3), START + timedelta(seconds=3))
    assert isinstance(bounds, OffsetBounds) and bounds.log_start == 0
