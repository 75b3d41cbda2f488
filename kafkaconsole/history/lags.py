"""Lag in records and in time, from packed readings: plain Python, no I/O.

Lag is log end - committed. It is None, never 0 and never negative, where either is unknown or where the committed
offset lies beyond the log end. A sum leaves out partitions without a commit (they have no lag) and is None when a
partition with a commit has none that is known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from kafkaconsole.history.packing import ABSENT


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the partitions with a commit; None where one of them is not known. `partitions`: how many there are."""

    partitions: int
    committed: int
    log_start: int | None
    log_end: int | None
    lag: int | None


def lag_of(committed: int | None, log_end: int | None) -> int | None:
    """The lag of one partition."""
    if committed is None or log_end is None or committed > log_end:
        return None
    return log_end - committed


def totals(committed: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> Totals:
    """Sums of stored numbers (`packing.numbers`, ABSENT included) by partition; bounds may cover fewer or more partitions."""
    having = [partition for partition, offset in enumerate(committed) if offset != ABSENT]
    offsets = [committed[partition] for partition in having]
    theirs = _known(ends, having)
    behind = [end - offset for end, offset in zip(theirs, offsets, strict=True)] if theirs is not None else None
    known_starts = _known(starts, having)
    return Totals(
        partitions=len(having),
        committed=sum(offsets),
        log_start=None if known_starts is None else sum(known_starts),
        log_end=None if theirs is None else sum(theirs),
        lag=None if behind is None or any(lag < 0 for lag in behind) else sum(behind),
    )


def _known(bounds: Sequence[int], having: list[int]) -> list[int] | None:
    if having and having[-1] >= len(bounds):
        return None
    theirs = [bounds[partition] for partition in having]
    return None if ABSENT in theirs else theirs


class LogEnds:
    """When one partition's log end passed an offset, from our own readings of it.

    The answer is the first reading that showed the log end beyond the offset: the record came at most one reading
    earlier. It is None when that was before the first reading, or while nothing was measured (`gap_ends`).
    """

    def __init__(self, instants: Sequence[datetime], ends: Sequence[int], gap_ends: Collection[datetime] = ()) -> None:
        known = [(at, end) for at, end in zip(instants, ends, strict=True) if end != ABSENT]
        self._instants = [at for at, _ in known]
        self._ends = [end for _, end in known]
        self._gap_ends = gap_ends
        # A log end that went back (an unclean election) makes "when" ambiguous: then nothing is said.
        self._ordered = all(a <= b for a, b in zip(self._ends, self._ends[1:], strict=False))

    def passed(self, offset: int) -> datetime | None:
        """The first reading at which the log end was greater than `offset`."""
        place = bisect_right(self._ends, offset) if self._ordered else 0
        if not 0 < place < len(self._ends) or self._instants[place] in self._gap_ends:
            return None
        return self._instants[place]
