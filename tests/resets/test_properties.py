"""What holds for every plan, whatever the facts: tried on thousands of made-up clusters."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from kafkaconsole.kafka.values import Committed, Offset, OffsetBounds, TimedOffset, TopicPartition
from kafkaconsole.resets.change import (
    Change,
    NoCommit,
    NoRecordAfter,
    OutOfRange,
    change_as_json,
    parse_change,
    rules_as_json,
)
from kafkaconsole.resets.digest import digest_of
from kafkaconsole.resets.facts import Earlier, PartitionFacts
from kafkaconsole.resets.files import offsets_as_csv, parse_offsets, plan_as_csv
from kafkaconsole.resets.instants import duration_text, parse_duration
from kafkaconsole.resets.planning import targets_of
from kafkaconsole.resets.plans import Action, Plan
from kafkaconsole.resets.rules import rules_that_decide
from kafkaconsole.resets.strategies import STRATEGIES as KNOWN
from tests.resets.making import NOW, a_change, a_plan, at

EXAMPLES = settings(max_examples=150, deadline=None, print_blob=True, derandomize=False)
"""A failing example is printed with the blob that replays it (`@reproduce_failure`)."""

OFFSETS = st.integers(0, 60)
NUMBERS = st.one_of(st.integers(-70, 130), st.integers(-(2**63), 2**63 - 1))
PLACES = st.builds(TopicPartition, st.sampled_from(["t", "u.v", "w-1_X"]), st.integers(0, 12))
TIMES = st.one_of(st.none(), st.builds(TimedOffset, OFFSETS.map(Offset), st.integers(0, 9999).map(at)))
COMMITS = st.one_of(
    st.none(),
    st.builds(Committed, st.integers(0, 90).map(Offset), st.text(max_size=5), st.one_of(st.none(), st.integers(0, 9))),
)
BOUNDS = st.tuples(OFFSETS, OFFSETS, OFFSETS).map(
    lambda three: OffsetBounds(*(Offset(one) for one in (sorted(three)[0], sorted(three)[2], sorted(three)[1])))
)
PARTITIONS = st.lists(
    st.builds(
        PartitionFacts, of=PLACES, topic_id=st.just("id"), bounds=BOUNDS, committed=COMMITS,
        found_at=TIMES, newest=TIMES, source=COMMITS,
    ),
    min_size=1, max_size=8, unique_by=lambda one: one.of,
)  # fmt: skip
STRATEGIES = st.one_of(
    st.sampled_from([{"kind": "to_earliest"}, {"kind": "to_latest"}, {"kind": "to_current"}]),
    st.builds(lambda offset: {"kind": "to_offset", "offset": offset}, NUMBERS),
    st.builds(lambda by: {"kind": "shift_by", "by": by}, NUMBERS),
    st.just({"kind": "by_duration", "duration": "PT1H"}),
    st.just({"kind": "to_datetime", "datetime": "1970-01-01T00:00:05Z"}),
    st.just({"kind": "from_file"}),
    st.just({"kind": "copy_group", "from_group": "other"}),
    st.sampled_from([{"kind": "restore", "snapshot": 7}, {"kind": "restore", "as_of": "1970-01-01T00:00:05Z"}]),
    st.just({"kind": "delete_offsets"}),
)
RULES = st.fixed_dictionaries(
    {
        "no_commit": st.sampled_from([one.value for one in NoCommit]),
        "no_record_after": st.sampled_from([one.value for one in NoRecordAfter]),
        "out_of_range": st.sampled_from([one.value for one in OutOfRange]),
    }
)

Made = tuple[Change, tuple[PartitionFacts, ...], Plan, Earlier | None]


@st.composite
def plans(draw: st.DrawFn) -> Made:
    """A change, the facts it meets, and the plan."""
    partitions = tuple(draw(PARTITIONS))
    strategy = dict(draw(STRATEGIES))
    if strategy["kind"] == "from_file":
        rows = [(one.of, abs(draw(NUMBERS)) % 2**63) for one in partitions]
        strategy["csv"] = offsets_as_csv(rows)
    change = a_change(str(strategy.pop("kind")), strategy=strategy, rules=draw(RULES), scope={"all_committed": True})
    earlier = (
        None if change.strategy.recalls is None else draw(earlier_of(partitions, change.strategy.recalls.snapshot))
    )
    return change, partitions, a_plan(change, *partitions, earlier=earlier), earlier


def earlier_of(partitions: tuple[PartitionFacts, ...], attempt: int | None) -> st.SearchStrategy[Earlier]:
    """What was earlier on partitions whose `source` is that; of some of the others it is known that there was nothing."""
    had = {one.of: one.source for one in partitions if one.source is not None}
    others = [one.of for one in partitions if one.source is None]
    none = st.sets(st.sampled_from(others)) if others else st.just(set[TopicPartition]())
    ids = st.dictionaries(
        st.sampled_from(sorted({one.of.topic for one in partitions})), st.sampled_from(["id", "", "x"])
    )
    gap = {"t": (at(0), None)}
    return st.builds(
        Earlier,
        at=st.just(NOW),
        offsets=none.map(lambda some: {**had, **dict.fromkeys(some)}),
        topic_ids=ids,
        attempt=st.just(attempt),
        not_known=st.sampled_from([{}, gap]) if attempt is None else st.just({}),
        read_at=st.just(None if attempt else NOW),
    )


@EXAMPLES
@given(plans())
def test_every_target_lies_within_its_log(made: Made) -> None:
    for line in made[2].lines:
        if line.target is not None:
            assert line.log_start is not None and line.log_end is not None
            assert line.log_start <= line.target <= line.log_end
        assert (line.target is not None) == (line.action is Action.SET)


@EXAMPLES
@given(plans())
def test_no_partition_is_dropped_doubled_or_replayed_and_skipped_at_once(
    made: Made,
) -> None:
    _, partitions, plan, _ = made
    assert [line.of for line in plan.lines] == sorted(one.of for one in partitions)
    for line in plan.lines:
        if line.replayed is not None and line.skipped is not None:
            assert line.replayed >= 0 and line.skipped >= 0 and line.replayed * line.skipped == 0
        assert line.wanted is None or -(2**63) <= line.wanted < 2**63


@EXAMPLES
@given(plans(), st.randoms(use_true_random=False))
def test_the_same_facts_in_any_order_give_the_same_plan(made: Made, random: Random) -> None:
    change, partitions, plan, earlier = made
    shuffled = list(partitions)
    random.shuffle(shuffled)
    again = a_plan(parse_change(json.loads(json.dumps(change_as_json(change)))), *shuffled, earlier=earlier)
    assert again == plan


@EXAMPLES
@given(plans(), st.data())
def test_another_target_or_commit_gives_another_digest(made: Made, data: st.DataObject) -> None:
    change, _, plan, _ = made
    index = data.draw(st.integers(0, len(plan.lines) - 1))
    line = plan.lines[index]
    moved = data.draw(
        st.sampled_from(
            [
                replace(line, target=Offset((line.target or 0) + 1)),
                replace(line, committed=Offset((line.committed or 0) + 1)),
                replace(line, topic_id="another"),
            ]
        )
    )
    lines = [*plan.lines[:index], moved, *plan.lines[index + 1 :]]
    assert digest_of(change, plan.cluster_id, lines) != plan.digest
    assert digest_of(change, plan.cluster_id, plan.lines) == plan.digest


@EXAMPLES
@given(plans())
def test_a_rule_decides_exactly_where_another_value_gives_another_plan(made: Made) -> None:
    change, partitions, plan, earlier = made
    body = change_as_json(change)
    decide = {
        name
        for name, values in (("no_commit", NoCommit), ("no_record_after", NoRecordAfter), ("out_of_range", OutOfRange))
        for value in values
        for other in [parse_change({**body, "rules": {**rules_as_json(change.rules), name: value.value}})]
        if written(a_plan(other, *partitions, earlier=earlier)) != written(plan)
    }
    assert set(rules_that_decide(change, plan.lines)) == decide


def written(plan: Plan) -> list[tuple[Action, Offset | None]]:
    """What a plan comes to."""
    return [(line.action, line.target) for line in plan.lines]


@EXAMPLES
@given(plans())
def test_an_exported_plan_reads_back_to_its_targets(made: Made) -> None:
    targets = {of: target.offset for of, target in targets_of(made[2].lines).items()}
    text = plan_as_csv(made[2].lines)
    if targets:
        assert {row.of: row.offset for row in parse_offsets(text, group=None, topic=None)} == targets
    else:
        assert text == ""


@EXAMPLES
@given(st.timedeltas(min_value=NOW - NOW, max_value=NOW - at(0)))
def test_every_duration_reads_back_from_its_canonical_form(duration: timedelta) -> None:
    whole = duration - (duration % (at(1) - at(0)))
    assert parse_duration(duration_text(whole)) == whole


def test_every_strategy_is_among_those_tried() -> None:
    assert set(KNOWN) == {
        "to_earliest", "to_latest", "to_current", "to_offset", "shift_by",
        "by_duration", "to_datetime", "from_file", "copy_group", "restore", "delete_offsets",
    }  # fmt: skip
