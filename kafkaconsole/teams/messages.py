"""The sentences of teams, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "team.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "team.in_use": phrase("{requests} requests belong to the team {team}, so it stays. Take its people out instead."),
    "delegation.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "delegation.overlaps": phrase(
        "{to} signs for you from {starts_at} until {ends_at} already. End that first, or choose another time."
    ),
    "delegation.over": phrase("{to} no longer signs for you: that ended at {at}."),
    "team.not_in_team": phrase("{user} is not in {team}. Look at the list of its people again."),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return words(SENTENCES[code], **facts)
