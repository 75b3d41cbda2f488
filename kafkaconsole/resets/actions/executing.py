"""Workers execute approved requests, and settle attempts that another worker left behind."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters.errors import AnotherCluster
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.port import Connect
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import leases, opening, refusals, storing, waits
from kafkaconsole.resets.actions.ending import expire
from kafkaconsole.resets.actions.lapsing import lapsed
from kafkaconsole.resets.actions.working_out import backoff
from kafkaconsole.resets.errors import StateMoved
from kafkaconsole.resets.execution import LeaseLost, checks, claims, running
from kafkaconsole.resets.execution.outcomes import WAIT
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State

logger = logging.getLogger(__name__)

EXECUTABLE = (State.APPROVED, State.WAITING)


def execute(*, request_id: int, connect: Connect) -> None:
    """Carry out an approved request if its time has come and all is as planned; else it waits, is stale, or expires.

    A message that comes twice, too late, or while another worker is at it, changes nothing.
    """
    executable = ResetRequest.objects.select_related("plan").filter(pk=request_id, state__in=EXECUTABLE)
    holder = leases.take(executable)
    mine = executable.filter(holder=holder)
    request = mine.first() if holder else None
    if request is None:
        return
    try:
        with leases.renewed(mine):
            if _is_its_time(request) and not lapsed(request) and _is_open(request):
                _execute(request, connect)
    except (StateMoved, LeaseLost) as error:
        logger.info("Another worker was first", extra={"reset_id": request.pk, "code": error.code})


def settle(*, attempt_id: int, connect: Connect) -> None:
    """End an attempt whose lease ran out; does nothing while another worker holds it."""
    attempt = claims.take_over(attempt_id)
    if attempt is None:
        return
    try:
        running.settle_lost(attempt, connect)
    except LeaseLost as error:
        logger.info("Another worker took the attempt over", extra={"attempt_id": attempt_id, "code": error.code})


def _is_its_time(request: ResetRequest) -> bool:
    now = timezone.now()
    if request.expires_at <= now:
        expire(request=request)
        return False
    if request.not_before is not None and request.not_before > now:
        trouble = problem(refusals.NOT_YET, not_before=request.not_before)
        _stay(request, State.WAITING, trouble, at=request.not_before)
        return False
    return True


def _is_open(request: ResetRequest) -> bool:
    """The windows and freezes of its policy let it be carried out now."""
    closed = opening.closed(request)
    if closed is not None:
        _stay(request, State.WAITING, closed.trouble, at=closed.until)
    return closed is None


def _execute(request: ResetRequest, connect: Connect) -> None:
    lines = storing.lines_of(request.the_plan)
    attempt = None
    try:
        with connect(request.cluster_id) as admin:
            found = checks.look(admin, request.the_plan, lines)
            if not found.is_ready:
                _stay(request, *waits.limited(request, *running.where_to(found)), at=timezone.now() + WAIT)
                return
            attempt = claims.claim(request, lines)
            running.run(attempt, admin=admin, connect=connect, lines=lines)
    except (StateMoved, LeaseLost):
        raise
    except AnotherCluster as error:
        _stay(request, State.STALE, problem_of(error), at=None)
    except ConsoleError as error:
        if attempt is not None:  # closing the client failed, or a bug: the lease runs out and the attempt is settled
            raise
        _wait_longer(request, error)


def _wait_longer(request: ResetRequest, error: ConsoleError) -> None:
    """Nothing was begun: the approval stands, and the next try comes later each time."""
    tries = request.tries + 1
    ResetRequest.objects.filter(pk=request.pk, holder=request.holder).update(tries=tries)
    at = timezone.now() + backoff(tries)
    target = State.WAITING if request.state == State.WAITING or not _is_passing(error) else State.APPROVED
    _stay(request, target, problem_of(error), at=at)


def _is_passing(error: ConsoleError) -> bool:
    return error.status == 503


def _stay(request: ResetRequest, target: State, trouble: dict[str, object], *, at: datetime | None) -> None:
    """Move if it is elsewhere, and note why; only a move is recorded, not every look. The lease is given back."""
    rows = ResetRequest.objects.filter(pk=request.pk, holder=request.holder)
    when = None if target is State.STALE else at
    if request.state == target:
        rows.filter(state=target).update(problem=trouble, nudge_at=when, holder=None)
        return
    with transaction.atomic():
        rows.move(State(request.state), target, problem=trouble, nudge_at=when)
        audit.record(f"reset.{target.value}", actor=None, target=request, facts={"problem": trouble})
