"""A whole local Kafka: one node or three, plain, with users and rights, or with TLS."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from devtools.kafka import acls, certificates, configs, coordinators, jars, ports
from devtools.kafka.errors import FolderMismatch, KafkaDidNotStart, LocalKafkaError
from devtools.kafka.java import Runtime
from devtools.kafka.logins import ADMIN, Door, Login
from devtools.kafka.node import START_LIMIT_SECONDS, STOP_LIMIT_SECONDS, Node

_TRIES_WITH_OTHER_PORTS = 3
_IN_USE = "Address already in use"
_RECORD = "cluster.json"


class LocalKafka:
    """Apache Kafka on 127.0.0.1, used in a `with`.

    nodes: 1 or 3, each both broker and controller. security: "plain"; "secure" = SCRAM-SHA-512 and ACLs; "tls" = secure
    plus TLS and client certificates. folder: keeps the data, and a later LocalKafka of the same shape goes on with it;
    without one a temporary folder is used and removed. port: of node 1's main listener (node n has port + n - 1);
    without one free ports are found. Ports stay the same over stop_node, kill_node and start_node.

    Starting raises ToolchainMissing, JarsNotGathered, PortTaken, FolderMismatch or KafkaDidNotStart. All nodes die with
    this process, even when it is killed.
    """

    def __init__(
        self,
        *,
        nodes: int = 1,
        security: configs.Security = "plain",
        folder: Path | None = None,
        port: int | None = None,
    ) -> None:
        if nodes not in (1, 3):
            raise ValueError(f"A local Kafka has 1 or 3 nodes, not {nodes}.")
        self.security = security
        self._node_count = nodes
        self._is_temporary = folder is None
        self._asked_folder = folder
        self._asked_port = port
        self._folder: Path | None = None
        self._shape: configs.Shape | None = None
        self._nodes: list[Node] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- the whole cluster

    def start(self) -> None:
        """Start all nodes and return when they serve clients and consumer groups."""
        runtime = jars.runtime()
        self._folder = self._made_folder()
        try:
            self._start_on_some_ports(runtime, tries=_TRIES_WITH_OTHER_PORTS)
            self.wait_until_ready()
            if self.security != "plain":
                acls.allow_console(self.door())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop all nodes, cleanly where the data is kept, and remove a temporary folder. Twice does no harm."""
        if self._is_temporary:
            self._kill_all()
        else:
            self._stop_all()
        self._nodes = []
        if self._is_temporary and self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def wait_until_ready(self) -> None:
        """Return when consumer groups are served on all partitions of __consumer_offsets; KafkaNotReady otherwise."""
        coordinators.wait_until_served(self.door())

    def mend(self) -> None:
        """Wake paused nodes, start those that are down, wait: what a test does after it broke something."""
        for node in self._nodes:
            node.resume()
        for node in self._nodes:
            node.start()
        for node in self._nodes:
            node.wait_until_started()
        self.wait_until_ready()
        coordinators.wait_until_in_sync(self.door())

    # --- one node, by its number from 1

    def stop_node(self, number: int) -> None:
        """Stop it cleanly."""
        self.node(number).stop()

    def kill_node(self, number: int) -> None:
        """SIGKILL; starting it again takes 5-8 s, because its registration must expire."""
        self.node(number).kill()

    def pause_node(self, number: int) -> None:
        """SIGSTOP: it keeps its connections and answers nothing."""
        self.node(number).pause()

    def resume_node(self, number: int) -> None:
        """SIGCONT."""
        self.node(number).resume()

    def start_node(self, number: int) -> None:
        """Start a stopped or killed node at its old ports, and wait until it and the groups are served."""
        self.node(number).start()
        self.node(number).wait_until_started()
        self.wait_until_ready()

    def node(self, number: int) -> Node:
        """Node `number`, from 1 (Kafka's node.id is the same)."""
        if not 1 <= number <= len(self._nodes):
            raise ValueError(f"There is no node {number}: this cluster runs {len(self._nodes)}, counted from 1.")
        return self._nodes[number - 1]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in order."""
        return tuple(self._nodes)

    # --- ways in

    @property
    def bootstrap_servers(self) -> str:
        """ "host:port,…" of the main listener: plain, SASL, or SASL with TLS."""
        return self._running_shape().bootstrap_servers()

    @property
    def folder(self) -> Path:
        """Configuration, logs, data and certificates (certs/) of this cluster."""
        if self._folder is None:
            raise LocalKafkaError("This local Kafka was not started.")
        return self._folder

    def door(self, login: Login = ADMIN, listener: str | None = None) -> Door:
        """A way in for `login`, at the main listener or another one of configs.LISTENERS."""
        shape = self._running_shape()
        protocol = listener or configs.MAIN_LISTENER[self.security]
        return Door(shape.bootstrap_servers(protocol), protocol, login, shape.certificates)

    def client_settings(self, login: Login = ADMIN, listener: str | None = None) -> dict[str, str]:
        """The settings of a client in librdkafka's words ("bootstrap.servers", "security.protocol", …)."""
        return self.door(login, listener).confluent()

    # --- insides

    def _start_on_some_ports(self, runtime: Runtime, *, tries: int) -> None:
        try:
            self._start_nodes(runtime)
        except KafkaDidNotStart as error:
            # Somebody took a port between our look and the broker's: other ports, unless they were asked for.
            if _IN_USE not in str(error) or self._asked_port is not None or tries == 1:
                raise
            self._kill_all()
            self._start_on_some_ports(runtime, tries=tries - 1)

    def _start_nodes(self, runtime: Runtime) -> None:
        cluster_id = self._cluster_id()
        shape = self._shape = self._new_shape()
        self._nodes = [
            Node(runtime, shape, number=number, folder=self.folder) for number in range(1, self._node_count + 1)
        ]
        unformatted = [node for node in self._nodes if not node.is_formatted]
        with ThreadPoolExecutor(max_workers=self._node_count) as at_once:
            list(at_once.map(lambda node: node.format(cluster_id), unformatted))
        for node in self._nodes:
            node.start()
        deadline = time.monotonic() + START_LIMIT_SECONDS
        for node in self._nodes:
            node.wait_until_started(limit=max(1.0, deadline - time.monotonic()))

    def _made_folder(self) -> Path:
        if self._asked_folder is None:
            return Path(tempfile.mkdtemp(prefix="local-kafka-"))
        folder = self._asked_folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _cluster_id(self) -> str:
        """The folder's cluster id, written down at the first start; FolderMismatch if it holds another shape."""
        record = self.folder / _RECORD
        wanted = {"nodes": self._node_count, "security": self.security}
        if record.exists():
            found = json.loads(record.read_text())
            cluster_id = str(found.pop("cluster_id"))
            if found != wanted:
                raise FolderMismatch(
                    f"{self.folder} holds a Kafka of shape {found}, not {wanted}: choose another folder."
                )
            return cluster_id
        cluster_id = configs.new_cluster_id()
        record.write_text(json.dumps({"cluster_id": cluster_id, **wanted}))
        return cluster_id

    def _new_shape(self) -> configs.Shape:
        names = configs.LISTENERS[self.security]
        main = configs.MAIN_LISTENER[self.security]
        asked = [] if self._asked_port is None else [self._asked_port + step for step in range(self._node_count)]
        for port in asked:
            ports.require_free(port)
        free = iter(ports.free_ports((len(names) + 1) * self._node_count, besides=asked))
        nodes = [
            configs.NodePorts(controller=next(free), listeners={name: next(free) for name in names})
            for _ in range(self._node_count)
        ]
        for place, port in enumerate(asked):
            nodes[place] = configs.NodePorts(nodes[place].controller, {**nodes[place].listeners, main: port})
        folder = certificates.make_certificates(self.folder / "certs") if self.security == "tls" else None
        return configs.Shape(security=self.security, nodes=tuple(nodes), certificates=folder)

    def _running_shape(self) -> configs.Shape:
        if self._shape is None:
            raise LocalKafkaError("This local Kafka was not started.")
        return self._shape

    def _stop_all(self) -> None:
        """All at once, with one limit: three controllers that go in turn would leave the last without a quorum."""
        for node in self._nodes:
            node.ask_to_stop()
        deadline = time.monotonic() + STOP_LIMIT_SECONDS
        for node in self._nodes:
            node.wait_until_stopped(limit=max(0.0, deadline - time.monotonic()))

    def _kill_all(self) -> None:
        for node in self._nodes:
            node.kill()
