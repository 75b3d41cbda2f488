"""One record as one line of JSON, and the notice that ends an incomplete file. The format: docs/how-to/read-records.md.

Text that is valid UTF-8 stands under `key` and `value`; other bytes stand, as base64, under `key_base64` and
`value_base64`, so that no text can be mistaken for bytes. `null` is Kafka's null.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime

from kafkaconsole.kafka.values import Record

# Line ends for Unicode, not for JSON: escaped, so that no reader splits a record in two.
_LINE_ENDS = {ord("\x85"): "\\u0085", ord("\u2028"): "\\u2028", ord("\u2029"): "\\u2029"}


def record_as_json(record: Record) -> dict[str, object]:
    """topic, partition, offset, timestamp, timestamp_type, key, value, headers, in this order."""
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": instant_as_text(record.at),
        "timestamp_type": record.timestamp_type,
        **_bytes_as_json("key", record.key),
        **_bytes_as_json("value", record.value),
        "headers": [{"name": name, **_bytes_as_json("value", value)} for name, value in record.headers],
    }


def instant_as_text(at: datetime | None) -> str | None:
    """RFC 3339 in UTC with milliseconds, which is all that Kafka keeps."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line_of(value: Mapping[str, object]) -> bytes:
    """One JSON object and a line feed; nothing in between that any reader takes for a line end."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_LINE_ENDS).encode() + b"\n"


def notice_line(notice: Mapping[str, object]) -> bytes:
    """The last line of a file that is not complete: `{"notice": {…}}`, which no record looks like."""
    return line_of({"notice": notice})


def _bytes_as_json(field: str, value: bytes | None) -> dict[str, str | None]:
    if value is None:
        return {field: None}
    try:
        return {field: value.decode("utf-8")}
    except UnicodeDecodeError:
        return {f"{field}_base64": base64.b64encode(value).decode("ascii")}
