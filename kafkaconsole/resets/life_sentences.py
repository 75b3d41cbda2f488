"""The sentences of a request's life: what is refused to people, what a request waits for, and what an attempt came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Facts = Mapping[str, object]

SHOWN = 3


def _active(facts: Facts) -> str:
    members = facts["members"]
    named = [_member(one) for one in members[:SHOWN]] if isinstance(members, list | tuple) else []
    more = len(members) - SHOWN if isinstance(members, list | tuple) else 0
    rest = f" and {more} more" if more > 0 else ""
    who = f": {', '.join(named)}{rest}" if named else ""
    state = f" ({facts['state']})" if facts["state"] else ""
    return (
        f"Group {facts['group']} is in use{state}{who}. Nothing was written. Stop its consumers: "
        "the reset is carried out as soon as the group is empty."
    )


def _member(member: Facts) -> str:
    instance = f", instance {member['instance_id']}" if member.get("instance_id") else ""
    return f"{member['client_id']} on {member['host']}{instance}"


def _stale(facts: Facts) -> str:
    differences, total = facts["differences"], int(str(facts["total"]))
    first = differences[0] if isinstance(differences, list | tuple) and differences else {}
    rest = f" There {'is' if total == 2 else 'are'} {total - 1} more." if total > 1 else ""
    return f"The cluster is not as planned: {_difference(first)}.{rest} Nothing was written. Plan again."


def _difference(one: Facts) -> str:
    place = (
        f" of {one['topic']}-{one['partition']}" if "partition" in one else f" of {one.get('topic', '')}".rstrip(" of")
    )
    planned, found = _shown(one.get("planned")), _shown(one.get("found"))
    if one.get("what") == "log":
        return f"the target {planned}{place} is not in the log any more ({found})"
    if one.get("what") == "topic_id":
        return f"topic {one['topic']} is gone" if one.get("found") is None else f"topic {one['topic']} was made again"
    words = {"committed": "the committed offset", "group": "the group", "cluster_id": "the cluster's id"}
    return f"{words.get(str(one.get('what')), one.get('what'))}{place} was {planned} and is {found}"


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return " to ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _not_written(facts: Facts) -> str:
    if facts["kind"] == "not_authorized":
        return (
            "The console has no right to write here (READ on the topic; on the group READ to commit, DELETE to delete). "
            "Nothing was written."
        )
    if facts["kafka_error"] == "GROUP_SUBSCRIBED_TO_TOPIC":
        return "A member of the group is subscribed to the topic, so its commits cannot be deleted. Stop its consumers."
    if facts["kind"] == "active_members":
        return "The group was in use when the offset was to be written. Nothing was written."
    detail = facts.get("detail")
    return f"The broker refused: {facts['kafka_error'] or detail or 'no reason given'}. Nothing was written."


def _overwritten(facts: Facts) -> str:
    done = "The commit was deleted" if facts["target"] is None else f"{facts['target']} was written"
    return (
        f"{done}, but right after it the offset was {_shown(facts['found'])}: "
        "someone else committed. Look for a consumer that is still running."
    )


def _in_part(facts: Facts) -> str:
    return (
        f"{facts['done']} of {facts['total']} partitions were set; the others were not, the first is {facts['first']}. "
        "Look at the results; what is missing can be asked for again."
    )


def _uncertain(facts: Facts) -> str:
    return (
        f"It is not certain what became of {facts['unknown']} of {facts['total']} partitions: the broker's answer was "
        "lost. The offsets are read until it is certain; nothing else is written meanwhile."
    )


LIFE: Mapping[str, str | Callable[[Facts], str]] = {
    "reset.bad_request": "{field}: found {found}, expected {expected}.",
    "approval.digest_outdated": lambda facts: (
        "The plan is another by now"
        + (f" (digest {str(facts['current'])[:12]}…)" if facts["current"] else ": there is none at the moment")
        + ". Look at the request again before you decide."
    ),
    "reset.wrong_state": "Request {request} is {state}; this needs a request that is {expected}. Look at it again.",
    "reset.comment_needed": "Say why: a rejection needs a comment.",
    "approval.decided_otherwise": "You have {decision} this plan already, and a decision stands. Plan again to decide anew.",
    "reset.already_running": (
        "Request {request} of the group {group} is being executed, or its result is not certain yet. "
        "This one waits until that has ended."
    ),
    "reset.group_still_active": _active,
    "reset.stale": _stale,
    "reset.not_yet": "It is carried out at {not_before} or later, as asked.",
    "reset.plan_refused": lambda facts: (
        f"{facts['count']} of {facts['total']} partitions cannot be planned, the first is {facts['partition']} "
        f"({str(facts['why']).replace('_', ' ')}). Look at the lines, then change the scope or the rules and ask again."
    ),
    "reset.nothing_to_write": (
        "The plan sets and deletes no offset of {group}: every partition is left as it is. Ask for another change."
    ),
    "reset.interrupted": "The worker stopped before it wrote anything. It is tried again.",
    "reset.not_sent": "The worker stopped before this partition was sent. Nothing was written here.",
    "reset.not_written": _not_written,
    "reset.answer_unknown": "The broker's answer was lost ({kafka_error}); the offset may have been written or not.",
    "reset.overwritten": _overwritten,
    "reset.nothing_written": lambda facts: (
        f"Nothing was written on any of {facts['total']} partitions. Look at the results for the reasons."
    ),
    "reset.in_part": _in_part,
    "reset.uncertain": _uncertain,
    "reset.lease_lost": "Another worker has taken attempt {attempt} over.",
}
