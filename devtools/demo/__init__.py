"""The demo: the whole console with a real Kafka and a small shop that keeps moving, on one machine."""
