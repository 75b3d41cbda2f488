"""Why a throw-away server could not be had; each text says what to do."""


class ServerError(Exception):
    """Root of the errors of devtools.servers."""


class ServerMissing(ServerError):
    """The server's program is not on this machine; the text names the command that brings it."""


class ServerDidNotStart(ServerError):
    """The server ended or did not answer in time; the text ends with the tail of what it printed."""
