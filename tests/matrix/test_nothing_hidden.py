"""Where an environment does not show groups to somebody, no address and no call names one: every one of them is asked.

The addresses and calls are those of the matrix, so that a new one is looked at by itself.
"""

from __future__ import annotations

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from kafkaconsole.approvals import actions as approvals
from kafkaconsole.approvals.drafts import Draft
from kafkaconsole.approvals.quorum import Need
from kafkaconsole.clusters import rights, setting_rights
from kafkaconsole.clusters.models import Holder
from kafkaconsole.groups import actions as ownership
from tests.factories import GROUP
from tests.matrix import cells, routes, sending, stage
from tests.matrix.routes import Place
from tests.scene import Scene

HIDDEN = ("billing-orders", "billing-invoices", "shipping")
NOT_THERE = "billing-nothing"
"""A name that nothing has, as long as one that is hidden."""


def built_and_hidden(scene: Scene, *holders: Holder) -> stage.Stage:
    """The matrix's scene with an exact rule and a policy for one group, then not shown to these."""
    carol, cluster = scene.cast.carol, scene.cluster
    reach = Draft(cluster=cluster, group_kind="name", group_pattern=GROUP, needs=(Need(1),))
    approvals.add(by=carol, name="For one group", draft=reach)
    built = stage.build(scene)
    ownership.add_ownership(by=carol, cluster=cluster, kind="name", pattern=GROUP, team=scene.cast.billing)
    environment = cluster.environment
    table = rights.table_of(environment)
    wanted = {pair: is_on and pair[0] not in holders for pair, is_on in table.items()}
    setting_rights.set_rights(by=carol, environment=environment, seen=setting_rights.fingerprint(table), wanted=wanted)
    return built


def read(built: stage.Stage, place: Place, role: str, path: str) -> tuple[int, str]:
    """Status and body of a GET."""
    caller = built.callers[role]
    client = caller.client()
    if place.methods is not None:
        client.cookies.clear()
    headers = caller.header("read") if place.methods is not None else {}
    with transaction.atomic():
        response = client.generic("GET", path, headers=headers, RAW_URI=path)
        raw = b"".join(response.streaming_content) if response.streaming else response.content  # type: ignore[attr-defined]
        transaction.set_rollback(True)
    return response.status_code, raw.decode()


def asked() -> list[tuple[Place, str]]:
    """Every address and call that takes a GET, with its query."""
    found = [*routes.pages().values(), *[one for one in routes.operations().values() if "GET" in (one.methods or ())]]
    return [(one, sending.QUERY.get(f"{one.name} GET", "")) for one in found if "records.jsonl" not in one.route]


def leaks(built: stage.Stage, role: str) -> list[str]:
    found = []
    for place, query in asked():
        path = cells.path_of(built, place, "GET") + (f"?{query}" if query else "")
        status, body = read(built, place, role, path)
        if GROUP not in path:
            found += [f"{role} {path}: {status} names {name}" for name in HIDDEN if name in body]
        elif status < 400:
            same = read(built, place, role, path.replace(GROUP, NOT_THERE))
            if (status, unlike(body, GROUP)) != (same[0], unlike(same[1], NOT_THERE)):
                found.append(f"{role} {path}: answers otherwise than for a name that nothing has")
    return found


def unlike(body: str, name: str) -> str:
    """What an answer says besides the name that it was asked for, and besides tokens that are new each time."""
    lines = body.replace(name, "NAME").splitlines()
    return "\n".join(line for line in lines if "csrfmiddlewaretoken" not in line and "token" not in line.lower())


@pytest.mark.parametrize("role", ["outsider", "removed"])
def test_nothing_names_a_group_to_whoever_is_outside_its_team(scene: Scene, settings: Settings, role: str) -> None:
    settings.API_CALLS_PER_MINUTE = 0
    assert leaks(built_and_hidden(scene, Holder.OUTSIDER), role) == []


@pytest.mark.parametrize("role", ["member", "requester"])
def test_nothing_names_a_group_to_members_of_its_team(scene: Scene, settings: Settings, role: str) -> None:
    settings.API_CALLS_PER_MINUTE = 0
    assert leaks(built_and_hidden(scene, Holder.OUTSIDER, Holder.MEMBER), role) == []


def test_the_same_addresses_name_it_to_those_who_see_it(scene: Scene, settings: Settings) -> None:
    settings.API_CALLS_PER_MINUTE = 0
    built = built_and_hidden(scene, Holder.OUTSIDER)
    named = {line.split()[1].partition("?")[0].rstrip(":") for line in leaks(built, "requester")}
    assert {"/groups", "/requests", "/ownership", "/api/v1/requests", "/api/v1/ownership"} <= named
