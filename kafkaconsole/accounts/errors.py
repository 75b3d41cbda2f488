"""What can be refused about people and tokens."""

from __future__ import annotations

from kafkaconsole.errors import BadInput


class BadToken(BadInput):
    """A token that cannot be made as asked. Facts: field, found, expected."""

    code = "token.bad"
