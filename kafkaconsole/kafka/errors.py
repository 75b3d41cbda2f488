"""What can go wrong with a whole call to Kafka; per-item failures are `values.Problem`s inside the answer."""

from __future__ import annotations

from kafkaconsole.errors import Refused, Unavailable


class KafkaRefused(Refused):
    """Permanent: wrong credentials, wrong settings, not authorised. Facts: cluster, reason."""

    code = "kafka.refused"


class AuthenticationRefused(KafkaRefused):
    """The brokers refuse the name, the password, the mechanism or the certificate."""

    code = "kafka.authentication_refused"


class NotAuthorized(KafkaRefused):
    """The console's principal lacks a right. Facts: right, resource."""

    code = "kafka.not_authorized"


class InvalidWrite(KafkaRefused):
    """A write that no plan may ask for; nothing was sent. Facts: group, partition, field, found, expected."""

    code = "kafka.invalid_write"


class UnsafeSetting(KafkaRefused):
    """A client setting outside the allow-list, or a value it does not take. Facts: setting, found, expected."""

    code = "kafka.unsafe_setting"
    status = 422


class KafkaUnavailable(Unavailable):
    """Passing: no broker reachable, a time-out, a coordinator moving. Facts: cluster, reason."""

    code = "kafka.unavailable"
