"""Who owns which groups: the rules, the ties among them, and a tester."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import clusters_for, environments
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.groups import actions, policies, queries, trying
from kafkaconsole.groups.forms import OwnershipForm, TesterForm
from kafkaconsole.teams.queries import teams_for
from kafkaconsole.words import shown


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ownership(request: SignedInRequest) -> HttpResponse:
    """All ownership rules and a tester; administrators add a rule here, and see the ties."""
    clusters = list(clusters_for(request.user))
    form = _ownership_form(request, clusters)
    if request.method == "POST" and form.is_valid() and _add(request, form, clusters):
        return redirect("ownership")
    tester = TesterForm(
        request.GET if "group" in request.GET else None, clusters=[(one.name, str(one)) for one in clusters]
    )
    facts = {
        "rules": queries.rules_for(request.user),
        "ties": queries.ties_for(request.user),
        "form": form,
        "tester": tester,
        "tried": _tried(request, tester, clusters),
        "verdict": policies.may_set_ownership(request.user),
    }
    return render(request, "groups/ownership.html", facts, status=422 if form.errors else 200)


@require_POST
@login_required
def remove_ownership(request: SignedInRequest, rule_id: int) -> HttpResponse:
    """Take a rule away."""
    rule = queries.rules_for(request.user).filter(pk=rule_id).first()
    if rule is None:
        raise Http404(f"There is no ownership rule {rule_id}.")
    actions.remove_ownership(
        by=request.user, cluster=rule.cluster, environment=rule.environment, kind=rule.kind, pattern=rule.pattern
    )
    messages.success(request, _("The rule for %(pattern)s is gone.") % {"pattern": rule.pattern})
    return redirect("ownership")


def _tried(request: SignedInRequest, form: TesterForm, clusters: list[Cluster]) -> trying.Tried | None:
    if not (form.is_bound and form.is_valid()):
        return None
    cluster = next(one for one in clusters if one.name == form.cleaned_data["on"])
    try:
        return trying.who_owns(request.user, cluster, form.cleaned_data["group"])
    except Http404:
        told = _("Groups of %(environment)s are not shown to everyone, nor is who owns them.")
        form.add_error("group", told % {"environment": cluster.environment})
        return None


def _ownership_form(request: SignedInRequest, clusters: list[Cluster]) -> OwnershipForm:
    asked = request.GET
    return OwnershipForm(
        request.POST if request.method == "POST" else None,
        clusters=[(one.name, str(one)) for one in clusters],
        environments=[(one.slug, one.name) for one in environments()],
        teams=[(one.slug, one.name) for one in teams_for(request.user)],
        initial={"team": asked.get("team", ""), "pattern": asked.get("pattern", ""), "kind": "prefix"},
    )


def _add(request: SignedInRequest, form: OwnershipForm, clusters: list[Cluster]) -> bool:
    given = form.cleaned_data
    where, _space, named = given["place"].partition(" ")
    try:
        rule = actions.add_ownership(
            by=request.user,
            cluster=next((one for one in clusters if where == "cluster" and one.name == named), None),
            environment=next((one for one in environments() if where == "environment" and one.slug == named), None),
            kind=given["kind"],
            pattern=given["pattern"],
            team=teams_for(request.user).get(slug=given["team"]),
        )
    except NotAllowed:
        raise
    except ConsoleError as error:
        form.add_error("pattern", shown(sentence(error.code, error.facts)))
        return False
    told = {"pattern": rule.pattern, "team": rule.team}
    messages.success(request, _("Groups like %(pattern)s belong to %(team)s now.") % told)
    return True
