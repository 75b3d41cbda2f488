"""The ways to the same answer that are compared: the console's plan, the bare client calls, and Kafka's own tool.

Each opens and closes its own connection, does the whole work for one group, and raises WrongAnswer where it did not
come to what `big_groups` made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

from kafka.admin import OffsetSpec
from kafka.protocol.consumer import IsolationLevel

from devtools.bench.big_groups import COMMITTED, INSTANT, RECORDS, TARGET, BigGroup
from devtools.kafka import admin
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.tools import Tool, ToolAnswer
from devtools.kafka.topics import epoch_ms

if TYPE_CHECKING:
    from kafkaconsole.resets.plans import Plan

PARTITIONS_A_CALL = 500
"""One call of 10,000 partitions takes five times as long as twenty of 500."""


class WrongAnswer(AssertionError):
    """A way was quick and wrong."""


class Runs(Protocol):
    """Kafka's tools, as a process each or in a warm one."""

    def run(self, tool: Tool, *arguments: str) -> ToolAnswer: ...


def change_of(group: BigGroup) -> dict[str, object]:
    """The change as the API takes it: every committed partition to INSTANT."""
    return {
        "cluster": "bench",
        "group": group.name,
        "scope": {"all_committed": True},
        "strategy": {"kind": "to_datetime", "datetime": INSTANT.isoformat()},
    }


def plan(cluster_pk: int, group: BigGroup, *, pause: timedelta | None = None) -> Plan:
    """As a worker does it for a preview: everything, but no second reading of the commits some seconds later.

    With a `pause` as for a request: commits are read again so much later, and the times of records around all targets.
    """
    from kafkaconsole.clusters.connections import offset_admin, record_reader
    from kafkaconsole.resets.actions.working_out import work_out

    made = work_out(change_of(group), cluster_pk, offset_admin, record_reader, pause=pause)
    _check(len(made.lines), len(group.partitions), "lines")
    _check({(line.committed, line.target) for line in made.lines}, {(COMMITTED, TARGET)}, "commit and target")
    return made


def bare_calls(kafka: LocalKafka, group: BigGroup) -> None:
    """The calls of kafka-python's admin client that a plan cannot do without; nothing is made of their answers."""
    with admin.opened(kafka.door()) as client:
        client.describe_groups([group.name])
        held = client.list_group_offsets([group.name])[group.name]
        _check(len(held), len(group.partitions), "commits")
        for what, offset, answers in _asked(client, list(held)):
            _check({answer.offset for answer in answers.values()}, {offset}, what)


def _asked(client: Any, partitions: list[Any]) -> Iterator[tuple[str, int, Mapping[Any, Any]]]:
    """Start, last stable offset, end and the offset at INSTANT, in calls of 500."""
    all_of_them, committed_alone = IsolationLevel.READ_UNCOMMITTED, IsolationLevel.READ_COMMITTED
    steps = (
        ("log start", 0, OffsetSpec.EARLIEST, all_of_them),
        ("last stable offset", RECORDS, OffsetSpec.LATEST, committed_alone),
        ("log end", RECORDS, OffsetSpec.LATEST, all_of_them),
        ("offset at the instant", TARGET, epoch_ms(INSTANT), all_of_them),
    )
    for what, offset, wanted, isolation in steps:
        for at in range(0, len(partitions), PARTITIONS_A_CALL):
            some = dict.fromkeys(partitions[at : at + PARTITIONS_A_CALL], wanted)
            yield what, offset, client.list_partition_offsets(some, isolation_level=isolation)


def kafkas_tool(tools: Runs, group: BigGroup) -> None:
    """`kafka-consumer-groups --reset-offsets --to-datetime … --dry-run` on all topics of the group."""
    instant = INSTANT.strftime("%Y-%m-%dT%H:%M:%S.000")
    change = ["--reset-offsets", "--to-datetime", instant, "--all-topics", "--group", group.name, "--dry-run"]
    answer = tools.run(Tool.CONSUMER_GROUPS, *change)
    rows = [line.split() for line in answer.stdout.splitlines() if line.startswith(f"{group.name} ")]
    _check(len(rows), len(group.partitions), f"rows of the tool, which said {answer.stdout[:200]}{answer.stderr[:200]}")
    _check({row[3] for row in rows}, {str(TARGET)}, "new offsets of the tool")


def _check(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise WrongAnswer(f"{what}: found {found}, expected {expected}")
