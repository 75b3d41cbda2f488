"""“Caught up in about …”: from the group's own reading rate, or not told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client

from kafkaconsole.history import sweeping
from kafkaconsole.history.series import Point
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets.pages.time_left import time_left
from kafkaconsole.resets.states import State
from tests.factories import GROUP, request_in
from tests.scene import Scene

START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def points(*readings: tuple[int, int | None, int]) -> list[Point]:
    """Seconds, committed offset, log end."""
    return [
        Point(START + timedelta(seconds=at), done, 0, end, None if done is None else end - done, None)
        for at, done, end in readings
    ]


def test_the_rate_is_what_it_gains_on_the_log() -> None:
    assert time_left(points((0, 0, 1000), (30, 300, 1000), (60, 600, 1000))) == timedelta(seconds=40)
    assert time_left(points((0, 0, 1000), (60, 600, 1300))) == timedelta(seconds=140), "it is written to meanwhile"


def test_who_has_read_everything_has_no_time_left() -> None:
    assert time_left(points((0, 0, 10), (60, 10, 10))) == timedelta(0)


@pytest.mark.parametrize(
    "readings",
    [
        [],
        [(0, 0, 1000)],
        [(0, 0, 1000), (10, 500, 1000)],
        [(0, 400, 1000), (60, 400, 1000)],
        [(0, 400, 1000), (60, 100, 1000)],
        [(0, 0, 1000), (60, 100, 2000)],
        [(0, None, 1000), (60, 100, 1000)],
        [(0, 0, 10**12), (60, 1, 10**12)],
    ],
    ids=["nothing", "one", "too short", "stands", "goes back", "falls behind", "no commit before", "months"],
)
def test_what_the_history_cannot_know_is_not_told(readings: list[tuple[int, int | None, int]]) -> None:
    assert time_left(points(*readings)) is None


def test_the_page_tells_it_once_two_sweeps_saw_the_group_read(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        request = request_in(State.APPLIED, scene.cast, scene.kafka)

        def page_after(seconds: int, committed: int) -> str:
            clock.shift(timedelta(seconds=seconds))
            ends = {TopicPartition("hello", number): Committed(Offset(committed)) for number in range(3)}
            scene.kafka.set_committed(GROUP, ends)
            sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
            return client.get(f"/requests/{request.pk}").content.decode()

        assert "caught up in about" not in page_after(30, 0), "one reading is no rate"
        assert "caught up in about <b>30 s</b>" in page_after(60, 2)
        assert "caught up in about" not in page_after(60, 3)
