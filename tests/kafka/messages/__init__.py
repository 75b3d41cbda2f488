"""Heartbeats with which tests make groups: share and streams consumers no Python client has, KIP-848 ones take long."""

from __future__ import annotations

import sys

from kafka.protocol.api_message import ApiMessage

_HERE = sys.modules[__name__]


class ConsumerGroupHeartbeatRequest(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Joins a consumer group of the newer protocol, stays in it, or leaves it (KIP-848)."""


class ConsumerGroupHeartbeatResponse(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """The member's epoch and assignment."""


class ShareGroupHeartbeatRequest(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Joins a share group, stays in it, or leaves it (KIP-932)."""


class ShareGroupHeartbeatResponse(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """The member's epoch and assignment."""


class StreamsGroupHeartbeatRequest(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """Joins a streams group with its topology, stays in it, or leaves it (KIP-1071)."""


class StreamsGroupHeartbeatResponse(ApiMessage, load_json=_HERE):  # type: ignore[call-arg, misc]
    """The member's epoch and tasks."""
