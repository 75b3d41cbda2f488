"""Server time of a request's page with a 10,000-line plan, beside the same with ten lines.

The history has measured both groups since, so the page compares every line with it; nothing has moved, which is what
costs most: no line is found early.

`python -m devtools.bench.request_page` makes a database of its own, draws each page as an approver gets it, and prints
medians in milliseconds and their ratio to the ten-line page of the same run.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from devtools.bench import console

if TYPE_CHECKING:
    from django.test import Client

    from kafkaconsole.resets.models import PlanLine, ResetRequest

PARTITIONS_A_TOPIC = 100
FEW, MANY = 10, 10_000
TIMES = 15
WARM_UP = 3
FIRST_PAINT_MS = 200
PAGES = {
    "first paint": "",
    "last page": "?page=9999",
    "search by topic": "?q=topic-07",
    "search by partition": "?q=topic-07-3",
    "most read again first": "?sort=replayed",
    "most skipped first": "?sort=skipped",
    "live question": "/live",
}


def main() -> int:
    """Print the figures; 1 if the first paint of the long plan took longer than it may."""
    with tempfile.TemporaryDirectory() as folder:
        console.set_up(console.sqlite(Path(folder)))
        client, few, many = _scene()
        print(f"{'':24}{FEW:>10,} lines {MANY:>12,} lines      ratio")
        slow = 0.0
        for name, query in PAGES.items():
            short, long = (_median(client, f"/requests/{one.pk}{query}") for one in (few, many))
            print(f"{name:24}{short:>13.1f} ms {long:>15.1f} ms {long / short:>9.2f}")
            slow = slow or long
    print(f"first paint of {MANY:,} lines: {slow:.0f} ms of {FIRST_PAINT_MS} ms")
    return int(slow > FIRST_PAINT_MS)


def _median(client: Client, address: str) -> float:
    """Milliseconds of one answer."""
    times = []
    for turn in range(WARM_UP + TIMES):
        began = time.perf_counter()
        answer = client.get(address)
        took = time.perf_counter() - began
        if answer.status_code != 200:
            raise SystemExit(f"{address} answered {answer.status_code}")
        if turn >= WARM_UP:
            times.append(took)
    return 1000 * statistics.median(times)


def _scene() -> tuple[Client, ResetRequest, ResetRequest]:
    """An approver, and two planned requests of a colleague."""
    from django.test import Client

    from kafkaconsole.accounts.models import User
    from kafkaconsole.teams.models import Membership, Team, TeamRole

    team = Team.objects.create(slug="billing", name="Billing")
    people = [User.objects.create(username=name, name=name.title()) for name in ("alice", "bob")]
    for person, role in zip(people, (TeamRole.MEMBER, TeamRole.APPROVER), strict=True):
        Membership.objects.create(team=team, user=person, role=role)
    cluster = console.cluster("kafka:9092")
    client = Client(raise_request_exception=True)
    client.force_login(people[1])
    few, many = (_request(cluster.pk, team.pk, people[0].pk, count) for count in (FEW, MANY))
    return client, few, many


def _request(cluster: int, team: int, requester: int, count: int) -> ResetRequest:
    """A planned request with so many lines, of a group of its own."""
    from django.utils import timezone

    from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
    from kafkaconsole.resets.states import State

    group = f"billing-{count}"
    change = {"cluster": "bench", "group": group, "strategy": {"kind": "to_earliest"}}
    request = ResetRequest.objects.create(
        cluster_id=cluster,
        group_name=group,
        team_id=team,
        requester_id=requester,
        change=change,
        reason="Measured",
        expires_at=timezone.now() + timedelta(days=1),
    )
    lines = list(_lines(count))
    plan = Plan.objects.create(
        request=request,
        digest=f"{count:064d}",
        planned_at=timezone.now(),
        kafka_cluster_id="bench",
        group_name=group,
        group_type="classic",
        group_state="Empty",
        change=change,
        partitions_count=count,
        changed_count=count,
        replayed=sum(one.replayed or 0 for one in lines),
        skipped=sum(one.skipped or 0 for one in lines),
        warnings=[{"code": "no_changes", "facts": {}}],
    )
    for one in lines:
        one.plan = plan
    PlanLine.objects.bulk_create(lines, batch_size=1000)
    _measured_since(request, lines)
    ResetRequest.objects.filter(pk=request.pk).move(State.PLANNING, State.PLANNED, plan=plan, plan_digest=plan.digest)
    return request


def _measured_since(request: ResetRequest, lines: list[PlanLine]) -> None:
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
        topic = Topic.objects.create(
            cluster_id=request.cluster_id,
            name=name,
            topic_id=rows[0].topic_id,
            partitions_count=len(rows),
            log_starts=pack(row.log_start for row in rows),
            log_ends=pack(row.log_end for row in rows),
            **seen,
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


if __name__ == "__main__":
    sys.exit(main())
