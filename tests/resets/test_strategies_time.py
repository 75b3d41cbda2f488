"""Moments and durations: what people write, what it means, and what a broker's "none" is worth."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from kafkaconsole.kafka.values import TimedOffset
from kafkaconsole.resets import instants
from kafkaconsole.resets.errors import BadChange, BadInstant
from kafkaconsole.resets.plans import Action, Why
from tests.resets.making import NOW, a_change, a_partition, a_plan, at, codes, only_line, timed

NINE_IN_SEOUL = datetime(2026, 12, 1, 0, 0, tzinfo=UTC)


def moment(text: str, zone: str | None = None) -> datetime:
    """What a text means."""
    return instants.parse_instant(text, zone).at


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("2026-12-01T09:00:00+09:00", None),
        ("2026-12-01T09:00:00.000+09:00", None),
        ("2026-12-01 09:00:00 +0900", None),
        ("2026-12-01T09:00+09", None),
        ("2026-12-01T00:00:00Z", None),
        ("2026-12-01T00:00:00.000000Z", None),
        ("2026-12-01T09:00", "Asia/Seoul"),
        ("2026-12-01 09:00:00", "Asia/Seoul"),
        ("2026-12-01T05:45", "Asia/Kathmandu"),
        ("2026-12-01T09:00:00+09:00", "Asia/Seoul"),
        ("1796083200", None),
        ("1796083200000", None),
        ("  1796083200000\n", "Asia/Seoul"),
    ],
)
def test_the_forms_people_paste_mean_the_same_moment(text: str, zone: str | None) -> None:
    assert moment(text, zone) == NINE_IN_SEOUL


@pytest.mark.parametrize(
    "text", ["2026-12-01T18:00+18:00", "2026-11-30T06:00-18:00", "2026-12-01T09:59+09:59", "2026-11-30T14:01-09:59"]
)
def test_an_offset_may_be_of_eighteen_hours_and_of_59_minutes(text: str) -> None:
    assert moment(text) == NINE_IN_SEOUL


def test_every_moment_is_told_in_utc_whatever_zone_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Seoul")
    time.tzset()
    try:
        for text, zone in (("2026-12-01T09:00:00.25+09:00", None), ("2026-12-01T09:00:00.25", "Asia/Seoul")):
            assert moment(text, zone).tzinfo is UTC
            assert instants.utc_text(moment(text, zone)) == "2026-12-01T00:00:00.250Z"
        assert instants.utc_text(NINE_IN_SEOUL) == "2026-12-01T00:00:00Z"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_fraction_is_a_fraction_of_a_second() -> None:
    assert moment("2026-12-01T00:00:00.6Z") - NINE_IN_SEOUL == timedelta(milliseconds=600)
    assert moment("2026-12-01T00:00:00.025Z") - NINE_IN_SEOUL == timedelta(milliseconds=25)


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-01", "09:00", "now", "yesterday", "10/11/2026 09:00", "2026-12-1T9:00", "2026-02-30T00:00",
        "2026-12-01T24:00", "2026-12-01T23:59:60", "2026-12-01T09:00:00Zjunk", "2026-12-01t09:00:00z", "26-12-01T09:00:00",
        "2026-12-01T09:00:00.0001Z", "2026-12-01T09:00:00+8", "2026-12-01T09:00:00+19:00", "2026-12-01T09:00:00+09:60",
        "17960832", "17960832000", "1796083200000000", "-1", "1e12", "", "２０２６-12-01T09:00:00Z",
    ],
)  # fmt: skip
def test_what_is_not_certain_is_not_guessed(text: str) -> None:
    with pytest.raises(instants.Unreadable) as caught:
        moment(text, "UTC")
    assert caught.value.about == "datetime"


@pytest.mark.parametrize("text", ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.998Z", "0024-01-02T03:04:05.678Z"])
def test_times_before_1970_are_refused_as_such(text: str) -> None:
    with pytest.raises(instants.Unreadable, match="1970"):
        moment(text)
    assert moment("1970-01-01T00:00:00Z") == instants.EPOCH


def test_a_moment_beyond_the_calendar_is_refused() -> None:
    for text in ("0001-01-01T00:00:00+09:00", "9999-12-31T23:59:59-09:00"):
        with pytest.raises(instants.Unreadable):
            moment(text)


def test_a_wall_clock_needs_a_zone_that_exists() -> None:
    for zone in (None, "Mars/Olympus", "../etc/passwd", "KST", "asia/seoul"):
        with pytest.raises(instants.Unreadable) as caught:
            moment("2026-12-01T09:00", zone)
        assert caught.value.about == "timezone"


def test_a_zone_that_contradicts_the_offset_is_refused() -> None:
    with pytest.raises(instants.Unreadable, match="Europe/Berlin it is then \\+0100") as caught:
        moment("2026-12-01T09:00:00+09:00", "Europe/Berlin")
    assert caught.value.about == "timezone"


def test_an_hour_that_the_clock_skips_is_asked_back_with_both_neighbours() -> None:
    with pytest.raises(instants.Unreadable) as caught:
        moment("2026-03-29T02:30", "Europe/Berlin")
    assert "skips" in caught.value.expected
    assert "2026-03-29T01:30:00+01:00 or 2026-03-29T03:30:00+02:00" in caught.value.expected


def test_an_hour_that_the_clock_shows_twice_is_asked_back_with_both_candidates() -> None:
    with pytest.raises(instants.Unreadable) as caught:
        moment("2026-10-25T02:30", "Europe/Berlin")
    assert "twice" in caught.value.expected
    assert "2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00" in caught.value.expected
    assert moment("2026-10-25T02:30:00+01:00", "Europe/Berlin") == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "length", "canonical"),
    [
        ("PT1H30M", timedelta(hours=1, minutes=30), "PT1H30M"),
        ("pt1h", timedelta(hours=1), "PT1H"),
        ("P2D", timedelta(days=2), "P2D"),
        ("PT36H", timedelta(hours=36), "P1DT12H"),
        ("P1DT2H3M4.5S", timedelta(days=1, hours=2, minutes=3, seconds=4.5), "P1DT2H3M4.5S"),
        ("PT0.001S", timedelta(milliseconds=1), "PT0.001S"),
        ("PT0S", timedelta(), "PT0S"),
        ("PT90S", timedelta(seconds=90), "PT1M30S"),
        ("\tPT1H ", timedelta(hours=1), "PT1H"),
        ("PT0.0010S", timedelta(milliseconds=1), "PT0.001S"),
        ("PT20.02S", timedelta(seconds=20, milliseconds=20), "PT20.02S"),
    ],
)
def test_durations_are_read_and_have_one_canonical_form(text: str, length: timedelta, canonical: str) -> None:
    assert instants.parse_duration(text) == length
    assert instants.duration_text(length) == canonical
    assert instants.parse_duration(canonical) == length


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("P1M", "no fixed length"), ("P1Y", "no fixed length"), ("P1W", "no fixed length"), ("-PT1H", "negative"),
        ("PT-1H", "negative"), ("PT", "PT1H30M"), ("P", "PT1H30M"), ("P1DT", "PT1H30M"), ("1H", "PT1H30M"),
        ("PT1.5H", "PT1H30M"), ("90", "PT1H30M"), ("two hours", "PT1H30M"), ("PT0.0001S", "milliseconds"),
        ("PT١H", "PT1H30M"), ("P999999999D", ""), ("PT1H1H", "PT1H30M"), ("PT1M1H", "PT1H30M"),
    ],
)  # fmt: skip
def test_other_durations_are_refused_with_the_reason(text: str, hint: str) -> None:
    if text == "P999999999D":
        with pytest.raises(BadInstant):
            a_change("by_duration", strategy={"duration": text}).strategy.instant(NOW)
        return
    with pytest.raises(instants.Unreadable) as caught:
        instants.parse_duration(text)
    assert hint in caught.value.expected


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(hours=26, minutes=30), "1 day 2 hours 30 minutes"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(milliseconds=1500), "1.5 seconds"),
        (timedelta(), "0 seconds"),
        (timedelta(days=2, hours=1, minutes=1, seconds=10), "2 days 1 hour 1 minute 10 seconds"),
        (timedelta(hours=2, seconds=100), "2 hours 1 minute 40 seconds"),
        (timedelta(seconds=20, milliseconds=20), "20.02 seconds"),
    ],
)
def test_a_duration_is_told_in_words(length: timedelta, words: str) -> None:
    assert instants.duration_words(length) == words


def test_a_duration_counts_back_from_when_the_facts_were_measured() -> None:
    strategy = a_change("by_duration", strategy={"duration": "P1DT1H"}).strategy
    assert strategy.instant(NOW) == datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    assert strategy.instant(NOW + timedelta(microseconds=999)) == strategy.instant(NOW)
    assert strategy.option() == "--by-duration P1DT1H"


def test_a_duration_that_reaches_before_1970_is_refused() -> None:
    with pytest.raises(BadInstant) as caught:
        a_change("by_duration", strategy={"duration": "P36500D"}).strategy.instant(NOW)
    assert caught.value.facts["field"] == "strategy.duration"


def test_the_tools_option_has_its_milliseconds_in_utc() -> None:
    strategy = a_change("to_datetime", strategy={"datetime": "2026-12-01T09:00:00.005+09:00"}).strategy
    assert strategy.option() == "--to-datetime 2026-12-01T00:00:00.005"


def test_a_bad_moment_names_its_field() -> None:
    for strategy, path in (
        ({"datetime": "soon", "timezone": "UTC"}, "strategy.datetime"),
        ({"datetime": "2026-12-01T09:00"}, "strategy.timezone"),
        ({"datetime": 1796083200}, "strategy.datetime"),
        ({"datetime": "2026-12-01T09:00", "timezone": 9}, "strategy.timezone"),
    ):
        with pytest.raises(BadChange) as caught:
            a_change("to_datetime", strategy=strategy)
        assert caught.value.problems[0].field == path


MOMENT = a_change("to_datetime", strategy={"datetime": "1970-01-01T00:00:02.500Z"})


def test_the_brokers_answer_is_the_target_and_its_time_is_told() -> None:
    line = only_line(MOMENT, a_partition(found_at=timed(60, 2600)))
    assert (line.wanted, line.target, line.skipped, line.record_at) == (60, 60, 20, at(2600))


@pytest.mark.parametrize(
    ("newest", "start", "end", "why"),
    [
        (timed(99, 2499), 10, 100, Why.NO_RECORD_AFTER),  # the newest is older: the log end is right
        (timed(99, 2500), 10, 100, Why.NO_RECORD_AFTER_UNCERTAIN),  # a match exists, the search missed it
        (timed(9, 9000), 10, 100, Why.NO_RECORD_AFTER_UNCERTAIN),  # the newest is deleted: nothing is known
        (timed(9, 100), 10, 100, Why.NO_RECORD_AFTER),
        (None, 10, 100, Why.NO_RECORD_AFTER_UNCERTAIN),  # records without any time
        (None, 20, 20, Why.PARTITION_EMPTY),  # an empty log holds no record, whatever the newest says
        (timed(0, 9000), 20, 20, Why.PARTITION_EMPTY),
    ],
)
def test_none_at_or_after_is_cross_checked_with_the_newest_record(
    newest: TimedOffset | None, start: int, end: int, why: Why
) -> None:
    line = only_line(MOMENT, a_partition(start, end, start, newest=newest))
    assert line.why is why
    assert line.action is (Action.REFUSE if why is Why.NO_RECORD_AFTER_UNCERTAIN else Action.SET)
    assert line.target == (None if why is Why.NO_RECORD_AFTER_UNCERTAIN else end)
    assert line.wanted is None


@pytest.mark.parametrize(
    ("rule", "action", "target"), [("log_end", "set", 100), ("keep", "leave", None), ("refuse", "refuse", None)]
)
def test_the_rule_decides_where_there_is_no_record_after(rule: str, action: str, target: int | None) -> None:
    change = a_change("to_datetime", strategy=MOMENT.strategy.own_fields(), rules={"no_record_after": rule})
    line = only_line(change, a_partition(newest=timed(50, 100)))
    assert (line.action, line.target, line.why) == (action, target, Why.NO_RECORD_AFTER)


@pytest.mark.parametrize("rule", ["log_end", "keep", "refuse"])
def test_uncertainty_refuses_under_every_rule(rule: str) -> None:
    change = a_change("to_datetime", strategy=MOMENT.strategy.own_fields(), rules={"no_record_after": rule})
    assert only_line(change, a_partition(newest=timed(99, 9000))).why is Why.NO_RECORD_AFTER_UNCERTAIN


def test_a_record_written_after_the_log_was_measured_is_not_a_target_beyond_it() -> None:
    line = only_line(MOMENT, a_partition(found_at=timed(103, 2600)))
    assert (line.target, line.why) == (100, Why.NO_RECORD_AFTER)


def test_a_moment_to_come_is_warned_of() -> None:
    change = a_change("to_datetime", strategy={"datetime": "2026-12-01T09:00:00.001Z"})
    assert "future_instant" in codes(a_plan(change, a_partition(newest=timed(50, 100))))
    now = a_change("to_datetime", strategy={"datetime": "2026-12-01T09:00:00Z"})
    assert "future_instant" not in codes(a_plan(now, a_partition(newest=timed(50, 100))))
