# bindings.mk - packages for other languages, in build/bindings, and their tests: `make check-bindings` needs Go, Python, Node
# and a JDK with Maven, and their registries. Sources are in cli/bindings; what is generated, such as xdscope.wasm, is not.

BIND        := build/bindings
BIND_CORPUS := $(BIND)/corpus.json
# A folder of sources with the module in it, as it would be published.
bind_stage   = rm -rf $(BIND)/$(1) && mkdir -p $(BIND) && cp -r cli/bindings/$(1) $(BIND)/$(1)

.PHONY: binding-go check-bindings check-binding-go
check-bindings: check-binding-go

$(BIND_CORPUS): cli/bindings/test/corpus.py $(B)/xdscope $(B)/unpack
	$(call say,GEN,$@)
	$(Q)/usr/bin/python3 $< $(B)/xdscope $(B)/unpack $@

binding-go: wasi
	@$(call bind_stage,go) && cp $(WASI)/xdscope.wasm $(BIND)/go/

check-binding-go: binding-go $(BIND_CORPUS)
	$(call say,GO,$(BIND)/go)
	$(Q)cd $(BIND)/go && test -z "$$(gofmt -l .)" && go vet ./... && XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) CGO_ENABLED=0 go test -count=1 ./...
	$(Q)cd $(BIND)/go/example && CGO_ENABLED=0 go test -count=1 ./...
