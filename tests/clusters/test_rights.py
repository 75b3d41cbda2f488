"""The table of rights: read by everyone, changed by administrators, recorded, and held by the database."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters import rights, setting_rights
from kafkaconsole.clusters.errors import BadRights, RightsMovedOn
from kafkaconsole.clusters.models import Environment, EnvironmentRight, Holder, Right
from kafkaconsole.errors import NotAllowed
from tests.scene import Scene

OWNER_READS = (Holder.OWNER, Right.READ_MESSAGES)


def form_of(environment: Environment, **changed: bool) -> dict[str, str]:
    table = rights.table_of(environment)
    wanted = {f"{holder.value}.{right.value}": is_allowed for (holder, right), is_allowed in table.items()}
    wanted |= {name.replace("__", "."): is_allowed for name, is_allowed in changed.items()}
    switched = {name: "on" for name, is_allowed in wanted.items() if is_allowed}
    return {"environment": environment.slug, "seen": setting_rights.fingerprint(table), **switched}


def test_everyone_reads_the_table_and_only_administrators_can_change_it(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    html = client.get("/rights").content.decode()
    assert "Staging" in html and "Only an administrator" in html and 'type="checkbox"' not in html
    assert client.post("/rights", form_of(scene.cluster.environment)).status_code == 403
    client.logout()
    assert client.get("/rights").status_code == 302


def test_administrator_changes_it_and_the_record_says_what(scene: Scene, client: Client) -> None:
    environment = scene.cluster.environment
    client.force_login(scene.cast.carol)
    assert client.post("/rights", form_of(environment, outsider__see=False)).status_code == 302
    assert rights.table_of(environment)[Holder.OUTSIDER, Right.SEE] is False
    event = AuditEvent.objects.get(verb="rights.changed")
    assert event.facts == {"environment": "staging", "changed": {"outsider.see": [True, False]}}
    assert client.post("/rights", form_of(environment)).status_code == 302
    assert AuditEvent.objects.filter(verb="rights.changed").count() == 1, "nothing changed the second time"


def test_two_who_change_the_same_table_do_not_undo_each_other(scene: Scene, client: Client) -> None:
    environment = scene.cluster.environment
    stale = form_of(environment, outsider__see=False)
    client.force_login(scene.cast.carol)
    client.post("/rights", form_of(environment, member__request=False))
    answer = client.post("/rights", stale)
    assert answer.status_code == 409
    assert "Someone else changed the rights" in answer.content.decode()
    assert rights.table_of(environment)[Holder.OUTSIDER, Right.SEE] is True


def test_a_role_that_may_not_see_may_do_nothing_else(scene: Scene) -> None:
    environment = scene.cluster.environment
    wanted = {**rights.table_of(environment), (Holder.MEMBER, Right.SEE): False}
    seen = setting_rights.fingerprint(rights.table_of(environment))
    with pytest.raises(BadRights):
        setting_rights.set_rights(by=scene.cast.carol, environment=environment, seen=seen, wanted=wanted)
    with pytest.raises(BadRights):
        setting_rights.set_rights(by=scene.cast.carol, environment=environment, seen=seen, wanted={OWNER_READS: True})
    with pytest.raises(NotAllowed):
        setting_rights.set_rights(by=scene.cast.bob, environment=environment, seen=seen, wanted=wanted)
    with pytest.raises(RightsMovedOn):
        setting_rights.set_rights(by=scene.cast.carol, environment=environment, seen="x", wanted=wanted)
    assert not EnvironmentRight.objects.exists()


def test_an_environment_that_is_not_there_is_404(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.carol)
    assert client.post("/rights", {"environment": "nowhere", "seen": ""}).status_code == 404


@pytest.mark.parametrize(
    ("holder", "right"),
    [("stranger", "see"), ("owner", "fly"), ("outsider", "request"), ("member", "approve"), ("owner", "see")],
)
def test_the_database_refuses_what_is_no_right(scene: Scene, holder: str, right: str) -> None:
    environment = scene.cluster.environment
    EnvironmentRight.objects.create(environment=environment, holder="owner", right="see", is_allowed=False)
    sql = 'INSERT INTO clusters_environmentright (environment_id, holder, "right", is_allowed) VALUES (%s, %s, %s, %s)'
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, [environment.pk, holder, right, True])
