"""The one place here that makes a kafka-python admin client (that library has no types).

The client's failed start would leave a thread and sockets behind; `opened` leaves neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kafka.admin import KafkaAdminClient
from kafka.net.compat import KafkaNetClient

from devtools.kafka.logins import Door

_REQUEST_LIMIT_MS = 15_000


@contextmanager
def opened(door: Door, *, limit_ms: int = _REQUEST_LIMIT_MS) -> Iterator[Any]:
    """A short-lived admin client; raises kafka-python's own errors."""
    made: list[Any] = []

    def network(**config: Any) -> Any:
        made.append(KafkaNetClient(**config))
        return made[-1]

    settings: dict[str, Any] = {**door.kafka_python(), "kafka_client": network}
    try:
        client = KafkaAdminClient(request_timeout_ms=limit_ms, bootstrap_timeout_ms=limit_ms, **settings)
    except BaseException:
        for net in made:
            net.close()
            net._manager._net.stop()
        raise
    try:
        yield client
    finally:
        client.close()
