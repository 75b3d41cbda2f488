"""Which rules decide something in a plan: exactly those of which another value gives another plan."""

from __future__ import annotations

import pytest

from kafkaconsole.resets.rules import rules_that_decide
from kafkaconsole.resets.strategies import STRATEGIES
from tests.resets.making import a_change
from tests.resets.rules_tried import WISHES, partitions, planned, restored, tried


@pytest.mark.parametrize(("kind", "fields"), WISHES)
def test_a_rule_decides_exactly_where_another_value_gives_another_plan(kind: str, fields: dict[str, object]) -> None:
    change = a_change(kind, strategy=fields)
    for one in partitions():
        for earlier in restored(change, one):
            lines = planned(change, one, earlier).lines
            assert set(rules_that_decide(change, lines)) == tried(change, one, earlier), (one, earlier)


def test_every_strategy_is_tried() -> None:
    assert {kind for kind, _ in WISHES} == STRATEGIES.keys()
