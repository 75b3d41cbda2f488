"""While a policy asks for a second administrator, no change of any policy takes effect by one alone."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.approvals import actions, queries
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.errors import NothingProposed, PolicyMovedOn
from kafkaconsole.approvals.models import Confirmation, Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Need
from kafkaconsole.approvals.risk import Level
from kafkaconsole.approvals.terms import Terms
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import policies
from kafkaconsole.resets.states import State
from tests import factories
from tests.approvals import making
from tests.scene import Scene

BUILTIN = Draft(needs=(Need(2),), terms=Terms(second_administrator=True))


@pytest.fixture
def chris(scene: Scene) -> User:
    """Another administrator; and the built-in policy needs two people and asks for a second administrator."""
    making.change_builtin(making.own(2), terms={"second_administrator": True})
    return factories.make_user("chris", role=GlobalRole.ADMINISTRATOR)


def builtin() -> Policy:
    return Policy.objects.get(is_builtin=True)


def loosen(scene: Scene) -> PolicyVersion:
    """Carol wants one signature instead of two, and no second administrator any more."""
    return actions.change(by=scene.cast.carol, policy=builtin(), seen=2, draft=Draft(needs=(Need(1),)))


def test_a_change_waits_and_nothing_is_looser_meanwhile(scene: Scene, chris: User) -> None:
    proposed = loosen(scene)
    assert queries.version_in_force(builtin()).number == 2
    assert queries.proposal_of(builtin()) == proposed
    event = AuditEvent.objects.get(verb="policy.proposed")
    assert event.facts["changed"]["needs"] == ["2 approvers of the owning team", "an approver of the owning team"]
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert policies.signoff_of(request).needed == 2


def test_another_administrator_puts_it_in_force(scene: Scene, chris: User) -> None:
    proposed = loosen(scene)
    assert actions.confirm(by=chris, policy=builtin(), seen=3) == proposed
    assert queries.version_in_force(builtin()) == proposed
    assert AuditEvent.objects.get(verb="policy.confirmed").actor == chris
    with pytest.raises(NothingProposed):
        actions.confirm(by=chris, policy=builtin(), seen=3)
    again = actions.change(by=scene.cast.carol, policy=builtin(), seen=3, draft=Draft(needs=(Need(3),)))
    assert queries.version_in_force(builtin()) == again, "the confirmed version asks for no second any more"


def test_whoever_made_it_does_not_confirm_it_and_the_database_agrees(scene: Scene, chris: User) -> None:
    proposed = loosen(scene)
    with pytest.raises(NotAllowed):
        actions.confirm(by=scene.cast.carol, policy=builtin(), seen=3)
    with pytest.raises(IntegrityError, match="does not confirm it"), transaction.atomic():
        Confirmation.objects.create(version=proposed, is_confirmed=True, by=scene.cast.carol)
    with pytest.raises(IntegrityError, match="waits for a second"), transaction.atomic():
        Policy.objects.filter(pk=proposed.policy_id).update(current=proposed)


@pytest.mark.parametrize("name", ["alice", "bob", "eve"])
def test_nobody_else_confirms_or_declines(scene: Scene, chris: User, name: str) -> None:
    loosen(scene)
    for verb in (actions.confirm, actions.decline):
        with pytest.raises(NotAllowed):
            verb(by=getattr(scene.cast, name), policy=builtin(), seen=3)


def test_a_declined_version_changes_nothing_and_cannot_be_confirmed(scene: Scene, chris: User) -> None:
    loosen(scene)
    actions.decline(by=scene.cast.carol, policy=builtin(), seen=3)
    with pytest.raises(NothingProposed):
        actions.confirm(by=chris, policy=builtin(), seen=3)
    assert queries.version_in_force(builtin()).number == 2
    assert AuditEvent.objects.get(verb="policy.declined").facts == {"version": 3}


def test_only_the_version_that_was_seen_is_confirmed(scene: Scene, chris: User) -> None:
    loosen(scene)
    actions.change(by=scene.cast.carol, policy=builtin(), seen=3, draft=Draft())
    with pytest.raises(PolicyMovedOn):
        actions.confirm(by=chris, policy=builtin(), seen=3)
    assert queries.version_in_force(builtin()).number == 2


def test_a_new_policy_and_switching_one_off_wait_too(scene: Scene, chris: User) -> None:
    high = making.make_policy("High", making.own(3), level="high").policy
    actions.switch_off(by=scene.cast.carol, policy=high, seen=1)
    added = actions.add(by=scene.cast.carol, name="Loose", draft=Draft(level=Level.RAISED))
    assert [one.name for one in queries.in_force()] == ["Everything else", "High"]
    assert {one.name for one in queries.proposals(scene.cast.carol)} == {"High", "Loose"}
    actions.confirm(by=chris, policy=high, seen=2)
    actions.confirm(by=chris, policy=added.policy, seen=1)
    assert [one.name for one in queries.in_force()] == ["Everything else", "Loose"]


def test_without_such_a_policy_one_administrator_is_enough(scene: Scene) -> None:
    draft = replace(BUILTIN, needs=(Need(1),))
    version = actions.change(by=scene.cast.carol, policy=builtin(), seen=1, draft=draft)
    assert queries.version_in_force(builtin()) == version


def test_the_pages_show_what_waits_and_who_may_confirm(scene: Scene, chris: User, client: Client) -> None:
    loosen(scene)
    added = actions.add(by=scene.cast.carol, name="Loose", draft=Draft(level=Level.RAISED))
    address = f"/policies/{builtin().pk}"
    client.force_login(scene.cast.carol)
    assert "waits for a second administrator" in html.unescape(client.get("/policies").content.decode())
    page = html.unescape(client.get(address).content.decode())
    assert "another administrator must confirm it" in page and "proposed" in page
    assert client.get(f"/policies/{added.policy_id}").status_code == 200
    assert client.post(f"{address}/confirm", {"seen": 3}).status_code == 403
    client.force_login(chris)
    assert "Confirm it" in client.get(address).content.decode()
    assert client.post(f"{address}/confirm", {"seen": 3}).status_code == 302
    assert queries.version_in_force(builtin()).number == 3
    assert client.post(f"/policies/{added.policy_id}/decline", {"seen": 1}).status_code == 302
    assert client.get(f"/policies/{added.policy_id}/change").status_code == 200
    assert client.get("/api/v1/policies").json()["items"][0]["version"] == 3
    told = client.get(f"/api/v1/policies/{added.policy_id}").json()
    assert (told["in_force"], told["proposed"]) == (False, None)
