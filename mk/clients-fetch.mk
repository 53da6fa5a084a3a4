# `xdscope fetch` beside real control planes and real clients: cli/dev/clients/fetch/README.md.
# What clients hold in every state, beside what their RPCs do: make check-clients-held.
# Not part of the gate: it needs the peers' own tools and registries.
PLANES  ?= go java
FETCH_N ?= 60

.PHONY: check-clients-fetch
check-clients-fetch: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(MAKE) --no-print-directory build/release/unpack
	@$(CLIENTS_VENV) -B cli/dev/clients/fetch/peers.py --seed '$(SEED)' --clients '$(CLIENTS)' \
	  --planes '$(PLANES)' --count '$(if $(filter 0,$(N)),$(FETCH_N),$(N))'

.PHONY: check-clients-held
check-clients-held: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(MAKE) --no-print-directory build/release/unpack
	@$(CLIENTS_VENV) -B cli/dev/clients/fetch/held.py --seed '$(SEED)' --clients '$(CLIENTS)' \
	  --count '$(if $(filter 0,$(N)),28,$(N))'
