"""The log: what was sent to whom, what failed and why, and sending it again."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.notifications import actions, policies, queries
from kafkaconsole.notifications.forms import DeliveryFilterForm

MESSAGES_A_PAGE = 50


@require_safe
@login_required
def deliveries(request: SignedInRequest) -> HttpResponse:
    """Newest first."""
    form = DeliveryFilterForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    state, channel = asked.get("state") or "", asked.get("channel")
    found = queries.deliveries_for(request.user, state=state, channel=channel)
    facts = {
        "form": form,
        "page": Paginator(found, MESSAGES_A_PAGE).get_page(request.GET.get("page")),
        "is_filtered": bool(state or channel),
        "may_see_any": request.user.is_auditor or bool(policies.may_add_channels(request.user)),
    }
    return render(request, "notifications/deliveries.html", facts)


@require_POST
@login_required
def again(request: SignedInRequest, message_id: int) -> HttpResponse:
    """Send one once more."""
    row = queries.delivery_for(request.user, message_id)
    actions.send_again(message=row, by=request.user)
    messages.success(request, _("Message %(id)s is on its way again.") % {"id": row.pk})
    return redirect("deliveries")
