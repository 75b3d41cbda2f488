"""Which offsets an export reads."""

from __future__ import annotations

from kafkaconsole.kafka.values import Offset, RecordSpan, TopicPartition
from kafkaconsole.records import spans
from kafkaconsole.records.spans import Until
from tests.records.scene import line


def span(topic: str, partition: int, start: int, stop: int) -> RecordSpan:
    return RecordSpan(TopicPartition(topic, partition), Offset(start), Offset(stop))


def test_what_is_read_again_ends_at_the_commit() -> None:
    lines = [line("a", 0, target=3, committed=7, log_end=9)]
    assert spans.spans_of(lines, Until.COMMITTED) == [span("a", 0, 3, 7)]


def test_everything_from_there_on_ends_at_the_log_end_as_planned() -> None:
    lines = [line("a", 0, target=3, committed=7, log_end=9)]
    assert spans.spans_of(lines, Until.LOG_END) == [span("a", 0, 3, 9)]


def test_a_partition_without_a_commit_is_read_to_the_log_end() -> None:
    lines = [line("a", 0, target=3, committed=None, log_end=9)]
    assert spans.spans_of(lines, Until.COMMITTED) == [span("a", 0, 3, 9)]


def test_lines_that_skip_stand_still_or_are_left_have_nothing_to_read_again() -> None:
    lines = [
        line("a", 0, target=7, committed=3, log_end=9),
        line("a", 1, target=3, committed=3, log_end=9),
        line("a", 2, target=None, committed=3, log_end=9),
    ]
    assert spans.spans_of(lines, Until.COMMITTED) == []
    assert spans.spans_of(lines, Until.LOG_END) == [span("a", 0, 7, 9), span("a", 1, 3, 9)]


def test_frozen_spans_come_back_the_same() -> None:
    found = [span("a", 0, 3, 7), span("b", 11, 0, 2**62)]
    assert spans.from_json(spans.as_json(found)) == found


def test_the_rest_begins_where_reading_stopped() -> None:
    every = [span("a", 0, 3, 7), span("a", 1, 0, 5)]
    assert spans.rest_of(every, 0, None) == every
    assert spans.rest_of(every, 0, 5) == [span("a", 0, 5, 7), every[1]]
    assert spans.rest_of(every, 0, 7) == [every[1]]
    assert spans.rest_of(every, 2, None) == []


def test_offsets_are_counted_over_all_spans() -> None:
    assert spans.offsets_in([span("a", 0, 3, 7), span("a", 1, 0, 5)]) == 9
