# One command for each thing. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup lock lint format types test unit clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Annals needs Python 3.11 or later; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing pinned requirements into $(VENV) (once, about a minute)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $(STAMP)

setup: $(STAMP)  ## install everything into .venv

lock: setup  ## pin the requirements again, to the newest versions
	$(BIN)/pip-compile --quiet --upgrade --strip-extras --no-emit-index-url --no-emit-find-links \
	  --no-emit-trusted-host --allow-unsafe --all-extras -o requirements/dev.txt pyproject.toml

lint: setup  ## ruff, formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

format: setup  ## rewrite the code in the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup  ## mypy, strict
	$(BIN)/mypy

unit: setup  ## the fast tests
	$(BIN)/pytest tests/unit

test: lint types  ## everything that must hold: lint, types, all tests
	$(BIN)/pytest -n 2 --dist loadgroup

clean:  ## remove what the commands made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
