"""The sentences of resets: of refusals, of warnings, and of the rules that decide a line. Found by code, filled by facts.

A refusal says what was found, what was expected and what to do. Nothing else in the product words them.
"""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.life_sentences import LIFE
from kafkaconsole.resets.warning_sentences import WARNINGS
from kafkaconsole.resets.why_sentences import WHYS
from kafkaconsole.resets.wording import Facts, Sentence, listed, moment, state_words
from kafkaconsole.words import counted, known, phrase, words


def _near(facts: Facts) -> str:
    near = facts.get("near")
    return words(" Names like it: {names}.", names=listed(near)) if near else ""


def _bad_change(facts: Facts) -> str:
    problems = facts["problems"]
    first = problems[0] if isinstance(problems, list | tuple) and problems else {}
    total = int(str(facts["total"]))
    return words(
        "{field}: found {found}, expected {expected}.{rest}",
        field=first.get("field"),
        found=first.get("found"),
        expected=known(first.get("expected")),
        rest=counted(" There is {count} more.", " There are {count} more.", total - 1) if total > 1 else "",
    )


def _topic_missing(facts: Facts) -> str:
    topics = facts["topics"]
    if not isinstance(topics, Mapping):
        return words("The cluster has no topic {topic}.", topic=topics)
    told = [
        words("{name} (names like it: {names})", name=name, names=listed(near)) if near else str(name)
        for name, near in topics.items()
    ]
    return words(
        "The cluster has no topic {topics}. Check the name, and that the console may describe the topic.",
        topics=listed(told),
    )


_INSTEAD = {
    "share": phrase(
        "Share groups keep their position in another way: stop its consumers and use kafka-share-groups --reset-offsets"
    ),
    "streams": phrase(
        "A Kafka Streams group also has state and internal topics: stop the application and use "
        "kafka-streams-groups --reset-offsets"
    ),
    "connect": phrase(
        "It holds Connect workers, not a connector's position: for a sink stop the connector and reset the group "
        "connect-NAME, or use Connect's own offsets API"
    ),
    "unknown": phrase(
        "The broker does not say what kind it is: ask again with a newer broker or check the group's client"
    ),
}


def _wrong_group_kind(facts: Facts) -> str:
    kind = str(facts["kind"])
    return words(
        "Group {group} is of kind {kind}; only groups of consumers can be reset here. {instead}.",
        group=facts["group"],
        kind=kind,
        instead=words(_INSTEAD.get(kind, phrase("Use the tools of the program that it belongs to"))),
    )


def _nothing_in_scope(facts: Facts) -> str:
    if facts["scope"] == "all_committed":
        return words(
            "Group {group} has no committed offset on any topic, so “all committed” is nothing. Name the topics instead.",
            group=facts["group"],
        )
    return words(
        "The scope comes to no partition of group {group}. Name at least one topic that has partitions.",
        group=facts["group"],
    )


ERRORS: Mapping[str, Sentence] = {
    "reset.bad_change": _bad_change,
    "reset.bad_instant": phrase("{field}: found {found}, expected {expected}."),
    "reset.group_missing": lambda facts: words(
        "There is no group {group} on this cluster.{near} Check the name, or ask for the group to be created.",
        group=facts["group"],
        near=_near(facts),
    ),
    "reset.source_group_missing": lambda facts: words(
        "There is no group {group} to copy from on this cluster.{near} Check the name.",
        group=facts["group"],
        near=_near(facts),
    ),
    "reset.group_not_proven_missing": lambda facts: words(
        "Group {group} was not found, but broker {brokers} did not answer and may know it. "
        "Nothing was planned; it is tried again.",
        group=facts["group"],
        brokers=listed(facts["brokers"]),
    ),
    "reset.wrong_group_kind": _wrong_group_kind,
    "reset.topic_missing": _topic_missing,
    "reset.nothing_in_scope": _nothing_in_scope,
    "reset.snapshot_missing": phrase(
        "Attempt {attempt} is none of group {group}, or it ended before it kept what the group had. "
        "Choose another attempt, or a moment of the history."
    ),
    "reset.nothing_remembered": lambda facts: words(
        "The history does not tell what group {group} had at {at}: nobody looked then. "
        "Choose another moment, or give the offsets in a file.",
        group=facts["group"],
        at=moment(facts["at"]),
    ),
    "reset.illegal_move": lambda facts: words(
        "A request that is {source} cannot become {target}.",
        source=state_words(facts["source"]),
        target=state_words(facts["target"]),
    ),
    "reset.state_moved": lambda facts: words(
        "The request is not {expected} any more: someone else was quicker. Look at it again.",
        expected=state_words(facts["expected"]),
    ),
}

SENTENCES: Mapping[str, Sentence] = {**ERRORS, **LIFE, **WARNINGS, **WHYS}


def sentence(code: str, facts: Facts) -> str:
    """The sentence of a code. Raises KeyError for a code or a fact that does not exist: that is a bug."""
    template = SENTENCES[code]
    return template(facts) if callable(template) else words(template, **facts)
