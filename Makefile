# Needs Python 3.11 or newer (with its venv module), make and a package index; nothing else.
# Everything is installed into .venv, at the versions of constraints.txt. The stamp files say what
# was installed when, so that a second run installs nothing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Quiet but for errors. --no-compile: modules are compiled when first imported, which saves a third
# of the installation. Editable: a change in judge/ needs no new installation.
INSTALL := $(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check \
           -c constraints.txt -e

# One more than there are cores: tests wait for processes and terminals a fifth of their time.
WORKERS = $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 1)')

BENCHES := score resampling agreement recall capture desk report

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test check bench clean

help:  ## Show this list
	@echo "Use: make TARGET. PYTHON=python3.12 chooses another interpreter (3.11 or newer)."
	@sed -n 's/^\([a-z][a-z]*\):.*  ## /  \1\t/p' Makefile

demo: $(VENV)/runtime.stamp  ## Run the worked study from protocol to report, without a network
	@$(BIN)/judge demo

test: $(VENV)/dev.stamp  ## Run all tests
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: $(VENV)/dev.stamp  ## Lint, format, types and import contracts
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy judge tests
	@$(BIN)/python -m pytest -q tests/test_contracts.py

bench: $(VENV)/dev.stamp  ## Print speed and memory as ratios (JUDGE_BENCH_DATA: data of real size)
	@for name in $(BENCHES); do echo "== $$name"; $(BIN)/python -m bench.$$name || exit 1; done

clean:  ## Remove the virtual environment and the caches; no study is touched
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/python.stamp:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "Python 3.11 or newer is needed, and there is no '$(PYTHON)' here." >&2; \
	  echo "Next: install it, or name one: make PYTHON=/path/to/python3" >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$("$(PYTHON)" -V 2>&1)." >&2; \
	  echo "Next: install a newer one, or name one: make PYTHON=/path/to/python3" >&2; exit 2; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python comes without its venv module or ensurepip." >&2; \
	  echo "Next: install it (on Debian and Ubuntu the package is python3-venv)." >&2; exit 2; }
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/runtime.stamp: $(VENV)/python.stamp pyproject.toml constraints.txt
	@echo "Installing into $(VENV), once; this takes about half a minute ..."
	@$(INSTALL) .
	@touch $@

# The development extra holds the runtime too, so that this stamp makes both.
$(VENV)/dev.stamp: $(VENV)/python.stamp pyproject.toml constraints.txt
	@echo "Installing into $(VENV), with the development tools, once; about half a minute ..."
	@$(INSTALL) '.[dev]'
	@touch $(VENV)/runtime.stamp $@
