"""How a record's bytes are shown: as text, as JSON that can be folded, as hex. Plain Python; always bounded."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

VIEWS = ("text", "json", "hex")
HEX_BYTES = 1024
HEX_ROW = 16
MOST_NODES = 400
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Content:
    """A key, a value or a header's value: its first bytes and its whole size. `first` None is Kafka's null."""

    first: bytes | None
    size: int = 0

    @property
    def is_cut(self) -> bool:
        """Whether there is more than is kept."""
        return self.first is not None and self.size > len(self.first)

    @property
    def is_text(self) -> bool:
        """Valid UTF-8, but for a character that the cut may have halved."""
        return self._decoded() is not None

    @property
    def text(self) -> str:
        """The text; bytes that are none are written as \\x.."""
        found = self._decoded()
        return found if found is not None else (self.first or b"").decode("utf-8", "backslashreplace")

    def _decoded(self) -> str | None:
        for drop in range(4 if self.is_cut else 1):
            try:
                return (self.first or b"")[: len(self.first or b"") - drop].decode("utf-8")
            except UnicodeDecodeError:
                continue
        return None

    @property
    def hex_rows(self) -> list[HexRow]:
        """The first HEX_BYTES in rows of sixteen."""
        shown = (self.first or b"")[:HEX_BYTES]
        return [_hex_row(place, shown[place : place + HEX_ROW]) for place in range(0, len(shown), HEX_ROW)]

    @property
    def hex_left_out(self) -> int:
        """Bytes that the rows do not show."""
        return max(0, self.size - HEX_BYTES)

    @property
    def tree(self) -> Node | None:
        """The JSON as a tree to fold; None where it is none, or is cut."""
        if self.first is None or self.is_cut:
            return None
        try:
            value = json.loads(self.first)
        except (ValueError, RecursionError):
            return None
        return _node("", value, _Budget(), 0)


@dataclass(frozen=True, slots=True)
class HexRow:
    """Sixteen bytes: where they begin, in hex, and as characters (a dot for what is none)."""

    place: str
    bytes: str
    characters: str


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of JSON: `text` of a scalar, or `children` of an object or list with its `size`; `left_out` are not shown."""

    name: str
    kind: str
    text: str = ""
    size: int = 0
    children: Sequence[Node] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """One record of a look."""

    offset: int
    at: datetime | None
    timestamp_type: str
    key: Content
    value: Content
    headers: Sequence[tuple[str, Content]]
    headers_left_out: int


def unpacked(kept: bytes) -> list[ShownRecord]:
    """The records of a look, from what `looking.packed` made."""
    return [_record(one) for one in json.loads(zlib.decompress(kept))] if kept else []


def _record(one: Mapping[str, Any]) -> ShownRecord:
    headers = [(str(name), _content(value)) for name, value in one["headers"]]
    at = datetime.fromisoformat(one["at"]) if one["at"] else None
    return ShownRecord(
        offset=one["offset"],
        at=at,
        timestamp_type=one["timestamp_type"],
        key=_content(one["key"]),
        value=_content(one["value"]),
        headers=headers,
        headers_left_out=one["headers_count"] - len(headers),
    )


def _content(kept: Sequence[Any] | None) -> Content:
    return Content(None) if kept is None else Content(base64.b64decode(kept[0]), kept[1])


def _hex_row(place: int, row: bytes) -> HexRow:
    characters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
    return HexRow(f"{place:06x}", row.hex(" ").ljust(HEX_ROW * 3 - 1), characters)


class _Budget:
    """How many nodes may still be drawn."""

    def __init__(self) -> None:
        self.left = MOST_NODES

    def take(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            if self.left <= 0:
                return
            self.left -= 1
            yield item


def _node(name: str, value: Any, budget: _Budget, depth: int) -> Node:
    if not isinstance(value, dict | list):
        return Node(name, type(value).__name__, json.dumps(value, ensure_ascii=False))
    pairs: Iterable[tuple[object, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    children: list[Node] = []
    if depth < DEEPEST:
        children = [_node(str(key), one, budget, depth + 1) for key, one in budget.take(pairs)]
    kind = "object" if isinstance(value, dict) else "list"
    return Node(name, kind, size=len(value), children=children, left_out=len(value) - len(children))
