"""What a registered cluster may say of itself, and that nothing else reaches a client."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kafkaconsole.kafka.client_settings import MAX_PEM, librdkafka_settings, parse_settings
from kafkaconsole.kafka.errors import UnsafeSetting
from kafkaconsole.kafka.records import READER_SETTINGS
from kafkaconsole.kafka.tls import tls_context
from kafkaconsole.kafka.values import ConnectionSettings

LOGIN = {"sasl_mechanism": "SCRAM-SHA-512", "username": "console", "password": "secret words"}


@pytest.fixture(scope="module")
def pems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A self-signed certificate and its key."""
    folder: Path = tmp_path_factory.mktemp("pems")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=console", "-days", "2"]
    files = ["-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return {name: (folder / name).read_text() for name in ("key", "certificate")}


def refused(**given: object) -> dict[str, object]:
    with pytest.raises(UnsafeSetting) as error:
        parse_settings({"bootstrap_servers": "kafka:9092", **given})
    assert error.value.facts["expected"]
    return dict(error.value.facts)


@pytest.mark.parametrize(
    "name",
    [
        "plugin.library.paths",
        "sasl.kerberos.kinit.cmd",
        "ssl.engine.location",
        "ssl.ca.location",
        "log_cb",
        "error_cb",
        "oauth_cb",
        "bootstrap.servers",
        "debug",
        "ssl_context",
        "group.id",
    ],
)
def test_setting_outside_the_list_is_refused_by_name(name: str) -> None:
    assert refused(**{name: "/tmp/evil.so"})["setting"] == name


@pytest.mark.parametrize(
    ("text", "servers"),
    [
        ("kafka:9092", ("kafka:9092",)),
        (
            "kafka-1.example.com:9092, 10.0.0.2:9093\nkafka_3:1",
            ("kafka-1.example.com:9092", "10.0.0.2:9093", "kafka_3:1"),
        ),
        ("[2001:db8::1]:9092", ("[2001:db8::1]:9092",)),
        ("kafka:9092,kafka:9092", ("kafka:9092",)),
        (["a:1", "b:65535"], ("a:1", "b:65535")),
    ],
)
def test_addresses_are_read(text: object, servers: tuple[str, ...]) -> None:
    assert parse_settings({"bootstrap_servers": text}).bootstrap_servers == servers


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ,",
        "kafka",
        "kafka:",
        "kafka:0",
        "kafka:65536",
        "kafka:9092/path",
        "http://kafka:9092",
        "user@kafka:9092",
        "-kafka:9092",
        "2001:db8::1:9092",
        "[2001:db8::zz]:9092",
        "[kafka]:9092",
        "kafka:9092;ssl.engine.location=x",
        "a..b:9092",
        ",".join(f"h{number}:1" for number in range(21)),
        7,
        None,
        ["kafka:9092", 7],
    ],
)
def test_wrong_address_is_refused(text: object) -> None:
    assert refused(bootstrap_servers=text)["setting"] == "bootstrap_servers"


@pytest.mark.parametrize("protocol", ["", "plaintext", "TLS", None, 1])
def test_unknown_protocol_is_refused(protocol: object) -> None:
    assert refused(security_protocol=protocol)["setting"] == "security_protocol"


@pytest.mark.parametrize("mechanism", ["", "GSSAPI", "OAUTHBEARER", "scram-sha-512", None])
def test_unknown_mechanism_is_refused(mechanism: object) -> None:
    facts = refused(security_protocol="SASL_SSL", **{**LOGIN, "sasl_mechanism": mechanism})
    assert facts["setting"] == "sasl_mechanism"


@pytest.mark.parametrize("name", ["username", "password"])
@pytest.mark.parametrize("text", ["", "line\nbreak", "x" * 256, None])
def test_login_must_be_whole(name: str, text: object) -> None:
    assert refused(security_protocol="SASL_PLAINTEXT", **{**LOGIN, name: text})["setting"] == name


@pytest.mark.parametrize("limit", [0, 999, 60_001, "15000", True, 1.5])
def test_time_limit_must_be_in_bounds(limit: object) -> None:
    assert refused(request_timeout_ms=limit)["setting"] == "request_timeout_ms"


def test_host_check_must_be_true_or_false() -> None:
    assert refused(check_hostname="no")["setting"] == "check_hostname"


def test_certificates_are_taken(pems: dict[str, str]) -> None:
    settings = parse_settings(
        {
            "bootstrap_servers": "kafka:9093",
            "security_protocol": "SSL",
            "ca_pem": pems["certificate"],
            "certificate_pem": pems["certificate"],
            "key_pem": pems["key"],
        }
    )
    assert settings.key_pem == pems["key"]
    assert tls_context(settings) is not None


def test_wrong_certificates_are_refused(pems: dict[str, str]) -> None:
    certificate, key = pems["certificate"], pems["key"]
    broken = certificate.replace("MII", "MIX", 1)
    assert refused(security_protocol="SSL", ca_pem="words")["setting"] == "ca_pem"
    assert refused(security_protocol="SSL", ca_pem=broken) == {
        "setting": "ca_pem",
        "found": "unreadable",
        "expected": "certificates in PEM form",
    }
    assert refused(security_protocol="SSL", ca_pem=key)["setting"] == "ca_pem"
    assert refused(security_protocol="SSL", ca_pem="x" * (MAX_PEM + 1))["setting"] == "ca_pem"
    assert refused(security_protocol="SSL", certificate_pem=certificate)["setting"] == "key_pem"
    assert refused(security_protocol="SSL", key_pem=key)["setting"] == "certificate_pem"
    encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIE\n-----END ENCRYPTED PRIVATE KEY-----"
    for wrong in (encrypted, "words"):
        assert refused(security_protocol="SSL", certificate_pem=certificate, key_pem=wrong) == {
            "setting": "key_pem",
            "found": "something else",
            "expected": "an unencrypted private key in PEM form",
        }


def test_what_the_protocol_does_not_use_is_not_kept() -> None:
    settings = parse_settings({"bootstrap_servers": "kafka:9092", **LOGIN, "ca_pem": "anything"})
    assert settings == ConnectionSettings(("kafka:9092",))


def test_librdkafka_is_told_only_what_is_on_the_list(pems: dict[str, str]) -> None:
    settings = parse_settings(
        {
            "bootstrap_servers": "kafka:9093",
            "security_protocol": "SASL_SSL",
            **LOGIN,
            "ca_pem": pems["certificate"],
            "certificate_pem": pems["certificate"],
            "key_pem": pems["key"],
        }
    )
    assert set(librdkafka_settings(settings)) == {
        "bootstrap.servers",
        "client.id",
        "security.protocol",
        "socket.timeout.ms",
        "socket.connection.setup.timeout.ms",
        "reconnect.backoff.max.ms",
        "log_level",
        "sasl.mechanism",
        "sasl.username",
        "sasl.password",
        "ssl.endpoint.identification.algorithm",
        "ssl.ca.pem",
        "ssl.certificate.pem",
        "ssl.key.pem",
    }
    assert librdkafka_settings(settings)["ssl.endpoint.identification.algorithm"] == "https"


def test_reader_never_commits() -> None:
    assert READER_SETTINGS["enable.auto.commit"] is False
    assert READER_SETTINGS["enable.auto.offset.store"] is False


def test_secrets_are_not_shown() -> None:
    settings = parse_settings({"bootstrap_servers": "kafka:9093", "security_protocol": "SASL_PLAINTEXT", **LOGIN})
    assert "secret words" not in repr(settings)
