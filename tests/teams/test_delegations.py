"""Delegation for an absence: who may give one, what is refused, what the database holds, and its pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts import service_accounts
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.teams import delegating, queries
from kafkaconsole.teams.errors import BadDelegation, DelegationOver, DelegationOverlaps
from kafkaconsole.teams.messages import sentence
from kafkaconsole.teams.models import Delegation, Membership
from tests.factories import Cast
from tests.scene import cast  # noqa: F401  a fixture

START = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
END = START + timedelta(days=7)


def lend(cast: Cast, **fields: object) -> Delegation:  # noqa: F811
    given = {"by": cast.bob, "to": cast.dave, "team": None, "starts_at": START, "ends_at": END}
    return delegating.delegate(**{**given, **fields})  # type: ignore[arg-type]


def test_delegation_is_recorded_with_its_times(cast: Cast) -> None:  # noqa: F811
    row = lend(cast, team=cast.billing)
    event = AuditEvent.objects.get(verb="delegation.made")
    assert event.actor == cast.bob
    assert event.facts == {
        "by": "bob",
        "to": "dave",
        "team": "billing",
        "starts_at": "2030-01-07 09:00 UTC",
        "ends_at": "2030-01-14 09:00 UTC",
        "before": None,
    }
    delegating.end(by=cast.bob, delegation=row)
    facts = AuditEvent.objects.get(verb="delegation.ended").facts
    assert facts["before"] == "2030-01-14 09:00 UTC"
    assert facts["after"].endswith("UTC")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"to": "bob"}, "to"),
        ({"to": "eve"}, "to"),
        ({"ends_at": START}, "ends_at"),
        ({"starts_at": START - timedelta(days=9000), "ends_at": START - timedelta(days=8999)}, "ends_at"),
        ({"ends_at": START + timedelta(days=367)}, "ends_at"),
    ],
)
def test_what_no_delegation_can_be_made_of_is_refused(cast: Cast, fields: dict[str, object], field: str) -> None:  # noqa: F811
    named = {"bob": cast.bob, "eve": cast.eve}
    with pytest.raises(BadDelegation) as refused:
        lend(cast, **{name: named.get(str(value), value) for name, value in fields.items()})
    assert refused.value.facts["field"] == field
    assert not Delegation.objects.exists()


def test_nobody_delegates_to_who_may_not_sign_in(cast: Cast) -> None:  # noqa: F811
    cast.dave.is_active = False
    cast.dave.save()
    with pytest.raises(BadDelegation):
        lend(cast)


def test_service_account_is_no_deputy_and_the_database_agrees(cast: Cast) -> None:  # noqa: F811
    robot = service_accounts.add(by=cast.carol, username="robot", name="Robot")
    with pytest.raises(BadDelegation) as refused:
        lend(cast, to=robot)
    assert "no service account" in sentence(refused.value.code, refused.value.facts)
    for people in ({"to": robot}, {"by": robot}):
        given = {"by": cast.bob, "to": cast.dave, "starts_at": START, "ends_at": END, **people}
        with pytest.raises(IntegrityError, match="is no deputy and has none"), transaction.atomic():
            Delegation.objects.create(**given)
    row = lend(cast)
    with pytest.raises(IntegrityError, match="is no deputy and has none"), transaction.atomic():
        Delegation.objects.filter(pk=row.pk).update(to=robot)


def test_member_and_auditor_delegate_nothing(cast: Cast) -> None:  # noqa: F811
    for person in (cast.alice, cast.eve, cast.carol):
        with pytest.raises(NotAllowed, match="sign for no team"):
            lend(cast, by=person)
    with pytest.raises(NotAllowed, match="nothing for Search"):
        lend(cast, team=cast.search)


def test_overlapping_delegations_are_refused_and_adjoining_ones_are_not(cast: Cast) -> None:  # noqa: F811
    lend(cast, team=cast.billing)
    with pytest.raises(DelegationOverlaps):
        lend(cast, to=cast.amir, starts_at=END - timedelta(minutes=1), ends_at=END + timedelta(days=1))
    with pytest.raises(DelegationOverlaps):
        lend(
            cast, to=cast.amir, team=cast.billing, starts_at=START - timedelta(days=1), ends_at=END + timedelta(days=1)
        )
    lend(cast, to=cast.amir, starts_at=END, ends_at=END + timedelta(days=1))
    lend(cast, by=cast.bora)


def test_two_teams_may_have_two_deputies(cast: Cast) -> None:  # noqa: F811
    Membership.objects.create(team=cast.search, user=cast.bob, role="owner")
    lend(cast, team=cast.billing)
    lend(cast, team=cast.search, to=cast.amir)
    with pytest.raises(DelegationOverlaps):
        lend(cast, team=None, to=cast.amir)


def test_ended_by_hand_it_makes_room_and_ends_once(cast: Cast) -> None:  # noqa: F811
    row = lend(cast)
    with pytest.raises(NotAllowed):
        delegating.end(by=cast.dave, delegation=row)
    delegating.end(by=cast.carol, delegation=row)
    with pytest.raises(DelegationOver):
        delegating.end(by=cast.bob, delegation=row)
    lend(cast, to=cast.amir)


def test_in_force_from_its_start_until_just_before_its_end(cast: Cast) -> None:  # noqa: F811
    row = lend(cast)
    instant = timedelta(microseconds=1)
    assert not queries.delegations(START - instant).exists()
    assert list(queries.delegations(START)) == [row]
    assert list(queries.delegations(END - instant)) == [row]
    assert not queries.delegations(END).exists()


def test_who_may_not_sign_in_any_more_delegates_nothing(cast: Cast) -> None:  # noqa: F811
    lend(cast)
    assert queries.lent_to(cast.dave, START).count() == 1
    cast.bob.is_active = False
    cast.bob.save()
    assert not queries.lent_to(cast.dave, START).exists()


@pytest.mark.parametrize(
    ("to", "end", "constraint"),
    [
        ("bob", END, "nobody_delegates"),
        ("dave", START, "ends_after"),
        ("dave", START - timedelta(days=1), "ends_after"),
    ],
)
def test_database_refuses_what_bypasses_the_code(cast: Cast, to: str, end: datetime, constraint: str) -> None:  # noqa: F811
    people = {"bob": cast.bob, "dave": cast.dave}
    statement = "INSERT INTO teams_delegation (by_id, to_id, team_id, starts_at, ends_at, made_at) VALUES (%s, %s, NULL, %s, %s, %s)"
    values: list[int | datetime] = [cast.bob.pk, people[to].pk, START, end, START]
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_wall_clock_is_read_in_the_persons_zone(cast: Cast, client: Client) -> None:  # noqa: F811
    cast.bob.time_zone = "Asia/Seoul"
    cast.bob.save()
    client.force_login(cast.bob)
    sent = {"to": "dave", "team": "billing", "starts_at": "2030-01-07T09:00", "ends_at": "2030-01-14T09:00"}
    assert client.post("/profile/away", sent).status_code == 302
    row = Delegation.objects.get()
    assert (row.starts_at, row.team) == (datetime(2030, 1, 7, 0, 0, tzinfo=UTC), cast.billing)
    page = client.get("/profile/away").content.decode()
    assert "Times are in Asia/Seoul" in page
    assert "End it" in page
    assert "Dave signs for Bob" in client.get("/teams/billing/").content.decode()
    assert client.post(f"/profile/away/{row.pk}/end").status_code == 302
    assert "Dave signs for Bob" not in client.get("/teams/billing/").content.decode()


def test_page_says_why_and_keeps_what_was_typed(cast: Cast, client: Client) -> None:  # noqa: F811
    client.force_login(cast.bob)
    sent = {"to": "nobody", "team": "", "starts_at": "2030-01-07T09:00", "ends_at": "2030-01-14T09:00"}
    refused = client.post("/profile/away", sent)
    assert refused.status_code == 422
    assert "the user name of someone who may sign in" in refused.content.decode()
    client.force_login(cast.alice)
    assert "You sign for no team" in client.get("/profile/away").content.decode()
    assert client.post("/profile/away", sent).status_code == 403


def test_delegations_of_others_are_not_there(cast: Cast, client: Client) -> None:  # noqa: F811
    row = lend(cast)
    client.force_login(cast.alice)
    assert client.post(f"/profile/away/{row.pk}/end").status_code == 404
    client.force_login(cast.dave)
    assert client.post(f"/profile/away/{row.pk}/end").status_code == 403
    assert "For whom" in client.get("/profile/away").content.decode()


def test_made_now_it_holds_at_once(cast: Cast) -> None:  # noqa: F811
    now = timezone.now()
    lend(cast, starts_at=now - timedelta(hours=1), ends_at=now + timedelta(hours=1))
    assert queries.lent_to(cast.dave, timezone.now()).get().user == cast.bob
