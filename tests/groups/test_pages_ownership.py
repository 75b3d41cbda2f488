"""Who owns what: everyone reads the rules, administrators write them."""

from __future__ import annotations

from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.groups import actions
from kafkaconsole.groups.models import OwnershipRule
from tests.groups.conftest import Scene


def rule(**fields: str) -> dict[str, str]:
    return {"kind": "prefix", "pattern": "billing-", "cluster": "", "team": "billing", **fields}


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/ownership").status_code == 302


def test_everyone_reads_the_rules(scene: Scene, client: Client) -> None:
    actions.add_ownership(by=scene.carol, cluster=scene.demo, kind="name", pattern="shipping", team=scene.search)
    client.force_login(scene.alice)
    html = client.get("/ownership").content.decode()
    assert "shipping" in html
    assert "Search" in html
    assert "Only an administrator" in html
    assert 'name="pattern"' not in html


def test_no_rules_yet_says_what_follows_from_it(scene: Scene, client: Client) -> None:
    client.force_login(scene.alice)
    assert "nobody can ask for its reset" in client.get("/ownership").content.decode()


def test_administrator_adds_a_rule_and_groups_change_hands(scene: Scene, client: Client) -> None:
    group = scene.group("billing-orders")
    client.force_login(scene.carol)
    assert client.post("/ownership", rule(cluster="demo")).status_code == 302
    group.refresh_from_db()
    assert group.team == scene.billing
    assert AuditEvent.objects.exclude(verb="person.signed_in").get().verb == "ownership.added"


def test_rule_that_is_there_already_keeps_what_was_typed(scene: Scene, client: Client) -> None:
    client.force_login(scene.carol)
    client.post("/ownership", rule())
    answer = client.post("/ownership", rule(team="search"))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "There is a rule for" in html
    assert 'value="billing-"' in html
    assert OwnershipRule.objects.count() == 1


def test_empty_pattern_is_refused(scene: Scene, client: Client) -> None:
    client.force_login(scene.carol)
    assert client.post("/ownership", rule(pattern="")).status_code == 422
    assert not OwnershipRule.objects.exists()


def test_others_cannot_add_or_remove_a_rule(scene: Scene, client: Client) -> None:
    made = actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="a", team=scene.billing)
    client.force_login(scene.alice)
    assert "Only an administrator" in client.post("/ownership", rule()).content.decode()
    assert client.post(f"/ownership/{made.pk}/remove").status_code == 403
    assert list(OwnershipRule.objects.all()) == [made]


def test_administrator_removes_a_rule(scene: Scene, client: Client) -> None:
    other = actions.add_ownership(by=scene.carol, cluster=None, kind="name", pattern="a", team=scene.billing)
    made = actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="a", team=scene.billing)
    client.force_login(scene.carol)
    assert client.get(f"/ownership/{made.pk}/remove").status_code == 405
    assert client.post(f"/ownership/{made.pk}/remove").status_code == 302
    assert list(OwnershipRule.objects.all()) == [other]
    assert client.post(f"/ownership/{made.pk}/remove").status_code == 404


def test_group_without_an_owner_leads_here_with_its_name(scene: Scene, client: Client) -> None:
    client.force_login(scene.carol)
    html = client.get("/ownership", {"pattern": "shipping", "team": "search"}).content.decode()
    assert 'value="shipping"' in html
    assert '<option value="search" selected>' in html
