"""The allow-list: what a registered cluster may say about how to reach it, and what of it the clients are told.

librdkafka has settings that load libraries and run programs (`plugin.library.paths`, `sasl.kerberos.kinit.cmd`,
`ssl.engine.location`); so no setting's name ever comes from outside: a form's values fill the fields below, and each
client's configuration is written here, key by key.
"""

from __future__ import annotations

import ipaddress
import re
import ssl
from collections.abc import Mapping

from kafkaconsole.kafka.errors import UnsafeSetting
from kafkaconsole.kafka.values import ConnectionSettings
from kafkaconsole.words import words

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")

MAX_SERVERS = 20
MAX_NAME = 255
MAX_PEM = 100_000
MIN_TIMEOUT_MS = 1_000
MAX_TIMEOUT_MS = 60_000

FIELDS = frozenset(
    {
        "bootstrap_servers",
        "security_protocol",
        "sasl_mechanism",
        "username",
        "password",
        "ca_pem",
        "certificate_pem",
        "key_pem",
        "check_hostname",
        "request_timeout_ms",
    }
)

HOST = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9_-]{1,63}(?<!-))*\.?")
ADDRESS = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<host>[^:\[\]]+)):(?P<port>[0-9]{1,5})")
KEY_HEADER = re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----")
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----\s+[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def parse_settings(given: Mapping[str, object]) -> ConnectionSettings:
    """The settings that a form's or an API's plain mapping means. Raises UnsafeSetting naming the first bad one."""
    for name in sorted(given):
        if name not in FIELDS:
            raise UnsafeSetting(
                setting=name, found=words("a setting that is not taken"), expected=", ".join(sorted(FIELDS))
            )
    protocol = _choice(given, "security_protocol", PROTOCOLS, "PLAINTEXT")
    return ConnectionSettings(
        bootstrap_servers=_servers(given.get("bootstrap_servers", "")),
        security_protocol=protocol,
        check_hostname=_flag(given, "check_hostname", default=True),
        request_timeout_ms=_timeout(given.get("request_timeout_ms", 15_000)),
        **_login(given, protocol.startswith("SASL")),
        **_certificates(given, protocol.endswith("SSL")),
    )


def librdkafka_settings(settings: ConnectionSettings) -> dict[str, object]:
    """The whole of what librdkafka is told of the connection; PEM texts go in memory, never through a file."""
    told: dict[str, object] = {
        "bootstrap.servers": ",".join(settings.bootstrap_servers),
        "client.id": "kafka-console",
        "security.protocol": settings.security_protocol,
        "socket.timeout.ms": settings.request_timeout_ms,
        "socket.connection.setup.timeout.ms": min(settings.request_timeout_ms, 10_000),
        "reconnect.backoff.max.ms": 1_000,
        "log_level": 2,  # its complaints reach us by error_cb, not as lines on the worker's standard error
    }
    if settings.security_protocol.startswith("SASL"):
        told["sasl.mechanism"] = settings.sasl_mechanism
        told["sasl.username"] = settings.username
        told["sasl.password"] = settings.password
    if settings.security_protocol.endswith("SSL"):
        told["ssl.endpoint.identification.algorithm"] = "https" if settings.check_hostname else "none"
        pems = {
            "ssl.ca.pem": settings.ca_pem,
            "ssl.certificate.pem": settings.certificate_pem,
            "ssl.key.pem": settings.key_pem,
        }
        told.update({name: text for name, text in pems.items() if text})
    return told


def _servers(given: object) -> tuple[str, ...]:
    """Addresses from a text split at commas, blanks and line ends, or from a list of texts."""
    parts = re.split(r"[,\s]+", given) if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise UnsafeSetting(
            setting="bootstrap_servers", found=type(given).__name__, expected=words("host:port, host:port …")
        )
    servers = tuple(dict.fromkeys(_server(part.strip()) for part in parts if part.strip()))
    if not 1 <= len(servers) <= MAX_SERVERS:
        raise UnsafeSetting(
            setting="bootstrap_servers",
            found=words("{count} addresses", count=len(servers)),
            expected=words("1 to {most} as host:port", most=MAX_SERVERS),
        )
    return servers


def _server(text: str) -> str:
    matched = ADDRESS.fullmatch(text)
    host = matched and (matched["v6"] or (matched["host"] if HOST.fullmatch(matched["host"]) else None))
    if not matched or not host or len(host) > MAX_NAME or not 1 <= int(matched["port"]) <= 65_535:
        raise UnsafeSetting(
            setting="bootstrap_servers",
            found=text[:MAX_NAME],
            expected=words("host:port such as kafka-1.example.com:9092 or [2001:db8::1]:9092"),
        )
    if matched["v6"]:
        _check_v6(matched["v6"], text)
    return text


def _check_v6(address: str, text: str) -> None:
    try:
        ipaddress.IPv6Address(address)
    except ValueError as error:
        raise UnsafeSetting(
            setting="bootstrap_servers", found=text, expected=words("an IPv6 address in brackets")
        ) from error


def _login(given: Mapping[str, object], wanted: bool) -> dict[str, str]:
    if not wanted:
        return {}
    username, password = _text(given, "username", MAX_NAME), _text(given, "password", MAX_NAME)
    for name, text in (("username", username), ("password", password)):
        if not text:
            raise UnsafeSetting(
                setting=name, found=words("nothing"), expected=words("what the brokers know the console by")
            )
        if CONTROL.search(text):
            raise UnsafeSetting(
                setting=name, found=words("a control character"), expected=words("printable characters")
            )
    mechanism = _choice(given, "sasl_mechanism", MECHANISMS, "")
    return {"sasl_mechanism": mechanism, "username": username, "password": password}


def _certificates(given: Mapping[str, object], wanted: bool) -> dict[str, str]:
    if not wanted:
        return {}
    texts = {name: _text(given, name, MAX_PEM) for name in ("ca_pem", "certificate_pem", "key_pem")}
    for name in ("ca_pem", "certificate_pem"):
        if texts[name]:
            _check_certificates(name, texts[name])
    if bool(texts["certificate_pem"]) != bool(texts["key_pem"]):
        missing = "key_pem" if texts["certificate_pem"] else "certificate_pem"
        raise UnsafeSetting(
            setting=missing, found=words("nothing"), expected=words("a certificate and its key, or neither")
        )
    if texts["key_pem"] and (not KEY_HEADER.search(texts["key_pem"]) or "ENCRYPTED" in texts["key_pem"]):
        raise UnsafeSetting(
            setting="key_pem", found=words("something else"), expected=words("an unencrypted private key in PEM form")
        )
    return texts


def _check_certificates(name: str, text: str) -> None:
    found = CERTIFICATE.findall(text)
    try:
        for certificate in found:
            ssl.create_default_context(cadata=certificate)
    except ssl.SSLError as error:
        raise UnsafeSetting(
            setting=name, found=error.reason or words("unreadable"), expected=words("certificates in PEM form")
        ) from error
    if not found:
        raise UnsafeSetting(setting=name, found=words("no certificate"), expected=words("certificates in PEM form"))


def _text(given: Mapping[str, object], name: str, longest: int) -> str:
    text = given.get(name, "")
    if not isinstance(text, str) or len(text) > longest:
        found = type(text).__name__ if not isinstance(text, str) else f"{len(text)} characters"
        raise UnsafeSetting(
            setting=name, found=found, expected=words("text of at most {most} characters", most=longest)
        )
    return text


def _choice(given: Mapping[str, object], name: str, choices: tuple[str, ...], default: str) -> str:
    chosen = given.get(name, default)
    if chosen not in choices or not isinstance(chosen, str):
        raise UnsafeSetting(setting=name, found=str(chosen)[:MAX_NAME], expected=", ".join(choices))
    return chosen


def _flag(given: Mapping[str, object], name: str, *, default: bool) -> bool:
    chosen = given.get(name, default)
    if not isinstance(chosen, bool):
        raise UnsafeSetting(setting=name, found=str(chosen)[:MAX_NAME], expected=words("true or false"))
    return chosen


def _timeout(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not MIN_TIMEOUT_MS <= given <= MAX_TIMEOUT_MS:
        raise UnsafeSetting(
            setting="request_timeout_ms",
            found=str(given)[:MAX_NAME],
            expected=words(
                "milliseconds from {least} to {most}",
                least=MIN_TIMEOUT_MS,
                most=MAX_TIMEOUT_MS,
            ),
        )
    return given
