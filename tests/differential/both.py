"""Both sides on one scenario, and a report that a person can read when they do not agree."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from devtools.kafka.tools import Tool, ToolAnswer
from devtools.kafka.warm_tool import WarmTool
from tests.differential import sides
from tests.differential.differences import expected
from tests.differential.ground import Built, Ground, told
from tests.differential.scenario import Scenario
from tests.differential.sides import Outcome


@dataclass(frozen=True)
class Compared:
    """What came of one scenario: both outcomes, ours as it had to be, and the differences on purpose that were met."""

    scenario: Scenario
    built: Built
    now: datetime
    theirs: Outcome
    ours: Outcome
    expected: Outcome
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether we come to what the tool says, or to what a named difference makes of it."""
        return sides.agree(self.expected, self.ours)

    def report(self) -> str:
        """The scenario and what everyone says."""
        words = " ".join(sides.words_of(self.built, self.scenario, self.now, Path("plan.csv")))
        return (
            f"\n{told(self.scenario)}\n"
            f"the tool: {self.theirs}\nwe:       {self.ours}\nexpected: {self.expected} by {list(self.differences)}\n"
            f"kafka-consumer-groups {words}"
        )


@dataclass(frozen=True)
class Both:
    """The ground and the tool."""

    ground: Ground
    tool: WarmTool

    def compare(self, scenario: Scenario) -> Compared:
        """Build it, and ask both."""
        built = self.ground.build(scenario)
        now = datetime.now(UTC)
        theirs = sides.by_the_tool(self.tool, built, scenario, now)
        ours = sides.ours(self.ground.admin, built, scenario, now)
        wanted, names = expected(scenario, theirs)
        return Compared(scenario, built, now, theirs, ours, wanted, tuple(names))

    def of_file(self, built: Built, text: str, *arguments: str) -> ToolAnswer:
        """The tool's dry run of a file, as it stands."""
        with tempfile.TemporaryDirectory(prefix="differential-") as scratch:
            file = Path(scratch) / "plan.csv"
            file.write_text(text)
            words = ["--reset-offsets", "--dry-run", "--export", "--timeout", sides.TIMEOUT_MS, "--group", built.group]
            return self.tool.run(Tool.CONSUMER_GROUPS, *words, "--from-file", str(file), *arguments)
