# The commands of the README. Each works on a fresh clone of a fresh Debian machine with a Swift toolchain.

SWIFT ?= swift
BUILD := .build/release

.PHONY: run serve test load crash bench bench-peers format lint fuzz differential mutations docs vectors vectors-check dependencies clean

run: dependencies ## Builds in release, shows real tokens verified against real keys, and logs in at the reference IDaaS.
	@scripts/build.sh assay bench loopback-provider login-walk
	@scripts/demonstrate.sh

serve: dependencies ## Keeps the reference IDaaS running on loopback and says what to try. LISTEN=127.0.0.1:8800 says where.
	@scripts/build.sh assay
	@scripts/serve.sh

test: ## Installs what tests need and runs all of them.
	@scripts/dependencies.sh test
	@scripts/test.sh

load: dependencies ## A thousand people log in at the reference IDaaS at once. LOGINS=1000 says how many.
	@scripts/build.sh assay idaas-load
	@LOGINS=$(LOGINS) Tests/IDaaSLoad/run.sh

crash: dependencies ## Kills the reference IDaaS at random points of fifty logins, 200 times. ROUNDS=200 says how often.
	@scripts/build.sh assay idaas-crash
	@$(BUILD)/idaas-crash $(BUILD)/assay $(or $(ROUNDS),200)

bench: dependencies ## Times whole verifications beside raw OpenSSL.
	@scripts/build.sh bench
	@$(BUILD)/bench $(ARGS)

bench-peers: dependencies ## Times other JWT libraries beside Assay on the same tokens, those that Debian 12 and PyPI have.
	@scripts/build.sh bench
	@Benchmarks/peers/run.sh $(ARGS)

fuzz: dependencies ## Fuzzes tokens, headers, payloads, key sets and kernels under sanitizers. RUNS=1000000 bounds each target.
	@scripts/fuzz.sh $(RUNS)

differential: dependencies ## Holds every verification kernel against libcrypto. CASES=100000000 says how often, SEED=1 from which seed.
	@scripts/build.sh kernel-differential
	@ASSAY_KERNEL_CASES=$(CASES) ASSAY_KERNEL_SEED=$(SEED) scripts/test.sh kernels

mutations: dependencies ## Mutates tokens and key sets under sanitizers. COUNT=10000000 says how many.
	@ASSAY_MUTATIONS=$(or $(COUNT),10000000) scripts/test.sh mutations

format: ## Formats the Swift sources in place.
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

lint: ## Reports what `make format` would change and more.
	$(SWIFT) format lint --recursive Sources Tests Package.swift

docs: dependencies ## Builds the documentation archive of JWTCore to .build/docs.
	@scripts/docs.sh

vectors: ## Makes the vectors anew.
	@scripts/python.sh vectors/generate.py

vectors-check: ## Says whether the vectors are what their generator makes.
	@scripts/python.sh vectors/generate.py --check

dependencies:
	@scripts/dependencies.sh

clean:
	rm -rf .build .build-*
