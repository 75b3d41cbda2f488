"""What an environment does not show to all of a team is told on none of its channels, and in no log of what was sent."""

from __future__ import annotations

from kafkaconsole.clusters.models import Holder
from kafkaconsole.notifications import channels, queries
from kafkaconsole.notifications.models import Channel, Message, MessageState
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.claims.test_answering import hide
from tests.notifications.servers import Hooks
from tests.notifications.working import work
from tests.scene import Scene

HEARD = ["sign", "team", "reminder"]


def add_channels(scene: Scene, hooks: Hooks) -> tuple[Channel, Channel]:
    """One of Billing, one of the administrators."""
    ours, everyones = (
        channels.add(by=scene.cast.carol, team=team, kind="webhook", name="Room", url=hooks.url, heard=HEARD)[0]
        for team in (scene.cast.billing, None)
    )
    return ours, everyones


def test_a_team_s_channel_hears_of_nothing_that_some_of_the_team_do_not_see(scene: Scene, hooks: Hooks) -> None:
    ours, everyones = add_channels(scene, hooks)
    hide(scene, Holder.MEMBER)
    factories.plan(factories.ask(scene.cast.bob), scene.kafka)
    assert not ours.messages.exists()
    assert everyones.messages.exists()


def test_what_waits_already_is_dropped_when_it_is_hidden_before_it_is_sent(scene: Scene, hooks: Hooks) -> None:
    ours, everyones = add_channels(scene, hooks)
    factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert ours.messages.exists()
    hide(scene, Holder.MEMBER)
    work()
    assert {one.state for one in ours.messages.all()} == {MessageState.DROPPED}
    assert {one.state for one in everyones.messages.all()} == {MessageState.SENT}


def test_the_log_of_what_was_sent_leaves_out_requests_that_are_not_shown(scene: Scene, hooks: Hooks) -> None:
    Membership.objects.filter(user=scene.cast.bora).update(role=TeamRole.OWNER)
    add_channels(scene, hooks)
    factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert queries.deliveries_for(scene.cast.bora).exists()
    hide(scene, Holder.OWNER)
    assert not queries.deliveries_for(scene.cast.bora).exists()
    assert queries.deliveries_for(scene.cast.carol).count() == Message.objects.count()
