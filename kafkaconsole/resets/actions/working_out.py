"""Workers work out plans: for previews, and for requests, whose plan approvers will sign."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from kafkaconsole.audit import actions as audit
from kafkaconsole.errors import ConsoleError, Unavailable
from kafkaconsole.kafka.port import Connect, ConnectRecords
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import governing, leases, near_names, plans, refusals, storing
from kafkaconsole.resets.actions.signing import reach_quorum
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.errors import StateMoved
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.models import Preview, ResetRequest
from kafkaconsole.resets.planning import compute, deletions_of, targets_of
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.remembering import recall
from kafkaconsole.resets.states import PreviewState, State

logger = logging.getLogger(__name__)

PLAN_TRIES = 5
"""So many tries find the cluster unavailable before the plan is called failed; about half a minute."""


def make_preview(*, preview_id: uuid.UUID | str, connect: Connect, connect_records: ConnectRecords) -> None:
    """Work out a preview's plan, or say why there is none. One try: its person is looking, and can ask again.

    A message that comes twice, or while another worker is at it, changes nothing.
    """
    waiting = Preview.objects.filter(pk=preview_id, state=PreviewState.PLANNING)
    holder = leases.take(waiting)
    mine = waiting.filter(holder=holder)
    row = mine.first() if holder else None
    if row is None:
        return
    with leases.renewed(mine):
        try:
            plan = work_out(row.change, row.cluster_id, connect, connect_records, pause=None)
        except ConsoleError as error:
            trouble = near_names.shown_to_person(problem_of(error), row.asked_by, row.cluster)
            mine.update(state=PreviewState.PLAN_FAILED, problem=trouble, nudge_at=None, holder=None)
        else:
            _show(mine, plan, row.change)


@transaction.atomic
def _show(mine: QuerySet[Preview], plan: plans.Plan, change: dict[str, object]) -> None:
    """Store a preview's plan; nothing is stored when another worker has taken the preview over."""
    stored = storing.store(plan, change=change, request=None)
    trouble = trouble_of(plan) if plan.refused else None
    state = PreviewState.PLAN_FAILED if plan.refused else PreviewState.PLANNED
    if mine.update(state=state, plan=stored, problem=trouble, nudge_at=None, holder=None) != 1:
        transaction.set_rollback(True)


def make_plan(*, request_id: int, connect: Connect, connect_records: ConnectRecords) -> None:
    """Work out a request's plan and freeze it. While the cluster is unavailable the request stays in planning and is
    tried again, PLAN_TRIES times.

    A message that comes twice, or while another worker is at it, changes nothing.
    """
    waiting = ResetRequest.objects.filter(pk=request_id, state=State.PLANNING)
    holder = leases.take(waiting)
    mine = waiting.filter(holder=holder)
    row = mine.first() if holder else None
    if row is None:
        return
    with leases.renewed(mine):
        try:
            plan = work_out(row.change, row.cluster_id, connect, connect_records, pause=settings.SECOND_READING_PAUSE)
        except Unavailable as error:
            _try_again(row, error)
        except ConsoleError as error:
            _end(row, State.PLAN_FAILED, near_names.shown_to_team(problem_of(error), row.team, row.cluster), None)
        else:
            pin = governing.pin(row, plan)
            trouble = trouble_of(plan) or pin.trouble
            _end(row, State.PLAN_FAILED if trouble else State.PLANNED, trouble, plan, pin)


def trouble_of(plan: plans.Plan) -> dict[str, object] | None:
    """Why a plan cannot be asked for: a line refuses, or there is nothing to write. None: it can."""
    refusing = [line for line in plan.lines if line.action is Action.REFUSE]
    if refusing:
        first = refusing[0]
        facts = {"partition": str(first.of), "why": first.why, "count": len(refusing), "total": len(plan.lines)}
        return problem(refusals.PLAN_REFUSED, **facts)
    writes = targets_of(plan.lines) or deletions_of(plan.lines)
    return None if writes else problem(refusals.NOTHING_TO_WRITE, group=plan.group)


def work_out(
    change_json: dict[str, object],
    cluster_pk: int,
    connect: Connect,
    connect_records: ConnectRecords,
    *,
    pause: timedelta | None,
) -> plans.Plan:
    """The plan of a change on a registered cluster, with connections of its own; raises ConsoleError where there is none.

    `pause` until commits are read a second time; None for a preview, whose person is waiting.
    """
    change = parse_change(change_json)
    now = timezone.now()
    recalled = recall(change, cluster_pk)
    with connect(cluster_pk) as admin, connect_records(cluster_pk) as times:
        facts = gather(admin, change, now=now, times=times, recalled=recalled, pause=pause)
    return compute(change, facts, planned_at=now)


def _end(
    row: ResetRequest,
    target: State,
    trouble: dict[str, object] | None,
    plan: plans.Plan | None,
    pin: governing.Pin | None = None,
) -> None:
    """Store the plan with its policy and move on from planning; does nothing when someone else was first, or when
    another worker has taken the planning over."""
    try:
        with transaction.atomic():
            stored = storing.store(plan, change=row.change, request=row, pin=pin) if plan else None
            facts: dict[str, object] = {"plan": stored, "plan_digest": stored.digest if stored else ""}
            if pin and pin.version:
                facts["expires_at"] = governing.ends_at(row, pin.version)
            ResetRequest.objects.filter(pk=row.pk, holder=row.holder).move(
                State.PLANNING, target, problem=trouble, nudge_at=None, tries=0, **facts
            )
            told = {"digest": stored.digest if stored else None, "problem": trouble, **_governed(pin)}
            audit.record(f"reset.{target.value}", actor=None, target=row, facts=told)
            if target is State.PLANNED:
                reach_quorum(row)
    except StateMoved:
        logger.info("A plan came too late: the request has moved on", extra={"reset_id": row.pk})


def _governed(pin: governing.Pin | None) -> dict[str, object]:
    """Of policy and risk, what the record tells."""
    if pin is None:
        return {}
    return {"risk": pin.risk.level, "policy": str(pin.version) if pin.version else None}


def _try_again(row: ResetRequest, error: Unavailable) -> None:
    tries = row.tries + 1
    if tries >= PLAN_TRIES:
        _end(row, State.PLAN_FAILED, problem_of(error), None)
        return
    mine = ResetRequest.objects.filter(pk=row.pk, state=State.PLANNING, holder=row.holder)
    mine.update(tries=tries, problem=problem_of(error), nudge_at=timezone.now() + backoff(tries), holder=None)


def backoff(tries: int) -> timedelta:
    """2, 4, 8 … seconds, a minute at most."""
    return timedelta(seconds=min(2 ** min(tries, 6), 60))
