"""The record: search, check the chain, take it away as a file. Administrators and auditors."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.audit import checking, exporting, queries
from kafkaconsole.audit.forms import FilterForm
from kafkaconsole.audit.models import AuditCheck, AuditEvent
from kafkaconsole.errors import NotAllowed

EVENTS_A_PAGE = 50
EARLIER = 15


@require_safe
@login_required
def audit(request: SignedInRequest) -> HttpResponse:
    """What happened, newest first."""
    form, events = _asked(request)
    facts = {
        "form": form,
        "page": Paginator(events, EVENTS_A_PAGE).get_page(request.GET.get("page")),
        "check": AuditCheck.objects.first(),
        "is_filtered": form.is_valid() and any(form.filters().values()),
        "verbs": AuditEvent.objects.order_by("verb").values_list("verb", flat=True).distinct(),
    }
    return render(request, "audit/list.html", facts)


@require_POST
@login_required
def verify(request: SignedInRequest) -> HttpResponse:
    """Ask a worker to walk the chain; the page shows how far it is and what it found."""
    _require(request)
    check = checking.ask(by=request.user)
    if request.headers.get("HX-Request"):
        return render(request, "audit/_check.html", {"check": check})
    return redirect("audit-check")


@require_safe
@login_required
def check(request: SignedInRequest) -> HttpResponse:
    """The newest walk over the chain, under way or with what it found, and those before it."""
    _require(request)
    checks = AuditCheck.objects.select_related("asked_by")
    template = "audit/_check.html" if request.headers.get("HX-Request") else "audit/check.html"
    return render(request, template, {"check": checks.first(), "earlier": checks[1:EARLIER]})


@require_safe
@login_required
def as_csv(request: SignedInRequest) -> StreamingHttpResponse:
    """The events that match, as a table."""
    return _file(exporting.csv_lines(_asked(request)[1]), "text/csv; charset=utf-8", "audit.csv")


@require_safe
@login_required
def as_json_lines(request: SignedInRequest) -> StreamingHttpResponse:
    """The events that match, one a line, with their macs."""
    return _file(exporting.json_lines(_asked(request)[1]), "application/jsonl; charset=utf-8", "audit.jsonl")


def _asked(request: SignedInRequest) -> tuple[FilterForm, QuerySet[AuditEvent]]:
    _require(request)
    form = FilterForm(request.GET)
    filters = form.filters() if form.is_valid() else {}
    return form, queries.events_for(request.user, **filters)  # type: ignore[arg-type]  # a form's cleaned values


def _require(request: SignedInRequest) -> None:
    if not queries.may_read_audit(request.user):
        raise NotAllowed(
            reason=_(
                "Administrators and auditors read the whole record. "
                "What happened on a request or a group of yours stands on its own page."
            )
        )


def _file(lines: object, content_type: str, name: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(lines, content_type=content_type)  # type: ignore[arg-type]  # an iterator of text
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer
