"""Ending what has no clear answer, as kafka-facts 5.12 says: a first reading of the old value proves nothing.

Wait, take a new client, look: the group must be Empty and each offset as before or as planned. Then the same numbers
are committed again until the answer is clear, and read back with that client; a later good write makes all earlier
ones final, because the coordinator's log is in order. Anything else found there is watched (`watching`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from django.conf import settings

from kafkaconsole.clusters.errors import AnotherCluster
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.port import Connect, OffsetAdmin
from kafkaconsole.kafka.values import Committed, GroupId, GroupState
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import refusals
from kafkaconsole.resets.execution import checks, claims, watching
from kafkaconsole.resets.execution.claims import LeaseLost
from kafkaconsole.resets.execution.watching import Trouble
from kafkaconsole.resets.execution.writing import Answered, carry_out, of_row, read_back
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
        except LeaseLost:
            raise
        except ConsoleError as error:
            watching.interrupt(attempt, problem_of(error))


def _settle_once(attempt: Attempt, admin: OffsetAdmin) -> bool:
    """One try with one client; whether there is nothing more to try now."""
    claims.hold(attempt)
    rows = list(attempt.results.filter(state__in=UNCLEAR))
    if rows:
        trouble = _trouble(attempt, admin, rows)
        if trouble is None:
            answered = carry_out(admin=admin, attempt=attempt, states=UNCLEAR)
            if answered is Answered.NOT:
                return False
            trouble = _refusal(attempt) if answered is Answered.REFUSED else None
        if trouble is not None:
            watching.watch(attempt, admin, trouble)
            return True
    read_back(admin, attempt)
    return not attempt.results.filter(state=ResultState.WRITTEN).exists()


def _trouble(attempt: Attempt, admin: OffsetAdmin, rows: Sequence[AttemptResult]) -> Trouble | None:
    """Why the same numbers may not be committed again; None if they may."""
    plan, group = attempt.plan, GroupId(attempt.plan.group_name)
    found_id = admin.describe_cluster().cluster_id
    if found_id != plan.kafka_cluster_id:
        raise AnotherCluster(cluster=str(attempt.cluster), found=found_id, expected=plan.kafka_cluster_id)
    described = checks.describe(admin, group)
    replaced = list(checks.topic_differences(admin, [(of_row(row), row.topic_id) for row in rows]))
    gone = described.state is GroupState.MISSING and plan.group_state != GroupState.MISSING
    differences = [
        *([{"what": "group", "planned": plan.group_state, "found": described.state.value}] if gone else []),
        *(one.as_json() for one in replaced),
        *_other_commits(admin, group, rows),
    ]
    active = checks.active_members(described)
    if active is None and not differences:
        return None
    told = problem(
        refusals.WATCHED,
        state=described.state.value,
        active=active is not None,
        differences=differences[: checks.SHOWN],
        total=len(differences),
        refused="",
    )
    return Trouble(told, frozenset(one.of.topic for one in replaced if one.of))


def _refusal(attempt: Attempt) -> Trouble:
    """The broker refuses the same numbers now, though the group is Empty and all is as before or as planned."""
    row = attempt.results.filter(state=ResultState.UNKNOWN).exclude(problem=None).first()
    why = str(row.problem["facts"]["kafka_error"]) if row and row.problem else ""
    return Trouble(problem(refusals.WATCHED, state="", active=False, differences=[], total=0, refused=why), frozenset())


def _other_commits(admin: OffsetAdmin, group: GroupId, rows: Sequence[AttemptResult]) -> list[dict[str, object]]:
    held = checks.committed(admin, group, [of_row(row) for row in rows])
    return [_difference(row, held[of_row(row)]) for row in rows if not _is_ours(row, held[of_row(row)])]


def _is_ours(row: AttemptResult, held: Committed | None) -> bool:
    """As before, or as planned; what was never sent can only be as before."""
    found = held.offset if held else None
    return found == row.before or (found == row.target and row.state == ResultState.UNKNOWN)


def _difference(row: AttemptResult, held: Committed | None) -> dict[str, object]:
    found = held.offset if held else None
    planned = [row.before, row.target]
    return {"what": "committed", "topic": row.topic, "partition": row.partition, "planned": planned, "found": found}
