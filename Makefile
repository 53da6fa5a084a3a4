# xdscope: everything is built from here. `make help` lists the targets.

VERSION    := 0.1.0
SOVERSION  := 0
PREFIX     ?= /usr/local
DESTDIR    ?=
VARIANT    ?= release
DEVELOPER  ?=
V          ?=
B          := build/$(VARIANT)
G          := build/gen

CC         ?= cc
AR         ?= ar
PKGCONFIG  ?= pkg-config
PKGS       := libprotobuf-c libcjson libpcre2-8 yaml-0.1 libxxhash

CFLAGS     ?= -O2 -g
CSTD       := -std=c11 -D_POSIX_C_SOURCE=200809L
WARNINGS   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
  -Wold-style-definition -Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wundef \
  -Wformat=2 -Wconversion -Wsign-conversion -Wnull-dereference -Wimplicit-fallthrough \
  -Wredundant-decls -fno-common $(if $(DEVELOPER)$(CI),-Werror)
INCLUDES   := -Ilibvalidate -isystem $(G)
HIDDEN     := -fvisibility=hidden -ffunction-sections -fdata-sections
DEFINES    := -DXDS_VERSION='"$(VERSION)"' -DXDS_PROGRAM='"$(B)/xdscope"'
LIBS        = $(shell $(PKGCONFIG) --libs $(PKGS))
PKG_CFLAGS  = $(shell $(PKGCONFIG) --cflags $(PKGS) | sed 's/-I/-isystem /g')

SAN_asan   := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN_cov    := --coverage -O0
EXTRA      := $(SAN_$(VARIANT))

PROTOS     := $(sort $(wildcard proto/*.proto))
GEN_C      := $(PROTOS:proto/%.proto=$(G)/%.pb-c.c)
LIB_C      := $(filter-out %_test.c,$(sort $(wildcard libvalidate/*/*.c libvalidate/*/*/*.c)))
LIB_C      := $(filter-out libvalidate/bench/% libvalidate/fuzz/%,$(LIB_C))
CLI_C      := $(sort $(wildcard cli/*.c))
TEST_C     := $(sort $(wildcard libvalidate/*/*_test.c libvalidate/*/*/*_test.c cli/test/*.c))

GEN_O      := $(GEN_C:$(G)/%.c=$(B)/gen/%.o)
LIB_O      := $(LIB_C:%.c=$(B)/%.o)
CLI_O      := $(CLI_C:%.c=$(B)/%.o)
TEST_O     := $(TEST_C:%.c=$(B)/%.o)

Q          := $(if $(V),,@)
say         = $(if $(V),,@echo "  $(1)	$(2)")

.DEFAULT_GOAL := all
.PHONY: all
all: build/xdscope $(B)/libxdscope.a $(B)/libxdscope.so.$(SOVERSION)

# ---- generated code ------------------------------------------------------------

$(G)/.stamp: $(PROTOS)
	$(call say,PROTOC,proto/)
	$(Q)mkdir -p $(G) && cd proto && protoc-c --c_out=../$(G) -I. $(notdir $(PROTOS)) 
	$(Q)sed -n 's/^extern const ProtobufCMessageDescriptor \(.*\);/XDS_MESSAGE(\1)/p' $(G)/*.pb-c.h >$(G)/all_messages.inc
	$(Q)sed -n 's/^extern const ProtobufCEnumDescriptor *\(.*\);/XDS_ENUM(\1)/p' $(G)/*.pb-c.h >$(G)/all_enums.inc
	$(Q)touch $@
$(GEN_C): $(G)/.stamp

$(B)/gen/%.o: $(G)/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CFLAGS) $(EXTRA) $(HIDDEN) -fPIC -w $(INCLUDES) $(PKG_CFLAGS) -c $< -o $@

# ---- our code ------------------------------------------------------------------

$(B)/%.o: %.c | $(G)/.stamp
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CSTD) $(CFLAGS) $(EXTRA) $(HIDDEN) -fPIC $(WARNINGS) $(DEFINES) $(INCLUDES) -I. $(PKG_CFLAGS) -MMD -MP -c $< -o $@

$(B)/libxdscope.a: $(LIB_O) $(GEN_O)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/libxdscope.so.$(SOVERSION): $(LIB_O) $(GEN_O)
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(EXTRA) -Wl,-soname,libxdscope.so.$(SOVERSION) -Wl,-z,defs -Wl,--gc-sections $(LDFLAGS) $^ $(LIBS) -o $@

$(B)/xdscope: $(CLI_O) $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) -Wl,--gc-sections $(LDFLAGS) $^ $(LIBS) -o $@

build/xdscope: build/release/xdscope
	$(Q)ln -sf release/xdscope $@
ifneq ($(VARIANT),release)
build/release/xdscope:
	$(Q)$(MAKE) VARIANT=release $@
endif

$(B)/xdscope-test: $(TEST_O) $(B)/libxdscope.a
	$(call say,LD,$@)
	$(Q)$(CC) $(EXTRA) $(LDFLAGS) $^ $(LIBS) -lcriterion -o $@

-include $(LIB_O:.o=.d) $(CLI_O:.o=.d) $(TEST_O:.o=.d)
