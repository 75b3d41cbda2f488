"""How fast the audit chain is walked, and how little memory it takes.

`python -m devtools.bench.audit [EVENTS]` (1,000,000 unless told) makes a database of its own, fills it through the
chain's own code, and walks it in a fresh process: events a second, beside the bare hashing of as many events in the
same run, and the most memory that the walk took more than a walk of a hundredth of the record.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from devtools.bench import console
from devtools.bench.memory import highest_mb

if TYPE_CHECKING:
    from kafkaconsole.audit.models import AuditEvent

EVENTS = 1_000_000
SLICE = 5000
MEMORY_MB = 32
"""What a walk over all may take more than a walk over a hundredth: nothing that grows with the record."""


def main(arguments: list[str]) -> int:
    """Print the figures; 1 if memory grew with the record or the chain is not whole."""
    if arguments[:1] == ["walk"]:
        return _walk(arguments[1])
    count = int(arguments[0]) if arguments else EVENTS
    with tempfile.TemporaryDirectory() as folder:
        url = console.sqlite(Path(folder))
        console.set_up(url)
        began = time.perf_counter()
        _fill(count // 100)
        few = _walked(url)
        _fill(count)
        print(f"filled with {count:,} events in {time.perf_counter() - began:.0f} s")
        many = _walked(url)
        bare = _bare(count)
    print(
        f"walk: {many.rate:,.0f} events a second, {bare / many.rate:.1f} times the time of bare hashing ({bare:,.0f})"
    )
    grown = many.memory_mb - few.memory_mb
    print(f"memory: {many.memory_mb:.0f} MB, {grown:+.0f} MB beside a walk over {few.events:,} (at most {MEMORY_MB})")
    return int(grown > MEMORY_MB or not (few.whole and many.whole))


class _Told:
    """What a walk in a process of its own said."""

    def __init__(self, line: str) -> None:
        events, seconds, memory, whole = line.split()
        self.events, self.rate = int(events), int(events) / float(seconds)
        self.memory_mb, self.whole = float(memory), whole == "True"


def _walked(url: str) -> _Told:
    ran = subprocess.run(
        [sys.executable, "-m", "devtools.bench.audit", "walk", url],
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=True,
    )
    return _Told(ran.stdout.splitlines()[-1])


def _walk(url: str) -> int:
    console.set_up(url)
    from kafkaconsole.audit import verifying

    began = time.perf_counter()
    found = verifying.verify(progress=_show)
    took = time.perf_counter() - began
    print(found.checked, took, highest_mb(), found.whole)
    return 0


def _show(checked: int, total: int) -> None:
    if checked % 250_000 == 0:
        print(f"{checked:,} of {total:,}", file=sys.stderr)


def _fill(until: int) -> None:
    """Append events until there are so many, in slices."""
    from django.db import transaction

    from kafkaconsole.audit.models import AuditEvent, AuditHead

    head, _ = AuditHead.objects.get_or_create(pk=1)
    while head.number < until:
        with transaction.atomic():
            made = list(_events(head, min(SLICE, until - head.number)))
            AuditEvent.objects.bulk_create(made)
            head.number, head.mac = made[-1].number, made[-1].mac
            head.save()


def _events(head: object, count: int) -> Iterator[AuditEvent]:
    from django.utils import timezone

    from kafkaconsole.audit.chain import mac_of
    from kafkaconsole.audit.models import AuditEvent

    number, mac, now = head.number, head.mac, timezone.now()  # type: ignore[attr-defined]  # an AuditHead
    for step in range(1, count + 1):
        event = AuditEvent(
            number=number + step,
            at=now + timedelta(microseconds=step),
            actor_name="Kafka Console",
            verb="reset.applied",
            target_kind="resetrequest",
            target_id=str(number + step),
            target_label="billing-invoices on demo",
            facts={"attempt": 1, "digest": "0" * 64, "partitions": 12},
            address="192.0.2.7",
            request_id="93afdaa2-33b2-41ab-b314-5d5c24f5e885",
            previous_mac=mac,
        )
        mac = event.mac = mac_of(event)
        yield event


def _bare(count: int) -> float:
    """Events a second when they are only hashed, one object over and over."""
    from kafkaconsole.audit.chain import mac_of
    from kafkaconsole.audit.models import AuditEvent

    event = AuditEvent.objects.get(number=1)
    turns = min(count, 100_000)
    began = time.perf_counter()
    for _ in range(turns):
        mac_of(event)
    return turns / (time.perf_counter() - began)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
