"""The sentences of policies: of refusals, and of what makes a plan risky. Found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

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
    "approval.requester_left": (
        "{requester}, who asked for this, may no longer sign in, so nobody can sign it and nothing is written. "
        "Someone of {team} can ask anew; an owner or an administrator can cancel this."
    ),
    "approval.no_longer_counts": lambda facts: (
        f"{_people(facts)} no longer has the role that the signature needs: {facts['given']} of {facts['needed']} "
        f"approvals count. Nothing was written. It needs {facts['missing']}."
    ),
    "approval.too_old": lambda facts: (
        f"{facts['by']} approved this plan at {_instant(facts['at'])}, longer ago than the policy “{facts['policy']}” "
        f"lets an approval live ({timedelta(seconds=int(str(facts['life_s'])))}). Nothing was written. "
        "Plan again and sign the new plan."
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


def _people(facts: Facts) -> str:
    people = facts["who"]
    return ", ".join(map(str, people)) if isinstance(people, list | tuple) and people else "Someone who signed"


def _instant(at: object) -> str:
    return f"{str(at)[:16].replace('T', ' ')} UTC"


def _like(facts: Facts) -> str:
    return f" like {facts['expected']}" if facts.get("expected") else ""


def sentence(code: str, facts: Facts) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    template = SENTENCES[code]
    return template(facts) if callable(template) else template.format_map(facts)
