"""Who may call at all: tokens in every condition, scopes, sessions with CSRF, the rate."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import ApiToken
from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.records.scene import Scene

READS = ["/me", "/clusters", "/clusters/demo", "/clusters/demo/groups", "/requests", "/tokens", "/audit"]


@pytest.mark.parametrize("path", READS)
def test_without_a_token_everything_is_401(scene: Scene, path: str) -> None:
    answer = Api().get(path)
    assert (answer.status, answer.code) == (401, "api.not_signed_in")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("text", ["", "kc_", "kc_unknown", "Bearer", "\u00e9", "a b"])
def test_a_token_that_nobody_gave_is_401(scene: Scene, text: str) -> None:
    assert Api().get("/me", Authorization=f"Bearer {text}").status == 401


def test_another_kind_of_authorization_is_401_even_beside_a_session(scene: Scene) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(scene.alice)
    assert Api(client=client).get("/me", Authorization="Basic YTpi").status == 401


def test_an_expired_token_is_401(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    assert caller.get("/me").status == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert caller.get("/me").status == 401


def test_a_revoked_token_is_401(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    tokens.revoke(ApiToken.objects.get(owner=scene.alice), by=scene.alice)
    assert caller.get("/me").status == 401


def test_a_token_of_someone_who_was_switched_off_is_401(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    scene.alice.is_active = False
    scene.alice.save()
    assert caller.get("/me").status == 401


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/me", "read"),
        ("GET", "/requests/1", "read"),
        ("POST", "/requests", "request"),
        ("POST", "/previews", "request"),
        ("POST", "/requests/1/cancel", "request"),
        ("POST", "/requests/1/replan", "request"),
        ("POST", "/requests/1/comment", "request"),
        ("POST", "/requests/1/undo", "request"),
        ("POST", "/requests/1/approve", "approve"),
        ("POST", "/requests/1/reject", "approve"),
        ("POST", "/clusters", "admin"),
        ("PATCH", "/clusters/demo", "admin"),
        ("DELETE", "/clusters/demo", "admin"),
        ("POST", "/clusters/demo/test", "admin"),
        ("POST", "/tokens", "admin"),
        ("DELETE", "/tokens/1", "admin"),
    ],
)
def test_a_call_needs_its_very_scope(scene: Scene, api: Callable[..., Api], method: str, path: str, scope: str) -> None:
    others = {"read", "request", "approve", "admin"} - {scope}
    answer = api(scene.carol, *others).call(method, path, {})
    assert (answer.status, answer.code) == (403, "api.missing_scope")
    assert answer.json["facts"]["needed"] == scope


def test_a_session_reads(scene: Scene) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(scene.alice)
    assert Api(client=client).get("/me").json["username"] == "alice"


def test_a_session_writes_only_with_the_csrf_token(scene: Scene, planned: ResetRequest) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(scene.alice)
    session = Api(client=client)
    refused = session.post(f"/requests/{planned.pk}/comment", {"text": "Hello"})
    assert (refused.status, refused.code) == (403, "api.csrf_failed")
    client.get("/accounts/login/")
    client.cookies["csrftoken"] = "a" * 32
    assert session.post(f"/requests/{planned.pk}/comment", {"text": "Hello"}, X_CSRFToken="a" * 32).status == 200


def test_a_write_without_any_sign_in_is_401_not_a_csrf_failure(scene: Scene) -> None:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    assert Api(client=client).post("/requests", {}).status == 401


def test_too_many_calls_are_429_and_say_how_long_to_wait(
    scene: Scene, api: Callable[..., Api], settings: Settings
) -> None:
    settings.API_CALLS_PER_MINUTE = 2
    caller, other = api(scene.alice), api(scene.amir)
    statuses = [caller.get("/me").status for _ in range(6)]  # two windows at most
    assert 429 in statuses
    answer = next(one for one in iter(lambda: caller.get("/me"), None) if one.status == 429)
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert other.get("/me").status == 200
