"""Asking for a reset: who may, for which group, with what beside the change."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.nudges import Sent
from tests.scene import Scene


def test_a_member_asks_and_a_worker_is_told(
    scene: Scene, sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        request = factories.ask(scene.cast.alice, reason="  Bug in release 12  ", ticket="OPS-1")
    request.refresh_from_db()
    assert (request.state, request.team, request.reason) == ("planning", scene.cast.billing, "Bug in release 12")
    assert request.change["strategy"] == {"kind": "to_earliest"}
    assert sent.messages == [("resets.plan", {"request_id": request.pk})]
    event = AuditEvent.objects.get(verb="reset.requested")
    assert (event.actor, event.target_id, event.facts["group"]) == (scene.cast.alice, str(request.pk), factories.GROUP)


@pytest.mark.parametrize("name", ["alice", "amir", "bob", "bora"])
def test_everyone_in_the_owning_team_may_ask(scene: Scene, name: str) -> None:
    assert factories.ask(getattr(scene.cast, name)).pk


@pytest.mark.parametrize("name", ["carol", "dave", "eve"])
def test_nobody_outside_the_owning_team_may_ask(scene: Scene, name: str) -> None:
    with pytest.raises(NotAllowed):
        factories.ask(getattr(scene.cast, name))
    assert not ResetRequest.objects.exists()


def test_an_administrator_in_the_team_may_ask_and_an_auditor_in_it_may_not(scene: Scene) -> None:
    for person in (scene.cast.carol, scene.cast.eve):
        Membership.objects.create(team=scene.cast.billing, user=person, role=TeamRole.OWNER)
    assert factories.ask(scene.cast.carol).pk
    with pytest.raises(NotAllowed):
        factories.ask(scene.cast.eve)


def test_a_group_of_no_team_cannot_be_asked_for(scene: Scene) -> None:
    with pytest.raises(NotAllowed) as refused:
        factories.ask(scene.cast.alice, change=factories.make_change(group="orphan"))
    assert "No team owns orphan" in str(refused.value.facts["reason"])


def test_a_group_that_two_teams_own_cannot_be_asked_for(scene: Scene) -> None:
    factories.give_groups(scene.cast.billing, "shared-", cluster=scene.cluster)
    rule = factories.give_groups(scene.cast.search, "shared-")
    rule.cluster = scene.cluster
    verdict = policies.may_request(scene.cast.alice, scene.cluster, "shared-1")
    assert verdict  # the cluster's own rule wins over the rule for all clusters
    assert not policies.may_request(scene.cast.dave, scene.cluster, "shared-1")


def test_an_unknown_cluster_is_named(scene: Scene) -> None:
    with pytest.raises(BadChange) as refused:
        factories.ask(scene.cast.alice, change=factories.make_change(cluster="nowhere"))
    assert [one.field for one in refused.value.problems] == ["cluster"]


def test_a_removed_cluster_is_unknown(scene: Scene) -> None:
    scene.cluster.is_active = False
    scene.cluster.save()
    with pytest.raises(BadChange):
        factories.ask(scene.cast.alice)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"group": "billing-" + "x" * 600}, "group"),
        ({"group": "billing-\0"}, "group"),
        ({"strategy": {"kind": "to_the_moon"}}, "strategy.kind"),
        ({"scope": {"topics": []}}, "scope.topics"),
    ],
)
def test_a_change_that_cannot_be_used_is_refused_by_field(scene: Scene, change: dict[str, object], field: str) -> None:
    with pytest.raises(BadChange) as refused:
        factories.ask(scene.cast.alice, change=factories.make_change(**change))
    assert refused.value.problems[0].field == field


def _in_days(days: float) -> datetime:
    return timezone.now() + timedelta(days=days)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"reason": "   "}, "reason"),
        ({"reason": "x" * 4001}, "reason"),
        ({"ticket": "x" * 121}, "ticket"),
        ({"expires_at": _in_days(-1)}, "expires_at"),
        ({"not_before": _in_days(3), "expires_at": _in_days(2)}, "not_before"),
        ({"not_before": _in_days(1).replace(tzinfo=None)}, "not_before"),
    ],
)
def test_what_stands_beside_the_change_is_checked(scene: Scene, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        factories.ask(scene.cast.alice, **fields)
    assert refused.value.facts["field"] == field


def test_a_request_lives_from_when_it_may_begin(scene: Scene, settings: Settings) -> None:
    begins = _in_days(30)
    request = factories.ask(scene.cast.alice, not_before=begins)
    assert request.expires_at == begins + settings.REQUEST_LIFE


def test_the_cluster_with_open_requests_is_not_removed(scene: Scene) -> None:
    from kafkaconsole.clusters import actions as clusters
    from kafkaconsole.clusters.errors import ClusterInUse

    request = factories.ask(scene.cast.alice)
    with pytest.raises(ClusterInUse):
        clusters.remove(cluster=scene.cluster, by=scene.cast.carol)
    actions.cancel(request=request, by=scene.cast.alice)
    clusters.remove(cluster=scene.cluster, by=scene.cast.carol)
