"""An export from a real broker: byte for byte, in slices that follow each other, past what retention took."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from kafkaconsole.kafka.port import RecordReader
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.records import actions, exporting
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from tests.kafka.worlds import settings_for
from tests.records.scene import Scene, line, make_request

COUNT = 3000


def test_a_real_broker_is_read_in_slices_without_a_record_lost_or_twice(
    scene: Scene, kafka_one: LocalKafka, unique_name: Callable[[str], str]
) -> None:
    topic = unique_name("export")
    topics.create_topic(kafka_one, topic)
    topics.produce(kafka_one, topic, [topics.Record(b"\xff%d" % number) for number in range(COUNT)])
    topics.delete_records(kafka_one, topic, before={0: 10})
    reset = make_request(scene, [line(topic, 0, target=0, committed=COUNT, log_end=COUNT)])
    export = actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.COMMITTED, limit=COUNT))

    @contextmanager
    def connect(cluster_pk: int) -> Iterator[RecordReader]:
        with open_reader(settings_for(kafka_one)) as reader:
            yield reader

    slices = 1
    while exporting.export(export_id=export.pk, connect_records=connect, slice_=timedelta(milliseconds=5)) is (
        exporting.Outcome.MORE
    ):
        slices += 1
    export = RecordExport.objects.get(pk=export.pk)
    assert (export.state, export.records_count, export.empty_offsets) == (ExportState.DONE, COUNT - 10, 10)
    assert slices > 1, "the slices were too long to show anything"
    raw = b"".join(zlib.decompress(chunk.lines) for chunk in export.chunks.order_by("number"))
    read = [json.loads(one) for one in raw.splitlines()]
    assert [one["offset"] for one in read] == list(range(10, COUNT))
    assert all("value_base64" in one and "value" not in one for one in read)
