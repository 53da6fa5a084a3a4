# bindings.mk - packages for other languages, in build/bindings, and their tests: `make check-bindings` needs Go, Python, Node
# and a JDK with Maven, and their registries. Sources are in cli/bindings; what is generated, such as xdscope.wasm, is not.

BIND        := build/bindings
BIND_CORPUS := $(BIND)/corpus.json
# A folder of sources with the module in it, as it would be published.
bind_stage   = rm -rf $(BIND)/$(1) && mkdir -p $(BIND) && cp -r cli/bindings/$(1) $(BIND)/$(1)

# A folder for the blocks of a manual page, with nothing but what a release has.
bind_page    = rm -rf $(BIND)/page-$(1) && mkdir -p $(BIND)/page-$(1) && cp $(2) $(BIND)/page-$(1)/
check_page   = /usr/bin/python3 cli/bindings/test/check_pages.py man/xdscope-$(1).7 $(BIND)/page-$(1)

# Bytes that xdscope.wasm may have: whoever imports the Go module gets them.
WASM_MOST := 3000000
.PHONY: check-wasm-size
check-bindings: check-wasm-size
check-wasm-size: wasi
	@size=$$(stat -c %s $(WASI)/xdscope.wasm) && if [ $$size -gt $(WASM_MOST) ]; then echo "$(WASI)/xdscope.wasm: $$size bytes, of $(WASM_MOST): see WASI_SMALL in mk/wasi.mk" >&2; exit 1; fi

.PHONY: check-bindings binding-go check-binding-go binding-python wheels check-binding-python
check-bindings: check-binding-go check-binding-python

$(BIND_CORPUS): cli/bindings/test/corpus.py $(B)/xdscope $(B)/unpack
	$(call say,GEN,$@)
	$(Q)/usr/bin/python3 $< $(B)/xdscope $(B)/unpack $@

# Command lines that `npx xdscope` takes, too.
BIND_COMMANDS := $(BIND)/commands.json
$(BIND_COMMANDS): cli/bindings/test/commands.py $(B)/xdscope $(B)/unpack
	$(call say,GEN,$@)
	$(Q)/usr/bin/python3 $< $(B)/xdscope $(B)/unpack $@

binding-go: wasi
	@$(call bind_stage,go) && cp $(WASI)/xdscope.wasm $(WASI)/THIRD-PARTY LICENSE $(BIND)/go/
	@find $(BIND)/go -type f ! -name '*.wasm' -exec sed -i 's|example\.com/xdscope|$(GO_MODULE)|g' {} +
	@tar -C $(BIND) --sort=name --owner=0 --group=0 --mtime=@0 --transform 's/^go/xdscope-go/' --exclude=go/example -czf $(BIND)/xdscope-$(VERSION)-go.tar.gz go

check-binding-go: binding-go $(BIND_CORPUS)
	$(call say,GO,$(BIND)/go)
	$(Q)cd $(BIND)/go && test -z "$$(gofmt -l .)" && go vet ./... && XDSCOPE_TREE=$(CURDIR) XDSCOPE_PROGRAM=$(CURDIR)/$(B)/xdscope XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) CGO_ENABLED=0 go test -count=1 ./...
	$(Q)cd $(BIND)/go/example && CGO_ENABLED=0 go test -count=1 ./...
	$(Q)$(call bind_page,go,$(BIND)/xdscope-$(VERSION)-go.tar.gz) && cd $(BIND)/page-go && go mod init example.com/shop 2>go.log
	$(Q)CGO_ENABLED=0 $(call check_page,go)

# The wheel for this machine, and with `make wheels` those of a release, for all systems; and one for others, which has the
# module in place of the program.
PYTHON3    ?= python3
wheel       = $(home) /usr/bin/python3 cli/bindings/python/wheel.py $(1) $(2) $(VERSION) $(BIND)/wheels
BIND_VENV  := $(BIND)/venv

binding-python: static wasi
	@rm -rf $(BIND)/wheels
	@$(call wheel,$(STATIC_PROGRAM),$(shell uname -m)) && $(call wheel,$(WASI)/xdscope.wasm,any)

wheels: dist-programs zig wasi
	@rm -rf $(BIND)/wheels
	@$(call wheel,$(WASI)/xdscope.wasm,any)
	@$(foreach arch,$(DIST_ARCHES),$(call wheel,$(call dist_program,$(arch)),$(firstword $(subst -, ,$(TRIPLET_$(arch))))) &&) :
	@$(foreach system,$(ZIG_SYSTEMS),$(call wheel,$(call zig_program,$(system)),$(system)) &&) :

# What is tested is what pip has installed, with the protobuf messages of xds-protos and envoy-data-plane.
check-binding-python: binding-python $(BIND_CORPUS)
	$(call say,PYTEST,$(BIND)/wheels)
	$(Q)test -d $(BIND_VENV) || { $(PYTHON3) -m venv $(BIND_VENV) && $(BIND_VENV)/bin/pip -q install pytest xds-protos envoy-data-plane wasmtime mypy pre-commit; }
	$(Q)cd $(BIND) && export PATH=$(CURDIR)/$(BIND_VENV)/bin:$$PATH XDSCOPE_TREE=$(CURDIR) XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) XDSCOPE_SAYS=$(CURDIR)/$(B)/xdscope && \
	  for wheel in wheels/*-any.whl wheels/*_$(shell uname -m).whl; do pip -q install --force-reinstall --no-deps $$wheel && \
	    python -B -m pytest -q -p no:cacheprovider $(CURDIR)/cli/bindings/python/tests && mypy --strict -p xdscope || exit 1; done
	$(Q)$(call bind_page,python,$(BIND)/wheels/*) && $(call check_page,python)
	$(Q)PATH=$(CURDIR)/$(BIND_VENV)/bin:$$PATH sh cli/bindings/test/check_pre_commit.sh $(BIND)/wheels/*_$(shell uname -m).whl $(BIND)/page-python/.pre-commit-config.yaml

# For Node and browsers, as the file that npm publishes. It is tested as npm installs it.
.PHONY: binding-node check-binding-node
check-bindings: check-binding-node
binding-node: wasi
	@$(call bind_stage,node) && cp $(WASI)/xdscope.wasm $(WASI)/THIRD-PARTY LICENSE $(BIND)/node/ && sed -i 's/"version": "[^"]*"/"version": "$(VERSION)"/' $(BIND)/node/package.json
	@$(if $(PROJECT_URL),cd $(BIND)/node && npm pkg set homepage='$(or $(SITE_URL),$(PROJECT_URL))' repository.type=git repository.url='$(PROJECT_URL)')
	@cd $(BIND) && npm pack --silent ./node

check-binding-node: binding-node $(BIND_CORPUS) $(BIND_COMMANDS)
	$(call say,NODE,$(BIND)/xdscope-$(VERSION).tgz)
	$(Q)rm -rf $(BIND)/node-test && mkdir $(BIND)/node-test && cp cli/bindings/node/test/* $(BIND)/node-test && cd $(BIND)/node-test && echo '{"type": "module"}' >package.json && \
	  npm install --silent --no-audit --no-fund ../xdscope-$(VERSION).tgz typescript && \
	  npx tsc --noEmit --strict --skipLibCheck --module nodenext --target es2022 types.ts && \
	  XDSCOPE_TREE=$(CURDIR) XDSCOPE_PROGRAM=$(CURDIR)/$(B)/xdscope XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) \
	    XDSCOPE_COMMANDS=$(CURDIR)/$(BIND_COMMANDS) node --test
	$(Q)$(call bind_page,node,$(BIND)/xdscope-$(VERSION).tgz) && $(call check_page,node)

# A jar with the module, which Chicory compiles to bytecode.
.PHONY: binding-java check-binding-java
check-bindings: check-binding-java
binding-java: wasi
	@$(call bind_stage,java) && mkdir -p $(BIND)/java/src/main/resources/xdscope && cp $(WASI)/xdscope.wasm $(WASI)/THIRD-PARTY LICENSE $(BIND)/java/src/main/resources/xdscope/
	@$(if $(PROJECT_URL),sed -i 's|^  <licenses>|  <url>$(PROJECT_URL)</url>\n&|' $(BIND)/java/pom.xml)
	@cd $(BIND)/java && mvn -q -B -DskipTests package

check-binding-java: binding-java $(BIND_CORPUS)
	$(call say,JUNIT,$(BIND)/java)
	$(Q)cd $(BIND)/java && XDSCOPE_TREE=$(CURDIR) XDSCOPE_PROGRAM=$(CURDIR)/$(B)/xdscope XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) mvn -q -B test
	$(Q)sed -n '/^Tests run/p' $(BIND)/java/target/surefire-reports/*.txt
	$(Q)$(call bind_page,java,$(BIND)/java/target/xdscope-$(VERSION).jar)
	$(Q)MAVEN_OPTS=-Dmaven.repo.local=$(CURDIR)/$(BIND)/m2 $(call check_page,java)

# For VS Code: one with the program of each processor, and one without for other systems. The test starts what is in the file.
.PHONY: binding-vscode check-binding-vscode
check-bindings: check-binding-vscode
vsix         = $(home) /usr/bin/python3 -B cli/bindings/vscode/vsix.py $(VERSION) $(BIND)/vsix/xdscope-$(1)$(VERSION).vsix $(2)
PLATFORM_amd64 := linux-x64
PLATFORM_arm64 := linux-arm64
PLATFORM_macos-arm64    := darwin-arm64
PLATFORM_macos-x86_64   := darwin-x64
PLATFORM_windows-x86_64 := win32-x64
binding-vscode: dist-programs zig
	@rm -rf $(BIND)/vsix
	@$(call vsix)
	@$(foreach arch,$(DIST_ARCHES),$(call vsix,$(PLATFORM_$(arch))-,$(PLATFORM_$(arch)) $(call dist_program,$(arch))) &&) :
	@$(foreach system,$(ZIG_SYSTEMS),$(call vsix,$(PLATFORM_$(system))-,$(PLATFORM_$(system)) $(call zig_program,$(system))) &&) :

check-binding-vscode: static
	$(call say,NODE,$(BIND)/vscode-test)
	$(Q)rm -rf $(BIND)/vscode-test && mkdir -p $(BIND)/vscode-test
	$(Q)$(home) /usr/bin/python3 -B cli/bindings/vscode/vsix.py $(VERSION) $(BIND)/vscode-test/xdscope.vsix linux-x64 $(STATIC_PROGRAM) >/dev/null
	$(Q)cd $(BIND)/vscode-test && /usr/bin/python3 -c 'import zipfile; zipfile.ZipFile("xdscope.vsix").extractall()' && chmod +x extension/server/xdscope && \
	  XDSCOPE_EXTENSION=$$PWD/extension node --test $(CURDIR)/cli/bindings/vscode/test/extension.test.js

# In VS Code itself: CODE_SERVER starts code-server (of npm). Without its downloads: `npm install --ignore-scripts code-server`, the same
# in its lib/vscode and lib/vscode/extensions, `npm rebuild argon2`, and in lib/vscode of node-pty, @vscode/spdlog and native-watchdog.
CODE_SERVER ?= code-server
.PHONY: check-vscode
check-vscode: check-binding-vscode deps-html
	$(Q)cd $(BIND)/vscode-test && cp $(CURDIR)/cli/bindings/vscode/test/open.mjs . && npm install --silent --no-audit --no-fund --no-save playwright-core && \
	  node open.mjs '$(CODE_SERVER)' $$PWD/xdscope.vsix /usr/bin/chromium

# What a cluster costs once all is warm. It judges nothing: a machine that does other work is slower.
.PHONY: bench-bindings
bench-bindings: check-binding-node binding-go binding-java
	$(Q)ls -l $(WASI)/xdscope.wasm
	$(Q)cd $(BIND)/go && CGO_ENABLED=0 go test -run '^$$' -bench . .
	$(Q)cd $(BIND)/node-test && node bench.mjs
	$(Q)cd $(BIND)/java && XDSCOPE_TREE=$(CURDIR) XDSCOPE_CORPUS=$(CURDIR)/$(BIND_CORPUS) mvn -q -B test -Dwithout= -Dgroups=bench
