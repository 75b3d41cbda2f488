"""The form and the planning agree on which rules decide something: every strategy, every rule, awkward partitions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets import storing
from kafkaconsole.resets.change import Change, NoCommit, NoRecordAfter, OutOfRange, change_as_json, parse_change
from kafkaconsole.resets.facts import Earlier, PartitionFacts
from kafkaconsole.resets.forms.strategies import change_of
from kafkaconsole.resets.pages.rules import rule_choices
from kafkaconsole.resets.plans import Plan
from kafkaconsole.resets.rules import rules_that_decide
from kafkaconsole.resets.strategies import STRATEGIES
from tests.resets.making import NOW, a_change, a_group, a_partition, a_plan, at, timed

VALUES = {
    "no_commit": [one.value for one in NoCommit],
    "no_record_after": [one.value for one in NoRecordAfter],
    "out_of_range": [one.value for one in OutOfRange],
}
WISHES: list[tuple[str, dict[str, object]]] = [
    ("to_earliest", {}),
    ("to_latest", {}),
    ("to_current", {}),
    ("to_offset", {"offset": 50}),
    ("to_offset", {"offset": 5}),
    ("shift_by", {"by": 1}),
    ("shift_by", {"by": 1000}),
    ("by_duration", {"duration": "PT1H"}),
    ("to_datetime", {"datetime": "1970-01-01T00:00:05Z"}),
    ("from_file", {"csv": "t,0,50\nt,1,500"}),
    ("copy_group", {"from_group": "other"}),
    ("restore", {"snapshot": 7}),
    ("restore", {"as_of": "1970-01-01T00:00:05Z"}),
    ("delete_offsets", {}),
]
T1 = TopicPartition("t", 1)


def partitions() -> Iterator[PartitionFacts]:
    """Partitions with everything that a rule may be about, one at a time."""
    for committed in (None, 40, 5, 500):
        yield a_partition(committed=committed)
        yield a_partition(committed=committed, found_at=timed(60, 6000), source=Committed(Offset(70)))
        yield a_partition(committed=committed, found_at=timed(5, 6000), source=Committed(Offset(5)))
        yield a_partition(committed=committed, newest=timed(90, 1000), source=Committed(Offset(500)))
        yield a_partition(committed=committed, searched=True)
        yield a_partition(50, 50, committed)
    yield a_partition(bounds=None, committed=None)


def restored(change: Change, one: PartitionFacts) -> Iterator[Earlier | None]:
    """What the console remembers of the partition: its commit, that it had none, nothing, or another topic's."""
    asked = change.strategy.recalls
    if asked is None:
        yield None
        return
    known = {} if one.source is None else {one.of: one.source}
    for offsets in (known, {one.of: one.source}):
        for topic_id in ("topic-id-of-t", "another"):
            yield Earlier(NOW, offsets, {"t": topic_id}, attempt=asked.snapshot, read_at=at(0))


def planned(change: Change, one: PartitionFacts, earlier: Earlier | None) -> Plan:
    """The plan for the partition alone."""
    other = None if change.strategy.source_group is None else a_group(group=change.strategy.source_group)
    return a_plan(change, one, earlier=earlier, source_group=other)


def with_rule(change: Change, name: str, value: str) -> Change:
    """The same change with one rule otherwise."""
    told = change_as_json(change)
    return parse_change({**told, "rules": {**told["rules"], name: value}})  # type: ignore[dict-item]


def outcome(plan: Plan) -> object:
    """What the plan comes to."""
    return [(line.action, line.target) for line in plan.lines]


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "fields"), WISHES)
def test_the_form_offers_a_rule_exactly_where_another_value_gives_another_plan(
    kind: str, fields: dict[str, object]
) -> None:
    change = a_change(kind, strategy=fields)
    for one in partitions():
        for earlier in restored(change, one):
            plan = planned(change, one, earlier)
            decide = {
                name
                for name, values in VALUES.items()
                if len({str(outcome(planned(with_rule(change, name, value), one, earlier))) for value in values}) > 1
            }
            assert set(rules_that_decide(change, plan.lines)) == decide, (one, earlier)
            row = storing.store(plan, change=change_as_json(change), request=None)
            offered = {rule.name for rule in rule_choices({}, row) if rule.partitions}
            assert offered == decide, (one, earlier)


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


def test_every_strategy_is_tried() -> None:
    assert {kind for kind, _ in WISHES} == STRATEGIES.keys()
