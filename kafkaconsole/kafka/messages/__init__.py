"""The describe calls of the newer group kinds, which kafka-python does not bring.

Each `.json` beside this file states one message's fields, types and versions as Kafka's protocol has them (KIP-848,
KIP-932, KIP-1071). `tests/kafka/` reads answers of a real broker with them.
"""

from __future__ import annotations

import sys

from kafka.protocol.api_message import ApiMessage

_HERE = sys.modules[__name__]


class ConsumerGroupDescribeRequest(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Asks a coordinator to describe KIP-848 groups."""


class ConsumerGroupDescribeResponse(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Members with their assignments, per group."""


class ShareGroupDescribeRequest(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Asks a coordinator to describe share groups."""


class ShareGroupDescribeResponse(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Members with their assignments, per group."""


class StreamsGroupDescribeRequest(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Asks a coordinator to describe streams groups."""


class StreamsGroupDescribeResponse(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Members with their tasks, and the topology that gives the tasks their topics."""
