"""The form offers the rules that decide something, and takes what it offered: every strategy, awkward partitions."""

from __future__ import annotations

import pytest

from kafkaconsole.resets import storing
from kafkaconsole.resets.change import change_as_json
from kafkaconsole.resets.forms.strategies import change_of
from kafkaconsole.resets.pages.rules import rule_choices
from kafkaconsole.resets.rules import rules_that_decide
from tests.resets.making import a_change
from tests.resets.rules_tried import WISHES, partitions, planned, restored, tried


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "fields"), WISHES)
def test_the_form_offers_a_rule_exactly_where_another_value_gives_another_plan(
    kind: str, fields: dict[str, object]
) -> None:
    change = a_change(kind, strategy=fields)
    for one in partitions():
        for earlier in restored(change, one):
            plan = planned(change, one, earlier)
            row = storing.store(plan, change=change_as_json(change), request=None)
            offered = {rule.name for rule in rule_choices({}, row) if rule.partitions}
            assert offered == tried(change, one, earlier), (one, earlier)


@pytest.mark.parametrize(("kind", "fields"), WISHES)
def test_the_form_takes_every_rule_that_may_decide(kind: str, fields: dict[str, object]) -> None:
    change = a_change(kind, strategy=fields)
    decide = {
        name
        for one in partitions()
        for earlier in restored(change, one)
        for name in rules_that_decide(change, planned(change, one, earlier).lines)
    }
    given = {"kind": kind, "no_commit": "refuse", "no_record_after": "refuse", "out_of_range": "refuse"}
    taken = change_of(given, [])["rules"]
    assert isinstance(taken, dict) and decide <= taken.keys()
