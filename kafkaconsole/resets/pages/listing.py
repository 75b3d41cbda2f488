"""Requests in a list: each with its title and the lanes of its plan, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.pages.sums import Lane, lanes_by_plan
from kafkaconsole.resets.pages.words import Title, title_of


@dataclass(frozen=True, slots=True)
class Summary:
    """One request of a list."""

    request: ResetRequest
    title: Title
    lanes: list[Lane]


def summaries(requests: Iterable[ResetRequest]) -> list[Summary]:
    """One summary a request, in the given order."""
    rows = list(requests)
    lanes = lanes_by_plan([row.plan_id for row in rows if row.plan_id])
    return [Summary(row, title_of(row.change, row.plan), lanes.get(row.plan_id or 0, [])) for row in rows]
