"""A batch as one person sees it: each request with its title, its lanes, and whether they may sign it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.utils.functional import cached_property

from kafkaconsole.accounts.models import User
from kafkaconsole.resets import batch_queries, policies
from kafkaconsole.resets.models import Batch, ResetRequest
from kafkaconsole.resets.pages.listing import Summary, summaries
from kafkaconsole.resets.states import State
from kafkaconsole.teams.verdicts import Verdict, denied

LIVE_STATES = frozenset({State.PLANNING, State.APPROVED, State.EXECUTING, State.UNCERTAIN, State.WAITING})
LIVE_EVERY = 3


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One request of the batch. `may_sign` says why not, where the person cannot sign it now."""

    summary: Summary
    signoff: policies.SignOff
    may_sign: Verdict

    @property
    def request(self) -> ResetRequest:
        """The request itself."""
        return self.summary.request


@dataclass(frozen=True)
class BatchPage:
    """What the page draws, first or refreshed alike."""

    batch: Batch
    user: User

    @cached_property
    def rows(self) -> list[BatchRow]:
        """Its requests that the person may see, in the order they were asked."""
        found = summaries(batch_queries.requests_of(self.user, self.batch))
        return [BatchRow(one, policies.signoff_of(one.request), self._may_sign(one.request)) for one in found]

    def _may_sign(self, request: ResetRequest) -> Verdict:
        verdict = policies.may_approve(self.user, request)
        if verdict and request.approvals.filter(by=self.user, plan=request.plan_id).exists():
            return denied("You have signed this plan.")
        return verdict

    @cached_property
    def unseen(self) -> int:
        """Requests of teams that the person is not of."""
        return batch_queries.unseen_count(self.user, self.batch)

    @property
    def signable(self) -> list[BatchRow]:
        """What the person can sign now."""
        return [row for row in self.rows if row.may_sign]

    @property
    def replayed(self) -> int:
        """Offsets read again, of all plans that there are."""
        return sum(row.request.plan.replayed for row in self.rows if row.request.plan)

    @property
    def skipped(self) -> int:
        """Offsets skipped, of all plans that there are."""
        return sum(row.request.plan.skipped for row in self.rows if row.request.plan)

    @property
    def live_every(self) -> int:
        """Seconds until the page asks again; 0: never. Not while there is only to sign: a choice must stay as made.

        Whoever can sign nothing has nothing to choose, and sees by itself when others have signed.
        """
        states = {State(row.request.state) for row in self.rows}
        waits_for_others = State.PLANNED in states and not self.signable
        return LIVE_EVERY if states & LIVE_STATES or waits_for_others else 0

    @property
    def version(self) -> str:
        """A short name for all that the page shows: equal names, equal pages."""
        facts = [(row.request.pk, row.request.state, row.request.plan_digest, row.signoff.given) for row in self.rows]
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
