"""Whose turn it is: one sweep of a cluster at a time, late ones skipped and said, failing clusters asked less often."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from devtools.kafka.waiting import comes_true
from kafkaconsole.history import actions, sweeping, turns
from kafkaconsole.history.models import Outcome, Sweep, Turn
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.nudge import Nudge
from tests.history.scene import Watched, code_of, make_cluster

INTERVAL = settings.SWEEP_INTERVAL


@pytest.fixture(autouse=True)
def clocked(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "now", watched.clock)


def turn(watched: Watched) -> Turn:
    return Turn.objects.get(cluster=watched.cluster)


def sweep_if_due(watched: Watched) -> Sweep | None:
    return sweeping.sweep_if_due(
        watched.cluster.pk, watched.kafka.connect, clock=watched.clock, wait=watched.clock.move
    )


def test_a_new_cluster_is_due_at_once(watched: Watched) -> None:
    assert actions.due_clusters() == [watched.cluster.pk]


def test_a_cluster_is_due_again_after_the_interval(watched: Watched) -> None:
    assert sweep_if_due(watched) is not None
    assert actions.due_clusters() == []
    watched.clock.move(INTERVAL)
    assert actions.due_clusters() == [watched.cluster.pk]


def test_a_repeated_message_finds_nothing_to_do(watched: Watched) -> None:
    assert sweep_if_due(watched) is not None
    assert sweep_if_due(watched) is None
    assert Sweep.objects.count() == 1


def test_messages_do_not_pile_up_while_no_worker_runs(watched: Watched) -> None:
    assert actions.due_clusters() == [watched.cluster.pk]
    assert actions.due_clusters() == []
    watched.clock.move(turns.SEND_AGAIN_AFTER + timedelta(seconds=1))
    assert actions.due_clusters() == [watched.cluster.pk]


def test_two_sweeps_of_a_cluster_never_run_at_once(watched: Watched) -> None:
    second: list[Sweep] = []

    def start_another() -> None:
        second.append(sweeping.sweep(watched.cluster.pk, watched.kafka.connect, clock=watched.clock))

    watched.kafka.before("committed", start_another)
    assert watched.sweep().outcome == Outcome.OK
    assert second[0].outcome == Outcome.SKIPPED
    assert code_of(second[0]) == "history.still_running"
    assert watched.kafka.calls.count("list_groups") == 1


def test_a_late_sweep_is_skipped_and_that_is_said(watched: Watched) -> None:
    def take_long() -> None:
        watched.clock.move(INTERVAL)
        Turn.objects.update(lease_until=watched.clock() + settings.WORK_LEASE)  # as its thread does
        assert actions.due_clusters() == []
        assert actions.due_clusters() == []

    watched.kafka.before("committed", take_long)
    watched.sweep()
    assert list(Sweep.objects.order_by("pk").values_list("outcome", flat=True)) == [Outcome.OK, Outcome.SKIPPED]


def test_a_sweep_asked_for_while_one_runs_comes_after_it(watched: Watched) -> None:
    def ask() -> None:
        actions.ask_for_sweep(watched.cluster)
        assert actions.due_clusters() == []

    watched.kafka.before("bounds", ask)
    watched.sweep()
    assert not Sweep.objects.filter(outcome=Outcome.SKIPPED).exists()
    assert actions.due_clusters() == [watched.cluster.pk]


def test_a_sweep_that_was_asked_for_is_sent_and_due(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Nudge, dict[str, object]]] = []
    monkeypatch.setattr(actions, "after_commit", lambda nudge, **ids: sent.append((nudge, ids)))
    watched.sweep()
    actions.ask_for_sweep(watched.cluster)
    assert sent == [(Nudge.SWEEP, {"cluster_id": watched.cluster.pk})]
    assert sweep_if_due(watched) is not None


def test_a_dead_sweep_is_taken_over_when_its_lease_ends(watched: Watched) -> None:
    held = turns.claim(watched.cluster.pk, watched.clock(), only_if_due=False)
    assert held is not None
    dead = Sweep.objects.create(cluster=watched.cluster, started_at=watched.clock())
    assert watched.sweep(timedelta(0)).outcome == Outcome.SKIPPED
    watched.clock.move(settings.WORK_LEASE)
    assert watched.sweep().outcome == Outcome.OK
    dead.refresh_from_db()
    assert (dead.outcome, code_of(dead)) == (Outcome.FAILED, "history.sweep_died")


@pytest.mark.django_db(transaction=True)
def test_a_sweep_keeps_its_turn_for_as_long_as_it_runs(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "WORK_LEASE", timedelta(seconds=2))
    held = turns.claim(watched.cluster.pk, timezone.now(), only_if_due=False)
    assert held is not None
    first = turn(watched).lease_until
    with turns.renewed(held):
        assert comes_true(lambda: turn(watched).lease_until != first, limit=30, every=0.02)
    assert turns.is_held(held)


def test_a_sweep_that_lost_its_turn_stores_nothing(watched: Watched) -> None:
    def lose_it() -> None:
        watched.clock.move(settings.WORK_LEASE + timedelta(seconds=1))
        assert turns.claim(watched.cluster.pk, watched.clock(), only_if_due=False) is not None

    watched.kafka.before("bounds", lose_it)
    assert code_of(watched.sweep()) == "history.turn_lost"
    assert turn(watched).measured_until is None


def test_a_cluster_that_is_down_is_asked_less_and_less_often(watched: Watched) -> None:
    watched.kafka.go_down()
    waits = []
    for _ in range(8):
        watched.sweep(timedelta(0))
        waits.append(turn(watched).due_at - watched.clock())
    assert waits[:3] == [INTERVAL, INTERVAL * 2, INTERVAL * 4]
    assert waits[-1] == turns.LONGEST_BACK_OFF
    watched.kafka.come_up()
    watched.sweep()
    assert (turn(watched).failures_count, turn(watched).due_at) == (0, watched.clock() + INTERVAL)


def test_other_clusters_go_on_while_one_is_down(watched: Watched) -> None:
    other = Watched(make_cluster(), clock=watched.clock)
    watched.kafka.go_down(KafkaUnavailable(reason="nothing_listens"))
    assert watched.sweep().outcome == Outcome.FAILED
    assert other.sweep().outcome == Outcome.OK


def test_a_removed_cluster_is_left_alone(watched: Watched) -> None:
    watched.cluster.is_active = False
    watched.cluster.save()
    assert actions.due_clusters() == []
    assert sweep_if_due(watched) is None
    assert watched.kafka.calls == []
