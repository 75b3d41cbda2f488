"""Batches: asking for several groups at once, and signing several plans in one go, each digest by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.errors import ConsoleError
from kafkaconsole.problems import problem_of
from kafkaconsole.resets import batch_queries
from kafkaconsole.resets.actions import asking, signing
from kafkaconsole.resets.models import Batch, ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.words import words

MOST_GROUPS = 50
FEWEST_GROUPS = 2


@dataclass(frozen=True, slots=True)
class Signed:
    """What became of one signature: `problem` None: the plan is signed."""

    request: ResetRequest
    problem: dict[str, object] | None = None


@transaction.atomic
def request_batch(
    *,
    by: User,
    changes: Sequence[Mapping[str, object]],
    reason: str,
    ticket: str = "",
    not_before: datetime | None = None,
    expires_at: datetime | None = None,
) -> Batch:
    """Ask for all of the changes, or for none: each becomes a request with a plan and signatures of its own.

    Raises what `request` raises for the first change that cannot be asked for, and BadRequest for fewer than two
    changes, more than MOST_GROUPS, or two of the same group.
    """
    _check_changes(changes)
    made = [
        asking.request(
            by=by, change_json=change, reason=reason, ticket=ticket, not_before=not_before, expires_at=expires_at
        )
        for change in changes
    ]
    batch = Batch.objects.create(by=by, reason=made[0].reason)
    ResetRequest.objects.filter(pk__in=[one.pk for one in made]).update(batch=batch)
    facts = {"requests": [one.pk for one in made], "groups": [[one.cluster.name, one.group_name] for one in made]}
    audit.record("batch.requested", actor=by, target=batch, facts=facts)
    return batch


def approve_batch(*, batch: Batch, by: User, seen_digests: Mapping[int, str], comment: str = "") -> list[Signed]:
    """Sign those plans of the batch whose digests the person saw, by request id; each is signed, or not, by itself.

    A request that is not named is not touched. The answer tells of every one that is. Raises BadRequest, before
    anything is signed, for none at all, or an id that is no request of the batch that the person may see.
    """
    rows = {row.pk: row for row in batch_queries.requests_of(by, batch)}
    unknown = sorted(seen_digests.keys() - rows.keys())
    if unknown or not seen_digests:
        found = ", ".join(map(str, unknown)) or "none"
        raise BadRequest(
            field="digests", found=found, expected=words("requests of batch {batch}, one at least", batch=batch.pk)
        )
    verdicts = [_sign(rows[pk], by, seen_digests[pk], comment) for pk in rows if pk in seen_digests]
    signed = [one.request.pk for one in verdicts if one.problem is None]
    if signed:  # a person who signed none has approved nothing, and the record must not say so
        refused = {str(one.request.pk): one.problem["code"] for one in verdicts if one.problem is not None}
        with transaction.atomic():
            audit.record("batch.approved", actor=by, target=batch, facts={"signed": signed, "refused": refused})
    return verdicts


def _sign(row: ResetRequest, by: User, digest: str, comment: str) -> Signed:
    try:
        return Signed(signing.approve(request=row, by=by, seen_digest=digest, comment=comment))
    except ConsoleError as error:
        return Signed(row, problem_of(error))


def _check_changes(changes: Sequence[Mapping[str, object]]) -> None:
    if not FEWEST_GROUPS <= len(changes) <= MOST_GROUPS:
        expected = words("{fewest} to {most} changes", fewest=FEWEST_GROUPS, most=MOST_GROUPS)
        raise BadRequest(field="changes", found=words("{count} changes", count=len(changes)), expected=expected)
    seen: set[tuple[object, object]] = set()
    for change in changes:
        of = (change.get("cluster"), change.get("group"))
        if of in seen:
            raise BadRequest(
                field="changes",
                found=words("{group} on {cluster} twice", group=of[1], cluster=of[0]),
                expected=words("each group once"),
            )
        seen.add(of)
