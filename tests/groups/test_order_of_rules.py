"""The order of ownership rules is total: kind, fixed characters, place; what is equal in all three is a tie."""

from __future__ import annotations

import itertools
import logging
import random

import pytest
from django.db import IntegrityError, connection, transaction

from kafkaconsole.clusters import actions as clusters
from kafkaconsole.clusters.models import Environment
from kafkaconsole.groups import actions, ownership, queries, trying
from kafkaconsole.groups.errors import AmbiguousOwner, BadOwnership
from kafkaconsole.groups.matching import Kind
from kafkaconsole.groups.models import OwnershipRule
from kafkaconsole.groups.ownership import Place, Rule, RuleBook
from tests.groups.conftest import Scene

GROUP = "billing-orders-eu"
ORDERED = [
    (Kind.NAME, GROUP), (Kind.PREFIX, "billing-"), (Kind.PREFIX, "b"), (Kind.GLOB, "billing-*-eu"), (Kind.GLOB, "*-eu"),
    (Kind.GLOB, "*"), (Kind.REGEX, "billing-(orders|refunds)-eu"),
]  # fmt: skip
"""Patterns that match GROUP, the most exact first."""
PLACES = (Place.CLUSTER, Place.ENVIRONMENT, Place.EVERYWHERE)


def test_the_most_exact_rule_wins_in_whatever_order_rules_come() -> None:
    rules = [
        Rule(kind, pattern, place, number, f"team-{number}")
        for number, ((kind, pattern), place) in enumerate(itertools.product(ORDERED, PLACES))
    ]
    shuffled = random.Random(7).sample(rules, len(rules))
    for first in range(len(rules)):
        left = [rule for rule in shuffled if rule.team_id >= first]
        assert RuleBook(left).owner_of(GROUP) == rules[first]
    finding = RuleBook(shuffled).find(GROUP)
    assert (finding.group, [*finding.best, *finding.lost]) == (GROUP, rules)


@pytest.mark.parametrize("kind, one, other", [(Kind.GLOB, "bill*", "*s-eu"), (Kind.REGEX, ".*", "billing.*")])
def test_equals_of_two_teams_are_a_tie_and_of_one_team_are_not(kind: Kind, one: str, other: str) -> None:
    pair = [
        Rule(kind, pattern, Place.CLUSTER, number, f"t{number}") for number, pattern in enumerate(("x", one, other))
    ]
    with pytest.raises(AmbiguousOwner):
        RuleBook(pair[1:]).owner_of(GROUP)
    same = [Rule(kind, pattern, Place.CLUSTER, 1, "t1") for pattern in (one, other)]
    found = RuleBook(same).owner_of(GROUP)
    assert found is not None and found.team_slug == "t1"


def test_a_more_exact_place_settles_what_would_be_a_tie() -> None:
    rules = [Rule(Kind.REGEX, ".*", Place.CLUSTER, 1, "a"), Rule(Kind.REGEX, "b.*", Place.ENVIRONMENT, 2, "b")]
    assert RuleBook(rules).owner_of(GROUP) == rules[0]


def test_a_rule_of_an_environment_counts_on_its_clusters_alone(scene: Scene) -> None:
    elsewhere = Environment.objects.create(slug="prod", name="Production")
    scene.other.environment = elsewhere
    scene.other.save()
    here, there = scene.group(GROUP), scene.group(GROUP, scene.other)
    actions.add_ownership(
        by=scene.carol, cluster=None, environment=elsewhere, kind="glob", pattern="*-eu", team=scene.billing
    )
    here.refresh_from_db()
    there.refresh_from_db()
    assert (here.team, there.team) == (None, scene.billing)
    clusters.change(cluster=scene.other, by=scene.carol, environment=scene.demo.environment)
    there.refresh_from_db()
    assert there.team is None, "the cluster moved to where the rule does not count"


def test_the_tester_says_which_rule_wins_and_why_the_others_lost(scene: Scene) -> None:
    def add(kind: str, pattern: str, **place: object) -> None:
        where = {"cluster": scene.demo, "environment": None, **place}
        actions.add_ownership(by=scene.carol, kind=kind, pattern=pattern, team=scene.billing, **where)  # type: ignore[arg-type]

    add("prefix", "billing-")
    add("prefix", "bill")
    add("glob", "b*")
    add("prefix", "billing-", cluster=None)
    add("prefix", "billing-", cluster=None, environment=scene.demo.environment)
    tried = trying.who_owns(scene.carol, scene.demo, GROUP)
    assert tried.rule is not None and tried.rule.cluster == scene.demo
    assert [str(one.why) for one in tried.lost] == [
        "a rule for this cluster goes before it",
        "a rule for this cluster goes before it",
        "the rule that decides fixes more characters",
        "a beginning goes before it",
    ]
    assert trying.who_owns(scene.carol, scene.demo, "nobody-s").rule is None


def test_ties_among_known_groups_are_shown_to_administrators_alone(scene: Scene) -> None:
    for pattern, team in (("bill*", scene.billing), ("*s-eu", scene.search)):
        actions.add_ownership(by=scene.carol, cluster=None, kind="glob", pattern=pattern, team=team)
    tied = scene.group(GROUP)
    scene.group("billing-orders")
    scene.group("shipping")
    assert [tie.finding.group for tie in queries.ties_for(scene.carol)] == [GROUP]
    assert queries.ties_for(scene.alice) == []
    assert tied.team is None
    with pytest.raises(AmbiguousOwner):
        queries.owner_of(scene.demo, GROUP)
    actions.add_ownership(by=scene.carol, cluster=scene.demo, kind="name", pattern=GROUP, team=scene.search)
    assert queries.ties_for(scene.carol) == []


def test_a_place_is_a_cluster_or_an_environment_never_both(scene: Scene) -> None:
    with pytest.raises(BadOwnership) as refused:
        actions.add_ownership(
            by=scene.carol, cluster=scene.demo, environment=scene.demo.environment, kind="name", pattern="a",
            team=scene.billing,
        )  # fmt: skip
    assert refused.value.facts["field"] == "environment"


@pytest.mark.parametrize(
    "cluster, environment, kind, pattern",
    [
        ("demo", "test", "name", "a"), (None, None, "like", "a"), (None, None, "regex", "a" * 201),
        (None, None, "name", ""), (None, None, "prefix", "taken"), (None, "test", "prefix", "taken"),
    ],
)  # fmt: skip
def test_the_database_refuses_what_is_no_rule(
    scene: Scene, cluster: str | None, environment: str | None, kind: str, pattern: str
) -> None:
    for taken in (None, scene.demo.environment):
        OwnershipRule.objects.create(environment=taken, kind="prefix", pattern="taken", team=scene.billing)
    place = scene.demo.environment_id if environment else None
    values = [scene.demo.pk if cluster else None, place, kind, pattern, scene.search.pk]
    columns = "cluster_id, environment_id, kind, pattern, team_id"
    sql = f"INSERT INTO groups_ownershiprule ({columns}) VALUES (%s, %s, %s, %s, %s)"  # noqa: S608  no data in it
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_a_rule_that_cannot_be_read_is_noted_with_its_key() -> None:
    noted: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = noted.append  # type: ignore[method-assign,assignment]
    ownership.logger.addHandler(handler)
    try:
        RuleBook([Rule(Kind.REGEX, "(", Place.CLUSTER, 1, "a", key=7)])
    finally:
        ownership.logger.removeHandler(handler)
    (record,) = noted
    assert record.getMessage() == "an ownership rule cannot be read and gives no group to anybody"
    assert record.__dict__["rule"] == 7


def test_a_pattern_that_came_past_the_door_gives_nothing_to_anybody(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    OwnershipRule.objects.create(kind="regex", pattern="(", team=scene.billing)
    assert queries.owner_of(scene.demo, "(") is None
    assert "cannot be read" in caplog.text
