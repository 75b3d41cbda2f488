"""What is measured is the right answer, by every way; and a figure that is not what it must be is called broken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from devtools.bench import big_groups as big_groups_module
from devtools.bench import console, planner, planning, ways
from devtools.bench.big_groups import COMMITTED, RECORDS, TARGET, BigGroup, big_groups
from devtools.bench.planning import Bound, ratio
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.tools import Tools

Made = tuple[LocalKafka, BigGroup, BigGroup]


@pytest.fixture(scope="module")
def made() -> Iterator[Made]:
    """A broker with a group on 50 partitions and one on 100."""
    with big_groups(50, 100) as (kafka, (small, large)):
        yield kafka, small, large


def test_a_bound_is_broken_beyond_its_limit_and_not_at_it() -> None:
    assert Bound("share", 1.5, most=1.5).holds
    assert not Bound("share", 1.51, most=1.5).holds
    assert Bound("gain", 4.0, least=4).holds
    assert not Bound("gain", 3.99, least=4).holds


def test_a_broken_bound_says_so() -> None:
    assert str(Bound("share", 2.0, most=1.5)).endswith("at most 1.5     BROKEN")
    assert "BROKEN" not in str(Bound("gain", 5.0, least=4))


def test_a_ratio_is_the_median_of_the_turns() -> None:
    """A turn in which the whole machine was slow weighs no more than another."""
    seconds = {"a": [1.0, 30.0, 2.0], "b": [1.0, 10.0, 1.0]}
    assert ratio(seconds, "a", "b") == 2.0


def test_every_figure_of_the_two_groups_is_bound() -> None:
    quick = {planning.OURS: [1.0], planning.BARE: [1.0], planning.TOOL: [4.0], planning.WARM: [1.0]}
    told = [planner.Told(database="sqlite", before_mb=90, highest_mb=140, planned_s=8.0, untimed=0, stored_s=[1.0])]
    assert all(bound.holds for bound in planning.bounds_of(quick, quick, told))
    slow = {**quick, planning.OURS: [1.6]}
    broken = [bound.what for bound in planning.bounds_of(slow, quick, told) if not bound.holds]
    assert broken == ["our plan to the bare calls, 1,000 partitions", "Kafka's tool to our plan, 1,000 partitions"]
    big = [replace(told[0], highest_mb=301)]
    assert [bound.found for bound in planning.bounds_of(quick, quick, big) if not bound.holds] == [301]


def test_the_moment_lies_between_the_commit_and_the_start() -> None:
    assert 0 < TARGET < COMMITTED < RECORDS


@pytest.mark.kafka
@pytest.mark.django_db
def test_every_way_comes_to_the_same_offsets(made: Made) -> None:
    kafka, small, large = made
    cluster = console.cluster(kafka.bootstrap_servers)
    for group in (small, large):
        plan = ways.plan(cluster.pk, group)
        assert {(line.committed, line.target, line.skipped) for line in plan.lines} == {(COMMITTED, TARGET, 0)}
        ways.bare_calls(kafka, group)
        ways.kafkas_tool(Tools(kafka), group)


@pytest.mark.kafka
@pytest.mark.django_db
def test_an_answer_that_is_not_what_was_made_is_no_figure(made: Made) -> None:
    kafka, small, large = made
    other = BigGroup(small.name, large.topics)
    cluster = console.cluster(kafka.bootstrap_servers)
    with pytest.raises(ways.WrongAnswer, match="lines: found 50, expected 100"):
        ways.plan(cluster.pk, other)
    with pytest.raises(ways.WrongAnswer, match="commits: found 50"):
        ways.bare_calls(kafka, other)
    with pytest.raises(ways.WrongAnswer, match="rows of the tool"):
        ways.kafkas_tool(Tools(kafka), other)


def test_only_the_broker_of_the_measurement_has_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KAFKA_HEAP", raising=False)
    with big_groups_module._roomy_broker():
        assert os.environ["KAFKA_HEAP"] == "1g"
    assert "KAFKA_HEAP" not in os.environ
    monkeypatch.setenv("KAFKA_HEAP", "3g")
    with big_groups_module._roomy_broker():
        assert os.environ["KAFKA_HEAP"] == "3g"
    assert os.environ["KAFKA_HEAP"] == "3g"


@pytest.mark.kafka
def test_a_fresh_process_tells_its_memory_and_what_storing_took(
    made: Made, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kafka, small, _ = made
    told = planner.run(kafka.bootstrap_servers, small, console.sqlite(tmp_path_factory.mktemp("fresh")))
    assert told.database == "sqlite"
    assert 20 < told.before_mb <= told.highest_mb < planning.MOST_MEMORY_MB
    assert len(told.stored_s) == planner.TIMES
