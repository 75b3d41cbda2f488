"""The list of consumer groups, and who owns which."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError
from kafkaconsole.groups import actions, policies, queries
from kafkaconsole.groups.forms import FilterForm, OwnershipForm
from kafkaconsole.teams.queries import teams_for
from kafkaconsole.words import shown

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
    }
    template = "groups/_table.html" if request.headers.get("HX-Request") else "groups/list.html"
    return render(request, template, facts)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ownership(request: SignedInRequest) -> HttpResponse:
    """All ownership rules; administrators add one here."""
    clusters = list(clusters_for(request.user))
    form = _ownership_form(request, clusters)
    if request.method == "POST" and form.is_valid() and _add(request, form, clusters):
        return redirect("ownership")
    verdict = policies.may_set_ownership(request.user)
    facts = {"rules": queries.rules_for(request.user), "form": form, "verdict": verdict}
    return render(request, "groups/ownership.html", facts, status=422 if form.errors else 200)


@require_POST
@login_required
def remove_ownership(request: SignedInRequest, rule_id: int) -> HttpResponse:
    """Take a rule away."""
    rule = queries.rules_for(request.user).filter(pk=rule_id).first()
    if rule is None:
        raise Http404(f"There is no ownership rule {rule_id}.")
    actions.remove_ownership(by=request.user, cluster=rule.cluster, kind=rule.kind, pattern=rule.pattern)
    messages.success(request, _("The rule for %(pattern)s is gone.") % {"pattern": rule.pattern})
    return redirect("ownership")


def _ownership_form(request: SignedInRequest, clusters: list[Cluster]) -> OwnershipForm:
    return OwnershipForm(
        request.POST if request.method == "POST" else None,
        clusters=[(one.name, str(one)) for one in clusters],
        teams=[(one.slug, one.name) for one in teams_for(request.user)],
        initial={"team": request.GET.get("team", ""), "pattern": request.GET.get("pattern", ""), "kind": "prefix"},
    )


def _add(request: SignedInRequest, form: OwnershipForm, clusters: list[Cluster]) -> bool:
    given = form.cleaned_data
    cluster = next((one for one in clusters if one.name == given["cluster"]), None)
    team = teams_for(request.user).get(slug=given["team"])
    try:
        rule = actions.add_ownership(
            by=request.user, cluster=cluster, kind=given["kind"], pattern=given["pattern"], team=team
        )
    except ConsoleError as error:
        form.add_error("pattern", shown(sentence(error.code, error.facts)))
        return False
    messages.success(
        request, _("Groups like %(pattern)s belong to %(team)s now.") % {"pattern": rule.pattern, "team": team}
    )
    return True
