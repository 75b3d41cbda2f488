"""Every text of the code is said in Korean, with every placeholder, and the compiled catalogue is of the same texts."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import pytest

from devtools.translation import catalogue, texts
from devtools.translation.catalogue import Entry

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "locale" / "ko" / "LC_MESSAGES"
PO = FOLDER / "django.po"
MO = FOLDER / "django.mo"

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w*(?:![rsa])?(?::[^{}]*)?\}|%%|</?[a-z][^>]*>")


def _all() -> list[Entry]:
    return catalogue.read(PO.read_text(encoding="utf-8"))


def _entries() -> list[Entry]:
    return [entry for entry in _all() if entry.parts.get("msgid")]


def _placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def _disagrees(entry: Entry) -> bool:
    """Korean has one form for every number, so it answers to the plural where there is one."""
    wanted = _placeholders(entry.parts.get("msgid_plural", entry.parts["msgid"]))
    return any(_placeholders(text) != wanted for text in entry.translations)


def test_every_text_of_the_code_has_an_entry() -> None:
    found = texts.of_tree(ROOT)
    have = {entry.text for entry in _entries()}
    assert [f"{found[text]}: {text.one}" for text in found if text not in have] == [], "run make messages"


def test_no_entry_is_left_over_from_code_that_is_gone() -> None:
    found = texts.of_tree(ROOT)
    assert [entry.text.one for entry in _entries() if entry.text not in found] == [], "run make messages"


def test_there_are_texts_at_all_from_python_and_from_templates() -> None:
    files = texts.of_tree(ROOT).values()
    assert sum(name.endswith(".py") for name in files) > 500
    assert sum(name.endswith(".html") for name in files) > 500


def test_every_entry_is_translated() -> None:
    assert [e.parts["msgid"] for e in _entries() if not e.translations or not all(e.translations)] == []


def test_no_entry_is_marked_fuzzy() -> None:
    assert [e.parts.get("msgid") for e in _all() if e.fuzzy] == []


def test_placeholders_and_tags_agree_with_the_original() -> None:
    assert [e.parts["msgid"] for e in _entries() if _disagrees(e)] == []


def test_sentences_that_are_joined_keep_the_blank_between_them() -> None:
    def blank(text: str) -> bool:
        return text.startswith((" ", ",")) and not text.startswith(" (")

    assert [e.text.one for e in _entries() if blank(e.text.one) and not blank(e.translations[0])] == []


def test_the_compiled_catalogue_holds_what_the_source_holds() -> None:
    with MO.open("rb") as file:
        compiled = dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined]
    compiled.pop("")
    source: dict[object, str] = {}
    for entry in _entries():
        name = f"{entry.text.context}\x04{entry.text.one}" if entry.text.context else entry.text.one
        for form, text in enumerate(entry.translations):
            source[name if entry.text.many is None else (name, form)] = text
    assert compiled == source, "run make messages"


@pytest.mark.parametrize(
    ("msgid", "msgstr"),
    [
        ("%(n)s skipped", "%(m)s개 건너뜀"),
        ("%(n)s skipped", "건너뜀"),
        ("Read {group} again", "{grupo} 다시 읽기"),
        ("found {found!r}", "{found} 발견"),
        ("at most {most:,} rows", "최대 {most}행"),
        ("Reads <b>nothing</b>", "읽는 것 <b>없음"),
    ],
)
def test_a_lost_or_misspelt_placeholder_is_noticed(msgid: str, msgstr: str) -> None:
    assert _disagrees(Entry({"msgid": msgid, "msgstr": msgstr}))
