"""Batches: several groups asked for at once, and signed together."""

from __future__ import annotations

from typing import Annotated

from ninja import Field, Schema
from pydantic import ConfigDict, StringConstraints

from kafkaconsole.accounts.models import User
from kafkaconsole.api.shapes.changes import ChangeIn
from kafkaconsole.api.shapes.requests import RequestRow
from kafkaconsole.api.shapes.values import InstantIn, InstantText, ProblemOut, instant_text, problem
from kafkaconsole.resets import batch_queries
from kafkaconsole.resets.actions import Signed
from kafkaconsole.resets.models import Batch


class BatchIn(Schema):
    """Two changes at least, of different groups; all are asked for, or none."""

    model_config = ConfigDict(extra="forbid", strict=True)

    changes: list[ChangeIn] = Field(..., min_length=2, max_length=50)
    reason: str = Field(..., min_length=1, max_length=10_000)
    ticket: str = Field("", max_length=120)
    not_before: InstantIn | None = None
    expires_at: InstantIn | None = None


Digest = Annotated[str, StringConstraints(min_length=1, max_length=64)]
RequestId = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,17}$")]


class ApproveBatchIn(Schema):
    """By request id, the digest of the plan that was seen; what is not named is not signed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    digests: dict[RequestId, Digest] = Field(..., min_length=1, max_length=50)
    comment: str = Field("", max_length=10_000)


class BatchOut(Schema):
    """A batch with those of its requests that the caller may see; `unseen` counts the others."""

    id: int
    by: str
    reason: str
    created_at: InstantText
    requests: list[RequestRow]
    unseen: int

    @classmethod
    def of(cls, batch: Batch, user: User) -> BatchOut:
        """From its rows, for a person."""
        rows = [RequestRow.model_validate(RequestRow.fields_of(row)) for row in batch_queries.requests_of(user, batch)]
        return cls(
            id=batch.pk,
            by=batch.by.username,
            reason=batch.reason,
            created_at=instant_text(batch.created_at),
            requests=rows,
            unseen=batch_queries.unseen_count(user, batch),
        )


class SignedOut(Schema):
    """Whether one plan was signed, and if not, why."""

    request: int
    signed: bool
    problem: ProblemOut | None


class BatchApproved(Schema):
    """One verdict for each digest sent, and the batch as it is then."""

    verdicts: list[SignedOut]
    batch: BatchOut

    @classmethod
    def of(cls, verdicts: list[Signed], batch: Batch, user: User) -> BatchApproved:
        """From what became of each signature."""
        told = [
            SignedOut.model_validate(
                {"request": one.request.pk, "signed": one.problem is None, "problem": problem(one.problem)}
            )
            for one in verdicts
        ]
        return cls(verdicts=told, batch=BatchOut.of(batch, user))
