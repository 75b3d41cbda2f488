"""Whose turn it is: which clusters are due, and a lease so that no cluster is swept twice at once.

Every move is one `UPDATE … WHERE` (compare-and-set); whoever changes no row came too late.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Least
from django.utils.timezone import now

from kafkaconsole import renewals
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.history.models import Outcome, Sweep, Turn

LONGEST_BACK_OFF = timedelta(minutes=10)
SEND_AGAIN_AFTER = timedelta(seconds=30)  # a message for a due turn is sent again when nobody took the turn


@dataclass(frozen=True, slots=True)
class Claim:
    """A turn that was taken; `measured_until` is the instant of the last good reading before it."""

    cluster_pk: int
    holder: str
    measured_until: datetime | None
    failures_count: int


def claim(cluster_pk: int, at: datetime, *, only_if_due: bool) -> Claim | None:
    """Take the turn, or None: another holds it, or (with `only_if_due`) it is not due."""
    Turn.objects.get_or_create(cluster_id=cluster_pk, defaults={"due_at": at})
    free = Turn.objects.filter(Q(lease_until__isnull=True) | Q(lease_until__lt=at), cluster_id=cluster_pk)
    if only_if_due:
        free = free.filter(due_at__lte=at)
    holder = uuid.uuid4().hex
    taken = free.update(
        holder=holder, lease_until=at + settings.WORK_LEASE, due_at=at + settings.SWEEP_INTERVAL, asked_at=None
    )
    if not taken:
        return None
    Sweep.objects.filter(cluster_id=cluster_pk, outcome=Outcome.RUNNING).update(
        outcome=Outcome.FAILED, ended_at=at, problem={"code": "history.sweep_died", "facts": {}}
    )
    turn = Turn.objects.get(cluster_id=cluster_pk)
    return Claim(cluster_pk, holder, turn.measured_until, turn.failures_count)


def is_held(held: Claim) -> bool:
    """Is the turn still ours? Locks the row where the database can, so that it stays ours until the commit."""
    return Turn.objects.filter(cluster_id=held.cluster_pk, holder=held.holder).update(holder=held.holder) == 1


def renewed(held: Claim) -> AbstractContextManager[None]:
    """Keep the turn for as long as the block goes on and the process lives; a dead holder's is free after WORK_LEASE."""
    mine = Turn.objects.filter(cluster_id=held.cluster_pk, holder=held.holder)
    return renewals.renewed(lambda: mine.update(lease_until=now() + settings.WORK_LEASE), settings.WORK_LEASE)


def release_after_success(held: Claim, measured_until: datetime) -> None:
    """Give the turn back; what was asked for meanwhile stays due."""
    Turn.objects.filter(cluster_id=held.cluster_pk, holder=held.holder).update(
        holder="", lease_until=None, failures_count=0, measured_until=measured_until
    )


def release_after_failure(held: Claim, at: datetime) -> None:
    """Give the turn back and wait longer after each failure, ten minutes at most."""
    wait = min(settings.SWEEP_INTERVAL * 2 ** min(held.failures_count, 10), LONGEST_BACK_OFF)
    Turn.objects.filter(cluster_id=held.cluster_pk, holder=held.holder).update(
        holder="", lease_until=None, failures_count=F("failures_count") + 1, due_at=at + wait
    )


def make_due(cluster_pk: int, at: datetime) -> None:
    """Let the cluster be swept next, whenever it would have been."""
    Turn.objects.get_or_create(cluster_id=cluster_pk, defaults={"due_at": at})
    Turn.objects.filter(cluster_id=cluster_pk).update(due_at=Least(F("due_at"), at), asked_at=None)


def take_due(at: datetime) -> Iterator[int]:
    """The clusters for which a message is to be sent now. One that is late, because its sweep still runs, is skipped
    and a Sweep row says so."""
    missing = Cluster.objects.filter(is_active=True, sweep_turn__isnull=True).values_list("pk", flat=True)
    Turn.objects.bulk_create([Turn(cluster_id=pk, due_at=at) for pk in missing], ignore_conflicts=True)
    for turn in Turn.objects.filter(cluster__is_active=True, due_at__lte=at).order_by("due_at"):
        if turn.lease_until is not None and turn.lease_until >= at:
            _skip_if_late(turn, at)
            continue
        unsent = Q(asked_at__isnull=True) | Q(asked_at__lt=at - SEND_AGAIN_AFTER)
        if Turn.objects.filter(unsent, pk=turn.pk, due_at=turn.due_at).update(asked_at=at):
            yield turn.cluster_id


def _skip_if_late(turn: Turn, at: datetime) -> None:
    late = Sweep.objects.filter(
        cluster_id=turn.cluster_id, outcome=Outcome.RUNNING, started_at__lte=at - settings.SWEEP_INTERVAL
    )
    if not late.exists():
        return  # asked for while a sweep runs that is not late: it waits for its end
    if Turn.objects.filter(pk=turn.pk, due_at=turn.due_at).update(due_at=at + settings.SWEEP_INTERVAL):
        note_skipped(turn.cluster_id, at)


def note_skipped(cluster_pk: int, at: datetime) -> Sweep:
    """Say that a sweep was not started, because the one before was still running."""
    return Sweep.objects.create(
        cluster_id=cluster_pk,
        started_at=at,
        ended_at=at,
        duration_ms=0,
        outcome=Outcome.SKIPPED,
        problem={"code": "history.still_running", "facts": {}},
    )
