"""Which rule decides who owns a group: plain Python, no I/O.

An exact name wins over any prefix, a longer prefix over a shorter one, and at the same pattern a rule of the cluster
wins over a rule for all clusters. What is left after that is a tie, and a tie is an error, never a choice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from kafkaconsole.groups.errors import AmbiguousOwner


@dataclass(frozen=True, slots=True)
class Rule:
    """One ownership rule: `is_prefix` or an exact name; `everywhere`: made for all clusters, not for this one."""

    pattern: str
    is_prefix: bool
    everywhere: bool
    team_id: int
    team_slug: str


class RuleBook:
    """The rules that count on one cluster: its own and those for all clusters."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._names: dict[str, list[Rule]] = defaultdict(list)
        self._prefixes: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            (self._prefixes if rule.is_prefix else self._names)[rule.pattern].append(rule)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes}, reverse=True)

    def owner_of(self, group: str) -> Rule | None:
        """The rule that decides, None when nobody owns the group; raises AmbiguousOwner on a tie."""
        if group in self._names:
            return _decide(group, self._names[group])
        for length in self._lengths:
            rules = self._prefixes.get(group[:length])
            if rules:
                return _decide(group, rules)
        return None


def _decide(group: str, rules: list[Rule]) -> Rule:
    best = [rule for rule in rules if not rule.everywhere] or rules
    if len({rule.team_id for rule in best}) > 1:
        teams = sorted(rule.team_slug for rule in best)
        raise AmbiguousOwner(group=group, pattern=best[0].pattern, teams=teams)
    return best[0]
