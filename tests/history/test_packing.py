"""Blobs of offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkaconsole.history import packing
from kafkaconsole.kafka.values import MAX_OFFSET

offsets = st.lists(st.one_of(st.none(), st.integers(0, MAX_OFFSET)))


@given(offsets)
def test_what_is_packed_is_unpacked(held: list[int | None]) -> None:
    assert packing.unpack(packing.pack(held)) == held


def test_eight_bytes_big_endian_by_partition_number() -> None:
    assert packing.pack([1, None]) == bytes.fromhex("0000000000000001ffffffffffffffff")


@pytest.mark.parametrize("number", [-1, -2, -1001, 2**63])
def test_no_sentinel_is_ever_stored(number: int) -> None:
    with pytest.raises(ValueError, match="no offset"):
        packing.pack([number])


def test_one_content_has_one_blob() -> None:
    assert packing.pack_by_partition({2: 7}) == packing.pack([None, None, 7])
    assert packing.pack_by_partition({}) == b""


def test_a_partition_that_was_not_there_yet_is_absent() -> None:
    assert packing.at(packing.unpack(packing.pack([5])), 3) is None
