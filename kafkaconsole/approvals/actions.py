"""Setting up policies: permission, a new version, and its record in one transaction."""

from __future__ import annotations

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals import differences, drafts, policies, queries
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.errors import BadPolicy, NothingProposed, PolicyMovedOn
from kafkaconsole.approvals.models import Confirmation, Need, Policy, PolicyVersion
from kafkaconsole.approvals.terms import as_json
from kafkaconsole.audit import actions as audit
from kafkaconsole.teams.models import Team
from kafkaconsole.words import words

LONGEST_NAME = 80
LONGEST_NOTE = 1000


@transaction.atomic
def add(*, by: User, name: str, draft: Draft, note: str = "") -> PolicyVersion:
    """A new policy, in force from now on for plans that are made, or proposed where a second administrator is needed.

    Raises NotAllowed, BadPolicy.
    """
    policies.may_administer(by).require()
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadPolicy(field="name", found=name[:LONGEST_NAME], expected=words("1 to 80 printable characters"))
    if draft.is_for_everything:
        raise BadPolicy(
            field="reach", found="", expected=words("a condition; for everything else change the built-in policy")
        )
    policy, is_new = Policy.objects.get_or_create(name=name)
    if not is_new:
        raise BadPolicy(field="name", found=name, expected=words("a name that no other policy has, or had"))
    return _made(_version(policy, by, draft, note), by, "policy.added")


@transaction.atomic
def change(*, by: User, policy: Policy, seen: int, draft: Draft, note: str = "") -> PolicyVersion:
    """The next version of a policy, where `seen` (a version's number) is still the last one.

    Nothing is made where it says what the one in force says. Raises NotAllowed, BadPolicy, PolicyMovedOn.
    """
    policies.may_administer(by).require()
    row = _locked(policy, seen)
    if row.is_builtin and not draft.is_for_everything:
        raise BadPolicy(
            field="reach", found="", expected=words("no condition: the built-in policy is for everything else")
        )
    current = queries.shown_version(row)
    if row.current_id == current.pk and current.is_active and drafts.of(current) == draft:
        return current
    return _made(_version(row, by, draft, note), by, "policy.changed")


@transaction.atomic
def switch_off(*, by: User, policy: Policy, seen: int, note: str = "") -> PolicyVersion:
    """From now on the policy applies to no plan that is made. Raises NotAllowed, BadPolicy, PolicyMovedOn."""
    policies.may_administer(by).require()
    row = _locked(policy, seen)
    if row.is_builtin:
        raise BadPolicy(field="policy", found=row.name, expected=words("another one: the built-in policy stays"))
    current = queries.shown_version(row)
    if row.current_id == current.pk and not current.is_active:
        return current
    return _made(_version(row, by, drafts.of(current), note, is_active=False), by, "policy.switched_off")


@transaction.atomic
def confirm(*, by: User, policy: Policy, seen: int) -> PolicyVersion:
    """A second administrator puts the proposed version in force. Raises NotAllowed, NothingProposed, PolicyMovedOn."""
    policies.may_administer(by).require()
    version = _proposed(policy, seen)
    policies.may_confirm(by, version).require()
    Confirmation.objects.create(version=version, is_confirmed=True, by=by)
    return _put_in_force(version, by, "policy.confirmed")


@transaction.atomic
def decline(*, by: User, policy: Policy, seen: int) -> None:
    """An administrator, also whoever made it, lets the proposed version go. Raises as `confirm`."""
    policies.may_administer(by).require()
    version = _proposed(policy, seen)
    Confirmation.objects.create(version=version, is_confirmed=False, by=by)
    audit.record("policy.declined", actor=by, target=version.policy, facts={"version": version.number})


def _proposed(policy: Policy, seen: int) -> PolicyVersion:
    row = _locked(policy, seen)
    version = queries.proposal_of(row)
    if version is None:
        raise NothingProposed(policy=row.name)
    return version


def _made(version: PolicyVersion, by: User, verb: str) -> PolicyVersion:
    """Put it in force, or let it wait for a second administrator."""
    if not version.needs_second:
        return _put_in_force(version, by, verb)
    facts = {"version": version.number, "changed": _changes(version), "note": version.note, "as": verb}
    audit.record("policy.proposed", actor=by, target=version.policy, facts=facts)
    return queries.version(version.pk)


def _changes(version: PolicyVersion) -> dict[str, object]:
    policy = version.policy
    before = queries.version_in_force(policy) if policy.current_id else None
    after = queries.version(version.pk)
    return {one.field: [one.before, one.after] for one in differences.between(before, after)}


def _locked(policy: Policy, seen: int) -> Policy:
    row = Policy.objects.select_for_update().get(pk=policy.pk)
    last = row.versions.order_by("-number").values_list("number", flat=True).first()
    if last != seen:
        raise PolicyMovedOn(policy=row.name, seen=seen, last=last)
    return row


def _version(policy: Policy, by: User, draft: Draft, note: str, *, is_active: bool = True) -> PolicyVersion:
    drafts.check(draft)
    if len(note.strip()) > LONGEST_NOTE or "\0" in note:
        raise BadPolicy(field="note", found=note[:80], expected=words("at most 1000 characters"))
    version = PolicyVersion.objects.create(
        policy=policy,
        number=policy.versions.count() + 1,
        is_active=is_active,
        environment=draft.environment,
        cluster=draft.cluster,
        team=draft.team,
        group_kind=draft.group_kind,
        group_pattern=draft.group_pattern,
        strategies=sorted(draft.strategies),
        level=draft.level,
        requester_may_count=draft.requester_may_count,
        break_glass=draft.break_glass,
        terms=as_json(draft.terms),
        note=note.strip(),
        needs_second=queries.second_needed(),
        made_by=by,
    )
    for need in draft.needs:
        team = Team.objects.filter(slug=need.team).first() if need.team else None
        if need.team and team is None:
            raise BadPolicy(field="needs", found=need.team, expected=words("the slug of a team"))
        Need.objects.create(version=version, count=need.count, of=need.of, least=need.least, team=team)
    return version


def _put_in_force(version: PolicyVersion, by: User, verb: str) -> PolicyVersion:
    policy = version.policy
    facts = {"version": version.number, "changed": _changes(version), "note": version.note}
    Policy.objects.filter(pk=policy.pk).update(current=version)
    audit.record(verb, actor=by, target=policy, facts=facts)
    return queries.version(version.pk)
