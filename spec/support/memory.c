// collide, MIT licence (see LICENSE)
//
// Lua without memory. Every call in memory.lua is made with the first allocation refused, then
// with the second, and so on until it succeeds. Each refusal must end in Lua's error about
// memory and leave valid worlds, and in the end everything must be as without refusals. The
// allocations of both Lua and the core are refused; the core is linked to the allocator here.
//
//   memory FILE     memory.lua; `collide` is found by LUA_PATH

#include "checked_alloc.h"

#include "lua/binding.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default) // Lua's, as in binding.h
#endif
#include <lualib.h>
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

// All allocations from number `first` on are refused; with `once` only that one, which Lua
// repeats after it has collected garbage.
typedef struct budget {
  heap heap;
  long asked, first;
  bool limited, once;
} budget;

static budget now;

int luaopen_collide_core(lua_State *L);
cl_alloc __wrap_cl_alloc_default(void);

static bool refuses(void) {
  if (!now.limited) return false;
  long n = now.asked++;
  return now.once ? n == now.first || n == now.first + 1 : n >= now.first;
}

static void *resize(void *user, void *p, size_t old, size_t size) {
  (void)user;
  if (!p) old = 0; // then Lua passes the kind of the object
  if (!p && size == 0) return NULL;
  if (size > old && refuses()) return NULL;
  return heap_resize(&now.heap, p, old, size);
}

cl_alloc __wrap_cl_alloc_default(void) { return (cl_alloc){resize, NULL}; }

// Calls function `name` of the table at 1, with `argument` if it is above 0.
static int invoke(lua_State *L, const char *name, int argument, int results) {
  lua_settop(L, 1);
  lua_getfield(L, 1, name);
  if (argument > 0) lua_pushinteger(L, argument);
  return lua_pcall(L, argument > 0, results, 0);
}

// The state of the worlds as text, on the stack.
static const char *state(lua_State *L) {
  bool ok = invoke(L, "state", 0, 1) == LUA_OK;
  CHECK_MSG(ok, "%s", lua_tostring(L, -1));
  return lua_tostring(L, -1);
}

// Makes a call again and again, each time with one more allocation, until none is refused.
static long make(lua_State *L, int call, const char *name) {
  for (long first = 0; first < 100000 && test_errors == 0; first++) {
    lua_settop(L, 1);
    lua_getfield(L, 1, "run");
    lua_pushinteger(L, call);
    now.asked = 0;
    now.first = first;
    now.limited = true;
    int status = lua_pcall(L, 1, 0, 0);
    now.limited = false;
    if (status == LUA_OK && now.asked <= first) return first;
    if (status == LUA_OK) continue; // Lua can do without a larger table of strings
    const char *message = lua_tostring(L, -1);
    CHECK_MSG(message && strstr(message, "not enough memory"),
              "%s, request %ld of memory refused: %s", name, first, message ? message : "?");
    state(L);
    CHECK_MSG(test_errors == 0, "%s, request %ld of memory refused", name, first);
  }
  return -1;
}

static void open(lua_State *L, const char *file) {
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_collide_core);
  lua_setfield(L, -2, "collide.core");
  lua_pop(L, 1);
  const char *init = getenv("LUA_INIT"); // as Lua's own program does
  if (init) CHECK_MSG(luaL_dostring(L, init) == LUA_OK, "%s", lua_tostring(L, -1));
  bool ok = luaL_dofile(L, file) == LUA_OK;
  CHECK_MSG(ok, "%s", lua_tostring(L, -1));
}

static void keep(char **copy, const char *text) {
  *copy = text ? malloc(strlen(text) + 1) : NULL;
  if (*copy) strcpy(*copy, text);
}

enum { MOST_CALLS = 1000 };

static const char *file;
static char *states[MOST_CALLS]; // the state of the worlds after each call

// Makes all calls. Keeps the state of the worlds after each or, with limited memory, compares
// it with the kept one. Returns how many allocations were refused.
static long play(bool limited) {
  now.heap = heap_new();
#if LUA_VERSION_NUM >= 505
  lua_State *L = lua_newstate(resize, NULL, 0);
#else
  lua_State *L = lua_newstate(resize, NULL);
#endif
  if (!L) return 0;
  open(L, file);
  long refused = 0;
  lua_getfield(L, 1, "calls");
  int calls = (int)lua_tointeger(L, -1);
  for (int call = 1; call <= calls && call < MOST_CALLS && test_errors == 0; call++) {
    char name[64];
    CHECK(invoke(L, "name", call, 1) == LUA_OK);
    snprintf(name, sizeof name, "%d, %s", call, lua_tostring(L, -1));
    if (limited) {
      refused += make(L, call, name);
      CHECK_MSG(states[call] && !strcmp(states[call], state(L)),
                "%s:\n%s\nnot as it should be:\n%s", name, lua_tostring(L, -1), states[call]);
    } else {
      bool ok = invoke(L, "run", call, 0) == LUA_OK;
      CHECK_MSG(ok, "%s: %s", name, lua_tostring(L, -1));
      keep(&states[call], state(L));
    }
  }
  lua_close(L);
  CHECK_HEAP_EMPTY(now.heap);
  return refused;
}

static void nothing_is_refused(void) { play(false); }

static long refused_in_all;

static void refuse(bool once) {
  now.once = once;
  long refused = play(true);
  CHECK(refused > 1000);
  refused_in_all += refused;
}

static void all_is_refused_from_some_request_on(void) { refuse(false); }

static void one_request_is_refused(void) { refuse(true); }

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  file = argv[1];
  RUN(nothing_is_refused);
  RUN(all_is_refused_from_some_request_on);
  RUN(one_request_is_refused);
  for (int i = 0; i < MOST_CALLS; i++) free(states[i]);
  printf("%ld requests refused\n", refused_in_all);
  return test_end();
}
