"""Kafka's own command-line tools, run against a local cluster: the independent witness of what the console did."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from devtools.kafka import jars
from devtools.kafka.errors import ToolFailed
from devtools.kafka.logins import ADMIN, Door, Login, Reachable

# 0.7 s on a quiet machine.
_LIMIT_SECONDS = 120.0
LOG4J = Path(__file__).with_name("tools-log4j2.properties")
_NONE = "-"


class Tool(Enum):
    """The tools by their names in Kafka's bin folder (without .sh), and the class behind each."""

    CONSUMER_GROUPS = "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand"
    TOPICS = "org.apache.kafka.tools.TopicCommand"
    ACLS = "org.apache.kafka.tools.AclCommand"
    CONFIGS = "org.apache.kafka.tools.ConfigCommand"
    GROUPS = "org.apache.kafka.tools.GroupsCommand"


@dataclass(frozen=True)
class ToolAnswer:
    """What one run of a tool gave back."""

    exit_code: int
    stdout: str
    stderr: str


CommittedOffsets = Mapping[tuple[str, int], int]


@dataclass(frozen=True)
class Tools:
    """The tools, pointed at one cluster as one of its users."""

    kafka: Reachable
    login: Login = ADMIN

    def run(self, tool: Tool, *arguments: str) -> ToolAnswer:
        """Run a tool with --bootstrap-server and the user's client properties added; its exit code is not judged here."""
        door = self.kafka.door(self.login)
        with tempfile.TemporaryDirectory(prefix="kafka-tool-") as scratch:
            properties = written_properties(door, Path(scratch))
            command = [*arguments, "--bootstrap-server", door.bootstrap_servers, "--command-config", str(properties)]
            flags = [f"-Dlog4j2.configurationFile={LOG4J}", "-Xmx128m"]
            java = jars.runtime().command(tool.value, *command, flags=flags)
            ran = subprocess.run(
                java,
                capture_output=True,
                text=True,
                check=False,
                timeout=_LIMIT_SECONDS,
                env={**os.environ, "LC_ALL": "C"},
            )
        return ToolAnswer(exit_code=ran.returncode, stdout=ran.stdout, stderr=ran.stderr)

    def described_offsets(self, group: str) -> CommittedOffsets:
        """{(topic, partition): committed offset} by `kafka-consumer-groups --describe --offsets`; see `described`."""
        return self.described([group])[group]

    def described(self, groups: Iterable[str]) -> Mapping[str, CommittedOffsets]:
        """The same for many groups in one run. A partition without a committed offset is left out.

        A group the tool does not know raises ToolFailed.
        """
        wanted = list(dict.fromkeys(groups))
        named = [argument for group in wanted for argument in ("--group", group)]
        answer = self.run(Tool.CONSUMER_GROUPS, "--describe", "--offsets", *named)
        # The tool says 0 even when it failed.
        if answer.exit_code != 0 or answer.stdout.lstrip().startswith("Error:"):
            raise ToolFailed(f"kafka-consumer-groups could not describe {wanted}: {answer.stdout}{answer.stderr}")
        found = parsed_offsets(answer.stdout)
        return {group: found.get(group, {}) for group in wanted}


def written_properties(door: Door, folder: Path) -> Path:
    """A file for --command-config that lets a tool in at this door."""
    properties = folder / "client.properties"
    properties.write_text("".join(f"{name}={value}\n" for name, value in door.java().items()))
    return properties


def parsed_offsets(text: str) -> Mapping[str, CommittedOffsets]:
    """{group: {(topic, partition): offset}} from the tables of `--describe --offsets`, read by their headings.

    Columns are parted by blanks, so names must have none.
    """
    found: dict[str, dict[tuple[str, int], int]] = {}
    headings: list[str] = []
    for words in (line.split() for line in text.splitlines()):
        if words[:2] == ["GROUP", "TOPIC"]:
            headings = words
        elif headings and len(words) >= headings.index("CURRENT-OFFSET") + 1:
            row = dict(zip(headings, words, strict=False))
            if _NONE not in (row["TOPIC"], row["CURRENT-OFFSET"]):
                of_group = found.setdefault(row["GROUP"], {})
                of_group[(row["TOPIC"], int(row["PARTITION"]))] = int(row["CURRENT-OFFSET"])
    return found
