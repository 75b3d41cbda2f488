"""The Korean catalogue is complete, keeps every placeholder, and is the one that was compiled."""

from __future__ import annotations

import ast
import gettext
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "locale" / "ko" / "LC_MESSAGES"
PO = FOLDER / "django.po"
MO = FOLDER / "django.mo"

LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*(".*")')
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w*\}|%%|</?[a-z][^>]*>")


@dataclass
class Entry:
    """One entry of a .po file: its parts by keyword (`msgid`, `msgstr[0]`, …) and whether it is marked fuzzy."""

    parts: dict[str, str] = field(default_factory=dict)
    fuzzy: bool = False

    @property
    def translations(self) -> list[str]:
        return [text for keyword, text in self.parts.items() if keyword.startswith("msgstr")]

    @property
    def keys(self) -> list[str | tuple[str, int]]:
        """What `gettext` files the translations under: a plural is filed once a form, a context goes before."""
        context = f"{self.parts['msgctxt']}\x04" if "msgctxt" in self.parts else ""
        name = context + self.parts["msgid"]
        return [(name, form) for form in range(len(self.translations))] if "msgid_plural" in self.parts else [name]


def _read(text: str) -> list[Entry]:
    """The entries of a .po file, its header first. Raises ValueError at a line that is none of the format's."""
    entries = []
    for block in re.split(r"\n{2,}", text.strip()):
        entry, keyword = Entry(), ""
        for line in block.splitlines():
            if line.startswith("#"):
                entry.fuzzy |= line.startswith("#,") and "fuzzy" in line
                continue
            found = LINE.fullmatch(line)
            if found is None:
                raise ValueError(f"not a line of a .po file: {line!r}")
            keyword = found[1] or keyword
            entry.parts[keyword] = entry.parts.get(keyword, "") + ast.literal_eval(found[2])
        entries.append(entry)
    return entries


def _entries() -> list[Entry]:
    return [entry for entry in _read(PO.read_text(encoding="utf-8")) if entry.parts.get("msgid")]


def _placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def _disagrees(entry: Entry) -> bool:
    """Korean has one form for every number, so it answers to the plural where there is one."""
    wanted = _placeholders(entry.parts.get("msgid_plural", entry.parts["msgid"]))
    return any(_placeholders(text) != wanted for text in entry.translations)


def test_the_catalogue_has_entries_at_all() -> None:
    assert len(_entries()) > 700


def test_every_entry_is_translated() -> None:
    assert [e.parts["msgid"] for e in _entries() if not e.translations or not all(e.translations)] == []


def test_no_entry_is_marked_fuzzy() -> None:
    assert [e.parts.get("msgid") for e in _read(PO.read_text(encoding="utf-8")) if e.fuzzy] == []


def test_placeholders_and_tags_agree_with_the_original() -> None:
    assert [e.parts["msgid"] for e in _entries() if _disagrees(e)] == []


def test_the_compiled_catalogue_holds_what_the_source_holds() -> None:
    with MO.open("rb") as file:
        compiled = dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]
    compiled.pop("")
    source = {key: text for e in _entries() for key, text in zip(e.keys, e.translations, strict=True)}
    assert compiled == source


@pytest.mark.parametrize(
    ("msgid", "msgstr"),
    [
        ("%(n)s skipped", "%(m)s개 건너뜀"),
        ("%(n)s skipped", "건너뜀"),
        ("Read {group} again", "{grupo} 다시 읽기"),
        ("Reads <b>nothing</b>", "읽는 것 <b>없음"),
    ],
)
def test_a_lost_or_misspelt_placeholder_is_noticed(msgid: str, msgstr: str) -> None:
    assert _disagrees(Entry({"msgid": msgid, "msgstr": msgstr}))


def test_a_fuzzy_mark_and_a_text_over_several_lines_are_read() -> None:
    (entry,) = _read('#, python-format, fuzzy\nmsgctxt "day"\nmsgid ""\n"j "\n"M"\nmsgstr "n월 j일"')
    assert entry.fuzzy
    assert entry.parts == {"msgctxt": "day", "msgid": "j M", "msgstr": "n월 j일"}
