"""The record as files: CSV for tables, JSON Lines with what is needed to check the chain elsewhere."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO

from django.db.models import QuerySet

from kafkaconsole.audit.chain import form_of
from kafkaconsole.audit.models import AuditEvent

CHUNK = 500
HEADER = (
    *("number", "at", "actor", "actor_name", "verb", "target_kind", "target_id", "target_label", "facts"),
    *("address", "request_id", "mac"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would run a cell that begins so; in the CSV such a cell gets an apostrophe before it."""


def csv_lines(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """Lines of a table, the header first."""
    yield _line(HEADER)
    for event in events.iterator(chunk_size=CHUNK):
        facts = json.dumps(event.facts, ensure_ascii=False, sort_keys=True)
        actor = event.actor.username if event.actor else ""
        told = (
            *(actor, event.actor_name, event.verb, event.target_kind, event.target_id, event.target_label, facts),
            *(event.address, event.request_id),
        )
        yield _line((event.number, event.at.isoformat(timespec="microseconds"), *map(_safe, told), event.mac))


def json_lines(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """One event a line, exactly as it is chained (`audit.chain.form_of`), with both macs."""
    for event in events.iterator(chunk_size=CHUNK):
        yield json.dumps({**form_of(event), "mac": event.mac}, ensure_ascii=False, sort_keys=True) + "\n"


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _line(cells: tuple[object, ...]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
