"""The form that asks for a reset: what it keeps, what it refuses and where, and what it sends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from kafkaconsole.history import sweeping
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Preview, ResetRequest
from tests.factories import GROUP, make_cluster, make_kafka
from tests.scene import Scene

NEW = "/requests/new"
EARLIEST = {"cluster": "demo", "group": GROUP, "scope": "all_committed", "kind": "to_earliest"}


@pytest.fixture
def alice(scene: Scene, client: Client) -> Iterator[Client]:
    """Alice at her browser, which is in Seoul; the cluster has been swept once."""
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    client.force_login(scene.cast.alice)
    client.cookies["zone"] = "Asia/Seoul"
    yield client


def sent(alice: Client, do: str = "preview", **fields: object) -> str:
    """The page after a form was sent that must not pass; every such answer is 422."""
    answer = alice.post(NEW, {**EARLIEST, "do": do, **fields})
    assert answer.status_code == 422, answer.content.decode()[:2000]
    return answer.content.decode()


def previewed(alice: Client, **fields: object) -> dict[str, object]:
    """The change that a form comes to."""
    answer = alice.post(NEW, {**EARLIEST, "do": "preview", **fields})
    assert answer.status_code == 200, answer.content.decode()
    change: dict[str, object] = Preview.objects.latest("created_at").change
    return change


def field(html: str, name: str) -> str:
    """The part of the page that draws one field with its errors."""
    start = html.index(f'id="field-{name}"')
    return html[start : html.find('id="field-', start + 10)]


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    answer = client.get(NEW)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


def test_an_address_fills_the_form_in(alice: Client) -> None:
    html = alice.get(NEW, {"cluster": "demo", "group": GROUP, "kind": "to_offset", "offset": "7"}).content.decode()
    assert f'value="{GROUP}"' in html
    assert 'value="to_offset" checked' in html
    assert 'name="offset" value="7"' in html
    assert "hello" in html, "the topics that the group stands on are offered"


def test_the_only_cluster_is_chosen_and_two_are_not(alice: Client) -> None:
    assert '<option value="demo" selected>' in alice.get(NEW).content.decode()
    make_cluster("other", cluster_id="another")
    assert '<option value="demo" selected>' not in alice.get(NEW).content.decode()


def test_the_readers_zone_comes_first(alice: Client) -> None:
    html = field(alice.get(NEW).content.decode(), "timezone")
    assert '<option value="Asia/Seoul" selected>' in html
    assert html.index("Asia/Seoul") < html.index('"UTC"') < html.index("Africa/Abidjan")


def test_the_browsers_and_the_clusters_zone_are_offered_by_name(alice: Client, scene: Scene) -> None:
    scene.cluster.time_zone, scene.cast.alice.time_zone = "America/New_York", "Asia/Seoul"
    scene.cluster.save()
    scene.cast.alice.save()
    alice.cookies["zone"] = "Europe/Berlin"
    html = field(alice.get(NEW, {"cluster": "demo"}).content.decode(), "timezone")
    places = [
        html.index(one) for one in ("Asia/Seoul<", "Europe/Berlin (this browser’s)", "America/New_York (the cluster’s)")
    ]
    assert places == sorted(places) and html.count('value="Europe/Berlin"') == 1
    alice.cookies["zone"] = "no/where"
    assert "browser’s" not in alice.get(NEW, {"cluster": "demo"}).content.decode()


def test_a_moment_in_the_address_that_carries_its_offset_needs_no_zone(alice: Client) -> None:
    html = alice.get(NEW, {"kind": "to_datetime", "datetime": "2026-12-01T09:00:00Z"}).content.decode()
    assert '<option value="as_written" selected>' in field(html, "timezone")


def test_a_preview_asks_again_until_a_worker_has_planned_it(alice: Client, scene: Scene) -> None:
    html = alice.post(NEW, {**EARLIEST, "do": "preview", "reason": "typed before"}).content.decode()
    made = Preview.objects.get()
    address = reverse("preview", args=[made.pk])
    assert f'hx-get="{address}"' in html
    assert "typed before" in html
    kafka = scene.kafka
    actions.make_preview(preview_id=made.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    fragment = alice.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "data-live-every" not in fragment, "a plan that is there is not asked for again"
    assert "9 offsets again" in fragment
    assert "<html" not in fragment


def test_a_preview_of_someone_else_is_not_found(alice: Client, scene: Scene) -> None:
    alice.post(NEW, {**EARLIEST, "do": "preview"})
    alice.force_login(scene.cast.amir)
    assert alice.get(reverse("preview", args=[Preview.objects.get().pk])).status_code == 404


def test_a_preview_that_failed_says_why(alice: Client, scene: Scene) -> None:
    alice.post(NEW, {**EARLIEST, "group": "billing-odrers", "scope": "topics", "typed_topic": "hello", "do": "preview"})
    made, kafka = Preview.objects.get(), scene.kafka
    actions.make_preview(preview_id=made.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    html = alice.get(reverse("preview", args=[made.pk])).content.decode()
    assert "There is no group billing-odrers on this cluster. Names like it: billing-orders." in html


@pytest.mark.parametrize(
    ("fields", "strategy"),
    [
        ({"kind": "to_earliest"}, {"kind": "to_earliest"}),
        ({"kind": "to_latest"}, {"kind": "to_latest"}),
        ({"kind": "to_current"}, {"kind": "to_current"}),
        ({"kind": "to_offset", "offset": "3"}, {"kind": "to_offset", "offset": 3}),
        ({"kind": "shift_by", "direction": "back", "by": "2"}, {"kind": "shift_by", "by": -2}),
        ({"kind": "shift_by", "direction": "forward", "by": "2"}, {"kind": "shift_by", "by": 2}),
        ({"kind": "by_duration", "days": "1", "minutes": "90"}, {"kind": "by_duration", "duration": "P1DT1H30M"}),
        (
            {"kind": "to_datetime", "datetime": "2026-12-01 09:00", "timezone": "Asia/Seoul"},
            {"kind": "to_datetime", "datetime": "2026-12-01 09:00", "timezone": "Asia/Seoul"},
        ),
        (
            {"kind": "to_datetime", "datetime": "2026-12-01T09:00Z", "timezone": "as_written"},
            {"kind": "to_datetime", "datetime": "2026-12-01T09:00Z"},
        ),
        ({"kind": "copy_group", "from_group": "search-x"}, {"kind": "copy_group", "from_group": "search-x"}),
        (
            {"kind": "from_file", "csv": "0,1\n1,2\n", "file_topic": "hello"},
            {"kind": "from_file", "csv": "hello,0,1\nhello,1,2\n"},
        ),
    ],
)
def test_every_strategy_becomes_what_the_api_would_take(
    alice: Client, fields: dict[str, str], strategy: dict[str, object]
) -> None:
    assert previewed(alice, **fields)["strategy"] == strategy


def test_chosen_and_typed_topics_become_the_scope(alice: Client) -> None:
    change = previewed(
        alice, scope="topics", topic="hello", **{"partitions:hello": "0-1"}, typed_topic="other", typed_partitions=""
    )
    assert change["scope"] == {"topics": [{"topic": "hello", "partitions": [0, 1]}, {"topic": "other"}]}


def test_an_empty_choice_is_never_everything(alice: Client) -> None:
    html = sent(alice, scope="topics")
    assert "expected a list of at least one topic" in html
    assert not Preview.objects.exists()


def test_partitions_beside_a_topic_that_is_not_ticked_are_asked_back(alice: Client) -> None:
    html = sent(alice, scope="topics", typed_topic="other", **{"partitions:hello": "1"})
    assert "hello: partitions are typed beside it, but it is not ticked" in html
    assert not Preview.objects.exists()
    change = previewed(alice, scope="all_committed", **{"partitions:hello": "1"})
    assert change["scope"] == {"all_committed": True}


def test_partitions_that_are_no_numbers_are_named_and_kept(alice: Client) -> None:
    html = sent(alice, scope="topics", topic="hello", **{"partitions:hello": "0-1,x"})
    assert "hello: &#x27;x&#x27;" in html
    assert 'value="0-1,x"' in html


@pytest.mark.parametrize(
    ("fields", "name", "expected"),
    [
        ({"kind": "to_offset", "offset": "-1"}, "offset", "greater than or equal to 0"),
        ({"kind": "to_offset"}, "offset", "Found nothing"),
        ({"kind": "shift_by"}, "by", "Found nothing"),
        ({"kind": "by_duration"}, "minutes", "Found nothing"),
        ({"kind": "to_datetime", "datetime": "99:00", "timezone": "UTC"}, "datetime", "Found &#x27;99:00&#x27;"),
        ({"kind": "copy_group", "from_group": GROUP}, "from_group", "another group"),
        ({"kind": "from_file", "csv": "0,1\n1,x\n", "file_topic": "hello"}, "csv", "Line 2"),
        ({"cluster": "nowhere"}, "cluster", "not one of the available choices"),
        ({"group": ""}, "group", "Say which group: type its name."),
    ],
)
def test_an_error_stands_at_its_field(alice: Client, fields: dict[str, str], name: str, expected: str) -> None:
    html = sent(alice, **fields, reason="kept")
    assert expected in field(html, name)
    assert "kept</textarea>" in html


def test_an_uploaded_file_is_checked_and_stays_in_the_form(alice: Client) -> None:
    upload = SimpleUploadedFile("offsets.csv", "\ufeff0,1\nten,2\n".encode())
    html = sent(alice, kind="from_file", file_topic="hello", file=upload)
    assert "Line 2" in field(html, "csv")
    assert "ten,2" in field(html, "csv"), "the file's text is kept, so that it can be mended in place"


def test_an_upload_that_is_not_text_is_refused(alice: Client) -> None:
    upload = SimpleUploadedFile("offsets.bin", b"\xff\xfe\x00\x01")
    assert "not text" in field(sent(alice, kind="from_file", file=upload), "file")


def test_rules_count_only_where_they_matter(alice: Client) -> None:
    change = previewed(alice, kind="to_earliest", out_of_range="refuse", no_record_after="keep", no_commit="leave")
    assert change["rules"] == {"no_commit": "leave", "no_record_after": "log_end", "out_of_range": "clamp"}


def test_asking_makes_the_request_and_goes_to_its_page(alice: Client, scene: Scene) -> None:
    answer = alice.post(NEW, {**EARLIEST, "do": "request", "reason": "Wrong prices", "ticket": "INC-1"})
    made = ResetRequest.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == f"/requests/{made.pk}"
    assert (made.reason, made.ticket, made.requester) == ("Wrong prices", "INC-1", scene.cast.alice)


def test_htmx_is_told_to_go_to_the_requests_page(alice: Client) -> None:
    answer = alice.post(NEW, {**EARLIEST, "do": "request", "reason": "Why not"}, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == f"/requests/{ResetRequest.objects.get().pk}"


def test_a_request_without_a_reason_is_not_made(alice: Client) -> None:
    assert "Say why." in field(sent(alice, do="request", reason=""), "reason")
    assert not ResetRequest.objects.exists()


def test_an_outsider_reads_who_could_ask_and_cannot_ask(alice: Client, scene: Scene) -> None:
    alice.force_login(scene.cast.dave)
    html = alice.get(NEW, {"cluster": "demo", "group": GROUP}).content.decode()
    assert "belongs to the team Billing; only its people can ask" in html
    assert "belongs to the team Billing" in sent(alice, do="request", reason="Let me")
    assert not ResetRequest.objects.exists()


def test_a_group_that_no_sweep_has_seen_can_be_typed(alice: Client, scene: Scene) -> None:
    html = alice.get(NEW, {"cluster": "demo", "group": "billing-ordres"}).content.decode()
    assert "No sweep has seen billing-ordres yet" in html
    assert f"<code>{GROUP}</code>" in html, "a name like it is shown"
    kafka = make_kafka(group="billing-fresh")
    change = previewed(alice, group="billing-fresh")
    made = Preview.objects.get()
    actions.make_preview(preview_id=made.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    made.refresh_from_db()
    assert (change["group"], made.state) == ("billing-fresh", "planned")


def test_looking_a_group_up_checks_nothing_and_keeps_everything(alice: Client) -> None:
    answer = alice.post(NEW, {"do": "look", "cluster": "demo", "group": GROUP, "reason": "half a rea", "offset": "x"})
    assert answer.status_code == 200
    html = answer.content.decode()
    assert "half a rea" in html
    assert 'class="errors"' not in html
    assert 'value="x"' in html


def test_a_name_of_any_characters_is_shown_as_it_is(alice: Client) -> None:
    html = alice.get(NEW, {"cluster": "demo", "group": '<b>"x'}).content.decode()
    assert "<b>&quot;" not in html
    assert "&lt;b&gt;&quot;x" in html
