"""Warnings of who is in a group, of what it did since, and of what the console may not do there."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.resets.wording import Facts, and_more, partitions, seconds
from kafkaconsole.words import counted, joined, words


def group_not_empty(facts: Facts) -> str:
    """That there are members, who, and what follows."""
    who = members_told(facts)
    return words(
        "Group {group} is {state}, not Empty.{members} Nothing is written while it has members: stop its consumers "
        "before the reset is due.",
        group=facts["group"],
        state=facts["state"],
        members=words(" Its members: {members}.", members=who) if who else "",
    )


def members_told(facts: Facts, *, most: int = 5) -> str:
    """Who they are, and what they read."""
    members = facts["members"]
    told = [_member(one) for one in members[:most]] if isinstance(members, list | tuple) else []
    rest = int(str(facts.get("count", len(told)))) - len(told) if told else 0
    return and_more(joined(told), rest)


def _member(one: Facts) -> str:
    reads = one.get("reads")
    reading = isinstance(reads, Mapping) and bool(reads["count"])
    return words(
        "{client} on {host}{reads}{static}",
        client=one["client_id"],
        host=one["host"],
        reads=words(", reads {partitions}", partitions=partitions(reads))
        if reading and isinstance(reads, Mapping)
        else "",
        static=_static(one),
    )


def _static(member: Facts) -> str:
    instance = member.get("instance_id")
    if not instance:
        return ""
    return words(" (static member {instance}, which stays until its session times out)", instance=instance)


def session_told(facts: Facts) -> str:
    """How long that takes. A classic member chooses it when it joins, and no answer of the broker tells what it chose."""
    if facts.get("timeout_s") is None:
        return words(" (session.timeout.ms, usually 45 seconds)")
    length = seconds(facts["timeout_s"])
    if facts["is_exact"]:
        return words(", which takes {length}", length=length)
    return words(" (its own session.timeout.ms, usually 45 seconds; brokers allow at most {length})", length=length)


def cannot_write(facts: Facts) -> str:
    """Which rights are missing, and what follows."""
    missing = facts["missing"]
    told = [
        words("{right} on {resource}", right=one["right"], resource=one["resource"])
        for one in (missing[:5] if isinstance(missing, list | tuple) else ())
    ]
    return words(
        "The console lacks rights that writing needs: {rights}. The brokers would refuse the reset: grant them before "
        "the plan is signed.",
        rights=and_more(joined(told), int(str(facts["count"])) - len(told)),
    )


def moved_since(facts: Facts) -> str:
    """Where the group has gone since it was reset."""
    moved = facts["moved"]
    told = joined((_moved(one) for one in moved[:5]) if isinstance(moved, list | tuple) else (), "; ")
    return counted(
        "The group has moved since it was reset, on {count} partition: {moved}. What it has read since will be read again, "
        "or skipped.",
        "The group has moved since it was reset, on {count} partitions: {moved}. What it has read since will be read again, "
        "or skipped.",
        facts["count"],
        moved=and_more(told, int(str(facts["count"])) - 5),
    )


def _moved(one: Facts) -> str:
    return words(
        "{partition} had {before}, was set to {set} and is at {now}",
        partition=one["partition"],
        **{key: or_none(one[key]) for key in ("before", "set", "now")},
    )


def or_none(offset: object) -> object:
    """An offset, or that there is none."""
    return words("none") if offset is None else offset
