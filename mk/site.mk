# site.mk - static pages of the rules, the facts, the answers of real clients and the manual.

# SITE_URL=https://... is where they will be; without it they have no canonical links. After `make wasi`, which a release runs,
# the playground is one of them.
.PHONY: site check-site
site: deps-build deps-site
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope pages
	@/usr/bin/python3 -B mk/site/site.py $(B)/xdscope build/site '$(SITE_URL)'

# The program as it is built for a site, whatever SITE_URL is.
TRY_URL := https://example.org/xdscope
build/with_site/rule_url.o: libvalidate/catalogue/rule_url.c
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CPPFLAGS) $(CFLAGS) $(EXTRA) $(WARNINGS) $(INCLUDES) -DXDS_SITE_URL='"$(TRY_URL)"' -c $< -o $@

build/with_site/xdscope: build/with_site/rule_url.o $(CLI_O) $(B)/libxdscope.a $(B)/with_fetch
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) -Wl,--gc-sections $(HARDEN_PIE) $(filter %.o %.a,$^) $(LIVE_LIBS) $(LIBS) -o $@

check-site: deps-html site
	@$(MAKE) --no-print-directory $(J) build/with_site/xdscope
	@/usr/bin/python3 -B cli/dev/test/check_site.py build/site build/with_site/xdscope $(TRY_URL)
	@sh cli/dev/test/site.sh build/site $(SHOTS)
	@sh cli/dev/test/check_twice.sh build/site sh -c '/usr/bin/python3 -B mk/site/site.py $(B)/xdscope "$$1" "$(SITE_URL)"' sh
