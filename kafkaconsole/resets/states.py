"""The life of a request: its states, what they look like, and the one table of moves (design §3)."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where a reset request is in its life."""

    PLANNING = "planning"
    PLANNED = "planned"
    PLAN_FAILED = "plan_failed"
    APPROVED = "approved"
    WAITING = "waiting"
    EXECUTING = "executing"
    UNCERTAIN = "uncertain"
    APPLIED = "applied"
    PARTLY_APPLIED = "partly_applied"
    FAILED = "failed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    STALE = "stale"


S = State

MOVES: dict[State, frozenset[State]] = {
    S.PLANNING: frozenset({S.PLANNED, S.PLAN_FAILED, S.CANCELLED, S.EXPIRED}),
    S.PLANNED: frozenset({S.PLANNING, S.APPROVED, S.REJECTED, S.CANCELLED, S.EXPIRED, S.STALE}),
    S.PLAN_FAILED: frozenset({S.PLANNING, S.CANCELLED, S.EXPIRED}),
    # PLANNED from APPROVED and WAITING: a signature no longer counts (its signer lost the role).
    S.APPROVED: frozenset({S.PLANNING, S.PLANNED, S.WAITING, S.EXECUTING, S.STALE, S.CANCELLED, S.EXPIRED}),
    S.WAITING: frozenset({S.PLANNING, S.PLANNED, S.APPROVED, S.EXECUTING, S.STALE, S.CANCELLED, S.EXPIRED}),
    # STALE and WAITING from EXECUTING: the last check before the write failed, so nothing was written.
    S.EXECUTING: frozenset({S.APPLIED, S.PARTLY_APPLIED, S.FAILED, S.UNCERTAIN, S.STALE, S.WAITING}),
    S.UNCERTAIN: frozenset({S.APPLIED, S.PARTLY_APPLIED, S.FAILED}),
    S.STALE: frozenset({S.PLANNING, S.CANCELLED, S.EXPIRED}),
    S.APPLIED: frozenset(),
    S.PARTLY_APPLIED: frozenset(),
    S.FAILED: frozenset(),
    S.REJECTED: frozenset(),
    S.CANCELLED: frozenset(),
    S.EXPIRED: frozenset(),
}

FINAL = frozenset(state for state, targets in MOVES.items() if not targets)
OPEN = frozenset(State) - FINAL
"""Requests that may still come to something."""

SIGNED = frozenset({S.APPROVED, S.WAITING, S.EXECUTING, S.UNCERTAIN, S.APPLIED, S.PARTLY_APPLIED, S.FAILED})
"""States that a request can only be in with an approval of the plan it now has (a database constraint)."""

WRITING = frozenset({S.EXECUTING, S.UNCERTAIN})
"""At most one request of a (cluster, group) is in one of these (a database constraint)."""


class AttemptState(StrEnum):
    """One try at executing a plan."""

    RUNNING = "running"
    UNCERTAIN = "uncertain"
    APPLIED = "applied"
    PARTLY_APPLIED = "partly_applied"
    FAILED = "failed"
    STOPPED = "stopped"  # a check failed before anything was written


OPEN_ATTEMPT = frozenset({AttemptState.RUNNING, AttemptState.UNCERTAIN})


class ResultState(StrEnum):
    """What became of one partition in an attempt. UNKNOWN is set before a write is sent: only an answer ends it."""

    INTENDED = "intended"
    WRITTEN = "written"  # the broker accepted it; not yet read back
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


class PreviewState(StrEnum):
    """A plan without a request."""

    PLANNING = "planning"
    PLANNED = "planned"
    PLAN_FAILED = "plan_failed"
