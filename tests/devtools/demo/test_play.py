"""The demo's producer and consumer, and Kafka's own tool on a group; and groups that read to the end and stop."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.demo import play, story
from devtools.demo.layout import ROOT, DemoRefused
from devtools.demo.reading import read_to_the_end
from devtools.demo.steps import Steps
from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.ports import free_ports
from devtools.kafka.tools import Tools

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def kafka() -> Iterator[LocalKafka]:
    """A broker of its own with the shop's topics, empty but for hello."""
    with LocalKafka() as kafka:
        for topic in ("hello", "orders", "payments", "page-views"):
            topics.create_topic(kafka, topic, partitions=1 if topic == "hello" else 2)
        topics.produce_values(kafka, "hello", "m1", "m2", "m3")
        yield kafka


@pytest.fixture
def demo(kafka: LocalKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A demo's folder that says where this broker is."""
    port = int(kafka.bootstrap_servers.rpartition(":")[2])
    (tmp_path / "ports.json").write_text(json.dumps({"web": 1, "kafka": port, "valkey": 2}))
    monkeypatch.setenv("DEMO_DIR", str(tmp_path))
    return tmp_path


def test_what_is_produced_is_read_by_the_group_once(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play.main(["consume", "billing-play", "hello"]) == 0
    assert "billing-play has read 3, committed and stopped." in capsys.readouterr().out
    assert play.main(["produce", "hello", "m4", "m5"]) == 0
    assert "m4  → hello-0 at offset 3" in capsys.readouterr().out
    assert play.main(["consume", "billing-play", "hello"]) == 0
    said = capsys.readouterr().out
    assert "m3" not in said and "m4  ← hello-0 at offset 3" in said and "m5  ← hello-0 at offset 4" in said
    assert play.main(["consume", "billing-play", "hello"]) == 0
    assert "billing-play has read 0, committed and stopped." in capsys.readouterr().out


def test_kafka_s_own_tool_tells_the_offsets_of_the_group(
    demo: Path, kafka: LocalKafka, capsys: pytest.CaptureFixture[str]
) -> None:
    read_to_the_end(kafka, "billing-tool", ["hello"])
    assert play.main(["offsets", "billing-tool"]) == 0
    said = capsys.readouterr().out
    assert "CURRENT-OFFSET" in said and "billing-tool" in said
    assert play.main(["offsets", "billing-nobody"]) == 1
    said = capsys.readouterr().out
    assert "billing-nobody not found" in said and "at java.base" not in said


def test_readme_s_commands_are_understood() -> None:
    told = re.findall(r"^play (.*?) *#", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert [play._parser().parse_args(line.split()).act.__name__ for line in told] == [
        "_offsets",
        "_produce",
        "_consume",
    ]


def test_a_typing_error_makes_no_topic(demo: Path, kafka: LocalKafka, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["produce", "helo", "m4"], ["consume", "billing-play", "helo"]):
        assert play.main(words) == 1
        assert "There is no topic helo; there are hello, orders, page-views, payments." in capsys.readouterr().err


def test_where_no_demo_runs_the_command_to_start_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEMO_DIR", str(tmp_path))
    assert play.main(["offsets", "billing-hello"]) == 1
    assert f"No demo runs in {tmp_path}: start it with `make demo`" in capsys.readouterr().err
    (port,) = free_ports(1)
    (tmp_path / "ports.json").write_text(json.dumps({"kafka": port}))
    assert play.main(["offsets", "billing-hello"]) == 1
    assert "make demo" in capsys.readouterr().err


def test_a_group_that_has_nothing_new_to_read_stands_where_it_stood(kafka: LocalKafka) -> None:
    for _ in range(2):
        read_to_the_end(kafka, "billing-twice", ["hello", "orders"])
        expected = {("hello", 0): topics.log_bounds(kafka, "hello")[0][1], ("orders", 0): 0, ("orders", 1): 0}
        assert Tools(kafka).described_offsets("billing-twice") == expected


def test_groups_that_an_interrupted_start_has_made_are_made_again_unless_they_were_noted(
    kafka: LocalKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, read = Steps(tmp_path), read_to_the_end

    def break_at_the_third(kafka: LocalKafka, group: str, topics: list[str]) -> None:
        read(kafka, group, topics)
        if group == "billing-nightly":
            raise KeyboardInterrupt  # after its commit, before it is noted

    monkeypatch.setattr(story, "read_to_the_end", break_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        story.read_and_stop(kafka, steps)
    assert [group for group in story.STOPPED if steps.is_done(f"group {group}")] == ["billing-hello", "billing-parser"]

    again: list[str] = []

    def read_and_tell(kafka: LocalKafka, group: str, topics: list[str]) -> None:
        again.append(group)
        read(kafka, group, topics)

    monkeypatch.setattr(story, "read_to_the_end", read_and_tell)
    story.read_and_stop(kafka, Steps(tmp_path))
    assert again == ["billing-nightly", "billing-invoices", "search-rebuild"]
    assert set(Tools(kafka).described(story.STOPPED)) == set(story.STOPPED)


def test_a_topic_that_is_not_there_is_an_error_and_no_end(kafka: LocalKafka) -> None:
    with pytest.raises(DemoRefused, match="could not read or commit"):
        read_to_the_end(kafka, "billing-nothing", ["nowhere"])
