"""The addresses of pages: what names a row is plain digits, and a slash too many leads to the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests.factories import request_in
from tests.scene import Scene

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"<int:\w+>")
NO_IDS = ("1.0", "1.", "+1", "-1", " 1", "1 ", "1_0", "0x1", "١", "１", "1e0")


def with_numbers(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The addresses that hold a row's number."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from with_numbers(one.url_patterns)
        elif NUMBER.search(str(one.pattern)) and "api/" not in str(one.pattern):
            yield "/" + str(one.pattern)


NUMBERED = sorted(set(with_numbers(get_resolver().url_patterns)))


@pytest.fixture
def planned(scene: Scene) -> ResetRequest:
    """Alice's."""
    return request_in(State.PLANNED, scene.cast, scene.kafka)


@pytest.fixture
def carol(scene: Scene, client: Client) -> Client:
    """Carol's browser; a failing page answers 500 and does not raise."""
    client.force_login(scene.cast.carol)
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("address", NUMBERED)
def test_what_is_no_plain_number_is_no_page(address: str, carol: Client, planned: ResetRequest) -> None:
    places = [NUMBER.sub(quote(written), address) for written in NO_IDS]
    found = {(place, verb(place).status_code) for place in places for verb in (carol.get, carol.post)}
    assert {one for one in found if one[1] != 404} == set()


@pytest.mark.parametrize("address", NUMBERED)
def test_a_number_that_no_row_has_is_not_found(address: str, carol: Client, scene: Scene) -> None:
    places = [NUMBER.sub(written, address) for written in ("0", "9" * 19, "9" * 60)]
    found = {(place, verb(place).status_code) for place in places for verb in (carol.get, carol.post)}
    assert {one for one in found if one[1] not in (404, 405)} == set()


@pytest.mark.parametrize("query", ["/requests/new?again={}", "/looks/new?request={}"])
def test_numbers_in_queries_are_plain_too(query: str, carol: Client, planned: ResetRequest) -> None:
    """Digits of other scripts name no request: they must not be read as one."""
    eastern = str(planned.pk).translate({ord("0") + n: 0x0660 + n for n in range(10)})
    answer = carol.get(query.format(eastern))
    assert "billing-orders" not in answer.content.decode()


def test_no_code_takes_digits_of_other_scripts_for_numbers() -> None:
    """`"١".isdecimal()` is true, and `int` reads it."""
    lines = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "kafkaconsole").rglob("*.py"))
        for line in path.read_text().splitlines()
        if re.search(r"\.is(decimal|digit|numeric)\(\)", line) and ".isascii()" not in line
    ]
    assert lines == []
