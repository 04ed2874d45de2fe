# The targets for contributors, included by the Makefile. spec/README.md says what each is for.

.PHONY: spec test-all test-need lua5.5 test-c test-work check-all search-work coverage test-luas \
  test-memory test-hash test-single test-macos test-windows test-arm64 test-big-endian test-32bit test-web \
  test-everywhere test-love test-traces traces test-page test-install test-rock test-long asan monkey \
  fuzz tsan mutants test-planted analyze lint bench bench-deps bench-readme film programs fuzzers binding \
  parsed

FUZZERS := $(patsubst spec/fuzz/%.c,$(BUILD)/c/fuzz/%,$(wildcard spec/fuzz/*.c))
BENCHES := $(patsubst spec/bench/%.c,$(BUILD)/c/bench/%,$(wildcard spec/bench/*.c))

# What tests on all of some Luas need.
need_luas = cc $(1) $(1:=-dev) $(1:%=busted@%)

# In another folder of BUILD, the same files.
in_build = $(2:$(BUILD)/%=$(BUILD)/$(1)/%)

spec: # ARGS are options of busted, LUAFLAGS those of the Lua (-joff)
	@.ci/need $(NEED_LUA)
	+@$(BUILD_WITH) all
	@LUAFLAGS='$(LUAFLAGS)' .ci/test $(BUILD) $(if $(ARGS),busted )$(LUA) $(ARGS)

# Those that run on this machine in minutes.
test-all: test-need test-c test-work test-luas test-hash test-single test-love test-traces test-page test-install test-rock

test-need: lua5.5
	@.ci/need gcc clang ccache $(call need_luas,$(LUAS)) love xvfb-run luarocks git zip chromium

# The recipes below find it among LUAS if it can be had.
lua5.5:
	@.ci/need lua5.5 lua5.5-dev busted@lua5.5 || echo 'collide: goes on without Lua 5.5'

test-c:
	@.ci/need cc
	+@$(BUILD_WITH) programs
	@.ci/test $(BUILD) $(TESTS) $(EXAMPLES)

# A build of its own that checks invariants and counts steps of work.
CHECKED = BUILD=$(BUILD)/checked OPT='$(OPT) -DCL_CHECKED=1'
COUNTED = $(addprefix $(BUILD)/checked/c/spec/,narrow_work world_work)
test-work:
	@.ci/need cc
	+@$(BUILD_WITH) $(CHECKED) $(COUNTED)
	@.ci/test $(BUILD) $(COUNTED)

check-all: # OPERATIONS of the monkey, SECONDS of fuzzing
	@.ci/check-all $(BUILD) $(OPERATIONS) $(or $(SECONDS),120)

search-work:
	@.ci/need gcc
	+@$(BUILD_WITH) CC=gcc BUILD=$(BUILD)/counted CORE_CFLAGS=-fsanitize-coverage=trace-pc \
	  $(addprefix $(BUILD)/counted/c/spec/,bullets_work bullets_slow)
	@$(BUILD)/counted/c/spec/bullets_work
	@$(BUILD)/counted/c/spec/bullets_slow

# Not optimised, and without the branches of asserts. Some tests run in threads, which would lose
# counts without atomic updates. Only LuaJIT reaches the accelerator in the core and in Lua.
COVERED = CC=gcc BUILD=$(BUILD)/coverage OPT='-O0 -g --coverage -fprofile-update=atomic -DNDEBUG'
coverage:
	@.ci/need gcc $(call need_luas,$(BOTH))
	@rm -rf $(BUILD)/coverage/lines && mkdir -p $(BUILD)/coverage/lines
	@find $(BUILD)/coverage -name '*.gcda' -delete 2>/dev/null || true
	+@$(call BUILD_EACH,$(BOTH),$(COVERED) $(BUILD)/coverage/$$lua/lines.so)
	+@$(BUILD_WITH) $(COVERED) LUA=lua5.4 programs $(BUILD)/coverage/c/lua5.4/memory
	@COLLIDE_LINES=$(abspath $(BUILD)/coverage/lines) .ci/test $(BUILD)/coverage \
	  $(call in_build,coverage,$(TESTS) $(EXAMPLES)) lua5.4:memory lua5.4 luajit:lines
	@lua5.4 spec/tools/coverage.lua $(BUILD)/coverage

# All random cases on Lua 5.4 and LuaJIT, fewer on the other Luas, under other collectors, and where
# memory is refused.
test-luas: lua5.5
	@.ci/need $(call need_luas,$(LUAS))
	+@$(call BUILD_EACH,$(LUAS))
	+@$(BUILD_WITH) LUA=lua5.4 $(BUILD)/c/lua5.4/memory
	@.ci/test $(BUILD) lua5.4:memory lua5.4 luajit luajit:interpreted luajit:aggressive \
	  lua5.1:sampled lua5.2:sampled lua5.3:aggressive $(or $(LUA5.5),lua5.4):generational

test-memory:
	@.ci/need cc lua5.4 lua5.4-dev
	+@$(BUILD_WITH) LUA=lua5.4 $(BUILD)/c/lua5.4/memory
	@.ci/test $(BUILD) lua5.4:memory

test-hash: lua5.5 # BUILDS=some: a few builds
	@.ci/need gcc clang ccache objdump $(LUAS) $(LUAS:=-dev)
	@$(SCRIPT_MAKE) .ci/hashes $(BUILD) $(or $(BUILDS),all) $(LUAS)

# PLAY=hashes tests only the hashes, and on ARM64 without a second build that has no vectors.
PLAY ?= all
test-windows: windows single
	@.ci/need wine $(call need_luas,lua5.4)
	+@$(BUILD_WITH) LUA=lua5.4 all
	@.ci/foreign windows $(BUILD) $(PLAY)

ARM64_MORE = $(call BUILD_EACH,lua5.4,BUILD=$(BUILD)/arm64-plain BINDINGS=$(BUILD)/arm64 $(ARM64) \
  CORE_CFLAGS='-DCL_SIMD_MOST=0 -march=armv8.3-a') && \
  .ci/binary unfused $(BUILD)/arm64-plain $(ARM64_CC:gcc=objdump) && \
  $(call BUILD_EACH,lua5.4,BUILD=$(BUILD)/arm64 $(ARM64) programs)
test-arm64: arm64
	@.ci/need qemu-aarch64 $(call need_luas,lua5.4)
	+@$(BUILD_WITH) LUA=lua5.4 all
	@.ci/binary unfused $(BUILD)/arm64 $(ARM64_CC:gcc=objdump)
	+@$(if $(filter all,$(PLAY)),$(ARM64_MORE))
	@.ci/foreign arm64 $(BUILD) $(PLAY)

# The C tests for other kinds of processors, with a tenth of the random cases, since most are
# emulated. s390x computes floats as floats, but gcc says so only with that flag; and gcc 12
# miscompiles some loops for it when it counts them down in a register. The 32-bit x86 computes
# with SSE2, since the x87 keeps more bits than a double has.
BIG_ENDIAN_ROOT = $(BUILD)/fetched/s390x
BIG_ENDIAN = CC=s390x-linux-gnu-gcc BUILD=$(BUILD)/s390x LUA=lua5.4 \
  LUA_INCDIR=$(BIG_ENDIAN_ROOT)/usr/include/lua5.4 CFLAGS='-fexcess-precision=fast \
  -fno-branch-count-reg -isystem $(BIG_ENDIAN_ROOT)/usr/include/s390x-linux-gnu'
QEMU_32    = $(if $(filter x86_64,$(shell uname -m)),,qemu-i386)
BITS_32    = CC=i686-linux-gnu-gcc CFLAGS='-msse2 -mfpmath=sse' LDFLAGS=-static BUILD=$(BUILD)/i686
WASM_32    = CC='$(WEB_CC)' BUILD=$(BUILD)/wasm32 \
  LDFLAGS='-sALLOW_MEMORY_GROWTH -sWASM_ASYNC_COMPILATION=0 --pre-js spec/support/environment.js'
MACHINE_TESTS = $(BUILD_WITH) $($(1)) $(3) && \
  COLLIDE_ROUNDS=$${COLLIDE_ROUNDS:-0.1} EMULATOR='$(4)' .ci/test $(BUILD)/$(2) $(3)

# These tests use 128-bit integers, which no compiler for 32 bits has except the one for browsers.
TESTS_128 := $(filter %/base_exact %/cells_grid %/cells_sight %/cells_walk,$(TESTS))

test-big-endian:
	@.ci/need s390x-linux-gnu-gcc qemu-s390x lua5.4 lua5.4-dev
	@.ci/fetch $(BUILD)/fetched s390x libc6 libgcc-s1 libreadline8 libtinfo6 lua5.4 liblua5.4-dev
	+@$(BUILD_WITH) LUA=lua5.4 all
	+@$(BUILD_WITH) $(BIG_ENDIAN) all
	@.ci/foreign s390x $(BUILD) $(PLAY)
	+@$(if $(filter all,$(PLAY)),$(call MACHINE_TESTS,BIG_ENDIAN,s390x,$(call in_build,s390x,$(TESTS)),qemu-s390x -L $(BIG_ENDIAN_ROOT)))

test-32bit:
	@.ci/need i686-linux-gnu-gcc emcc node $(QEMU_32)
	+@$(call MACHINE_TESTS,BITS_32,i686,$(call in_build,i686,$(filter-out $(TESTS_128),$(TESTS))),$(QEMU_32))
	+@$(call MACHINE_TESTS,WASM_32,wasm32,$(call in_build,wasm32,$(TESTS_128)),node)

# No Mac is here. The same compiler's builds for Linux play the scenes instead, and the libraries are
# looked at. The one file is linked into a program with each of three Luas.
test-macos: macos
	@.ci/need qemu-aarch64 lua5.4 lua5.4-dev
	@.ci/fetch $(BUILD)/fetched arm64 libc6 libgcc-s1 libreadline8 libtinfo6 lua5.4
	+@$(BUILD_WITH) LUA=lua5.4 all
	+@$(foreach cpu,x86_64-linux-gnu.2.17 aarch64-linux-gnu.2.17,$(call BUILD_EACH,lua5.4,$(call MACOS,$(cpu)));)
	@for lua in $(MACOS_LUAS); do .ci/binary macho $(BUILD)/macos/$$lua/collide/core.so || exit; done
	@.ci/foreign macos $(BUILD) hashes

test-single: single
	@.ci/need $(call need_luas,lua5.1 lua5.4 luajit)
	+@$(BUILD_WITH) LUA=lua5.4 all
	@.ci/foreign single $(BUILD) hashes

test-web: web
	@.ci/need chromium
	@.ci/need axe || echo 'collide: goes on without axe-core'
	@.ci/browser playground lua5.4 $(BUILD)

# PLAY=hashes: of the first two only the hashes.
test-everywhere: test-windows test-arm64 test-web $(if $(filter all,$(PLAY)),test-big-endian test-32bit)

test-love:
	@.ci/need cc lua5.4 lua5.4-dev luajit luajit-dev love xvfb-run zip
	+@$(call BUILD_EACH,$(BOTH))
	@.ci/love $(BUILD)

test-traces: lua5.5
	@.ci/need cc $(LUAS) $(LUAS:=-dev) love
	+@$(call BUILD_EACH,$(LUAS))
	@.ci/traces $(BUILD) $(LUAS)

traces: # records them
	+@$(BUILD_WITH) LUA=lua5.4 all
	@.ci/traces write $(BUILD)

test-page:
	@.ci/need cc $(LUA) $(NAME)-dev chromium
	+@$(BUILD_WITH) all
	@.ci/browser replay $(LUA) $(BUILD)

test-install: lua5.5
	@.ci/need cc $(LUAS) $(LUAS:=-dev)
	@$(SCRIPT_MAKE) .ci/install test $(BUILD) $(LUAS)

test-rock:
	@.ci/need gcc ccache luarocks git $(call need_luas,lua5.1 lua5.4 luajit)
	@.ci/rock $(BUILD)

test-long:
	@COLLIDE_ROUNDS=$${COLLIDE_ROUNDS:-20} COLLIDE_SEED=$${COLLIDE_SEED:-$$(date +%s)} $(MAKE) test

# With gcc's sanitizers, and all invariants are checked.
SANITIZED = CC=gcc BUILD=$(BUILD)/asan OPT='-O1 -g -fno-omit-frame-pointer \
  -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -DCL_CHECKED=1'
MEMORY    = $(filter lua5.4,$(NAME))
asan:
	@.ci/need gcc $(NEED_LUA)
	+@$(BUILD_WITH) $(SANITIZED) all programs $(MEMORY:%=$(BUILD)/asan/c/%/memory)
	@.ci/test $(BUILD)/asan $(call in_build,asan,$(TESTS) $(EXAMPLES)) $(MEMORY:=:memory) \
	  $(LUA):damaged $(LUA):sanitized

# The monkey's operations on each Lua, and the seed of its first script.
OPERATIONS ?= 100000
SEED       ?= 1
monkey:
	@.ci/need gcc $(BOTH) $(BOTH:=-dev)
	+@$(call BUILD_EACH,$(BOTH),$(SANITIZED))
	@for lua in $(BOTH); do .ci/monkey $$lua $(BUILD)/asan $(OPERATIONS) $(SEED) || exit; done

# For SECONDS over all targets. INPUT=FILE, with a name TARGET-… as a failure leaves it, runs only
# that input. FUZZ_OPT=-O0 compiles in a third of the time, and tries fewer inputs.
FUZZ_OPT ?= -O1
FUZZED  = CC=clang BUILD=$(BUILD)/fuzz LUA=lua5.4 OPT='$(FUZZ_OPT) -gline-tables-only -fno-omit-frame-pointer -DCL_CHECKED=1 \
  -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all'
SECONDS ?= 120
fuzz:
	@.ci/need clang clang-rt lua5.4 lua5.4-dev
	+@$(BUILD_WITH) $(FUZZED) fuzzers
	@$(if $(INPUT),eval "$$(.ci/env lua5.4 $(BUILD))" && \
	  $(BUILD)/fuzz/c/fuzz/$(firstword $(subst -, ,$(notdir $(INPUT)))) $(INPUT),\
	  .ci/fuzz $(BUILD)/fuzz $(SECONDS) $(SEED) $(notdir $(FUZZERS)))

tsan:
	@.ci/need clang clang-rt lua5.4 lua5.4-dev
	+@$(BUILD_WITH) CC=clang BUILD=$(BUILD)/tsan LUA=lua5.4 OPT='-O1 -g -fsanitize=thread' \
	  $(BUILD)/tsan/c/spec/bullets_threads $(BUILD)/tsan/c/lua5.4/threads
	@.ci/test $(BUILD)/tsan $(BUILD)/tsan/c/spec/bullets_threads lua5.4:threads

mutants: # N faults by SEED, with JOBS at a time
	@.ci/need ccache $(NEED_LUA) $(call need_luas,luajit)
	@$(LUA) spec/tools/mutants.lua $(BUILD) $(or $(N),200) $(SEED) $(or $(JOBS),1)

test-planted:
	@.ci/need gcc clang clang-rt git $(call need_luas,lua5.4)
	@.ci/planted $(BUILD)

analyze:
	@.ci/need gcc clang lua5.4-dev
	@.ci/analyze

lint: lua5.5
	@.ci/need gcc clang ccache luacheck clang-format $(LUAS) $(LUAS:=-dev)
	@$(SCRIPT_MAKE) .ci/lint $(BUILD) $(LUAS)

# BENCH_N='1000 1000000' and BENCH_FRAMES=1000 measure more.
bench:
	@.ci/need cc $(LUA) $(NAME)-dev
	+@$(call BUILD_EACH,$(BENCH_LUAS))
	+@$(BUILD_WITH) $(filter-out %/slow,$(BENCHES))
	+@$(BUILD_WITH) $(CHECKED) $(BUILD)/checked/c/bench/slow
	@BENCH_N='$(BENCH_N)' BENCH_FRAMES='$(BENCH_FRAMES)' \
	  .ci/bench $(BUILD) '$(BENCH_MISSING)' $(BENCH_LUAS)

bench-deps:
	@.ci/need cc c++ luajit luajit-dev love chipmunk box2d

bench-readme:
	@.ci/bench readme $(BUILD)

# The game as an animated picture, for the documents.
film:
	@.ci/need cc luajit luajit-dev love xvfb-run ffmpeg
	+@$(BUILD_WITH) LUA=luajit all
	@rm -rf $(BUILD)/film && mkdir -p $(BUILD)/film && cp -r examples/game $(BUILD)/film
	@cat spec/tools/film.lua >>$(BUILD)/film/game/main.lua
	@eval "$$(.ci/env luajit $(BUILD))" && FILM=$(BUILD)/film SDL_AUDIODRIVER=dummy \
	  xvfb-run -a love $(BUILD)/film/game
	@ffmpeg -loglevel error -y -framerate 25 -i $(BUILD)/film/%04d.png \
	  -vf 'split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle' \
	  examples/pictures/game.gif

# The files that these targets need.

programs: $(TESTS) $(EXAMPLES)
binding: $(BINDING)
parsed: $(CORE) $(TESTS:=.o) $(EXAMPLES:=.o) # by a compiler with -fsyntax-only
fuzzers: $(FUZZERS)

$(BUILD)/c/spec/%.o: spec/c/%.c $(BUILD)/c/flags
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -Ispec/c -MMD -MP -c -o $@ $<

$(BUILD)/c/examples/%.o: examples/c/%.c $(BUILD)/c/flags
	$(call say,cc,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ $<

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
LINKS_bump   := base bump

.SECONDEXPANSION:
$(TESTS): $(BUILD)/c/spec/%: $(BUILD)/c/spec/%.o \
    $$(call objects,$$(LINKS_$$(firstword $$(subst _, ,$$*))))
	$(call say,link,$@)
	$(Q)$(CC) $(OPT) $(LDFLAGS) -o $@ $^ -lm $(if $(findstring _threads,$*)$(findstring _library,$*),-pthread)

# A program with several Lua states in threads.
$(BUILD)/c/$(NAME)/threads: spec/support/threads.c $(CORE) $(BINDING) $(BUILD)/c/$(NAME)/flags
	$(call say,link,$@)
	$(Q)$(COMPILE) -Ispec/c -isystem $(LUA_INCDIR) -MMD -MP -MF $@.d -o $@ $< $(CORE) $(BINDING) \
	  $(LDFLAGS) -l$(NAME) -lm -pthread

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

$(BUILD)/c/fuzz/%: spec/fuzz/%.c $(CORE) $(BINDING) $(BUILD)/c/flags
	$(call say,link,$@)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DCL_SPEC_FUZZ -isystem $(LUA_INCDIR) -MMD -MP -MF $@.d -fsanitize=fuzzer -o $@ \
	  $< $(CORE) $(if $(wildcard spec/fuzz/$*.lua),$(BINDING)) $(LDFLAGS) \
	  $(if $(wildcard spec/fuzz/$*.lua),-l$(NAME)) -lm

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

-include $(TESTS:=.d) $(FUZZERS:=.d) $(BENCHES:=.d) $(PEER_OBJECTS:.o=.d)
