"""A record's bytes as text, JSON and hex: always bounded, never guessed."""

from __future__ import annotations

import json

from kafkaconsole.kafka.values import Offset, Record
from kafkaconsole.records import contents, looking
from kafkaconsole.records.contents import Content, Node


def kept(value: bytes | None, **more: object) -> contents.ShownRecord:
    """A record with this value, kept and shown again."""
    fields = {"topic": "hello", "partition": 0, "offset": Offset(7), "at": None, "timestamp_type": "create_time"}
    record = Record(**{**fields, "key": None, "value": value, **more})  # type: ignore[arg-type]
    (shown,) = contents.unpacked(looking.packed([record]))
    return shown


def test_what_was_kept_comes_back() -> None:
    shown = kept(b"m1", key="결제".encode(), headers=(("trace", b"\xff"), ("none", None)))
    assert (shown.offset, shown.value.text, shown.key.text) == (7, "m1", "결제")
    assert [(name, one.first) for name, one in shown.headers] == [("trace", b"\xff"), ("none", None)]


def test_a_tombstone_and_an_empty_value_are_two_things() -> None:
    assert kept(None).value.first is None
    assert kept(b"").value.first == b""


def test_a_long_value_is_cut_and_its_whole_size_is_told() -> None:
    value = kept(b"x" * 100_000).value
    assert value.first is not None
    assert (len(value.first), value.size, value.is_cut) == (looking.VALUE_BYTES, 100_000, True)


def test_a_cut_through_a_character_is_still_text() -> None:
    value = kept("가".encode() * 10_000).value
    assert value.is_text
    assert set(value.text) == {"가"}


def test_bytes_that_are_no_text_are_written_out() -> None:
    content = Content(b"a\xffb", 3)
    assert not content.is_text
    assert content.text == "a\\xffb"


def test_many_headers_are_bounded_and_counted() -> None:
    shown = kept(b"", headers=tuple((f"h{n}", b"v") for n in range(50)))
    assert (len(shown.headers), shown.headers_left_out) == (looking.HEADERS, 50 - looking.HEADERS)


def test_hex_shows_place_bytes_and_characters() -> None:
    (first, second) = Content(b"0123456789abcdef\x00z", 18).hex_rows
    assert (first.place, first.characters) == ("000000", "0123456789abcdef")
    assert second.bytes.strip() == "00 7a"
    assert second.characters == ".z"


def test_hex_is_bounded_and_says_what_it_leaves_out() -> None:
    content = Content(b"x" * 5000, 100_000)
    assert len(content.hex_rows) == contents.HEX_BYTES // contents.HEX_ROW
    assert content.hex_left_out == 100_000 - contents.HEX_BYTES


def tree(value: object) -> Node:
    text = json.dumps(value).encode()
    found = Content(text, len(text)).tree
    assert found is not None
    return found


def test_json_is_a_tree_to_fold() -> None:
    root = tree({"id": 7, "lines": [{"amount": 1.5}], "note": None})
    assert (root.kind, root.size) == ("object", 3)
    assert [(one.name, one.kind, one.text) for one in root.children] == [
        ("id", "int", "7"),
        ("lines", "list", ""),
        ("note", "NoneType", "null"),
    ]


def test_a_wide_json_is_bounded_and_counts_the_rest() -> None:
    root = tree(list(range(1000)))
    assert (len(root.children), root.left_out) == (contents.MOST_NODES, 1000 - contents.MOST_NODES)


def test_a_deep_json_ends_in_a_count() -> None:
    value: object = "end"
    for _ in range(50):
        value = [value]
    node = tree(value)
    for _ in range(contents.DEEPEST):
        (node,) = node.children
    assert (node.children, node.left_out) == ([], 1)


def test_what_is_no_json_has_no_tree() -> None:
    for text in (b"m1", b"{", b"\xff", b"[" * 100_000):
        assert Content(text, len(text)).tree is None
    assert Content(b"[1]", 10).tree is None, "a part of a JSON is none"
