"""Records of a plan."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema

from kafkaconsole.api.shapes.requests import WaitQuery
from kafkaconsole.api.shapes.values import MAX_64, InstantText, PartitionNumber, ProblemOut, instant_text, problem
from kafkaconsole.records.models import RecordExport
from kafkaconsole.records.spans import Until

MOST_LISTED = 200


class RecordsQuery(Schema):
    """Which records. `export` goes on with one that was asked for before; then the other parameters say nothing new."""

    topic: str | None = Field(None, min_length=1, max_length=249)
    partition: PartitionNumber | None = None
    until: Until = Field(Until.COMMITTED, description="Where reading ends: at the commit, or at the log end as planned")
    export: int | None = Field(None, ge=1, le=MAX_64)


class ListQuery(RecordsQuery, WaitQuery):
    """The first records, in the answer itself."""

    limit: int = Field(50, ge=1, le=MOST_LISTED)
    wait_s: float = Field(10, ge=0, le=20)


class FileQuery(RecordsQuery):
    """All records, as a file."""

    limit: int | None = Field(None, ge=1, le=MAX_64, description="Default: the most that the console allows")


class RecordsOut(Schema):
    """Records as in the file (docs/how-to/read-records.md). `state` says whether more will come under this `export`."""

    export: int
    state: Literal["waiting", "reading", "done", "bounded", "failed", "cancelled"]
    problem: ProblemOut | None
    offsets_total: int
    offsets_read: int
    records_count: int
    items: list[dict[str, Any]]
    next: str | None
    as_of: InstantText

    @classmethod
    def of(cls, export: RecordExport, items: list[dict[str, Any]]) -> RecordsOut:
        """From its rows; the records are those of the plan's moment."""
        plain = {field: getattr(export, field) for field in ("offsets_total", "offsets_read", "records_count")}
        return cls.model_validate(
            {
                **plain,
                "export": export.pk,
                "state": str(export.state),
                "problem": problem(export.problem),
                "items": items,
                "next": None,
                "as_of": instant_text(export.created_at),
            }
        )
