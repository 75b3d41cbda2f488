"""The records of a request's plan: a panel of the request page, and the download."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.display import sentences
from kafkaconsole.errors import NotAllowed, Refused
from kafkaconsole.records import actions, queries, streaming
from kafkaconsole.records.forms import AskForm
from kafkaconsole.records.models import RecordExport
from kafkaconsole.records.spans import Until
from kafkaconsole.resets import policies as reset_policies
from kafkaconsole.resets import queries as reset_queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.words import shown

SHOWN = 50
FIRST_LIMIT = 1000
JSON_LINES = "application/jsonl; charset=utf-8"


@require_safe
@login_required
def panel(request: SignedInRequest, request_id: int) -> HttpResponse:
    """The panel as it is now: the newest export of this person, or the form that asks for one."""
    reset = reset_queries.request_for(request.user, request_id)
    return _draw(request, reset, _form(reset, last=_latest(request, reset)))


@require_POST
@login_required
def ask(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Start reading; the panel then follows it."""
    reset = reset_queries.request_for(request.user, request_id)
    form = _form(reset, request)
    if not form.is_valid():
        return _draw(request, reset, form, status=422)
    try:
        actions.ask(request=reset, by=request.user, wanted=form.wanted())
    except NotAllowed:
        raise
    except Refused as error:  # said beside the form, with what was typed kept
        form.add_error(None, shown(sentences.sentence(error.code, error.facts)))
        return _draw(request, reset, form, status=422)
    return redirect("records-panel", request_id=reset.pk)


@require_POST
@login_required
def cancel(request: SignedInRequest, request_id: int, export_id: int) -> HttpResponse:
    """Stop reading."""
    export = queries.export_for(request.user, export_id)
    actions.cancel(export=export, by=request.user)
    return redirect("records-panel", request_id=export.request_id)


@require_safe
@login_required
def download(request: SignedInRequest, request_id: int, export_id: int) -> StreamingHttpResponse:
    """The file, from its first line, as far as it has been read and on as it comes."""
    export = queries.export_for(request.user, export_id)
    actions.note_download(export=export, by=request.user)
    return as_download(export)


def as_download(export: RecordExport) -> StreamingHttpResponse:
    """The response that streams an export; used by the page and the HTTP API alike."""
    answer = StreamingHttpResponse(streaming.lines(export), content_type=JSON_LINES)
    answer["Content-Disposition"] = f'attachment; filename="request-{export.request_id}-records-{export.pk}.jsonl"'
    answer["X-Accel-Buffering"] = "no"
    answer["Cache-Control"] = "no-store"
    return answer


def _form(reset: ResetRequest, request: SignedInRequest | None = None, *, last: RecordExport | None = None) -> AskForm:
    """The form as sent, or as it starts: with what was asked last, if there is something."""
    start: dict[str, object] = {"until": Until.COMMITTED.value, "place": "all", "limit": FIRST_LIMIT}
    if last is not None:
        start |= {"until": last.until, "limit": last.limit}
    return AskForm(request.POST if request else None, plan=reset.plan, initial=start)


def _latest(request: SignedInRequest, reset: ResetRequest) -> RecordExport | None:
    return queries.latest_for(request.user, reset) if reset_policies.may_read_records(request.user, reset) else None


def _draw(request: SignedInRequest, reset: ResetRequest, form: AskForm, status: int = 200) -> HttpResponse:
    verdict = reset_policies.may_read_records(request.user, reset)
    export = queries.latest_for(request.user, reset) if verdict else None
    facts = {
        "reset": reset,
        "form": form,
        "verdict": verdict,
        "export": export,
        "records": queries.first_records(export, SHOWN) if export else [],
    }
    template = "records/_export.html" if request.headers.get("HX-Request") else "records/panel.html"
    return render(request, template, facts, status=status)
