# bindings.mk - packages for other languages, in build/bindings, and their tests: `make check-bindings` needs Go, Python, Node
# and a JDK with Maven, and their registries. Sources are in cli/bindings; what is generated, such as xdscope.wasm, is not.

BIND        := build/bindings
BIND_CORPUS := $(BIND)/corpus.json
# A folder of sources with the module in it, as it would be published.
bind_stage   = rm -rf $(BIND)/$(1) && mkdir -p $(BIND) && cp -r cli/bindings/$(1) $(BIND)/$(1)

.PHONY: check-bindings binding-go check-binding-go binding-python wheels check-binding-python
check-bindings: check-binding-go check-binding-python

$(BIND_CORPUS): cli/bindings/test/corpus.py $(B)/xdscope $(B)/unpack
	$(call say,GEN,$@)
	$(Q)/usr/bin/python3 $< $(B)/xdscope $(B)/unpack $@

binding-go: wasi
	@$(call bind_stage,go) && cp $(WASI)/xdscope.wasm $(BIND)/go/

check-binding-go: binding-go $(BIND_CORPUS)
	$(call say,GO,$(BIND)/go)
	$(Q)cd $(BIND)/go && test -z "$$(gofmt -l .)" && go vet ./... && XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) CGO_ENABLED=0 go test -count=1 ./...
	$(Q)cd $(BIND)/go/example && CGO_ENABLED=0 go test -count=1 ./...

# The wheel for this machine, and with `make wheels` those of a release, for both processors.
PYTHON3    ?= python3
wheel       = /usr/bin/python3 cli/bindings/python/wheel.py $(1) $(2) $(VERSION) $(BIND)/wheels
BIND_VENV  := $(BIND)/venv

binding-python: static
	@rm -rf $(BIND)/wheels
	@$(call wheel,$(STATIC_PROGRAM),$(shell uname -m))

wheels: dist-programs
	@rm -rf $(BIND)/wheels
	@$(foreach arch,$(DIST_ARCHES),$(call wheel,$(call dist_program,$(arch)),$(firstword $(subst -, ,$(TRIPLET_$(arch))))) &&) :

# What is tested is what pip has installed, with the protobuf messages of xds-protos.
check-binding-python: binding-python $(BIND_CORPUS)
	$(call say,PYTEST,$(BIND)/wheels)
	$(Q)test -d $(BIND_VENV) || { $(PYTHON3) -m venv $(BIND_VENV) && $(BIND_VENV)/bin/pip -q install pytest xds-protos mypy pre-commit; }
	$(Q)$(BIND_VENV)/bin/pip -q install --force-reinstall --no-deps $(BIND)/wheels/*_$(shell uname -m).whl
	$(Q)cd $(BIND) && PATH=$(CURDIR)/$(BIND_VENV)/bin:$$PATH XDSCOPE_TREE=$(CURDIR) XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) \
	  python -B -m pytest -q -p no:cacheprovider $(CURDIR)/cli/bindings/python/tests
	$(Q)cd $(BIND) && $(CURDIR)/$(BIND_VENV)/bin/mypy --strict -p xdscope
	$(Q)PATH=$(CURDIR)/$(BIND_VENV)/bin:$$PATH sh cli/bindings/test/check_pre_commit.sh $(BIND)/wheels/*_$(shell uname -m).whl
