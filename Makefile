# Two commands are enough: `make play` and `make test`. Each installs what it needs into .venv.
.DELETE_ON_ERROR:
.PHONY: play install dev test test-fast check docs format lock fonts dist pgo bench soak clean

# The first Python that is new enough.
PYTHON := $(or $(PYTHON),$(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done))
ifeq ($(PYTHON),)
$(error Veillée needs Python 3.11 or newer: there is none on the path)
endif
PY := .venv/bin/python

# Python's bytecode files are always written: they halve the time of every start, and the tests have many.
unexport PYTHONDONTWRITEBYTECODE

play:
	@$(PYTHON) tools/play.py $(ARGS)

# Like play, with the compiled engine where there is a C compiler.
install:
	@$(PYTHON) tools/install.py install

# For developers: runs from src/ and reloads the browser after each change.
dev:
	@$(PYTHON) tools/install.py play
	@PYTHONPATH=src $(PY) -m veillee serve --dev --open $(ARGS)

# -- tests ------------------------------------------------------------------------------------------------------------
# On the engine that `make play` builds, in parts in parallel (docs/adr/0009): one whole unit would take twice as long.
test:
	@$(PYTHON) tools/install.py dev
	@$(PY) tools/build_engine.py --apart
	$(PY) tools/find_chromium.py
	$(PY) tools/run_tests.py
	$(PY) tools/test_compiled.py

# The tests that a change can break, in seconds: make test-fast, or make test-fast GAME=takara-island
test-fast:
	@$(PYTHON) tools/install.py dev
	@$(PY) tools/test_fast.py $(GAME)

check:
	@$(PYTHON) tools/install.py dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	PYTHONPATH=src .venv/bin/lint-imports --no-cache
	$(PY) tools/check_words.py
	.venv/bin/djangofmt --check src
	.venv/bin/djangofmt check src
	$(PY) tools/check_styles.py
	$(DOCS)

# The documentation as a site, in build/docs: a broken link is an error. Needs no network.
DOCS := NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet
docs:
	@$(PYTHON) tools/install.py dev
	$(DOCS)
	@echo "Open build/docs/index.html"

format:
	@$(PYTHON) tools/install.py dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	.venv/bin/djangofmt src
	$(PY) tools/check_styles.py --write

bench: install
	@$(PYTHON) tools/install.py dev
	$(PY) benchmarks/run.py

soak: install
	@$(PYTHON) tools/install.py dev
	$(PY) tools/soak.py
	$(PY) tools/soak_doors.py

# -- maintenance ------------------------------------------------------------------------------------------------------
# An sdist, a pure Python wheel and a compiled one for this machine.
dist:
	@$(PYTHON) tools/install.py dev
	$(PY) tools/dist.py

# A compiled wheel with profile-guided optimization (gcc): five minutes, for distributors of wheels.
pgo:
	@$(PYTHON) tools/install.py dev
	$(PY) tools/pgo.py

fonts:
	@$(PYTHON) tools/install.py fonts
	$(PY) tools/build_fonts.py

lock:
	@$(PYTHON) tools/install.py play
	$(PY) tools/lock.py

clean:
	rm -rf .venv build dist src/*.egg-info
