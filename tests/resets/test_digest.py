"""The digest is the same for the same content, whoever computes it, and another for any other content."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from kafkaconsole.kafka.values import Offset, TopicPartition
from kafkaconsole.resets.change import change_as_json, parse_change
from kafkaconsole.resets.digest import digest_of
from kafkaconsole.resets.plans import Action
from tests.resets.making import NOW, a_change, a_partition, a_plan, at

CHANGE = a_change("to_offset", strategy={"offset": 50}, group="grüße")
PLAN = a_plan(
    CHANGE,
    a_partition(metadata="note\0", epoch=3),
    a_partition(of=TopicPartition("t", 1), committed=None),
    a_partition(0, 9, 2**53 + 1, of=TopicPartition("u", 0)),
)
GOLDEN = "c9951ace6a141a6e72b37252421a5e1dc9e9db4ab4536d23f7c40b13f571414c"


def test_the_digest_of_a_known_plan_is_the_known_one() -> None:
    assert PLAN.digest == GOLDEN


def test_change_and_lines_that_went_through_json_and_another_order_give_the_same_digest() -> None:
    change = parse_change(json.loads(json.dumps(change_as_json(CHANGE))))
    assert digest_of(change, "cluster-id", reversed(PLAN.lines)) == PLAN.digest


@pytest.mark.parametrize(
    "moved",
    [
        {"topic_id": "another"},
        {"committed": Offset(41)},
        {"committed": None},
        {"metadata": "note"},
        {"leader_epoch": None},
        {"target": Offset(51)},
        {"action": Action.LEAVE},
        {"of": TopicPartition("t", 7)},
    ],
)
def test_whatever_of_a_line_is_signed_changes_the_digest(moved: dict[str, Any]) -> None:
    first, *others = PLAN.lines
    assert digest_of(CHANGE, "cluster-id", [replace(first, **moved), *others]) != PLAN.digest


@pytest.mark.parametrize(
    "moved", [{"log_end": Offset(101)}, {"log_start": Offset(0)}, {"last_stable": Offset(1)}, {"record_at": at(5)}]
)
def test_what_only_moves_on_does_not_change_the_digest(moved: dict[str, Any]) -> None:
    first, *others = PLAN.lines
    assert digest_of(CHANGE, "cluster-id", [replace(first, **moved), *others]) == PLAN.digest


def test_cluster_group_creation_strategy_rules_and_every_line_are_signed() -> None:
    body = change_as_json(CHANGE)
    others = [
        {**body, "group": "another"},
        {**body, "create_group": True},
        {**body, "strategy": {"kind": "to_offset", "offset": 51}},
        {**body, "rules": {"out_of_range": "refuse"}},
    ]
    digests = {digest_of(parse_change(other), "cluster-id", PLAN.lines) for other in others}
    digests |= {digest_of(CHANGE, "another", PLAN.lines), digest_of(CHANGE, "cluster-id", PLAN.lines[1:]), PLAN.digest}
    assert len(digests) == 7


def test_the_name_we_have_for_the_cluster_and_the_moment_of_planning_are_not_signed() -> None:
    other = parse_change({**change_as_json(CHANGE), "cluster": "renamed"})
    assert digest_of(other, "cluster-id", PLAN.lines) == PLAN.digest
    assert PLAN.planned_at == NOW
