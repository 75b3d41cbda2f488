"""Writes an export's records as compressed chunks, each in one transaction with the place it brings the export to."""

from __future__ import annotations

import time
import zlib
from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from kafkaconsole.kafka.values import Record, TopicPartition
from kafkaconsole.records import spans
from kafkaconsole.records.models import ExportChunk, ExportState, RecordExport

LEASE = timedelta(seconds=90)
"""Longer than one slice of reading may take, so that no second worker starts while the first one lives."""
CHUNK_BYTES = 256 * 1024
CHUNK_SECONDS = 1.0
"""A chunk is written at this age even when it is small, so that progress shows."""


class LostClaim(Exception):
    """The export was cancelled, or another worker has taken it over: this one stops without a trace."""


class ChunkWriter:
    """Collects lines for one claim of an export. After each `flush` the row and the chunks agree."""

    def __init__(self, export: RecordExport) -> None:
        self.export = export
        self.spans = spans.from_json(export.spans)
        self._lines: list[bytes] = []
        self._bytes = 0
        self._flushed_at = time.monotonic()
        last = export.chunks.aggregate(last=Max("number"))["last"]
        self._number = 0 if last is None else last + 1

    def room_for(self, line: bytes, most_bytes: int) -> str:
        """Empty when one more line fits; otherwise the bound that it would break, in words."""
        if self.export.records_count >= self.export.limit:
            return f"{self.export.limit} records"
        if self.export.bytes_count + len(line) > most_bytes:
            return f"{most_bytes} bytes"
        return ""

    def add(self, record: Record, line: bytes) -> None:
        """Take one line; it is written at the latest by the next `flush`."""
        self._lines.append(line)
        self._bytes += len(line)
        self.export.records_count += 1
        self.export.bytes_count += len(line)
        self._move_to(record)

    def _move_to(self, record: Record) -> None:
        while self.spans[self.export.span_index].of != (of := _place(record)):
            self.export.span_index += 1
            if self.export.span_index == len(self.spans):
                raise LookupError(f"{of} was read, but no span that is left asks for it")
        self.export.next_offset = record.offset + 1

    def is_due(self) -> bool:
        """The chunk is full or old."""
        return self._bytes >= CHUNK_BYTES or time.monotonic() - self._flushed_at >= CHUNK_SECONDS

    def finish(self) -> None:
        """Everything that was asked has been read."""
        self.export.span_index, self.export.next_offset = len(self.spans), None
        self.flush()

    def next_places(self) -> list[list[str | int]]:
        """[topic, partition, offset] where reading stopped, for what is left of each span."""
        left = spans.rest_of(self.spans, self.export.span_index, self.export.next_offset)
        return [[span.of.topic, span.of.partition, span.start] for span in left]

    @transaction.atomic
    def flush(self) -> None:
        """Write what was collected and renew the lease; LostClaim when the export is no longer ours."""
        export = self.export
        mine = RecordExport.objects.filter(pk=export.pk, state=ExportState.READING, claim=export.claim)
        moved = mine.update(
            lease_until=timezone.now() + LEASE,
            tries=0,
            problem=None,
            span_index=export.span_index,
            next_offset=export.next_offset,
            offsets_read=self._offsets_read(),
            records_count=export.records_count,
            bytes_count=export.bytes_count,
        )
        if moved != 1:
            raise LostClaim
        if self._lines:
            packed = zlib.compress(b"".join(self._lines), 6)
            ExportChunk.objects.create(export=export, number=self._number, lines_count=len(self._lines), lines=packed)
            self._number += 1
        self._lines, self._bytes, self._flushed_at = [], 0, time.monotonic()

    def _offsets_read(self) -> int:
        left = spans.rest_of(self.spans, self.export.span_index, self.export.next_offset)
        return self.export.offsets_total - spans.offsets_in(left)


def _place(record: Record) -> TopicPartition:
    return TopicPartition(record.topic, record.partition)
