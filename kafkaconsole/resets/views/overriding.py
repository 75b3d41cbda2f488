"""Setting a rule aside for one plan: windows and freezes, or in an emergency the signatures."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.resets import actions, queries


@require_POST
@login_required
def set_windows_aside(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Have the approved plan carried out although it is closed."""
    reset = queries.request_for(request.user, request_id)
    digest, reason = request.POST.get("digest", ""), request.POST.get("reason", "")
    actions.set_windows_aside(request=reset, by=request.user, seen_digest=digest, reason=reason)
    messages.warning(request, _("The windows are set aside for this plan. It is carried out now."))
    return redirect("request", request_id=reset.pk)


@sensitive_post_parameters("password", "code")
@require_POST
@login_required
def break_glass(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Have the plan carried out without its signatures."""
    reset = queries.request_for(request.user, request_id)
    actions.break_glass(
        request=reset,
        by=request.user,
        seen_digest=request.POST.get("digest", ""),
        reason=request.POST.get("reason", ""),
        password=request.POST.get("password", ""),
        code=request.POST.get("code", ""),
    )
    messages.warning(request, _("You broke the glass. The plan is carried out now; the mark stays."))
    return redirect("request", request_id=reset.pk)
