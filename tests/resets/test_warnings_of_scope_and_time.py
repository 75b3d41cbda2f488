"""What a plan says of its searches by time, of what its scope leaves out, and of what history cannot put back."""

from __future__ import annotations

from datetime import timedelta

from kafkaconsole.kafka.values import TimedOffset, TopicConfig, TopicPartition
from kafkaconsole.resets.facts import Earlier, PartitionFacts
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.rules import rules_that_decide
from tests.resets.making import NOW, T0, a_change, a_partition, a_plan, timed

T1, T2 = TopicPartition("t", 1), TopicPartition("t", 2)
BY_TIME = a_change("to_datetime", strategy={"datetime": "1970-01-01T00:00:05Z"})
ALL = a_change(scope={"all_committed": True})


def told(change: object, *partitions: PartitionFacts, **more: object) -> dict[str, str]:
    """Every warning of a plan by its code, as people read it."""
    plan = a_plan(change, *partitions, **more)  # type: ignore[arg-type]  # the tests' own shorthand
    return {one.code: sentence(one.code, one.facts) for one in plan.warnings}


def test_the_newest_record_is_told_where_none_is_late_enough() -> None:
    found = told(BY_TIME, a_partition(newest=timed(99, 1000)), a_partition(of=T1, newest=timed(98, 2000)))
    assert found["lines_without_record"].endswith(
        "on 2 partitions (t-0, t-1). The newest is 1970-01-01T00:00:01Z (t-0), 1970-01-01T00:00:02Z (t-1)."
    )


def test_a_newest_record_that_is_deleted_is_not_told() -> None:
    text = told(BY_TIME, a_partition(10, 100, newest=timed(9, 1000)))["lines_without_record"]
    assert text.endswith("on 1 partition (t-0).")


def test_an_empty_partition_has_a_reason_of_its_own_and_the_same_rule() -> None:
    found = told(BY_TIME, a_partition(20, 20, 20))
    assert found.keys() == {"lines_empty", "no_changes"}
    assert found["lines_empty"].startswith("1 partition (t-0) holds no records at all")
    assert told(BY_TIME, a_partition(20, 20), a_partition(7, 7, of=T1))["lines_empty"].startswith("2 partitions (")
    for rule, action in (("log_end", "set"), ("keep", "leave"), ("refuse", "refuse")):
        change = a_change("to_datetime", strategy={"datetime": "1970-01-01T00:00:05Z"}, rules={"no_record_after": rule})
        plan = a_plan(change, a_partition(20, 20, 15))
        assert plan.lines[0].action == action
        assert rules_that_decide(change, plan.lines) == ("no_record_after",)


def test_a_moment_before_what_is_kept_says_when_the_log_begins() -> None:
    text = told(BY_TIME, a_partition(found_at=timed(10, 8000)), a_partition(of=T1, found_at=timed(11, 5000)))
    assert "on 1 partition (t-0)" in text["log_begins_later"].lower()
    assert "The log begins with 1970-01-01T00:00:08Z (t-0)." in text["log_begins_later"]


def test_a_log_that_has_lost_nothing_may_begin_after_the_moment() -> None:
    assert "log_begins_later" not in told(BY_TIME, a_partition(0, 100, found_at=timed(0, 8000)))
    assert "log_begins_later" not in told(BY_TIME, a_partition(found_at=timed(10, 5000)))
    near = {T0: (TimedOffset(timed(10, 0).offset, NOW),)}
    assert "log_begins_later" not in told(a_change(), a_partition(), around=near)


def test_topics_by_the_producers_clock_are_named_beside_those_by_the_brokers() -> None:
    kinds = {"t": TopicConfig(frozenset(), "LogAppendTime"), "u": TopicConfig(frozenset(), "CreateTime")}
    others = a_partition(of=TopicPartition("u", 0), found_at=timed(50, 9000))
    text = told(BY_TIME, a_partition(found_at=timed(50, 9000)), others, topic_configs=kinds)["log_append_time"]
    assert text.startswith("On t a record's") and text.endswith("On u it is the producer's own time.")
    alone = told(BY_TIME, a_partition(found_at=timed(50, 9000)), topic_configs={"t": kinds["t"]})["log_append_time"]
    assert "producer" not in alone


def test_all_committed_names_the_partitions_that_it_leaves_out() -> None:
    counts = {"t": 4}
    partitions = (a_partition(), a_partition(of=T2))
    text = told(ALL, *partitions, partitions_counts=counts, gone=(TopicPartition("t", 9),))["partitions_uncommitted"]
    assert "no commit on 2 partitions (t-1, t-3) of the same topics" in text and "leaves them out" in text
    one = told(ALL, *partitions, partitions_counts={"t": 2})["partitions_uncommitted"]
    assert "1 partition (t-1)" in one and "leaves it out" in one
    assert "partitions_uncommitted" not in told(ALL, a_partition(), partitions_counts={"t": 1})
    assert "partitions_uncommitted" not in told(a_change(), *partitions, partitions_counts=counts)


def test_internal_topics_that_are_left_out_are_named_and_tell_the_framework() -> None:
    found = told(ALL, left_out=("g-counts-changelog",))
    assert "internal topics of its Kafka Streams application" in found["streams_topics_left_out"]
    assert "g-counts-changelog" in found["streams_topics_left_out"]
    assert "streams_application" in found


def test_a_text_that_the_history_cannot_put_back_is_said_to_stay() -> None:
    earlier = Earlier(at=NOW, offsets={}, topic_ids={"t": ""}, read_at=NOW - timedelta(seconds=30))
    change = a_change("restore", strategy={"as_of": "2026-12-01T09:00:00Z"})
    noted = a_partition(metadata="note", source=a_partition(committed=50).committed)
    text = told(change, noted, earlier=earlier)["restored_from_history"]
    assert text.endswith("the text beside the commits of 1 partition stays as it is now.")
    plain = a_partition(source=a_partition(committed=50).committed)
    assert "text beside" not in told(change, plain, earlier=earlier)["restored_from_history"]


def test_plans_that_were_stored_before_more_was_told_can_still_be_read() -> None:
    one = {"count": 1, "partitions": ["t-0"]}
    assert sentence("lines_without_record", one) == "There is no record at or after the moment on 1 partition (t-0)."
    assert "producer" not in sentence("log_append_time", {"topics": ["t"]})
    read = {"at": "2026-12-01T09:00:00Z", "read_at": "2026-12-01T08:59:30Z", "age_s": 30, "held_since": {}}
    assert "text beside" not in sentence("restored_from_history", read)
    assert "usually 45 seconds);" in sentence("static_members", {"count": 1, "members": []})
