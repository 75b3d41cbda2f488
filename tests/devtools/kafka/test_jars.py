"""Kafka's jars are gathered once, whole or not at all, and later starts need no Maven."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from devtools.kafka import archive, jars
from devtools.kafka.errors import JarsNotGathered

COPYING_MAVEN = """#!/bin/sh
for word in "$@"; do case $word in -DoutputDirectory=*) folder=${word#*=};; esac; done
echo jar > "$folder/kafka_2.13-4.4.0.jar"
echo jar > "$folder/kafka-tools-4.4.0.jar"
echo called >> "%s"
"""
FAILING_MAVEN = "#!/bin/sh\necho 'ERROR: no route to the repository'\nexit 1\n"


@pytest.fixture
def libs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A libs folder of this test alone, beside a class archive that is never made (its jars are no jars)."""
    monkeypatch.setenv("KAFKA_LIBS_DIR", str(tmp_path / "libs"))
    monkeypatch.setattr(archive, "with_archive", lambda runtime, folder: runtime)
    return tmp_path / "libs"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Maven that copies two jars and writes down that it was called."""
    called = tmp_path / "calls"
    put_maven(monkeypatch, tmp_path, COPYING_MAVEN % called)
    return called


def put_maven(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    program = folder / "bin" / "mvn"
    program.parent.mkdir(exist_ok=True)
    program.write_text(text)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{Path(shutil.which('java') or '').parent}:/usr/bin:/bin")


def test_a_second_call_starts_no_maven(libs: Path, calls: Path) -> None:
    first = jars.runtime()
    second = jars.runtime()
    assert calls.read_text() == "called\n"
    assert first.jars == second.jars == (libs / "kafka-tools-4.4.0.jar", libs / "kafka_2.13-4.4.0.jar")


def test_a_jar_that_is_missing_is_gathered_again(libs: Path, calls: Path) -> None:
    jars.runtime()
    (libs / "kafka-tools-4.4.0.jar").unlink()
    assert not jars.is_complete(libs)
    assert len(jars.runtime().jars) == 2
    assert calls.read_text() == "called\ncalled\n"


def test_a_jar_that_was_cut_short_is_gathered_again(libs: Path, calls: Path) -> None:
    jars.runtime()
    (libs / "kafka-tools-4.4.0.jar").write_text("")
    jars.runtime()
    assert (libs / "kafka-tools-4.4.0.jar").read_text() == "jar\n"


def test_another_pom_is_gathered_again(
    libs: Path, calls: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    jars.runtime()
    other = tmp_path / "pom.xml"
    other.write_text(jars.POM.read_text().replace("4.4.0", "4.4.1"))
    monkeypatch.setattr(jars, "POM", other)
    assert not jars.is_complete(libs)


def test_a_failed_maven_says_what_it_said_and_leaves_the_old_jars(
    libs: Path, calls: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    jars.runtime()
    (libs / "kafka-tools-4.4.0.jar").unlink()
    put_maven(monkeypatch, tmp_path, FAILING_MAVEN)
    with pytest.raises(JarsNotGathered, match=r"exit code 1\)\. It said:\nERROR: no route to the repository"):
        jars.runtime()
    assert (libs / "kafka_2.13-4.4.0.jar").exists()


def test_the_command_says_in_one_sentence_why_it_cannot(
    libs: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_maven(monkeypatch, tmp_path, FAILING_MAVEN)
    assert jars.main() == 1
    assert "no route to the repository" in capsys.readouterr().err


def test_every_version_in_the_pom_is_exact_and_no_host_is_named() -> None:
    text = jars.POM.read_text()
    namespace = {"m": "http://maven.apache.org/POM/4.0.0"}
    versions = [one.text for one in ElementTree.fromstring(text).iterfind(".//m:version", namespace)]
    properties = ElementTree.fromstring(text).find("m:properties", namespace)
    assert properties is not None
    assert all(version and not set(version) & set("[](,) ") and "SNAPSHOT" not in version for version in versions)
    assert "<repositor" not in text
    assert properties.findtext("m:kafka.version", namespaces=namespace) == "4.4.0"


def test_the_real_runtime_has_an_archive_made_for_this_java() -> None:
    runtime = jars.runtime()
    assert runtime.archive is not None
    assert runtime.archive.stat().st_size > 10_000_000
    assert jars.runtime().archive == runtime.archive
    assert not [jar for jar in runtime.jars if "connect-runtime" in jar.name]
