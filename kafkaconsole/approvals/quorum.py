"""Which signatures a policy needs, which of them are there, and who could give the rest: plain Python, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kafkaconsole.words import Words, counted, words


class Of(StrEnum):
    """Whose approvers a signature is needed from."""

    OWN_TEAM = "own_team"
    OTHER_TEAM = "other_team"
    TEAM = "team"


class Least(StrEnum):
    """The least role that counts; an owner may do what an approver may."""

    APPROVER = "approver"
    OWNER = "owner"


COUNTED: Mapping[Least, frozenset[str]] = {
    Least.APPROVER: frozenset({"approver", "owner"}),
    Least.OWNER: frozenset({"owner"}),
}


@dataclass(frozen=True, slots=True)
class Need:
    """So many signatures of the group's own team, of anyone outside it who signs for another team, or of one named
    team (`team` is its slug, `team_name` what pages show)."""

    count: int
    of: Of = Of.OWN_TEAM
    least: Least = Least.APPROVER
    team: str | None = None
    team_name: str = ""


@dataclass(frozen=True, slots=True)
class Signer:
    """Someone who signed, or could: `roles` is the role by team slug, as it is now."""

    key: int
    roles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Weighed:
    """How many signatures are needed, how many of those that were given count, and what is still missing."""

    needed: int
    given: int
    missing: tuple[Need, ...]


def counts_for(need: Need, signer: Signer, own: str) -> bool:
    """Whether this person's signature can serve this need, for a group of the team `own`."""
    roles = COUNTED[need.least]
    match need.of:
        case Of.OWN_TEAM:
            return signer.roles.get(own) in roles
        case Of.TEAM:
            return signer.roles.get(str(need.team)) in roles
        case Of.OTHER_TEAM:
            return own not in signer.roles and any(role in roles for role in signer.roles.values())


def weigh(needs: Sequence[Need], signers: Sequence[Signer], own: str) -> Weighed:
    """Give every signature to at most one need, so that as many needs as possible are served.

    Someone of two teams may serve either: which one is decided so that nobody has to sign who need not.
    """
    places = [number for number, need in enumerate(needs) for _ in range(need.count)]
    taken: dict[int, Signer] = {}
    for signer in signers:
        _seat(signer, needs, places, taken, own, set())
    served = [places[place] for place in taken]
    missing = [(need, need.count - served.count(number)) for number, need in enumerate(needs)]
    return Weighed(len(places), len(taken), tuple(replace(need, count=left) for need, left in missing if left > 0))


def _seat(
    signer: Signer, needs: Sequence[Need], places: Sequence[int], taken: dict[int, Signer], own: str, tried: set[int]
) -> bool:
    """An augmenting path: take a free place, or one whose holder can move to another."""
    for place, number in enumerate(places):
        if place in tried or not counts_for(needs[number], signer, own):
            continue
        tried.add(place)
        if place not in taken or _seat(taken[place], needs, places, taken, own, tried):
            taken[place] = signer
            return True
    return False


def who(needs: Sequence[Need], team: str, *, other_than: str | None) -> str:
    """“an approver of Billing other than Alice and 2 approvers of Operations”: who may give these signatures.

    `team` is the name of the group's own team; `other_than` whoever asked, where they may not sign.
    """
    if not needs:
        return ""
    told = _number(needs[0], team)
    for need in needs[1:]:
        told = words("{first} and {second}", first=told, second=_number(need, team))
    return words("{who} other than {requester}", who=told, requester=other_than) if other_than else told


def whose(needs: Sequence[Need], team: str) -> str:
    """“approvers of the team Billing”: the same for a sentence about everyone who may sign."""
    first, *others = dict.fromkeys(_everyone(need, team) for need in needs)
    told = first
    for other in others:
        told = words("{first} or {second}", first=told, second=other)
    return told


def _number(need: Need, team: str) -> Words:
    named = {"team": need.team_name if need.of is Of.TEAM else team}
    if need.of is Of.OTHER_TEAM:
        if need.least is Least.OWNER:
            return counted(
                "an owner of another team than {team}",
                "{count} owners of another team than {team}",
                need.count,
                **named,
            )
        return counted(
            "an approver of another team than {team}",
            "{count} approvers of another team than {team}",
            need.count,
            **named,
        )
    if need.least is Least.OWNER:
        return counted("an owner of {team}", "{count} owners of {team}", need.count, **named)
    return counted("an approver of {team}", "{count} approvers of {team}", need.count, **named)


def _everyone(need: Need, team: str) -> Words:
    named = {"team": need.team_name if need.of is Of.TEAM else team}
    if need.of is Of.OTHER_TEAM:
        if need.least is Least.OWNER:
            return words("owners of another team than {team}", **named)
        return words("approvers of another team than {team}", **named)
    if need.least is Least.OWNER:
        return words("owners of the team {team}", **named)
    return words("approvers of the team {team}", **named)
