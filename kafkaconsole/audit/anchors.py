"""Anchors: the head of the record as it was at an instant, signed, and kept where the database's owner cannot reach.

A record cut off at its end together with its head still hangs together; an anchor taken before shows the cut.
"""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from kafkaconsole.audit.chain import instant, keyed
from kafkaconsole.audit.errors import AnchorUnreadable
from kafkaconsole.audit.models import AuditHead

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Anchor:
    """At `at` the record ended with event `number`, whose mac was `mac`; `signature` is keyed with AUDIT_KEY."""

    number: int
    mac: str
    at: str
    signature: str

    @property
    def is_ours(self) -> bool:
        """Whether it was signed with this installation's key."""
        return hmac.compare_digest(self.signature, _signature(self.number, self.mac, self.at))

    def line(self) -> str:
        """As one line of JSON."""
        form = {"number": self.number, "mac": self.mac, "at": self.at, "signature": self.signature}
        return json.dumps(form, sort_keys=True) + "\n"


def take() -> Anchor | None:
    """An anchor of the record as it is now; None while nothing is recorded."""
    head = AuditHead.objects.filter(pk=1).first()
    if head is None or not head.number:
        return None
    at = instant(timezone.now())
    return Anchor(head.number, head.mac, at, _signature(head.number, head.mac, at))


def keep(anchor: Anchor, *, file: Path | None) -> None:
    """Write it to the log, which is shipped elsewhere, and add it to `file` when one is set."""
    logger.info("The audit record reaches here", extra={"number": anchor.number, "mac": anchor.mac})
    if file is not None:
        with file.open("a", encoding="ascii") as out:
            out.write(anchor.line())


def read(lines: Iterable[str]) -> Iterator[Anchor]:
    """Anchors from the lines of a file; blank lines are passed over. Raises AnchorUnreadable with the line's number."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read(line, number)


def _read(line: str, number: int) -> Anchor:
    try:
        form = json.loads(line)
        anchor = Anchor(form["number"], form["mac"], form["at"], form["signature"])
    except (ValueError, TypeError, KeyError) as error:
        raise AnchorUnreadable(line=number) from error
    texts = (anchor.mac, anchor.at, anchor.signature)
    if type(anchor.number) is not int or not all(isinstance(text, str) and text.isascii() for text in texts):
        raise AnchorUnreadable(line=number)
    return anchor


def _signature(number: int, mac: str, at: str) -> str:
    return keyed({"anchor": number, "mac": mac, "at": at})
