"""Holding an attempt: one worker at a time, by a lease that is checked again right before every write."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from kafkaconsole.audit import actions as audit
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.execution.checks import Snapshot
from kafkaconsole.resets.models import Attempt, AttemptResult, ResetRequest
from kafkaconsole.resets.planning import deletions_of, targets_of
from kafkaconsole.resets.plans import Line
from kafkaconsole.resets.refusals import AlreadyRunning
from kafkaconsole.resets.states import OPEN_ATTEMPT, WRITING, AttemptState, ResultState, State
from kafkaconsole.resets.storing import BATCH

SETTLE_AGAIN = timedelta(seconds=30)
"""An uncertain attempt is looked at again so long after the last time."""


class LeaseLost(ConsoleError):
    """Another worker may have taken the attempt over: this one stops and writes nothing. Facts: attempt."""

    code = "reset.lease_lost"


def claim(request: ResetRequest, lines: Sequence[Line]) -> Attempt:
    """Move the request to *executing* with a new attempt and its intended results, in one transaction.

    Raises StateMoved when another worker was first, AlreadyRunning when another request of the group is executing.
    """
    try:
        with transaction.atomic():
            source = State(request.state)
            ours = ResetRequest.objects.filter(pk=request.pk, plan=request.plan_id, holder=request.holder)
            ours.move(source, State.EXECUTING, problem=None, nudge_at=None)
            attempt = _record(request, lines)
            facts = {"attempt": attempt.number, "worker": attempt.worker, "digest": request.plan_digest}
            audit.record("reset.executing", actor=None, target=request, facts=facts)
            return attempt
    except IntegrityError as error:
        if other := _running(request):
            raise AlreadyRunning(group=request.group_name, request=other.pk) from error
        raise


def _record(request: ResetRequest, lines: Sequence[Line]) -> Attempt:
    attempt = Attempt.objects.create(
        request=request,
        plan=request.the_plan,
        number=request.attempts.count() + 1,
        cluster_id=request.cluster_id,
        group_name=request.group_name,
        worker=worker_name(),
        started_at=timezone.now(),
        lease_until=timezone.now() + settings.ATTEMPT_LEASE,
    )
    topic_ids = {line.of: line.topic_id for line in lines}
    written: dict[TopicPartition, int | None] = {of: target.offset for of, target in targets_of(lines).items()}
    written |= dict.fromkeys(deletions_of(lines))
    rows = (
        AttemptResult(attempt=attempt, topic=of.topic, topic_id=topic_ids[of], partition=of.partition, target=target)
        for of, target in written.items()
    )
    AttemptResult.objects.bulk_create(rows, batch_size=BATCH)
    return attempt


def _running(request: ResetRequest) -> ResetRequest | None:
    same = ResetRequest.objects.filter(cluster=request.cluster_id, group_name=request.group_name)
    return same.filter(state__in=WRITING).exclude(pk=request.pk).first()


def take_over(attempt_id: int) -> Attempt | None:
    """Hold an attempt whose lease ran out; None when it has ended or another worker holds it."""
    now = timezone.now()
    lost = Attempt.objects.filter(pk=attempt_id, state__in=OPEN_ATTEMPT, lease_until__lte=now)
    name = worker_name()
    if lost.update(lease_until=now + settings.ATTEMPT_LEASE, worker=name) != 1:
        return None
    return Attempt.objects.select_related("request__plan", "plan").get(pk=attempt_id)


def hold(attempt: Attempt, **facts: object) -> None:
    """Lengthen the lease, if it is still ours and the plan is still the approved one; else raise LeaseLost."""
    now = timezone.now()
    approved = ResetRequest.objects.filter(pk=attempt.request_id, state__in=WRITING, plan=attempt.plan_id)
    signed = approved.filter(approved_digest=F("plan__digest"))
    ours = Attempt.objects.filter(
        pk=attempt.pk, worker=attempt.worker, state__in=OPEN_ATTEMPT, lease_until__gt=now, request__in=signed
    )
    if ours.update(lease_until=now + settings.ATTEMPT_LEASE, **facts) != 1:
        raise LeaseLost(attempt=attempt.pk)


@transaction.atomic
def save_snapshot(attempt: Attempt, snapshot: Snapshot) -> None:
    """Keep what is committed now, before anything is written over it."""
    rows = list(attempt.results.all())
    for row in rows:
        held = snapshot[TopicPartition(row.topic, row.partition)]
        row.before = held.offset if held else None
        row.before_metadata = held.metadata if held else ""
        row.before_epoch = held.leader_epoch if held else None
    AttemptResult.objects.bulk_update(rows, ["before", "before_metadata", "before_epoch"], batch_size=BATCH)
    attempt.snapshot_at = timezone.now()
    hold(attempt, snapshot_at=attempt.snapshot_at)


@transaction.atomic
def begin_write(attempt: Attempt, rows: Iterable[AttemptResult]) -> datetime:
    """Immediately before a write: the lease is ours, and these results are *unknown* until an answer says otherwise.

    Answers the instant from which on the write may not be sent any more, halfway through the lease: the other half is
    for a slow connection and for clocks that differ, before someone else may take the attempt over.
    """
    began = attempt.write_began_at or timezone.now()
    until = timezone.now() + settings.ATTEMPT_LEASE / 2
    attempt.write_began_at = began
    changed = list(rows)
    for row in changed:
        row.state, row.problem = ResultState.UNKNOWN, None
    attempt.watched_since = None
    store(attempt, changed, write_began_at=began, watched_since=None)
    return until


@transaction.atomic
def store(attempt: Attempt, rows: Sequence[AttemptResult], **facts: object) -> None:
    """Write states, problems and offsets read back, if the lease is still ours: whoever was paused for too long does
    not write over what another worker found out meanwhile. Raises LeaseLost."""
    hold(attempt, **facts)
    AttemptResult.objects.bulk_update(rows, ["state", "problem", "after"], batch_size=BATCH)


def release(attempt: Attempt, state: AttemptState, **facts: object) -> bool:
    """End the attempt (or leave it uncertain) if it is still ours; whether it was."""
    until: datetime = timezone.now() + SETTLE_AGAIN
    ended = None if state in OPEN_ATTEMPT else timezone.now()
    ours = Attempt.objects.filter(pk=attempt.pk, worker=attempt.worker, state__in=OPEN_ATTEMPT)
    return ours.update(state=state, ended_at=ended, lease_until=until, **facts) == 1


def worker_name() -> str:
    """Host, process, and a mark that no other run has: the fence that tells two holders apart."""
    return f"{socket.gethostname()[:80]}:{os.getpid()}:{secrets.token_hex(4)}"
