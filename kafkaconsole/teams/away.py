"""Pages of an absence: who signs for me, and for whom I sign."""

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
from kafkaconsole.teams import delegating, policies, queries
from kafkaconsole.teams.errors import BadDelegation, DelegationOverlaps
from kafkaconsole.teams.forms import AwayForm
from kafkaconsole.words import words


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def away(request: SignedInRequest) -> HttpResponse:
    """What I gave and was given, and a form for the next absence."""
    verdict = policies.may_delegate(request.user)
    if request.method == "POST":
        verdict.require()
    form = AwayForm(request.POST if request.method == "POST" else None, user=request.user)
    if request.method == "POST" and form.is_valid() and _delegate(request, form):
        return redirect("away")
    now = timezone.now()
    rows = queries.delegations_for(request.user).order_by("-starts_at", "-id")[:100]
    facts = {
        "rows": [
            (row, row.ended_at is None and row.ends_at > now, policies.may_end(request.user, row)) for row in rows
        ],
        "form": form,
        "verdict": verdict,
        "zone": timezone.get_current_timezone_name(),
        "people": accounts.everyone().filter(is_active=True, is_service=False).exclude(pk=request.user.pk),
    }
    return render(request, "teams/away.html", facts, status=422 if form.errors else 200)


@require_POST
@login_required
def end(request: SignedInRequest, delegation_id: int) -> HttpResponse:
    """End one before its time."""
    row = delegating.end(by=request.user, delegation=queries.delegation_for(request.user, delegation_id))
    messages.success(request, _("%(to)s no longer signs for %(by)s.") % {"to": row.to, "by": row.by})
    return redirect("away")


def _delegate(request: SignedInRequest, form: AwayForm) -> bool:
    fields = form.cleaned_data
    to = accounts.everyone().filter(username=fields["to"]).first()
    team = queries.team_for(request.user, fields["team"]) if fields["team"] else None
    try:
        if to is None:
            expected = words("the user name of someone who may sign in")
            raise BadDelegation(field="to", found=fields["to"], expected=expected)
        times = {"starts_at": fields["starts_at"], "ends_at": fields["ends_at"]}
        delegating.delegate(by=request.user, to=to, team=team, **times)
    except (BadDelegation, DelegationOverlaps) as error:
        form.refuse(error)
        return False
    messages.success(request, _("%(to)s signs for you in that time.") % {"to": to})
    return True
