# deps.mk - what has to be installed: `make deps`, or `make deps-NAME` for one purpose.
# Debian packages by name.

DEPS_BUILD := gcc make pkg-config libc6-dev protobuf-compiler protobuf-c-compiler libprotobuf-c-dev \
  libcjson-dev libpcre2-dev libyaml-dev libxxhash-dev \
  zlib1g-dev libzstd-dev $(if $(WITHOUT_FETCH),,libnghttp2-dev libssl-dev)
DEPS_TEST  := $(DEPS_BUILD) libcriterion-dev g++ libre2-dev graphviz libxml2-utils python3-jsonschema python3-yaml \
  $(if $(WITHOUT_FETCH),,python3-grpcio openssl)
DEPS_LINT  := clang-format clang-tidy cppcheck mandoc valgrind
DEPS_HTML  := chromium fonts-dejavu-core libxml2-utils
DEPS_SITE  := python3 mandoc
DEPS_BENCH := g++ python3 libsimdjson-dev libprotobuf-dev jq
# Other packages than Debian's bring these too.
DEPS_NODE   = $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm)
DEPS_PACKAGING := build-essential $(DEPS_BUILD) libcriterion-dev graphviz g++ git debhelper dpkg-dev lintian pre-commit python3 python3-yaml \
  shellcheck bash zsh fish
DEPS_DIST   = $(DEPS_PACKAGING) ca-certificates lld openssl rpm cpio skopeo qemu-user-static \
  $(if $(filter arm64,$(DIST_ARCHES)),$(addsuffix :arm64,$(filter lib%-dev zlib1g-dev,$(DEPS_BUILD))) gcc-aarch64-linux-gnu)
DEPS_STREAM := $(DEPS_BUILD) parallel openssh-server openssh-client jq python3
DEPS_WASI  := dpkg-dev clang lld llvm wasi-libc libclang-rt-14-dev-wasm32
DEPS_FUZZ  := clang libclang-rt-14-dev

# Installs those of the named packages that are missing; as root or with sudo.
install_missing = @missing=$$(for p in $(1); do \
    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' || printf '%s ' $$p; done); \
  if [ -n "$$missing" ]; then echo "  DEPS	$$missing"; \
    if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
    $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
    $$sudo apt-get install -y -qq --no-install-recommends $$missing >build/deps.log 2>&1 || \
    { cat build/deps.log; exit 1; }; fi

DEPS_ALL := deps-build deps-test deps-lint deps-format deps-html deps-site deps-bench deps-fuzz deps-packaging deps-static deps-stream deps-wasi
.PHONY: deps $(DEPS_ALL) deps-dist
deps: $(DEPS_ALL)
$(DEPS_ALL): deps-%: | build
deps-build: ; $(call install_missing,$(DEPS_BUILD))
deps-test: ; $(call install_missing,$(DEPS_TEST))
deps-format: ; $(call install_missing,clang-format)
deps-lint: ; $(call install_missing,$(DEPS_LINT))
deps-html: ; $(call install_missing,$(DEPS_HTML))
deps-site: ; $(call install_missing,$(DEPS_SITE))
deps-bench:
	$(call install_missing,$(DEPS_BENCH))
	-$(call install_missing,$(DEPS_NODE))
deps-fuzz: ; $(call install_missing,$(DEPS_FUZZ))
deps-stream: ; $(call install_missing,$(DEPS_STREAM))
deps-wasi: ; $(call install_missing,$(DEPS_WASI))
deps-static: ; $(call install_missing,dpkg-dev)
# Libraries for another processor, of the same versions as those of this one.
deps-dist: | build
	@$(if $(filter arm64,$(DIST_ARCHES)),,true ||) dpkg --print-foreign-architectures | grep -qx arm64 || $$([ "$$(id -u)" = 0 ] || echo sudo) dpkg --add-architecture arm64
	$(call install_missing,$(DEPS_DIST))
deps-packaging: ; $(call install_missing,$(DEPS_PACKAGING))
build:
	@mkdir -p $@
