"""What tests may dictate to the fake cluster."""

from __future__ import annotations

import pytest

from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupState,
    Offset,
    Problem,
    ProblemKind,
    TopicPartition,
    WriteOutcome,
)
from tests.fakes.kafka import FakeKafka
from tests.kafka.worlds import group_id

HELLO = TopicPartition("hello", 0)
GROUP = group_id("readers")
BUSY = Problem(ProblemKind.UNAVAILABLE, "COORDINATOR_LOAD_IN_PROGRESS", passing=True)


@pytest.fixture
def fake() -> FakeKafka:
    """Topic hello with three records, read to the end by an Empty group."""
    fake = FakeKafka()
    fake.add_topic("hello", 2)
    for value in (b"m1", b"m2", b"m3"):
        fake.produce("hello", 0, value)
    fake.set_committed(GROUP, {HELLO: Committed(Offset(3))})
    return fake


def held(fake: FakeKafka) -> object:
    return fake.committed_of(GROUP, [HELLO])[HELLO]


def test_commits_that_reach_the_cluster_are_listed_and_refused_ones_are_not(fake: FakeKafka) -> None:
    fake.commit(GROUP, {HELLO: Committed(Offset(0)), TopicPartition("hello", 7): Committed(Offset(0))})
    fake.join(GROUP, topics=["hello"])
    fake.commit(GROUP, {HELLO: Committed(Offset(1))})
    assert [(made.group, dict(made.targets)) for made in fake.commits] == [(GROUP, {HELLO: Committed(Offset(0))})]


@pytest.mark.parametrize(
    ("applied", "after_readings", "seen"),
    [(True, 0, [0, 0, 0]), (False, 0, [3, 3, 3]), (True, 2, [3, 3, 0])],
    ids=["applied at once", "never applied", "applied late"],
)
def test_lost_answer_is_unknown_whatever_became_of_it(
    fake: FakeKafka, applied: bool, after_readings: int, seen: list[int]
) -> None:
    fake.lose_answers(applied=applied, after_readings=after_readings)
    assert fake.commit(GROUP, {HELLO: Committed(Offset(0))})[HELLO].outcome is WriteOutcome.UNKNOWN
    assert [held(fake) for _ in range(3)] == [Committed(Offset(offset)) for offset in seen]
    assert fake.commit(GROUP, {HELLO: Committed(Offset(1))})[HELLO].outcome is WriteOutcome.WRITTEN


def test_something_happens_just_before_a_call_and_only_once(fake: FakeKafka) -> None:
    fake.before("commit", lambda: fake.join(GROUP, topics=["hello"]))
    answer = fake.commit(GROUP, {HELLO: Committed(Offset(0))})[HELLO]
    assert answer.problem is not None and answer.problem.kind is ProblemKind.ACTIVE_MEMBERS
    fake.leave(GROUP)
    assert fake.commit(GROUP, {HELLO: Committed(Offset(0))})[HELLO].outcome is WriteOutcome.WRITTEN


def test_consumer_with_manual_assignment_moves_on_at_every_reading(fake: FakeKafka) -> None:
    fake.commit_by_hand(GROUP, HELLO, step=2)
    assert [held(fake), held(fake)] == [Committed(Offset(5)), Committed(Offset(7))]


def test_single_answers_can_be_dictated_and_forgotten(fake: FakeKafka) -> None:
    fake.answer("bounds", HELLO, BUSY)
    fake.answer("list_groups", "kafka-2:9092", BUSY)
    fake.answer("list_groups", GROUP, None)
    other = TopicPartition("hello", 1)
    found = fake.bounds([HELLO, other])
    assert found[HELLO] == BUSY and not isinstance(found[other], Problem)
    listing = fake.list_groups()
    assert (listing.groups, listing.problems) == ((), {"kafka-2:9092": BUSY})
    fake.forget_answers()
    assert not isinstance(fake.bounds([HELLO])[HELLO], Problem)


def test_calls_and_connections_fail_as_told(fake: FakeKafka) -> None:
    fake.fail("topics", KafkaUnavailable(reason="timed_out"))
    with pytest.raises(KafkaUnavailable):
        fake.topics()
    assert set(fake.topics()) == {"hello"}
    fake.go_down()
    with pytest.raises(KafkaUnavailable), fake.connect(1):
        pass
    fake.come_up()
    with pytest.raises(ZeroDivisionError), fake.connect(1):
        raise ZeroDivisionError
    assert (fake.opened, fake.closed) == (1, 1)


def test_members_share_the_partitions_and_the_last_one_leaves_the_group_empty(fake: FakeKafka) -> None:
    fake.join(GROUP, client_id="one", topics=["hello"])
    fake.join(GROUP, client_id="two", topics=["hello"])
    described = fake.describe_groups([GROUP])[GROUP]
    assert isinstance(described, GroupDescription)
    assert sorted(one for member in described.members for one in member.partitions) == [
        HELLO,
        TopicPartition("hello", 1),
    ]
    fake.leave(GROUP, "one")
    assert fake.group(GROUP).state is GroupState.STABLE
    fake.leave(GROUP)
    assert fake.group(GROUP).state is GroupState.EMPTY


def test_topic_made_again_has_lost_its_commits(fake: FakeKafka) -> None:
    fake.add_topic("hello", 2)
    assert held(fake) is None


def test_partition_without_a_leader_is_a_problem_until_it_has_one(fake: FakeKafka) -> None:
    fake.lose_leader("hello", 0)
    problem = fake.bounds([HELLO])[HELLO]
    assert isinstance(problem, Problem) and problem.kind is ProblemKind.NO_LEADER
    fake.regain_leader("hello", 0)
    assert not isinstance(fake.bounds([HELLO])[HELLO], Problem)
