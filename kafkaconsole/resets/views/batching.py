"""A batch: its requests together, and the one form that signs several of their plans."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.display.sentences import sentence
from kafkaconsole.resets import actions, batch_queries
from kafkaconsole.resets.actions import Signed
from kafkaconsole.resets.pages.batch import BatchPage
from kafkaconsole.words import shown


@require_safe
@login_required
def batch(request: SignedInRequest, batch_id: int) -> HttpResponse:
    """The page; htmx gets the live part, or 204 while it is as the page has it (`?seen=`)."""
    page = BatchPage(batch_queries.batch_for(request.user, batch_id), request.user)
    is_part = bool(request.headers.get("HX-Request"))
    if is_part and request.GET.get("seen") == page.version:
        return HttpResponse(status=204)
    return render(
        request, "resets/_batch.html" if is_part else "resets/batch.html", {"page": page, "batch": page.batch}
    )


@require_POST
@login_required
def approve(request: SignedInRequest, batch_id: int) -> HttpResponse:
    """Sign the plans that were chosen, each by the digest that the page showed, and tell what became of each."""
    found = batch_queries.batch_for(request.user, batch_id)
    chosen = [text for text in request.POST.getlist("sign") if text.isascii() and text.isdecimal() and len(text) < 19]
    if not chosen:
        messages.warning(request, _("Nothing was signed: choose at least one plan."))
        return redirect("batch", batch_id=found.pk)
    seen = {int(text): request.POST.get(f"digest:{text}", "") for text in chosen}
    comment = request.POST.get("comment", "")
    for one in actions.approve_batch(batch=found, by=request.user, seen_digests=seen, comment=comment):
        _tell(request, one)
    return redirect("batch", batch_id=found.pk)


def _tell(request: SignedInRequest, one: Signed) -> None:
    named = {"id": one.request.pk, "group": one.request.group_name}
    if one.problem is None:
        messages.success(request, _("Request %(id)s (%(group)s): you approved its plan.") % named)
        return
    facts = one.problem.get("facts")
    why = shown(sentence(str(one.problem["code"]), facts if isinstance(facts, dict) else {}))
    messages.error(request, _("Request %(id)s (%(group)s) is not signed: %(why)s") % (named | {"why": why}))
