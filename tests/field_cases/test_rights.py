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
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.api.calling import Api
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
