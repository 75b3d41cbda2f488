"""The offset ruler in letters, for mails: where a group stands, where it will stand, and the stretch between."""

from __future__ import annotations

from kafkaconsole.display.ruler import Direction, Ruler, Spanned, measure

WIDTH = 40
LOG, NOW, STRETCH = "·", "●", "━"
BACK, AHEAD, TARGET = "◀", "▶", "◆"


def bar(line: Spanned) -> str:
    """One ruler as a line of text between two bars, which are the ends of the log; empty where they are not known."""
    target = getattr(line, "target", None)
    action = str(getattr(line, "action", "") or "")
    ruler = measure(line.log_start, line.log_end, line.committed, target, action=action)
    return f"|{_cells(ruler)}|" if ruler.bounds_known else ""


def _cells(ruler: Ruler) -> str:
    cells = [LOG] * WIDTH
    now, target = _cell(ruler.now), _cell(ruler.target)
    if ruler.stretch and now is not None and target is not None:
        now, target = _apart(now, target, ruler.stretch.direction)
        for at in range(min(now, target) + 1, max(now, target)):
            cells[at] = STRETCH
    if now is not None:
        cells[now] = NOW
    if target is not None and target != now:
        cells[target] = TARGET if now is None else BACK if target < now else AHEAD
    return "".join(cells)


def _apart(now: int, target: int, direction: Direction) -> tuple[int, int]:
    """Two marks that move are two marks, however little they move, on their true sides of each other."""
    if now != target:
        return now, target
    if direction is Direction.REPLAY:
        return max(now, 1), max(now, 1) - 1
    return min(now, WIDTH - 2), min(now, WIDTH - 2) + 1


def _cell(percent: float | None) -> int | None:
    """The letter's place for a position in percent of the picture's width."""
    return None if percent is None else min(WIDTH - 1, int(percent / 100 * WIDTH))
