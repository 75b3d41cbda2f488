# Kafka Console. Everything here only calls a script: devtools/setup, devtools/testing, devtools/demo.

SETUP  := sh devtools/setup/python.sh -m devtools.setup
PYTHON_HERE := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo demo-reset run check test test-unit test-long mutation bench setup setup-dev assets lock messages pictures clean

help: ## Say what there is
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -e 's/:.*## /\t/' | expand -t 14

demo: setup ## Start everything with example data; Ctrl-C stops it (DEMO_PORT, DEMO_KAFKA_PORT, DEMO_DIR)
	@$(PYTHON_HERE) -m devtools.demo.run

demo-reset: setup ## The same, from scratch
	@$(PYTHON_HERE) -m devtools.demo.run --reset

run: setup-dev ## Start the web process alone, for work on pages; settings come from the environment (docs/settings.md)
	@$(PYTHON_HERE) manage.py runserver $(ADDRESS)

check: setup-dev ## The quick part of the tests, under a minute: style, types, import contracts, migrations, plain unit tests
	@$(PYTHON_HERE) -m devtools.testing.run check

test-unit: setup-dev ## Every test that needs no server and no browser, on SQLite
	@$(PYTHON_HERE) -m devtools.testing.run unit

test: ## Every check and test, with PostgreSQL, Valkey, Kafka and Chromium
	@$(SETUP) test
	@$(PYTHON_HERE) -m devtools.testing.run all

test-long: ## The same, and the tests marked `long`
	@$(SETUP) test
	@$(PYTHON_HERE) -m devtools.testing.run long

bench: ## Measure plans of 10,000 partitions and their page (docs/performance.md); a few minutes
	@$(SETUP) test
	@$(PYTHON_HERE) -m devtools.bench.planning
	@$(PYTHON_HERE) -m devtools.bench.request_page

setup: ## What `make demo` runs on: .venv, front-end files, Kafka's jars; nothing runs when nothing changed
	@$(SETUP) demo

setup-dev: ## What checks and work on the code need: .venv with all packages, front-end files
	@$(SETUP) dev

assets: ## Front-end files from npm, copied to static/vendor
	@$(SETUP) assets

lock: ## Write requirements*.txt anew from requirements*.in (ARGUMENTS=--upgrade for newer versions)
	@$(SETUP) lock $(ARGUMENTS)

messages: setup-dev ## Bring the translations (locale/) up to the code, compile them, say what lacks one
	@$(PYTHON_HERE) -m devtools.translation

mutation: setup-dev ## Mutation tests of the planning and the parsing, 10 to 30 minutes (ARGUMENTS=kafkaconsole/resets/files.py for less)
	@$(PYTHON_HERE) -m devtools.mutation.run $(ARGUMENTS)

pictures: ## Take the README's pictures anew, from a demo of its own (needs Chromium)
	@$(SETUP) test
	@$(PYTHON_HERE) -m devtools.pictures

clean: ## Remove what set-up made; the demo's data stays
	rm -rf .venv .cache node_modules static/vendor .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
