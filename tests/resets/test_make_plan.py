"""Working out a request's plan: frozen when it is there, a reason when it is not, tried again while Kafka is away."""

from __future__ import annotations

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets import storing
from kafkaconsole.resets.actions.working_out import PLAN_TRIES
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.digest import digest_of
from kafkaconsole.resets.models import Plan
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene


def test_a_plan_is_stored_with_its_lines_and_its_digest(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    plan = request.the_plan
    assert (plan.partitions_count, plan.changed_count, plan.replayed, plan.skipped) == (3, 3, 9, 0)
    assert (plan.request, plan.kafka_cluster_id, plan.group_state) == (request, "fake-cluster", "Empty")
    assert [(line.partition, line.committed, line.target) for line in plan.lines.all()] == [(n, 3, 0) for n in range(3)]
    assert request.plan_digest == plan.digest
    governed = {"risk": "raised", "policy": "Everything else, version 1"}
    assert AuditEvent.objects.get(verb="reset.planned").facts == {"digest": plan.digest, "problem": None, **governed}


def test_the_digest_of_a_stored_plan_is_that_of_its_rows(scene: Scene) -> None:
    text = "by librdkafka, with a \\ and a NUL: \0"
    scene.kafka.set_committed(factories.GROUP, {factories.hello(1): Committed(Offset(2), text, 7)})
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    plan = Plan.objects.get(pk=request.the_plan.pk)
    lines = storing.lines_of(plan)
    assert lines[1].metadata == text
    assert digest_of(parse_change(plan.change), plan.kafka_cluster_id, lines) == plan.digest


def test_a_plan_of_many_partitions_is_stored_whole(scene: Scene) -> None:
    scene.kafka.add_topic("wide", 1203)
    change = factories.make_change(scope={"topics": [{"topic": "wide"}]}, strategy={"kind": "to_latest"})
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    assert request.state == "planned"
    assert request.the_plan.lines.count() == 1203


def test_a_mistyped_group_fails_with_names_like_it(scene: Scene) -> None:
    request = factories.plan(
        factories.ask(scene.cast.alice, change=factories.make_change(group="billing-order")), scene.kafka
    )
    assert (request.state, request.plan) == ("plan_failed", None)
    assert request.problem == {
        "code": "reset.group_missing",
        "facts": {"group": "billing-order", "near": ["billing-orders"]},
    }
    assert AuditEvent.objects.get(verb="reset.plan_failed").facts["problem"] == request.problem


def test_a_refused_line_fails_the_plan_and_shows_it(scene: Scene) -> None:
    scene.kafka.lose_leader("hello", 1)
    request = factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    assert request.state == "plan_failed"
    assert factories.trouble(request)["code"] == "reset.plan_refused"
    assert factories.trouble(request)["facts"] == {"partition": "hello-1", "why": "no_leader", "count": 1, "total": 3}
    assert request.the_plan.refused and request.plan_digest


def test_a_plan_that_sets_nothing_fails(scene: Scene) -> None:
    change = factories.make_change(group="billing-new", create_group=True, rules={"no_commit": "leave"})
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("plan_failed", "reset.nothing_to_write")


def test_planning_is_tried_again_while_the_cluster_is_away(scene: Scene) -> None:
    scene.kafka.go_down()
    request = factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    assert (request.state, request.tries) == ("planning", 1)
    assert request.problem == {"code": "kafka.unavailable", "facts": {"reason": "nothing_listens"}}
    scene.kafka.come_up()
    request = factories.plan(request, scene.kafka)
    assert (request.state, request.problem, request.tries) == ("planned", None, 0)


def test_planning_gives_up_after_some_tries(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    scene.kafka.fail("connect", KafkaUnavailable(reason="timed_out"), times=PLAN_TRIES)
    states = [factories.plan(request, scene.kafka).state for _ in range(PLAN_TRIES)]
    assert states == ["planning"] * (PLAN_TRIES - 1) + ["plan_failed"]


def test_a_message_that_comes_twice_plans_once(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    scene.kafka.set_committed(factories.GROUP, {factories.hello(0): factories.at(1)})
    digest = request.plan_digest
    assert factories.plan(request, scene.kafka).plan_digest == digest
    assert Plan.objects.count() == 1


def test_a_request_cancelled_while_it_is_planned_stays_cancelled(scene: Scene) -> None:
    from kafkaconsole.resets import actions

    request = factories.ask(scene.cast.alice)
    scene.kafka.before("bounds", lambda: actions.cancel(request=request, by=scene.cast.alice))
    assert factories.plan(request, scene.kafka).state == "cancelled"
    assert not Plan.objects.exists()


def test_planning_writes_nothing_and_closes_its_clients(scene: Scene) -> None:
    factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert scene.kafka.commits == []
    assert scene.kafka.opened == scene.kafka.closed == 2
    assert TopicPartition("hello", 0) in scene.kafka.group(factories.GROUP).committed
