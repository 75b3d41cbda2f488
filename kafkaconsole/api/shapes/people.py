"""Who calls, tokens, and the audit record."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from kafkaconsole.accounts.models import ApiToken, Scope, User
from kafkaconsole.api.paging import PageQuery
from kafkaconsole.api.shapes.values import InstantIn, InstantText, instant, instant_text
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.audit.verifying import Verification

ScopeName = Literal["read", "request", "approve", "admin"]


class MembershipOut(Schema):
    """A team and what the caller is there."""

    team: str
    role: Literal["member", "approver", "owner"]


class MeOut(Schema):
    """Who the token is."""

    username: str
    name: str
    role: Literal["member", "administrator", "auditor"]
    is_service: bool
    teams: list[MembershipOut]
    scopes: list[ScopeName]

    @classmethod
    def of(cls, user: User, scopes: frozenset[str]) -> MeOut:
        """From the caller."""
        memberships = user.memberships.select_related("team").order_by("team__slug")
        return cls.model_validate(
            {
                "username": user.username,
                "name": user.name,
                "role": str(user.role),
                "is_service": user.is_service,
                "teams": [{"team": one.team.slug, "role": str(one.role)} for one in memberships],
                "scopes": sorted(scopes),
            }
        )


class TokenOut(Schema):
    """A token without its text."""

    id: int
    name: str
    prefix: str
    scopes: list[ScopeName]
    created_at: InstantText
    expires_at: InstantText
    last_used_at: InstantText | None
    revoked_at: InstantText | None

    @classmethod
    def fields_of(cls, row: ApiToken) -> dict[str, Any]:
        """The fields of its row."""
        return {
            "id": row.pk,
            "name": row.name,
            "prefix": row.prefix,
            "scopes": row.scopes,
            "created_at": instant_text(row.created_at),
            "expires_at": instant_text(row.expires_at),
            "last_used_at": instant(row.last_used_at),
            "revoked_at": instant(row.revoked_at),
        }


class TokenMade(TokenOut):
    """A new token. `token` is its text, shown this once: a repeated call with the same Idempotency-Key says null."""

    token: str | None


class TokenList(Schema):
    """A page of tokens."""

    items: list[TokenOut]
    next: str | None
    as_of: InstantText


class TokenIn(Schema):
    """A token to make for oneself."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(..., min_length=1, max_length=80)
    scopes: list[ScopeName] = Field(..., min_length=1, max_length=len(Scope.values))
    expires_at: InstantIn


class AuditQuery(PageQuery):
    """Which events."""

    actor: str | None = Field(None, min_length=1, max_length=160, description="A user name, or part of a name")
    verb: str | None = Field(None, min_length=1, max_length=60, description="A verb or its beginning: `reset.`")
    target: str | None = Field(None, min_length=1, max_length=400, description="Part of a label, or kind:id")
    start: InstantIn | None = Field(None, alias="from")
    end: InstantIn | None = Field(None, alias="to", description="Not included")


class AuditEventOut(Schema):
    """One event of the record."""

    number: int
    at: InstantText
    actor: str
    verb: str
    target_kind: str
    target_id: str
    target: str
    facts: dict[str, Any]
    address: str = Field(..., description="Of the caller; empty: the console itself did it")
    request_id: str = Field(..., description="As in the logs; empty: none")
    mac: str

    @classmethod
    def of(cls, row: AuditEvent) -> AuditEventOut:
        """From its row."""
        same = ("number", "verb", "target_kind", "target_id", "facts", "address", "request_id", "mac")
        plain = {field: getattr(row, field) for field in same}
        return cls.model_validate(
            {**plain, "at": instant_text(row.at), "actor": row.actor_name, "target": row.target_label}
        )


class AuditList(Schema):
    """A page of events, newest first."""

    items: list[AuditEventOut]
    next: str | None
    as_of: InstantText


class VerifyOut(Schema):
    """What a walk over the chain found; `number` is the first event that is not right."""

    whole: bool
    checked: int
    number: int | None
    why: str | None
    as_of: InstantText

    @classmethod
    def of(cls, found: Verification, at: datetime) -> VerifyOut:
        """Of a walk that ended at that instant."""
        why = None if found.why is None else str(found.why)
        return cls(whole=found.whole, checked=found.checked, number=found.number, why=why, as_of=instant_text(at))
