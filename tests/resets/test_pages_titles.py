"""A request in a sentence."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from kafkaconsole.resets.models import Plan
from kafkaconsole.resets.pages.words import STRATEGIES, title_of
from kafkaconsole.resets.strategies import STRATEGIES as KINDS


def title(**strategy: object) -> str:
    return str(title_of({"group": "billing", "strategy": strategy}))


@pytest.mark.parametrize(
    ("strategy", "text"),
    [
        ({"kind": "to_earliest"}, "Set billing to the beginning of the log"),
        ({"kind": "to_latest"}, "Take billing to the end of the log"),
        ({"kind": "to_current"}, "Commit billing again where it stands"),
        ({"kind": "to_offset", "offset": 4127999}, "Set billing to offset 4,127,999"),
        ({"kind": "shift_by", "by": -1000}, "Take billing back by 1,000 offsets"),
        ({"kind": "shift_by", "by": -1}, "Take billing back by 1 offset"),
        ({"kind": "shift_by", "by": 5}, "Take billing forward by 5 offsets"),
        ({"kind": "by_duration", "duration": "PT1H30M"}, "Set billing to 1 h 30 min ago"),
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
        assert text == "Set billing to today 09:00 KST"
        text = title(kind="restore", as_of="2026-12-01T00:00:00Z")
        assert text == "Put billing back to where it stood at today 09:00 KST"
        text = title(kind="to_datetime", datetime="2026-11-30 09:00", timezone="Europe/Berlin")
        assert text == "Set billing to 30 Nov, 17:00 KST"


@pytest.mark.parametrize("name", ["{group}", "{value}", "a {group} b", "{", "", "%(n)s", "결제"])
def test_a_group_of_any_name_stays_in_one_piece(name: str) -> None:
    found = title_of({"group": name, "strategy": {"kind": "copy_group", "from_group": "{group}"}})
    assert found.group == name
    assert found.before == "Set "


def test_the_form_offers_every_strategy_there_is() -> None:
    offered = {kind for kind, _label, _help in STRATEGIES}
    assert offered == set(KINDS)


MOMENT = {"kind": "to_datetime", "datetime": "2026-12-01T08:20:00Z"}


@pytest.mark.parametrize(
    ("strategy", "back", "ahead", "neutral"),
    [
        (
            MOMENT,
            "Read billing again from today 08:20 UTC",
            "Skip billing ahead to today 08:20 UTC",
            "Set billing to today 08:20 UTC",
        ),
        (
            {"kind": "by_duration", "duration": "PT90M"},
            "Read the last 1 h 30 min of billing again",
            "Skip billing ahead to 1 h 30 min ago",
            "Set billing to 1 h 30 min ago",
        ),
        (
            {"kind": "to_earliest"},
            "Read billing again from the beginning",
            "Set billing to the beginning of the log",
            "Set billing to the beginning of the log",
        ),
    ],
)
def test_a_title_goes_the_way_that_the_plan_goes(
    strategy: dict[str, object], back: str, ahead: str, neutral: str
) -> None:
    with time_machine.travel(datetime(2026, 12, 1, 9, tzinfo=UTC)):
        assert planned(strategy, replayed=5) == back
        assert planned(strategy, skipped=5) == ahead
        assert planned(strategy, replayed=5, skipped=5) == neutral
        assert planned(strategy) == neutral  # only partitions without a commit get one
        assert planned(strategy, replayed=5, refused=True) == neutral
        assert planned(strategy, changed=0) == f"{neutral}, which changes nothing"


def test_what_moves_nothing_by_nature_is_not_told_to_change_nothing() -> None:
    assert planned({"kind": "to_current"}, changed=0) == "Commit billing again where it stands"


def planned(
    strategy: dict[str, object], *, replayed: int = 0, skipped: int = 0, changed: int = 1, refused: bool = False
) -> str:
    plan = Plan(replayed=replayed, skipped=skipped, changed_count=changed, refused=refused)
    return str(title_of({"group": "billing", "strategy": strategy}, plan))
