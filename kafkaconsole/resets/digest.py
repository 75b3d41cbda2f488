"""The digest that an approval signs: SHA-256 over one canonical form of what will be written and why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from kafkaconsole.resets.change import Change, rules_as_json
from kafkaconsole.resets.plans import Line

VERSION = 1
"""Part of what is signed, so that another form can never give the same digest by chance."""


def digest_of(change: Change, cluster_id: str, lines: Iterable[Line]) -> str:
    """SHA-256 hex over cluster id, group, creation, strategy, rules and each line, whatever the lines' order.

    Of a line: topic, its id, partition, what is committed now (offset, metadata, leader epoch), action and target.
    A line that puts a whole commit back has its text and epoch as well (docs/decisions/0013). Bounds and times are not
    in it: they move on without changing what is signed. Only text, whole numbers, booleans and nulls occur, so rows
    read back from any database give the same bytes.
    """
    form = {
        "version": VERSION,
        "cluster_id": cluster_id,
        "group": change.group,
        "create_group": change.create_group,
        "strategy": change.strategy.as_json(),
        "rules": rules_as_json(change.rules),
        "lines": [_line(line) for line in sorted(lines, key=lambda line: line.of)],
    }
    text = json.dumps(form, sort_keys=True, separators=(",", ":"))  # ASCII alone: all other characters are escaped
    return hashlib.sha256(text.encode()).hexdigest()


def _line(line: Line) -> list[object]:
    committed = None if line.committed is None else [line.committed, line.metadata, line.leader_epoch]
    form = [line.of.topic, line.topic_id, line.of.partition, committed, line.action.value, line.target]
    return form if line.put_back is None else [*form, [line.put_back.metadata, line.put_back.leader_epoch]]
