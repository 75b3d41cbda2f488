"""The search box."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.overview.pages.search import find

LONGEST = 512


@require_safe
@login_required
def search(request: SignedInRequest) -> HttpResponse:
    """Groups, requests, clusters, teams and pages that a text leads to."""
    return render(request, "overview/search.html", {"found": find(request.user, request.GET.get("q", "")[:LONGEST])})
