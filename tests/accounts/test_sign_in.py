"""Signing in as a stranger tries it."""

from __future__ import annotations

import re

import pytest
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

from kafkaconsole import settings as console_settings
from tests import factories


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "password"), [("a" * 60_000, "x"), ("alice", "x" * 60_000), ("al\0ice", "x")])
def test_what_is_no_name_or_password_is_told_on_the_page(name: str, password: str) -> None:
    answer = Client().post("/accounts/login/", {"login": name, "password": password})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert "_auth_user_id" not in answer.wsgi_request.session


def test_a_sign_in_opens_the_console(cast: factories.Cast) -> None:
    cast.alice.set_password("long enough for alice")
    cast.alice.save()
    client = Client()
    answer = client.post("/accounts/login/", {"login": "alice", "password": "long enough for alice"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert client.get("/").status_code == 200


def attempt(name: str, password: str = "wrong", **called: str) -> HttpResponseBase:
    """One attempt to sign in, in a browser of its own; `called` are facts of the connection."""
    return Client().post("/accounts/login/", {"login": name, "password": password}, **called)  # type: ignore[arg-type]


def said(answer: HttpResponseBase) -> str:
    """What the page tells."""
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()


HELD_UP = "Too many attempts to sign in failed from where you are"
STRANGER, OFFICE = "203.0.113.9", "198.51.100.4"


@pytest.fixture
def bob(cast: factories.Cast) -> str:
    """Bob, who can sign in; his name."""
    cast.bob.set_password(factories.PASSWORD)
    cast.bob.save()
    return cast.bob.username


@pytest.mark.parametrize("written", ["bob", "BOB"])
def test_a_stranger_who_guesses_is_held_up_and_bob_signs_in(written: str, bob: str) -> None:
    for _ in range(5):
        assert HELD_UP not in said(attempt(written, REMOTE_ADDR=STRANGER))
    assert HELD_UP in said(attempt(written, REMOTE_ADDR=STRANGER))
    assert HELD_UP in said(attempt(bob, factories.PASSWORD, REMOTE_ADDR=STRANGER)), "a right guess comes too late"
    assert attempt(bob, factories.PASSWORD, REMOTE_ADDR=OFFICE).status_code == 302


def test_a_stranger_who_guesses_many_names_is_held_up_by_the_address(bob: str) -> None:
    for number in range(20):
        assert HELD_UP not in said(attempt(f"name{number}", REMOTE_ADDR=STRANGER))
    assert HELD_UP in said(attempt("another", REMOTE_ADDR=STRANGER))
    assert attempt(bob, factories.PASSWORD, REMOTE_ADDR=OFFICE).status_code == 302


def test_addresses_of_one_ipv6_network_count_as_one(bob: str) -> None:
    for number in range(5):
        attempt(bob, REMOTE_ADDR=f"2001:db8::{number + 1}")
    assert HELD_UP in said(attempt(bob, REMOTE_ADDR="2001:db8::99"))
    assert HELD_UP not in said(attempt(bob, REMOTE_ADDR="2001:db8:0:1::1"))


def test_a_header_that_anyone_can_write_is_no_address(bob: str) -> None:
    for number in range(5):
        attempt(bob, REMOTE_ADDR=STRANGER, HTTP_X_FORWARDED_FOR=f"192.0.2.{number}")
    assert HELD_UP in said(attempt(bob, REMOTE_ADDR=STRANGER, HTTP_X_FORWARDED_FOR="192.0.2.77"))


def test_behind_a_proxy_people_are_told_apart_by_what_it_saw(bob: str, settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(5):
        attempt(bob, REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=f"192.0.2.{number}, {STRANGER}")
    assert HELD_UP in said(attempt(bob, REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=f"192.0.2.77, {STRANGER}"))
    there = attempt(bob, factories.PASSWORD, REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=OFFICE)
    assert there.status_code == 302


def test_a_call_past_the_proxies_is_taken_by_its_connection(bob: str, settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    assert attempt(bob, factories.PASSWORD, REMOTE_ADDR=OFFICE, HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 302


def test_without_a_mail_server_the_page_says_whom_to_ask(bob: str, client: Client) -> None:
    html = said(client.get("/accounts/login/"))
    assert "Ask your administrator" in html
    assert "password/reset" not in html


@pytest.mark.parametrize("address", ["/accounts/password/reset/", "/accounts/email/"])
def test_without_a_mail_server_no_page_pretends_to_send_mail(
    address: str, cast: factories.Cast, client: Client
) -> None:
    client.force_login(cast.bob)
    for answer in (client.get(address), client.post(address, {"email": cast.bob.email, "action_add": ""})):
        assert answer.status_code == 404
        assert "This console sends no mail" in said(answer)


def test_with_a_mail_server_a_lost_password_is_replaced_by_mail(
    cast: factories.Cast, client: Client, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.MAIL_IS_SET_UP = True
    cast.bob.email = "bob@shop.example"
    cast.bob.set_password(factories.PASSWORD)
    cast.bob.save()
    assert 'href="/accounts/password/reset/"' in said(client.get("/accounts/login/"))
    assert client.post("/accounts/password/reset/", {"email": "bob@shop.example"}).status_code == 302
    found = re.search(r"http://\S+(/accounts/password/reset/key/\S+)", str(mailoutbox[0].body))
    assert found
    form = client.get(found[1], follow=True)
    own = {"password1": "a phrase of his own", "password2": "a phrase of his own"}
    assert client.post(form.request["PATH_INFO"], own).status_code == 302
    assert attempt("bob", own["password1"]).status_code == 302


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("smtp+tls://console:se%40cret@mail.example:587", "mail.example", 587),
        ("smtp://mail.example", "mail.example", None),
    ],
)
def test_a_mail_server_is_read_from_its_address(url: str, host: str, port: int | None) -> None:
    known = console_settings.mail_server(url)
    assert (known["EMAIL_HOST"], known.get("EMAIL_PORT")) == (host, port)
    assert known["EMAIL_BACKEND"].endswith("smtp.EmailBackend")


def test_without_an_address_no_mail_is_sent() -> None:
    assert console_settings.mail_server("")["EMAIL_BACKEND"].endswith("dummy.EmailBackend")


OUTSIDE = (
    "https://evil.example",
    "//evil.example",
    "/\\\\evil.example",
    "///evil.example",
    "javascript:alert(1)",
    "http:evil",
    "http:///evil.example",
    " //evil.example",
    "/\t/evil.example",
)


@pytest.mark.parametrize("there", OUTSIDE)
def test_nobody_is_led_outside_after_signing_in(there: str, bob: str) -> None:
    form = {"login": bob, "password": factories.PASSWORD, "next": there}
    answer = Client().post("/accounts/login/", form)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


@pytest.mark.parametrize("there", ["/requests", "/requests?state=planned&x=//evil.example"])
def test_whoever_wanted_a_page_gets_there_after_signing_in(there: str, bob: str) -> None:
    answer = Client().post("/accounts/login/", {"login": bob, "password": factories.PASSWORD, "next": there})
    assert answer.headers["Location"] == there


def test_an_address_that_signs_out_is_followed_and_signs_nobody_out(bob: str) -> None:
    client = Client()
    form = {"login": bob, "password": factories.PASSWORD, "next": "/accounts/logout/"}
    client.post("/accounts/login/", form, follow=True)
    assert client.get("/accounts/logout/").status_code == 200  # it asks
    assert client.get("/requests").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("there", OUTSIDE)
def test_nobody_is_led_outside_after_choosing_a_language(there: str) -> None:
    for headers in ({}, {"Referer": "https://evil.example/"}):
        answer = Client().post("/i18n/setlang/", {"language": "ko", "next": there}, headers=headers)
        assert answer.headers.get("Location", "/") == "/"


@pytest.mark.parametrize("there", OUTSIDE)
def test_nobody_is_led_outside_after_signing_out(there: str, bob: str) -> None:
    client = Client()
    client.post("/accounts/login/", {"login": bob, "password": factories.PASSWORD})
    answer = client.post("/accounts/logout/", {"next": there})
    assert answer.headers["Location"] == "/accounts/login/"
