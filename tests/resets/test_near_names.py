"""A refused plan tells names that resemble the missing one: of groups that are shown, though the broker lists all."""

from __future__ import annotations

import pytest

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Holder
from kafkaconsole.resets import actions
from kafkaconsole.teams.models import Membership
from tests import factories
from tests.claims.test_answering import hide
from tests.scene import Scene

MISSING = "billing-orderz"


@pytest.fixture
def many(scene: Scene) -> Scene:
    """Billing's group and two that resemble it: one of Search, one of nobody. Alice is in both teams."""
    for name in ("billinx-orders", "billinz-orders"):
        scene.kafka.set_committed(name, {factories.hello(0): factories.at(3)})
    factories.give_groups(scene.cast.search, "billinx-")
    return scene


def near_of_request(scene: Scene) -> list[str]:
    request = factories.plan(factories.ask(scene.cast.alice, change=factories.make_change(group=MISSING)), scene.kafka)
    found: list[str] = factories.trouble(request)["facts"]["near"]
    return sorted(found)


def near_of_preview(scene: Scene, by: User) -> list[str]:
    made = actions.preview(by=by, change_json=factories.make_change(group=MISSING))
    actions.make_preview(preview_id=made.pk, connect=scene.kafka.connect, connect_records=scene.kafka.connect_records)
    made.refresh_from_db()
    assert made.problem is not None
    return sorted(made.problem["facts"]["near"])


def test_everything_that_resembles_it_where_everyone_sees_everything(many: Scene) -> None:
    everything = ["billing-orders", "billinx-orders", "billinz-orders"]
    assert near_of_request(many) == near_of_preview(many, many.cast.alice) == everything


def test_only_the_team_s_own_where_others_are_not_shown(many: Scene) -> None:
    hide(many)
    assert near_of_request(many) == near_of_preview(many, many.cast.alice) == ["billing-orders"]


def test_a_preview_tells_what_its_person_sees_and_a_request_what_the_team_does(many: Scene) -> None:
    hide(many)
    Membership.objects.create(team=many.cast.search, user=many.cast.alice)
    assert near_of_preview(many, many.cast.alice) == ["billing-orders", "billinx-orders"]
    assert near_of_request(many) == ["billing-orders"]


def test_none_where_not_everyone_in_the_team_sees_its_groups(many: Scene) -> None:
    hide(many)
    hide(many, Holder.OWNER)
    assert near_of_request(many) == []
