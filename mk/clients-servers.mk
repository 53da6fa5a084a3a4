# What real xDS servers make of RPCs, beside `xdscope explain --server`:
# cli/dev/clients/servers/README.md. Not part of the gate: it needs the clients' own tools.

.PHONY: check-clients-servers
check-clients-servers: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(CLIENTS_VENV) -B cli/dev/clients/servers/$(if $(RULES),rule_servers,$(if $(LIVES),lives,servers)).py --seed '$(SEED)' \
	  --release '$(RELEASES)' --clients '$(CLIENTS)' $(if $(KEPT),--kept) \
	  $(if $(LIVES),,--tls '$(if $(TLS),$(TLS),0.4)') \
	  --count '$(if $(LIVES),$(LIVES),$(if $(filter 0,$(N)),$(LIVE_N),$(N)))'

# Whether real clients accept the certificate of a server, beside `explain --server-cert`.
.PHONY: check-clients-handshakes
check-clients-handshakes: deps-build $(CLIENTS_VENV)
	@$(MAKE) --no-print-directory $(J) build/release/xdscope
	@$(MAKE) --no-print-directory build/release/unpack
	@$(CLIENTS_VENV) -B cli/dev/clients/servers/handshakes.py --seed '$(SEED)' --release '$(RELEASES)' \
	  --clients '$(CLIENTS)' $(if $(KEPT),--kept) --count '$(if $(filter 0,$(N)),500,$(N))'
