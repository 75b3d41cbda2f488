"""What can go wrong with a local Kafka. Every text says what was found and what to do."""

from __future__ import annotations


class LocalKafkaError(Exception):
    """Root of all errors that devtools.kafka raises on purpose."""


class ToolchainMissing(LocalKafkaError):
    """Java or Maven is not there (or too old); the text holds the command that installs it."""


class JarsNotGathered(LocalKafkaError):
    """Maven could not gather the jars; the text ends with what Maven said."""


class PortTaken(LocalKafkaError):
    """Somebody else listens on the port that was asked for."""


class FolderMismatch(LocalKafkaError):
    """The data folder holds a cluster of another shape."""


class KafkaDidNotStart(LocalKafkaError):
    """A node ended or was not ready in time; the text ends with the tail of its log."""


class KafkaNotReady(LocalKafkaError):
    """The nodes run, but what was waited for did not come true in time."""


class MemberFailed(LocalKafkaError):
    """A group member's process ended, answered with an error, or was too slow."""


class ToolFailed(LocalKafkaError):
    """One of Kafka's own command-line tools failed; the text holds what it printed."""
