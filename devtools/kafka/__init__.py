"""A real Apache Kafka on this machine: for the tests and the demo.

Start with :class:`devtools.kafka.cluster.LocalKafka`. The recipes were measured on Apache Kafka 4.4.0.
"""
