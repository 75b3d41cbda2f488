"""A plan's targets as a file that this product and Kafka's own tool read."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets import files, queries
from kafkaconsole.resets.models import Plan

OPENAPI: dict[str, Any] = {
    "responses": {
        200: {
            "description": "Lines of topic,partition,offset, one for each partition that is set",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        }
    }
}


def as_csv(plan: Plan | None, name: str) -> HttpResponse:
    """The file; Http404 while there is no plan."""
    if plan is None:
        raise Http404("There is no plan yet, so there are no offsets to write down.")
    rows = [
        (TopicPartition(line.topic, line.partition), line.target)
        for line in queries.lines_of(plan)
        if line.target is not None
    ]
    answer = HttpResponse(files.offsets_as_csv(rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer
