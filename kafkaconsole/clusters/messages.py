"""The sentences of clusters, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "cluster.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "cluster.in_use": phrase(
        "{requests} requests on {cluster} are not finished, so it is not removed. "
        "Cancel them or wait until they have ended."
    ),
    "rights.bad": phrase(
        "The rights of {environment} were not changed: {found} is not known, is missing, or is given to a role that may "
        "not see. Who may not see cannot ask, sign or read."
    ),
    "rights.moved_on": phrase(
        "Someone else changed the rights of {environment} meanwhile. Look at the table again, and change it then."
    ),
    "cluster.removed": phrase("The cluster {cluster} was removed from the console. An administrator can add it again."),
    "cluster.another_cluster": phrase(
        "The address of {cluster} answers as the Kafka cluster {found}, but {expected} is registered. Nothing is read "
        "or written there. If that is right, remove the cluster and add it again; if not, mend its address."
    ),
    "cluster.rights_missing": phrase(
        "The cluster answers, but the console lacks rights there ({rights}). Grant them to the console's principal and "
        "test again."
    ),
    "cluster.registered_twice": phrase(
        "{cluster} is the same Kafka cluster ({cluster_id}) as {other}, which is registered already. Use that one."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return words(SENTENCES[code], **facts)
