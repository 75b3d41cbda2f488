"""How an export ends: its state, its reason and the audit record in one transaction, whoever ends it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from kafkaconsole.audit import actions as audit
from kafkaconsole.records.models import RUNNING, ExportState, RecordExport


@transaction.atomic
def end(export_id: int, state: ExportState, *, problem: Mapping[str, object] | None = None) -> bool:
    """Move a running export to a final state; False when another was first. Counts are recorded, contents never."""
    running = RecordExport.objects.filter(pk=export_id, state__in=RUNNING)
    if running.update(state=state, ended_at=timezone.now(), lease_until=None, problem=problem) != 1:
        return False
    export = RecordExport.objects.select_related("request", "by").get(pk=export_id)
    audit.record("records.exported", actor=export.by, target=export.request, facts=_counts(export))
    return True


def _counts(export: RecordExport) -> dict[str, object]:
    return {
        "export": export.pk,
        "state": str(export.state),
        "until": export.until,
        "offsets_total": export.offsets_total,
        "offsets_read": export.offsets_read,
        "records": export.records_count,
        "bytes": export.bytes_count,
    }
