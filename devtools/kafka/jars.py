"""Gathers Apache Kafka's jars with Maven, once, by the exact versions of pom.xml.

`python -m devtools.kafka.jars` does it by hand; LocalKafka does it by itself. Later calls start no Maven and need no network.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.kafka import archive, java
from devtools.kafka.errors import JarsNotGathered, LocalKafkaError

POM = Path(__file__).with_name("pom.xml")
_RECORD = "gathered.json"
_MAVEN_LIMIT_SECONDS = 900


def libs_folder() -> Path:
    """Where the jars are kept: KAFKA_LIBS_DIR, else .cache/kafka/libs in the repository."""
    chosen = os.environ.get("KAFKA_LIBS_DIR")
    return Path(chosen).resolve() if chosen else POM.parents[2] / ".cache" / "kafka" / "libs"


def runtime() -> java.Runtime:
    """Everything that runs Kafka: Java, the jars, the class archive. Made when missing, otherwise found in milliseconds.

    Raises ToolchainMissing or JarsNotGathered.
    """
    found = java.found_java()
    folder = libs_folder()
    with alone(folder):
        if not is_complete(folder):
            _gather(folder)
        jars = tuple(sorted(folder.glob("*.jar")))
        return archive.with_archive(java.Runtime(java=found, jars=jars), folder)


def is_complete(folder: Path) -> bool:
    """Whether the folder holds all jars of today's pom.xml, each with its size at gathering time."""
    try:
        record = json.loads((folder / _RECORD).read_text())
    except (OSError, ValueError):
        return False
    return bool(record == _record_of(folder))


def _record_of(folder: Path) -> dict[str, object]:
    sizes = {jar.name: jar.stat().st_size for jar in sorted(folder.glob("*.jar"))}
    return {"pom": hashlib.sha256(POM.read_bytes()).hexdigest(), "jars": sizes}


def _gather(folder: Path) -> None:
    """Let Maven copy into a folder beside, then swap: a broken run leaves nothing half-filled."""
    maven = java.found_maven()
    fresh = folder.with_name(folder.name + ".part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    command = [maven, "--batch-mode", "--quiet", "--file", str(POM), "dependency:copy-dependencies"]
    command += [f"-DoutputDirectory={fresh}", "-DincludeScope=runtime"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_MAVEN_LIMIT_SECONDS)
    if ran.returncode != 0 or not any(fresh.glob("kafka_*.jar")):
        said = (ran.stdout + ran.stderr).strip()[-2000:]
        raise JarsNotGathered(f"Maven could not gather Kafka's jars (exit code {ran.returncode}). It said:\n{said}")
    (fresh / _RECORD).write_text(json.dumps(_record_of(fresh), indent=1))
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time fills `folder`; the others wait and then find it full."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / (folder.name + ".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Gather, and say where; one sentence when it cannot be done."""
    try:
        ready = runtime()
    except LocalKafkaError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Kafka's {len(ready.jars)} jars are in {libs_folder()}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
