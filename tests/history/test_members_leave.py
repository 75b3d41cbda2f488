"""A group whose members are gone is measured as before: that is when its history matters."""

from __future__ import annotations

from kafkaconsole.history import queries
from tests.history.scene import Watched


def test_hist_01_a_group_is_measured_on_when_its_members_are_gone(watched: Watched) -> None:
    watched.kafka.join("billing", topics=["orders"])
    watched.sweep()
    watched.kafka.leave("billing")
    left = watched.sweep()
    seen = []
    for _ in range(3):
        watched.produce("orders", 0, 10)
        sweep = watched.sweep()
        line = queries.standing(watched.group()).lines[0]
        seen.append((line.committed, line.log_end, line.lag, line.measured_at == sweep.at))
    assert seen == [(10, 110, 100, True), (10, 120, 110, True), (10, 130, 120, True)]
    assert (watched.group().state, watched.group().state_since) == ("Empty", left.at)
