"""A group that an environment does not show to a person is nowhere: lists, search, counts, charts, pages, the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.timezone import now

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights as tables
from kafkaconsole.clusters import setting_rights
from kafkaconsole.clusters.models import Holder, Right
from kafkaconsole.groups import queries
from kafkaconsole.groups.models import ConsumerGroup
from tests.api.calling import Api
from tests.api.conftest import api  # noqa: F401  a fixture
from tests.factories import GROUP
from tests.scene import Scene


@pytest.fixture
def hidden(scene: Scene) -> Scene:
    """Billing's group and one that nobody owns; the environment shows groups to their team alone."""
    for name, team in ((GROUP, scene.cast.billing), ("unowned-orders", None)):
        ConsumerGroup.objects.create(
            cluster=scene.cluster, name=name, type="classic", state="Empty", team=team, lag=1, first_seen_at=now(),
            last_seen_at=now(),
        )  # fmt: skip
    environment = scene.cluster.environment
    wanted = {**tables.table_of(environment), (Holder.OUTSIDER, Right.SEE): False}
    seen = setting_rights.fingerprint(tables.table_of(environment))
    setting_rights.set_rights(by=scene.cast.carol, environment=environment, seen=seen, wanted=wanted)
    return scene


def shown_to(client: Client, user: User, address: str) -> str:
    client.force_login(user)
    return client.get(address).content.decode()


@pytest.mark.parametrize(
    "address",
    ["/groups", "/groups?cluster=demo", "/groups?search=orders", "/groups?team=billing", "/search?q=orders",
     "/requests/new?cluster=demo", "/history?cluster=demo", "/groups/demo/billing-ord", "/teams/billing/"],
)  # fmt: skip
def test_no_page_names_a_group_that_is_not_shown(hidden: Scene, client: Client, address: str) -> None:
    for name in (GROUP, "unowned-orders"):
        assert name not in shown_to(client, hidden.cast.dave, address)


@pytest.mark.parametrize("address", ["/groups", "/groups?search=orders", "/search?q=orders"])
def test_the_same_pages_name_it_to_its_team_and_to_those_who_see_everything(
    hidden: Scene, client: Client, address: str
) -> None:
    for user in (hidden.cast.alice, hidden.cast.carol, hidden.cast.eve):
        assert GROUP in shown_to(client, user, address)
    assert "unowned-orders" not in shown_to(client, hidden.cast.alice, address)


@pytest.mark.parametrize("part", ["", "?part=head", "?part=chart", "?tab=partitions", "/history.json"])
def test_its_own_addresses_are_404(hidden: Scene, client: Client, part: str) -> None:
    client.force_login(hidden.cast.dave)
    assert client.get(f"/groups/demo/{GROUP}{part}").status_code == 404


def test_counts_leave_it_out(hidden: Scene, client: Client) -> None:
    counted = {
        user.username: next(iter(_counts(client, user)))
        for user in (hidden.cast.dave, hidden.cast.alice, hidden.cast.eve)
    }
    assert counted == {"dave": 0, "alice": 1, "eve": 2}
    assert queries.groups_for(hidden.cast.dave).count() == 0
    assert "<b>1</b> group is watched" in shown_to(client, hidden.cast.alice, "/")


def _counts(client: Client, user: User) -> list[int]:
    client.force_login(user)
    return [row.groups_count for row in client.get("/clusters").context["clusters"]]


@pytest.mark.parametrize("path", ["", "/history"])
def test_the_api_answers_404_and_lists_nothing(hidden: Scene, api: Callable[..., Api], path: str) -> None:  # noqa: F811
    dave, alice = api(hidden.cast.dave), api(hidden.cast.alice)
    assert dave.get(f"/clusters/demo/groups/{GROUP}{path}").status == 404
    assert alice.get(f"/clusters/demo/groups/{GROUP}{path}").status == 200
    assert dave.get("/clusters/demo/groups").json["items"] == []
    assert [one["group"] for one in alice.get("/clusters/demo/groups").json["items"]] == [GROUP]


def test_near_names_are_of_groups_that_are_shown(hidden: Scene) -> None:
    assert queries.near_names(hidden.cast.dave, hidden.cluster, "billing-order") == []
    assert queries.near_names(hidden.cast.alice, hidden.cluster, "billing-order") == [GROUP]


def test_a_name_that_is_hidden_answers_like_one_that_is_not_there(hidden: Scene, client: Client) -> None:
    client.force_login(hidden.cast.dave)
    pages = [client.get(f"/groups/demo/{name}").content.decode().replace(name, "NAME") for name in (GROUP, "no-orders")]
    tokens = [page.split("csrfmiddlewaretoken")[0] for page in pages]
    assert tokens[0] == tokens[1]
