"""The sentences of teams, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "team.bad": "{field}: found {found!r}, expected {expected}.",
    "team.in_use": "{requests} requests belong to the team {team}, so it stays. Take its people out instead.",
    "team.not_in_team": "{user} is not in {team}. Look at the list of its people again.",
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return SENTENCES[code].format_map(facts)
