"""Offsets of a topic's partitions in one blob: 8 bytes each, big-endian, by partition number.

"Absent" (no commit, or a bound that nobody could tell) is stored as all ones and is None everywhere else. No offset is
ever stored as that: Kafka's largest is 2^63 - 1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping

from kafkaconsole.kafka.values import MAX_OFFSET

WIDTH = 8
ABSENT = 2**64 - 1


def pack(offsets: Iterable[int | None]) -> bytes:
    """One blob of the offsets in the order of their partitions; ValueError for a number that is no offset."""
    numbers = [ABSENT if offset is None else offset for offset in offsets]
    for number in numbers:
        if number != ABSENT and not 0 <= number <= MAX_OFFSET:
            raise ValueError(f"{number} is no offset")
    return struct.pack(f">{len(numbers)}Q", *numbers)


def pack_by_partition(offsets: Mapping[int, int]) -> bytes:
    """The same from a mapping, up to the last partition that it names; those that it does not name are absent.

    One content has one blob, so that blobs are compared to see a change. Nothing committed is the empty blob.
    """
    return pack(offsets.get(partition) for partition in range(max(offsets, default=-1) + 1))


def unpack(blob: bytes | memoryview) -> list[int | None]:
    """The offsets by partition number, None where absent."""
    return [None if number == ABSENT else number for number in numbers(blob)]


def numbers(blob: bytes | memoryview) -> tuple[int, ...]:
    """The stored numbers themselves, ABSENT included: for sums over many samples."""
    return struct.unpack(f">{len(blob) // WIDTH}Q", blob)


def at(offsets: list[int | None], partition: int) -> int | None:
    """One partition's offset; None also for a partition that did not exist yet when the blob was packed."""
    return offsets[partition] if partition < len(offsets) else None
