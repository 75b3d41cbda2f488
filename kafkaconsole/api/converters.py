"""What stands in the paths of the API: a group's name as one segment, a row's number as plain digits."""

from __future__ import annotations

from urllib.parse import quote, unquote

from django.urls import register_converter

from kafkaconsole.api.shapes.values import MAX_64


class GroupName:
    """Percent-encoded on the way in (`middleware.ApiPaths` sees to it) and out; any name that Kafka takes."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """The name itself."""
        return unquote(value)

    def to_url(self, value: str) -> str:
        """Encoded, slashes and all."""
        return quote(value, safe="")


class RowNumber:
    """A row's number in plain ASCII digits. Anything that only reads as a number (`1.0`, `+1`) is no such path."""

    regex = "[0-9]{1,19}"

    def to_python(self, value: str) -> int:
        """The number; ValueError (no such path) for one that no row can have."""
        number = int(value)
        if not 1 <= number <= MAX_64:
            raise ValueError("rows are numbered from 1 to 2^63 - 1")
        return number

    def to_url(self, value: int) -> str:
        """As it is."""
        return str(value)


register_converter(GroupName, "group")
register_converter(RowNumber, "row")
