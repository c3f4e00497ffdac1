# The commands of the README. Each works in a fresh clone on a fresh Debian machine with a Swift toolchain.

SWIFT ?= swift
BUILD := .build/release
LINTED := Sources Tests Examples Fuzz Benchmarks Scoreboard Package.swift

.DEFAULT_GOAL := help
.PHONY: help run serve lib wheel nginx-module go-module install deb test test-long load crash bench bench-peers bench-go bench-gateway scoreboard format lint fuzz \
    fuzz-coverage fuzz-ledger differential prove mutated-tokens mutants models sbom docs vectors vectors-check dependencies clean

help: ## Lists every target.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: ## Builds and shows in stages: verdicts on real tokens, nginx protected, logins at the reference IDaaS. STAGE=verify stops early, STAGE=speed goes on.
	@scripts/dependencies.sh run
	@scripts/demonstrate.sh $(STAGE)

serve: dependencies ## Keeps the reference IDaaS running on loopback and prints example commands. LISTEN=127.0.0.1:8800 sets the address.
	@scripts/build.sh assay assay-idaas
	@scripts/serve.sh

lib: dependencies ## Builds the C interface into .build-lib/assay: libassay, and libassay-http unless HTTP=no.
	@scripts/libassay.sh

wheel: ## Builds the Python package assay-jwt into .build-python/dist: a manylinux wheel with libassay inside, and the source distribution.
	@scripts/dependencies.sh wheel
	@[ -n "$(ASSAY_LIBRARY)" ] || scripts/libassay.sh
	@bindings/python/wheel.sh

nginx-module: ## Builds the nginx module into .build-nginx, for Debian's nginx or NGINX=FOLDER: sources of nginx 1.18 or later, for --with-compat.
	@[ -n "$(ASSAY_LIBRARY)" ] || $(MAKE) --no-print-directory lib
	@NGINX="$(NGINX)" integrations/nginx/build.sh $(OUT)

go-module: ## Writes the Go package as a module into .build-go/proxy, a folder that GOPROXY takes.
	@python3 bindings/go/module.py .build-go/proxy

install: ## Installs the command and the C interface below PREFIX=/usr/local. HTTP=no and COMMAND=no leave out parts.
	@scripts/dependencies.sh install
	@PREFIX="$(or $(PREFIX),/usr/local)" DESTDIR="$(DESTDIR)" scripts/libassay.sh install
	@[ "$(COMMAND)" = no ] || PREFIX="$(or $(PREFIX),/usr/local)" DESTDIR="$(DESTDIR)" scripts/command.sh install

deb: ## Builds Debian packages into .build-deb: the three programs, libassay, libassay-http, the nginx module and the Envoy module.
	@scripts/dependencies.sh deb
	@scripts/deb.sh

test: ## Installs test requirements and runs every stage, the long ones briefly and with new seeds. STAGES="unit wire" selects some.
	@scripts/dependencies.sh test
	@scripts/test.sh $(STAGES)

test-long: ## Runs the long stages in full: kernels, mutated tokens, kills, fuzzers, races. Before a release and after a change to them.
	@scripts/dependencies.sh test
	@scripts/test.sh --long $(STAGES)

load: dependencies ## A thousand people log in at the reference IDaaS at once. LOGINS=1000 sets the number.
	@scripts/build.sh assay assay-idaas idaas-load
	@LOGINS=$(LOGINS) Tests/Load/Logins/run.sh

crash: dependencies ## Kills the reference IDaaS at random points of fifty logins, 200 times. ROUNDS=200 sets the number.
	@scripts/build.sh assay assay-idaas idaas-crash
	@$(BUILD)/idaas-crash $(BUILD)/assay $(or $(ROUNDS),200)

bench: dependencies ## Times whole verifications beside raw OpenSSL.
	@scripts/build.sh bench
	@$(BUILD)/bench $(ARGS)

bench-peers: dependencies ## Times Assay and the JWT libraries of Debian 12 and PyPI on the same tokens.
	@scripts/build.sh bench
	@Benchmarks/peers/run.sh $(ARGS)

bench-go: ## Times verifications from Go beside those from C, in turns in one process. ROUNDS=21 sets the number.
	@[ -d .build-lib/assay ] || $(MAKE) --no-print-directory lib
	@bindings/go/speed.sh $(ROUNDS)

bench-gateway: ## Loads the forward-auth service, alone and behind nginx, HAProxy and Envoy, beside their own verification and Apache's.
	@scripts/dependencies.sh test
	@scripts/build.sh assay assay-gateway
	@Benchmarks/gateway/run.sh $(ARGS)

scoreboard: ## Judges other JWT verifiers by the vectors, beside Assay, and writes Docs/Scoreboard.md and its JSON. ARGS="--only pyjwt" selects.
	@scripts/dependencies.sh scoreboard
	@scripts/build.sh assay
	@[ -d .build-python/dist ] || $(MAKE) --no-print-directory wheel
	@set -e; for kind in $(if $(ARGS),tokens,tokens dpop encrypted selective documents); do \
		Scoreboard/run.sh --kind $$kind $(or $(ARGS),--json Docs/Scoreboard.json --page Docs/Scoreboard.md); done

fuzz: dependencies ## Fuzzes readers and kernels under sanitizers. MINUTES=2 or RUNS=1000000 bounds each, TARGET=NAME selects one.
	@TARGET="$(TARGET)" MINUTES="$(MINUTES)" LEDGER="$(LEDGER)" ASSAY_FUZZ_SERVERS="$(SERVERS)" scripts/fuzz.sh $(RUNS)

fuzz-ledger: ## How long each fuzzer has run with LEDGER=1, and how many inputs it has executed.
	@python3 scripts/fuzz_ledger.py

fuzz-coverage: dependencies ## Lines and error codes that the fuzzers' corpora reach, by folder. SERVERS=1 includes two more targets.
	@ASSAY_FUZZ_SERVERS="$(SERVERS)" scripts/fuzz_coverage.sh

differential: dependencies ## Compares every verification kernel with libcrypto. CASES=100000000 sets the number, SEED=1 the seed.
	@scripts/build.sh kernel-differential
	@ASSAY_KERNEL_CASES=$(CASES) ASSAY_KERNEL_SEED=$(SEED) scripts/test.sh --long kernels

prove: ## Proves the kernels' arithmetic from the compiler's output. PROOFS="p256 rsa" selects some.
	@scripts/dependencies.sh
	@scripts/prove.sh $(PROOFS)

mutated-tokens: dependencies ## Verifies mutated tokens and key sets under sanitizers. COUNT=10000000 sets the number.
	@ASSAY_MUTATIONS=$(or $(COUNT),10000000) scripts/test.sh --long mutated_tokens

mutants: dependencies ## Judges mutants of the verifier by proofs, vectors and tests, and writes Docs/Mutants.md. ARGS=swift selects.
	@scripts/mutants.sh $(ARGS)

models: ## Checks the models of what concurrent readers rest on, with spin. ARGS=--long for wider bounds.
	@scripts/dependencies.sh test
	@python3 Proofs/models/verify.py $(ARGS)

sbom: ## Writes the bill of materials of the build, .build/assay.cdx.json (CycloneDX), and checks every licence.
	@scripts/dependencies.sh
	@scripts/build.sh assay assay-gateway assay-idaas CAssayHTTP
	@HTTP=yes scripts/libassay.sh
	@scripts/supply_chain/sbom.sh

format: ## Formats the Swift sources in place.
	$(SWIFT) format --in-place --parallel --recursive $(LINTED)

lint: ## Fails if the Swift sources break the format or the lint rules.
	$(SWIFT) format lint --strict --parallel --recursive $(LINTED)

docs: dependencies ## Builds the documentation of every public module to .build/docs. A warning is an error.
	@scripts/build.sh
	@scripts/docs.sh

vectors: ## Regenerates the vectors.
	@scripts/python.sh vectors/generate.py

vectors-check: ## Fails if the vectors differ from the generator's output.
	@scripts/python.sh vectors/generate.py --check

dependencies:
	@scripts/dependencies.sh

clean: ## Deletes every build.
	rm -rf .build .build-*
