# collide: `make help` lists what users make; spec/README.md lists all tests.
#
# Everything made goes under $(BUILD). The core is compiled once; only the binding
# (csrc/lua) is compiled again for each Lua. Whatever takes more than a few lines of
# shell is a script in .ci/. Every target installs what it needs by .ci/need.

LUA    ?= lua5.4
BUILD  ?= build
OPT    ?= -O2
PREFIX ?= /usr/local

# Builds that differ in CORE_CFLAGS alone, flags of the core, can share their BINDINGS.
CORE_CFLAGS ?=
BINDINGS    ?= $(BUILD)

# What .ci/fetch brings. Lua 5.5 may be there, since not every system has it.
export FETCHED ?= $(abspath $(BUILD))/fetched
export PATH := $(PATH):$(FETCHED)/bin:$(FETCHED)/npm/node_modules/.bin

# The Luas of `make test-all`, and the layers of the core. A layer may use the layers before it
# (cells and bitmap do not use each other; bump uses only base).
LUA5.5  = $(and $(shell PATH='$(PATH)' command -v lua5.5),$(shell FETCHED='$(FETCHED)' .ci/incdir lua5.5),lua5.5)
LUAS    = lua5.1 lua5.2 lua5.3 lua5.4 $(LUA5.5) luajit
LAYERS := base cells bitmap geom narrow broad query world bullets bump

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wundef \
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wwrite-strings \
  -Wcast-qual -Wpointer-arith -Wformat=2 -Wvla -Wimplicit-fallthrough
COMPILE  := $(CC) -std=c11 $(OPT) -ffp-contract=off $(WARNINGS) -fPIC -Icsrc $(CFLAGS)

NAME       := $(notdir $(LUA))

# A Lua module takes Lua's functions from the program that loads it. On Windows it must name the
# library that has them.
MACHINE := $(shell $(CC) -dumpmachine)
DLL     := so
ifneq ($(findstring mingw,$(MACHINE)),)
  DLL         := dll
  LUA_DLL     := lua$(if $(filter luajit,$(NAME)),51,$(subst .,,$(NAME:lua%=%))).dll
  IMPORTS      = $(BINDINGS)/c/$(NAME)/imports.a
  LINK_MODULE := $(CC) $(OPT) -shared -s -static-libgcc csrc/lua/core.def $(LDFLAGS)
else ifneq ($(findstring darwin,$(MACHINE))$(findstring macos,$(MACHINE)),)
  LINK_MODULE := $(CC) $(OPT) -shared -undefined dynamic_lookup $(LDFLAGS)
else
  STAY_LOADED := -DCL_STAYS_LOADED
  LINK_MODULE := $(CC) $(OPT) -shared -Wl,-z,nodelete $(LDFLAGS)
endif

LUA_INCDIR := $(shell FETCHED='$(FETCHED)' .ci/incdir $(NAME))

sources  = $(wildcard csrc/$(1)/*.c)
objects  = $(patsubst %.c,$(BUILD)/c/%.o,$(foreach layer,$(1),$(call sources,$(layer))))
CORE    := $(call objects,$(LAYERS))
BINDING := $(patsubst csrc/lua/%.c,$(BINDINGS)/c/$(NAME)/%.o,$(call sources,lua))
TESTS   := $(patsubst spec/c/%.c,$(BUILD)/c/spec/%,$(wildcard spec/c/*_*.c))
EXAMPLES := $(patsubst examples/c/%.c,$(BUILD)/c/examples/%,$(wildcard examples/c/*.c))
MODULE  := $(BUILD)/$(NAME)/collide/core.$(DLL)

# `make V=1` shows the commands in full.
ifeq ($(V),)
  Q := @
  say = @echo "  $(1) $(2)"
endif

# Recipes that build in several steps run another make, on all processors unless -j was given;
# with `+` before the line, make passes its -j on. Scripts start without the flags of make.
CORES       = $(shell nproc 2>/dev/null || echo 2)
BUILD_WITH  = $(MAKE) $(if $(Q),-s) $(if $(findstring -j,$(MAKEFLAGS)),,-j$(CORES))
BUILD_EACH  = for lua in $(1); do $(BUILD_WITH) $(2) LUA=$$lua all || exit; done
SCRIPT_MAKE = MAKEFLAGS= MAKE='$(MAKE) -s -j$(CORES)'

# What tests on one Lua need, and the Luas that downloads are for.
NEED_LUA = cc $(LUA) $(NAME)-dev busted@$(LUA)
BOTH     = lua5.4 luajit

# These targets are made one after the other, since they share the tree.
MAKEFLAGS += --no-print-directory
ifneq ($(filter-out all lib install programs binding parsed,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

.DEFAULT_GOAL := all
.PHONY: run test all lib single install env clean windows macos musl arm64 web version dist zip help FORCE

# For users.

run: ## install what is missing, build, run the swarm, draw build/swarm.svg
	@.ci/need cc $(LUA) $(NAME)-dev
	+@$(BUILD_WITH) all
	LUA=$(LUA) $(BUILD)/collide run examples/scenes/swarm.lua --svg $(BUILD)/swarm.svg
	@echo 'The picture of the last frame is $(BUILD)/swarm.svg.'

test: ## install what is missing, build, run the C tests and the specs
	@.ci/need $(NEED_LUA)
	+@$(BUILD_WITH) all programs
	@$(if $(ARGS),status=0; .ci/test $(BUILD) $(TESTS) $(EXAMPLES) || status=1; \
	  .ci/test $(BUILD) busted $(LUA) $(ARGS) || status=1; exit $$status,.ci/test $(BUILD) $(TESTS) $(EXAMPLES) $(LUA))

all: $(MODULE) $(BUILD)/collide ## build for LUA; the same as `make` alone

lib: $(BUILD)/libcollide.a $(BUILD)/include/collide.h ## build the static library and the header for programs in C

single: $(BUILD)/single/collide.c ## build build/single/collide.c and .h: the library in one file, to compile into an engine

install: all ## install for LUA under PREFIX (/usr/local), below DESTDIR
	@.ci/install to '$(DESTDIR)' '$(PREFIX)' '$(LUA)' '$(BUILD)'

env: ## print the paths for LUA: eval "$(make -s env LUA=luajit)"
	@.ci/env $(LUA) $(BUILD)

clean: ## remove everything that was built
	rm -rf $(BUILD)

zip: ## pack the zip for LÖVE on this machine into build/dist
	@.ci/need cc luajit luajit-dev zip unzip
	+@$(BUILD_WITH) LUA=luajit all
	@.ci/dist $(BUILD) zip $(VERSION)

dist: version windows macos musl arm64 single web ## pack the downloads into build/dist; VERSION=1.2.3 for a release
	@.ci/need cc lua5.4 lua5.4-dev luajit luajit-dev love luarocks zip unzip wine qemu-aarch64 chromium
	+@$(call BUILD_EACH,$(BOTH))
	@.ci/foreign windows $(BUILD) luas
	@.ci/browser playground lua5.4 $(BUILD)
	@.ci/dist $(BUILD) all $(VERSION)

version:
	+@$(BUILD_WITH) LUA=luajit all
	@.ci/version $(BUILD) luajit $(VERSION) >/dev/null

help: # not in its own list
	@echo 'make [LUA=lua5.4] [CC=cc] [OPT=-O2] [BUILD=build] TARGET'
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'spec/README.md lists the tests beyond these, and csrc/README.md is for who changes the code.'

# Builds for other machines, with compilers from Debian's packages or npm.

# Debian's sources of Lua include headers of Debian's own.
MULTIARCH = $(abspath $(BUILD))/multiarch
$(MULTIARCH):
	@mkdir -p $@
	@for lua in lua5.1 lua5.2 lua5.3 lua5.4; do \
	  echo '#define DEB_HOST_MULTIARCH ""' >$@/$$lua-deb-multiarch.h; done

WINDOWS_CC = x86_64-w64-mingw32-gcc
WINDOWS    = CC=$(WINDOWS_CC) CFLAGS= BUILD=$(BUILD)/windows LUA_INCDIR=$(BUILD)/fetched/$$lua/src
windows: ## build for Windows x64: LÖVE, LuaJIT and Lua 5.4
	@.ci/need $(WINDOWS_CC)
	@.ci/fetch $(BUILD)/fetched source $(BOTH)
	+@$(call BUILD_EACH,$(BOTH),$(WINDOWS))

# macOS has one library for both processors, and musl is another C library: zig compiles for both.
# It has no way to ask the processor whether it has AVX2, so the core does without.
ZIG        = CFLAGS='-isystem $(MULTIARCH)' CORE_CFLAGS=-DCL_SIMD_MOST=1 LDFLAGS=-s \
  LUA_INCDIR=$(BUILD)/fetched/$$lua/src
MACOS      = CC='zig cc -target $(1)' BUILD=$(BUILD)/macos/$(1) $(ZIG)
MACOS_LUAS = lua5.1 lua5.2 lua5.3 lua5.4 luajit
MACOS_CPUS = x86_64-macos.10.13 aarch64-macos.11.0
macos: $(MULTIARCH) ## build for macOS, both processors in one library: LÖVE, LuaJIT and Lua 5.1 to 5.4
	@.ci/need zig llvm-lipo
	@.ci/fetch $(BUILD)/fetched source $(MACOS_LUAS)
	+@$(foreach cpu,$(MACOS_CPUS),$(call BUILD_EACH,$(MACOS_LUAS),$(call MACOS,$(cpu)));)
	@for lua in $(MACOS_LUAS); do mkdir -p $(BUILD)/macos/$$lua/collide && \
	  $$(ls /usr/lib/llvm-*/bin/llvm-lipo | tail -1) -create $(MACOS_CPUS:%=$(BUILD)/macos/%/$$lua/collide/core.so) \
	  -output $(BUILD)/macos/$$lua/collide/core.so; done

MUSL = CC='zig cc -target x86_64-linux-musl' BUILD=$(BUILD)/musl $(ZIG)
musl: $(MULTIARCH) ## build for Linux with musl, such as Alpine: LuaJIT and Lua 5.4
	@.ci/need zig
	@.ci/fetch $(BUILD)/fetched source $(BOTH)
	+@$(call BUILD_EACH,$(BOTH),$(MUSL))

ARM64_CC   = aarch64-linux-gnu-gcc
ARM64_ROOT = $(BUILD)/fetched/arm64
ARM64      = CC=$(ARM64_CC) CFLAGS='-isystem $(ARM64_ROOT)/usr/include/aarch64-linux-gnu' \
  LUA_INCDIR="$$(ROOT=$(ARM64_ROOT) .ci/incdir $$lua)"
arm64: ## build for 64-bit ARM: LÖVE, LuaJIT and Lua 5.4
	@.ci/need $(ARM64_CC)
	@.ci/fetch $(BUILD)/fetched arm64 libc6 libgcc-s1 libreadline8 libtinfo6 \
	  lua5.4 liblua5.4-dev luajit libluajit-5.1-2 libluajit-5.1-dev
	+@$(call BUILD_EACH,$(BOTH),BUILD=$(BUILD)/arm64 $(ARM64))

# The compiler for browsers, with the same Lua. Its optimiser looks for node's modules.
WEB_CC  = NODE_PATH=/usr/share/nodejs emcc
WEB_LUA = $(BUILD)/fetched/lua5.4/src
web: $(MULTIARCH) ## build a page for browsers: the engine, an editor, the examples
	@.ci/need cc lua5.4 lua5.4-dev emcc
	@.ci/fetch $(BUILD)/fetched source lua5.4
	+@$(BUILD_WITH) LUA=lua5.4 all
	+@$(BUILD_WITH) $(BUILD)/wasm/engine.js
	@mkdir -p $(BUILD)/web
	@eval "$$(.ci/env lua5.4 $(BUILD))" && lua5.4 examples/web/build.lua $(BUILD)

# The files that the targets above need.

$(MODULE): $(CORE) $(BINDING) $(IMPORTS) $(BUILD)/c/$(NAME)/flags
	$(call say,link,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK_MODULE) -o $@ $(CORE) $(BINDING) $(IMPORTS) -lm

# An import library for the functions of Lua that the binding uses.
tool = $(shell $(CC) -print-prog-name=$(1))
$(BINDINGS)/c/$(NAME)/imports.a: $(BINDING)
	$(Q)(echo EXPORTS; $(call tool,nm) -u $(BINDING) | grep -oE '\<luaL?_[a-z]+' | sort -u) >$(@:.a=.def)
	$(Q)$(call tool,dlltool) -d $(@:.a=.def) -D $(LUA_DLL) -l $@

$(BUILD)/c/csrc/%.o: csrc/%.c $(BUILD)/c/flags
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(CORE_CFLAGS) -MMD -MP -c -o $@ $<

# Lua's headers are included with -isystem, so that they give no warnings.
NO_LUA_H = no lua.h for $(LUA): `make run LUA=$(LUA)` installs it, or set LUA_INCDIR
$(BINDINGS)/c/$(NAME)/%.o: csrc/lua/%.c $(BINDINGS)/c/$(NAME)/compiling
	$(call say,cc,$< ($(NAME)))
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -fno-plt $(STAY_LOADED) -isystem $(or $(LUA_INCDIR),$(error $(NO_LUA_H))) -MMD -MP -c -o $@ $<

$(BUILD)/single/collide.c: spec/tools/single.lua $(wildcard csrc/*.h csrc/*/*.[ch])
	@.ci/need lua5.4
	@lua5.4 $< $(BUILD)

# Lua, the core and its binding in one module for browsers, and the JavaScript that goes with it.
$(BUILD)/wasm/engine.js: examples/web/engine.c $(BUILD)/single/collide.c \
    $(filter-out %/lua.c %/luac.c,$(wildcard $(WEB_LUA)/*.c))
	$(call say,cc,$@)
	@mkdir -p $(@D)
	$(Q)$(WEB_CC) $(OPT) -isystem $(WEB_LUA) -isystem $(MULTIARCH) -o $@ $^ -lm \
	  -sSUPPORT_LONGJMP=emscripten \
	  -sENVIRONMENT=worker -sMODULARIZE -sEXPORT_NAME=createEngine -sDYNAMIC_EXECUTION=0 \
	  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=512MB -sFORCE_FILESYSTEM \
	  -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,allocateUTF8,UTF8ToString

# A user's program, with the public header and the library.
$(BUILD)/libcollide.a: $(CORE)
	$(call say,ar,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(CORE)

$(BUILD)/include/collide.h: csrc/collide.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(EXAMPLES): $(BUILD)/c/examples/%: examples/c/%.c $(BUILD)/libcollide.a $(BUILD)/include/collide.h
	$(call say,link,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(OPT) $(WARNINGS) $(CFLAGS) -I$(BUILD)/include $(LDFLAGS) -o $@ $< $(BUILD)/libcollide.a -lm

# The launcher and the files of flags are rewritten only when their text changes, so that
# `make OPT=-O0` after `make` compiles everything again, and `make` after `make` nothing.
change = @mkdir -p $(@D); new=$@.$$$$; $(1) >$$new; if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi

$(BUILD)/c/flags: FORCE
	$(call change,echo '$(COMPILE) $(CORE_CFLAGS) $(LDFLAGS)')

$(BINDINGS)/c/$(NAME)/compiling: FORCE
	$(call change,echo '$(COMPILE) $(LUA_INCDIR)')

$(BUILD)/c/$(NAME)/flags: FORCE
	$(call change,echo '$(LINK_MODULE) $(CORE) $(BINDING) $(IMPORTS)')

$(BUILD)/collide: FORCE
	$(call change,.ci/install launcher $(BUILD))
	@chmod +x $@

FORCE:

.SECONDARY:
-include $(patsubst %.o,%.d,$(CORE) $(BINDING))

include spec/tests.mk
