"""The calls, one module per resource. Each fetches for its caller, calls the same action as the page, and answers."""

from kafkaconsole.api import converters  # noqa: F401  registers the converters `group` and `row`
