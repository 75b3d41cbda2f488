"""Cases that are about who may do what where."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import Scope, User
from kafkaconsole.clusters.models import EnvironmentRight
from kafkaconsole.history import sweeping
from kafkaconsole.resets import policies
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership
from tests import factories
from tests.api.calling import Api
from tests.approvals import making
from tests.factories import GROUP, make_change
from tests.scene import Scene

ROLES = ("member", "approver", "owner")
FORM = {
    "cluster": "demo",
    "group": GROUP,
    "kind": "to_earliest",
    "scope": "all_committed",
    "reason": "Wrong prices since nine",
    "do": "request",
}


def make_read_only(scene: Scene) -> None:
    """Nobody asks and nobody signs in the cluster's environment any more."""
    for holder in ROLES:
        for right in ("request", "approve"):
            if (holder, right) != ("member", "approve"):
                EnvironmentRight.objects.create(
                    environment=scene.cluster.environment, holder=holder, right=right, is_allowed=False
                )


def script_of(person: User) -> Api:
    """The API with a token of the person that may do all that tokens may."""
    until = timezone.now() + timedelta(hours=1)
    return Api(tokens.create(person, "t", list(Scope), until, by=person)[1])


@pytest.fixture
def groups_page(scene: Scene, client: Client) -> str:
    """The address of the group's page, once the group was seen."""
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    return f"/groups/demo/{GROUP}"


def test_acl_05_where_nobody_may_ask_there_is_no_control_and_every_way_to_ask_is_refused(
    scene: Scene, client: Client, groups_page: str
) -> None:
    client.force_login(scene.cast.alice)
    control = f'href="/requests/new?cluster=demo&amp;group={GROUP}"'
    assert control in client.get(groups_page).content.decode()
    make_read_only(scene)
    html = client.get(groups_page).content.decode()
    assert control not in html and "may not ask for resets in Staging" in html
    for person in (scene.cast.alice, scene.cast.bob, scene.cast.carol):
        client.force_login(person)
        assert client.post("/requests/new", FORM).status_code in (403, 422)
        asked = {**make_change(), "reason": "Wrong prices since nine"}
        assert script_of(person).post("/requests", asked).status == 403
        assert script_of(person).post("/previews", make_change()).status == 403
    assert not ResetRequest.objects.exists()


def test_acl_05_where_nobody_may_sign_nothing_is_signed_by_any_way(scene: Scene, client: Client) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    make_read_only(scene)
    digest = {"digest": request.plan_digest}
    for person in (scene.cast.bob, scene.cast.carol):
        client.force_login(person)
        assert client.post(f"/requests/{request.pk}/approve", digest).status_code == 403
        assert script_of(person).post(f"/requests/{request.pk}/approve", digest).status == 403
    request.refresh_from_db()
    assert (request.state, request.approvals.count()) == (State.PLANNED, 0)


def test_acl_05_what_was_approved_before_is_not_carried_out_and_no_write_reaches_the_cluster(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    before = factories.offsets_in(scene.kafka)
    make_read_only(scene)
    request = factories.execute(request, scene.kafka)
    assert request.state == State.PLANNED, "it is sent back: its signature no longer counts"
    assert factories.trouble(request)["code"] == "approval.no_longer_counts"
    assert not Attempt.objects.exists()
    assert (scene.kafka.commits, scene.kafka.deletions) == ([], [])
    assert factories.offsets_in(scene.kafka) == before


def test_acl_05_what_needs_no_signature_is_not_carried_out_once_nobody_may_ask(scene: Scene) -> None:
    making.change_builtin()
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert request.state == State.APPROVED, "its policy needs no signature"
    before = factories.offsets_in(scene.kafka)
    make_read_only(scene)
    request = factories.execute(request, scene.kafka)
    assert request.state == State.STALE
    assert factories.trouble(request)["code"] == "approval.requester_may_not_ask"
    assert not Attempt.objects.exists()
    assert (scene.kafka.commits, scene.kafka.deletions) == ([], [])
    assert factories.offsets_in(scene.kafka) == before


@pytest.mark.parametrize("name", ["search-orders", "Billing-orders", "billing"])
def test_appr_07_a_group_of_another_team_or_of_nobody_is_refused_on_every_way(
    scene: Scene, client: Client, name: str
) -> None:
    factories.give_groups(scene.cast.search, "search-")
    client.force_login(scene.cast.alice)
    assert client.post("/requests/new", FORM | {"group": name}).status_code in (403, 422)
    change = make_change(group=name)
    assert script_of(scene.cast.alice).post("/previews", change).status == 403
    assert script_of(scene.cast.alice).post("/requests", {**change, "reason": "Wrong prices"}).status == 403
    copied = make_change(group=name, strategy={"kind": "from_file", "csv": f"{name},hello,0,1\n"}, scope=None)
    assert script_of(scene.cast.alice).post("/previews", copied).status == 403
    assert not ResetRequest.objects.exists()


def test_appr_09_what_a_person_is_in_one_team_never_widens_what_they_are_in_another(scene: Scene) -> None:
    factories.give_groups(scene.cast.search, "search-")
    Membership.objects.create(team=scene.cast.search, user=scene.cast.bob, role="member")
    Membership.objects.filter(team=scene.cast.billing, user=scene.cast.alice).update(role="approver")
    scene.kafka.set_committed("search-orders", {factories.hello(0): factories.at(3)})
    asked = factories.ask(scene.cast.dave, change=make_change(group="search-orders"))
    of_search = factories.plan(asked, scene.kafka)
    for person in (scene.cast.bob, scene.cast.alice):
        assert not policies.may_approve(person, of_search)
    assert policies.may_request(scene.cast.bob, scene.cluster, "search-orders")
    assert not policies.may_request(scene.cast.alice, scene.cluster, "search-orders")
    assert policies.may_approve(scene.cast.bob, factories.request_in(State.PLANNED, scene.cast, scene.kafka))
