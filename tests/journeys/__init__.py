"""The stories, end to end on real parts: Kafka, Valkey, a database, web, worker and beat processes, a real browser."""
