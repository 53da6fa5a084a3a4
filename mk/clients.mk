# clients.mk - `make check-clients`: the real clients beside xdscope. See its page,
# cli/dev/clients/README.md.
# Not part of the gate: it needs the clients' own tools and registries.

CLIENTS      ?= core go java node
RELEASES     ?= newest
N            ?= 0
WHOLE        ?= 0
SEED         ?= 1
SAMPLES      ?=
CLIENTS_VENV := build/clients/venv/bin/python
# The ADS server's own, whatever release of C-core is asked.
CLIENTS_GRPC := grpcio==1.85.3
# The messages of Envoy and xds, from which whole resources are made.
CLIENTS_PROTOS := xds-protos==1.85.0

.PHONY: check-clients
check-clients: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(MAKE) --no-print-directory build/release/unpack
	@$(CLIENTS_VENV) -B cli/dev/clients/check.py --clients '$(CLIENTS)' --releases '$(RELEASES)' \
	  --count '$(N)' --whole '$(WHOLE)' --seed '$(SEED)' --cases '$(CASES)' $(if $(NEW),--new) $(if $(PAIRS),--pairs) $(if $(REASONS),--reasons) $(if $(SAMPLES),--samples '$(SAMPLES)') \
	  $(if $(UPDATE),--update)

# `fetch ads` beside the newest grpcio: ROUNDS=5 CLUSTERS=10000 MB=50 WITHOUT_CLIENT=1.
.PHONY: bench-fetch
bench-fetch: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/xdscope
	@$(CLIENTS_VENV) -B cli/dev/bench/fetch/bench_fetch.py build/xdscope

$(CLIENTS_VENV):
	$(call say,VENV,$@)
	$(Q)python3 -m venv build/clients/venv && $@ -m pip install -q '$(CLIENTS_GRPC)' '$(CLIENTS_PROTOS)' || \
	  { rm -rf build/clients/venv; echo 'check-clients: it needs grpcio and xds-protos'; exit 1; }
