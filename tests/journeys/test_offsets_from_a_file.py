"""Story 2 in the browser: each partition its own offset, from lines that are pasted or uploaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import expect

from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tools
from tests.journeys.browsing import PlanRow, Visitor, table_numbers
from tests.journeys.scenes import Scene, read_and_stopped
from tests.journeys.stack import Console

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]
COUNTS = {0: 6, 1: 5, 2: 4}
TARGETS = {0: 2, 1: 5, 2: 0}
# A sweep each 5 s measures the group; two of them, and a busy machine.
SWEEPS_MS = 40_000


@pytest.fixture
def uneven(console: Console, topic_name: str, group: str) -> Scene:
    """Three partitions with 6, 5 and 4 records, all read; the group has stopped."""
    records = {partition: [f"p{partition}-{n}" for n in range(count)] for partition, count in COUNTS.items()}
    return read_and_stopped(console.kafka, topic_name, group, records)


def _lines(targets: Mapping[int, int | str]) -> str:
    return "".join(f"{partition},{offset}\n" for partition, offset in targets.items())


def _expected(scene: Scene) -> list[PlanRow]:
    return [
        PlanRow(f"{scene.topic}-{partition}", COUNTS[partition], target, COUNTS[partition] - target, 0)
        for partition, target in TARGETS.items()
    ]


def test_pasted_lines_with_a_bad_one_named_then_mended_are_applied_and_followed(uneven: Scene, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    alice.name_group(uneven.group)
    alice.choose("from_file", {"csv": _lines(TARGETS | {1: "five"}), "file_topic": uneven.topic})
    with alice.watch.expecting(422), alice.form_drawn_again():
        alice.page.locator("#do-preview").click()
    said = alice.page.locator("#field-csv .errors").inner_text()
    assert "Line 2" in said
    assert "five" in said
    assert alice.page.locator("[name=csv]").input_value() == _lines(TARGETS | {1: "five"})

    alice.choose("from_file", {"csv": _lines(TARGETS)})
    assert alice.show_plan() == _expected(uneven)
    request = alice.ask("Start each partition where the backup ends")
    bob.open_from_inbox(request)
    assert bob.plan() == _expected(uneven)
    bob.approve()
    bob.wait_for_state("applied")
    kafka_says = Tools(uneven.kafka).described_offsets(uneven.group)
    assert kafka_says == {(uneven.topic, partition): target for partition, target in TARGETS.items()}

    _expect_progress(bob, uneven, behind={0: 4, 2: 4})
    with GroupMember(uneven.kafka, uneven.group, topics=[uneven.topic]) as member:
        read = {(one.partition, one.value) for one in member.read(8)}
        assert read == {(0, b"p0-%d" % n) for n in range(2, 6)} | {(2, b"p2-%d" % n) for n in range(4)}
    expect(bob.page.get_by_text("Caught up: nothing is left to read.")).to_be_visible(timeout=SWEEPS_MS)


def _expect_progress(bob: Visitor, scene: Scene, *, behind: Mapping[int, int]) -> None:
    """The open page comes to show, by itself, where each partition stands, ends, and how much is left."""
    table = bob.page.get_by_role("region", name="Lag of each partition").locator("table")
    expect(table).to_be_visible(timeout=SWEEPS_MS)
    shown = table_numbers(table, ["Current", "End", "Lag"])
    for partition, lag in behind.items():
        end = COUNTS[partition]
        assert shown[f"{scene.topic}-{partition}"] == (end - lag, end, lag)


def test_uploaded_file_is_applied_line_by_line(uneven: Scene, visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "offsets.csv"
    file.write_text("".join(f"{uneven.topic},{partition},{offset}\r\n" for partition, offset in TARGETS.items()))
    alice, bob = visit("alice"), visit("bora")

    alice.name_group(uneven.group)
    alice.choose("from_file", {})
    alice.page.locator("[name=file]").set_input_files(file)
    assert alice.show_plan() == _expected(uneven)
    request = alice.ask("From the backup's own list")
    bob.open_from_inbox(request)
    bob.approve()
    bob.wait_for_state("applied")

    kafka_says = Tools(uneven.kafka).described_offsets(uneven.group)
    assert kafka_says == {(uneven.topic, partition): target for partition, target in TARGETS.items()}
