"""Registered clusters: the list, one cluster with the test of its connection, and setting it up."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import actions, policies, queries, rights
from kafkaconsole.clusters.forms import NEW, ClusterForm
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.errors import ConsoleError

TESTS_SHOWN = 5


@require_safe
@login_required
def clusters(request: SignedInRequest) -> HttpResponse:
    """Every cluster with its health."""
    found = queries.clusters_for(request.user).annotate(groups_count=_seen_groups(request.user))
    verdict = policies.may_administer(request.user)
    template = "clusters/_table.html" if request.headers.get("HX-Request") else "clusters/list.html"
    return render(request, template, {"clusters": found, "verdict": verdict})


@require_safe
@login_required
def cluster(request: SignedInRequest, name: str) -> HttpResponse:
    """One cluster; htmx asking for the test's progress gets that part alone."""
    row = queries.cluster_for(request.user, name)
    tests = list(queries.tests_of(row)[:TESTS_SHOWN])
    facts = {
        "cluster": row,
        "latest": tests[0] if tests else None,
        "earlier": tests[1:],
        "verdict": policies.may_administer(request.user),
    }
    template = "clusters/_live.html" if request.headers.get("HX-Request") else "clusters/detail.html"
    return render(request, template, facts)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """Register a cluster, then test its connection at once."""
    policies.may_administer(request.user).require()
    form = ClusterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        added = _add(request, form)
        if added is not None:
            messages.success(request, _("%(cluster)s is added. Its connection is tested now.") % {"cluster": added})
            return redirect("cluster", name=added.name)
    return render(request, "clusters/form.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: SignedInRequest, name: str) -> HttpResponse:
    """Change how a cluster is reached, then test it again."""
    policies.may_administer(request.user).require()
    row = queries.cluster_for(request.user, name)
    form = ClusterForm(request.POST if request.method == "POST" else None, cluster=row)
    if request.method == "POST" and form.is_valid() and _change(request, form, row):
        messages.success(request, _("%(cluster)s is changed. Its connection is tested now.") % {"cluster": row})
        return redirect("cluster", name=row.name)
    return render(request, "clusters/form.html", {"form": form, "cluster": row}, status=422 if form.errors else 200)


@require_POST
@login_required
def test(request: SignedInRequest, name: str) -> HttpResponse:
    """Let a worker test the connection; the page then follows it."""
    row = queries.cluster_for(request.user, name)
    actions.ask_for_test(cluster=row, by=request.user)
    return redirect("cluster", name=row.name)


@require_POST
@login_required
def remove(request: SignedInRequest, name: str) -> HttpResponse:
    """Take a cluster out of the console; nothing happens to the cluster itself."""
    row = queries.cluster_for(request.user, name)
    actions.remove(cluster=row, by=request.user)
    messages.success(request, _("%(cluster)s is removed. Its requests and its history stay.") % {"cluster": row})
    return redirect("clusters")


def _add(request: SignedInRequest, form: ClusterForm) -> Cluster | None:
    given = form.cleaned_data
    try:
        with transaction.atomic():
            added = actions.add(
                by=request.user,
                name=given["name"],
                title=given["title"],
                environment=_environment(request, form),
                connection=form.connection(),
                secrets=form.secrets(),
                time_zone=given["time_zone"],
            )
            actions.ask_for_test(cluster=added, by=request.user)
    except ConsoleError as error:
        form.refuse(error)
        return None
    return added


def _change(request: SignedInRequest, form: ClusterForm, row: Cluster) -> bool:
    try:
        with transaction.atomic():
            actions.change(
                cluster=row,
                by=request.user,
                title=form.cleaned_data["title"],
                environment=_environment(request, form),
                connection=form.connection(),
                secrets=form.secrets(),
                time_zone=form.cleaned_data["time_zone"],
            )
            actions.ask_for_test(cluster=row, by=request.user)
    except ConsoleError as error:
        form.refuse(error)
        return False
    return True


def _environment(request: SignedInRequest, form: ClusterForm) -> Environment:
    given = form.cleaned_data
    if given["environment"] != NEW:
        return queries.environments().get(slug=given["environment"])
    return actions.add_environment(by=request.user, name=given["new_environment"], is_production=given["is_production"])


def _seen_groups(user: User) -> Count:
    """How many of a cluster's groups the person may see."""
    return Count("groups", filter=~rights.unseen(user, environment="environment", team="groups__team"))
