"""Someone of another team tries every address that holds a number or an id of this team's rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from kafkaconsole.records.look_models import RecordLook
from kafkaconsole.records.models import RecordExport
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Batch, ResetRequest
from kafkaconsole.resets.states import State
from tests.factories import GROUP, make_change, request_in
from tests.scene import Scene

PLACE = re.compile(r"<\w+:(\w+)>")
OURS = {"request_id", "batch_id", "preview_id", "look_id", "export_id"}
NOBODYS = dict.fromkeys(OURS, "999999") | {"preview_id": "00000000-0000-4000-8000-000000000000"}


def addresses(patterns: list[URLPattern | URLResolver], before: str = "/") -> Iterator[str]:
    """Every address that names a row which a team alone may see."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, before + str(one.pattern))
        elif OURS & set(PLACE.findall(str(one.pattern))):
            yield before + str(one.pattern)


TRIED = sorted(set(addresses(get_resolver().url_patterns)))


@pytest.fixture
def rows(scene: Scene) -> dict[str, str]:
    """A row of each kind that belongs to Billing, by the name that addresses have for its number."""
    cast = scene.cast
    request = request_in(State.PLANNED, cast, scene.kafka)
    changes = [make_change(group=name) for name in ("billing-a", "billing-b")]
    batch = actions.request_batch(by=cast.alice, changes=changes, reason="Wrong prices")
    preview = actions.preview(by=cast.alice, change_json=make_change())
    look = RecordLook.objects.create(
        by=cast.alice, cluster=scene.cluster, group_name=GROUP, topic="hello", partition=0, offset=0, before=1, after=1
    )
    export = RecordExport.objects.create(
        by=cast.alice, request=request, plan_digest=request.plan_digest, spans=[], limit=1, offsets_total=0
    )
    numbers = {"request_id": request, "batch_id": batch, "preview_id": preview, "look_id": look, "export_id": export}
    return {name: str(row.pk) for name, row in numbers.items()}


def test_rows_of_every_kind_are_tried() -> None:
    assert {name for address in TRIED for name in PLACE.findall(address)} >= OURS


@pytest.mark.parametrize("address", TRIED)
def test_rows_of_another_team_are_not_there_for_a_stranger(
    address: str, rows: dict[str, str], scene: Scene, client: Client
) -> None:
    client.force_login(scene.cast.dave)
    state = ResetRequest.objects.get(pk=rows["request_id"]).state
    theirs, nobodys = (statuses(client, filled(address, ids)) for ids in (rows, NOBODYS))
    refused_unread = {400} if address.startswith("/api/") else set()  # a body that is none, whatever the address
    assert set(theirs) <= {404, 405} | refused_unread
    assert theirs == nobodys
    assert ResetRequest.objects.get(pk=rows["request_id"]).state == state
    assert Batch.objects.get(pk=rows["batch_id"]).requests.count() == 2


def filled(address: str, ids: dict[str, str]) -> str:
    """The address of these rows."""
    return PLACE.sub(lambda name: ids[name[1]], address)


def statuses(client: Client, address: str) -> list[int]:
    """What the address answers to each verb."""
    return [verb(address).status_code for verb in (client.get, client.head, client.post)]
