"""The ruler in letters: as wide everywhere, its marks in their true order, and silent where nothing is known."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkaconsole.notifications.bars import AHEAD, BACK, NOW, STRETCH, TARGET, WIDTH, bar


@dataclass(frozen=True)
class Line:
    """What a ruler is drawn of."""

    log_start: int | None
    log_end: int | None
    committed: int | None
    target: int | None
    action: str = "set"


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        (Line(0, 100, 100, 0), "|··◀━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━●·|"),
        (Line(0, 100, 0, 100), "|··●━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶·|"),
        (Line(0, 100, 50, 50), "|····················●···················|"),
        (Line(0, 10**6, 5, 6), "|··●▶····································|"),
        (Line(0, 10**6, 6, 5), "|·◀●·····································|"),
        (Line(0, 100, None, 0), "|··◆·····································|"),
        (Line(None, 100, 50, 0), ""),
        (Line(0, None, 50, 0), ""),
    ],
)
def test_a_line_is_drawn_so(line: Line, drawn: str) -> None:
    assert bar(line) == drawn


offsets = st.integers(0, 2**63 - 1)


@given(st.tuples(offsets, offsets).map(sorted), offsets, offsets)
def test_marks_stand_in_their_true_order_whatever_the_numbers(bounds: list[int], committed: int, target: int) -> None:
    start, end = bounds
    drawn = bar(Line(start, end, min(max(committed, start), end), min(max(target, start), end)))
    assert len(drawn) == WIDTH + 2
    now, will = min(max(committed, start), end), min(max(target, start), end)
    assert drawn.count(NOW) == 1
    assert TARGET not in drawn
    if will < now:
        assert drawn.index(BACK) < drawn.index(NOW)
    elif will > now:
        assert drawn.index(NOW) < drawn.index(AHEAD)
    else:
        assert not {BACK, AHEAD, STRETCH} & set(drawn)
