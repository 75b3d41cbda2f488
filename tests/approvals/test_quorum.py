"""Signatures against needs: whose count, and that each serves one need at most."""

from __future__ import annotations

import itertools
import random

import pytest

from kafkaconsole.approvals.quorum import Least, Need, Of, Signer, counts_for, weigh, who, whose

OWN = Need(1)
OPS = Need(1, Of.TEAM, team="operations", team_name="Operations")
OTHER = Need(1, Of.OTHER_TEAM)

BOB = Signer(1, {"billing": "approver"})
OLGA = Signer(2, {"operations": "owner"})
BOTH = Signer(3, {"billing": "owner", "operations": "approver"})
MEMBER = Signer(4, {"billing": "member", "operations": "member"})


@pytest.mark.parametrize(
    ("need", "signer", "counted"),
    [
        (OWN, BOB, True),
        (OWN, OLGA, False),
        (OWN, MEMBER, False),
        (Need(1, least=Least.OWNER), BOB, False),
        (Need(1, least=Least.OWNER), BOTH, True),
        (OPS, OLGA, True),
        (OPS, BOB, False),
        (OTHER, OLGA, True),
        (OTHER, BOB, False),
        (OTHER, BOTH, False),
        (OTHER, Signer(5, {}), False),
    ],
)
def test_a_signature_counts_by_the_signers_role(need: Need, signer: Signer, counted: bool) -> None:
    assert counts_for(need, signer, "billing") is counted


def test_nothing_is_needed_of_nobody() -> None:
    assert weigh([], [BOB], "billing").missing == ()
    assert weigh([], [], "billing").needed == 0


def test_one_signature_serves_one_need() -> None:
    weighed = weigh([OWN, OPS], [BOTH], "billing")
    assert (weighed.needed, weighed.given, len(weighed.missing)) == (2, 1, 1)


def test_someone_of_two_teams_makes_room_for_someone_of_one() -> None:
    for order in itertools.permutations([BOTH, BOB]):
        weighed = weigh([OWN, OPS], order, "billing")
        assert (weighed.given, weighed.missing) == (2, ())


def test_what_is_missing_is_told_with_how_many() -> None:
    weighed = weigh([Need(3), OPS], [BOB], "billing")
    assert weighed.missing == (Need(2), OPS)


def test_signatures_beyond_the_need_do_not_count() -> None:
    assert weigh([OWN], [BOB, BOTH], "billing").given == 1


def test_as_many_needs_as_possible_are_served() -> None:
    """Against every way of giving signatures to needs, for small random cases."""
    draw = random.Random(11)
    slugs = ["billing", "operations", "search"]
    for _ in range(400):
        needs = [_any_need(draw) for _ in range(draw.randint(0, 3))]
        signers = [
            Signer(n, {s: draw.choice(["member", "approver", "owner"]) for s in slugs if draw.random() < 0.5})
            for n in range(draw.randint(0, 4))
        ]
        assert weigh(needs, signers, "billing").given == _most(needs, signers)


def _any_need(draw: random.Random) -> Need:
    of = draw.choice(list(Of))
    return Need(draw.randint(1, 2), of, draw.choice(list(Least)), "operations" if of is Of.TEAM else None, "Operations")


def _most(needs: list[Need], signers: list[Signer]) -> int:
    places = [need for need in needs for _ in range(need.count)]
    best = 0
    for seats in itertools.permutations([*signers, *[None] * len(places)], len(places)):
        pairs = zip(places, seats, strict=True)
        best = max(best, sum(s is not None and counts_for(need, s, "billing") for need, s in pairs))
    return best


def test_who_may_sign_is_told_in_words() -> None:
    assert who([OWN], "Billing", other_than="Alice") == "an approver of Billing other than Alice"
    assert who([Need(2), OPS], "Billing", other_than=None) == "2 approvers of Billing and an approver of Operations"
    assert who([OTHER], "Billing", other_than=None) == "an approver of another team than Billing"
    assert who([Need(1, least=Least.OWNER)], "Billing", other_than=None) == "an owner of Billing"
    assert whose([OWN, Need(2), OPS], "Billing") == "approvers of the team Billing or approvers of the team Operations"
