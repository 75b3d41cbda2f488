"""One attempt from its claim to what it came to."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.port import Connect, OffsetAdmin
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import refusals
from kafkaconsole.resets.execution import checks, claims, outcomes, settling, writing
from kafkaconsole.resets.execution.checks import Found
from kafkaconsole.resets.models import Attempt
from kafkaconsole.resets.plans import Line
from kafkaconsole.resets.states import ResultState, State


def run(attempt: Attempt, *, admin: OffsetAdmin, connect: Connect, lines: Sequence[Line]) -> None:
    """Check again, keep the snapshot, write, read back, say what it came to. Until the write nothing is lost by an
    error: the request waits, and the next try is a new attempt. Raises LeaseLost when another worker took over."""
    if not _prepare(attempt, admin, lines):
        return
    answered = writing.carry_out(admin=admin, attempt=attempt, states=(ResultState.INTENDED,))
    if answered is writing.Answered.CLEARLY:
        writing.read_back(admin, attempt)
    if attempt.results.filter(state__in=(*settling.UNCLEAR, ResultState.WRITTEN)).exists():
        settling.settle(attempt, connect)
    outcomes.conclude(attempt)


def _prepare(attempt: Attempt, admin: OffsetAdmin, lines: Sequence[Line]) -> bool:
    """The same checks as before the claim, right before the write; what they read is the snapshot."""
    try:
        found = checks.look(admin, attempt.plan, lines)
    except ConsoleError as error:
        outcomes.hand_back(attempt, State.WAITING, problem_of(error))
        return False
    if not found.is_ready:
        outcomes.hand_back(attempt, *where_to(found))
        return False
    claims.save_snapshot(attempt, found.snapshot)
    return True


def where_to(found: Found) -> tuple[State, dict[str, object]]:
    """Where a request goes that may not be written now: differences make it stale, members let it wait."""
    if found.differences or found.active is None:
        return State.STALE, found.stale()
    return State.WAITING, found.active


def settle_lost(attempt: Attempt, connect: Connect) -> None:
    """End an attempt that its worker left behind, or that is still uncertain; `attempt` is held by us.

    If nothing was sent, the request waits for a new attempt with all checks anew. Else what was never sent stays
    unsent: a lost attempt is settled, not carried on.
    """
    if attempt.write_began_at is None:
        outcomes.hand_back(attempt, State.WAITING, problem(refusals.INTERRUPTED), at=timezone.now())
        return
    unsent = list(attempt.results.filter(state=ResultState.INTENDED))
    for row in unsent:
        row.state, row.problem = ResultState.FAILED, problem(refusals.NOT_SENT)
    claims.store(attempt, unsent)
    settling.settle(attempt, connect)
    outcomes.conclude(attempt)
