"""What an attempt came to, said by its results alone; request, attempt and record move in one transaction."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from kafkaconsole.audit import actions as audit
from kafkaconsole.history import actions as history
from kafkaconsole.kafka.values import ProblemKind
from kafkaconsole.problems import problem
from kafkaconsole.resets import refusals
from kafkaconsole.resets.execution import claims, watching
from kafkaconsole.resets.execution.claims import LeaseLost
from kafkaconsole.resets.models import Attempt, AttemptResult, ResetRequest
from kafkaconsole.resets.states import WRITING, AttemptState, ResultState, State

WAIT = timedelta(seconds=5)
"""A waiting request is looked at again so soon."""

REQUEST_STATES = {
    AttemptState.APPLIED: State.APPLIED,
    AttemptState.PARTLY_APPLIED: State.PARTLY_APPLIED,
    AttemptState.FAILED: State.FAILED,
    AttemptState.UNCERTAIN: State.UNCERTAIN,
}

MOVED = (AttemptState.APPLIED, AttemptState.PARTLY_APPLIED)
"""Then the group's offsets are others than at the last sweep, and may have gone back."""

MAYBE_WRITTEN = (refusals.OVERWRITTEN, refusals.FOUND_ANOTHER, refusals.TOPIC_REPLACED)
"""Results that are not as planned now, though the plan's number may have been in force."""


def conclude(attempt: Attempt) -> None:
    """Say what the attempt came to, and let the group be swept. Raises LeaseLost when another worker holds it by now."""
    rows = list(attempt.results.all())
    state = state_of(rows, is_given_up=watching.is_given_up(attempt))
    if state is AttemptState.FAILED and (trouble := _passing_trouble(attempt, rows)):
        hand_back(attempt, State.WAITING, trouble)
        return
    with transaction.atomic():
        counts = {key: number for key, number in sorted(Counter(row.state for row in rows).items())}
        trouble = _in_words(state, counts, attempt, rows)
        if not claims.release(attempt, state, problem=trouble):
            raise LeaseLost(attempt=attempt.pk)
        if _move(attempt, REQUEST_STATES[state], trouble):
            facts = {"attempt": attempt.number, "results": counts, "digest": attempt.plan.digest}
            audit.record(f"reset.{state.value}", actor=None, target=attempt.request, facts=facts)
        if state in MOVED:
            history.ask_for_sweep(attempt.cluster, reset_group=attempt.group_name)


def state_of(rows: list[AttemptResult], *, is_given_up: bool = False) -> AttemptState:
    """APPLIED only when every partition was read back as planned, FAILED only when nothing was written. What is given
    up with results that stay unknown may have been written in part."""
    states = {row.state for row in rows}
    if states & {ResultState.UNKNOWN, ResultState.WRITTEN, ResultState.INTENDED}:
        return AttemptState.PARTLY_APPLIED if is_given_up else AttemptState.UNCERTAIN
    if states <= {ResultState.DONE}:
        return AttemptState.APPLIED
    was_written = ResultState.DONE in states or any(_code(row) in MAYBE_WRITTEN for row in rows)
    return AttemptState.PARTLY_APPLIED if was_written else AttemptState.FAILED


@transaction.atomic
def hand_back(attempt: Attempt, target: State, trouble: dict[str, object], *, at: datetime | None = None) -> None:
    """Nothing was written: the attempt is over, and the request waits or is stale."""
    if not claims.release(attempt, AttemptState.STOPPED, problem=trouble):
        raise LeaseLost(attempt=attempt.pk)
    when = None if target is State.STALE else at or timezone.now() + WAIT
    ResetRequest.objects.filter(pk=attempt.request_id).move(State.EXECUTING, target, problem=trouble, nudge_at=when)
    verb = "reset.stale" if target is State.STALE else "reset.waiting"
    facts = {"attempt": attempt.number, "problem": trouble}
    audit.record(verb, actor=None, target=attempt.request, facts=facts)


def _move(attempt: Attempt, target: State, trouble: dict[str, object] | None) -> bool:
    """Move the request from where it is; False when it is there already (still uncertain)."""
    rows, source = ResetRequest.objects.filter(pk=attempt.request_id), _state_now(attempt)
    if source is target:
        rows.update(problem=trouble)
        return False
    rows.move(source, target, problem=trouble, nudge_at=None)
    return True


def _state_now(attempt: Attempt) -> State:
    rows = ResetRequest.objects.filter(pk=attempt.request_id, state__in=WRITING)
    return State(rows.values_list("state", flat=True).get())


def _passing_trouble(attempt: Attempt, rows: list[AttemptResult]) -> dict[str, object] | None:
    """Nothing was written and the reason may pass (someone joined, the coordinator moved): wait instead of fail."""
    if _state_now(attempt) is not State.EXECUTING or any(_code(row) != refusals.NOT_WRITTEN for row in rows):
        return None
    facts = [row.problem["facts"] for row in rows if row.problem]
    if all(one["kind"] == ProblemKind.ACTIVE_MEMBERS for one in facts):
        return problem(refusals.GROUP_STILL_ACTIVE, group=attempt.group_name, state="", members=[])
    if all(one["passing"] or one["kind"] == ProblemKind.ACTIVE_MEMBERS for one in facts):
        return problem("kafka.unavailable", reason=facts[0]["kafka_error"])
    return None


def _in_words(
    state: AttemptState, counts: dict[str, int], attempt: Attempt, rows: list[AttemptResult]
) -> dict[str, object] | None:
    """The problem that the page words; None for an applied request."""
    total, done = len(rows), counts.get(ResultState.DONE, 0)
    unclear = total - done - counts.get(ResultState.FAILED, 0)
    if state is AttemptState.APPLIED:
        return None
    if state is AttemptState.UNCERTAIN:
        return problem(refusals.UNCERTAIN, unknown=unclear, total=total, why=attempt.problem)
    if unclear:
        return problem(refusals.NEVER_CERTAIN, unknown=unclear, done=done, total=total, why=attempt.problem)
    if others := [row for row in rows if _code(row) == refusals.FOUND_ANOTHER]:
        return _changed_by_others(others, done=done, total=total, codes=Counter(map(_code, rows)))
    first = next((row for row in rows if row.problem), None)
    code = refusals.IN_PART if state is AttemptState.PARTLY_APPLIED else refusals.NOTHING_WRITTEN
    why = first.problem if first else None
    return problem(code, done=done, total=total, first=str(first) if first else "", why=why)


def _changed_by_others(
    others: list[AttemptResult], *, done: int, total: int, codes: Counter[object]
) -> dict[str, object]:
    first = others[0]
    return problem(
        refusals.OTHERS_CHANGED,
        changed=len(others),
        done=done,
        unchanged=codes[refusals.UNCHANGED],
        total=total,
        partition=f"{first.topic}-{first.partition}",
        found=first.after,
        before=first.before,
        target=first.target,
    )


def _code(row: AttemptResult) -> object:
    return row.problem["code"] if row.problem else None
