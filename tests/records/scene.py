"""A small scene in the database: the cast, one cluster, and requests whose plans are known number by number."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups.models import OwnershipKind, OwnershipRule
from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, Team, TeamRole

PLANNED_AT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Scene:
    """The cast (see CONTRIBUTING), team Billing, team Search, and cluster `demo` whose groups `billing…` are Billing's."""

    alice: User
    amir: User
    bob: User
    bora: User
    carol: User
    dave: User
    eve: User
    billing: Team
    search: Team
    cluster: Cluster


def make_scene() -> Scene:
    """Build it; nobody has a usable password."""
    people = {name: User.objects.create(username=name, name=name.title()) for name in _CAST}
    for name, role in {"carol": GlobalRole.ADMINISTRATOR, "eve": GlobalRole.AUDITOR}.items():
        people[name].role = role
        people[name].save()
    billing = Team.objects.create(slug="billing", name="Billing")
    search = Team.objects.create(slug="search", name="Search")
    for name in ("alice", "amir"):
        Membership.objects.create(team=billing, user=people[name], role=TeamRole.MEMBER)
    for name in ("bob", "bora"):
        Membership.objects.create(team=billing, user=people[name], role=TeamRole.APPROVER)
    Membership.objects.create(team=search, user=people["dave"], role=TeamRole.MEMBER)
    environment = Environment.objects.create(slug="test", name="Test", is_production=False, may_read_messages=True)
    cluster = Cluster.objects.create(
        name="demo", title="Demo", environment=environment, bootstrap_servers="kafka-1:9092", cluster_id="fake-cluster"
    )
    OwnershipRule.objects.create(kind=OwnershipKind.PREFIX, pattern="billing", team=billing)
    return Scene(**people, billing=billing, search=search, cluster=cluster)


_CAST = ("alice", "amir", "bob", "bora", "carol", "dave", "eve")


def line(topic: str, partition: int, *, target: int | None, committed: int | None, log_end: int) -> PlanLine:
    """An unsaved line: SET when it has a target, LEAVE otherwise; the log begins at 0."""
    moved = 0 if target is None or committed is None else committed - target
    return PlanLine(
        topic=topic,
        topic_id="AAAAAAAAAAAAAAAAAAAAAA",
        partition=partition,
        log_start=0,
        log_end=log_end,
        last_stable=log_end,
        committed=committed,
        wanted=target,
        target=target,
        action=Action.LEAVE if target is None else Action.SET,
        replayed=max(moved, 0),
        skipped=max(-moved, 0),
    )


def make_plan(scene: Scene, request: ResetRequest, lines: list[PlanLine], *, digest: str = "d" * 64) -> Plan:
    """A saved plan of the request with these lines."""
    plan = Plan.objects.create(
        request=request,
        digest=digest,
        planned_at=PLANNED_AT,
        kafka_cluster_id=scene.cluster.cluster_id or "",
        group_name=request.group_name,
        group_type="classic",
        group_state="Empty",
        change=request.change,
        partitions_count=len(lines),
        changed_count=sum(one.target is not None for one in lines),
        replayed=sum(one.replayed or 0 for one in lines),
        skipped=sum(one.skipped or 0 for one in lines),
    )
    for one in lines:
        one.plan = plan
    PlanLine.objects.bulk_create(lines)
    return plan


def make_request(scene: Scene, lines: list[PlanLine] | None, *, group: str = "billing") -> ResetRequest:
    """A request of Alice's: planned with these lines, or still planning when there are none."""
    request = ResetRequest.objects.create(
        cluster=scene.cluster,
        group_name=group,
        team=scene.billing,
        requester=scene.alice,
        change=change_json(group=group),
        reason="Read the invoices again",
        expires_at=timezone.now() + timedelta(days=1),
    )
    if lines is not None:
        plan = make_plan(scene, request, lines)
        rows = ResetRequest.objects.filter(pk=request.pk)
        rows.move(State.PLANNING, State.PLANNED, plan=plan, plan_digest=plan.digest)
        request.refresh_from_db()
    return request


def change_json(*, group: str = "billing", kind: str = "to_earliest", topic: str = "hello") -> dict[str, object]:
    """A change as clients send it."""
    return {
        "cluster": "demo",
        "group": group,
        "scope": {"topics": [{"topic": topic}]},
        "strategy": {"kind": kind},
        "rules": {"no_commit": "strategy", "no_record_after": "log_end", "out_of_range": "clamp"},
        "create_group": False,
    }
