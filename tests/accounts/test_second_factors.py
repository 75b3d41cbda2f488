"""The second factor: at sign-in, at confirmations, required by role, lost."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.exceptions import ImproperlyConfigured
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from kafkaconsole import environment
from kafkaconsole.accounts import second_factors, tokens
from kafkaconsole.accounts.models import Scope, User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from tests.factories import PASSWORD, Cast

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # noqa: S105  of nobody


def code_now(steps: int = 0) -> str:
    """What an app with SECRET shows now, or some steps of 30 seconds later."""
    return str(format_hotp_value(hotp_value(SECRET, int(time.time()) // 30 + steps)))


@pytest.fixture
def carol(cast: Cast) -> User:
    """Carol, with an authenticator app and recovery codes."""
    TOTP.activate(cast.carol, SECRET)
    RecoveryCodes.activate(cast.carol)
    return cast.carol


def sign_in(client: Client, person: User, code: str) -> HttpResponseBase:
    """The password, then the code."""
    first = client.post("/accounts/login/", {"login": person.username, "password": PASSWORD})
    assert (first.status_code, first.headers["Location"]) == (302, "/accounts/2fa/authenticate/")
    assert client.get("/profile").status_code == 302, "the password alone opens nothing"
    return client.post("/accounts/2fa/authenticate/", {"code": code})


def verbs() -> list[str]:
    return list(AuditEvent.objects.order_by("number").values_list("verb", flat=True))


def test_a_code_of_the_app_signs_in_and_is_recorded(carol: User, client: Client) -> None:
    assert sign_in(client, carol, code_now()).status_code == 302
    assert client.get("/profile").status_code == 200
    assert verbs() == ["person.factor_used", "person.signed_in"]
    assert AuditEvent.objects.order_by("number")[0].facts == {"user": "carol", "kind": "totp"}


def test_a_recovery_code_signs_in_once(carol: User, client: Client) -> None:
    code = Authenticator.objects.get(user=carol, type="recovery_codes").wrap().get_unused_codes()[0]
    assert sign_in(client, carol, code).status_code == 302
    again = sign_in(Client(), carol, code)
    assert again.status_code == 200, "a code that was used signs nobody in"


def test_a_wrong_code_is_refused_and_recorded_without_an_actor(carol: User, client: Client) -> None:
    assert sign_in(client, carol, "000000" if code_now() != "000000" else "000001").status_code == 200
    event = AuditEvent.objects.get()
    assert (event.verb, event.actor) == ("person.factor_failed", None)


def test_a_code_that_was_used_is_good_for_nobody_else(carol: User, client: Client) -> None:
    code = code_now()
    assert sign_in(client, carol, code).status_code == 302
    assert sign_in(Client(), carol, code).status_code == 200


def test_codes_are_guessed_five_times_and_no_more(carol: User, client: Client) -> None:
    client.post("/accounts/login/", {"login": "carol", "password": PASSWORD})
    for number in range(5):
        client.post("/accounts/2fa/authenticate/", {"code": f"12345-{number}"})
    answer = client.post("/accounts/2fa/authenticate/", {"code": code_now()})
    assert answer.status_code == 200
    assert "Too many attempts to sign in failed" in answer.content.decode()


def test_secrets_lie_encrypted_in_the_database(carol: User) -> None:
    kept = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert SECRET not in kept
    seed = Authenticator.objects.get(type="recovery_codes").data["seed"]
    assert seed.startswith("gAAAA")


def test_a_secret_that_an_earlier_version_kept_still_works(cast: Cast) -> None:
    Authenticator.objects.create(user=cast.carol, type="totp", data={"secret": SECRET})
    second_factors.confirm(cast.carol, password=PASSWORD, code=code_now())


def test_a_confirmation_needs_password_and_code(carol: User) -> None:
    second_factors.confirm(carol, password=PASSWORD, code=code_now())
    for password, code in (("guess", code_now(1)), (PASSWORD, ""), (PASSWORD, "12345x"), (PASSWORD, code_now())):
        with pytest.raises(NotAllowed):
            second_factors.confirm(carol, password=password, code=code)


def test_without_a_second_factor_the_password_confirms(cast: Cast) -> None:
    second_factors.confirm(cast.bob, password=PASSWORD, code="")


def test_a_confirmation_is_tried_five_times_and_no_more(carol: User) -> None:
    for _ in range(5):
        with pytest.raises(NotAllowed):
            second_factors.confirm(carol, password="guess", code="")
    with pytest.raises(NotAllowed, match="Wait five minutes"):
        second_factors.confirm(carol, password=PASSWORD, code=code_now())


@pytest.fixture
def asked(settings: Settings) -> None:
    """Administrators and approvers need a second factor."""
    settings.SECOND_FACTOR_ROLES = ["administrator", "approver"]


@pytest.mark.parametrize("name", ["carol", "bob"])
@pytest.mark.parametrize("address", ["/", "/requests", "/profile", "/people"])
def test_whoever_lacks_it_is_led_to_set_it_up(name: str, address: str, cast: Cast, client: Client, asked: None) -> None:
    client.force_login(getattr(cast, name))
    answer = client.get(address, follow=True)
    assert answer.redirect_chain == [("/accounts/2fa/", 302)]
    assert "needs a second factor here" in answer.content.decode()


@pytest.mark.parametrize("name", ["alice", "dave", "eve"])
def test_other_roles_are_not_asked(name: str, cast: Cast, client: Client, asked: None) -> None:
    client.force_login(getattr(cast, name))
    assert client.get("/profile").status_code == 200


def test_once_it_is_set_up_everything_opens(carol: User, client: Client, asked: None) -> None:
    client.force_login(carol)
    assert client.get("/people").status_code == 200


def test_recovery_codes_alone_are_no_second_factor(cast: Cast, client: Client, asked: None) -> None:
    RecoveryCodes.activate(cast.carol)
    client.force_login(cast.carol)
    assert client.get("/people").status_code == 302


@pytest.mark.parametrize("by_token", [True, False])
def test_the_api_refuses_whoever_lacks_it_and_says_why(by_token: bool, cast: Cast, client: Client, asked: None) -> None:
    ends = timezone.now() + timedelta(days=1)
    _, plain = tokens.create(cast.bob, "script", [Scope.READ], ends)
    headers = {"Authorization": f"Bearer {plain}"} if by_token else {}
    if not by_token:
        client.force_login(cast.bob)
    answer = client.get("/api/v1/requests", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "api.second_factor_needed")
    assert "approver" in answer.json()["detail"]
    TOTP.activate(cast.bob, SECRET)
    assert client.get("/api/v1/requests", headers=headers).status_code == 200


def test_the_app_is_set_up_on_the_pages(
    cast: Cast, client: Client, asked: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert client.get("/accounts/2fa/totp/activate/").headers["Location"].startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    found = re.search(r"[A-Z2-7]{32}", page)
    assert found, "the secret can be typed where no camera is"
    counter = int(time.time()) // 30
    code = format_hotp_value(hotp_value(found[0], counter))
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post("/accounts/2fa/totp/activate/", {"code": code})
    assert answer.headers["Location"] == "/accounts/2fa/recovery-codes/"
    assert client.get("/requests").status_code == 200
    assert verbs()[1:] == ["person.factor_added", "person.factor_added"]


def test_an_administrator_takes_a_lost_one_away(carol: User, cast: Cast, client: Client) -> None:
    TOTP.activate(cast.bob, SECRET)
    client.force_login(carol)
    assert "Lost the second factor?" in client.get("/people/bob/").content.decode()
    assert client.post("/people/bob/second-factor").status_code == 302
    assert not cast.bob.has_second_factor
    event = AuditEvent.objects.get(verb="person.factors_taken_away")
    assert (event.actor, event.facts["kinds"]) == (carol, ["totp"])
    assert "Lost the second factor?" not in client.get("/people/bob/").content.decode()


@pytest.mark.parametrize("name", ["alice", "bob", "eve"])
def test_nobody_else_takes_one_away(name: str, carol: User, cast: Cast, client: Client) -> None:
    client.force_login(getattr(cast, name))
    assert client.post("/people/carol/second-factor").status_code == 403
    assert carol.has_second_factor


def test_a_role_that_does_not_exist_stops_the_boot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECOND_FACTOR_ROLES", "administrator, boss")
    with pytest.raises(ImproperlyConfigured, match="got boss"):
        environment.chosen("SECOND_FACTOR_ROLES", ["administrator", "approver"])


@pytest.mark.parametrize(
    "address",
    [
        "signup/",
        "password/set/",
        "confirm-email/",
        "login/code/confirm/",
        "reauthenticate/code/",
        "reauthenticate/code/confirm/",
    ],
)
def test_pages_of_the_library_that_are_not_ours_are_closed(address: str, cast: Cast, client: Client) -> None:
    for answer in (client.get(f"/accounts/{address}"), client.post(f"/accounts/{address}", {"username": "x"})):
        assert answer.status_code == 404
    client.force_login(cast.bob)
    assert client.get(f"/accounts/{address}").status_code == 404
