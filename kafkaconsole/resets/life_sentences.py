"""The sentences of a request's life: what is refused to people, what a request waits for, and what an attempt came to."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.why_sentences import WHYS
from kafkaconsole.resets.wording import Facts, Sentence, and_more, seconds, state_words
from kafkaconsole.words import counted, joined, phrase, words

SHOWN = 3


def _active(facts: Facts) -> str:
    members = facts["members"]
    told = joined(_member(one) for one in members[:SHOWN]) if isinstance(members, list | tuple) else words("")
    who = and_more(told, len(members) - SHOWN) if isinstance(members, list | tuple) else ""
    state = words(" ({state})", state=facts["state"]) if facts["state"] else ""
    return words(
        "Group {group} is in use{state}{who}. Nothing was written. Stop its consumers: the reset is carried out as soon "
        "as the group is empty.",
        group=facts["group"],
        state=state,
        who=words(": {members}", members=who) if who else "",
    )


def _member(member: Facts) -> str:
    told = {"client": member["client_id"], "host": member["host"]}
    if member.get("instance_id"):
        return words("{client} on {host}, instance {instance}", **told, instance=member["instance_id"])
    return words("{client} on {host}", **told)


def _stale(facts: Facts) -> str:
    differences, total = facts["differences"], int(str(facts["total"]))
    first = differences[0] if isinstance(differences, list | tuple) and differences else {}
    rest = counted(" There is {count} more.", " There are {count} more.", total - 1) if total > 1 else ""
    return words(
        "The cluster is not as planned: {difference}.{rest} Nothing was written. Plan again.",
        difference=_difference(first),
        rest=rest,
    )


CHANGED: Mapping[str, str] = {
    "committed": phrase("the committed offset of {place} was {planned} and is {found}"),
    "group": phrase("the group was {planned} and is {found}"),
    "log_end": phrase(
        "the log of {place} ended at {planned} and ends at {found}, which is more than the policy lets it grow"
    ),
    "cluster_id": phrase("the cluster's id was {planned} and is {found}"),
    "log": phrase("the target {planned} of {place} is not in the log any more ({found})"),
}


def _difference(one: Facts) -> str:
    topic, what = str(one.get("topic", "")), str(one.get("what"))
    if what == "topic_id":
        gone = one.get("found") is None
        return (
            words("topic {topic} is gone", topic=topic) if gone else words("topic {topic} was made again", topic=topic)
        )
    place = f"{topic}-{one['partition']}" if "partition" in one else topic
    facts = {"place": place, "planned": _shown(one.get("planned")), "found": _shown(one.get("found"))}
    if what in CHANGED and (place or "{place}" not in CHANGED[what]):
        return words(CHANGED[what], **facts)
    return words("{what} {place} was {planned} and is {found}", what=what, **facts)


def _shown(value: object) -> str:
    if value is None:
        return words("none")
    if isinstance(value, list | tuple) and len(value) == 2:
        return words("{first} to {last}", first=value[0], last=value[1])
    return str(value)


def _not_written(facts: Facts) -> str:
    if facts["kind"] == "not_authorized":
        return words(
            "The console has no right to write here (READ on the topic; on the group READ to commit, DELETE to delete). "
            "Nothing was written."
        )
    if facts["kafka_error"] == "GROUP_SUBSCRIBED_TO_TOPIC":
        return words(
            "A member of the group is subscribed to the topic, so its commits cannot be deleted. Stop its consumers."
        )
    if facts["kind"] == "active_members":
        return words("The group was in use when the offset was to be written. Nothing was written.")
    why = facts["kafka_error"] or facts.get("detail") or words("no reason given")
    return words("The broker refused: {why}. Nothing was written.", why=why)


def _overwritten(facts: Facts) -> str:
    if facts["target"] is None:
        return words(
            "The commit was deleted, but right after it the offset was {found}: someone else committed. "
            "Look for a consumer that is still running.",
            found=_shown(facts["found"]),
        )
    return words(
        "{target} was written, but right after it the offset was {found}: someone else committed. "
        "Look for a consumer that is still running.",
        target=facts["target"],
        found=_shown(facts["found"]),
    )


def _watched(facts: Facts) -> str:
    """Why an attempt that is not certain cannot be ended by the same numbers again, and what happens instead."""
    differences = facts["differences"]
    why: str
    if facts["active"]:
        why = words("the group is in use ({state})", state=facts["state"])
    elif isinstance(differences, list | tuple) and differences:
        why = and_more(_found(differences[0]), int(str(facts["total"])) - 1)
    else:
        why = words("the broker refuses it ({reason})", reason=facts["refused"] or words("no reason given"))
    return words(
        "The same numbers are not written again: {why}. The offsets are watched until nothing of ours can arrive any more; "
        "then it is said what was found.",
        why=why,
    )


def _found(one: Facts) -> str:
    """A difference to a plan of which it is not known whether it was written."""
    if one.get("what") != "committed":
        return _difference(one)
    planned = one["planned"]
    before, target = planned if isinstance(planned, list | tuple) else (planned, planned)
    return words(
        "{topic}-{partition} stands at {found}, neither as before ({before}) nor as planned ({target})",
        topic=one["topic"],
        partition=one["partition"],
        found=_shown(one["found"]),
        before=_shown(before),
        target=_shown(target),
    )


def _digest_outdated(facts: Facts) -> str:
    if not facts["current"]:
        return words(
            "The plan is another by now: there is none at the moment. Look at the request again before you decide."
        )
    return words(
        "The plan is another by now (digest {digest}…). Look at the request again before you decide.",
        digest=str(facts["current"])[:12],
    )


def _wrong_state(facts: Facts) -> str:
    return words(
        "Request {request} is {state}; this needs a request that is {expected}. Look at it again.",
        request=facts["request"],
        state=state_words(facts["state"]),
        expected=state_words(facts["expected"]),
    )


LIFE: Mapping[str, Sentence] = {
    "reset.bad_request": phrase("{field}: found {found}, expected {expected}."),
    "approval.digest_outdated": _digest_outdated,
    "reset.wrong_state": _wrong_state,
    "reset.comment_needed": phrase("Say why: a rejection needs a comment."),
    "approval.decided_otherwise": lambda facts: words(
        "You have {decision} this plan already, and a decision stands. Plan again to decide anew.",
        decision=state_words(facts["decision"]),
    ),
    "approval.taken_back": phrase(
        "You took your approval of this plan back, and that stands. Plan again to decide anew."
    ),
    "reset.revision_outdated": phrase(
        "The request was changed meanwhile: you saw revision {seen}, it is at {current}. Look at it again, then change it."
    ),
    "reset.nothing_revised": phrase(
        "Nothing is different: change, reason and ticket are as they were. To have the same planned anew, plan again."
    ),
    "reset.already_running": phrase(
        "Request {request} of the group {group} is being executed, or its result is not certain yet. "
        "This one waits until that has ended."
    ),
    "reset.group_still_active": _active,
    "reset.stale": _stale,
    "reset.not_yet": phrase("It is carried out at {not_before} or later, as asked."),
    "reset.plan_refused": lambda facts: words(
        "{count} of {total} partitions cannot be planned, the first is {partition} ({why}). "
        "Look at the lines, then change the scope or the rules and ask again.",
        **{name: facts[name] for name in ("count", "total", "partition")},
        why=words(WHYS[str(facts["why"])]),
    ),
    "reset.nothing_to_write": phrase(
        "The plan sets and deletes no offset of {group}: every partition is left as it is. Ask for another change."
    ),
    "reset.interrupted": phrase("The worker stopped before it wrote anything. It is tried again."),
    "reset.not_sent": phrase("The worker stopped before this partition was sent. Nothing was written here."),
    "reset.not_written": _not_written,
    "reset.answer_unknown": phrase(
        "The broker's answer was lost ({kafka_error}); the offset may have been written or not."
    ),
    "reset.overwritten": _overwritten,
    "reset.unchanged": lambda facts: words(
        "The broker's answer was lost. The offset has been watched for {watched} and is as before ({before}): "
        "what was sent did not arrive.",
        watched=seconds(facts["watched_s"]),
        before=_shown(facts["before"]),
    ),
    "reset.found_another": lambda facts: words(
        "The broker's answer was lost, and someone else committed: {found} was found, neither the offset before "
        "({before}) nor the planned one ({target}). Whether the planned one was in force in between is not known. "
        "Nothing else was written.",
        **{name: _shown(facts[name]) for name in ("found", "before", "target")},
    ),
    "reset.topic_replaced": phrase(
        "Topic {topic} was deleted or made again before it was certain what was written; the planned offset means "
        "nothing there now."
    ),
    "reset.watched": _watched,
    "reset.others_changed": lambda facts: words(
        "Someone else committed before it was certain what was written: on {changed} of {total} partitions, the first "
        "is {partition} ({found} found, {before} before, {target} planned). {done} are as planned, {unchanged} as "
        "before. Look for a consumer that is still running, then ask again; nothing more is written now.",
        **{name: facts[name] for name in ("changed", "total", "partition", "done", "unchanged")},
        **{name: _shown(facts[name]) for name in ("found", "before", "target")},
    ),
    "reset.never_certain": phrase(
        "It stays unknown what became of {unknown} of {total} partitions: their offsets could not be read for too long. "
        "{done} are as planned. The group can be asked for again; a new plan shows where it stands."
    ),
    "reset.nothing_written": phrase(
        "Nothing was written on any of {total} partitions. Look at the results for the reasons."
    ),
    "reset.in_part": phrase(
        "{done} of {total} partitions were set; the others were not, the first is {first}. "
        "Look at the results; what is missing can be asked for again."
    ),
    "reset.uncertain": phrase(
        "It is not certain what became of {unknown} of {total} partitions: the broker's answer was lost. "
        "The offsets are read until it is certain; nothing else is written meanwhile."
    ),
    "reset.lease_lost": phrase("Another worker has taken attempt {attempt} over."),
}
