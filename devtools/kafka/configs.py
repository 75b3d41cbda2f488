"""The configuration of a node, as text: one function from the cluster's shape to `node.properties`.

The numbers suit tests and the demo: small segments, short session time-outs, nothing thrown away by age.
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from devtools.kafka.logins import ADMIN
from devtools.kafka.ports import HOST

Security = Literal["plain", "secure", "tls"]

# The listeners of each kind of cluster, the brokers' own first; MAIN_LISTENER is the one `bootstrap_servers` names.
LISTENERS: Mapping[Security, tuple[str, ...]] = {
    "plain": ("PLAINTEXT",),
    "secure": ("SASL_PLAINTEXT",),
    "tls": ("SASL_PLAINTEXT", "SASL_SSL", "SSL"),
}
MAIN_LISTENER: Mapping[Security, str] = {"plain": "PLAINTEXT", "secure": "SASL_PLAINTEXT", "tls": "SASL_SSL"}

OFFSETS_PARTITIONS = 6

_COMMON = {
    "controller.listener.names": "CONTROLLER",
    "auto.create.topics.enable": "false",
    "num.partitions": "3",
    # Records keep for ever: tests and the demo write old timestamps. A topic may set its own retention.ms.
    "log.retention.ms": "-1",
    "offsets.retention.minutes": str(366 * 24 * 60),
    "group.initial.rebalance.delay.ms": "0",
    "group.streams.initial.rebalance.delay.ms": "0",
    # Killed members are gone after 6 s (classic ones ask for their own session.timeout.ms).
    "group.min.session.timeout.ms": "1000",
    "group.consumer.session.timeout.ms": "6000",
    "group.consumer.min.session.timeout.ms": "2000",
    "group.consumer.heartbeat.interval.ms": "1000",
    "group.consumer.min.heartbeat.interval.ms": "500",
    "group.share.session.timeout.ms": "6000",
    "group.share.min.session.timeout.ms": "2000",
    "group.share.heartbeat.interval.ms": "1000",
    "group.share.min.heartbeat.interval.ms": "500",
    "group.streams.session.timeout.ms": "6000",
    "group.streams.min.session.timeout.ms": "2000",
    "group.streams.heartbeat.interval.ms": "1000",
    "group.streams.min.heartbeat.interval.ms": "500",
    # A killed broker may come back as soon as its old registration expires: 3 s instead of 9 s.
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    "auto.leader.rebalance.enable": "false",
    "log.segment.bytes": str(16 * 1024 * 1024),
    "log.cleaner.dedupe.buffer.size": str(16 * 1024 * 1024),
    # Looks for something to compact each half second instead of each 15 s.
    "log.cleaner.backoff.ms": "500",
    "num.network.threads": "2",
    "num.io.threads": "2",
    "num.recovery.threads.per.data.dir": "1",
    "offsets.topic.num.partitions": str(OFFSETS_PARTITIONS),
    "transaction.state.log.num.partitions": "3",
    "share.coordinator.state.topic.num.partitions": "3",
}

_SECURE = {
    "sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    # ANONYMOUS is whoever reaches the controller's port on this machine. Local use only.
    "super.users": f"User:{ADMIN.user};User:ANONYMOUS",
    "allow.everyone.if.no.acl.found": "false",
}


@dataclass(frozen=True)
class NodePorts:
    """Where one node listens: for the controllers, and for clients by listener name."""

    controller: int
    listeners: Mapping[str, int]


@dataclass(frozen=True)
class Shape:
    """A whole cluster as configured. Node n (from 1) has `nodes[n - 1]`; `certificates` is needed by "tls" alone."""

    security: Security
    nodes: tuple[NodePorts, ...]
    certificates: Path | None = None

    def bootstrap_servers(self, listener: str | None = None) -> str:
        """ "host:port,…" of every node, at the named listener or the main one."""
        name = listener or MAIN_LISTENER[self.security]
        return ",".join(f"{HOST}:{node.listeners[name]}" for node in self.nodes)


def new_cluster_id() -> str:
    """16 random bytes as Kafka writes ids: URL-safe base64, no padding, no leading dash (a tool would read an option)."""
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=").replace("-", "A")


def node_properties(shape: Shape, *, number: int, data: Path) -> str:
    """The text of node.properties for node `number`, with its log directory `data`."""
    settings = {"node.id": str(number), "process.roles": "broker,controller", "log.dirs": str(data)}
    settings |= _COMMON | _quorum(shape) | _listeners(shape, number) | _replication(len(shape.nodes))
    if shape.security != "plain":
        settings |= _SECURE | _sasl(shape)
    if shape.security == "tls":
        settings |= _tls(shape)
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def _quorum(shape: Shape) -> dict[str, str]:
    voters = (f"{number}@{HOST}:{node.controller}" for number, node in enumerate(shape.nodes, start=1))
    return {"controller.quorum.voters": ",".join(voters)}


def _listeners(shape: Shape, number: int) -> dict[str, str]:
    ports = shape.nodes[number - 1]
    names = LISTENERS[shape.security]
    for_clients = [f"{name}://{HOST}:{ports.listeners[name]}" for name in names]
    protocols = ["CONTROLLER:PLAINTEXT", *(f"{name}:{name}" for name in names)]
    return {
        "listeners": ",".join([*for_clients, f"CONTROLLER://{HOST}:{ports.controller}"]),
        "advertised.listeners": ",".join(for_clients),
        "listener.security.protocol.map": ",".join(protocols),
        "inter.broker.listener.name": names[0],
    }


def _replication(node_count: int) -> dict[str, str]:
    replicas, in_sync = ("3", "2") if node_count >= 3 else ("1", "1")
    return {
        "default.replication.factor": replicas,
        "min.insync.replicas": in_sync,
        "offsets.topic.replication.factor": replicas,
        "transaction.state.log.replication.factor": replicas,
        "transaction.state.log.min.isr": in_sync,
        "share.coordinator.state.topic.replication.factor": replicas,
        "share.coordinator.state.topic.min.isr": in_sync,
    }


def _sasl(shape: Shape) -> dict[str, str]:
    sasl_listeners = (name.lower() for name in LISTENERS[shape.security] if name.startswith("SASL"))
    return {f"listener.name.{name}.scram-sha-512.sasl.jaas.config": ADMIN.jaas_config for name in sasl_listeners}


def _tls(shape: Shape) -> dict[str, str]:
    if shape.certificates is None:
        raise ValueError("A cluster with TLS needs its folder of certificates.")
    return {
        "listener.name.ssl.ssl.client.auth": "required",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(shape.certificates / "server.pem"),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(shape.certificates / "ca.crt"),
    }
