"""Reads bodies and query strings strictly: what no database can keep or no JSON knows is refused before anything runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser

from kafkaconsole.api.errors import BadBody, BadParameters
from kafkaconsole.api.problems import BODY_PROBLEM

DEEPEST = 40


class StrictParser(Parser):
    """JSON in UTF-8 without NaN, lone surrogates or NUL; names and query parameters once each."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """The body, an object. A problem is left on the request: ninja itself would only say that there is one."""
        try:
            return _object(request.body)
        except BadBody as error:
            setattr(request, BODY_PROBLEM, error)
            raise

    def parse_querydict(
        self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """Parameters by name. One given twice is refused: which of the two is meant nobody knows."""
        problems = []
        for name, values in data.lists():
            if len(values) > 1 and name not in list_fields:
                problems.append({"field": name, "found": f"{len(values)} values", "expected": "one value"})
            if any("\0" in str(value) for value in values):
                problems.append({"field": name, "found": "a NUL character", "expected": "text without NUL"})
        if problems:
            raise BadParameters(problems=problems, total=len(problems))
        return super().parse_querydict(data, list_fields, request)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_each_once)
    except UnicodeDecodeError as error:
        raise _bad("(body)", f"a byte at {error.start} that is no UTF-8", "UTF-8") from error
    except RecursionError as error:
        raise _bad("(body)", "nesting without end", f"at most {DEEPEST} levels") from error
    except ValueError as error:
        raise _bad("(body)", str(error)[:200], "JSON") from error
    if not isinstance(value, dict):
        raise _bad("(body)", "JSON of another kind", "a JSON object")
    for path, found in _unkeepable(value, "", 0):
        raise _bad(path or "(body)", found, "text of Unicode characters without NUL")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name}, which is no JSON number")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. A name given twice is refused: which of the two values is meant nobody knows."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the name {twice[:100]!r} more than once in one object")
    return found


def _unkeepable(value: object, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Texts that PostgreSQL refuses (NUL) or that no encoding knows (half a surrogate pair), with their paths."""
    if depth > DEEPEST:
        yield path, f"more than {DEEPEST} levels"
    elif isinstance(value, str):
        if "\0" in value:
            yield path, "a NUL character"
        elif any("\ud800" <= letter <= "\udfff" for letter in value):
            yield path, "half of a surrogate pair"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _unkeepable(key, f"{path} (a name)", depth + 1)
            yield from _unkeepable(item, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _unkeepable(item, f"{path}[{place}]", depth + 1)


def _bad(field: str, found: str, expected: str) -> BadBody:
    return BadBody(field=field.encode("utf-8", "replace").decode(), found=found, expected=expected)
