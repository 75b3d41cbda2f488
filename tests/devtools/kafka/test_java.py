"""Finding a Java that can run the broker, and saying what to do when there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.kafka import java
from devtools.kafka.errors import ToolchainMissing


@pytest.fixture(autouse=True)
def fresh_look() -> Iterator[None]:
    java.found_java.cache_clear()
    yield
    java.found_java.cache_clear()


def java_that_says(folder: Path, text: str) -> Path:
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{text}' >&2\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("said", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('openjdk version "25" 2025-09-16', 25),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "21-ea" 2023-09-19', 21),
        ("command not found", None),
    ],
)
def test_the_major_version_is_read_from_what_java_says(said: str, major: int | None) -> None:
    assert java.java_major(said) == major


def test_missing_java_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        ToolchainMissing, match="none was found: run `apt-get install -y openjdk-17-jre-headless maven`"
    ):
        java.found_java()


def test_an_old_java_is_refused_and_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = java_that_says(tmp_path, 'openjdk version "11.0.2"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ToolchainMissing) as refused:
        java.found_java()
    assert str(program) in str(refused.value)
    assert "11.0.2" in str(refused.value)


def test_java_home_goes_before_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = java_that_says(tmp_path, 'openjdk version "21.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java.found_java().program == str(program)


def test_missing_maven_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainMissing, match="needs Maven.*run `apt-get install -y openjdk-17-jre-headless maven`"):
        java.found_maven()


def test_a_command_line_names_every_jar_in_order_and_the_archive() -> None:
    runtime = java.Runtime(
        java=java.Java("/opt/java", "17"), jars=(Path("/libs/a.jar"), Path("/libs/b.jar")), archive=Path("/libs/k.jsa")
    )
    command = runtime.command("kafka.Kafka", "node.properties", flags=["-Xmx256m"])
    assert command[0] == "/opt/java"
    assert command[-4:] == ["-cp", "/libs/a.jar:/libs/b.jar", "kafka.Kafka", "node.properties"]
    assert "-XX:SharedArchiveFile=/libs/k.jsa" in command
    assert "-Xmx256m" in command
