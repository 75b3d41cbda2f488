"""What a broker's error code means for the console, in one table.

Names are Kafka's own (`org.apache.kafka.common.protocol.Errors`); kafka-python still has older ones for a few.
"""

from __future__ import annotations

import kafka.errors as kafka_errors

from kafkaconsole.kafka.values import Problem, ProblemKind, WriteAnswer, WriteOutcome

NAMES_SINCE_CHANGED = {
    "UNKNOWN": "UNKNOWN_SERVER_ERROR",
    "NOT_LEADER_FOR_PARTITION": "NOT_LEADER_OR_FOLLOWER",
    "INVALID_TOPIC": "INVALID_TOPIC_EXCEPTION",
    "MESSAGE_SIZE_TOO_LARGE": "MESSAGE_TOO_LARGE",
}

KINDS = {
    "TOPIC_AUTHORIZATION_FAILED": ProblemKind.NOT_AUTHORIZED,
    "GROUP_AUTHORIZATION_FAILED": ProblemKind.NOT_AUTHORIZED,
    "CLUSTER_AUTHORIZATION_FAILED": ProblemKind.NOT_AUTHORIZED,
    "UNKNOWN_TOPIC_OR_PARTITION": ProblemKind.NOT_FOUND,
    "UNKNOWN_TOPIC_ID": ProblemKind.NOT_FOUND,
    "INVALID_TOPIC_EXCEPTION": ProblemKind.NOT_FOUND,
    "GROUP_ID_NOT_FOUND": ProblemKind.NOT_FOUND,
    "LEADER_NOT_AVAILABLE": ProblemKind.NO_LEADER,
    "UNKNOWN_MEMBER_ID": ProblemKind.ACTIVE_MEMBERS,
    "NON_EMPTY_GROUP": ProblemKind.ACTIVE_MEMBERS,
    "GROUP_SUBSCRIBED_TO_TOPIC": ProblemKind.ACTIVE_MEMBERS,
    "REBALANCE_IN_PROGRESS": ProblemKind.ACTIVE_MEMBERS,
    "INCONSISTENT_GROUP_PROTOCOL": ProblemKind.WRONG_KIND,
    "UNSUPPORTED_VERSION": ProblemKind.UNSUPPORTED,
    "UNSUPPORTED_FOR_MESSAGE_FORMAT": ProblemKind.UNSUPPORTED,
    "BROKER_NOT_AVAILABLE": ProblemKind.UNAVAILABLE,
    "UNKNOWN_SERVER_ERROR": ProblemKind.UNAVAILABLE,
}
"""Errors whose kind does not follow from `retriable` (then UNAVAILABLE) or its absence (then REFUSED)."""

PASSING_KINDS = frozenset({ProblemKind.UNAVAILABLE, ProblemKind.NO_LEADER})

NEVER_WRITTEN = frozenset(
    {
        "UNKNOWN_MEMBER_ID",
        "GROUP_ID_NOT_FOUND",
        "INVALID_GROUP_ID",
        "GROUP_AUTHORIZATION_FAILED",
        "TOPIC_AUTHORIZATION_FAILED",
        "CLUSTER_AUTHORIZATION_FAILED",
        "UNKNOWN_TOPIC_OR_PARTITION",
        "UNKNOWN_TOPIC_ID",
        "INVALID_TOPIC_EXCEPTION",
        "OFFSET_METADATA_TOO_LARGE",
        "COORDINATOR_LOAD_IN_PROGRESS",
        "NON_EMPTY_GROUP",
        "GROUP_SUBSCRIBED_TO_TOPIC",
        "UNSUPPORTED_VERSION",
        "INVALID_REQUEST",
    }
)
"""Answers that prove that nothing was written; after any other error a write may still appear (kafka-facts 5.10)."""

COORDINATOR_ELSEWHERE = frozenset({"NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS"})
"""A reading that got one of these may find the coordinator if it asks again who it is."""

LEADER_ELSEWHERE = frozenset(
    {
        "NOT_LEADER_OR_FOLLOWER",
        "FENCED_LEADER_EPOCH",
        "UNKNOWN_LEADER_EPOCH",
        "OFFSET_NOT_AVAILABLE",
        "REPLICA_NOT_AVAILABLE",
    }
)
"""A lookup that got one of these may succeed with fresh metadata."""


def error_name(code: int) -> str:
    """Kafka's own name of an error code; `ERROR_n` for one that this client does not know."""
    known = kafka_errors.kafka_errors.get(code)
    if known is None:
        return f"ERROR_{code}"
    name = str(known.message)
    return NAMES_SINCE_CHANGED.get(name, name)


def problem_for(code: int, detail: str | None = None) -> Problem | None:
    """The problem that an error code stands for; None for 0. Every code has an answer, also those yet to come."""
    if code == 0:
        return None
    name = error_name(code)
    retriable = kafka_errors.for_code(code).retriable
    kind = KINDS.get(name, ProblemKind.UNAVAILABLE if retriable else ProblemKind.REFUSED)
    return Problem(kind, name, passing=kind in PASSING_KINDS, detail=detail or "")


def problem_of_exception(error: BaseException) -> Problem:
    """The problem for a request that got no answer: the connection, the time limit or the client's own refusal."""
    if isinstance(error, kafka_errors.IncompatibleBrokerVersion):
        return Problem(ProblemKind.UNSUPPORTED, "UNSUPPORTED_VERSION", detail=str(error))
    if isinstance(error, kafka_errors.SaslAuthenticationFailedError):
        return Problem(ProblemKind.NOT_AUTHORIZED, "SASL_AUTHENTICATION_FAILED", detail=str(error))
    if isinstance(error, kafka_errors.RequestTimedOutError | kafka_errors.KafkaTimeoutError):
        return Problem(ProblemKind.UNAVAILABLE, "REQUEST_TIMED_OUT", passing=True)
    return Problem(ProblemKind.UNAVAILABLE, "NETWORK_EXCEPTION", passing=True, detail=str(error))


def write_answer_for(code: int) -> WriteAnswer:
    """Written, not written, or unknown: whatever is not known to be harmless is unknown."""
    problem = problem_for(code)
    if problem is None:
        return WriteAnswer(WriteOutcome.WRITTEN)
    safe = problem.kafka_error in NEVER_WRITTEN
    return WriteAnswer(WriteOutcome.NOT_WRITTEN if safe else WriteOutcome.UNKNOWN, problem)


def not_written(problem: Problem) -> WriteAnswer:
    """Nothing was sent, or the broker refused before it wrote."""
    return WriteAnswer(WriteOutcome.NOT_WRITTEN, problem)


def unknown(problem: Problem) -> WriteAnswer:
    """Sent, and never answered."""
    return WriteAnswer(WriteOutcome.UNKNOWN, problem)
