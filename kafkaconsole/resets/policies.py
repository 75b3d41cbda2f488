"""May this person do that? Every answer carries its reason; pages grey out and the API refuses by the same verdict.

What depends on the group, its team and its environment alone is asked of `groups.permissions.may`."""

from __future__ import annotations

from dataclasses import dataclass

from kafkaconsole.accounts import service_accounts
from kafkaconsole.accounts.models import User
from kafkaconsole.approvals import quorum
from kafkaconsole.approvals.terms import OVERRIDERS, OverrideBy
from kafkaconsole.clusters.models import Cluster, Right
from kafkaconsole.groups.permissions import may
from kafkaconsole.resets import governing
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import FINAL, OPEN, SIGNED, State
from kafkaconsole.resets.wording import state_words
from kafkaconsole.teams import policies as teams
from kafkaconsole.teams.queries import teams_of
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import known, phrase_in, words

CARRIED = SIGNED - {State.APPROVED, State.WAITING}
"""A worker began to carry it out, or has."""

WITHDRAWABLE = frozenset({State.PLANNED, State.APPROVED, State.WAITING})

CANCELLABLE = OPEN - {State.EXECUTING, State.UNCERTAIN}
REPLANNABLE = frozenset({State.PLANNED, State.PLAN_FAILED, State.APPROVED, State.WAITING, State.STALE})

UNDOABLE = frozenset({State.APPLIED, State.PARTLY_APPLIED})
GIVEN_UP = frozenset({State.REJECTED, State.CANCELLED, State.EXPIRED, State.FAILED, State.PARTLY_APPLIED})
"""An undo that ended like this did not undo (all of) it: another may be asked for."""


@dataclass(frozen=True, slots=True)
class SignOff:
    """How many signatures the request's plan needs and has, and in words who may give them: those that are missing,
    or all where none is missing any more."""

    needed: int
    given: int
    who: str

    @property
    def needs_more_than_one(self) -> bool:
        """The next signature is not the last that is needed."""
        return self.needed - self.given > 1

    @property
    def is_complete(self) -> bool:
        """Nobody else needs to sign."""
        return self.given >= self.needed


def may_request(user: User, cluster: Cluster, group_name: str) -> Verdict:
    """People of the team that owns the group, as far as the environment lets their role; nobody else, administrators and
    auditors included."""
    return may(user, Right.REQUEST, cluster=cluster, group=group_name)


def may_request_somewhere(user: User) -> Verdict:
    """Whether there can be any group for which the person may ask: people of a team, auditors not."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    none = denied(words("You are in no team; only a team’s people can ask for resets of its groups."))
    return ALLOWED if teams_of(user).exists() else none


def may_see(user: User, request: ResetRequest) -> Verdict:
    """The owning team and whoever asked, as far as the environment shows it to their role; administrators and auditors."""
    verdict = may(user, Right.SEE, cluster=request.cluster, group=request.group_name, team=request.team)
    if not verdict or user.is_administrator or user.is_auditor or user.pk == request.requester_id:
        return verdict
    return (
        ALLOWED
        if teams.is_member(user, request.team)
        else denied(words("This request belongs to the team {team}.", team=request.team))
    )


def may_approve(user: User, request: ResetRequest) -> Verdict:
    """Those whom the plan's policy counts, while the plan is there to sign."""
    return _may_sign(user, request, "approve")


def may_reject(user: User, request: ResetRequest) -> Verdict:
    """Whoever may approve may say no."""
    return _may_sign(user, request, "reject")


def _may_sign(user: User, request: ResetRequest, verb: str) -> Verdict:
    verdict = may_sign_for(user, request, verb)
    if verdict and request.state != State.PLANNED:
        state = in_words(request.state)
        if verb == "reject":
            return denied(words("The request is {state}; only a planned request can be rejected.", state=state))
        return denied(words("The request is {state}; only a planned request can be approved.", state=state))
    return verdict


def may_sign_for(user: User, request: ResetRequest, verb: str = "approve") -> Verdict:
    """The part of the rule that does not depend on the request's state: who.

    Whoever asked signs only where the policy says so in so many words, and where their role counts besides.
    """
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if user.is_service:
        return denied(words("A service account signs nothing; a person does."))
    if service_accounts.made_a_token_of(user, request.requester):
        return denied(
            words(
                "You made a token of {requester}, which asked for this, so someone else must {verb} it.",
                requester=request.requester,
                verb=known(verb, "verb"),
            )
        )
    version = governing.version_of(request)
    if verb == "approve" and not request.requester.is_active:
        return denied(
            words(
                "{requester}, who asked for this, may no longer sign in. Someone of {team} can ask anew.",
                requester=request.requester,
                team=request.team,
            )
        )
    if user.pk == request.requester_id and not version.requester_may_count:
        return denied(words("You asked for this reset, so someone else must {verb} it.", verb=known(verb, "verb")))
    if request.plan is not None and request.plan.barred_id == user.pk:
        return denied(
            words(
                "You changed what is asked for last, so someone else must {verb} it (policy “{policy}”).",
                verb=known(verb, "verb"),
                policy=version.name,
            )
        )
    if not version.quorum:
        return denied(words("The policy “{policy}” needs no signature for this.", policy=version.name))
    if not governing.may_count(user, request, version):
        if governing.is_barred(user, request, version):
            return may(user, Right.APPROVE, cluster=request.cluster, group=request.group_name, team=request.team)
        return denied(
            words(
                "Only {who} can {verb} this.",
                who=quorum.whose(version.quorum, request.team.name),
                verb=known(verb, "verb"),
            )
        )
    return ALLOWED


def may_withdraw(user: User, request: ResetRequest) -> Verdict:
    """Whoever approved the plan that stands, until a worker begins to carry it out."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if not any(one.by_id == user.pk for one in governing.approvals_of(request)):
        return denied(words("You have not approved this plan."))
    if request.state not in WITHDRAWABLE:
        return denied(
            words("The request is {state}, so an approval can no longer be taken back.", state=in_words(request.state))
        )
    return ALLOWED


def may_set_windows_aside(user: User, request: ResetRequest) -> Verdict:
    """Those whom the policy names, while an approved plan waits for a window or the end of a freeze."""
    by = governing.version_of(request).rules.override_by
    is_named = by is not OverrideBy.NOBODY and user.is_administrator and user.is_active
    is_named = is_named or (by is OverrideBy.OWNERS and teams.is_owner(user, request.team))
    if not is_named:
        return denied(words("The windows of this policy are set aside by {who}.", who=OVERRIDERS[by]))
    if request.state not in (State.APPROVED, State.WAITING):
        return denied(words("The request is {state}; only an approved one waits.", state=in_words(request.state)))
    if request.overrides.filter(plan=request.plan_id).exists():
        return denied(words("They are set aside for this plan already."))
    return ALLOWED


def may_break_glass(user: User, request: ResetRequest) -> Verdict:
    """Administrators, where the policy says so, never whoever asked, while the plan waits for signatures."""
    if user.is_service or not (user.is_active and user.is_administrator):
        return denied(words("Only an administrator can break the glass."))
    version = governing.version_of(request)
    if not version.break_glass:
        return denied(words("The policy “{policy}” lets nobody break the glass.", policy=version.name))
    if user.pk == request.requester_id:
        return denied(words("You asked for this reset, so someone else must break the glass."))
    if service_accounts.made_a_token_of(user, request.requester):
        return denied(
            words(
                "You made a token of {requester}, which asked for this, so someone else must break the glass.",
                requester=request.requester,
            )
        )
    if not request.requester.is_active:
        return denied(words("{requester}, who asked for this, may no longer sign in.", requester=request.requester))
    if request.state != State.PLANNED:
        return denied(words("The request is {state}; only a planned one can need that.", state=in_words(request.state)))
    return ALLOWED


def may_cancel(user: User, request: ResetRequest) -> Verdict:
    """Whoever asked, the team's owners, and administrators; not while it is being executed."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if not (user.pk == request.requester_id or user.is_administrator or teams.is_owner(user, request.team)):
        return denied(
            words(
                "Only {requester}, an owner of {team} or an administrator can cancel this.",
                requester=request.requester,
                team=request.team,
            )
        )
    if request.state not in CANCELLABLE:
        return denied(words("The request is {state}, so it can no longer be cancelled.", state=in_words(request.state)))
    return ALLOWED


def may_replan(user: User, request: ResetRequest) -> Verdict:
    """People of the owning team, while nothing is being written; the approvals are void then."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if not teams.is_member(user, request.team):
        return denied(words("Only people of the team {team} can have this planned again.", team=request.team))
    if request.state not in REPLANNABLE:
        return denied(words("Its state is now “{state}”: it cannot be planned again.", state=in_words(request.state)))
    return ALLOWED


def may_revise(user: User, request: ResetRequest) -> Verdict:
    """Whoever may ask for a reset of the group now, while nothing is being written; what was signed is void then."""
    verdict = may_request(user, request.cluster, request.group_name)
    if not verdict:
        return verdict
    if request.undo_of_id is not None:
        return denied(words("It undoes request {other}; ask for anything else anew.", other=request.undo_of_id))
    if request.state not in REPLANNABLE:
        return denied(words("Its state is now “{state}”: it cannot be changed.", state=in_words(request.state)))
    return ALLOWED


def may_undo(user: User, request: ResetRequest) -> Verdict:
    """Whoever may ask for a reset of the group, once something was written, while nobody has asked to undo it yet."""
    verdict = may_request(user, request.cluster, request.group_name)
    if not verdict:
        return verdict
    if request.state not in UNDOABLE:
        return denied(
            words("The request is {state}; only what was applied can be undone.", state=in_words(request.state))
        )
    other = request.undone_by.exclude(state__in=GIVEN_UP).order_by("-pk").first()
    if other is not None:
        return denied(
            words("Request {other} undoes this already; it is {state}.", other=other.pk, state=in_words(other.state))
        )
    return ALLOWED


def may_comment(user: User, request: ResetRequest) -> Verdict:
    """Whoever may see it, but for auditors."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    return may_see(user, request)


def may_read_records(user: User, request: ResetRequest) -> Verdict:
    """People of the owning team, where the environment lets messages be read by their role."""
    return may(user, Right.READ_MESSAGES, cluster=request.cluster, group=request.group_name, team=request.team)


def signoff_of(request: ResetRequest) -> SignOff:
    """The state of the signatures on the plan that the request has now, by its policy."""
    version = governing.version_of(request)
    weighed = governing.weigh(request, version)
    if request.state in CARRIED:  # it was carried by its signatures: who lost a role since takes nothing back
        weighed = quorum.Weighed(weighed.needed, weighed.needed, ())
    requester = None if version.requester_may_count else str(request.requester)
    who = quorum.who(weighed.missing or version.quorum, request.team.name, other_than=requester)
    return SignOff(weighed.needed, weighed.given, who or words("nobody"))


def in_words(state: str) -> str:
    """A state inside a sentence."""
    return state_words(state)


def is_final(request: ResetRequest) -> bool:
    """Nothing more will happen to it."""
    return request.state in FINAL


VERBS = (phrase_in("verb", "approve"), phrase_in("verb", "reject"))
"""What is done with a plan, inside a sentence."""
