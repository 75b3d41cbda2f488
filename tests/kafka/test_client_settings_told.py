"""What is told of each setting of a cluster that is not taken, and what the clients are told of those that are."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kafkaconsole.kafka.client_settings import librdkafka_settings, parse_settings
from kafkaconsole.kafka.errors import UnsafeSetting
from kafkaconsole.kafka.values import ConnectionSettings

ADDRESS = "host:port such as kafka-1.example.com:9092 or [2001:db8::1]:9092"
PROTOCOLS = "PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL"
MECHANISMS = "PLAIN, SCRAM-SHA-256, SCRAM-SHA-512"
LOGIN = {"sasl_mechanism": "SCRAM-SHA-512", "username": "console", "password": "secret words"}
SASL = {"security_protocol": "SASL_SSL", **LOGIN}
SSL = {"security_protocol": "SSL"}
KEY = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"
LIMIT = "milliseconds from 1000 to 60000"


@pytest.mark.parametrize(
    ("given", "setting", "found", "expected"),
    [
        (
            {"debug": "all"},
            "debug",
            "a setting that is not taken",
            "bootstrap_servers, ca_pem, certificate_pem, check_hostname, key_pem, password, request_timeout_ms, "
            "sasl_mechanism, security_protocol, username",
        ),
        ({"security_protocol": "x" * 300}, "security_protocol", "x" * 255, PROTOCOLS),
        ({"security_protocol": 1}, "security_protocol", "1", PROTOCOLS),
        ({"bootstrap_servers": ""}, "bootstrap_servers", "0 addresses", "1 to 20 as host:port"),
        (
            {"bootstrap_servers": ",".join(f"h{number}:1" for number in range(21))},
            "bootstrap_servers",
            "21 addresses",
            "1 to 20 as host:port",
        ),
        ({"bootstrap_servers": 5}, "bootstrap_servers", "int", "host:port, host:port …"),
        ({"bootstrap_servers": ["a:1", 5]}, "bootstrap_servers", "list", "host:port, host:port …"),
        ({"bootstrap_servers": "kafka"}, "bootstrap_servers", "kafka", ADDRESS),
        ({"bootstrap_servers": "kafka:0"}, "bootstrap_servers", "kafka:0", ADDRESS),
        ({"bootstrap_servers": "kafka:65536"}, "bootstrap_servers", "kafka:65536", ADDRESS),
        ({"bootstrap_servers": f"{'x' * 300}:1"}, "bootstrap_servers", "x" * 255, ADDRESS),
        ({"bootstrap_servers": f"{'a.' * 127}bc:1"}, "bootstrap_servers", f"{'a.' * 127}b", ADDRESS),
        ({"bootstrap_servers": "[1::2::3]:1"}, "bootstrap_servers", "[1::2::3]:1", "an IPv6 address in brackets"),
        ({"security_protocol": "SASL_SSL"}, "username", "nothing", "what the brokers know the console by"),
        ({**SASL, "password": ""}, "password", "nothing", "what the brokers know the console by"),
        ({**SASL, "username": "a\nb"}, "username", "a control character", "printable characters"),
        ({**SASL, "password": "a\x7f"}, "password", "a control character", "printable characters"),
        ({**SASL, "username": 5}, "username", "int", "text of at most 255 characters"),
        ({**SASL, "password": "x" * 256}, "password", "256 characters", "text of at most 255 characters"),
        ({**SASL, "sasl_mechanism": "GSSAPI"}, "sasl_mechanism", "GSSAPI", MECHANISMS),
        ({**SASL, "sasl_mechanism": ""}, "sasl_mechanism", "", MECHANISMS),
        ({**SSL, "ca_pem": "words"}, "ca_pem", "no certificate", "certificates in PEM form"),
        ({**SSL, "certificate_pem": "words"}, "certificate_pem", "no certificate", "certificates in PEM form"),
        ({**SSL, "ca_pem": "x" * 100_001}, "ca_pem", "100001 characters", "text of at most 100000 characters"),
        ({**SSL, "key_pem": KEY}, "certificate_pem", "nothing", "a certificate and its key, or neither"),
        ({"check_hostname": "x" * 300}, "check_hostname", "x" * 255, "true or false"),
        ({"request_timeout_ms": 999}, "request_timeout_ms", "999", LIMIT),
        ({"request_timeout_ms": 60_001}, "request_timeout_ms", "60001", LIMIT),
        ({"request_timeout_ms": True}, "request_timeout_ms", "True", LIMIT),
        ({"request_timeout_ms": "9" * 300}, "request_timeout_ms", "9" * 255, LIMIT),
    ],
)
def test_a_refused_setting_says_what_was_found_and_what_was_expected(
    given: Mapping[str, object], setting: str, found: str, expected: str
) -> None:
    with pytest.raises(UnsafeSetting) as caught:
        parse_settings({"bootstrap_servers": "kafka:9092", **given})
    assert caught.value.facts == {"setting": setting, "found": found, "expected": expected}


def test_nothing_but_addresses_is_needed() -> None:
    settings = parse_settings({"bootstrap_servers": "kafka:9092"})
    assert settings == ConnectionSettings(("kafka:9092",), "PLAINTEXT", check_hostname=True, request_timeout_ms=15_000)
    with pytest.raises(UnsafeSetting) as caught:
        parse_settings({})
    assert caught.value.facts["found"] == "0 addresses"
    with pytest.raises(UnsafeSetting) as caught:
        parse_settings({"bootstrap_servers": "a:1", **{**SASL, "sasl_mechanism": None}})
    assert caught.value.facts["found"] == "None"
    with pytest.raises(UnsafeSetting) as caught:
        parse_settings({"bootstrap_servers": "a:1", "security_protocol": "SASL_SSL", "username": "a", "password": "b"})
    assert caught.value.facts["found"] == ""


@pytest.mark.parametrize("limit", [1_000, 60_000])
def test_the_edges_of_the_time_limit_are_taken(limit: int) -> None:
    settings = parse_settings({"bootstrap_servers": "kafka:9092", "request_timeout_ms": limit})
    assert settings.request_timeout_ms == limit


def test_the_longest_texts_are_taken() -> None:
    given = {**SASL, "username": "u" * 255, "password": "p" * 255, "security_protocol": "SASL_PLAINTEXT"}
    servers = [f"{'a.' * 127}b:1", *(f"h{number}:65535" for number in range(19))]
    settings = parse_settings({"bootstrap_servers": servers, **given})
    assert (len(settings.username), len(settings.password), len(settings.bootstrap_servers)) == (255, 255, 20)


def test_a_login_and_certificates_are_taken_only_where_the_protocol_asks_for_them() -> None:
    plain = parse_settings({"bootstrap_servers": "a:1", **LOGIN, "ca_pem": "words"})
    assert (plain.sasl_mechanism, plain.username, plain.password, plain.ca_pem) == ("", "", "", "")
    sasl = parse_settings(
        {"bootstrap_servers": "a:1", **SASL, "security_protocol": "SASL_PLAINTEXT", "ca_pem": "words"}
    )
    assert (sasl.sasl_mechanism, sasl.username, sasl.password) == ("SCRAM-SHA-512", "console", "secret words")
    assert sasl.ca_pem == ""


BASE = {
    "bootstrap.servers": "a:1,b:2",
    "client.id": "kafka-console",
    "socket.timeout.ms": 15_000,
    "socket.connection.setup.timeout.ms": 10_000,
    "reconnect.backoff.max.ms": 1_000,
    "log_level": 2,
}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (ConnectionSettings(("a:1", "b:2")), {**BASE, "security.protocol": "PLAINTEXT"}),
        (
            ConnectionSettings(("a:1", "b:2"), request_timeout_ms=2_000),
            {
                **BASE,
                "security.protocol": "PLAINTEXT",
                "socket.timeout.ms": 2_000,
                "socket.connection.setup.timeout.ms": 2_000,
            },
        ),
        (
            ConnectionSettings(("a:1", "b:2"), "SASL_PLAINTEXT", "PLAIN", "console", "secret", ca_pem="CA"),
            {
                **BASE,
                "security.protocol": "SASL_PLAINTEXT",
                "sasl.mechanism": "PLAIN",
                "sasl.username": "console",
                "sasl.password": "secret",
            },
        ),
        (
            ConnectionSettings(("a:1", "b:2"), "SSL", username="console", ca_pem="CA"),
            {
                **BASE,
                "security.protocol": "SSL",
                "ssl.endpoint.identification.algorithm": "https",
                "ssl.ca.pem": "CA",
            },
        ),
        (
            ConnectionSettings(
                ("a:1", "b:2"), "SSL", certificate_pem="CERTIFICATE", key_pem="KEY", check_hostname=False
            ),
            {
                **BASE,
                "security.protocol": "SSL",
                "ssl.endpoint.identification.algorithm": "none",
                "ssl.certificate.pem": "CERTIFICATE",
                "ssl.key.pem": "KEY",
            },
        ),
    ],
)
def test_librdkafka_is_told_this_and_nothing_else(settings: ConnectionSettings, told: Mapping[str, object]) -> None:
    assert librdkafka_settings(settings) == told
