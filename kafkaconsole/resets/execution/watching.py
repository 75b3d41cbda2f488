"""What the same numbers cannot end, time ends: someone else committed, the group is in use, or the broker refuses.

Nothing is written then. The offsets are read every SETTLE_AGAIN; once the cluster has answered for LATE_WRITE without
a break, a write of ours that never got its answer is not on its way any more, and what is read is the result: done,
unchanged, or another's. What even then cannot be read stays *unknown* (docs/decisions/0006).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from kafkaconsole.kafka.port import OffsetReader
from kafkaconsole.problems import problem
from kafkaconsole.resets import refusals
from kafkaconsole.resets.execution import claims
from kafkaconsole.resets.execution.writing import read_back
from kafkaconsole.resets.models import Attempt, AttemptResult
from kafkaconsole.resets.states import ResultState


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why nothing may be written again: `told` is the problem, `replaced` the topics that are gone or made again."""

    told: dict[str, object]
    replaced: Collection[str]


def watch(attempt: Attempt, admin: OffsetReader, trouble: Trouble) -> None:
    """Read, and say what is found once it has been watched for long enough."""
    read = read_back(admin, attempt, but_not=trouble.replaced)
    if read is None:
        interrupt(attempt, trouble.told)
        return
    now = timezone.now()
    attempt.problem, attempt.watched_since = trouble.told, attempt.watched_since or now
    claims.hold(attempt, problem=trouble.told, watched_since=attempt.watched_since)
    if now - attempt.watched_since >= settings.LATE_WRITE:
        _end(attempt, read, trouble.replaced)


def interrupt(attempt: Attempt, trouble: dict[str, object]) -> None:
    """The cluster did not answer: what was on its way then may still arrive, so the watch begins anew."""
    attempt.problem, attempt.watched_since = trouble, None
    claims.hold(attempt, problem=trouble, watched_since=None)


def is_given_up(attempt: Attempt) -> bool:
    """Whether it has been tried for so long that it ends with what is known."""
    began = attempt.write_began_at
    return began is not None and timezone.now() - began >= settings.SETTLE_LIMIT


def _end(attempt: Attempt, read: Collection[AttemptResult], replaced: Collection[str]) -> None:
    gone = list(attempt.results.filter(state=ResultState.UNKNOWN, topic__in=replaced))
    for row in gone:
        row.state, row.problem = ResultState.FAILED, problem(refusals.TOPIC_REPLACED, topic=row.topic)
    found = [row for row in read if row.state == ResultState.UNKNOWN]
    for row in found:
        code = refusals.UNCHANGED if row.after == row.before else refusals.FOUND_ANOTHER
        row.problem = problem(
            code, before=row.before, target=row.target, found=row.after, watched_s=settings.LATE_WRITE.seconds
        )
        row.state = ResultState.FAILED
    claims.store(attempt, [*gone, *found])
