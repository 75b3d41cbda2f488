"""Consumer groups and their history."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from ninja import Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.errors import BadParameters
from kafkaconsole.api.paging import by_place
from kafkaconsole.api.shapes.groups import (
    GroupList,
    GroupOut,
    GroupQuery,
    GroupRow,
    HistoryOut,
    HistoryQuery,
    SeriesOut,
    marker,
)
from kafkaconsole.api.shapes.values import instant, instant_text
from kafkaconsole.clusters import queries as clusters
from kafkaconsole.groups import queries as groups
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.series import PER_BUCKET
from kafkaconsole.resets import queries as resets
from kafkaconsole.resets.states import State

router = Router(tags=["groups"])

USUAL_POINTS = 1200
MOST_POINTS = 12_000
USUAL_RANGE = timedelta(days=1)


@router.get("/clusters/{cluster}/groups", auth=needs(Scope.READ), response=GroupList)
def list_groups(request: ApiRequest, cluster: str, query: Query[GroupQuery]) -> GroupList:
    """Groups as the last sweep saw them."""
    row = clusters.cluster_for(request.auth.user, cluster)
    found = groups.groups_for(
        request.auth.user,
        row,
        search=query.search or "",
        state=query.state or "",
        team=query.team or "",
        type=query.type or "",
        sort=query.sort,
    )
    rows, following = by_place(request, found, query)
    items = [GroupRow.model_validate(GroupRow.fields_of(one)) for one in rows]
    return GroupList(items=items, next=following, as_of=instant(row.checked_at))


@router.get("/clusters/{cluster}/groups/{group:group}", auth=needs(Scope.READ), response=GroupOut)
def show_group(request: ApiRequest, cluster: str, group: str) -> GroupOut:
    """One group with its members and where it stands on every partition."""
    row = _group(request, cluster, group)
    return GroupOut.of(row, history.standing(row))


@router.get(
    "/clusters/{cluster}/groups/{group:group}/history", auth=needs(Scope.READ), response=HistoryOut, by_alias=True
)
def show_history(request: ApiRequest, cluster: str, group: str, query: Query[HistoryQuery]) -> HistoryOut:
    """What the group had committed over time, with the resets that were applied."""
    row = _group(request, cluster, group)
    end = query.end or timezone.now()
    start = query.start or end - USUAL_RANGE
    if start >= end:
        raise _wrong("from", instant_text(start), f"an instant before {instant_text(end)}")
    points = _points(query.step_s, start, end)
    lines = [
        history.series(row, topic=topic, partition=query.partition, start=start, end=end, max_points=points)
        for topic in _topics(row, query)
    ]
    return HistoryOut.model_validate(
        {
            "group": row.name,
            "from": instant_text(start),
            "to": instant_text(end),
            "series": [SeriesOut.of(one) for one in lines],
            "markers": _markers(request, row, start, end),
            "as_of": instant(row.measured_at),
        }
    )


def _group(request: ApiRequest, cluster: str, group: str) -> ConsumerGroup:
    row = clusters.cluster_for(request.auth.user, cluster)
    return groups.group_for(request.auth.user, row, group)


def _topics(row: ConsumerGroup, query: HistoryQuery) -> list[str | None]:
    if query.topic is not None or query.partition is not None:
        return [query.topic]  # a partition without a topic is refused by the history
    return list(history.topic_names(row))


def _points(step_s: int | None, start: datetime, end: datetime) -> int:
    """So many points at most that they lie about a step apart; of each stretch the extremes are kept."""
    if step_s is None:
        return USUAL_POINTS
    stretches = max(1, int((end - start).total_seconds() // step_s))
    if stretches * PER_BUCKET > MOST_POINTS:
        least = int((end - start).total_seconds() * PER_BUCKET // MOST_POINTS) + 1
        raise _wrong("step_s", str(step_s), f"at least {least} for this stretch")
    return stretches * PER_BUCKET


def _wrong(field: str, found: str, expected: str) -> BadParameters:
    return BadParameters(problems=[{"field": field, "found": found, "expected": expected}], total=1)


def _markers(request: ApiRequest, row: ConsumerGroup, start: datetime, end: datetime) -> list[dict[str, object]]:
    found = resets.requests_for(request.auth.user, cluster=row.cluster.name, group=row.name)
    applied = found.filter(
        state__in=(State.APPLIED, State.PARTLY_APPLIED), state_since__gte=start, state_since__lte=end
    ).order_by("state_since")
    return [marker(one.pk, one.state_since, one.change["strategy"]["kind"]).model_dump() for one in applied]
