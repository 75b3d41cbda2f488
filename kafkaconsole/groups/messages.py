"""The sentences of ownership and groups, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "group.ambiguous_owner": phrase(
        "Rules of the same rank ({patterns}) give the group {group!r} to different teams ({teams}). "
        "An administrator has to remove one of them, or add a more exact one."
    ),
    "ownership.bad_rule": phrase("{field}: found {found!r}, expected {expected}."),
    "ownership.taken": phrase(
        "There is a rule for {pattern!r} ({kind}) already; it belongs to the team {team}. Remove it first."
    ),
    "ownership.gone": phrase("There is no rule for {pattern!r} ({kind}) any more. Look at the list again."),
    "claim.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "claim.taken": phrase(
        "The team {team} claims {group} on {cluster} already. Its claim has to be answered, or withdrawn, first."
    ),
    "claim.closed": phrase("The claim of {group} was {state} by {by} before. Nothing was changed."),
    "claim.owned": phrase(
        "The group {group} on {cluster} belongs to the team {team} by now, so no claim of it can be granted. "
        "Reject the claim, or ask an administrator to change the rules."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence of a code; KeyError for a code or a fact that this app does not know."""
    spoken = {
        name: ", ".join(map(str, fact)) if isinstance(fact, list | tuple) else fact for name, fact in facts.items()
    }
    return words(SENTENCES[code], **spoken)
