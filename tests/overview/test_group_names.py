"""Any name that Kafka takes has an address, and every address leads back to its name."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import pytest
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.overview.group_names import AnyGroupName
from tests.scene import Scene

ODD = ["a/b", "..", ".", "a/../b", "%2F", "100%", "a b", "groß-한국", "#1?x=2", "/lead", "trail/", "a\nb", "new", "<b>"]


@pytest.mark.parametrize("name", ODD)
def test_odd_name_has_a_page_of_its_own(name: str, scene: Scene, see: Callable[..., str]) -> None:
    now = timezone.now()
    ConsumerGroup.objects.create(
        cluster=scene.cluster, name=name, type="classic", state="Empty", first_seen_at=now, last_seen_at=now
    )
    html = see(scene.cast.alice, reverse("group", args=["demo", name]))
    assert 'id="group-head"' in html


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40))
def test_address_gives_the_name_back(name: str) -> None:
    converter = AnyGroupName()
    assert converter.to_python(converter.to_url(name)) == name


@pytest.mark.parametrize("name", ODD)
def test_address_has_no_segment_that_browsers_fold(name: str) -> None:
    path = unquote(urlsplit(reverse("group", args=["demo", name])).path)
    assert not {".", "..", ""} & set(path.split("/")[1:])
    assert resolve(path).kwargs == {"cluster": "demo", "group": name}


def test_plain_slashes_are_understood_too() -> None:
    assert resolve("/groups/demo/a/b").kwargs["group"] == "a/b"


def test_nul_has_no_page() -> None:
    with pytest.raises(Resolver404):
        resolve("/groups/demo/a\0b")


def test_ordinary_name_stays_readable() -> None:
    assert reverse("group", args=["demo", "billing-orders.v2"]) == "/groups/demo/billing-orders.v2"
