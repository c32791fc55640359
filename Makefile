# turnlog: everything a developer types. `make` alone lists it.
#
# The environment is .venv, made by the first target that needs it and brought up to date when pyproject.toml changes. Its stamps lie
# inside it, so that deleting .venv is enough to start afresh.

PYTHON ?= python3
VENV ?= .venv
HOST ?= 127.0.0.1
PORT ?= 8000
DATABASE ?= data/turnlog.db
TEST_JOBS ?= 2
TESTS ?= tests
NODES ?= 2
BENCHES ?=
BENCH_ROUNDS ?= 5

BIN := $(VENV)/bin
# Compiling what is never imported would take longer than all the rest of an installation.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
ROOMS := server events projections games api_schema

export PORT

.DEFAULT_GOAL := help
.PHONY: help run cluster test browser proxy check format lint types contracts schemas bench fmt clean
# A half-written stamp would hide a failed installation.
.DELETE_ON_ERROR:

help: ## list what can be made
	@echo "make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "variables: PORT=$(PORT) HOST=$(HOST) DATABASE=$(DATABASE) PYTHON=$(PYTHON) TEST_JOBS=$(TEST_JOBS) TESTS=$(TESTS)"

run: $(VENV)/.runtime ## start the server on SQLite, e.g. make run PORT=9000
	@mkdir -p $(dir $(DATABASE))
	@echo "turnlog: http://$(HOST):$(PORT)/"
	@TURNLOG_LOG_FORMAT=$${TURNLOG_LOG_FORMAT:-console} exec $(BIN)/turnlog serve --host $(HOST) --port $(PORT) --database $(DATABASE)

test: $(VENV)/.test browser proxy ## run all tests in random order, e.g. make test TESTS=tests/unit
	$(BIN)/python -m pytest -n $(TEST_JOBS) --dist worksteal $(TESTS)

cluster: $(VENV)/.test proxy ## start nodes over PostgreSQL and Redis behind a proxy, e.g. make cluster NODES=4
	@exec $(BIN)/python -m tests.cluster --nodes $(NODES) --port $(PORT)

proxy:
	@sh tests/cluster/install.sh

# The tests of the page need a browser; one that is there is taken.
browser:
	@sh tests/browser/install.sh

check: format lint types contracts schemas ## run every check that is not a test

format: $(VENV)/.test
	$(BIN)/ruff format --check .

lint: $(VENV)/.test
	$(BIN)/ruff check .

types: $(VENV)/.test
	$(BIN)/mypy --strict $(ROOMS)

contracts: $(VENV)/.test
	$(BIN)/lint-imports

# Both end with an error when something is out of date or missing.
schemas: $(VENV)/.test
	$(BIN)/turnlog schema export --check
	$(BIN)/turnlog rules block_mania
	$(BIN)/turnlog rules portland_occupied_zone
	$(BIN)/turnlog rules tpoc
	$(BIN)/turnlog rules world_war_zed
	$(BIN)/turnlog rules host_tournament

# Against peers and limits in the same run; docs/performance.md says what each row is.
bench: $(VENV)/.bench ## measure, e.g. make bench BENCHES="fold websocket" BENCH_ROUNDS=3
	@$(BIN)/python -m tests.benchmarks --rounds $(BENCH_ROUNDS) $(BENCHES)

fmt: $(VENV)/.test ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the environment, caches and builds; games in data/ stay
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.runtime: pyproject.toml | $(BIN)/python
	@echo "turnlog: installing into $(VENV)"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	@echo "turnlog: installing into $(VENV), with what the tests need"
	@$(PIP) --editable '.[test]'
	@touch $(VENV)/.runtime $@

$(VENV)/.bench: pyproject.toml | $(BIN)/python
	@echo "turnlog: installing into $(VENV), with what the benchmarks hold it against"
	@$(PIP) --editable '.[test,bench]'
	@touch $(VENV)/.runtime $(VENV)/.test $@

# The first Python that is new enough: python3 may be an old one with a newer one beside it.
$(BIN)/python:
	@for candidate in $(PYTHON) python3.14 python3.13 python3.12 python3.11; do \
	  if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    $$candidate -m venv $(VENV) && exit 0; \
	    rm -rf $(VENV); \
	    echo "turnlog: $$candidate cannot make a virtual environment; on Debian and Ubuntu install python3-venv." >&2; exit 1; \
	  fi; \
	done; \
	echo "turnlog needs Python 3.11 or newer; '$(PYTHON)' is missing or older. Install one, or name it: make run PYTHON=/path/to/python3.12" >&2; \
	exit 1
