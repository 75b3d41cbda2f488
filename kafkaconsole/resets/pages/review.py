"""Everything that the review page of a request shows, for one person: built once, drawn first or refreshed alike."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.core.paginator import Page
from django.utils.functional import cached_property

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.resets import deputies, governing, opening, policies, queries
from kafkaconsole.resets.models import Approval, Attempt, AttemptResult, Override, Plan, PlanLine, ResetRequest
from kafkaconsole.resets.pages import lines, sums
from kafkaconsole.resets.pages import progress as following
from kafkaconsole.resets.pages.differences import LineDifference, differences
from kafkaconsole.resets.pages.since import MOST_LINES, is_too_long, measured_since
from kafkaconsole.resets.pages.words import Title, title_of
from kafkaconsole.resets.queries import TimelineEntry
from kafkaconsole.resets.states import FINAL, State
from kafkaconsole.teams.models import Delegation
from kafkaconsole.teams.verdicts import Verdict

LIVE_STATES = {
    State.PLANNING: 1,
    State.APPROVED: 1,
    State.EXECUTING: 1,
    State.UNCERTAIN: 2,
    State.WAITING: 4,
    State.PLANNED: 8,
    State.PLAN_FAILED: 8,
    State.STALE: 8,
}
"""How many seconds until the page asks again; final states are not here, they never change."""

FOLLOW_EVERY = 5

ASKED_AGAIN = frozenset(
    {
        State.PLAN_FAILED,
        State.STALE,
        State.PARTLY_APPLIED,
        State.FAILED,
        State.REJECTED,
        State.CANCELLED,
        State.EXPIRED,
    }
)


@dataclass(frozen=True)
class Review:
    """The page's facts. Each is read when first used, so that a fragment costs only what it draws."""

    request: ResetRequest
    user: User
    asked: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def title(self) -> Title:
        """The request in a sentence."""
        return title_of(self.request.change, self.request.plan)

    @cached_property
    def lanes(self) -> list[sums.Lane]:
        """The big ruler's lanes."""
        return sums.lanes_of(self.request.plan) if self.request.plan else []

    @cached_property
    def lag_after(self) -> int | None:
        """What is left to read after it."""
        return sums.lag_after(self.request.plan) if self.request.plan else None

    @cached_property
    def page(self) -> Page[PlanLine]:
        """The page of plan lines that was asked for."""
        plan = self.request.plan
        return lines.page_of_lines(plan if plan else Plan(), self.asked)

    @cached_property
    def rows(self) -> list[tuple[PlanLine, AttemptResult | None]]:
        """That page's lines beside their results."""
        attempt = self.attempt
        results = attempt.results.all() if attempt else AttemptResult.objects.none()
        return lines.with_results(self.page, results)

    @cached_property
    def progress(self) -> following.Progress | None:
        """The latest attempt in numbers."""
        return following.progress_of(self.request)

    @property
    def attempt(self) -> Attempt | None:
        """The latest attempt."""
        return self.progress.attempt if self.progress else None

    @cached_property
    def catch_up(self) -> following.CatchUp | None:
        """How the group reads on."""
        return following.catch_up_of(self.user, self.request, self.attempt)

    @cached_property
    def signoff(self) -> policies.SignOff:
        """Signatures needed and given."""
        return policies.signoff_of(self.request)

    @cached_property
    def policy(self) -> PolicyVersion:
        """The policy of the plan."""
        return governing.version_of(self.request)

    @cached_property
    def overrides(self) -> list[Override]:
        """What was set aside for the plan, by whom and why: told as long as the plan is."""
        return list(self.request.overrides.filter(plan=self.request.plan_id).select_related("by"))

    @property
    def waits_for_a_window(self) -> bool:
        """Closed now: by window or freeze."""
        return bool(self.request.problem and self.request.problem["code"] == opening.WINDOW_CLOSED)

    @cached_property
    def policy_before(self) -> PolicyVersion | None:
        """The policy of the plan before this one, where it was another: nothing becomes looser without being told."""
        before = self.earlier.policy_version if self.earlier and self.request.plan else None
        return None if before is None or before == self.policy else before

    @cached_property
    def signatures(self) -> list[Approval]:
        """What approvers said of the plan that stands now, and for whom (`stands_for`: name, until), where for another."""
        found = list(self.request.approvals.filter(plan=self.request.plan_id).select_related("by", "withdrawal"))
        told = deputies.told_of(self.request) if found else {}
        for one in found:
            one.stands_for = told.get(one.pk)  # type: ignore[attr-defined]  # for the template alone
        return found

    @cached_property
    def stands_for(self) -> Delegation | None:
        """For whom this person would sign, where not in their own name."""
        return governing.stands_for(self.user, self.request, self.policy)

    @cached_property
    def timeline(self) -> list[TimelineEntry]:
        """What happened, newest first."""
        return queries.timeline_of(self.request)[::-1]

    @cached_property
    def earlier(self) -> Plan | None:
        """The plan before this one, if there was one."""
        plans = self.request.plans.order_by("-pk")
        return plans.exclude(pk=self.request.plan_id).first() if self.request.plan_id else plans.first()

    @cached_property
    def differences(self) -> list[LineDifference]:
        """The partitions on which the earlier plan said otherwise; nothing unless both plans are there."""
        return differences(self.earlier, self.request.plan) if self.earlier and self.request.plan else []

    @property
    def is_asked_otherwise(self) -> bool:
        """The plan before was of another change: the request was changed since."""
        return bool(self.earlier and self.request.plan and self.earlier.change != self.request.plan.change)

    @cached_property
    def is_compared(self) -> bool:
        """Whether the history can tell what has moved since the plan was made: the page asks for that by itself."""
        return measured_since(self.request) is not None

    @property
    def most_compared(self) -> int:
        """So many partitions may a plan have for the history to be asked what has moved; 0: it has no more."""
        return MOST_LINES if is_too_long(self.request) else 0

    @cached_property
    def may(self) -> dict[str, Verdict]:
        """Every verb with its verdict: the reason stands beside the disabled button."""
        verbs = (
            "approve",
            "reject",
            "withdraw",
            "set_windows_aside",
            "break_glass",
            "cancel",
            "comment",
            "replan",
            "revise",
            "undo",
            "read_records",
        )
        asking = policies.may_request(self.user, self.request.cluster, self.request.group_name)
        return {"ask": asking} | {verb: getattr(policies, f"may_{verb}")(self.user, self.request) for verb in verbs}

    @property
    def look_from(self) -> str:
        """What a look at a line's records is asked with; empty: the person may not read messages here."""
        return f"request={self.request.pk}" if self.may["read_records"] else ""

    @property
    def can_ask_again(self) -> bool:
        """It came to nothing, or not to all: the same change may be asked for anew."""
        return State(self.request.state) in ASKED_AGAIN

    @property
    def can_undo(self) -> bool:
        """Something was written, so that there is something to put back."""
        return State(self.request.state) in policies.UNDOABLE

    @cached_property
    def undone_by(self) -> list[ResetRequest]:
        """The requests that undo this one, the newest first."""
        return list(self.request.undone_by.order_by("-pk"))

    @property
    def is_final(self) -> bool:
        """Nothing more will happen to it."""
        return self.request.state in FINAL

    @property
    def live_every(self) -> int:
        """Seconds until the page asks again; 0: never."""
        if following.is_followed(self.attempt, self.catch_up):
            return FOLLOW_EVERY
        return LIVE_STATES.get(State(self.request.state), 0)

    @cached_property
    def version(self) -> str:
        """A short name for all that the live parts show: equal names, equal parts."""
        seen = self.catch_up
        facts = [
            self.request.state,
            self.request.state_since.isoformat(),
            self.request.problem,
            self.request.plan_digest,
            self.is_compared,
            len(self.timeline),
            [self.progress.total, self.progress.done, self.progress.failed, self.progress.unknown]
            if self.progress
            else [],
            self.attempt.problem if self.attempt else None,
            [str(seen.measured_at), seen.lag] if seen else [],
            self.live_every,
        ]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]
