"""The topics and partitions of a scope, as the form has them: known topics to tick, and rows to type others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.http import QueryDict

from kafkaconsole.history.standings import Standing
from kafkaconsole.resets.change import parse_partitions
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.words import shown

EMPTY_ROWS = 1


@dataclass(frozen=True, slots=True)
class TopicRow:
    """One topic of the form. `partitions` is as typed; empty means all. `known` topics have a box to tick."""

    topic: str
    partitions: str
    chosen: bool
    known: bool
    partitions_count: int = 0
    lag: int | None = None
    error: str = ""


class TopicRows:
    """The rows of one form, from what was sent (or from the address's query), and the scope that they say."""

    def __init__(self, sent: QueryDict, standing: Standing | None) -> None:
        self.problem = ""
        chosen = list(dict.fromkeys(sent.getlist("topic")))
        self.known = [
            TopicRow(name, sent.get(f"partitions:{name}", ""), name in chosen, True, count, lag)
            for name, count, lag in _topics_of(standing)
        ]
        known = {row.topic for row in self.known}
        typed = list(zip_longest(sent.getlist("typed_topic"), sent.getlist("typed_partitions"), fillvalue=""))
        typed += [(name, sent.get(f"partitions:{name}", "")) for name in chosen if name not in known]
        self.typed = [
            TopicRow(topic.strip(), text, True, False) for topic, text in typed if topic.strip() or text.strip()
        ]

    @property
    def rows_to_type(self) -> list[TopicRow]:
        """What was typed, and an empty row for more."""
        return [*self.typed, *(TopicRow("", "", True, False) for _ in range(EMPTY_ROWS))]

    def as_scope(self) -> tuple[list[dict[str, object]], list[str]]:
        """The scope's topics in JSON, and what is wrong with their partitions, each in a sentence."""
        topics: list[dict[str, object]] = []
        problems: list[str] = []
        for row in [*(row for row in self.known if row.chosen), *self.typed]:
            entry: dict[str, object] = {"topic": row.topic}
            if row.partitions.strip():
                try:
                    entry["partitions"] = list(parse_partitions(row.partitions))
                except BadChange as bad:
                    problems += [f"{row.topic}: {shown(one.found)} – {shown(one.expected)}" for one in bad.problems]
            topics.append(entry)
        return topics, problems

    def unticked(self) -> list[str]:
        """Topics with partitions typed beside them that are not ticked themselves: what is meant is not clear."""
        return [row.topic for row in self.known if row.partitions.strip() and not row.chosen]


def _topics_of(standing: Standing | None) -> Sequence[tuple[str, int, int | None]]:
    """Each topic of a standing with its number of partitions and its lag (None when one is not known)."""
    found: dict[str, tuple[int, int | None]] = {}
    for line in standing.lines if standing else ():
        count, lag = found.get(line.topic, (0, 0))
        found[line.topic] = (count + 1, None if lag is None or line.lag is None else lag + line.lag)
    return [(name, *numbers) for name, numbers in sorted(found.items())]
