"""The history page: choosing a group, its chart, and what it had at a moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.test import Client

from tests.factories import at, hello
from tests.overview.conftest import Past
from tests.scene import Scene

See = Callable[..., str]


def commit(past: Past, offset: int) -> None:
    past.scene.kafka.set_committed("billing-orders", {hello(number): at(offset) for number in range(3)})


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/history").status_code == 302


def test_nothing_yet_says_what_will_be_there(scene: Scene, see: See) -> None:
    assert "No groups yet" in see(scene.cast.alice, "/history")


def test_groups_far_behind_are_offered(past: Past, see: See) -> None:
    commit(past, 0)
    past.sweep()
    html = see(past.scene.cast.alice, "/history")
    assert "?cluster=demo&amp;group=billing-orders" in html


def test_chosen_group_is_drawn_with_every_stretch(past: Past, see: See) -> None:
    past.sweep()
    html = see(past.scene.cast.alice, "/history", cluster="demo", group="billing-orders")
    assert 'data-url="/history/data/demo/billing-orders?range=1h' in html
    for label in ("1 h", "6 h", "24 h", "7 d", "30 d"):
        assert f">{label}</a>" in html


def test_a_point_of_the_chart_can_be_asked_for_by_who_may_ask(past: Past, see: See) -> None:
    past.sweep()
    asked = "/requests/new?cluster=demo&amp;group=billing-orders&amp;kind="
    chart = {"cluster": "demo", "group": "billing-orders"}
    html = see(past.scene.cast.alice, "/history", **chart)
    assert f'data-ask="{asked}to_datetime&amp;datetime="' in html
    assert f'data-back="{asked}restore&amp;restore_from=history&amp;datetime="' in html
    assert "data-back" not in see(past.scene.cast.eve, "/history", **chart)


def test_stretch_keeps_the_group(past: Past, see: See) -> None:
    past.sweep()
    html = see(past.scene.cast.alice, "/history", cluster="demo", group="billing-orders", range="7d")
    assert 'data-url="/history/data/demo/billing-orders?range=7d' in html
    assert "?cluster=demo&amp;group=billing-orders&amp;range=24h" in html


def test_mistyped_name_offers_near_names(past: Past, see: See) -> None:
    past.sweep()
    html = see(past.scene.cast.alice, "/history", cluster="demo", group="billing-order")
    assert "No sweep has seen a group" in html
    assert "group=billing-orders" in html


def test_moment_shows_what_was_committed_then(past: Past, see: See) -> None:
    commit(past, 1)
    then = past.sweep()
    past.sweep()
    commit(past, 3)
    past.sweep()
    moment = (then + timedelta(seconds=30)).isoformat()
    html = see(past.scene.cast.alice, "/history", cluster="demo", group="billing-orders", at=moment)
    assert "What it had at" in html
    assert "hello-0: log from 0 to 3, stands at 1" in html
    assert "hello,0,1\nhello,1,1\nhello,2,1" in html
    assert "Ask to set it back" in html


def test_outsider_sees_the_past_and_why_they_cannot_ask(past: Past, see: See) -> None:
    commit(past, 1)
    then = past.sweep()
    past.sweep()
    html = see(past.scene.cast.dave, "/history", cluster="demo", group="billing-orders", at=then.isoformat())
    assert "stands at 1" in html
    assert "Ask to set it back" not in html
    assert "only its people" in html


def test_moment_before_the_first_reading_cannot_be_told(past: Past, see: See) -> None:
    then = past.sweep()
    moment = (then - timedelta(hours=3)).isoformat()
    html = see(past.scene.cast.alice, "/history", cluster="demo", group="billing-orders", at=moment)
    assert "hello cannot be told: it was not measured then" in html


def test_text_that_is_no_moment_is_refused_and_kept(past: Past, see: See) -> None:
    past.sweep()
    html = see(past.scene.cast.alice, "/history", cluster="demo", group="billing-orders", at="yesterday")
    assert "expected a moment such as" in html
    assert 'value="yesterday"' in html


def test_wall_clock_is_read_in_the_persons_zone(past: Past, see: See) -> None:
    past.sweep()
    alice = past.scene.cast.alice
    alice.time_zone = "Asia/Seoul"
    alice.save()
    html = see(alice, "/history", cluster="demo", group="billing-orders", at="2026-01-05 09:00")
    assert "2026-01-05T00:00:00.000Z" in html


def test_offsets_of_then_fill_the_form_of_a_request(past: Past, client: Client) -> None:
    past.sweep()
    client.force_login(past.scene.cast.alice)
    sent = {"cluster": "demo", "group": "billing-orders", "kind": "from_file", "csv": "hello,0,1\nhello,1,1"}
    html = client.post("/requests/new", sent).content.decode()
    assert "hello,0,1\nhello,1,1</textarea>" in html


def test_nul_in_the_address_is_no_name(scene: Scene, see: See) -> None:
    assert "</html>" in see(scene.cast.alice, "/history", cluster="demo", group="a\0b")
