"""The button that asks for a reset: when it cannot be pressed, why, and that a plan computed once is not lost."""

from __future__ import annotations

from django.test import Client

from kafkaconsole.resets.models import Preview
from tests.resets.test_pages_asking import FORM, NEW, alice, planned, posted
from tests.scene import Scene

__all__ = ["alice"]


def button(html: str) -> str:
    """The button that asks, with what stands around it."""
    start = html.index('id="new-ask"')
    return html[start : html.index("</div>", start)]


def test_a_plan_that_refuses_cannot_be_asked_for(alice: Client, scene: Scene) -> None:
    html = planned(alice, scene, kind="to_offset", offset="999999", out_of_range="refuse")
    assert "disabled" in button(html)
    assert "The plan refuses" in button(html)


def test_a_plan_that_changes_nothing_says_so_and_can_be_asked_for(alice: Client, scene: Scene) -> None:
    html = planned(alice, scene, kind="to_current")
    assert "Nothing would change" in html
    assert "disabled" not in button(html)


def test_a_plan_that_can_be_asked_for_enables_the_button(alice: Client, scene: Scene) -> None:
    assert "disabled" not in button(planned(alice, scene))


def test_a_form_with_errors_keeps_the_plan_that_was_computed(alice: Client, scene: Scene) -> None:
    planned(alice, scene)
    made = Preview.objects.latest("created_at")
    html = posted(alice, 422, do="request", reason="", preview=str(made.pk))
    assert "9 offsets again" in html and "Say why." in html
    assert "data-outdated hidden" in html
    html = posted(alice, 422, do="request", reason="", preview=str(made.pk), kind="to_latest")
    assert "9 offsets again" in html
    assert "data-outdated hidden" not in html, "it says that the form was changed since"
    alice.force_login(scene.cast.amir)
    assert "9 offsets again" not in posted(alice, 422, do="request", reason="", preview=str(made.pk))
    posted(alice, 422, do="request", reason="", preview="no id")


def test_who_can_ask_nowhere_finds_the_form_locked(alice: Client, scene: Scene) -> None:
    assert '<fieldset class="stacked">' in alice.get(NEW).content.decode()
    alice.force_login(scene.cast.eve)
    for page in (NEW, "/", "/requests"):
        html = alice.get(page).content.decode()
        assert "Auditors read everything and change nothing." in html
        assert f'href="{NEW}"' not in html[html.index("<h1") :]
    assert '<fieldset class="stacked" disabled>' in alice.get(NEW).content.decode()
    alice.force_login(scene.cast.carol)
    assert "You are in no team" in alice.get(NEW).content.decode()


def test_an_empty_file_is_asked_for_in_a_sentence(alice: Client) -> None:
    html = posted(alice, 422, kind="from_file", csv=" \n")
    assert "Paste lines or choose a file." in html
    assert "Found" not in html[html.index('id="field-csv"') :]


def test_every_fault_of_a_file_is_listed_though_its_topic_is_missing(alice: Client) -> None:
    html = posted(alice, 422, kind="from_file", csv="0,1\n1,x\n2,y\n")
    assert html.count("The lines name no topic. Name it here.") == 1
    assert "Line 2:" in html and "Line 3:" in html and "Line 1:" not in html
    assert "strategy.topic" not in html


def test_the_only_topic_of_a_group_stands_in_the_form_of_a_file(alice: Client) -> None:
    html = alice.get(NEW, {"cluster": "demo", "group": FORM["group"]}).content.decode()
    topics = html.count('name="topic"')
    assert ('name="file_topic" value="' in html) == (topics == 1)
