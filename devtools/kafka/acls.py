"""Rights on a secure cluster, given and taken one by one (StandardAuthorizer)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourceType,
)

from devtools.kafka import admin
from devtools.kafka.errors import LocalKafkaError
from devtools.kafka.logins import CERTIFICATE_PRINCIPAL, CONSOLE, Door

Kind = Literal["cluster", "group", "topic"]
Operation = Literal["DESCRIBE", "READ", "WRITE", "DELETE", "CREATE", "ALTER"]

_EVERY = "*"
_CLUSTER_NAME = "kafka-cluster"


@dataclass(frozen=True)
class Right:
    """One operation on one resource by its exact name, or on those whose names begin so (`is_prefix`); "*" is every one
    of its kind (the cluster has but one name)."""

    operation: Operation
    kind: Kind
    name: str = _EVERY
    is_prefix: bool = False


# What Kafka Console needs to read and to reset (README of this folder).
CONSOLE_RIGHTS = (
    Right("DESCRIBE", "cluster"),
    Right("READ", "group"),
    Right("DELETE", "group"),
    Right("READ", "topic"),
)


def allow(door: Door, principal: str, *rights: Right) -> None:
    """Give rights to a principal ("User:name"); giving one again changes nothing."""
    with admin.opened(door) as client:
        answer = client.create_acls([_rule(principal, right) for right in rights])
    if answer["failed"]:
        raise LocalKafkaError(f"Kafka did not take the rights of {principal}: {answer['failed']}.")


def withdraw(door: Door, principal: str, *rights: Right) -> None:
    """Take rights away; taking one that is not there changes nothing."""
    with admin.opened(door) as client:
        for answer in client.delete_acls([_rule(principal, right) for right in rights]):
            problem = answer[2]
            if problem.errno:
                raise LocalKafkaError(f"Kafka did not withdraw rights of {principal}: {problem}.")


def allow_console(door: Door) -> None:
    """Give the console's rights to its user and to the owner of the client certificate."""
    for principal in (CONSOLE.principal, CERTIFICATE_PRINCIPAL):
        allow(door, principal, *CONSOLE_RIGHTS)


def _rule(principal: str, right: Right) -> ACL:
    name = _CLUSTER_NAME if right.kind == "cluster" else right.name
    meant = ACLResourcePatternType.PREFIXED if right.is_prefix else ACLResourcePatternType.LITERAL
    resource = ResourcePattern(ResourceType[right.kind.upper()], name, meant)
    return ACL(principal, "*", ACLOperation[right.operation], ACLPermissionType.ALLOW, resource)
