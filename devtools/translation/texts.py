"""Every text of the code that is translated, read from Python by its syntax and from templates by Django's own reading."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation.template import templatize

ONE = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop", "lazy", "words", "phrase"})
COUNTED = frozenset({"ngettext", "ngettext_lazy", "counted"})
IN_CONTEXT = frozenset({"pgettext", "pgettext_lazy", "phrase_in"})
COUNTED_IN_CONTEXT = frozenset({"npgettext", "npgettext_lazy"})

_LITERAL = r"u?(?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")"
_CALL = re.compile(rf"\b(?P<name>_|n?p?gettext)\((?P<texts>{_LITERAL}(?:\s*,\s*{_LITERAL})*)", re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """One text as the code has it; `many` is None where nothing is counted."""

    one: str
    many: str | None = None
    context: str | None = None


def of_tree(root: Path) -> Mapping[Text, str]:
    """Every text below `kafkaconsole/` and `templates/`, each with the first file that has it, in the files' order."""
    found: dict[Text, str] = {}
    for path in sorted((root / "kafkaconsole").rglob("*.py")):
        for text in of_python(path.read_text(encoding="utf-8")):
            found.setdefault(text, str(path.relative_to(root)))
    for path in sorted((root / "templates").rglob("*.*")):
        if path.suffix in (".html", ".txt"):
            for text in of_template(path.read_text(encoding="utf-8")):
                found.setdefault(text, str(path.relative_to(root)))
    return found


def of_python(source: str) -> Iterator[Text]:
    """The texts of one module: calls of a marking function whose texts are written out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            written = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            yield from _text(name, written)


def of_template(source: str) -> Iterator[Text]:
    """The texts of one template."""
    for call in _CALL.finditer(templatize(source)):
        literals = ast.literal_eval(f"({call['texts']},)")
        yield from _text(call["name"], list(literals))


def _text(name: str, written: list[str]) -> Iterator[Text]:
    if name in ONE and written and written[0]:
        yield Text(written[0])
    elif name in COUNTED and len(written) >= 2:
        yield Text(written[0], written[1])
    elif name in IN_CONTEXT and len(written) >= 2:
        yield Text(written[1], context=written[0])
    elif name in COUNTED_IN_CONTEXT and len(written) >= 3:
        yield Text(written[1], written[2], context=written[0])
