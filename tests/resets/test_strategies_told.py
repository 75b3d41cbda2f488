"""What each strategy says of itself: the wish in words, its canonical fields, Kafka's own option."""

from __future__ import annotations

from typing import Any

import pytest

from kafkaconsole.kafka.values import Committed, Offset, OffsetBounds, TopicPartition
from kafkaconsole.resets import strategies
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.errors import BadInstant
from kafkaconsole.resets.facts import Recall
from kafkaconsole.resets.planning import compute
from tests.resets.making import NOW, a_change, a_partition, only_line, some_facts

TOLD: list[tuple[str, dict[str, object], dict[str, object], str | None]] = [
    ("to_earliest", {}, {}, "--to-earliest"),
    ("to_current", {}, {}, "--to-current"),
    ("to_offset", {"offset": 42}, {"offset": 42}, "--to-offset 42"),
    ("shift_by", {"by": -10}, {"by": -10}, "--shift-by -10"),
    ("shift_by", {"by": 0}, {"by": 0}, "--shift-by 0"),
    ("shift_by", {"by": 10}, {"by": 10}, "--shift-by 10"),
    ("by_duration", {"duration": "PT36H"}, {"duration": "P1DT12H"}, "--by-duration P1DT12H"),
    (
        "to_datetime",
        {"datetime": " 2026-12-01T09:00:00.25+09:00 "},
        {"datetime": "2026-12-01T09:00:00.25+09:00"},
        "--to-datetime 2026-12-01T00:00:00.250",
    ),
    (
        "to_datetime",
        {"datetime": "2026-12-01T09:00", "timezone": "Asia/Seoul"},
        {"datetime": "2026-12-01T09:00", "timezone": "Asia/Seoul"},
        "--to-datetime 2026-12-01T00:00:00.000",
    ),
    (
        "to_datetime",
        {"datetime": "2026-12-01T09:00", "timezone": "UTC"},
        {"datetime": "2026-12-01T09:00", "timezone": "UTC"},
        "--to-datetime 2026-12-01T09:00:00.000",
    ),
    (
        "to_datetime",
        {"datetime": "2026-12-01T09:00Z", "timezone": "Europe/London"},
        {"datetime": "2026-12-01T09:00Z", "timezone": "Europe/London"},
        "--to-datetime 2026-12-01T09:00:00.000",
    ),
    ("to_datetime", {"datetime": "1796083200"}, {"datetime": "1796083200"}, "--to-datetime 2026-12-01T00:00:00.000"),
    (
        "to_datetime",
        {"datetime": "1796083200001"},
        {"datetime": "1796083200001"},
        "--to-datetime 2026-12-01T00:00:00.001",
    ),
    ("from_file", {"csv": "# a comment\nt,1,6\nt,0,5\n"}, {"csv": "t,0,5\nt,1,6\n"}, "--from-file plan.csv"),
    ("from_file", {"csv": "0,5", "topic": "t"}, {"csv": "t,0,5\n"}, "--from-file plan.csv"),
    ("copy_group", {"from_group": "other"}, {"from_group": "other"}, None),
    ("restore", {"snapshot": 1}, {"snapshot": 1}, None),
    ("restore", {"as_of": "2026-12-01T09:00:00.250+09:00"}, {"as_of": "2026-12-01T00:00:00.250Z"}, None),
    ("delete_offsets", {}, {}, "--delete-offsets"),
]


@pytest.mark.parametrize(("kind", "fields", "canonical", "option"), TOLD)
def test_a_strategy_says_its_fields_and_kafkas_option(
    kind: str, fields: dict[str, Any], canonical: dict[str, object], option: str | None
) -> None:
    strategy = a_change(kind, strategy=fields).strategy
    assert strategy.as_json() == {"kind": kind, **canonical}
    assert strategy.option() == option


def test_to_latest_has_no_field_and_says_kafkas_option() -> None:
    strategy = a_change("to_latest").strategy
    assert (strategy.as_json(), strategy.option()) == ({"kind": "to_latest"}, "--to-latest")


def test_only_a_file_and_a_snapshot_name_their_partitions() -> None:
    without_scope = {"cluster": "demo", "group": "g"}
    for fields in ({"kind": "from_file", "csv": "t,0,5"}, {"kind": "restore", "snapshot": 7}):
        assert parse_change({**without_scope, "strategy": fields}).scope is None
    named = a_change("from_file", strategy={"csv": "t,0,5"}).strategy
    assert named.names_partitions and named.named() == {TopicPartition("t", 0): 5}
    assert a_change("restore", strategy={"snapshot": 7}).strategy.recalls == Recall(snapshot=7)


def test_a_shift_stays_within_64_bits_at_both_ends() -> None:
    bounds = OffsetBounds(Offset(0), Offset(10))

    def wanted(by: int, committed: int) -> object:
        strategy = a_change("shift_by", strategy={"by": by}).strategy
        return strategy.wanted(a_partition(committed=committed), bounds, some_facts())

    assert wanted(2**63 - 1, 1) == 2**63 - 1
    assert wanted(-(2**63), 0) == -(2**63)
    assert wanted(-(2**63), 1) == -(2**63) + 1


def test_a_duration_counts_from_the_measurement_and_reaches_1970_at_most() -> None:
    reaching = int((NOW - NOW.replace(year=1970, month=1, day=1, hour=0)).total_seconds())
    assert str(a_change("by_duration", strategy={"duration": f"PT{reaching}S"}).strategy.instant(NOW))[:19] == (
        "1970-01-01 00:00:00"
    )
    with pytest.raises(BadInstant) as caught:
        a_change("by_duration", strategy={"duration": f"PT{reaching + 1}S"}).strategy.instant(NOW)
    assert caught.value.facts == {
        "field": "strategy.duration",
        "found": "P20788DT9H1S",
        "expected": "a duration that does not reach before 1970",
    }


def test_without_the_other_groups_commit_the_own_one_does_not_count() -> None:
    change = a_change("copy_group", strategy={"from_group": "other"}, rules={"no_commit": "latest"})
    line = only_line(change, a_partition(committed=40, source=Committed(Offset(50))))
    assert line.target == 50


def test_the_registry_holds_every_complete_strategy_of_the_package_and_nothing_else() -> None:
    # Anew: the registry itself was filled when the package was imported.
    assert sorted(one.kind for one in strategies._concrete()) == sorted(strategies.STRATEGIES)
    assert set(strategies._concrete()) == set(strategies.STRATEGIES.values())


@pytest.mark.parametrize(
    ("kind", "fields", "missing"),
    [
        ("by_duration", {"duration": "PT1H"}, "the facts of a plan by time hold the moment"),
        ("restore", {"snapshot": 7}, "the facts of a plan that restores hold what was earlier"),
    ],
)
def test_facts_that_were_never_gathered_are_a_fault_and_not_a_plan(
    kind: str, fields: dict[str, Any], missing: str
) -> None:
    with pytest.raises(ValueError, match=f"^{missing}$"):
        compute(a_change(kind, strategy=fields), some_facts(), NOW)
