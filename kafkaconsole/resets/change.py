"""The change that a person asks for, read strictly from its JSON form (names as in the HTTP API)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from kafkaconsole.kafka.values import GroupId, TopicPartition
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.fields import INT32_POSITIVE, Fields, Problems, said
from kafkaconsole.resets.strategies import STRATEGIES, Context, Strategy
from kafkaconsole.words import words


class NoCommit(StrEnum):
    """What to do where the group has no commit. `STRATEGY`: what the strategy says, which may be to refuse."""

    STRATEGY = "strategy"
    LEAVE = "leave"
    EARLIEST = "earliest"
    LATEST = "latest"
    REFUSE = "refuse"


class NoRecordAfter(StrEnum):
    """What to do where there is no record at or after the moment."""

    LOG_END = "log_end"
    KEEP = "keep"
    REFUSE = "refuse"


class OutOfRange(StrEnum):
    """What to do where the wanted offset is outside the log."""

    CLAMP = "clamp"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for awkward partitions; the defaults are the API's."""

    no_commit: NoCommit = NoCommit.STRATEGY
    no_record_after: NoRecordAfter = NoRecordAfter.LOG_END
    out_of_range: OutOfRange = OutOfRange.CLAMP


@dataclass(frozen=True, slots=True)
class TopicScope:
    """A topic, and which of its partitions; None is all of them, in so many words."""

    topic: str
    partitions: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """Named topics, or every partition that the group has committed on (then `topics` is empty)."""

    topics: tuple[TopicScope, ...] = ()
    all_committed: bool = False

    def holds(self, of: TopicPartition) -> bool:
        """Whether a partition is named here; all_committed is not known without asking Kafka and holds all."""
        return self.all_committed or any(
            of.topic == named.topic and (named.partitions is None or of.partition in named.partitions)
            for named in self.topics
        )


@dataclass(frozen=True, slots=True)
class Change:
    """What both a preview and a request say. `scope` is None only where the strategy names its partitions."""

    cluster: str
    group: GroupId
    scope: Scope | None
    strategy: Strategy
    rules: Rules = field(default_factory=Rules)
    create_group: bool = False


def parse_change(mapping: object) -> Change:
    """Read a change from JSON. Raises `BadChange` with every problem found, each with its field's path."""
    problems = Problems()
    fields = Fields.of(mapping, "", problems)
    if fields is None:
        raise BadChange(problems)
    cluster = fields.text("cluster", words("the name of a cluster"))
    group = fields.text("group", words("the name of a consumer group"))
    strategy = _strategy(fields, Context(GroupId(group) if group else None))
    scope = _scope(fields, strategy)
    rules = _rules(fields)
    create_group = fields.flag("create_group")
    fields.close()
    if strategy is not None and scope is not None:
        _check_rows(strategy, scope, problems)
    if problems or cluster is None or group is None or strategy is None:
        raise BadChange(problems)
    return Change(cluster, GroupId(group), scope, strategy, rules, create_group)


def _strategy(fields: Fields, context: Context) -> Strategy | None:
    value = Fields.of(fields.get("strategy"), "strategy", fields.problems)
    if value is None:
        return None
    kinds = f"one of {', '.join(STRATEGIES)}"
    kind = value.text("kind", kinds)
    if kind is None:
        return None
    if kind not in STRATEGIES:
        value.problem("kind", kind, kinds)
        return None
    strategy = STRATEGIES[kind].parse(value, context)
    value.close()
    return strategy


def _scope(fields: Fields, strategy: Strategy | None) -> Scope | None:
    raw = fields.get("scope")
    if raw is None and (strategy is None or strategy.names_partitions):
        return None
    expected = words('an object with "topics" (a list) or "all_committed": true')
    value = Fields.of(raw, "scope", fields.problems) if raw is not None else None
    if value is None:
        if raw is None:
            fields.problem("scope", None, expected)
        return None
    topics, all_committed = value.get("topics"), value.get("all_committed")
    value.close()
    if (topics is None) == (all_committed is None):
        fields.problem("scope", raw, words("{expected}: one of the two", expected=expected))
        return None
    if all_committed is not None:
        if all_committed is not True:
            value.problem("all_committed", all_committed, words("true, or topics instead"))
        return Scope(all_committed=True)
    return Scope(topics=tuple(_topics(value)))


def _topics(scope: Fields) -> Iterator[TopicScope]:
    seen: set[str] = set()
    for index, item in enumerate(scope.items("topics", words("a list of at least one topic")) or ()):
        entry = Fields.of(item, f"scope.topics[{index}]", scope.problems)
        if entry is None:
            continue
        topic = entry.topic("topic", words("the name of a topic"))
        partitions = _partitions(entry) if entry.get("partitions") is not None else None
        entry.close()
        if topic is None:
            continue
        if topic in seen:
            entry.problem("topic", topic, words("each topic once"))
        seen.add(topic)
        yield TopicScope(topic, partitions)


def _partitions(entry: Fields) -> tuple[int, ...]:
    found: set[int] = set()
    for item in entry.items("partitions", words("a list of at least one partition, or no list for all of them")) or ():
        if not isinstance(item, int) or isinstance(item, bool) or item not in INT32_POSITIVE:
            entry.problem("partitions", item, words("whole numbers from 0 to {most}", most=INT32_POSITIVE[-1]))
        elif item in found:
            entry.problem("partitions", item, words("each partition once"))
        else:
            found.add(item)
    return tuple(sorted(found))


E_ = TypeVar("E_", bound=StrEnum)


def _rules(fields: Fields) -> Rules:
    raw = fields.get("rules")
    value = Fields.of(raw, "rules", fields.problems) if raw is not None else None
    if value is None:
        return Rules()
    rules = Rules(
        no_commit=_choice(value, "no_commit", NoCommit),
        no_record_after=_choice(value, "no_record_after", NoRecordAfter),
        out_of_range=_choice(value, "out_of_range", OutOfRange),
    )
    value.close()
    return rules


def _choice(fields: Fields, name: str, choices: type[E_]) -> E_:
    """The chosen value; the first is the default."""
    default, *_ = choices
    raw = fields.get(name)
    if raw is None:
        return default
    if isinstance(raw, str) and raw in set(choices):
        return choices(raw)
    fields.problem(name, raw, words("one of {names}", names=", ".join(choices)))
    return default


def _check_rows(strategy: Strategy, scope: Scope, problems: Problems) -> None:
    """A scope given beside a file limits it: a row outside is an error, not a row less."""
    for of in strategy.named() or ():
        if not scope.holds(of):
            problems.add(
                "scope", said(words("a row for {of}", of=of)), words("every row within the scope, or a wider scope")
            )


def change_as_json(change: Change) -> dict[str, object]:
    """The canonical JSON form; `parse_change` of it gives an equal change."""
    return {
        "cluster": change.cluster,
        "group": change.group,
        "scope": _scope_as_json(change.scope),
        "strategy": change.strategy.as_json(),
        "rules": rules_as_json(change.rules),
        "create_group": change.create_group,
    }


def rules_as_json(rules: Rules) -> dict[str, str]:
    """Every rule with its value, defaults too."""
    return {
        "no_commit": rules.no_commit.value,
        "no_record_after": rules.no_record_after.value,
        "out_of_range": rules.out_of_range.value,
    }


def _scope_as_json(scope: Scope | None) -> Mapping[str, object] | None:
    if scope is None:
        return None
    if scope.all_committed:
        return {"all_committed": True}
    return {
        "topics": [
            {"topic": named.topic}
            if named.partitions is None
            else {"topic": named.topic, "partitions": list(named.partitions)}
            for named in scope.topics
        ]
    }


_RANGE = re.compile(r"(\d{1,10})(?:\s*-\s*(\d{1,10}))?", re.ASCII)
MAX_NAMED = 100_000
"""More partitions than any topic has; a range beyond it is a slip of the finger."""


def parse_partitions(text: str) -> tuple[int, ...]:
    """Partitions as people write them, `0-3,7`. Raises `BadChange` about `partitions` that names every bad part."""
    problems = Problems()
    found: set[int] = set()
    for part in text.split(","):
        numbers = _span(part.strip())
        if numbers is None:
            problems.add(
                "partitions",
                part.strip(),
                words("numbers and ranges such as 0-3,7, at most {most} partitions", most=MAX_NAMED),
            )
        elif not found.isdisjoint(numbers):
            problems.add("partitions", part.strip(), words("each partition once"))
        else:
            found.update(numbers)
    if problems:
        raise BadChange(problems)
    return tuple(sorted(found))


def _span(part: str) -> range | None:
    match = _RANGE.fullmatch(part)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    return range(first, last + 1) if first <= last < first + MAX_NAMED and last in INT32_POSITIVE else None
