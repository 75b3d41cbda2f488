"""Streaming an export while it is read, and what its last line says."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from kafkaconsole.kafka.errors import KafkaRefused
from kafkaconsole.records import actions, exporting, queries, streaming
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from kafkaconsole.resets.models import ResetRequest
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene

AT_ONCE = timedelta(0)


@pytest.fixture
def export(scene: Scene, reset: ResetRequest) -> RecordExport:
    return actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.LOG_END, limit=100))


def read(export: RecordExport, kafka: FakeKafka, slice_: timedelta = exporting.SLICE) -> None:
    exporting.export(export_id=export.pk, connect_records=kafka.connect_records, slice_=slice_)


def parsed(runs: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(runs).splitlines()]


def test_a_complete_export_streams_every_line_and_no_notice(export: RecordExport, kafka: FakeKafka) -> None:
    read(export, kafka)
    assert [one["value"] for one in parsed(list(streaming.lines(export)))] == ["m1", "m2", "m3", "n1", "n2"]


def test_chunks_come_before_the_export_is_complete(export: RecordExport, kafka: FakeKafka) -> None:
    read(export, kafka, slice_=AT_ONCE)
    stream = streaming.lines(export)
    assert next(stream) == b"", "the headers go out before the first record"
    assert json.loads(next(stream))["value"] == "m1"
    read(export, kafka)
    assert [one["value"] for one in parsed(list(stream))] == ["m2", "m3", "n1", "n2"]


def test_a_bounded_export_says_so_in_its_last_line(scene: Scene, reset: ResetRequest, kafka: FakeKafka) -> None:
    export = actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.LOG_END, limit=1))
    read(export, kafka)
    first, last = parsed(list(streaming.lines(export)))
    assert first["value"] == "m1"
    assert (last["notice"]["state"], last["notice"]["code"]) == ("bounded", "records.bounded")
    assert last["notice"]["facts"]["next"] == [["hello", 0, 1], ["hello", 1, 0]]
    assert "1 records" in last["notice"]["detail"]


def test_a_failed_export_says_so_in_its_last_line(export: RecordExport, kafka: FakeKafka) -> None:
    kafka.fail("read", KafkaRefused(reason="partition_not_found"))
    read(export, kafka)
    [last] = parsed(list(streaming.lines(export)))
    assert (last["notice"]["state"], last["notice"]["code"]) == ("failed", "kafka.refused")


def test_when_the_reader_leaves_the_export_is_cancelled(export: RecordExport, kafka: FakeKafka) -> None:
    read(export, kafka, slice_=AT_ONCE)
    stream = streaming.lines(export)
    assert [next(stream), next(stream)][1].startswith(b"{")
    stream.close()  # type: ignore[attr-defined]  # what the server does when the client has gone
    export.refresh_from_db()
    assert export.state == ExportState.CANCELLED


def test_leaving_after_the_end_changes_nothing(export: RecordExport, kafka: FakeKafka) -> None:
    read(export, kafka)
    stream = streaming.lines(export)
    assert [next(stream), next(stream)][1].startswith(b"{")
    stream.close()  # type: ignore[attr-defined]
    export.refresh_from_db()
    assert export.state == ExportState.DONE


def test_when_nothing_moves_the_stream_ends_with_a_notice(export: RecordExport) -> None:
    [last] = parsed(list(streaming.lines(export, patience=AT_ONCE)))
    assert last["notice"]["code"] == "records.stalled"
    export.refresh_from_db()
    assert export.state == ExportState.CANCELLED


def test_an_export_dropped_meanwhile_says_so(export: RecordExport) -> None:
    RecordExport.objects.all().delete()
    [last] = parsed(list(streaming.lines(export)))
    assert last["notice"]["code"] == "records.dropped"


def test_the_page_lists_the_first_records(export: RecordExport, kafka: FakeKafka) -> None:
    read(export, kafka)
    assert [one["value"] for one in queries.first_records(export, 2)] == ["m1", "m2"]
