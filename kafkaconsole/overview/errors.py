"""What can be wrong with a call itself, before any page looks at what it asks."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, NotAllowed


class TooLarge(BadInput):
    """More was sent than a form may hold. Facts: found_bytes (None where the sender does not say), most_bytes."""

    code = "page.too_large"
    status = 413


class TooManyFields(BadInput):
    """A form, or an address, of more fields than any page has. Facts: most."""

    code = "page.too_many_fields"
    status = 413


class TooManyFiles(BadInput):
    """More files at once than any form has. Facts: most."""

    code = "page.too_many_files"
    status = 413


class Malformed(BadInput):
    """A call that broke off, or is no HTTP form. No facts."""

    code = "page.malformed"
    status = 400


class FormOutdated(NotAllowed):
    """A form whose token is not the one of this sign-in. No facts."""

    code = "page.form_outdated"


class WrongMethod(BadInput):
    """An address that only takes a form was opened, or one that is only read was sent a form. Facts: method, allowed."""

    code = "page.wrong_method"
    status = 405
