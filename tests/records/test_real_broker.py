"""An export from a real broker: byte for byte, in slices that follow each other, past what retention took."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.port import ConnectRecords, RecordReader
from kafkaconsole.kafka.records import READER_GROUP, open_reader
from kafkaconsole.records import actions, contents, exporting, look_actions, looking
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from tests.kafka.worlds import settings_for
from tests.records.scene import Scene, line, make_request

COUNT = 3000


def connecting(kafka: LocalKafka) -> ConnectRecords:
    """Opens a reader of this broker."""

    @contextmanager
    def connect(cluster_pk: int) -> Iterator[RecordReader]:
        with open_reader(settings_for(kafka)) as reader:
            yield reader

    return connect


def test_a_real_broker_is_read_in_slices_without_a_record_lost_or_twice(
    scene: Scene, kafka_one: LocalKafka, unique_name: Callable[[str], str]
) -> None:
    topic = unique_name("export")
    topics.create_topic(kafka_one, topic)
    topics.produce(kafka_one, topic, [topics.Record(b"\xff%d" % number) for number in range(COUNT)])
    topics.delete_records(kafka_one, topic, before={0: 10})
    reset = make_request(scene, [line(topic, 0, target=0, committed=COUNT, log_end=COUNT)])
    export = actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.COMMITTED, limit=COUNT))

    slices = 1
    connect = connecting(kafka_one)
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


def test_a_look_reads_a_few_records_of_a_real_broker_and_leaves_no_group(
    scene: Scene, kafka_one: LocalKafka, unique_name: Callable[[str], str]
) -> None:
    topic = unique_name("look")
    topics.create_topic(kafka_one, topic)
    topics.produce(kafka_one, topic, [topics.Record(b"m%d" % number) for number in range(200)])
    topics.delete_records(kafka_one, topic, before={0: 50})
    reset = make_request(scene, [line(topic, 0, target=52, committed=200, log_end=200)])
    for offset, expected in ((52, [50, 51, 52, 53]), (198, [195, 196, 197, 198, 199]), (200, [197, 198, 199])):
        place = look_actions.Place(topic, 0, offset, before=3, after=2)
        look = look_actions.look_at_plan(request=reset, by=scene.alice, place=place)
        looking.look(look_id=look.pk, connect_records=connecting(kafka_one))
        look.refresh_from_db()
        assert [one.offset for one in contents.unpacked(bytes(look.records))] == expected
    with open_admin(settings_for(kafka_one)) as admin:
        assert READER_GROUP not in {one.group for one in admin.list_groups().groups}
