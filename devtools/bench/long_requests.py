"""Requests with plans of any length, whose groups the history has measured since: what the page of one is measured with."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from devtools.bench import console

if TYPE_CHECKING:
    from django.test import Client

    from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest

PARTITIONS_A_TOPIC = 100


def approver() -> Client:
    """A team with a member and an approver; the approver's browser."""
    from django.test import Client

    from kafkaconsole.accounts.models import User
    from kafkaconsole.teams.models import Membership, Team, TeamRole

    team = Team.objects.create(slug="billing", name="Billing")
    people = [User.objects.create(username=name, name=name.title()) for name in ("alice", "bob")]
    for person, role in zip(people, (TeamRole.MEMBER, TeamRole.APPROVER), strict=True):
        Membership.objects.create(team=team, user=person, role=role)
    client = Client(raise_request_exception=True)
    client.force_login(people[1])
    return client


def made(count: int) -> dict[str, int]:
    """The numbers of the member's requests with so many lines: planned, planned again and applied, each of its own group."""
    kinds = {"planned": 1, "planned again": 2, "applied": 1}
    requests = {kind: _request(f"billing-{count}-{kind}", count, plans) for kind, plans in kinds.items()}
    _carry_out(requests["applied"])
    for request in requests.values():
        _measure(request, list(_lines(count)))
    return {kind: request.pk for kind, request in requests.items()}


def _request(group: str, count: int, plans: int) -> ResetRequest:
    from django.utils import timezone

    from kafkaconsole.accounts.models import User
    from kafkaconsole.resets.models import ResetRequest
    from kafkaconsole.resets.states import State
    from kafkaconsole.teams.models import Team

    request = ResetRequest.objects.create(
        cluster=console.cluster("kafka:9092"),
        group_name=group,
        team=Team.objects.get(slug="billing"),
        requester=User.objects.get(username="alice"),
        change={"cluster": "bench", "group": group, "strategy": {"kind": "to_earliest"}},
        reason="Measured",
        expires_at=timezone.now() + timedelta(days=1),
    )
    for _ in range(plans):
        plan = _plan(request, list(_lines(count)))
    ResetRequest.objects.filter(pk=request.pk).move(State.PLANNING, State.PLANNED, plan=plan, plan_digest=plan.digest)
    request.refresh_from_db()
    return request


def _plan(request: ResetRequest, lines: list[PlanLine]) -> Plan:
    from django.utils import timezone

    from kafkaconsole.approvals.queries import original
    from kafkaconsole.resets.models import Plan, PlanLine

    plan = Plan.objects.create(
        request=request,
        digest=f"{request.pk:064d}",
        planned_at=timezone.now(),
        kafka_cluster_id="bench",
        group_name=request.group_name,
        group_type="classic",
        group_state="Empty",
        change=request.change,
        partitions_count=len(lines),
        changed_count=len(lines),
        replayed=sum(one.replayed or 0 for one in lines),
        skipped=sum(one.skipped or 0 for one in lines),
        warnings=[{"code": "no_changes", "facts": {}}],
        policy_version=original(),
    )
    for one in lines:
        one.plan = plan
    PlanLine.objects.bulk_create(lines, batch_size=1000)
    return plan


def _carry_out(request: ResetRequest) -> None:
    """Signed by the approver; then an attempt that wrote every line."""
    from django.utils import timezone

    from kafkaconsole.accounts.models import User
    from kafkaconsole.resets import actions
    from kafkaconsole.resets.models import Attempt, AttemptResult, Plan, ResetRequest
    from kafkaconsole.resets.states import AttemptState, ResultState, State

    actions.approve(request=request, by=User.objects.get(username="bob"), seen_digest=request.plan_digest)
    now, plan = timezone.now(), Plan.objects.get(request=request)
    attempt = Attempt.objects.create(
        request=request,
        plan=plan,
        number=1,
        cluster=request.cluster,
        group_name=request.group_name,
        state=AttemptState.APPLIED,
        snapshot_at=now,
        write_began_at=now,
        ended_at=now,
        lease_until=now,
        worker="bench",
    )
    results = [
        AttemptResult(
            attempt=attempt,
            topic=one.topic,
            topic_id=one.topic_id,
            partition=one.partition,
            before=one.committed,
            target=one.target,
            after=one.target,
            state=ResultState.DONE,
        )
        for one in plan.lines.all()
    ]
    AttemptResult.objects.bulk_create(results, batch_size=1000)
    row = ResetRequest.objects.filter(pk=request.pk)
    row.move(State.APPROVED, State.EXECUTING)
    row.move(State.EXECUTING, State.APPLIED)


def _measure(request: ResetRequest, lines: list[PlanLine]) -> None:
    """What a sweep after the plan has found: the same commits, as many log starts."""
    from django.utils import timezone

    from kafkaconsole.groups.models import ConsumerGroup
    from kafkaconsole.history.models import GroupTopic, Topic
    from kafkaconsole.history.packing import pack

    now = timezone.now()
    seen = {"first_seen_at": now, "last_seen_at": now}
    known = {"type": "classic", "state": "Empty", "measured_at": now}
    group = ConsumerGroup.objects.create(cluster_id=request.cluster_id, name=request.group_name, **known, **seen)
    for name, on_topic in groupby(lines, key=lambda line: line.topic):
        rows = list(on_topic)
        logs = {
            "partitions_count": len(rows),
            "log_starts": pack(row.log_start for row in rows),
            "log_ends": pack(row.log_end for row in rows),
        }
        topic, _ = Topic.objects.get_or_create(
            cluster_id=request.cluster_id, name=name, topic_id=rows[0].topic_id, defaults=logs | seen
        )
        committed = pack(row.committed for row in rows)
        GroupTopic.objects.create(group=group, topic=topic, committed=committed, first_measured_at=now, changed_at=now)


def _lines(count: int) -> Iterator[PlanLine]:
    from kafkaconsole.resets.models import PlanLine
    from kafkaconsole.resets.plans import Action

    for number in range(count):
        committed, end = 500_000 + number, 1_000_000 + 3 * number
        target = 0 if number % 5 else end
        yield PlanLine(
            topic=f"topic-{number // PARTITIONS_A_TOPIC:02d}",
            topic_id=f"{count:022d}",
            partition=number % PARTITIONS_A_TOPIC,
            log_start=0,
            log_end=end,
            committed=committed,
            wanted=target,
            target=target,
            action=Action.SET,
            replayed=max(0, committed - target),
            skipped=max(0, target - committed),
        )
