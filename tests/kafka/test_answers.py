"""The table of error codes is total, and careful about what counts as written."""

from __future__ import annotations

import kafka.errors as kafka_errors
import pytest

from kafkaconsole.kafka.answers import (
    COORDINATOR_ELSEWHERE,
    KINDS,
    LEADER_ELSEWHERE,
    NAMES_SINCE_CHANGED,
    NEVER_WRITTEN,
    PASSING_KINDS,
    error_name,
    not_written,
    problem_for,
    problem_of_exception,
    unknown,
    write_answer_for,
)
from kafkaconsole.kafka.values import Problem, ProblemKind, WriteAnswer, WriteOutcome

EVERY_CODE = sorted(code for code in kafka_errors.kafka_errors if code)
NOT_YET_KNOWN = 9_999


@pytest.mark.parametrize("code", [*EVERY_CODE, NOT_YET_KNOWN])
def test_every_error_code_has_a_problem(code: int) -> None:
    problem = problem_for(code)
    assert problem is not None
    assert problem.kafka_error == error_name(code)
    assert problem.passing == (problem.kind in PASSING_KINDS)


@pytest.mark.parametrize("code", [*EVERY_CODE, NOT_YET_KNOWN])
def test_only_harmless_errors_count_as_not_written(code: int) -> None:
    answer = write_answer_for(code)
    expected = WriteOutcome.NOT_WRITTEN if error_name(code) in NEVER_WRITTEN else WriteOutcome.UNKNOWN
    assert answer.outcome is expected


@pytest.mark.parametrize(
    "name",
    ["NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "REQUEST_TIMED_OUT", "UNKNOWN_SERVER_ERROR", "NETWORK_EXCEPTION"],
)
def test_answers_after_which_a_write_was_seen_are_unknown(name: str) -> None:
    assert name not in NEVER_WRITTEN


def test_no_error_is_written() -> None:
    assert problem_for(0) is None
    assert write_answer_for(0).outcome is WriteOutcome.WRITTEN


def test_tables_name_errors_that_exist() -> None:
    names = {error_name(code) for code in EVERY_CODE}
    for table in (KINDS, NEVER_WRITTEN, COORDINATOR_ELSEWHERE, LEADER_ELSEWHERE, NAMES_SINCE_CHANGED.values()):
        assert set(table) <= names


@pytest.mark.parametrize(
    ("error", "kind", "name"),
    [
        (kafka_errors.RequestTimedOutError(), ProblemKind.UNAVAILABLE, "REQUEST_TIMED_OUT"),
        (kafka_errors.KafkaTimeoutError(), ProblemKind.UNAVAILABLE, "REQUEST_TIMED_OUT"),
        (kafka_errors.KafkaConnectionError("closed"), ProblemKind.UNAVAILABLE, "NETWORK_EXCEPTION"),
        (kafka_errors.IncompatibleBrokerVersion(), ProblemKind.UNSUPPORTED, "UNSUPPORTED_VERSION"),
        (kafka_errors.SaslAuthenticationFailedError(), ProblemKind.NOT_AUTHORIZED, "SASL_AUTHENTICATION_FAILED"),
    ],
)
def test_request_without_an_answer_is_a_problem_too(error: Exception, kind: ProblemKind, name: str) -> None:
    problem = problem_of_exception(error)
    assert (problem.kind, problem.kafka_error, problem.passing) == (kind, name, kind is ProblemKind.UNAVAILABLE)
    # A time limit says all there is to say; of the others the client knows more.
    assert problem.detail == ("" if name == "REQUEST_TIMED_OUT" else str(error))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("TOPIC_AUTHORIZATION_FAILED", ProblemKind.NOT_AUTHORIZED),
        ("UNKNOWN_TOPIC_OR_PARTITION", ProblemKind.NOT_FOUND),
        ("LEADER_NOT_AVAILABLE", ProblemKind.NO_LEADER),
        ("UNKNOWN_MEMBER_ID", ProblemKind.ACTIVE_MEMBERS),
        ("UNSUPPORTED_VERSION", ProblemKind.UNSUPPORTED),
        ("UNKNOWN_SERVER_ERROR", ProblemKind.UNAVAILABLE),
        ("NOT_COORDINATOR", ProblemKind.UNAVAILABLE),  # by being retriable
        ("INVALID_REQUEST", ProblemKind.REFUSED),  # by not being so
        ("ERROR_9999", ProblemKind.REFUSED),
    ],
)
def test_an_errors_kind_is_the_tables_or_follows_from_whether_asking_again_may_help(
    name: str, kind: ProblemKind
) -> None:
    (code,) = [code for code in (*EVERY_CODE, NOT_YET_KNOWN) if error_name(code) == name]
    assert problem_for(code) == Problem(kind, name, passing=kind in PASSING_KINDS)
    assert problem_for(code, "the broker's words") == Problem(kind, name, kind in PASSING_KINDS, "the broker's words")
    assert write_answer_for(code).problem == problem_for(code)


def test_what_was_never_sent_is_not_written_and_what_was_never_answered_is_unknown() -> None:
    problem = Problem(ProblemKind.UNAVAILABLE, "NETWORK_EXCEPTION")
    assert not_written(problem) == WriteAnswer(WriteOutcome.NOT_WRITTEN, problem)
    assert unknown(problem) == WriteAnswer(WriteOutcome.UNKNOWN, problem)
