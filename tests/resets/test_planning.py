"""From facts to a plan: the rules for awkward partitions, the refusals, the warnings, the numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.values import Committed, GroupState, GroupType, Offset, Problem, ProblemKind, TopicPartition
from kafkaconsole.resets.errors import GroupMissing, NothingInScope, TopicMissing, WrongGroupKind
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute, difference, targets_of
from kafkaconsole.resets.plans import Action, PlanWarning, Why
from tests.resets.making import (
    NOW,
    T0,
    a_change,
    a_group,
    a_member,
    a_partition,
    a_plan,
    at,
    codes,
    only_line,
    some_facts,
    timed,
)

T1, T2 = TopicPartition("t", 1), TopicPartition("t", 2)


def only_warning(change_kind: str, *partitions: object, **more: object) -> tuple[PlanWarning, str]:
    """The one warning of a plan, and its sentence."""
    (warning,) = a_plan(a_change(change_kind), *partitions, **more).warnings  # type: ignore[arg-type]
    return warning, sentence(warning.code, warning.facts)


def refusal(error: ConsoleError) -> str:
    """The sentence of a refusal."""
    return sentence(error.code, error.facts)


@pytest.mark.parametrize(
    ("rule", "action", "target", "why"),
    [
        ("strategy", Action.SET, 100, None),
        ("leave", Action.LEAVE, None, Why.NO_COMMIT),
        ("earliest", Action.SET, 10, Why.NO_COMMIT),
        ("latest", Action.SET, 100, Why.NO_COMMIT),
        ("refuse", Action.REFUSE, None, Why.NO_COMMIT),
    ],
)
def test_the_rule_decides_where_the_group_has_no_commit(
    rule: str, action: Action, target: int | None, why: Why | None
) -> None:
    line = only_line(a_change("to_latest", rules={"no_commit": rule}), a_partition(committed=None))
    assert (line.action, line.target, line.why) == (action, target, why)
    assert (line.committed, line.replayed, line.skipped) == (None, None, None)


@pytest.mark.parametrize(("rule", "target"), [("earliest", 10), ("latest", 100)])
def test_the_rule_for_no_commit_helps_a_strategy_that_starts_from_it(rule: str, target: int) -> None:
    change = a_change("shift_by", strategy={"by": 1}, rules={"no_commit": rule})
    assert only_line(change, a_partition(committed=None)).target == target
    assert only_line(change, a_partition(committed=40)).target == 41


@pytest.mark.parametrize("offset", [9, 101])
def test_out_of_range_refuses_where_the_rule_says_so(offset: int) -> None:
    change = a_change("to_offset", strategy={"offset": offset}, rules={"out_of_range": "refuse"})
    line = only_line(change)
    assert (line.action, line.why, line.wanted, line.target) == (Action.REFUSE, Why.OUT_OF_RANGE, offset, None)


@pytest.mark.parametrize("offset", [10, 100])
def test_both_ends_of_the_log_are_in_range(offset: int) -> None:
    change = a_change("to_offset", strategy={"offset": offset}, rules={"out_of_range": "refuse"})
    assert only_line(change).target == offset


@pytest.mark.parametrize(
    ("committed", "target", "replayed", "skipped"),
    [
        (40, 40, 0, 0),
        (40, 30, 10, 0),
        (40, 60, 0, 20),
        (5, 10, 0, 0),  # the group would go on at the log start
        (5, 15, 0, 5),
        (140, 100, 0, 0),  # … and at the log end
        (140, 90, 10, 0),
    ],
)
def test_replayed_and_skipped_count_from_where_the_group_would_really_go_on(
    committed: int, target: int, replayed: int, skipped: int
) -> None:
    line = only_line(a_change("to_offset", strategy={"offset": target}), a_partition(10, 100, committed))
    assert (line.replayed, line.skipped) == (replayed, skipped)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (ProblemKind.NO_LEADER, Why.NO_LEADER),
        (ProblemKind.NOT_AUTHORIZED, Why.NOT_AUTHORIZED),
        (ProblemKind.NOT_FOUND, Why.UNKNOWN_PARTITION),
        (ProblemKind.UNAVAILABLE, Why.UNAVAILABLE),
        (ProblemKind.REFUSED, Why.UNAVAILABLE),
    ],
)
def test_a_partition_with_a_problem_refuses_the_plan_and_says_why(kind: ProblemKind, why: Why) -> None:
    broken = a_partition(of=T1, bounds=None, problem=Problem(kind, "SOME_ERROR"))
    plan = a_plan(a_change(), a_partition(), broken)
    assert [(line.action, line.why) for line in plan.lines] == [(Action.SET, None), (Action.REFUSE, why)]
    assert plan.refused and plan.command is None
    (warning,) = plan.warnings
    assert warning == PlanWarning("lines_refused", {"count": 1, "why": {why.value: 1}})
    assert "no request can be made" in sentence(warning.code, warning.facts)


def test_a_problem_beside_known_bounds_refuses_too() -> None:
    problem = Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED")
    assert only_line(a_change(), a_partition(problem=problem)).action is Action.REFUSE


def test_a_plan_says_when_where_and_for_whom_it_was_made() -> None:
    member = a_member()
    group = a_group(GroupState.STABLE, members=(member,))
    change = a_change("by_duration", strategy={"duration": "PT1H"})
    plan = compute(
        change, some_facts(a_partition(found_at=timed(50, 1000)), group=group, resolved_instant=at(5)), at(7)
    )
    assert (plan.planned_at, plan.cluster_id, plan.resolved_instant) == (at(7), "cluster-id", at(5))
    assert (plan.group, plan.group_type, plan.group_state, plan.members) == (
        "g",
        GroupType.CLASSIC,
        GroupState.STABLE,
        (member,),
    )


def test_a_line_tells_the_times_of_the_records_on_both_sides_of_its_target() -> None:
    around = {T0: (timed(10, 1), timed(48, 2), timed(49, 3), timed(50, 4), timed(51, 5))}
    line = only_line(a_change("to_offset", strategy={"offset": 50}), around=around)
    assert (line.record_at, line.record_before_at) == (at(4), at(3))
    line = only_line(a_change("to_earliest"), around=around)
    assert (line.record_at, line.record_before_at) == (at(1), None)
    found = a_partition(found_at=timed(50, 9))
    change = a_change("by_duration", strategy={"duration": "PT1H"})
    assert only_line(change, found, around=around).record_at == at(9)
    line = only_line(a_change(rules={"no_commit": "leave"}), a_partition(committed=None), around=around)
    assert (line.record_at, line.record_before_at) == (None, None)


@pytest.mark.parametrize(("rule", "offset"), [("earliest", 10), ("latest", 100)])
def test_an_offset_that_a_rule_names_is_the_one_that_was_wanted(rule: str, offset: int) -> None:
    line = only_line(a_change("to_latest", rules={"no_commit": rule}), a_partition(committed=None))
    assert (line.wanted, line.target) == (offset, offset)


def test_lines_stand_in_the_order_of_topic_and_partition_number() -> None:
    names = [TopicPartition("t", 10), TopicPartition("b", 1), TopicPartition("t", 9)]
    plan = a_plan(a_change(), *(a_partition(of=of) for of in names))
    assert [str(line.of) for line in plan.lines] == ["b-1", "t-9", "t-10"]


def test_totals_add_up_what_changes() -> None:
    plan = a_plan(
        a_change("to_offset", strategy={"offset": 40}),
        a_partition(committed=40),
        a_partition(of=T1, committed=70),
        a_partition(of=T2, committed=15),
        a_partition(of=TopicPartition("t", 3), committed=None),
    )
    assert (plan.totals.partitions, plan.totals.changed, plan.totals.replayed, plan.totals.skipped) == (4, 3, 30, 25)


@pytest.mark.parametrize(
    ("kind", "protocol", "told", "advice"),
    [
        (GroupType.SHARE, "share", "share", "kafka-share-groups"),
        (GroupType.STREAMS, "streams", "streams", "kafka-streams-groups"),
        (GroupType.CONNECT, "connect", "connect", "connect-NAME"),
        (GroupType.CLASSIC, "connect", "connect", "connect-NAME"),
        (GroupType.CLASSIC, "sr", "sr", "program that it belongs to"),
        (GroupType.UNKNOWN, "", "unknown", "broker"),
    ],
)
def test_groups_of_another_kind_are_refused_with_the_right_way(
    kind: GroupType, protocol: str, told: str, advice: str
) -> None:
    with pytest.raises(WrongGroupKind) as caught:
        a_plan(a_change(), group=a_group(type=kind, protocol_type=protocol))
    assert caught.value.facts == {"group": "g", "kind": told}
    assert advice in refusal(caught.value)


@pytest.mark.parametrize(("kind", "protocol"), [(GroupType.CLASSIC, ""), (GroupType.CONSUMER, "consumer")])
def test_simple_groups_and_new_consumer_groups_can_be_reset(kind: GroupType, protocol: str) -> None:
    assert not a_plan(a_change(), group=a_group(type=kind, protocol_type=protocol)).refused


def test_a_missing_group_is_refused_with_near_names_unless_it_is_to_be_created() -> None:
    missing = a_group(GroupState.MISSING, type=GroupType.UNKNOWN, protocol_type="")
    with pytest.raises(GroupMissing) as caught:
        a_plan(a_change(), group=missing, near_names=("gg", "G"))
    assert "no group g" in refusal(caught.value) and "Names like it: gg, G." in refusal(caught.value)
    plan = a_plan(a_change(create_group=True), a_partition(committed=None), group=missing)
    assert codes(plan) == ["group_will_be_created"] and plan.lines[0].target == 10


def test_missing_topics_are_refused_all_at_once_with_near_names() -> None:
    with pytest.raises(TopicMissing) as caught:
        a_plan(a_change(), missing_topics={"ordres": ("orders",), "x": ()})
    assert refusal(caught.value).startswith("The cluster has no topic ordres (names like it: orders), x.")


@pytest.mark.parametrize(
    ("scope", "told"), [({"all_committed": True}, "all_committed"), ({"topics": [{"topic": "t"}]}, "topics")]
)
def test_a_scope_that_comes_to_nothing_is_refused(scope: dict[str, object], told: str) -> None:
    change = a_change(scope=scope)
    with pytest.raises(NothingInScope) as caught:
        compute(change, replace(some_facts(), partitions=()), NOW)
    assert caught.value.facts == {"group": "g", "scope": told}
    assert "Name" in refusal(caught.value)


def test_a_group_with_members_is_warned_of_with_every_member() -> None:
    group = a_group(GroupState.STABLE, members=(a_member("billing-1"), a_member("billing-2", "static-2")))
    warning, static = a_plan(a_change("to_earliest"), group=group).warnings
    words = sentence(warning.code, warning.facts)
    assert (warning.code, static.code) == ("group_not_empty", "static_members")
    assert [one["client_id"] for one in warning.facts["members"]] == ["billing-1", "billing-2"]  # type: ignore[attr-defined]
    assert "billing-1 on 10.0.0.1, reads 1 partition (t-0)" in words
    assert "static member static-2" in words and "Stable, not Empty" in words
    assert "1 member of the group" in sentence(static.code, static.facts)


UNUSED = (GroupState.EMPTY, GroupState.MISSING, GroupState.DEAD)


@pytest.mark.parametrize("state", [state for state in GroupState if state not in UNUSED])
def test_every_state_but_empty_is_warned_of(state: GroupState) -> None:
    warning, words = only_warning("to_earliest", group=a_group(state))
    assert (warning.code, warning.facts["state"]) == ("group_not_empty", state.value)
    assert state.value in words


def test_a_group_called_dead_is_there_as_long_as_it_has_commits() -> None:
    dead = a_group(GroupState.DEAD)
    plan = a_plan(a_change(), a_partition(committed=40), a_partition(of=T1, committed=None), group=dead)
    assert (codes(plan), plan.group_state) == ([], GroupState.DEAD)
    with pytest.raises(GroupMissing):
        a_plan(a_change(), a_partition(committed=None), group=dead)
    assert a_plan(a_change(create_group=True), a_partition(committed=None), group=dead).lines[0].target == 10


def test_a_group_called_dead_that_has_a_member_is_in_use() -> None:
    plan = a_plan(a_change(), group=a_group(GroupState.DEAD, members=(a_member(),)))
    assert codes(plan) == ["group_not_empty"]


def test_a_plan_that_changes_nothing_says_so() -> None:
    warning, words = only_warning("to_current")
    assert warning.code == "no_changes" and "already" in words
    assert only_warning("to_latest", a_partition(committed=100))[0].code == "no_changes"


def test_clamped_lines_are_counted_and_named() -> None:
    plan = a_plan(a_change("to_offset", strategy={"offset": 500}), a_partition(), a_partition(of=T1))
    (warning,) = plan.warnings
    assert warning == PlanWarning("lines_clamped", {"count": 2, "partitions": ["t-0", "t-1"]})
    assert "2 partitions (t-0, t-1)" in sentence(warning.code, warning.facts)


def test_a_warning_names_twenty_partitions_at_most() -> None:
    many = [a_partition(of=TopicPartition("t", number)) for number in range(50)]
    (warning,) = a_plan(a_change("to_offset", strategy={"offset": 500}), *many).warnings
    assert warning.facts["count"] == 50 and len(list(warning.facts["partitions"])) == 20  # type: ignore[call-overload]
    assert "50 partitions (t-0, t-1, t-2, t-3, t-4 and 45 more)" in sentence(warning.code, warning.facts)


@pytest.mark.parametrize(
    ("committed", "stable", "offsets"), [(40, 60, 40), (70, 60, 30), (40, 100, None), (40, None, None), (None, 60, 40)]
)
def test_open_transactions_below_the_target_are_warned_of(
    committed: int | None, stable: int | None, offsets: int | None
) -> None:
    plan = a_plan(a_change("to_latest"), a_partition(committed=committed, stable=stable))
    told = [warning.facts["offsets"] for warning in plan.warnings if warning.code == "open_transactions"]
    assert told == ([] if offsets is None else [offsets])


def test_records_lost_to_retention_are_counted() -> None:
    plan = a_plan(a_change(), a_partition(10, 100, 4), a_partition(10, 100, 10, of=T1), a_partition(10, 100, 40, of=T2))
    (lost,) = [warning for warning in plan.warnings if warning.code == "records_lost"]
    assert lost.facts == {"count": 1, "partitions": ["t-0"], "offsets": 6}
    assert "6 offsets" in sentence(lost.code, lost.facts)


def test_a_commit_beyond_the_log_end_is_warned_of() -> None:
    assert "committed_beyond_end" in codes(a_plan(a_change(), a_partition(10, 100, 101)))
    assert "committed_beyond_end" not in codes(a_plan(a_change(), a_partition(10, 100, 100)))


def test_internal_topics_are_warned_of_by_name() -> None:
    warning, words = only_warning("to_earliest", internal_topics=frozenset({"t", "elsewhere"}))
    assert (warning.code, warning.facts) == ("internal_topic", {"topics": ["t"]})
    assert words.endswith("t.")


def test_partitions_that_are_gone_and_streams_applications_are_warned_of() -> None:
    plan = a_plan(a_change(), group=a_group(assignor="stream"), gone=(TopicPartition("old", 0),))
    assert codes(plan) == ["streams_application", "partitions_gone"]
    assert all(sentence(warning.code, warning.facts) for warning in plan.warnings)


def test_what_is_committed_keeps_the_metadata_and_the_epoch_only_of_an_offset_that_stays() -> None:
    plan = a_plan(
        a_change("to_offset", strategy={"offset": 40}),
        a_partition(committed=40, metadata="note\0", epoch=7),
        a_partition(of=T1, committed=50, metadata="note\0", epoch=7),
        a_partition(of=T2, committed=None),
    )
    assert targets_of(plan.lines) == {
        TopicPartition("t", 0): Committed(Offset(40), "note\0", 7),
        T1: Committed(Offset(40), "note\0", None),
        T2: Committed(Offset(40), "", None),
    }


def test_only_lines_that_set_are_committed() -> None:
    plan = a_plan(
        a_change("to_latest", rules={"no_commit": "leave"}), a_partition(), a_partition(of=T1, committed=None)
    )
    assert list(targets_of(plan.lines)) == [TopicPartition("t", 0)]


def test_the_difference_of_two_plans_is_what_would_be_signed_otherwise() -> None:
    change = a_change("to_latest")
    before = a_plan(change, a_partition(), a_partition(of=T1), a_partition(of=T2))
    after = a_plan(
        change, a_partition(start=11), a_partition(of=T1, committed=41), a_partition(of=TopicPartition("u", 0))
    )
    told = difference(before.lines, after.lines)
    assert [(str(one.of), one.before is None, one.after is None) for one in told] == [
        ("t-1", False, False),
        ("t-2", False, True),
        ("u-0", True, False),
    ]
    assert difference(before.lines, before.lines) == ()


def test_the_time_of_the_record_at_the_target_is_told_where_it_is_known() -> None:
    assert only_line(a_change(), around={T0: (timed(10, 1000),)}).record_at == at(1000)
    assert only_line(a_change(), around={T0: (timed(9, 900), timed(12, 1000))}).record_at == at(
        1000
    )  # the first one from there on
    assert only_line(a_change(), around={T0: (timed(9, 1000),)}).record_at is None
    assert only_line(a_change()).record_at is None
