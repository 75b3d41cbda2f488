"""Who calls, the caller's tokens, and the audit record."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import ApiToken, Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.errors import MissingScope
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import PageQuery, by_key
from kafkaconsole.api.shapes.people import (
    AuditEventOut,
    AuditList,
    AuditQuery,
    MeOut,
    TokenIn,
    TokenList,
    TokenMade,
    TokenOut,
    VerifyOut,
)
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.audit import checking
from kafkaconsole.audit import queries as audit_queries
from kafkaconsole.errors import NotAllowed

router = Router()


@router.get("/me", auth=needs(Scope.READ), response=MeOut, tags=["people"])
def me(request: ApiRequest) -> MeOut:
    """Who the token is, and what it may be used for."""
    return MeOut.of(request.auth.user, request.auth.scopes)


@router.get("/tokens", auth=needs(Scope.READ), response=TokenList, tags=["people"])
def list_tokens(request: ApiRequest, query: Query[PageQuery]) -> TokenList:
    """The caller's own tokens, newest first, without their texts."""
    rows, following = by_key(
        request, ApiToken.objects.filter(owner=request.auth.user), query, field="id", newest_first=True
    )
    items = [TokenOut.model_validate(TokenOut.fields_of(row)) for row in rows]
    return TokenList(items=items, next=following, as_of=instant_text(timezone.now()))


@router.post("/tokens", auth=needs(Scope.ADMIN), response={201: TokenMade}, tags=["people"])
def make_token(request: ApiRequest, body: TokenIn) -> HttpResponse:
    """A new token of the caller's own, with no scope that this call does not have itself."""

    def write() -> Answer:
        for scope in sorted(set(body.scopes) - request.auth.scopes):
            raise MissingScope(needed=scope, scopes=", ".join(sorted(request.auth.scopes)))
        row, text = tokens.create(request.auth.user, body.name, body.scopes, body.expires_at, by=request.auth.user)
        row.refresh_from_db()
        fields = TokenOut.fields_of(row)
        made = TokenMade.model_validate({**fields, "token": text})
        return Answer(201, made, again=TokenMade.model_validate({**fields, "token": None}))

    return once(request, write)


@router.delete("/tokens/{row:token_id}", auth=needs(Scope.ADMIN), response={204: None}, tags=["people"])
def revoke_token(request: ApiRequest, token_id: Path[RowId]) -> HttpResponse:
    """End one of the caller's own tokens at once."""

    def write() -> Answer:
        row = get_object_or_404(ApiToken, pk=token_id, owner=request.auth.user)
        tokens.revoke(row, by=request.auth.user)
        return Answer(204)

    return once(request, write)


@router.get("/audit", auth=needs(Scope.READ), response=AuditList, tags=["audit"])
def list_events(request: ApiRequest, query: Query[AuditQuery]) -> AuditList:
    """The record, newest first. Administrators and auditors."""
    _may_read_audit(request)
    found = audit_queries.events_for(
        request.auth.user,
        actor=query.actor or "",
        verb=query.verb or "",
        target=query.target or "",
        start=query.start,
        end=query.end,
    )
    rows, following = by_key(request, found, query, field="number", newest_first=True)
    return AuditList(items=[AuditEventOut.of(row) for row in rows], next=following, as_of=instant_text(timezone.now()))


@router.get("/audit/verify", auth=needs(Scope.READ), response=VerifyOut, tags=["audit"])
def verify(request: ApiRequest) -> VerifyOut:
    """Whether the chain is whole: a short record is walked at once, of a long one the newest finished walk is told.

    Then `as_of` says when that was, and a worker begins another. Administrators and auditors.
    """
    _may_read_audit(request)
    return VerifyOut.of(*checking.newest(by=request.auth.user))


def _may_read_audit(request: ApiRequest) -> None:
    if not audit_queries.may_read_audit(request.auth.user):
        raise NotAllowed(reason="Only administrators and auditors read the audit record.")
