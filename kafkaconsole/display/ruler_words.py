"""The ruler in words, for those who do not see it: the same facts, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _


def numbered(value: int) -> str:
    """A count or an offset with its thousands apart."""
    return f"{value:,}"


def words(
    *, name: str, log_start: int | None, log_end: int | None, committed: int | None, target: int | None, action: str
) -> str:
    """One line such as “orders-0: log from 0 to 9, stands at 9, will stand at 4, 5 read again”."""
    text = ", ".join(_parts(log_start, log_end, committed, target, action))
    return f"{name}: {text}" if name else text


def _parts(
    log_start: int | None, log_end: int | None, committed: int | None, target: int | None, action: str
) -> Iterator[str]:
    if log_start is None or log_end is None:
        yield _("the log's bounds are not known")
    elif log_start == log_end:
        yield _("empty log at %(at)s") % {"at": numbered(log_start)}
    else:
        yield _("log from %(start)s to %(end)s") % {"start": numbered(log_start), "end": numbered(log_end)}
    yield from _standing(log_start, log_end, committed)
    yield from _change(log_start, log_end, committed, target, action)


def _standing(log_start: int | None, log_end: int | None, committed: int | None) -> Iterator[str]:
    if committed is None:
        yield _("no commit")
        return
    yield _("stands at %(at)s") % {"at": numbered(committed)}
    if log_start is not None and committed < log_start:
        yield _("which retention has deleted")
    if log_end is not None and committed > log_end:
        yield _("which is beyond the log end")


def _change(
    log_start: int | None, log_end: int | None, committed: int | None, target: int | None, action: str
) -> Iterator[str]:
    fixed = {
        "leave": _("stays as it is"),
        "delete": _("its commit will be deleted"),
        "refuse": _("cannot be reset"),
    }
    if action in fixed:
        yield fixed[action]
    if target is None:
        return
    yield _("will stand at %(at)s") % {"at": numbered(target)}
    if committed is None or log_start is None or log_end is None:
        return
    moved = target - min(max(committed, log_start), log_end)
    if moved < 0:
        yield _("%(count)s read again") % {"count": numbered(-moved)}
    if moved > 0:
        yield _("%(count)s skipped") % {"count": numbered(moved)}
    if moved == 0:
        yield _("nothing read again, nothing skipped")
