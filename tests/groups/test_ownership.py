"""Who owns a group: by the order of kinds, then of exactness, then of places; and what may be no rule at all."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, IntegrityError, transaction

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.groups import actions, queries
from kafkaconsole.groups.errors import AmbiguousOwner, BadOwnership, OwnershipGone, OwnershipTaken
from kafkaconsole.groups.matching import Kind
from kafkaconsole.groups.models import OwnershipKind, OwnershipRule
from kafkaconsole.groups.ownership import Place, Rule, RuleBook
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from tests.groups.conftest import Scene

BILLING, SEARCH = (1, "billing"), (2, "search")


def rule(
    pattern: str, team: tuple[int, str], *, is_prefix: bool = True, everywhere: bool = False, kind: Kind | None = None,
    place: Place | None = None,
) -> Rule:  # fmt: skip
    kind = kind or (Kind.PREFIX if is_prefix else Kind.NAME)
    return Rule(kind, pattern, place or (Place.EVERYWHERE if everywhere else Place.CLUSTER), *team)


def owner(group: str, *rules: Rule) -> str | None:
    found = RuleBook(rules).owner_of(group)
    return found.team_slug if found else None


def test_an_exact_name_wins_over_the_longest_prefix() -> None:
    rules = rule("bill", SEARCH, is_prefix=False, everywhere=True), rule("bill", BILLING)
    assert owner("bill", *rules) == "search"
    assert owner("billing", *rules) == "billing"


def test_a_longer_prefix_wins_even_when_made_for_all_clusters() -> None:
    assert owner("billing-eu", rule("bill", SEARCH), rule("billing", BILLING, everywhere=True)) == "billing"


def test_the_clusters_own_rule_wins_at_the_same_pattern() -> None:
    assert owner("billing", rule("bill", SEARCH, everywhere=True), rule("bill", BILLING)) == "billing"


def test_patterns_are_compared_letter_by_letter() -> None:
    assert owner("Billing", rule("bill", BILLING)) is None
    assert owner("bil", rule("bill", BILLING)) is None


def test_a_tie_is_an_error_and_names_both_teams() -> None:
    with pytest.raises(AmbiguousOwner) as refused:
        owner("billing", rule("bill", SEARCH), rule("bill", BILLING))
    patterns = ["prefix bill", "prefix bill"]
    assert refused.value.facts == {"group": "billing", "patterns": patterns, "teams": ["billing", "search"]}
    with pytest.raises(AmbiguousOwner) as refused:
        owner("bill", *(rule("bill", team, is_prefix=False) for team in (SEARCH, BILLING)))
    assert refused.value.facts["teams"] == ["billing", "search"]


def test_the_database_refuses_a_second_rule_for_a_pattern(scene: Scene) -> None:
    for cluster in (None, scene.demo):
        OwnershipRule.objects.create(cluster=cluster, kind=OwnershipKind.PREFIX, pattern="bill", team=scene.billing)
        with pytest.raises(IntegrityError), transaction.atomic():
            OwnershipRule.objects.create(cluster=cluster, kind=OwnershipKind.PREFIX, pattern="bill", team=scene.search)


@pytest.mark.parametrize("kind", [Kind.NAME, Kind.PREFIX])
def test_a_rule_owns_a_group_whose_name_has_500_characters(scene: Scene, kind: Kind) -> None:
    name = "billing-" + "o" * 492
    actions.add_ownership(by=scene.carol, cluster=None, kind=kind, pattern=name, team=scene.billing)
    assert queries.owner_of(scene.demo, name) == scene.billing
    assert queries.owner_of(scene.demo, name[:-1]) is None


def test_the_database_holds_no_pattern_longer_than_a_name(scene: Scene) -> None:
    OwnershipRule.objects.create(kind=OwnershipKind.NAME, pattern="x" * LONGEST_GROUP_NAME, team=scene.billing)
    with pytest.raises(DatabaseError), transaction.atomic():
        OwnershipRule.objects.create(
            kind=OwnershipKind.NAME, pattern="x" * (LONGEST_GROUP_NAME + 1), team=scene.billing
        )


def test_a_group_nobody_has_seen_has_an_owner(scene: Scene) -> None:
    actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="bill", team=scene.billing)
    assert queries.owner_of(scene.demo, "billing-new") == scene.billing
    assert queries.owner_of(scene.demo, "search") is None


def test_groups_change_hands_when_rules_change(scene: Scene) -> None:
    here, there = scene.group("billing"), scene.group("billing", scene.other)
    actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="bill", team=scene.billing)
    actions.add_ownership(by=scene.carol, cluster=scene.demo, kind="name", pattern="billing", team=scene.search)
    here.refresh_from_db()
    there.refresh_from_db()
    assert (here.team, there.team) == (scene.search, scene.billing)
    actions.remove_ownership(by=scene.carol, cluster=scene.demo, kind="name", pattern="billing")
    here.refresh_from_db()
    assert here.team == scene.billing


def test_changes_of_ownership_are_recorded(scene: Scene) -> None:
    scene.group("billing")
    actions.add_ownership(by=scene.carol, cluster=scene.demo, kind="prefix", pattern="bill", team=scene.billing)
    actions.remove_ownership(by=scene.carol, cluster=scene.demo, kind="prefix", pattern="bill")
    removed, added = AuditEvent.objects.all()
    facts = {
        "cluster": "demo",
        "environment": None,
        "kind": "prefix",
        "pattern": "bill",
        "team": "billing",
        "groups": 1,
    }
    assert (added.verb, added.actor, added.facts) == ("ownership.added", scene.carol, facts)
    assert (removed.verb, removed.target_id, removed.facts) == ("ownership.removed", added.target_id, facts)


def test_only_administrators_say_who_owns_what(scene: Scene) -> None:
    with pytest.raises(NotAllowed):
        actions.add_ownership(by=scene.alice, cluster=None, kind="prefix", pattern="bill", team=scene.billing)
    assert not OwnershipRule.objects.exists()


def test_a_taken_pattern_is_refused_and_names_the_team(scene: Scene) -> None:
    actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="bill", team=scene.billing)
    with pytest.raises(OwnershipTaken) as refused:
        actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="bill", team=scene.search)
    assert refused.value.facts["team"] == "billing"


def test_a_rule_that_is_gone_cannot_be_removed(scene: Scene) -> None:
    with pytest.raises(OwnershipGone):
        actions.remove_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="bill")


@pytest.mark.parametrize(
    ("kind", "pattern", "field"),
    [("like", "a", "kind"), ("name", "", "pattern"), ("name", "x" * 513, "pattern"), ("name", "a\0", "pattern")],
)
def test_a_rule_that_cannot_be_is_refused(scene: Scene, kind: str, pattern: str, field: str) -> None:
    with pytest.raises(BadOwnership) as refused:
        actions.add_ownership(by=scene.carol, cluster=None, kind=kind, pattern=pattern, team=scene.billing)
    assert refused.value.facts["field"] == field


def test_rules_are_listed_for_those_who_are_signed_in(scene: Scene) -> None:
    rule = actions.add_ownership(by=scene.carol, cluster=None, kind="prefix", pattern="bill", team=scene.billing)
    assert list(queries.rules_for(scene.alice)) == [rule]
    assert not queries.rules_for(AnonymousUser()).exists()
