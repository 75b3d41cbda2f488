"""The write, and the reading back. `carry_out` holds the only call in the product that writes to Kafka."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum

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
LOST_ANSWER = WriteAnswer(WriteOutcome.UNKNOWN, Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="no answer"))


class Answered(Enum):
    """What the broker's answers to writes came to."""

    CLEARLY = "clearly"
    REFUSED = "refused"  # a second write was refused, which says nothing of the first
    NOT = "not"  # an answer was lost, or leaves it open


def carry_out(*, admin: OffsetAdmin, attempt: Attempt, states: Collection[ResultState]) -> Answered:
    """Commit the approved plan's own numbers for the results in `states`, and delete what it deletes, run by run.

    Before each run the lease is checked and the results are noted as *unknown*; answers are noted as they come. It
    stops at the first run that leaves something unknown. Raises LeaseLost, and then nothing more was sent; a process
    that was paused after the check finds its time to send over (`begin_write`). A deletion sent twice comes to the
    same as once.
    """
    targets = targets_of(lines_of(attempt.plan))
    rows = list(attempt.results.filter(state__in=states).order_by("topic", "partition"))
    for run in _runs(rows):
        sent_before = {row.pk for row in run if row.state == ResultState.UNKNOWN}
        watched_since = attempt.watched_since
        until = claims.begin_write(attempt, run)
        answers = _write(admin, GroupId(attempt.plan.group_name), [of_row(row) for row in run], targets, until)
        answered = _note_answers(attempt, run, answers, sent_before, watched_since)
        if answered is not Answered.CLEARLY:
            return answered
    return Answered.CLEARLY


def _runs(rows: Sequence[AttemptResult]) -> Iterator[Sequence[AttemptResult]]:
    """What is sent in one request: commits first, then deletions, for the two are different requests."""
    for some in ([row for row in rows if row.target is not None], [row for row in rows if row.target is None]):
        for at in range(0, len(some), BATCH):
            yield some[at : at + BATCH]


def _write(
    admin: OffsetAdmin,
    group: GroupId,
    run: Sequence[TopicPartition],
    targets: Mapping[TopicPartition, Committed],
    until: datetime,
) -> Answers:
    """One request: a commit of the run's targets, or a deletion where the plan has none for them."""
    try:
        if run[0] in targets:
            return admin.commit(group, {of: targets[of] for of in run}, until=until)
        return admin.delete_offsets(group, run, until=until)
    except KafkaUnavailable:
        return dict.fromkeys(run, LOST_ANSWER)
    except KafkaRefused as error:  # our side refused before sending
        refused = WriteAnswer(WriteOutcome.NOT_WRITTEN, Problem(ProblemKind.REFUSED, error.code, detail=str(error)))
        return dict.fromkeys(run, refused)


def _note_answers(
    attempt: Attempt,
    rows: Sequence[AttemptResult],
    answers: Answers,
    sent_before: Collection[int],
    watched_since: datetime | None,
) -> Answered:
    """Note each answer. A refusal says nothing of an earlier write that is still unknown: only a good answer ends it.
    Where no answer was lost, nothing new can arrive late, and the watch goes on as it was."""
    for row in rows:
        answer = answers.get(of_row(row), LOST_ANSWER)
        if answer.outcome is WriteOutcome.WRITTEN:
            row.state, row.problem = ResultState.WRITTEN, None
            continue
        is_unknown = answer.outcome is WriteOutcome.UNKNOWN or row.pk in sent_before
        row.state = ResultState.UNKNOWN if is_unknown else ResultState.FAILED
        row.problem = _problem(refusals.ANSWER_UNKNOWN if is_unknown else refusals.NOT_WRITTEN, answer.problem)
    is_lost = any(answers.get(of_row(row), LOST_ANSWER).outcome is WriteOutcome.UNKNOWN for row in rows)
    attempt.watched_since = None if is_lost else watched_since
    claims.store(attempt, rows, watched_since=attempt.watched_since)
    if is_lost:
        return Answered.NOT
    return Answered.REFUSED if any(row.state == ResultState.UNKNOWN for row in rows) else Answered.CLEARLY


def _problem(code: str, found: Problem | None) -> dict[str, object]:
    why = found or Problem(ProblemKind.UNAVAILABLE, "")
    return problem(code, kind=why.kind, kafka_error=why.kafka_error, detail=why.detail, passing=why.passing)


def read_back(admin: OffsetReader, attempt: Attempt, *, but_not: Collection[str] = ()) -> list[AttemptResult] | None:
    """Compare what is committed now with what was written; answers the results that were read, None when the cluster
    did not answer. What cannot be read stays as it is; topics in `but_not` are left out.

    What reads as planned is *done*: even a write that comes late puts the same number. A written partition that reads
    otherwise was overwritten by someone else; of an *unknown* one, any other reading proves nothing.
    """
    open_states = (ResultState.WRITTEN, ResultState.UNKNOWN)
    rows = list(attempt.results.filter(state__in=open_states).exclude(topic__in=but_not))
    if not rows:
        return []
    claims.hold(attempt)
    try:
        found = admin.committed_of(GroupId(attempt.plan.group_name), [of_row(row) for row in rows])
    except (KafkaUnavailable, KafkaRefused) as error:
        for row in rows:
            row.problem = row.problem or problem_of(error)
        claims.store(attempt, rows)
        return None
    for row in rows:
        _judge(row, found.get(of_row(row)))
    claims.store(attempt, rows)
    read = [row for row in rows if not isinstance(found.get(of_row(row)), Problem)]
    is_answered = read or any(not one.passing for one in found.values() if isinstance(one, Problem))
    return read if is_answered else None


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
