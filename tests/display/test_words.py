"""Numbers, instants, durations, states and refusals as pages word them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.http import HttpRequest
from django.template import Context, Template
from django.utils import timezone

from kafkaconsole.display import instants
from kafkaconsole.display.sentences import sentence
from kafkaconsole.display.states import LOOKS, look_of
from kafkaconsole.errors import NotAllowed
from kafkaconsole.kafka.values import GroupState
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import AttemptState, PreviewState, ResultState, State

NINE = datetime(2026, 12, 1, 0, 0, 0, 113_000, tzinfo=UTC)


def shown(template: str, **facts: object) -> str:
    return Template(template).render(Context(facts))


def test_an_absent_offset_is_a_word_and_zero_is_a_number() -> None:
    assert ">none<" in shown("{{ n|offset }}", n=None)
    assert ">not known<" in shown("{{ n|count }}", n=None)
    assert shown("{{ n|offset }} {{ m|count }}", n=0, m=4131204) == "0 4,131,204"


def test_an_instant_names_its_zone_and_keeps_utc_in_its_tooltip() -> None:
    with timezone.override(ZoneInfo("Asia/Seoul")):
        text = shown("{% instant at %}", at=NINE)
    assert ">1 Dec 2026, 09:00:00 KST<" in text
    assert 'title="2026-12-01T00:00:00.113Z"' in text


def test_a_zone_without_letters_reads_as_its_distance_from_utc() -> None:
    with timezone.override(ZoneInfo("America/Sao_Paulo")):
        assert instants.full(NINE).endswith("UTC-03")


def test_today_is_said_so_in_the_readers_zone() -> None:
    with time_machine.travel(datetime(2026, 12, 1, 3, tzinfo=UTC)), timezone.override(ZoneInfo("Asia/Seoul")):
        assert instants.short(NINE) == "today 09:00 KST"
        assert instants.clock(NINE) == "09:00:00.113"
        assert instants.short(NINE - timedelta(days=1)) == "30 Nov, 09:00 KST"
        assert instants.short(NINE - timedelta(days=400)) == "27 Oct 2025, 09:00 KST"


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(), "0 s"),
        (timedelta(milliseconds=250), "250 ms"),
        (timedelta(seconds=9), "9 s"),
        (timedelta(minutes=90), "1 h 30 min"),
        (timedelta(hours=1, seconds=5), "1 h"),
        (timedelta(days=2, hours=4, minutes=9), "2 d 4 h"),
        (-timedelta(seconds=3), "−3 s"),
    ],
)
def test_durations_show_their_two_largest_units(length: timedelta, text: str) -> None:
    assert instants.duration(length) == text


def test_ages_count_back_and_forward() -> None:
    with time_machine.travel(NINE, tick=False):
        assert instants.ago(NINE - timedelta(minutes=12, seconds=40)) == "12 min ago"
        assert instants.ago(NINE + timedelta(hours=2)) == "in 2 h"
        assert instants.ago(NINE) == "just now"


@pytest.mark.parametrize(
    ("kind", "states"),
    [
        ("request", State),
        ("preview", PreviewState),
        ("attempt", AttemptState),
        ("result", ResultState),
        ("group", GroupState),
        ("line", Action),
    ],
)
def test_every_state_has_a_word_a_tone_and_an_icon(kind: str, states: type[State]) -> None:
    for state in states:
        assert state.value in LOOKS[kind], f"{kind} {state.value} has no look"
        look = LOOKS[kind][state.value]
        assert str(look.label)
        assert look.tone in {"wait", "busy", "ok", "bad", "quiet"}


def test_a_state_that_nobody_named_is_shown_by_its_name() -> None:
    assert look_of("request", "levitating").label == "levitating"


def test_every_icon_of_a_state_is_in_the_sprite() -> None:
    from kafkaconsole.settings import BASE_DIR

    known = set((BASE_DIR / "devtools" / "setup" / "icons.txt").read_text().split())
    used = {look.icon for looks in LOOKS.values() for look in looks.values()}
    assert used <= known


def test_a_refusal_is_told_by_its_apps_sentence() -> None:
    text = sentence("reset.group_missing", {"group": "billng", "near": ["billing"]})
    assert text.startswith("There is no group billng on this cluster. Names like it: billing.")


def test_a_denial_is_its_reason_and_an_unknown_code_is_not_silent() -> None:
    assert shown("{% sentence problem %}", problem=NotAllowed(reason="Only Bob can.")) == "Only Bob can."
    assert "reset.never_heard_of" in shown(
        "{% sentence problem %}", problem={"code": "reset.never_heard_of", "facts": {"offset": 7}}
    )


def test_data_is_escaped() -> None:
    assert "<b>" not in shown("{% state_tag state %}", state="<b>x</b>")
    assert "<b>" not in shown("{% sentence problem %}", problem=NotAllowed(reason="<b>x</b>"))


def test_a_digest_is_told_in_groups_of_four() -> None:
    assert shown("{{ d|short_digest }}", d="7f3a91c2e04d" + "0" * 52) == "7f3a 91c2 e04d"
    assert ">no plan<" in shown("{{ d|short_digest }}", d="")


@pytest.mark.parametrize(("cookie", "theme"), [("dark", "dark"), ("light", "light"), ("", ""), ('"><script>', "")])
def test_only_a_known_theme_reaches_the_page(cookie: str, theme: str) -> None:
    request = HttpRequest()
    request.COOKIES["theme"] = cookie
    assert shown("{% theme %}", request=request) == theme
