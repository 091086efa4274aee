# The verbs of this project; `make` alone lists them. A virtual environment is made in .venv when a verb needs one.

PYTHON ?= python3
VENV   := .venv
OUT    := build/demo
DEMO   := $(firstword $(wildcard tutorials/03_*.py))

BIN        := $(VENV)/bin
MINIPADDLE := $(BIN)/minipaddle
PIP        := $(BIN)/python -m pip --quiet --disable-pip-version-check
PYTEST     := $(BIN)/python -m pytest --numprocesses=auto --dist=worksteal
QUICK      := core ops autograd nn optimizer static jit transcripts

# Numbers to compare come from one thread; the real Paddle to compare with has an environment of its own.
OMP_NUM_THREADS ?= 1
PADDLE_PYTHON   ?= $(wildcard .venv-paddle/bin/python)
PADDLE26_PYTHON ?= $(wildcard .venv-paddle26/bin/python)
# What is compiled is kept: else every worker of every run of the tests compiles all of them again.
PYTHONDONTWRITEBYTECODE :=
export OMP_NUM_THREADS PADDLE_PYTHON PADDLE26_PYTHON PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo setup test quick check format bench docs words site course tutorials notebooks wheel wheelhouse stubs size clean

help:       ## print this list
	@awk -F ':.*## *' '/^[a-z]+:.*## / { printf "  make %-10s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/installed     ## run a script, draw its gradient, step through it, say where the pictures are
	@mkdir -p $(OUT)
	@echo "── $(DEMO), the last backward pass as a tree"
	@$(MINIPADDLE) graph $(DEMO)
	@echo "── the same, drawn: forward down the left, backward up the right"
	@$(MINIPADDLE) graph $(DEMO) -o $(OUT)/mirror.html > $(OUT)/script.log
	@$(MINIPADDLE) graph $(DEMO) -o $(OUT)/mirror.dot > $(OUT)/script.log
	@for kind in svg png; do \
	    $(MINIPADDLE) graph $(DEMO) -o $(OUT)/mirror.$$kind > $(OUT)/script.log || [ $$? -eq 5 ] || exit 1; done
	@echo "── the debugger, fed with commands (without -c it asks you)"
	@$(MINIPADDLE) step $(DEMO) -c next -c where -c continue -c back -c why
	@echo "── the pictures are here:"
	@ls -1 $(abspath $(OUT))/mirror.*

setup: $(VENV)/developing   ## make .venv with all that developing needs

test: $(VENV)/developing    ## run the whole test suite, and the tests of the engine without its quicker ways
	@$(PYTEST) $(ARGS)
	@MINIPADDLE_PLAIN=1 $(PYTEST) tests/core tests/autograd $(ARGS)

quick: $(VENV)/developing   ## run the tests of the engine and pages that use every tool, without sweeps: 20 seconds
	@$(PYTEST) -m 'not sweep' --hypothesis-profile=quick $(QUICK:%=tests/%) $(ARGS)

check: $(VENV)/developing   ## lint, formatting and strict types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/developing  ## put all files into their format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/installed    ## compare speed; PADDLE_PYTHON, PADDLE26_PYTHON, TORCH_PYTHON, ... name other engines
	@$(BIN)/python -m benchmarks.run $(ARGS)

docs: $(VENV)/developing    ## draw the pictures of the pages anew, and type their transcripts again
	@$(MINIPADDLE) graph docs/images/sign.py -o docs/images/sign.svg
	@cd docs/gallery && sed -n 's/^\$$ //p' README.md textbook.md | PATH="$(abspath $(BIN)):$$PATH" sh -e
	@$(BIN)/python -m docs.site.misconceptions
	@cd docs/misconceptions && sed -n 's/^\$$ //p' README.md | PATH="$(abspath $(BIN)):$$PATH" sh -e
	@$(BIN)/python -m tests.support.transcripts README.md docs/debugger.md docs/programs.md docs/custom-gradients.md docs/outgrow.md docs/course.md docs/course/meeting_*.md docs/your-tape.md docs/extending/README.md
	@$(BIN)/python -m tests.support.translations

words: $(VENV)/developing   ## an entry in the .po files for every paragraph that is translated
	@$(BIN)/python -m tests.support.translations

site: $(VENV)/site          ## build the site in English and Chinese: build/site/en/index.html, build/site/zh/index.html
	@$(BIN)/python -m docs.site

course: $(VENV)/site        ## build plan, slides and handouts for teaching: build/course/en/index.html, build/course/zh/index.html
	@$(BIN)/python -m docs.site.course

tutorials: $(VENV)/installed ## run every tutorial; each ends in assertions
	@set -e; for script in tutorials/[0-9]*.py; do echo "── $$script"; $(MINIPADDLE) run $$script; done

notebooks: $(VENV)/installed ## write every tutorial as a notebook, in both languages, into build/notebooks
	@set -e; for language in en zh; do mkdir -p build/notebooks/$$language; cd build/notebooks/$$language; \
	    for script in $(abspath tutorials)/[0-9]*.py; do \
	        $(abspath $(MINIPADDLE)) lesson "$$(basename $$script .py)" --notebook --force --lang $$language > /dev/null; \
	    done; cd $(CURDIR); done
	@ls -1 $(abspath build/notebooks)/*/*.ipynb

wheel: $(VENV)/installed    ## build the wheel into dist
	@$(PIP) wheel --no-deps --wheel-dir dist .
	@ls -1 $(abspath dist)/*.whl

wheelhouse: $(VENV)/installed ## collect the wheel and all that it needs, for a room without a network, in build/wheelhouse
	@$(PIP) wheel --wheel-dir build/wheelhouse '.[notebook]'
	@ls -1 $(abspath build/wheelhouse)

stubs: $(VENV)/developing   ## write minipaddle-stubs, from which an editor knows paddle; installing does it, too
	@$(BIN)/python -m tests.support.stubs

size:       ## count the lines of each room of the house, against their budgets
	@$(PYTHON) -m tests.support.size

clean:      ## remove everything the verbs above made
	rm -rf $(VENV) build dist minipaddle-stubs .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------------------------ the virtual environment

$(VENV)/installed: pyproject.toml
	@$(create-venv)
	@echo "installing minipaddle into $(VENV) ..."
	@$(PIP) install -e .
	@touch $@

$(VENV)/developing: pyproject.toml
	@$(create-venv)
	@echo "installing minipaddle and the tools for developing into $(VENV) ..."
	@$(PIP) install -e '.[dev]'
	@touch $(VENV)/installed $@

$(VENV)/site: pyproject.toml
	@$(create-venv)
	@echo "installing minipaddle and what builds its site into $(VENV) ..."
	@$(PIP) install -e '.[site]'
	@touch $(VENV)/installed $@

define create-venv
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
    echo "minipaddle needs Python 3.11 or newer, $(PYTHON) is not: make PYTHON=python3.12 ..." >&2; exit 1; }; \
$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { \
    echo "$(PYTHON) cannot make virtual environments; install what it lacks:" >&2; \
    echo "    Debian, Ubuntu: sudo apt-get install python3-venv" >&2; \
    echo "    elsewhere:      a Python from python.org or your package manager has it" >&2; exit 1; }; \
$(PYTHON) -m venv $(VENV)
endef
