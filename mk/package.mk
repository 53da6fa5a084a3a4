# package.mk - installing, the static program, the packages of Debian.

HEADERS := $(notdir $(wildcard libvalidate/include/xdscope/*.h libvalidate/include/xdscope/*.def))
# Pages and where they go: man/x.1 as man1/x.1.
PAGES   := $(foreach n,1 3 5 7,$(patsubst man/%,man$n/%,$(wildcard man/*.$n)))

# JSON schemas of what programs read and people write.
SCHEMAS := $(notdir $(wildcard man/schema/*.schema.json))

# Packages take the symbols out themselves, into packages of their own: KEEP_SYMBOLS=1.
install_program = install $(if $(KEEP_SYMBOLS),,-s) -m 755

.PHONY: install uninstall FORCE
install: all build/xdscope.pc
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(INCLUDEDIR)/xdscope $(LIBDIR)/pkgconfig $(BASHDIR) $(ZSHDIR) $(FISHDIR) $(DATADIR)/xdscope/schema)
	install -d $(addprefix $(DESTDIR)$(MANDIR)/,man1 man3 man5 man7)
	$(install_program) $(B)/xdscope $(DESTDIR)$(BINDIR)/xdscope
	install -m 644 libvalidate/include/xdscope.h $(DESTDIR)$(INCLUDEDIR)/xdscope.h
	install -m 644 $(HEADERS:%=libvalidate/include/xdscope/%) $(DESTDIR)$(INCLUDEDIR)/xdscope
	install -m 644 $(B)/libxdscope.a $(DESTDIR)$(LIBDIR)/libxdscope.a
	$(install_program) $(B)/libxdscope.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libxdscope.so.$(SOVERSION)
	ln -sf libxdscope.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libxdscope.so
	install -m 644 build/xdscope.pc $(DESTDIR)$(LIBDIR)/pkgconfig/xdscope.pc
	for page in $(PAGES); do install -m 644 man/$${page#*/} $(DESTDIR)$(MANDIR)/$$page || exit 1; done
	install -m 644 $(SCHEMAS:%=man/schema/%) $(DESTDIR)$(DATADIR)/xdscope/schema
	$(B)/xdscope completion bash >$(DESTDIR)$(BASHDIR)/xdscope
	$(B)/xdscope completion zsh >$(DESTDIR)$(ZSHDIR)/_xdscope
	$(B)/xdscope completion fish >$(DESTDIR)$(FISHDIR)/xdscope.fish

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/xdscope $(DESTDIR)$(INCLUDEDIR)/xdscope.h
	rm -f $(HEADERS:%=$(DESTDIR)$(INCLUDEDIR)/xdscope/%)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libxdscope.a libxdscope.so libxdscope.so.$(SOVERSION) pkgconfig/xdscope.pc)
	rm -f $(PAGES:%=$(DESTDIR)$(MANDIR)/%)
	rm -f $(SCHEMAS:%=$(DESTDIR)$(DATADIR)/xdscope/schema/%)
	rm -f $(DESTDIR)$(BASHDIR)/xdscope $(DESTDIR)$(ZSHDIR)/_xdscope $(DESTDIR)$(FISHDIR)/xdscope.fish
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

build/static/libcjson.a: mk/static_cjson.sh
	$(call say,STATIC,$@)
	$(Q)CC='$(CC)' sh $< $(@D)

build/xdscope-static: $(CLI_O) $(B)/libxdscope.a build/static/libcjson.a $(B)/with_fetch
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) -static-pie $(if $(KEEP_SYMBOLS),,-s) -Wl,--gc-sections $(HARDEN_LD) $(LDFLAGS) $(CLI_O) $(B)/libxdscope.a \
	  $(shell $(PKGCONFIG) --static --libs $(LIVE_PKGS) $(PKGS) | sed 's/-lcjson/-Lbuild\/static -lcjson/') -lm -o $@

# ---- packaging -----------------------------------------------------------------

.PHONY: deb check-packaging
# The packages of Debian, from a copy of this tree, in build/deb/; DEB_BUILD_OPTIONS=nocheck leaves the tests out.
deb: deps-packaging
	@sh mk/build_deb.sh build/deb

check-packaging: deps-build deps-packaging
	@$(MAKE) --no-print-directory $(J) all build/xdscope-static
	@sh cli/dev/test/check_packaging.sh $(B)/xdscope
	@$(MAKE) --no-print-directory $(J) WITHOUT_FETCH=1 CFLAGS=-O0 B=build/without build/without/xdscope
	@sh cli/dev/test/check_without_fetch.sh build/without/xdscope
