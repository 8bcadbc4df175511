# Two commands are enough: `make play` and `make test`. Each installs what it needs into .venv.
.DELETE_ON_ERROR:
.PHONY: play page page-compiled install dev test test-fast check docs format lock fonts dist image pgo bench soak clean

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
	@$(PYTHON) tools/setup/play.py $(ARGS)

# Like play, with the compiled engine where there is a C compiler.
install:
	@$(PYTHON) tools/setup/install.py install

# For developers: runs from src/ and reloads the browser after each change.
dev:
	@$(PYTHON) tools/setup/install.py play
	@PYTHONPATH=src $(PY) -m veillee serve --dev --open $(ARGS)

# The whole house as a folder of plain files, build/page, that runs in a browser without a server (docs/page.md).
page:
	@$(PYTHON) tools/setup/install.py dev
	PYTHONPATH=src $(PY) -m veillee page --to build/page --cache build/page-cache

# The same with the engine as WebAssembly: bots think ten to forty times faster. Needs apt of Debian, and two minutes once.
page-compiled:
	@$(PYTHON) tools/setup/install.py dev
	PYTHONPATH=src $(PY) -m veillee page --to build/page --cache build/page-cache --compiled

# -- tests ------------------------------------------------------------------------------------------------------------
# On the engine that `make play` builds, in parts in parallel (docs/adr/0009): one whole unit would take twice as long.
test:
	@$(PYTHON) tools/setup/install.py dev
	@$(PY) tools/setup/build_engine.py --apart
	$(PY) tools/setup/find_chromium.py
	$(PY) tools/dev/run_tests.py
	$(PY) tools/dev/test_compiled.py

# The tests that a change can break, in seconds: make test-fast, or make test-fast GAME=takara-island
test-fast:
	@$(PYTHON) tools/setup/install.py dev
	@$(PY) tools/dev/test_fast.py $(GAME)

check:
	@$(PYTHON) tools/setup/install.py dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) tools/check/check_types.py
	PYTHONPATH=src .venv/bin/lint-imports --no-cache
	$(PY) tools/check/check_words.py
	.venv/bin/djangofmt --check src
	.venv/bin/djangofmt check src
	$(PY) tools/check/check_styles.py
	$(PY) tools/check/layout.py
	$(PY) tools/check/check_commits.py
	$(DOCS)

# The documentation as a site, in build/docs: a broken link is an error. Needs no network.
DOCS := NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet
docs:
	@$(PYTHON) tools/setup/install.py dev
	$(DOCS)
	@echo "Open build/docs/index.html"

format:
	@$(PYTHON) tools/setup/install.py dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .
	.venv/bin/djangofmt src
	$(PY) tools/check/check_styles.py --write

bench: install
	@$(PYTHON) tools/setup/install.py dev
	$(PY) benchmarks/run.py

soak: install
	@$(PYTHON) tools/setup/install.py dev
	$(PY) tools/stress/soak.py
	$(PY) tools/stress/soak_doors.py
	rm -rf build/training
	$(PY) -m veillee lab train takara-island --generations 2 --games 60 --iterations 20 --hidden 8 --contest 16 \
	  --folder build/training --out build/training/network.json
	$(PY) tools/stress/image_test.py $(IMAGE)
	$(MAKE) page
	$(PY) tools/stress/page_test.py --whole

# -- maintenance ------------------------------------------------------------------------------------------------------
# An sdist, a pure Python wheel and a compiled one for this machine.
dist:
	@$(PYTHON) tools/setup/install.py dev
	$(PY) tools/setup/dist.py

# A container image (deploy/Dockerfile), by docker, podman or buildah: make image, or make image ARGS=--debian
image:
	@$(PYTHON) tools/setup/image.py $(ARGS)

# A compiled wheel with profile-guided optimization (gcc): five minutes, for distributors of wheels.
pgo:
	@$(PYTHON) tools/setup/install.py dev
	$(PY) tools/setup/pgo.py

fonts:
	@$(PYTHON) tools/setup/install.py fonts
	$(PY) tools/setup/build_fonts.py

lock:
	@$(PYTHON) tools/setup/install.py play
	$(PY) tools/setup/lock.py

clean:
	rm -rf .venv build dist src/*.egg-info
