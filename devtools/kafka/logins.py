"""Who may sign in to a secure local cluster, and the client settings for each, in the words of all three kinds of client."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Login:
    """A SCRAM user. The passwords guard nothing: every cluster made here listens on 127.0.0.1 alone."""

    user: str
    password: str

    @property
    def jaas_config(self) -> str:
        """What Java's clients and brokers read."""
        module = "org.apache.kafka.common.security.scram.ScramLoginModule"
        return f'{module} required username="{self.user}" password="{self.password}";'

    @property
    def principal(self) -> str:
        """The name that ACLs use."""
        return f"User:{self.user}"


# May do everything.
ADMIN = Login("admin", "admin-secret")
# Has the rights the console needs (kafka.acls.CONSOLE_RIGHTS) and no other.
CONSOLE = Login("console", "console-secret")
# May sign in, and nothing more; tests give it rights one by one.
OUTSIDER = Login("outsider", "outsider-secret")
EVERYBODY = (ADMIN, CONSOLE, OUTSIDER)

# The owner of client.pem, at the listener SSL.
CERTIFICATE_PRINCIPAL = "User:CN=console"


@dataclass(frozen=True)
class Door:
    """One way in: the servers, the listener's protocol, who comes, and the folder of certificates if it is needed."""

    bootstrap_servers: str
    protocol: str
    login: Login
    certificates: Path | None

    def confluent(self) -> dict[str, str]:
        """Settings in librdkafka's words."""
        settings = {"bootstrap.servers": self.bootstrap_servers, "security.protocol": self.protocol}
        if self.protocol.startswith("SASL"):
            settings |= {"sasl.mechanism": "SCRAM-SHA-512"}
            settings |= {"sasl.username": self.login.user, "sasl.password": self.login.password}
        if self.protocol.endswith("SSL"):
            settings |= {"ssl.ca.location": self._file("ca.crt")}
        if self.protocol == "SSL":
            settings |= {"ssl.certificate.location": self._file("client.crt")}
            settings |= {"ssl.key.location": self._file("client.key")}
        return settings

    def kafka_python(self) -> dict[str, str]:
        """Settings in kafka-python's words."""
        settings = {"bootstrap_servers": self.bootstrap_servers, "security_protocol": self.protocol}
        if self.protocol.startswith("SASL"):
            settings |= {"sasl_mechanism": "SCRAM-SHA-512"}
            settings |= {"sasl_plain_username": self.login.user, "sasl_plain_password": self.login.password}
        if self.protocol.endswith("SSL"):
            settings |= {"ssl_cafile": self._file("ca.crt")}
        if self.protocol == "SSL":
            settings |= {"ssl_certfile": self._file("client.crt"), "ssl_keyfile": self._file("client.key")}
        return settings

    def java(self) -> dict[str, str]:
        """Settings in the words of Java's clients and tools (without bootstrap.servers)."""
        settings = {"security.protocol": self.protocol}
        if self.protocol.startswith("SASL"):
            settings |= {"sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": self.login.jaas_config}
        if self.protocol.endswith("SSL"):
            settings |= {"ssl.truststore.type": "PEM", "ssl.truststore.location": self._file("ca.crt")}
        if self.protocol == "SSL":
            settings |= {"ssl.keystore.type": "PEM", "ssl.keystore.location": self._file("client.pem")}
        return settings

    def _file(self, name: str) -> str:
        if self.certificates is None:
            raise ValueError(f"The protocol {self.protocol} needs certificates, and this cluster has none.")
        return str(self.certificates / name)


class Reachable(Protocol):
    """A cluster that somebody runs, as far as its clients care: the ways in."""

    def door(self, login: Login = ADMIN, listener: str | None = None) -> Door:
        """The way in for this person at this listener (None: the usual one)."""
        ...

    def client_settings(self, login: Login = ADMIN, listener: str | None = None) -> dict[str, str]:
        """The same in librdkafka's words."""
        ...
