# Where RPCs of real clients go, beside `xdscope explain`: cli/dev/clients/live/README.md.
# Not part of the gate: it needs the clients' own tools and registries.

LIVE_N       ?= 5000

.PHONY: check-clients-live
check-clients-live: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(CLIENTS_VENV) -B cli/dev/clients/live/live.py --seed '$(SEED)' --release '$(RELEASES)' \
	  --clients '$(CLIENTS)' \
	  --count '$(if $(filter 0,$(N)),$(LIVE_N),$(N))'
