# The LB configs of clients beside `xdscope lb-config`: cli/dev/clients/trees/README.md.
# Not part of the gate: it needs the clients' own tools and registries.

TREES_N ?= 5000

.PHONY: check-clients-trees
check-clients-trees: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(CLIENTS_VENV) -B cli/dev/clients/trees/trees.py --seed '$(SEED)' --clients '$(CLIENTS)' \
	  --count '$(if $(filter 0,$(N)),$(TREES_N),$(N))'
