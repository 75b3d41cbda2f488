"""Which policy applies: the most exact wins, and a tie is an error."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from kafkaconsole.approvals.choosing import GroupPattern, Reach, Subject, choose, ties
from kafkaconsole.approvals.errors import AmbiguousPolicy, NoPolicy
from kafkaconsole.approvals.risk import Level


@dataclass(frozen=True)
class P:
    name: str
    reach: Reach


EVERYWHERE = P("everywhere", Reach())
PROD = P("prod", Reach(environment="prod"))
BILLING = P("billing", Reach(team="billing"))
SUBJECT = Subject("prod", "main", "billing", "billing-orders", "to_latest", Level.RAISED)


def chosen(*policies: P, subject: Subject = SUBJECT) -> str:
    return choose(policies, subject).chosen.name


@pytest.mark.parametrize(
    "reach",
    [
        Reach(environment="prod"),
        Reach(environment="prod", cluster="main"),
        Reach(team="billing"),
        Reach(group=GroupPattern("billing-", is_prefix=True)),
        Reach(group=GroupPattern("billing-orders", is_prefix=False)),
        Reach(strategies=frozenset({"to_latest", "shift_by"})),
        Reach(level=Level.RAISED),
    ],
)
def test_any_condition_is_more_exact_than_none(reach: Reach) -> None:
    assert chosen(EVERYWHERE, P("exact", reach)) == "exact"


@pytest.mark.parametrize(
    "reach",
    [
        Reach(environment="staging"),
        Reach(environment="prod", cluster="other"),
        Reach(team="search"),
        Reach(group=GroupPattern("billing-x", is_prefix=True)),
        Reach(group=GroupPattern("billing", is_prefix=False)),
        Reach(strategies=frozenset({"to_earliest"})),
        Reach(level=Level.HIGH),
    ],
)
def test_a_policy_for_something_else_does_not_apply(reach: Reach) -> None:
    assert chosen(EVERYWHERE, P("other", reach)) == "everywhere"


def test_a_cluster_is_more_exact_than_its_environment() -> None:
    assert chosen(PROD, P("cluster", Reach(environment="prod", cluster="main"))) == "cluster"


def test_a_name_is_more_exact_than_a_prefix_and_a_longer_prefix_than_a_shorter_one() -> None:
    short = P("short", Reach(group=GroupPattern("billing", is_prefix=True)))
    long = P("long", Reach(group=GroupPattern("billing-", is_prefix=True)))
    exact = P("exact", Reach(group=GroupPattern("billing-orders", is_prefix=False)))
    assert chosen(short, long) == "long"
    assert chosen(exact, short, long) == "exact"


def test_a_higher_risk_is_more_exact_than_a_lower_one() -> None:
    raised, high = P("raised", Reach(level=Level.RAISED)), P("high", Reach(level=Level.HIGH))
    assert chosen(EVERYWHERE, raised, high) == "raised"
    assert chosen(raised, high, subject=Subject("prod", "main", "b", "g", "to_latest", Level.HIGH)) == "high"


def test_two_that_apply_for_different_reasons_are_a_tie_and_are_named() -> None:
    with pytest.raises(AmbiguousPolicy) as refused:
        chosen(EVERYWHERE, PROD, BILLING)
    assert refused.value.facts["policies"] == ["billing", "prod"]


def test_a_policy_for_what_two_have_in_common_settles_their_tie() -> None:
    both = P("both", Reach(environment="prod", team="billing"))
    assert chosen(EVERYWHERE, PROD, BILLING, both) == "both"
    assert ties([EVERYWHERE, PROD, BILLING]) == [(PROD, BILLING)]
    assert ties([EVERYWHERE, PROD, BILLING, both]) == []


def test_the_same_reach_twice_is_a_tie_that_nothing_settles() -> None:
    again = P("again", Reach(environment="prod"))
    with pytest.raises(AmbiguousPolicy):
        chosen(PROD, again)
    assert ties([PROD, again, P("inside", Reach(environment="prod", team="billing"))]) == [(PROD, again)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Reach(environment="prod"), Reach(environment="staging", team="billing")),
        (Reach(team="a", group=GroupPattern("x-", True)), Reach(environment="prod", group=GroupPattern("y-", True))),
        (Reach(team="a", strategies=frozenset({"a"})), Reach(environment="prod", strategies=frozenset({"b"}))),
    ],
)
def test_policies_that_never_apply_together_are_no_tie(one: Reach, other: Reach) -> None:
    assert ties([P("one", one), P("other", other)]) == []


def test_nothing_that_applies_is_an_error() -> None:
    with pytest.raises(NoPolicy):
        chosen(P("staging", Reach(environment="staging")))


def test_ties_foretell_what_choosing_refuses() -> None:
    """Over many random sets of policies: a set without ties never refuses, whatever is asked for."""
    draw = random.Random(5)
    free = tied = 0
    for _ in range(1500):
        policies = [EVERYWHERE, *(P(str(n), _any_reach(draw)) for n in range(draw.randint(1, 4)))]
        subjects = [_any_subject(draw) for _ in range(25)]
        if ties(policies):
            tied += 1
            continue
        free += 1
        for subject in subjects:
            inner = choose(policies, subject).chosen
            assert all(inner.reach.is_within(one.reach) for one in policies if one.reach.matches(subject))
    assert free > 100 and tied > 100


def test_what_lies_within_matches_less() -> None:
    draw = random.Random(7)
    within = 0
    for _ in range(4000):
        one, other, subject = _any_reach(draw), _any_reach(draw), _any_subject(draw)
        if one.is_within(other):
            within += 1
            assert other.matches(subject) or not one.matches(subject)
    assert within > 100


def _any_reach(draw: random.Random) -> Reach:
    cluster = draw.choice([None, None, "main"])
    pattern = draw.choice(["a", "ab", "abc"])
    return Reach(
        environment="prod" if cluster else draw.choice([None, "prod", "staging"]),
        cluster=cluster,
        team=draw.choice([None, None, "billing", "search"]),
        group=draw.choice([None, GroupPattern(pattern, draw.random() < 0.7)]),
        strategies=draw.choice([frozenset(), frozenset({"x"}), frozenset({"x", "y"})]),
        level=draw.choice(list(Level)),
    )


def _any_subject(draw: random.Random) -> Subject:
    environment = draw.choice(["prod", "staging"])
    return Subject(
        environment,
        "main" if environment == "prod" else "other",
        draw.choice(["billing", "search"]),
        draw.choice(["a", "ab", "abc", "abcd", "b"]),
        draw.choice(["x", "y", "z"]),
        draw.choice(list(Level)),
    )
