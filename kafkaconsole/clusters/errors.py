"""What can be refused about clusters. Sentences are found by code in `messages`."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class BadCluster(BadInput):
    """A cluster that cannot be registered as given. Facts: field, found, expected."""

    code = "cluster.bad"


class ClusterInUse(Refused):
    """Requests are open on the cluster, so it is not removed. Facts: cluster, requests (how many)."""

    code = "cluster.in_use"


class ClusterRemoved(Refused):
    """The cluster was removed from the console. Facts: cluster."""

    code = "cluster.removed"


class AnotherCluster(Refused):
    """The address answers with the id of another cluster than before. Facts: cluster, found, expected."""

    code = "cluster.another_cluster"


class RegisteredTwice(Refused):
    """Another row stands for the same Kafka cluster. Facts: cluster, other, cluster_id."""

    code = "cluster.registered_twice"


class BadRights(BadInput):
    """A table of rights that contradicts itself, or is not whole. Facts: environment, found (holder.right)."""

    code = "rights.bad"


class RightsMovedOn(Refused):
    """Someone else changed the table meanwhile. Facts: environment."""

    code = "rights.moved_on"
