"""Mails as a real server gets them: what they say, in which language, how often they are tried, and that one is one."""

from __future__ import annotations

import threading
from datetime import timedelta
from email.message import EmailMessage

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole.notifications import actions, delivering, outbox
from kafkaconsole.notifications.models import Message, MessageState
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests.factories import request_in
from tests.notifications.servers import PostOffice, mail_server
from tests.notifications.working import LATER, work
from tests.scene import Scene

BOB = "bob@example.com"


def part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def test_a_mail_tells_the_totals_the_ruler_the_whole_digest_and_where_to_look(
    scene: Scene, office: PostOffice, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://console.example.com/"
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    (mail,) = office.to(BOB)
    for text in (part(mail, "plain"), part(mail, "html")):
        assert "9 offsets are read again" in text
        assert "◀━━━" in text
        assert request.plan_digest in text
        assert f"https://console.example.com/requests/{request.pk}" in text
        assert "Alice asks for this." in text
    assert mail["Subject"] == f"Waits for sign-off: Read billing-orders again from the beginning (request {request.pk})"


def test_a_mail_holds_no_way_to_decide_without_signing_in(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    html = part(office.to(BOB)[0], "html")
    assert "approve" not in html.lower()
    assert "<form" not in html


def test_what_people_typed_is_text_in_a_mail(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka, reason="<script>alert(1)</script> & more")
    work()
    (mail,) = office.to(BOB)
    assert "<script>" not in part(mail, "html")
    assert "<script>alert(1)</script> & more" in part(mail, "plain")


def test_a_name_with_line_breaks_makes_no_header(scene: Scene, office: PostOffice) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    named = {**request.change, "group": "billing\r\nBcc: eve@example.com"}
    ResetRequest.objects.filter(pk=request.pk).update(change=named)
    work()
    (mail,) = office.to(BOB)
    assert mail["Bcc"] is None
    assert "billing Bcc: eve" in str(mail["Subject"])


def test_a_mail_speaks_the_language_that_its_reader_chose(scene: Scene, office: PostOffice) -> None:
    actions.choose(person=scene.cast.bob, language="ko", heard=["sign"], digest_hour=None)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    assert "billing-orders 처음부터 다시 읽기" in str(office.to(BOB)[0]["Subject"])
    assert 'lang="ko"' in part(office.to(BOB)[0], "html")
    assert "Read billing-orders again" in str(office.to("bora@example.com")[0]["Subject"])


def test_several_events_within_a_short_time_make_one_mail(scene: Scene, office: PostOffice) -> None:
    requests = [request_in(State.APPLIED, scene.cast, scene.kafka, reason=f"No. {number}") for number in range(3)]
    assert Message.objects.filter(person=scene.cast.alice).count() >= 6
    work()
    (mail,) = office.to("alice@example.com")
    assert mail["Subject"] == "News of 3 requests"
    assert all(f"/requests/{request.pk}" in part(mail, "plain") for request in requests)
    assert not Message.objects.exclude(state=MessageState.SENT).exists()


def test_what_happens_while_the_first_waits_goes_along_with_it(scene: Scene, office: PostOffice) -> None:
    began = timezone.now()
    with time_machine.travel(began, tick=False):
        request_in(State.PLANNED, scene.cast, scene.kafka, reason="The first")
    with time_machine.travel(began + timedelta(seconds=30), tick=False):
        request_in(State.PLANNED, scene.cast, scene.kafka, reason="The second")
    work(began + timedelta(seconds=61))
    work(began + timedelta(seconds=95))
    (mail,) = office.to(BOB)
    assert mail["Subject"] == "News of 2 requests"


def test_news_wait_for_each_other_for_a_while(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work(timezone.now())
    assert office.mails == []


def test_mail_server_that_is_down_for_a_day_loses_nothing_and_doubles_nothing(
    scene: Scene, office: PostOffice, settings: Settings
) -> None:
    working = settings.EMAIL_PORT
    settings.EMAIL_PORT = free_port()
    request_in(State.PLANNED, scene.cast, scene.kafka)
    now = start = timezone.now() + LATER
    while now < start + timedelta(days=1):
        work(now)
        now += timedelta(minutes=30)
    message = Message.objects.get(person=scene.cast.bob)
    assert (message.state, message.answer and message.answer["code"]) == ("waiting", "notify.not_delivered")
    assert 24 <= message.tries <= 36
    settings.EMAIL_PORT = working
    work(now + timedelta(hours=1))
    work(now + timedelta(hours=2))
    assert sorted(str(mail["To"]) for mail in office.mails) == [BOB, "bora@example.com"]


def test_what_does_not_get_through_for_too_long_is_given_up_and_shown(
    scene: Scene, office: PostOffice, settings: Settings
) -> None:
    settings.EMAIL_PORT = free_port()
    request_in(State.PLANNED, scene.cast, scene.kafka)
    now = timezone.now()
    for hours in range(0, 60):
        work(now + LATER + timedelta(hours=hours))
    message = Message.objects.get(person=scene.cast.bob)
    assert message.state == MessageState.FAILED
    assert message.tries == 49
    assert message.answer is not None


def test_however_late_it_is_a_message_is_tried_more_than_once(
    scene: Scene, office: PostOffice, settings: Settings
) -> None:
    settings.EMAIL_PORT = free_port()
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work(timezone.now() + timedelta(days=5))
    assert Message.objects.get(person=scene.cast.bob).state == MessageState.WAITING


def test_an_address_that_does_not_exist_is_not_tried_again(scene: Scene, office: PostOffice) -> None:
    office.answers = ["550 no such person"] * 2
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    message = Message.objects.get(person=scene.cast.bob)
    assert message.state == MessageState.FAILED
    assert message.answer == {"code": "notify.refused", "facts": {"answer": "550 no such person"}}


def test_a_server_that_says_not_now_is_asked_again(scene: Scene, office: PostOffice) -> None:
    office.answers = ["451 grey list"] * 2
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    assert Message.objects.get(person=scene.cast.bob).state == MessageState.WAITING
    work(timezone.now() + timedelta(hours=1))
    assert len(office.to(BOB)) == 1


def test_of_a_doubled_task_one_sends(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    mine = Message.objects.filter(person=scene.cast.bob)
    with time_machine.travel(timezone.now() + LATER, tick=False):
        first = outbox.claim(mine, now=timezone.now())
        delivering.to_person(scene.cast.bob.pk)
    assert len(first) == 1
    assert office.mails == []


def test_what_a_dead_worker_held_is_sent_by_another(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    now = timezone.now() + LATER
    (held,) = outbox.claim(Message.objects.filter(person=scene.cast.bob), now=now)
    work(now + timedelta(minutes=4))
    assert office.to(BOB) == []
    work(now + timedelta(minutes=6))
    assert len(office.to(BOB)) == 1
    outbox.not_sent([held], {"code": "notify.not_delivered", "facts": {}}, for_good=True)
    assert Message.objects.get(pk=held.pk).state == MessageState.SENT


@pytest.mark.django_db(transaction=True)
def test_ten_workers_at_once_send_one_mail(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    Message.objects.update(due_at=timezone.now())
    together = threading.Barrier(10)

    def deliver() -> None:
        together.wait()
        delivering.to_person(scene.cast.bob.pk)
        connection.close()

    threads = [threading.Thread(target=deliver) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(office.to(BOB)) == 1
    assert Message.objects.get(person=scene.cast.bob).tries == 1


def test_a_test_mail_goes_out_at_once(scene: Scene, office: PostOffice) -> None:
    actions.test_mail(person=scene.cast.alice)
    work(timezone.now())
    assert "This is a test" in part(office.to("alice@example.com")[0], "plain")
    assert Message.objects.get().topic == Topic.TEST


def test_each_try_has_the_same_message_id(scene: Scene, office: PostOffice) -> None:
    office.answers = ["451 later"] * 2
    request_in(State.PLANNED, scene.cast, scene.kafka)
    message = Message.objects.get(person=scene.cast.bob)
    work()
    work(timezone.now() + timedelta(hours=1))
    assert str(office.to(BOB)[0]["Message-ID"]).startswith(f"<kafka-console-{message.pk}-")


def free_port() -> int:
    """Where nothing listens."""
    with mail_server(PostOffice()) as port:
        return port
