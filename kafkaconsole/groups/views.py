"""The list of consumer groups."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.groups import queries
from kafkaconsole.groups.claims.policies import may_claim_somewhere
from kafkaconsole.groups.forms import FilterForm
from kafkaconsole.teams.queries import teams_for

GROUPS_A_PAGE = 50


@require_safe
@login_required
def groups(request: SignedInRequest) -> HttpResponse:
    """Find a group among thousands; htmx asking for the table alone gets that."""
    clusters = list(clusters_for(request.user))
    teams = [(one.slug, one.name) for one in teams_for(request.user)]
    form = FilterForm(request.GET, clusters=[(one.name, str(one)) for one in clusters], teams=teams)
    asked = dict(form.cleaned_data) if form.is_valid() else {}
    named = asked.pop("cluster", "")
    cluster = next((one for one in clusters if one.name == named), None)
    sort = request.GET.get("sort", "name")
    found = queries.groups_for(request.user, cluster, **asked, sort=sort)
    facts = {
        "form": form,
        "page": Paginator(found, GROUPS_A_PAGE).get_page(request.GET.get("page")),
        "is_filtered": bool(named) or any(asked.values()),
        "sort": sort if sort in queries.SORTS else "name",
        "clusters": clusters,
        "may_claim": may_claim_somewhere(request.user),
    }
    template = "groups/_table.html" if request.headers.get("HX-Request") else "groups/list.html"
    return render(request, template, facts)
