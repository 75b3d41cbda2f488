"""Where a group has been: the page, and the chart's data as JSON, as a table and as a file."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.queries import cluster_for
from kafkaconsole.groups.queries import group_for
from kafkaconsole.overview.pages import asked, files
from kafkaconsole.overview.pages.chart import Chart
from kafkaconsole.overview.pages.past import HistoryPage

ROWS_IN_TABLE = 200


@require_safe
@login_required
def history(request: SignedInRequest) -> HttpResponse:
    """Choose a group, see its chart at full width, and look up what it had at a moment."""
    return render(request, "overview/history.html", {"page": HistoryPage(request.user, request.GET.dict())})


@require_safe
@login_required
def data(request: SignedInRequest, cluster: str, group: str) -> JsonResponse:
    """What the chart draws."""
    answer = JsonResponse(_chart(request, cluster, group).as_json())
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
@login_required
def table(request: SignedInRequest, cluster: str, group: str) -> HttpResponse:
    """The same as a table, newest first; htmx gets the table alone."""
    chart = _chart(request, cluster, group)
    template = "overview/_history_table.html" if request.headers.get("HX-Request") else "overview/history_table.html"
    facts = {"chart": chart, "rows": files.table_rows(chart, ROWS_IN_TABLE), "most": ROWS_IN_TABLE}
    return render(request, template, facts)


@require_safe
@login_required
def csv(request: SignedInRequest, cluster: str, group: str) -> StreamingHttpResponse:
    """Every point as a file; holes are lines of their own."""
    chart = _chart(request, cluster, group)
    lines: Iterator[str] = files.csv_lines(chart)
    answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{files.file_name(chart)}"'
    return answer


def _chart(request: SignedInRequest, cluster: str, name: str) -> Chart:
    group = group_for(request.user, cluster_for(request.user, cluster), name)
    return Chart(group, asked.read(request.GET.dict(), timezone.now(), group.first_seen_at), request.user)
