"""The pages on which administrators set service accounts up."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from kafkaconsole.accounts import policies, queries, tokens
from kafkaconsole.accounts import service_accounts as verbs
from kafkaconsole.accounts.forms import ServiceForm, ServiceTokenForm
from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.accounts.models import User
from kafkaconsole.errors import ConsoleError


@require_safe
@login_required
def services(request: SignedInRequest) -> HttpResponse:
    """All service accounts; administrators."""
    policies.require_administrator(request.user)
    return _list(request, ServiceForm())


@require_POST
@login_required
def add(request: SignedInRequest) -> HttpResponse:
    """A new one."""
    policies.require_administrator(request.user)
    form = ServiceForm(request.POST)
    if form.is_valid():
        try:
            account = verbs.add(by=request.user, **form.cleaned_data)
            messages.success(
                request, _("%(name)s is added. Make a token for it, and take it into a team.") % {"name": account}
            )
            return redirect("service", username=account.username)
        except ConsoleError as error:
            form.refuse(error)
    return _list(request, form)


@require_safe
@login_required
def service(request: SignedInRequest, username: str) -> HttpResponse:
    """One service account: its teams and its tokens; administrators."""
    policies.require_administrator(request.user)
    return _one(request, queries.service_named(username), ServiceTokenForm())


@require_POST
@login_required
def switch(request: SignedInRequest, username: str) -> HttpResponse:
    """Switch it off, or on again."""
    policies.require_administrator(request.user)
    account = queries.service_named(username)
    turned_on = request.POST.get("do") == "on"
    verbs.switch(by=request.user, account=account, is_active=turned_on)
    told = (
        _("%(name)s is switched on. It has no tokens in force.")
        if turned_on
        else _("%(name)s is switched off. Its tokens are revoked.")
    )
    messages.success(request, told % {"name": account})
    return redirect("service", username=account.username)


@never_cache
@require_POST
@login_required
def add_token(request: SignedInRequest, username: str) -> HttpResponse:
    """A new token, shown on this answer alone."""
    policies.require_administrator(request.user)
    account = queries.service_named(username)
    form = ServiceTokenForm(request.POST)
    if not form.is_valid():
        return _one(request, account, form)
    given = form.cleaned_data
    ends = timezone.now() + timedelta(days=given["days"])
    try:
        token, plain = verbs.make_token(
            by=request.user, account=account, name=given["name"], scopes=given["scopes"], expires_at=ends
        )
    except ConsoleError as error:
        form.refuse(error)
        return _one(request, account, form)
    return render(request, "accounts/token.html", {"token": token, "plain": plain, "account": account})


@require_POST
@login_required
def revoke_token(request: SignedInRequest, username: str, token_id: int) -> HttpResponse:
    """End one of its tokens at once."""
    policies.require_administrator(request.user)
    account = queries.service_named(username)
    token = queries.token_of(account, token_id)
    tokens.revoke(token, by=request.user)
    messages.success(
        request, _("The token %(name)s is revoked. Nothing is done with it from now on.") % {"name": token.name}
    )
    return redirect("service", username=account.username)


def _list(request: SignedInRequest, form: ServiceForm) -> HttpResponse:
    facts = {"services": queries.service_accounts(), "form": form}
    return render(request, "accounts/services.html", facts, status=422 if form.errors else 200)


def _one(request: SignedInRequest, account: User, form: ServiceTokenForm) -> HttpResponse:
    teams = account.memberships.select_related("team").order_by("team__name")
    facts = {
        "account": account,
        "token_form": form,
        "tokens": queries.tokens_of(account),
        "teams": teams,
        "now": timezone.now(),
    }
    return render(request, "accounts/service.html", facts, status=422 if form.errors else 200)
