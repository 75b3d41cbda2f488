"""What Django turns away before a page sees it: a page of the house says what was found, the limit and what to do."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

from kafkaconsole.resets.models import Preview
from kafkaconsole.resets.states import State
from tests.factories import PASSWORD, Cast, request_in
from tests.scene import Scene

FORM = "application/x-www-form-urlencoded"
LARGE = "x" * (13 * 1024 * 1024)


@pytest.fixture
def alice(scene: Scene, client: Client) -> Client:
    """Alice's browser."""
    client.force_login(scene.cast.alice)
    return client


def page(answer: HttpResponseBase) -> str:
    """A page of the house, with its navigation."""
    assert isinstance(answer, HttpResponse)
    html = answer.content.decode()
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert 'id="main"' in html
    assert "Kafka Console" in html
    return html


@pytest.mark.parametrize("kind", ["text", "parts"])
def test_a_form_that_is_too_large_is_told_with_size_and_limit(kind: str, alice: Client) -> None:
    fields = {"cluster": "demo", "csv": LARGE}
    answer = (
        alice.post("/requests/new", fields) if kind == "parts" else alice.post("/requests/new", urlencode(fields), FORM)
    )
    assert answer.status_code == 413
    html = page(answer)
    assert "13.0 MB were sent" in html
    assert "a form may hold 12.0 MB" in html
    assert "one file of offsets after the other" in html
    assert "typed again" in html
    assert not Preview.objects.exists()


@pytest.mark.parametrize("address", ["/accounts/login/", "/requests/new", "/profile", "/looks/ask", "/i18n/setlang/"])
def test_every_form_tells_it(address: str, alice: Client) -> None:
    answer = alice.post(address, {"csv": LARGE})
    assert answer.status_code == 413
    page(answer)


def test_a_stranger_is_told_too(client: Client, db: None) -> None:
    assert "13.0 MB were sent" in page(client.post("/accounts/login/", {"login": LARGE}))


@pytest.mark.parametrize("kind", ["text", "parts"])
def test_a_form_of_too_many_fields_is_told_with_the_limit(kind: str, alice: Client) -> None:
    fields = {f"field{n}": "x" for n in range(1001)}
    answer = (
        alice.post("/requests/new", fields) if kind == "parts" else alice.post("/requests/new", urlencode(fields), FORM)
    )
    assert answer.status_code == 413
    assert "More than 1,000 fields" in page(answer)


def test_an_address_of_too_many_fields_is_told(alice: Client) -> None:
    answer = alice.get("/requests", {f"field{n}": "x" for n in range(1001)})
    assert answer.status_code == 413
    html = page(answer)
    assert "More than 1,000 fields" in html
    assert "typed again" not in html


def test_a_form_that_broke_off_is_told(alice: Client) -> None:
    answer = alice.post("/requests/new", b"--b\r\nbroken", "multipart/form-data; boundary=")
    assert answer.status_code == 400
    assert "the connection broke off" in page(answer)


def test_a_part_of_a_page_is_told_at_its_top_and_keeps_what_was_typed(alice: Client) -> None:
    answer = alice.post("/requests/new", {"csv": LARGE}, headers={"HX-Request": "true"})
    assert answer.status_code == 413
    assert answer["HX-Retarget"] == "#said"
    html = answer.content.decode()
    assert "a form may hold 12.0 MB" in html
    assert "What you typed still stands on this page" in html
    assert "<html" not in html


def test_a_refusal_that_a_view_lets_pass_is_shown_to_a_part_of_a_page_too(alice: Client) -> None:
    answer = alice.post("/audit/verify", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"]) == (403, "#said")
    assert "Administrators and auditors read the whole record" in answer.content.decode()


def test_a_form_of_an_earlier_sign_in_is_told(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.alice)
    answer = client.post("/profile", {"name": "Alice"})
    assert answer.status_code == 403
    assert "belongs to an earlier sign-in" in page(answer)


def test_an_address_that_takes_a_form_alone_says_so(alice: Client, scene: Scene) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    answer = alice.get(f"/requests/{request.pk}/approve")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "not a page to be opened with GET; it takes POST" in page(answer)


def test_a_strangers_host_gets_no_page(client: Client, db: None) -> None:
    answer = client.get("/accounts/login/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "text/plain"
    assert b"<" not in answer.content


def test_a_form_just_below_the_limit_is_taken(scene: Scene, client: Client, settings: Settings) -> None:
    scene.cast.alice.set_password(PASSWORD)
    scene.cast.alice.save()
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 200
    fields = {"login": "alice", "password": PASSWORD}
    assert client.post("/accounts/login/", urlencode(fields), FORM).status_code == 302
