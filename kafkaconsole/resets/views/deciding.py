"""What people do to a request. Each: fetch it for this person, act, go back to its page."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from kafkaconsole.accounts.http import SignedInRequest
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.forms.deciding import CommentForm, SignForm
from kafkaconsole.resets.mentions import mentioned_in
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.resets.states import State


@require_POST
@login_required
def approve(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Sign the plan whose digest the form carries."""
    reset = queries.request_for(request.user, request_id)
    signed = _signed(request)
    reset = actions.approve(request=reset, by=request.user, seen_digest=signed["digest"], comment=signed["comment"])
    if reset.state == State.PLANNED:
        messages.success(request, _("You approved this plan. It is carried out once the other signatures are there."))
    else:
        messages.success(request, _("You approved this plan. It is carried out now, or as soon as the group is empty."))
    return redirect("request", request_id=reset.pk)


@require_POST
@login_required
def reject(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Say no to the plan, and why."""
    reset = queries.request_for(request.user, request_id)
    signed = _signed(request)
    actions.reject(request=reset, by=request.user, seen_digest=signed["digest"], comment=signed["comment"])
    messages.success(request, _("You rejected this request."))
    return redirect("request", request_id=reset.pk)


@require_POST
@login_required
def withdraw(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Take one's approval of the plan back."""
    reset = queries.request_for(request.user, request_id)
    signed = _signed(request)
    actions.withdraw(request=reset, by=request.user, seen_digest=signed["digest"], comment=signed["comment"])
    messages.success(request, _("You took your approval back. Nothing is written unless others sign."))
    return redirect("request", request_id=reset.pk)


@require_POST
@login_required
def cancel(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Take the request back."""
    reset = queries.request_for(request.user, request_id)
    actions.cancel(request=reset, by=request.user, comment=request.POST.get("comment", "").strip())
    messages.success(request, _("Request %(id)s is cancelled. Nothing was written.") % {"id": reset.pk})
    return redirect("request", request_id=reset.pk)


@require_POST
@login_required
def replan(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Plan again from how the group stands now; approvals are void."""
    reset = queries.request_for(request.user, request_id)
    actions.replan(request=reset, by=request.user)
    messages.info(
        request, _("It is planned again from how the group stands now. Approvals of the old plan do not count.")
    )
    return redirect("request", request_id=reset.pk)


@require_POST
@login_required
def undo(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Ask for what the group had before to be put back."""
    reset = queries.request_for(request.user, request_id)
    undoing = actions.undo(request=reset, by=request.user, reason=request.POST.get("reason", ""))
    told = _("Request %(id)s puts back what the group had. It is planned now, then it waits for sign-off.")
    messages.success(request, told % {"id": undoing.pk})
    return redirect("request", request_id=undoing.pk)


@require_POST
@login_required
def comment(request: SignedInRequest, request_id: int) -> HttpResponse:
    """Say something."""
    reset = queries.request_for(request.user, request_id)
    form = CommentForm(request.POST)
    if form.is_valid():
        said = actions.comment(request=reset, by=request.user, text=form.cleaned_data["text"])
        _tell_unknown(request, mentioned_in(said.text, reset).unknown)
    else:
        messages.error(request, _("The comment was not kept: it must have 1 to 2,000 characters."))
    return redirect("request", request_id=reset.pk)


def _tell_unknown(request: SignedInRequest, names: tuple[str, ...]) -> None:
    """Say whom the comment names in vain."""
    if names:
        told = _("The comment is kept. Nobody who may see this request is called %(names)s: nobody was told there.")
        messages.warning(request, told % {"names": ", ".join(f"@{name}" for name in names)})


def _signed(request: SignedInRequest) -> dict[str, str]:
    """The digest and the comment. Raises BadRequest for a comment that is too long."""
    form = SignForm(request.POST)
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise BadRequest(field=field, found=request.POST.get(field, "")[:80], expected=" ".join(map(str, errors)))
    return {"digest": form.cleaned_data["digest"], "comment": form.cleaned_data["comment"]}
