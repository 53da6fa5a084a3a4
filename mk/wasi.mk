# wasi.mk - the library as one file for every host of WebAssembly: build/wasi/xdscope.wasm, without threads
# and without a network. Go, Node and Java embed it (cli/bindings). Debian's clang, lld and wasi-libc make it.

WASI       := build/wasi
WASI_C     := $(LIB_C) $(wildcard cli/bindings/wasi/*.c)
WASI_O     := $(WASI_C:%.c=$(WASI)/%.o) $(GEN_C:$(G)/%.c=$(WASI)/gen/%.o)
WASI_CLANG := clang --target=wasm32-wasi
# As in a release, what a lint does for each resource is fast, the rest is small. No libzstd is loaded: ELIBACC never comes.
WASI_SMALL := cli $(addprefix libvalidate/,ads baseline bootstrap catalogue clients convert diff explain fix generate lb model print regex \
  route rules/filter rules/tls scenario secret security server session spot suite)
wasi_level  = $(if $(filter $(WASI_SMALL:%=%/%),$<),-Oz,-O2)
WASI_CC     = $(WASI_CLANG) $(CSTD) -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 -DELIBACC=79 $(wasi_level) -ffunction-sections -fdata-sections \
  -fvisibility=hidden -w $(DEFINES) -Icli/bindings/wasi/include $(INCLUDES) -I. -isystem $(WASI)/deps/include

.PHONY: wasi
wasi: deps-build deps-wasi
	@$(MAKE) --no-print-directory $(J) $(WASI)/xdscope.wasm

$(WASI)/deps/libdeps.a: mk/cross_deps.sh
	$(call say,WASM,$(@D))
	$(Q)WASM_CC='$(WASI_CLANG) -O2 -ffunction-sections -fdata-sections' WASM_AR=llvm-ar sh $< $(@D)

$(WASI)/gen/%.o: $(G)/%.c $(WASI)/deps/libdeps.a
	$(call say,WASI,$<)
	$(Q)mkdir -p $(@D) && $(WASI_CC) -c $< -o $@
$(WASI)/%.o: %.c $(G)/.stamp $(WASI)/deps/libdeps.a
	$(call say,WASI,$<)
	$(Q)mkdir -p $(@D) && $(WASI_CC) -MMD -MP -c $< -o $@
-include $(WASI_C:%.c=$(WASI)/%.d)
$(eval $(call needs_generated,$(WASI)))

# The stack is in front of everything: what overflows it is a trap. Memory ends at 512 MiB.
$(WASI)/xdscope.wasm: $(WASI_O) $(WASI)/deps/libdeps.a
	$(call say,LINK,$@)
	$(Q)$(WASI_CLANG) -mexec-model=reactor -O2 $^ -o $@ -Wl,--gc-sections,--strip-all,--stack-first,-z,stack-size=4194304,--max-memory=536870912
	$(Q)$(call third_party,$(WASI)/deps wasi-libc $(notdir $(wildcard /usr/share/doc/libclang-rt-*-dev-wasm32)))
