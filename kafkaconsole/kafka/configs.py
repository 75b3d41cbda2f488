"""Settings asked of brokers: a topic's clean-up and timestamps, how long an idle group's offsets are kept, and its members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from kafka.protocol.admin import DescribeConfigsRequest

from kafkaconsole.kafka.answers import problem_for
from kafkaconsole.kafka.values import GroupDescription, GroupType, Problem, ProblemKind, SessionTimeout, TopicConfig
from kafkaconsole.kafka.wire import Wire, batches

TOPIC, BROKER, GROUP = 2, 4, 32
TOPICS_A_REQUEST = 200
CLEANUP, TIMESTAMPS, RETENTION = "cleanup.policy", "message.timestamp.type", "offsets.retention.minutes"
GROUP_SESSION, LONGEST_SESSION = "consumer.session.timeout.ms", "group.max.session.timeout.ms"

LEFT_OUT = Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="the broker's answer left it out")

Settings = Mapping[str, str | None]


async def topic_configs(wire: Wire, names: Sequence[str]) -> dict[str, TopicConfig | Problem]:
    """Any broker knows the topics' settings. Needs DESCRIBE_CONFIGS on each topic."""
    found: dict[str, TopicConfig | Problem] = {}
    for some in batches(names, TOPICS_A_REQUEST):
        request = _request(TOPIC, some, [CLEANUP, TIMESTAMPS])
        answers = _answers(await wire.ask_any(request))
        found.update({name: _topic_config(answers.get(name, LEFT_OUT)) for name in some})
    return found


async def offsets_retention(wire: Wire) -> timedelta | Problem:
    """Needs DESCRIBE_CONFIGS on the cluster."""
    minutes = await _of_a_broker(wire, RETENTION)
    return minutes if isinstance(minutes, Problem) else timedelta(minutes=minutes)


async def session_timeout(wire: Wire, group: GroupDescription) -> SessionTimeout | Problem:
    """Any broker knows a group's settings. Needs DESCRIBE_CONFIGS on the group, for a classic one on the cluster."""
    is_exact = group.type is GroupType.CONSUMER
    if is_exact:
        answers = _answers(await wire.ask_any(_request(GROUP, [group.group], [GROUP_SESSION])))
        milliseconds = _number(answers.get(group.group, LEFT_OUT), GROUP_SESSION)
    else:
        milliseconds = await _of_a_broker(wire, LONGEST_SESSION)
    if isinstance(milliseconds, Problem):
        return milliseconds
    return SessionTimeout(timedelta(milliseconds=milliseconds), is_exact)


async def _of_a_broker(wire: Wire, setting: str) -> int | Problem:
    """As one broker has it: a setting of brokers that is alike on all."""
    node = min(broker.node_id for broker in (await wire.metadata([])).brokers)
    ((_, answer),) = await wire.ask_each({node: [str(node)]}, lambda name: _request(BROKER, [name], [setting]))
    return answer if isinstance(answer, Problem) else _number(_answers(answer).get(str(node), LEFT_OUT), setting)


def _number(settings: Settings | Problem, name: str) -> int | Problem:
    """A setting that is a whole number from 0."""
    if isinstance(settings, Problem):
        return settings
    text = settings.get(name) or ""
    return int(text) if text.isascii() and text.isdecimal() else LEFT_OUT


def _request(kind: int, names: Sequence[str], keys: Sequence[str]) -> Any:
    resource_of = DescribeConfigsRequest.DescribeConfigsResource
    resources = [resource_of(resource_type=kind, resource_name=name, configuration_keys=list(keys)) for name in names]
    return DescribeConfigsRequest(resources=resources, include_synonyms=False, include_documentation=False)


def _answers(answer: Any) -> dict[str, Settings | Problem]:
    """What was told of each resource; settings that the broker does not have are absent."""
    return {
        result.resource_name: problem_for(result.error_code, result.error_message)
        or {one.name: one.value for one in result.configs}
        for result in answer.results
    }


def _topic_config(settings: Settings | Problem) -> TopicConfig | Problem:
    if isinstance(settings, Problem):
        return settings
    policies, timestamps = settings.get(CLEANUP), settings.get(TIMESTAMPS)
    if policies is None or timestamps is None:
        return LEFT_OUT
    return TopicConfig(frozenset(one.strip() for one in policies.split(",")), timestamps)
