// collide, MIT licence (see LICENSE)
//
// Classes of userdata: their metatables, the account of their memory, and the checks at the start
// of methods. Layer: lua.

#include "lua/binding.h"

#include "base/alloc.h"

// The bytes that the collector does not know of yet. It is in the registry.
typedef struct account {
  int64_t owed;
} account;

#define ACCOUNT "collide.account"

// Fewer bytes than LEAST are not reported yet. On Lua 5.1, 5.2 and LuaJIT bytes are reported by
// making garbage, because their lua_gc would start a stopped collector or do more than asked:
// blocks of BLOCK bytes, each of which triggers a step, or MOST larger ones, which cause the same
// work a little later. More than LARGEST at once would be more than one cycle anyway.
enum { LEAST = 16 * 1024, BLOCK = 1024, MOST = 4096, LARGEST = 64 * 1024 * 1024 };

// lua_gc's option that asks whether the collector runs. Lua 5.1 does not have it, and returns -1;
// LuaJIT has it, but does not name it.
#ifdef LUA_GCISRUNNING
enum { IS_RUNNING = LUA_GCISRUNNING };
#else
enum { IS_RUNNING = 9 };
#endif

static account *account_of(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, ACCOUNT);
  account *a = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return a;
}

static void open_account(lua_State *L) {
  if (account_of(L)) return;
  account *a = lua_newuserdata(L, sizeof *a);
  a->owed = 0;
  lua_setfield(L, LUA_REGISTRYINDEX, ACCOUNT);
}

static void *resize(void *user, void *p, size_t old, size_t size) {
  cl_alloc alloc = cl_alloc_default();
  void *to = alloc.resize(alloc.user, p, old, size);
  account *a = user;
  if (to || size == 0) a->owed += (int64_t)size - (int64_t)old;
  return to;
}

cl_alloc cll_alloc(lua_State *L) { return (cl_alloc){resize, account_of(L)}; }

static void tell_collector(lua_State *L, account *a) {
  int64_t owed = a->owed;
  if (owed < LEAST) return;
  a->owed = 0;
  if (lua_gc(L, IS_RUNNING, 0) == 0) return;
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, (size_t)owed);
#elif LUA_VERSION_NUM >= 503
  lua_gc(L, LUA_GCSTEP, (int)(owed / 1024));
#else
  if (owed > LARGEST) owed = LARGEST;
  int64_t blocks = owed / BLOCK < MOST ? owed / BLOCK : MOST;
  for (int64_t i = 0; i < blocks; i++) {
    lua_newuserdata(L, (size_t)(owed / blocks));
    lua_pop(L, 1);
  }
#endif
}

// The __gc of a class, whose own `gc` is upvalue 1. The collector already knows of the bytes that
// it frees.
static int collect(lua_State *L) {
  account *a = lua_touserdata(L, lua_upvalueindex(2));
  lua_CFunction gc = lua_tocfunction(L, lua_upvalueindex(1));
  int64_t owed = a->owed;
  int results = gc(L);
  a->owed = owed;
  return results;
}

// Fills the metatable on top of the stack for objects with the name `name` in messages and the
// methods at `methods`.
static void fill_metatable(lua_State *L, const char *name, int methods) {
  lua_pushvalue(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
}

void cll_begin_class(lua_State *L, const char *name) {
  luaL_newmetatable(L, name);
  lua_newtable(L);
}

void cll_set_methods(lua_State *L, const luaL_Reg *reg, int metatable) {
  for (; reg->name; reg++) {
    lua_pushvalue(L, metatable);
    lua_pushcclosure(L, reg->func, 1);
    lua_setfield(L, -2, reg->name);
  }
}

void cll_end_class(lua_State *L, const char *name, lua_CFunction gc, lua_CFunction tostring) {
  int methods = lua_gettop(L);
  lua_pushvalue(L, -2); /* stack: … metatable methods metatable */
  fill_metatable(L, name, methods);
  open_account(L);
  lua_pushcfunction(L, gc);
  lua_pushlightuserdata(L, account_of(L));
  lua_pushcclosure(L, collect, 2);
  lua_setfield(L, -2, "__gc");
  if (tostring) {
    lua_pushcfunction(L, tostring);
    lua_setfield(L, -2, "__tostring");
  }
  // The metatable of collected objects: their methods are still found, and raise.
  lua_newtable(L); /* stack: … metatable methods metatable collected */
  fill_metatable(L, CLL_COLLECTED, methods);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 3);
}

void *cll_push_object(lua_State *L, const char *name, size_t size) {
  tell_collector(L, account_of(L));
  void *object = memset(lua_newuserdata(L, size), 0, size);
  luaL_getmetatable(L, name);
  lua_setmetatable(L, -2);
  return object;
}

void *cll_collect(lua_State *L, const char *name) {
  void *object = luaL_checkudata(L, 1, name);
  lua_getmetatable(L, 1);
  lua_rawgeti(L, -1, 1);
  lua_setmetatable(L, 1);
  return object;
}

cl_shape **cll_push_shape(lua_State *L) {
  return cll_push_object(L, CLL_SHAPE, sizeof(cl_shape *));
}

cl_shape *cll_check_shape(lua_State *L, int index) {
  cl_shape *shape = cll_to_shape(L, index);
  if (!shape) luaL_argerror(L, index, "shape expected");
  return shape;
}

cl_placed cll_check_placed(lua_State *L, int index) {
  const cl_shape *shape = cll_check_shape(L, index);
  double x = luaL_checknumber(L, index + 1), y = luaL_checknumber(L, index + 2);
  return cl_place(shape, x, y, luaL_checknumber(L, index + 3));
}

cll_snapshot *cll_check_snapshot(lua_State *L, int index) {
  cll_snapshot *s = cll_to_object(L, index, CLL_SNAPSHOT);
  if (!s || !s->pools) cll_error(L, "attempt to use a snapshot that has been collected");
  return s;
}
