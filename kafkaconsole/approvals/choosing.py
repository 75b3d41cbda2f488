"""Which policy applies: plain Python, no I/O.

Every policy has a reach: conditions on environment, cluster, team, group, strategy and risk, each of which may be open.
Of those that apply, one wins if its reach lies within that of every other. If none does, that is a tie: a tie is an
error for an administrator to mend, never a choice, because the looser of two rules must not win by accident.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, Protocol, TypeVar

from kafkaconsole.approvals.errors import AmbiguousPolicy, NoPolicy
from kafkaconsole.approvals.risk import Level


@dataclass(frozen=True, slots=True)
class GroupPattern:
    """Groups of one exact name, or all whose names begin with the text."""

    text: str
    is_prefix: bool

    def matches(self, group: str) -> bool:
        """Whether a group of this name is meant."""
        return group.startswith(self.text) if self.is_prefix else group == self.text

    def is_within(self, other: GroupPattern) -> bool:
        """Whether every group that this means is meant by the other."""
        return other.matches(self.text) if other.is_prefix else not self.is_prefix and self.text == other.text


@dataclass(frozen=True, slots=True)
class Subject:
    """What a policy is looked for: slugs, names, the strategy's kind, and the plan's risk."""

    environment: str
    cluster: str
    team: str
    group: str
    strategy: str
    level: Level


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a policy applies; None (or an empty set) leaves a condition open. `level`: plans of this risk or higher.

    A reach with a cluster names that cluster's environment too.
    """

    environment: str | None = None
    cluster: str | None = None
    team: str | None = None
    group: GroupPattern | None = None
    strategies: frozenset[str] = frozenset()
    level: Level = Level.LOW

    def matches(self, subject: Subject) -> bool:
        """Whether the policy applies to the subject."""
        return not unmet(self, subject)

    def is_within(self, other: Reach) -> bool:
        """Whether every subject that this matches is matched by the other."""
        return (
            other.environment in (None, self.environment)
            and other.cluster in (None, self.cluster)
            and other.team in (None, self.team)
            and (other.group is None or self.group is not None and self.group.is_within(other.group))
            and (not other.strategies or bool(self.strategies) and self.strategies <= other.strategies)
            and other.level.rank <= self.level.rank
        )


def unmet(reach: Reach, subject: Subject) -> list[str]:
    """The conditions that the subject does not meet, by name."""
    met = {
        "environment": reach.environment in (None, subject.environment),
        "cluster": reach.cluster in (None, subject.cluster),
        "team": reach.team in (None, subject.team),
        "group": reach.group is None or reach.group.matches(subject.group),
        "strategy": not reach.strategies or subject.strategy in reach.strategies,
        "level": reach.level.rank <= subject.level.rank,
    }
    return [name for name, is_met in met.items() if not is_met]


class Candidate(Protocol):
    """A policy as far as choosing goes."""

    @property
    def name(self) -> str: ...

    @property
    def reach(self) -> Reach: ...


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Choice(Generic[C]):
    """The policy that applies, and those that would if it were not there, as they were given."""

    chosen: C
    others: tuple[C, ...]


def choose(candidates: Iterable[C], subject: Subject) -> Choice[C]:
    """The most exact of the policies that match. Raises AmbiguousPolicy on a tie, NoPolicy where none matches."""
    matching = [one for one in candidates if one.reach.matches(subject)]
    if not matching:
        raise NoPolicy
    winners = [one for one in matching if all(one.reach.is_within(other.reach) for other in matching)]
    if len(winners) != 1:
        raise AmbiguousPolicy(policies=sorted(one.name for one in _innermost(matching)))
    return Choice(winners[0], tuple(one for one in matching if one is not winners[0]))


def ties(candidates: Sequence[C]) -> list[tuple[C, C]]:
    """Pairs of which both may apply to one subject and neither wins there, with no third that settles it."""
    found = []
    for one, other in combinations(candidates, 2):
        both = _meet(one.reach, other.reach)
        if both is None or (one.reach.is_within(other.reach) != other.reach.is_within(one.reach)):
            continue
        if not any(_settles(third.reach, one.reach, other.reach, both) for third in candidates):
            found.append((one, other))
    return found


def _settles(third: Reach, one: Reach, other: Reach, both: Reach) -> bool:
    """It wins over both wherever both apply."""
    if one == other:
        return False
    return third.is_within(one) and third.is_within(other) and both.is_within(third)


def _innermost(matching: Sequence[C]) -> list[C]:
    """Those that no other lies strictly within."""
    return [one for one in matching if not any(_is_inside(other.reach, one.reach) for other in matching)]


def _is_inside(one: Reach, other: Reach) -> bool:
    return one != other and one.is_within(other)


def _meet(one: Reach, other: Reach) -> Reach | None:
    """Where both apply; None: nowhere."""
    if any(
        None not in (mine, theirs) and mine != theirs
        for mine, theirs in (
            (one.environment, other.environment),
            (one.cluster, other.cluster),
            (one.team, other.team),
        )
    ):
        return None
    groups = [group for group in (one.group, other.group) if group is not None]
    inner = next((g for g in groups if all(g.is_within(o) for o in groups)), None)
    strategies = one.strategies & other.strategies
    both_named = bool(one.strategies) and bool(other.strategies)
    if (groups and inner is None) or (both_named and not strategies):
        return None
    return Reach(
        environment=one.environment or other.environment,
        cluster=one.cluster or other.cluster,
        team=one.team or other.team,
        group=inner,
        strategies=strategies if both_named else one.strategies | other.strategies,
        level=max(one.level, other.level, key=lambda level: level.rank),
    )
