"""The rights that writing needs and the console lacks, as far as brokers tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Action, Line, PlanWarning
from kafkaconsole.resets.warnings.naming import NAMED

_NEEDED = {Action.SET: "READ", Action.DELETE: "DELETE"}
"""Of the group, for what a line does; its topic must be READ for both (kafka-facts 4)."""


def warnings_of(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Told before anybody signs: the brokers would refuse the write, or a part of it."""
    missing = list(_missing(facts, [line for line in lines if line.action in _NEEDED]))
    if missing:
        told = [{"right": right, "resource": resource} for right, resource in missing[:NAMED]]
        yield PlanWarning("cannot_write", {"count": len(missing), "missing": told})


def _missing(facts: Facts, written: Sequence[Line]) -> Iterator[tuple[str, str]]:
    operations = facts.group.operations
    for right in sorted({_NEEDED[line.action] for line in written}):
        if operations is not None and right not in operations:
            yield right, f"group {facts.group.group}"
    for topic in sorted({line.of.topic for line in written}):
        if "READ" not in facts.topic_operations.get(topic, {"READ"}):
            yield "READ", f"topic {topic}"
