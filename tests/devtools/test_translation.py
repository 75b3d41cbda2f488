"""`make messages`: finds the texts of the code, keeps what is translated, and compiles what gettext reads."""

from __future__ import annotations

import gettext
import io
from pathlib import Path

import pytest

from devtools.translation import __main__ as messages
from devtools.translation import catalogue, texts
from devtools.translation.catalogue import Entry
from devtools.translation.texts import Text

HEADER = 'msgid ""\nmsgstr ""\n"Language: ko\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=1; plural=0;\\n"\n'


def test_texts_are_found_by_the_function_that_marks_them() -> None:
    source = """
_("one"); lazy("a " "b"); words("c {d}", d=1); phrase('e'); counted("f", "g", n)
pgettext("day", "j M"); phrase_in("state", "planned"); ngettext("h", "i", n); npgettext("x", "k", "l", n)
print("no"); words(variable); other._("no"); _("")
"""
    assert set(texts.of_python(source)) == {
        Text("one"),
        Text("a b"),
        Text("c {d}"),
        Text("e"),
        Text("f", "g"),
        Text("j M", context="day"),
        Text("planned", context="state"),
        Text("h", "i"),
        Text("k", "l", "x"),
    }


def test_texts_of_a_template_are_found_as_django_reads_them() -> None:
    source = """<p title="{% translate 'It’s here' %}">{% blocktranslate with n=all|count %}{{ n }} of 100%{% endblocktranslate %}
{% blocktranslate count n=some %}{{ n }} record{% plural %}{{ n }} records{% endblocktranslate %}
{% translate "May" context "month" %}{{ value|default:_("nothing") }}{# {% translate "no" %} #}</p>"""
    assert set(texts.of_template(source)) == {
        Text("It’s here"),
        Text("%(n)s of 100%%"),
        Text("%(n)s record", "%(n)s records"),
        Text("May", context="month"),
        Text("nothing"),
    }


def test_a_catalogue_reads_back_as_it_was_written() -> None:
    source = HEADER + '\n#, python-format\nmsgctxt "day"\nmsgid "a \\"b\\"\\n\\tc\\\\"\nmsgstr "가"\n'
    entries = catalogue.read(source)
    assert catalogue.written(entries) == source
    assert entries[1].text == Text('a "b"\n\tc\\', context="day")


def test_a_fuzzy_mark_and_a_text_over_several_lines_are_read() -> None:
    (entry,) = catalogue.read('#, python-format, fuzzy\nmsgctxt "day"\nmsgid ""\n"j "\n"M"\nmsgstr "n월 j일"')
    assert entry.fuzzy
    assert not entry.is_done
    assert entry.parts == {"msgctxt": "day", "msgid": "j M", "msgstr": "n월 j일"}


def test_a_line_that_is_none_of_the_format_is_told() -> None:
    with pytest.raises(ValueError, match="mgsid"):
        catalogue.read('mgsid "a"\nmsgstr "b"')


def test_merging_keeps_what_is_used_drops_what_is_not_and_adds_what_is_new() -> None:
    entries = catalogue.read(HEADER + '\nmsgid "kept"\nmsgstr "유지"\n\nmsgid "gone"\nmsgstr "없음"\n')
    header, kept, new = catalogue.merged(entries, [Text("new", "news"), Text("kept")])
    assert header is entries[0]
    assert kept.translations == ["유지"]
    assert new == Entry({"msgid": "new", "msgid_plural": "news", "msgstr[0]": ""})


def test_what_is_compiled_is_what_gettext_reads() -> None:
    source = HEADER + (
        '\nmsgid "one"\nmsgstr "하나"\n\nmsgctxt "day"\nmsgid "one"\nmsgstr "일"\n'
        '\nmsgid "{n} hour"\nmsgid_plural "{n} hours"\nmsgstr[0] "{n}시간"\n'
        '\n#, fuzzy\nmsgid "guessed"\nmsgstr "추측"\n\nmsgid "open"\nmsgstr ""\n'
    )
    found = gettext.GNUTranslations(io.BytesIO(catalogue.compiled(catalogue.read(source))))
    assert found.gettext("one") == "하나"
    assert found.pgettext("day", "one") == "일"
    assert found.ngettext("{n} hour", "{n} hours", 2) == "{n}시간"
    assert found.gettext("guessed") == "guessed"
    assert found.gettext("open") == "open"
    assert found.info()["language"] == "ko"


def test_bringing_a_catalogue_up_to_date_says_what_is_left_and_where(tmp_path: Path) -> None:
    (tmp_path / "kafkaconsole").mkdir()
    (tmp_path / "kafkaconsole" / "new.py").write_text('_("kept"); _("new")')
    (tmp_path / "templates").mkdir()
    po = tmp_path / "django.po"
    po.write_text(HEADER + '\nmsgid "kept"\nmsgstr "유지"\n\nmsgid "gone"\nmsgstr "없음"\n', encoding="utf-8")
    assert messages.bring_up_to_date(po, tmp_path) == ["kafkaconsole/new.py: new"]
    assert [entry.text.one for entry in catalogue.read(po.read_text(encoding="utf-8"))[1:]] == ["kept", "new"]
    with po.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("kept") == "유지"
