"""Windows and freezes that let a request wait, and what may be set aside: by whom, with a reason, and a mark that stays."""

from __future__ import annotations

import html
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.approvals import messages
from kafkaconsole.approvals.terms import OverrideBy
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, opening, policies
from kafkaconsole.resets.models import Override, ResetRequest
from kafkaconsole.resets.refusals import BadRequest, DigestOutdated
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.approvals import making
from tests.scene import Scene

WHY = "The billing run starts in an hour"
SATURDAY = datetime(2026, 12, 5, 12, 0, tzinfo=UTC)
MONDAY = datetime(2026, 12, 7, 9, 0, tzinfo=UTC)
OFFICE = {"windows": ("mon-fri 09:00-17:00",)}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The database's clock, as the test sets it."""
    now = [SATURDAY]
    monkeypatch.setattr(opening, "database_now", lambda request: now[0])
    return now


def in_state(scene: Scene, state: State, **terms: object) -> ResetRequest:
    making.change_builtin(making.own(), terms=terms, break_glass=True)
    return factories.request_in(state, scene.cast, scene.kafka)


def break_glass(request: ResetRequest, by: User, **fields: str) -> ResetRequest:
    given = {"seen_digest": request.plan_digest, "reason": WHY, "password": factories.PASSWORD, **fields}
    return actions.break_glass(request=request, by=by, **given)


def aside(request: ResetRequest, by: User, reason: str = WHY) -> ResetRequest:
    return actions.set_windows_aside(request=request, by=by, seen_digest=request.plan_digest, reason=reason)


def test_a_closed_window_lets_it_wait_and_an_open_one_carries_it_out(scene: Scene, clock: list[datetime]) -> None:
    request = factories.execute(in_state(scene, State.APPROVED, **OFFICE), scene.kafka)
    assert (request.state, request.nudge_at, scene.kafka.commits) == ("waiting", MONDAY, [])
    trouble = factories.trouble(request)
    said = messages.sentence(trouble["code"], trouble["facts"])
    assert "It is carried out from 2026-12-07 09:00 UTC on." in said
    clock[0] = MONDAY
    assert factories.execute(request, scene.kafka).state == "applied"


def test_a_freeze_says_why(scene: Scene, clock: list[datetime]) -> None:
    freezes = ("2026-12-01 00:00 to 2027-01-04 00:00 year's end",)
    request = factories.execute(in_state(scene, State.APPROVED, freezes=freezes, zone="Asia/Seoul"), scene.kafka)
    said = messages.sentence(factories.trouble(request)["code"], factories.trouble(request)["facts"])
    assert "(year's end)" in said and "2027-01-04 00:00 Asia/Seoul" in said
    assert request.nudge_at == datetime(2027, 1, 3, 15, 0, tzinfo=UTC)


def test_the_clock_is_the_databases(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: MONDAY)
        found = opening.database_now(request)
    assert abs((found - datetime.now(UTC)).total_seconds()) < 60


@pytest.mark.parametrize(
    ("by", "name", "allowed"),
    [
        (OverrideBy.NOBODY, "carol", False),
        (OverrideBy.ADMINISTRATORS, "carol", True),
        (OverrideBy.ADMINISTRATORS, "bob", False),
        (OverrideBy.OWNERS, "bob", True),
        (OverrideBy.OWNERS, "carol", True),
        (OverrideBy.OWNERS, "bora", False),
    ],
)
def test_who_sets_windows_aside_is_the_policys(
    scene: Scene, clock: list[datetime], by: OverrideBy, name: str, allowed: bool
) -> None:
    request = factories.execute(in_state(scene, State.APPROVED, **OFFICE, override_by=by), scene.kafka)
    Membership.objects.filter(user=scene.cast.bob).update(role=TeamRole.OWNER)
    person = getattr(scene.cast, name)
    if not allowed:
        with pytest.raises(NotAllowed):
            aside(request, person)
        return
    request = aside(request, person)
    assert AuditEvent.objects.get(verb="reset.window_set_aside").facts["reason"] == WHY
    assert factories.execute(request, scene.kafka).state == "applied"


def test_setting_aside_is_of_one_plan(scene: Scene, clock: list[datetime]) -> None:
    request = in_state(scene, State.APPROVED, **OFFICE, override_by=OverrideBy.ADMINISTRATORS)
    request = aside(factories.execute(request, scene.kafka), scene.cast.carol)
    with pytest.raises(NotAllowed):
        aside(request, scene.cast.carol)
    request = factories.plan(actions.replan(request=request, by=scene.cast.alice), scene.kafka)
    request = factories.execute(factories.approve(request, scene.cast.bob), scene.kafka)
    assert request.state == "waiting"


def test_an_administrator_breaks_the_glass_and_the_mark_stays(
    scene: Scene, clock: list[datetime], client: Client
) -> None:
    request = break_glass(in_state(scene, State.PLANNED, **OFFICE), scene.cast.carol)
    assert (request.state, request.approved_digest) == ("approved", request.plan_digest)
    request = factories.execute(request, scene.kafka)
    assert request.state == "applied"
    event = AuditEvent.objects.get(verb="reset.glass_broken")
    assert (event.actor, event.facts) == (scene.cast.carol, {"digest": request.plan_digest, "reason": WHY})
    assert not AuditEvent.objects.filter(verb="reset.approved").exists()
    client.force_login(scene.cast.alice)
    page = html.unescape(client.get(f"/requests/{request.pk}").content.decode())
    assert "The glass was broken" in page and WHY in page and "broke the glass" in page
    [told] = client.get(f"/api/v1/requests/{request.pk}").json()["overrides"]
    assert (told["kind"], told["by"], told["reason"]) == ("glass", "carol", WHY)


@pytest.mark.parametrize("name", ["alice", "amir", "bob", "dave", "eve"])
def test_nobody_else_breaks_it(scene: Scene, name: str) -> None:
    with pytest.raises(NotAllowed):
        break_glass(in_state(scene, State.PLANNED), getattr(scene.cast, name))
    assert not Override.objects.exists()


def test_a_policy_that_does_not_say_so_lets_nobody_break_it(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    with pytest.raises(NotAllowed) as refused:
        break_glass(request, scene.cast.carol)
    assert "lets nobody break the glass" in str(refused.value.facts["reason"])
    with pytest.raises(IntegrityError, match="does not let this be set aside"), transaction.atomic():
        Override.objects.create(request=request, plan=request.the_plan, kind="glass", by=scene.cast.carol, reason=WHY)


def test_whoever_asked_does_not_break_it_for_themselves(scene: Scene) -> None:
    request = in_state(scene, State.PLANNED)
    User.objects.filter(pk=scene.cast.alice.pk).update(role=GlobalRole.ADMINISTRATOR)
    scene.cast.alice.refresh_from_db()
    with pytest.raises(NotAllowed):
        break_glass(request, scene.cast.alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Override.objects.create(request=request, plan=request.the_plan, kind="glass", by=scene.cast.alice, reason=WHY)


def test_a_wrong_password_a_short_reason_or_another_plan_break_nothing(scene: Scene) -> None:
    request = in_state(scene, State.PLANNED)
    with pytest.raises(NotAllowed):
        break_glass(request, scene.cast.carol, password="guess")
    with pytest.raises(NotAllowed):
        break_glass(request, scene.cast.carol, password="")
    with pytest.raises(BadRequest):
        break_glass(request, scene.cast.carol, reason="now")
    with pytest.raises(DigestOutdated):
        break_glass(request, scene.cast.carol, seen_digest="0" * 64)
    request.refresh_from_db()
    assert (request.state, Override.objects.count()) == ("planned", 0)


@pytest.mark.parametrize("state", [State.APPROVED, State.REJECTED, State.CANCELLED, State.APPLIED, State.STALE])
def test_only_a_planned_request_can_need_it(scene: Scene, state: State) -> None:
    assert not policies.may_break_glass(scene.cast.carol, in_state(scene, state))


def test_glass_broken_by_someone_who_is_no_administrator_any_more_carries_nothing(scene: Scene) -> None:
    request = break_glass(in_state(scene, State.PLANNED), scene.cast.carol)
    User.objects.filter(pk=scene.cast.carol.pk).update(role=GlobalRole.MEMBER)
    assert factories.execute(request, scene.kafka).state == "planned"
    assert scene.kafka.commits == []


def test_the_database_keeps_what_was_set_aside(scene: Scene) -> None:
    break_glass(in_state(scene, State.PLANNED), scene.cast.carol)
    for change in (
        lambda: Override.objects.update(reason="Nothing happened"),
        lambda: Override.objects.all().delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_the_page_offers_it_to_whom_it_is_allowed(scene: Scene, clock: list[datetime], client: Client) -> None:
    request = in_state(scene, State.PLANNED, **OFFICE, override_by=OverrideBy.ADMINISTRATORS)
    client.force_login(scene.cast.bob)
    assert "Break the glass" not in client.get(f"/requests/{request.pk}").content.decode()
    client.force_login(scene.cast.carol)
    assert "Break the glass" in client.get(f"/requests/{request.pk}").content.decode()
    fields = {"digest": request.plan_digest, "reason": WHY, "password": "wrong"}
    assert client.post(f"/requests/{request.pk}/glass", fields).status_code == 403
    factories.execute(factories.approve(request, scene.cast.bob), scene.kafka)
    page = html.unescape(client.get(f"/requests/{request.pk}").content.decode())
    assert "Set the windows aside" in page and "It is carried out from 2026-12-07 09:00 UTC on." in page
    answer = client.post(f"/requests/{request.pk}/windows", {"digest": request.plan_digest, "reason": WHY})
    assert answer.status_code == 302
    assert "Windows and freezes were set aside" in client.get(f"/requests/{request.pk}").content.decode()
