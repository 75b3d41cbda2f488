"""Streams an export as its chunks come, by looking at the database: the web process never talks to Kafka.

The file of an export that is not complete ends in a notice line that says why (`records.lines.notice_line`).
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping
from datetime import timedelta

from kafkaconsole.display import sentences
from kafkaconsole.pauses import rest
from kafkaconsole.records import lines as line_format
from kafkaconsole.records import queries
from kafkaconsole.records.endings import end
from kafkaconsole.records.models import ExportState, RecordExport

POLL = timedelta(milliseconds=300)
PATIENCE = timedelta(seconds=60)
"""So long may nothing move before the stream ends with a notice."""


def lines(export: RecordExport, *, patience: timedelta = PATIENCE) -> Iterator[bytes]:
    """Runs of whole JSON lines. When the reader leaves before the end, the export is cancelled: nobody reads on
    for someone who has gone. The states and the notices are in docs/how-to/read-records.md."""
    try:
        yield b""  # lets the server send the headers at once, however long the first record takes
        yield from _follow(export, patience)
    finally:
        end(export.pk, ExportState.CANCELLED, problem=_problem("records.cancelled", export))


def _follow(export: RecordExport, patience: timedelta) -> Iterator[bytes]:
    number, moved_at, place = 0, time.monotonic(), (-1, -1)
    while True:
        row = RecordExport.objects.filter(pk=export.pk).first()  # before the chunks: a final row has all of them
        if row is None:
            yield _notice("dropped", {"code": "records.dropped", "facts": {"export": export.pk}})
            return
        chunks = queries.chunks_from(row, number)
        for chunk in chunks:
            yield zlib.decompress(chunk.lines)
            number = chunk.number + 1
        if row.is_final and not chunks:
            yield from _last_line(row)
            return
        if (row.claim, row.offsets_read) != place or chunks:
            place, moved_at = (row.claim, row.offsets_read), time.monotonic()
        elif time.monotonic() - moved_at > patience.total_seconds():
            facts = {"records": row.records_count, "seconds": int(patience.total_seconds())}
            yield _notice(row.state, {"code": "records.stalled", "facts": facts})
            return
        if not chunks:
            rest(POLL.total_seconds())


def _last_line(row: RecordExport) -> Iterator[bytes]:
    if row.state != ExportState.DONE:
        yield _notice(row.state, row.problem or _problem("records.cancelled", row))


def _notice(state: str, problem: Mapping[str, object]) -> bytes:
    code, facts = str(problem["code"]), problem["facts"]
    known = facts if isinstance(facts, dict) else {}
    detail = sentences.sentence(code, known)
    return line_format.notice_line({"state": str(state), "code": code, "detail": detail, "facts": known})


def _problem(code: str, export: RecordExport) -> dict[str, object]:
    return {"code": code, "facts": {"records": export.records_count}}
