"""What was not measured is a gap, from the last good reading to the next; and a look-up at an instant knows it."""

from __future__ import annotations

from datetime import timedelta

from kafkaconsole.history import queries
from kafkaconsole.history.models import Gap
from kafkaconsole.kafka.values import GroupId, Problem, ProblemKind
from tests.history.scene import INTERVAL, NOON, Watched

AWAY = Problem(ProblemKind.UNAVAILABLE, "COORDINATOR_NOT_AVAILABLE", passing=True)


def gaps_of(watched: Watched, group: str = "billing") -> list[tuple[object, object]]:
    found = queries.series(watched.group(group), start=NOON, end=watched.clock(), max_points=100)
    return list(found.gaps)


def test_a_failed_sweep_is_a_gap_until_the_next_good_one(watched: Watched) -> None:
    before = watched.sweep().at
    watched.kafka.go_down()
    watched.sweep()
    assert gaps_of(watched) == [(before, watched.clock())], "open, so far until now"
    watched.sweep()
    watched.kafka.come_up()
    after = watched.sweep().at
    assert gaps_of(watched) == [(before, after)]


def test_no_value_holds_inside_a_gap(watched: Watched) -> None:
    before = watched.sweep().at
    assert before is not None
    watched.kafka.go_down()
    watched.sweep()
    watched.kafka.come_up()
    after = watched.sweep().at
    assert queries.at(watched.group(), before + INTERVAL / 2).not_known == {"orders": (before, after)}
    assert queries.at(watched.group(), before + INTERVAL / 2).lines == ()


def test_a_console_that_stood_still_leaves_a_gap(watched: Watched) -> None:
    before = watched.sweep().at
    after = watched.sweep(INTERVAL * 4).at
    assert gaps_of(watched) == [(before, after)]


def test_a_sweep_that_is_a_little_late_leaves_none(watched: Watched) -> None:
    watched.sweep()
    watched.sweep(INTERVAL * 2)
    assert gaps_of(watched) == []


def test_a_cluster_that_never_answered_has_no_gap(watched: Watched) -> None:
    watched.kafka.go_down()
    watched.sweep()
    assert not Gap.objects.exists()


def test_a_group_that_was_not_measured_has_a_gap_of_its_own(watched: Watched) -> None:
    watched.commit("search", "orders", p0=1)
    before = watched.sweep().at
    watched.kafka.answer("committed", GroupId("billing"), AWAY)
    watched.sweep()
    watched.sweep()
    assert Gap.objects.count() == 1
    watched.kafka.forget_answers()
    after = watched.sweep().at
    assert gaps_of(watched) == [(before, after)]
    assert gaps_of(watched, "search") == []


def test_the_offsets_at_an_instant_are_those_that_held_then(watched: Watched) -> None:
    first = watched.sweep().at
    watched.commit("billing", "orders", p0=50)
    watched.produce("orders", 0, 7)
    watched.sweep()
    assert first is not None
    past = queries.at(watched.group(), first + timedelta(seconds=10))
    assert [(line.committed, line.log_end, line.lag, line.sampled_at) for line in past.lines][0] == (10, 100, 90, first)
    assert queries.at(watched.group(), watched.clock()).lines[0].committed == 50


def test_nothing_is_known_before_the_first_reading_and_after_the_last(watched: Watched) -> None:
    first = watched.sweep().at
    assert queries.at(watched.group(), NOON).not_known == {"orders": (None, first)}
    assert queries.at(watched.group(), watched.clock() + INTERVAL).not_known == {"orders": (first, None)}


def test_the_millisecond_in_which_the_last_reading_fell_is_known(watched: Watched) -> None:
    first = watched.sweep(timedelta(microseconds=866_400)).at
    assert first is not None
    past = queries.at(watched.group(), first.replace(microsecond=867_000))
    assert past.not_known == {} and past.lines
    assert queries.at(watched.group(), first.replace(microsecond=867_400)).not_known == {"orders": (first, None)}
