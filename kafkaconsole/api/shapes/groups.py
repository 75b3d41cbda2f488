"""Groups and their history."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Schema

from kafkaconsole.api.paging import PageQuery
from kafkaconsole.api.shapes.values import InstantIn, InstantText, Offset, PartitionNumber, instant, instant_text
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history.series import Series
from kafkaconsole.history.standings import Standing, StandingLine
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME

Sort = Literal[
    "name", "-name", "lag", "-lag", "time_lag", "-time_lag", "state", "-state", "team", "-team",
    "partitions", "-partitions", "measured", "-measured",
]  # fmt: skip


class GroupQuery(PageQuery):
    """Which groups, in which order."""

    search: str | None = Field(
        None, min_length=1, max_length=LONGEST_GROUP_NAME, description="Part of the name, in any case"
    )
    state: str | None = Field(None, min_length=1, max_length=24)
    team: str | None = Field(None, min_length=1, max_length=50, description="Slug of a team, or `none`")
    type: str | None = Field(None, min_length=1, max_length=12)
    sort: Sort = "name"


class GroupRow(Schema):
    """One group as the last sweep saw it; null: not known."""

    group: str
    type: str
    state: str
    team: str | None
    topics: int | None
    partitions: int | None
    lag: int | None
    time_lag_s: float | None
    as_of: InstantText | None

    @classmethod
    def fields_of(cls, row: ConsumerGroup) -> dict[str, Any]:
        """The fields of its row."""
        return {
            "group": row.name,
            "type": row.type,
            "state": row.state,
            "team": row.team.slug if row.team else None,
            "topics": row.topics_count,
            "partitions": row.partitions_count,
            "lag": row.lag,
            "time_lag_s": row.time_lag_s,
            "as_of": instant(row.measured_at),
        }


class GroupList(Schema):
    """A page of groups."""

    items: list[GroupRow]
    next: str | None
    as_of: InstantText | None


class Place(Schema):
    """One partition."""

    topic: str
    partition: int


class MemberOut(Schema):
    """One member and what it holds."""

    member_id: str
    client_id: str
    host: str
    instance_id: str | None
    partitions: list[Place]


class OffsetOut(Schema):
    """Where the group stands on one partition."""

    topic: str
    topic_id: str | None
    partition: int
    log_start: Offset | None
    log_end: Offset | None
    last_stable: Offset | None
    committed: Offset | None
    metadata: str | None
    lag: int | None
    time_lag_s: float | None
    member_id: str | None
    as_of: InstantText | None

    @classmethod
    def of(cls, line: StandingLine) -> OffsetOut:
        """From the latest reading; sweeps do not measure the last stable offset, so it is null."""
        return cls.model_validate(
            {
                "topic": line.topic,
                "topic_id": line.topic_id or None,
                "partition": line.partition,
                "log_start": line.log_start,
                "log_end": line.log_end,
                "last_stable": None,
                "committed": line.committed,
                "metadata": line.metadata if line.committed is not None else None,
                "lag": line.lag,
                "time_lag_s": None if line.time_lag is None else line.time_lag.total_seconds(),
                "member_id": line.member_id,
                "as_of": instant(line.measured_at),
            }
        )


class GroupOut(GroupRow):
    """One group with its members and offsets."""

    members: list[MemberOut]
    offsets: list[OffsetOut]

    @classmethod
    def of(cls, row: ConsumerGroup, standing: Standing) -> GroupOut:
        """From its row and its latest reading."""
        members = [
            {**member, "partitions": [{"topic": topic, "partition": number} for topic, number in member["partitions"]]}
            for member in row.members
        ]
        offsets = [OffsetOut.of(line) for line in standing.lines]
        return cls.model_validate({**cls.fields_of(row), "members": members, "offsets": offsets})


class HistoryQuery(Schema):
    """Which stretch; without `topic` there is a series for every topic, without `partition` the sum over all."""

    topic: str | None = Field(None, min_length=1, max_length=249)
    partition: PartitionNumber | None = None
    start: InstantIn | None = Field(None, alias="from", description="Default: 24 hours before `to`")
    end: InstantIn | None = Field(None, alias="to", description="Default: now")
    step_s: int | None = Field(None, ge=1, le=31_536_000, description="About so far apart, where there is much")


class SeriesOut(Schema):
    """One line: `points` are [instant, committed, log_start, log_end, lag, time_lag_s], `gaps` are [from, to]."""

    topic: str | None
    partition: int | None
    points: list[tuple[InstantText, int | None, int | None, int | None, int | None, float | None]]
    gaps: list[tuple[InstantText, InstantText]]
    is_reduced: bool

    @classmethod
    def of(cls, series: Series) -> SeriesOut:
        """From a series of the history."""
        return cls.model_validate(
            {
                "topic": series.topic,
                "partition": series.partition,
                "points": [(instant_text(point.at), *point[1:]) for point in series.points],
                "gaps": [(instant_text(since), instant_text(to)) for since, to in series.gaps],
                "is_reduced": series.is_reduced,
            }
        )


class Marker(Schema):
    """A reset that was applied."""

    request: int
    at: InstantText
    kind: str


class HistoryOut(Schema):
    """The group's history over a stretch."""

    group: str
    start: InstantText = Field(..., alias="from")
    end: InstantText = Field(..., alias="to")
    series: list[SeriesOut]
    markers: list[Marker]
    as_of: InstantText | None


def marker(request_id: int, at: datetime, kind: str) -> Marker:
    """One marker."""
    return Marker(request=request_id, at=instant_text(at), kind=kind)
