// collide, MIT licence (see LICENSE)
//
// A Lua 5.4 in a fuzz target, with the core linked to it: a script handles each input. The current
// folder is that of the script, and LUA_PATH leads to `collide`.

#ifndef CL_SPEC_FUZZ_LUA_HOST_H
#define CL_SPEC_FUZZ_LUA_HOST_H

#include "fuzz.h"

#include "lua/binding.h"

#pragma GCC visibility push(default) // Lua's, as in binding.h
#include <lualib.h>
#pragma GCC visibility pop

int luaopen_collide_core(lua_State *L);

// libFuzzer sees which C code an input reaches, and through these counters which lines of Lua.
enum { LUA_LINES = 1 << 14 };
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t lua_line[LUA_LINES];

static inline void lua_host_line(lua_State *L, lua_Debug *at) {
  lua_getinfo(L, "Sl", at);
  size_t number = (size_t)at->currentline;
  for (const char *c = at->short_src; *c; c++) number = number * 31 + (unsigned char)*c;
  lua_line[number % LUA_LINES]++;
}

// Opens a Lua, with the function that the script returns on its stack.
static inline lua_State *lua_host(const char *script) {
  lua_State *L = luaL_newstate();
  if (!L) abort();
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_collide_core);
  lua_setfield(L, -2, "collide.core");
  lua_settop(L, 0);
  if (luaL_dofile(L, script) != LUA_OK) {
    printf("%s\n", lua_tostring(L, -1));
    fflush(stdout);
    abort();
  }
  lua_sethook(L, lua_host_line, LUA_MASKLINE, 0);
  return L;
}

// Calls the function with an input. An error that it does not catch is a failure.
static inline void lua_host_call(lua_State *L, const uint8_t *at, size_t count) {
  test_name = "this input";
  lua_pushvalue(L, 1);
  lua_pushlstring(L, (const char *)at, count);
  bool ok = lua_pcall(L, 1, 0, 0) == LUA_OK;
  CHECK_MSG(ok, "%s", lua_tostring(L, -1));
  lua_settop(L, 1);
}

#define FUZZ_LUA(script)                                                                           \
  int LLVMFuzzerTestOneInput(const uint8_t *at, size_t count) {                                    \
    static lua_State *L;                                                                           \
    if (!L) L = lua_host(script);                                                                  \
    lua_host_call(L, at, count);                                                                   \
    return fuzz_end();                                                                             \
  }

#endif
