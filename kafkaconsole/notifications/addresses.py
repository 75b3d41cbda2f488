"""To which address of a host a webhook may go. Looked up and checked when it is sent, and that very address is connected
to: a name that leads elsewhere a moment later changes nothing."""

from __future__ import annotations

import ipaddress
import socket

from django.conf import settings

from kafkaconsole.notifications.errors import InternalAddress, NotDelivered

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that stand for IPv4 ones (RFC 6052)."""


def reachable(host: str, port: int) -> list[str]:
    """The addresses to connect to, the preferred one first. Raises InternalAddress if any of the host's is internal, NotDelivered if there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotDelivered(answer=f"{host}: {error}"[:300]) from error
    texts = [str(entry[4][0]) for entry in found]
    if not settings.ALLOW_INTERNAL_WEBHOOKS:
        for text in texts:
            if is_internal(ipaddress.ip_address(text.partition("%")[0])):
                raise InternalAddress(host=host, address=text, answer=f"{host} → {text}")
    return texts


def is_internal(address: Address) -> bool:
    """Anything but a public unicast address: loopback, private, link-local, shared, multicast, reserved; also an IPv6
    address that wraps such an IPv4 one."""
    inner = _wrapped(address)
    return not address.is_global or address.is_multicast or (inner is not None and is_internal(inner))


def _wrapped(address: Address) -> ipaddress.IPv4Address | None:
    if not isinstance(address, ipaddress.IPv6Address):
        return None
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
