"""The form's finer points: moments, rules that decide, what is put back, ranges, limits, and asking again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kafkaconsole.history import sweeping
from kafkaconsole.resets import actions
from kafkaconsole.resets.forms import prefill
from kafkaconsole.resets.models import Attempt, Preview, ResetRequest
from kafkaconsole.resets.states import State
from tests.factories import GROUP, request_in
from tests.scene import Scene

NEW = "/requests/new"
FORM = {"cluster": "demo", "group": GROUP, "scope": "all_committed", "kind": "to_earliest"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def alice(scene: Scene, client: Client) -> Iterator[Client]:
    """Alice at her browser, which is in Berlin; the cluster has been swept once."""
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    client.force_login(scene.cast.alice)
    client.cookies["zone"] = "Europe/Berlin"
    yield client


def posted(alice: Client, status: int = 200, **fields: Any) -> str:
    answer = alice.post(NEW, {**FORM, "do": "preview", **fields})
    assert answer.status_code == status, answer.content.decode()[:3000]
    return answer.content.decode()


def planned(alice: Client, scene: Scene, **fields: Any) -> str:
    """The preview as htmx gets it once a worker has planned it."""
    posted(alice, 200, **fields)
    made, kafka = Preview.objects.latest("created_at"), scene.kafka
    actions.make_preview(preview_id=made.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    return alice.get(reverse("preview", args=[made.pk]), headers=HTMX).content.decode()


def strategy() -> object:
    return Preview.objects.latest("created_at").change["strategy"]


def test_a_moment_is_said_while_it_is_typed(alice: Client) -> None:
    query = {"field": "datetime", "datetime": "1796115600", "timezone": "Asia/Seoul"}
    html = alice.get(reverse("moment"), query).content.decode()
    assert "Read as 2026-12-01 09:00:00 UTC: epoch seconds." in html
    assert "10:00:00 CET" in html, "and in the reader's own zone"


def test_a_moment_of_a_field_that_is_none_is_not_found(alice: Client) -> None:
    assert alice.get(reverse("moment"), {"field": "reason"}).status_code == 404


def test_strangers_learn_no_moment(client: Client, db: None) -> None:
    assert client.get(reverse("moment"), {"field": "datetime"}).status_code == 302


def test_a_doubled_hour_is_asked_back_on_the_form_and_its_answer_counts(alice: Client) -> None:
    twice = {"kind": "to_datetime", "datetime": "2026-10-25 02:30", "timezone": "Europe/Berlin"}
    html = posted(alice, 422, **twice)
    assert 'name="datetime_choice" value="2026-10-25T02:30:00+01:00"' in html
    html = posted(alice, 200, **twice, datetime_choice="2026-10-25T02:30:00+01:00")
    assert strategy() == {"kind": "to_datetime", "datetime": "2026-10-25T02:30:00+01:00"}
    assert 'value="2026-10-25T02:30:00+01:00" checked' in html


def test_a_moment_with_its_own_offset_is_taken_whatever_zone_stands_beside(alice: Client) -> None:
    html = posted(alice, kind="to_datetime", datetime="2026-12-01 09:00:00 +0900", timezone="Europe/Berlin")
    assert strategy() == {"kind": "to_datetime", "datetime": "2026-12-01 09:00:00 +0900"}
    assert "Read as 2026-12-01 00:00:00 UTC: by its own offset." in html


def test_a_request_may_run_later_and_end_earlier_in_the_persons_zone(alice: Client) -> None:
    tomorrow = timezone.now().date() + timedelta(days=1)
    times = {"not_before": f"{tomorrow} 02:00", "expires_at": f"{tomorrow}T08:00:00Z"}
    alice.post(NEW, {**FORM, "do": "request", "reason": "At night", **times})
    made = ResetRequest.objects.get()
    assert made.not_before == datetime(tomorrow.year, tomorrow.month, tomorrow.day, 1, tzinfo=UTC)
    assert made.expires_at == datetime(tomorrow.year, tomorrow.month, tomorrow.day, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"not_before": "tonight"}, "Found &#x27;tonight&#x27;"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "still to come"),
        ({"not_before": "2099-01-02T00:00Z", "expires_at": "2099-01-01T00:00Z"}, "before 2099-01-01"),
    ],
)
def test_times_that_cannot_be_are_refused_and_kept(alice: Client, fields: dict[str, str], expected: str) -> None:
    typed: dict[str, Any] = {"do": "request", "reason": "Why", **fields}
    html = posted(alice, 422, **typed)
    assert expected in html
    assert all(f'value="{text}"' in html for text in fields.values())
    assert not ResetRequest.objects.exists()


def test_a_rule_that_decides_nothing_is_no_choice(alice: Client, scene: Scene) -> None:
    assert "<select" not in _rules(posted(alice))
    html = planned(alice, scene)
    assert 'id="rules" hx-swap-oob="true"' in html
    assert "<select" not in _rules(html)
    assert 'type="hidden" name="out_of_range" value="clamp"' in _rules(html)


def test_a_rule_that_decides_is_a_choice_with_its_effect(alice: Client, scene: Scene) -> None:
    html = _rules(planned(alice, scene, kind="to_offset", offset="99"))
    assert '<select class="form-select" id="id_out_of_range"' in html
    assert "Decides on 3 partitions here: <b>3 are set</b>" in html
    assert "hello-0, hello-1, hello-2" in html
    assert 'name="no_commit" value="strategy"' in html
    html = _rules(planned(alice, scene, kind="to_offset", offset="99", out_of_range="refuse"))
    assert '<option value="refuse" selected>' in html
    assert "<b>3 refuse the plan</b>" in html


def test_a_partition_without_a_commit_is_for_the_rule_to_decide(alice: Client, scene: Scene) -> None:
    scene.kafka.add_topic("other", 2)
    fields = {"scope": "topics", "typed_topic": "other", "typed_partitions": "0-1", "no_commit": "leave"}
    html = _rules(planned(alice, scene, **fields))
    assert "Decides on 2 partitions here: <b>2 are left as they are</b>" in html


def _rules(html: str) -> str:
    start = html.index('id="rules"')
    return html[start : html.index("</section>", start) if "</section>" in html[start:] else len(html)]


def test_ranges_of_partitions_are_read(alice: Client) -> None:
    posted(alice, scope="topics", typed_topic="hello", typed_partitions="0-1, 2")
    assert Preview.objects.get().change["scope"] == {"topics": [{"topic": "hello", "partitions": [0, 1, 2]}]}


def test_a_file_with_many_bad_lines_names_the_first_hundred_and_counts_the_rest(alice: Client) -> None:
    html = posted(alice, 422, kind="from_file", file_topic="hello", csv="\n".join(f"x,{n}" for n in range(250)))
    assert "Line 100:" in html and "Line 101:" not in html
    assert "150 more lines are not right" in html


def test_a_file_that_is_too_long_says_the_limit(alice: Client) -> None:
    rows = "\n".join(f"{number},1" for number in range(200_001)).encode()
    html = posted(alice, 422, kind="from_file", file_topic="hello", file=SimpleUploadedFile("offsets.csv", rows))
    assert "at most 200,000 rows" in html
    big = SimpleUploadedFile("offsets.csv", b"0,1\n" * 2_500_001)
    assert "at most 10,000,000 are read" in posted(alice, 422, kind="from_file", file_topic="hello", file=big)


def test_the_group_is_put_back_to_a_moment_of_its_history(alice: Client) -> None:
    posted(alice, kind="restore", restore_from="history", datetime="2026-12-01 09:00", timezone="Asia/Seoul")
    assert strategy() == {"kind": "restore", "as_of": "2026-12-01T00:00:00Z"}


def test_the_group_is_put_back_to_a_snapshot_of_its_own(alice: Client, scene: Scene) -> None:
    request_in(State.APPLIED, scene.cast, scene.kafka)
    attempt = Attempt.objects.get()
    html = alice.get(NEW, {**FORM, "kind": "restore"}).content.decode()
    assert f'<option value="{attempt.pk}">before request {attempt.request_id}, attempt 1' in html
    posted(alice, kind="restore", restore_from="snapshot", snapshot=str(attempt.pk))
    assert strategy() == {"kind": "restore", "snapshot": attempt.pk}
    assert "Found nothing" in posted(alice, 422, kind="restore", restore_from="snapshot")


def test_nobody_is_offered_snapshots_of_a_group_that_is_not_theirs(alice: Client, scene: Scene) -> None:
    request_in(State.APPLIED, scene.cast, scene.kafka)
    alice.force_login(scene.cast.dave)
    assert "before request" not in alice.get(NEW, {**FORM, "kind": "restore"}).content.decode()


def test_commits_can_be_deleted_and_the_rule_says_what_becomes_of_partitions_without_one(alice: Client) -> None:
    posted(alice, kind="delete_offsets", no_commit="refuse")
    assert strategy() == {"kind": "delete_offsets"}
    assert Preview.objects.get().change["rules"]["no_commit"] == "refuse"


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "to_earliest"},
        {"kind": "to_offset", "offset": 2},
        {"kind": "shift_by", "by": -2},
        {"kind": "shift_by", "by": 2},
        {"kind": "by_duration", "duration": "P1DT1H30M"},
        {"kind": "to_datetime", "datetime": "2026-12-01 09:00", "timezone": "Asia/Seoul"},
        {"kind": "to_datetime", "datetime": "2026-12-01T09:00Z"},
        {"kind": "from_file", "csv": "hello,0,1\nhello,1,2\n"},
        {"kind": "copy_group", "from_group": "search-x"},
        {"kind": "restore", "as_of": "2026-12-01T00:00:00Z"},
        {"kind": "delete_offsets"},
    ],
)
def test_a_change_fills_the_form_that_says_it_again(alice: Client, wish: dict[str, object]) -> None:
    change = {
        "cluster": "demo",
        "group": GROUP,
        "scope": {"topics": [{"topic": "hello", "partitions": [0, 1, 2]}, {"topic": "other"}]},
        "strategy": wish,
        "rules": {"no_commit": "strategy", "no_record_after": "log_end", "out_of_range": "clamp"},
        "create_group": False,
    }
    fields = {
        name: values if len(values) > 1 else values[0] for name, values in prefill.query_of_change(change).lists()
    }
    posted(alice, 200, **fields)
    assert Preview.objects.get().change == change


def test_asking_again_starts_from_what_was_asked(alice: Client, scene: Scene) -> None:
    old = request_in(State.REJECTED, scene.cast, scene.kafka)
    page = alice.get(f"/requests/{old.pk}").content.decode()
    assert f"{NEW}?again={old.pk}" in page
    html = alice.get(NEW, {"again": str(old.pk)}).content.decode()
    assert f'value="{GROUP}"' in html
    assert 'value="to_earliest" checked' in html
    assert old.reason in html


def test_asking_again_needs_the_right_to_see_the_old_request(alice: Client, scene: Scene) -> None:
    old = request_in(State.REJECTED, scene.cast, scene.kafka)
    alice.force_login(scene.cast.dave)
    assert alice.get(NEW, {"again": str(old.pk)}).status_code == 404


def test_an_applied_reset_is_undone_by_a_new_request(alice: Client, scene: Scene) -> None:
    old = request_in(State.APPLIED, scene.cast, scene.kafka)
    assert 'data-opens-dialog="undo"' in alice.get(f"/requests/{old.pk}").content.decode()
    answer = alice.post(f"/requests/{old.pk}/undo", {"reason": "It was the wrong group"})
    undoing = ResetRequest.objects.latest("pk")
    assert answer["Location"] == f"/requests/{undoing.pk}"
    assert (undoing.undo_of, undoing.reason) == (old, "It was the wrong group")
    html = alice.get(f"/requests/{old.pk}").content.decode()
    assert f"request {undoing.pk}" in html
    assert 'data-opens-dialog="undo"' not in html, "it is being undone already"
    assert f"request {old.pk}</a>" in alice.get(f"/requests/{undoing.pk}").content.decode()


def test_an_outsider_and_an_auditor_cannot_undo(alice: Client, scene: Scene) -> None:
    old = request_in(State.APPLIED, scene.cast, scene.kafka)
    for person, status in ((scene.cast.dave, 404), (scene.cast.eve, 403)):
        alice.force_login(person)
        assert alice.post(f"/requests/{old.pk}/undo", {"reason": "Let me"}).status_code == status
    assert ResetRequest.objects.count() == 1
