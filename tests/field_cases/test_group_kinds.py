"""Groups that are not what they look like, and topics that are not there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from kafkaconsole.kafka.errors import NotAuthorized
from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    GroupState,
    GroupType,
    Offset,
    Problem,
    ProblemKind,
    TopicPartition,
)
from kafkaconsole.resets.errors import GroupMissing, NothingInScope, TopicMissing, WrongGroupKind
from kafkaconsole.resets.facts import Seen
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute, targets_of
from kafkaconsole.resets.surroundings import Watch
from tests.field_cases.playing import ALL, NOW, a_broker, a_change, a_plan, commit, lines, only_line, warned

TEN = {0: (0, 100)}


def test_acl_01_a_forbidden_group_is_refused_with_the_missing_right() -> None:
    fake = a_broker(TEN, {0: 40})
    fake.answer("describe_groups", GroupId("g"), Problem(ProblemKind.NOT_AUTHORIZED, "GROUP_AUTHORIZATION_FAILED"))
    with pytest.raises(NotAuthorized) as refused:
        a_plan(fake, "to_earliest")
    assert refused.value.facts == {"right": "Describe", "resource": "group g"}


def test_acl_02_a_right_to_write_that_is_missing_is_told_with_the_plan() -> None:
    fake = a_broker(TEN, {0: 40})
    fake.operations = {"g": frozenset({"DESCRIBE"}), "orders": frozenset({"DESCRIBE"})}
    told = sentence("cannot_write", warned(a_plan(fake, "to_earliest"), "cannot_write"))
    assert "READ on group g, READ on topic orders" in told and "would refuse the reset" in told
    deleting = sentence("cannot_write", warned(a_plan(fake, "delete_offsets"), "cannot_write"))
    assert "DELETE on group g, READ on topic orders" in deleting
    fake.operations = {"g": frozenset({"DESCRIBE", "READ"}), "orders": frozenset({"DESCRIBE", "READ"})}
    assert "cannot_write" not in [warning.code for warning in a_plan(fake, "to_earliest").warnings]
    fake.operations = {}
    assert "cannot_write" not in [warning.code for warning in a_plan(fake, "to_earliest").warnings]


def test_state_01_an_active_group_is_told_with_its_members() -> None:
    fake = a_broker(TEN, {0: 100})
    fake.join("g", client_id="billing-1", topics=["orders"])
    told = warned(a_plan(fake, "to_earliest"), "group_not_empty")
    assert told["state"] == "Stable"
    assert "billing-1" in sentence("group_not_empty", told)


def test_state_03_a_static_member_is_told_with_its_instance_and_why_it_stays() -> None:
    fake = a_broker(TEN, {0: 100})
    fake.join("g", client_id="billing-1", topics=["orders"], instance_id="billing-static-1")
    text = sentence("group_not_empty", warned(a_plan(fake, "to_earliest"), "group_not_empty"))
    assert "billing-static-1" in text and "until its session times out" in text


def test_state_04_a_group_called_dead_that_has_commits_is_planned_and_its_state_told() -> None:
    fake = a_broker({0: (0, 1000)}, {0: 900})
    fake.group("g").state = GroupState.DEAD
    plan = a_plan(fake, "to_offset", offset=850)
    assert (plan.lines[0].target, plan.group_state) == (850, GroupState.DEAD)
    assert "group_not_empty" not in [warning.code for warning in plan.warnings]


def test_state_05_a_live_group_of_the_newer_protocol_is_never_dead() -> None:
    fake = a_broker(TEN, {0: 100})
    fake.join("g", client_id="member", topics=["orders"], type=GroupType.CONSUMER)
    plan = a_plan(fake, "to_earliest")
    assert (plan.group_type, plan.group_state, len(plan.members)) == (GroupType.CONSUMER, GroupState.STABLE, 1)


def test_state_08_a_group_is_made_only_when_that_was_asked_for() -> None:
    fake = a_broker({0: (0, 100), 1: (0, 100)})
    with pytest.raises(GroupMissing):
        a_plan(fake, "to_earliest", group="newsvc")
    plan = a_plan(fake, "to_earliest", group="newsvc", create_group=True)
    assert [(line.committed, line.target) for line in plan.lines] == [(None, 0), (None, 0)]
    assert warned(plan, "group_will_be_created") == {"group": "newsvc"}


def test_state_09_a_share_group_is_refused_by_name() -> None:
    fake = a_broker(TEN)
    fake.join("s", client_id="member", topics=["orders"], type=GroupType.SHARE)
    with pytest.raises(WrongGroupKind) as refused:
        a_plan(fake, "to_earliest", group="s")
    assert "kafka-share-groups" in sentence(refused.value.code, refused.value.facts)


def test_fw_03_a_group_of_connect_workers_is_refused_with_the_right_way() -> None:
    fake = a_broker(TEN)
    group = fake.group("connect-cluster")
    group.state, group.protocol_type = GroupState.STABLE, "connect"
    with pytest.raises(WrongGroupKind) as refused:
        a_plan(fake, "to_earliest", group="connect-cluster")
    assert "Connect" in sentence(refused.value.code, refused.value.facts)


def test_fw_01_a_running_sink_is_told_as_active_and_plans_once_it_is_stopped() -> None:
    fake = a_broker(TEN, {})
    commit(fake, {0: 100}, group="connect-my-sink")
    fake.join("connect-my-sink", client_id="connector-consumer-my-sink-0", topics=["orders"])
    running = a_plan(fake, "to_earliest", group="connect-my-sink")
    assert "connector-consumer-my-sink-0" in sentence("group_not_empty", warned(running, "group_not_empty"))
    fake.leave("connect-my-sink")
    stopped = a_plan(fake, "to_earliest", group="connect-my-sink")
    assert "group_not_empty" not in [warning.code for warning in stopped.warnings]


def test_fw_05_all_committed_of_a_group_that_keeps_no_offsets_is_refused() -> None:
    fake = a_broker(TEN)
    fake.group("spark-kafka-source-1").state = GroupState.EMPTY
    with pytest.raises(NothingInScope) as refused:
        a_plan(fake, "to_earliest", group="spark-kafka-source-1", scope=ALL)
    assert "no committed offset" in sentence(refused.value.code, refused.value.facts)
    seeding = a_plan(fake, "to_earliest", group="spark-kafka-source-1")
    assert [(line.committed, line.target) for line in seeding.lines] == [(None, 0)]


def test_fw_04_a_flink_job_is_told_to_start_from_its_own_state_and_its_commits_to_move() -> None:
    fake = a_broker(dict.fromkeys(range(2), (0, 100)), {})
    commit(fake, {0: 40, 1: 40}, group="billing-flink")
    change = a_change("to_earliest", group="billing-flink")
    facts = gather(fake, change, now=NOW, times=None)
    watch = Watch(timedelta(0))
    commit(fake, {0: 60, 1: 60}, group="billing-flink")
    plan = compute(change, watch.again(fake, facts), NOW)
    job = sentence("flink_job", warned(plan, "flink_job"))
    assert "will start from those, not from this reset" in job
    assert warned(plan, "commits_moving")["count"] == 2


def test_fw_06_internal_topics_of_streams_are_left_out_unless_they_are_named() -> None:
    fake = a_broker(TEN, {})
    fake.add_topic("app1-x-repartition")
    fake.add_topic("app1-x-changelog")
    commit(fake, {0: 40}, group="app1")
    commit(fake, {0: 0}, topic="app1-x-repartition", group="app1")
    plan = a_plan(fake, "to_earliest", group="app1", scope=ALL)
    assert [str(line.of) for line in plan.lines] == ["orders-0"]
    assert warned(plan, "streams_topics_left_out")["topics"] == ["app1-x-repartition"]
    assert "state stores" in sentence("streams_application", warned(plan, "streams_application"))
    named = {"topics": [{"topic": "app1-x-repartition"}]}
    assert [str(one.of) for one in a_plan(fake, "to_earliest", group="app1", scope=named).lines] == [
        "app1-x-repartition-0"
    ]


def test_fw_08_the_text_beside_a_commit_is_kept() -> None:
    fake = a_broker(TEN)
    of = TopicPartition("orders", 0)
    fake.set_committed("g", {of: Committed(Offset(100), "AQAAAYx", 3)})
    plan = a_plan(fake, "to_offset", offset=50)
    assert (plan.lines[0].metadata, plan.lines[0].leader_epoch) == ("AQAAAYx", 3)
    assert targets_of(plan.lines) == {of: Committed(Offset(50), "AQAAAYx", None)}


def test_topic_01_a_commit_on_a_deleted_topic_is_named_and_not_planned() -> None:
    fake = a_broker(TEN, {0: 40})
    commit(fake, {0: 7}, topic="gone")
    plan = a_plan(fake, "to_earliest", scope=ALL)
    assert [str(line.of) for line in plan.lines] == ["orders-0"]
    assert warned(plan, "partitions_gone")["partitions"] == ["gone-0"]
    fake.remove_topic("orders")
    with pytest.raises(TopicMissing):
        a_plan(fake, "to_earliest")


def test_topic_03_commits_on_partitions_that_a_topic_lost_are_named_and_not_planned() -> None:
    fake = a_broker(dict.fromkeys(range(3), (0, 10)), dict.fromkeys(range(6), 5))
    plan = a_plan(fake, "to_earliest", scope=ALL)
    assert [line.of.partition for line in plan.lines] == [0, 1, 2]
    assert warned(plan, "partitions_gone")["count"] == 3


def test_topic_04_asking_for_a_missing_topic_makes_none() -> None:
    fake = a_broker(TEN, {0: 40})
    with pytest.raises(TopicMissing):
        a_plan(fake, "to_earliest", scope={"topics": [{"topic": "typo-orders"}]})
    with pytest.raises(TopicMissing):
        a_plan(fake, "from_file", scope=None, csv="typo-orders,0,5\n")
    assert set(fake.topics()) == {"orders"}


def test_part_01_a_whole_topic_holds_its_uncommitted_partitions_too() -> None:
    fake = a_broker(dict.fromkeys(range(4), (0, 40)), dict.fromkeys(range(3), 40))
    found = lines(fake, "to_latest")
    assert (found["orders-3"].committed, found["orders-3"].target) == (None, 40)
    plan = a_plan(fake, "to_latest", scope=ALL)
    assert [line.of.partition for line in plan.lines] == [0, 1, 2]
    told = sentence("partitions_uncommitted", warned(plan, "partitions_uncommitted"))
    assert "no commit on 1 partition (orders-3) of the same topics" in told and "Name the topics in the scope" in told


def test_state_11_a_group_without_members_whose_commits_move_is_told_of() -> None:
    fake = a_broker({0: (0, 200)}, {0: 100})
    change = a_change("to_earliest")
    facts = gather(fake, change, now=NOW, times=None)
    commit(fake, {0: 105})
    plan = compute(change, Watch(timedelta(0)).again(fake, facts), NOW)
    told = sentence("commits_moving", warned(plan, "commits_moving"))
    assert "has no members, yet its commits moved" in told and "orders-0 from 100 to 105" in told
    seen = Seen(empty_since=NOW - timedelta(days=1), moved_while_empty={"orders": NOW})
    lately = compute(change, replace(facts, seen=seen), NOW)
    assert "orders" in sentence("commits_moved_lately", warned(lately, "commits_moved_lately"))


def test_txn_03_going_to_the_end_past_an_open_transaction_says_what_would_be_jumped_over() -> None:
    fake = a_broker({0: (0, 1663)}, {0: 200})
    fake.open_transaction("orders", 0, at_offset=200)
    plan = a_plan(fake, "to_latest")
    assert (plan.lines[0].log_end, plan.lines[0].last_stable) == (1663, 200)
    assert warned(plan, "open_transactions")["offsets"] == 1463


def test_txn_07_what_cannot_be_read_is_counted_as_offsets() -> None:
    line = only_line(a_broker({0: (0, 2)}, {0: 0}), "to_latest")
    assert (line.target, line.skipped) == (2, 2)
