"""Which partitions a change comes to, and what is told where a call fails as a whole."""

from __future__ import annotations

import pytest

from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable, NotAuthorized
from kafkaconsole.kafka.values import GroupId, Problem, ProblemKind, TopicPartition
from kafkaconsole.resets.scoping import all_committed, existing, named_topics, whole
from tests.fakes.kafka import FakeKafka
from tests.resets.making import T0, a_change

GROUP = GroupId("g")


@pytest.fixture
def fake() -> FakeKafka:
    """Topics t and u of two partitions."""
    broker = FakeKafka()
    broker.add_topic("t", 2)
    broker.add_topic("u", 2)
    return broker


@pytest.mark.parametrize(
    ("problem", "family", "facts"),
    [
        (
            Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED"),
            NotAuthorized,
            {"right": "Describe", "resource": "topic t"},
        ),
        (
            Problem(ProblemKind.REFUSED, "INVALID_REQUEST", passing=True),
            KafkaUnavailable,
            {"reason": "INVALID_REQUEST", "resource": "topic t"},
        ),
        (
            Problem(ProblemKind.UNAVAILABLE, "", passing=False),
            KafkaUnavailable,
            {"reason": "unavailable", "resource": "topic t"},
        ),
        (
            Problem(ProblemKind.REFUSED, "INVALID_REQUEST"),
            KafkaRefused,
            {"reason": "INVALID_REQUEST", "resource": "topic t"},
        ),
    ],
)
def test_a_call_that_fails_as_a_whole_says_what_it_was_about_and_whether_it_may_pass(
    fake: FakeKafka, problem: Problem, family: type[ConsoleError], facts: dict[str, object]
) -> None:
    fake.answer("topics", "t", problem)
    with pytest.raises(family) as caught:
        named_topics(fake, a_change())
    assert type(caught.value) is family and caught.value.facts == facts
    assert isinstance(whole(problem, right="Describe", resource="topic t"), family)


def test_a_missing_topic_does_not_hide_those_after_it(fake: FakeKafka) -> None:
    change = a_change(scope={"topics": [{"topic": "x"}, {"topic": "t", "partitions": [1, 7]}, {"topic": "u"}]})
    scoped = named_topics(fake, change)
    assert scoped.missing == {"x"} and scoped.counts == {"t": 2, "u": 2}
    assert sorted(map(str, scoped.topic_ids)) == ["t-1", "t-7", "u-0", "u-1"]
    assert {str(of): problem.kafka_error for of, problem in scoped.problems.items()} == {
        "t-7": "UNKNOWN_TOPIC_OR_PARTITION"
    }


def test_only_the_topics_in_question_are_asked_for(fake: FakeKafka) -> None:
    asked: list[object] = []
    answer = fake.topics
    fake.topics = lambda names=None: asked.append(names) or answer(names)  # type: ignore[method-assign,func-returns-value]
    existing(fake, [T0, TopicPartition("t", 1)], gone=False)
    named_topics(fake, a_change(scope={"topics": [{"topic": "u"}]}))
    assert asked == [{"t"}, {"u"}]
    existing(fake, [], gone=True)
    named_topics(fake, a_change(scope={"all_committed": True}))
    assert len(asked) == 2


def test_what_a_commit_names_is_gone_and_what_a_file_names_is_missing(fake: FakeKafka) -> None:
    named = [T0, TopicPartition("t", 7), TopicPartition("x", 0)]
    scoped = all_committed(fake, GROUP, named)
    assert (scoped.gone, scoped.missing, set(scoped.topic_ids)) == ({*named[1:]}, set(), {T0})
    scoped = existing(fake, named, gone=False)
    assert (scoped.gone, scoped.missing, set(scoped.topic_ids)) == (set(), {"x"}, {*named[:2]})


def test_a_partition_without_a_leader_may_have_one_later(fake: FakeKafka) -> None:
    fake.log("t", 1).has_leader = False
    scoped = named_topics(fake, a_change())
    assert scoped.problems == {
        TopicPartition("t", 1): Problem(ProblemKind.NO_LEADER, "LEADER_NOT_AVAILABLE", passing=True)
    }
