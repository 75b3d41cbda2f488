"""Reads an export's records in a worker, slice by slice, so that a long one holds up no other work.

A slice that ends early (killed worker, cluster gone) loses nothing: the next claim goes on where the last chunk ended.
"""

from __future__ import annotations

import time
from datetime import timedelta
from enum import Enum, auto

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from kafkaconsole.errors import Refused, Unavailable
from kafkaconsole.kafka.port import ConnectRecords, RecordReader
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.records import lines, spans
from kafkaconsole.records.chunks import LEASE, ChunkWriter, LostClaim
from kafkaconsole.records.endings import end
from kafkaconsole.records.models import ExportState, RecordExport

SLICE = timedelta(seconds=40)
READ_LIMIT = timedelta(seconds=60)
RETRY_AFTER = timedelta(seconds=10)
MOST_TRIES = 5
"""So many claims in a row without one record; then the export has failed."""


class Outcome(Enum):
    """What became of one call."""

    ENDED = auto()
    MORE = auto()  # the slice is over: nudge again
    LATER = auto()  # Kafka did not answer: the tick nudges again
    NOT_MINE = auto()  # ended before, cancelled meanwhile, or another worker has it


def export(*, export_id: int, connect_records: ConnectRecords, slice_: timedelta = SLICE) -> Outcome:
    """Claim the export and read for at most `slice_`. Passing failures are noted on the row, permanent ones end it."""
    taken = _claim(export_id)
    if taken is None:
        return Outcome.NOT_MINE
    if taken.tries > MOST_TRIES:
        return _give_up(taken)
    try:
        with connect_records(taken.request.cluster_id) as reader:
            return _read(ChunkWriter(taken), reader, slice_)
    except LostClaim:
        return Outcome.NOT_MINE
    except Unavailable as error:
        return _note(taken, error)
    except Refused as error:
        end(taken.pk, ExportState.FAILED, problem=problem_of(error))
        return Outcome.ENDED


@transaction.atomic
def _claim(export_id: int) -> RecordExport | None:
    now = timezone.now()
    free = Q(state=ExportState.WAITING) | Q(state=ExportState.READING, lease_until__lte=now)
    claimed = RecordExport.objects.filter(free, pk=export_id).update(
        state=ExportState.READING, lease_until=now + LEASE, claim=F("claim") + 1, tries=F("tries") + 1
    )
    return RecordExport.objects.select_related("request").get(pk=export_id) if claimed else None


def _read(writer: ChunkWriter, reader: RecordReader, slice_: timedelta) -> Outcome:
    row = writer.export
    stop_at: float | None = None  # counted from the first record: a slow connection must not eat the slice
    left = spans.rest_of(writer.spans, row.span_index, row.next_offset)
    for record in reader.read(left, time_limit=READ_LIMIT) if left else ():
        stop_at = stop_at or time.monotonic() + slice_.total_seconds()
        line = lines.line_of(lines.record_as_json(record))
        bound = writer.room_for(line, settings.EXPORT_MAX_BYTES)
        if bound:
            return _stop_at_bound(writer, bound)
        writer.add(record, line)
        if writer.is_due():
            writer.flush()
        if time.monotonic() >= stop_at:
            writer.flush()
            _release(row, timedelta(0))
            return Outcome.MORE
    with transaction.atomic():
        writer.finish()
        end(row.pk, ExportState.DONE)
    return Outcome.ENDED


@transaction.atomic
def _stop_at_bound(writer: ChunkWriter, bound: str) -> Outcome:
    writer.flush()
    facts = {"records": writer.export.records_count, "bound": bound, "next": writer.next_places()}
    end(writer.export.pk, ExportState.BOUNDED, problem=problem("records.bounded", **facts))
    return Outcome.ENDED


def _note(row: RecordExport, error: Unavailable) -> Outcome:
    """Keep why it did not go on, where the page shows it, and let the tick try again."""
    _release(row, RETRY_AFTER, problem=problem_of(error))
    return Outcome.LATER


def _release(row: RecordExport, after: timedelta, **facts: object) -> None:
    mine = RecordExport.objects.filter(pk=row.pk, state=ExportState.READING, claim=row.claim)
    mine.update(lease_until=timezone.now() + after, **facts)


def _give_up(row: RecordExport) -> Outcome:
    last = row.problem["code"] if row.problem else "records.interrupted"
    end(row.pk, ExportState.FAILED, problem=problem("records.gave_up", tries=MOST_TRIES, last=last))
    return Outcome.ENDED
