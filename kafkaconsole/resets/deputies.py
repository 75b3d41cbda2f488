"""Signatures that one person gives for another who is away (docs/decisions/0066)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals import queries
from kafkaconsole.approvals.models import Need
from kafkaconsole.approvals.quorum import COUNTED, Least, Of, Signer
from kafkaconsole.audit.queries import timeline_of
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Right
from kafkaconsole.resets.models import Approval, Decision, ResetRequest
from kafkaconsole.teams.models import Delegation, Membership
from kafkaconsole.teams.queries import delegations, lent_to
from kafkaconsole.teams.queries import deputies as deputies_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A signer with the roles by which they sign: their own, or (`stands_for`) those that somebody lent them."""

    signer: Signer
    stands_for: Delegation | None = None


def stand(
    people: Sequence[User],
    *,
    limited: Callable[[Signer], Signer],
    serves: Callable[[Signer], bool],
    barred: Callable[[], Collection[int]],
) -> list[Standing]:
    """These people as they may sign now. Who can sign in their own name does; else for one who is away and could.

    Nobody is stood for by two, nor by anyone once they signed themselves: `barred` are the keys of those who lend nothing.
    `limited` takes the roles away that may not sign here, `serves` says whether the policy counts a signer.
    """
    own = [limited(one) for one in queries.signers(list(people))]
    idle = {one.key for one in own if not serves(one)}
    given = list(delegations(timezone.now()).filter(to__in=idle)) if idle else []
    if not given:
        return [Standing(one) for one in own]
    lenders = {one.key: limited(one) for one in queries.signers([one.by for one in given])}
    taken, found = set(barred()), []
    for one in own:
        standing = _borrowed(one, [each for each in given if each.to_id == one.key], lenders, taken, serves)
        found.append(standing or Standing(one))
    return found


def _borrowed(
    own: Signer,
    given: list[Delegation],
    lenders: dict[int, Signer],
    taken: set[int],
    serves: Callable[[Signer], bool],
) -> Standing | None:
    for one in given:
        lender = lenders.get(one.by_id)
        if lender is None or one.by_id in taken:
            continue
        lent = {
            team: role if one.team is None or one.team.slug == team else "member" for team, role in lender.roles.items()
        }
        signer = Signer(own.key, dict.fromkeys(own.roles, "member") | lent)
        if serves(signer):
            taken.add(one.by_id)
            return Standing(signer, one)
    return None


def with_theirs(held: QuerySet[Membership], request: ResetRequest) -> Q:
    """A condition on people: those of these memberships, and who signs for them now where they have not signed yet."""
    signed = request.approvals.filter(plan=request.plan_id, decision=Decision.APPROVED, withdrawal=None).values("by")
    lending = held.exclude(user=request.requester_id).exclude(user__in=signed)
    barred: int | None = getattr(request.plan, "barred_id", None)
    if barred is not None:
        lending = lending.exclude(user=barred)
    now = timezone.now()
    return Q(pk__in=held.values("user")) | Q(pk__in=deputies_of(lending, now).values("pk"))


def signed_for_others(user: User, *, yet: bool = False) -> Q:
    """A condition on requests: the policy of the plan counts this person's signature for somebody who is away now.

    `yet`: for somebody who has not signed the plan themselves.
    """
    found, lent = Q(pk__in=[]), lent_to(user, timezone.now())
    mine = Membership.objects.filter(user=user).values("team")
    original = Q(plan__policy_version__isnull=True, plan__isnull=False)
    for least, roles in COUNTED.items():
        needs = Need.objects.filter(version=OuterRef("plan__policy_version"), least=least)
        for role in roles:
            free, inside = (_lending(lent.filter(role=role), depth, yet=yet) for depth in (1, 2))
            own = Membership.objects.filter(team=_of_request("team", 2)).values("user")
            here = Exists(free.filter(team=OuterRef("team")))
            asked = Q(Exists(needs.filter(of=Of.OWN_TEAM))) & Q(here)
            asked |= Q(Exists(needs.filter(Exists(inside.filter(team=OuterRef("team"))), of=Of.TEAM)))
            asked |= Q(Exists(needs.filter(of=Of.OTHER_TEAM)), Exists(free.exclude(user__in=own))) & ~Q(team__in=mine)
            if least is Least.APPROVER:
                asked |= original & Q(here)
            found |= asked & ~rights.barred(role, Right.APPROVE)
    return found


def _lending(lent: QuerySet[Membership], depth: int, *, yet: bool) -> QuerySet[Membership]:
    """Of these memberships those that lend something to a request, so many queries further out."""
    found = lent.exclude(user=_of_request("requester", depth))
    if not yet:
        return found
    signed = Approval.objects.filter(request=_of_request("pk", depth + 1), plan=_of_request("plan", depth + 1))
    signed = signed.filter(decision=Decision.APPROVED, withdrawal=None)
    return found.exclude(user__in=signed.values("by"))


def _of_request(field: str, depth: int) -> OuterRef:
    return OuterRef(field) if depth == 1 else OuterRef(_of_request(field, depth - 1))


def told_of(request: ResetRequest) -> dict[int, Mapping[str, object]]:
    """By approval: for whom it was given, and until when that person was away, as it was recorded with it."""
    found: dict[int, Mapping[str, object]] = {}
    for event in timeline_of(request).filter(verb__in=("reset.approved", "reset.rejected")):
        if isinstance(event.facts.get("stands_for"), dict):
            facts = event.facts["stands_for"]
            until = datetime.fromisoformat(str(facts["until"]))
            found[int(event.facts["approval"])] = {"name": facts["name"], "until": until}
    return found
