"""The sentences of warnings, found by code. docs/warnings.md says of each what it means and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.why_sentences import WHYS
from kafkaconsole.resets.wording import Facts, Sentence, listed, moment, partitions, seconds


def _group_not_empty(facts: Facts) -> str:
    who = _members(facts)
    return (
        f"Group {facts['group']} is {facts['state']}, not Empty.{f' Its members: {who}.' if who else ''} "
        "Nothing is written while it has members: stop its consumers before the reset is due."
    )


def _members(facts: Facts, *, most: int = 5) -> str:
    """Who they are, and what they read."""
    members = facts["members"]
    shown = [_member(one) for one in members[:most]] if isinstance(members, list | tuple) else []
    rest = int(str(facts.get("count", len(shown)))) - len(shown) if shown else 0
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")


def _member(one: Facts) -> str:
    reads = one.get("reads")
    what = f", reads {partitions(reads)}" if isinstance(reads, Mapping) and reads["count"] else ""
    return f"{one['client_id']} on {one['host']}{what}{_static(one)}"


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


def _lines_refused(facts: Facts) -> str:
    why = facts["why"]
    told = [f"{WHYS[code]} ({count})" for code, count in why.items()] if isinstance(why, Mapping) else []
    return f"{facts['count']} partitions refuse, so no request can be made of this plan: {'; '.join(map(str, told))}."


def _named(facts: Facts, *, since: bool = False) -> str:
    """The topics of a mapping from name to instant."""
    topics = facts["topics"]
    found = topics.items() if isinstance(topics, Mapping) else ()
    return listed([f"{name} (since {moment(at)})" if since else str(name) for name, at in found])


def _changed_topics(facts: Facts, told: str) -> str:
    topics = facts["topics"]
    shown = [told.format(name=name, **one) for name, one in topics.items()] if isinstance(topics, Mapping) else []
    return listed(shown)


def _commits_moving(facts: Facts) -> str:
    moved = facts["moved"]
    shown = [
        f"{one['partition']} from {'none' if one['from'] is None else one['from']} to "
        f"{'none' if one['to'] is None else one['to']}"
        for one in (moved if isinstance(moved, list | tuple) else ())
    ]
    return (
        f"Group {facts['group']} has no members, yet its commits moved while the plan was made: {listed(shown)}. A "
        "consumer with manual assignment is running and will commit over the reset: stop it before the reset is due."
    )


def _each(times: object, told: str) -> str:
    """ " The newest is 2026-12-01T09:00:00Z (t-0), …" for the first partitions of which a time is known."""
    found = list(times.items()) if isinstance(times, Mapping) else []
    more = "" if len(found) <= 5 else " and so on"
    shown = ", ".join(f"{moment(at)} ({name})" for name, at in found[:5])
    return f" {told} {shown}{more}." if found else ""


def _log_append_time(facts: Facts) -> str:
    others = facts.get("by_producer")
    return (
        f"On {listed(facts['topics'])} a record's time is when the broker wrote it, not when it was made: "
        "records that were copied or sent late are found by that later time."
    ) + (f" On {listed(others)} it is the producer's own time." if others else "")


def _restored(facts: Facts) -> str:
    texts = int(str(facts.get("texts_kept", 0)))
    return (
        f"What is put back was read at {moment(facts['read_at'])}, {seconds(facts['age_s'])} before the moment asked "
        "for; what the group committed between the two is not known."
    ) + (
        f" The history holds offsets alone: the text beside the commits of {texts} "
        f"partition{'' if texts == 1 else 's'} stays as it is now."
        if texts
        else ""
    )


def _group_expires(facts: Facts) -> str:
    kept = (
        "the brokers do not tell how long they keep commits; with Kafka's usual 7 days they go"
        if facts["assumed"]
        else "the brokers delete its commits"
    )
    return (
        f"Group {facts['group']} has been empty since {moment(facts['empty_since'])} or longer: {kept} at "
        f"{moment(facts['at'])}, and a reset does not put that off. Start its consumers before then."
    )


WARNINGS: Mapping[str, Sentence] = {
    "group_will_be_created": "Group {group} does not exist; it will be created by this reset.",
    "group_not_empty": _group_not_empty,
    "streams_application": (
        "Group {group} belongs to a Kafka Streams application: its state stores and internal topics are not reset with it."
    ),
    "static_members": lambda facts: (
        f"{facts['count']} member{'' if facts['count'] == 1 else 's'} of the group kept a place of their own "
        f"({_members(facts)}). Stopped, such a member stays in the group until its session times out "
        "(session.timeout.ms, usually 45 seconds); until then nothing is written."
    ),
    "delete_while_subscribed": lambda facts: (
        f"Members of group {facts['group']} are subscribed to {listed(facts['topics'])}: Kafka deletes no commit of a "
        "topic that is subscribed. Stop the consumers first."
    ),
    "connect_sink": (
        "Group {group} seems to belong to a sink of Kafka Connect. Stop the connector (pausing is not enough), reset, then "
        "start it again; Connect's own offsets API does the same."
    ),
    "flink_job": (
        "Group {group} seems to belong to a Flink job. Flink keeps its position in checkpoints and savepoints and only "
        "reports it here: the job will start from those, not from this reset, unless it is told to take committed offsets."
    ),
    "spark_query": (
        "Group {group} seems to belong to Spark, which keeps its position in the query's checkpoint and never reads "
        "commits: this reset changes nothing for it. Start the query with startingOffsets and a new checkpoint."
    ),
    "commits_moving": _commits_moving,
    "commits_moved_lately": lambda facts: (
        f"Group {facts['group']} has no members, yet lately its commits moved on {_named(facts)}. "
        "If a consumer with manual assignment is running, it will commit over the reset: stop it first."
    ),
    "group_expires": _group_expires,
    "compacted_topics": lambda facts: (
        f"{listed(facts['topics'])}: compacted, so older records of a key are gone and the counts of offsets "
        "are more than the records that will be read."
    ),
    "log_append_time": _log_append_time,
    "topic_settings_unknown": lambda facts: (
        f"The console may not read the settings of {listed(facts['topics'])} (DESCRIBE_CONFIGS on the topic), so "
        "whether they are compacted, and whose clock their times are, is not known."
    ),
    "topics_made_again": lambda facts: (
        f"Deleted and made again: {_named(facts, since=True)}. Commits and moments from before that are another log's."
    ),
    "partitions_added": lambda facts: (
        f"Partitions were added: {_changed_topics(facts, '{name} had {from} and has {to}')}. On new ones the group "
        "may have no commit yet: look at what becomes of them."
    ),
    "target_expires": lambda facts: (
        f"The records at the target of {partitions(facts)} are about to be deleted: in about {facts['hours']} hours, if the "
        "log start goes on as it did. A target that is gone by then makes the plan stale."
    ),
    "timestamps_in_future": lambda facts: (
        f"On {partitions(facts)} there are records whose time is still to come: some producer's clock is wrong, and "
        "a search by time ends at such a record."
    ),
    "timestamps_out_of_order": lambda facts: (
        f"Around the target the times are out of order on {partitions(facts)}: records older than the moment come "
        "after it, or later ones before it. Look at the records, and choose an offset if it matters."
    ),
    "source_group_active": lambda facts: (
        f"Group {facts['group']}, which is copied, has {facts['members']} member{'' if facts['members'] == 1 else 's'} "
        "and moves on; the plan holds where it stood."
    ),
    "restored_from_history": _restored,
    "moved_since": _moved_since,
    "future_instant": "The moment {instant} is in the future: every partition without such a record goes to its end.",
    "partitions_gone": lambda facts: (
        f"The group has commits on {partitions(facts)} that do not exist any more; they are not part of the plan."
    ),
    "lines_refused": _lines_refused,
    "no_changes": "Nothing would change: every partition already stands at its target.",
    "partitions_uncommitted": lambda facts: (
        f"The group has no commit on {partitions(facts)} of the same topics, and “all committed” leaves "
        f"{'it' if facts['count'] == 1 else 'them'} out. Name the topics in the scope to take every partition in."
    ),
    "streams_topics_left_out": lambda facts: (
        f"Group {facts['group']} also has commits on {listed(facts['topics'])}: internal topics of its Kafka Streams "
        "application, which “all committed” leaves out. Name them in the scope if you mean them."
    ),
    "internal_topic": lambda facts: f"Internal topics of Kafka are in the plan: {listed(facts['topics'])}.",
    "lines_clamped": lambda facts: (
        f"On {partitions(facts)} the wanted offset is outside the log; the nearest end is taken instead."
    ),
    "lines_without_record": lambda facts: (
        f"There is no record at or after the moment on {partitions(facts)}.{_each(facts['newest'], 'The newest is')}"
    ),
    "lines_empty": lambda facts: (
        f"{partitions(facts)} hold{'s' if facts['count'] == 1 else ''} no records at all, so there is none "
        "at or after the moment."
    ),
    "log_begins_later": lambda facts: (
        f"On {partitions(facts)} the moment lies before the first record that is kept."
        f"{_each(facts['begins'], 'The log begins with')} What was before is deleted and cannot be read again."
    ),
    "lines_not_in_source": lambda facts: (
        f"The group that is copied has no commit on {partitions(facts)}; they stay as they are."
    ),
    "open_transactions": lambda facts: (
        f"On {partitions(facts)} the target lies beyond transactions that are still open: {facts['offsets']} offsets "
        "would be skipped before readers of committed records could see them."
    ),
    "records_lost": lambda facts: (
        f"On {partitions(facts)} {facts['offsets']} offsets that the group had not read are deleted already."
    ),
    "committed_beyond_end": lambda facts: (
        f"On {partitions(facts)} the group's commit lies beyond the end of the log. "
        "Records may have been lost, or the topic made again."
    ),
}
