"""Undoing: a new request, under the same policy, that puts back what the group had before."""

from __future__ import annotations

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import policies, queries
from kafkaconsole.resets.actions import asking
from kafkaconsole.resets.models import Attempt, ResetRequest


@transaction.atomic
def undo(*, request: ResetRequest, by: User, reason: str) -> ResetRequest:
    """Ask for the snapshot of the request's attempt to be put back, where the attempt wrote or may have written.

    The new request names the old one, is planned against what the group has by then, and needs the same signatures.
    Raises NotAllowed, BadRequest.
    """
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    policies.may_undo(by, row).require()
    attempt = queries.written_attempt_of(row)
    if attempt is None:
        raise NotAllowed(reason="Nothing was written, so there is nothing to put back.")
    change = {
        "cluster": row.cluster.name,
        "group": row.group_name,
        "scope": {"topics": _scope(attempt)},
        "strategy": {"kind": "restore", "snapshot": attempt.pk},
    }
    undoing = asking.request(by=by, change_json=change, reason=reason, undo_of=row)
    facts = {"undone_by": undoing.pk, "attempt": attempt.number, "reason": undoing.reason}
    audit.record("reset.undo_requested", actor=by, target=row, facts=facts)
    return undoing


def _scope(attempt: Attempt) -> list[dict[str, object]]:
    """The partitions to put back, by topic."""
    by_topic: dict[str, list[int]] = {}
    for result in queries.written_results_of(attempt):
        by_topic.setdefault(result.topic, []).append(result.partition)
    return [{"topic": topic, "partitions": partitions} for topic, partitions in sorted(by_topic.items())]
