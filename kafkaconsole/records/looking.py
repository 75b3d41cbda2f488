"""Reads the records of a look in a worker: a few around one offset, cut to a bounded size. Joins no group, commits nothing."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Generator
from contextlib import closing
from datetime import timedelta
from itertools import islice

from django.db.models import F, Q
from django.utils import timezone

from kafkaconsole.errors import Refused, Unavailable
from kafkaconsole.kafka.port import ConnectRecords, RecordReader
from kafkaconsole.kafka.values import MAX_OFFSET, Offset, Record, RecordSpan, TopicPartition
from kafkaconsole.problems import problem_of
from kafkaconsole.records.lines import instant_as_text
from kafkaconsole.records.look_models import LookState, RecordLook

READ_LIMIT = timedelta(seconds=15)
LEASE = timedelta(seconds=40)
MOST_TRIES = 3
WIDE = 2000
"""Where records are few among many offsets (compaction, transactions), the search goes so far on either side."""

VALUE_BYTES = 16 * 1024
KEY_BYTES = 1024
HEADERS = 20
HEADER_BYTES = 256


def look(*, look_id: int, connect_records: ConnectRecords) -> None:
    """Read one look's records; a look that another worker has, or that has ended, is left alone."""
    now = timezone.now()
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=now)
    waiting = RecordLook.objects.filter(pk=look_id, state=LookState.WAITING)
    if not waiting.filter(free).update(lease_until=now + LEASE, tries=F("tries") + 1):
        return
    row = RecordLook.objects.get(pk=look_id)
    try:
        with connect_records(row.cluster_id) as reader:
            read_from, found = around(reader, row)
    except (Refused, Unavailable) as error:
        if isinstance(error, Refused) or row.tries >= MOST_TRIES:
            waiting.update(state=LookState.FAILED, problem=problem_of(error), ended_at=timezone.now())
        else:
            waiting.update(problem=problem_of(error), lease_until=timezone.now())
        return
    waiting.update(
        state=LookState.READY,
        problem=None,
        ended_at=timezone.now(),
        read_from=read_from,
        records_count=len(found),
        records=packed(found),
    )


def around(reader: RecordReader, row: RecordLook) -> tuple[int, list[Record]]:
    """The records of a look in offset order, and the lowest offset from which on none was left out."""
    of = TopicPartition(row.topic, row.partition)
    read_from = max(0, row.offset - row.before)
    below = list(_read(reader, of, read_from, row.offset))
    if len(below) < row.before and read_from > 0:
        wider = max(0, row.offset - WIDE)
        below = [*_read(reader, of, wider, read_from), *below]
        read_from = wider
    if len(below) > row.before:
        below = below[len(below) - row.before :]
        read_from = below[0].offset if below else row.offset
    with closing(_read(reader, of, row.offset, min(row.offset + WIDE, MAX_OFFSET))) as following:
        above = list(islice(following, row.after))
    return read_from, [*below, *above]


def _read(reader: RecordReader, of: TopicPartition, start: int, stop: int) -> Generator[Record, None, None]:
    if start < stop:
        yield from reader.read([RecordSpan(of, Offset(start), Offset(stop))], time_limit=READ_LIMIT)


def packed(records: list[Record]) -> bytes:
    """The records as they are kept: JSON, contents cut and in base64 with their whole size beside, compressed."""
    return zlib.compress(json.dumps([_as_json(one) for one in records]).encode(), 6)


def _as_json(record: Record) -> dict[str, object]:
    return {
        "offset": record.offset,
        "at": instant_as_text(record.at),
        "timestamp_type": record.timestamp_type,
        "key": _cut(record.key, KEY_BYTES),
        "value": _cut(record.value, VALUE_BYTES),
        "headers": [[name, _cut(value, HEADER_BYTES)] for name, value in record.headers[:HEADERS]],
        "headers_count": len(record.headers),
    }


def _cut(content: bytes | None, most: int) -> list[object] | None:
    """[first bytes in base64, size of the whole]; None is Kafka's null."""
    if content is None:
        return None
    return [base64.b64encode(content[:most]).decode("ascii"), len(content)]
