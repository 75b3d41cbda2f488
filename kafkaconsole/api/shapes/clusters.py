"""Clusters and connection tests."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from kafkaconsole.api.shapes.values import InstantText, ProblemOut, instant, instant_text, problem
from kafkaconsole.clusters.models import Cluster, ConnectionTest


class ClusterOut(Schema):
    """A registered cluster. Secrets are written, never read back."""

    name: str
    title: str
    cluster_id: str | None
    environment: str
    bootstrap_servers: list[str]
    security_protocol: str
    time_zone: str | None
    health: Literal["ok", "degraded", "unreachable", "unknown"]
    problem: ProblemOut | None
    as_of: InstantText | None

    @classmethod
    def of(cls, row: Cluster) -> ClusterOut:
        """From its row."""
        return cls.model_validate(
            {
                "name": row.name,
                "title": row.title,
                "cluster_id": row.cluster_id,
                "environment": row.environment.slug,
                "bootstrap_servers": [one for one in row.bootstrap_servers.split(",") if one],
                "security_protocol": row.security_protocol,
                "time_zone": row.time_zone or None,
                "health": str(row.health),
                "problem": problem(row.problem),
                "as_of": instant(row.checked_at),
            }
        )


class ClusterList(Schema):
    """A page of clusters."""

    items: list[ClusterOut]
    next: str | None
    as_of: InstantText


class ClusterChange(Schema):
    """What can be changed; a field that is left out stays. `""` for a secret leaves it too."""

    model_config = ConfigDict(extra="forbid")

    title: str | None = Field(None, max_length=120)
    environment: str | None = Field(None, max_length=50, description="Slug of an environment")
    bootstrap_servers: list[str] | None = Field(None, min_length=1, max_length=20)
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] | None = None
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", ""] | None = None
    username: str | None = Field(None, max_length=255)
    ca_pem: str | None = Field(None, max_length=100_000)
    certificate_pem: str | None = Field(None, max_length=100_000)
    check_hostname: bool | None = None
    time_zone: str | None = Field(None, max_length=64, description='IANA name, such as Asia/Seoul; "" for none')
    password: str | None = Field(None, max_length=1000)
    key_pem: str | None = Field(None, max_length=100_000)

    def connection(self) -> dict[str, object]:
        """The given fields that say how to reach it."""
        given: dict[str, Any] = self.model_dump(include=_CONNECTION, exclude_none=True)
        if self.bootstrap_servers is not None:
            given["bootstrap_servers"] = ",".join(self.bootstrap_servers)
        return given

    def secrets(self) -> dict[str, str]:
        """The given secrets."""
        return {name: value for name in _SECRETS if (value := getattr(self, name))}


_CONNECTION = {"security_protocol", "sasl_mechanism", "username", "ca_pem", "certificate_pem", "check_hostname"}
_SECRETS = ("password", "key_pem")


class ClusterIn(ClusterChange):
    """A cluster to register."""

    name: str = Field(..., pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")
    title: str = Field(..., min_length=1, max_length=120)
    environment: str = Field(..., max_length=50, description="Slug of an environment")
    bootstrap_servers: list[str] = Field(..., min_length=1, max_length=20)


class TestOut(Schema):
    """A connection test; `report` is None until a worker has made it."""

    id: int
    cluster: str
    asked_by: str
    asked_at: InstantText
    done_at: InstantText | None
    report: dict[str, Any] | None

    @classmethod
    def of(cls, row: ConnectionTest) -> TestOut:
        """From its row."""
        return cls.model_validate(
            {
                "id": row.pk,
                "cluster": row.cluster.name,
                "asked_by": row.asked_by.username,
                "asked_at": instant_text(row.asked_at),
                "done_at": instant(row.done_at),
                "report": row.report,
            }
        )
