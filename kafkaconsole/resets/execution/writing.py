"""The write, and the reading back. `carry_out` holds the only call in the product that writes to Kafka."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.port import OffsetAdmin, OffsetReader
from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    Problem,
    ProblemKind,
    TopicPartition,
    WriteAnswer,
    WriteOutcome,
)
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import refusals
from kafkaconsole.resets.execution import claims
from kafkaconsole.resets.models import Attempt, AttemptResult
from kafkaconsole.resets.planning import targets_of
from kafkaconsole.resets.states import ResultState
from kafkaconsole.resets.storing import BATCH, lines_of

Answers = Mapping[TopicPartition, WriteAnswer]
LOST = WriteAnswer(WriteOutcome.UNKNOWN, Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="no answer"))


def carry_out(*, admin: OffsetAdmin, attempt: Attempt, states: Collection[ResultState]) -> bool:
    """Commit the approved plan's own numbers for the results in `states`, run by run; whether every answer was clear.

    Before each run the lease is checked and the results are noted as *unknown*; answers are noted as they come. It
    stops at the first answer that is not clear. Raises LeaseLost, and then nothing more was sent.
    """
    targets = targets_of(lines_of(attempt.plan))
    rows = list(attempt.results.filter(state__in=states).order_by("topic", "partition"))
    for at in range(0, len(rows), BATCH):
        run = rows[at : at + BATCH]
        sent_before = {row.pk for row in run if row.state == ResultState.UNKNOWN}
        claims.begin_write(attempt, run)
        answers = _commit(admin, GroupId(attempt.plan.group_name), {of_row(row): targets[of_row(row)] for row in run})
        _note_answers(run, answers, sent_before)
        if any(row.state == ResultState.UNKNOWN for row in run):
            return False
    return True


def _commit(admin: OffsetAdmin, group: GroupId, targets: Mapping[TopicPartition, Committed]) -> Answers:
    try:
        return admin.commit(group, targets)
    except KafkaUnavailable:
        return dict.fromkeys(targets, LOST)
    except KafkaRefused as error:  # our side refused before sending
        refused = WriteAnswer(WriteOutcome.NOT_WRITTEN, Problem(ProblemKind.REFUSED, error.code, detail=str(error)))
        return dict.fromkeys(targets, refused)


def _note_answers(rows: Sequence[AttemptResult], answers: Answers, sent_before: Collection[int]) -> None:
    """Note each answer. A refusal says nothing of an earlier write that is still unknown: only a good answer ends it."""
    for row in rows:
        answer = answers.get(of_row(row), LOST)
        if answer.outcome is WriteOutcome.WRITTEN:
            row.state, row.problem = ResultState.WRITTEN, None
            continue
        is_unknown = answer.outcome is WriteOutcome.UNKNOWN or row.pk in sent_before
        row.state = ResultState.UNKNOWN if is_unknown else ResultState.FAILED
        row.problem = _problem(refusals.ANSWER_UNKNOWN if is_unknown else refusals.NOT_WRITTEN, answer.problem)
    claims.store(rows)


def _problem(code: str, found: Problem | None) -> dict[str, object]:
    why = found or Problem(ProblemKind.UNAVAILABLE, "")
    return problem(code, kind=why.kind, kafka_error=why.kafka_error, detail=why.detail, passing=why.passing)


def read_back(admin: OffsetReader, attempt: Attempt) -> None:
    """Compare what is committed now with what was written. What cannot be read stays as it is.

    What reads as planned is *done*: even a write that comes late puts the same number. A written partition that reads
    otherwise was overwritten by someone else; of an *unknown* one, any other reading proves nothing.
    """
    rows = list(attempt.results.filter(state__in=(ResultState.WRITTEN, ResultState.UNKNOWN)))
    if not rows:
        return
    claims.hold(attempt)
    try:
        found = admin.committed_of(GroupId(attempt.plan.group_name), [of_row(row) for row in rows])
    except (KafkaUnavailable, KafkaRefused) as error:
        for row in rows:
            row.problem = row.problem or problem_of(error)
        claims.store(rows)
        return
    for row in rows:
        _judge(row, found.get(of_row(row)))
    claims.store(rows)


def _judge(row: AttemptResult, found: Committed | None | Problem) -> None:
    if isinstance(found, Problem):
        row.problem = _problem(refusals.ANSWER_UNKNOWN, found)
        return
    row.after = found.offset if found else None
    if row.after == row.target:
        row.state, row.problem = ResultState.DONE, None
    elif row.state == ResultState.WRITTEN:
        row.state = ResultState.FAILED
        row.problem = problem(refusals.OVERWRITTEN, target=row.target, found=row.after)


def of_row(row: AttemptResult) -> TopicPartition:
    """The partition that a result is about."""
    return TopicPartition(row.topic, row.partition)
