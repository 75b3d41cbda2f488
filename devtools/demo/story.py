"""Requests that the demo begins with, in several states: each made by the product's own actions, planned and executed
by the demo's own worker on the real Kafka. Nothing is written to the database by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from confluent_kafka import Consumer, KafkaException

from devtools.demo import cast
from devtools.demo.goods import RunningKafka
from devtools.demo.layout import DemoRefused
from devtools.kafka.waiting import comes_true
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State

_LIMIT_SECONDS = 60.0
STOPPED = {
    "billing-hello": ["hello"],
    "billing-nightly": ["orders", "payments"],
    "billing-invoices": ["payments"],
    "search-rebuild": ["page-views"],
}


def read_and_stop(kafka: RunningKafka) -> None:
    """Make the groups that have read everything and stopped, as a nightly job would."""
    for group, topics in STOPPED.items():
        consumer = Consumer(
            {
                **kafka.client_settings(),
                "group.id": group,
                "client.id": f"{group}-1",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "session.timeout.ms": 6000,
            }
        )
        consumer.subscribe(topics)
        try:
            _read_to_the_end(consumer, group)
        finally:
            consumer.close()


def _read_to_the_end(consumer: Consumer, group: str) -> None:
    ended: set[tuple[str | None, int | None]] = set()

    def read_one() -> bool:
        for message in consumer.consume(500, timeout=0.2):
            if message.error() is not None:
                ended.add((message.topic(), message.partition()))
        assigned = consumer.assignment()
        return bool(assigned) and len(ended) >= len(assigned)

    if not comes_true(read_one, limit=_LIMIT_SECONDS, every=0):
        raise DemoRefused(
            f"The group {group} did not read its topics within {_LIMIT_SECONDS:.0f} s; look at the log of kafka."
        )
    try:
        consumer.commit(asynchronous=False)
    except KafkaException as error:
        raise DemoRefused(f"The group {group} could not commit: {error}.") from error


def tell() -> None:
    """Play every story once; a request that does not get where it should is an error."""
    _applied()
    _waiting_for_the_group()
    _rejected()
    _plan_failed()
    _cancelled()
    _waiting_for_signature()


def _applied() -> None:
    request = _ask(
        "alice",
        "billing-hello",
        ["hello"],
        {"kind": "to_earliest"},
        "Read hello again: the parser was wrong",
        "INC-4711",
    )
    _sign(request, "bob", "Checked with INC-4711.")
    _wait(request, State.APPLIED)
    request = _ask(
        "amir",
        "billing-invoices",
        ["payments"],
        {"kind": "by_duration", "duration": "PT2H"},
        "Invoices since the deploy have the wrong VAT rate",
        "INC-4702",
    )
    _sign(request, "bora", "")
    _wait(request, State.APPLIED)


def _waiting_for_the_group() -> None:
    request = _ask(
        "amir", "billing-reports", ["orders"], {"kind": "to_latest"}, "Reports lag behind and only today matters"
    )
    _sign(request, "bora", "Stop the reports first, it runs as soon as they are gone.")
    _wait(request, State.WAITING, State.STALE)


def _rejected() -> None:
    request = _ask("alice", "billing-nightly", ["orders", "payments"], {"kind": "to_latest"}, "Skip the backlog")
    actions.reject(
        request=_row(request),
        by=cast.person("bob"),
        seen_digest=_digest(request),
        comment="This would skip today's orders. Back to 09:00 instead?",
    )


def _plan_failed() -> None:
    request = _ask(
        "amir",
        "billing-nightly",
        ["order"],
        {"kind": "to_earliest"},
        "Read all orders again",
        wait_for=(State.PLAN_FAILED,),
    )
    actions.comment(request=_row(request), by=cast.person("amir"), text="Mistyped the topic, asking again.")


def _cancelled() -> None:
    request = _ask("alice", "billing-hello", ["hello"], {"kind": "to_offset", "offset": 1}, "Try from m2 on")
    actions.cancel(request=_row(request), by=cast.person("alice"), comment="The first reset was enough.")


def _waiting_for_signature() -> None:
    since = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=2)
    moment = {"kind": "to_datetime", "datetime": since.isoformat().replace("+00:00", "Z")}
    request = _ask(
        "alice",
        "billing-nightly",
        ["orders", "payments"],
        moment,
        f"VAT rate was wrong from {since:%H:%M} UTC on",
        "INC-4720",
    )
    actions.comment(request=_row(request), by=cast.person("bora"), text="Why not an hour earlier?")


def _ask(
    who: str,
    group: str,
    topics: Sequence[str],
    strategy: Mapping[str, object],
    reason: str,
    ticket: str = "",
    wait_for: tuple[State, ...] = (State.PLANNED,),
) -> int:
    change = {
        "cluster": cast.CLUSTER,
        "group": group,
        "scope": {"topics": [{"topic": topic} for topic in topics]},
        "strategy": dict(strategy),
        "rules": {},
        "create_group": False,
    }
    request = actions.request(by=cast.person(who), change_json=change, reason=reason, ticket=ticket)
    _wait(request.pk, *wait_for)
    return request.pk


def _sign(request: int, who: str, comment: str) -> None:
    actions.approve(request=_row(request), by=cast.person(who), seen_digest=_digest(request), comment=comment)


def _row(request: int) -> ResetRequest:
    return ResetRequest.objects.get(pk=request)


def _digest(request: int) -> str:
    return _row(request).plan_digest or ""


def _wait(request: int, *states: State) -> None:
    arrived: Callable[[], bool] = lambda: _row(request).state in states  # noqa: E731
    if not comes_true(arrived, limit=_LIMIT_SECONDS, every=0.2):
        row = _row(request)
        wanted = " or ".join(states)
        raise DemoRefused(
            f"Request {request} should be {wanted} and is {row.state} ({row.problem}): look at the log of worker."
        )
