"""What the two sides come to on one scenario: offsets by partition, or a refusal."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from devtools.kafka.tools import Tool, ToolAnswer
from devtools.kafka.warm_tool import WarmTool
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.port import OffsetReader
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.files import plan_as_csv
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.plans import Action, Plan
from tests.differential.ground import Built
from tests.differential.scenario import Place, Scenario, ScopedTopic, Wish

TIMEOUT_MS = "3000"


@dataclass(frozen=True)
class Targets:
    """A plan: what each partition is set to."""

    offsets: dict[Place, int]

    def __str__(self) -> str:
        return ", ".join(f"{of} → {offset}" for of, offset in sorted(self.offsets.items())) or "an empty plan"


@dataclass(frozen=True)
class Refused:
    """No plan, for these reasons (our codes); `text` is what was said."""

    reasons: frozenset[str]
    text: str = ""

    def __str__(self) -> str:
        return f"refused: {', '.join(sorted(self.reasons))} {self.text}"


Outcome = Targets | Refused


def agree(expected: Outcome, ours: Outcome) -> bool:
    """The same offsets on the same partitions, or refusals of which at least one reason is the same."""
    if isinstance(expected, Refused) and isinstance(ours, Refused):
        return bool(expected.reasons & ours.reasons)
    return expected == ours


# --- the tool

SAME_REASONS = {
    "Cannot shift offset for partition": {"no_commit"},
    "could not be found": {"unknown_partition", "reset.topic_missing"},
    "do not exist": {"unknown_partition", "reset.topic_missing"},
    "does not host this topic-partition": {"unknown_partition", "reset.topic_missing"},
    "Duplicate key": {"reset.bad_change"},
}
"""What the tool says, and our codes that refuse the same thing."""

ROW = re.compile(r'"?([A-Za-z0-9._-]+)"?,(\d+),(\d+)')


def by_the_tool(tool: WarmTool, built: Built, scenario: Scenario, now: datetime) -> Outcome:
    """Its dry run."""
    with tempfile.TemporaryDirectory(prefix="differential-") as scratch:
        file = Path(scratch) / "plan.csv"
        file.write_text(csv_of(built, scenario.wish))
        words = words_of(built, scenario, now, file)
        return outcome_of(built, tool.run(Tool.CONSUMER_GROUPS, *words))


def words_of(built: Built, scenario: Scenario, now: datetime, file: Path) -> list[str]:
    """The tool's arguments; `file` holds the rows of a file."""
    wish = scenario.wish
    words = ["--reset-offsets", "--dry-run", "--export", "--timeout", TIMEOUT_MS, "--group", built.group]
    words.append(f"--{wish.option}")
    if wish.option == "from-file":
        return [*words, str(file)]
    if wish.option in ("to-offset", "shift-by"):
        words.append(str(wish.number))
    elif wish.option == "to-datetime":
        words.append(datetime_text(wish))
    elif wish.option == "by-duration":
        words.append(f"PT{wish.duration_seconds(now)}S")
    if scenario.scope is None:
        return [*words, "--all-topics"]
    return words + [word for one in scenario.scope for word in ("--topic", _scope_word(built, one))]


def _scope_word(built: Built, one: ScopedTopic) -> str:
    name = built.name(one.topic)
    return name if one.partitions is None else f"{name}:{','.join(map(str, one.partitions))}"


def outcome_of(built: Built, answer: ToolAnswer) -> Outcome:
    """Its exit code says nothing, so its text is read; warnings stand between the rows."""
    if answer.exit_code == 0 and "Error:" not in answer.stdout:
        return Targets(rows_in(built, answer.stdout))
    text = (answer.stdout + answer.stderr).strip().split("\n")[0]
    reasons = [codes for words, codes in SAME_REASONS.items() if words in answer.stdout + answer.stderr]
    assert reasons, f"the tool refuses for a reason that is not known here: {answer}"
    return Refused(frozenset(reasons[0]), text)


def rows_in(built: Built, text: str) -> dict[Place, int]:
    """The rows of the tool's export; names of more than 24 characters stand in quotes."""
    rows = [ROW.fullmatch(line) for line in text.splitlines()]
    return {built.place(row[1], int(row[2])): int(row[3]) for row in rows if row}


# --- ours


def ours(admin: OffsetReader, built: Built, scenario: Scenario, now: datetime) -> Outcome:
    """The product's own change, gathering and planning over the real adapter."""
    try:
        return outcome_of_plan(built, planned(admin, change_of(built, scenario, now), now))
    except ConsoleError as error:
        return Refused(frozenset({error.code}), str(error.facts))


def planned(admin: OffsetReader, change: dict[str, Any], now: datetime) -> Plan:
    """A plan of a change in its JSON form."""
    parsed = parse_change(change)
    return compute(parsed, gather(admin, parsed, now=now, times=None), now)


def outcome_of_plan(built: Built, plan: Plan) -> Outcome:
    """A plan as the comparison sees it."""
    refused = frozenset(str(line.why) for line in plan.lines if line.action is Action.REFUSE)
    if refused:
        return Refused(refused)
    return Targets(
        {built.place(line.of.topic, line.of.partition): line.target for line in plan.lines if line.target is not None}
    )


def change_of(built: Built, scenario: Scenario, now: datetime) -> dict[str, Any]:
    """The change that says what the tool's arguments say."""
    wish = scenario.wish
    strategy: dict[str, object] = {"kind": wish.option.replace("-", "_")}
    if wish.option == "from-file":
        strategy["csv"] = csv_of(built, wish)
    elif wish.option == "to-offset":
        strategy["offset"] = wish.number
    elif wish.option == "shift-by":
        strategy["by"] = wish.number
    elif wish.option == "to-datetime":
        strategy |= {"datetime": datetime_text(wish)} | ({} if wish.zone else {"timezone": "UTC"})
    elif wish.option == "by-duration":
        strategy["duration"] = f"PT{wish.duration_seconds(now)}S"
    return {
        "cluster": "demo",
        "group": built.group,
        "scope": None if wish.option == "from-file" else _scope_of(built, scenario),
        "strategy": strategy,
        "create_group": scenario.create,
    }


def _scope_of(built: Built, scenario: Scenario) -> dict[str, object]:
    if scenario.scope is None:
        return {"all_committed": True}
    return {
        "topics": [
            {"topic": built.name(one.topic)} | ({} if one.partitions is None else {"partitions": list(one.partitions)})
            for one in scenario.scope
        ]
    }


# --- what both are given


def csv_of(built: Built, wish: Wish) -> str:
    """The rows of a file as Kafka's tool writes them."""
    return "".join(f"{built.name(of.topic)},{of.partition},{offset}\n" for of, offset in wish.rows)


def datetime_text(wish: Wish) -> str:
    """The moment as both sides read it: with milliseconds, in the wish's zone, or without one for UTC."""
    digits = wish.zone.replace(":", "")
    offset = timedelta() if digits in ("", "Z") else timedelta(hours=int(digits[1:3]), minutes=int(digits[3:5]))
    local = wish.instant.astimezone(UTC) + (-offset if wish.zone.startswith("-") else offset)
    return f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond // 1000:03d}{wish.zone}"


def exported(admin: OffsetReader, built: Built, scenario: Scenario, now: datetime) -> str:
    """Our plan as a file; empty where there is no plan, or it sets nothing."""
    try:
        plan = planned(admin, change_of(built, scenario, now), now)
    except ConsoleError:
        return ""
    return "" if plan.refused else plan_as_csv(plan.lines)
