"""Why a connection failed, as a stable code: neither client's exception says it (kafka-facts 4).

kafka-python logs the cause as a warning of `kafka.net.manager`; librdkafka tells it to its `error_cb`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from types import TracebackType

from kafkaconsole.kafka.errors import AuthenticationRefused, KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.values import ConnectionSettings

TIMED_OUT = "timed_out"

CREDENTIAL_REASONS = frozenset(
    {
        "wrong_credentials",
        "mechanism_not_offered",
        "certificate_not_trusted",
        "hostname_mismatch",
        "client_certificate_required",
        "sasl_required",
    }
)
"""The brokers refuse who we are, or we refuse who they are: `AuthenticationRefused`."""

SETTING_REASONS = frozenset(
    {"tls_to_plaintext", "plaintext_to_tls", "sasl_not_spoken", "controller_port", "broker_too_old"}
)
"""The address answers, but not as the settings say: `KafkaRefused`. Every other reason is `KafkaUnavailable`."""

PATTERNS = (
    (r"UnsupportedSaslMechanism|Unsupported SASL mechanism|UNSUPPORTED_SASL_MECHANISM", "mechanism_not_offered"),
    (r"IllegalSaslState|current SASL state|ILLEGAL_SASL_STATE", "sasl_not_spoken"),
    (r"SaslAuthenticationFailed|invalid credentials|SASL_AUTHENTICATION_FAILED", "wrong_credentials"),
    (r"Hostname mismatch|IP address mismatch|hostname mismatch", "hostname_mismatch"),
    (r"CERTIFICATE_VERIFY_FAILED|certificate verify failed", "certificate_not_trusted"),
    (
        r"ALERT_BAD_CERTIFICATE|ALERT_CERTIFICATE_REQUIRED|alert bad certificate|certificate required",
        "client_certificate_required",
    ),
    (r"UNEXPECTED_EOF_WHILE_READING|WRONG_VERSION_NUMBER|PLAINTEXT broker listener", "tls_to_plaintext"),
    (r"IncompatibleBrokerVersion|ApiVersionRequest.*controller|controller", "controller_port"),
    (r"ECONNREFUSED|Connection refused", "nothing_listens"),
    (
        r"DNS lookup failed|DNS Resolution failure|[Nn]ame or service not known|getaddrinfo|Failed to resolve|Name resolution",
        "address_not_found",
    ),
    (r"ENETUNREACH|EHOSTUNREACH|No route to host|Network is unreachable", "no_route"),
    (r"timed out|Timeout|TimeoutError", TIMED_OUT),
)

TLS_ALERT = 0x1503
"""A TLS alert read as Kafka's four-byte frame length begins with these two bytes."""


def reason_in(text: str, settings: ConnectionSettings) -> str | None:
    """The reason that a client's log line or error text tells; None if it tells none."""
    frame = re.search(r"Invalid frame length: (\d+)", text)
    if frame and int(frame.group(1)) >> 16 == TLS_ALERT:
        return "plaintext_to_tls"
    for pattern, reason in PATTERNS:
        if re.search(pattern, text):
            return reason
    if re.search(r"disconnected", text, re.IGNORECASE):
        return "sasl_required" if not settings.security_protocol.startswith("SASL") else "disconnected"
    return None


def error_for(reason: str, settings: ConnectionSettings, detail: str = "") -> KafkaRefused | KafkaUnavailable:
    """The error of the right family for a reason; facts: reason, bootstrap_servers, detail."""
    family: type[KafkaRefused] | type[KafkaUnavailable] = KafkaUnavailable
    if reason in CREDENTIAL_REASONS:
        family = AuthenticationRefused
    elif reason in SETTING_REASONS:
        family = KafkaRefused
    return family(reason=reason, bootstrap_servers=",".join(settings.bootstrap_servers), detail=detail)


def is_final(reason: str) -> bool:
    """Whether trying the same again cannot help, so that nobody need wait for the time limit."""
    return reason in CREDENTIAL_REASONS or reason in SETTING_REASONS


class Overheard(logging.Handler):
    """Listens to kafka-python's warnings while a client starts, and gives up early on a final reason.

    `give_up` is called, from the client's own thread, when going on is useless: after the first final reason, or
    once nothing was found listening `patience` times.
    """

    SOURCE = "kafka.net.manager"

    def __init__(self, settings: ConnectionSettings, give_up: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self.reason = TIMED_OUT
        self.detail = ""
        self._settings = settings
        self._give_up = give_up
        self._patience = 4 * len(settings.bootstrap_servers)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the most telling reason heard so far."""
        text = record.getMessage()
        reason = reason_in(text, self._settings)
        if reason is None:
            return
        if not is_final(self.reason) and (reason != TIMED_OUT or self.reason == TIMED_OUT):
            self.reason, self.detail = reason, text
        self._patience -= reason in ("nothing_listens", "address_not_found", "no_route")
        if is_final(reason) or self._patience <= 0:
            self._give_up()

    def __enter__(self) -> Overheard:
        source = logging.getLogger(self.SOURCE)
        if not source.isEnabledFor(logging.WARNING):
            source.setLevel(logging.WARNING)
        source.addHandler(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        logging.getLogger(self.SOURCE).removeHandler(self)
