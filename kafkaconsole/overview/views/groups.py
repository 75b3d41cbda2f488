"""A consumer group's page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import cluster_for
from kafkaconsole.groups.queries import group_for, near_names
from kafkaconsole.overview.pages.group import GroupPage

PARTS = {"head": "overview/_group_head.html", "standing": "overview/_standing.html", "chart": "overview/_chart.html"}
"""Fragments that refresh by themselves (`?part=`)."""


@require_safe
@login_required
def group(request: SignedInRequest, cluster: str, group: str) -> HttpResponse:
    """Where the group has been, where it stands, who is in it, and what was asked of it."""
    row = cluster_for(request.user, cluster)
    try:
        found = group_for(request.user, row, group)
    except Http404:
        return _unknown(request, row, group)
    template = PARTS.get(request.GET.get("part", ""), "overview/group.html")
    return render(request, template, {"page": GroupPage(found, request.user, request.GET.dict()), "group": found})


def _unknown(request: SignedInRequest, cluster: Cluster, name: str) -> HttpResponse:
    """No sweep has seen it: mistyped, or too new. A plan can ask the broker."""
    facts = {"cluster": cluster, "name": name, "near": near_names(request.user, cluster, name)}
    return render(request, "overview/group_unknown.html", facts, status=404)
