"""Pages of notifications: one's choices, channels whose secrets never come back, the log with sending again; who sees what."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.notifications import channels
from kafkaconsole.notifications.models import Channel, Choices, Message, MessageState
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests.factories import request_in
from tests.notifications.servers import Hooks, PostOffice
from tests.notifications.working import work
from tests.nudges import Sent
from tests.scene import Scene

URL = "https://hooks.example.com/services/hush-hush"


def typed(**fields: Any) -> dict[str, Any]:
    return {"name": "room", "team": "billing", "kind": "webhook", "url": URL, "heard": ["sign"], **fields}


def make(scene: Scene, **fields: Any) -> Channel:
    given = {"team": scene.cast.billing, "kind": "webhook", "name": "room", "url": URL, "heard": ["sign"], **fields}
    return channels.add(by=scene.cast.carol, **given)[0]


def own(scene: Scene, name: str = "bora") -> None:
    """Make somebody an owner of Billing."""
    Membership.objects.filter(user__username=name, team=scene.cast.billing).update(role=TeamRole.OWNER)


def test_a_person_keeps_what_they_want_to_hear(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.bob)
    html = client.get("/profile/notifications").content.decode()
    assert html.count(" checked") == 6
    answer = client.post("/profile/notifications", {"heard": ["sign", "talk"], "digest_hour": "8", "language": "ko"})
    assert answer.status_code == 302
    chosen = Choices.objects.get()
    assert (chosen.person, chosen.language, chosen.digest_hour) == (scene.cast.bob, "ko", 8)
    assert chosen.muted == ["claim", "mine", "reminder", "team"]
    html = client.get("/profile/notifications").content.decode()
    assert html.count(" checked") == 2
    assert '<option value="8" selected>08:00</option>' in html


@pytest.mark.parametrize("bad", [{"heard": ["glass"]}, {"digest_hour": "24"}, {"language": "xx"}, {"language": ""}])
def test_choices_that_are_none_are_refused(scene: Scene, client: Client, bad: dict[str, Any]) -> None:
    client.force_login(scene.cast.bob)
    answer = client.post("/profile/notifications", {"heard": [], "digest_hour": "", "language": "en", **bad})
    assert answer.status_code == 422
    assert not Choices.objects.exists()


def test_a_page_says_when_no_mail_can_come(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.bob)
    assert "No mail server is set up" in client.get("/profile/notifications").content.decode()
    client.post("/profile/notifications/test")
    assert not Message.objects.exists()


def test_whoever_has_no_address_is_told_where_to_add_one(scene: Scene, client: Client, settings: Settings) -> None:
    settings.MAIL_IS_SET_UP = True
    client.force_login(scene.cast.bob)
    html = client.get("/profile/notifications").content.decode()
    assert "no mail can reach you" in html
    assert 'href="/accounts/email/"' in html
    assert client.get("/accounts/email/").status_code == 200


def test_a_test_mail_goes_to_oneself(scene: Scene, office: PostOffice, client: Client) -> None:
    client.force_login(type(scene.cast.bob).objects.get(username="bob"))
    client.post("/profile/notifications/test")
    work(timezone.now())
    assert [mail["To"] for mail in office.mails] == ["bob@example.com"]


def test_an_administrator_adds_a_channel_and_sees_its_key_once(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.carol)
    answer = client.post("/channels/new", typed())
    channel = Channel.objects.get()
    key = channel.secrets["key"]
    assert key in answer.content.decode()
    assert channel.secrets["url"] == URL
    assert channel.muted == ["reminder", "team"]
    for page in ("/channels", f"/channels/{channel.pk}/", "/deliveries", "/audit"):
        html = client.get(page).content.decode()
        assert key not in html
        assert "hush" not in html
    assert "hooks.example.com" in client.get("/channels").content.decode()


def test_an_address_left_empty_stays(scene: Scene, client: Client) -> None:
    channel = make(scene)
    client.force_login(scene.cast.carol)
    assert client.post(f"/channels/{channel.pk}/", {"name": "other", "url": "", "heard": []}).status_code == 302
    channel.refresh_from_db()
    assert (channel.name, channel.secrets["url"]) == ("other", URL)
    client.post(f"/channels/{channel.pk}/", {"name": "other", "url": "https://two.example.com/", "heard": []})
    channel.refresh_from_db()
    assert channel.host == "two.example.com"


@pytest.mark.parametrize(
    "url",
    [
        *("http://hooks.example.com/", "ftp://hooks.example.com/", "hooks.example.com", "https://", "https://[::1"),
        *(
            "https://localhost/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://10.0.0.8/x",
            "https://a:b@example.com/",
        ),
        *(
            "https://example.com/a b",
            "https://example.com/\nHost: x",
            "https://example.com:99999/",
            "https://예시.example/",
        ),
    ],
)
def test_an_address_that_cannot_be_posted_to_is_refused_at_its_field(scene: Scene, client: Client, url: str) -> None:
    client.force_login(scene.cast.carol)
    answer = client.post("/channels/new", typed(url=url))
    assert answer.status_code == 422
    assert 'id="id_url_error"' in answer.content.decode()
    assert not Channel.objects.exists()


def test_an_owner_sets_up_channels_of_their_team_alone(scene: Scene, client: Client) -> None:
    own(scene)
    client.force_login(scene.cast.bora)
    assert client.post("/channels/new", typed(team="search")).status_code == 422
    assert client.post("/channels/new", typed(team="")).status_code == 422
    assert client.post("/channels/new", typed(kind="slack")).status_code == 302
    assert Channel.objects.get().team == scene.cast.billing
    assert client.post("/channels/new", typed(kind="slack", name="")).status_code == 422


@pytest.mark.parametrize("name", ["alice", "bob", "dave"])
def test_others_see_no_channel_and_no_log(scene: Scene, client: Client, name: str) -> None:
    channel = make(scene)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    message = Message.objects.get()
    client.force_login(getattr(scene.cast, name))
    assert "room" not in client.get("/channels").content.decode()
    assert "room" not in client.get("/deliveries").content.decode()
    assert client.get("/channels/new").status_code == 403
    assert client.get(f"/channels/{channel.pk}/").status_code == 404
    assert client.post(f"/channels/{channel.pk}/test").status_code == 404
    assert client.post(f"/channels/{channel.pk}/remove").status_code == 404
    assert client.post(f"/deliveries/{message.pk}/again").status_code == 404


def test_an_owner_of_another_team_sees_nothing_of_this_one(scene: Scene, client: Client) -> None:
    channel = make(scene)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    Membership.objects.filter(user=scene.cast.dave).update(role=TeamRole.OWNER)
    client.force_login(scene.cast.dave)
    assert client.get(f"/channels/{channel.pk}/").status_code == 404
    assert "request 1" not in client.get("/deliveries").content.decode()


def test_an_auditor_reads_and_changes_nothing(scene: Scene, client: Client) -> None:
    channel = make(scene)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    message = Message.objects.get()
    client.force_login(scene.cast.eve)
    assert client.get(f"/channels/{channel.pk}/").status_code == 200
    assert "room" in client.get("/deliveries").content.decode()
    for path in (f"/channels/{channel.pk}/test", f"/channels/{channel.pk}/remove", f"/deliveries/{message.pk}/again"):
        assert client.post(path).status_code == 403
    assert client.post(f"/channels/{channel.pk}/", {"name": "x", "url": "", "heard": []}).status_code == 403
    assert Channel.objects.get().name == "room"


def test_a_failure_is_shown_with_its_reason_and_sent_again(scene: Scene, hooks: Hooks, client: Client) -> None:
    make(scene, url=hooks.url)
    hooks.answers = [410]
    request_in(State.PLANNED, scene.cast, scene.kafka)
    work()
    own(scene)
    client.force_login(scene.cast.bora)
    assert "HTTP 410" in client.get("/deliveries?state=failed").content.decode()
    message = Message.objects.get()
    assert client.post(f"/deliveries/{message.pk}/again").status_code == 302
    assert AuditEvent.objects.filter(verb="message.sent_again").count() == 1
    work(timezone.now())
    assert len(hooks.posted) == 2
    assert Message.objects.get().state == MessageState.SENT
    assert "HTTP 410" not in client.get("/deliveries").content.decode()
    assert "No message matches" in client.get("/deliveries?state=failed").content.decode()


def test_what_is_on_its_way_is_not_sent_again(scene: Scene, client: Client) -> None:
    make(scene)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.carol)
    answer = client.post(f"/deliveries/{Message.objects.get().pk}/again")
    assert answer.status_code == 409
    assert "on its way already" in answer.content.decode()


def test_a_test_is_sent_at_once_and_its_line_is_there(scene: Scene, hooks: Hooks, client: Client) -> None:
    channel = make(scene, url=hooks.url)
    client.force_login(scene.cast.carol)
    client.post(f"/channels/{channel.pk}/test")
    work(timezone.now())
    assert hooks.posted[0].json["text"].startswith("This is a test")
    assert "Sent" in client.get(f"/channels/{channel.pk}/").content.decode()
    client.post(f"/channels/{channel.pk}/remove")
    assert client.get(f"/channels/{channel.pk}/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_sending_again_nudges_a_worker_for_the_channel(scene: Scene, hooks: Hooks, client: Client, sent: Sent) -> None:
    channel = make(scene, url=hooks.url)
    client.force_login(scene.cast.carol)
    client.post(f"/channels/{channel.pk}/test")
    assert sent.messages == [("notifications.post", {"channel_id": channel.pk})]
