"""Which rule decides who owns a group: plain Python, no I/O.

The order is total (docs/decisions/0056): an exact name, then the longer beginning, then the glob that fixes more
characters, then a regular expression; among equals a rule of the cluster before one of its environment before one for
everywhere. What is left after that and names different teams is a tie, and a tie is an error, never a choice.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

import re2

from kafkaconsole.groups.errors import AmbiguousOwner
from kafkaconsole.groups.matching import Kind, Matcher, fixed_characters, matcher_of

logger = logging.getLogger(__name__)

KINDS = (Kind.REGEX, Kind.GLOB, Kind.PREFIX, Kind.NAME)
"""From the least exact to the most."""


class Place(IntEnum):
    """Where a rule holds: the more exact the higher."""

    EVERYWHERE = 0
    ENVIRONMENT = 1
    CLUSTER = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """One ownership rule; `key` is the primary key of its row."""

    kind: Kind
    pattern: str
    place: Place
    team_id: int
    team_slug: str
    key: int = 0

    @property
    def exactness(self) -> tuple[int, int]:
        """How exact the pattern is: its kind, then the characters that it fixes."""
        return KINDS.index(self.kind), fixed_characters(self.kind, self.pattern)

    @property
    def rank(self) -> tuple[tuple[int, int], Place]:
        """The higher wins."""
        return self.exactness, self.place


@dataclass(frozen=True, slots=True)
class Finding:
    """All rules that match one name: those of the highest rank, and those that lost, the highest first.

    `best` is empty when nobody owns the name, and a tie when it names more than one team.
    """

    group: str
    best: tuple[Rule, ...]
    lost: tuple[Rule, ...]

    @property
    def teams(self) -> list[str]:
        """The slugs of the teams that the best rules name."""
        return sorted({rule.team_slug for rule in self.best})

    @property
    def is_tie(self) -> bool:
        """Whether rules of one rank give it to different teams."""
        return len({rule.team_id for rule in self.best}) > 1

    def decide(self) -> Rule | None:
        """The rule that decides, None when nobody owns the group; raises AmbiguousOwner on a tie."""
        if self.is_tie:
            patterns = sorted(f"{rule.kind} {rule.pattern}" for rule in self.best)
            raise AmbiguousOwner(group=self.group, patterns=patterns, teams=self.teams)
        return self.best[0] if self.best else None


class RuleBook:
    """The rules that count on one cluster: its own, those of its environment, and those for everywhere."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._plain: dict[tuple[Kind, str], list[Rule]] = defaultdict(list)
        open_rules: list[tuple[Rule, Matcher]] = []
        for rule in rules:
            if rule.kind in (Kind.NAME, Kind.PREFIX):
                self._plain[rule.kind, rule.pattern].append(rule)
            elif (matcher := _matcher(rule)) is not None:
                open_rules.append((rule, matcher))
        self._open = sorted(open_rules, key=lambda one: one[0].exactness, reverse=True)
        lengths = {len(pattern) for kind, pattern in self._plain if kind is Kind.PREFIX}
        self._lengths = sorted(lengths, reverse=True)

    def owner_of(self, group: str) -> Rule | None:
        """The rule that decides, None when nobody owns the group; raises AmbiguousOwner on a tie."""
        best = next(self._tiers(group), [])
        return Finding(group, *_split(best)).decide()

    def find(self, group: str) -> Finding:
        """Every rule that matches, for those who want to know why."""
        first, *others = list(self._tiers(group)) or [[]]
        best, beaten = _split(first)
        later = [sorted(tier, key=lambda rule: rule.place, reverse=True) for tier in others]
        return Finding(group, best, beaten + tuple(rule for tier in later for rule in tier))

    def _tiers(self, group: str) -> Iterator[list[Rule]]:
        """Rules that match, by how exact their pattern is, the most exact first; never an empty list."""
        if names := self._plain.get((Kind.NAME, group)):
            yield names
        for length in self._lengths:
            prefix = group[:length]
            if len(prefix) == length and (rules := self._plain.get((Kind.PREFIX, prefix))):
                yield rules
        for _, tier in groupby(self._open, key=lambda one: one[0].exactness):
            if rules := [rule for rule, matches in tier if matches(group)]:
                yield rules


def _split(tier: list[Rule]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Rules of one exactness: those of the most exact place, and the others."""
    ordered = sorted(tier, key=lambda rule: (-rule.place, rule.pattern, rule.team_slug))
    best = tuple(rule for rule in ordered if rule.place == ordered[0].place)
    return best, tuple(ordered[len(best) :])


def _matcher(rule: Rule) -> Matcher | None:
    """None, and a line in the log, for a pattern that came into the database past the door."""
    try:
        return matcher_of(rule.kind, rule.pattern)
    except re2.error:
        logger.exception("an ownership rule cannot be read and gives no group to anybody", extra={"rule": rule.key})
        return None
