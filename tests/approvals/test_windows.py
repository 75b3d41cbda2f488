"""Weekly windows in a zone and freezes of the calendar: when it is open, and when it opens next."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from kafkaconsole.approvals.windows import Closed, Freeze, Window, closed, read_freeze, read_window


def window(line: str) -> Window:
    found = read_window(line)
    assert found is not None
    return found


def freeze(line: str) -> Freeze:
    found = read_freeze(line)
    assert found is not None
    return found


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


OFFICE = [window("mon-fri 09:00-17:00")]
YEARS_END = [freeze("2026-12-24 00:00 to 2027-01-04 00:00 year's end")]


@pytest.mark.parametrize(
    ("line", "days", "start", "end"),
    [
        ("mon-fri 09:00-17:00", {0, 1, 2, 3, 4}, 540, 1020),
        ("SAT,sun 10:00-24:00", {5, 6}, 600, 1440),
        ("fri-mon 00:00-00:30", {4, 5, 6, 0}, 0, 30),
        ("wed 12:00-12:01", {2}, 720, 721),
    ],
)
def test_a_window_is_read(line: str, days: set[int], start: int, end: int) -> None:
    assert read_window(line) == Window(frozenset(days), start, end)


@pytest.mark.parametrize(
    "line",
    ["", "mon", "mon 9:00-17:00", "mon 17:00-09:00", "mon 09:00-09:00", "mon 09:60-10:00", "mon 09:00-24:01", "xyz 09:00-10:00",
     "mon- 09:00-10:00", "mon,, 09:00-10:00"],
)  # fmt: skip
def test_what_is_no_window_is_refused(line: str) -> None:
    assert read_window(line) is None


@pytest.mark.parametrize(
    "line",
    ["", "2026-12-24 to 2026-12-25", "2026-12-24 00:00 to 2026-12-24 00:00", "2026-13-24 00:00 to 2027-01-01 00:00"],
)
def test_what_is_no_freeze_is_refused(line: str) -> None:
    assert read_freeze(line) is None


def test_without_windows_and_freezes_it_is_always_open() -> None:
    assert closed([], [], "UTC", at("2026-12-02 03:00")) is None


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        ("2026-12-02 09:00", None),  # a Wednesday
        ("2026-12-02 16:59", None),
        ("2026-12-02 08:59", "2026-12-02 09:00"),
        ("2026-12-02 17:00", "2026-12-03 09:00"),
        ("2026-12-04 17:00", "2026-12-07 09:00"),
        ("2026-12-05 12:00", "2026-12-07 09:00"),
    ],
)
def test_a_weekly_window_opens_and_closes(now: str, opens: str | None) -> None:
    assert closed(OFFICE, [], "UTC", at(now)) == (None if opens is None else Closed(at(opens), ""))


def test_a_window_is_read_in_its_zone() -> None:
    assert closed(OFFICE, [], "Asia/Seoul", at("2026-12-02 00:00")) is None
    assert closed(OFFICE, [], "Asia/Seoul", at("2026-12-02 08:00")) == Closed(at("2026-12-03 00:00"), "")


def test_a_clock_change_moves_the_window_with_the_clock() -> None:
    """Summer time ends in Berlin on 25 October 2026: 09:00 is 07:00 UTC before and 08:00 UTC after."""
    assert closed(OFFICE, [], "Europe/Berlin", at("2026-10-23 15:00")) == Closed(at("2026-10-26 08:00"), "")
    assert closed(OFFICE, [], "Europe/Berlin", at("2026-10-23 07:00")) is None


def test_a_window_in_the_hour_that_a_clock_change_skips_opens_after_it() -> None:
    night = [window("sun 02:15-02:45")]
    found = closed(night, [], "Europe/Berlin", at("2026-03-28 12:00"))
    assert found is not None and found.opens_at is not None
    assert closed(night, [], "Europe/Berlin", found.opens_at) is None


def test_a_freeze_closes_and_says_why_and_it_opens_with_the_next_window() -> None:
    assert closed(OFFICE, YEARS_END, "UTC", at("2026-12-28 10:00")) == Closed(at("2027-01-04 09:00"), "year's end")
    assert closed([], YEARS_END, "UTC", at("2026-12-28 10:00")) == Closed(at("2027-01-04 00:00"), "year's end")
    assert closed(OFFICE, YEARS_END, "UTC", at("2027-01-04 09:00")) is None


def test_freezes_that_follow_each_other_are_one() -> None:
    more = [*YEARS_END, freeze("2027-01-03 00:00 to 2027-01-11 00:00")]
    assert closed([], more, "UTC", at("2026-12-28 10:00")) == Closed(at("2027-01-11 00:00"), "year's end")


def test_when_it_opens_it_is_open_and_not_before() -> None:
    """Over random windows, zones and moments: minute by minute until it opens, it is closed."""
    draw = random.Random(13)
    for _ in range(60):
        start = draw.randrange(0, 1380)
        windows = [Window(frozenset(draw.sample(range(7), draw.randint(1, 3))), start, start + draw.randint(1, 59))]
        zone = draw.choice(["UTC", "Asia/Seoul", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"])
        now = at("2026-03-20 00:00") + timedelta(minutes=draw.randrange(0, 30 * 1440))
        found = closed(windows, [], zone, now)
        if found is None:
            continue
        assert found.opens_at is not None and closed(windows, [], zone, found.opens_at) is None
        for _step in range(40):
            between = now + (found.opens_at - now) * draw.random()
            assert between >= found.opens_at or closed(windows, [], zone, between) is not None
