"""Which framework a group belongs to, told from names and from what stands beside its commits. No proof, but a good sign.

Where the position is kept by somebody else, a reset of the group does less than it seems, or nothing.
"""

from __future__ import annotations

import base64
import binascii
import re
from enum import StrEnum

from kafkaconsole.resets.facts import Facts


class Framework(StrEnum):
    """Who runs the consumers."""

    STREAMS = "streams"
    CONNECT = "connect"
    FLINK = "flink"
    SPARK = "spark"


_SPARK = re.compile(r"spark-(kafka-source|executor|kafka-relation)-|^spark-streaming")
_FLINK = re.compile(r"(^|[^a-z])flink([^a-z]|$)")
_CONNECT_CLIENT = re.compile(r"^connector-consumer-")
_STREAMS_VERSIONS = (1, 2)
_STREAMS_LENGTH = 9  # a version and a timestamp of eight bytes, at least


def owner_of(facts: Facts) -> Framework | None:
    """The framework that the group seems to belong to."""
    name = facts.group.group
    clients = [one.client_id for one in facts.group.members]
    if _is_streams(facts):
        return Framework.STREAMS
    if name.startswith("connect-") or any(_CONNECT_CLIENT.match(one) for one in clients):
        return Framework.CONNECT
    if any(_SPARK.search(one) for one in (name, *clients)):
        return Framework.SPARK
    if any(_FLINK.search(one.lower()) for one in (name, *clients)):
        return Framework.FLINK
    return None


def is_internal_to(group: str, topic: str) -> bool:
    """Whether a Kafka Streams application with this group keeps the topic for itself."""
    return topic.startswith(f"{group}-") and topic.endswith(("-changelog", "-repartition"))


def _is_streams(facts: Facts) -> bool:
    """Its assignor, its internal topics (`<group>-…-changelog` or `-repartition`), or what it keeps beside commits."""
    topics = {one.of.topic for one in facts.partitions}
    internal = bool(facts.left_out) or any(is_internal_to(facts.group.group, one) for one in topics)
    texts = {one.committed.metadata for one in facts.partitions if one.committed and one.committed.metadata}
    return facts.group.assignor == "stream" or internal or any(map(_is_streams_text, texts))


def _is_streams_text(text: str) -> bool:
    """Kafka Streams keeps a version byte and the time of the partition, in base64."""
    try:
        content = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return False
    return (
        len(content) >= _STREAMS_LENGTH and content[0] in _STREAMS_VERSIONS and content[1:3] in (b"\0\0", b"\xff\xff")
    )
