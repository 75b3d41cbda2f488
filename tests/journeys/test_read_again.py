"""Story 1 in the browser: Alice asks for a reset, Bob signs it, a worker carries it out, and the group reads again.

The witness is Kafka's own command-line tool, and the group's own consumer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from devtools.kafka.tools import Tools
from tests.journeys.browsing import PlanRow, Visitor
from tests.journeys.scenes import BETWEEN, HELLO, Scene

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]


@dataclass(frozen=True)
class Case:
    """A strategy as it is filled in, and what must come of it for a group that stands at 3 of 3."""

    kind: str
    target: int
    fields: dict[str, str] = field(default_factory=dict)


CASES = (
    Case("to_earliest", 0),
    Case("to_offset", 1, {"offset": "1"}),
    Case("shift_by", 1, {"direction": "back", "by": "2"}),
    Case("to_current", 3),
    Case("by_duration", 2, {"minutes": str(BETWEEN.seconds // 60 * 3 // 2)}),
    Case("to_datetime", 1),
    Case("to_latest", 3),
)


@pytest.mark.parametrize("case", CASES, ids=[case.kind for case in CASES])
def test_group_reads_what_the_signed_plan_said(case: Case, hello: Scene, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    expected = [PlanRow(f"{hello.topic}-0", 3, case.target, replayed=3 - case.target, skipped=0)]

    alice.name_group(hello.group)
    alice.choose(case.kind, case.fields or _moment_between(hello, case))
    assert alice.show_plan() == expected
    request = alice.ask("Read again, the parser was wrong")
    assert alice.plan() == expected

    bob.open_from_inbox(request)
    assert bob.plan() == expected
    bob.approve()
    bob.wait_for_state("applied")
    alice.wait_for_state("applied")
    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): case.target}

    hello.write("m4")
    reads = [*HELLO[case.target :], "m4"]
    assert hello.read(len(reads)) == reads


def _moment_between(hello: Scene, case: Case) -> dict[str, str]:
    """For to_datetime: half-way before the record that must be the first; nothing for the others."""
    if case.kind != "to_datetime":
        return {}
    moment = hello.written_at(case.target) - BETWEEN / 2
    return {"datetime": f"{moment:%Y-%m-%d %H:%M:%S}", "timezone": "UTC"}


def test_to_latest_skips_what_was_not_read_yet(hello: Scene, visit: Visit) -> None:
    hello.write("late-1", "late-2")
    alice, bob = visit("alice"), visit("bob")

    alice.name_group(hello.group)
    alice.choose("to_latest", {})
    assert alice.show_plan() == [PlanRow(f"{hello.topic}-0", 3, 5, replayed=0, skipped=2)]
    request = alice.ask("Only what comes from now on matters")
    bob.open_from_inbox(request)
    bob.approve()
    bob.wait_for_state("applied")

    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 5}
    hello.write("m4")
    assert hello.read(1) == ["m4"]


def test_requester_cannot_sign_and_outsider_cannot_look(hello: Scene, visit: Visit) -> None:
    alice, dave = visit("alice"), visit("dave")
    alice.name_group(hello.group)
    alice.choose("to_earliest", {})
    request = alice.ask("Read again")

    assert alice.page.get_by_role("button", name="Approve this plan").is_disabled()
    with dave.watch.expecting(404):
        dave.open_request(request)
        assert dave.page.locator("#plan").count() == 0

    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 3}
