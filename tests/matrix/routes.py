"""What there is to call: every address of the URLconf, and every operation of the API, under the name of its row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import URLPattern, get_resolver, reverse

from kafkaconsole.api.urls import api

API_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Place:
    """One address. `route` has its parts in braces; `methods` is None where the address itself must be asked."""

    name: str
    route: str
    methods: frozenset[str] | None = None

    def path(self, parts: dict[str, Any]) -> str:
        """The address with its parts, each as it stands in the scene."""
        if self.methods is not None:
            return self.route.format(**parts)
        if self.name == self.route:
            return f"/{self.route}"
        wanted = _parts_of(self.name)
        assert parts.keys() >= set(wanted), f"{self.route}: put a thing for each of {wanted} into tests/matrix/stage.py"
        return reverse(self.name, kwargs={part: parts[part] for part in wanted})


@cache
def pages() -> dict[str, Place]:
    """The addresses that are no calls of the API. One without a name goes by its route; where two share a route, the
    first answers, under the name of either."""
    by_route: dict[str, str] = {}
    for route, name in _walk(get_resolver().url_patterns):
        if by_route.get(route, route) == route:
            by_route[route] = name or route
    return {name: Place(name, route) for route, name in by_route.items()}


@cache
def operations() -> dict[str, Place]:
    """The calls of the API, by the names of their functions."""
    found = {}
    for route, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            if method in API_METHODS:
                name = operation["operationId"]
                found[name] = Place(name, route, frozenset({method.upper()}))
    return found


def _walk(patterns: Any, before: str = "", space: str = "") -> Iterator[tuple[str, str | None]]:
    calls = {f"api:{name}" for name in operations()} if not before else set()
    for one in patterns:
        route = before + str(one.pattern)
        if not isinstance(one, URLPattern):
            inside = f"{space}{one.namespace}:" if one.namespace else space
            yield from ((path, name) for path, name in _walk(one.url_patterns, route, inside) if name not in calls)
        else:
            yield route, f"{space}{one.name}" if one.name else None


def _parts_of(name: str) -> tuple[str, ...]:
    *space, last = name.split(":")
    resolver: Any = get_resolver()
    for one in space:
        resolver = resolver.namespace_dict[one][1]
    possibilities = resolver.reverse_dict.getlist(last)
    return tuple(possibilities[0][0][0][1])
