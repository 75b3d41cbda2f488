"""What people do with exports: ask, cancel, download; and what the clock does: pick up, drop."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.records import errors, queries, spans
from kafkaconsole.records.endings import end
from kafkaconsole.records.look_actions import drop_old_looks, left_behind_looks
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from kafkaconsole.resets import policies
from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
from kafkaconsole.words import words

MOST_RUNNING = 3
"""Exports that may work for one person at a time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What part of the plan's records: until where, at most how many, of which topic and partition (None: all)."""

    until: Until
    limit: int
    topic: str | None = None
    partition: int | None = None


@transaction.atomic
def ask(*, request: ResetRequest, by: User, wanted: Wanted) -> RecordExport:
    """Freeze the spans to read and let a worker start. Raises NotAllowed and the errors of this app."""
    policies.may_read_records(by, request).require()
    plan = _plan_of(request)
    _check_limit(wanted.limit)
    if (running := queries.running_count(by)) >= MOST_RUNNING:
        raise errors.TooManyExports(running=running, most=MOST_RUNNING)
    found = spans.spans_of(_lines_of(plan, wanted), wanted.until)
    if not found:
        raise errors.NothingToRead(request=request.pk, until=_in_words(wanted.until))
    export = RecordExport.objects.create(
        request=request,
        by=by,
        plan_digest=plan.digest,
        until=wanted.until,
        spans=spans.as_json(found),
        limit=wanted.limit,
        offsets_total=spans.offsets_in(found),
    )
    facts = {"export": export.pk, "until": str(wanted.until), "limit": wanted.limit, "offsets": export.offsets_total}
    audit.record("records.asked", actor=by, target=request, facts=facts)
    nudge.after_commit(nudge.Nudge.EXPORT_RECORDS, export_id=export.pk)
    return export


def cancel(*, export: RecordExport, by: User) -> None:
    """Stop an export; its worker notices at the next chunk. AlreadyEnded when it has ended."""
    own = queries.export_for(by, export.pk)
    if not end(own.pk, ExportState.CANCELLED, problem=_cancelled(own)):
        own.refresh_from_db()
        raise errors.AlreadyEnded(export=own.pk, state=own.state)


@transaction.atomic
def note_download(*, export: RecordExport, by: User) -> None:
    """Record that someone takes the contents away; the right is asked anew, for it may have been withdrawn."""
    policies.may_read_records(by, export.request).require()
    audit.record("records.downloaded", actor=by, target=export.request, facts={"export": export.pk})


def tick() -> int:
    """Nudge again for exports and looks that a lost message or a killed worker left behind; returns how many."""
    found = list(queries.left_behind(timezone.now()).values_list("pk", flat=True)[:100])
    for export_id in found:
        nudge.after_commit(nudge.Nudge.EXPORT_RECORDS, export_id=export_id)
    return len(found) + left_behind_looks()


def retain() -> int:
    """Drop ended exports and looks past their keeping time, with the records in them; returns how many."""
    dropped = drop_old_looks()
    for export in queries.past_keeping(settings.EXPORT_LIFE).order_by("id")[:500]:
        export.delete()
        dropped += 1
    return dropped


def _plan_of(request: ResetRequest) -> Plan:
    if request.plan is None:
        raise errors.NoPlanYet(request=request.pk, state=str(request.state))
    return request.plan


def _check_limit(limit: int) -> None:
    most = settings.EXPORT_MAX_RECORDS
    if not 1 <= limit <= most:
        raise errors.BadLimit(field="limit", found=limit, expected=words("a whole number from 1 to {most}", most=most))


def _lines_of(plan: Plan, wanted: Wanted) -> list[PlanLine]:
    lines = list(plan.lines.order_by("topic", "partition"))
    topics = sorted({line.topic for line in lines})
    if wanted.topic is not None and wanted.topic not in topics:
        raise errors.NotInPlan(field="topic", found=wanted.topic, expected=", ".join(topics))
    lines = [line for line in lines if wanted.topic in (None, line.topic)]
    if wanted.partition is None:
        return lines
    chosen = [line for line in lines if line.partition == wanted.partition]
    if not chosen:
        known = ", ".join(f"{line.topic}-{line.partition}" for line in lines[:20])
        raise errors.NotInPlan(field="partition", found=wanted.partition, expected=known)
    return chosen


def _in_words(until: Until) -> str:
    return {Until.COMMITTED: words("committed offsets"), Until.LOG_END: words("log end as planned")}[until]


def _cancelled(export: RecordExport) -> dict[str, object]:
    return {"code": "records.cancelled", "facts": {"records": export.records_count}}
