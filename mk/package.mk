# package.mk - installing, the static program, the packages of Debian.

HEADERS := $(notdir $(wildcard libvalidate/include/xdscope/*.h libvalidate/include/xdscope/*.def))
# Pages and where they go: man/x.1 as man1/x.1. Those of the rules and of man/spec are made, in build/man.
PAGES      := $(foreach n,1 3 5 7,$(patsubst man/%,man$n/%,$(wildcard man/*.$n)))
MADE_PAGES := xdscope-rules.7 $(SPEC:man/spec/%.spec=xdscope-spec-%.7)

# JSON schemas of what programs read and people write.
SCHEMAS := $(notdir $(wildcard man/schema/*.schema.json))

# Packages take the symbols out themselves, into packages of their own: KEEP_SYMBOLS=1.
install_program = install $(if $(KEEP_SYMBOLS),,-s) -m 755

.PHONY: install install-program uninstall FORCE
install: all build/xdscope.pc install-program
	install -d $(addprefix $(DESTDIR),$(INCLUDEDIR)/xdscope $(LIBDIR)/pkgconfig)
	install -m 644 libvalidate/include/xdscope.h $(DESTDIR)$(INCLUDEDIR)/xdscope.h
	install -m 644 $(HEADERS:%=libvalidate/include/xdscope/%) $(DESTDIR)$(INCLUDEDIR)/xdscope
	install -m 644 $(B)/libxdscope.a $(DESTDIR)$(LIBDIR)/libxdscope.a
	$(install_program) $(B)/libxdscope.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libxdscope.so.$(SOVERSION)
	ln -sf libxdscope.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libxdscope.so
	install -m 644 build/xdscope.pc $(DESTDIR)$(LIBDIR)/pkgconfig/xdscope.pc

# The program and what is not for a compiler. PROGRAM may be for another processor than
# this one; RUN then is one that runs here.
PROGRAM ?= $(B)/xdscope
RUN     ?= $(B)/xdscope
install-program: $(PROGRAM) $(RUN) build/man/ready
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR) $(DATADIR)/xdscope/schema)
	install -d $(addprefix $(DESTDIR)$(MANDIR)/,man1 man3 man5 man7)
	$(install_program) $(PROGRAM) $(DESTDIR)$(BINDIR)/xdscope
	install -m 644 mk/dist/problem-matcher.json $(DESTDIR)$(DATADIR)/xdscope/problem-matcher.json
	for page in $(PAGES); do install -m 644 man/$${page#*/} $(DESTDIR)$(MANDIR)/$$page || exit 1; done
	sed -i 's|example\.com/xdscope|$(GO_MODULE)|g' $(DESTDIR)$(MANDIR)/man7/xdscope-go.7
	$(if $(SITE_URL),printf '.SH HOME PAGE\n.UR %s\n.UE\n' '$(SITE_URL)' >>$(DESTDIR)$(MANDIR)/man1/xdscope.1)
	install -m 644 $(MADE_PAGES:%=build/man/%) $(DESTDIR)$(MANDIR)/man7
	install -m 644 $(SCHEMAS:%=man/schema/%) $(DESTDIR)$(DATADIR)/xdscope/schema
	$(RUN) completion bash >$(DESTDIR)$(BASHDIR)/xdscope
	$(RUN) completion zsh >$(DESTDIR)$(ZSHDIR)/_xdscope
	$(RUN) completion fish >$(DESTDIR)$(FISHDIR)/xdscope.fish

.PHONY: pages
pages: build/man/ready
build/man/ready: $(RUN) mk/spec_man.awk mk/spec_pages.sh $(SPEC)
	$(call say,MAN,$(@D))
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && $(RUN) rule --man >$(@D)/xdscope-rules.7 && sh mk/spec_pages.sh $(@D) && touch $@

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/xdscope $(DESTDIR)$(INCLUDEDIR)/xdscope.h
	rm -f $(HEADERS:%=$(DESTDIR)$(INCLUDEDIR)/xdscope/%)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libxdscope.a libxdscope.so libxdscope.so.$(SOVERSION) pkgconfig/xdscope.pc)
	rm -f $(addprefix $(DESTDIR)$(MANDIR)/,$(PAGES) $(MADE_PAGES:%=man7/%))
	rm -f $(SCHEMAS:%=$(DESTDIR)$(DATADIR)/xdscope/schema/%)
	rm -f $(DESTDIR)$(BASHDIR)/xdscope $(DESTDIR)$(ZSHDIR)/_xdscope $(DESTDIR)$(FISHDIR)/xdscope.fish
	rm -f $(DESTDIR)$(DATADIR)/xdscope/problem-matcher.json
	[ ! -d $(DESTDIR)$(DATADIR)/xdscope ] || rmdir $(DESTDIR)$(DATADIR)/xdscope/schema $(DESTDIR)$(DATADIR)/xdscope
	[ ! -d $(DESTDIR)$(INCLUDEDIR)/xdscope ] || rmdir $(DESTDIR)$(INCLUDEDIR)/xdscope

# Made anew each time: another PREFIX is another file.
in_prefix = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
build/xdscope.pc: FORCE | build
	@printf 'prefix=%s\nincludedir=%s\nlibdir=%s\n\n' '$(PREFIX)' '$(call in_prefix,$(INCLUDEDIR))' '$(call in_prefix,$(LIBDIR))' >$@
	@printf 'Name: xdscope\nDescription: What gRPC clients make of an xDS snapshot\nVersion: %s\n' '$(VERSION)' >>$@
	@printf 'Requires.private: %s\nCflags: -I$${includedir}\nLibs: -L$${libdir} -lxdscope\nLibs.private: -lm -pthread\n' '$(PKGS)' >>$@

# One file that runs on any Linux of its processor, whatever libraries are there.
.PHONY: static
static: deps-build deps-static
	@$(MAKE) --no-print-directory $(J) build/xdscope-static

# The libraries of what is static, for their licenses: THIRD-PARTY, beside each program and module.
STATIC_PACKAGES = $(filter lib%-dev zlib1g-dev,$(DEPS_BUILD)) $(notdir $(wildcard /usr/share/doc/libgcc-*-dev))
third_party     = sh mk/third_party.sh $(1) >$(@D)/THIRD-PARTY

# Another processor has its own ones, and a release a smaller OpenSSL: mk/dist.mk.
STATIC_PROGRAM ?= build/xdscope-static
STATIC_LIBS    ?= build/static
STATIC_OPENSSL ?=
$(STATIC_LIBS)/libcjson.a: mk/static_library.sh
	$(call say,STATIC,$@)
	$(Q)CC='$(CC)' AR='$(AR)' sh $< cjson $(@D)
$(STATIC_LIBS)/openssl/libssl.a: mk/static_library.sh
	$(call say,STATIC,$@)
	$(Q)CC='$(CC)' AR='$(AR)' JOBS='$(J)' sh $< openssl $(@D) $(STATIC_OPENSSL)

# OpenSSL cannot be loaded by it: it has all it calls.
STATIC_O   := $(patsubst $(B)/cli/live/openssl.o,$(STATIC_LIBS)/openssl.o,$(CLI_O))
$(STATIC_LIBS)/openssl.o: cli/live/openssl.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CPPFLAGS) $(CFLAGS) $(EXTRA) $(HIDDEN) -fPIC $(WARNINGS) -DLIVE_LINKS_OPENSSL $(INCLUDES) -I. $(PKG_CFLAGS) -c $< -o $@

$(STATIC_PROGRAM): $(STATIC_O) $(B)/libxdscope.a $(STATIC_LIBS)/libcjson.a $(if $(STATIC_OPENSSL),$(STATIC_LIBS)/openssl/libssl.a) $(B)/with_fetch
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) -static-pie $(if $(KEEP_SYMBOLS),,-s) -Wl,--gc-sections $(HARDEN_LD) $(LDFLAGS) $(STATIC_O) $(B)/libxdscope.a \
	  -L$(STATIC_LIBS) -L$(STATIC_LIBS)/openssl $(shell $(PKGCONFIG) --static --libs $(LIVE_PKGS) $(if $(LIVE_PKGS),libssl libcrypto) $(PKGS)) -lm -o $@
	$(Q)$(call third_party,$(STATIC_PACKAGES))

# ---- packaging -----------------------------------------------------------------

.PHONY: deb check-packaging
# The packages of Debian, from a copy of this tree, in build/deb/; DEB_BUILD_OPTIONS=nocheck leaves the tests out.
deb: deps-packaging
	@sh mk/build_deb.sh build/deb

check-packaging: deps-build deps-packaging
	@$(MAKE) --no-print-directory $(J) all build/xdscope-static
	@sh cli/dev/test/check_packaging.sh $(B)/xdscope
	@$(MAKE) --no-print-directory $(J) WITHOUT_FETCH=1 SYSTEM=portable CFLAGS=-O0 B=build/without build/without/xdscope
	@sh cli/dev/test/check_without_fetch.sh build/without/xdscope
