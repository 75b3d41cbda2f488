"""Claims: the list, making one, and answering."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import cluster_for
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.groups.claims import actions, policies, queries
from kafkaconsole.groups.claims.forms import AnswerForm, ClaimForm
from kafkaconsole.groups.models import Claim, ClaimState
from kafkaconsole.teams.queries import teams_of

CLAIMS_A_PAGE = 50


@require_safe
@login_required
def claims(request: SignedInRequest) -> HttpResponse:
    """Every claim that the person may see, the newest first; `?state=open` those that wait."""
    state = request.GET.get("state", "")
    state = state if state in ClaimState.values else ""
    page = Paginator(queries.claims_for(request.user, state=state), CLAIMS_A_PAGE).get_page(request.GET.get("page"))
    verdict = policies.may_claim_somewhere(request.user)
    facts = {"page": page, "state": state, "states": ClaimState.choices, "verdict": verdict}
    return render(request, "groups/claims.html", facts)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """Claim the group that the address names."""
    cluster, group = cluster_for(request.user, request.GET.get("cluster", "")), request.GET.get("group", "")
    teams = teams_of(request.user).order_by("name")
    form = ClaimForm(request.POST if request.method == "POST" else None, teams=[(one.slug, one.name) for one in teams])
    verdict = policies.may_claim(request.user, cluster, group)
    if request.method == "POST":
        verdict.require()
        made = _claim(request, form, cluster, group) if form.is_valid() else None
        if made is not None:
            messages.success(request, _("The claim is made. Those who may answer are told."))
            return redirect("claim", claim_id=made.pk)
    facts = {"cluster": cluster, "group": group, "form": form, "verdict": verdict}
    return render(request, "groups/claim_new.html", facts, status=422 if form.errors else 200)


@require_safe
@login_required
def claim(request: SignedInRequest, claim_id: int) -> HttpResponse:
    """One claim."""
    return _draw(request, queries.claim_for(request.user, claim_id), AnswerForm())


@require_POST
@login_required
def grant(request: SignedInRequest, claim_id: int) -> HttpResponse:
    """Give the group to the team."""
    return _answer(request, claim_id, actions.grant, _("Granted: the group belongs to the team now."))


@require_POST
@login_required
def reject(request: SignedInRequest, claim_id: int) -> HttpResponse:
    """Say no."""
    return _answer(request, claim_id, actions.reject, _("The claim is rejected."))


@require_POST
@login_required
def withdraw(request: SignedInRequest, claim_id: int) -> HttpResponse:
    """Take it back."""
    row = queries.claim_for(request.user, claim_id)
    try:
        actions.withdraw(by=request.user, claim=row)
    except NotAllowed:
        raise
    except ConsoleError as error:
        return _refused(request, row, AnswerForm(request.POST), error)
    messages.success(request, _("The claim is withdrawn."))
    return redirect("claim", claim_id=claim_id)


def _claim(request: SignedInRequest, form: ClaimForm, cluster: Cluster, group: str) -> Claim | None:
    given = form.cleaned_data
    try:
        team = teams_of(request.user).get(slug=given["team"])
        return actions.claim(by=request.user, cluster=cluster, group=group, team=team, reason=given["reason"])
    except NotAllowed:
        raise
    except ConsoleError as error:
        form.refuse(error)
        return None


def _answer(request: SignedInRequest, claim_id: int, answer: Callable[..., Claim], told: str) -> HttpResponse:
    row, form = queries.claim_for(request.user, claim_id), AnswerForm(request.POST)
    if not form.is_valid():
        return _draw(request, row, form, status=422)
    try:
        answer(by=request.user, claim=row, **form.cleaned_data)
    except NotAllowed:
        raise
    except ConsoleError as error:
        return _refused(request, row, form, error)
    messages.success(request, told)
    return redirect("claim", claim_id=claim_id)


def _refused(request: SignedInRequest, row: Claim, form: AnswerForm, error: ConsoleError) -> HttpResponse:
    form.is_valid()
    form.refuse(error)
    return _draw(request, queries.claim_for(request.user, row.pk), form, status=error.status)


def _draw(request: SignedInRequest, row: Claim, form: AnswerForm, status: int = 200) -> HttpResponse:
    facts = {
        "claim": row,
        "form": form,
        "answer": policies.may_answer(request.user, row),
        "withdraw": policies.may_withdraw(request.user, row),
    }
    return render(request, "groups/claim.html", facts, status=status)
