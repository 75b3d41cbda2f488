"""The sentences of resets: of refusals, of warnings, and of the rules that decide a line. Found by code, filled by facts.

A refusal says what was found, what was expected and what to do. Nothing else in the product words them.
"""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.life_sentences import LIFE
from kafkaconsole.resets.warning_sentences import WARNINGS
from kafkaconsole.resets.why_sentences import WHYS
from kafkaconsole.resets.wording import Facts, Sentence, listed, moment


def _near(facts: Facts) -> str:
    near = facts.get("near")
    return f" Names like it: {listed(near)}." if near else ""


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
    told = [f"{name} (names like it: {listed(near)})" if near else str(name) for name, near in topics.items()]
    return f"The cluster has no topic {listed(told)}. Check the name, and that the console may describe the topic."


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


def _nothing_in_scope(facts: Facts) -> str:
    if facts["scope"] == "all_committed":
        return (
            f"Group {facts['group']} has no committed offset on any topic, so “all committed” is nothing. "
            "Name the topics instead."
        )
    return f"The scope comes to no partition of group {facts['group']}. Name at least one topic that has partitions."


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
        f"Group {facts['group']} was not found, but broker {listed(facts['brokers'])} did not answer and may know it. "
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
        f"The history does not tell what group {facts['group']} had at {moment(facts['at'])}: nobody looked then. "
        "Choose another moment, or give the offsets in a file."
    ),
    "reset.illegal_move": "A request that is {source} cannot become {target}.",
    "reset.state_moved": "The request is not {expected} any more: someone else was quicker. Look at it again.",
}

SENTENCES: Mapping[str, Sentence] = {**ERRORS, **LIFE, **WARNINGS, **WHYS}


def sentence(code: str, facts: Facts) -> str:
    """The sentence of a code. Raises KeyError for a code or a fact that does not exist: that is a bug."""
    template = SENTENCES[code]
    return template(facts) if callable(template) else template.format_map(facts)
