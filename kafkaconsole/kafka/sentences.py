"""What people read for the door's own codes: each reason told with what to look at."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "kafka.not_authorized": phrase(
        "The console's login lacks the right {right} on {resource}. An administrator of the cluster can grant it."
    ),
    "kafka.invalid_write": phrase(
        "Nothing was written for {group}: on {partition}, {field} is {found}, and it must be {expected}."
    ),
    "kafka.unsafe_setting": phrase("{setting}: found {found}, expected {expected}."),
    "secrets.unreadable": phrase(
        "A stored secret ({field}) cannot be read with the keys in FIELD_KEYS. Put the key with which it was encrypted "
        "back, or enter the secret again."
    ),
}

WITH_REASON = ("kafka.refused", "kafka.authentication_refused", "kafka.unavailable")

REASONS: Mapping[str, str] = {
    "timed_out": phrase("The cluster did not answer in time. Look whether its brokers run, then try again."),
    "nothing_listens": phrase("Nothing listens at the address. Look at the bootstrap servers and their ports."),
    "address_not_found": phrase("The address is not known to the name server. Look at the bootstrap servers' names."),
    "no_route": phrase("There is no route to the address. Look at the network between the console and the brokers."),
    "no_leader": phrase("A partition has no leader now. Look at the cluster's brokers, then try again."),
    "wrong_credentials": phrase("The brokers refuse the name or the password. Enter them again."),
    "mechanism_not_offered": phrase(
        "The brokers do not offer this SASL mechanism. Choose the one that they are set up with."
    ),
    "sasl_required": phrase("The brokers want a sign-in (SASL). Choose a security protocol with SASL."),
    "sasl_not_spoken": phrase(
        "The address takes no sign-in (SASL). Choose a security protocol without SASL, or another port."
    ),
    "certificate_not_trusted": phrase(
        "The brokers' certificate is signed by nobody we trust. Enter their CA certificate."
    ),
    "hostname_mismatch": phrase(
        "The brokers' certificate is for another host name. Mend the address or the certificate."
    ),
    "client_certificate_required": phrase("The brokers want a client certificate. Enter a certificate and its key."),
    "tls_to_plaintext": phrase("The address speaks no TLS. Choose a security protocol without SSL, or another port."),
    "plaintext_to_tls": phrase("The address speaks TLS. Choose a security protocol with SSL, or another port."),
    "controller_port": phrase("The address is a controller's. Enter the address of a broker."),
    "broker_too_old": phrase("The brokers are too old for what is asked of them."),
    "partition_not_found": phrase("The cluster has no such partition any more. Plan again."),
    "records_gone": phrase("The records have left the log while they were read. Plan again."),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of the door; KeyError: not ours."""
    if code not in WITH_REASON:
        return words(SENTENCES[code], **facts)
    reason = str(facts.get("reason", ""))
    told = _told(reason)
    if "topic" not in facts:
        return told
    return words(
        "{told} ({topic}, partition {partition})", told=told, topic=facts["topic"], partition=facts.get("partition")
    )


def _told(reason: str) -> str:
    if reason in REASONS:
        return words(REASONS[reason])
    return words("Kafka says: {reason}.", reason=reason) if reason else words("Kafka says nothing more.")
