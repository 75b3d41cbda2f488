"""TLS for kafka-python, from the PEM texts that a registered cluster holds."""

from __future__ import annotations

import os
import ssl
import tempfile
from pathlib import Path

from kafkaconsole.kafka.errors import UnsafeSetting
from kafkaconsole.kafka.values import ConnectionSettings
from kafkaconsole.words import words


def tls_context(settings: ConnectionSettings) -> ssl.SSLContext | None:
    """The context for the settings' protocol; None without TLS. The chain is always verified; the name is if asked for."""
    if settings.security_protocol not in ("SSL", "SASL_SSL"):
        return None
    try:
        context = ssl.create_default_context(cadata=settings.ca_pem or None)
    except (ssl.SSLError, ValueError) as error:
        raise UnsafeSetting(setting="ca_pem", found=str(error), expected=words("certificates in PEM form")) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = settings.check_hostname
    if settings.certificate_pem:
        _present(context, settings)
    return context


def _present(context: ssl.SSLContext, settings: ConnectionSettings) -> None:
    """Load the client's certificate and key. OpenSSL takes files alone: one of mode 0600, removed at once."""
    descriptor, name = tempfile.mkstemp(prefix="kafka-console-", suffix=".pem")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(settings.certificate_pem.rstrip("\n") + "\n" + settings.key_pem)
        context.load_cert_chain(name, password=_refuse_to_ask)
    except ssl.SSLError as error:
        raise UnsafeSetting(
            setting="key_pem",
            found=error.reason or words("unreadable"),
            expected=words("an unencrypted key in PEM form that belongs to the certificate"),
        ) from error
    finally:
        Path(name).unlink()


def _refuse_to_ask() -> str:
    """An encrypted key would make OpenSSL ask on the terminal for its passphrase; an empty one just fails."""
    return ""
