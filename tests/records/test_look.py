"""Looking at a few records around an offset: who may, what is read, and what becomes of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.http import Http404
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.history import sweeping
from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.records import actions, contents, look_actions, looking, queries
from kafkaconsole.records.look_actions import Place
from kafkaconsole.records.look_models import LookState, RecordLook
from kafkaconsole.resets.models import ResetRequest
from tests.fakes.kafka import FakeKafka
from tests.nudges import Sent
from tests.records.scene import Scene

GROUP = "billing"


@pytest.fixture
def swept(scene: Scene, kafka: FakeKafka) -> Scene:
    """The group stands at 1 on hello-0, and a sweep has seen it."""
    kafka.set_committed(GROUP, {TopicPartition("hello", 0): Committed(Offset(1))})
    sweeping.sweep(scene.cluster.pk, kafka.connect)
    return scene


def place(offset: int = 1, before: int = 1, after: int = 5, *, topic: str = "hello", partition: int = 0) -> Place:
    return Place(topic, partition, offset, before, after)


def of_group(scene: Scene, where: Place, **more: Any) -> RecordLook:
    asked = {"cluster": scene.cluster, "group_name": GROUP, "by": scene.alice, "place": where, **more}
    return look_actions.look_at_group(**asked)


def read(look: RecordLook, kafka: FakeKafka) -> list[int]:
    """The offsets that a worker reads for it."""
    looking.look(look_id=look.pk, connect_records=kafka.connect_records)
    look.refresh_from_db()
    return [one.offset for one in contents.unpacked(bytes(look.records))]


def test_a_look_reads_so_many_records_on_either_side(swept: Scene, kafka: FakeKafka) -> None:
    look = of_group(swept, place(2, before=1, after=1))
    assert read(look, kafka) == [1, 2]
    assert (look.state, look.records_count, look.read_from) == (LookState.READY, 2, 1)


def test_a_look_at_the_end_shows_what_is_before_it(swept: Scene, kafka: FakeKafka) -> None:
    assert read(of_group(swept, place(3, before=2)), kafka) == [1, 2]


def test_records_before_a_hole_are_found(swept: Scene, kafka: FakeKafka) -> None:
    for number in range(40):
        kafka.produce("hello", 0, b"x%d" % number)
    kafka.compact("hello", 0, away=[at for at in range(43) if at not in (0, 2, 42)])
    look = of_group(swept, place(40, before=2, after=3))
    assert read(look, kafka) == [0, 2, 42]


def test_a_worker_neither_joins_a_group_nor_commits(swept: Scene, kafka: FakeKafka) -> None:
    before = dict(kafka.group(GROUP).committed)
    read(of_group(swept, place()), kafka)
    assert kafka.group(GROUP).committed == before
    assert not kafka.group(GROUP).members


def test_a_message_and_an_audit_record_go_with_it(
    swept: Scene, sent: Sent, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        look = of_group(swept, place())
    assert sent.messages == [("records.look", {"look_id": look.pk})]
    event = AuditEvent.objects.get(verb="records.looked")
    assert (event.actor, event.target_label) == (swept.alice, str(GROUP))
    assert event.facts["partition"] == "hello-0"
    assert event.facts["offset"] == 1


def test_a_look_from_a_plan_needs_a_line_of_it(scene: Scene, reset: ResetRequest) -> None:
    made = look_actions.look_at_plan(request=reset, by=scene.alice, place=place(partition=1))
    assert (made.request, made.group_name) == (reset, "billing")
    with pytest.raises(ConsoleError) as refused:
        look_actions.look_at_plan(request=reset, by=scene.alice, place=place(topic="secrets"))
    assert refused.value.code == "records.not_in_plan"


def test_a_look_from_a_group_needs_a_partition_that_it_reads(swept: Scene) -> None:
    with pytest.raises(ConsoleError) as refused:
        of_group(swept, place(topic="secrets"))
    assert refused.value.code == "records.not_of_group"


@pytest.mark.parametrize("name", ["dave", "eve", "carol"])
def test_only_people_of_the_team_may_look(swept: Scene, reset: ResetRequest, name: str) -> None:
    person = getattr(swept, name)
    with pytest.raises(NotAllowed):
        of_group(swept, place(), by=person)
    with pytest.raises(NotAllowed):
        look_actions.look_at_plan(request=reset, by=person, place=place())
    assert not RecordLook.objects.exists()


def test_production_is_off_until_an_administrator_switches_it_on(swept: Scene) -> None:
    environment = swept.cluster.environment
    environment.is_production, environment.may_read_messages = True, False
    environment.save()
    with pytest.raises(NotAllowed, match="switched off"):
        of_group(swept, place())


def test_a_look_is_its_persons_alone(swept: Scene) -> None:
    look = of_group(swept, place())
    assert queries.look_for(swept.alice, look.pk) == look
    for other in (swept.amir, swept.carol):
        with pytest.raises(Http404):
            queries.look_for(other, look.pk)


@pytest.mark.parametrize(("before", "after"), [(26, 5), (-1, 5), (1, 0), (1, 26)])
def test_more_than_fifty_records_are_refused(swept: Scene, before: int, after: int) -> None:
    with pytest.raises(ConsoleError) as refused:
        of_group(swept, place(before=before, after=after))
    assert refused.value.code == "records.bad_limit"


def test_only_so_many_looks_wait_at_a_time(swept: Scene) -> None:
    for _ in range(look_actions.MOST_WAITING):
        of_group(swept, place())
    with pytest.raises(ConsoleError) as refused:
        of_group(swept, place())
    assert refused.value.code == "records.too_many_looks"


def test_a_cluster_that_does_not_answer_is_tried_again_and_then_told(swept: Scene, kafka: FakeKafka) -> None:
    look = of_group(swept, place())
    for tries in range(looking.MOST_TRIES):
        assert look.state == LookState.WAITING, tries
        kafka.fail("read", KafkaUnavailable(reason="timed_out"))
        read(look, kafka)
    assert look.state == LookState.FAILED
    assert look.problem is not None
    assert look.problem["code"] == KafkaUnavailable.code


def test_a_refusal_ends_it_at_once(swept: Scene, kafka: FakeKafka) -> None:
    look = of_group(swept, place())
    kafka.fail("read", KafkaRefused(reason="records_gone", topic="hello", partition=0))
    read(look, kafka)
    assert look.state == LookState.FAILED


def test_two_workers_do_not_read_the_same_look(swept: Scene, kafka: FakeKafka) -> None:
    look = of_group(swept, place())
    RecordLook.objects.filter(pk=look.pk).update(lease_until=timezone.now() + timedelta(seconds=30))
    assert read(look, kafka) == []
    assert look.state == LookState.WAITING


def test_a_look_left_behind_is_sent_again(swept: Scene, sent: Sent, django_capture_on_commit_callbacks: Any) -> None:
    look = of_group(swept, place())
    RecordLook.objects.update(created_at=timezone.now() - 2 * settings.NUDGE_AFTER)
    sent.messages.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert actions.tick() == 1
    assert sent.messages == [("records.look", {"look_id": look.pk})]


def test_an_old_look_is_dropped_with_its_records(swept: Scene, kafka: FakeKafka) -> None:
    old, fresh = of_group(swept, place()), of_group(swept, place())
    read(old, kafka)
    long_ago = timezone.now() - settings.EXPORT_LIFE - timedelta(seconds=1)
    RecordLook.objects.filter(pk=old.pk).update(created_at=long_ago)
    assert actions.retain() == 1
    assert list(RecordLook.objects.all()) == [fresh]
