# xdscope: everything is built from here. `make help` lists the targets.

VERSION    := 0.1.0
SOVERSION  := 0
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share
MANDIR     ?= $(DATADIR)/man
BASHDIR    ?= $(DATADIR)/bash-completion/completions
ZSHDIR     ?= $(DATADIR)/zsh/site-functions
FISHDIR    ?= $(DATADIR)/fish/vendor_completions.d
DESTDIR    ?=
# The commit that is built, for --version; nobody is asked for it.
COMMIT     :=
include mk/home.def
VARIANT    ?= release
DEVELOPER  ?=
V          ?=
B          := build/$(VARIANT)
G          := build/gen

CC         ?= cc
CXX        ?= g++
AR         ?= ar
PKGCONFIG  ?= $(or $(PKG_CONFIG),pkg-config)
PKGS       := libprotobuf-c libcjson libpcre2-8 yaml-0.1 libxxhash zlib libzstd

CFLAGS     ?= -O3 -g
CSTD       := -std=c11 -D_XOPEN_SOURCE=700
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
  -Wold-style-definition -Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wundef \
  -Wformat=2 -Wconversion -Wsign-conversion -Wnull-dereference -Wimplicit-fallthrough \
  -Wredundant-decls -fno-common $(if $(filter release,$(VARIANT)),$(if $(DEVELOPER),-Werror),-w)
INCLUDES   := -Ilibvalidate -isystem $(G)
HIDDEN     := -fvisibility=hidden -ffunction-sections -fdata-sections
DEFINES    := -DXDS_VERSION='"$(VERSION)"' -DXDS_PROGRAM='"$(B)/xdscope"'
# What alone speaks to the network: only the program links it, and loads OpenSSL when it
# needs it (cli/live/openssl.c). WITHOUT_FETCH=1 does without.
WITHOUT_FETCH ?=
LIVE_PKGS  := $(if $(WITHOUT_FETCH),,libnghttp2)
LIVE_LIBS   = $(if $(LIVE_PKGS),$(shell $(PKGCONFIG) --libs $(LIVE_PKGS)) -ldl)
LIBS        = $(shell $(PKGCONFIG) --libs $(PKGS)) -lm -pthread
PKG_CFLAGS  = $(shell $(PKGCONFIG) --cflags $(PKGS) | sed 's/-I/-isystem /g')

# Costs 3.5 % of the instructions (mk/BENCH.md), and the same sources give the same bytes in any folder.
# What a distribution sets of its own accord stays as it is. Not all compilers have the last two,
# which are for the stack of a thread and for jumps (x86-64).
ifeq ($(VARIANT),release)
has_flag    = $(shell $(CC) -Werror $(1) -S -x c -o /dev/null /dev/null 2>/dev/null && echo $(1))
HARDEN_CC  := -fstack-protector-strong -ffile-prefix-map=$(CURDIR)=. \
  $(if $(findstring _FORTIFY_SOURCE,$(CFLAGS)$(CPPFLAGS))$(findstring -O0,$(CFLAGS)),,-D_FORTIFY_SOURCE=3) \
  $(call has_flag,-fstack-clash-protection) $(call has_flag,-fcf-protection=full)
HARDEN_LD  := -Wl,-z,relro,-z,now,-z,noexecstack
HARDEN_PIE := -pie
# All symbols are bound at the start. Nearly all are libc's: first in the list, it is asked first.
LIBC_FIRST := -lc
endif

# LTO=1: the program and the shared library are optimised as a whole, with gcc. Linking
# takes a minute; a lint takes a fifteenth less. Objects keep their code besides, and get
# the same bytes every time.
LTO        ?=
LTO_CC      = $(if $(LTO),-flto=auto -ffat-lto-objects -frandom-seed=$<)
LTO_LD     := $(if $(LTO),-flto=auto)

SAN_BOTH   := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# What UBSan finds ends the program with SIGILL: its texts and their places are two thirds of the data that
# each of the thousands of runs maps, and a third of the build. UBSAN_TEXTS=1 has them, as the fuzz variant.
SAN_asan   := $(SAN_BOTH) $(if $(UBSAN_TEXTS),,-fsanitize-undefined-trap-on-error) --coverage
SAN_fuzz   := $(SAN_BOTH) -fsanitize=fuzzer-no-link
SAN_tsan   := -fsanitize=thread -fno-omit-frame-pointer
# A sanitized program starts thousands of times in a run; relocating itself would be a quarter of that.
SAN_LD     := $(if $(SAN_$(VARIANT)),-no-pie)
EXTRA      := $(SAN_$(VARIANT)) $(HARDEN_CC)

PROTOS     := $(sort $(wildcard proto/*.proto))
GEN_C      := $(PROTOS:proto/%.proto=$(G)/%.pb-c.c)
LIB_C      := $(filter-out %_test.c,$(sort $(wildcard libvalidate/*/*.c libvalidate/*/*/*.c)))
LIB_C      := $(filter-out libvalidate/fuzz/%,$(LIB_C))
FETCH_C    := $(addprefix cli/fetch/fetch_,ads.c csds.c links.c live.c server.c session.c watch.c) $(addprefix cli/live/,call.c certificate.c connection.c openssl.c poll_linux.c poll_portable.c socket.c tls.c)
# What not every system has: linux, or portable.
SYSTEM     ?= linux
OTHER_C    := $(if $(filter linux,$(SYSTEM)),cli/files/system_portable.c cli/lint/changes_poll.c cli/live/poll_portable.c,cli/files/system_linux.c cli/lint/changes_inotify.c cli/live/poll_linux.c)
CLI_C      := $(sort $(filter-out $(OTHER_C) $(if $(WITHOUT_FETCH),$(FETCH_C),cli/fetch/without_fetch.c),$(wildcard cli/*.c cli/*/*.c)))
# Fuzz targets with a harness of their own, beside harness.c.
FUZZ_HARNESSES := ads cookie forms frames regex routes secrets yaml

# Those that run the whole program.
FUZZ_PROGRAMS  := cli lsp

TEST_C     := $(sort $(wildcard libvalidate/*/*_test.c libvalidate/*/*/*_test.c cli/dev/test/*.c)) \
  $(addprefix libvalidate/fuzz/,configs.c harness.c memory.c mutate.c sections.c $(FUZZ_HARNESSES:%=%_harness.c)) \
  $(addprefix cli/dev/fuzz/,offline.c program.c)

RE2_C      := $(sort $(wildcard cli/dev/test/re2/*.c))
RE2_CC     := $(sort $(wildcard cli/dev/test/re2/*.cc))

GEN_O      := $(GEN_C:$(G)/%.c=$(B)/gen/%.o)
LIB_O      := $(LIB_C:%.c=$(B)/%.o)
CLI_O      := $(CLI_C:%.c=$(B)/%.o)
TEST_O     := $(TEST_C:%.c=$(B)/%.o)
RE2_O      := $(RE2_C:%.c=$(B)/%.o) $(RE2_CC:%.cc=$(B)/%.o)

Q          := $(if $(V),,@)
say         = $(if $(V),,@echo "  $(1)	$(2)")

.DEFAULT_GOAL := all
.PHONY: all
all: build/xdscope $(B)/libxdscope.a $(B)/libxdscope.so.$(SOVERSION) pages

# ---- generated code ------------------------------------------------------------

$(G)/.stamp: $(PROTOS) proto/read_fields.awk proto/pb_names.awk
	$(call say,PROTOC,proto/)
	$(Q)mkdir -p $(G) && cd proto && protoc-c --c_out=../$(G) -I. $(notdir $(PROTOS)) 
	$(Q)sed -n 's/^extern const ProtobufCMessageDescriptor \(.*\);/XDS_MESSAGE(\1)/p' $(G)/*.pb-c.h >$(G)/all_messages.inc
	$(Q)sed -n 's/^extern const ProtobufCEnumDescriptor *\(.*\);/XDS_ENUM(\1)/p' $(G)/*.pb-c.h >$(G)/all_enums.inc
	$(Q)awk -f proto/read_fields.awk $(PROTOS) >$(G)/read_fields.inc
	$(Q)LC_ALL=C awk -f proto/pb_names.awk $(GEN_C:.c=.h) >$(G)/pb_names.h
	$(Q)touch $@
$(GEN_C): $(G)/.stamp

# The style and the script of the HTML reports as lines of C, with the hashes that their
# Content-Security-Policy names. A question mark is escaped for the sake of trigraphs.
c_lines   = sed 's/[\\"?]/\\&/g; s/.*/    "&\\n",/' $(1)
page_hash = sha256sum <$(1) | cut -c1-64 | tr a-f A-F | basenc --base16 --decode | base64

$(G)/page_assets.h: libvalidate/print/write/html.css libvalidate/print/write/html.js
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && { \
	  echo 'static const char *const page_css[] = {'; $(call c_lines,$<); echo '    0};'; \
	  echo 'static const char *const page_js[] = {'; $(call c_lines,$(word 2,$^)); echo '    0};'; \
	  echo "#define PAGE_CSS_HASH \"sha256-$$($(call page_hash,$<))\""; \
	  echo "#define PAGE_JS_HASH \"sha256-$$($(call page_hash,$(word 2,$^)))\""; } >$@

# What is known of the clients, and the examples of rules, as rows of C. The examples are
# written anew only where they differ, as the cases of rules change often.
SPEC       := $(sort $(wildcard man/spec/*.spec))
$(G)/spec_rows.inc: mk/spec_rows.awk $(SPEC)
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && LC_ALL=C awk -f mk/spec_rows.awk $(SPEC) >$@.new && mv $@.new $@

# What the documents say.
DOCUMENTS  := $(sort $(wildcard testdata/documents/A*.tsv))
$(G)/statement_rows.inc: mk/statement_rows.awk $(DOCUMENTS)
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && LC_ALL=C awk -f mk/statement_rows.awk $(DOCUMENTS) </dev/null >$@.new && mv $@.new $@

# What explain's answers have.
$(G)/answer_shapes.inc: mk/answer_shapes.awk man/schema/explain.schema.json
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && LC_ALL=C awk -f $^ >$@.new && mv $@.new $@

$(G)/examples.stamp: mk/examples.awk $(wildcard testdata/rules/*/*.case testdata/fixtures/*)
	$(call say,GEN,$(G)/examples.inc)
	$(Q)mkdir -p $(G) && export LC_ALL=C && set -- testdata/rules/*/*.case && { [ -e "$$1" ] || shift; } && \
	  awk -f mk/examples.awk "$$@" </dev/null >$(G)/examples.new
	$(Q)cmp -s $(G)/examples.new $(G)/examples.inc || cp $(G)/examples.new $(G)/examples.inc
	$(Q)touch $@
$(G)/examples.inc: $(G)/examples.stamp
	@:

# Packed, as most runs print none of them. HOSTCC makes programs that run here.
HOSTCC     ?= cc
$(G)/packed_texts.inc: mk/pack_texts.c libvalidate/catalogue/texts.h $(G)/spec_rows.inc $(G)/statement_rows.inc $(G)/examples.inc
	$(call say,GEN,$@)
	$(Q)$(HOSTCC) -std=c11 -Ilibvalidate -I$(G) $< -o $(G)/pack_texts && $(G)/pack_texts >$(G)/texts
	$(Q)gzip -9n <$(G)/texts | od -An -v -tu1 | sed 's/[0-9]\{1,\}/&,/g' >$@.new && mv $@.new $@

# What engines of regular expressions know of Unicode.
$(G)/unicode.inc: libvalidate/regex/unicode.awk libvalidate/regex/unicode.txt
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && LC_ALL=C awk -f $^ >$@.new && mv $@.new $@

# The shape of what no client reads, but all decode.
$(G)/unread_fields.inc: proto/unread_fields.awk proto/unread_fields.txt
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && LC_ALL=C awk -f $^ >$@.new && mv $@.new $@
$(G)/undeclared_fields.inc: proto/undeclared_fields.txt
	$(call say,GEN,$@)
	$(Q)mkdir -p $(G) && LC_ALL=C awk '!/^#/ { for (i = 2; i <= NF; i++) print "{\"" $$1 "\", " $$i "}," }' $< >$@.new && mv $@.new $@

# What objects in a folder need of it; where a packed text is follows from the lengths of all others.
define needs_generated
$(1)/libvalidate/print/write/html.o: $(G)/page_assets.h
$(1)/libvalidate/catalogue/spec.o: $(G)/spec_rows.inc $(G)/packed_texts.inc
$(1)/libvalidate/catalogue/statement.o: $(G)/statement_rows.inc $(G)/packed_texts.inc
$(1)/libvalidate/suite/compare.o: $(G)/answer_shapes.inc
$(1)/libvalidate/regex/re2_runes.o: $(G)/unicode.inc
$(1)/libvalidate/decode/unread.o: $(G)/unread_fields.inc
$(1)/libvalidate/decode/wire_declared.o: $(G)/undeclared_fields.inc
endef
$(eval $(call needs_generated,$(B)))

$(B)/gen/%.o: $(G)/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CPPFLAGS) $(CFLAGS) $(EXTRA) $(LTO_CC) $(HIDDEN) -fPIC -w $(INCLUDES) $(PKG_CFLAGS) -c $< -o $@

# ---- our code ------------------------------------------------------------------

define compile
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CPPFLAGS) $(CFLAGS) $(EXTRA) $(LTO_CC) $(HIDDEN) -fPIC $(WARNINGS) $(DEFINES) $(INCLUDES) -I. $(PKG_CFLAGS) -MMD -MP -c $< -o $@
endef
$(B)/%.o: %.c $(G)/.stamp
	$(compile)

# libzstd, which few inputs need, is loaded by what it would make start later. Whoever links
# the archive links it, too.
LAZY_O     := $(B)/lazy/libvalidate/source/unpack.o
LAZY_LIBS   = $(filter-out -lzstd,$(LIBS)) -ldl
$(LAZY_O): DEFINES += -DXDS_LOADS_ZSTD
$(B)/lazy/%.o: %.c $(G)/.stamp
	$(compile)

$(B)/libxdscope.a: $(LIB_O) $(GEN_O)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/libxdscope.so.$(SOVERSION): $(filter-out $(LAZY_O:$(B)/lazy/%=$(B)/%),$(LIB_O)) $(LAZY_O) $(GEN_O)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(EXTRA) $(LTO_LD) -Wl,-soname,libxdscope.so.$(SOVERSION) -Wl,-z,defs -Wl,--gc-sections $(HARDEN_LD) $(LDFLAGS) $^ $(LAZY_LIBS) -o $@

$(B)/xdscope: $(CLI_O) $(LAZY_O) $(B)/libxdscope.a $(B)/with_fetch
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LTO_LD) -Wl,--gc-sections $(SAN_LD) $(HARDEN_PIE) $(HARDEN_LD) $(LDFLAGS) $(filter %.o %.a,$^) $(LIBC_FIRST) $(LIVE_LIBS) $(LAZY_LIBS) -o $@

$(B)/cli/options/usage.o: DEFINES += $(if $(COMMIT),-DXDS_COMMIT='"$(COMMIT)"')
$(B)/cli/options/usage.o: build/commit
build/commit: FORCE | build
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' >$@
$(B)/libvalidate/catalogue/rule_url.o: DEFINES += $(if $(SITE_URL),-DXDS_SITE_URL='"$(patsubst %/,%,$(SITE_URL))"')
$(B)/libvalidate/catalogue/rule_url.o: build/site_url
build/site_url: FORCE | build
	@echo '$(SITE_URL)' | cmp -s - $@ || echo '$(SITE_URL)' >$@
# Another choice is another list of objects.
$(B)/with_fetch: FORCE
	@mkdir -p $(@D)
	@echo '$(SYSTEM) $(LIVE_PKGS)' | cmp -s - $@ || echo '$(SYSTEM) $(LIVE_PKGS)' >$@

build/xdscope: build/release/xdscope
	$(Q)ln -sf release/xdscope $@
ifneq ($(VARIANT),release)
build/release/xdscope:
	$(Q)$(MAKE) VARIANT=release $@
endif

# The program for a process that calls it again and again.
PROGRAM_O  := $(filter-out %/cli/main.o,$(CLI_O)) $(B)/again/cli/main.o
$(B)/again/cli/main.o: DEFINES += -Dmain=xds_program_main -Wno-missing-prototypes
$(B)/again/%.o: %.c $(G)/.stamp
	$(compile)

# What make wasi compiles for other languages, as native code for the tests.
CALLS_O    := $(addprefix $(B)/cli/bindings/wasi/,calls.o lines.o request.o)

$(B)/xdscope-test: $(TEST_O) $(CALLS_O) $(PROGRAM_O) $(B)/libxdscope.a $(B)/with_fetch
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(SAN_LD) $(LDFLAGS) $(filter %.o %.a,$^) $(LIVE_LIBS) $(LIBS) -lcriterion -o $@

# Reads and runs text cases.
CASE_O     := $(B)/cli/dev/test/case.o $(B)/cli/dev/test/case_input.o $(B)/cli/dev/test/case_findings.o $(B)/cli/dev/test/case_names.o \
  $(B)/cli/dev/test/case_played.o $(B)/cli/dev/test/case_process.o $(B)/cli/dev/test/case_terminal.o $(B)/cli/dev/test/case_text.o

# Tests with threads and without Criterion, which cannot run under ThreadSanitizer.
JOBS_O     := $(B)/plain/all_test.o $(addprefix $(B)/cli/dev/test/plain/,main.o threads.o) $(CASE_O)
$(B)/plain/all_test.o $(B)/cli/dev/test/plain/main.o $(B)/cli/dev/test/plain/threads.o: INCLUDES += -isystem cli/dev/test/plain
$(B)/plain/all_test.o: libvalidate/check/all_test.c $(G)/.stamp
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CPPFLAGS) $(CFLAGS) $(EXTRA) $(WARNINGS) $(INCLUDES) -I. $(PKG_CFLAGS) -MMD -MP -c $< -o $@

$(B)/jobs-test: $(JOBS_O) $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) $^ $(LIBS) -o $@

$(B)/alloc-test: $(B)/cli/dev/test/alloc/main.o $(CASE_O)
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) $^ -lcjson -o $@

# Writes the input files of a case into a folder.
$(B)/unpack: $(B)/cli/dev/test/unpack/main.o $(CASE_O)
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) $^ -lcjson -o $@

# Runs cases without starting the program anew, for faults that are put into it.
$(B)/mutants-test: $(B)/cli/dev/test/mutants/main.o $(CASE_O) $(PROGRAM_O) $(B)/libxdscope.a $(B)/with_fetch
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) $(filter %.o %.a,$^) $(LIVE_LIBS) $(LIBS) -o $@

# No sanitizer is in it: its memory is that of whatever it is loaded into.
$(B)/alloc-shim.so: cli/dev/test/alloc/shim.c
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) -O1 -g -fPIC $(WARNINGS) -shared $< -o $@

# Only the comparison with RE2 is C++, because RE2 is.
$(B)/%.o: %.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(CXX) -std=c++17 $(CFLAGS) $(EXTRA) -Wall -Wextra -Wpedantic -Wshadow \
	  $(if $(DEVELOPER),-Werror) $(shell $(PKGCONFIG) --cflags re2 | sed 's/-std=[^ ]*//') -MMD -MP -c $< -o $@

$(B)/re2-test: $(RE2_O) $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)$(CXX) $(EXTRA) $(LDFLAGS) $^ $(LIBS) $$($(PKGCONFIG) --libs re2) -o $@

-include $(LIB_O:.o=.d) $(LAZY_O:.o=.d) $(CLI_O:.o=.d) $(CALLS_O:.o=.d) $(B)/again/cli/main.d $(TEST_O:.o=.d) $(JOBS_O:.o=.d) $(RE2_O:.o=.d) \
  $(B)/cli/dev/test/alloc/main.d $(B)/cli/dev/test/unpack/main.d $(B)/cli/dev/test/mutants/main.d

include mk/deps.mk

# ---- running it ----------------------------------------------------------------

J := -j$(shell nproc 2>/dev/null || echo 2)

.PHONY: demo
demo: deps-build
	@$(MAKE) --no-print-directory $(J) build/xdscope
	@sh testdata/snapshots/demo.sh build/xdscope

# ---- tests ---------------------------------------------------------------------

.PHONY: check check-run check-secrets check-re2 check-asan check-clang check-faults check-tsan check-valgrind check-rules check-formats check-trouble check-files check-memory check-abi \
  check-fetch check-html check-lsp check-stream check-alloc check-twin cov cov-report
check: deps-test
	@$(MAKE) --no-print-directory $(J) check-run check-rules check-rooms check-formats check-secrets check-trouble check-files check-lsp check-memory re2-run

# While writing: build, rules, and what has changed since the commit BASE (default: the last).
.PHONY: check-fast
check-fast: deps-test deps-format
	@$(MAKE) --no-print-directory $(J) DEVELOPER=1 $(B)/xdscope-test build/xdscope
	@$(MAKE) --no-print-directory check-rules
	@sh cli/dev/test/check_fast.sh $(B)/xdscope-test $(BASE)

# Patterns to compare with RE2; RE2_SEED takes others.
RE2_COUNT ?= 40000
check-re2: deps-test
	@$(MAKE) --no-print-directory $(J) re2-run

.PHONY: re2-run
re2-run: $(B)/re2-test
	$(call say,RE2,$<)
	$(Q)RE2_COUNT=$(RE2_COUNT) $< cli/dev/test/re2/corpus.txt testdata

# Calls between rooms, by the symbols of their objects.
.PHONY: check-rooms
check-rooms: $(B)/xdscope-test
	@/usr/bin/python3 cli/dev/test/check_rooms.py $(B)

check-run: $(B)/xdscope-test $(B)/xdscope
	$(call say,TEST,$(B)/xdscope-test)
	$(Q)$(B)/xdscope-test $(TESTFLAGS)

# Criterion does not count what a sanitizer says at the end of a worker: any report fails.
# Cases call the program in one process time after time: to start it took four times as long.
# agree, observe, generated, nack_rules and log_measure take minutes for random snapshots, the inputs
# of all cases and all texts of the catalogues, by ways that other tests go, too: they are left to `make check`.
check-asan: deps-test
	@mkdir -p build/asan && find build/asan \( -name '*.gcda' -o -name 'report.*' \) -delete
	@$(ASAN_ENV) CALLED=1 $(MAKE) --no-print-directory $(J) VARIANT=asan CFLAGS='-O1 -g1' TESTFLAGS="--filter '!(agree|differences|observe|generated|nack_rules|log_measure|log_words_of_cases)/*'" check-run || \
	  { cat build/asan/report.* 2>/dev/null; exit 1; }
	@$(if $(WITHOUT_FETCH),,$(ASAN_ENV) $(CHECK_FETCH) build/asan/xdscope)
	@$(ASAN_ENV) $(CHECK_LSP) build/asan/xdscope
	@! cat build/asan/report.* 2>/dev/null
ASAN_ENV := ASAN_OPTIONS=detect_leaks=1:log_path=$(CURDIR)/build/asan/report UBSAN_OPTIONS=print_stacktrace=1

# Clang's sanitizers catch what GCC's miss, such as NULL + 0.
check-clang: deps-test deps-fuzz
	@$(MAKE) --no-print-directory $(J) build/release/xdscope-test
	@$(MAKE) --no-print-directory $(J) VARIANT=fuzz CC=clang CFLAGS='-O1 -g1' build/fuzz/xdscope
	$(call say,TEST,build/fuzz/xdscope)
	@XDS_PROGRAM=build/fuzz/xdscope build/release/xdscope-test --filter 'cases/*'

# Every command with every kind of faulty file, under the sanitizers of gcc and of clang, and the
# seeds of the fuzz targets that run the whole program.
check-faults: deps-test deps-fuzz
	@$(MAKE) --no-print-directory $(J) VARIANT=asan CFLAGS='-O1 -g1' build/asan/xdscope
	@$(MAKE) --no-print-directory $(J) VARIANT=fuzz CC=clang CFLAGS='-O1 -g1' $(addprefix build/fuzz/,xdscope $(FUZZ_PROGRAMS:%=%/target))
	@/usr/bin/python3 cli/dev/test/check_faults.py build/asan/xdscope build/fuzz/xdscope
	@for target in $(FUZZ_PROGRAMS); do build/fuzz/$$target/target testdata/fuzz/$$target/* >build/fuzz/log 2>&1 || { cat build/fuzz/log; exit 1; }; done

# What happens between threads: any number of jobs, with tiny batches.
check-tsan: deps-test
	@TSAN_OPTIONS=halt_on_error=1 $(MAKE) --no-print-directory $(J) VARIANT=tsan CFLAGS='-O1 -g1' jobs-run

.PHONY: jobs-run
jobs-run: $(B)/jobs-test
	$(call say,TEST,$<)
	$(Q)$<

check-valgrind: deps-test deps-lint
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope $(B)/unpack
	@sh cli/dev/test/valgrind.sh $(B)/xdscope $(B)/unpack

check-rules: $(B)/xdscope $(B)/unpack build/man/ready
	@sh cli/dev/test/check_rules.sh $(B)/xdscope
	@sh cli/dev/test/check_messages.sh
	@CC='$(CC)' sh cli/dev/test/check_proto.sh
	@sh cli/dev/test/check_limits.sh
	@sh cli/dev/test/check_recipes.sh
	@sh cli/dev/test/check_cases.sh
	@sh cli/dev/test/check_documents.sh
	@sh cli/dev/test/check_releases.sh
	@sh cli/dev/test/check_history.sh $(B)/xdscope $(B)/unpack
	@/usr/bin/python3 -B cli/dev/test/check_status.py $(B)/xdscope $(B)/unpack
	@/usr/bin/python3 -B cli/dev/test/check_examples.py $(B)/xdscope $(B)/unpack

# A sixth client, added in a copy of the tree as CONTRIBUTING.md says, answers as the documents.
check-twin: $(B)/unpack $(GEN_O)
	@sh cli/dev/test/twin.sh $<

# Do the cases find faults? By hand: it takes half an hour, see mutants.py for N, SEED and JOBS.
.PHONY: check-mutants
check-mutants: $(B)/mutants-test
	@/usr/bin/python3 -B cli/dev/test/mutants.py $(B)

# The formats that other programs parse, against their schemas.
check-formats: $(B)/xdscope $(B)/unpack
	@sh cli/dev/test/check_formats.sh $(B)/xdscope
	@/usr/bin/python3 -B cli/dev/test/check_schemas.py $^

# Keys, tokens and passwords of a file: nothing that is printed shows them.
check-secrets: $(B)/xdscope
	@/usr/bin/python3 -B cli/dev/test/check_secrets.py $<

# A live system, good and bad, and the live sessions of the manual. grpcio is that of Debian's python.
CHECK_FETCH := /usr/bin/python3 cli/dev/test/fetch/check_fetch.py
CHECK_LIVE  := /usr/bin/python3 -B cli/dev/test/check_examples.py --live
check-fetch: deps-test
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope
	@$(CHECK_FETCH) $(B)/xdscope
	@$(CHECK_LIVE) $(B)/xdscope

# What goes wrong outside of the input.
check-trouble: $(B)/xdscope
	@sh cli/dev/test/check_trouble.sh $(B)/xdscope
	@$(if $(WITHOUT_FETCH),,$(CHECK_FETCH) $(B)/xdscope $(wildcard $(patsubst %,testdata/fetch/*%*.fetch,disk-full killed files-limit closed)))

# Files that are written, and signals, also as process 1.
check-files: $(B)/xdscope
	@/usr/bin/python3 -B cli/dev/test/check_files.py $< $(if $(WITHOUT_FETCH),--without-fetch)

# Memory and time of each reader, by what arrived; -v prints them.
check-memory: $(B)/xdscope
	@/usr/bin/python3 -B cli/dev/test/check_memory.py $< $(if $(WITHOUT_FETCH),--without-fetch)

check-abi: $(B)/libxdscope.so.$(SOVERSION)
	@sh cli/dev/test/check_abi.sh $<

# The language server beside a client that plays testdata/lsp/*.lsp; UPDATE=1. LSP_UNDER="valgrind -q" runs it so.
CHECK_LSP := /usr/bin/python3 cli/dev/test/lsp/check_lsp.py
check-lsp: $(B)/xdscope
	$(call say,LSP,testdata/lsp)
	$(Q)$(CHECK_LSP) $<

# lint --stream under GNU parallel over two hosts, Hadoop streaming and Spark.
check-stream: deps-stream
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope
	@sh cli/dev/test/check_stream.sh $(B)/xdscope

# Each allocation of each command fails once. VARIANT=asan also looks for leaks then.
check-alloc: $(B)/xdscope $(B)/alloc-test $(B)/alloc-shim.so
	$(call say,ALLOC,$<)
	$(Q)ASAN_OPTIONS=verify_asan_link_order=0:allocator_may_return_null=1 \
	  $(B)/alloc-test $< $(B)/alloc-shim.so $(sort $(wildcard testdata/alloc/*.case))

check-html: deps-build deps-html
	@$(MAKE) --no-print-directory $(J) $(B)/xdscope
	@sh cli/dev/test/html.sh $(B)/xdscope $(SHOTS)

cov: check-asan cov-report

# What the last run of check-asan has reached.
cov-report:
	@sh cli/dev/test/coverage.sh build/asan

# ---- style ---------------------------------------------------------------------

OUR_C := $(sort $(wildcard libvalidate/*/*.[ch] libvalidate/*/*/*.[ch] cli/*.[ch] cli/*/*.[ch] cli/*/*/*.[ch] \
  cli/*/*/*/*.[ch] cli/*/*/*/*/*.[ch]) $(RE2_CC) $(wildcard cli/dev/bench/anchors/*.cc))

.PHONY: format format-check lint
format: deps-lint
	clang-format -i $(OUR_C)

format-check: deps-lint
	@clang-format --dry-run --Werror $(OUR_C) && echo "  FORMAT	ok"

lint: deps-test deps-lint
	@$(MAKE) --no-print-directory $(J) $(G)/.stamp $(G)/page_assets.h $(G)/spec_rows.inc $(G)/statement_rows.inc $(G)/examples.inc $(G)/packed_texts.inc $(G)/unicode.inc $(G)/answer_shapes.inc
	@sh cli/dev/test/lint.sh

# ---- fuzzing ---------------------------------------------------------------------

FUZZ_SECONDS ?= 60
FUZZ_TYPES   := listener route cluster endpoint
FUZZ_NAMES   := $(FUZZ_TYPES) json textproto binary case config scenario $(FUZZ_HARNESSES) $(FUZZ_PROGRAMS)
FUZZ_TARGETS ?= $(FUZZ_NAMES)

.PHONY: fuzz fuzz-build
fuzz: deps-build deps-fuzz
	@$(MAKE) --no-print-directory $(J) VARIANT=fuzz CC=clang CFLAGS='-O1 -g1' fuzz-build
	@sh libvalidate/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

-include $(wildcard $(B)/libvalidate/fuzz/*.d $(B)/cli/dev/fuzz/*.d)

fuzz-build: $(FUZZ_NAMES:%=$(B)/%/target) $(B)/seeds/program

$(addprefix $(B)/,$(addsuffix /target,$(FUZZ_TYPES) forms routes)): $(B)/libvalidate/fuzz/mutate.o $(B)/libvalidate/fuzz/mutator.o
$(FUZZ_PROGRAMS:%=$(B)/%/target): $(addprefix $(B)/cli/dev/fuzz/,case_mutator.o offline.o program.o) $(B)/libvalidate/fuzz/mutate.o $(PROGRAM_O)
$(B)/frames/target: $(B)/cli/live/frames.o
$(B)/config/target: $(B)/libvalidate/fuzz/configs.o
$(FUZZ_HARNESSES:%=$(B)/%/target): $(B)/%/target: $(B)/libvalidate/fuzz/%_harness.o
$(FUZZ_NAMES:%=$(B)/%/target): $(B)/%/target: $(B)/libvalidate/fuzz/%.o \
  $(addprefix $(B)/libvalidate/fuzz/,harness.o memory.o sections.o) $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(SAN_BOTH) -fsanitize=fuzzer $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(if $(filter %/again/cli/main.o,$^),$(LIVE_LIBS)) $(LIBS) -o $@

$(B)/seeds/program: $(B)/libvalidate/fuzz/seeds.o $(CASE_O) \
  $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(EXTRA) $(LDFLAGS) $^ $(LIBS) -o $@

include mk/bench.mk mk/clients.mk mk/clients-bootstrap.mk mk/clients-fetch.mk mk/clients-lb.mk mk/clients-live.mk mk/clients-servers.mk mk/clients-trees.mk mk/package.mk mk/dist.mk mk/site.mk mk/wasi.mk mk/playground.mk mk/bindings.mk mk/zig.mk

.PHONY: clean help
clean:
	rm -rf build

help:
	@echo 'make             the program (build/xdscope) and the libraries'
	@echo 'make demo        install what is missing, build, lint and explain a snapshot'
	@echo 'make check       install what is missing, build, run all tests'
	@echo 'make check-fast  build, rule checks, and the tests of what changed since the last commit; BASE=REV'
	@echo 'make deps        install the missing Debian packages, nothing else'
	@echo 'make bench       every goal for time and memory, beside other programs; ROUNDS=7, HUGE=1 adds 500 MB'
	@echo 'make bench-lsp   the language server after a change of 1 MB, beside a lint; ROUNDS=15'
	@echo 'make bench-watch lint --watch after one of 17,000 resources changed, beside the first lint; ROUNDS=5'
	@echo 'make bench-fetch time and memory of fetch beside grpcio from PyPI; ROUNDS=5 CLUSTERS=10000 MB=50'
	@echo 'make check-asan  the tests under AddressSanitizer and UBSan'
	@echo 'make check-clang the cases under those of clang'
	@echo 'make check-faults every command with every kind of faulty file, under both'
	@echo 'make check-tsan  the tests with several jobs under ThreadSanitizer'
	@echo 'make check-re2   regexes beside RE2 itself; RE2_COUNT=$(RE2_COUNT) patterns, RE2_SEED=1'
	@echo 'make check-fetch what fetch says of live systems, good and bad; UPDATE=1'
	@echo 'make check-lsp   the language server beside scripts of a client; UPDATE=1'
	@echo 'make check-html  the HTML reports in a browser; SHOTS=FOLDER keeps screenshots'
	@echo 'make site        build/site: rules, facts, answers of real clients, manual; addresses are in mk/home.def'
	@echo 'make check-site  the same in a browser, and every link; SHOTS=FOLDER keeps screenshots'
	@echo 'make check-stream lint --stream under GNU parallel, Hadoop streaming and Spark'
	@echo 'make check-alloc each allocation of each command fails once; VARIANT=asan for leaks'
	@echo 'make check-clients the real clients beside xdscope; CLIENTS="$(CLIENTS)" RELEASES=1.60..1.85 N=10000 SEED=1 UPDATE=1'
	@echo 'make check-clients-bootstrap their bootstraps beside xdscope lint; RELEASES=newest,1.60 N=2000 SEED=1'
	@echo 'make check-clients-fetch what fetch holds beside control planes and their CSDS; PLANES="go java" N=60 SEED=1'
	@echo 'make check-clients-held what clients hold in every state, beside their RPCs; CLIENTS="core go" N=28 SEED=1'
	@echo 'make check-clients-lb their LB policies beside xdscope simulate; CLIENTS="go java" N=200 SEED=1'
	@echo 'make check-clients-live where their RPCs go; CLIENTS=core,go N=5000 SEED=1'
	@echo 'make check-clients-servers what their servers make of RPCs, and of updates; CLIENTS=core,go N=5000 LIVES= SEED=1'
	@echo 'make check-clients-handshakes whether they accept certificates; CLIENTS=core,go N=500 SEED=1'
	@echo 'make check-clients-trees their LB configs beside xdscope lb-config; N=5000 SEED=1'
	@echo 'make check-mutants do the cases find faults that are put into the code? N=200 SEED=1 JOBS=2'
	@echo 'make check-twin  the recipe for a client of CONTRIBUTING.md, done in a copy of the tree'
	@echo 'make check-valgrind, check-rules, check-rooms, check-formats, check-trouble, check-files, check-memory, check-abi, cov, fuzz'
	@echo 'make format, format-check, lint'
	@echo 'make pages       build/man: the man pages that are made from the rules and from man/spec'
	@echo 'make install, uninstall   PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) DESTDIR='
	@echo 'make WITHOUT_FETCH=1  a program without a network, which needs neither nghttp2 nor OpenSSL'
	@echo 'make static      build/xdscope-static, which needs no library'
	@echo 'make deb         the packages of Debian, in build/deb'
	@echo 'make dist        the files of a release for x86-64 and arm64, in build/dist'
	@echo 'make release     these, and the packages for Python, Go, Node, Java and VS Code, with notes and checksums'
	@echo 'make image       the image for containers, in build/dist'
	@echo 'make check-dist  both, built twice and compared; check-image, check-arm64 (the cases of the rules by qemu)'
	@echo 'make playground  the page to try it, build/playground/index.html'
	@echo 'make wasi        the library for Go, Node and Java, build/wasi/xdscope.wasm: by Debian'"'"'s clang and wasi-libc'
	@echo 'make zig         the programs for macOS and Windows, in build/dist/zig: by zig, from PyPI'
	@echo 'make check-playground      that page in a browser; SHOTS=FOLDER keeps screenshots'
	@echo 'make check-bindings        packages for other languages beside the program: needs their toolchains and registries'
	@echo 'make check-packaging      packages, hooks, the Action, completions, the example of libxdscope(3)'
	@echo 'make clean'
	@echo 'Variables: DEVELOPER=1 (warnings are errors), V=1 (show commands), UPDATE=1 make check (rewrite cases)'
