// collide, MIT licence (see LICENSE)
//
// The page's Lua, with collide in it, for JavaScript to call: there is one in each worker.
// play.lua gives the functions that are called by name; what it draws lies in memory as numbers
// until the next call. See worker.js for the other side.

#include <emscripten.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

int luaopen_collide_core(lua_State *L);

/// Begins with the file at `path`; 0, or else the answer says what went wrong.
EMSCRIPTEN_KEEPALIVE int engine_open(const char *path);

/// Calls a function of play.lua with a text; 0, or else the answer says what went wrong.
EMSCRIPTEN_KEEPALIVE int engine_call(const char *name, const char *text);

/// What the last call returned, or raised; it stays until the next.
EMSCRIPTEN_KEEPALIVE const char *engine_answer(void);

/// What the last call has drawn, and how many numbers that is.
EMSCRIPTEN_KEEPALIVE const double *engine_drawn(void);
EMSCRIPTEN_KEEPALIVE size_t engine_drawn_count(void);

static struct {
  lua_State *L; ///< with the table of play.lua at 1, and above it the last answer
  double *drawn;
  size_t count, room;
} engine;

// Raises where there is no memory.
static void put(lua_State *L, double number) {
  if (engine.count == engine.room) {
    size_t room = engine.room ? 2 * engine.room : 4096;
    double *drawn = realloc(engine.drawn, room * sizeof *drawn);
    if (!drawn) luaL_error(L, "not enough memory for the picture");
    engine.drawn = drawn;
    engine.room = room;
  }
  engine.drawn[engine.count++] = number;
}

// Puts the numbers of a list, the bytes of a text, or a number.
static void put_argument(lua_State *L, int index) {
  int type = lua_type(L, index);
  if (type == LUA_TTABLE) {
    size_t count = lua_rawlen(L, index);
    for (size_t k = 1; k <= count; k++) {
      lua_rawgeti(L, index, (lua_Integer)k);
      put(L, lua_tonumber(L, -1));
      lua_pop(L, 1);
    }
  } else if (type == LUA_TSTRING) {
    size_t count;
    const char *bytes = lua_tolstring(L, index, &count);
    for (size_t k = 0; k < count; k++) put(L, (unsigned char)bytes[k]);
  } else {
    put(L, luaL_checknumber(L, index));
  }
}

// A method of the brush: puts its command, how many numbers follow, and these. "fill" is 1 and
// "line" 0.
static int draw(lua_State *L) {
  int n = lua_gettop(L), first = 2;
  put(L, lua_tonumber(L, lua_upvalueindex(1)));
  size_t start = engine.count;
  put(L, 0);
  if (lua_toboolean(L, lua_upvalueindex(2))) put(L, *luaL_checkstring(L, first++) == 'f');
  for (int i = first; i <= n; i++) put_argument(L, i);
  engine.drawn[start] = (double)(engine.count - start - 1);
  return 0;
}

// command(number[, hasMode]) -> the method of a brush that draws by that command
static int command(lua_State *L) {
  lua_settop(L, 2);
  lua_pushcclosure(L, draw, 2);
  return 1;
}

// Runs the file that is argument 1, and leaves the table that it returns.
static int begin(lua_State *L) {
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_collide_core);
  lua_setfield(L, -2, "collide.core");
  lua_pop(L, 1);
  if (luaL_loadfile(L, luaL_checkstring(L, 1)) != LUA_OK) return lua_error(L);
  lua_pushcfunction(L, command);
  lua_call(L, 1, 1);
  return 1;
}

// Of the table at 1, function `name` with a text.
static int call(lua_State *L) {
  lua_getfield(L, 1, luaL_checkstring(L, 2));
  lua_insert(L, 3);
  lua_call(L, 1, 1);
  luaL_tolstring(L, -1, NULL);
  return 1;
}

int engine_open(const char *path) {
  engine.L = luaL_newstate();
  if (!engine.L) return LUA_ERRMEM;
  lua_pushcfunction(engine.L, begin);
  lua_pushstring(engine.L, path);
  return lua_pcall(engine.L, 1, 1, 0);
}

int engine_call(const char *name, const char *text) {
  lua_State *L = engine.L;
  engine.count = 0;
  lua_settop(L, 1);
  lua_pushcfunction(L, call);
  lua_pushvalue(L, 1);
  lua_pushstring(L, name);
  lua_pushstring(L, text);
  int status = lua_pcall(L, 3, 1, 0);
  fflush(stdout);
  return status;
}

const char *engine_answer(void) { return engine.L ? lua_tostring(engine.L, -1) : NULL; }

const double *engine_drawn(void) { return engine.drawn; }

size_t engine_drawn_count(void) { return engine.count; }
