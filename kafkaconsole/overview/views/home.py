"""The first page after the sign-in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.overview.pages.home import Home


@require_safe
@login_required
def home(request: SignedInRequest) -> HttpResponse:
    """What waits for this person and what happened; htmx asking for its refresh gets the live part alone."""
    template = "overview/_home.html" if request.headers.get("HX-Request") else "overview/home.html"
    return render(request, template, {"home": Home(request.user)})
