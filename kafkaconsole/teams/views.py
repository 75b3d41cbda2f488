"""Teams and who is in them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from kafkaconsole.accounts import queries as accounts
from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.teams import actions, policies, queries
from kafkaconsole.teams.errors import BadTeam
from kafkaconsole.teams.forms import MemberForm, TeamForm
from kafkaconsole.teams.models import Team
from kafkaconsole.words import words


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def teams(request: SignedInRequest) -> HttpResponse:
    """All teams; administrators add one here."""
    form = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            added = actions.add(by=request.user, **form.cleaned_data)
            messages.success(request, _("The team %(team)s is there. Take people in now.") % {"team": added})
            return redirect("team", slug=added.slug)
        except BadTeam as error:
            form.refuse(error)
    facts = {"teams": queries.teams_for(request.user), "form": form, "verdict": policies.may_add_teams(request.user)}
    return render(request, "teams/list.html", facts, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team(request: SignedInRequest, slug: str) -> HttpResponse:
    """The team's people; owners and administrators take someone in, or give a role, here."""
    row = queries.team_for(request.user, slug)
    form = MemberForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _set_role(request, row, form):
        return redirect("team", slug=slug)
    verdict = policies.may_change(request.user, row)
    facts = {
        "team": row,
        "memberships": queries.memberships_of(row),
        "away": queries.away_from(row, timezone.now()),
        "form": form,
        "verdict": verdict,
        "may_remove": policies.may_add_teams(request.user),
        "people": accounts.everyone().filter(is_active=True) if verdict else [],
    }
    return render(request, "teams/detail.html", facts, status=422 if form.errors else 200)


@require_POST
@login_required
def remove_member(request: SignedInRequest, slug: str) -> HttpResponse:
    """Take someone out of the team."""
    row = queries.team_for(request.user, slug)
    person = accounts.account_named(request.POST.get("user", ""))
    actions.remove_member(by=request.user, team=row, user=person)
    messages.success(request, _("%(person)s is no longer in %(team)s.") % {"person": person, "team": row})
    return redirect("team", slug=slug)


@require_POST
@login_required
def remove(request: SignedInRequest, slug: str) -> HttpResponse:
    """Remove a team that no request belongs to."""
    row = queries.team_for(request.user, slug)
    actions.remove(by=request.user, team=row)
    messages.success(request, _("The team %(team)s is removed.") % {"team": row})
    return redirect("teams")


def _set_role(request: SignedInRequest, row: Team, form: MemberForm) -> bool:
    named = form.cleaned_data["user"]
    person = accounts.everyone().filter(username=named, is_active=True).first()
    if person is None:
        form.refuse(
            BadTeam(
                field="user",
                found=named,
                expected=words("the user name of someone who may sign in, or of a service account"),
            )
        )
        return False
    actions.set_role(by=request.user, team=row, user=person, role=form.cleaned_data["role"])
    messages.success(request, _("%(person)s is in %(team)s now, with that role.") % {"person": person, "team": row})
    return True
