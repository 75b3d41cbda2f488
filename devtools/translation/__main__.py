"""`make messages`: bring the catalogues up to the code, compile them, and say what is still to be translated."""

from __future__ import annotations

import sys
from pathlib import Path

import django
from django.conf import settings

from devtools.translation import catalogue, texts

ROOT = Path(__file__).resolve().parents[2]


def bring_up_to_date(po: Path, root: Path) -> list[str]:
    """Rewrite one .po file and its .mo file; give the texts that have no translation, each with its file."""
    found = texts.of_tree(root)
    entries = catalogue.merged(catalogue.read(po.read_text(encoding="utf-8")), found)
    po.write_text(catalogue.written(entries), encoding="utf-8")
    po.with_suffix(".mo").write_bytes(catalogue.compiled(entries))
    return [f"{found[entry.text]}: {entry.text.one}" for entry in entries[1:] if not entry.is_done]


def main() -> int:
    """0 when every language says everything."""
    if not settings.configured:
        settings.configure(USE_I18N=True)
        django.setup()
    missing = 0
    for po in sorted((ROOT / "locale").glob("*/LC_MESSAGES/django.po")):
        for line in bring_up_to_date(po, ROOT):
            print(f"{po.parent.parent.name}  {line}")
            missing += 1
    print(
        "Nothing is left to translate." if not missing else f"{missing} texts are left to translate.", file=sys.stderr
    )
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
