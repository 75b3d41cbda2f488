"""A person's own page, and the pages on which administrators set people up."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kafkaconsole.accounts import people as verbs
from kafkaconsole.accounts import policies, queries, second_factors, sessions, tokens
from kafkaconsole.accounts.forms import ChangePersonForm, PersonForm, ProfileForm, TokenForm
from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.errors import ConsoleError


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def profile(request: SignedInRequest) -> HttpResponse:
    """Name, zone, language, password, tokens."""
    start = {"name": request.user.name, "time_zone": request.user.time_zone}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            verbs.set_profile(person=request.user, **form.cleaned_data)
            messages.success(request, _("Kept."))
            return redirect("profile")
        except ConsoleError as error:
            form.refuse(error)
    return _draw(request, form, TokenForm())


@never_cache
@require_POST
@login_required
def add_token(request: SignedInRequest) -> HttpResponse:
    """A new token, shown on this answer alone."""
    form = TokenForm(request.POST)
    start = ProfileForm(initial={"name": request.user.name, "time_zone": request.user.time_zone})
    if not form.is_valid():
        return _draw(request, start, form)
    given = form.cleaned_data
    try:
        ends = timezone.now() + timedelta(days=given["days"])
        token, plain = tokens.create(request.user, given["name"], given["scopes"], ends)
    except ConsoleError as error:
        form.refuse(error)
        return _draw(request, start, form)
    return render(request, "accounts/token.html", {"token": token, "plain": plain})


@require_POST
@login_required
def revoke_token(request: SignedInRequest, token_id: int) -> HttpResponse:
    """End one of one's own tokens at once."""
    token = queries.token_of(request.user, token_id)
    tokens.revoke(token, by=request.user)
    messages.success(
        request, _("The token %(name)s is revoked. Nothing is done with it from now on.") % {"name": token.name}
    )
    return redirect("profile")


@require_safe
@login_required
def people(request: SignedInRequest) -> HttpResponse:
    """Everyone; administrators."""
    policies.require_administrator(request.user)
    return render(request, "accounts/people.html", {"people": queries.people(), "form": PersonForm()})


@never_cache
@require_POST
@login_required
def add_person(request: SignedInRequest) -> HttpResponse:
    """Someone new; their first password is shown on this answer alone."""
    policies.require_administrator(request.user)
    form = PersonForm(request.POST)
    if form.is_valid():
        try:
            person, password = verbs.add(by=request.user, **form.cleaned_data)
            return render(request, "accounts/password.html", {"person": person, "password": password, "is_new": True})
        except ConsoleError as error:
            form.refuse(error)
    return render(request, "accounts/people.html", {"people": queries.people(), "form": form}, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def person(request: SignedInRequest, username: str) -> HttpResponse:
    """One person's role and sign-in; administrators."""
    policies.require_administrator(request.user)
    row = queries.person_named(username)
    start = {"role": row.role, "is_active": row.is_active}
    form = ChangePersonForm(request.POST if request.method == "POST" else None, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            verbs.change(by=request.user, person=row, **form.cleaned_data)
            messages.success(request, _("Kept."))
            return redirect("people")
        except ConsoleError as error:
            form.refuse(error)
    facts = {"person": row, "form": form, "tokens": queries.tokens_of(row), "browsers": sessions.sessions_of(row)}
    return render(request, "accounts/person.html", facts, status=422 if form.errors else 200)


@never_cache
@require_POST
@login_required
def give_password(request: SignedInRequest, username: str) -> HttpResponse:
    """A new password for once, for someone who lost theirs."""
    row = queries.person_named(username)
    password = verbs.give_password(by=request.user, person=row)
    return render(request, "accounts/password.html", {"person": row, "password": password, "is_new": False})


@require_POST
@login_required
def take_factors_away(request: SignedInRequest, username: str) -> HttpResponse:
    """The second factor of someone who lost it."""
    policies.require_administrator(request.user)
    row = queries.person_named(username)
    second_factors.take_away(by=request.user, person=row)
    messages.warning(request, _("The second factor of %(name)s is taken away.") % {"name": row})
    return redirect("people-one", username=row.username)


@require_safe
@login_required
def browsers(request: SignedInRequest) -> HttpResponse:
    """Where one is signed in."""
    found = sessions.sessions_of(request.user)
    return render(request, "accounts/sessions.html", {"browsers": found, "here": request.session.session_key})


@require_POST
@login_required
def end_browser(request: SignedInRequest, browser_id: int) -> HttpResponse:
    """Sign one of one's own browsers out."""
    sessions.end_one(person=request.user, browser_id=browser_id)
    messages.success(request, _("That browser is signed out."))
    return redirect("sessions")


@require_POST
@login_required
def end_other_browsers(request: SignedInRequest) -> HttpResponse:
    """Sign out everywhere but here."""
    sessions.end(person=request.user, by=request.user, but=request.session.session_key or "")
    messages.success(request, _("You are signed in here alone now."))
    return redirect("sessions")


@require_POST
@login_required
def end_sessions_of(request: SignedInRequest, username: str) -> HttpResponse:
    """Sign somebody out everywhere; administrators."""
    policies.require_administrator(request.user)
    row = queries.person_named(username)
    sessions.end_all(person=row, by=request.user)
    messages.success(request, _("%(name)s is signed out everywhere.") % {"name": row})
    return redirect("people-one", username=row.username)


def _draw(request: SignedInRequest, form: ProfileForm, token_form: TokenForm) -> HttpResponse:
    facts = {"form": form, "token_form": token_form, "tokens": queries.tokens_of(request.user), "now": timezone.now()}
    status = 422 if form.errors or token_form.errors else 200
    return render(request, "accounts/profile.html", facts, status=status)
