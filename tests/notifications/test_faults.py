"""Faults of the other side and of our own: none holds a worker, is tried for ever, or makes a message go out twice."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole.notifications import channels, mailing, outbox, posting, reminding
from kafkaconsole.notifications.models import Channel, Message, MessageState
from kafkaconsole.resets.states import State
from tests.factories import request_in
from tests.notifications.servers import Hooks, PostOffice
from tests.notifications.working import LATER, work
from tests.scene import Scene


def add(scene: Scene, url: str, kind: str = "webhook") -> Channel:
    given = {"kind": kind, "name": "room", "url": url, "heard": ["sign", "team"]}
    return channels.add(by=scene.cast.carol, team=scene.cast.billing, **given)[0]  # type: ignore[arg-type]


def test_of_two_workers_that_saw_it_due_at_the_same_moment_one_holds_it(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    mine, now = Message.objects.filter(person=scene.cast.bob), timezone.now() + LATER
    firsts: list[list[Message]] = []
    under_way: list[str] = []

    def other_is_faster(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("UPDATE") and not under_way:
            under_way.append(sql)
            firsts.append(outbox.claim(mine, now=now))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(other_is_faster):
        second = outbox.claim(mine, now=now)
    assert [len(held) for held in (*firsts, second)] == [1, 0]


def test_a_fault_of_ours_is_counted_and_shown_and_tried_later(
    scene: Scene, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    request_in(State.PLANNED, scene.cast, scene.kafka)
    with monkeypatch.context() as patched:
        patched.setattr(mailing, "compose", broken)
        work()
    message = Message.objects.get(person=scene.cast.bob)
    assert (message.state, message.tries) == (MessageState.WAITING, 1)
    assert message.answer == {"code": "notify.broken", "facts": {"kind": "ZeroDivisionError"}}
    work(timezone.now() + timedelta(hours=1))
    assert len(office.to("bob@example.com")) == 1


def test_what_comes_after_a_webhook_that_failed_waits_and_keeps_its_order(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks.url)
    request_in(State.APPROVED, scene.cast, scene.kafka)
    hooks.answers = [500]
    work()
    assert len(hooks.posted) == 1
    work(timezone.now() + timedelta(hours=1))
    assert [one.json["event"] for one in hooks.posted] == ["reset.planned", "reset.planned", "reset.approved"]


def test_what_comes_after_a_webhook_that_was_refused_is_still_told(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks.url)
    request_in(State.APPROVED, scene.cast, scene.kafka)
    hooks.answers = [400]
    work()
    assert [one.json["event"] for one in hooks.posted] == ["reset.planned", "reset.approved"]
    assert sorted(Message.objects.values_list("state", flat=True)) == ["failed", "sent"]


def test_who_answers_a_letter_at_a_time_is_cut_off(
    scene: Scene, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOW_INTERNAL_WEBHOOKS = True
    monkeypatch.setattr(posting, "LIMIT", 0.5)
    with dripping() as port:
        add(scene, f"http://127.0.0.1:{port}/")
        request_in(State.PLANNED, scene.cast, scene.kafka)
        began = time.monotonic()
        work()
    assert time.monotonic() - began < posting.PATIENCE
    message = Message.objects.get()
    assert (message.state, message.answer and message.answer["code"]) == ("waiting", "notify.not_delivered")


def test_with_another_field_key_channels_are_still_listed_and_say_why_nothing_is_sent(
    scene: Scene, hooks: Hooks, settings: Settings, client: Client
) -> None:
    channel = add(scene, hooks.url)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    settings.FIELD_KEYS = [Fernet.generate_key().decode()]
    work()
    assert Message.objects.get().answer == {"code": "secrets.unreadable", "facts": {"field": "secrets"}}
    client.force_login(scene.cast.carol)
    for page in ("/channels", f"/channels/{channel.pk}/", "/deliveries"):
        assert client.get(page).status_code == 200
    client.post(f"/channels/{channel.pk}/remove")
    assert not Channel.objects.filter(is_active=True).exists()


def test_what_ended_long_ago_is_dropped_and_what_waits_is_not(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    Message.objects.filter(person=scene.cast.bob).update(state=MessageState.DROPPED)
    with time_machine.travel(timezone.now() + timedelta(days=89), tick=False):
        reminding.remind()
    assert Message.objects.filter(topic="sign").count() == 2
    with time_machine.travel(timezone.now() + timedelta(days=91), tick=False):
        reminding.remind()
    assert [message.person for message in Message.objects.filter(topic="sign")] == [scene.cast.bora]


@contextmanager
def dripping() -> Iterator[int]:
    """The port of a server that begins an answer and never ends it."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        link, _ = listener.accept()
        with link:
            link.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not over.wait(0.05):
                try:
                    link.sendall(b"x")
                except OSError:
                    return

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        thread.join()
        listener.close()
