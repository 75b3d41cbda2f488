"""A group's name in the address of a page: any name that Kafka takes, readable where it is ordinary.

Slashes, percent signs and dot segments are percent-encoded once more, because servers and browsers fold them away.
"""

from __future__ import annotations

from urllib.parse import unquote

from django.urls import register_converter

DOTS = {".": "%2E", "..": "%2E%2E"}


class AnyGroupName:
    """The rest of the path is the name; one that is typed with plain slashes is understood too."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        """The name itself; ValueError (no such page) for a NUL, which no row can hold."""
        name = unquote(value)
        if "\0" in name:
            raise ValueError("a group's name in the console holds no NUL")
        return name

    def to_url(self, value: str) -> str:
        """Encoded so that no server or browser rewrites it."""
        name = value.replace("%", "%25").replace("/", "%2F")
        return DOTS.get(name, name)


register_converter(AnyGroupName, "any_group")
