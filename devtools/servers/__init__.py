"""Throw-away PostgreSQL and Valkey servers on free ports of this machine, for the tests; they die with whoever started them."""
