// collide, MIT licence (see LICENSE)
//
// Snapshots: takes them of the core's state and restores them; reads x, y, angle and the named
// fields of the actors' tables into them and writes them back, as lua/collide/ffi/fields.lua does.
// Layer: lua.

#include "lua/binding.h"

#include "base/alloc.h"
#include "bullets/save.h"
#include "world/state.h"

// core.newSnapshot() -> userdata
static int snapshot_new(lua_State *L) {
  cl_alloc alloc = cll_alloc(L);
  cll_snapshot *s = cll_push_object(L, CLL_SNAPSHOT, sizeof *s);
  s->world = cl_snapshot_new(&alloc);
  if (s->world) s->pools = cl_bullets_snapshot_new(&alloc);
  return s->pools ? 1 : cll_no_memory(L);
}

static int snapshot_gc(lua_State *L) {
  cll_snapshot *s = cll_collect(L, CLL_SNAPSHOT);
  cl_alloc alloc = cll_alloc(L);
  if (s->world) cl_snapshot_free(s->world);
  if (s->pools) cl_bullets_snapshot_free(s->pools);
  CL_FREE(&alloc, s->flag, s->flag_cap);
  CL_FREE(&alloc, s->number, s->number_cap);
  *s = (cll_snapshot){0};
  return 0;
}

void cll_snapshot_grow(lua_State *L, cll_snapshot *s) {
  enum { MORE = 3 }; // x, y and angle
  cl_alloc alloc = cll_alloc(L);
  if (CL_RESERVE(&alloc, s->number, s->number_cap, (size_t)s->numbers + MORE) != CL_OK) {
    cll_no_memory(L);
  }
  s->number_room = (uint32_t)s->number_cap;
}

// snapshot:grow(): room for more numbers
static int snapshot_grow(lua_State *L) {
  cll_snapshot_grow(L, cll_check_snapshot(L, 1));
  return 0;
}

// snapshot:bytes() -> how many bytes it takes, without the parts that snapshots share
static int snapshot_bytes(lua_State *L) {
  const cll_snapshot *s = cll_check_snapshot(L, 1);
  size_t bytes = cl_snapshot_bytes(s->world) + cl_bullets_snapshot_bytes(s->pools) + s->flag_cap +
                 s->number_cap * sizeof *s->number;
  cll_pushwhole(L, (double)bytes);
  return 1;
}

// -> a number that stays the same until an actor is added, removed or refreshed
static int world_snapshot(lua_State *L, const cll_call *call) {
  cll_world *c = call->core;
  cll_snapshot *s = cll_check_snapshot(L, 2);
  cl_alloc alloc = cll_alloc(L);
  if (CL_RESERVE_NEAR(&alloc, s->flag, s->flag_cap, c->io.slots) != CL_OK ||
      cl_pools_snapshot(c->pools, s->pools) != CL_OK ||
      cl_world_snapshot(c->world, c->dispatched, s->world) != CL_OK) {
    return cll_no_memory(L);
  }
  s->place = cl_snapshot_places(s->world, &s->angle, &s->slots);
  s->numbers = 0;
  lua_pushnumber(L, (double)cl_world_edits(c->world));
  return 1;
}

// Appends the pools of the tables in the list at `index` to `pool`, which has `from`. A game may
// have changed the tables: raises unless these are pools of this world, each there only once.
static void read_pools(lua_State *L, const cll_world *c, int index, cll_bullets **pool, size_t from,
                       size_t count) {
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    cll_bullets *b = cll_pool_in(L, -1);
    bool sound = b && b->world == &c->world;
    for (size_t k = 0; k < from + i && sound; k++) sound = pool[k] != b;
    if (!sound) cll_error(L, "a pool has lost its bullets");
    pool[from + i] = b;
    lua_pop(L, 1);
  }
}

static void remove_pool(cll_bullets *b) {
  if (b->pool) cl_bullets_free(b->pool);
  b->pool = NULL;
}

// -> like core:snapshot. `pools` has the snapshot's pools in order, `others` the pools to remove.
// Pools that have been removed since are added again, empty. If it runs out of memory, nothing has
// changed.
static int world_restore(lua_State *L, const cll_call *call) {
  cll_world *c = call->core;
  cll_snapshot *s = cll_check_snapshot(L, 2);
  uint32_t count = cl_bullets_snapshot_pools(s->pools), revived = 0;
  size_t others = cll_rawlen(L, 4);
  luaL_argcheck(L, cll_rawlen(L, 3) == count, 3, "as many pools expected");
  cl_bullets **order = lua_newuserdata(L, (count + 1) * sizeof *order);
  cll_bullets **again = lua_newuserdata(L, (count + 1) * sizeof *again);
  cll_bullets **pool = lua_newuserdata(L, (count + others + 1) * sizeof *pool);
  read_pools(L, c, 3, pool, 0, count);
  read_pools(L, c, 4, pool, count, others);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t capacity = cl_bullets_snapshot_def(s->pools, i).capacity;
    if (pool[i]->pool && cl_bullets_def_of(pool[i]->pool).capacity != capacity)
      cll_error(L, "a pool has lost its bullets");
  }
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    cll_bullets *b = pool[i];
    if (!b->pool) {
      cl_bullets_def def = cl_bullets_snapshot_def(s->pools, i);
      status = cl_bullets_new(c->pools, &def, &b->pool);
      if (status == CL_OK) again[revived++] = b;
    }
    order[i] = b->pool;
  }
  double dispatched;
  if (status == CL_OK) status = cl_pools_restore_reserve(c->pools, s->pools, order);
  if (status == CL_OK) status = cl_world_restore(c->world, s->world, &dispatched);
  if (status != CL_OK) {
    while (revived > 0) remove_pool(again[--revived]);
    return cll_no_memory(L);
  }
  for (size_t i = 0; i < others; i++) remove_pool(pool[count + i]);
  cl_pools_restore(c->pools, s->pools, order);
  c->dispatched = dispatched;
  lua_pushnumber(L, (double)cl_world_edits(c->world));
  return 1;
}

// -> the present value of that number
static int world_edits(lua_State *L, const cll_call *c) {
  lua_pushnumber(L, (double)cl_world_edits(c->world));
  return 1;
}

// The first arguments of both functions: `actors` by slot, the names under which the world reads
// them, a list of the requested keys, and their values by slot, key after key. In the values,
// `nothing` stands for nil, and `left` for values that the actor's own `toSnapshot` handles. The
// stack continues with the names by which the world reads an actor, then the table with the present
// actor's place, if that is a separate table, the present actor, and the requested keys.
enum { CORE = 1, SNAPSHOT, ACTORS, NAMES, KEYS, VALUES, NOTHING, LEFT, OWN, OTHER, STATED, KEY_X };
enum { KEY_Y = KEY_X + 1, KEY_ANGLE, KEY_SAVE, KEY_SHAPE, KEY_GROUP, KEY_STATIC, KEY_SENSOR };
enum { KEY_ONE_WAY = KEY_SENSOR + 1, KEY_SWEPT, KEY_AT, HOLDER, ACTOR };

// The last arguments, which differ between the two. STATED has the CLL_STATES_ of each slot.
// RANDOMS lists generators of random numbers, with their metatable at 0.
enum { SLOTS = OWN, SAVERS = OTHER, RANDOMS = STATED, SHAPES = OWN, GROUPS = OTHER };

// Pushes all keys, and a place for the actor. Returns the number of requested keys.
static int push_keys(lua_State *L) {
  static const char *const names[HOLDER - KEY_X] = {"x",      "y",     "angle",  "toSnapshot",
                                                    "shape",  "group", "static", "sensor",
                                                    "oneWay", "swept", "at"};
  int keys = (int)cll_rawlen(L, KEYS);
  lua_settop(L, STATED);
  if (!lua_checkstack(L, LUA_MINSTACK + keys)) cll_no_memory(L);
  for (int i = 0; i < HOLDER - KEY_X; i++) lua_getfield(L, NAMES, names[i]);
  lua_pushnil(L);
  lua_pushnil(L);
  for (int k = 1; k <= keys; k++) lua_rawgeti(L, KEYS, k);
  return keys;
}

// Puts the actor of a slot in its place, with nothing above the keys; returns false if there is
// none. Without keys its place is on top, which is faster.
static bool take_actor(lua_State *L, uint32_t slot, int keys) {
  lua_settop(L, keys > 0 ? ACTOR + keys : ACTOR - 1);
  lua_rawgeti(L, ACTORS, (int)slot + 1);
  bool live = lua_istable(L, -1);
  if (keys > 0) lua_replace(L, ACTOR);
  return live;
}

static bool is_integer(lua_State *L) {
#if LUA_VERSION_NUM >= 503
  return lua_isinteger(L, -1);
#else
  (void)L;
  return false;
#endif
}

static bool is_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

// Whether the value on top, of this type, is a number within ±most. Writes it to `to`.
static bool read_number(lua_State *L, int type, double most, double *to, uint8_t *flag,
                        uint8_t integer) {
  if (!cll_within(L, -1, type, most, to)) return false;
  if (is_integer(L)) *flag |= integer;
  return true;
}

static void add_number(lua_State *L, cll_snapshot *s, double v) {
  if (s->numbers == s->number_room) cll_snapshot_grow(L, s);
  s->number[s->numbers++] = v;
}

// Finds the table with the actor's place: the actor, or with `inside` the table in its field `at`.
// Returns the index of the table; 0 if the field has none, with its value on top.
static int find_holder(lua_State *L, bool inside) {
  if (!inside) return ACTOR;
  if (cll_gettable(L, ACTOR, KEY_AT) != LUA_TTABLE) return 0;
  lua_replace(L, HOLDER);
  return HOLDER;
}

// Reads x, y and angle of the actor. Returns 0, or the index of the key with a bad value, which is
// then on top.
static int read_place(lua_State *L, cll_snapshot *s, uint32_t slot, bool inside) {
  double x, y, angle;
  uint8_t flag = 0;
  int holder = find_holder(L, inside);
  if (!holder) return KEY_AT;
  int type = cll_gettable(L, holder, KEY_X);
  if (!read_number(L, type, CL_MAX_COORD, &x, &flag, CLL_INTEGER_X)) return KEY_X;
  type = cll_gettable(L, holder, KEY_Y);
  if (!read_number(L, type, CL_MAX_COORD, &y, &flag, CLL_INTEGER_Y)) return KEY_Y;
  if (!is_same(x, s->place[slot].x) || !is_same(y, s->place[slot].y)) {
    flag |= CLL_ODD_PLACE;
    add_number(L, s, x);
    add_number(L, s, y);
  }
  type = lua_toboolean(L, KEY_ANGLE) ? cll_gettable(L, holder, KEY_ANGLE) : LUA_TNIL;
  if (type != LUA_TNIL) {
    if (!read_number(L, type, CL_MAX_ANGLE, &angle, &flag, CLL_INTEGER_ANGLE)) return KEY_ANGLE;
    flag |= CLL_HAS_ANGLE;
    if (!is_same(angle, s->angle ? s->angle[slot] : 0)) {
      flag |= CLL_ODD_ANGLE;
      add_number(L, s, angle);
    }
  }
  s->flag[slot] = flag;
  return 0;
}

// Whether the table on top is a generator; then lists it. Their number so far is `*randoms`.
static bool list_random(lua_State *L, int *randoms) {
  if (!lua_getmetatable(L, -1)) return false;
  lua_rawgeti(L, RANDOMS, 0);
  bool is_one = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  if (!is_one) return false;
  lua_pushvalue(L, -1);
  lua_rawseti(L, RANDOMS, ++*randoms);
  return true;
}

// Whether a snapshot can hold the value on top, which is of this type.
static bool is_held(lua_State *L, int type, int *randoms) {
  if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN) return true;
  if (type != LUA_TTABLE) return false;
  lua_pushvalue(L, -1);
  bool held = cll_rawget(L, SLOTS) != LUA_TNIL;
  lua_pop(L, 1);
  return held || list_random(L, randoms);
}

// Reads the named fields. Returns 0, or the index of the key with a bad value, which is then on
// top.
static int read_fields(lua_State *L, const cll_snapshot *s, uint32_t slot, int keys, bool saver,
                       int *randoms) {
  lua_settop(L, ACTOR + keys);
  for (int k = 0; k < keys; k++) {
    int type = cll_gettable(L, ACTOR, ACTOR + 1 + k);
    if (type == LUA_TNIL || !is_held(L, type, randoms)) {
      if (type != LUA_TNIL && !saver) return ACTOR + 1 + k;
      lua_pop(L, 1);
      lua_pushvalue(L, type == LUA_TNIL ? NOTHING : LEFT);
    }
    lua_rawseti(L, VALUES, k * (int)s->slots + (int)slot + 1);
  }
  return 0;
}

static int tell_bad(lua_State *L, uint32_t slot, int key) {
  lua_pushnil(L);
  lua_pushinteger(L, (lua_Integer)slot + 1);
  lua_pushvalue(L, key);
  lua_pushvalue(L, -4);
  return 4;
}

// core.readFields(core, snapshot, actors, names, keys, values, nothing, left, slots, savers,
// randoms) -> the length of `savers`, to which it writes the slots of actors with a `toSnapshot`,
// and that of `randoms`; or nil, slot, key and value of the first bad field
static int read_all(lua_State *L) {
  cll_snapshot *s = cll_check_snapshot(L, SNAPSHOT);
  int keys = push_keys(L), savers = 0, randoms = 0;
  bool saves = lua_toboolean(L, KEY_SAVE), inside = lua_toboolean(L, KEY_AT);
  s->numbers = 0;
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    if (!take_actor(L, slot, keys)) continue; // removed
    int bad = read_place(L, s, slot, inside);
    if (bad) return tell_bad(L, slot, bad);
    bool saver = saves && cll_gettable(L, ACTOR, KEY_SAVE) != LUA_TNIL && lua_toboolean(L, -1);
    if (saver) {
      lua_pushinteger(L, (lua_Integer)slot + 1);
      lua_rawseti(L, SAVERS, ++savers);
    }
    bad = keys > 0 ? read_fields(L, s, slot, keys, saver, &randoms) : 0;
    if (bad) return tell_bad(L, slot, bad);
  }
  lua_pushinteger(L, savers);
  lua_pushinteger(L, randoms);
  return 2;
}

// t[key] = the value on top, popped; by __newindex if it has one.
static void write_in(lua_State *L, int t, int key) {
  lua_pushvalue(L, key);
  lua_insert(L, -2);
  if (!lua_getmetatable(L, t)) {
    lua_rawset(L, t);
    return;
  }
  lua_pop(L, 1);
  lua_settable(L, t);
}

static void write_field(lua_State *L, int key) { write_in(L, ACTOR, key); }

static void write_nil(lua_State *L, int key) {
  lua_pushnil(L);
  write_field(L, key);
}

static void write_number(lua_State *L, int holder, int key, double v, bool integer) {
  if (integer) cll_pushwhole(L, v);
  else lua_pushnumber(L, v);
  write_in(L, holder, key);
}

// The place of an actor as in its table. `*odd` is the next of the snapshot's odd numbers.
static cl_vec place_of(const cll_snapshot *s, uint32_t slot, const double **odd, double *angle) {
  uint8_t flag = s->flag[slot];
  cl_vec at = s->place[slot];
  *angle = s->angle ? s->angle[slot] : 0;
  if (flag & CLL_ODD_PLACE) {
    at = (cl_vec){(*odd)[0], (*odd)[1]};
    *odd += 2;
  }
  if (flag & CLL_ODD_ANGLE) *angle = *(*odd)++;
  return at;
}

static void write_place(lua_State *L, const cll_snapshot *s, uint32_t slot, const double **odd,
                        bool inside) {
  uint8_t flag = s->flag[slot];
  double angle;
  cl_vec at = place_of(s, slot, odd, &angle);
  int holder = find_holder(L, inside);
  if (!holder) luaL_error(L, "an actor has lost the table with its place");
  write_number(L, holder, KEY_X, at.x, flag & CLL_INTEGER_X);
  write_number(L, holder, KEY_Y, at.y, flag & CLL_INTEGER_Y);
  if (!lua_toboolean(L, KEY_ANGLE)) return;
  if (flag & CLL_HAS_ANGLE) {
    write_number(L, holder, KEY_ANGLE, angle, flag & CLL_INTEGER_ANGLE);
  } else if (cll_gettable(L, holder, KEY_ANGLE) != LUA_TNIL) {
    lua_pushnil(L);
    write_in(L, holder, KEY_ANGLE);
  }
}

// core.places(snapshot, list): writes x, y and angle as in the tables, or false, to the places 3 *
// slot - 2 and so on
static int snapshot_places(lua_State *L) {
  const cll_snapshot *s = cll_check_snapshot(L, 1);
  const double *odd = s->number;
  luaL_checktype(L, 2, LUA_TTABLE);
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    if (!(cl_snapshot_entry(s->world, slot).state & CL_LIVE)) continue;
    double angle;
    cl_vec at = place_of(s, slot, &odd, &angle);
    lua_pushnumber(L, at.x);
    lua_rawseti(L, 2, 3 * (int)slot + 1);
    lua_pushnumber(L, at.y);
    lua_rawseti(L, 2, 3 * (int)slot + 2);
    if (s->flag[slot] & CLL_HAS_ANGLE) lua_pushnumber(L, angle);
    else lua_pushboolean(L, false);
    lua_rawseti(L, 2, 3 * (int)slot + 3);
  }
  return 0;
}

static void write_fields(lua_State *L, const cll_snapshot *s, uint32_t slot, int keys) {
  for (int k = 0; k < keys; k++) {
    lua_settop(L, ACTOR + keys);
    lua_rawgeti(L, VALUES, k * (int)s->slots + (int)slot + 1);
    if (lua_rawequal(L, -1, LEFT)) continue;
    if (lua_rawequal(L, -1, NOTHING)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    write_field(L, ACTOR + 1 + k);
  }
}

static bool has_flag(lua_State *L, int key, bool value) {
  cll_gettable(L, ACTOR, key);
  bool same = lua_toboolean(L, -1) == value;
  lua_pop(L, 1);
  return same;
}

static bool is_stated(lua_State *L, uint32_t slot, int bit) {
  lua_rawgeti(L, STATED, (int)slot + 1);
  lua_Integer stated = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return stated & bit;
}

// Writes a flag that the world has read, unless the actor's field already means the same. False
// becomes nil, unless the field was false or the actor's class has another value.
static void write_flag(lua_State *L, int key, bool value, uint32_t slot, int bit) {
  if (!lua_toboolean(L, key) || has_flag(L, key, value)) return; // or never read
  if (!value && !is_stated(L, slot, bit)) write_nil(L, key);
  if (has_flag(L, key, value)) return;
  lua_pushboolean(L, value);
  write_field(L, key);
}

// The same for oneWay, which may be a table.
static bool has_look(lua_State *L, cl_vec look) {
  cl_vec has;
  cll_gettable(L, ACTOR, KEY_ONE_WAY);
  bool same = cll_to_one_way(L, lua_gettop(L), &has) && has.x == look.x && has.y == look.y;
  lua_pop(L, 1);
  return same;
}

static void write_one_way(lua_State *L, cl_vec look, uint32_t slot) {
  if (!lua_toboolean(L, KEY_ONE_WAY) || has_look(L, look)) return; // or never read
  bool none = look.x == 0 && look.y == 0;
  if (none && !is_stated(L, slot, CLL_STATES_ONE_WAY)) write_nil(L, KEY_ONE_WAY);
  if (has_look(L, look)) return;
  cll_push_one_way(L, look);
  write_field(L, KEY_ONE_WAY);
}

// Whether the actor is in the group on top.
static bool has_group(lua_State *L) {
  if (cll_gettable(L, ACTOR, KEY_GROUP) == LUA_TNIL) lua_pushliteral(L, "default");
  else lua_pushvalue(L, -1);
  bool same = lua_rawequal(L, -1, -3);
  lua_pop(L, 2);
  return same;
}

// The same for the group: "default" becomes nil.
static void write_group(lua_State *L, const cll_world *c, uint32_t slot) {
  if (!lua_toboolean(L, KEY_GROUP)) return;
  lua_rawgeti(L, GROUPS, cl_world_group(c->world, slot) + 1);
  if (has_group(L)) return;
  bool usual = !strcmp(lua_tostring(L, -1), "default");
  if (usual && !is_stated(L, slot, CLL_STATES_GROUP)) write_nil(L, KEY_GROUP);
  if (!has_group(L)) write_field(L, KEY_GROUP);
}

static void write_kind(lua_State *L, const cll_world *c, uint32_t slot) {
  cll_gettable(L, ACTOR, KEY_SHAPE);
  lua_rawgeti(L, SHAPES, (int)slot + 1);
  if (!lua_rawequal(L, -1, -2)) write_field(L, KEY_SHAPE);
  uint8_t state = c->io.state[slot];
  write_flag(L, KEY_STATIC, state & CL_STATIC, slot, CLL_STATES_STATIC);
  write_flag(L, KEY_SENSOR, state & CL_SENSOR, slot, CLL_STATES_SENSOR);
  write_flag(L, KEY_SWEPT, state & CL_SWEPT, slot, CLL_STATES_SWEPT);
  write_one_way(L, cl_world_actor(c->world, slot).one_way, slot);
  write_group(L, c, slot);
}

// For a world that has been restored; `shapes` by slot, `groups` are the names of groups by their
// numbers, from 1.
static int world_write_fields(lua_State *L, const cll_call *call) {
  const cll_world *c = call->core;
  const cll_snapshot *s = cll_check_snapshot(L, SNAPSHOT);
  int keys = push_keys(L);
  const double *odd = s->number;
  bool inside = lua_toboolean(L, KEY_AT);
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    if (!take_actor(L, slot, keys)) continue;
    write_place(L, s, slot, &odd, inside);
    write_kind(L, c, slot);
    write_fields(L, s, slot, keys);
  }
  return 0;
}

void cll_open_snapshot(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"grow", snapshot_grow}, {"bytes", snapshot_bytes}, {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"newSnapshot", snapshot_new},
      {"readFields", read_all},
      {"places", snapshot_places},
      {NULL, NULL},
  };
  cll_begin_class(L, CLL_SNAPSHOT); /* stack: … core metatable methods */
  cll_set_methods(L, methods, lua_gettop(L) - 1);
  cll_end_class(L, CLL_SNAPSHOT, snapshot_gc, NULL);
  cll_setfuncs(L, functions);
}

void cll_open_snapshot_methods(lua_State *L) { /* stack: … metatable methods */
  static const cll_function methods[] = {
      {world_snapshot, "snapshot", NULL, "snapshot:any"},
      {world_edits, "edits", NULL, ""},
      {world_write_fields, "writeFields", NULL,
       "snapshot:any actors:table names:table keys:table values:table nothing:table left:table "
       "shapes:table groups:table stated:table"},
      {world_restore, "restore", NULL, "snapshot:any pools:table others:table"},
      {NULL, NULL, NULL, NULL},
  };
  cll_set_functions(L, methods, cll_enter_core, lua_gettop(L) - 1);
}
