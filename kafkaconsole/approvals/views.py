"""Policies: the list, one with its versions, the form, and the tester."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.approvals import actions, differences, queries, trying
from kafkaconsole.approvals import policies as rules
from kafkaconsole.approvals.choosing import ties
from kafkaconsole.approvals.differences import Difference
from kafkaconsole.approvals.errors import BadPolicy
from kafkaconsole.approvals.forms import PolicyForm, TryForm
from kafkaconsole.approvals.models import Policy, PolicyVersion
from kafkaconsole.clusters.models import Right
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError
from kafkaconsole.groups.permissions import may
from kafkaconsole.groups.queries import owner_of
from kafkaconsole.teams.queries import teams_for
from kafkaconsole.words import shown


@dataclass(frozen=True, slots=True)
class Row:
    """A version in the list: where it applies and who signs, in words."""

    version: PolicyVersion
    reach: str
    signs: str


@dataclass(frozen=True, slots=True)
class Step:
    """A version in its policy's history, with what it changed."""

    version: PolicyVersion
    changed: list[Difference]


@require_GET
@login_required
def policies(request: SignedInRequest) -> HttpResponse:
    """Every policy; administrators are told of ties."""
    verdict = rules.may_administer(request.user)
    tied = ties(queries.in_force()) if verdict else []
    return render(
        request,
        "approvals/list.html",
        {
            "rows": _rows(queries.current_versions(request.user)),
            "ties": tied,
            "verdict": verdict,
            "proposals": queries.proposals(request.user),
        },
    )


@require_GET
@login_required
def policy(request: SignedInRequest, policy_id: int) -> HttpResponse:
    """What it says, and how it came to say so."""
    row = queries.policy_for(request.user, policy_id)
    versions = queries.versions_of(row)
    steps = [
        Step(one, differences.between(before, one)) for one, before in zip(versions, [*versions[1:], None], strict=True)
    ]
    current = queries.shown_version(row)
    proposal = queries.proposal_of(row)
    facts = {
        "proposal": proposal,
        "may_confirm": rules.may_confirm(request.user, proposal) if proposal else None,
        "policy": row,
        "current": current,
        "lines": differences.lines(current),
        "steps": steps,
        "verdict": rules.may_administer(request.user),
    }
    return render(request, "approvals/detail.html", facts)


@require_http_methods(["GET", "POST"])
@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """Add a policy."""
    rules.may_administer(request.user).require()
    form = _form(request, None)
    if request.method == "POST" and form.is_valid():
        try:
            name, note = form.cleaned_data["name"], form.cleaned_data["note"]
            version = actions.add(by=request.user, name=name, draft=form.draft(), note=note)
            _tell(request, version, _("The policy is in force. Plans that are there stay under their own."))
            return redirect("policy", policy_id=version.policy_id)
        except BadPolicy as error:
            form.refuse(error)
    return render(request, "approvals/form.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@login_required
def change(request: SignedInRequest, policy_id: int) -> HttpResponse:
    """Make its next version."""
    rules.may_administer(request.user).require()
    row = queries.policy_for(request.user, policy_id)
    form = _form(request, queries.shown_version(row))
    if request.method == "POST" and form.is_valid() and _change(request, row, form):
        return redirect("policy", policy_id=row.pk)
    facts = {"form": form, "policy": row, "seen": request.POST.get("seen") or queries.versions_of(row)[0].number}
    return render(request, "approvals/form.html", facts, status=422 if form.errors else 200)


@require_POST
@login_required
def switch_off(request: SignedInRequest, policy_id: int) -> HttpResponse:
    """From now on it applies nowhere."""
    row = queries.policy_for(request.user, policy_id)
    note = request.POST.get("comment", "")
    version = actions.switch_off(by=request.user, policy=row, seen=_seen(request), note=note)
    _tell(request, version, _("The policy is switched off. Plans that are there stay under it."))
    return redirect("policy", policy_id=row.pk)


@require_POST
@login_required
def confirm(request: SignedInRequest, policy_id: int) -> HttpResponse:
    """Put the proposed version in force, as another administrator."""
    row = queries.policy_for(request.user, policy_id)
    actions.confirm(by=request.user, policy=row, seen=_seen(request))
    messages.success(request, _("The version is in force. Plans that are there stay under their own."))
    return redirect("policy", policy_id=row.pk)


@require_POST
@login_required
def decline(request: SignedInRequest, policy_id: int) -> HttpResponse:
    """Let the proposed version go."""
    row = queries.policy_for(request.user, policy_id)
    actions.decline(by=request.user, policy=row, seen=_seen(request))
    messages.success(request, _("The proposed version is declined. Nothing has changed."))
    return redirect("policy", policy_id=row.pk)


@require_GET
@login_required
def try_out(request: SignedInRequest) -> HttpResponse:
    """Which policy would apply to a plan, and why not the others."""
    form = TryForm(request.GET or None, clusters=list(clusters_for(request.user)))
    facts: dict[str, object] = {"form": form}
    if form.is_bound and form.is_valid():
        facts |= _tried(request, form)
    return render(request, "approvals/try.html", facts)


def _tried(request: SignedInRequest, form: TryForm) -> dict[str, object]:
    given = form.cleaned_data
    if not may(request.user, Right.SEE, cluster=given["cluster"], group=given["group"]):
        told = _("Groups of %(environment)s are not shown to everyone, nor is who owns them.")
        return {"refused": told % {"environment": given["cluster"].environment}}
    try:
        team = owner_of(given["cluster"], given["group"])
    except ConsoleError as error:
        return {"refused": shown(sentence(error.code, error.facts))}
    if team is None:
        return {"refused": _("No team owns that group, so nobody can ask for it.")}
    answer = trying.find(given["cluster"], team, given["group"], given["strategy"], form.facts())
    refused = sentence(answer.error.code, answer.error.facts) if answer.error else ""
    chosen = _rows([answer.chosen])[0] if answer.chosen else None
    reasons = [{"code": one.code, "facts": dict(one.facts)} for one in answer.risk.reasons]
    return {"team": team, "answer": answer, "chosen": chosen, "refused": refused, "reasons": reasons}


def _change(request: SignedInRequest, row: Policy, form: PolicyForm) -> bool:
    note = form.cleaned_data["note"]
    try:
        version = actions.change(by=request.user, policy=row, seen=_seen(request), draft=form.draft(), note=note)
    except BadPolicy as error:
        form.refuse(error)
        return False
    _tell(request, version, _("The policy is changed. Plans that are there stay under the version that they name."))
    return True


def _tell(request: SignedInRequest, version: PolicyVersion, done: str) -> None:
    if version.needs_second:
        messages.info(request, _("It is proposed, and takes effect once another administrator confirms it."))
    else:
        messages.success(request, done)


def _seen(request: SignedInRequest) -> int:
    text = request.POST.get("seen", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0


def _form(request: SignedInRequest, version: PolicyVersion | None) -> PolicyForm:
    data = request.POST if request.method == "POST" else None
    clusters, teams = list(clusters_for(request.user)), list(teams_for(request.user))
    return PolicyForm(data, version=version, clusters=clusters, teams=teams)


def _rows(versions: list[PolicyVersion]) -> list[Row]:
    return [Row(one, differences.reach_in_words(one), differences.signs_in_words(one)) for one in versions]
