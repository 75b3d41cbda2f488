"""Dropping what is older than the retention."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from kafkaconsole.history import actions, queries
from kafkaconsole.history.models import Gap, GroupSample, Sweep, TopicSample
from tests.history.scene import Watched

KEPT = settings.HISTORY_RETENTION


def test_old_samples_go_and_what_still_holds_stays(watched: Watched) -> None:
    for number in range(1, 6):
        watched.commit("billing", "orders", p0=10 + number)
        watched.produce("orders", 0, 1)
        watched.sweep()
    limit = watched.clock() - timedelta(seconds=45)  # between the third and the fourth sweep
    assert actions.retain(limit + KEPT) == 4
    assert (GroupSample.objects.count(), TopicSample.objects.count()) == (3, 3)
    assert queries.at(watched.group(), limit).lines[0].committed == 13


def test_an_idle_group_keeps_its_only_sample(watched: Watched) -> None:
    watched.sweep()
    assert actions.retain(watched.clock() + KEPT * 3) == 0
    assert GroupSample.objects.count() == 1


def test_old_gaps_and_sweep_records_go_too(watched: Watched) -> None:
    watched.sweep()
    watched.sweep(timedelta(hours=1))
    actions.retain(watched.clock() + KEPT + timedelta(days=1))
    assert not Gap.objects.exists()
    assert not Sweep.objects.exists()
