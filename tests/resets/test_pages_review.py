"""The review page of a request: what it says in each state, to whom, and when it stops asking."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from kafkaconsole.history import sweeping
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import FINAL, State
from tests import factories
from tests.factories import GROUP, make_change, request_in
from tests.scene import Scene


def page_of(client: Client, request: ResetRequest, **query: str) -> str:
    answer = client.get(f"/requests/{request.pk}", query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def alice(scene: Scene, client: Client) -> Client:
    client.force_login(scene.cast.alice)
    return client


@pytest.mark.parametrize("state", [state for state in State])
def test_every_state_has_a_page(scene: Scene, alice: Client, state: State) -> None:
    request = request_in(state, scene.cast, scene.kafka)
    html = page_of(alice, request)
    assert f'data-state="{state.value}"' in html
    assert "style=" not in html
    assert "<script>" not in html


@pytest.mark.parametrize("state", sorted(FINAL - {State.APPLIED, State.PARTLY_APPLIED}))
def test_a_final_state_is_not_asked_for_again(scene: Scene, alice: Client, state: State) -> None:
    assert "data-live-every" not in page_of(alice, request_in(state, scene.cast, scene.kafka))


@pytest.mark.parametrize("state", sorted(State(one) for one in set(State) - FINAL))
def test_an_open_state_is_asked_for_again(scene: Scene, alice: Client, state: State) -> None:
    assert "data-live-every" in page_of(alice, request_in(state, scene.cast, scene.kafka))


def test_the_title_says_in_words_what_is_asked(scene: Scene, alice: Client) -> None:
    html = page_of(alice, request_in(State.PLANNED, scene.cast, scene.kafka))
    assert f"<title>Read {GROUP} again from the beginning, request" in html


def test_the_plan_is_said_in_a_sentence_in_a_ruler_and_in_numbers(scene: Scene, alice: Client) -> None:
    html = page_of(alice, request_in(State.PLANNED, scene.cast, scene.kafka))
    assert "9 offsets again</b>" in html
    assert "and skips <b>none</b>" in html
    assert "That is at most as many records: markers of transactions" in html
    assert "3 partitions go back, 9 offsets are read again" in html
    assert "hello-2: log from 0 to 3, stands at 3, will stand at 0, 3 read again" in html


def test_an_approver_signs_the_digest_that_the_page_shows(scene: Scene, client: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.bob)
    html = page_of(client, request)
    found = re.search(r'name="digest" value="([0-9a-f]{64})"', html)
    assert found is not None
    assert found[1] == request.plan_digest
    answer = client.post(f"/requests/{request.pk}/approve", {"digest": found[1], "comment": "Checked"})
    assert answer.status_code == 302
    request.refresh_from_db()
    assert request.state == State.APPROVED
    assert "Checked" in page_of(client, request)


def test_the_requester_reads_why_the_button_is_grey(scene: Scene, alice: Client) -> None:
    html = page_of(alice, request_in(State.PLANNED, scene.cast, scene.kafka))
    button = html[html.index("Approve this plan") - 120 : html.index("Approve this plan")]
    assert "disabled" in button
    assert "You asked for this reset, so someone else must approve it." in html


def test_an_outsider_does_not_find_it(scene: Scene, client: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.dave)
    for path in ("", "/live", "/plan.csv"):
        assert client.get(f"/requests/{request.pk}{path}").status_code == 404
    for verb in ("approve", "reject", "cancel", "replan", "comment"):
        assert client.post(f"/requests/{request.pk}/{verb}").status_code == 404


def test_an_auditor_reads_it_and_changes_nothing(scene: Scene, client: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.eve)
    html = page_of(client, request)
    assert "Auditors read everything and change nothing." in html
    answer = client.post(f"/requests/{request.pk}/approve", {"digest": request.plan_digest})
    assert answer.status_code == 403
    assert "Auditors read everything and change nothing." in answer.content.decode()


def test_an_outdated_digest_is_refused_with_its_sentence(scene: Scene, client: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.bob)
    answer = client.post(f"/requests/{request.pk}/approve", {"digest": "0" * 64})
    assert answer.status_code == 409
    request.refresh_from_db()
    assert request.state == State.PLANNED


def test_a_rejection_needs_a_comment(scene: Scene, client: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.bob)
    refused = client.post(f"/requests/{request.pk}/reject", {"digest": request.plan_digest, "comment": " "})
    assert refused.status_code == 422
    client.post(f"/requests/{request.pk}/reject", {"digest": request.plan_digest, "comment": "Not on a Friday"})
    request.refresh_from_db()
    assert request.state == State.REJECTED
    assert "Not on a Friday" in page_of(client, request)


def test_a_change_by_get_is_refused(scene: Scene, alice: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    for verb in ("approve", "reject", "cancel", "replan", "comment"):
        assert alice.get(f"/requests/{request.pk}/{verb}").status_code == 405


def test_posts_without_a_csrf_token_are_refused(scene: Scene) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(scene.cast.bob)
    assert strict.post(f"/requests/{request.pk}/approve", {"digest": request.plan_digest}).status_code == 403


def test_cancel_and_comment_come_back_to_the_page(scene: Scene, alice: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    assert alice.post(f"/requests/{request.pk}/comment", {"text": "Is 08:30 better?"}).status_code == 302
    assert "Is 08:30 better?" in page_of(alice, request)
    answer = alice.post(f"/requests/{request.pk}/cancel", {"comment": "Solved otherwise"})
    assert answer["Location"] == f"/requests/{request.pk}"
    assert "Solved otherwise" in page_of(alice, request)


def test_a_stale_request_shows_old_and_new_once_it_is_planned_again(scene: Scene, alice: Client) -> None:
    request = request_in(State.STALE, scene.cast, scene.kafka)
    assert "Plan is out of date" in page_of(alice, request)
    assert alice.post(f"/requests/{request.pk}/replan").status_code == 302
    factories.plan(request, scene.kafka)
    html = page_of(alice, request)
    assert "What changed since the plan before" in html
    part = html[html.index("What changed since the plan before") : html.index('id="plan"')]
    assert re.search(r"hello<span>-0", part)
    assert not re.search(r"hello<span>-1", part), "partitions on which both plans agree are not in it"


def test_an_applied_request_shows_results_and_how_the_group_reads_on(scene: Scene, alice: Client) -> None:
    request = request_in(State.APPLIED, scene.cast, scene.kafka)
    assert "not measured since the reset" in page_of(alice, request)
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    html = page_of(alice, request)
    assert "3 of 3 partitions written and read back" in html
    assert re.search(r"Lag on the plan’s partitions: <b>9</b>", html)
    assert "data-live-every" in html, "it is followed while the group catches up"
    ends = {TopicPartition("hello", number): Committed(Offset(3)) for number in range(3)}
    scene.kafka.set_committed(GROUP, ends)
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    html = page_of(alice, request)
    assert "Caught up: nothing is left to read." in html
    assert "data-live-every" not in html


def test_a_part_that_failed_says_why_in_a_sentence(scene: Scene, alice: Client) -> None:
    html = page_of(alice, request_in(State.PARTLY_APPLIED, scene.cast, scene.kafka))
    assert "2 of 3 partitions written and read back" in html
    assert "The console has no right to write here" in html


def test_the_live_answer_is_empty_until_something_changes(scene: Scene, alice: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    seen = re.search(r"/live\?seen=([0-9a-f]+)", page_of(alice, request))
    assert seen is not None
    address = f"/requests/{request.pk}/live"
    query = {"seen": seen[1], "digest": request.plan_digest}
    assert alice.get(address, query).status_code == 204
    actions.comment(request=request, by=scene.cast.bob, text="A word")
    html = alice.get(address, query).content.decode()
    assert 'id="main-part"' in html
    assert "A word" in html
    assert 'id="plan"' not in html, "the plan is the same: its page and search stay as they are"


def test_first_paint_and_refresh_are_drawn_alike(scene: Scene, alice: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    first, later = page_of(alice, request), alice.get(f"/requests/{request.pk}/live").content.decode()
    part = re.compile(r'<div id="main-part".*?<p class="reason">', re.DOTALL)
    assert part.search(first)[0] == part.search(later)[0]  # type: ignore[index]  # both are there


def test_the_plan_downloads_as_kafkas_tool_reads_it(scene: Scene, alice: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    answer = alice.get(f"/requests/{request.pk}/plan.csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer.content.decode().split() == ["hello,0,0", "hello,1,0", "hello,2,0"]


def test_the_same_command_is_shown(scene: Scene, alice: Client) -> None:
    html = page_of(alice, request_in(State.PLANNED, scene.cast, scene.kafka))
    assert "--reset-offsets --to-earliest --dry-run" in html


def test_what_people_typed_is_escaped(scene: Scene, alice: Client) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka, reason="<script>alert(1)</script>", ticket="<i>x</i>")
    html = page_of(alice, request)
    assert "<script>alert" not in html
    assert "<i>x</i>" not in html


def test_a_refused_plan_offers_no_signature(scene: Scene, alice: Client) -> None:
    change = make_change(strategy={"kind": "to_offset", "offset": 99}, rules={"out_of_range": "refuse"})
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    html = page_of(alice, request)
    assert "No reset can be made of this plan" in html
    assert "Approve this plan" not in html
    assert "outside the log" in html
