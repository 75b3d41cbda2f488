"""What the record tells those who listen, inside the transaction of the change: one signal for every event."""

from django.dispatch import Signal

recorded = Signal()  # event: AuditEvent, already saved; target: the row that it is about
