"""The class archive (kafka.jsa): a broker's classes as Java keeps them in memory; it makes every later start four times as quick.

It is bound to one Java and one class path, so both are in its name.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import tempfile
from pathlib import Path

from devtools.kafka import configs, ports
from devtools.kafka.errors import LocalKafkaError
from devtools.kafka.java import Runtime
from devtools.kafka.node import Node

logger = logging.getLogger(__name__)

_STOP_LIMIT_SECONDS = 60


def with_archive(runtime: Runtime, folder: Path) -> Runtime:
    """The runtime with its class archive, made in `folder` if this Java and these jars have none yet.

    Without one everything works, only slower: a failure is logged and the runtime returned as it was.
    """
    wanted = folder / f"kafka-{_fingerprint(runtime)}.jsa"
    if not wanted.exists():
        try:
            _make(runtime, wanted)
        except (LocalKafkaError, OSError) as error:
            logger.warning("Kafka's class archive could not be made, starts will be slow: %s", error)
            return runtime
    return dataclasses.replace(runtime, archive=wanted)


def _fingerprint(runtime: Runtime) -> str:
    """Java itself checks paths, sizes and times of the jars; an archive that does not fit is ignored by it."""
    facts = [runtime.java.program, runtime.java.version]
    facts += [f"{jar} {jar.stat().st_size} {jar.stat().st_mtime_ns}" for jar in runtime.jars]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _make(runtime: Runtime, wanted: Path) -> None:
    """Run one broker that writes its classes down when it stops."""
    fresh = wanted.with_suffix(".part")
    fresh.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="kafka-archive-") as scratch:
        shape = configs.Shape(security="plain", nodes=_one_node_plan())
        node = Node(runtime, shape, number=1, folder=Path(scratch), extra_flags=(f"-XX:ArchiveClassesAtExit={fresh}",))
        node.format(configs.new_cluster_id())
        try:
            node.start()
            node.wait_until_started()
            node.stop(limit=_STOP_LIMIT_SECONDS)
        finally:
            node.kill()
    for old in wanted.parent.glob("*.jsa"):
        old.unlink()
    fresh.rename(wanted)


def _one_node_plan() -> tuple[configs.NodePorts, ...]:
    broker, controller = ports.free_ports(2)
    return (configs.NodePorts(controller=controller, listeners={"PLAINTEXT": broker}),)
