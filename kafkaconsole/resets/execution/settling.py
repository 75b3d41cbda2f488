"""Ending what has no clear answer, as kafka-facts 5.12 says: a first reading of the old value proves nothing.

Wait, take a new client, look: the group must be Empty and each offset as before or as planned. Then the same numbers
are committed again until the answer is clear, and read back with that client; a later good write makes all earlier
ones final, because the coordinator's log is in order. Anything else found there is left *unknown* for a person.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from django.conf import settings

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.port import Connect, OffsetAdmin
from kafkaconsole.kafka.values import Committed, GroupId, TopicPartition
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import refusals
from kafkaconsole.resets.execution import checks, claims
from kafkaconsole.resets.execution.writing import carry_out, of_row, read_back
from kafkaconsole.resets.models import Attempt, AttemptResult
from kafkaconsole.resets.states import ResultState

TRIES = 5
UNCLEAR = (ResultState.UNKNOWN, ResultState.INTENDED)


def settle(attempt: Attempt, connect: Connect) -> None:
    """Bring every result to *done* or *failed* where that can be done with certainty; the rest stays as it is."""
    for _ in range(TRIES):
        time.sleep(settings.SETTLE_PAUSE.total_seconds())
        try:
            with connect(attempt.cluster_id) as admin:
                if _settle_once(attempt, admin):
                    return
        except (KafkaUnavailable, KafkaRefused) as error:
            _note(attempt, problem_of(error))


def _settle_once(attempt: Attempt, admin: OffsetAdmin) -> bool:
    """One try with one client; whether there is nothing more to try now."""
    claims.hold(attempt)
    rows = list(attempt.results.filter(state__in=UNCLEAR))
    if rows:
        trouble = _trouble(attempt, admin, rows)
        if trouble is not None:
            read_back(admin, attempt)
            _note(attempt, trouble)
            return True
        if not carry_out(admin=admin, attempt=attempt, states=UNCLEAR):
            return False
    read_back(admin, attempt)
    return not attempt.results.filter(state=ResultState.WRITTEN).exists()


def _trouble(attempt: Attempt, admin: OffsetAdmin, rows: Sequence[AttemptResult]) -> dict[str, object] | None:
    """Why the same numbers may not be committed again; None if they may."""
    plan, group = attempt.plan, GroupId(attempt.plan.group_name)
    found_id = admin.describe_cluster().cluster_id
    if found_id != plan.kafka_cluster_id:
        return problem(refusals.STALE, differences=[{"what": "cluster_id", "found": found_id}], total=1)
    described = checks.describe(admin, group)
    active = checks.active_members(described)
    if active is not None:
        return active
    if checks.has_gone(plan, described):
        return problem(refusals.STALE, differences=[{"what": "group", "found": described.state}], total=1)
    differences = [*_other_topics(admin, rows), *_other_commits(admin, group, rows)]
    return (
        problem(refusals.STALE, differences=differences[: checks.SHOWN], total=len(differences))
        if differences
        else None
    )


def _other_topics(admin: OffsetAdmin, rows: Sequence[AttemptResult]) -> list[dict[str, object]]:
    """Topics that are gone or made again: their partitions are not what the plan was about."""
    planned = {row.topic: row.topic_id for row in rows}
    topics = admin.topics(sorted(planned))
    found = {topic: getattr(topics.get(topic), "topic_id", None) for topic in planned}
    return [
        {"what": "topic_id", "topic": topic, "planned": planned[topic], "found": found[topic]}
        for topic in sorted(planned)
        if found[topic] != planned[topic]
    ]


def _other_commits(admin: OffsetAdmin, group: GroupId, rows: Sequence[AttemptResult]) -> list[dict[str, object]]:
    held = checks.committed(admin, group, [of_row(row) for row in rows])
    return [_difference(row, held[of_row(row)]) for row in rows if not _is_ours(row, held[of_row(row)])]


def _is_ours(row: AttemptResult, held: Committed | None) -> bool:
    """As before, or as planned; what was never sent can only be as before."""
    found = held.offset if held else None
    return found == row.before or (found == row.target and row.state == ResultState.UNKNOWN)


def _difference(row: AttemptResult, held: Committed | None) -> dict[str, object]:
    of: TopicPartition = of_row(row)
    found = held.offset if held else None
    planned = [row.before, row.target]
    return {"what": "committed", "topic": of.topic, "partition": of.partition, "planned": planned, "found": found}


def _note(attempt: Attempt, trouble: dict[str, object]) -> None:
    attempt.problem = trouble
    claims.hold(attempt, problem=trouble)
