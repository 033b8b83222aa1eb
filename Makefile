# paysandbox: `make run` starts the sandbox, `make test` runs every test quickly.
# A Go toolchain and make are enough; `make check` wants a C compiler, too.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Tools, pinned here and nowhere else.
GOLANGCI_LINT_VERSION := v2.15.0

GO      ?= go
MAIN    := ./cmd/paysandbox
PKG     ?= ./...
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
BUILD   := $(CURDIR)/.build
TOOLS   := $(BUILD)/tools
PROGRESS := $(BUILD)/progress
LINT    := $(TOOLS)/golangci-lint-$(GOLANGCI_LINT_VERSION)
# The race detector makes all code ten times slower, and sees nothing where one thread works: it goes over packages with
# locks or goroutines that start or serve something themselves, with an eighth of the sample of `make test` and a quarter
# of the random cases (-short). What it leaves runs once without it.
LOCKS   := \bgo func|\.Go\b|sync\.(Mutex|RWMutex|Cond|WaitGroup|Map)\b|atomic\.
STARTS  := \bgo (func|[a-z][A-Za-z.]*\()|\.Go\(|httptest\.New(Unst|Serv|TLS)|mocktest\.|Concurrency|os/exec
RACED    = $(shell grep -rlE '$(LOCKS)' --include='*.go' */ | xargs -n1 dirname | sort -u | while read -r d; do ! grep -qE '$(STARTS)' "$$d"/*.go || echo "./$$d"; done)

# Three packages at once: they wait for processes and clocks for a quarter of their time.
AT_ONCE := -p 3

# The package whose tests take longest begins first, beside the one that waits for processes: at the end it would have to share.
LONGEST  = $(if $(filter ./...,$(PKG)),./harness/replay)

# With GOGC=400 linters and tests take a fifth less of the processor, and twice the memory.
test check: export GOGC ?= 400

# Test binaries are linked without what a debugger reads: that halves the time.
LINKED := -ldflags '-s -w'

# One way of building, so that nothing is compiled twice: the linters, the tests and the
# binary share what each checkout of this revision has compiled. The race detector alone
# wants C. The version is passed with -X; stamping would only fail in foreign checkouts.
export GOFLAGS ?= -buildvcs=false -trimpath
export CGO_ENABLED ?= 0

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the static binary .build/paysandbox
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $(BUILD)/paysandbox $(MAIN)

.PHONY: run
run: ## start the sandbox; ARGS="--seed 7" adds flags
	@echo 'Building the sandbox; the first time takes about a minute.'
	@$(MAKE) --no-print-directory -s build
	@exec $(BUILD)/paysandbox serve $(ARGS)

.PHONY: test
test: $(PROGRESS) ## run the tests of every package, quickly; PKG=./mockserver/... narrows it
	@$(GO) test -json -vet=off $(LINKED) -timeout 5m -parallel 4 $(ARGS) $(PKG) | $(PROGRESS)
	@echo '`make check` adds: the linters, a tidy go.mod, the race detector, all or most cases of what was sampled here (broken'
	@echo 'servers, careless applications watched live, choices of the ledger), browsers, and five seeds of the features.'

.PHONY: bench
bench: ## run the benchmarks, the comparative ones too; BENCH=regexp BENCHTIME=1s COUNT=1
	$(GO) test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem -benchtime $(or $(BENCHTIME),1s) -count $(or $(COUNT),1) -timeout 30m $(PKG)

.PHONY: features
features: ## run the acceptance features
	$(GO) test -timeout 8m -count 1 ./features/...

.PHONY: alternatives
alternatives: ## play all features under every alternative of every knob of the ledger
	PAYSANDBOX_ALTERNATIVES=all $(GO) test -count 1 -timeout 30m -run TestEveryAlternative -v ./features | grep -E '^(ok|FAIL|---|    ---)|changes|breaks'

.PHONY: mutants
mutants: ## let the broken servers loose; tells how many are found out
	@PAYSANDBOX_TEST=all $(GO) test -count 1 -run 'TestZoo' -v ./harness/verify | grep -vE '^ *(===|--- PASS)'

.PHONY: mutate
mutate: ## make N=100 random faults; tells which of them neither verify nor the tests find; SEED=7
	$(GO) run ./cmd/mutate -n $(or $(N),100) $(if $(SEED),-seed $(SEED))

.PHONY: attack
attack: ## try what an attacker would; ends with a table: attack, before, most memory now
	$(GO) test -count 1 -run Attack ./...
	PAYSANDBOX_ATTACKS=all $(GO) test -count 1 -timeout 20m -run TestAttackTable -v ./cmd/paysandbox | grep -E '^ +\| |^ok|FAIL|Error'

.PHONY: soak
soak: ## let 64 callers, faults, dead receivers, resets and readers loose; FOR=30m
	PAYSANDBOX_SOAK=$(or $(FOR),30m) $(GO) test -count 1 -timeout 0 -run TestSoak -v ./cmd/paysandbox

.PHONY: kills
kills: ## kill a sandbox that keeps its data N=200 times under 16 callers, and look for what was answered
	PAYSANDBOX_KILLS=$(or $(N),200) $(GO) test -count 1 -timeout 0 -run TestKillLoop -v ./cmd/paysandbox

.PHONY: cluster
cluster: build ## serve with three sandboxes on three log servers on this machine; ARGS="--seed 7" adds flags
	$(GO) run ./cmd/cluster $(BUILD)/paysandbox $(BUILD)/cluster $(ARGS)

.PHONY: flake
flake: build ## play all features N=200 times with other seeds; tells the first that fails
	@seq $(or $(N),200) | xargs -P 2 -I SEED sh -c '$(BUILD)/paysandbox verify --seed SEED >$(BUILD)/flake-SEED.txt 2>&1 || \
		{ cat $(BUILD)/flake-SEED.txt; echo "seed SEED fails; again: make build && $(BUILD)/paysandbox verify --seed SEED"; exit 255; }; rm $(BUILD)/flake-SEED.txt'
	@echo 'seeds 1 to $(or $(N),200): no failure'

.PHONY: journeys
journeys: ## play the partner journeys; JOURNEYS="name …" picks some
	$(GO) run $(MAIN) journey run $(JOURNEYS)

.PHONY: cases
cases: build ## replay the stored cases and judge them again; each that has changed is told
	@changed=0; for folder in fixtures/cases/*/; do .build/paysandbox replay "$$folder" >/dev/null || changed=1; done; exit $$changed

.PHONY: observed
observed: ## watch the reference application and all its careless variants live
	PAYSANDBOX_TEST=all $(GO) test -count 1 -timeout 15m -run 'Observe|ShellJob' ./cmd/paysandbox

.PHONY: shops
shops: ## watch a shop in JavaScript with each of its policies, careful and careless; wants node, takes ten minutes
	PAYSANDBOX_TEST=all PAYSANDBOX_SHOP=all $(GO) test -count 1 -timeout 40m -parallel 8 -run ObserveAShop -v ./cmd/paysandbox | grep -E 'expected|^ok|FAIL'

.PHONY: corpus
corpus: ## judge every report under fixtures/reports and print what is right of what is asked; ONLY=pattern
	PAYSANDBOX_TEST=all $(GO) test -count=1 -run '^TestCorpus$$' -v ./harness/replay -reports "$(or $(ONLY),*)"

.PHONY: reports
reports: build ## make the reports of partners under fixtures/reports anew, with real tools; ONLY=prefix
	$(GO) run ./harness/replay/reports -binary $(BUILD)/paysandbox -tools $(BUILD)/reports-tools -only "$(ONLY)"

.PHONY: golden
golden: ## rewrite the golden files from what the code answers now
	@dirs=$$(grep -rlF '"update"' --include='*_test.go' */ | xargs -r -n1 dirname | sort -u | sed 's|^|./|' || true); \
	if [ -n "$$dirs" ]; then $(GO) test -count 1 $$dirs -update; else echo 'no test has an -update flag'; fi

.PHONY: lint
lint: $(LINT) ## run the linters
	$(LINT) run ./...

.PHONY: fmt
fmt: $(LINT) ## format the code
	$(LINT) fmt ./...

.PHONY: cover
cover: ## measure coverage into .build/coverage.html
	@mkdir -p $(BUILD)
	$(GO) test -timeout 8m -coverpkg ./... -coverprofile $(BUILD)/coverage.out $(PKG)
	$(GO) tool cover -html $(BUILD)/coverage.out -o $(BUILD)/coverage.html
	$(GO) tool cover -func $(BUILD)/coverage.out | tail -1

.PHONY: check
check: lint $(PROGRESS) ## what CI runs: linters, tidy go.mod, all or most cases of every test, a sample with -race, five seeds
	$(GO) mod tidy -diff
	@PAYSANDBOX_TEST=all PAYSANDBOX_SEEDS=10000 $(GO) test -json -vet=off $(AT_ONCE) $(LINKED) -timeout 15m $(ARGS) $(LONGEST) $(PKG) | $(PROGRESS)
	@echo 'again, with the race detector:'
	@CGO_ENABLED=1 $(GO) test -json -vet=off $(AT_ONCE) $(LINKED) -race -short -timeout 15m $(ARGS) $(RACED) | $(PROGRESS)
	@$(MAKE) --no-print-directory flake N=5

.PHONY: clean
clean: ## remove what make built
	rm -rf $(BUILD)

# A tool is built once for each pinned version.
$(LINT):
	@mkdir -p $(TOOLS)
	GOBIN=$(TOOLS) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	@mv $(TOOLS)/golangci-lint $@

$(PROGRESS): .ci/progress/main.go
	@$(GO) build -o $@ ./.ci/progress
