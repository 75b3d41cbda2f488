"""How the project is checked: the runner behind `make check` and `make test`, and the pytest plugin it relies on."""
