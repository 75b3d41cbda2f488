"""What the console may do with a group or a topic, where brokers tell it (`authorized_operations`)."""

from __future__ import annotations

from collections.abc import Set

NOT_TOLD = -(2**31)
NAMES = {3: "READ", 6: "DELETE", 8: "DESCRIBE"}
"""`AclOperation` codes of the operations that the console needs."""


def operations_in(told: int | Set[int] | None) -> frozenset[str] | None:
    """Kafka's words for those of NAMES that are told; None where the broker does not tell.

    Our own messages give the bare bits, kafka-python's a set of codes.
    """
    if told is None or told == NOT_TOLD:
        return None
    codes = {code for code in NAMES if told >> code & 1} if isinstance(told, int) else told
    return frozenset(name for code, name in NAMES.items() if code in codes)
