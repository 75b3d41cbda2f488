"""The .po file that translators write, and the .mo file that the console reads."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from devtools.translation.texts import Text

LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*(".*")')
MAGIC = 0x950412DE
HEADER_SIZE = 28
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


@dataclass
class Entry:
    """One entry: its parts by keyword (`msgid`, `msgstr[0]`, …), its comments, and whether it is marked fuzzy."""

    parts: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    fuzzy: bool = False

    @property
    def text(self) -> Text:
        """What of the code this entry translates."""
        return Text(self.parts["msgid"], self.parts.get("msgid_plural"), self.parts.get("msgctxt"))

    @property
    def translations(self) -> list[str]:
        """The translated forms, one for every number of things where they are counted."""
        return [text for keyword, text in self.parts.items() if keyword.startswith("msgstr")]

    @property
    def is_done(self) -> bool:
        """Every form is translated, and by someone who knew the present text."""
        return bool(self.translations) and all(self.translations) and not self.fuzzy

    @classmethod
    def wanted(cls, text: Text) -> Entry:
        """A new entry for a text that nobody has translated yet."""
        parts = {"msgctxt": text.context, "msgid": text.one, "msgid_plural": text.many}
        kept = {keyword: said for keyword, said in parts.items() if said is not None}
        return cls({**kept, "msgstr" if text.many is None else "msgstr[0]": ""})


def read(source: str) -> list[Entry]:
    """The entries of a .po file, its header first. Raises ValueError at a line that is none of the format's."""
    entries = []
    for block in re.split(r"\n{2,}", source.strip()):
        entry, keyword = Entry(), ""
        for line in block.splitlines():
            if line.startswith("#"):
                entry.comments.append(line)
                entry.fuzzy |= line.startswith("#,") and "fuzzy" in line
                continue
            found = LINE.fullmatch(line)
            if found is None:
                raise ValueError(f"not a line of a .po file: {line!r}")
            keyword = found[1] or keyword
            entry.parts[keyword] = entry.parts.get(keyword, "") + ast.literal_eval(found[2])
        entries.append(entry)
    return entries


def written(entries: Iterable[Entry]) -> str:
    """The text of a .po file: the header a line at a time, everything else unwrapped, so that changes are small."""
    return "\n\n".join("\n".join(_lines(entry)) for entry in entries) + "\n"


def _lines(entry: Entry) -> Iterator[str]:
    yield from entry.comments
    for keyword, text in entry.parts.items():
        if keyword == "msgstr" and not entry.parts.get("msgid"):
            yield 'msgstr ""'
            yield from (_quoted(line) for line in text.splitlines(keepends=True))
        else:
            yield f"{keyword} {_quoted(text)}"


def _quoted(text: str) -> str:
    return '"' + "".join(ESCAPES.get(letter, letter) for letter in text) + '"'


def merged(entries: Sequence[Entry], texts: Iterable[Text]) -> list[Entry]:
    """The entries that the code still has, in their order, and one without a translation for every new text."""
    wanted = list(texts)
    kept = {entry.text: entry for entry in entries[1:] if entry.text in set(wanted)}
    return [entries[0], *kept.values(), *(Entry.wanted(text) for text in wanted if text not in kept)]


def compiled(entries: Iterable[Entry]) -> bytes:
    """The same entries as a .mo file (GNU gettext's manual, 10.3): pairs sorted by their bytes; a fuzzy one is left out."""
    pairs = sorted((_key(entry), "\0".join(entry.translations).encode()) for entry in entries if entry.is_done)
    count, starts, texts = len(pairs), list[tuple[int, int]](), bytearray()
    first = HEADER_SIZE + 16 * count
    for column in (0, 1):
        for pair in pairs:
            starts.append((len(pair[column]), first + len(texts)))
            texts += pair[column] + b"\0"
    table = b"".join(struct.pack("<2I", *one) for one in starts)
    head = struct.pack("<7I", MAGIC, 0, count, HEADER_SIZE, HEADER_SIZE + 8 * count, 0, first)
    return head + table + bytes(texts)


def _key(entry: Entry) -> bytes:
    context = f"{entry.parts['msgctxt']}\x04" if "msgctxt" in entry.parts else ""
    plural = f"\0{entry.parts['msgid_plural']}" if "msgid_plural" in entry.parts else ""
    return (context + entry.parts["msgid"] + plural).encode()
