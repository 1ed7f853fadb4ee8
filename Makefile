# Needs Python 3.11 or newer and make; everything else is installed into .venv by the targets.
#
#   PYTHON=python3.12         another interpreter
#   VENV=folder               another place for the environment
#   PIP_FLAGS="..."           further flags for pip install, such as
#                             --extra-index-url https://download.pytorch.org/whl/cpu  (smaller torch)
#   CORES=4                   notebooks that run side by side

SHELL := /bin/bash
PYTHON ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3,$(shell command -v $(p) 2>/dev/null)))
VENV ?= .venv
PIP_FLAGS ?=
CORES ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PY := $(VENV)/bin/python
INSTALLED := $(VENV)/installed.lock

.DEFAULT_GOAL := help
.PHONY: help book notebooks test format real bench bench-gpu serve check unlock clean env browser

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/' | expand -t 18

book: env  ## environment, notebooks, book: _build/html/index.html
	@$(PY) -m snakemake --cores $(CORES) --quiet host --rerun-incomplete
	@echo "The book: _build/html/index.html ('make serve' shows it with everything working)"

notebooks: env  ## run the notebooks only
	@$(PY) -m snakemake notebooks --cores $(CORES) --quiet host --rerun-incomplete

test: env browser  ## form of the code, then the tests (those of real corpora: make real)
	@$(PY) -m ruff check --quiet . && $(PY) -m ruff format --check --quiet . || { echo "make: 'make format' puts the code right" >&2; exit 1; }
	@$(PY) -m pytest -n $(CORES) --dist loadfile --no-loadscope-reorder; status=$$?; $(PY) -m dbutils.book.browser; exit $$status

format: env  ## put the code into its one form, and say what is wrong with it
	@$(PY) -m ruff check --quiet --fix .; $(PY) -m ruff format --quiet . && $(PY) -m ruff check --quiet .

real: env  ## the tests that need real corpora in the folder DBUTILS_CORPORA
	@$(PY) -m pytest -n $(CORES) --dist loadfile --no-loadscope-reorder -m real

bench: env  ## times by the clock: import, tables, figures, book, growth; ratios on two threads: prediction, training, bootstrap, trees
	@$(PY) tools/bench.py; first=$$?; $(PY) tools/bench_models.py && exit $$first

bench-gpu: env  ## tokens a second on the GPU and share of its peak
	@$(PY) tools/bench_gpu.py

check: env  ## check the built book, in a browser if there is one
	@$(PY) -m dbutils book check

serve: env  ## show the built book on this machine
	@$(PY) -m dbutils book serve

unlock: env  ## remove Snakemake's lock of a run that is gone
	@$(PY) -m dbutils.book.lock

clean:  ## delete what was built, keep .venv and runs/
	rm -rf _build logs .snakemake book/executed book/generated .pytest_cache

# The environment is made anew only when the lock or the project's metadata differ from what was
# installed; a failed installation leaves no record, so the next call tries again.
env:
	@if ! cat requirements.txt pyproject.toml | cmp -s - $(INSTALLED); then $(MAKE) --no-print-directory install; fi

.PHONY: install
install:
	@test -n "$(PYTHON)" || { echo "make: no python3 found; install Python 3.11 or newer" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) -V 2>&1 | cut -d' ' -f2); name another one with PYTHON=..." >&2; exit 2; }
	@rm -f $(INSTALLED)
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "make: $(PYTHON) cannot make an environment; on Debian: apt-get install python3-venv" >&2; exit 2; }
	$(PY) -m pip install --quiet --disable-pip-version-check $(PIP_FLAGS) -r requirements.txt
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@cat requirements.txt pyproject.toml > $(INSTALLED)

# A browser for the checks of the book: the one that is here, else Debian's, else Playwright's own.
# Without one the tests go on, and their last lines say what was not checked.
browser: env
	@$(PY) -m dbutils.book.browser >/dev/null 2>&1 || PYTHON_OF_ENV=$(PY) tools/get_browser.sh || true
