"""The scene that every cell begins with: everyone, and one of each thing that an address names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from kafkaconsole.accounts import service_accounts
from kafkaconsole.accounts.models import ApiToken, GlobalRole, SignedInBrowser, User
from kafkaconsole.approvals import actions as approvals
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.models import GroupKind, Policy
from kafkaconsole.approvals.quorum import Need
from kafkaconsole.approvals.terms import OverrideBy, Terms
from kafkaconsole.clusters import actions as clusters
from kafkaconsole.clusters.models import Environment
from kafkaconsole.groups.claims import actions as claims
from kafkaconsole.history import sweeping
from kafkaconsole.notifications import channels
from kafkaconsole.notifications.models import Message, MessageState
from kafkaconsole.records import actions as records
from kafkaconsole.records import look_actions, looking
from kafkaconsole.records.models import ExportState, LookState, RecordExport, RecordLook
from kafkaconsole.records.spans import Until
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams import delegating
from kafkaconsole.teams.models import Membership, Team, TeamRole
from tests import factories
from tests.factories import GROUP, Cast
from tests.matrix.roles import Caller, callers
from tests.scene import Scene

OTHER_GROUP = "billing-invoices"
FROZEN_GROUP = "billing-nightly"


@dataclass(frozen=True)
class Stage:
    """Who calls, and what the parts of addresses and of what is sent stand for (`{request_id}`, `{digest}` …)."""

    callers: dict[str, Caller]
    things: dict[str, Any]


def build(scene: Scene) -> Stage:
    """Team Billing owns the group; Bora owns the team, and Ruth, who approved for it once, has left it."""
    cast = scene.cast
    Environment.objects.update(may_read_messages=True)
    Membership.objects.filter(user=cast.bora).update(role=TeamRole.OWNER)
    ruth = factories.make_user("ruth")
    everyone = callers(
        {
            "outsider": cast.dave,
            "member": cast.amir,
            "requester": cast.alice,
            "approver": cast.bob,
            "owner": cast.bora,
            "auditor": cast.eve,
            "administrator": cast.carol,
            "removed": ruth,
        }
    )
    for group in (OTHER_GROUP, FROZEN_GROUP):
        scene.kafka.set_committed(group, {factories.hello(0): factories.at(3)})
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    things = {"cluster": "demo", "name": "demo", "slug": "billing", "group": GROUP, "username": "amir"}
    things |= _away(cast) | _robot(cast.carol) | _policies(scene) | _settings(scene) | _resets(scene)
    return Stage(everyone, things | _reads(scene, things))


def _away(cast: Cast) -> dict[str, Any]:
    """Bob will be away, years from now, and Bora signs for him."""
    start = timezone.now() + timedelta(days=2000)
    times = {"starts_at": start, "ends_at": start + timedelta(days=7)}
    return {"delegation_id": delegating.delegate(by=cast.bob, to=cast.bora, team=None, **times).pk}


def _resets(scene: Scene) -> dict[str, Any]:
    """Requests in the states in which something may be done to them, a batch, a preview, and what was read for them."""
    alice, kafka = scene.cast.alice, scene.kafka
    applied = factories.request_in(State.APPLIED, scene.cast, kafka)
    kafka.set_committed(GROUP, {factories.hello(number): factories.at(3) for number in range(3)})
    approved = factories.request_in(State.APPROVED, scene.cast, kafka)
    planned = factories.request_in(State.PLANNED, scene.cast, kafka)
    preview = actions.preview(by=alice, change_json=factories.make_change())
    actions.make_preview(preview_id=str(preview.pk), connect=kafka.connect, connect_records=kafka.connect_records)
    changes = [factories.make_change(group=group) for group in (GROUP, OTHER_GROUP)]
    batch = actions.request_batch(by=alice, changes=changes, reason="Read both again")
    first = factories.plan(batch.requests.order_by("pk")[0], kafka)
    return {
        "request_id": planned.pk,
        "digest": planned.plan_digest,
        "applied": applied.pk,
        "approved": approved.pk,
        "approved_digest": approved.plan_digest,
        "preview_id": preview.pk,
        "batch_id": batch.pk,
        "first": first.pk,
        "first_digest": first.plan_digest,
        "fake_digest": "f" * 64,
    } | _frozen(scene)


def _frozen(scene: Scene) -> dict[str, Any]:
    """An approved request that waits for the end of a freeze."""
    change = factories.make_change(group=FROZEN_GROUP)
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=change)
    request = factories.execute(request, scene.kafka)
    assert request.state == State.WAITING
    return {"frozen": request.pk, "frozen_digest": request.plan_digest}


def _reads(scene: Scene, things: dict[str, Any]) -> dict[str, Any]:
    """What Alice had read: an export of the planned request, one that still works, and a look at the group."""
    alice, request = scene.cast.alice, ResetRequest.objects.get(pk=things["request_id"])
    wanted = records.Wanted(until=Until.COMMITTED, limit=100)
    export, working = (records.ask(request=request, by=alice, wanted=wanted) for _ in range(2))
    RecordExport.objects.filter(pk=export.pk).update(state=ExportState.DONE, ended_at=timezone.now())
    place = look_actions.Place(topic="hello", partition=0, offset=1, before=0, after=1)
    look = look_actions.look_at_group(cluster=scene.cluster, group_name=GROUP, by=alice, place=place)
    RecordLook.objects.filter(pk=look.pk).update(
        state=LookState.READY, ended_at=timezone.now(), records=looking.packed([])
    )
    return {"export_id": export.pk, "working": working.pk, "look_id": look.pk}


def _robot(carol: User) -> dict[str, Any]:
    """A service account with a token."""
    robot = service_accounts.add(by=carol, username="robot", name="Robot")
    ends = timezone.now() + timedelta(days=7)
    token, _plain = service_accounts.make_token(
        by=carol, account=robot, name="script", scopes=["read"], expires_at=ends
    )
    return {"robot": robot.username, "robot_token": token.pk}


def _policies(scene: Scene) -> dict[str, Any]:
    """Two policies of team Search: of one a change is proposed, for from now on every change needs a second person.
    One more freezes a group of Billing's."""
    chris = factories.make_user("chris", role=GlobalRole.ADMINISTRATOR)
    reach = Draft(team=scene.cast.search, needs=(Need(1),))
    quiet = approvals.add(by=chris, name="Quiet", draft=reach)
    loud = approvals.add(by=chris, name="Loud", draft=reach)
    freeze = Terms(freezes=("2020-01-01 00:00 to 2099-01-01 00:00",), override_by=OverrideBy.OWNERS)
    frozen = Draft(group_kind=GroupKind.NAME, group_pattern=FROZEN_GROUP, needs=(Need(1),), terms=freeze)
    approvals.add(by=chris, name="Frozen", draft=frozen)
    builtin = Policy.objects.get(is_builtin=True)
    stricter = Draft(needs=(Need(1),), break_glass=True, terms=Terms(second_administrator=True))
    approvals.change(by=chris, policy=builtin, seen=1, draft=stricter)
    approvals.change(by=chris, policy=loud.policy, seen=1, draft=replace(reach, needs=(Need(2),)))
    return {"policy_id": quiet.policy_id, "proposed": loud.policy_id}


def _settings(scene: Scene) -> dict[str, Any]:
    cast = scene.cast
    channel, _key = channels.add(
        by=cast.carol, team=cast.billing, kind="webhook", name="Pager", url="https://hooks.example.com/x", heard=[]
    )
    channels.test(by=cast.carol, channel=channel)
    tested = Message.objects.latest("pk")
    channels.test(by=cast.carol, channel=channel)
    failed = Message.objects.latest("pk")
    Message.objects.filter(pk=failed.pk).update(state=MessageState.FAILED, answer={"code": "gone", "facts": {}})
    factories.make_cluster("spare", cluster_id="spare-cluster")
    Team.objects.create(slug="spare", name="Spare")
    claim = claims.claim(by=cast.alice, cluster=scene.cluster, group="shipping", team=cast.billing, reason="Ours")
    return {
        "spare": "spare",
        "search": cast.search.pk,
        "channel_id": channel.pk,
        "message_id": tested.pk,
        "failed": failed.pk,
        "claim_id": claim.pk,
        "rule_id": cast.billing.ownership_rules.get().pk,
        "browser_id": _browser(cast.alice),
        "token_id": ApiToken.objects.filter(owner=cast.alice).latest("pk").pk,
        "test_id": clusters.ask_for_test(cluster=scene.cluster, by=cast.carol).pk,
        "soon": (timezone.now() + timedelta(days=2)).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "pk": 1,
        "key": "MQ-none",
        "uidb36": "1",
        "provider_id": "company",
    }


def _browser(person: User) -> int:
    """Another browser in which the person is signed in."""
    session = SessionStore()
    session.create()
    now = timezone.now()
    return SignedInBrowser.objects.create(user=person, key=str(session.session_key), since=now, seen_at=now).pk
