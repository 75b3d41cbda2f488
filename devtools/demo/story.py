"""Requests that the demo begins with, in several states: each made by the product's own actions, planned and executed
by the demo's own worker on the real Kafka. Nothing is written to the database by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from devtools.demo import cast
from devtools.demo.layout import DemoRefused
from devtools.demo.reading import read_to_the_end
from devtools.demo.steps import Steps
from devtools.kafka.logins import Reachable
from devtools.kafka.waiting import comes_true
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Comment, ResetRequest
from kafkaconsole.resets.states import State

# An attempt whose worker was killed is settled after its lease (ATTEMPT_LEASE_S, 60 s).
_LIMIT_SECONDS = 150.0
STOPPED = {
    "billing-hello": ["hello"],  # left alone by the stories: it is the reader's own
    "billing-parser": ["hello"],
    "billing-nightly": ["orders", "payments"],
    "billing-invoices": ["payments"],
    "search-rebuild": ["page-views"],
}


def read_and_stop(kafka: Reachable, steps: Steps) -> None:
    """Make the groups that have read everything and stopped, as a nightly job would."""
    for group, topics in STOPPED.items():
        step = f"group {group}"
        if not steps.is_done(step):
            read_to_the_end(kafka, group, topics)
            steps.note(step)


def tell() -> None:
    """Play every story once, or to its end where an interrupted start left it; a request that does not get where it
    should is an error."""
    _applied()
    _waiting_for_the_group()
    _rejected()
    _plan_failed()
    _cancelled()
    _waiting_for_signature()


def _applied() -> None:
    request = _ask(
        "alice",
        "billing-parser",
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
    if _row(request).state != State.REJECTED:
        actions.reject(
            request=_row(request),
            by=cast.person("bob"),
            seen_digest=_digest(request),
            comment="This would skip today's orders. Back to 09:00 instead?",
        )


def _plan_failed() -> None:
    request = _ask("amir", "billing-nightly", ["order"], {"kind": "to_earliest"}, "Read all orders again")
    _wait(request, State.PLAN_FAILED)
    _say(request, "amir", "Mistyped the topic, asking again.")


def _cancelled() -> None:
    request = _ask("alice", "billing-parser", ["hello"], {"kind": "to_offset", "offset": 1}, "Try from m2 on")
    if _row(request).state != State.CANCELLED:
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
    _wait(request, State.PLANNED)
    _say(request, "bora", "Why not an hour earlier?")


def _ask(
    who: str, group: str, topics: Sequence[str], strategy: Mapping[str, object], reason: str, ticket: str = ""
) -> int:
    """Ask, unless an interrupted start has asked already, and return when the plan is worked out or failed."""
    change = {
        "cluster": cast.CLUSTER,
        "group": group,
        "scope": {"topics": [{"topic": topic} for topic in topics]},
        "strategy": dict(strategy),
        "rules": {},
        "create_group": False,
    }
    request = _asked_before(who, group, reason, ticket) or actions.request(
        by=cast.person(who), change_json=change, reason=reason, ticket=ticket
    )
    _wait(request.pk, *(frozenset(State) - {State.PLANNING}))
    return request.pk


def _asked_before(who: str, group: str, reason: str, ticket: str) -> ResetRequest | None:
    """The same request from an earlier start; a ticket tells it better than a reason with a time in it."""
    same = ResetRequest.objects.filter(requester__username=who, group_name=group, ticket=ticket)
    return (same if ticket else same.filter(reason=reason)).order_by("pk").first()


def _sign(request: int, who: str, comment: str) -> None:
    if _row(request).state == State.PLANNED:
        actions.approve(request=_row(request), by=cast.person(who), seen_digest=_digest(request), comment=comment)


def _say(request: int, who: str, text: str) -> None:
    if not Comment.objects.filter(request=request, by=cast.person(who), text=text).exists():
        actions.comment(request=_row(request), by=cast.person(who), text=text)


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
