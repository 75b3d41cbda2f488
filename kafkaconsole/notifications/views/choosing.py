"""What one hears of."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.notifications import actions, policies, queries
from kafkaconsole.notifications.forms import ChoicesForm


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def choices(request: SignedInRequest) -> HttpResponse:
    """Which news, in which language, and the day's digest."""
    chosen = queries.choices_of(request.user, get_language() or settings.LANGUAGE_CODE)
    form = ChoicesForm(request.POST if request.method == "POST" else None, initial=ChoicesForm.start(chosen))
    if request.method == "POST" and form.is_valid():
        actions.choose(person=request.user, **form.cleaned_data)
        messages.success(request, _("Kept."))
        return redirect("notifications")
    facts = {"form": form, "may_add": policies.may_add_channels(request.user)}
    return render(request, "notifications/choices.html", facts, status=422 if form.errors else 200)


@require_POST
@login_required
def test(request: SignedInRequest) -> HttpResponse:
    """A mail to oneself."""
    if settings.MAIL_IS_SET_UP and request.user.email:
        actions.test_mail(person=request.user)
        messages.success(request, _("A test mail is on its way to %(address)s.") % {"address": request.user.email})
    else:
        messages.error(request, _("No mail can be sent to you: see above."))
    return redirect("notifications")
