# playground.mk - the page to try xdscope on: the module of the bindings in one file, build/playground/index.html.

PLAY := build/playground

.PHONY: playground check-playground
check-bindings: check-playground
# Where the module is, a site has the page.
site: $(if $(wildcard $(WASI)/xdscope.wasm),playground)
playground: wasi
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope
	@$(MAKE) --no-print-directory $(PLAY)/index.html

PLAY_PAGE = python3 cli/dev/playground/page.py $(B)/xdscope $(WASI)/xdscope.wasm
$(PLAY)/index.html: $(B)/xdscope $(WASI)/xdscope.wasm cli/bindings/node/index.js $(wildcard cli/dev/playground/page.*)
	$(call say,PAGE,$@)
	$(Q)mkdir -p $(@D) && $(PLAY_PAGE) $@

# In a real browser; SHOTS=FOLDER keeps screenshots.
check-playground: playground deps-html
	@python3 cli/dev/test/playground.py $(PLAY)/index.html $(SHOTS)
	@sh cli/dev/test/check_twice.sh $(PLAY)/index.html $(PLAY_PAGE)
