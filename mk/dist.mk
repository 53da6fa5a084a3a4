# dist.mk - what a release is made of, all of it in build/dist: the static programs for both
# processors in archives, the source archive, packages for Debian and for RPM, a list of what
# is linked (SPDX), an image, checksums. The same sources and the same packages of Debian give
# the same bytes, in any folder and at any time.

DIST         := build/dist
DIST_ARCHES  := amd64 arm64
TRIPLET_amd64 := x86_64-linux-gnu
TRIPLET_arm64 := aarch64-linux-gnu
OPENSSL_amd64 := linux-x86_64
OPENSSL_arm64 := linux-aarch64
# The addresses of mk/home.def, for scripts.
home          = VERSION=$(VERSION) RELEASE_URL='$(RELEASE_URL)' PROJECT_URL='$(PROJECT_URL)' SITE_URL='$(SITE_URL)'

# No flags of the environment: the programs are the same whoever builds them.
DIST_CFLAGS  := -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables
# What a lint does for each resource is fast, the rest is small: SMALL=1.
SMALL        ?=
ifneq ($(SMALL),)
$(addsuffix /%,$(addprefix $(B)/libvalidate/,ads baseline catalogue convert diff explain fix generate lb print scenario server session suite)) \
  $(B)/cli/%: EXTRA += -Os
endif
# PIE needs a relocation for each pointer in a table, and tables are what rules are made of: lld
# packs them for both processors, and has the ends of longer strings serve as shorter ones (-O2).
# A cross compiler finds it only where it is told to look.
DIST_LDFLAGS  = -fuse-ld=lld -B$(dir $(shell readlink -f "$$(command -v ld.lld)")) -Wl,--pack-dyn-relocs=relr,-O2,--no-eh-frame-hdr,mk/dist/no_unwind.ld
dist_program = $(DIST)/$(1)/obj/xdscope
dist_make    = $(MAKE) --no-print-directory $(J) VARIANT=release SMALL=1 LTO= WITHOUT_FETCH= KEEP_SYMBOLS= B=$(DIST)/$(1)/obj/objects \
  CC=$(TRIPLET_$(1))-gcc AR=$(TRIPLET_$(1))-ar CFLAGS='$(DIST_CFLAGS)' CPPFLAGS= \
  LDFLAGS='-Wl,-Map=$(DIST)/$(1)/obj/map $(DIST_LDFLAGS)' \
  PKGCONFIG='env PKG_CONFIG_LIBDIR=/usr/lib/$(TRIPLET_$(1))/pkgconfig:/usr/share/pkgconfig pkg-config' \
  STATIC_PROGRAM=$(call dist_program,$(1)) STATIC_LIBS=$(DIST)/$(1)/static STATIC_OPENSSL=$(OPENSSL_$(1))
# For `strip` of install and for what runs on this machine.
dist_stage   = $(MAKE) --no-print-directory KEEP_SYMBOLS=1 PREFIX=/usr DESTDIR=$(DIST)/$(1)/stage \
  ZSHDIR=/usr/share/zsh/site-functions PROGRAM=$(call dist_program,$(1)) RUN=$(call dist_program,amd64) install-program

.PHONY: dist image dist-programs release check-dist check-image check-arm64
dist: dist-programs
	@$(home) sh mk/dist/build.sh $(DIST) $(DIST_ARCHES)

dist-programs: deps-build deps-dist
	@$(foreach arch,$(DIST_ARCHES),$(call dist_make,$(arch)) $(call dist_program,$(arch)) &&) :
	@$(foreach arch,$(DIST_ARCHES),rm -rf $(DIST)/$(arch)/stage && $(call dist_stage,$(arch)) >/dev/null &&) :

image: dist-programs
	@$(home) sh mk/dist/image.sh $(DIST) $(DIST_ARCHES)

# Twice the work: all is built again elsewhere.
check-dist: deps-test deps-dist deps-packaging
	@$(MAKE) --no-print-directory $(J) all
	@TWICE=1 sh cli/dev/test/check_deb.sh build/deb-check
	@$(MAKE) --no-print-directory dist image check-arm64
	@$(home) sh cli/dev/test/check_dist.sh $(DIST)

check-image: image
	@$(MAKE) --no-print-directory $(J) all
	@python3 cli/dev/test/check_image.py $(DIST)

# The cases of the rules, by the program for arm64.
check-arm64: deps-test dist-programs
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope-test
	@printf '#!/bin/sh\nexec /usr/bin/qemu-aarch64-static %s "$$@"\n' $(CURDIR)/$(call dist_program,arm64) >$(DIST)/arm64/run && chmod +x $(DIST)/arm64/run
	@CASES=testdata/rules XDS_PROGRAM=$(CURDIR)/$(DIST)/arm64/run $(B)/xdscope-test --filter 'cases/*'

# All files of a release, from one build of the programs and one of the module: mk/dist/release.sh adds the packages. ZIG_SYSTEMS=
# leaves macOS and Windows out.
release: dist image zig
	@$(MAKE) --no-print-directory $(J) wheels binding-go binding-node binding-java binding-vscode
	@$(home) sh mk/dist/release.sh $(DIST) $(BIND) $(WASI) $(ZIG_SYSTEMS)
