"""One topic of a metadata answer in our words."""

from __future__ import annotations

import base64
import uuid
from typing import Any

from kafkaconsole.kafka.answers import problem_for
from kafkaconsole.kafka.operations import operations_in
from kafkaconsole.kafka.values import Problem, ProblemKind, TopicFacts


def topic_facts(topic: Any) -> TopicFacts | Problem:
    """Its id, leaders and what we may do; a partition without a leader is one of its facts."""
    problem = problem_for(topic.error_code)
    if problem is not None and problem.kind is not ProblemKind.NO_LEADER:
        return problem
    leaders = {partition.partition_index: partition.leader_id != -1 for partition in topic.partitions}
    operations = operations_in(topic.authorized_operations)
    topic_id = topic_id_text(topic.topic_id)
    return TopicFacts(topic.name, topic_id, dict(sorted(leaders.items())), topic.is_internal, operations)


def topic_id_text(topic_id: uuid.UUID) -> str:
    """A topic id as Kafka's tools print it: url-safe base64 without padding."""
    return base64.urlsafe_b64encode(topic_id.bytes).rstrip(b"=").decode()
