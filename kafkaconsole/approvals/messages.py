"""The sentences of policies: of refusals, and of what makes a plan risky. Found by code, filled by facts."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from kafkaconsole.approvals import lengths
from kafkaconsole.words import counted, known, phrase, words

Facts = Mapping[str, object]


def _named(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list | tuple) else str(names)


def _ticket(facts: Facts) -> str:
    like = words(" like {pattern}", pattern=facts["expected"]) if facts.get("expected") else ""
    found = facts["found"] or words("none")
    said = "The policy “{policy}” asks for a ticket{like}; found {found}. Ask again and name one."
    return words(said, policy=facts["policy"], like=like, found=found)


def _no_longer_counts(facts: Facts) -> str:
    told = {name: facts[name] for name in ("given", "needed")}
    return words(
        "{who} no longer has the role that the signature needs: {given} of {needed} approvals count. "
        "Nothing was written. It needs {missing}.",
        who=_named(facts["who"]) or words("Someone who signed"),
        missing=known(facts["missing"]),
        **told,
    )


def _too_old(facts: Facts) -> str:
    return words(
        "{by} approved this plan at {at}, longer ago than the policy “{policy}” lets an approval live ({life}). "
        "Nothing was written. Plan again and sign the new plan.",
        by=facts["by"],
        at=f"{str(facts['at'])[:16].replace('T', ' ')} UTC",
        policy=facts["policy"],
        life=lengths.said(timedelta(seconds=int(str(facts["life_s"])))),
    )


def _waited(facts: Facts) -> str:
    return words(
        "Group {group} was still in use after {limit}, and the policy “{policy}” lets it wait no longer. "
        "Nothing was written. Stop its consumers, plan again and sign the new plan.",
        group=facts["group"],
        limit=lengths.said(timedelta(seconds=int(str(facts["limit_s"])))),
        policy=facts["policy"],
    )


def _window_closed(facts: Facts) -> str:
    why = words(" ({why})", why=facts["why"]) if facts["why"] else ""
    if facts["opens_at"] is None:
        return words(
            "The policy “{policy}” does not let it be carried out now{why}, and no opening is in sight. "
            "An administrator can look at its windows and freezes.",
            policy=facts["policy"],
            why=why,
        )
    opens = datetime.fromisoformat(str(facts["opens_at"])).astimezone(zoneinfo.ZoneInfo(str(facts["zone"])))
    return words(
        "The policy “{policy}” does not let it be carried out now{why}. It is carried out from {opens} on.",
        policy=facts["policy"],
        why=why,
        opens=f"{opens:%Y-%m-%d %H:%M} {facts['zone']}",
    )


def _replays_many(facts: Facts) -> str:
    threshold = f"{int(str(facts['threshold'])):,}"
    return counted(
        "{count} offset is read again, more than {threshold}.",
        "{count} offsets are read again, more than {threshold}.",
        facts["replayed"],
        threshold=threshold,
    )


SENTENCES: Mapping[str, str | Callable[[Facts], str]] = {
    "policy.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "policy.ambiguous": lambda facts: words(
        "Several policies apply here and none is the most exact: {policies}. "
        "An administrator can add a policy for what they have in common.",
        policies=_named(facts["policies"]),
    ),
    "policy.none": phrase(
        "No policy applies, not even the built-in one. An administrator can run `manage.py migrate`."
    ),
    "policy.moved_on": phrase(
        "Version {last} of “{policy}” was made while you looked at version {seen}. Look at it, then change it again."
    ),
    "policy.nothing_proposed": phrase(
        "No version of “{policy}” waits for a second administrator: it was confirmed, declined or replaced. Look again."
    ),
    "approval.ticket_needed": _ticket,
    "approval.reason_too_short": phrase(
        "The policy “{policy}” asks for a reason of at least {expected} characters; found {found}. "
        "Ask again and say more."
    ),
    "approval.requester_left": phrase(
        "{requester}, who asked for this, may no longer sign in, so nobody can sign it and nothing is written. "
        "Someone of {team} can ask anew; an owner or an administrator can cancel this."
    ),
    "approval.requester_may_not_ask": phrase(
        "{person} may not ask for resets of {group} any more, and by the policy “{policy}” nobody signs this. "
        "Nothing was written. Someone who may can change it or ask anew; once {person} may again, plan it again."
    ),
    "approval.no_longer_counts": _no_longer_counts,
    "approval.too_old": _too_old,
    "approval.window_closed": _window_closed,
    "approval.waited_too_long": _waited,
    "risk.skips": lambda facts: counted(
        "{count} offset is skipped and never read.", "{count} offsets are skipped and never read.", facts["skipped"]
    ),
    "risk.deletes": lambda facts: counted(
        "{count} commit is deleted.", "{count} commits are deleted.", facts["deleted"]
    ),
    "risk.commits_move": phrase("Commits of the group move although it is Empty: someone may write over the reset."),
    "risk.replays_many": _replays_many,
    "risk.replays_share": phrase(
        "{percent} % of what the logs hold is read again; from {threshold} % on that is much."
    ),
    "risk.no_snapshot": lambda facts: counted(
        "{count} partition has no commit yet, so there is none to put back.",
        "{count} partitions have no commit yet, so there is none to put back.",
        facts["partitions"],
    ),
    "risk.in_use": lambda facts: counted(
        "The group is in use, by {count} member.", "The group is in use, by {count} members.", facts["members"]
    ),
    "risk.production": phrase("The cluster is a production cluster."),
}


def sentence(code: str, facts: Facts) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    template = SENTENCES[code]
    return template(facts) if callable(template) else words(template, **facts)
