"""A group's samples on one topic, and a cursor that walks along them: plain Python, no I/O."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from kafkaconsole.history.lags import LogEnds, Totals, totals
from kafkaconsole.history.packing import ABSENT, WIDTH, numbers


class Bounds(NamedTuple):
    """A topic's packed bounds from `at` on."""

    at: datetime
    log_starts: bytes
    log_ends: bytes


@dataclass(frozen=True, slots=True)
class Track:
    """A group's samples on one topic, and the topic's own, both in time order.

    Of either, the last sample before the range may come first, so that what it says holds at the range's start.
    """

    topic: str
    committed: Sequence[tuple[datetime, bytes]]
    bounds: Sequence[Bounds]


@dataclass(slots=True)
class Cursor:
    """Walks along one track, instant by instant."""

    track: Track
    partition: int | None
    gap_ends: frozenset[datetime]
    _place: int = -1
    _bounds_place: int = -1
    offsets: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    unknown: set[tuple[str, int]] = field(default_factory=set)
    _totals: Totals | None = None
    _columns: dict[int, LogEnds] = field(default_factory=dict)

    def move_to(self, instant: datetime) -> None:
        """Take up what holds at the instant; instants only grow."""
        place, bounds_place = self._place, self._bounds_place
        samples, bounds = self.track.committed, self.track.bounds
        while self._place + 1 < len(samples) and samples[self._place + 1][0] <= instant:
            self._place += 1
        while self._bounds_place + 1 < len(bounds) and bounds[self._bounds_place + 1].at <= instant:
            self._bounds_place += 1
        if self._place != place:
            self.offsets = self._cut(numbers(samples[self._place][1]))
        if self._bounds_place != bounds_place:
            self.starts = self._cut(numbers(bounds[self._bounds_place].log_starts))
            self.ends = self._cut(numbers(bounds[self._bounds_place].log_ends))
        if (place, bounds_place) != (self._place, self._bounds_place):
            self._totals = totals(self.offsets, self.starts, self.ends)
            self._note_unknown()

    @property
    def has_begun(self) -> bool:
        """Is there anything known of the group on this topic yet?"""
        return self._place >= 0

    @property
    def totals(self) -> Totals:
        """The sums at this instant; nothing before the first sample."""
        return self._totals if self._totals and self.has_begun else Totals(0, 0, None, None, None)

    def without_commit(self) -> Iterator[tuple[str, int]]:
        """The partitions that have no commit now."""
        for place in range(max(len(self.offsets), len(self.ends))):
            if place >= len(self.offsets) or self.offsets[place] == ABSENT:
                yield self.track.topic, place if self.partition is None else self.partition

    def passed(self) -> Iterator[datetime | None]:
        """For every partition that is behind now: when its log end passed the committed offset."""
        for place, offset in enumerate(self.offsets):
            end = self.ends[place] if place < len(self.ends) else ABSENT
            if ABSENT not in (offset, end) and offset < end:
                yield self._log_ends(place if self.partition is None else self.partition).passed(offset)

    def _cut(self, offsets: tuple[int, ...]) -> tuple[int, ...]:
        if self.partition is None:
            return offsets
        return (offsets[self.partition],) if self.partition < len(offsets) else (ABSENT,)

    def _log_ends(self, partition: int) -> LogEnds:
        if partition not in self._columns:
            width = slice(WIDTH * partition, WIDTH * (partition + 1))
            cells = [bytes(one.log_ends[width]) for one in self.track.bounds]
            ends = [int.from_bytes(cell, "big") if cell else ABSENT for cell in cells]
            self._columns[partition] = LogEnds([one.at for one in self.track.bounds], ends, self.gap_ends)
        return self._columns[partition]

    def _note_unknown(self) -> None:
        if self._totals is None or self._totals.lag is not None or self._totals.partitions == 0:
            return
        for place, offset in enumerate(self.offsets):
            end = self.ends[place] if place < len(self.ends) else ABSENT
            if offset != ABSENT and (end == ABSENT or end < offset):
                self.unknown.add((self.track.topic, place if self.partition is None else self.partition))


def rewinds(track: Track, partition: int | None) -> Iterator[datetime]:
    """The samples at which an offset of the track is smaller than in the sample before."""
    before: tuple[int, ...] = ()
    for at, blob in track.committed:
        offsets = numbers(blob)
        pairs = list(zip(before, offsets, strict=False))
        if partition is not None:
            pairs = pairs[partition : partition + 1]
        if any(new < old != ABSENT for old, new in pairs):
            yield at
        before = offsets
