"""Naming people in a comment."""

from __future__ import annotations

import pytest
from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.resets import actions
from kafkaconsole.resets.mentions import MOST, mentioned_in
from kafkaconsole.resets.refusals import BadRequest
from tests import factories
from tests.scene import Scene


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("@bob please look", ("bob",)),
        ("Ask @bob.", ("bob",)),
        ("(@amir, @bob): who?", ("amir", "bob")),
        ("@bob and again @bob", ("bob",)),
        ("write to someone@bob or alice.@bob", ()),
        ("bob alone is nobody named", ()),
    ],
)
def test_a_name_after_an_at_sign_means_that_person(scene: Scene, text: str, people: tuple[str, ...]) -> None:
    found = mentioned_in(text, factories.ask(scene.cast.alice))
    assert (found.people, found.unknown) == (people, ())


@pytest.mark.parametrize("name", ["dave", "nobody-here"])
def test_a_stranger_to_the_request_is_told_like_a_name_that_is_nobodys(scene: Scene, name: str) -> None:
    found = mentioned_in(f"What do @{name} and @bob say?", factories.ask(scene.cast.alice))
    assert (found.people, found.unknown) == (("bob",), (name,))


def test_whoever_left_is_not_meant(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    type(scene.cast.bob).objects.filter(pk=scene.cast.bob.pk).update(is_active=False)
    assert mentioned_in("@bob?", request).unknown == ("bob",)


def test_the_record_of_a_comment_says_whom_it_names(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    actions.comment(request=request, by=scene.cast.alice, text="@bob, @dave: tonight?")
    facts = AuditEvent.objects.get(verb="reset.commented").facts
    assert facts == {"comment": request.comments.get().pk, "mentions": ["bob"]}


def test_a_comment_that_names_half_the_company_is_refused_and_not_kept(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    with pytest.raises(BadRequest):
        actions.comment(request=request, by=scene.cast.alice, text=" ".join(f"@p{n}" for n in range(MOST + 1)))
    assert not request.comments.exists()


def test_the_page_says_which_names_are_nobody_who_may_see_it(scene: Scene, client: Client) -> None:
    request = factories.ask(scene.cast.alice)
    client.force_login(scene.cast.alice)
    page = client.post(f"/requests/{request.pk}/comment", {"text": "@bob @dave: look"}, follow=True)
    assert "is called @dave:" in page.content.decode()
    assert request.comments.get().text == "@bob @dave: look"
