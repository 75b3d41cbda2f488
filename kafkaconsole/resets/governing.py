"""The policy that governs a request: chosen when its plan is made, pinned to the plan, and weighed against signatures.

What is pinned stays (docs/decisions/0050): a policy that is changed later neither loosens nor tightens a plan that is
already there. Who holds which role is looked up anew each time: a signature counts while its signer may give it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals import patterns, queries, quorum, risk
from kafkaconsole.approvals.choosing import Subject
from kafkaconsole.approvals.errors import AmbiguousPolicy, NoPolicy
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.approvals.quorum import Signer
from kafkaconsole.approvals.risk import Level, PlanFacts, Risk, Thresholds
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Cluster, Holder, Right
from kafkaconsole.errors import ConsoleError
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import deputies, plans
from kafkaconsole.resets.models import Approval, Decision, Override, OverrideKind, ResetRequest
from kafkaconsole.resets.plans import Action, Line
from kafkaconsole.teams.models import Delegation, Team

MOVING = frozenset({"commits_moving", "commits_moved_lately"})
"""Warnings that say that commits move although the group is Empty."""

TICKET_NEEDED = "approval.ticket_needed"
REASON_TOO_SHORT = "approval.reason_too_short"


@dataclass(frozen=True, slots=True)
class Pin:
    """What is kept with a plan: how risky it is, the policy that applies to it (None: that is a tie), and the key of who
    may not sign it, having changed the request last."""

    risk: Risk
    version: PolicyVersion | None
    trouble: dict[str, object] | None
    barred: int | None = None


def pin(request: ResetRequest, plan: plans.Plan) -> Pin:
    """The risk of the plan and the policy that applies now. `trouble` says why the plan cannot be signed under it."""
    found = risk_of(plan, request.cluster)
    strategy = _kind(request.change)
    try:
        version = applying(request.cluster, request.team, request.group_name, strategy, found.level)
    except (AmbiguousPolicy, NoPolicy) as error:
        return Pin(found, None, problem_of(error))
    lacks = lacking(version, reason=request.reason, ticket=request.ticket)
    return Pin(found, version, lacks, _barred(request, version))


def _barred(request: ResetRequest, version: PolicyVersion) -> int | None:
    """Whoever asked is under a rule of their own, also where they changed it since."""
    last = request.revisions.order_by("-number").first()
    if last is None or version.rules.last_editor_may_count or last.replaced_by_id == request.requester_id:
        return None
    return last.replaced_by_id


def applying(cluster: Cluster, team: Team, group: str, strategy: str, level: Level) -> PolicyVersion:
    """The policy that applies now to a change of this kind and risk. Raises AmbiguousPolicy, NoPolicy."""
    subject = Subject(cluster.environment.slug, cluster.name, team.slug, group, strategy, level)
    return queries.applying(subject).chosen


def lacking(version: PolicyVersion, *, reason: str, ticket: str) -> dict[str, object] | None:
    """What the policy asks for and the request does not have; None: nothing."""
    rules, name = version.rules, version.policy.name
    if len(reason) < rules.reason_least:
        return problem(REASON_TOO_SHORT, policy=name, found=len(reason), expected=rules.reason_least)
    wrong = not patterns.matches(rules.ticket_pattern, ticket) if ticket and rules.ticket_pattern else False
    if wrong or (rules.ticket_needed and not ticket):
        return problem(TICKET_NEEDED, policy=name, found=ticket, expected=rules.ticket_pattern)
    return None


def risk_of(plan: plans.Plan, cluster: Cluster) -> Risk:
    """How risky a plan is on this cluster."""
    thresholds = Thresholds(settings.RISK_REPLAYED, settings.RISK_SHARE_PERCENT)
    return risk.assess(_facts_of(plan, cluster), thresholds)


def _facts_of(plan: plans.Plan, cluster: Cluster) -> PlanFacts:
    changed = [line for line in plan.lines if line.action in (Action.SET, Action.DELETE)]
    return PlanFacts(
        replayed=plan.totals.replayed,
        skipped=plan.totals.skipped,
        kept=sum(_kept(line) for line in changed),
        without_commit=sum(line.action is Action.SET and line.committed is None for line in changed),
        deleted=sum(line.action is Action.DELETE for line in changed),
        members=len(plan.members),
        is_moving=any(one.code in MOVING for one in plan.warnings),
        is_production=cluster.environment.is_production,
    )


def _kept(line: Line) -> int:
    return 0 if line.log_start is None or line.log_end is None else line.log_end - line.log_start


def version_of(request: ResetRequest) -> PolicyVersion:
    """The policy of the request's plan. Without a plan: what applies now to a plan of low risk, where that is clear.

    A plan from before policies were rows is under what applied then.
    """
    if request.plan is not None:
        return request.plan.policy_version or queries.original()
    try:
        kind = _kind(request.change)
        return applying(request.cluster, request.team, request.group_name, kind, Level.LOW)
    except ConsoleError:
        return queries.original()


def weigh(request: ResetRequest, version: PolicyVersion, *, without: Approval | None = None) -> quorum.Weighed:
    """The signatures on the plan that the request has now, by what their signers may do now; `without` one of them."""
    people = [one.by for one in approvals_of(request) if one != without]
    standing = _standing(people, request, version, signed={one.pk for one in people})
    return quorum.weigh(version.quorum, [one.signer for one in standing], request.team.slug)


def approvals_of(request: ResetRequest) -> list[Approval]:
    """Who approved the plan that the request has now and stands by it, in that order."""
    if request.plan_id is None:
        return []
    given = request.approvals.filter(plan=request.plan_id, decision=Decision.APPROVED, withdrawal=None)
    return list(given.select_related("by").order_by("id"))


def may_count(user: User, request: ResetRequest, version: PolicyVersion) -> bool:
    """Whether the person's role, or that of somebody away for whom they sign, lets their signature serve one of the
    policy's needs where the environment lets it sign."""
    return any(_serves(one.signer, request, version) for one in _standing([user], request, version))


def is_barred(user: User, request: ResetRequest, version: PolicyVersion) -> bool:
    """Whether the policy would count the person, and only the environment does not let their role sign."""
    could = any(_serves(one, request, version) for one in queries.signers([user]))
    return could and not may_count(user, request, version)


def stands_for(user: User, request: ResetRequest, version: PolicyVersion) -> Delegation | None:
    """For whom the person signs this, where they do not sign in their own name."""
    return next((one.stands_for for one in _standing([user], request, version)), None)


def _serves(one: Signer, request: ResetRequest, version: PolicyVersion) -> bool:
    return any(quorum.counts_for(need, one, request.team.slug) for need in version.quorum)


def _standing(
    people: list[User], request: ResetRequest, version: PolicyVersion, *, signed: set[int] | None = None
) -> list[deputies.Standing]:
    """Signers with the roles that may sign in the request's environment; one that may not is no more than a member's.

    `signed`: the keys of those whose own signatures are looked at (None: all on the plan).
    """
    counted = signing_roles(request)

    def limited(one: Signer) -> Signer:
        return replace(one, roles={team: role if role in counted else "member" for team, role in one.roles.items()})

    return deputies.stand(
        people,
        limited=limited,
        serves=lambda one: _serves(one, request, version),
        barred=lambda: _asking(request) | ({one.by_id for one in approvals_of(request)} if signed is None else signed),
    )


def _asking(request: ResetRequest) -> set[int]:
    """Who lends nothing here, as they may not sign it: whoever asked, who changed it last where the policy bars them, and
    who made a token of a service account that asked."""
    found = {request.requester_id}
    barred: int | None = getattr(request.plan, "barred_id", None)
    if barred is not None:
        found.add(barred)
    if request.requester.is_service:
        found |= set(request.requester.tokens.exclude(made_by=None).values_list("made_by", flat=True))
    return found


def signing_roles(request: ResetRequest) -> frozenset[str]:
    """The roles that the request's environment lets sign at all."""
    table = rights.table_of(request.cluster.environment)
    return frozenset(one.value for one in (Holder.APPROVER, Holder.OWNER) if table[one, Right.APPROVE])


def glass_of(request: ResetRequest) -> Override | None:
    """Who broke the glass for the plan that the request has now."""
    return request.overrides.filter(plan=request.plan_id, kind=OverrideKind.GLASS).select_related("by").first()


def ends_at(request: ResetRequest, version: PolicyVersion) -> datetime:
    """When the request expires under this policy: never later than it would without."""
    life = version.rules.request_life
    if life is None:
        return request.expires_at
    return min(request.expires_at, (request.not_before or request.created_at) + life)


def _kind(change: Mapping[str, object]) -> str:
    strategy = change["strategy"]
    return str(strategy["kind"]) if isinstance(strategy, Mapping) else ""
