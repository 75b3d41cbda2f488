"""The same key with the same body gives the first answer again; two at once are carried out once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from kafkaconsole.accounts.models import ApiToken
from kafkaconsole.api import idempotency
from kafkaconsole.api.models import IdempotencyRecord
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.resets.models import Comment, ResetRequest
from tests.api.calling import Answer, Api
from tests.records.scene import Scene, change_json

REQUEST = {**change_json(), "reason": "Read again"}


def test_a_repeated_call_gets_the_first_answer_and_does_nothing(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    first = caller.post("/requests", REQUEST, Idempotency_Key="k-1")
    again = caller.post("/requests", REQUEST, Idempotency_Key="k-1")
    assert (again.status, again.text) == (first.status, first.text) == (201, first.text)
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first.headers
    assert ResetRequest.objects.count() == 1


def test_without_a_key_each_call_counts(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    assert caller.post("/requests", REQUEST).json["id"] != caller.post("/requests", REQUEST).json["id"]


def test_the_key_with_another_body_or_call_is_409(scene: Scene, api: Callable[..., Api], planned: ResetRequest) -> None:
    caller = api(scene.alice)
    caller.post("/requests", REQUEST, Idempotency_Key="k-1")
    for path, body in (
        ("/requests", {**REQUEST, "reason": "Other"}),
        ("/previews", REQUEST),
        (f"/requests/{planned.pk}/comment", {"text": "Hello"}),
    ):
        if path == "/previews":
            body = change_json()
        answer = caller.post(path, body, Idempotency_Key="k-1")
        assert (answer.status, answer.code) == (409, "api.idempotency_key_reused")
    assert ResetRequest.objects.count() == 2 and not Comment.objects.exists()


def test_keys_of_two_people_do_not_meet(scene: Scene, api: Callable[..., Api]) -> None:
    api(scene.alice).post("/requests", REQUEST, Idempotency_Key="k-1")
    assert "Idempotency-Replayed" not in api(scene.amir).post("/requests", REQUEST, Idempotency_Key="k-1").headers
    assert ResetRequest.objects.count() == 2


def test_a_refusal_is_not_kept_for_it_did_nothing(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    body = {"title": "Other"}
    assert caller.call("PATCH", "/clusters/later", body, Idempotency_Key="k-1").status == 404
    Cluster.objects.update(name="later")
    assert caller.call("PATCH", "/clusters/later", body, Idempotency_Key="k-1").status == 200


@pytest.mark.parametrize("key", ["", "with space", "é", "x" * 201])
def test_a_key_of_another_form_is_422(scene: Scene, api: Callable[..., Api], key: str) -> None:
    answer = api(scene.alice).post("/requests", REQUEST, Idempotency_Key=key)
    assert (answer.status, answer.code) == (422, "api.bad_idempotency_key")


def test_an_empty_answer_is_given_again(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    for _ in range(2):
        answer = caller.call("DELETE", "/clusters/demo", Idempotency_Key="k-1")
        assert (answer.status, answer.text) == (204, "")


def test_the_text_of_a_token_is_never_kept(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    ends = (timezone.now() + timedelta(days=1)).isoformat().replace("+00:00", "Z")
    body = {"name": "script", "scopes": ["read"], "expires_at": ends}
    made = caller.post("/tokens", body, Idempotency_Key="k-1").json
    again = caller.post("/tokens", body, Idempotency_Key="k-1").json
    assert made["token"].startswith("kc_") and again == {**made, "token": None}
    assert made["token"] not in str(list(IdempotencyRecord.objects.values()))
    assert ApiToken.objects.filter(name="script").count() == 1


def test_old_answers_are_dropped_and_then_the_key_is_free(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    caller.post("/requests", REQUEST, Idempotency_Key="k-1")
    assert idempotency.tidy() == 0
    IdempotencyRecord.objects.update(created_at=timezone.now() - idempotency.KEPT - timedelta(seconds=1))
    assert idempotency.tidy() == 1
    assert "Idempotency-Replayed" not in caller.post("/requests", REQUEST, Idempotency_Key="k-1").headers


@pytest.mark.django_db(transaction=True)
def test_calls_at_the_same_moment_are_carried_out_once(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    start = threading.Barrier(6)
    answers: list[Answer] = []

    def call() -> None:
        start.wait()
        try:
            answers.append(Api(caller.token).post("/requests", REQUEST, Idempotency_Key="race"))
        finally:
            connection.close()

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.status for one in answers] == [201] * 6, [one.text for one in answers]
    assert len({one.text for one in answers}) == 1
    assert ResetRequest.objects.count() == 1


def test_a_key_whose_time_is_over_can_be_used_before_anyone_tidies(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    first = caller.post("/requests", REQUEST, Idempotency_Key="k-1").json["id"]
    IdempotencyRecord.objects.update(created_at=timezone.now() - idempotency.KEPT - timedelta(seconds=1))
    again = caller.post("/requests", REQUEST, Idempotency_Key="k-1")
    assert again.status == 201 and again.json["id"] != first
    assert caller.post("/requests", REQUEST, Idempotency_Key="k-1").json["id"] == again.json["id"]
