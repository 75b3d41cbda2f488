"""People: added with a password for once, changed, their own settings. Each change has its record."""

from __future__ import annotations

import pytest

from kafkaconsole.accounts import people
from kafkaconsole.accounts.errors import BadPerson, LastAdministrator
from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from tests.factories import PASSWORD, Cast


def add(by: User, **fields: str) -> tuple[User, str]:
    given = {"username": "frank", "name": "Frank", "email": "frank@example.com", "role": "member", **fields}
    return people.add(by=by, **given)


def verbs() -> list[str]:
    return list(AuditEvent.objects.order_by("number").values_list("verb", flat=True))


def test_new_person_has_a_password_for_once(cast: Cast) -> None:
    person, password = add(cast.carol)
    person.refresh_from_db()
    assert person.check_password(password)
    assert person.must_change_password
    assert verbs() == ["person.added"]
    assert password not in str(AuditEvent.objects.get().facts)


def test_two_people_never_get_the_same_password(cast: Cast) -> None:
    assert add(cast.carol)[1] != add(cast.carol, username="grace")[1]


@pytest.mark.parametrize("who", ["alice", "bob", "eve"])
def test_only_administrators_set_people_up(who: str, cast: Cast) -> None:
    by = getattr(cast, who)
    for attempt in (
        lambda: add(by),
        lambda: people.give_password(by=by, person=cast.dave),
        lambda: people.change(by=by, person=cast.dave, role="administrator", is_active=True),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    assert verbs() == []


def test_administrator_who_may_no_longer_sign_in_sets_nobody_up(cast: Cast) -> None:
    cast.carol.is_active = False
    with pytest.raises(NotAllowed):
        add(cast.carol)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", ""),
        ("username", "a b"),
        ("username", "-frank"),
        ("username", "x" * 151),
        ("username", "ALICE"),
        ("email", "nonsense"),
        ("role", "king"),
    ],
)
def test_person_that_cannot_be_made_is_refused_by_field(field: str, value: str, cast: Cast) -> None:
    with pytest.raises(BadPerson) as refused:
        add(cast.carol, **{field: value})
    assert refused.value.facts["field"] == field
    assert not User.objects.filter(username="frank").exists()


def test_password_given_again_ends_the_old_one(cast: Cast) -> None:
    password = people.give_password(by=cast.carol, person=cast.dave)
    cast.dave.refresh_from_db()
    assert cast.dave.check_password(password)
    assert not cast.dave.check_password(PASSWORD)
    assert cast.dave.must_change_password
    assert verbs() == ["person.password_given"]


def test_role_and_sign_in_are_changed_with_what_was_before(cast: Cast) -> None:
    people.change(by=cast.carol, person=cast.dave, role="auditor", is_active=False)
    cast.dave.refresh_from_db()
    assert (cast.dave.role, cast.dave.is_active) == (GlobalRole.AUDITOR, False)
    assert AuditEvent.objects.get().facts["changed"] == {"role": ["member", "auditor"], "is_active": [True, False]}


def test_change_that_changes_nothing_is_not_recorded(cast: Cast) -> None:
    people.change(by=cast.carol, person=cast.dave, role="member", is_active=True)
    assert verbs() == []


@pytest.mark.parametrize(("role", "is_active"), [("member", True), ("administrator", False)])
def test_last_administrator_stays(role: str, is_active: bool, cast: Cast) -> None:
    with pytest.raises(LastAdministrator):
        people.change(by=cast.carol, person=cast.carol, role=role, is_active=is_active)
    cast.carol.refresh_from_db()
    assert cast.carol.is_administrator


def test_administrator_may_go_when_another_is_there(cast: Cast) -> None:
    people.change(by=cast.carol, person=cast.dave, role="administrator", is_active=True)
    people.change(by=cast.carol, person=cast.carol, role="member", is_active=True)
    cast.carol.refresh_from_db()
    assert not cast.carol.is_administrator


def test_own_settings_are_kept_and_recorded(cast: Cast) -> None:
    people.set_profile(person=cast.alice, name="Alice Kim", time_zone="Asia/Seoul")
    cast.alice.refresh_from_db()
    assert (cast.alice.name, cast.alice.time_zone) == ("Alice Kim", "Asia/Seoul")
    assert verbs() == ["person.changed"]


@pytest.mark.parametrize("zone", ["Seoul", "../etc/passwd", "UTC+9"])
def test_zone_that_does_not_exist_is_refused(zone: str, cast: Cast) -> None:
    with pytest.raises(BadPerson):
        people.set_profile(person=cast.alice, name="Alice", time_zone=zone)


def test_password_of_their_own_ends_the_one_for_once(cast: Cast) -> None:
    person, _ = add(cast.carol)
    people.choose_password(person=person, password="a phrase of their own")  # noqa: S106
    person.refresh_from_db()
    assert not person.must_change_password
    assert person.check_password("a phrase of their own")
    assert verbs() == ["person.added", "person.password_changed"]
