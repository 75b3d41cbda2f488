"""A plan of many lines: pages, search and order by the database; a page costs the same however long the plan is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kafkaconsole.resets.models import PlanLine, ResetRequest
from kafkaconsole.resets.pages.lines import PAGE_SIZE
from tests.records.scene import Scene, line, make_request, make_scene

LINES = 300


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def lines(count: int) -> list[PlanLine]:
    """Topics of ten partitions; the seventh of each goes back furthest, every third skips instead."""
    found = []
    for number in range(count):
        back = 900 if number % 10 == 7 else number % 50
        target = 1500 + number if number % 3 == 0 else 1000 - back
        found.append(line(f"topic-{number // 10:02d}", number % 10, target=target, committed=1000, log_end=2000))
    return found


@pytest.fixture
def long(scene: Scene) -> ResetRequest:
    return make_request(scene, lines(LINES))


def shown(client: Client, request: ResetRequest, **query: Any) -> tuple[str, list[str]]:
    """The plan's part of the page, and the partitions in its table, in order."""
    html = client.get(f"/requests/{request.pk}", query, headers={"HX-Target": "plan"}).content.decode()
    return html, ["-".join(pair) for pair in re.findall(r'class="partition">([\w-]+)<span>-(\d+)</span>', html)]


def test_one_page_of_lines_is_drawn_with_the_way_to_the_others(
    client: Client, scene: Scene, long: ResetRequest
) -> None:
    client.force_login(scene.bob)
    html, first = shown(client, long)
    assert len(first) == PAGE_SIZE
    assert f"Lines 1–{PAGE_SIZE} of {LINES}" in html
    _, last = shown(client, long, page="99999")
    assert last[-1] == "topic-29-9"


def test_totals_and_warnings_come_before_the_lines(client: Client, scene: Scene, long: ResetRequest) -> None:
    client.force_login(scene.bob)
    html = client.get(f"/requests/{long.pk}").content.decode()
    assert html.index('class="totals"') < html.index('id="plan"')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("topic-07", [f"topic-07-{number}" for number in range(10)]),
        ("TOPIC-07", [f"topic-07-{number}" for number in range(10)]),
        ("topic-07-3", ["topic-07-3"]),
        ("nothing", []),
    ],
)
def test_lines_are_found_by_topic_and_partition(
    client: Client, scene: Scene, long: ResetRequest, text: str, expected: list[str]
) -> None:
    client.force_login(scene.bob)
    assert shown(client, long, q=text)[1] == expected


def test_the_most_read_again_and_the_most_skipped_come_first(client: Client, scene: Scene, long: ResetRequest) -> None:
    client.force_login(scene.bob)
    _, again = shown(client, long, sort="replayed")
    assert {one[-1] for one in again[:15]} == {"7"}
    _, skipped = shown(client, long, sort="skipped")
    assert skipped[0] == "topic-29-7"


def test_a_long_plan_takes_no_more_questions_than_a_short_one(client: Client, scene: Scene, long: ResetRequest) -> None:
    client.force_login(scene.bob)
    short = make_request(scene, lines(5), group="billing-short")
    counts = []
    for request in (short, long):
        client.get(f"/requests/{request.pk}")
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/requests/{request.pk}").status_code == 200
        counts.append(len(asked))
    assert counts[1] <= counts[0] + 1, counts
