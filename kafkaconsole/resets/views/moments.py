"""What a moment is read as, while it is being typed."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.resets.forms import moments
from kafkaconsole.resets.forms.reasons import WHEN


@require_safe
@login_required
def moment(request: SignedInRequest) -> HttpResponse:
    """One field's moment as it reads now; only `datetime` has a zone beside it."""
    name = request.GET.get("field", "")
    if name not in ("datetime", *WHEN):
        raise Http404("There is no such moment.")
    zone = request.GET.get("timezone", "") if name == "datetime" else None
    found = moments.read_field(request.GET.dict(), name, zone)
    return render(request, "resets/_moment.html", {"name": name, "moment": found, "live": True})
