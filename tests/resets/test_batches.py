"""Batches: asked all or none, signed each by itself, seen as far as one may see."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import Http404

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.resets import actions, batch_queries
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.models import Approval, Batch, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import make_change
from tests.fakes.kafka import FakeKafka
from tests.scene import Scene

NAMES = ("billing-orders", "billing-invoices", "billing-mails")


@pytest.fixture
def kafka() -> FakeKafka:
    """Every group of the batch has read `hello` to its end."""
    kafka = factories.make_kafka()
    for name in NAMES[1:]:
        kafka.set_committed(name, {factories.hello(number): factories.at(3) for number in range(3)})
    return kafka


def ask(scene: Scene, names: tuple[str, ...] = NAMES, **more: Any) -> Batch:
    changes = [make_change(group=name) for name in names]
    asked = {"by": scene.cast.alice, "changes": changes, "reason": "Wrong prices", **more}
    return actions.request_batch(**asked)


def plan(batch: Batch, kafka: FakeKafka) -> dict[int, str]:
    """Every request planned; the digest of each by its id."""
    for row in batch.requests.all():
        actions.make_plan(request_id=row.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    return dict(batch.requests.order_by("pk").values_list("pk", "plan_digest"))


def states(batch: Batch) -> list[str]:
    return list(batch.requests.order_by("pk").values_list("state", flat=True))


def test_each_group_gets_a_request_of_its_own(scene: Scene) -> None:
    batch = ask(scene, ticket="INC-1")
    rows = list(batch.requests.order_by("pk"))
    assert [row.group_name for row in rows] == list(NAMES)
    assert {(row.reason, row.ticket, row.state) for row in rows} == {("Wrong prices", "INC-1", State.PLANNING)}
    event = AuditEvent.objects.get(verb="batch.requested")
    assert event.facts["requests"] == [row.pk for row in rows]
    assert AuditEvent.objects.filter(verb="reset.requested").count() == 3


def test_each_request_has_a_plan_and_a_digest_of_its_own(scene: Scene) -> None:
    digests = plan(ask(scene), scene.kafka)
    assert len(set(digests.values())) == 3
    assert all(len(digest) == 64 for digest in digests.values())


def test_one_group_on_several_clusters_is_asked_for_at_once(scene: Scene) -> None:
    factories.make_cluster("other", cluster_id="other-cluster")
    elsewhere = factories.make_kafka(records=5, committed=4)
    elsewhere.cluster_id = "other-cluster"
    changes = [make_change(), make_change(cluster="other")]
    batch = actions.request_batch(by=scene.cast.alice, changes=changes, reason="Wrong prices")
    for row, kafka in zip(batch.requests.order_by("pk"), (scene.kafka, elsewhere), strict=True):
        factories.plan(row, kafka)
    plans = [row.the_plan for row in batch.requests.order_by("pk")]
    assert [(plan.kafka_cluster_id, plan.replayed) for plan in plans] == [("fake-cluster", 9), ("other-cluster", 12)]
    assert plans[0].digest != plans[1].digest


def test_all_are_asked_for_or_none(scene: Scene) -> None:
    with pytest.raises(NotAllowed, match="search-x"):
        ask(scene, (*NAMES, "search-x"))
    bad = [make_change(group=NAMES[0]), make_change(group=NAMES[1], strategy={"kind": "nothing"})]
    with pytest.raises(BadChange):
        ask(scene, changes=bad)
    with pytest.raises(ConsoleError):
        ask(scene, reason=" ")
    assert not ResetRequest.objects.exists()
    assert not Batch.objects.exists()


@pytest.mark.parametrize("names", [(), NAMES[:1], (NAMES[0], NAMES[0]), tuple(f"billing-{n}" for n in range(51))])
def test_a_batch_is_of_two_to_fifty_different_groups(scene: Scene, names: tuple[str, ...]) -> None:
    with pytest.raises(ConsoleError) as refused:
        ask(scene, names)
    assert refused.value.code == "reset.bad_request"
    assert not ResetRequest.objects.exists()


def test_the_plans_are_signed_together_each_by_its_digest(scene: Scene) -> None:
    batch = ask(scene)
    digests = plan(batch, scene.kafka)
    verdicts = actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests=digests, comment="Checked")
    assert [one.problem for one in verdicts] == [None, None, None]
    assert states(batch) == [State.APPROVED] * 3
    signed = Approval.objects.order_by("request")
    assert {one.request_id: one.digest for one in signed} == digests
    assert {one.comment for one in signed} == {"Checked"}


def test_what_cannot_be_signed_is_told_and_the_rest_is_signed(scene: Scene) -> None:
    batch = ask(scene)
    digests = plan(batch, scene.kafka)
    first, second, third = digests
    actions.cancel(request=ResetRequest.objects.get(pk=third), by=scene.cast.alice)
    seen = digests | {second: "0" * 64}
    verdicts = actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests=seen)
    codes = {one.request.pk: one.problem["code"] if one.problem else None for one in verdicts}
    assert codes == {first: None, second: "approval.digest_outdated", third: "reset.wrong_state"}
    assert states(batch) == [State.APPROVED, State.PLANNED, State.CANCELLED]
    event = AuditEvent.objects.get(verb="batch.approved")
    assert event.facts == {
        "signed": [first],
        "refused": {str(second): "approval.digest_outdated", str(third): "reset.wrong_state"},
    }


def test_what_is_not_named_is_not_signed(scene: Scene) -> None:
    batch = ask(scene)
    digests = plan(batch, scene.kafka)
    first = next(iter(digests))
    actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests={first: digests[first]})
    assert states(batch) == [State.APPROVED, State.PLANNED, State.PLANNED]


def test_a_request_of_another_batch_signs_nothing_at_all(scene: Scene) -> None:
    batch, other = ask(scene), ask(scene)
    digests, others = plan(batch, scene.kafka), plan(other, scene.kafka)
    with pytest.raises(ConsoleError) as refused:
        actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests=digests | others)
    assert refused.value.code == "reset.bad_request"
    with pytest.raises(ConsoleError):
        actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests={})
    assert not Approval.objects.exists()


def test_whoever_asked_signs_none_of_it(scene: Scene) -> None:
    batch = ask(scene)
    verdicts = actions.approve_batch(batch=batch, by=scene.cast.alice, seen_digests=plan(batch, scene.kafka))
    assert all(one.problem for one in verdicts)
    assert not Approval.objects.exists()


def test_signing_twice_changes_nothing(scene: Scene) -> None:
    batch = ask(scene)
    digests = plan(batch, scene.kafka)
    for _ in range(2):
        verdicts = actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests=digests)
        assert all(one.problem is None for one in verdicts)
    assert Approval.objects.count() == 3


def test_an_outsider_does_not_find_it(scene: Scene) -> None:
    batch = ask(scene)
    with pytest.raises(Http404):
        batch_queries.batch_for(scene.cast.dave, batch.pk)
    for person in (scene.cast.amir, scene.cast.bob, scene.cast.carol, scene.cast.eve):
        assert batch_queries.batch_for(person, batch.pk) == batch


def test_of_a_batch_over_teams_each_sees_their_own(scene: Scene) -> None:
    factories.give_groups(scene.cast.search, "search-")
    scene.cast.alice.memberships.create(team=scene.cast.search, role="member")
    batch = ask(scene, (*NAMES[:2], "search-x"))
    assert [row.group_name for row in batch_queries.requests_of(scene.cast.dave, batch)] == ["search-x"]
    assert batch_queries.unseen_count(scene.cast.dave, batch) == 2
    assert batch_queries.unseen_count(scene.cast.alice, batch) == 0
    hidden = {row.pk: "0" * 64 for row in batch.requests.filter(group_name="search-x")}
    with pytest.raises(ConsoleError):
        actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests=hidden)
