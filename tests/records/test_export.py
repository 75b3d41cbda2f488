"""Reading in the worker: whole, bounded, cut short, taken over, cancelled, failed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.values import Record, RecordSpan
from kafkaconsole.records import actions, chunks, errors, exporting
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.exporting import Outcome
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from kafkaconsole.resets.models import ResetRequest
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene

NO_TIME = timedelta(0)


@pytest.fixture
def export(scene: Scene, reset: ResetRequest) -> RecordExport:
    return actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.LOG_END, limit=100))


def values(export: RecordExport) -> list[str]:
    raw = b"".join(zlib.decompress(chunk.lines) for chunk in export.chunks.order_by("number"))
    return [json.loads(line)["value"] for line in raw.splitlines()]


def problem_of(export: RecordExport) -> dict[str, Any]:
    assert export.problem is not None
    return dict(export.problem)


def run(export: RecordExport, kafka: FakeKafka, **limits: Any) -> Outcome:
    outcome = exporting.export(export_id=export.pk, connect_records=kafka.connect_records, **limits)
    export.refresh_from_db()
    return outcome


def test_every_record_of_the_spans_is_written_and_counted(export: RecordExport, kafka: FakeKafka) -> None:
    assert run(export, kafka) is Outcome.ENDED
    assert values(export) == ["m1", "m2", "m3", "n1", "n2"]
    assert (export.state, export.records_count, export.offsets_read) == (ExportState.DONE, 5, 5)
    assert kafka.opened == kafka.closed == 1


def test_the_end_is_recorded_with_counts_and_no_contents(export: RecordExport, kafka: FakeKafka, scene: Scene) -> None:
    run(export, kafka)
    event = AuditEvent.objects.get(verb="records.exported")
    assert event.actor == scene.alice
    assert event.facts["records"] == 5
    assert "m1" not in json.dumps(event.facts)


def test_records_produced_after_planning_are_not_read(export: RecordExport, kafka: FakeKafka) -> None:
    kafka.produce("hello", 0, b"m4")
    run(export, kafka)
    assert "m4" not in values(export)


def test_a_limit_stops_the_export_and_says_where(scene: Scene, reset: ResetRequest, kafka: FakeKafka) -> None:
    export = actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.LOG_END, limit=4))
    assert run(export, kafka) is Outcome.ENDED
    assert export.state == ExportState.BOUNDED
    assert values(export) == ["m1", "m2", "m3", "n1"]
    assert problem_of(export)["facts"] == {"records": 4, "bound": "4 records", "next": [["hello", 1, 1]]}


def test_a_limit_that_is_just_enough_is_complete(scene: Scene, reset: ResetRequest, kafka: FakeKafka) -> None:
    export = actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.LOG_END, limit=5))
    run(export, kafka)
    assert export.state == ExportState.DONE


def test_too_many_bytes_stop_the_export(export: RecordExport, kafka: FakeKafka, settings: Settings) -> None:
    settings.EXPORT_MAX_BYTES = 300
    run(export, kafka)
    assert export.state == ExportState.BOUNDED
    assert 0 < export.bytes_count <= 300
    assert problem_of(export)["facts"]["bound"] == "300 bytes"


def test_a_slice_that_is_over_goes_on_exactly_where_it_stopped(export: RecordExport, kafka: FakeKafka) -> None:
    turns = 0
    while run(export, kafka, slice_=NO_TIME) is Outcome.MORE:
        turns += 1
        assert export.offsets_read == export.records_count == turns
    assert turns == 5
    assert values(export) == ["m1", "m2", "m3", "n1", "n2"]


def test_holes_and_deleted_records_count_as_offsets_without_a_record(export: RecordExport, kafka: FakeKafka) -> None:
    kafka.delete_records("hello", 0, before=1)
    kafka.compact("hello", 1, away=[1])
    run(export, kafka)
    assert values(export) == ["m2", "m3", "n1"]
    assert (export.offsets_read, export.empty_offsets) == (5, 2)


def test_a_cluster_that_does_not_answer_is_tried_again_and_says_why_meanwhile(
    export: RecordExport, kafka: FakeKafka
) -> None:
    kafka.fail("read", KafkaUnavailable(reason="timed_out"))
    assert run(export, kafka) is Outcome.LATER
    assert (export.state, problem_of(export)["code"]) == (ExportState.READING, "kafka.unavailable")
    assert run(export, kafka) is Outcome.NOT_MINE  # not before its time
    _let_lease_run_out(export)
    assert run(export, kafka) is Outcome.ENDED
    assert (export.state, export.problem) == (ExportState.DONE, None)


def test_without_progress_it_gives_up_after_some_tries(export: RecordExport, kafka: FakeKafka) -> None:
    for _ in range(exporting.MOST_TRIES):
        kafka.fail("read", KafkaUnavailable(reason="timed_out"))
        assert run(export, kafka) is Outcome.LATER
        _let_lease_run_out(export)
    assert run(export, kafka) is Outcome.ENDED
    assert (export.state, problem_of(export)["code"]) == (ExportState.FAILED, "records.gave_up")
    assert problem_of(export)["facts"] == {"tries": 5, "last": "kafka.unavailable"}


def test_a_permanent_refusal_ends_it_at_once(export: RecordExport, kafka: FakeKafka) -> None:
    kafka.fail("read", KafkaRefused(reason="partition_not_found"))
    assert run(export, kafka) is Outcome.ENDED
    assert export.state == ExportState.FAILED
    assert export.problem == {"code": "kafka.refused", "facts": {"reason": "partition_not_found"}}


def test_a_second_worker_gets_nothing_while_the_first_one_lives(export: RecordExport, kafka: FakeKafka) -> None:
    RecordExport.objects.filter(pk=export.pk).update(state="reading", lease_until=timezone.now() + chunks.LEASE)
    assert run(export, kafka) is Outcome.NOT_MINE
    assert kafka.opened == 0


def test_a_worker_whose_lease_ran_out_cannot_write_any_more(export: RecordExport, kafka: FakeKafka) -> None:
    """Two workers: the first one hangs in the middle, the second one finishes; each record is there once."""
    first = _interrupted(kafka, after=2, do=lambda: _finish_with_another(export, kafka))
    assert exporting.export(export_id=export.pk, connect_records=first) is Outcome.NOT_MINE
    export.refresh_from_db()
    assert export.state == ExportState.DONE
    assert values(export) == ["m1", "m2", "m3", "n1", "n2"]


def test_cancelling_stops_the_worker_at_its_next_chunk(export: RecordExport, kafka: FakeKafka, scene: Scene) -> None:
    reader = _interrupted(kafka, after=1, do=lambda: actions.cancel(export=export, by=scene.alice))
    assert exporting.export(export_id=export.pk, connect_records=reader) is Outcome.NOT_MINE
    export.refresh_from_db()
    assert (export.state, export.records_count) == (ExportState.CANCELLED, 0)
    with pytest.raises(errors.AlreadyEnded):
        actions.cancel(export=export, by=scene.alice)


def test_a_tick_nudges_what_was_left_behind_and_nothing_else(
    export: RecordExport, kafka: FakeKafka, settings: Settings
) -> None:
    settings.NUDGE_AFTER = timedelta(0)
    assert actions.tick() == 1
    run(export, kafka, slice_=NO_TIME)
    assert actions.tick() == 1
    RecordExport.objects.filter(pk=export.pk).update(lease_until=timezone.now() + chunks.LEASE)
    assert actions.tick() == 0
    _let_lease_run_out(export)
    run(export, kafka)
    assert actions.tick() == 0


def test_old_exports_are_dropped_with_their_records(export: RecordExport, kafka: FakeKafka, settings: Settings) -> None:
    run(export, kafka)
    assert actions.retain() == 0
    settings.EXPORT_LIFE = timedelta(0)
    assert actions.retain() == 1
    assert not RecordExport.objects.exists()


def _let_lease_run_out(export: RecordExport) -> None:
    RecordExport.objects.filter(pk=export.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def _finish_with_another(export: RecordExport, kafka: FakeKafka) -> None:
    _let_lease_run_out(export)
    assert exporting.export(export_id=export.pk, connect_records=kafka.connect_records) is Outcome.ENDED


def _interrupted(kafka: FakeKafka, *, after: int, do: Any) -> Any:
    """A `ConnectRecords` in whose reading something happens after some records."""

    class Reader:
        def read(self, spans: Sequence[RecordSpan], *, time_limit: timedelta) -> Iterator[Record]:
            for number, record in enumerate(kafka.read(spans, time_limit=time_limit), start=1):
                if number == after:
                    do()
                yield record

    @contextmanager
    def connect(cluster_pk: int) -> Iterator[Reader]:
        yield Reader()

    return connect
