# gRPC bootstraps: the real clients beside `xdscope lint`: cli/dev/clients/bootstrap/README.md.
# Not part of the gate: it needs the clients' own tools and registries.

.PHONY: check-clients-bootstrap
check-clients-bootstrap: deps-build
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(MAKE) --no-print-directory build/release/unpack
	@python3 -B cli/dev/clients/bootstrap/check.py --clients '$(CLIENTS)' --releases '$(RELEASES)' \
	  --count '$(N)' --seed '$(SEED)'
