"""Who is named in a comment with an `@`: only people who may see the request are told of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kafkaconsole.accounts.models import User
from kafkaconsole.resets import queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.words import words

NAME = re.compile(r"(?<![\w.@+-])@([\w.@+-]+)")
"""A user name after an `@` that begins a word, so a mail address names nobody; the letters are Django's for user names."""

ENDS = ".-+@"
"""May end a user name, but more often the sentence: without them it is looked for where no one is named with them."""

MOST = 20
"""So many names in one comment: each is looked up, and more would be a mail to everyone."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """User names of the people meant, and the names as typed that mean nobody who may see the request. A name that is
    nobody's and one of somebody who may not see it are told alike, so nobody finds out who there is."""

    people: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def mentioned_in(text: str, request: ResetRequest, *, field: str = "text") -> Mentions:
    """Who the text names, each once, in the order of the text. Raises BadRequest, on the field it was typed in, for more
    than MOST names."""
    typed = list(dict.fromkeys(NAME.findall(text)))
    if len(typed) > MOST:
        expected = words("at most {most} people named with @", most=MOST)
        raise BadRequest(field=field, found=words("{count} names", count=len(typed)), expected=expected)
    found = {name: _meant(name, request) for name in typed}
    people = dict.fromkeys(person for person in found.values() if person)
    return Mentions(tuple(people), tuple(name for name, person in found.items() if not person))


def facts_of(text: str, request: ResetRequest, *, field: str = "comment") -> dict[str, object]:
    """What the record of an act says of the people whom its comment names: they are told of it. Empty for nobody."""
    people = mentioned_in(text, request, field=field).people
    return {"mentions": list(people)} if people else {}


def _meant(name: str, request: ResetRequest) -> str | None:
    """The user name of whoever is meant and may see the request."""
    spelled = {name, name.rstrip(ENDS)}
    people = sorted(User.objects.filter(username__in=spelled, is_active=True), key=lambda one: -len(one.username))
    seeing = (one for one in people if queries.requests_for(one).filter(pk=request.pk).exists())
    return next((one.username for one in seeing), None)
