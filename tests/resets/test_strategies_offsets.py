"""The strategies that name an offset without asking for a time."""

from __future__ import annotations

import pytest

from kafkaconsole.kafka.values import Committed, GroupId, GroupState, Offset, TopicPartition
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.errors import SourceGroupMissing, WrongGroupKind
from kafkaconsole.resets.plans import Action, Why
from kafkaconsole.resets.strategies import STRATEGIES
from tests.resets.making import a_change, a_group, a_partition, a_plan, codes, only_line


def test_the_registry_finds_the_nine_in_the_order_of_the_form() -> None:
    assert list(STRATEGIES) == [
        "to_earliest", "to_latest", "to_current", "to_offset", "shift_by",
        "by_duration", "to_datetime", "from_file", "copy_group", "restore", "delete_offsets",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "wanted", "target", "why"),
    [
        (a_change("to_earliest"), 10, 10, None),
        (a_change("to_latest"), 100, 100, None),
        (a_change("to_current"), 40, 40, None),
        (a_change("to_offset", strategy={"offset": 50}), 50, 50, None),
        (a_change("to_offset", strategy={"offset": 10}), 10, 10, None),
        (a_change("to_offset", strategy={"offset": 100}), 100, 100, None),
        (a_change("to_offset", strategy={"offset": 9}), 9, 10, Why.CLAMPED_TO_LOG_START),
        (a_change("to_offset", strategy={"offset": -5}), -5, 10, Why.CLAMPED_TO_LOG_START),
        (a_change("to_offset", strategy={"offset": 101}), 101, 100, Why.CLAMPED_TO_LOG_END),
        (a_change("shift_by", strategy={"by": 5}), 45, 45, None),
        (a_change("shift_by", strategy={"by": -5}), 35, 35, None),
        (a_change("shift_by", strategy={"by": -41}), -1, 10, Why.CLAMPED_TO_LOG_START),
        (a_change("shift_by", strategy={"by": 2**63 - 1}), 2**63 - 1, 100, Why.CLAMPED_TO_LOG_END),
        (a_change("shift_by", strategy={"by": -(2**63)}), 40 - 2**63, 10, Why.CLAMPED_TO_LOG_START),
        (a_change("from_file", strategy={"csv": "t,0,77"}), 77, 77, None),
        (a_change("from_file", strategy={"csv": "t,0,7"}), 7, 10, Why.CLAMPED_TO_LOG_START),
    ],
)
def test_each_names_its_offset_and_bounds_are_kept_in_sight(
    change: Change, wanted: int, target: int, why: Why | None
) -> None:
    line = only_line(change, a_partition(10, 100, 40))
    assert (line.wanted, line.target, line.why, line.action) == (wanted, target, why, Action.SET)


@pytest.mark.parametrize("kind", ["shift_by", "to_current"])
def test_what_starts_from_the_commit_refuses_without_one(kind: str) -> None:
    line = only_line(a_change(kind, strategy={"by": 1} if kind == "shift_by" else {}), a_partition(committed=None))
    assert (line.action, line.why, line.target, line.wanted) == (Action.REFUSE, Why.NO_COMMIT, None, None)


def test_a_shift_counts_from_the_commit_itself_even_outside_the_log() -> None:
    line = only_line(a_change("shift_by", strategy={"by": 10}), a_partition(10, 100, 5))
    assert (line.wanted, line.target, line.skipped) == (15, 15, 5)


def test_a_copy_takes_the_other_groups_commit_and_leaves_what_it_has_none_on() -> None:
    change = a_change("copy_group", strategy={"from_group": "other"})
    other = TopicPartition("t", 1)
    plan = a_plan(
        change,
        a_partition(source=Committed(Offset(70), "theirs", 3), metadata="ours", epoch=1),
        a_partition(of=other),
        source_group=a_group(group=GroupId("other")),
    )
    copied, left = plan.lines
    assert (copied.target, copied.metadata, copied.leader_epoch) == (70, "ours", 1)
    assert (left.action, left.why, left.target) == (Action.LEAVE, Why.NOT_IN_SOURCE, None)
    assert codes(plan) == ["lines_not_in_source"]
    assert plan.command is None


@pytest.mark.parametrize(
    ("rule", "action", "target"),
    [
        ("strategy", Action.LEAVE, None),
        ("leave", Action.LEAVE, None),
        ("earliest", Action.SET, 10),
        ("latest", Action.SET, 100),
        ("refuse", Action.REFUSE, None),
    ],
)
def test_the_rule_of_a_copy_is_for_what_the_other_group_lacks(rule: str, action: Action, target: int | None) -> None:
    change = a_change("copy_group", strategy={"from_group": "other"}, rules={"no_commit": rule})
    for committed in (40, None):
        line = only_line(change, a_partition(committed=committed), source_group=a_group(group=GroupId("other")))
        assert (line.action, line.target) == (action, target)
    to_a_new_group = a_partition(committed=None, source=Committed(Offset(70)))
    assert only_line(change, to_a_new_group, source_group=a_group(group=GroupId("other"))).target == 70


def test_a_copy_from_a_missing_group_or_another_kind_is_refused() -> None:
    change = a_change("copy_group", strategy={"from_group": "other"})
    missing = a_group(GroupState.MISSING, group=GroupId("other"))
    with pytest.raises(SourceGroupMissing) as caught:
        a_plan(change, source_group=missing, near_source_names=("others",))
    assert caught.value.facts == {"group": "other", "near": ["others"]}
    with pytest.raises(WrongGroupKind):
        a_plan(change, source_group=a_group(group=GroupId("other"), protocol_type="connect"))


@pytest.mark.parametrize(
    ("change", "option"),
    [
        (a_change("to_earliest"), "--to-earliest"),
        (a_change("to_latest"), "--to-latest"),
        (a_change("to_current"), "--to-current"),
        (a_change("to_offset", strategy={"offset": 50}), "--to-offset 50"),
        (a_change("shift_by", strategy={"by": -5}), "--shift-by -5"),
    ],
)
def test_the_equivalent_command_names_group_scope_and_option(change: Change, option: str) -> None:
    plan = a_plan(change, a_partition(), a_partition(of=TopicPartition("t", 1)))
    assert plan.command == (
        "kafka-consumer-groups --bootstrap-server BOOTSTRAP_SERVERS --group g --topic t:0,1 "
        f"--reset-offsets {option} --dry-run"
    )


def test_a_file_is_exported_for_the_equivalent_command() -> None:
    plan = a_plan(a_change("from_file", strategy={"csv": "t,0,77"}))
    assert plan.command is not None and "--from-file plan.csv" in plan.command and "--topic" not in plan.command


def test_there_is_no_equivalent_where_the_tool_would_come_to_something_else() -> None:
    outside = a_partition(10, 100, 5)
    uncommitted = a_partition(committed=None)
    assert a_plan(a_change("to_current"), outside).command is None
    assert a_plan(a_change("to_latest", rules={"no_commit": "earliest"}), uncommitted).command is None
    assert a_plan(a_change("to_earliest", rules={"no_commit": "leave"}), uncommitted).command is None
    assert a_plan(a_change("shift_by", strategy={"by": 1}), uncommitted).command is None


def test_a_group_name_is_quoted_for_a_shell() -> None:
    plan = a_plan(a_change(group="it's; rm"))
    assert plan.command is not None and "--group 'it'\"'\"'s; rm'" in plan.command
