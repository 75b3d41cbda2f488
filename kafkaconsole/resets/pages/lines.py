"""A plan's lines a page at a time: search, sort, window. Ten thousand lines are never drawn at once."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet

from kafkaconsole.resets import queries
from kafkaconsole.resets.models import AttemptResult, Plan, PlanLine

PAGE_SIZE = 50

SORTS = {
    "replayed": (F("replayed").desc(nulls_last=True), "topic", "partition"),
    "skipped": (F("skipped").desc(nulls_last=True), "topic", "partition"),
}
"""Beside the order by topic and partition, which an empty or unknown word gives."""


def page_of_lines(plan: Plan, asked: Mapping[str, str]) -> Page[PlanLine]:
    """The page that `asked` names (`page`, `q`, `sort`); a number beyond the last gives the last."""
    lines = searched(queries.lines_of(plan), asked.get("q", ""))
    if asked.get("sort") in SORTS:
        lines = lines.order_by(*SORTS[asked["sort"]])
    return Paginator(lines, PAGE_SIZE).get_page(asked.get("page"))


def searched(lines: QuerySet[PlanLine], text: str) -> QuerySet[PlanLine]:
    """Lines whose topic holds the text, or `topic-3` and `3` for a partition."""
    text = text.strip()
    if not text:
        return lines
    found = Q(topic__icontains=text)
    topic, _dash, number = text.rpartition("-")
    if number.isascii() and number.isdecimal() and len(number) < 10:
        found |= Q(topic__iendswith=topic, partition=int(number)) if topic else Q(partition=int(number))
    return lines.filter(found)


def with_results(page: Page[PlanLine], results: QuerySet[AttemptResult]) -> list[tuple[PlanLine, AttemptResult | None]]:
    """Each line of a page beside what became of it; None where nothing was written (or not yet)."""
    lines = list(page.object_list)
    topics = {line.topic for line in lines}
    known = {(row.topic, row.partition): row for row in results.filter(topic__in=topics)} if lines else {}
    return [(line, known.get((line.topic, line.partition))) for line in lines]
