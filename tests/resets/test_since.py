"""What the history has seen move since a plan was made, as the request's page tells it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from kafkaconsole.history import sweeping
from kafkaconsole.kafka.values import Offset, TopicPartition
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Preview, ResetRequest
from kafkaconsole.resets.pages import preview, since
from tests import factories
from tests.factories import GROUP
from tests.scene import Scene

WIDE = 12


@pytest.fixture
def planned(scene: Scene) -> ResetRequest:
    """The group goes back to the start of twelve partitions of ten records; it stood at 5."""
    scene.kafka.add_topic("wide", WIDE)
    for number in range(WIDE):
        scene.kafka.log("wide", number).log_end = Offset(10)
    commit(scene, dict.fromkeys(range(WIDE), 5))
    wide = {"topics": [{"topic": "wide"}]}
    return factories.plan(factories.ask(scene.cast.alice, change=factories.make_change(scope=wide)), scene.kafka)


def commit(scene: Scene, offsets: dict[int, int]) -> None:
    """The group commits on the topic."""
    held = {TopicPartition("wide", number): factories.at(offset) for number, offset in offsets.items()}
    scene.kafka.set_committed(GROUP, held)


def told(scene: Scene, client: Client, request: ResetRequest) -> str:
    """What Bob reads once the cluster has been measured again."""
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    client.force_login(scene.cast.bob)
    html = client.get(f"/requests/{request.pk}").content.decode()
    asked = re.findall(r'hx-get="(/requests/[0-9]+/since)"', html)
    parts = [html, *(client.get(address).content.decode() for address in asked)]
    return " ".join(re.sub("<[^>]+>", "", "".join(parts)).split())


def test_partitions_that_moved_are_named_in_the_order_of_their_numbers(
    scene: Scene, client: Client, planned: ResetRequest
) -> None:
    commit(scene, {10: 7, 2: 6})
    words = told(scene, client, planned)
    assert "The commits of 2 partitions are others now: wide-2 5 → 6, wide-10 5 → 7" in words


def test_a_plan_that_holds_still_is_not_warned_of(scene: Scene, client: Client, planned: ResetRequest) -> None:
    words = told(scene, client, planned)
    assert "Not as planned any more" not in words
    assert "Nothing is seen to have moved since the plan was made; the group was measured" in words


def test_the_page_is_there_before_the_comparison_which_it_then_asks_for(
    scene: Scene, client: Client, planned: ResetRequest
) -> None:
    client.force_login(scene.cast.bob)
    page, part = f"/requests/{planned.pk}", f"/requests/{planned.pk}/since"
    assert "/since" not in client.get(page).content.decode(), "nobody has measured the group since"
    assert client.get(part).status_code == 204
    commit(scene, {2: 6})
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    html = client.get(page).content.decode()
    assert "Being compared with where the group stands now" in html
    assert "wide-2 5 → 6" not in " ".join(re.sub("<[^>]+>", "", html).split())
    assert html.index("Partitions changed") < html.index(f'hx-get="{part}" hx-trigger="load, live"')


def test_the_comparison_is_answered_once_for_each_reading(scene: Scene, client: Client, planned: ResetRequest) -> None:
    commit(scene, {2: 6})
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    client.force_login(scene.cast.bob)
    html = client.get(f"/requests/{planned.pk}/since").content.decode()
    again = re.search(r'hx-get="([^"]+)" hx-trigger="live"', html)
    assert again is not None and "?seen=" in again[1]
    assert client.get(again[1]).status_code == 204
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    assert "wide-2 5 → 6" in " ".join(re.sub("<[^>]+>", "", client.get(again[1]).content.decode()).split())


def test_a_page_that_is_drawn_anew_keeps_the_comparison_that_is_there(
    scene: Scene, client: Client, planned: ResetRequest
) -> None:
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    client.force_login(scene.cast.bob)
    kept = f'id="since-{planned.plan_id}"'
    for part in ("", "/live"):
        [drawn] = re.findall(f"<div {kept}[^>]*>", client.get(f"/requests/{planned.pk}{part}").content.decode())
        assert 'hx-preserve="true"' in drawn
    assert kept in (answer := client.get(f"/requests/{planned.pk}/since").content.decode())
    assert "hx-preserve" not in answer, "the answer itself takes the place of what is there"


def test_what_the_history_says_of_another_topic_of_the_same_name_is_not_told(
    scene: Scene, client: Client, planned: ResetRequest
) -> None:
    scene.kafka.remove_topic("wide")
    scene.kafka.add_topic("wide", WIDE)
    commit(scene, {2: 6})
    assert "Not as planned any more" not in told(scene, client, planned)


def test_a_plan_with_too_many_partitions_is_not_compared_and_the_page_says_so(
    scene: Scene, client: Client, planned: ResetRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(scene, {2: 6})
    monkeypatch.setattr(since, "MOST_LINES", WIDE)
    assert "is not compared with the history here" not in told(scene, client, planned)
    monkeypatch.setattr(since, "MOST_LINES", WIDE - 1)
    words = told(scene, client, planned)
    assert "Not as planned any more" not in words
    assert "is not compared with the history here. Carrying it out compares every partition" in words


def test_a_preview_with_more_targets_than_it_reads_around_says_so(
    scene: Scene, client: Client, planned: ResetRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = factories.make_change(scope={"topics": [{"topic": "wide"}]})
    row = actions.preview(by=scene.cast.alice, change_json=change)
    actions.make_preview(preview_id=row.pk, connect=scene.kafka.connect, connect_records=scene.kafka.connect_records)
    assert Preview.objects.get(pk=row.pk).plan is not None
    client.force_login(scene.cast.alice)
    said = "The plan of the request tells them around all."
    assert said not in client.get(f"/previews/{row.pk}").content.decode()
    monkeypatch.setattr(preview, "PREVIEWED", WIDE - 1)
    html = client.get(f"/previews/{row.pk}").content.decode()
    assert f"reads the times of records around its first {WIDE - 1} targets. {said}" in html
