"""What a person wants a policy to say, before it is a version."""

from __future__ import annotations

from dataclasses import dataclass

from kafkaconsole.approvals import kinds, quorum, terms
from kafkaconsole.approvals.errors import BadPolicy
from kafkaconsole.approvals.models import GroupKind, PolicyVersion
from kafkaconsole.approvals.risk import Level
from kafkaconsole.approvals.terms import Terms
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.teams.models import Team
from kafkaconsole.words import words

MOST_NEEDS = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """Reach, needs and terms, as in `PolicyVersion`. A cluster brings its environment: only one of them is given."""

    environment: Environment | None = None
    cluster: Cluster | None = None
    team: Team | None = None
    group_kind: str = ""
    group_pattern: str = ""
    strategies: tuple[str, ...] = ()
    level: Level = Level.LOW
    needs: tuple[quorum.Need, ...] = ()
    requester_may_count: bool = False
    break_glass: bool = False
    terms: Terms = Terms()

    @property
    def is_for_everything(self) -> bool:
        """No condition narrows it."""
        named = (self.environment, self.cluster, self.team, self.group_kind, self.strategies)
        return not any(named) and self.level is Level.LOW


def of(version: PolicyVersion) -> Draft:
    """What a version says, to be changed."""
    return Draft(
        environment=version.environment,
        cluster=version.cluster,
        team=version.team,
        group_kind=version.group_kind,
        group_pattern=version.group_pattern,
        strategies=tuple(version.strategies),
        level=Level(version.level),
        needs=version.quorum,
        requester_may_count=version.requester_may_count,
        break_glass=bool(version.break_glass),
        terms=version.rules,
    )


def check(draft: Draft) -> None:
    """Raise BadPolicy for what no version can be made of."""
    if draft.cluster and draft.environment:
        expected = words("a cluster or an environment, not both")
        raise BadPolicy(field="environment", found=draft.environment.slug, expected=expected)
    _check_group(draft.group_kind, draft.group_pattern)
    unknown = sorted(set(draft.strategies) - kinds.NAMES)
    if unknown:
        expected = words("one of {names}", names=", ".join(kind for kind, _label in kinds.KINDS))
        raise BadPolicy(field="strategies", found=", ".join(unknown), expected=expected)
    wrong = [need.count for need in draft.needs if not 1 <= need.count <= 9]
    if wrong or len(draft.needs) > MOST_NEEDS:
        found = str(wrong[0] if wrong else len(draft.needs))
        raise BadPolicy(field="needs", found=found, expected=words("at most 5 rows, each for 1 to 9"))
    terms.check(draft.terms)


def _check_group(kind: str, pattern: str) -> None:
    if kind not in ("", *GroupKind.values):
        raise BadPolicy(field="group_kind", found=kind, expected=words("name or prefix"))
    if bool(kind) != bool(pattern):
        raise BadPolicy(field="group_pattern", found=pattern, expected=words("a text and how it is meant, or neither"))
    if len(pattern) > LONGEST_GROUP_NAME or "\0" in pattern:
        raise BadPolicy(
            field="group_pattern",
            found=pattern[:80],
            expected=words("at most {most} characters", most=LONGEST_GROUP_NAME),
        )
