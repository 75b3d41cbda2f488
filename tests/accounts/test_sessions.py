"""Where a person is signed in, and how that ends; and what becomes of someone who left."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts import actions, people, sessions, tokens
from kafkaconsole.accounts.models import Scope, SignedInBrowser, User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.resets.actions import lapsing
from kafkaconsole.resets.states import State
from tests.factories import PASSWORD, Cast, request_in
from tests.scene import Scene

OWN = "a phrase of his own"


def browser(person: User, device: str = "Firefox", address: str = "198.51.100.4") -> Client:
    """A browser in which the person has just signed in."""
    client = Client(headers={"User-Agent": device}, REMOTE_ADDR=address)
    assert client.post("/accounts/login/", {"login": person.username, "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/profile").status_code == 200


def test_the_list_names_device_address_and_which_is_this_one(cast: Cast) -> None:
    browser(cast.bob, "Safari on a phone", "203.0.113.9")
    page = browser(cast.bob).get("/profile/sessions").content.decode()
    assert "Safari on a phone" in page
    assert "203.0.113.9" in page
    assert page.count("this one") == 1


def test_others_are_not_in_ones_list(cast: Cast) -> None:
    browser(cast.dave, "Opera of Dave")
    assert "Opera of Dave" not in browser(cast.bob).get("/profile/sessions").content.decode()


def test_one_browser_is_signed_out(cast: Cast) -> None:
    phone, here = browser(cast.bob, "phone"), browser(cast.bob)
    row = SignedInBrowser.objects.get(device="phone")
    assert here.post(f"/profile/sessions/{row.pk}/end").status_code == 302
    assert (is_in(phone), is_in(here)) == (False, True)
    assert AuditEvent.objects.get(verb="person.sessions_ended").facts == {"user": "bob", "sessions": 1}
    assert here.post(f"/profile/sessions/{row.pk}/end").status_code == 404


def test_nobody_signs_out_the_browser_of_another(cast: Cast) -> None:
    daves = browser(cast.dave)
    row = SignedInBrowser.objects.get(user=cast.dave)
    assert browser(cast.bob).post(f"/profile/sessions/{row.pk}/end").status_code == 404
    assert is_in(daves)


def test_all_others_are_signed_out(cast: Cast) -> None:
    others, here, daves = [browser(cast.bob), browser(cast.bob)], browser(cast.bob), browser(cast.dave)
    assert here.post("/profile/sessions/others/end").status_code == 302
    assert [is_in(one) for one in (*others, here, daves)] == [False, False, True, True]


def test_changing_the_password_ends_the_others_and_keeps_this_one(cast: Cast) -> None:
    other, here = browser(cast.bob), browser(cast.bob)
    given = {"oldpassword": PASSWORD, "password1": OWN, "password2": OWN}
    assert here.post("/accounts/password/change/", given).status_code == 302
    assert (is_in(other), is_in(here)) == (False, True)
    assert Session.objects.count() == 1
    page = here.get("/profile/sessions").content.decode()
    assert page.count("this one") == 1, "its session was given another key, and the list followed"


def test_a_password_given_by_an_administrator_ends_all(cast: Cast) -> None:
    client = browser(cast.bob)
    people.give_password(by=cast.carol, person=cast.bob)
    assert not is_in(client)
    assert not Session.objects.exists()


def test_an_administrator_signs_somebody_out_everywhere(cast: Cast) -> None:
    bobs, carols = browser(cast.bob), browser(cast.carol)
    assert "Sign them out everywhere" in carols.get("/people/bob/").content.decode()
    assert carols.post("/people/bob/sessions/end").status_code == 302
    assert (is_in(bobs), is_in(carols)) == (False, True)
    assert AuditEvent.objects.get(verb="person.sessions_ended").actor == cast.carol


@pytest.mark.parametrize("name", ["alice", "eve"])
def test_nobody_else_does(name: str, cast: Cast) -> None:
    bobs = browser(cast.bob)
    assert browser(getattr(cast, name)).post("/people/bob/sessions/end").status_code == 403
    assert is_in(bobs)


def test_last_seen_is_written_every_five_minutes_and_no_oftener(cast: Cast) -> None:
    client = browser(cast.bob)
    first = SignedInBrowser.objects.get().seen_at
    client.get("/profile")
    assert SignedInBrowser.objects.get().seen_at == first
    session = client.session
    session[sessions.SEEN] -= sessions.SEEN_EVERY.total_seconds()
    session.save()
    client.get("/profile")
    assert SignedInBrowser.objects.get().seen_at > first


def test_ended_sessions_are_not_listed_and_are_tidied_away(cast: Cast) -> None:
    browser(cast.bob)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not sessions.sessions_of(cast.bob).exists()
    actions.tidy()
    assert not SignedInBrowser.objects.exists()


def leave(cast: Cast, person: User) -> None:
    people.change(by=cast.carol, person=person, role=person.role, is_active=False)


def test_whoever_left_keeps_no_token_and_no_session_even_when_let_in_again(cast: Cast) -> None:
    client = browser(cast.bob)
    _, plain = tokens.create(cast.bob, "script", [Scope.READ], timezone.now() + timedelta(days=1))
    leave(cast, cast.bob)
    assert (is_in(client), tokens.authenticate(plain)) == (False, None)
    people.change(by=cast.carol, person=cast.bob, role="member", is_active=True)
    assert (is_in(client), tokens.authenticate(plain)) == (False, None)


@pytest.mark.parametrize("state", [State.PLANNED, State.APPROVED])
def test_open_requests_of_whoever_left_are_cancelled(state: State, scene: Scene) -> None:
    request = request_in(state, scene.cast, scene.kafka)
    leave(scene.cast, request.requester)
    request.refresh_from_db()
    assert request.state == State.CANCELLED
    event = AuditEvent.objects.get(verb="reset.cancelled")
    assert (event.actor, event.facts) == (scene.cast.carol, {"state": state.value, "left": "alice"})


def test_what_is_done_stays_as_it_is(scene: Scene) -> None:
    request = request_in(State.APPLIED, scene.cast, scene.kafka)
    leave(scene.cast, request.requester)
    request.refresh_from_db()
    assert request.state == State.APPLIED


def test_another_role_cancels_nothing(scene: Scene) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    people.change(by=scene.cast.carol, person=request.requester, role="auditor", is_active=True)
    request.refresh_from_db()
    assert request.state == State.PLANNED


def test_an_approval_by_whoever_left_counts_no_more(scene: Scene) -> None:
    request = request_in(State.APPROVED, scene.cast, scene.kafka)
    leave(scene.cast, scene.cast.bob)
    request.refresh_from_db()
    assert request.state == State.APPROVED
    assert lapsing.lapsed(request)
    request.refresh_from_db()
    assert (request.state, request.approved_digest) == (State.PLANNED, "")
