"""The history as the chart, its table and its file get it: steps, holes, markers, who may open them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.overview.pages.asked import read
from kafkaconsole.overview.pages.chart import MOST_LINES, Chart
from kafkaconsole.overview.pages.columns import seconds
from kafkaconsole.resets.models import Attempt
from kafkaconsole.resets.states import State
from tests.factories import at, hello, request_in
from tests.overview.conftest import Past

See = Callable[..., str]
DATA = "/history/data/demo/billing-orders"


def commit(past: Past, offset: int) -> None:
    past.scene.kafka.set_committed("billing-orders", {hello(number): at(offset) for number in range(3)})


def chart(past: Past, **query: str) -> Chart:
    group = past.group()
    return Chart(group, read(query, timezone.now(), group.first_seen_at), past.scene.cast.alice)


def drawn(past: Past, **query: str) -> dict[str, Any]:
    return chart(past, **query).as_json()


def test_sum_over_all_partitions_is_one_line_of_steps(past: Past) -> None:
    commit(past, 1)
    first = past.sweep()
    commit(past, 3)
    second = past.sweep()
    data = drawn(past)
    (line,) = data["lines"]
    values = dict(zip(data["at"], line["committed"], strict=True))
    assert values[seconds(first)] == 3
    assert values[seconds(second)] == 9
    assert dict(zip(data["at"], line["lag"], strict=True))[seconds(first)] == 6


def test_failed_sweep_is_a_hole_in_the_line_and_in_the_list(past: Past) -> None:
    past.sweep()
    past.scene.kafka.go_down()
    down = past.sweep()
    past.scene.kafka.come_up()
    back = past.sweep()
    data = drawn(past)
    inside = [(since, to) for since, to in data["gaps"] if since > seconds(past.group().first_seen_at) - 1]
    assert inside
    assert inside[0][1] <= seconds(back)
    assert None in data["lines"][0]["committed"]
    assert down < back


def test_time_before_the_first_reading_was_not_measured(past: Past) -> None:
    first = past.sweep()
    data = drawn(past)
    assert data["gaps"][0] == [data["from"], seconds(first)]


def test_each_partition_by_itself_has_a_line_with_its_name(past: Past) -> None:
    past.sweep()
    assert [one["name"] for one in drawn(past, show="each")["lines"]] == ["hello-0", "hello-1", "hello-2"]


def test_of_many_partitions_those_with_the_largest_lag_are_drawn(past: Past) -> None:
    past.scene.kafka.add_topic("wide", 20)
    for number in range(20):
        past.scene.kafka.log("wide", number).log_end = 100
    wide = {TopicPartition("wide", number): at(number) for number in range(20)}
    past.scene.kafka.set_committed("billing-orders", wide)
    past.sweep()
    shown = chart(past, show="each", what="wide")
    names = [one["name"] for one in shown.as_json()["lines"]]  # type: ignore[attr-defined]
    assert names == [f"wide-{number}" for number in range(MOST_LINES)]
    assert (shown.all, shown.shown, shown.left_out) == (20, MOST_LINES, 8)


def test_one_partition_can_be_looked_at(past: Past) -> None:
    past.sweep()
    assert [one["name"] for one in drawn(past, what="hello:1")["lines"]] == ["hello-1"]
    assert {"hello", "hello:1"} <= {one.value for one in chart(past).choices}


def test_topic_that_the_group_never_had_draws_nothing(past: Past) -> None:
    past.sweep()
    data = drawn(past, what="other")
    assert data["at"] == []


def test_reset_is_a_marker_that_leads_its_team_to_the_request(past: Past) -> None:
    past.sweep()
    request = request_in(State.APPLIED, past.scene.cast, past.scene.kafka)
    (marker,) = drawn(past)["markers"]
    assert marker["url"] == f"/requests/{request.pk}"
    assert f"Reset {request.pk}: Read billing-orders again from the beginning" == marker["text"]
    written = Attempt.objects.get(request=request).write_began_at
    assert written is not None
    assert marker["at"] == seconds(written)


def test_outsider_sees_that_there_was_a_reset_and_no_more(past: Past) -> None:
    past.sweep()
    request_in(State.APPLIED, past.scene.cast, past.scene.kafka)
    group = past.group()
    for_dave = Chart(group, read({}, timezone.now(), group.first_seen_at), past.scene.cast.dave)
    (marker,) = for_dave.markers
    assert (marker.text, marker.url, marker.request) == ("A reset of the team Billing", "", None)


@pytest.mark.parametrize("state", [State.PLANNED, State.REJECTED, State.WAITING, State.FAILED])
def test_only_what_was_written_is_a_marker(state: State, past: Past) -> None:
    past.sweep()
    request_in(state, past.scene.cast, past.scene.kafka)
    assert drawn(past)["markers"] == []


def test_records_read_again_are_shaded_until_the_old_place_is_reached(past: Past) -> None:
    commit(past, 3)
    past.sweep()
    commit(past, 0)
    back = past.sweep()
    past.sweep(timedelta(seconds=30))
    commit(past, 3)
    reached = past.sweep()
    (again,) = drawn(past)["replays"]
    assert again["level"] == 9
    assert again["to"] == seconds(reached)
    assert seconds(back) <= again["from"] < again["to"]


def test_times_are_in_the_persons_zone_and_words_in_their_language(past: Past, client: Client) -> None:
    past.sweep()
    alice = past.scene.cast.alice
    alice.time_zone = "Asia/Seoul"
    alice.save()
    client.force_login(alice)
    answer = client.get(DATA)
    assert answer.json()["zone"] == "Asia/Seoul"
    assert answer["Cache-Control"] == "no-store, private"
    assert answer.json()["words"]["committed"] == "committed"


def test_data_is_for_signed_in_people_and_known_groups(past: Past, client: Client) -> None:
    assert client.get(DATA).status_code == 302
    client.force_login(past.scene.cast.dave)
    assert client.get(DATA).status_code == 404
    past.sweep()
    assert client.get(DATA).status_code == 200
    assert client.get(DATA, {"range": "x"}).status_code == 422


def test_table_shows_the_same_numbers_newest_first(past: Past, see: See) -> None:
    commit(past, 1)
    past.sweep()
    commit(past, 2)
    past.sweep()
    html = see(past.scene.cast.alice, "/history/table/demo/billing-orders")
    assert "<html" in html
    assert html.index('<td class="n">6</td>') < html.index('<td class="n">3</td><td class="n">9</td>')


def test_table_says_where_nothing_was_measured(past: Past, client: Client) -> None:
    past.sweep()
    past.scene.kafka.go_down()
    past.sweep()
    past.scene.kafka.come_up()
    past.sweep()
    client.force_login(past.scene.cast.alice)
    html = client.get("/history/table/demo/billing-orders", headers={"HX-Request": "true"}).content.decode()
    assert "not measured from here on" in html
    assert "<html" not in html


def test_file_has_every_point_in_utc_and_a_line_for_each_hole(past: Past, client: Client) -> None:
    commit(past, 1)
    first = past.sweep()
    past.scene.kafka.go_down()
    past.sweep()
    past.scene.kafka.come_up()
    past.sweep()
    client.force_login(past.scene.cast.alice)
    answer = client.get("/history/csv/demo/billing-orders", {"show": "each"})
    text = answer.getvalue().decode()
    rows = list(csv.DictReader(StringIO(text)))
    assert answer["Content-Disposition"] == 'attachment; filename="history-demo-billing-orders-1h.csv"'
    assert {row["partition"] for row in rows} == {"0", "1", "2"}
    readings = [row for row in rows if row["measured"] == "yes"]
    assert datetime.fromisoformat(readings[0]["at"]) == first
    assert (readings[0]["committed"], readings[0]["log_end"], readings[0]["lag"]) == ("1", "3", "2")
    holes = [row for row in rows if row["measured"] == "no"]
    assert len(holes) == 3
    assert {row["committed"] for row in holes} == {""}
