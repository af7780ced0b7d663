# make demo and make test work from a bare clone with Python 3.11+, a C++20 compiler and make.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
SOURCES := pyproject.toml solver/CMakeLists.txt $(shell find solver/src -type f)
NATIVE := build/native

.PHONY: help setup demo test test-all test-native lint bench clean
help:  ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Bytecode is compiled at once: where it may not be written later, each of a local Ray's processes
# would compile Ray anew, more than a second of CPU time apiece, and our own packages, a seventh of one.
setup: $(INSTALLED)  ## Install the package and its tools into .venv
$(INSTALLED): $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --editable '.[report]' --group dev
	$(BIN)/python -m compileall -q pipeline solver
	touch $@

demo: $(INSTALLED)  ## Sweep Black Hole deals 1..100_000, write the report, print the win rate
	$(BIN)/dealsweep run black-hole 1..100_000 --out runs/demo
	$(BIN)/dealsweep report runs/demo --output runs/demo.html
	$(BIN)/dealsweep query runs/demo win_rate

test: $(INSTALLED) test-native  ## Run the tests that take seconds each
	$(BIN)/pytest -q -m 'not slow'

test-all: $(INSTALLED) test-native  ## Run all tests, the slow ones too
	$(BIN)/pytest -q

test-native: $(INSTALLED)  ## Build and run the tests of the native core
	$(BIN)/cmake -S solver -B $(NATIVE) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DDEALSWEEP_MODULE=OFF -DDEALSWEEP_TESTS=ON --log-level=WARNING
	$(BIN)/cmake --build $(NATIVE)
	$(BIN)/ctest --test-dir $(NATIVE) --output-on-failure --no-tests=error

lint: $(INSTALLED)  ## Check style, types and the way imports go
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/architecture

bench: $(INSTALLED) test-native  ## Measure the searches, in user CPU time
	$(BIN)/python tests/benchmarks/run.py
	$(NATIVE)/native/bench_reference black-hole 1 300

clean:  ## Remove everything that was built or installed here
	rm -rf .venv build
