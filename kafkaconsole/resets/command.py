"""The line of Kafka's own tool that comes to the same as a plan, where there is one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from kafkaconsole.resets.change import Change
from kafkaconsole.resets.plans import Action, Line, Why

_OWN_RULES = frozenset({Why.NO_COMMIT, Why.NO_RECORD_AFTER_UNCERTAIN})


def command_for(change: Change, lines: Sequence[Line]) -> str | None:
    """A `kafka-consumer-groups` dry run over the lines that are written; None where the tool would do something else.

    The tool has no way to copy a group, to choose for partitions without a commit, or to bring a commit that lies
    outside the log back in with `--to-current`. Of a deletion it has no dry run: there the line is the real thing.
    """
    option = change.strategy.option()
    written = [line for line in lines if line.action in (Action.SET, Action.DELETE)]
    refused = any(line.action is Action.REFUSE for line in lines)
    deleted = any(line.action is Action.DELETE for line in lines)
    if option is None or refused or not written or any(_is_our_own(line, option) for line in written):
        return None
    scope = [] if change.strategy.names_partitions else [f"--topic {shlex.quote(name)}" for name in _scopes(written)]
    parts = [
        "kafka-consumer-groups --bootstrap-server BOOTSTRAP_SERVERS",
        f"--group {shlex.quote(change.group)}",
        *scope,
        option if deleted else f"--reset-offsets {option} --dry-run",
    ]
    return " ".join(parts)


def _is_our_own(line: Line, option: str) -> bool:
    return line.why in _OWN_RULES or (option == "--to-current" and line.target != line.committed)


def _scopes(lines: Sequence[Line]) -> list[str]:
    by_topic: dict[str, list[int]] = {}
    for line in lines:
        by_topic.setdefault(line.of.topic, []).append(line.of.partition)
    return [f"{topic}:{','.join(map(str, sorted(partitions)))}" for topic, partitions in sorted(by_topic.items())]
