# Two commands are enough: `make play` and `make test`. Each installs what it needs into .venv.
.DELETE_ON_ERROR:
.PHONY: play install test test-compiled check format lock bench soak clean

PY := .venv/bin/python
SOURCES := $(shell find src setup.py pyproject.toml -type f -not -name '*.pyc' -not -path '*/fonts/*' -not -path '*.egg-info*')

play: .venv/installed
	.venv/bin/veillee serve --open

install: .venv/installed

# -- the environment ------------------------------------------------------------------------------------------------
.venv/bin/python:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Veillée needs Python 3.11 or newer; python3 here is $$(python3 --version)."; exit 1; }
	python3 -m venv .venv

.venv/runtime: requirements/build.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/build.txt
	@touch $@

.venv/dev: requirements/dev.txt .venv/runtime
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

# The installed product: compiled where there is a C compiler, pure Python otherwise.
.venv/installed: .venv/runtime $(SOURCES) tools/install.py tools/build_fonts.py
	$(PY) tools/build_fonts.py
	$(PY) tools/install.py
	@touch $@

# -- the tests --------------------------------------------------------------------------------------------------------
test: .venv/dev .venv/installed
	$(PY) tools/find_chromium.py
	$(PY) tools/run_tests.py
	$(PY) tools/test_compiled.py

check: .venv/dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	PYTHONPATH=src .venv/bin/lint-imports --no-cache
	$(PY) tools/check_words.py
	.venv/bin/djangofmt --check src
	.venv/bin/djangofmt check src
	$(PY) tools/check_styles.py

format: .venv/dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	.venv/bin/djangofmt src
	$(PY) tools/check_styles.py --write

bench: .venv/dev .venv/installed
	$(PY) benchmarks/run.py

soak: .venv/dev .venv/installed
	$(PY) tools/soak.py

# -- upkeep -----------------------------------------------------------------------------------------------------------
lock:
	$(PY) -m pip install --quiet uv
	for f in runtime build dev; do \
	  case $$f in runtime) ins="runtime";; build) ins="runtime build";; dev) ins="runtime build dev";; esac; \
	  .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
	    $$(for i in $$ins; do echo requirements/$$i.in; done) -o requirements/$$f.txt; \
	done

clean:
	rm -rf .venv build dist src/*.egg-info
