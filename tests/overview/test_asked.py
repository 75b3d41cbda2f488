"""What an address asks the chart for; what means nothing is refused by name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from kafkaconsole.history.errors import BadRange
from kafkaconsole.overview.pages.asked import LIVE_SECONDS, RANGES, read

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=40)


def test_usual_stretch_is_six_hours_up_to_now() -> None:
    asked = read({}, NOW, LONG_AGO)
    assert (asked.range, asked.end - asked.start, asked.end, asked.each) == ("6h", timedelta(hours=6), NOW, False)


def test_group_that_is_new_is_shown_over_an_hour() -> None:
    assert read({}, NOW, NOW - timedelta(minutes=59)).range == "1h"
    assert read({}, NOW, NOW - timedelta(minutes=9)).range == "10m"
    assert read({}, NOW, NOW - timedelta(hours=2)).range == "6h"
    assert read({}, NOW, NOW - timedelta(minutes=61)).range == "6h"


@pytest.mark.parametrize("key", RANGES)
def test_every_stretch_can_be_asked_for_and_says_how_often_it_moves(key: str) -> None:
    asked = read({"range": key}, NOW, LONG_AGO)
    assert asked.end - asked.start == RANGES[key]
    assert asked.live_seconds == LIVE_SECONDS[key]


@pytest.mark.parametrize(
    ("what", "topic", "partition"),
    [("", None, None), ("orders", "orders", None), ("orders:3", "orders", 3), ("a.b_c-1:0", "a.b_c-1", 0)],
)
def test_topic_and_partition_are_read(what: str, topic: str | None, partition: int | None) -> None:
    asked = read({"what": what}, NOW, LONG_AGO)
    assert (asked.topic, asked.partition, asked.what) == (topic, partition, what)


def test_one_partition_is_never_drawn_each_by_itself() -> None:
    assert read({"what": "orders:3", "show": "each"}, NOW, LONG_AGO).each is False
    assert read({"what": "orders", "show": "each"}, NOW, LONG_AGO).each is True


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"range": "2h"}, "range"),
        ({"show": "heat"}, "show"),
        ({"what": "orders:-1"}, "what"),
        ({"what": "orders:x"}, "what"),
        ({"what": ":1"}, "what"),
        ({"what": "orders:٣"}, "what"),
        ({"what": "orders:9999999999"}, "what"),
        ({"what": "a\0b"}, "what"),
    ],
)
def test_what_means_nothing_is_refused_by_name(query: dict[str, str], field: str) -> None:
    with pytest.raises(BadRange) as refused:
        read(query, NOW, LONG_AGO)
    assert refused.value.facts["field"] == field
