"""With real workers, beat and a broker: news go out by themselves, to mail and to a webhook, and each once."""

from __future__ import annotations

from collections.abc import Callable

from devtools.kafka.waiting import comes_true
from kafkaconsole.notifications import channels
from kafkaconsole.notifications.models import Message, MessageState
from kafkaconsole.resets.states import State
from tests.factories import request_in
from tests.notifications.servers import Hooks, PostOffice
from tests.scene import Scene
from tests.workers import Worker

LIMIT_SECONDS = 90.0


def test_two_workers_send_what_is_due_once(
    scene: Scene, office: PostOffice, hooks: Hooks, mail_port: int, start_worker: Callable[..., Worker]
) -> None:
    room = {"kind": "webhook", "name": "room", "url": hooks.url}
    channels.add(by=scene.cast.carol, team=scene.cast.billing, heard=["sign"], **room)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    own = {"MAIL_URL": f"smtp://127.0.0.1:{mail_port}", "NOTIFY_BATCH_S": "0", "ALLOW_INTERNAL_WEBHOOKS": "true"}
    Message.objects.update(due_at=Message.objects.earliest("created_at").created_at)
    workers = [start_worker(beat=True, **own), start_worker(beat=False, **own)]

    def all_sent() -> bool:
        return not Message.objects.exclude(state=MessageState.SENT).exists()

    assert comes_true(all_sent, limit=LIMIT_SECONDS), "\n".join(worker.log() for worker in workers)
    for worker in workers:
        worker.stop()
    assert sorted(str(mail["To"]) for mail in office.mails) == ["bob@example.com", "bora@example.com"]
    assert len(hooks.posted) == 1
    assert set(Message.objects.values_list("tries", flat=True)) == {1}
