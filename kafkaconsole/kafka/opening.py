"""Starting kafka-python's client, and leaving nothing of it behind."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import kafka.errors as kafka_errors
from kafka.admin import KafkaAdminClient
from kafka.net.compat import KafkaNetClient

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.reasons import TIMED_OUT, Overheard, error_for
from kafkaconsole.kafka.tls import tls_context
from kafkaconsole.kafka.values import ConnectionSettings
from kafkaconsole.kafka.wire import Wire

logger = logging.getLogger(__name__)


@contextmanager
def open_wire(settings: ConnectionSettings) -> Iterator[Wire]:
    """A connected Wire for the length of the block. Raises AuthenticationRefused, KafkaRefused or KafkaUnavailable."""
    client = _open_client(settings)
    try:
        yield Wire(client, settings)
    finally:
        client.close()


class _CouldNotStart(Exception):
    """A start that failed, with the reason that was overheard."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def _open_client(settings: ConnectionSettings) -> Any:
    """Twice, because the first broker is picked by chance: a stalled one uses up the whole time of a try."""
    context = tls_context(settings)
    try:
        return _try_to_open(settings, context)
    except _CouldNotStart as failure:
        if len(settings.bootstrap_servers) == 1 or failure.reason != TIMED_OUT:
            raise _told(failure, settings) from failure
    try:
        return _try_to_open(settings, context)
    except _CouldNotStart as failure:
        raise _told(failure, settings) from failure


def _told(failure: _CouldNotStart, settings: ConnectionSettings) -> KafkaRefused | KafkaUnavailable:
    """The error of a start that failed, and the one line about it: what the client itself says of it is kept out of
    the logs (`kafkaconsole.logs.ClientChatter`)."""
    error = error_for(failure.reason, settings, failure.detail)
    servers = ",".join(settings.bootstrap_servers)
    logger.warning("No connection to Kafka", extra={"bootstrap_servers": servers, "reason": failure.reason})
    return error


def _try_to_open(settings: ConnectionSettings, context: Any) -> Any:
    """A client; a start that fails leaves no thread and no socket behind."""
    never_log_secrets()
    made: list[Any] = []

    def network(**configuration: Any) -> Any:
        made.append(KafkaNetClient(**configuration))
        _hear_last_words(made[-1]._manager)
        return made[-1]

    def give_up() -> None:
        for net in made:
            net._manager.closed = True

    with Overheard(settings, give_up) as overheard:
        try:
            return KafkaAdminClient(kafka_client=network, **_configuration(settings, context))
        except BaseException as error:
            for net in made:
                net._manager.closed = False
                net.close()
                net._manager._net.stop()
            if not isinstance(error, kafka_errors.KafkaError):
                raise
            if isinstance(error, kafka_errors.IncompatibleBrokerVersion):
                raise _CouldNotStart("controller_port", str(error)) from error
            raise _CouldNotStart(overheard.reason, overheard.detail) from error


def _hear_last_words(manager: Any) -> None:
    """Let an answer that arrives together with the end of the connection be read.

    kafka-python 3.0.12 drops what it has received when the socket turns out to be closed in the same moment; so brokers
    that refuse a login, say why and hang up seemed only to hang up, and a commit's answer could be lost.
    """
    get_connection = manager.get_connection

    def get_attentive_connection(*arguments: Any, **options: Any) -> Any:
        connection = get_connection(*arguments, **options)
        connection.connection_made = lambda transport: _made(connection, transport)
        return connection

    manager.get_connection = get_attentive_connection


def _made(connection: Any, transport: Any) -> None:
    receive = transport._sock_recv

    def receive_to_the_end() -> tuple[bytes, Exception | None]:
        received, error = receive()
        return received, None if received else error  # the next read finds the end again

    transport._sock_recv = receive_to_the_end
    type(connection).connection_made(connection, transport)


def _configuration(settings: ConnectionSettings, context: Any) -> dict[str, Any]:
    configuration = {
        "bootstrap_servers": list(settings.bootstrap_servers),
        "client_id": "kafka-console",
        "security_protocol": settings.security_protocol,
        "request_timeout_ms": settings.request_timeout_ms,
        "bootstrap_timeout_ms": settings.request_timeout_ms,
        "reconnect_backoff_max_ms": 1000,
    }
    if context is not None:
        configuration |= {"ssl_context": context, "ssl_check_hostname": settings.check_hostname}
    if settings.security_protocol.startswith("SASL"):
        configuration |= {
            "sasl_mechanism": settings.sasl_mechanism,
            "sasl_plain_username": settings.username,
            "sasl_plain_password": settings.password,
        }
    return configuration


def never_log_secrets() -> None:
    """At DEBUG kafka-python writes its whole configuration, password included: its loggers stay above that."""
    for name in ("kafka", *(known for known in logging.root.manager.loggerDict if known.startswith("kafka."))):
        logger = logging.getLogger(name)
        if logger.isEnabledFor(logging.DEBUG):
            logger.setLevel(logging.INFO)
