// collide, MIT licence (see LICENSE)
//
// A Lua module that records which lines of lua/collide are executed, for `make coverage`. It is
// written in C because a hook in Lua makes garbage, and some specs count garbage. LUA_INIT loads it
// into every Lua that starts, also those of the command line. When a Lua ends, it writes lines of
// the form "lua/collide/world/step.lua 12" to a file of its own in the folder $COLLIDE_LINES.
//
// A Lua state has only one hook, so this module replaces debug.sethook and debug.gethook: a hook of
// Lua that counts instructions is called by the one that records lines.

#include <unistd.h>

#include "lua/binding.h"

enum { MAX_FILES = 256, MAX_LINES = 2048, MAX_NAME = 100 };

typedef struct source {
  char name[MAX_NAME]; // from collide/ on
  bool reached[MAX_LINES];
} source;

static struct {
  source sources[MAX_FILES];
  int count;
  source *last; // a cache: successive lines are mostly of the same file
} noted;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
int luaopen_lines(lua_State *L);
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

static source *source_of(const char *name) {
  if (noted.last && strcmp(noted.last->name, name) == 0) return noted.last;
  for (int i = 0; i < noted.count; i++)
    if (strcmp(noted.sources[i].name, name) == 0) return noted.last = &noted.sources[i];
  if (noted.count == MAX_FILES || strlen(name) >= MAX_NAME) return NULL;
  noted.last = &noted.sources[noted.count++];
  strcpy(noted.last->name, name);
  return noted.last;
}

// The part of a path from collide/ on: specs also run copies of the library in other folders.
static const char *own_part(const char *path) {
  const char *own = NULL;
  for (const char *at = path; (at = strstr(at, "/collide/")); at++) own = at + 1;
  return own;
}

// The key in the registry of a table of the hooks that debug.sethook was given, by thread.
static const char HOOKS[] = "collide.lines";

// Pushes the thread that is the first argument if `given` is 1, or else the running one. LuaJIT has
// one hook for all threads.
static void push_thread(lua_State *L, int given) {
#if LUA_VERSION_NUM == 501
  (void)given;
  lua_pushboolean(L, true);
#else
  if (given) lua_pushvalue(L, 1);
  else lua_pushthread(L);
#endif
}

static void count(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, HOOKS);
  push_thread(L, 0);
  lua_rawget(L, -2);
  lua_pushliteral(L, "count");
  if (lua_isfunction(L, -2)) lua_call(L, 1, 0); // a new thread inherits this hook, but not Lua's
}

static void note(lua_State *L, lua_Debug *at) {
  if (at->event == LUA_HOOKCOUNT) {
    count(L);
    return;
  }
  lua_getinfo(L, "S", at);
  const char *name = at->source[0] == '@' ? own_part(at->source) : NULL;
  if (!name || at->currentline < 0 || at->currentline >= MAX_LINES) return;
  source *s = source_of(name);
  if (s) s->reached[at->currentline] = true;
}

static void write_all(void) {
  const char *folder = getenv("COLLIDE_LINES");
  char path[4096];
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
  FILE *out = fopen(path, "a");
  if (!out) return;
  for (int i = 0; i < noted.count; i++)
    for (int line = 0; line < MAX_LINES; line++)
      if (noted.sources[i].reached[line]) fprintf(out, "lua/%s %d\n", noted.sources[i].name, line);
  fclose(out);
}

// debug.sethook([thread,] hook, mask, count), or without a hook
static int set_hook(lua_State *L) {
  int given = lua_isthread(L, 1);
  lua_settop(L, given + 3);
  bool counts = !lua_isnil(L, given + 1);
  luaL_argcheck(L, !counts || !*luaL_checkstring(L, given + 2), given + 2,
                "\"\" expected while lines are recorded");
  int number = counts ? (int)luaL_checkinteger(L, given + 3) : 0;
  lua_getfield(L, LUA_REGISTRYINDEX, HOOKS);
  push_thread(L, given);
  lua_pushvalue(L, given + 1);
  lua_rawset(L, -3);
  lua_sethook(given ? lua_tothread(L, 1) : L, note, LUA_MASKLINE | (counts ? LUA_MASKCOUNT : 0),
              number);
  return 0;
}

// debug.gethook([thread])
static int get_hook(lua_State *L) {
  int given = lua_isthread(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, HOOKS);
  push_thread(L, given);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1)) return 1;
  lua_pushliteral(L, "");
  lua_pushinteger(L, lua_gethookcount(given ? lua_tothread(L, 1) : L));
  return 3;
}

int luaopen_lines(lua_State *L) {
  if (lua_gethook(L)) return 0;
  atexit(write_all);
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, HOOKS);
  lua_getglobal(L, "debug");
  cll_setfuncs(L, (luaL_Reg[]){{"sethook", set_hook}, {"gethook", get_hook}, {NULL, NULL}});
  lua_sethook(L, note, LUA_MASKLINE, 0);
  return 0;
}
