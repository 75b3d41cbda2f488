"""A request in a sentence."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from kafkaconsole.resets.pages.words import STRATEGIES, title_of
from kafkaconsole.resets.strategies import STRATEGIES as KINDS


def title(**strategy: object) -> str:
    return str(title_of({"group": "billing", "strategy": strategy}))


@pytest.mark.parametrize(
    ("strategy", "text"),
    [
        ({"kind": "to_earliest"}, "Read billing again from the beginning"),
        ({"kind": "to_latest"}, "Take billing to the end of the log"),
        ({"kind": "to_current"}, "Commit billing again where it stands"),
        ({"kind": "to_offset", "offset": 4127999}, "Set billing to offset 4,127,999"),
        ({"kind": "shift_by", "by": -1000}, "Take billing back by 1,000 offsets"),
        ({"kind": "shift_by", "by": 5}, "Take billing forward by 5 offsets"),
        ({"kind": "by_duration", "duration": "PT1H30M"}, "Read the last 1 h 30 min of billing again"),
        ({"kind": "from_file", "csv": "…"}, "Set billing to the offsets of a file"),
        ({"kind": "copy_group", "from_group": "other"}, "Set billing to where other stands"),
        ({"kind": "delete_offsets"}, "Delete the commits of billing"),
        ({"kind": "restore", "snapshot": 7}, "Put billing back to before attempt 7"),
        ({"kind": "something_new"}, "Change the offsets of billing"),
    ],
)
def test_each_strategy_reads_as_a_sentence(strategy: dict[str, object], text: str) -> None:
    assert title(**strategy) == text


def test_a_moment_is_told_in_the_readers_zone() -> None:
    with time_machine.travel(datetime(2026, 12, 1, 3, tzinfo=UTC)), timezone.override(ZoneInfo("Asia/Seoul")):
        text = title(kind="to_datetime", datetime="2026-12-01T00:00:00Z")
        assert text == "Read billing again from today 09:00 KST"
        text = title(kind="restore", as_of="2026-12-01T00:00:00Z")
        assert text == "Put billing back to where it stood at today 09:00 KST"
        text = title(kind="to_datetime", datetime="2026-11-30 09:00", timezone="Europe/Berlin")
        assert text == "Read billing again from 30 Nov, 17:00 KST"


@pytest.mark.parametrize("name", ["{group}", "{value}", "a {group} b", "{", "", "%(n)s", "결제"])
def test_a_group_of_any_name_stays_in_one_piece(name: str) -> None:
    found = title_of({"group": name, "strategy": {"kind": "copy_group", "from_group": "{group}"}})
    assert found.group == name
    assert found.before == "Set "


def test_the_form_offers_every_strategy_there_is() -> None:
    offered = {kind for kind, _label, _help in STRATEGIES}
    assert offered == set(KINDS)
