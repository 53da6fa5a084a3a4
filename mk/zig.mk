# zig.mk - the programs for macOS and Windows: `make zig`, in build/dist/zig. zig (ziglang of PyPI) brings the compiler and what
# these systems have to link; the libraries come from the source packages of Debian, as for WebAssembly.

ZIG_SYSTEMS := macos-arm64 macos-x86_64 windows-x86_64
ZIG_macos-arm64    := aarch64-macos.11.0
ZIG_macos-x86_64   := x86_64-macos.11.0
ZIG_windows-x86_64 := x86_64-windows-gnu
ZIG_OPENSSL_macos-arm64    := darwin64-arm64-cc
ZIG_OPENSSL_macos-x86_64   := darwin64-x86_64-cc
ZIG_OPENSSL_windows-x86_64 := mingw64

ZIG        := build/zig
zig_program = $(DIST)/zig/$(1)/xdscope$(if $(filter windows-%,$(1)),.exe)
# What POSIX and Linux have goes by other names there. Of Windows, cli/files/windows/include has the headers.
ZIG_FLAGS_macos   := -D_DARWIN_C_SOURCE -Dst_mtim=st_mtimespec -DELIBACC=79
ZIG_FLAGS_windows := -Icli/files/windows/include -DELIBACC=79 -DNGHTTP2_STATICLIB -DPCRE2_STATIC -DYAML_DECLARE_STATIC \
  -D_POSIX_THREAD_SAFE_FUNCTIONS=200112L -D_FILE_OFFSET_BITS=64
ZIG_LIBS_windows  := -Wl,--stack,8388608 -lws2_32 -lcrypt32 -lbcrypt -ladvapi32 -lshell32
zig_name    = $(firstword $(subst -, ,$(1)))
zig_make    = $(MAKE) --no-print-directory $(J) VARIANT=release SMALL=1 LTO= WITHOUT_FETCH= KEEP_SYMBOLS= SYSTEM=portable B=$(ZIG)/$(1)/objects \
  CC=$(CURDIR)/$(ZIG)/$(1)/cc AR=$(CURDIR)/$(ZIG)/ar CPPFLAGS= CFLAGS='-O2 -w $(ZIG_FLAGS_$(call zig_name,$(1)))' HARDEN_CC= \
  PKG_CFLAGS='-isystem $(ZIG)/$(1)/deps/include -isystem $(ZIG)/$(1)/openssl/include' STATIC_LIBS=$(ZIG)/$(1) STATIC_OPENSSL=$(ZIG_OPENSSL_$(1)) \
  ZIG_SYSTEM=$(1) ZIG_PROGRAM=$(call zig_program,$(1)) ZIG_LIBS='$(ZIG_LIBS_$(call zig_name,$(1)))' zig-program

.PHONY: zig zig-program
zig: deps-build deps-static $(ZIG_SYSTEMS:%=$(ZIG)/%/cc)
	@$(MAKE) --no-print-directory $(J) $(G)/.stamp
	@$(foreach system,$(ZIG_SYSTEMS),$(call zig_make,$(system)) &&) :
	@$(if $(ZIG_SYSTEMS),ls -l $(foreach system,$(ZIG_SYSTEMS),$(call zig_program,$(system))))

$(ZIG)/ar:
	$(call say,ZIG,$@)
	$(Q)$(PYTHON3) -m venv $(ZIG)/venv && $(ZIG)/venv/bin/pip -q install ziglang
	$(Q)ln -sf $$($(ZIG)/venv/bin/python -c 'import os, ziglang; print(os.path.dirname(os.path.abspath(ziglang.__file__)))') $(ZIG)/here
	$(Q)printf '#!/bin/sh\nexec $(CURDIR)/$(ZIG)/here/zig ar "$$@"\n' >$@ && chmod +x $@
$(ZIG)/%/cc: $(ZIG)/ar
	$(Q)mkdir -p $(@D) && printf '#!/bin/sh\nexec $(CURDIR)/$(ZIG)/here/zig cc -target $(ZIG_$*) "$$@"\n' >$@ && chmod +x $@

ZIG_WINDOWS_C := $(if $(filter windows-%,$(ZIG_SYSTEM)),$(wildcard cli/files/windows/*.c))
ZIG_O         := $(STATIC_O) $(LIB_O) $(GEN_O) $(ZIG_WINDOWS_C:%.c=$(B)/%.o)
zig-program: $(ZIG_PROGRAM)
ifneq ($(ZIG_SYSTEM),)
$(if $(ZIG_WINDOWS_C),$(B)/cli/main.o: DEFINES += -Dmain=xds_program_main)
$(ZIG)/$(ZIG_SYSTEM)/deps/libdeps.a: mk/cross_deps.sh
	$(call say,ZIG,$@)
	$(Q)WASM_CC='$(CC) -O2 -ffunction-sections -fdata-sections $(filter -D%,$(CFLAGS))' WASM_AR=$(AR) $(if $(ZIG_WINDOWS_C),NGHTTP2_FLAGS=) sh $< $(@D) nghttp2

$(ZIG_O): $(ZIG)/$(ZIG_SYSTEM)/deps/libdeps.a $(STATIC_LIBS)/openssl/libssl.a
$(ZIG_PROGRAM): $(ZIG_O)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) -O2 -s -Wl,--gc-sections $(ZIG_O) $(STATIC_LIBS)/openssl/libssl.a $(STATIC_LIBS)/openssl/libcrypto.a \
	  $(ZIG)/$(ZIG_SYSTEM)/deps/libdeps.a $(ZIG_LIBS) -lm -o $@
	$(Q)rm -f $(@D)/*.lib
	$(Q)cp $(ZIG)/here/LICENSE $(@D)/zig.license && cp $(ZIG)/here/lib/libc/mingw/COPYING $(@D)/mingw-w64.license
	$(Q)$(call third_party,$(ZIG)/$(ZIG_SYSTEM)/deps $(STATIC_LIBS)/openssl/openssl.license $(@D)/zig.license $(if $(ZIG_WINDOWS_C),$(@D)/mingw-w64.license))
	$(Q)rm -f $(@D)/*.license
endif
