"""The cast, and builders for what tests set their scenes with. Every request is built the way the product builds it."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups.models import OwnershipKind, OwnershipRule
from kafkaconsole.kafka.values import (
    Committed,
    Offset,
    Problem,
    ProblemKind,
    TopicPartition,
    WriteAnswer,
    WriteOutcome,
)
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt, AttemptResult, ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, Team, TeamRole
from tests.fakes.kafka import FakeKafka

PASSWORD = "correct horse battery"  # noqa: S105  of people who do not exist
GROUP = "billing-orders"
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Cast:
    """Alice and Amir ask, Bob and Bora approve (team Billing), Carol administers, Dave is of team Search, Eve audits."""

    alice: User
    amir: User
    bob: User
    bora: User
    carol: User
    dave: User
    eve: User
    billing: Team
    search: Team


def make_cast() -> Cast:
    """Everyone, with their teams and roles."""
    billing = Team.objects.create(slug="billing", name="Billing")
    search = Team.objects.create(slug="search", name="Search")
    people = {name: make_user(name) for name in ("alice", "amir", "bob", "bora", "carol", "dave", "eve")}
    people["carol"] = make_user("carol", role=GlobalRole.ADMINISTRATOR)
    people["eve"] = make_user("eve", role=GlobalRole.AUDITOR)
    for name, role in (("alice", "member"), ("amir", "member"), ("bob", "approver"), ("bora", "approver")):
        Membership.objects.create(team=billing, user=people[name], role=TeamRole(role))
    Membership.objects.create(team=search, user=people["dave"], role=TeamRole.MEMBER)
    return Cast(**people, billing=billing, search=search)


def make_user(username: str, *, role: GlobalRole = GlobalRole.MEMBER) -> User:
    """A person who can sign in with PASSWORD; the same name gives the same person, with this role."""
    user, is_new = User.objects.get_or_create(username=username, defaults={"name": username.capitalize()})
    user.role = role
    if is_new:
        user.password = _hashed()
    user.save()
    return user


@cache
def _hashed() -> str:
    """Hashing is slow on purpose; once is enough for a whole cast."""
    return make_password(PASSWORD)


def make_environment(slug: str = "staging", *, is_production: bool = False) -> Environment:
    """An environment; the same slug gives the same one."""
    environment, _ = Environment.objects.get_or_create(
        slug=slug, defaults={"name": slug.capitalize(), "is_production": is_production}
    )
    return environment


def make_cluster(name: str = "demo", *, cluster_id: str | None = "fake-cluster", **fields: Any) -> Cluster:
    """A registered cluster; its Kafka id is that of FakeKafka unless said otherwise."""
    fields.setdefault("environment", make_environment())
    fields.setdefault("bootstrap_servers", "kafka-1.example.com:9092")
    return Cluster.objects.create(
        name=name, title=fields.pop("title", name.capitalize()), cluster_id=cluster_id, **fields
    )


def give_groups(team: Team, pattern: str, *, cluster: Cluster | None = None) -> OwnershipRule:
    """Groups whose names begin with the pattern belong to the team."""
    return OwnershipRule.objects.create(cluster=cluster, kind=OwnershipKind.PREFIX, pattern=pattern, team=team)


def make_kafka(*, partitions: int = 3, records: int = 3, committed: int | None = 3, group: str = GROUP) -> FakeKafka:
    """A fake cluster with topic `hello`: so many records in each partition, and the group's commit there."""
    kafka = FakeKafka()
    kafka.add_topic("hello", partitions)
    for number in range(partitions):
        for record in range(1, records + 1):
            kafka.produce("hello", number, b"m%d" % record)
    if committed is not None:
        targets = {hello(number): at(committed) for number in range(partitions)}
        kafka.set_committed(group, targets)
    return kafka


def hello(partition: int) -> TopicPartition:
    """A partition of the topic that make_kafka makes."""
    return TopicPartition("hello", partition)


def at(offset: int) -> Committed:
    """A commit without text beside it."""
    return Committed(Offset(offset))


def offsets_in(kafka: FakeKafka, group: str = GROUP) -> list[int | None]:
    """What the group has committed on `hello`, by partition."""
    held = kafka.group(group).committed
    numbers = kafka.topic_map["hello"].partitions
    return [held[of].offset if (of := hello(number)) in held else None for number in sorted(numbers)]


def make_change(**fields: object) -> dict[str, object]:
    """A change in JSON: group `billing-orders` on cluster `demo` to the start of `hello`, unless said otherwise."""
    return {
        "cluster": "demo",
        "group": GROUP,
        "scope": {"topics": [{"topic": "hello"}]},
        "strategy": {"kind": "to_earliest"},
        **fields,
    }


def ask(by: User, *, change: Mapping[str, object] | None = None, **fields: Any) -> ResetRequest:
    """A request as its person makes it; it waits for a worker to plan it."""
    fields.setdefault("reason", f"Read again, please ({next(_numbers)})")
    return actions.request(by=by, change_json=change or make_change(), **fields)


def plan(request: ResetRequest, kafka: FakeKafka) -> ResetRequest:
    """What a worker does with a new request."""
    actions.make_plan(request_id=request.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    request.refresh_from_db()
    return request


def approve(request: ResetRequest, by: User) -> ResetRequest:
    """The signature on the plan that the request has now."""
    return actions.approve(request=request, by=by, seen_digest=request.plan_digest)


def execute(request: ResetRequest, kafka: FakeKafka) -> ResetRequest:
    """What a worker does with an approved request."""
    actions.execute(request_id=request.pk, connect=kafka.connect)
    request.refresh_from_db()
    return request


def request_in(state: State, cast: Cast, kafka: FakeKafka, **fields: Any) -> ResetRequest:
    """A request of Alice's in the state, brought there by the product's own actions. Cluster and ownership must be
    there (fixture `scene`). For UNCERTAIN the fake cluster loses every answer from then on."""
    request = ask(cast.alice, **fields)
    if state is State.PLANNING:
        return request
    if state is State.PLAN_FAILED:
        kafka.remove_topic("hello")
        return plan(request, kafka)
    request = plan(request, kafka)
    if state is State.REJECTED:
        return actions.reject(request=request, by=cast.bob, seen_digest=request.plan_digest, comment="Not today")
    if state is State.CANCELLED:
        return actions.cancel(request=request, by=cast.alice)
    if state is State.EXPIRED:
        ResetRequest.objects.filter(pk=request.pk).update(expires_at=timezone.now())
        actions.tick()
        request.refresh_from_db()
    if state in (State.PLANNED, State.EXPIRED):
        return request
    return _signed_in(state, approve(request, cast.bob), kafka)


def _signed_in(state: State, request: ResetRequest, kafka: FakeKafka) -> ResetRequest:
    group = request.group_name
    if state is State.APPROVED:
        return request
    if state is State.WAITING:
        kafka.join(group, client_id="orders-1", host="10.0.0.7", topics=["hello"])
    elif state is State.STALE:
        kafka.set_committed(group, {hello(0): at(1)})
    elif state is State.UNCERTAIN:
        kafka.lose_answers(times=1000, applied=False)
    elif state is State.FAILED:
        refuse_writes(kafka, [0, 1, 2])
    elif state is State.PARTLY_APPLIED:
        refuse_writes(kafka, [0])
    return _executing(request, kafka) if state is State.EXECUTING else execute(request, kafka)


def refuse_writes(kafka: FakeKafka, partitions: Iterable[int], error: str = "TOPIC_AUTHORIZATION_FAILED") -> None:
    """The broker refuses commits on these partitions of `hello` for good."""
    answer = WriteAnswer(WriteOutcome.NOT_WRITTEN, Problem(ProblemKind.NOT_AUTHORIZED, error))
    for number in partitions:
        kafka.answer("commit", hello(number), answer)


def _executing(request: ResetRequest, kafka: FakeKafka) -> ResetRequest:
    """As a worker leaves it that was killed right after its write was sent."""
    kafka.before("commit", _killed)
    with contextlib.suppress(Killed):
        execute(request, kafka)
    request.refresh_from_db()
    return request


class Killed(BaseException):
    """The worker's process is gone: nothing after this runs."""


def _killed() -> None:
    raise Killed


def trouble(row: ResetRequest | AttemptResult | Cluster) -> dict[str, Any]:
    """The problem of a row that has one."""
    assert row.problem is not None
    problem: dict[str, Any] = row.problem
    return problem


def attempt_of(request: ResetRequest) -> Attempt:
    """The latest attempt."""
    return request.attempts.latest("number")
