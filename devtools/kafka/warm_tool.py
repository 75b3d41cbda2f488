"""Kafka's command-line tools in one Java process that stays: many times quicker a run than a process each."""

from __future__ import annotations

import hashlib
import json
import select
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from devtools.kafka import jars, java
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import ToolFailed
from devtools.kafka.logins import ADMIN, Login
from devtools.kafka.processes import Child, start_bound
from devtools.kafka.tools import LOG4J, Tool, ToolAnswer, written_properties

SOURCE = Path(__file__).with_name("WarmTool.java")
_MAIN = SOURCE.stem
_LIMIT_SECONDS = 60.0
_COMPILE_LIMIT_SECONDS = 120.0
_STOP_LIMIT_SECONDS = 10.0


class WarmTool:
    """The tools of `devtools.kafka.tools`, pointed at one cluster as one of its users, in a `with`.

    `run` answers just as `Tools.run` does: the same exit code and texts as a process of its own would give, except for
    what the tools log. The process dies with this one. Entering raises ToolchainMissing where there is no javac.
    """

    def __init__(self, kafka: LocalKafka, login: Login = ADMIN) -> None:
        self._door = kafka.door(login)
        self._turn = threading.Lock()  # standard output is one for the whole process
        self._scratch = tempfile.TemporaryDirectory(prefix="kafka-warm-tool-")
        self._child: Child | None = None

    def __enter__(self) -> Self:
        runtime = jars.runtime()
        runtime = java.Runtime(runtime.java, (*runtime.jars, compiled(runtime)), runtime.archive)
        self._properties = written_properties(self._door, Path(self._scratch.name))
        flags = [f"-Dlog4j2.configurationFile={LOG4J}", "-Duser.language=en", "-Xmx128m"]
        with self._log.open("wb") as log:
            command = runtime.command(_MAIN, flags=flags)
            self._child = start_bound(command, input_from=subprocess.PIPE, output=subprocess.PIPE, errors=log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()
            try:
                self._child.wait(timeout=_STOP_LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                self._kill()
        self._scratch.cleanup()

    def run(self, tool: Tool, *arguments: str) -> ToolAnswer:
        """Run a tool with --bootstrap-server and the user's client properties added; its exit code is not judged here.

        Raises ToolFailed when it does not answer within a minute; the process is gone then.
        """
        words = [tool.value, *arguments]
        words += ["--bootstrap-server", self._door.bootstrap_servers, "--command-config", str(self._properties)]
        with self._turn:
            told = json.loads(self._asked(json.dumps(words)))
        return ToolAnswer(exit_code=told["exit_code"], stdout=told["stdout"], stderr=told["stderr"])

    @property
    def pid(self) -> int | None:
        """The Java process while it runs."""
        return self._child.pid if self._child is not None and self._child.poll() is None else None

    @property
    def _log(self) -> Path:
        return Path(self._scratch.name) / "warm-tool.log"

    def _asked(self, line: str) -> bytes:
        child = self._child
        if child is None or child.stdin is None or child.stdout is None or child.poll() is not None:
            raise ToolFailed(f"The warm tool is not running.{self._said()}")
        child.stdin.write(line.encode() + b"\n")
        child.stdin.flush()
        ready, _, _ = select.select([child.stdout], [], [], _LIMIT_SECONDS)
        answer = child.stdout.readline() if ready else b""
        if not answer:
            found = "ended" if ready else f"did not answer within {_LIMIT_SECONDS:.0f} s"
            self._kill()
            raise ToolFailed(f"The warm tool {found} on {line}.{self._said()}")
        return answer

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait(timeout=_STOP_LIMIT_SECONDS)

    def _said(self) -> str:
        text = self._log.read_text(errors="replace").strip() if self._log.exists() else ""
        return f" It wrote:\n{text[-2000:]}" if text else ""


def compiled(runtime: java.Runtime) -> Path:
    """The folder with our compiled class, made once per source, Java and set of jars. Raises ToolchainMissing, ToolFailed."""
    folder = jars.libs_folder().with_name(f"warm-tool-{_fingerprint(runtime)}")
    with jars.alone(folder):
        if not (folder / f"{_MAIN}.class").exists():
            _compile(runtime, folder)
    return folder


def _fingerprint(runtime: java.Runtime) -> str:
    facts = [SOURCE.read_text(), runtime.java.program, runtime.java.version, *(jar.name for jar in runtime.jars)]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _compile(runtime: java.Runtime, folder: Path) -> None:
    """Into a folder beside, then swap: a broken run leaves nothing half-made."""
    fresh = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(fresh, ignore_errors=True)
    class_path = ":".join(str(jar) for jar in runtime.jars)
    command = [java.found_compiler(), "-encoding", "UTF-8", "-cp", class_path, "-d", str(fresh), str(SOURCE)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_COMPILE_LIMIT_SECONDS)
    if ran.returncode != 0:
        raise ToolFailed(f"{SOURCE.name} could not be compiled. javac said:\n{(ran.stdout + ran.stderr).strip()}")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
