"""No change of any policy loosens a request that is open: not another version, nor another policy, nor one less."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.approvals import actions as approvals
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.approvals.quorum import Need
from kafkaconsole.approvals.terms import OverrideBy, Terms
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, governing, opening, policies
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.factories import GROUP
from tests.scene import Scene

WHY = "The billing run starts in an hour"
SATURDAY = datetime(2026, 12, 5, 12, 0, tzinfo=UTC)
STRICT = Terms(windows=("mon-fri 09:00-17:00",))
LOOSE = Draft(
    needs=(Need(1),), requester_may_count=True, break_glass=True, terms=Terms(override_by=OverrideBy.ADMINISTRATORS)
)


def change_it(carol: User, strict: PolicyVersion) -> None:
    approvals.change(by=carol, policy=strict.policy, seen=1, draft=replace(LOOSE, team=strict.team))


def switch_it_off(carol: User, strict: PolicyVersion) -> None:
    approvals.switch_off(by=carol, policy=strict.policy, seen=1)


def add_a_narrower_one(carol: User, strict: PolicyVersion) -> None:
    draft = replace(LOOSE, team=strict.team, group_kind="name", group_pattern=GROUP)
    approvals.add(by=carol, name="Narrower", draft=draft)


def have_a_second_administrator_confirm_it(carol: User, strict: PolicyVersion) -> None:
    approvals.add(by=carol, name="Careful", draft=Draft(group_kind="name", group_pattern="none", terms=SECOND))
    change_it(carol, strict)
    chris = factories.make_user("chris", role=GlobalRole.ADMINISTRATOR)
    approvals.confirm(by=chris, policy=strict.policy, seen=2)


SECOND = Terms(second_administrator=True)
WAYS = [change_it, switch_it_off, add_a_narrower_one, have_a_second_administrator_confirm_it]


@pytest.fixture
def strict(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> PolicyVersion:
    """Two sign, whoever asked does not, nobody sets anything aside; it is Saturday, and closed."""
    monkeypatch.setattr(opening, "database_now", lambda request: SATURDAY)
    draft = Draft(team=scene.cast.billing, needs=(Need(2),), terms=STRICT)
    return approvals.add(by=scene.cast.carol, name="Strict", draft=draft)


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def loosen(request: pytest.FixtureRequest) -> Callable[[User, PolicyVersion], None]:
    way: Callable[[User, PolicyVersion], None] = request.param
    return way


def glass(request: ResetRequest, by: User) -> ResetRequest:
    return actions.break_glass(
        request=request, by=by, seen_digest=request.plan_digest, reason=WHY, password=factories.PASSWORD
    )


def test_a_plan_that_waits_for_signatures_is_under_what_it_was_made_under(
    scene: Scene, strict: PolicyVersion, loosen: Callable[[User, PolicyVersion], None]
) -> None:
    planned, cast = factories.request_in(State.PLANNED, scene.cast, scene.kafka), scene.cast
    loosen(cast.carol, strict)
    Membership.objects.filter(user=cast.alice).update(role=TeamRole.APPROVER)
    with pytest.raises(NotAllowed):
        factories.approve(planned, cast.alice)
    with pytest.raises(NotAllowed):
        glass(planned, cast.carol)
    once = factories.approve(planned, cast.bob)
    assert (once.state, policies.signoff_of(once).needed) == (State.PLANNED, 2)
    assert factories.approve(once, cast.bora).state == State.APPROVED
    assert governing.version_of(once) == strict


def test_an_approved_plan_waits_for_its_window_still(
    scene: Scene, strict: PolicyVersion, loosen: Callable[[User, PolicyVersion], None]
) -> None:
    planned, cast = factories.request_in(State.PLANNED, scene.cast, scene.kafka), scene.cast
    for person in (cast.bob, cast.bora):
        planned = factories.approve(planned, person)
    loosen(cast.carol, strict)
    waiting = factories.execute(planned, scene.kafka)
    assert (waiting.state, scene.kafka.commits) == (State.WAITING, [])
    with pytest.raises(NotAllowed):
        actions.set_windows_aside(request=waiting, by=cast.carol, seen_digest=waiting.plan_digest, reason=WHY)


def test_the_next_request_is_under_what_applies_by_then(
    scene: Scene, strict: PolicyVersion, loosen: Callable[[User, PolicyVersion], None]
) -> None:
    loosen(scene.cast.carol, strict)
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert factories.approve(planned, scene.cast.bob).state == State.APPROVED
