"""A node's configuration follows from the shape of the cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.kafka import configs
from devtools.kafka.logins import ADMIN


def shape_of(security: configs.Security, nodes: int, certificates: Path | None = None) -> configs.Shape:
    ports = [
        configs.NodePorts(
            controller=100 * number,
            listeners={name: 100 * number + place for place, name in enumerate(configs.LISTENERS[security], start=1)},
        )
        for number in range(1, nodes + 1)
    ]
    return configs.Shape(security=security, nodes=tuple(ports), certificates=certificates)


def properties(shape: configs.Shape, number: int = 1) -> dict[str, str]:
    text = configs.node_properties(shape, number=number, data=Path("/data/node"))
    pairs = [line.split("=", 1) for line in text.splitlines()]
    assert len(pairs) == len({name for name, _ in pairs}), "a setting stands there twice"
    return {name: value for name, value in pairs}


def test_one_plain_node_listens_on_this_machine_alone() -> None:
    found = properties(shape_of("plain", 1))
    assert found["listeners"] == "PLAINTEXT://127.0.0.1:101,CONTROLLER://127.0.0.1:100"
    assert found["advertised.listeners"] == "PLAINTEXT://127.0.0.1:101"
    assert found["controller.quorum.voters"] == "1@127.0.0.1:100"
    assert found["offsets.topic.replication.factor"] == "1"
    assert "authorizer.class.name" not in found


def test_three_nodes_vote_and_keep_three_copies() -> None:
    found = properties(shape_of("plain", 3), number=2)
    assert found["node.id"] == "2"
    assert found["listeners"] == "PLAINTEXT://127.0.0.1:201,CONTROLLER://127.0.0.1:200"
    assert found["controller.quorum.voters"] == "1@127.0.0.1:100,2@127.0.0.1:200,3@127.0.0.1:300"
    assert found["default.replication.factor"] == "3"
    assert found["min.insync.replicas"] == "2"


def test_a_secure_node_has_users_and_rights_and_no_plain_listener() -> None:
    found = properties(shape_of("secure", 1))
    assert "PLAINTEXT://127.0.0.1:101" not in found["listeners"].split(",")
    assert found["inter.broker.listener.name"] == "SASL_PLAINTEXT"
    assert found["allow.everyone.if.no.acl.found"] == "false"
    assert ADMIN.password in found["listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config"]


def test_a_tls_node_asks_for_client_certificates_at_one_listener_only() -> None:
    found = properties(shape_of("tls", 1, Path("/certs")))
    assert found["listener.name.ssl.ssl.client.auth"] == "required"
    assert "ssl.client.auth" not in found
    assert found["ssl.keystore.location"] == "/certs/server.pem"
    assert found["listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config"] == ADMIN.jaas_config


def test_tls_without_certificates_is_a_bug_that_is_said() -> None:
    with pytest.raises(ValueError, match="folder of certificates"):
        properties(shape_of("tls", 1))


def test_nothing_is_thrown_away_by_age() -> None:
    assert properties(shape_of("plain", 1))["log.retention.ms"] == "-1"


def test_bootstrap_servers_name_every_node_at_the_main_listener() -> None:
    assert shape_of("plain", 3).bootstrap_servers() == "127.0.0.1:101,127.0.0.1:201,127.0.0.1:301"
    assert shape_of("tls", 1).bootstrap_servers() == "127.0.0.1:102"
    assert shape_of("tls", 1).bootstrap_servers("SSL") == "127.0.0.1:103"


def test_cluster_ids_differ_and_never_look_like_an_option() -> None:
    made = {configs.new_cluster_id() for _ in range(500)}
    assert len(made) == 500
    assert all(len(one) == 22 and not one.startswith("-") for one in made)
