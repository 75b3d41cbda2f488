"""The addresses of pages: what names a row is plain digits, and a slash too many leads to the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django.fixtures import Settings

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


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("/requests/", "/requests"),
        ("/requests//", "/requests"),
        ("/requests/?state=planned", "/requests?state=planned"),
        ("/groups/demo/billing-orders/", "/groups/demo/billing-orders"),
        ("/groups/demo/%ED%95%9C%EA%B8%80/", "/groups/demo/%ED%95%9C%EA%B8%80"),
        ("/inbox/", "/inbox"),
        ("/requests/1/", "/requests/1"),
    ],
)
def test_a_slash_too_many_leads_to_the_page(typed: str, there: str, carol: Client) -> None:
    for answer in (carol.get(typed), carol.head(typed)):
        assert (answer.status_code, answer.headers["Location"]) == (301, there)


@pytest.mark.parametrize(
    "typed", ["/nothing/", "//evil.example/", "///", "//requests/", "/requests/1.0/", "/api/v1/requests/"]
)
def test_a_slash_too_many_leads_nowhere_else(typed: str, carol: Client) -> None:
    assert carol.get("/", PATH_INFO=typed).status_code == 404


def test_a_form_is_not_led_on(carol: Client) -> None:
    assert carol.post("/requests/new/").status_code == 404


@pytest.mark.parametrize("address", ["/", "/requests", "/groups", "/profile", "/nothing", "/requests/new", "/healthz"])
def test_no_page_is_kept_by_a_browser(address: str, carol: Client) -> None:
    kept = carol.get(address).headers["Cache-Control"]
    assert "no-store" in kept
    assert "private" in kept


def test_no_refused_form_and_no_answer_of_the_api_is_kept(carol: Client) -> None:
    for answer in (carol.post("/requests/1/approve"), carol.get("/api/v1/me"), carol.get("/requests/1/approve")):
        assert "no-store" in answer.headers["Cache-Control"]


def test_a_page_that_broke_is_not_kept_and_names_its_icon(carol: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> object:
        raise RuntimeError("inside")

    monkeypatch.setattr("kafkaconsole.overview.views.home.render", broken)
    answer = carol.get("/")
    assert answer.status_code == 500
    assert "no-store" in answer.headers["Cache-Control"]
    assert '<link rel="icon" href="/static/img/mark.svg"' in answer.content.decode()


def test_static_files_are_kept(settings: Settings, db: None) -> None:
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    answer = Client().get("/static/img/mark.svg")
    assert answer.status_code == 200
    assert "no-store" not in answer.headers["Cache-Control"]
    assert "max-age" in answer.headers["Cache-Control"]


def test_a_browser_that_asks_for_an_icon_by_itself_finds_it(client: Client) -> None:
    assert client.get("/favicon.ico").headers["Location"] == "/static/img/mark.svg"


@pytest.mark.parametrize(
    "address",
    [
        "/requests",
        "/inbox",
        "/requests/new",
        "/groups",
        "/ownership",
        "/clusters",
        "/clusters/demo/",
        "/clusters/new",
        "/teams",
        "/audit",
        "/profile",
        "/people",
        "/search",
        "/history",
        "/api/v1/docs",
        "/",
        "/healthz",
    ],
)
def test_a_page_answers_head_as_it_answers_get(address: str, carol: Client) -> None:
    assert carol.get(address).status_code == carol.head(address).status_code == 200
