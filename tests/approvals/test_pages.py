"""The pages of policies: the list with its ties, a policy with its versions, the form and the tester."""

from __future__ import annotations

import html

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from kafkaconsole.approvals import drafts, queries
from kafkaconsole.approvals.forms import PolicyForm
from kafkaconsole.approvals.models import Policy
from kafkaconsole.approvals.quorum import Need, Of
from kafkaconsole.approvals.risk import LEVELS
from kafkaconsole.approvals.terms import OVERRIDERS
from kafkaconsole.clusters.models import Cluster
from tests.approvals import making
from tests.scene import Scene


def page(answer: object) -> str:
    assert isinstance(answer, HttpResponse)
    return html.unescape(answer.content.decode())


@pytest.fixture
def carol(client: Client, scene: Scene) -> Client:
    client.force_login(scene.cast.carol)
    return client


def typed(**fields: object) -> dict[str, object]:
    rows = {f"need_{row}_count": "" for row in range(drafts.MOST_NEEDS)}
    hours = {"windows": "", "freezes": "", "zone": "UTC", "override_by": "nobody"}
    return {"level": "low", "reason_least": 1, "note": "", **hours, **rows, **fields}


def test_everyone_reads_policies_and_only_administrators_are_offered_to_change_them(
    scene: Scene, client: Client
) -> None:
    version = making.make_policy("Two", making.own(2), level="high")
    client.force_login(scene.cast.alice)
    told = page(client.get("/policies"))
    assert "Everything else" in told and "2 approvers of the owning team" in told
    assert "Add a policy" not in told
    one = page(client.get(f"/policies/{version.policy_id}"))
    assert "high risk" in one and "Switch off" not in one
    for address in ("/policies/new", f"/policies/{version.policy_id}/change"):
        assert client.get(address).status_code == 403
    assert client.post(f"/policies/{version.policy_id}/off", {"seen": 1}).status_code == 403
    assert client.get("/policies/999").status_code == 404


def test_nobody_reads_them_without_signing_in(client: Client, scene: Scene) -> None:
    for address in ("/policies", "/policies/1", "/policies/new", "/policies/try"):
        assert client.get(address).status_code == 302


def test_a_policy_is_added_with_the_form(scene: Scene, carol: Client) -> None:
    operations = making.make_operations(scene.cast)
    assert carol.get("/policies/new").status_code == 200
    fields = typed(
        name="Both",
        team=scene.cast.billing.pk,
        strategies=["to_latest", "shift_by"],
        need_0_count=1,
        need_0_least="owner",
        need_0_of="own_team",
        need_1_count=2,
        need_1_least="approver",
        need_1_of="team:operations",
        approval_life="1d 4h",
        ticket_needed="on",
        ticket_pattern="OPS-#",
        note="Agreed in May",
    )
    answer = carol.post("/policies/new", fields)
    policy = Policy.objects.get(name="Both")
    assert answer.headers["Location"] == f"/policies/{policy.pk}"
    version = queries.version_in_force(policy)
    assert [(one.count, one.of, one.least, one.team) for one in version.quorum] == [
        (1, Of.OWN_TEAM, "owner", None),
        (2, Of.TEAM, "approver", operations.slug),
    ]
    assert version.strategies == ["shift_by", "to_latest"]
    told = page(carol.get(f"/policies/{policy.pk}"))
    assert "1d 4h" in told and "needed, like OPS-#" in told and "Agreed in May" in told


def test_what_cannot_be_a_policy_is_told_at_its_field_and_keeps_what_was_typed(carol: Client, scene: Scene) -> None:
    answer = carol.post("/policies/new", typed(name="Mine", team=scene.cast.billing.pk, approval_life="soon"))
    assert answer.status_code == 422
    assert "Write it like 2d 4h 30min." in page(answer) and 'value="soon"' in page(answer)
    answer = carol.post("/policies/new", typed(name="Mine"))
    assert answer.status_code == 422 and "a condition" in page(answer)
    assert not Policy.objects.filter(name="Mine").exists()


def test_a_change_shows_what_differs(carol: Client, scene: Scene) -> None:
    policy = making.make_policy("Two", making.own(2), level="high").policy
    form = page(carol.get(f"/policies/{policy.pk}/change"))
    assert 'name="need_0_count" value="2"' in form and 'name="seen" value="1"' in form
    fields = typed(level="high", need_0_count=1, seen=1, note="Faster")
    assert carol.post(f"/policies/{policy.pk}/change", fields).status_code == 302
    told = page(carol.get(f"/policies/{policy.pk}"))
    assert "<del>2 approvers of the owning team</del> → <ins>an approver of the owning team</ins>" in told
    assert carol.post(f"/policies/{policy.pk}/change", fields).status_code == 409


def test_a_change_on_the_page_keeps_every_row_that_a_policy_may_have(carol: Client, scene: Scene) -> None:
    needs = [making.own(count) for count in range(1, drafts.MOST_NEEDS + 1)]
    policy = making.make_policy("Many", *needs, team=scene.cast.billing).policy
    form = carol.get(f"/policies/{policy.pk}/change").context["form"]
    shown = {name: getattr(value, "pk", value) for name, value in form.initial.items() if value is not None}
    fields = typed(**shown | {"note": "Again", "reason_least": 20, "seen": 1})
    answer = carol.post(f"/policies/{policy.pk}/change", fields)
    assert answer.status_code == 302, answer.context["form"].errors
    changed = queries.version_in_force(policy)
    assert (changed.number, [one.count for one in changed.quorum]) == (2, [1, 2, 3, 4, 5])


def test_the_builtin_policy_has_no_conditions_to_set(carol: Client, scene: Scene) -> None:
    policy = Policy.objects.get(is_builtin=True)
    form = page(carol.get(f"/policies/{policy.pk}/change"))
    assert 'name="need_0_count"' in form and 'name="environment"' not in form
    assert carol.post(f"/policies/{policy.pk}/change", typed(need_0_count=2, seen=1)).status_code == 302
    assert queries.version_in_force(Policy.objects.get(pk=policy.pk)).quorum == (Need(2),)


def test_a_policy_is_switched_off(carol: Client, scene: Scene) -> None:
    policy = making.make_policy("Two", making.own(2), level="high").policy
    assert carol.post(f"/policies/{policy.pk}/off", {"seen": 1}).status_code == 302
    assert "switched off" in page(carol.get("/policies"))
    assert "Switch off" not in page(carol.get(f"/policies/{policy.pk}"))


def test_administrators_are_told_of_ties(carol: Client, client: Client, scene: Scene) -> None:
    making.make_policy("Staging", making.own(), environment=scene.cluster.environment)
    making.make_policy("Billing", making.own(2), team=scene.cast.billing)
    assert "neither is the more exact" in page(carol.get("/policies"))
    client.force_login(scene.cast.bob)
    assert "neither is the more exact" not in page(client.get("/policies"))


def test_the_tester_names_the_policy_the_risk_and_why_not_the_others(scene: Scene, client: Client) -> None:
    making.make_policy("High", making.own(2), level="high")
    making.make_policy("Search", making.own(), team=scene.cast.search)
    client.force_login(scene.cast.alice)
    asked = {"cluster": "demo", "group": "billing-orders", "strategy": "to_latest"}
    told = page(client.get("/policies/try", asked))
    assert "This one applies" in told and "it is for a higher risk" in told and "it is for another team" in told
    told = page(client.get("/policies/try", asked | {"skipped": 7}))
    assert "2 approvers of the owning team" in told
    assert "7 offsets are skipped and never read." in told
    assert "would apply, and is not the most exact" in told


def test_the_tester_says_a_tie_and_a_group_that_nobody_owns(scene: Scene, client: Client) -> None:
    making.make_policy("Staging", making.own(), environment=scene.cluster.environment)
    making.make_policy("Billing", making.own(2), team=scene.cast.billing)
    client.force_login(scene.cast.alice)
    asked = {"cluster": "demo", "group": "billing-orders", "strategy": "to_latest"}
    assert "none is the most exact: Billing, Staging" in page(client.get("/policies/try", asked))
    assert "No team owns that group" in page(client.get("/policies/try", asked | {"group": "other"}))
    assert client.get("/policies/try", asked | {"cluster": "nowhere"}).status_code == 200


def test_the_form_names_risks_and_who_sets_windows_aside_as_the_policy_does_in_each_language(scene: Scene) -> None:
    form = PolicyForm(None, version=None, clusters=list(Cluster.objects.all()), teams=[])
    for field, said in (("level", LEVELS), ("override_by", OVERRIDERS)):
        for language in ("en", "ko"):
            with translation.override(language):
                drawn = html.unescape(str(form[field]))
                assert [one.said() for one in said.values() if f">{one.said()}</option>" not in drawn] == []
                assert (language == "en") is all(one.said() == one for one in said.values())
