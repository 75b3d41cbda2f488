"""Where an act comes from: the address and the id of the HTTP request, as every event of the record keeps them."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

import structlog
from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse

ADDRESS_LENGTH = 45
"""The longest IPv6 text."""
REQUEST_ID_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Origin:
    """`address` is the caller's IP address, empty in a worker; `request_id` the id that the logs bear, too."""

    address: str = ""
    request_id: str = ""


_address: ContextVar[str] = ContextVar("address_of_the_caller", default="")


def here() -> Origin:
    """The origin of what is being done now.

    A task bears the request id of the page or call whose message started it (django-structlog passes it on).
    """
    request_id = str(structlog.contextvars.get_contextvars().get("request_id", ""))
    printable = "".join(letter for letter in request_id if letter.isascii() and letter.isprintable())
    return Origin(_address.get()[:ADDRESS_LENGTH], printable[:REQUEST_ID_LENGTH])


class Whence:
    """Remembers the caller's address for the length of a request; behind proxies as TRUSTED_PROXIES says."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Set and take back."""
        token = _address.set(get_adapter().get_client_ip(request) or "")
        try:
            return self.get_response(request)
        finally:
            _address.reset(token)
