"""Every strategy with every rule on awkward partitions, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from kafkaconsole.kafka.values import Committed, Offset
from kafkaconsole.resets.change import Change, NoCommit, NoRecordAfter, OutOfRange, change_as_json, parse_change
from kafkaconsole.resets.facts import Earlier, PartitionFacts
from kafkaconsole.resets.plans import Plan
from tests.resets.making import NOW, a_group, a_partition, a_plan, at, timed

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


def tried(change: Change, one: PartitionFacts, earlier: Earlier | None) -> set[str]:
    """The rules of which another value gives another plan, found by trying every value."""
    return {
        name
        for name, values in VALUES.items()
        if len({str(outcome(planned(with_rule(change, name, value), one, earlier))) for value in values}) > 1
    }
