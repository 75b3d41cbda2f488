"""How many queries pages and sweeps take: the same for few groups and for many."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from kafkaconsole.history import queries
from tests.history.scene import INTERVAL, NOON, Watched


def count(ask: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)


def test_a_group_page_takes_a_handful_of_queries(
    watched: Watched, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        watched.kafka.add_topic(f"topic-{number}", partitions=4)
        watched.commit("billing", f"topic-{number}", p0=0)
    watched.sweep()
    watched.sweep()
    group = watched.group()
    with django_assert_max_num_queries(2):
        assert len(queries.standing(group).lines) == 83
    with django_assert_max_num_queries(4):
        assert queries.series(group, start=NOON, end=watched.clock(), max_points=100).points
    with django_assert_max_num_queries(4):
        assert len(queries.at(group, watched.clock() - INTERVAL / 2).lines) == 83


def test_a_sweep_of_many_groups_takes_as_many_queries_as_of_one(watched: Watched) -> None:
    watched.sweep()
    watched.commit("billing", "orders", p0=50)
    one = count(watched.sweep)
    for number in range(300):
        watched.commit(f"group-{number}", "orders", p0=1)
    watched.sweep()
    watched.sweep()
    for number in range(300):
        watched.commit(f"group-{number}", "orders", p0=2)
    assert count(watched.sweep) <= one + 12  # rows go in batches, whose size the database limits
