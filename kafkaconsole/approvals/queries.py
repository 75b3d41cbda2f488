"""Reads of policies."""

from __future__ import annotations

from django.db.models import F, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals.choosing import Choice, Subject, choose
from kafkaconsole.approvals.models import Confirmation, Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Signer
from kafkaconsole.groups.queries import hidden_names
from kafkaconsole.teams.models import Membership


def versions() -> QuerySet[PolicyVersion]:
    """All versions, with what their rules are read from: three queries, whatever the number."""
    found = PolicyVersion.objects.select_related("policy", "environment", "cluster__environment", "team")
    return found.prefetch_related("needs__team")


def in_force() -> list[PolicyVersion]:
    """The versions that apply now, the built-in policy's first."""
    found = versions().filter(policy__current=F("pk"), is_active=True)
    return list(found.order_by("-policy__is_builtin", "policy__name"))


def applying(subject: Subject) -> Choice[PolicyVersion]:
    """The version that applies now. Raises AmbiguousPolicy, NoPolicy."""
    return choose(in_force(), subject)


def original() -> PolicyVersion:
    """The first version of the built-in policy: what applied before plans named their policy."""
    return versions().get(policy__is_builtin=True, number=1)


def signers(people: list[User]) -> list[Signer]:
    """These people with their roles as they are now, without those who may not sign in, auditors and scripts: one query."""
    able = {one.pk: dict[str, str]() for one in people if one.is_active and not (one.is_auditor or one.is_service)}
    rows = Membership.objects.filter(user__in=able).values_list("user", "team__slug", "role")
    for user, team, role in rows:
        able[user][team] = role
    return [Signer(one.pk, able[one.pk]) for one in people if one.pk in able]


def version(pk: int) -> PolicyVersion:
    """One version, ready to be read."""
    return versions().get(pk=pk)


def version_in_force(policy: Policy) -> PolicyVersion:
    """The version that counts now, also where it says that the policy is switched off."""
    return versions().get(policy=policy.pk, policy__current=F("pk"))


def versions_of(policy: Policy) -> list[PolicyVersion]:
    """All of its versions, the newest first."""
    return list(versions().filter(policy=policy).select_related("made_by").order_by("-number"))


def second_needed() -> bool:
    """Whether a policy in force asks for a second administrator: then every change of any policy needs one."""
    return any(one.rules.second_administrator for one in in_force())


def proposal_of(policy: Policy) -> PolicyVersion | None:
    """The version that waits for a second administrator: the last one, where nobody has said anything of it yet."""
    last = versions().select_related("made_by").filter(policy=policy).order_by("-number").first()
    if last is None or not last.needs_second or Confirmation.objects.filter(version=last).exists():
        return None
    return last


def proposals(user: User) -> list[PolicyVersion]:
    """The versions that wait for a second administrator, of policies that the person may read."""
    found = versions().filter(needs_second=True, confirmation=None).exclude(policy__in=_hidden_from(user))
    waiting = found.values_list("policy", flat=True)
    proposed = (proposal_of(one) for one in Policy.objects.filter(pk__in=waiting))
    return [one for one in proposed if one is not None]


def shown_version(policy: Policy) -> PolicyVersion:
    """The version in force; where there never was one, the last."""
    found = versions().select_related("made_by").filter(policy=policy.pk)
    return found.filter(policy__current=F("pk")).first() or found.order_by("-number")[0]


def policy_for(user: User, pk: int) -> Policy:
    """One policy, or Http404. Everyone who is signed in may read policies, which say what applies to them, but for those
    that name a group which is not shown to the person."""
    found = Policy.objects.filter(pk=pk).exclude(pk__in=_hidden_from(user)).first() if user.is_active else None
    if found is None:
        raise Http404(f"There is no policy {pk}.")
    return found


def current(user: User) -> QuerySet[PolicyVersion]:
    """The version that counts now of every policy that the person may read."""
    found = versions().filter(policy__current=F("pk")).select_related("made_by")
    return found.exclude(policy__in=_hidden_from(user))


def _hidden_from(user: User) -> QuerySet[PolicyVersion, int]:
    """Policies of which any version names a group that is not shown to the person."""
    return PolicyVersion.objects.filter(group_pattern__in=hidden_names(user)).values_list("policy", flat=True)


def current_versions(user: User) -> list[PolicyVersion]:
    """The same as pages list them: the built-in policy's first, those that are switched off last."""
    return list(current(user).order_by("-policy__is_builtin", "-is_active", "policy__name"))
