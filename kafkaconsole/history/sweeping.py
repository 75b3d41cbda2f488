"""One sweep of one cluster: take the turn, read, store, say what came of it. Other clusters are never held up."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.timezone import now

from kafkaconsole.clusters.contact import note_health, pin
from kafkaconsole.clusters.models import Cluster, Health
from kafkaconsole.errors import ConsoleError
from kafkaconsole.history import catalogue, holes, turns
from kafkaconsole.history.errors import TurnLost
from kafkaconsole.history.measuring import Clock, Measurement, NotMeasured, Wait, measure
from kafkaconsole.history.models import Outcome, Sweep
from kafkaconsole.history.storing import Store
from kafkaconsole.history.turns import Claim
from kafkaconsole.kafka.port import Connect
from kafkaconsole.problems import plain, problem, problem_of

logger = logging.getLogger(__name__)

SPELLED_OUT = 200  # so many of the things not measured are kept by name; of the rest only the number
TICK = timedelta(milliseconds=1)


def _sleep(duration: timedelta) -> None:
    time.sleep(duration.total_seconds())


def sweep(cluster_pk: int, connect: Connect, *, clock: Clock = now, wait: Wait = _sleep) -> Sweep:
    """Measure a cluster now. The answer's `outcome` is `skipped` when another sweep of it is still running.

    A cluster that does not answer gives a `failed` sweep, not an error; what nobody foresaw is recorded and raised.
    """
    held = turns.claim(cluster_pk, clock(), only_if_due=False)
    if held is None:
        return turns.note_skipped(cluster_pk, clock())
    return _sweep(held, connect, clock, wait)


def sweep_if_due(cluster_pk: int, connect: Connect, *, clock: Clock = now, wait: Wait = _sleep) -> Sweep | None:
    """The same when the cluster's turn has come; None when not, or when somebody else has it: a repeated message."""
    if not Cluster.objects.filter(pk=cluster_pk, is_active=True).exists():
        return None
    held = turns.claim(cluster_pk, clock(), only_if_due=True)
    return _sweep(held, connect, clock, wait) if held else None


def _sweep(held: Claim, connect: Connect, clock: Clock, wait: Wait) -> Sweep:
    with turns.renewed(held):
        return _measured(held, connect, clock, wait)


def _measured(held: Claim, connect: Connect, clock: Clock, wait: Wait) -> Sweep:
    started_at = clock()
    record = Sweep.objects.create(cluster_id=held.cluster_pk, started_at=started_at)
    began = time.monotonic()
    try:
        before = catalogue.load(held.cluster_pk)
        with connect(held.cluster_pk) as admin:
            pin(cluster=record.cluster, cluster_id=admin.describe_cluster().cluster_id)
            found = measure(admin, before.known(started_at), clock, wait)
        _keep_time_running(found, held)
        _store(record, held, Store(before, found, held.measured_until), clock, began)
    except ConsoleError as error:
        _fail(record, held, problem_of(error), clock(), began)
    except Exception as error:
        _fail(record, held, problem("history.sweep_broke", error=type(error).__name__), clock(), began)
        raise
    record.refresh_from_db()
    return record


def _keep_time_running(found: Measurement, held: Claim) -> None:
    """Samples are in order of time, also when this machine's clock was set back; the sweep then says so."""
    if held.measured_until is not None and found.at <= held.measured_until:
        found.clock_behind_s = (held.measured_until - found.at).total_seconds()
        found.at = held.measured_until + TICK


def _store(record: Sweep, held: Claim, store: Store, clock: Clock, began: float) -> None:
    """One transaction for everything, and only while the turn is ours."""
    found = store.found
    with transaction.atomic():
        if not turns.is_held(held):
            raise TurnLost()
        store.save()
        missed = [one for one in dict.fromkeys(found.not_measured)]
        trouble = _trouble(found, missed)
        Sweep.objects.filter(pk=record.pk).update(
            at=found.at,
            ended_at=clock(),
            duration_ms=_since(began),
            outcome=Outcome.PARTIAL if trouble else Outcome.OK,
            groups_count=len(found.groups),
            partitions_count=len(found.bounds),
            samples_count=store.samples_count,
            not_measured_count=len(missed),
            not_measured=[_as_json(one) for one in missed[:SPELLED_OUT]],
            problem=trouble,
        )
        health = Health.DEGRADED if trouble else Health.OK
        note_health(cluster=record.cluster, health=health, trouble=trouble)
        turns.release_after_success(held, found.at)


def _trouble(found: Measurement, missed: list[NotMeasured]) -> dict[str, object] | None:
    if found.clock_behind_s is not None:
        return problem("history.clock_went_back", seconds=round(found.clock_behind_s))
    if missed:
        first = missed[0]
        return problem("history.measured_in_part", count=len(missed), what=first.what, name=first.name,
                       kind=first.problem.kind, kafka_error=first.problem.kafka_error)  # fmt: skip
    return None


def _fail(record: Sweep, held: Claim, why: dict[str, object], at: datetime, began: float) -> None:
    logger.warning("A sweep failed", extra={"cluster": held.cluster_pk, "code": why["code"]})
    with transaction.atomic():
        Sweep.objects.filter(pk=record.pk).update(
            ended_at=at, duration_ms=_since(began), outcome=Outcome.FAILED, problem=why
        )
        if not turns.is_held(held):
            return  # whoever took the turn over says how the cluster is
        note_health(cluster=record.cluster, health=Health.UNREACHABLE, trouble=why)
        holes.open_for_cluster(held.cluster_pk, held.measured_until)
        turns.release_after_failure(held, at)


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _as_json(one: NotMeasured) -> dict[str, object]:
    why = one.problem
    return {
        "what": one.what,
        "name": plain(one.name),
        "problem": {"kind": why.kind.value, "kafka_error": why.kafka_error, "detail": plain(why.detail)},
    }
