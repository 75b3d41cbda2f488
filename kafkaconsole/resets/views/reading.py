"""Pages that show requests: the list, the inbox, one request and its live parts, its plan as a file."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.resets import files, policies, queries, storing
from kafkaconsole.resets.forms.deciding import FilterForm
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.pages import since as past
from kafkaconsole.resets.pages.listing import summaries
from kafkaconsole.resets.pages.review import Review
from kafkaconsole.teams.queries import teams_for

REQUESTS_A_PAGE = 25


@require_safe
@login_required
def requests(request: SignedInRequest) -> HttpResponse:
    """The requests that the person may see, newest first."""
    clusters = [(one.name, str(one)) for one in clusters_for(request.user)]
    teams = [(one.slug, one.name) for one in teams_for(request.user)]
    form = FilterForm(request.GET, clusters=clusters, teams=teams)
    asked = form.cleaned_data if form.is_valid() else {}
    found = queries.requests_for(request.user, **asked) if form.is_valid() else ResetRequest.objects.none()
    page = Paginator(found, REQUESTS_A_PAGE).get_page(request.GET.get("page"))
    facts = {
        "form": form,
        "page": page,
        "rows": summaries(page.object_list),
        "is_filtered": any(asked.values()) or bool(form.errors),
        "why_not_ask": policies.may_request_somewhere(request.user).reason,
    }
    return render(request, "resets/list.html", facts)


@require_safe
@login_required
def inbox(request: SignedInRequest) -> HttpResponse:
    """What waits for this person's signature, longest waiting first."""
    page = Paginator(queries.inbox_of(request.user), REQUESTS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "resets/inbox.html", {"page": page, "rows": summaries(page.object_list)})


@require_safe
@login_required
def detail(request: SignedInRequest, request_id: int) -> HttpResponse:
    """The review page; htmx asking for the plan's table alone gets that."""
    reset = queries.request_for(request.user, request_id)
    template = "resets/_plan.html" if request.headers.get("HX-Target") == "plan" else "resets/detail.html"
    return render(request, template, page_of(request, reset))


@require_safe
@login_required
def live(request: SignedInRequest, request_id: int) -> HttpResponse:
    """The live parts as they are now, or 204 while they are as the page has them (`?seen=`)."""
    reset = queries.request_for(request.user, request_id)
    facts = page_of(request, reset)
    review = facts["review"]
    if isinstance(review, Review) and request.GET.get("seen") == review.version:
        return HttpResponse(status=204)
    changed = request.GET.get("digest", "") != reset.plan_digest
    parts = {"oob": True, "draw_plan": changed or review_has_results(reset), "draw_records": changed}
    return render(request, "resets/_live.html", facts | parts)


@require_safe
@login_required
def since(request: SignedInRequest, request_id: int) -> HttpResponse:
    """What has moved since the plan was made, or 204 while nobody has measured again since (`?seen=`)."""
    reset = queries.request_for(request.user, request_id)
    measured_at = past.measured_since(reset)
    if measured_at is None or request.GET.get("seen") == measured_at.isoformat():
        return HttpResponse(status=204)
    return render(request, "resets/_since.html", {"since": past.since_of(reset), "reset": reset})


@require_safe
@login_required
def plan_csv(request: SignedInRequest, request_id: int) -> HttpResponse:
    """The plan's lines as topic,partition,offset, which this console and Kafka's own tool read."""
    reset = queries.request_for(request.user, request_id)
    if reset.plan is None:
        raise Http404(f"Request {request_id} has no plan.")
    answer = HttpResponse(files.plan_as_csv(storing.lines_of(reset.plan)), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="request-{reset.pk}-plan.csv"'
    return answer


def page_of(request: SignedInRequest, reset: ResetRequest) -> dict[str, object]:
    """What the templates of the review page are given."""
    return {"review": Review(reset, request.user, request.GET.dict()), "reset": reset}


def review_has_results(reset: ResetRequest) -> bool:
    """Whether the plan's table also tells what became of each partition."""
    return reset.attempts.exists()
