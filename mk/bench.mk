# bench.mk - what `make bench` measures with: the anchors, the data, the Node and Go clients.
# Everything lies in build/bench and is made once.

BENCH       := build/bench
ANCHORS_C   := $(patsubst cli/dev/bench/anchors/%.c,$(BENCH)/%,$(wildcard cli/dev/bench/anchors/*.c))
ANCHORS_CC  := $(patsubst cli/dev/bench/anchors/%.cc,$(BENCH)/%,$(wildcard cli/dev/bench/anchors/*.cc))
BENCH_FORMS := json,yaml,pb
BENCH_SIZES := small medium large $(if $(HUGE),huge)

.PHONY: bench-anchors bench-data
bench-anchors: $(BENCH)/measure $(ANCHORS_C) $(ANCHORS_CC) $(BENCH)/node/ready $(BENCH)/go/clusters
bench-data: $(BENCH_SIZES:%=$(BENCH)/%/counts.json) $(BENCH)/large/changed.json $(BENCH)/explain/one.jsonl $(BENCH)/scenario.json $(BENCH)/growth/ready

# Anchors are built as fast as the program is.
bench_cc  = $(CC) $(CSTD) -O3 -Wall -Wextra $(shell $(PKGCONFIG) --cflags $(PKGS)) $< $(LIBS) -o $@
bench_cxx = $(CXX) -std=c++17 -O3 -Wall -Wextra $< -o $@

$(BENCH)/measure: cli/dev/bench/measure.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(bench_cc) -D_DEFAULT_SOURCE
$(ANCHORS_C): $(BENCH)/%: cli/dev/bench/anchors/%.c cli/dev/bench/anchors/whole_file.h
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(bench_cc)
$(BENCH)/simdjson_dom: cli/dev/bench/anchors/simdjson_dom.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(bench_cxx) -lsimdjson

# Linked as objects: a type that nobody names must be found too.
$(BENCH)/protobuf_%: cli/dev/bench/anchors/protobuf_%.cc cli/dev/bench/anchors/whole_file.h $(BENCH)/cpp/ready
	$(call say,CXX,$<)
	$(Q)$(bench_cxx) -isystem $(BENCH)/cpp $(BENCH)/cpp/*.o $$($(PKGCONFIG) --cflags --libs protobuf)
$(BENCH)/cpp/ready: cli/dev/bench/cpp_protos.sh $(PROTOS)
	$(call say,CXX,proto/)
	$(Q)sh $< $(@D) && cd $(@D) && ls *.pb.cc | xargs -P $$(nproc) -n 1 $(CXX) -std=c++17 -O3 -w -I. -c
	$(Q)touch $@

# The same resources in every form; of the largest only JSON.
$(BENCH)/%/counts.json: cli/dev/bench/gen_snapshot.py $(BENCH)/descriptors
	$(call say,GEN,$(@D))
	$(Q)mkdir -p $(@D) && python3 $< --preset $* --format $(if $(filter huge,$*),json,$(BENCH_FORMS)) \
	  --layout single --descriptor-set $(BENCH)/descriptors --out $(@D) 2>$@.new && mv $@.new $@
$(BENCH)/large/changed.json: cli/dev/bench/gen_changed.py $(BENCH)/large/counts.json
	$(call say,GEN,$@)
	$(Q)python3 $< $(@D)/snapshot.json $@.new && mv $@.new $@
$(BENCH)/descriptors: $(PROTOS)
	$(Q)mkdir -p $(@D) && protoc -Iproto --include_imports --descriptor_set_out=$@ $^
$(BENCH)/explain/one.jsonl: cli/dev/bench/gen_requests.py
	$(call say,GEN,$(@D))
	$(Q)python3 $< $(@D)
$(BENCH)/growth/ready: cli/dev/bench/gen_growth.py cli/dev/bench/gen_requests.py
	$(call say,GEN,$(@D))
	$(Q)rm -rf $(@D) && python3 -B $< $(@D) && touch $@
$(BENCH)/scenario.json: cli/dev/bench/gen_scenario.py
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && python3 $< >$@.new && mv $@.new $@

# Where the Node client cannot be had, its lines say so and the rest goes on.
$(BENCH)/node/ready: cli/dev/bench/node/package.json
	$(call say,NPM,$(@D))
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && cp $< $(@D) && \
	  if npm install --prefix $(@D) --no-package-lock --no-audit --no-fund --ignore-scripts >$(@D)/log 2>&1; \
	  then touch $@; else echo "  NPM	the Node client cannot be installed, see $(@D)/log"; fi

# The same of the newest Go client. Its decoder is internal to grpc, hence the name of the module.
GO_RELEASE = $(lastword $(shell sed -n 's/^go\t//p' cli/dev/clients/releases.tsv))
$(BENCH)/go/clusters: cli/dev/bench/go/clusters.go cli/dev/clients/releases.tsv
	$(call say,GO,$(@D))
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && cp $< $(@D) && cd $(@D) && \
	  printf 'module google.golang.org/grpc/bench\n\nrequire google.golang.org/grpc v%s\n' '$(GO_RELEASE)' >go.mod && \
	  { go mod tidy && go build -p 1 -o clusters .; } >log 2>&1 || echo "  GO	the Go client cannot be built, see $(@D)/log"

# How fast each stage of a lint is; route lookup, and judging through the library, alone.
$(B)/bench-routes: $(B)/cli/dev/bench/route_table.o
$(B)/bench-stages $(B)/bench-routes $(B)/bench-library $(B)/bench-servers: $(B)/bench-%: $(B)/cli/dev/bench/%.o $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -o $@

-include $(wildcard $(B)/cli/dev/bench/*.d)

.PHONY: bench
# ROUNDS=7; HUGE=1 adds 500 MB.
bench: deps-build deps-bench
	@$(MAKE) --no-print-directory $(J) build/xdscope bench-anchors bench-data >&2
	@sh cli/dev/bench/bench.sh build/xdscope

# What the language server takes after a change, beside a lint of the same file.
.PHONY: bench-lsp
bench-lsp: build/xdscope
	@python3 cli/dev/bench/lsp.py $< $(or $(ROUNDS),15)

# What lint --watch takes after one of 17,000 resources changed, beside the first lint.
.PHONY: bench-watch
bench-watch: build/xdscope $(BENCH)/large/counts.json
	@python3 cli/dev/bench/watch.py $< $(BENCH)/large/snapshot.json $(or $(ROUNDS),5)
