"""Who owns what: everyone reads the rules, administrators write them."""

from __future__ import annotations

from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.groups import actions
from kafkaconsole.groups.models import OwnershipRule
from tests.groups.conftest import Scene


def rule(**fields: str) -> dict[str, str]:
    return {"kind": "prefix", "pattern": "billing-", "place": "", "team": "billing", **fields}


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
    assert client.post("/ownership", rule(place="cluster demo")).status_code == 302
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


def test_tester_says_who_owns_a_name_and_why(scene: Scene, client: Client) -> None:
    for pattern, team in (("billing-", scene.billing), ("b", scene.search)):
        actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern=pattern, team=team)
    client.force_login(scene.alice)
    html = client.get("/ownership", {"on": "demo", "group": "billing-orders"}).content.decode()
    assert "Owner on Demo:" in html
    assert "the rule that decides fixes more characters" in html
    assert "Nobody owns it on Demo" in client.get("/ownership", {"on": "demo", "group": "x"}).content.decode()
    assert "not one of the available" in client.get("/ownership", {"on": "nowhere", "group": "x"}).content.decode()


def test_ties_stand_on_the_page_of_administrators_alone(scene: Scene, client: Client) -> None:
    scene.group("billing-eu")
    for pattern, team in (("b*u", scene.billing), ("*eu", scene.search)):
        actions.add_ownership(by=scene.carol, cluster=None, kind="glob", pattern=pattern, team=team)
    client.force_login(scene.carol)
    html = client.get("/ownership", {"on": "demo", "group": "billing-eu"}).content.decode()
    assert "Ties" in html and "Two teams have the same right to it" in html
    client.force_login(scene.alice)
    assert "Ties" not in client.get("/ownership").content.decode()


def test_administrator_adds_a_pattern_for_an_environment(scene: Scene, client: Client) -> None:
    client.force_login(scene.carol)
    answer = client.post("/ownership", rule(kind="regex", pattern="billing-[0-9]+", place="environment test"))
    assert answer.status_code == 302
    made = OwnershipRule.objects.get()
    assert (made.environment, made.cluster, made.kind) == (scene.demo.environment, None, "regex")
    assert "all of Test" in client.get("/ownership").content.decode()


def test_unsafe_pattern_is_refused_with_what_to_do(scene: Scene, client: Client) -> None:
    client.force_login(scene.carol)
    answer = client.post("/ownership", rule(kind="regex", pattern="(?=a)b"))
    assert answer.status_code == 422
    assert "a regular expression that RE2 reads" in answer.content.decode()
