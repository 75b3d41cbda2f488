"""What a request asked for before it was changed."""

from __future__ import annotations

from typing import Any

from ninja import Field, Schema

from kafkaconsole.api.shapes.changes import ChangeIn
from kafkaconsole.api.shapes.plans import PlanOut
from kafkaconsole.api.shapes.values import InstantText, instant_text
from kafkaconsole.resets.models import Revision


class RevisionIn(ChangeIn):
    """Another change of the same group, and why; all that it says. The times of the request stay."""

    reason: str = Field(..., min_length=1, max_length=10_000)
    ticket: str = Field("", max_length=120)
    seen: int = Field(..., ge=1, le=1_000_000, description="The revision that the caller saw: the request's `revision`")


class RevisionOut(Schema):
    """An earlier revision. `plan` is the one it had when it was replaced; approvals name it by its digest."""

    number: int
    change: dict[str, Any]
    reason: str
    ticket: str
    by: str
    replaced_by: str
    replaced_at: InstantText
    plan: PlanOut | None

    @classmethod
    def of(cls, row: Revision) -> RevisionOut:
        """From its row."""
        return cls.model_validate(
            {
                **{name: getattr(row, name) for name in ("number", "change", "reason", "ticket")},
                "by": row.by.username,
                "replaced_by": row.replaced_by.username,
                "replaced_at": instant_text(row.replaced_at),
                "plan": PlanOut.of(row.plan) if row.plan else None,
            }
        )


class RevisionList(Schema):
    """The earlier revisions of a request, the oldest first; the current one is the request itself."""

    items: list[RevisionOut]
