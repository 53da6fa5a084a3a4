# playground.mk - the page to try xdscope on: the program as WebAssembly in one file, build/playground/index.html.
# Debian's emscripten compiles it; its JavaScript tools are those of Debian's node packages.

PLAY      := build/playground
PLAY_C    := $(LIB_C) $(filter-out cli/lint/watch.c cli/lint/changes_% cli/files/system_linux.c cli/lsp/%,$(sort $(filter-out $(FETCH_C),$(wildcard cli/*.c cli/*/*.c)))) \
  $(wildcard cli/dev/playground/*.c)
PLAY_O    := $(PLAY_C:%.c=$(PLAY)/%.o) $(GEN_C:$(G)/%.c=$(PLAY)/gen/%.o)
EMCC       = NODE_PATH=/usr/share/nodejs emcc
PLAY_CC    = $(EMCC) $(CSTD) -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 -Os -w $(DEFINES) $(INCLUDES) -I. -isystem $(PLAY)/deps/include

.PHONY: playground check-playground has-emscripten
playground: has-emscripten deps-build deps-playground
	@$(MAKE) --no-print-directory $(J) $(PLAY)/index.html

# Installing it takes a gigabyte: that is left to whoever wants the page.
has-emscripten:
	@command -v emcc >/dev/null || { echo 'make playground needs emcc, of the package emscripten: apt-get install emscripten' >&2; exit 1; }

$(PLAY)/deps/libdeps.a: mk/playground_deps.sh
	$(call say,WASM,$(@D))
	$(Q)NODE_PATH=/usr/share/nodejs sh $< $(@D)

$(PLAY)/gen/%.o: $(G)/%.c $(PLAY)/deps/libdeps.a
	$(call say,EMCC,$<)
	$(Q)mkdir -p $(@D) && $(PLAY_CC) -c $< -o $@
$(PLAY)/%.o: %.c $(G)/.stamp $(PLAY)/deps/libdeps.a
	$(call say,EMCC,$<)
	$(Q)mkdir -p $(@D) && $(PLAY_CC) -MMD -MP -c $< -o $@
-include $(PLAY_C:%.c=$(PLAY)/%.d)
$(eval $(call needs_generated,$(PLAY)))

# Each run is an instance of its own: no memory is left from one to the next.
$(PLAY)/xdscope.js: $(PLAY_O) $(PLAY)/deps/libdeps.a
	$(call say,LINK,$@)
	$(Q)$(EMCC) -Os $^ -o $@ -sMODULARIZE=1 -sEXPORT_NAME=createXdscope -sINVOKE_RUN=0 -sALLOW_MEMORY_GROWTH=1 \
	  -sTOTAL_STACK=8MB -sENVIRONMENT=web -sFORCE_FILESYSTEM=1 -sDYNAMIC_EXECUTION=0 -sEXIT_RUNTIME=0 -sASSERTIONS=0 \
	  -sEXPORTED_RUNTIME_METHODS=callMain,FS

$(PLAY)/index.html: $(PLAY)/xdscope.js cli/dev/playground/page.py $(wildcard cli/dev/playground/page.*)
	$(call say,PAGE,$@)
	$(Q)python3 cli/dev/playground/page.py $(PLAY)/xdscope.js $(PLAY)/xdscope.wasm $@

# In a real browser; SHOTS=FOLDER keeps screenshots.
check-playground: playground deps-html
	@python3 cli/dev/test/playground.py $(PLAY)/index.html $(SHOTS)
	@sh cli/dev/test/check_twice.sh $(PLAY)/index.html python3 cli/dev/playground/page.py $(PLAY)/xdscope.js $(PLAY)/xdscope.wasm
