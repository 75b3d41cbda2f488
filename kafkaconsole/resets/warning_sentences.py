"""The sentences of warnings, found by code. docs/warnings.md says of each what it means and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.member_sentences import (
    cannot_write,
    group_not_empty,
    members_told,
    moved_since,
    or_none,
    session_told,
)
from kafkaconsole.resets.why_sentences import WHYS
from kafkaconsole.resets.wording import Facts, Sentence, listed, moment, partitions, seconds
from kafkaconsole.words import counted, joined, phrase, words


def _of(text: str, *more: str) -> Sentence:
    """A sentence of the facts `more` as they are, with {partitions} and {topics} in words."""

    def told(facts: Facts) -> str:
        said = {name: facts[name] for name in more}
        if "{partitions}" in text:
            said["partitions"] = partitions(facts)
        if "{topics}" in text:
            said["topics"] = listed(facts["topics"])
        return words(text, **said)

    return told


def _lines_refused(facts: Facts) -> str:
    why = facts["why"]
    told = [
        words("{why} ({count})", why=words(WHYS[code]), count=count)
        for code, count in (why.items() if isinstance(why, Mapping) else ())
    ]
    return counted(
        "{count} partition refuses, so no request can be made of this plan: {why}.",
        "{count} partitions refuse, so no request can be made of this plan: {why}.",
        facts["count"],
        why=joined(told, "; "),
    )


def _dated(facts: Facts, *, since: bool = False) -> str:
    """The topics of a mapping from name to instant."""
    topics = facts["topics"]
    found = topics.items() if isinstance(topics, Mapping) else ()
    return listed(
        [words("{name} (since {at})", name=name, at=moment(at)) if since else str(name) for name, at in found]
    )


def _partitions_added(facts: Facts) -> str:
    topics = facts["topics"]
    told = [
        words("{name} had {before} and has {now}", name=name, before=one["from"], now=one["to"])
        for name, one in (topics.items() if isinstance(topics, Mapping) else ())
    ]
    return words(
        "Partitions were added: {topics}. On new ones the group may have no commit yet: look at what becomes of them.",
        topics=listed(told),
    )


def _commits_moving(facts: Facts) -> str:
    moved = facts["moved"]
    told = [
        words(
            "{partition} from {before} to {now}",
            partition=one["partition"],
            before=or_none(one["from"]),
            now=or_none(one["to"]),
        )
        for one in (moved if isinstance(moved, list | tuple) else ())
    ]
    return words(
        "Group {group} has no members, yet its commits moved while the plan was made: {moved}. A consumer with manual "
        "assignment is running and will commit over the reset: stop it before the reset is due.",
        group=facts["group"],
        moved=listed(told),
    )


def _each(times: object) -> str:
    """ "2026-12-01T09:00:00Z (t-0), …" for the first partitions of which a time is known."""
    found = list(times.items()) if isinstance(times, Mapping) else []
    told = ", ".join(f"{moment(at)} ({name})" for name, at in found[:5])
    return words("{told} and so on", told=told) if len(found) > 5 else told


def _without_record(facts: Facts) -> str:
    newest = _each(facts.get("newest"))  # plans of before do not tell it
    return words(
        "There is no record at or after the moment on {partitions}.{newest}",
        partitions=partitions(facts),
        newest=words(" The newest is {times}.", times=newest) if newest else "",
    )


def _begins_later(facts: Facts) -> str:
    begins = _each(facts["begins"])
    return words(
        "On {partitions} the moment lies before the first record that is kept.{begins} What was before is deleted and "
        "cannot be read again.",
        partitions=partitions(facts),
        begins=words(" The log begins with {times}.", times=begins) if begins else "",
    )


def _log_append_time(facts: Facts) -> str:
    others = facts.get("by_producer")
    return words(
        "On {topics} a record's time is when the broker wrote it, not when it was made: records that were copied or sent "
        "late are found by that later time.{others}",
        topics=listed(facts["topics"]),
        others=words(" On {topics} it is the producer's own time.", topics=listed(others)) if others else "",
    )


def _restored(facts: Facts) -> str:
    texts = int(str(facts.get("texts_kept", 0)))
    kept = counted(
        " The history holds offsets alone: the text beside the commits of {count} partition stays as it is now.",
        " The history holds offsets alone: the text beside the commits of {count} partitions stays as it is now.",
        texts,
    )
    return words(
        "What is put back was read at {at}, {age} before the moment asked for; what the group committed between the two is "
        "not known.{texts}",
        at=moment(facts["read_at"]),
        age=seconds(facts["age_s"]),
        texts=kept if texts else "",
    )


def _group_expires(facts: Facts) -> str:
    text = (
        phrase(
            "Group {group} has been empty since {since} or longer: the brokers do not tell how long they keep commits; with "
            "Kafka's usual 7 days they go at {at}, and a reset does not put that off. Start its consumers before then."
        )
        if facts["assumed"]
        else phrase(
            "Group {group} has been empty since {since} or longer: the brokers delete its commits at {at}, and a reset does "
            "not put that off. Start its consumers before then."
        )
    )
    return words(text, group=facts["group"], since=moment(facts["empty_since"]), at=moment(facts["at"]))


def _uncommitted(facts: Facts) -> str:
    return counted(
        "The group has no commit on {partitions} of the same topics, and “all committed” leaves it out. Name the topics in "
        "the scope to take every partition in.",
        "The group has no commit on {partitions} of the same topics, and “all committed” leaves them out. Name the topics in "
        "the scope to take every partition in.",
        facts["count"],
        partitions=partitions(facts),
    )


WARNINGS: Mapping[str, Sentence] = {
    "group_will_be_created": phrase("Group {group} does not exist; it will be created by this reset."),
    "group_not_empty": group_not_empty,
    "streams_application": phrase(
        "Group {group} belongs to a Kafka Streams application: its state stores and internal topics are not reset with it."
    ),
    "static_members": lambda facts: counted(
        "{count} member of the group kept a place of their own ({members}). Stopped, such a member stays in the group until "
        "its session times out{session}; until then nothing is written.",
        "{count} members of the group kept a place of their own ({members}). Stopped, such a member stays in the group until "
        "its session times out{session}; until then nothing is written.",
        facts["count"],
        members=members_told(facts),
        session=session_told(facts),
    ),
    "cannot_write": cannot_write,
    "delete_while_subscribed": _of(
        phrase(
            "Members of group {group} are subscribed to {topics}: Kafka deletes no commit of a topic that is subscribed. "
            "Stop the consumers first."
        ),
        "group",
    ),
    "connect_sink": phrase(
        "Group {group} seems to belong to a sink of Kafka Connect. Stop the connector (pausing is not enough), reset, then "
        "start it again; Connect's own offsets API does the same."
    ),
    "flink_job": phrase(
        "Group {group} seems to belong to a Flink job. Flink keeps its position in checkpoints and savepoints and only "
        "reports it here: the job will start from those, not from this reset, unless it is told to take committed offsets."
    ),
    "spark_query": phrase(
        "Group {group} seems to belong to Spark, which keeps its position in the query's checkpoint and never reads "
        "commits: this reset changes nothing for it. Start the query with startingOffsets and a new checkpoint."
    ),
    "commits_moving": _commits_moving,
    "commits_moved_lately": lambda facts: words(
        "Group {group} has no members, yet lately its commits moved on {topics}. "
        "If a consumer with manual assignment is running, it will commit over the reset: stop it first.",
        group=facts["group"],
        topics=_dated(facts),
    ),
    "group_expires": _group_expires,
    "compacted_topics": _of(
        phrase(
            "{topics}: compacted, so older records of a key are gone and the counts of offsets are more than the records "
            "that will be read."
        )
    ),
    "log_append_time": _log_append_time,
    "topic_settings_unknown": _of(
        phrase(
            "The console may not read the settings of {topics} (DESCRIBE_CONFIGS on the topic), so whether they are "
            "compacted, and whose clock their times are, is not known."
        )
    ),
    "topics_made_again": lambda facts: words(
        "Deleted and made again: {topics}. Commits and moments from before that are another log's.",
        topics=_dated(facts, since=True),
    ),
    "partitions_added": _partitions_added,
    "target_expires": _of(
        phrase(
            "The records at the target of {partitions} are about to be deleted: in about {hours} hours, if the log start goes "
            "on as it did. A target that is gone by then makes the plan stale."
        ),
        "hours",
    ),
    "timestamps_in_future": _of(
        phrase(
            "On {partitions} there are records whose time is still to come: some producer's clock is wrong, and a search by "
            "time ends at such a record."
        )
    ),
    "timestamps_out_of_order": _of(
        phrase(
            "Around the target the times are out of order on {partitions}: records older than the moment come after it, or "
            "later ones before it. Look at the records, and choose an offset if it matters."
        )
    ),
    "source_group_active": lambda facts: counted(
        "Group {group}, which is copied, has {count} member and moves on; the plan holds where it stood.",
        "Group {group}, which is copied, has {count} members and moves on; the plan holds where it stood.",
        facts["members"],
        group=facts["group"],
    ),
    "restored_from_history": _restored,
    "moved_since": moved_since,
    "future_instant": phrase(
        "The moment {instant} is in the future: every partition without such a record goes to its end."
    ),
    "partitions_gone": _of(
        phrase("The group has commits on {partitions} that do not exist any more; they are not part of the plan.")
    ),
    "lines_refused": _lines_refused,
    "no_changes": phrase("Nothing would change: every partition already stands at its target."),
    "partitions_uncommitted": _uncommitted,
    "streams_topics_left_out": _of(
        phrase(
            "Group {group} also has commits on {topics}: internal topics of its Kafka Streams application, which “all "
            "committed” leaves out. Name them in the scope if you mean them."
        ),
        "group",
    ),
    "internal_topic": _of(phrase("Internal topics of Kafka are in the plan: {topics}.")),
    "lines_clamped": _of(
        phrase("On {partitions} the wanted offset is outside the log; the nearest end is taken instead.")
    ),
    "lines_without_record": _without_record,
    "lines_empty": lambda facts: counted(
        "{partitions} holds no records at all, so there is none at or after the moment.",
        "{partitions} hold no records at all, so there is none at or after the moment.",
        facts["count"],
        partitions=partitions(facts),
    ),
    "log_begins_later": _begins_later,
    "lines_not_in_source": _of(
        phrase("The group that is copied has no commit on {partitions}; they stay as they are.")
    ),
    "open_transactions": _of(
        phrase(
            "On {partitions} the target lies beyond transactions that are still open: {offsets} offsets would be skipped "
            "before readers of committed records could see them."
        ),
        "offsets",
    ),
    "records_lost": _of(
        phrase("On {partitions} {offsets} offsets that the group had not read are deleted already."), "offsets"
    ),
    "committed_beyond_end": _of(
        phrase(
            "On {partitions} the group's commit lies beyond the end of the log. Records may have been lost, or the topic made "
            "again."
        )
    ),
}
