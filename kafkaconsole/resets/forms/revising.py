"""The form that asks for a reset, for a request that is there already: its cluster and group are fixed."""

from __future__ import annotations

from django.http import QueryDict

from kafkaconsole.resets.forms import prefill
from kafkaconsole.resets.models import ResetRequest


def start(request: ResetRequest) -> QueryDict:
    """What the request asks for now, and the revision that its person is shown."""
    query = prefill.query_of(request)
    query["seen"] = str(request.revisions.count() + 1)
    return query


def of_its_group(sent: QueryDict, request: ResetRequest) -> QueryDict:
    """What was sent, for the request's own group alone, whatever was typed."""
    copied = sent.copy()
    copied["cluster"], copied["group"] = request.cluster.name, request.group_name
    for name in ("also_cluster", "also_group"):
        copied.setlist(name, [])
    return copied
