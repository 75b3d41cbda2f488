"""Members of consumer groups as processes of their own, so that tests can stop, pause and kill real consumers."""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import MemberFailed
from devtools.kafka.logins import ADMIN, Login
from devtools.kafka.processes import Child, start_bound

Protocol = Literal["classic", "consumer"]

_REPOSITORY = Path(__file__).parents[2]
_LIMIT_SECONDS = 30.0
# What the child may need beyond the limit it was given itself.
_MARGIN_SECONDS = 15.0
# A killed classic member is gone after this long; KIP-848 members after the broker's 6 s.
_CLASSIC_SESSION_MS = 6000


@dataclass(frozen=True)
class ReadRecord:
    """One record as a member read it."""

    topic: str
    partition: int
    offset: int
    value: bytes | None
    key: bytes | None


class GroupMember:
    """One consumer of a group, in a `with`: a process that joins, polls all the time, and reads when told.

    topics: subscribe (group_protocol "classic", or "consumer" = KIP-848). assignment: {(topic, partition)} by hand, no
    subscription. instance_id: a static member. A member that starts without a committed offset reads from the earliest.
    Entering waits until partitions are given out; needs_partitions=False is for a member that may get none.
    Leaving the `with` closes it, unless it was killed. MemberFailed says what went wrong.
    """

    def __init__(
        self,
        kafka: LocalKafka,
        group: str,
        *,
        topics: Collection[str] = (),
        assignment: Collection[tuple[str, int]] = (),
        group_protocol: Protocol = "classic",
        instance_id: str | None = None,
        client_id: str = "member",
        login: Login = ADMIN,
        needs_partitions: bool = True,
    ) -> None:
        if bool(topics) == bool(assignment):
            raise ValueError("A group member needs either topics to subscribe to or an assignment by hand.")
        settings = _settings(kafka.client_settings(login), group, client_id, group_protocol, instance_id)
        self.group = group
        self._needs_partitions = needs_partitions
        self._wanted = {"settings": settings, "topics": list(topics), "assignment": [list(one) for one in assignment]}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._child: Child | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the process and wait until the group has given out its partitions."""
        command = [sys.executable, "-m", "devtools.kafka.member_process"]
        self._child = start_bound(
            command, input_from=subprocess.PIPE, output=subprocess.PIPE, errors=self._errors, folder=_REPOSITORY
        )
        try:
            self._ask(self._wanted, limit=_LIMIT_SECONDS)
            self.wait_assigned()
        except BaseException:
            self.kill()
            raise

    def wait_assigned(self, limit: float = _LIMIT_SECONDS) -> set[tuple[str, int]]:
        """Wait until the group has given out its partitions; which of them are ours."""
        command = {"do": "wait_assigned", "limit": limit, "needs_partitions": self._needs_partitions}
        return {(topic, partition) for topic, partition in self._ask(command, limit=limit)}

    def read(self, count: int, *, commits: bool = True, limit: float = _LIMIT_SECONDS) -> list[ReadRecord]:
        """Read the next `count` records and commit them; MemberFailed if fewer come within `limit` seconds."""
        told = self._ask({"do": "read", "count": count, "limit": limit, "commits": commits}, limit=limit)
        return [
            ReadRecord(one["topic"], one["partition"], one["offset"], _bytes(one["value"]), _bytes(one["key"]))
            for one in told
        ]

    def assignment(self) -> set[tuple[str, int]]:
        """The partitions it has now."""
        return {(topic, partition) for topic, partition in self._ask({"do": "assignment"}, limit=_LIMIT_SECONDS)}

    def close(self, limit: float = _LIMIT_SECONDS) -> None:
        """Leave the group and end; a process that does not end in time is killed and MemberFailed raised."""
        child = self._child
        if child is None or child.poll() is not None:
            return
        self.resume()
        if child.stdin is not None:
            child.stdin.close()
        try:
            child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            self.kill()
            raise MemberFailed(
                f"The member of {self.group} did not leave within {limit:.0f} s and was killed."
            ) from None
        finally:
            self._release()

    def kill(self) -> None:
        """SIGKILL: the group keeps the member until its session ends."""
        self._signal(signal.SIGKILL)
        if self._child is not None:
            self._child.wait(timeout=_LIMIT_SECONDS)
        self._release()

    def pause(self) -> None:
        """SIGSTOP: no heartbeats any more."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT."""
        self._signal(signal.SIGCONT)

    @property
    def pid(self) -> int | None:
        """The process while it runs."""
        return self._child.pid if self._child is not None and self._child.poll() is None else None

    def _ask(self, line: dict[str, Any], *, limit: float) -> Any:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None or child.poll() is not None:
            raise MemberFailed(f"The member of {self.group} is not running.{self._said()}")
        child.stdin.write(json.dumps(line).encode() + b"\n")
        child.stdin.flush()
        ready, _, _ = select.select([child.stdout], [], [], limit + _MARGIN_SECONDS)
        answer = child.stdout.readline() if ready else b""
        if not answer:
            found = "ended" if ready else f"did not answer within {limit + _MARGIN_SECONDS:.0f} s"
            raise MemberFailed(f"The member of {self.group} {found}.{self._said()}")
        told = json.loads(answer)
        if "error" in told:
            raise MemberFailed(f"The member of {self.group} says: {told['error']}")
        return told["answer"]

    def _signal(self, number: signal.Signals) -> None:
        pid = self.pid
        if pid is not None:
            os.kill(pid, number)

    def _said(self) -> str:
        if self._errors.closed:
            return ""
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        return f" It wrote:\n{text[-2000:]}" if text else ""

    def _release(self) -> None:
        if self._child is not None:
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe is not None:
                    pipe.close()


def _settings(
    connection: dict[str, str], group: str, client_id: str, group_protocol: Protocol, instance_id: str | None
) -> dict[str, Any]:
    """The consumer's settings. KIP-848 leaves session and heartbeat to the broker, and refuses them here."""
    settings: dict[str, Any] = {
        **connection,
        "group.id": group,
        "client.id": client_id,
        "group.protocol": group_protocol,
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
    }
    if group_protocol == "classic":
        settings |= {"session.timeout.ms": _CLASSIC_SESSION_MS, "heartbeat.interval.ms": 1000}
    if instance_id is not None:
        settings["group.instance.id"] = instance_id
    return settings


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
