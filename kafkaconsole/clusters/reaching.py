"""How a registered cluster is reached: its row as connection settings, through the allow-list."""

from __future__ import annotations

from kafkaconsole.clusters.errors import ClusterRemoved
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.kafka.client_settings import parse_settings
from kafkaconsole.kafka.values import ConnectionSettings

CONNECTION = (
    "bootstrap_servers",
    "security_protocol",
    "sasl_mechanism",
    "username",
    "ca_pem",
    "certificate_pem",
    "check_hostname",
)
SECRETS = ("password", "key_pem")


def settings_of(cluster: Cluster) -> ConnectionSettings:
    """How to reach the cluster, secrets included; through the allow-list again, whatever the row says."""
    if not cluster.is_active:
        raise ClusterRemoved(cluster=cluster.name)
    return parse_settings({**connection_of(cluster), **cluster.secrets})


def connection_of(cluster: Cluster) -> dict[str, object]:
    """The fields CONNECTION of a row; no secrets."""
    names = {"username": "sasl_username"}
    return {field: getattr(cluster, names.get(field, field)) for field in CONNECTION}
