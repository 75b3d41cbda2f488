"""What people do to a request: approve, reject, cancel, plan again, comment."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from ninja import Path, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.shapes.requests import CancelIn, CommentIn, Decide, RequestOut, UndoIn
from kafkaconsole.api.shapes.said import CommentedOut
from kafkaconsole.api.shapes.values import RowId
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.mentions import mentioned_in
from kafkaconsole.resets.models import ResetRequest

router = Router(tags=["requests"])


@router.post("/requests/{row:request_id}/approve", auth=needs(Scope.APPROVE), response=RequestOut)
def approve(request: ApiRequest, request_id: Path[RowId], body: Decide) -> HttpResponse:
    """Sign the plan with this digest. 409 `approval.digest_outdated` when the plan is another by now."""
    user = request.auth.user
    return _do(
        request,
        request_id,
        lambda row: actions.approve(request=row, by=user, seen_digest=body.digest, comment=body.comment),
    )


@router.post("/requests/{row:request_id}/reject", auth=needs(Scope.APPROVE), response=RequestOut)
def reject(request: ApiRequest, request_id: Path[RowId], body: Decide) -> HttpResponse:
    """Say no to the plan with this digest; the comment says why."""
    user = request.auth.user
    return _do(
        request,
        request_id,
        lambda row: actions.reject(request=row, by=user, seen_digest=body.digest, comment=body.comment),
    )


@router.post("/requests/{row:request_id}/withdraw", auth=needs(Scope.APPROVE), response=RequestOut)
def withdraw(request: ApiRequest, request_id: Path[RowId], body: Decide) -> HttpResponse:
    """Take one's own approval of the plan with this digest back, before it is carried out."""
    user = request.auth.user
    return _do(
        request,
        request_id,
        lambda row: actions.withdraw(request=row, by=user, seen_digest=body.digest, comment=body.comment),
    )


@router.post("/requests/{row:request_id}/cancel", auth=needs(Scope.REQUEST), response=RequestOut)
def cancel(request: ApiRequest, request_id: Path[RowId], body: CancelIn) -> HttpResponse:
    """Withdraw the request before it is executed."""
    user = request.auth.user
    return _do(request, request_id, lambda row: actions.cancel(request=row, by=user, comment=body.comment))


@router.post("/requests/{row:request_id}/replan", auth=needs(Scope.REQUEST), response=RequestOut)
def replan(request: ApiRequest, request_id: Path[RowId]) -> HttpResponse:
    """Compute the plan anew; approvals of the old one are void."""
    user = request.auth.user
    return _do(request, request_id, lambda row: actions.replan(request=row, by=user))


@router.post("/requests/{row:request_id}/comment", auth=needs(Scope.REQUEST), response=CommentedOut)
def comment(request: ApiRequest, request_id: Path[RowId], body: CommentIn) -> HttpResponse:
    """Say something on the request. `unknown_names` are those it names with `@` in vain."""
    user = request.auth.user

    def write() -> Answer:
        row = queries.request_for(user, request_id)
        said = actions.comment(request=row, by=user, text=body.text)
        told = CommentedOut.of(queries.request_for(user, request_id))
        return Answer(200, told.model_copy(update={"unknown_names": list(mentioned_in(said.text, row).unknown)}))

    return once(request, write)


@router.post("/requests/{row:request_id}/undo", auth=needs(Scope.REQUEST), response={201: RequestOut})
def undo(request: ApiRequest, request_id: Path[RowId], body: UndoIn) -> HttpResponse:
    """Ask for what the group had before to be put back: a new request, which needs its own signatures.

    `undo_of` names this one. The plan's warning `moved_since` says where the group has gone since.
    """
    user = request.auth.user

    def write() -> Answer:
        undoing = actions.undo(request=queries.request_for(user, request_id), by=user, reason=body.reason)
        return Answer(201, RequestOut.of(queries.request_for(user, undoing.pk)))

    return once(request, write)


def _do(request: ApiRequest, request_id: int, verb: Callable[[ResetRequest], object]) -> HttpResponse:
    """Fetch for the caller, act, and answer with the request as it is then."""

    def write() -> Answer:
        verb(queries.request_for(request.auth.user, request_id))
        return Answer(200, RequestOut.of(queries.request_for(request.auth.user, request_id)))

    return once(request, write)
