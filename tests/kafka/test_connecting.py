"""Ways in, and the precise reason of every way that is shut."""

from __future__ import annotations

import gc
import logging
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.logins import CONSOLE
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.errors import AuthenticationRefused, KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.probing import probe
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import ConnectionSettings, Offset, RecordSpan, TopicPartition
from tests.kafka.worlds import settings_for

pytestmark = pytest.mark.kafka


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def refusal(settings: ConnectionSettings) -> ConsoleError:
    with pytest.raises((KafkaRefused, KafkaUnavailable)) as error, open_admin(settings):
        pass
    return error.value


@pytest.mark.parametrize("listener", ["SASL_PLAINTEXT", "SASL_SSL", "SSL"])
def test_every_listener_lets_the_console_in(kafka_tls: LocalKafka, listener: str) -> None:
    settings = settings_for(kafka_tls, CONSOLE, listener)
    with open_admin(settings) as admin:
        assert admin.describe_cluster().cluster_id
    assert probe(settings).failure == ""


def changed(kafka: LocalKafka, listener: str, **changes: object) -> ConnectionSettings:
    return replace(settings_for(kafka, CONSOLE, listener), **changes)  # type: ignore[arg-type]


WRONG = [
    ("SASL_PLAINTEXT", {"password": "not-the-password"}, "wrong_credentials", AuthenticationRefused),
    ("SASL_PLAINTEXT", {"username": "nobody"}, "wrong_credentials", AuthenticationRefused),
    ("SASL_PLAINTEXT", {"sasl_mechanism": "PLAIN"}, "mechanism_not_offered", AuthenticationRefused),
    ("SASL_PLAINTEXT", {"security_protocol": "PLAINTEXT"}, "sasl_required", AuthenticationRefused),
    ("SASL_PLAINTEXT", {"security_protocol": "SASL_SSL"}, "tls_to_plaintext", KafkaRefused),
    ("SASL_SSL", {"security_protocol": "SASL_PLAINTEXT"}, "plaintext_to_tls", KafkaRefused),
    ("SSL", {"security_protocol": "SASL_SSL"}, "sasl_not_spoken", KafkaRefused),
    ("SASL_SSL", {"ca_pem": ""}, "certificate_not_trusted", AuthenticationRefused),
    ("SSL", {"certificate_pem": "", "key_pem": ""}, "client_certificate_required", AuthenticationRefused),
]


@pytest.mark.parametrize(
    ("listener", "changes", "reason", "family"), WRONG, ids=[f"{row[2]}-{row[1]}" for row in WRONG]
)
def test_wrong_setting_is_told_by_its_reason_without_waiting(
    kafka_tls: LocalKafka, listener: str, changes: dict[str, object], reason: str, family: type[ConsoleError]
) -> None:
    settings = changed(kafka_tls, listener, **changes)
    error = refusal(settings)
    assert error.facts["reason"] == reason
    assert type(error) is family
    assert settings.password == "" or settings.password not in str(error)
    assert probe(settings).failure == reason


def test_sign_in_at_a_listener_that_takes_none_is_told(kafka_one: LocalKafka) -> None:
    settings = replace(settings_for(kafka_one), security_protocol="SASL_PLAINTEXT", username="a", password="b")
    assert refusal(settings).facts["reason"] == "sasl_not_spoken"
    assert probe(settings).failure == "sasl_not_spoken"


def test_name_that_is_not_in_the_certificate_is_told_and_may_be_allowed(kafka_tls: LocalKafka) -> None:
    settings = settings_for(kafka_tls, CONSOLE, "SASL_SSL")
    port = settings.bootstrap_servers[0].rpartition(":")[2]
    other_name = replace(settings, bootstrap_servers=(f"127.1:{port}",))  # the same machine by another name
    assert refusal(other_name).facts["reason"] == "hostname_mismatch"
    with open_admin(replace(other_name, check_hostname=False)) as admin:
        assert admin.describe_cluster().cluster_id


def test_controller_port_is_told(kafka_one: LocalKafka) -> None:
    configuration = kafka_one.folder / "node-1.properties"
    listeners = next(line for line in configuration.read_text().splitlines() if line.startswith("listeners="))
    port = listeners.partition("CONTROLLER://127.0.0.1:")[2].partition(",")[0]
    assert refusal(ConnectionSettings((f"127.0.0.1:{port}",))).facts["reason"] == "controller_port"


def test_nothing_listening_and_unknown_host_are_told_soon() -> None:
    closed = socket.create_server(("127.0.0.1", 0))
    port = closed.getsockname()[1]
    closed.close()
    assert refusal(ConnectionSettings((f"127.0.0.1:{port}",))).facts["reason"] == "nothing_listens"
    assert refusal(ConnectionSettings(("no-such-host.invalid:9092",))).facts["reason"] == "address_not_found"


def test_silent_server_is_a_time_out(silent_port: int) -> None:
    settings = ConnectionSettings((f"127.0.0.1:{silent_port}",), request_timeout_ms=1_000)
    error = refusal(settings)
    assert isinstance(error, KafkaUnavailable) and error.facts["reason"] == "timed_out"


def test_one_silent_server_of_two_is_got_round(kafka_one: LocalKafka, silent_port: int) -> None:
    good = settings_for(kafka_one)
    both = replace(
        good, bootstrap_servers=(f"127.0.0.1:{silent_port}", *good.bootstrap_servers), request_timeout_ms=3_000
    )
    tried = 0
    for _ in range(4):  # the first server is picked by chance; two silent picks in a row are told as a time-out
        try:
            with open_admin(both) as admin:
                assert admin.describe_cluster().cluster_id
                tried += 1
        except KafkaUnavailable as error:
            assert error.facts["reason"] == "timed_out"
    assert tried > 0


def test_reader_tells_why_it_does_not_connect(kafka_tls: LocalKafka) -> None:
    span = RecordSpan(TopicPartition("any", 0), Offset(0), Offset(1))
    settings = changed(kafka_tls, "SASL_PLAINTEXT", password="wrong")
    with open_reader(settings) as reader, pytest.raises(AuthenticationRefused) as error:
        list(reader.read([span], time_limit=timedelta(seconds=3)))
    assert error.value.facts["reason"] == "wrong_credentials"


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_two_hundred_clients_leave_no_descriptor_and_no_thread(kafka_one: LocalKafka) -> None:
    settings = settings_for(kafka_one)
    with open_admin(settings) as admin:
        admin.list_groups()
    gc.collect()
    before = (descriptors(), threading.active_count())
    for _ in range(200):
        with open_admin(settings) as admin:
            admin.list_groups()
    gc.collect()
    assert (descriptors(), threading.active_count()) == before


def test_failed_starts_leave_nothing_either(kafka_tls: LocalKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    # pytest keeps every log record, with it the error that it tells of, and with that the socket.
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    wrong = [
        changed(kafka_tls, "SASL_PLAINTEXT", password="wrong"),
        changed(kafka_tls, "SASL_SSL", ca_pem=""),
        ConnectionSettings(("127.0.0.1:1",)),
    ]
    refusal(wrong[0])
    gc.collect()
    before = (descriptors(), threading.active_count())
    for settings in wrong * 5:
        refusal(settings)
    gc.collect()
    assert (descriptors(), threading.active_count()) == before


def test_an_error_inside_the_block_closes_the_client_too(kafka_one: LocalKafka) -> None:
    settings = settings_for(kafka_one)
    gc.collect()
    before = (descriptors(), threading.active_count())
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), open_admin(settings) as admin:
            admin.list_groups()
            raise ZeroDivisionError
    gc.collect()
    assert (descriptors(), threading.active_count()) == before


def test_private_key_leaves_no_file_behind(
    kafka_tls: LocalKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_admin(settings_for(kafka_tls, CONSOLE, "SSL")) as admin:
        assert admin.describe_cluster().cluster_id
        assert list(tmp_path.iterdir()) == []


def test_password_is_never_logged_even_at_debug(kafka_tls: LocalKafka, caplog: pytest.LogCaptureFixture) -> None:
    names = ["kafka", *(name for name in logging.root.manager.loggerDict if name.startswith("kafka."))]
    levels = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(logging.DEBUG)
        with caplog.at_level(logging.DEBUG), open_admin(settings_for(kafka_tls, CONSOLE, "SASL_PLAINTEXT")) as admin:
            admin.list_groups()
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
    assert CONSOLE.password not in caplog.text
