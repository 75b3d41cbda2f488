"""Who signs for whom while they are away."""

from __future__ import annotations

from ninja import Field, Schema
from pydantic import ConfigDict

from kafkaconsole.api.shapes.values import InstantIn, InstantText, instant, instant_text
from kafkaconsole.teams.models import Delegation


class DelegationIn(Schema):
    """Who signs for the caller; without `team` for all teams for which the caller signs."""

    model_config = ConfigDict(extra="forbid")

    to: str = Field(..., min_length=1, max_length=150, description="A user name")
    team: str | None = Field(None, min_length=1, max_length=50, description="Slug of a team")
    starts_at: InstantIn
    ends_at: InstantIn = Field(..., description="Not included")


class DelegationOut(Schema):
    """From `starts_at` until just before `ends_at` the signature of `to` counts as that of `by`; `ended_at`: by hand."""

    id: int
    by: str
    to: str
    team: str | None
    starts_at: InstantText
    ends_at: InstantText
    ended_at: InstantText | None

    @classmethod
    def of(cls, row: Delegation) -> DelegationOut:
        """Of its row."""
        return cls.model_validate(
            {
                "id": row.pk,
                "by": row.by.username,
                "to": row.to.username,
                "team": row.team.slug if row.team else None,
                "starts_at": instant_text(row.starts_at),
                "ends_at": instant_text(row.ends_at),
                "ended_at": instant(row.ended_at),
            }
        )


class DelegationList(Schema):
    """A page of delegations."""

    items: list[DelegationOut]
    next: str | None
    as_of: InstantText
