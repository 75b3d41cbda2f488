"""Set-up of a work tree: packages, front-end files, Kafka's jars. Standard library only: it runs before anything is installed."""
