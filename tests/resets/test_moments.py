"""Moments as people paste them: what they are read as, and when they are asked back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kafkaconsole.resets.forms import moments
from kafkaconsole.resets.forms.zones import AS_WRITTEN

NINE_UTC = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at", "how"),
    [
        ("2026-12-01T09:00:00Z", NINE_UTC, "by its own offset"),
        ("2026-12-01 18:00:00 +0900", NINE_UTC, "by its own offset"),
        ("2026-12-01T18:00", NINE_UTC, "a wall clock in Asia/Seoul"),
        ("  2026-12-01 18:00:00 ", NINE_UTC, "a wall clock in Asia/Seoul"),
        (str(int(NINE_UTC.timestamp())), NINE_UTC, "epoch seconds"),
        (str(int(NINE_UTC.timestamp()) * 1000 + 250), NINE_UTC.replace(microsecond=250_000), "epoch milliseconds"),
    ],
)
def test_what_people_paste_is_recognised_and_said(text: str, at: datetime, how: str) -> None:
    moment = moments.read(text, "Asia/Seoul")
    assert moment.at == at
    assert moment.said == f"Read as {moments._utc(at)}: {how}."
    assert moment.error == ""


def test_a_zone_beside_a_moment_with_its_own_offset_does_not_count() -> None:
    moment = moments.read("2026-12-01T09:00:00Z", "Asia/Seoul")
    assert (moment.text, moment.zone) == ("2026-12-01T09:00:00Z", None)


def test_nothing_typed_is_no_moment_and_no_error() -> None:
    assert moments.read("  ", "UTC") == moments.Moment()


@pytest.mark.parametrize("text", ["31.12.2026", "yesterday", "12345", "2026-13-01 00:00", "2026-12-01"])
def test_what_cannot_be_read_says_what_was_found_and_expected(text: str) -> None:
    moment = moments.read(text, "UTC")
    assert moment.at is None
    assert moment.said == ""
    assert f"Found '{text}'; expected" in moment.error


def test_a_wall_clock_without_a_zone_asks_for_one() -> None:
    assert "choose its time zone" in moments.read("2026-12-01 09:00", AS_WRITTEN).error


def test_a_doubled_hour_is_asked_back_with_both_moments() -> None:
    moment = moments.read("2026-10-25 02:30", "Europe/Berlin")
    assert "put back here" in moment.error
    assert [one.text for one in moment.choices] == ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"]
    assert moment.choices[0].words == "2026-10-25 02:30:00+02:00 (2026-10-25 00:30:00 UTC)"


def test_a_skipped_hour_is_asked_back_with_both_moments() -> None:
    moment = moments.read("2026-03-29T02:30", "Europe/Berlin")
    assert "never show 2026-03-29 02:30" in moment.error
    assert [one.at.hour for one in moment.choices] == [0, 1]


def test_the_answer_settles_what_was_asked_back() -> None:
    moment = moments.read("2026-10-25 02:30", "Europe/Berlin", "2026-10-25T02:30:00+01:00")
    assert moment.at == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert (moment.text, moment.zone, moment.error) == ("2026-10-25T02:30:00+01:00", None, "")


def test_an_answer_to_another_question_does_not_count() -> None:
    moment = moments.read("2026-10-25 02:30", "Europe/Berlin", "2026-10-26T02:30:00+01:00")
    assert moment.at is None
    assert moment.choices
    plain = moments.read("2026-12-01 09:00", "UTC", "2026-10-25T02:30:00+01:00")
    assert plain.at == NINE_UTC
