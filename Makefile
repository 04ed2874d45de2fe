# collide: `make help` lists what can be made.
#
# Everything made goes under $(BUILD). The core is compiled once; only the binding
# (csrc/lua) is compiled again for each Lua. Whatever takes more than a few lines of
# shell is a script in .ci/.

LUA    ?= lua5.4
BUILD  ?= build
OPT    ?= -O2
PREFIX ?= /usr/local

# Builds that differ in CORE_CFLAGS alone, flags of the core, can share their BINDINGS.
CORE_CFLAGS ?=
BINDINGS    ?= $(BUILD)

# The Luas of `make test-all`, and the layers of the core. A layer may use the layers before it
# (cells and bitmap do not use each other).
LUAS   := lua5.1 lua5.2 lua5.3 lua5.4 luajit
LAYERS := base cells bitmap geom narrow broad query world bullets

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wundef \
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wwrite-strings \
  -Wcast-qual -Wpointer-arith -Wformat=2 -Wvla -Wimplicit-fallthrough
COMPILE  := $(CC) -std=c11 $(OPT) $(WARNINGS) -fPIC -Icsrc $(CFLAGS)

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
else ifneq ($(findstring darwin,$(MACHINE)),)
  LINK_MODULE := $(CC) $(OPT) -bundle -undefined dynamic_lookup $(LDFLAGS)
else
  LINK_MODULE := $(CC) $(OPT) -shared $(LDFLAGS)
endif

LUA_INCDIR := $(shell .ci/incdir $(NAME))

sources  = $(wildcard csrc/$(1)/*.c)
objects  = $(patsubst %.c,$(BUILD)/c/%.o,$(foreach layer,$(1),$(call sources,$(layer))))
CORE    := $(call objects,$(LAYERS))
BINDING := $(patsubst csrc/lua/%.c,$(BINDINGS)/c/$(NAME)/%.o,$(call sources,lua))
TESTS   := $(patsubst spec/c/%.c,$(BUILD)/c/spec/%,$(wildcard spec/c/*_*.c))
EXAMPLES := $(patsubst examples/c/%.c,$(BUILD)/c/examples/%,$(wildcard examples/c/*.c))
FUZZERS := $(patsubst spec/fuzz/%.c,$(BUILD)/c/fuzz/%,$(wildcard spec/fuzz/*.c))
BENCHES := $(patsubst spec/bench/%.c,$(BUILD)/c/bench/%,$(wildcard spec/bench/*.c))
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
SCRIPT_MAKE = MAKEFLAGS= MAKE='$(MAKE) -s -j$(CORES)'

# The compilers for other machines, from Debian's packages.
WINDOWS_CC = x86_64-w64-mingw32-gcc
ARM64_CC   = aarch64-linux-gnu-gcc
ARM64_ROOT = $(BUILD)/fetched/arm64
ARM64      = CC=$(ARM64_CC) CFLAGS='-isystem $(ARM64_ROOT)/usr/include/aarch64-linux-gnu' \
  LUA_INCDIR="$$(ROOT=$(ARM64_ROOT) .ci/incdir $$lua)" LUA=$$lua

# The compiler for browsers, with the same Lua. Its optimiser looks for node's modules.
WEB_CC = NODE_PATH=/usr/share/nodejs emcc
WEB    = CC='$(WEB_CC)' LUA=lua5.4 \
  CFLAGS='-fno-pic -sSUPPORT_LONGJMP=emscripten -isystem $(BUILD)/wasm/include' \
  LUA_INCDIR=$(BUILD)/fetched/lua5.4/src BUILD=$(BUILD)/wasm

# The build of `make asan`: gcc's sanitizers, and all invariants are checked.
SANITIZED = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow \
  -fno-sanitize-recover=all -DCL_CHECKED=1

# A build of its own that checks invariants and counts steps of work.
WORK    = narrow_work world_work
CHECKED = BUILD=$(BUILD)/checked OPT='$(OPT) -DCL_CHECKED=1'

# These targets are made one after the other, since they share the tree.
MAKEFLAGS += --no-print-directory
ifneq ($(filter-out all programs,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

.DEFAULT_GOAL := all

##@ Targets

.PHONY: run
run: ## install what is missing, build, run the swarm, draw build/swarm.svg
	@.ci/need cc $(LUA) $(NAME)-dev
	+@$(BUILD_WITH) all
	LUA=$(LUA) $(BUILD)/collide run examples/scenes/swarm.lua --svg $(BUILD)/swarm.svg
	@echo 'The picture of the last frame is $(BUILD)/swarm.svg.'

.PHONY: test
test: ## install what is missing, build, run the C tests and the specs
	@.ci/need cc $(LUA) $(NAME)-dev busted@$(LUA)
	+@$(BUILD_WITH) all programs
	@$(if $(ARGS),status=0; .ci/test $(BUILD) $(TESTS) $(EXAMPLES) || status=1; \
	  .ci/spec $(LUA) $(BUILD) $(ARGS) || status=1; exit $$status,.ci/test $(BUILD) $(TESTS) $(EXAMPLES) $(LUA))

.PHONY: all
all: $(MODULE) $(BUILD)/collide ## build for LUA; the same as `make` alone

.PHONY: lib
lib: $(BUILD)/libcollide.a $(BUILD)/include/collide.h ## build the static library and the header for programs in C

.PHONY: install
install: all ## install for LUA under PREFIX (/usr/local), below DESTDIR
	@.ci/install '$(DESTDIR)' '$(PREFIX)' '$(LUA)' '$(BUILD)'

.PHONY: env
env: ## print the paths for LUA: eval "$(make -s env LUA=luajit)"
	@.ci/env $(LUA) $(BUILD)

.PHONY: clean
clean: ## remove everything that was built
	rm -rf $(BUILD)

.PHONY: windows
windows: ## build for Windows x64: LÖVE, LuaJIT and Lua 5.4
	@.ci/need $(WINDOWS_CC)
	@.ci/fetch $(BUILD)/fetched source lua5.4 luajit
	+@for lua in lua5.4 luajit; do \
	  $(BUILD_WITH) CC=$(WINDOWS_CC) BUILD=$(BUILD)/windows LUA=$$lua \
	    LUA_INCDIR=$(BUILD)/fetched/$$lua/src all || exit; done

.PHONY: arm64
arm64: ## build for 64-bit ARM: LÖVE, LuaJIT and Lua 5.4
	@.ci/need $(ARM64_CC)
	@.ci/fetch $(BUILD)/fetched arm64 libc6 libgcc-s1 libreadline8 libtinfo6 \
	  lua5.4 liblua5.4-dev luajit libluajit-5.1-2 libluajit-5.1-dev
	+@for lua in lua5.4 luajit; do $(BUILD_WITH) BUILD=$(BUILD)/arm64 $(ARM64) all || exit; done

.PHONY: web
web: ## build a page for browsers: the engine, an editor, the examples
	@.ci/need cc lua5.4 lua5.4-dev emcc
	@.ci/fetch $(BUILD)/fetched source lua5.4
	+@$(BUILD_WITH) LUA=lua5.4 all
	@mkdir -p $(BUILD)/web $(BUILD)/wasm/include # Debian's Lua includes a header of Debian's own
	@echo '#define DEB_HOST_MULTIARCH "wasm32"' >$(BUILD)/wasm/include/lua5.4-deb-multiarch.h
	+@$(BUILD_WITH) $(WEB) $(BUILD)/wasm/engine.js
	@eval "$$(.ci/env lua5.4 $(BUILD))" && lua5.4 .ci/web.lua $(BUILD)

.PHONY: dist
dist: windows arm64 web ## pack the downloads into build/dist; VERSION=1.2.3 for a release
	@.ci/need cc lua5.4 lua5.4-dev luajit luajit-dev love luarocks zip unzip wine qemu-aarch64 chromium
	+@for lua in lua5.4 luajit; do $(BUILD_WITH) LUA=$$lua all || exit; done
	@.ci/foreign windows $(BUILD) luas
	@.ci/web-test $(BUILD)
	@.ci/dist $(BUILD) $(VERSION)

.PHONY: zip
zip: ## pack the zip for LÖVE on this machine into build/dist
	@.ci/need cc luajit luajit-dev zip unzip
	+@$(BUILD_WITH) LUA=luajit all
	@.ci/dist $(BUILD) zip

.PHONY: help
help: # not in its own list
	@echo 'make [LUA=lua5.4] [CC=cc] [OPT=-O2] [BUILD=build] TARGET'
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) ":" } \
	  /^[a-z0-9-]+:.*## [^(]/ { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ For contributors

.PHONY: spec
spec: ## run the specs; ARGS are options of busted, LUAFLAGS those of the Lua (-joff)
	+@$(BUILD_WITH) all
	@LUAFLAGS='$(LUAFLAGS)' .ci/spec $(LUA) $(BUILD) $(ARGS)

.PHONY: test-all
test-all: test-need test-c test-work test-luas test-gc test-hash test-love test-traces test-page test-install test-rock ## run test-c to test-rock, except those for other machines

.PHONY: test-need
test-need:
	@.ci/need gcc clang ccache $(LUAS) $(LUAS:=-dev) $(LUAS:%=busted@%) love xvfb-run luarocks git zip chromium

.PHONY: test-c
test-c: ## run the C tests
	+@$(BUILD_WITH) programs
	@.ci/test $(BUILD) $(TESTS) $(EXAMPLES)

.PHONY: test-work
test-work: ## count the steps of work of calls: none takes longer than a frame
	+@$(BUILD_WITH) $(CHECKED) $(WORK:%=$(BUILD)/checked/c/spec/%)
	@.ci/test $(BUILD) $(WORK:%=$(BUILD)/checked/c/spec/%)

.PHONY: check-all
check-all: ## put all that tests count into one table, in spec/README.md: OPERATIONS, SECONDS
	@.ci/check-all $(BUILD) $(OPERATIONS) $(or $(SECONDS),120)

.PHONY: search-work
search-work: ## search for inputs that make a call take longer than a frame
	@.ci/need gcc
	+@$(BUILD_WITH) CC=gcc BUILD=$(BUILD)/counted CORE_CFLAGS=-fsanitize-coverage=trace-pc \
	  $(BUILD)/counted/c/spec/bullets_slow
	@$(BUILD)/counted/c/spec/bullets_slow

# Not optimised, and without the branches of asserts. Only LuaJIT reaches the accelerator in the
# core and in Lua.
COVERED = CC=gcc BUILD=$(BUILD)/coverage OPT='-O0 -g --coverage -DNDEBUG'

.PHONY: coverage
coverage: ## count the lines and branches of C and the lines of Lua that tests reach
	@.ci/need gcc lua5.4 lua5.4-dev busted@lua5.4 luajit luajit-dev busted@luajit
	@rm -rf $(BUILD)/coverage/lines && mkdir -p $(BUILD)/coverage/lines
	@find $(BUILD)/coverage -name '*.gcda' -delete 2>/dev/null || true
	+@for lua in lua5.4 luajit; do \
	  $(BUILD_WITH) $(COVERED) LUA=$$lua all $(BUILD)/coverage/$$lua/lines.so || exit; done
	+@$(BUILD_WITH) $(COVERED) LUA=lua5.4 programs $(BUILD)/coverage/c/lua5.4/memory
	@COLLIDE_LINES=$(abspath $(BUILD)/coverage/lines) .ci/test $(BUILD)/coverage \
	  $(patsubst $(BUILD)/%,$(BUILD)/coverage/%,$(TESTS) $(EXAMPLES)) lua5.4:memory lua5.4 luajit:lines
	@lua5.4 .ci/coverage.lua $(BUILD)/coverage

.PHONY: test-luas
test-luas: ## run the specs on every Lua; on most with fewer random cases than on Lua 5.4 and LuaJIT
	+@for lua in $(LUAS); do $(BUILD_WITH) LUA=$$lua all || exit; done
	@.ci/test $(BUILD) lua5.4 luajit luajit:interpreted $(patsubst %,%:sampled,$(filter-out lua5.4 luajit,$(LUAS)))
	@.ci/packs $(BUILD) $(LUAS)

.PHONY: test-gc
test-gc: ## run the specs with hostile garbage collectors, and test-memory beside them
	+@for lua in lua5.4 luajit; do $(BUILD_WITH) LUA=$$lua all || exit; done
	+@$(BUILD_WITH) LUA=lua5.4 $(BUILD)/c/lua5.4/memory
	@.ci/test $(BUILD) lua5.4:aggressive luajit:aggressive lua5.4:generational lua5.4:memory

.PHONY: test-memory
test-memory: ## refuse each request for memory of every call, on Lua 5.4
	@.ci/need cc lua5.4 lua5.4-dev
	+@$(BUILD_WITH) LUA=lua5.4 $(BUILD)/c/lua5.4/memory
	@.ci/test $(BUILD) lua5.4:memory

.PHONY: test-hash
test-hash: ## compare the hashes of all compilers, levels, vectors, Luas, broad phases; BUILDS=pairs: half
	@.ci/need gcc clang ccache $(LUAS) $(LUAS:=-dev)
	@$(SCRIPT_MAKE) .ci/hashes $(BUILD) $(or $(BUILDS),all) $(LUAS)

# PLAY=hashes tests only the hashes.
PLAY ?= all
.PHONY: test-windows test-arm64
test-windows: windows ## play the scenes and the specs on Windows x64, under wine
	@.ci/need cc wine lua5.4 lua5.4-dev busted@lua5.4
	+@$(BUILD_WITH) LUA=lua5.4 all
	@.ci/foreign windows $(BUILD) $(PLAY)

test-arm64: arm64 ## play the scenes, the C tests and the specs on 64-bit ARM, under qemu
	@.ci/need cc qemu-aarch64 lua5.4 lua5.4-dev busted@lua5.4
	+@$(BUILD_WITH) LUA=lua5.4 all
	+@lua=lua5.4; $(BUILD_WITH) BUILD=$(BUILD)/arm64-plain BINDINGS=$(BUILD)/arm64 $(ARM64) \
	  CORE_CFLAGS=-DCL_SIMD_MOST=0 all
	+@[ $(PLAY) != all ] || $(BUILD_WITH) BUILD=$(BUILD)/arm64 $(ARM64) programs
	@.ci/foreign arm64 $(BUILD) $(PLAY)

# The C tests for other kinds of processors, with a tenth of the random cases, since most are
# emulated. s390x computes floats as floats, but gcc says so only with that flag; and gcc 12
# miscompiles some loops for it when it counts them down in a register. The 32-bit x86 computes
# with SSE2, since the x87 keeps more bits than a double has.
BIG_ENDIAN_ROOT = $(BUILD)/fetched/s390x
BIG_ENDIAN = CC=s390x-linux-gnu-gcc BUILD=$(BUILD)/s390x LUA=lua5.4 \
  LUA_INCDIR=$(BIG_ENDIAN_ROOT)/usr/include/lua5.4 CFLAGS='-fexcess-precision=fast \
  -fno-branch-count-reg -isystem $(BIG_ENDIAN_ROOT)/usr/include/s390x-linux-gnu'
BITS_32    = CC=i686-linux-gnu-gcc CFLAGS='-msse2 -mfpmath=sse' LDFLAGS=-static BUILD=$(BUILD)/i686
WASM_32    = CC='$(WEB_CC)' BUILD=$(BUILD)/wasm32 \
  LDFLAGS='-sALLOW_MEMORY_GROWTH -sWASM_ASYNC_COMPILATION=0 --pre-js spec/support/environment.js'
MACHINE_TESTS = $(BUILD_WITH) $($(1)) $(3) && \
  COLLIDE_ROUNDS=$${COLLIDE_ROUNDS:-0.1} EMULATOR='$(4)' .ci/test $(BUILD)/$(2) $(3)

# These tests use 128-bit integers, which no compiler for 32 bits has except the one for browsers.
TESTS_128 := $(filter %/base_exact %/cells_grid %/cells_sight %/cells_walk,$(TESTS))

.PHONY: test-big-endian test-32bit
test-big-endian: ## run the C tests and scenes on s390x, which stores the highest byte first, under qemu
	@.ci/need s390x-linux-gnu-gcc qemu-s390x lua5.4 lua5.4-dev
	@.ci/fetch $(BUILD)/fetched s390x libc6 libgcc-s1 libreadline8 libtinfo6 lua5.4 liblua5.4-dev
	+@$(BUILD_WITH) LUA=lua5.4 all
	+@$(BUILD_WITH) $(BIG_ENDIAN) all
	@.ci/foreign s390x $(BUILD) $(PLAY)
	+@$(if $(filter all,$(PLAY)),$(call MACHINE_TESTS,BIG_ENDIAN,s390x,$(TESTS:$(BUILD)/%=$(BUILD)/s390x/%),qemu-s390x -L $(BIG_ENDIAN_ROOT)))

test-32bit: ## run the C tests with pointers of 32 bits: on 32-bit x86, and in WebAssembly
	@.ci/need i686-linux-gnu-gcc emcc node $(if $(filter x86_64,$(shell uname -m)),,qemu-i386)
	+@$(call MACHINE_TESTS,BITS_32,i686,$(patsubst $(BUILD)/%,$(BUILD)/i686/%,$(filter-out $(TESTS_128),$(TESTS))),$(if $(filter x86_64,$(shell uname -m)),,qemu-i386))
	+@$(call MACHINE_TESTS,WASM_32,wasm32,$(TESTS_128:$(BUILD)/%=$(BUILD)/wasm32/%),node)

.PHONY: test-web
test-web: web ## try the page for browsers in Chromium: scenes, examples, errors
	@.ci/need chromium
	@.ci/web-test $(BUILD)

.PHONY: test-everywhere
test-everywhere: test-windows test-arm64 test-web $(if $(filter all,$(PLAY)),test-big-endian test-32bit) ## run all of these; PLAY=hashes: of the first two only the hashes

.PHONY: test-love
test-love: ## run LÖVE without a screen: the viewer, a game's folder, a .love file
	+@for lua in lua5.4 luajit; do $(BUILD_WITH) LUA=$$lua all || exit; done
	@.ci/love $(BUILD)

.PHONY: test-traces
test-traces: ## compare the examples' scenes with their traces, on every Lua and in LÖVE
	+@for lua in $(LUAS); do $(BUILD_WITH) LUA=$$lua all || exit; done
	@.ci/traces $(BUILD) $(LUAS)

.PHONY: traces
traces: ## record the traces of the examples' scenes anew
	+@$(BUILD_WITH) LUA=lua5.4 all
	@.ci/traces write $(BUILD)

.PHONY: test-page
test-page: ## try the replay page in Chromium, in light and dark
	@.ci/need cc $(LUA) $(NAME)-dev chromium
	+@$(BUILD_WITH) all
	@.ci/page $(LUA) $(BUILD)

.PHONY: test-install
test-install: ## try `make install` and `make env` from another folder
	@$(SCRIPT_MAKE) .ci/installed $(BUILD) $(LUAS)

.PHONY: test-rock
test-rock: ## build, install and use the rock
	@.ci/rock

.PHONY: test-long
test-long: ## run test with twenty times the random cases and a new seed
	@COLLIDE_ROUNDS=$${COLLIDE_ROUNDS:-20} COLLIDE_SEED=$${COLLIDE_SEED:-$$(date +%s)} $(MAKE) test

.PHONY: asan
asan: ## run the C tests and the specs under gcc's sanitizers
	@.ci/need gcc $(LUA) $(NAME)-dev busted@$(LUA)
	+@$(BUILD_WITH) CC=gcc BUILD=$(BUILD)/asan all programs \
	  $(if $(filter lua5.4,$(NAME)),$(BUILD)/asan/c/lua5.4/memory) \
	  OPT='$(SANITIZED)'
	@.ci/test $(BUILD)/asan $(patsubst $(BUILD)/%,$(BUILD)/asan/%,$(TESTS) $(EXAMPLES)) \
	  $(if $(filter lua5.4,$(NAME)),lua5.4:memory) $(LUA):damaged $(LUA):sanitized

# The monkey's operations on each Lua, and the seed of its first script.
OPERATIONS ?= 100000
SEED       ?= 1
.PHONY: monkey
monkey: ## run random scripts under the sanitizers; OPERATIONS=1000000 SEED=1
	@.ci/need gcc lua5.4 lua5.4-dev luajit luajit-dev
	+@for lua in lua5.4 luajit; do \
	  $(BUILD_WITH) CC=gcc BUILD=$(BUILD)/asan LUA=$$lua OPT='$(SANITIZED)' all || exit; done
	@for lua in lua5.4 luajit; do .ci/monkey $$lua $(BUILD)/asan $(OPERATIONS) $(SEED) || exit; done

# The build for clang's fuzzer, with sanitizers. INPUT=FILE, with a name TARGET-… as a failure
# leaves it, runs only that input.
FUZZED  = CC=clang BUILD=$(BUILD)/fuzz LUA=lua5.4 OPT='-O1 -g -fno-omit-frame-pointer -DCL_CHECKED=1 \
  -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all'
SECONDS ?= 120

.PHONY: fuzz
fuzz: ## run the fuzzer for SECONDS (120) over all targets; SEED=1; INPUT=FILE: one input
	@.ci/need clang clang-rt lua5.4 lua5.4-dev
	+@$(BUILD_WITH) $(FUZZED) fuzzers
	@$(if $(INPUT),eval "$$(.ci/env lua5.4 $(BUILD))" && \
	  $(BUILD)/fuzz/c/fuzz/$(firstword $(subst -, ,$(notdir $(INPUT)))) $(INPUT),\
	  .ci/fuzz $(BUILD)/fuzz $(SECONDS) $(SEED) $(notdir $(FUZZERS)))

.PHONY: tsan
tsan: ## run worlds and Luas in threads of their own under clang's thread sanitizer
	@.ci/need clang clang-rt lua5.4 lua5.4-dev
	+@$(BUILD_WITH) CC=clang BUILD=$(BUILD)/tsan LUA=lua5.4 OPT='-O1 -g -fsanitize=thread' \
	  $(BUILD)/tsan/c/spec/bullets_threads $(BUILD)/tsan/c/lua5.4/threads
	@.ci/test $(BUILD)/tsan $(BUILD)/tsan/c/spec/bullets_threads lua5.4:threads

.PHONY: test-planted
test-planted: ## plant a fault in a copy of the sources, run the test that has to find it, and so on
	@.ci/need cc gcc clang clang-rt git lua5.4 lua5.4-dev busted@lua5.4
	@.ci/planted $(BUILD)

.PHONY: analyze
analyze: ## read the sources with clang's and gcc's analyzers, and by MSVC's rules
	@.ci/need gcc clang lua5.4-dev
	@.ci/analyze

.PHONY: lint
lint: ## check the sources: luacheck, clang-format, warnings, the rules of the house
	@.ci/need gcc clang ccache luacheck clang-format $(LUAS) $(LUAS:=-dev)
	@$(SCRIPT_MAKE) .ci/lint $(BUILD) $(LUAS)

.PHONY: bench
bench: ## measure; BENCH_N='1000 1000000' and BENCH_FRAMES=1000 measure more
	@.ci/need cc $(LUA) $(NAME)-dev
	+@for lua in $(BENCH_LUAS); do $(BUILD_WITH) LUA=$$lua all || exit; done
	+@$(BUILD_WITH) $(filter-out %/slow,$(BENCHES))
	+@$(BUILD_WITH) $(CHECKED) $(BUILD)/checked/c/bench/slow
	@BENCH_N='$(BENCH_N)' BENCH_FRAMES='$(BENCH_FRAMES)' \
	  .ci/bench $(BUILD) '$(BENCH_MISSING)' $(BENCH_LUAS)

.PHONY: bench-deps
bench-deps: ## install the libraries that `make bench` compares with
	@.ci/need cc c++ luajit luajit-dev love chipmunk box2d

.PHONY: bench-readme
bench-readme: ## put the figures of `make bench` into the documents
	@.ci/bench-readme $(BUILD)/bench

# The files that the targets above need.

.PHONY: programs fuzzers
programs: $(TESTS) $(EXAMPLES)
fuzzers: $(FUZZERS)

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
	$(Q)$(COMPILE) -fno-plt -isystem $(or $(LUA_INCDIR),$(error $(NO_LUA_H))) -MMD -MP -c -o $@ $<

$(BUILD)/c/spec/%.o: spec/c/%.c $(BUILD)/c/flags
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -Ispec/c -MMD -MP -c -o $@ $<

# Other libraries are measured for comparison if they are installed. Assertions in their headers
# are off.
header = $(wildcard $(addsuffix /$(1),/usr/include /usr/local/include))
ifneq ($(call header,chipmunk/chipmunk.h),)
  PEERS        += -DHAVE_CHIPMUNK
  PEER_OBJECTS += $(addprefix $(BUILD)/c/bench/peers/,chipmunk.o chipmunk_space.o)
  PEER_LIBS    += -lchipmunk
else
  BENCH_MISSING += Chipmunk
endif
ifneq ($(and $(call header,box2d/b2_broad_phase.h),$(shell command -v $(CXX))),)
  PEERS        += -DHAVE_BOX2D
  PEER_OBJECTS += $(addprefix $(BUILD)/c/bench/peers/,box2d.o box2d_world.o)
  PEER_LIBS    += -lbox2d -lstdc++
else
  BENCH_MISSING += Box2D
endif

# The Luas on which whole frames are measured.
BENCH_LUAS = $(sort $(LUA) $(and $(shell command -v luajit),$(shell .ci/incdir luajit),luajit))

# At -O3 gcc vectorises the motion of the boxes, so that it costs little beside what is measured;
# the core is compiled as usual.
$(BUILD)/c/bench/%: spec/bench/%.c $(PEER_OBJECTS) $(CORE) $(BUILD)/c/flags
	$(call say,link,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -O3 $(PEERS) -MMD -MP -MF $@.d -o $@ $< $(PEER_OBJECTS) $(CORE) -lm $(PEER_LIBS)

$(BUILD)/c/bench/peers/%.o: spec/bench/peers/%.c $(BUILD)/c/flags
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DNDEBUG -MMD -MP -c -o $@ $<

$(BUILD)/c/bench/peers/%.o: spec/bench/peers/%.cpp $(BUILD)/c/flags
	$(call say,c++,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++14 $(OPT) -Wall -Wextra $(CXXFLAGS) -DNDEBUG -MMD -MP -c -o $@ $<

$(BUILD)/c/fuzz/%: spec/fuzz/%.c $(CORE) $(BINDING) $(BUILD)/c/flags
	$(call say,link,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DCL_SPEC_FUZZ -isystem $(LUA_INCDIR) -MMD -MP -MF $@.d -fsanitize=fuzzer -o $@ \
	  $< $(CORE) $(if $(wildcard spec/fuzz/$*.lua),$(BINDING)) $(LDFLAGS) \
	  $(if $(wildcard spec/fuzz/$*.lua),-l$(NAME)) -lm

# The core and its binding in a program that allocates the memory of Lua and, in place of the
# default allocator, that of the core.
$(BUILD)/c/$(NAME)/memory: spec/support/memory.c $(CORE) $(BINDING) $(BUILD)/c/$(NAME)/flags
	$(call say,link,$@)
	$(Q)$(COMPILE) -Ispec/c -isystem $(LUA_INCDIR) -MMD -MP -MF $@.d -o $@ $< $(CORE) $(BINDING) \
	  $(LDFLAGS) -Wl,--wrap=cl_alloc_default -l$(NAME) -lm

# A module that records the executed lines of Lua.
$(BUILD)/$(NAME)/lines.so: spec/support/lines.c $(BUILD)/c/flags
	$(call say,link,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -shared -isystem $(LUA_INCDIR) -MMD -MP -MF $@.d -o $@ $<

# Lua, the core and its binding in one module for browsers, and the JavaScript that goes with it.
INTERPRETER = $(patsubst $(LUA_INCDIR)/%.c,$(BUILD)/c/interpreter/%.o, \
  $(filter-out %/lua.c %/luac.c,$(wildcard $(LUA_INCDIR)/*.c)))

$(BUILD)/c/interpreter/%.o: $(LUA_INCDIR)/%.c $(BUILD)/c/flags
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) $(CFLAGS) -c -o $@ $<

$(BUILD)/engine.js: examples/web/engine.c $(CORE) $(BINDING) $(INTERPRETER) $(BUILD)/c/flags
	$(call say,link,$@)
	$(Q)$(COMPILE) -isystem $(LUA_INCDIR) -o $@ $(filter %.c %.o,$^) -lm \
	  -sENVIRONMENT=worker -sMODULARIZE -sEXPORT_NAME=createEngine -sDYNAMIC_EXECUTION=0 \
	  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=512MB -sFORCE_FILESYSTEM \
	  -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,allocateUTF8,UTF8ToString

# A program with several Lua states in threads.
$(BUILD)/c/$(NAME)/threads: spec/support/threads.c $(CORE) $(BINDING) $(BUILD)/c/$(NAME)/flags
	$(call say,link,$@)
	$(Q)$(COMPILE) -Ispec/c -isystem $(LUA_INCDIR) -MMD -MP -MF $@.d -o $@ $< $(CORE) $(BINDING) \
	  $(LDFLAGS) -l$(NAME) -lm -pthread

# A C test is named LAYER_WHAT, and is linked with its layer and the layers that this may use: so
# a use of any other layer shows here.
LINKS_base   := base
LINKS_cells  := base cells
LINKS_bitmap := base bitmap
LINKS_geom   := base cells bitmap geom
LINKS_narrow := $(LINKS_geom) narrow
LINKS_broad  := $(LINKS_narrow) broad
LINKS_query  := $(LINKS_broad) query
LINKS_world  := $(LINKS_query) world
LINKS_bullets := $(LINKS_world) bullets

.SECONDEXPANSION:
$(TESTS): $(BUILD)/c/spec/%: $(BUILD)/c/spec/%.o \
    $$(call objects,$$(LINKS_$$(firstword $$(subst _, ,$$*))))
	$(call say,link,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ -lm $(if $(findstring _threads,$*),-pthread)

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
change = @mkdir -p $(@D); $(1) >$@.new; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(BUILD)/c/flags: FORCE
	$(call change,echo '$(COMPILE) $(CORE_CFLAGS) $(LDFLAGS)')

$(BINDINGS)/c/$(NAME)/compiling: FORCE
	$(call change,echo '$(COMPILE) $(LUA_INCDIR)')

$(BUILD)/c/$(NAME)/flags: FORCE
	$(call change,echo '$(LINK_MODULE) $(CORE) $(BINDING) $(IMPORTS)')

$(BUILD)/collide: FORCE
	$(call change,.ci/launcher checkout $(BUILD))
	@chmod +x $@

.PHONY: FORCE
FORCE:

.SECONDARY:
-include $(patsubst %.o,%.d,$(CORE) $(BINDING)) $(TESTS:=.d) $(FUZZERS:=.d) \
  $(BENCHES:=.d) $(PEER_OBJECTS:.o=.d)
