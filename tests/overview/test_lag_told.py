"""Lag as the group's page tells it: what is deleted, what nobody reads, what no reader will ever get."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from kafkaconsole.kafka.values import GroupId, Offset, TopicPartition
from kafkaconsole.overview.pages.asked import read
from kafkaconsole.overview.pages.chart import Chart
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import GROUP, at
from tests.overview.conftest import Past

See = Callable[..., str]
PAGE = f"/groups/demo/{GROUP}"
T0, T1 = TopicPartition("orders", 0), TopicPartition("orders", 1)


@pytest.fixture
def orders(past: Past) -> Past:
    """The group has commits on two partitions of `orders` alone."""
    past.scene.kafka.remove_topic("hello")
    past.scene.kafka.add_topic("orders", 2)
    bounds(past, 0, 0, 100)
    bounds(past, 1, 0, 100)
    past.scene.kafka.set_committed(GROUP, {T0: at(100), T1: at(100)})
    return past


def bounds(past: Past, partition: int, start: int, end: int, topic: str = "orders") -> None:
    """Where the log begins and ends."""
    log = past.scene.kafka.log(topic, partition)
    log.log_start, log.log_end = Offset(start), Offset(end)


def told(past: Past, see: See, **query: str) -> str:
    """What the page says, in words."""
    html = see(past.scene.cast.alice, PAGE, **query)
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def drawn(past: Past, **query: str) -> dict[str, Any]:
    """The chart."""
    group = past.group()
    return Chart(group, read(query, timezone.now(), group.first_seen_at), past.scene.cast.alice).as_json()


def test_what_is_deleted_unread_is_told_apart_from_what_is_left_to_read(orders: Past, see: See) -> None:
    bounds(orders, 0, 5_000_000, 5_000_000)
    bounds(orders, 1, 400, 500)
    orders.scene.kafka.set_committed(GROUP, {T0: at(1000), T1: at(100)})
    orders.sweep()
    for query in ({}, {"tab": "partitions"}):
        words = told(orders, see, **query)
        assert "4,999,000 deleted unread, 0 left to read" in words
        assert "300 deleted unread, 100 left to read" in words


def test_nothing_is_called_deleted_where_the_log_still_has_what_comes_next(orders: Past, see: See) -> None:
    orders.scene.kafka.set_committed(GROUP, {T0: at(0), T1: at(40)})
    orders.sweep()
    assert "deleted unread" not in told(orders, see)


def test_a_topic_that_no_member_reads_is_told_apart_while_there_are_members(orders: Past, see: See) -> None:
    orders.scene.kafka.add_topic("refunds")
    bounds(orders, 0, 0, 900, "refunds")
    orders.scene.kafka.set_committed(GROUP, {TopicPartition("refunds", 0): at(10)})
    orders.scene.kafka.join(GROUP, client_id="orders-1", topics=["orders"])
    orders.sweep()
    words = told(orders, see)
    assert "Lag 890 , 890 of it on topics that no member reads" in words
    assert words.count("no member reads it") == 1
    orders.scene.kafka.leave(GROUP)
    orders.sweep()
    words = told(orders, see)
    assert "Lag 890" in words
    assert "no member reads" not in words


def test_a_marker_at_the_end_is_a_lag_of_one_offset_and_not_of_a_record(orders: Past, see: See) -> None:
    orders.scene.kafka.end_transaction("orders", 0)
    orders.sweep()
    words = told(orders, see)
    assert "Lag 1" in words
    assert (
        "Markers of transactions and what compaction took have offsets too, so fewer records may wait, or none" in words
    )
    assert not re.search(r"1 (record|message)\b", words)
    to_latest = factories.make_change(scope={"all_committed": True}, strategy={"kind": "to_latest"})
    request = factories.plan(factories.ask(orders.scene.cast.alice, change=to_latest), orders.scene.kafka)
    factories.execute(factories.approve(request, orders.scene.cast.bob), orders.scene.kafka)
    orders.sweep()
    assert orders.scene.kafka.committed_of(GroupId(GROUP), [T0])[T0] == at(101)
    assert "Lag 0" in told(orders, see)


def test_a_commit_that_stays_before_a_marker_is_a_flat_lag_and_no_trouble(orders: Past, see: See) -> None:
    orders.scene.kafka.end_transaction("orders", 0)
    for _ in range(20):
        orders.sweep()
    lags = {lag for line in drawn(orders)["lines"] for lag in line["lag"] if lag is not None}
    assert lags == {1}
    assert GROUP not in see(orders.scene.cast.alice, "/")


def test_a_quiet_group_that_has_read_everything_is_no_trouble(orders: Past, see: See) -> None:
    orders.scene.kafka.join(GROUP, client_id="orders-1", topics=["orders"])
    orders.sweep()
    orders.sweep(timedelta(minutes=20))
    words = told(orders, see)
    assert "Lag 0" in words
    assert "Stable" in words
    assert " behind" not in words
    assert GROUP not in see(orders.scene.cast.alice, "/")


def test_a_commit_over_a_reset_shows_in_the_history_beside_the_reset(orders: Past) -> None:
    bounds(orders, 0, 0, 1000)
    orders.scene.kafka.set_committed(GROUP, {T0: at(900)})
    orders.sweep()
    back = factories.make_change(
        scope={"topics": [{"topic": "orders", "partitions": [0]}]}, strategy={"kind": "to_offset", "offset": 100}
    )
    request = factories.plan(factories.ask(orders.scene.cast.alice, change=back), orders.scene.kafka)
    request = factories.execute(factories.approve(request, orders.scene.cast.bob), orders.scene.kafka)
    orders.sweep()
    orders.scene.kafka.set_committed(GROUP, {T0: at(905)})
    orders.sweep()
    chart = drawn(orders, what="orders:0")
    (line,) = chart["lines"]
    seen = [offset for offset in dict.fromkeys(line["committed"]) if offset is not None]
    assert seen == [900, 100, 905]
    assert [marker["request"] for marker in chart["markers"]] == [request.pk]
    request.refresh_from_db()
    assert request.state == State.APPLIED
