"""The tester: which policy would apply to a plan, and why not the others."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from kafkaconsole.approvals import queries, risk
from kafkaconsole.approvals.choosing import Subject, choose, unmet
from kafkaconsole.approvals.errors import AmbiguousPolicy, NoPolicy
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.approvals.risk import PlanFacts, Risk, Thresholds
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.errors import ConsoleError
from kafkaconsole.teams.models import Team
from kafkaconsole.words import joined, words

CONDITIONS = {
    "environment": words("another environment"),
    "cluster": words("another cluster"),
    "team": words("another team"),
    "group": words("other groups"),
    "strategy": words("other strategies"),
    "level": words("a higher risk"),
}


@dataclass(frozen=True, slots=True)
class Tried:
    """One policy: `why` says why it does not apply; None: it would, but `chosen` is the more exact."""

    version: PolicyVersion
    is_chosen: bool
    why: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """`chosen` None: `error` says why none applies."""

    risk: Risk
    chosen: PolicyVersion | None
    tried: list[Tried]
    error: ConsoleError | None = None


def find(cluster: Cluster, team: Team, group: str, strategy: str, plan: PlanFacts) -> Answer:
    """Which of the policies in force applies to such a plan."""
    found = risk.assess(plan, Thresholds(settings.RISK_REPLAYED, settings.RISK_SHARE_PERCENT))
    subject = Subject(cluster.environment.slug, cluster.name, team.slug, group, strategy, found.level)
    candidates = queries.in_force()
    chosen, error = None, None
    try:
        chosen = choose(candidates, subject).chosen
    except (AmbiguousPolicy, NoPolicy) as refused:
        error = refused
    return Answer(found, chosen, [_tried(one, chosen, subject) for one in candidates], error)


def _tried(version: PolicyVersion, chosen: PolicyVersion | None, subject: Subject) -> Tried:
    missing = unmet(version.reach, subject)
    why = words("it is for {conditions}", conditions=joined(CONDITIONS[one] for one in missing)) if missing else None
    return Tried(version, version is chosen, why)
