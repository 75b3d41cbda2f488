"""The sentences of policies: of refusals, and of what makes a plan risky. Found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Facts = Mapping[str, object]


def _named(facts: Facts) -> str:
    names = facts["policies"]
    return ", ".join(map(str, names)) if isinstance(names, list | tuple) else str(names)


def _count(number: object, one: str, many: str) -> str:
    return f"{int(str(number)):,} {one if number == 1 else many}"


SENTENCES: Mapping[str, str | Callable[[Facts], str]] = {
    "policy.bad": "{field}: found {found!r}, expected {expected}.",
    "policy.ambiguous": lambda facts: (
        f"Several policies apply here and none is the most exact: {_named(facts)}. "
        "An administrator can add a policy for what they have in common."
    ),
    "policy.none": "No policy applies, not even the built-in one. An administrator can run `manage.py migrate`.",
    "approval.ticket_needed": lambda facts: (
        f"The policy “{facts['policy']}” asks for a ticket{_like(facts)}; found "
        f"{facts['found'] or 'none'}. Ask again and name one."
    ),
    "approval.reason_too_short": (
        "The policy “{policy}” asks for a reason of at least {expected} characters; found {found}. Ask again and say more."
    ),
    "risk.skips": lambda facts: f"{_count(facts['skipped'], 'record is', 'records are')} skipped and never read.",
    "risk.deletes": lambda facts: f"{_count(facts['deleted'], 'commit is', 'commits are')} deleted.",
    "risk.commits_move": "Commits of the group move although it is Empty: someone may write over the reset.",
    "risk.replays_many": lambda facts: (
        f"{_count(facts['replayed'], 'record is', 'records are')} read again, more than {int(str(facts['threshold'])):,}."
    ),
    "risk.replays_share": "{percent} % of what the logs hold is read again; from {threshold} % on that is much.",
    "risk.no_snapshot": lambda facts: (
        f"{_count(facts['partitions'], 'partition has', 'partitions have')} no commit yet, so there is none to put back."
    ),
    "risk.in_use": lambda facts: f"The group is in use, by {_count(facts['members'], 'member', 'members')}.",
    "risk.production": "The cluster is a production cluster.",
}


def _like(facts: Facts) -> str:
    return f" like {facts['expected']}" if facts.get("expected") else ""


def sentence(code: str, facts: Facts) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    template = SENTENCES[code]
    return template(facts) if callable(template) else template.format_map(facts)
