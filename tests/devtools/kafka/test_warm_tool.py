"""The tools in a process that stays answer as they do in a process of their own, and it never outlives us."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.kafka import java, topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import ToolchainMissing, ToolFailed
from devtools.kafka.tools import Tool, ToolAnswer, Tools
from devtools.kafka.warm_tool import WarmTool
from tests.devtools.kafka.conftest import Started, ended_by_itself

RESET = ("--reset-offsets", "--dry-run", "--export", "--group")


@pytest.fixture(scope="module")
def warm_tool(kafka_one: LocalKafka) -> Iterator[WarmTool]:
    with WarmTool(kafka_one) as tool:
        yield tool


def without_frames(answer: ToolAnswer) -> ToolAnswer:
    """Where in the tool an exception came from differs by how the tool was started."""
    lines = [line for line in answer.stderr.splitlines() if not line.startswith("\t")]
    return ToolAnswer(answer.exit_code, answer.stdout, "\n".join(lines))


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (("--to-earliest", "--topic", "TOPIC"), 0),
        (("--to-offset", "1", "--topic", "TOPIC:1"), 0),
        (("--shift-by", "3", "--topic", "TOPIC"), 1),
        (("--to-offset", "abc", "--topic", "TOPIC"), 0),
        (("--to-earliest", "--topic", "TOPIC:9"), 0),
        (("--to-earliest", "--topic", "TOPIC:x"), 1),
        (("--no-such-option",), 1),
    ],
)
def test_a_warm_run_answers_as_a_process_of_its_own_does(
    kafka_one: LocalKafka,
    kafka_one_tools: Tools,
    warm_tool: WarmTool,
    topic_name: str,
    arguments: tuple[str, ...],
    exit_code: int,
) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    topics.produce_values(kafka_one, topic_name, "m1", "m2", partition=1)
    words = [*RESET, "nobody", *(word.replace("TOPIC", topic_name) for word in arguments)]
    warm = warm_tool.run(Tool.CONSUMER_GROUPS, *words)
    assert without_frames(warm) == without_frames(kafka_one_tools.run(Tool.CONSUMER_GROUPS, *words))
    assert warm.exit_code == exit_code


def test_a_run_that_ended_itself_leaves_nothing_for_the_next(warm_tool: WarmTool) -> None:
    for _ in range(2):
        assert warm_tool.run(Tool.CONSUMER_GROUPS, "--no-such-option").exit_code == 1
        listed = warm_tool.run(Tool.CONSUMER_GROUPS, "--list")
        assert (listed.exit_code, listed.stderr) == (0, "")


def test_warm_runs_are_several_times_quicker(
    kafka_one_tools: Tools, warm_tool: WarmTool, kafka_one: LocalKafka, topic_name: str
) -> None:
    topics.create_topic(kafka_one, topic_name)
    words = [*RESET, "nobody", "--to-earliest", "--topic", topic_name]

    def best_of_three(tool: Tools | WarmTool) -> float:
        taken = []
        for _ in range(3):
            began = time.monotonic()
            tool.run(Tool.CONSUMER_GROUPS, *words)
            taken.append(time.monotonic() - began)
        return min(taken)

    best_of_three(warm_tool)
    assert best_of_three(kafka_one_tools) > 3 * best_of_three(warm_tool)


def test_the_process_ends_with_the_block(kafka_one: LocalKafka) -> None:
    with WarmTool(kafka_one) as tool:
        assert tool.pid is not None
    assert tool.pid is None
    with pytest.raises(ToolFailed, match="not running"):
        tool.run(Tool.CONSUMER_GROUPS, "--list")


def test_the_process_dies_with_its_parent_even_when_that_is_killed(
    kafka_one: LocalKafka, start_python: Callable[..., Started]
) -> None:
    script = (
        "import sys, types\n"
        "from devtools.kafka.logins import Door, ADMIN\n"
        "from devtools.kafka.warm_tool import WarmTool\n"
        f"door = Door({kafka_one.bootstrap_servers!r}, 'PLAINTEXT', ADMIN, None)\n"
        "tool = WarmTool(types.SimpleNamespace(door=lambda login: door))\n"
        "tool.__enter__()\n"
        "print(tool.pid)\n"
        "sys.stdin.read()\n"
    )
    parent = start_python("-c", script)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    assert ended_by_itself(pid)


def test_missing_javac_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "java"
    program.write_text("#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    java.found_java.cache_clear()
    try:
        with pytest.raises(ToolchainMissing, match="none was found: run `apt-get install -y openjdk-17-jdk-headless`"):
            java.found_compiler()
    finally:
        java.found_java.cache_clear()
