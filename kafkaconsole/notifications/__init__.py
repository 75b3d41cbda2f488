"""Who is told of what: an outbox filled in the transaction of each change, emptied by workers into mails and webhooks."""
