"""What the database itself holds of the outbox, with the code passed by."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from kafkaconsole.notifications.models import Message
from kafkaconsole.resets.states import State
from tests.factories import request_in
from tests.notifications.servers import PostOffice
from tests.scene import Scene

BAD = {
    "nobody": "person_id = NULL",
    "sent without an instant": "state = 'sent'",
    "an instant without being sent": "sent_at = created_at",
    "sending without a holder": "state = 'sending'",
    "a lease of nobody": "lease_until = created_at",
    "a state that is not known": "state = 'lost'",
    "tries below none": "tries = -1",
}


def run(sql: str, *parameters: str | int | bytes | None) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, parameters)


@pytest.fixture
def message(scene: Scene, office: PostOffice) -> Message:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    return Message.objects.get(person=scene.cast.bob)


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_row_that_makes_no_sense_is_refused(message: Message, change: str) -> None:
    with pytest.raises(IntegrityError):
        run(f"UPDATE notifications_message SET {change} WHERE id = %s", message.pk)  # noqa: S608  of this test


def test_nobody_is_told_of_one_occasion_twice(message: Message, scene: Scene) -> None:
    other = Message.objects.get(person=scene.cast.bora)
    with pytest.raises(IntegrityError):
        run("UPDATE notifications_message SET person_id = %s WHERE id = %s", message.person_id, other.pk)


def test_a_message_goes_to_a_person_or_a_channel_and_not_to_both(message: Message) -> None:
    run(
        "INSERT INTO notifications_channel (kind, name, host, secrets, muted, is_active) VALUES (%s, %s, %s, %s, %s, %s)",
        *("slack", "room", "example.com", b"", "[]", True),
    )
    with pytest.raises(IntegrityError):
        run("UPDATE notifications_message SET channel_id = (SELECT MAX(id) FROM notifications_channel)")


def test_a_digest_has_an_hour_of_the_day(scene: Scene) -> None:
    with pytest.raises(IntegrityError):
        run(
            "INSERT INTO notifications_choices (person_id, language, muted, digest_hour) VALUES (%s, 'en', '[]', 24)",
            scene.cast.bob.pk,
        )
