"""Free ports on this machine."""

from __future__ import annotations

import random
import socket
from collections.abc import Collection

from devtools.kafka.errors import PortTaken

HOST = "127.0.0.1"

# Below Linux's usual ephemeral range (32768…), so that an outgoing connection does not take the port meanwhile.
_RANGE = range(20_000, 32_000)
_TRIES = 500


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_ports(count: int, *, besides: Collection[int] = ()) -> list[int]:
    """`count` different free ports, none of them in `besides`.

    Chosen by chance and not by a seed: several test runs side by side must not choose the same ones.
    """
    chance = random.SystemRandom()
    found: list[int] = []
    for _ in range(_TRIES):
        if len(found) == count:
            return found
        port = chance.choice(_RANGE)
        if port not in found and port not in besides and is_free(port):
            found.append(port)
    raise PortTaken(
        f"Found only {len(found)} of {count} free ports in {_RANGE.start}-{_RANGE.stop}: stop other servers."
    )


def require_free(port: int) -> None:
    """Raise PortTaken when somebody listens there."""
    if not is_free(port):
        raise PortTaken(f"Port {port} on {HOST} is taken by another program: stop that program or choose another port.")
