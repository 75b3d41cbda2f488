"""Lists in pages, and cursors that nobody can make up."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.core import signing

from kafkaconsole.api import paging
from tests.api.calling import Api
from tests.records.scene import Scene, make_request


def test_pages_hold_every_request_once_though_new_ones_come(scene: Scene, api: Callable[..., Api]) -> None:
    made = [make_request(scene, None, group=f"billing-{number}").pk for number in range(5)]
    caller = api(scene.alice)
    first = caller.get("/requests?limit=2").json
    make_request(scene, None, group="billing-new")
    found = [one["id"] for one in first["items"]]
    following = first["next"]
    while following:
        page = caller.get(f"/requests?limit=2&cursor={quote(following)}").json
        found += [one["id"] for one in page["items"]]
        following = page["next"]
    assert found == sorted(made, reverse=True)
    assert first["as_of"].endswith("Z")


def test_the_last_page_that_is_full_has_no_next(scene: Scene, api: Callable[..., Api]) -> None:
    for number in range(2):
        make_request(scene, None, group=f"billing-{number}")
    assert api(scene.alice).get("/requests?limit=2").json["next"] is None


@pytest.mark.parametrize("cursor", ["", "1", "x" * 500, "a:b:c"])
def test_a_made_up_cursor_is_422(scene: Scene, api: Callable[..., Api], cursor: str) -> None:
    answer = api(scene.alice).get(f"/requests?cursor={quote(cursor)}")
    assert (answer.status, answer.code) == (422, "api.bad_cursor")


def test_a_signed_cursor_of_another_form_or_place_is_422(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    for told in (["key", 1, "another list"], {"id": 1}, ["key", 1]):
        cursor = signing.dumps(told, salt=paging.SALT)
        assert caller.get(f"/requests?cursor={quote(cursor)}").code == "api.bad_cursor"
    other = signing.dumps(["key", 1, "x"], salt="another salt")
    assert caller.get(f"/requests?cursor={quote(other)}").code == "api.bad_cursor"


def test_a_cursor_is_good_for_its_own_filters_only(scene: Scene, api: Callable[..., Api]) -> None:
    for number in range(3):
        make_request(scene, None, group=f"billing-{number}")
    caller = api(scene.alice)
    cursor = quote(caller.get("/requests?limit=1&state=planning").json["next"])
    assert caller.get(f"/requests?limit=2&state=planning&cursor={cursor}").status == 200
    assert caller.get(f"/requests?limit=1&state=failed&cursor={cursor}").code == "api.bad_cursor"
    assert caller.get(f"/tokens?cursor={cursor}").code == "api.bad_cursor"
