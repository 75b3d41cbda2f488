"""Setting up policies: who may, what is refused, versions, and their record."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from kafkaconsole.approvals import actions, differences, drafts, kinds, queries
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.errors import BadPolicy, PolicyMovedOn
from kafkaconsole.approvals.models import Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Need, Of
from kafkaconsole.approvals.risk import Level
from kafkaconsole.approvals.terms import Terms
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets import governing
from kafkaconsole.resets.states import State
from kafkaconsole.resets.strategies import STRATEGIES
from tests import factories
from tests.approvals import making
from tests.scene import Scene

TWO = Draft(level=Level.HIGH, needs=(Need(2),))


def add(scene: Scene, name: str = "Two", draft: Draft = TWO) -> PolicyVersion:
    return actions.add(by=scene.cast.carol, name=name, draft=draft, note="As agreed")


def builtin() -> Policy:
    return Policy.objects.get(is_builtin=True)


def test_an_administrator_adds_a_policy_and_the_record_tells_what_it_says(scene: Scene) -> None:
    version = add(scene)
    assert (version.number, version.policy.current, version.made_by) == (1, version, scene.cast.carol)
    assert drafts.of(version) == TWO
    event = AuditEvent.objects.get(verb="policy.added")
    assert (event.actor, event.target_label, event.facts["note"]) == (scene.cast.carol, "Two", "As agreed")
    assert event.facts["changed"]["needs"] == [None, "2 approvers of the owning team"]


@pytest.mark.parametrize("name", ["alice", "bob", "dave", "eve"])
def test_nobody_else_sets_up_policies(scene: Scene, name: str) -> None:
    person = getattr(scene.cast, name)
    policy = add(scene).policy
    with pytest.raises(NotAllowed):
        actions.add(by=person, name="Mine", draft=TWO)
    with pytest.raises(NotAllowed):
        actions.change(by=person, policy=policy, seen=1, draft=Draft(level=Level.HIGH))
    with pytest.raises(NotAllowed):
        actions.switch_off(by=person, policy=policy, seen=1)


def test_a_change_is_the_next_version_and_the_one_before_stays(scene: Scene) -> None:
    first = add(scene)
    draft = replace(TWO, needs=(Need(1),), terms=Terms(ticket_needed=True))
    second = actions.change(by=scene.cast.carol, policy=first.policy, seen=1, draft=draft, note="Faster")
    assert (second.number, queries.version_in_force(first.policy)) == (2, second)
    assert drafts.of(queries.version(first.pk)) == TWO
    changed = AuditEvent.objects.get(verb="policy.changed").facts["changed"]
    assert changed == {
        "needs": ["2 approvers of the owning team", "an approver of the owning team"],
        "ticket": ["may be empty", "needed"],
    }


def test_the_same_again_is_no_version(scene: Scene) -> None:
    first = add(scene)
    assert actions.change(by=scene.cast.carol, policy=first.policy, seen=1, draft=TWO) == first
    assert not AuditEvent.objects.filter(verb="policy.changed").exists()


def test_a_change_of_what_one_has_not_seen_is_refused(scene: Scene) -> None:
    policy = add(scene).policy
    actions.change(by=scene.cast.carol, policy=policy, seen=1, draft=replace(TWO, needs=(Need(3),)))
    with pytest.raises(PolicyMovedOn):
        actions.change(by=scene.cast.carol, policy=policy, seen=1, draft=replace(TWO, needs=()))
    assert policy.versions.count() == 2


def test_a_policy_that_is_switched_off_applies_nowhere_and_can_be_taken_up_again(scene: Scene) -> None:
    policy = add(scene).policy
    actions.switch_off(by=scene.cast.carol, policy=policy, seen=1)
    assert [one.name for one in queries.in_force()] == ["Everything else"]
    actions.change(by=scene.cast.carol, policy=policy, seen=2, draft=TWO)
    assert [one.name for one in queries.in_force()] == ["Everything else", "Two"]


def test_the_builtin_policy_changes_but_stays_and_keeps_its_reach(scene: Scene) -> None:
    changed = actions.change(by=scene.cast.carol, policy=builtin(), seen=1, draft=Draft(needs=(Need(2),)))
    assert (changed.number, changed.quorum) == (2, (Need(2),))
    with pytest.raises(BadPolicy):
        actions.change(by=scene.cast.carol, policy=builtin(), seen=2, draft=TWO)
    with pytest.raises(BadPolicy):
        actions.switch_off(by=scene.cast.carol, policy=builtin(), seen=2)


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        (Draft(needs=(Need(1),)), "reach"),
        (replace(TWO, group_kind="prefix"), "group_pattern"),
        (replace(TWO, group_pattern="x"), "group_pattern"),
        (replace(TWO, group_kind="regex", group_pattern="x"), "group_kind"),
        (replace(TWO, group_kind="name", group_pattern="x" * (LONGEST_GROUP_NAME + 1)), "group_pattern"),
        (replace(TWO, strategies=("to_nowhere",)), "strategies"),
        (replace(TWO, needs=(Need(10),)), "needs"),
        (replace(TWO, needs=(Need(1),) * 6), "needs"),
        (replace(TWO, needs=(Need(1, Of.TEAM, team="nobody"),)), "needs"),
        (replace(TWO, terms=Terms(approval_life=timedelta(seconds=90))), "approval_life"),
    ],
)
def test_what_is_no_policy_is_refused_and_nothing_is_kept(scene: Scene, draft: Draft, field: str) -> None:
    with pytest.raises(BadPolicy) as refused:
        add(scene, draft=draft)
    assert refused.value.facts["field"] == field
    assert not Policy.objects.filter(name="Two").exists()


@pytest.mark.parametrize("kind", ["name", "prefix"])
def test_a_policy_is_for_a_group_whose_name_has_500_characters(scene: Scene, kind: str) -> None:
    name = "billing-" + "o" * 492
    add(scene, draft=Draft(group_kind=kind, group_pattern=name, needs=(Need(2),)))
    for group, policy in ((name[:-1], "Everything else"), (name, "Two")):
        scene.kafka.set_committed(group, {factories.hello(0): factories.at(3)})
        change = factories.make_change(group=group)
        planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka, change=change)
        assert governing.version_of(planned).name == policy


def test_the_database_holds_no_pattern_longer_than_a_name(scene: Scene) -> None:
    making.make_policy("As long", making.own(), group_kind="name", group_pattern="x" * LONGEST_GROUP_NAME)
    with pytest.raises(DatabaseError), transaction.atomic():
        making.make_policy("Longer", making.own(), group_kind="name", group_pattern="x" * (LONGEST_GROUP_NAME + 1))


def test_a_cluster_and_an_environment_are_not_both_named(scene: Scene) -> None:
    draft = replace(TWO, cluster=scene.cluster, environment=scene.cluster.environment)
    with pytest.raises(BadPolicy):
        add(scene, draft=draft)
    version = add(scene, draft=replace(TWO, cluster=scene.cluster))
    assert version.reach.environment == "staging"


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\nb", "Everything else"])
def test_a_name_that_cannot_be_used_is_refused(scene: Scene, name: str) -> None:
    with pytest.raises(BadPolicy) as refused:
        add(scene, name=name)
    assert refused.value.facts["field"] == "name"


def test_the_refusal_of_an_unknown_strategy_names_all_there_are() -> None:
    with pytest.raises(BadPolicy) as refused:
        drafts.check(replace(TWO, strategies=("to_nowhere",)))
    assert all(kind in str(refused.value.facts["expected"]) for kind in STRATEGIES)


def test_every_strategy_can_be_named(scene: Scene) -> None:
    assert set(STRATEGIES) == kinds.NAMES


def test_a_version_is_told_in_words(scene: Scene) -> None:
    draft = Draft(
        cluster=scene.cluster,
        team=scene.cast.billing,
        group_kind="prefix",
        group_pattern="billing-",
        strategies=("to_latest",),
        level=Level.RAISED,
        needs=(Need(1), Need(1, Of.OTHER_TEAM)),
    )
    version = add(scene, draft=draft)
    assert differences.reach_in_words(version) == (
        "Demo · team Billing · groups that begin with billing- · to latest · raised risk or high"
    )
    assert differences.signs_in_words(version) == (
        "an approver of the owning team and an approver of another team than the owning team"
    )
    assert differences.reach_in_words(queries.original()) == "everything"
