"""What is asked of a cluster, in which order, and what its answers become."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable, NotAuthorized
from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    GroupState,
    GroupType,
    ListedGroup,
    Offset,
    Problem,
    ProblemKind,
    TopicPartition,
)
from kafkaconsole.resets import reading
from kafkaconsole.resets.errors import BadInstant, GroupNotProvenMissing
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.gathering import gather, near_names
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.plans import Plan, Why
from tests.fakes.kafka import FakeKafka
from tests.resets.making import NOW, T0, a_change

T1 = TopicPartition("t", 1)
FORBIDDEN = Problem(ProblemKind.NOT_AUTHORIZED, "GROUP_AUTHORIZATION_FAILED")
BUSY = Problem(ProblemKind.UNAVAILABLE, "COORDINATOR_LOAD_IN_PROGRESS", passing=True)
ALL: dict[str, Any] = {"scope": {"all_committed": True}}


@pytest.fixture
def fake() -> FakeKafka:
    """Topic t: two partitions of ten records, one a minute, the last one now. Group g: a commit at 4 on t-0."""
    broker = FakeKafka()
    broker.add_topic("t", 2)
    for number in range(10):
        for partition in (0, 1):
            broker.produce("t", partition, b"m", at=NOW - timedelta(minutes=9 - number))
    broker.set_committed("g", {T0: Committed(Offset(4), "note", 2)})
    return broker


def facts_of(fake: FakeKafka, kind: str = "to_earliest", *, times: FakeKafka | None = None, **more: Any) -> Facts:
    """The facts of a change, measured at NOW."""
    return gather(fake, a_change(kind, **more), now=NOW, times=times)


def plan_of(fake: FakeKafka, kind: str = "to_earliest", **more: Any) -> Plan:
    """The plan of a change, facts and all."""
    change = a_change(kind, **more)
    return compute(change, gather(fake, change, now=NOW, times=fake), NOW)


def by_name(facts: Facts) -> dict[str, PartitionFacts]:
    """The partitions of the facts by name."""
    return {str(one.of): one for one in facts.partitions}


def test_a_named_topic_is_measured_with_every_partition_and_commit(fake: FakeKafka) -> None:
    facts = facts_of(fake)
    first, second = facts.partitions
    assert facts.cluster_id == "fake-cluster" and facts.measured_at == NOW and facts.group.state is GroupState.EMPTY
    assert (first.of, first.committed, first.topic_id) == (
        T0,
        Committed(Offset(4), "note", 2),
        fake.topic_map["t"].topic_id,
    )
    assert (second.of, second.committed) == (T1, None)
    assert first.bounds is not None
    assert (first.bounds.log_start, first.bounds.log_end, first.bounds.last_stable) == (0, 10, 10)


def test_logs_are_measured_after_commits_so_that_no_commit_is_ahead_of_its_log(fake: FakeKafka) -> None:
    for change in ({}, ALL):
        fake.calls.clear()
        facts_of(fake, **change)
        names = [str(getattr(call, "name", call)) for call in fake.calls]
        assert names.index("bounds") > max(names.index(one) for one in names if one.startswith("committed"))


def test_nothing_is_ever_written(fake: FakeKafka) -> None:
    plan_of(fake, "to_latest")
    assert fake.commits == [] and fake.deletions == []


def test_only_the_named_partitions_are_measured(fake: FakeKafka) -> None:
    facts = facts_of(fake, scope={"topics": [{"topic": "t", "partitions": [1]}]})
    assert [one.of for one in facts.partitions] == [T1]


def test_all_committed_is_what_the_group_has_a_commit_on(fake: FakeKafka) -> None:
    assert [one.of for one in facts_of(fake, **ALL).partitions] == [T0]


def test_commits_on_what_does_not_exist_any_more_are_gone_and_not_planned(fake: FakeKafka) -> None:
    fake.set_committed(
        "g", {TopicPartition("old", 0): Committed(Offset(7)), TopicPartition("t", 9): Committed(Offset(1))}
    )
    facts = facts_of(fake, **ALL)
    assert [one.of for one in facts.partitions] == [T0]
    assert facts.gone == (TopicPartition("old", 0), TopicPartition("t", 9))


def test_a_partition_that_a_topic_does_not_have_refuses(fake: FakeKafka) -> None:
    plan = plan_of(fake, scope={"topics": [{"topic": "t", "partitions": [0, 9]}]})
    assert [line.why for line in plan.lines] == [None, Why.UNKNOWN_PARTITION]
    plan = plan_of(fake, "from_file", strategy={"csv": "t,0,5\nt,9,5"}, scope=None)
    assert [line.why for line in plan.lines] == [None, Why.UNKNOWN_PARTITION]


def test_a_partition_without_a_leader_refuses(fake: FakeKafka) -> None:
    fake.lose_leader("t", 1)
    assert [line.why for line in plan_of(fake).lines] == [None, Why.NO_LEADER]


def test_a_missing_topic_comes_with_near_names_and_makes_none(fake: FakeKafka) -> None:
    fake.add_topic("orders")
    topics = {"topics": [{"topic": "ordres"}, {"topic": "t"}]}
    assert facts_of(fake, scope=topics).missing_topics == {"ordres": ("orders",)}
    assert facts_of(fake, "from_file", strategy={"csv": "Orders,0,5"}, scope=None).missing_topics == {
        "Orders": ("orders",)
    }
    assert set(fake.topic_map) == {"t", "orders"}


def test_a_missing_group_comes_with_near_names_and_no_commits(fake: FakeKafka) -> None:
    fake.group("billing-orders")
    facts = facts_of(fake, group="billing-order")
    assert facts.group.state is GroupState.MISSING
    assert facts.near_names == ("billing-orders",)
    assert [one.committed for one in facts.partitions] == [None, None]
    assert facts_of(fake, group="nobody", **ALL).partitions == ()


def test_missing_is_not_believed_while_a_broker_does_not_list_its_groups(fake: FakeKafka) -> None:
    fake.answer("list_groups", "2", BUSY)
    with pytest.raises(GroupNotProvenMissing) as caught:
        facts_of(fake, group="nobody")
    assert caught.value.facts == {"group": "nobody", "brokers": ["2"]}


def test_a_group_that_is_called_dead_is_looked_up_in_the_listing(fake: FakeKafka) -> None:
    dead = ListedGroup(GroupId("g"), GroupType.SHARE, GroupState.STABLE, "share")
    fake.group("g").type, fake.group("g").state, fake.group("g").protocol_type = dead.type, dead.state, "share"
    described = facts_of(fake).group
    fake.answer(
        "describe_groups", GroupId("g"), described.__class__(GroupId("g"), GroupType.CLASSIC, GroupState.DEAD, "")
    )
    found = facts_of(fake).group
    assert (found.type, found.state) == (GroupType.SHARE, GroupState.DEAD)
    fake.remove_group("g")
    assert facts_of(fake).group.state is GroupState.MISSING


def test_a_group_that_may_not_be_described_is_an_error_that_names_the_right(fake: FakeKafka) -> None:
    fake.answer("describe_groups", GroupId("g"), FORBIDDEN)
    with pytest.raises(NotAuthorized) as caught:
        facts_of(fake)
    assert caught.value.facts == {"right": "Describe", "resource": "group g"}


@pytest.mark.parametrize(
    ("problem", "error"),
    [
        (BUSY, KafkaUnavailable),
        (Problem(ProblemKind.REFUSED, "INVALID_GROUP_ID"), KafkaRefused),
        (FORBIDDEN, NotAuthorized),
    ],
)
def test_commits_that_cannot_be_read_at_all_are_an_error(
    fake: FakeKafka, problem: Problem, error: type[Exception]
) -> None:
    fake.answer("committed", GroupId("g"), problem)
    with pytest.raises(error):
        facts_of(fake, **ALL)


def test_a_topic_that_may_not_be_described_is_an_error_and_not_missing(fake: FakeKafka) -> None:
    fake.answer("topics", "t", Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED"))
    for scope in ({"topics": [{"topic": "t"}]}, {"all_committed": True}):
        with pytest.raises(NotAuthorized) as caught:
            facts_of(fake, scope=scope)
        assert caught.value.facts["resource"] == "topic t"


@pytest.mark.parametrize("call", ["committed_of", "bounds"])
def test_one_partitions_problem_refuses_that_partition_alone(fake: FakeKafka, call: str) -> None:
    fake.answer(call, T1, FORBIDDEN)
    assert [line.why for line in plan_of(fake).lines] == [None, Why.NOT_AUTHORIZED]


def test_a_moment_is_looked_up_and_resolved_once(fake: FakeKafka) -> None:
    facts = facts_of(fake, "by_duration", strategy={"duration": "PT3M"})
    assert facts.resolved_instant == NOW - timedelta(minutes=3)
    assert [one.found_at.offset for one in facts.partitions if one.found_at] == [6, 6]
    assert all(one.newest is None for one in facts.partitions)
    assert facts_of(fake).resolved_instant is None


def test_a_moment_without_a_record_after_it_is_cross_checked(fake: FakeKafka) -> None:
    plan = plan_of(fake, "to_datetime", strategy={"datetime": "2026-12-01T09:00:00.001Z"})
    assert [(line.target, line.why) for line in plan.lines] == [(10, Why.NO_RECORD_AFTER)] * 2


def test_a_none_that_the_newest_record_contradicts_is_refused_where_no_record_can_be_read(fake: FakeKafka) -> None:
    fake.answer("offsets_at", T0, None)
    fake.fail("read", KafkaUnavailable(reason="timed_out"))
    lines = plan_of(fake, "by_duration", strategy={"duration": "PT3M"}).lines
    assert [line.why for line in lines] == [Why.NO_RECORD_AFTER_UNCERTAIN, None]


def test_a_record_that_arrives_between_the_two_questions_is_no_contradiction(fake: FakeKafka) -> None:
    fake.before("max_timestamps", lambda: fake.produce("t", 0, b"late", at=NOW + timedelta(seconds=5)))
    lines = plan_of(fake, "to_datetime", strategy={"datetime": "2026-12-01T09:00:01Z"}).lines
    assert [(line.target, line.why) for line in lines] == [(10, Why.NO_RECORD_AFTER)] * 2


@pytest.mark.parametrize("call", ["offsets_at", "max_timestamps"])
def test_a_time_that_cannot_be_looked_up_refuses_the_partition(fake: FakeKafka, call: str) -> None:
    fake.answer(call, T0, BUSY)
    strategy = {"datetime": "2026-12-01T09:00:01Z"}
    assert [line.why for line in plan_of(fake, "to_datetime", strategy=strategy).lines] == [
        Why.UNAVAILABLE,
        Why.NO_RECORD_AFTER,
    ]


def test_a_moment_before_1970_is_refused_before_anything_is_asked(fake: FakeKafka) -> None:
    with pytest.raises(BadInstant):
        facts_of(fake, "by_duration", strategy={"duration": "P40000D"})
    assert not fake.calls


def test_a_copy_reads_the_other_groups_commits(fake: FakeKafka) -> None:
    fake.set_committed("other", {T1: Committed(Offset(8), "theirs", 5)})
    copied = by_name(facts_of(fake, "copy_group", strategy={"from_group": "other"}))
    assert copied["t-1"].source == Committed(Offset(8), "theirs", 5) and copied["t-0"].source is None
    both = facts_of(fake, "copy_group", strategy={"from_group": "other"}, **ALL)
    assert [one.of for one in both.partitions] == [T0, T1]
    assert both.source_group is not None and both.source_group.group == "other"


def test_a_copy_from_a_missing_group_tells_near_names(fake: FakeKafka) -> None:
    fake.group("others")
    facts = facts_of(fake, "copy_group", strategy={"from_group": "other"})
    assert facts.near_source_names == ("others",)
    assert facts.source_group is not None and facts.source_group.state is GroupState.MISSING


def test_a_restore_that_names_no_topic_and_of_which_nothing_is_known_measures_nothing(fake: FakeKafka) -> None:
    assert facts_of(fake, "restore", scope=None, strategy={"snapshot": 7}).partitions == ()


def test_internal_topics_are_told(fake: FakeKafka) -> None:
    fake.add_topic("__consumer_offsets", internal=True)
    assert facts_of(fake, scope={"topics": [{"topic": "__consumer_offsets"}]}).internal_topics == {"__consumer_offsets"}
    assert facts_of(fake).internal_topics == frozenset()


def test_the_times_of_the_records_at_the_targets_are_read(fake: FakeKafka) -> None:
    plan = plan_of(fake, "to_offset", strategy={"offset": 6})
    assert [line.record_at for line in plan.lines] == [NOW - timedelta(minutes=3)] * 2
    assert [line.record_at for line in plan_of(fake, "to_latest").lines] == [None, None]


def test_a_preview_reads_the_first_record_times_and_the_plan_of_a_request_all(
    fake: FakeKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PREVIEWED", 1)
    monkeypatch.setattr(reading, "AT_ONCE", 1)
    assert set(facts_of(fake, times=fake).around) == {T0}
    facts = gather(fake, a_change(), now=NOW, times=fake, pause=timedelta(0))
    assert set(facts.around) == {T0, T1}


@pytest.mark.parametrize("error", [KafkaUnavailable(reason="timed_out"), KafkaRefused(reason="not_authorized")])
def test_a_plan_does_without_record_times_that_cannot_be_read(fake: FakeKafka, error: KafkaUnavailable) -> None:
    fake.fail("times_around", error)
    facts = facts_of(fake, times=fake)
    assert facts.around == {} and len(facts.partitions) == 2


def test_a_cluster_that_is_away_is_an_error_and_not_an_empty_plan(fake: FakeKafka) -> None:
    fake.go_down()
    with pytest.raises(KafkaUnavailable):
        facts_of(fake)


def test_names_that_resemble_are_found_whatever_their_case() -> None:
    known = ["orders", "Orders", "payments", "orders-dlq", "o"]
    assert near_names("ORDERS", known) == ("Orders", "orders-dlq")
    assert near_names("zzz", known) == ()
    assert len(near_names("group-1", [f"group-{number}" for number in range(2, 30)])) == 5
