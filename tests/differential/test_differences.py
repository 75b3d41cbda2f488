"""Every difference from Kafka's tool that is on purpose, shown on the real broker: what the tool says, and what we say."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tool, ToolAnswer
from kafkaconsole.kafka.values import GroupId
from kafkaconsole.resets.errors import BadChange
from tests.differential import sides
from tests.differential.both import Both
from tests.differential.differences import RULES
from tests.differential.ground import Built
from tests.differential.scenario import NOWHERE, Batch, GroupKind, Log, Place, Scenario, ScopedTopic, Wish
from tests.differential.sides import Refused, Targets
from tests.kafka.raw_members import share_member, streams_member

A0, A1 = Place(0, 0), Place(0, 1)
TEN = Log((Batch((0, 1, 2, 3, 4)), Batch((5, 6, 7, 8, 9))))
CUT = Log((Batch((0, 9, 1, 2)),), deleted_before=2)
"""The highest time lies below the log start."""
WHOLE = (ScopedTopic(0),)


def scenario(wish: Wish, *logs: Log, **more: object) -> Scenario:
    """One topic, all of it in scope, and a group that stands at 4."""
    told = {"commits": ((A0, 4),), "scope": WHOLE, **more}
    return replace(Scenario((logs or (TEN,),), wish, WHOLE), **told)  # type: ignore[arg-type]


EXAMPLES: list[tuple[str, Scenario, Targets | Refused, Targets | Refused]] = [
    (
        "a shift is held within 64 bits",
        scenario(Wish("shift-by", 2**63 - 1)),
        Targets({A0: 0}),
        Targets({A0: 10}),
    ),
    (
        "to_current follows out_of_range",
        scenario(Wish("to-current"), TEN, CUT, commits=((A0, 40), (A1, 1))),
        Targets({A0: 40, A1: 1}),
        Targets({A0: 10, A1: 2}),
    ),
    (
        "to_current without a commit refuses",
        scenario(Wish("to-current"), TEN, TEN),
        Targets({A0: 4, A1: 10}),
        Refused(frozenset({"no_commit"})),
    ),
    (
        "none is believed only if the newest record is older",
        scenario(Wish("to-datetime", minute=3), CUT),
        Targets({A0: 4}),
        Refused(frozenset({"no_record_after_uncertain"})),
    ),
    (
        "all committed of nothing is refused",
        scenario(Wish("to-earliest"), commits=(), scope=None, group=GroupKind.CLASSIC),
        Targets({}),
        Refused(frozenset({"reset.nothing_in_scope"})),
    ),
    (
        "a missing group must be asked for",
        scenario(Wish("to-earliest"), commits=(), create=False),
        Targets({A0: 0}),
        Refused(frozenset({"reset.group_missing"})),
    ),
    (
        "a time before 1970 is refused",
        scenario(Wish("to-datetime", minute=-29_538_720, ms=-1)),
        Targets({A0: 10}),
        Refused(frozenset({"reset.bad_change"})),
    ),
]


@pytest.mark.parametrize(("name", "given", "theirs", "ours"), EXAMPLES, ids=[name for name, *_ in EXAMPLES])
def test_a_named_difference_is_just_this(
    both: Both, name: str, given: Scenario, theirs: Targets | Refused, ours: Targets | Refused
) -> None:
    compared = both.compare(given)
    assert compared.theirs == theirs
    assert sides.agree(ours, compared.ours), compared.report()
    assert compared.differences == (name,)
    assert compared.agrees


def test_every_rule_has_an_example_and_stands_in_the_document() -> None:
    names = [rule.name for rule in RULES]
    assert sorted(names) == sorted(name for name, *_ in EXAMPLES)
    told = (Path(__file__).resolve().parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")
    assert [name for name in names if name not in told] == []


# --- time


def test_a_zone_of_four_digits_keeps_its_minutes(both: Both) -> None:
    """The tool reads +0530 as +05:00, half an hour late; with a colon both say the same."""
    log = Log((Batch((0, 20, 40)),))
    for zone, theirs, ours in (("+05:30", 0, 0), ("+0530", 2, 0), ("-0330", 0, 0), ("-03:30", 0, 0)):
        compared = both.compare(scenario(Wish("to-datetime", zone=zone), log))
        assert (compared.theirs, compared.ours) == (Targets({A0: theirs}), Targets({A0: ours})), compared.report()


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        ("2026-3-1T0:2:0.6", 3, None),
        ("2026-03-01T00:02:00.000Zulu", 2, None),
        ("2026-03-01T00:02:00.6Z", 3, 3),
        ("2026-03-01T00:02:00Z", None, 2),
        ("2026-03-01 00:02Z", None, 2),
        ("1772323320", None, 2),
        ("1772323320000", None, 2),
    ],
)
def test_times_are_read_strictly_and_in_more_forms(
    both: Both, now: datetime, text: str, theirs: int | None, ours: int | None
) -> None:
    built = both.ground.build(scenario(Wish("to-datetime")))
    answer = both.tool.run(Tool.CONSUMER_GROUPS, *asked(built.group, built.name(0)), "--to-datetime", text)
    assert said_of_a0(built, answer) == theirs
    assert told(both, change(built, {"kind": "to_datetime", "datetime": text}), now) == ours


def test_a_time_without_a_zone_is_asked_back(both: Both, now: datetime) -> None:
    built = both.ground.build(scenario(Wish("to-datetime")))
    text = "2026-03-01T00:02:00.000"
    answer = both.tool.run(Tool.CONSUMER_GROUPS, *asked(built.group, built.name(0)), "--to-datetime", text)
    assert said_of_a0(built, answer) == 2
    assert told(both, change(built, {"kind": "to_datetime", "datetime": text}), now) is None


@pytest.mark.parametrize(("text", "theirs", "ours"), [(" PT0S ", None, 10), ("-PT1H", 10, None), ("PT-1H", 10, None)])
def test_durations_may_stand_between_blanks_and_not_be_negative(
    both: Both, now: datetime, text: str, theirs: int | None, ours: int | None
) -> None:
    built = both.ground.build(scenario(Wish("by-duration")))
    answer = both.tool.run(Tool.CONSUMER_GROUPS, *asked(built.group, built.name(0)), f"--by-duration={text}")
    assert said_of_a0(built, answer) == theirs
    assert told(both, change(built, {"kind": "by_duration", "duration": text}), now) == ours


# --- files


@pytest.mark.parametrize(
    ("text", "theirs", "ours"),
    [
        ("T,0,", 0, None),
        ("T,0", 0, None),
        ("T,,5", 5, None),
        ("T,0,5,", 5, None),
        ("T,0,5\nT,0,6", 6, None),
        ("topic,partition,offset\nT,0,5", None, 5),
        ("T,0,5\n\nT,1,5", None, 5),
        ("# before the release\nT,0,5", None, 5),
        ("\ufeffT,0,5", None, 5),
        ("T,0,+5", 5, None),
        ("T,0,٥", 5, None),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_file_is_read_without_guessing(
    both: Both, now: datetime, text: str, theirs: int | None, ours: int | None
) -> None:
    built = both.ground.build(scenario(Wish("from-file"), TEN, TEN, commits=((A0, 4), (A1, 4))))
    name = built.name(0)
    answer = both.of_file(built, text.replace("T,", f"{name},") + "\n")
    assert said_of_a0(built, answer) == theirs
    csv = text.replace("T,", f"{name},")
    assert told(both, {**change(built, {"kind": "from_file", "csv": csv}), "scope": None}, now) == ours


def test_a_scope_beside_a_file_limits_it(both: Both, now: datetime) -> None:
    built = both.ground.build(scenario(Wish("from-file"), TEN, TEN))
    text = f"{built.name(0)},0,5\n{built.name(0)},1,6\n"
    answer = both.of_file(built, text, "--topic", f"{built.name(0)}:0")
    assert sides.outcome_of(built, answer) == Targets({A0: 5, A1: 6})
    scope = {"topics": [{"topic": built.name(0), "partitions": [0]}]}
    assert told(both, {**change(built, {"kind": "from_file", "csv": text}), "scope": scope}, now) is None


def test_a_topic_that_is_not_there_is_refused_by_both(both: Both) -> None:
    lost = scenario(Wish("from-file", rows=((A0, 5), (Place(NOWHERE, 0), 5))))
    compared = both.compare(lost)
    assert isinstance(compared.theirs, Refused) and compared.agrees


# --- groups

Joined = Callable[[LocalKafka, str, str], AbstractContextManager[object]]


def classic(kafka: LocalKafka, group: str, topic: str) -> AbstractContextManager[object]:
    return GroupMember(kafka, group, topics=[topic])


def consumer(kafka: LocalKafka, group: str, topic: str) -> AbstractContextManager[object]:
    return GroupMember(kafka, group, topics=[topic], group_protocol="consumer")


@pytest.mark.parametrize("joined", [classic, consumer])
def test_an_active_group_is_planned_with_a_warning(
    both: Both, kafka_one: LocalKafka, now: datetime, joined: Joined
) -> None:
    built = both.ground.build(scenario(Wish("to-earliest"), commits=()))
    with joined(kafka_one, built.group, built.name(0)):
        answer = both.tool.run(Tool.CONSUMER_GROUPS, *asked(built.group, built.name(0)), "--to-earliest")
        plan = sides.planned(both.ground.admin, change(built, {"kind": "to_earliest"}), now)
    assert "inactive" in answer.stdout and said_of_a0(built, answer) is None
    assert sides.outcome_of_plan(built, plan) == Targets({A0: 0})
    assert "group_not_empty" in [warning.code for warning in plan.warnings]


@pytest.mark.parametrize("joined", [share_member, streams_member])
def test_share_and_streams_groups_are_refused_by_name(
    both: Both, kafka_one: LocalKafka, now: datetime, joined: Joined
) -> None:
    built = both.ground.build(scenario(Wish("to-earliest"), commits=()))
    group = GroupId(built.group)
    with joined(kafka_one, group, built.name(0)):
        answer = both.tool.run(Tool.CONSUMER_GROUPS, *asked(group, built.name(0)), "--to-earliest")
        refused = sides.ours(both.ground.admin, built, scenario(Wish("to-earliest")), now)
    assert sides.outcome_of(built, answer) == Targets({A0: 0})
    assert isinstance(refused, Refused) and refused.reasons == {"reset.wrong_group_kind"}


# --- asking both


def asked(group: str, topic: str) -> list[str]:
    """The tool's dry run on one topic, up to the strategy."""
    return ["--reset-offsets", "--dry-run", "--export", "--group", group, "--topic", topic]


def change(built: Built, strategy: dict[str, object]) -> dict[str, object]:
    """The change that says the same."""
    scope = {"topics": [{"topic": built.name(0)}]}
    return {"cluster": "demo", "group": built.group, "scope": scope, "strategy": strategy, "create_group": True}


def said_of_a0(built: Built, answer: ToolAnswer) -> int | None:
    """Where the tool sets partition 0; None where it makes no plan of it."""
    return sides.rows_in(built, answer.stdout).get(A0)


def told(both: Both, wanted: dict[str, object], now: datetime) -> int | None:
    """Where our plan sets partition 0; None where the change is refused."""
    try:
        plan = sides.planned(both.ground.admin, wanted, now)
    except BadChange:
        return None
    return plan.lines[0].target
