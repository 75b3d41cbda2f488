"""The records of a request's plan: a list, or a file that streams as it is read."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, StreamingHttpResponse
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api import waiting
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.shapes.records import FileQuery, ListQuery, RecordsOut, RecordsQuery
from kafkaconsole.api.shapes.values import RowId
from kafkaconsole.records import actions, queries
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.models import RecordExport
from kafkaconsole.records.views import JSON_LINES, as_download
from kafkaconsole.resets import policies
from kafkaconsole.resets import queries as resets

router = Router(tags=["records"])

FILE: dict[str, Any] = {
    "responses": {
        200: {
            "description": "JSON Lines; a file that is not complete ends in a notice (docs/how-to/read-records.md)",
            "content": {JSON_LINES.partition(";")[0]: {"schema": {"type": "string"}}},
        }
    }
}


@router.get("/requests/{row:request_id}/records", auth=needs(Scope.READ), response=RecordsOut)
def list_records(request: ApiRequest, request_id: Path[RowId], query: Query[ListQuery]) -> RecordsOut:
    """The first records that will be read again. Needs the right to read messages; every look is recorded."""
    export = _export(request, request_id, query, query.limit)
    row = waiting.until(
        lambda: queries.export_for(request.auth.user, export.pk), lambda one: one.is_final, query.wait_s
    )
    return RecordsOut.of(row, queries.first_records(row, query.limit))


@router.get("/requests/{row:request_id}/records.jsonl", auth=needs(Scope.READ), openapi_extra=FILE)
def download_records(request: ApiRequest, request_id: Path[RowId], query: Query[FileQuery]) -> StreamingHttpResponse:
    """All records that will be read again, as they are read. Whoever leaves before the end cancels the reading."""
    export = _export(request, request_id, query, query.limit or settings.EXPORT_MAX_RECORDS)
    actions.note_download(export=export, by=request.auth.user)
    return as_download(export)


def _export(request: ApiRequest, request_id: int, query: RecordsQuery, limit: int) -> RecordExport:
    user = request.auth.user
    reset = resets.request_for(user, request_id)
    if query.export is not None:
        export = queries.export_for(user, query.export)
        if export.request_id != reset.pk:
            raise Http404(f"Export {query.export} belongs to another request.")
        policies.may_read_records(user, reset).require()  # the right may have been withdrawn since
        return export
    wanted = Wanted(query.until, limit, query.topic, query.partition)
    return actions.ask(request=reset, by=user, wanted=wanted)
