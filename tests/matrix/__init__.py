"""Every address with every method, for everyone: what it answers, in tables that people can read (`answers/`)."""
