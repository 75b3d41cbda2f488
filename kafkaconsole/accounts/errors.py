"""What can be refused about people and tokens."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class BadToken(BadInput):
    """A token that cannot be made as asked. Facts: field, found, expected."""

    code = "token.bad"


class BadPerson(BadInput):
    """A person that cannot be made or changed as asked. Facts: field, found, expected."""

    code = "person.bad"


class LastAdministrator(Refused):
    """Nobody would be left to administer the console. Facts: user."""

    code = "person.last_administrator"
