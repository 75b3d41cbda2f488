"""What roles may do, by environment: everyone reads it, administrators change it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.clusters import policies, queries, rights, setting_rights
from kafkaconsole.clusters.models import Environment, Holder, Right
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError
from kafkaconsole.words import shown

FORBIDDEN, CONFLICT = 403, 409


@dataclass(frozen=True, slots=True)
class Switch:
    """One answer of the table; `name` None: there is nothing to switch."""

    label: str
    name: str | None
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """One environment's table as it is drawn."""

    environment: Environment
    seen: str
    rows: list[tuple[str, list[Switch]]]
    error: str


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def all_rights(request: SignedInRequest) -> HttpResponse:
    """A table for each environment; a POST changes one of them."""
    found = list(queries.environments())
    error, slug, verdict = "", request.POST.get("environment", ""), policies.may_set_rights(request.user)
    if request.method == "POST":
        verdict.require()
        environment = next((one for one in found if one.slug == slug), None)
        if environment is None:
            raise Http404(f"There is no environment {slug!r}.")
        error = _change(request, environment)
        if not error:
            return redirect("rights")
    sheets = [_sheet(one, error if one.slug == slug else "") for one in found]
    facts = {"sheets": sheets, "rights": Right.choices, "verdict": verdict}
    return render(request, "clusters/rights.html", facts, status=CONFLICT if error else 200)


def _change(request: SignedInRequest, environment: Environment) -> str:
    """What is wrong, in the reader's language; empty: it is done."""
    wanted = {pair: _name(*pair) in request.POST for pair in rights.APPLICABLE}
    seen = request.POST.get("seen", "")
    try:
        count = setting_rights.set_rights(by=request.user, environment=environment, seen=seen, wanted=wanted)
    except ConsoleError as error:
        return shown(sentence(error.code, error.facts))
    if count:
        messages.success(request, _("The rights of %(environment)s are changed.") % {"environment": environment})
    else:
        messages.info(request, _("Nothing was changed."))
    return ""


def _sheet(environment: Environment, error: str) -> Sheet:
    table = rights.table_of(environment)
    rows = [(str(holder.label), [_switch(table, holder, right) for right in Right]) for holder in Holder]
    return Sheet(environment, setting_rights.fingerprint(table), rows, error)


def _switch(table: rights.Table, holder: Holder, right: Right) -> Switch:
    known = (holder, right) in table
    return Switch(str(right.label), _name(holder, right) if known else None, known and table[holder, right])


def _name(holder: Holder, right: Right) -> str:
    return f"{holder.value}.{right.value}"
