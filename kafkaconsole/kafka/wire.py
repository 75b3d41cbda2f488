"""kafka-python's client, and how requests are sent with it (kafka-facts 5).

Its admin methods raise at the first bad group, keep coordinators for ever and fail on Connect groups; so requests are
sent here one by one, with an answer or a problem for each.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import kafka.errors as kafka_errors
from kafka.protocol.metadata import FindCoordinatorRequest, MetadataRequest

from kafkaconsole.kafka.answers import COORDINATOR_ELSEWHERE, problem_for, problem_of_exception
from kafkaconsole.kafka.leaders import Leaders
from kafkaconsole.kafka.reasons import TIMED_OUT, error_for
from kafkaconsole.kafka.values import ConnectionSettings, Problem, ProblemKind

IN_FLIGHT = 4
"""Requests at once per broker; the client refuses a sixth instead of queueing it."""

GROUPS_A_REQUEST = 500
COORDINATORS_A_REQUEST = 1000
TRIES = 5
PAUSE_SECONDS = 0.3

NOT_SENT = (kafka_errors.NodeNotReadyError, kafka_errors.UnknownBrokerIdError)
"""Raised before a request leaves the client."""

Item = TypeVar("Item")
Job = TypeVar("Job")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


class NotSent(Exception):
    """The request never left the client, for this reason."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class Wire:
    """Sends requests to the right brokers of one cluster. The coroutines run on the client's own loop, by `run`."""

    def __init__(self, client: Any, settings: ConnectionSettings) -> None:
        self._manager = client._manager
        self._net = client._net
        self._settings = settings
        self.leaders = Leaders()

    def run(self, step: Callable[..., Coroutine[Any, Any, Item]], *arguments: object) -> Item:
        """Run one coroutine to its end; what kafka-python raises becomes one of our errors."""
        try:
            result: Item = self._manager.run(step, *arguments)
        except kafka_errors.KafkaError as error:
            raise self._error_for(error) from error
        return result

    async def pause(self, seconds: float = PAUSE_SECONDS) -> None:
        """Wait a moment for brokers to agree again."""
        await self._net.sleep(seconds)

    async def ask(self, node: int, request: Any) -> Any:
        """One broker's answer. Raises NotSent if the request never left, kafka-python's error if its fate is unknown."""
        for tries_left in reversed(range(TRIES)):
            try:
                return await self._manager.send(request, node_id=node)
            except NOT_SENT as error:
                if not tries_left:
                    raise NotSent(problem_of_exception(error)) from error
                self._manager.cluster.request_update()
            await self._net.sleep(PAUSE_SECONDS)
        raise AssertionError("unreachable: the last try returns or raises")

    async def ask_any(self, request: Any) -> Any:
        """The answer of whichever broker is alive; a stalled one is got round once."""
        timed_out = False
        for tries_left in reversed(range(TRIES)):
            try:
                return await self._manager.send(request)
            except kafka_errors.RequestTimedOutError:
                if timed_out or not tries_left:
                    raise
                timed_out = True
            except (kafka_errors.KafkaConnectionError, *NOT_SENT):
                if not tries_left:
                    raise
            await self._net.sleep(PAUSE_SECONDS)
        raise AssertionError("unreachable: the last try returns or raises")

    async def ask_each(
        self, jobs: Mapping[int, Sequence[Job]], request_for: Callable[[Job], Any]
    ) -> list[tuple[Job, Any | Problem]]:
        """Every job's answer or problem; at most IN_FLIGHT at once per broker. A broker that fails is not asked again."""
        waiting = {node: deque(some) for node, some in jobs.items()}
        answers: list[tuple[Job, Any | Problem]] = []

        async def work_off(node: int) -> None:
            queue = waiting[node]
            while queue:
                job = queue.popleft()
                answer = await self._answer_or_problem(node, request_for(job))
                answers.append((job, answer))
                if isinstance(answer, Problem) and answer.kind is ProblemKind.UNAVAILABLE:
                    answers.extend((skipped, answer) for skipped in queue)
                    queue.clear()

        at_once = [node for node, queue in waiting.items() for _ in range(min(IN_FLIGHT, len(queue)))]
        for future in [self._net.call_soon_with_future(work_off, node) for node in at_once]:
            await future
        return answers

    async def metadata(self, topics: Sequence[str] | None, rights: bool = False) -> Any:
        """Brokers, and the named topics (None: all that are visible, []: none) with ids, leaders and errors."""
        named = None if topics is None else [MetadataRequest.MetadataRequestTopic(name=name) for name in topics]
        request = MetadataRequest(
            topics=named,
            allow_auto_topic_creation=False,
            include_topic_authorized_operations=rights,
            min_version=10,
        )
        answer = await self.ask_any(request)
        self.leaders.learn(answer)
        return answer

    async def coordinators(self, groups: Sequence[str]) -> tuple[dict[int, list[str]], dict[str, Problem]]:
        """Who coordinates each group now, and the groups for which nobody can be found. Nothing is remembered."""
        by_node: dict[int, list[str]] = defaultdict(list)
        failed: dict[str, Problem] = {}
        pending = list(groups)
        for _ in range(TRIES):
            failed = {}
            for batch in batches(pending, COORDINATORS_A_REQUEST):
                request = FindCoordinatorRequest(key_type=0, coordinator_keys=batch, min_version=4, max_version=4)
                for found in (await self.ask_any(request)).coordinators:
                    problem = problem_for(found.error_code, found.error_message)
                    if problem is None:
                        by_node[found.node_id].append(found.key)
                    else:
                        failed[found.key] = problem
            pending = [group for group, problem in failed.items() if problem.kafka_error in COORDINATOR_ELSEWHERE]
            if not pending:
                break
            await self.pause()
        return by_node, failed

    async def ask_coordinators(
        self, groups: Sequence[str], request_for: Callable[[list[str]], Any]
    ) -> dict[str, Any | Problem]:
        """Each group's part of an answer (with `group_id` and `error_code`), or why there is none.

        For readings alone: a group whose coordinator has moved is asked for again.
        """
        found: dict[str, Any | Problem] = {}
        pending = list(groups)
        for _ in range(TRIES):
            by_node, failed = await self.coordinators(pending)
            found.update(failed)
            jobs = {node: list(batches(names, GROUPS_A_REQUEST)) for node, names in by_node.items()}
            for batch, answer in await self.ask_each(jobs, request_for):
                parts = {} if isinstance(answer, Problem) else {part.group_id: part for part in answer.groups}
                missing = answer if isinstance(answer, Problem) else Problem(ProblemKind.UNAVAILABLE, "", passing=True)
                found.update({name: parts.get(name, missing) for name in batch})
            pending = [name for name in pending if name not in failed and _moved(found[name])]
            if not pending:
                break
            await self.pause()
        return found

    async def _answer_or_problem(self, node: int, request: Any) -> Any | Problem:
        try:
            return await self.ask(node, request)
        except NotSent as error:
            return error.problem
        except kafka_errors.KafkaError as error:
            return problem_of_exception(error)

    def _error_for(self, error: Exception) -> Exception:
        problem = problem_of_exception(error)
        if problem.kind is ProblemKind.UNSUPPORTED:
            return error_for("broker_too_old", self._settings, problem.detail)
        if problem.kind is ProblemKind.NOT_AUTHORIZED:
            return error_for("wrong_credentials", self._settings, problem.detail)
        reason = TIMED_OUT if problem.kafka_error == "REQUEST_TIMED_OUT" else "connection_lost"
        return error_for(reason, self._settings, problem.detail)


def _moved(answer: Any | Problem) -> bool:
    """Whether the group was asked for at a broker that is no longer, or not yet, its coordinator."""
    if isinstance(answer, Problem):
        return False
    problem = problem_for(answer.error_code)
    return problem is not None and problem.kafka_error in COORDINATOR_ELSEWHERE
