"""What comes in between: a consumer that starts too early, a cluster that goes away, names that are mistyped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tools
from tests.journeys.browsing import Visitor
from tests.journeys.scenes import HELLO, Scene
from tests.journeys.stack import Console

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]
# A stopped broker that comes back has to let its old registration expire first, and tries come later each time.
BACK_MS = 90_000


def _asked(visitor: Visitor, scene: Scene) -> int:
    visitor.name_group(scene.group)
    visitor.choose("to_earliest", {})
    return visitor.ask("Read again, the parser was wrong")


def test_consumer_that_joined_after_the_approval_is_named_and_nothing_is_written(
    mortal: Console, hello: Scene, visit: Visit
) -> None:
    alice, bob = visit("alice"), visit("bob")
    request = _asked(alice, hello)
    mortal.kill_worker()
    bob.open_from_inbox(request)
    bob.approve()
    with GroupMember(hello.kafka, hello.group, topics=[hello.topic], client_id="too-early-7"):
        mortal.start_process("worker")
        bob.wait_for_state("waiting", limit_ms=BACK_MS)
        assert "too-early-7" in bob.problem()
        assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 3}

    bob.wait_for_state("applied", limit_ms=BACK_MS)
    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 0}
    assert hello.read(len(HELLO)) == list(HELLO)


def test_mistyped_group_is_answered_with_the_near_names(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    typo = hello.group[:-3] + hello.group[-2:]
    alice.console.wait_for_sweep(hello.group)

    alice.name_group(typo)
    expect(alice.page.locator("#scope code", has_text=hello.group)).to_be_visible()
    alice.choose("to_earliest", {})
    with alice.form_drawn_again():
        alice.page.locator("#do-preview").click()
    said = alice.page.locator("#preview .notice.bad")
    expect(said).to_be_visible()
    assert typo in said.inner_text()
    assert hello.group in said.inner_text()
    assert alice.page.locator("#id_group").input_value() == typo


def test_mistyped_topic_is_answered_with_the_near_names(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    typo = hello.topic[:-3] + hello.topic[-2:]
    alice.name_group(hello.group)
    alice.page.get_by_label("Topics and partitions that I choose").check()
    alice.page.locator("[name=typed_topic]").first.fill(typo)
    alice.choose("to_earliest", {})
    with alice.form_drawn_again():
        alice.page.locator("#do-preview").click()

    said = alice.page.locator("#preview .notice.bad")
    expect(said).to_be_visible()
    assert typo in said.inner_text()
    assert hello.topic in said.inner_text()
    assert alice.page.locator("[name=typed_topic]").first.input_value() == typo


def test_what_is_typed_while_the_page_looks_up_is_kept(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    alice.console.wait_for_sweep(hello.group)
    alice.page.goto("/requests/new")
    held: list[Route] = []
    alice.page.route("**/requests/new", lambda route: held.append(route), times=1)
    alice.page.locator("#id_group").fill("billing-old")
    with alice.page.expect_request("**/requests/new"):
        alice.page.locator("#id_group").press("Tab")
    alice.page.locator("#id_group").fill(hello.group)
    alice.page.locator("#id_reason").fill("Typed on")
    with alice.form_drawn_again():
        held[0].continue_()

    expect(alice.page.locator("#id_group")).to_have_value(hello.group)
    expect(alice.page.locator("#id_reason")).to_have_value("Typed on")
    expect(alice.page.locator("#scope")).to_contain_text(hello.topic)


TOO_MUCH = """form => {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "too_much" });
  field.value = "x".repeat(13 * 1024 * 1024);
  form.append(field);
}"""


def test_form_that_is_too_large_is_told_and_keeps_what_was_typed(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    alice.name_group(hello.group)
    alice.choose("to_earliest", {})
    alice.page.locator("#id_reason").fill("From the backup's list")
    alice.page.locator("[data-reset-form]").evaluate(TOO_MUCH)  # a text field of this size keeps a browser busy
    with alice.watch.expecting(413):
        alice.page.locator("#do-preview").click()
        expect(alice.page.locator("#said")).to_contain_text("a form may hold 12.0 MB", timeout=BACK_MS)
    assert "What you typed still stands" in alice.page.locator("#said").inner_text()
    assert alice.page.locator("#id_reason").input_value() == "From the backup's list"
    assert alice.page.locator("#id_group").input_value() == hello.group

    alice.page.locator("[name=too_much]").evaluate("field => field.remove()")
    assert [row.target for row in alice.show_plan()] == [0]
    assert alice.page.locator("#said").inner_text() == ""


BAD = {
    "to_offset": ({"offset": "-4"}, "offset"),
    "shift_by": ({"direction": "forward", "by": ""}, "by"),
    "by_duration": ({"days": "1", "hours": "-2", "minutes": "5"}, "hours"),
    "to_datetime": ({"datetime": "31.12.2026", "timezone": "Asia/Seoul"}, "datetime"),
    "from_file": ({"csv": "0,1\n0,2\n", "file_topic": "hello"}, "csv"),
    "copy_group": ({"from_group": ""}, "from_group"),
}


@pytest.mark.parametrize("kind", BAD)
def test_form_error_keeps_what_was_typed(kind: str, hello: Scene, visit: Visit) -> None:
    fields, wrong = BAD[kind]
    alice = visit("alice")
    alice.name_group(hello.group)
    alice.choose(kind, fields)
    alice.page.locator("#id_reason").fill("Read again,\nplease")
    alice.page.locator("#id_ticket").fill("INC-1")
    with alice.watch.expecting(422), alice.form_drawn_again():
        alice.page.locator("#do-request").click()

    expect(alice.page.locator(f"#field-{wrong} .errors")).to_be_visible()
    assert alice.page.locator("#id_group").input_value() == hello.group
    assert alice.page.locator(f"input[name=kind][value={kind}]").is_checked()
    for name, value in fields.items():
        assert alice.page.locator(f"[name={name}]").input_value() == value
    assert alice.page.locator("#id_reason").input_value() == "Read again,\nplease"
    assert alice.page.locator("#id_ticket").input_value() == "INC-1"


def test_cluster_that_goes_away_is_told_and_the_request_goes_on_when_it_is_back(
    mortal: Console, hello: Scene, visit: Visit
) -> None:
    alice, bob = visit("alice"), visit("bob")
    request = _asked(alice, hello)
    worker = mortal.pid_of("worker")
    mortal.kafka.kill_node(1)
    bob.open_from_inbox(request)
    bob.approve()
    expect(bob.page.locator("#main-part .notice").first).to_be_visible(timeout=BACK_MS)
    assert "Nothing listens at the address" in bob.problem()
    assert bob.page.locator("#head [data-state=approved], #head [data-state=waiting]").is_visible()

    mortal.kafka.start_node(1)
    bob.wait_for_state("applied", limit_ms=BACK_MS)
    assert mortal.pid_of("worker") == worker, "the worker lives through it"
    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 0}
