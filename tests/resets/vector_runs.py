"""One reset vector played on the fake broker with the product's own change, gathering and planning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.values import Committed, GroupState, GroupType, Offset, TopicPartition
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.instants import epoch_ms, parse_duration, parse_instant
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.plans import Action, Plan
from tests.fakes.kafka import FakeKafka
from tests.resets.making import NOW, at

Vector = Mapping[str, Any]

ZONE = re.compile(r"(Z|[+-]\d{1,2}(:?\d{2})?)\w*$")
STATES = {"(does not exist)": GroupState.MISSING, "Dead": GroupState.DEAD}
ARGUMENT = {"to-offset": "offset", "shift-by": "by", "by-duration": "duration", "from-file": "csv"}


def play(vector: Vector) -> dict[str, object]:
    """What we come to, in the vectors' own terms: offsets, a parsed time, or {"error": our code}."""
    try:
        if vector["given"].get("probe") == "parse only":
            return parsed(vector)
        fake = broker_of(vector["given"])
        change = parse_change(change_of(vector))
        now = at(vector["given"]["now_ms"]) if "now_ms" in vector["given"] else NOW
        plan = compute(change, gather(fake, change, now=now, times=None), now)
    except ConsoleError as error:
        return {"error": error.code}
    except ValueError:
        return {"error": "unreadable"}
    return told(plan, several="partitions" in vector["given"])


def parsed(vector: Vector) -> dict[str, object]:
    """The moment or the duration that a text means, in milliseconds."""
    text = vector["argument"]
    if vector["strategy"] == "by-duration":
        return {"duration_ms": round(parse_duration(text).total_seconds() * 1000)}
    return {"timestamp_ms": epoch_ms(parse_instant(text, zone_beside(text)).at)}


def zone_beside(text: str) -> str | None:
    """Kafka's tool reads a time without a zone as UTC; our change says so."""
    return None if ZONE.search(text.partition("T")[2]) else "UTC"


def told(plan: Plan, *, several: bool) -> dict[str, object]:
    """A plan in the vectors' terms; an active group and refusing lines come first."""
    refused = [line.why for line in plan.lines if line.action is Action.REFUSE]
    if refused:
        return {"error": str(refused[0])}
    if any(warning.code == "group_not_empty" for warning in plan.warnings):
        return {"warning": "group_not_empty"}
    if several:
        return {"partitions": {str(line.of): line.target for line in plan.lines}}
    (line,) = plan.lines
    return {"new_offset": line.target, "replayed": line.replayed, "skipped": line.skipped}


def change_of(vector: Vector) -> dict[str, object]:
    """The change that says the same as the tool's command line."""
    kind, argument = vector["strategy"], vector["argument"]
    strategy: dict[str, object] = {"kind": kind.replace("-", "_")}
    if kind == "to-datetime":
        strategy |= {"datetime": argument, "timezone": zone_beside(argument)}
    elif kind in ("to-offset", "shift-by"):
        number = argument.split()[0]
        strategy[ARGUMENT[kind]] = int(number) if re.fullmatch(r"[+-]?\d+", number) else number
    elif kind in ARGUMENT:
        strategy[ARGUMENT[kind]] = argument.partition(" together with ")[0]
    all_committed = "--all-topics" in str(argument) or vector["given"].get("scope") == "--all-topics"
    scope: object = {"all_committed": True} if all_committed else {"topics": topics_of(vector)}
    return {
        "cluster": "demo",
        "group": "g",
        "scope": None if kind == "from-file" and "--topic" not in argument else scope,
        "strategy": strategy,
        "create_group": vector["given"].get("group_state") in STATES,
    }


def topics_of(vector: Vector) -> list[object]:
    """`--topic t:0,1 --topic u` as topics of a scope; numbers that are none stay text."""
    beside_file = re.search(r"--topic \S+$", str(vector["argument"])) if vector["strategy"] == "from-file" else None
    command = vector["given"].get("scope") or (beside_file[0] if beside_file else "--topic t")
    topics: list[object] = []
    for one in re.findall(r'--topic ("[^"]*"|\S+)', command):
        topic, _, partitions = one.strip('"').partition(":")
        named = [int(text) if text.isdecimal() else text for text in partitions.split(",")] if partitions else None
        topics.append({"topic": topic} if named is None else {"topic": topic, "partitions": named})
    return topics


def broker_of(given: Mapping[str, Any]) -> FakeKafka:
    """A fake broker on which the vector's `given` is true."""
    fake = FakeKafka()
    logs = {**given.get("partitions", {})} or {"t-0": given}
    logs |= {name: {"leaderless": True} for name in given.get("leaderless", [])}
    top = max(int(name.rpartition("-")[2]) for name in logs)
    fake.add_topic("t", top + 1)
    fake.add_topic("b", 1)
    for name, log in logs.items():
        fill(fake, TopicPartition("t", int(name.rpartition("-")[2])), log)
    let_group_be(fake, given)
    return fake


def fill(fake: FakeKafka, of: TopicPartition, given: Mapping[str, Any]) -> None:
    """One partition's records, bounds and commit."""
    log = fake.log(of.topic, of.partition)
    log.has_leader = not given.get("leaderless", False)
    for offset, stamp in given.get("records", []):
        log.log_end = offset
        fake.produce(of.topic, of.partition, b"m", at=at(stamp))
    log.log_start, log.log_end = given.get("log_start", 0), given.get("log_end", 0)
    if given.get("last_stable_offset") is not None:
        fake.open_transaction(of.topic, of.partition, at_offset=given["last_stable_offset"])
    if given.get("committed") is not None:
        fake.set_committed("g", {of: Committed(Offset(given["committed"]))})
    if "segments" in given:  # only the old segment is searched, and it holds no match at or above the log start
        fake.answer("offsets_at", of, None)


def let_group_be(fake: FakeKafka, given: Mapping[str, Any]) -> None:
    """The group's kind and state."""
    if given.get("group_state") in STATES or given.get("group_type") is None:
        return
    group = fake.group("g")
    group.type = GroupType(given["group_type"])
    group.state = GroupState(given["group_state"])
    group.protocol_type = given.get("protocol_type", "consumer")
