# Two doors: `make demo` runs the headline scenario, `make test` passes everything. Both need the Rust toolchain and Node.js
# (20.19 or later, with npm); the second a Chromium too, which it installs where it may.
# Everything is built in the release profile, so that one build serves running and testing.

TOUCHDOWN := target/release/touchdown
# With the features of the whole workspace, so that programs and tests share their dependencies.
BUILD := cargo build --release --workspace --bin touchdown
DEMO := runs/demo
# Snapshots are compared, never rewritten.
export INSTA_UPDATE := no

# An environment of its own for the Python package and its tools.
VENV := target/python/venv

VIEWER := viewer/dist/view.html
VIEWER_SOURCES := $(shell find viewer/src -type f) viewer/package-lock.json viewer/build.mjs viewer/tsconfig.json

.PHONY: help install demo test format lint unit python fuzz fuzz-worlds bits bits-accept pages doc viewer picture reference book deny advisories sbom package package-verified cluster-test clean

help:
	@echo "make demo     build, run the drawbar pull of the rover in soft soil, say where its results are"
	@echo "make test     format, lints, all tests, documentation: everything that must pass"
	@echo "make install  build the command touchdown and put it into Cargo's folder of programs"
	@echo "make package  pack every crate into target/package"
	@echo "make picture  run the drawbar pull and draw the pictures in docs/images"
	@echo "make book     the documentation as a book in target/book (installs mdBook into target/tools if it is not there)"
	@echo "make python   the Python package in a virtual environment below target/python, its tests and its types"
	@echo "make fuzz     broken inputs for every parser, for FUZZ_SECONDS (600) or FUZZ_CASES in all"
	@echo "make fuzz-worlds  random legal worlds with every integrator, WORLDS (10000) of them"
	@echo "make bits     all scenarios to their ends, with and without fused multiply-add; make bits-accept: note the hashes of ten short runs anew"
	@echo "make deny     licences, sources and advisories of all dependencies (installs cargo-deny into target/tools if it is not there)"
	@echo "make sbom     what the program is made of, as CycloneDX, in target/sbom (installs cargo-cyclonedx into target/tools if it is not there)"

# Script and styles of the pages; the program carries them inside. Needs Node.js 20.19 or later with npm.
viewer: $(VIEWER)

$(VIEWER): $(VIEWER_SOURCES)
	@command -v npm >/dev/null || { echo "building the pages needs Node.js 20.19 or later with npm" >&2; exit 1; }
	cd viewer && npm ci --no-audit --no-fund --silent && npm run build --silent

# A campaign on a Slurm of this machine with a killed node and killed shards (needs Debian's slurm-wlm and munge), then on Dask with a killed worker.
cluster-test: viewer $(VENV)/ready
	$(BUILD)
	scripts/cluster_test.sh
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --release --quiet
	$(VENV)/bin/python -m pytest -q python/tests/test_campaign.py -k dask

install: viewer
	cargo install --locked --path crates/cli

demo: viewer
	$(BUILD)
	$(TOUCHDOWN) run rover-drawbar-pull --out $(DEMO) --force
	@echo
	@echo "Open $(DEMO)/report.html in a browser: the answer, a replay in 3-D, the paper's figures, the ledger, what was assumed."
	@echo "target/release/touchdown view $(DEMO) shows the whole run in 3-D. For scripts: summary.json, series.parquet, frames.mcap."

# The tests of the program come last, so that their closing line ends the output.
test: format lint doc package pages python unit

format:
	cargo fmt --all --check

lint: viewer
	cargo clippy --release --workspace --all-targets --quiet -- -D warnings

doc: viewer
	RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --document-private-items --quiet
	cargo test --release --workspace --doc --quiet

# cargo-nextest where it is installed, else cargo's own runner.
unit: viewer
	@if cargo nextest --version >/dev/null 2>&1; then \
		cargo nextest run --release --workspace --no-fail-fast; \
	else \
		cargo test --release --workspace --lib --bins --tests --no-fail-fast; \
	fi

# The Python package: built and installed in an environment of its own, tested, its types checked. Needs Python 3.10 or later; what pip
# installs is fetched once.
PYTHON_NEEDS := maturin numpy pytest mypy pyarrow pandas polars duckdb distributed matplotlib fmpy mujoco gymnasium nbclient ipykernel websockets protobuf mcap rasterio rio-cogeo

$(VENV)/ready: Makefile
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet $(PYTHON_NEEDS)
	touch $@

python: viewer $(VENV)/ready
	cargo build --release --quiet --workspace --lib --bins
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin develop --release --quiet
	$(VENV)/bin/mypy
	TOUCHDOWN=target/release/touchdown $(VENV)/bin/python -m pytest -q

# Case n of a target is the same everywhere; FUZZ_FROM sets the first, so that runs can go on where others ended. The tests of
# `make unit` are the first 24 000 cases.
fuzz: viewer
	FUZZ_SECONDS=$(or $(FUZZ_SECONDS),$(if $(FUZZ_CASES),,600)) \
		cargo test --release --workspace --test parsers -- --nocapture broken_inputs_are_harmless

# World n is the same everywhere; WORLDS_FROM sets the first. The test of `make unit` are the first 320.
fuzz-worlds:
	WORLDS=$(or $(WORLDS),10000) cargo test --release --workspace --test worlds -- --nocapture

# All scenarios to their ends, with and without what glibc chooses by processor; about half an hour. Then the hashes of ten short runs.
bits: viewer
	BITS_FULL=1 cargo test --release --workspace --test bits

# Writes these hashes anew, where results should change. Say why in CHANGELOG.md.
bits-accept: viewer
	BITS_ACCEPT=1 cargo test --release --workspace --test bits -- numbers_are_those_of_every_machine

# Every crate as it would be published, with all files that it carries inside; seconds. Tests and examples stay behind, which Cargo reports.
package: viewer
	cargo package --workspace --no-verify --allow-dirty --locked --quiet

# The same, each built from its package alone; as long as a build of everything.
package-verified: viewer
	cargo package --workspace --allow-dirty --locked

# Scripts of the pages by themselves, then the pages of two fresh runs in headless Chromium.
pages: viewer
	cd viewer && npm run --silent test
	cargo build --release --quiet --workspace --lib --bins
	viewer/tests/pages.sh target/release/touchdown target/pages

# The still picture shows the rover while it digs in, the moving one and the charts the whole run.
picture: viewer
	$(BUILD)
	$(TOUCHDOWN) run rover-drawbar-pull --out runs/picture --force --quiet
	$(TOUCHDOWN) run rover-drawbar-pull --out runs/picture-60-s --force --quiet --set duration_s=60
	cargo run --release --quiet --workspace --example readme_picture -- runs/picture runs/picture-60-s docs/images/rover-drawbar-pull.svg docs/images/rover-digs-in.svg
	viewer/tests/pages.sh target/release/touchdown target/pages docs/images
	python3 scripts/gallery.py target/release/touchdown docs/images

# The pages that the program writes.
reference: viewer
	$(BUILD)
	$(TOUCHDOWN) schema --markdown > docs/reference/scenario.new
	mv docs/reference/scenario.new docs/reference/scenario.md
	for kind in scenario machine soil study identify claims; do \
		$(TOUCHDOWN) schema $$kind > docs/reference/scenario.new && mv docs/reference/scenario.new docs/reference/$$kind.schema.json || exit 1; \
	done

# Not part of `make test`: the pages read well without it. mdBook without its server builds in a few minutes.
MDBOOK := $(or $(shell command -v mdbook),target/tools/bin/mdbook)

book: $(MDBOOK)
	$(MDBOOK) build
	@echo "The book: target/book/index.html"

target/tools/bin/mdbook:
	cargo install mdbook --locked --no-default-features --features search --root target/tools

CARGO_DENY := $(or $(shell command -v cargo-deny),target/tools/bin/cargo-deny)

deny: $(CARGO_DENY)
	$(CARGO_DENY) check licenses bans sources
	scripts/advisories.sh $(CARGO_DENY)

# Alone, for CI: what cannot be reached is named, and cargo-deny is installed only where it has a database to check.
advisories:
	scripts/advisories.sh $(CARGO_DENY)

target/tools/bin/cargo-deny:
	cargo install cargo-deny --locked --root target/tools

# One list for the program, one for the packages from which its pages are built. Where the sources lay on this machine is left out.
CARGO_CYCLONEDX := $(or $(shell command -v cargo-cyclonedx),target/tools/bin/cargo-cyclonedx)
BOM := touchdown-bom

sbom: $(CARGO_CYCLONEDX)
	mkdir -p target/sbom
	$(CARGO_CYCLONEDX) cyclonedx --quiet --format json --spec-version 1.5 --target all --override-filename $(BOM) --manifest-path crates/cli/Cargo.toml
	sed 's|file://$(CURDIR)/|file:///|g' crates/cli/$(BOM).json > target/sbom/touchdown.cdx.json
	rm -f crates/*/$(BOM).json
	cd viewer && npm sbom --package-lock-only --sbom-format cyclonedx > ../target/sbom/viewer.cdx.json
	@echo "The lists: target/sbom/touchdown.cdx.json (crates), target/sbom/viewer.cdx.json (npm packages)"

target/tools/bin/cargo-cyclonedx:
	cargo install cargo-cyclonedx --locked --root target/tools

clean:
	cargo clean
	rm -rf runs
