"""Clusters start, keep what they were given, survive kills, and leave nothing behind."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from devtools.kafka import admin, configs, coordinators, node, ports, topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import FolderMismatch, KafkaDidNotStart, LocalKafkaError, PortTaken
from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tools
from devtools.kafka.waiting import comes_true
from tests.devtools.kafka.conftest import Started, ended_by_itself, is_gone

pytestmark = pytest.mark.kafka

STARTS_A_CLUSTER = """
import time
from devtools.kafka.cluster import LocalKafka
with LocalKafka() as kafka:
    print(kafka.nodes[0].pid, flush=True)
    time.sleep(600)
"""


def brokers_of(kafka: LocalKafka) -> set[int]:
    """The brokers that serve; one that is down stays listed as fenced."""
    with admin.opened(kafka.door()) as client:
        return {one["broker_id"] for one in client.describe_cluster()["brokers"] if not one["is_fenced"]}


def commit_by_reading(kafka: LocalKafka, topic: str, group: str, *, values: int, read: int) -> None:
    topics.create_topic(kafka, topic)
    topics.produce_values(kafka, topic, *(f"m{number}" for number in range(1, values + 1)))
    with GroupMember(kafka, group, topics=[topic]) as member:
        member.read(read)


def test_one_node_is_one_broker(kafka_one: LocalKafka) -> None:
    assert brokers_of(kafka_one) == {1}


def test_three_nodes_are_three_brokers_with_three_copies(kafka_three: LocalKafka, topic_name: str) -> None:
    assert brokers_of(kafka_three) == {1, 2, 3}
    topics.create_topic(kafka_three, topic_name, partitions=3)
    with admin.opened(kafka_three.door()) as client:
        (described,) = client.describe_topics([topic_name])
    assert [sorted(one["replica_nodes"]) for one in described["partitions"]] == [[1, 2, 3]] * 3


def test_groups_are_served_from_the_first_moment(kafka_one: LocalKafka) -> None:
    with admin.opened(kafka_one.door()) as client:
        assert client.list_group_offsets(["nobody-ever-saw-this-group"]) == {"nobody-ever-saw-this-group": {}}


def test_a_killed_broker_keeps_offsets_and_records(breakable_one: LocalKafka, topic_name: str, group_name: str) -> None:
    commit_by_reading(breakable_one, topic_name, group_name, values=5, read=3)
    servers = breakable_one.bootstrap_servers
    breakable_one.kill_node(1)
    assert not breakable_one.node(1).is_running
    breakable_one.start_node(1)
    assert breakable_one.bootstrap_servers == servers
    assert topics.log_bounds(breakable_one, topic_name) == {0: (0, 5)}
    assert Tools(breakable_one).described_offsets(group_name) == {(topic_name, 0): 3}


def test_three_nodes_go_on_without_one(breakable_three: LocalKafka, topic_name: str) -> None:
    topics.create_topic(breakable_three, topic_name)
    breakable_three.stop_node(3)
    assert comes_true(lambda: brokers_of(breakable_three) == {1, 2}, limit=30)
    assert topics.produce_values(breakable_three, topic_name, "m1") == [topics.Written(0, 0)]
    breakable_three.start_node(3)
    assert comes_true(lambda: brokers_of(breakable_three) == {1, 2, 3}, limit=30)


def test_a_paused_broker_answers_again_after_mending(breakable_one: LocalKafka) -> None:
    breakable_one.pause_node(1)
    pid = breakable_one.node(1).pid
    assert pid is not None
    assert comes_true(lambda: Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T", limit=10)
    breakable_one.mend()
    assert brokers_of(breakable_one) == {1}


def test_a_folder_and_port_used_again_hold_what_they_held(tmp_path: Path) -> None:
    (port,) = ports.free_ports(1)
    with LocalKafka(folder=tmp_path / "kafka", port=port) as kafka:
        assert kafka.bootstrap_servers == f"127.0.0.1:{port}"
        commit_by_reading(kafka, "hello", "readers", values=3, read=2)
    with LocalKafka(folder=tmp_path / "kafka", port=port) as again:
        assert again.bootstrap_servers == f"127.0.0.1:{port}"
        assert topics.log_bounds(again, "hello") == {0: (0, 3)}
        assert Tools(again).described_offsets("readers") == {("hello", 0): 2}


def test_a_temporary_folder_is_removed(tmp_path: Path) -> None:
    with LocalKafka() as kafka:
        folder = kafka.folder
        pid = kafka.node(1).pid
        assert folder.is_dir()
    assert not folder.exists()
    assert pid is not None
    assert is_gone(pid)


def test_a_taken_port_is_refused_before_anything_starts(kafka_one: LocalKafka, tmp_path: Path) -> None:
    taken = int(kafka_one.bootstrap_servers.rsplit(":", 1)[1])
    with pytest.raises(PortTaken, match=f"Port {taken} on 127.0.0.1 is taken"):
        LocalKafka(folder=tmp_path, port=taken).start()
    assert not list(tmp_path.glob("*.log"))


def test_a_folder_of_another_shape_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cluster.json").write_text('{"cluster_id": "abc", "nodes": 3, "security": "plain"}')
    with pytest.raises(FolderMismatch, match="choose another folder"):
        LocalKafka(folder=tmp_path).start()


def test_a_broker_that_does_not_start_shows_the_end_of_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = configs.node_properties

    def without_quorum(shape: configs.Shape, *, number: int, data: Path) -> str:
        return wrong(shape, number=number, data=data) + "num.io.threads=none-at-all\n"

    # Formatting reads the file too, so it is spoilt only after that.
    spoilt = node.Node.start

    def start(self: node.Node) -> None:
        self._properties.write_text(without_quorum(self._shape, number=self.number, data=self._data))
        spoilt(self)

    monkeypatch.setattr(node.Node, "start", start)
    kafka = LocalKafka()
    with pytest.raises(KafkaDidNotStart, match="node 1 ended while starting") as refused:
        kafka.start()
    assert "none-at-all" in str(refused.value)
    assert not kafka.folder.exists()


def test_a_port_lost_between_look_and_start_is_replaced(monkeypatch: pytest.MonkeyPatch, kafka_one: LocalKafka) -> None:
    taken = int(kafka_one.bootstrap_servers.rsplit(":", 1)[1])
    real = ports.free_ports
    given: list[list[int]] = []

    def lose_the_first(count: int, *, besides: tuple[int, ...] = ()) -> list[int]:
        found = real(count, besides=besides)
        given.append(found if given else [taken, *found[1:]])
        return given[-1]

    monkeypatch.setattr(ports, "free_ports", lose_the_first)
    with LocalKafka() as kafka:
        assert len(given) == 2
        assert brokers_of(kafka) == {1}


def test_a_killed_parent_leaves_no_java(
    start_python: Callable[..., Started], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # whoever is killed cannot remove its folder
    parent = start_python("-c", STARTS_A_CLUSTER)
    assert parent.stdout is not None
    broker = int(parent.stdout.readline())
    assert not is_gone(broker)
    parent.send_signal(signal.SIGKILL)
    parent.wait(timeout=10)
    assert ended_by_itself(broker)


def test_two_nodes_and_unknown_nodes_are_refused(kafka_one: LocalKafka) -> None:
    with pytest.raises(ValueError, match="1 or 3 nodes, not 2"):
        LocalKafka(nodes=2)
    with pytest.raises(ValueError, match="no node 2"):
        kafka_one.kill_node(2)


def test_a_cluster_that_was_not_started_has_no_address() -> None:
    with pytest.raises(LocalKafkaError, match="was not started"):
        _ = LocalKafka().bootstrap_servers


@pytest.mark.parametrize(("group", "partition"), [("a", 1), ("hello", 4), ("😀", 1), ("polygenelubricants", 0)])
def test_a_group_lies_on_the_partition_java_computes(group: str, partition: int) -> None:
    """Java's hash codes: 97, 99162322, 1772899 (two UTF-16 units), -2147483648 (which Kafka counts as 0); mod 6."""
    assert coordinators.offsets_partition(group) == partition


def test_a_groups_partition_is_led_by_its_coordinator(kafka_three: LocalKafka, group_name: str) -> None:
    with admin.opened(kafka_three.door()) as client:
        (topic,) = client.describe_topics([coordinators.OFFSETS_TOPIC])
        found = client._manager.run(client._find_coordinator_ids, [group_name])
    leaders = {one["partition_index"]: one["leader_id"] for one in topic["partitions"]}
    assert found[group_name] == leaders[coordinators.offsets_partition(group_name)]
