"""Channels as a real server on loopback hears of them: forms, signatures, refusals, retries, and addresses that are not posted to."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole.audit import actions as audit
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.notifications import addresses, channels
from kafkaconsole.notifications.models import Channel, Message, MessageState
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Team
from tests.factories import request_in
from tests.notifications.servers import Hooks
from tests.notifications.working import work
from tests.scene import Scene

EVERYTHING = ["sign", "team", "reminder"]


def add(
    scene: Scene, hooks: Hooks, kind: str = "webhook", team: Team | None = None, **fields: Any
) -> tuple[Channel, str]:
    """A channel that leads to the server."""
    given = {"name": f"room-{kind}", "url": hooks.url, "heard": EVERYTHING, **fields}
    return channels.add(by=scene.cast.carol, team=team or scene.cast.billing, kind=kind, **given)


def test_webhook_is_signed_over_timestamp_and_body(scene: Scene, hooks: Hooks) -> None:
    _, key = add(scene, hooks)
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    (posted,) = hooks.posted
    timestamp = posted.headers["X-Kafka-Console-Timestamp"]
    signed = hmac.new(key.encode(), timestamp.encode() + b"." + posted.body, hashlib.sha256).hexdigest()
    assert posted.headers["X-Kafka-Console-Signature"] == f"sha256={signed}"
    assert abs(int(timestamp) - timezone.now().timestamp()) < 600
    assert posted.path == "/hook?room=1"
    assert posted.json["event"] == "reset.planned"
    assert posted.json["plan"]["digest"] == request.plan_digest
    assert posted.json["plan"]["replayed"] == 9
    assert posted.json["request"] | {"url": ""} == {
        "id": request.pk,
        "url": "",
        "title": "Read billing-orders again from the beginning",
        "state": "planned",
        "cluster": "demo",
        "group": "billing-orders",
        "team": "billing",
        "requester": "alice",
        "reason": request.reason,
    }


def test_a_webhook_gets_every_event_by_itself_and_in_order(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks)
    request_in(State.APPLIED, scene.cast, scene.kafka)
    work()
    assert [one.json["event"] for one in hooks.posted] == ["reset.planned", "reset.approved", "reset.applied"]


def test_slack_gets_one_text_with_its_letters_escaped(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks, "slack")
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    problem = {"code": "notify.not_delivered", "facts": {"answer": "<!channel> & more"}}
    with transaction.atomic():
        audit.record("reset.stale", actor=None, target=request, facts={"problem": problem})
    work()
    (posted,) = hooks.posted
    assert posted.json.keys() == {"text"}
    text = posted.json["text"]
    assert "&lt;!channel&gt; &amp; more" in text
    assert "<!channel>" not in text
    assert f"/requests/{request.pk}|Request {request.pk} (Waits for sign-off)>" in text
    assert request.plan_digest in text


def test_teams_gets_an_adaptive_card(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks, "teams")
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    (posted,) = hooks.posted
    (card,) = posted.json["attachments"]
    assert posted.json["type"] == "message"
    assert card["contentType"] == "application/vnd.microsoft.card.adaptive"
    texts = " ".join(block["text"] for block in card["content"]["body"])
    assert request.plan_digest in texts
    assert "9 offsets are read again" in texts
    assert card["content"]["actions"][0]["url"].endswith(f"/requests/{request.pk}")


def test_a_channel_hears_of_its_own_team_alone(scene: Scene, hooks: Hooks) -> None:
    other, _ = add(scene, hooks, team=scene.cast.search)
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    assert not Message.objects.filter(channel=other).exists()
    now = timezone.now()
    facts = {"topic": "team", "request": request, "created_at": now, "since": now, "due_at": now}
    slipped = Message.objects.create(channel=other, occasion="slipped through", **facts)
    work()
    assert hooks.posted == []
    slipped.refresh_from_db()
    assert slipped.answer == {"code": "notify.not_theirs", "facts": {}}


def test_a_channel_of_the_administrators_hears_of_every_team(scene: Scene, hooks: Hooks) -> None:
    channels.add(by=scene.cast.carol, team=None, kind="slack", name="all", url=hooks.url, heard=EVERYTHING)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    assert len(hooks.posted) == 1


def test_what_a_channel_leaves_out_is_not_told_but_for_a_broken_glass(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks, "slack", heard=[])
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    assert hooks.posted == []
    with transaction.atomic():
        audit.record("reset.glass_broken", actor=scene.cast.carol, target=request, facts={"reason": "Shop is down"})
    work(timezone.now())
    assert "BROKE THE GLASS" in hooks.posted[0].json["text"]


@pytest.mark.parametrize(("status", "state"), [(500, "waiting"), (429, "waiting"), (404, "failed"), (302, "failed")])
def test_what_an_answer_means(scene: Scene, hooks: Hooks, status: int, state: str) -> None:
    add(scene, hooks)
    hooks.answers = [status]
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    message = Message.objects.get()
    assert message.state == state
    assert message.answer is not None
    assert message.answer["facts"]["answer"] == f"HTTP {status}"
    assert [one.path for one in hooks.posted] == ["/hook?room=1"]


def test_a_server_that_comes_back_is_told_later_and_once(scene: Scene, hooks: Hooks) -> None:
    add(scene, hooks)
    hooks.answers = [503, 503]
    request_in(State.PLANNED, scene.cast, scene.kafka)
    now = timezone.now()
    for hours in (1, 2, 3, 4):
        work(now + timedelta(hours=hours))
    assert len(hooks.posted) == 3
    message = Message.objects.get()
    assert (message.state, message.tries, message.answer) == (MessageState.SENT, 3, None)
    assert len({one.headers["X-Kafka-Console-Delivery"] for one in hooks.posted}) == 1


def test_a_removed_channel_is_not_told_and_its_secrets_are_gone(scene: Scene, hooks: Hooks) -> None:
    channel, _ = add(scene, hooks)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    channels.remove(by=scene.cast.carol, channel=channel)
    work()
    assert hooks.posted == []
    assert Message.objects.get().answer == {"code": "notify.channel_gone", "facts": {}}
    assert Channel.objects.get().secrets == {}


def test_a_new_key_signs_from_then_on(scene: Scene, hooks: Hooks) -> None:
    channel, old = add(scene, hooks)
    new = channels.change(by=scene.cast.carol, channel=channel, name="n", url="", heard=EVERYTHING, new_key=True)
    assert new
    assert new != old
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    (posted,) = hooks.posted
    signed = posted.headers["X-Kafka-Console-Timestamp"].encode() + b"." + posted.body
    assert posted.headers["X-Kafka-Console-Signature"].endswith(
        hmac.new(new.encode(), signed, hashlib.sha256).hexdigest()
    )


INTERNAL = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),  # noqa: S104
    *("::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::", "ff02::1"),
)


@pytest.mark.parametrize("address", INTERNAL)
def test_an_internal_address_is_not_posted_to(
    scene: Scene, hooks: Hooks, settings: Settings, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    settings.ALLOW_INTERNAL_WEBHOOKS = False
    host = "hooks.example.com"
    channels.add(by=scene.cast.carol, team=None, kind="slack", name="r", url=f"https://{host}/x", heard=EVERYTHING)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    names = {host: [("93.184.216.34", socket.AF_INET), (address, family)]}
    monkeypatch.setattr(socket, "getaddrinfo", resolver(names))
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    message = Message.objects.get()
    assert message.state == MessageState.FAILED
    assert message.answer is not None
    assert message.answer["code"] == "notify.internal_address"


def test_a_name_is_looked_up_once_and_that_address_is_connected_to(
    scene: Scene, hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    names = {"hooks.example.com": [("127.0.0.1", socket.AF_INET)]}
    monkeypatch.setattr(socket, "getaddrinfo", resolver(names, asked))
    add(scene, hooks, "slack", url=f"http://hooks.example.com:{hooks.port}/x")
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    assert asked.count("hooks.example.com") == 1
    assert hooks.posted[0].headers["Host"] == f"hooks.example.com:{hooks.port}"


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_a_public_address_is(address: str) -> None:
    assert not addresses.is_internal(ipaddress.ip_address(address))


def test_no_proxy_of_the_environment_is_asked(scene: Scene, hooks: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    add(scene, hooks)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    assert len(hooks.posted) == 1


def test_an_address_is_no_part_of_rows_in_plain_or_of_the_record(scene: Scene, hooks: Hooks) -> None:
    channel, key = add(scene, hooks)
    channels.change(by=scene.cast.carol, channel=channel, name="n", url=f"{hooks.url}&token=hush", heard=[])
    facts = str(list(AuditEvent.objects.values_list("facts", "target_label")))
    assert not re.search(f"hush|/hook|{re.escape(key)}", facts)
    raw = Channel.objects.raw("SELECT id, host FROM notifications_channel")[0].host
    assert raw == f"127.0.0.1:{hooks.port}"


def resolver(
    names: dict[str, list[tuple[str, socket.AddressFamily]]], asked: list[str] | None = None
) -> Callable[..., Any]:
    """Names that lead where a test says; addresses as they are."""
    real = socket.getaddrinfo

    def look_up(host: str, port: int, *rest: Any, **options: Any) -> Any:
        if asked is not None:
            asked.append(host)
        if host in names:
            return [(family, socket.SOCK_STREAM, 6, "", (address, port)) for address, family in names[host]]
        return real(host, port, *rest, **options)

    return look_up
