"""Why a set-up could not be done, as one sentence for the person at the terminal."""


class SetupRefused(Exception):
    """Something is missing or failed; `str()` of it is the sentence that says what to do."""
