"""A group's name as one URL segment."""

from __future__ import annotations

from urllib.parse import quote, unquote

from django.urls import register_converter


class GroupName:
    """Percent-encoded on the way in (`middleware.ApiPaths` sees to it) and out; any name that Kafka takes."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """The name itself."""
        return unquote(value)

    def to_url(self, value: str) -> str:
        """Encoded, slashes and all."""
        return quote(value, safe="")


register_converter(GroupName, "group")
