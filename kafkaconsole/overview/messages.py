"""The sentences of calls that no page could take, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

MEGABYTE = 1024 * 1024

SENTENCES: Mapping[str, str] = {
    "page.too_large": phrase(
        "{found_bytes} were sent at once; a form may hold {most_bytes}. Nothing was done with it. Send less: a shorter text, "
        "or one file of offsets after the other, each for part of the partitions."
    ),
    "page.too_many_fields": phrase(
        "More than {most} fields were sent at once, which is the most that a form may have. Nothing was done with it. "
        "Choose fewer, and do it in several steps."
    ),
    "page.too_many_files": phrase(
        "More than {most} files were sent at once, which is the most. Nothing was done with them. Send them one by one."
    ),
    "page.malformed": phrase(
        "What arrived here is not what the page sends; most likely the connection broke off on the way. Nothing was "
        "done with it. Open the page anew and send it once more."
    ),
    "page.form_outdated": phrase(
        "This form belongs to an earlier sign-in, or the browser keeps no cookies for this site. Nothing was done with "
        "it. Open the page anew and send it once more."
    ),
    "page.wrong_method": phrase(
        "This address is not a page to be opened with {method}; it takes {allowed}. Nothing was done. Go to the page "
        "that has the button, and press it there."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return words(SENTENCES[code], **{name: _told(name, value) for name, value in facts.items()})


def _told(name: str, value: object) -> object:
    if name in ("found_bytes", "most_bytes"):
        return f"{value / MEGABYTE:.1f} MB" if isinstance(value, int) else words("More than the most")
    return f"{value:,}" if isinstance(value, int) else value
