"""Walking the chain: is every event there, unchanged, in its order, and does the record reach as far as it once did?"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Max

from kafkaconsole.audit.anchors import Anchor
from kafkaconsole.audit.chain import mac_of, signature_of
from kafkaconsole.audit.models import AuditEvent, AuditHead, AuditSeal

PAGE = 1000
"""Events read at a time: memory stays the same however long the record is."""


class Broken(StrEnum):
    """How a record is broken at a number."""

    CHANGED = "changed"
    MISSING = "missing"
    REORDERED = "reordered"
    CUT_OFF = "cut_off"
    UNACCOUNTED = "unaccounted"
    SEAL_FORGED = "seal_forged"
    ANCHOR_FORGED = "anchor_forged"


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a walk: events checked, where the record ends, and, where it is broken, the first bad number and why.

    `checked` does not count events that were sealed and taken away; `sealed` is the last of those, 0 for none.
    """

    checked: int
    number: int | None = None
    why: Broken | None = None
    sealed: int = 0
    head_number: int = 0
    head_mac: str = ""

    @property
    def whole(self) -> bool:
        """Every event is there, unchanged, in its order."""
        return self.why is None


def verify(*, anchors: Iterable[Anchor] = (), progress: Callable[[int, int], None] | None = None) -> Verification:
    """Walk the chain to the head in pages; events appended meanwhile are left for the next time.

    `anchors`, kept where the database's owner cannot write, show the one thing that the chain alone cannot: the last
    events gone together with a head set back to match. `progress` is told (checked, total) after each page.
    """
    last = AuditEvent.objects.aggregate(last=Max("number"))["last"] or 0
    head = AuditHead.objects.filter(pk=1).first() or AuditHead()
    seal = AuditSeal.objects.first() or AuditSeal(number=0, mac="")
    walk = _Walk(seal, head, {anchor.number: anchor for anchor in anchors}, progress)
    bad = walk.forged() or walk.broken_event() or walk.broken_end(last) or walk.broken_anchor()
    number, why = bad or (None, None)
    return Verification(walk.checked, number, why, seal.number, head.number, head.mac)


class _Walk:
    """One pass from the newest seal to the head; each step gives (number, why) or None."""

    def __init__(
        self,
        seal: AuditSeal,
        head: AuditHead,
        anchors: dict[int, Anchor],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.seal, self.head, self.anchors, self.progress = seal, head, anchors, progress
        self.checked = 0
        self._mac = seal.mac

    @property
    def _at(self) -> int:
        return self.seal.number + self.checked

    def forged(self) -> tuple[int, Broken] | None:
        """A seal or an anchor that the console did not make."""
        for seal in AuditSeal.objects.order_by("number"):
            if not hmac.compare_digest(seal.signature, signature_of(seal)):
                return seal.number, Broken.SEAL_FORGED
        strange = min((anchor.number for anchor in self.anchors.values() if not anchor.is_ours), default=None)
        return None if strange is None else (strange, Broken.ANCHOR_FORGED)

    def broken_event(self) -> tuple[int, Broken] | None:
        """The first event that is not as it was, where it was."""
        for page in _pages(self.seal.number, self.head.number):
            for event in page:
                why = self._why(event)
                if why is not None:
                    return self._at + 1, why
                self.checked, self._mac = self.checked + 1, event.mac
            if self.progress is not None:
                self.progress(self.checked, self.head.number - self.seal.number)
        return None

    def _why(self, event: AuditEvent) -> Broken | None:
        if event.number != self._at + 1:
            return Broken.MISSING
        if not hmac.compare_digest(event.previous_mac, self._mac):
            return Broken.REORDERED
        if not hmac.compare_digest(event.mac, mac_of(event)):
            return Broken.CHANGED
        anchor = self.anchors.pop(event.number, None)
        return None if anchor is None or hmac.compare_digest(anchor.mac, event.mac) else Broken.CHANGED

    def broken_end(self, last: int) -> tuple[int, Broken] | None:
        """Fewer events than the head counts, or more."""
        if self._at < self.head.number or not hmac.compare_digest(self._mac, self.head.mac):
            return self._at + 1, Broken.CUT_OFF
        return (self.head.number + 1, Broken.UNACCOUNTED) if last > self.head.number else None

    def broken_anchor(self) -> tuple[int, Broken] | None:
        """An anchor beyond the head: the record once reached further. One that was sealed away is checked by its seal."""
        for anchor in sorted(self.anchors.values(), key=lambda one: one.number):
            if anchor.number > self.head.number:
                return self.head.number + 1, Broken.CUT_OFF
            if anchor.number == self.seal.number and not hmac.compare_digest(anchor.mac, self.seal.mac):
                return anchor.number, Broken.CHANGED
        return None


def _pages(after: int, until: int) -> Iterator[list[AuditEvent]]:
    """Pages by number, so that a long record needs no long transaction and little memory."""
    at = after
    while page := list(AuditEvent.objects.filter(number__gt=at, number__lte=until).order_by("number")[:PAGE]):
        yield page
        at = page[-1].number
