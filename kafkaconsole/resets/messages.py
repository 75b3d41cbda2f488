"""The sentences of resets: of refusals, of warnings, and of the rules that decide a line. Found by code, filled by facts.

A refusal says what was found, what was expected and what to do. Nothing else in the product words them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from kafkaconsole.resets.instants import duration_words, utc_text
from kafkaconsole.resets.life_sentences import LIFE

Facts = Mapping[str, object]
Sentence = str | Callable[[Facts], str]


def _listed(names: object, *, most: int = 5) -> str:
    """Names in words: "a, b and 3 more"."""
    if not isinstance(names, list | tuple):
        return str(names)
    shown, rest = [str(name) for name in names[:most]], len(names) - most
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")


def _moment(at: object) -> str:
    """An instant in UTC, from a value or as a row keeps it."""
    return utc_text(at if isinstance(at, datetime) else datetime.fromisoformat(str(at)))


def _near(facts: Facts) -> str:
    near = facts.get("near")
    return f" Names like it: {_listed(near)}." if near else ""


def _partitions(facts: Facts) -> str:
    """ "3 partitions (t-0, t-1, t-2)" from the facts of a warning."""
    count = facts["count"]
    names = facts["partitions"]
    more = f" and {int(str(count)) - 5} more" if int(str(count)) > 5 else ""
    shown = ", ".join(map(str, names[:5])) if isinstance(names, list | tuple) else str(names)
    return f"{count} partition{'' if count == 1 else 's'} ({shown}{more})"


def _bad_change(facts: Facts) -> str:
    problems = facts["problems"]
    first = problems[0] if isinstance(problems, list | tuple) and problems else {}
    total = int(str(facts["total"]))
    rest = f" There {'is' if total == 2 else 'are'} {total - 1} more." if total > 1 else ""
    return f"{first.get('field')}: found {first.get('found')}, expected {first.get('expected')}.{rest}"


def _topic_missing(facts: Facts) -> str:
    topics = facts["topics"]
    if not isinstance(topics, Mapping):
        return f"The cluster has no topic {topics}."
    told = [f"{name} (names like it: {_listed(near)})" if near else str(name) for name, near in topics.items()]
    return f"The cluster has no topic {_listed(told)}. Check the name, and that the console may describe the topic."


_INSTEAD = {
    "share": (
        "Share groups keep their position in another way: stop its consumers and use kafka-share-groups --reset-offsets"
    ),
    "streams": (
        "A Kafka Streams group also has state and internal topics: stop the application and use "
        "kafka-streams-groups --reset-offsets"
    ),
    "connect": (
        "It holds Connect workers, not a connector's position: for a sink stop the connector and reset the group "
        "connect-NAME, or use Connect's own offsets API"
    ),
    "unknown": "The broker does not say what kind it is: ask again with a newer broker or check the group's client",
}


def _wrong_group_kind(facts: Facts) -> str:
    kind = str(facts["kind"])
    instead = _INSTEAD.get(kind, "Use the tools of the program that it belongs to")
    return f"Group {facts['group']} is of kind {kind}; only groups of consumers can be reset here. {instead}."


def _group_not_empty(facts: Facts) -> str:
    members = facts["members"]
    who = ""
    if isinstance(members, list | tuple) and members:
        names = [f"{one['client_id']} on {one['host']}" + _static(one) for one in members]
        who = f" Its members: {_listed(names)}."
    return (
        f"Group {facts['group']} is {facts['state']}, not Empty.{who} Nothing is written while it has members: "
        "stop its consumers before the reset is due."
    )


def _static(member: Mapping[str, object]) -> str:
    instance = member.get("instance_id")
    return f" (static member {instance}, which stays until its session times out)" if instance else ""


def _moved_since(facts: Facts) -> str:
    moved = facts["moved"]
    shown = [_moved(one) for one in moved[:5]] if isinstance(moved, list | tuple) else []
    count = int(str(facts["count"]))
    rest = f" and {count - 5} more" if count > 5 else ""
    return (
        f"The group has moved since it was reset, on {count} partition{'' if count == 1 else 's'}: "
        f"{'; '.join(shown)}{rest}. What it has read since will be read again, or skipped."
    )


def _moved(one: Facts) -> str:
    before, was_set, now = ("none" if one[key] is None else one[key] for key in ("before", "set", "now"))
    return f"{one['partition']} had {before}, was set to {was_set} and is at {now}"


def _seconds(age: object) -> str:
    return duration_words(timedelta(seconds=int(str(age))))


def _nothing_in_scope(facts: Facts) -> str:
    if facts["scope"] == "all_committed":
        return (
            f"Group {facts['group']} has no committed offset on any topic, so “all committed” is nothing. "
            "Name the topics instead."
        )
    return f"The scope comes to no partition of group {facts['group']}. Name at least one topic that has partitions."


def _lines_refused(facts: Facts) -> str:
    why = facts["why"]
    told = [f"{WHYS[code]} ({count})" for code, count in why.items()] if isinstance(why, Mapping) else []
    return f"{facts['count']} partitions refuse, so no request can be made of this plan: {'; '.join(map(str, told))}."


ERRORS: Mapping[str, Sentence] = {
    "reset.bad_change": _bad_change,
    "reset.bad_instant": "{field}: found {found}, expected {expected}.",
    "reset.group_missing": lambda facts: (
        f"There is no group {facts['group']} on this cluster.{_near(facts)} Check the name, "
        "or ask for the group to be created."
    ),
    "reset.source_group_missing": lambda facts: (
        f"There is no group {facts['group']} to copy from on this cluster.{_near(facts)} Check the name."
    ),
    "reset.group_not_proven_missing": lambda facts: (
        f"Group {facts['group']} was not found, but broker {_listed(facts['brokers'])} did not answer and may know it. "
        "Nothing was planned; it is tried again."
    ),
    "reset.wrong_group_kind": _wrong_group_kind,
    "reset.topic_missing": _topic_missing,
    "reset.nothing_in_scope": _nothing_in_scope,
    "reset.snapshot_missing": (
        "Attempt {attempt} is none of group {group}, or it ended before it kept what the group had. "
        "Choose another attempt, or a moment of the history."
    ),
    "reset.nothing_remembered": lambda facts: (
        f"The history does not tell what group {facts['group']} had at {_moment(facts['at'])}: nobody looked then. "
        "Choose another moment, or give the offsets in a file."
    ),
    "reset.illegal_move": "A request that is {source} cannot become {target}.",
    "reset.state_moved": "The request is not {expected} any more: someone else was quicker. Look at it again.",
}

WARNINGS: Mapping[str, Sentence] = {
    "group_will_be_created": "Group {group} does not exist; it will be created by this reset.",
    "group_not_empty": _group_not_empty,
    "streams_application": (
        "Group {group} belongs to a Kafka Streams application: its state stores and internal topics are not reset with it."
    ),
    "source_group_active": (
        "Group {group}, which is copied, has {members} members and moves on; the plan holds where it stood."
    ),
    "restored_from_history": lambda facts: (
        f"What is put back was read at {_moment(facts['read_at'])}, {_seconds(facts['age_s'])} before the moment asked "
        "for; what the group committed between the two is not known."
    ),
    "moved_since": _moved_since,
    "future_instant": "The moment {instant} is in the future: every partition without such a record goes to its end.",
    "partitions_gone": lambda facts: (
        f"The group has commits on {_partitions(facts)} that do not exist any more; they are not part of the plan."
    ),
    "lines_refused": _lines_refused,
    "no_changes": "Nothing would change: every partition already stands at its target.",
    "internal_topic": lambda facts: f"Internal topics of Kafka are in the plan: {_listed(facts['topics'])}.",
    "lines_clamped": lambda facts: (
        f"On {_partitions(facts)} the wanted offset is outside the log; the nearest end is taken instead."
    ),
    "lines_without_record": lambda facts: f"There is no record at or after the moment on {_partitions(facts)}.",
    "lines_not_in_source": lambda facts: (
        f"The group that is copied has no commit on {_partitions(facts)}; they stay as they are."
    ),
    "open_transactions": lambda facts: (
        f"On {_partitions(facts)} the target lies beyond transactions that are still open: {facts['offsets']} offsets "
        "would be skipped before readers of committed records could see them."
    ),
    "records_lost": lambda facts: (
        f"On {_partitions(facts)} {facts['offsets']} offsets that the group had not read are deleted already."
    ),
    "committed_beyond_end": lambda facts: (
        f"On {_partitions(facts)} the group's commit lies beyond the end of the log. "
        "Records may have been lost, or the topic made again."
    ),
}

WHYS: Mapping[str, str] = {
    "clamped_to_log_start": "the wanted offset is before the log; its first offset is taken",
    "clamped_to_log_end": "the wanted offset is beyond the log; its end is taken",
    "out_of_range": "the wanted offset is outside the log, and the rule is to refuse",
    "no_commit": "the group has no commit here",
    "no_record_after": "there is no record at or after the moment",
    "no_record_after_uncertain": (
        "the broker names no record at or after the moment, yet there may be one; choose an offset or another moment"
    ),
    "no_leader": "the partition has no leader now; try again when it has",
    "not_authorized": "the console has no right to read this partition or the commit on it",
    "unknown_partition": "the topic has no such partition",
    "unavailable": "the broker gave no answer for this partition; plan again",
    "not_in_source": "the group that is copied has no commit here; it stays as it is",
    "no_commit_then": "the group had no commit here at that time",
    "not_in_snapshot": "the snapshot does not tell of this partition; it stays as it is",
    "not_known_then": (
        "nobody looked at this topic at that time, so what the group had is not known; choose another moment"
    ),
    "topic_made_again": (
        "the topic was deleted and made again since, so the earlier offset is another log's; choose an offset or a moment"
    ),
}

SENTENCES: Mapping[str, Sentence] = {**ERRORS, **LIFE, **WARNINGS, **WHYS}


def sentence(code: str, facts: Facts) -> str:
    """The sentence of a code. Raises KeyError for a code or a fact that does not exist: that is a bug."""
    template = SENTENCES[code]
    return template(facts) if callable(template) else template.format_map(facts)
