# The front door. Each word calls a preset or a script; `make demo` and `make test` install what is
# missing on a fresh Debian 12, build, then run.

JOBS ?= $(shell nproc)
# Folder of the public datasets; tests that need it skip without it.
DATA ?= ../shared/data
export SRGW_DATA_DIR := $(abspath $(DATA))
# RapidCheck draws the same cases each time; test-full draws others and prints their seed.
export RC_PARAMS ?= seed=3

python = .venv/bin/python
pytest = SRGW_BUILD_DIR=build/$(1) $(python) -m pytest -q -rs -n $(JOBS) --dist worksteal tests/python tests/cli
# The Python package as users get it, built in build/python and installed into .venv
package = $(python) -m pip install --quiet --disable-pip-version-check --no-build-isolation \
  --no-deps --force-reinstall -Cbuild-dir=build/python .
# The package of the dev build into .venv: the same sources with assertions, and nothing is compiled twice
dev_package = cmake --install build/dev --component python --strip --prefix \
  "$$($(python) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" >build/dev-install.log
# $(call build,preset,targets): all targets unless some are named
define build
	@cmake --preset $(1) -Wno-dev >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }
	cmake --build --preset $(1) -j $(JOBS) $(addprefix -t ,$(2))
endef

.DEFAULT_GOAL := help
.PHONY: help setup setup-system setup-user build python wheel demo test test-torch test-full lint format asan tsan fuzz \
  soak coverage bench bench-peers bench-partition bench-pictures bench-ranks bench-pooling bench-family paper-partition \
  paper-partition-literal paper-clustering paper-clustering-literal paper-completion setup-bench install-test docs \
  docs-test setup-docs site gallery hooks clean

help:  ## these lines
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:  ## install what developers need: Debian packages, and Python ones in .venv
	@scripts/setup.sh develop test
	@mkdir -p build

setup-system:
	@scripts/setup.sh develop
	@mkdir -p build

setup-user:
	@scripts/setup.sh
	@mkdir -p build

build: setup-user  ## build the library and the program
	$(call build,release)

python: setup  ## build the Python package and install it into .venv
	$(package)

wheel: setup  ## build sdist and wheel in build/wheel, and try them in a clean environment
	scripts/wheel.sh

demo: setup-user  ## find the communities of a small graph and of a large one
	$(call build,release,srgw_cli)
	scripts/demo.sh build/release/cli/srgw

test: setup  ## build with assertions and strict warnings, run all tests
	$(call build,dev)
	ctest --preset dev -j $(JOBS)
	$(dev_package)
	$(call pytest,dev)

test-full: export RC_PARAMS := seed=$(shell date +%s)
test-full: setup  ## the same on the release build, long tests included, then sanitizers
	@echo "RC_PARAMS=$(RC_PARAMS)"
	$(call build,bench)
	SRGW_TEST_FULL=1 ctest --preset bench -j $(JOBS)
	$(package)
	SRGW_TEST_FULL=1; export SRGW_TEST_FULL; $(call pytest,bench)
	$(MAKE) asan tsan

test-torch: setup  ## the tests with PyTorch and JAX; installs both (6 GB)
	@scripts/setup.sh torch
	$(call build,dev,_srgw _srgw_stub srgw_cli)
	$(dev_package)
	SRGW_BUILD_DIR=build/dev $(python) -m pytest -q -rs -n $(JOBS) tests/python/test_torch*.py tests/python/test_jax.py \
	  tests/python/test_package_libraries.py

bench-pooling: setup  ## the pooling layer against POT's, and a graph network
	@scripts/setup.sh torch
	$(package)
	$(python) bench/pooling/run.py $(ARGS)

bench-family: setup  ## coarsening, block models, graphons, constraints (docs/results/family.md; ARGS=--full, --only WORD)
	$(call build,bench,srgw_cli)
	$(package)
	$(python) bench/family/run.py $(ARGS)

lint: setup  ## format, layers, warnings of benchmarks and headers alone, clang-tidy, ruff, mypy
	$(call build,dev,all all_verify_interface_header_sets srgw_bench srgw_completion)
	$(dev_package)
	@cmake --preset dev -B build/tidy -DSRGW_UNITY=OFF -Wno-dev >build/tidy.log 2>&1 || { cat build/tidy.log; exit 1; }
	scripts/lint.sh

format: setup  ## format all sources in place
	scripts/lint.sh --fix

asan: setup-system  ## tests under the address and undefined-behaviour sanitizers
	$(call build,asan)
	ctest --preset asan -j $(JOBS)

tsan: setup-system  ## tests under the thread sanitizer
	$(call build,tsan)
	ctest --preset tsan -j $(JOBS)

fuzz: setup-system  ## fuzz each reader of files for a minute (SECONDS=...), and options (RUNS=10000)
	$(call build,fuzz)
	scripts/fuzz.sh $(or $(SECONDS),60)
	$(call build,bench,srgw_cli)
	scripts/fuzz_options.py build/bench/cli/srgw --runs $(or $(RUNS),10000)

soak: setup  ## mixed calls in one process: memory must not grow (SECONDS=120)
	$(call build,bench,srgw_cli)
	$(package)
	$(python) bench/soak.py --seconds $(or $(SECONDS),120) --program build/bench/cli/srgw

coverage: setup  ## line coverage of include/ and src/, as text
	$(call build,coverage)
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage -j $(JOBS)
	$(python) -m gcovr --root . --filter include/ --filter src/ --object-directory build/coverage \
	  --gcov-ignore-parse-errors=negative_hits.warn --txt --print-summary

bench: setup-system  ## benchmarks of the library
	$(call build,bench,srgw_bench)
	build/bench/bench/srgw_bench

bench-peers: setup  ## ratios against other libraries, written to docs/benchmarks.md
	$(call build,bench,srgw_cli srgw_peers srgw_probe srgw_read)
	$(package)
	$(python) bench/peers/run.py

setup-bench:
	@scripts/setup.sh develop test bench
	@mkdir -p build

bench-partition: setup-bench  ## communities: quality and time beside other tools (docs/results; ARGS=--full, --times, --only)
	$(call build,bench,srgw_cli)
	$(python) bench/partition/run.py $(ARGS)

bench-ranks: setup  ## what MPI ranks bring and cost on this machine, written to docs/benchmarks.md
	$(call build,bench,srgw_cli)
	$(python) bench/ranks.py build/bench/cli/srgw --write $(ARGS)

bench-pictures: setup  ## pictures and reports: time, size, and a browser (docs/results/pictures.md; ARGS=--large)
	$(call build,bench,srgw_cli)
	$(python) bench/pictures/run.py $(ARGS)

paper-partition: setup-bench  ## the paper's partition tables (docs/results/partition.md; ARGS=--full)
	$(call build,bench,srgw_cli)
	$(python) bench/partition/paper.py $(ARGS)
	$(python) bench/charts.py build/bench/cli/srgw partition

paper-partition-literal: setup-bench  ## the same by the paper's own protocol, within an hour (ARGS="--minutes N": longer)
	$(package)
	$(python) bench/partition/paper_literal.py $(ARGS)

paper-clustering: setup-bench  ## the paper's tables of graph clustering (docs/results/clustering.md; ARGS=--full)
	$(call build,bench,srgw_cli)
	$(python) bench/clustering/clustering.py $(ARGS)
	$(python) bench/charts.py build/bench/cli/srgw clustering

paper-clustering-literal: setup-bench  ## the same by the paper's own protocol, within an hour (ARGS=--full: to the end)
	$(call build,bench,srgw_cli)
	$(python) bench/clustering/literal.py $(ARGS)

paper-completion: setup  ## completion of half-seen graphs (docs/results/completion.md; ARGS=--full)
	$(call build,bench,srgw_cli srgw_completion)
	$(python) bench/completion/paper.py $(ARGS)
	$(python) bench/charts.py build/bench/cli/srgw completion

install-test: setup-system  ## install, then build a stranger's project against it
	$(call build,bench,srgw srgw_cli_texts)
	ctest --preset bench -R '^install\.'

docs: setup  ## write docs/cli.md anew from the help texts
	$(call build,dev,srgw_cli)
	$(python) scripts/cli_docs.py build/dev/cli/srgw docs/cli.md

setup-docs:
	@scripts/setup.sh develop test docs
	@mkdir -p build

site: setup-docs  ## build the documentation site in build/site/html; its tutorials run
	$(call build,dev,srgw_cli _srgw_stub)
	$(dev_package)
	scripts/site.sh

docs-test: site  ## build the site, run all tutorials and check links
	SRGW_TEST_FULL=1 SRGW_BUILD_DIR=build/dev $(python) -m pytest -q -rs -n $(JOBS) tests/python/test_docs.py

gallery: setup  ## draw the pictures of docs/gallery.md anew
	$(call build,bench,srgw_cli)
	$(python) scripts/gallery.py build/bench/cli/srgw $(DATA)

hooks:  ## run the linters that take seconds before each commit
	install -m 755 scripts/pre-commit "$$(git rev-parse --git-path hooks)/pre-commit"

clean:  ## remove what was built (not .venv)
	rm -rf build
