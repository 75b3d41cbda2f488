"""The form of one record as a line of JSON."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkaconsole.kafka.values import Offset, Record
from kafkaconsole.records import lines

AT = datetime(2026, 12, 1, 9, 30, 0, 123000, tzinfo=UTC)


def record(key: bytes | None = None, value: bytes | None = None, **facts: Any) -> Record:
    return Record("hello", 0, Offset(41), facts.pop("at", AT), "create_time", key, value, **facts)


def test_text_stands_as_text_and_fields_come_in_the_documented_order() -> None:
    made = lines.record_as_json(record(b"k", "값".encode(), headers=(("trace", b"7"),)))
    assert list(made.items()) == [
        ("topic", "hello"),
        ("partition", 0),
        ("offset", 41),
        ("timestamp", "2026-12-01T09:30:00.123Z"),
        ("timestamp_type", "create_time"),
        ("key", "k"),
        ("value", "값"),
        ("headers", [{"name": "trace", "value": "7"}]),
    ]


def test_bytes_that_are_no_text_stand_as_base64_under_another_name() -> None:
    made = lines.record_as_json(record(b"\xff\x00", b"\xfe", headers=(("h", b"\x80"), ("h", None))))
    assert made["key_base64"] == base64.b64encode(b"\xff\x00").decode()
    assert made["value_base64"] == base64.b64encode(b"\xfe").decode()
    assert "key" not in made and "value" not in made
    assert made["headers"] == [{"name": "h", "value_base64": "gA=="}, {"name": "h", "value": None}]


def test_null_is_null_and_empty_is_empty() -> None:
    made = lines.record_as_json(record(None, b""))
    assert made["key"] is None
    assert made["value"] == ""


def test_a_record_without_a_time_says_null() -> None:
    assert lines.record_as_json(record(at=None))["timestamp"] is None


def test_text_that_looks_like_base64_stays_text() -> None:
    assert lines.record_as_json(record(value=b"gA=="))["value"] == "gA=="


@pytest.mark.parametrize("end", ["\n", "\r", "\x85", "\u2028", "\u2029", "\x0b", "\x1c"])
def test_no_line_end_inside_a_record_splits_its_line(end: str) -> None:
    line = lines.line_of(lines.record_as_json(record(value=f"a{end}b".encode())))
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["value"] == f"a{end}b"


def test_a_notice_looks_like_no_record() -> None:
    assert json.loads(lines.notice_line({"state": "bounded"})) == {"notice": {"state": "bounded"}}


@given(st.none() | st.binary(max_size=200), st.none() | st.binary(max_size=200))
def test_key_and_value_come_back_byte_for_byte(key: bytes | None, value: bytes | None) -> None:
    read = json.loads(lines.line_of(lines.record_as_json(record(key, value))))
    assert (_bytes_of(read, "key"), _bytes_of(read, "value")) == (key, value)


def _bytes_of(read: dict[str, Any], field: str) -> bytes | None:
    if f"{field}_base64" in read:
        return base64.b64decode(read[f"{field}_base64"])
    text: str | None = read[field]
    return None if text is None else text.encode()
