"""The author's own use: back to a moment, then list and download the messages from that moment on."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from devtools.kafka import topics
from devtools.kafka.members import GroupMember
from devtools.kafka.topics import Record
from tests.journeys.browsing import Visitor
from tests.journeys.calling import Api
from tests.journeys.stack import Console

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

BINARY = b"\xff\x00\xfe\x80"
STEP = timedelta(minutes=1)
NOW = datetime.now(UTC).replace(microsecond=123_000)
FIRST = NOW - 8 * STEP
# By partition, a minute apart, the first before the moment; texts that a careless file would break.
VALUES: dict[int, list[bytes | None]] = {
    0: [b"before", b"m1", BINARY, None, "두 줄\n\u2028\u0085 끝".encode()],
    1: [b"before", b"", b'{"amount": 12.5}'],
}


def _record(partition: int, number: int) -> Record:
    key = BINARY if number == 2 else None if number == 1 else b"key-%d" % number
    headers = (("trace", b"7"), ("trace", None), ("raw", BINARY)) if number == 1 else ()
    return Record(VALUES[partition][number], key, partition, FIRST + number * STEP, headers)


def _expected() -> list[dict[str, Any]]:
    """The lines of the file, from the moment on, by the rules of docs/how-to/read-records.md."""
    return [_line(_record(partition, n), n) for partition in VALUES for n in range(1, len(VALUES[partition]))]


def _line(record: Record, offset: int) -> dict[str, Any]:
    assert record.at is not None
    return {
        "topic": "TOPIC",
        "partition": record.partition,
        "offset": offset,
        "timestamp": record.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "timestamp_type": "create_time",
        **_bytes("key", record.key),
        **_bytes("value", record.value),
        "headers": [{"name": name, **_bytes("value", value)} for name, value in record.headers],
    }


def _bytes(name: str, value: bytes | None) -> dict[str, str | None]:
    if value == BINARY:
        return {f"{name}_base64": base64.b64encode(value).decode()}
    return {name: None if value is None else value.decode()}


@pytest.fixture
def told(console: Console, topic_name: str, group: str) -> str:
    """The topic with its records, which the group has read; gives the topic's name."""
    topics.create_topic(console.kafka, topic_name, partitions=len(VALUES))
    records = [_record(partition, n) for partition, values in VALUES.items() for n in range(len(values))]
    topics.produce(console.kafka, topic_name, records)
    with GroupMember(console.kafka, group, topics=[topic_name]) as member:
        member.read(len(records))
    return topic_name


def test_messages_from_a_moment_on_are_listed_and_downloaded(
    told: str, group: str, visit: Callable[[str], Visitor], api: Callable[[str], Api]
) -> None:
    alice = visit("alice")
    alice.name_group(group)
    moment = FIRST + STEP / 2
    alice.choose("to_datetime", {"datetime": f"{moment:%Y-%m-%d %H:%M:%S}", "timezone": "UTC"})
    request = alice.ask("Send these again to the new service")
    expected = [line | {"topic": told} for line in _expected()]

    alice.page.locator("#records").scroll_into_view_if_needed()
    alice.page.get_by_role("button", name="Read the records").click()
    items = alice.page.locator("#records-panel li")
    expect(items).to_have_count(len(expected))
    for item, line in zip(items.all(), expected, strict=True):
        assert f"{told}-{line['partition']} @ {line['offset']}" in item.inner_text()

    with alice.page.expect_download() as download:
        alice.page.get_by_role("link", name="Download as JSON Lines").click()
    raw = download.value.path().read_bytes()
    assert [json.loads(line) for line in raw.removesuffix(b"\n").split(b"\n")] == expected
    assert raw.decode().splitlines() == raw.decode().removesuffix("\n").split("\n"), "a record must be one line for all"

    by_script = api("alice").get(f"/requests/{request}/records.jsonl")
    assert by_script.status == 200
    assert [json.loads(line) for line in by_script.text.removesuffix("\n").split("\n")] == expected
    assert api("dave").get(f"/requests/{request}/records.jsonl").status == 404
