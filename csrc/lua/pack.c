// collide, MIT licence (see LICENSE)
//
// Snapshots as strings. A string has a header: what it is, its version, and a checksum of all that
// follows. Then come the number of groups; the world and its pools, as the core writes them; for
// each live actor a byte that says whether its table has the place and angle that the world has,
// and these if not; and a list of Lua's values, each a tag and its contents, the same on every Lua.
// A string may hold anything: nothing is read beyond its end, and all of it is checked, so that
// damage is found before anything changes. Layer: lua.

#include "lua/binding.h"

#include "base/bytes.h"
#include "bullets/save.h"
#include "world/state.h"

// Stack indices of the values needed for writing: a list, a table of the numbers of actors, and the
// values that stand for nil and for no value at all.
typedef struct value_list {
  int list, numbers, nothing, left;
} value_list;

// Numbers are doubles; whole ones come back as integers where Lua has them.
enum { NIL, FALSE, TRUE, NUMBER, STRING, ACTOR, LEFT };

static bool is_whole(double v) { return fabs(v) <= CLL_MOST_EXACT && v == floor(v); }

// Whether it is a whole number beyond ±CLL_MOST_EXACT.
static bool is_beyond(double v) { return fabs(v) > CLL_MOST_EXACT && fabs(v) < INFINITY; }

// Whether the number on top is such a number.
static bool is_top_beyond(lua_State *L) {
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, -1)) {
    lua_Integer n = lua_tointeger(L, -1), most = (lua_Integer)CLL_MOST_EXACT;
    return n > most || n < -most;
  }
#endif
  return is_beyond(lua_tonumber(L, -1));
}

static void write_string(lua_State *L, cl_writer *w) {
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  cl_write_u8(w, STRING);
  cl_write_u32(w, (uint32_t)length);
  cl_write_bytes(w, text, length);
}

// The number of the actor on top; an actor without one counts as nil.
static void write_actor(lua_State *L, const value_list *v, cl_writer *w) {
  lua_pushvalue(L, -1);
  if (cll_rawget(L, v->numbers) == LUA_TNUMBER) {
    cl_write_u8(w, ACTOR);
    cl_write_u32(w, (uint32_t)lua_tonumber(L, -1));
  } else {
    cl_write_u8(w, NIL);
  }
  lua_pop(L, 1);
}

// Appends the first `count` values. Returns the place in the list of the first whole number beyond
// 2^53, if the writer is not loose; else 0.
static uint32_t write_values(lua_State *L, const value_list *v, uint32_t count, cl_writer *w) {
  cl_write_u32(w, count);
  for (uint32_t i = 1; i <= count; i++) {
    lua_rawgeti(L, v->list, (int)i);
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: cl_write_u8(w, lua_toboolean(L, -1) ? TRUE : FALSE); break;
    case LUA_TNUMBER:
      if (!w->loose && is_top_beyond(L)) return i;
      cl_write_u8(w, NUMBER);
      cl_write_f64(w, lua_tonumber(L, -1));
      break;
    case LUA_TSTRING: write_string(L, w); break;
    case LUA_TTABLE:
      if (lua_rawequal(L, -1, v->nothing)) cl_write_u8(w, NIL);
      else if (lua_rawequal(L, -1, v->left)) cl_write_u8(w, LEFT);
      else write_actor(L, v, w);
      break;
    default: cl_write_u8(w, NIL);
    }
    lua_pop(L, 1);
  }
  return 0;
}

// Pushes a value; for an actor, false, and its number goes into the table.
static void read_value(lua_State *L, const value_list *v, uint32_t i, cl_reader *r) {
  uint8_t tag = cl_read_u8(r);
  cl_read_check(r, tag <= LEFT);
  switch (tag) {
  case FALSE:
  case TRUE: lua_pushboolean(L, tag == TRUE); return;
  case NUMBER: {
    double number = cl_read_f64(r);
    cl_read_check(r, !is_beyond(number));
    bool negative = number == 0 && 1 / number < 0;
    if (is_whole(number) && !negative) cll_pushwhole(L, number);
    else lua_pushnumber(L, number);
    return;
  }
  case STRING: {
    uint32_t length = cl_read_count(r, 1);
    const uint8_t *text = cl_read_bytes(r, length);
    lua_pushlstring(L, text ? (const char *)text : "", text ? length : 0);
    return;
  }
  case ACTOR:
    cll_pushwhole(L, cl_read_u32(r));
    lua_rawseti(L, v->numbers, (int)i);
    lua_pushboolean(L, false);
    return;
  case LEFT: lua_pushvalue(L, v->left); return;
  default: lua_pushvalue(L, v->nothing);
  }
}

// Reads a list of values; the numbers of actors go into the table `numbers`, by their place in the
// list, which has false there. Returns the number of values.
static uint32_t read_values(lua_State *L, const value_list *v, cl_reader *r) {
  uint32_t count = cl_read_count(r, 1);
  for (uint32_t i = 1; i <= count && !r->bad; i++) {
    read_value(L, v, i, r);
    lua_rawseti(L, v->list, (int)i);
  }
  return count;
}

enum { VERSION = 1, MAGIC_SIZE = 8, HEADER_SIZE = MAGIC_SIZE + 4 + 8 };
static const char magic[MAGIC_SIZE] = "collide\x1a";

enum { PLACE_FLAGS = CLL_ODD_PLACE | CLL_HAS_ANGLE | CLL_ODD_ANGLE };

static uint64_t checksum(const uint8_t *at, size_t count) {
  uint64_t hash = CL_HASH_BEGIN;
  for (size_t i = 0; i < count; i++) hash = cl_hash_word(hash, at[i]);
  return cl_hash_end(hash);
}

// Pushes a userdata and returns its memory, which the collector frees with it.
static void *push_scratch(lua_State *L, size_t count, size_t size) {
  return memset(lua_newuserdata(L, (count + 1) * size), 0, (count + 1) * size);
}

// A writer whose bytes a garbage collection frees, if they have not been freed before.
#define WRITER "collide.core.writer"
static int writer_gc(lua_State *L) {
  cl_writer *w = luaL_checkudata(L, 1, WRITER);
  CL_FREE(&w->alloc, w->at, w->cap);
  w->at = NULL;
  w->cap = 0;
  return 0;
}

static cl_writer *push_writer(lua_State *L, bool loose) {
  cl_writer *w = lua_newuserdata(L, sizeof *w);
  *w = (cl_writer){.alloc = cl_alloc_default(), .loose = loose};
  luaL_getmetatable(L, WRITER);
  lua_setmetatable(L, -2);
  return w;
}

// Writes the x, y and angle of tables that differ from the world's. It leaves out whether they were
// integers, so the bytes are the same on every Lua.
static void write_places(const cll_snapshot *s, cl_writer *w) {
  const double *odd = s->number;
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    if (!cl_snapshot_has(s->world, slot)) continue;
    unsigned flag = s->flag[slot] & PLACE_FLAGS;
    cl_write_u8(w, flag);
    int count = (flag & CLL_ODD_PLACE ? 2 : 0) + (flag & CLL_ODD_ANGLE ? 1 : 0);
    for (int i = 0; i < count; i++) cl_write_f64(w, *odd++);
  }
}

// core.numbered(snapshot, named) -> a list by slot of the numbers of actors in the bytes, or false,
// and one of the groups, of the first `named`, to distinguish
static int snapshot_numbered(lua_State *L) {
  const cll_snapshot *s = cll_check_snapshot(L, 1);
  unsigned named = (unsigned)luaL_checkinteger(L, 2);
  luaL_argcheck(L, named <= CL_MAX_GROUPS, 2, "too many groups");
  uint32_t *number = push_scratch(L, s->slots, sizeof *number);
  cl_snapshot_number(s->world, number);
  lua_createtable(L, (int)s->slots, 0);
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    if (number[slot] == CL_NOBODY) lua_pushboolean(L, false);
    else lua_pushinteger(L, (lua_Integer)number[slot]);
    lua_rawseti(L, -2, (int)slot + 1);
  }
  uint64_t groups = cl_snapshot_groups(s->world, named, number);
  lua_newtable(L);
  for (unsigned g = 0, n = 0; g < named; g++) {
    if (!(groups >> g & 1)) continue;
    lua_pushinteger(L, (lua_Integer)g);
    lua_rawseti(L, -2, (int)++n);
  }
  return 2;
}

static unsigned read_group_list(lua_State *L, int index, uint8_t group[CL_MAX_GROUPS]) {
  luaL_checktype(L, index, LUA_TTABLE);
  size_t count = cll_rawlen(L, index);
  luaL_argcheck(L, count <= CL_MAX_GROUPS, index, "too many groups");
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    lua_Integer g = lua_tointeger(L, -1);
    luaL_argcheck(L, g >= 0 && g < CL_MAX_GROUPS, index, "no such group");
    group[i] = (uint8_t)g;
    lua_pop(L, 1);
  }
  return (unsigned)count;
}

// The ends of the parts that write_core writes: those of the world, then pools, and places.
enum { END_POOLS = CL_PACK_PARTS, END_PLACES, ENDS };

// Writes all but the values; scratch stays on the stack.
static void write_core(lua_State *L, cll_snapshot *s, const uint8_t *order, unsigned groups,
                       cl_writer *w, size_t end[ENDS]) {
  uint32_t *number = push_scratch(L, s->slots, sizeof *number);
  uint64_t hash;
  cl_snapshot_number(s->world, number);
  cl_write_u8(w, groups);
  w->number = number;
  if (cl_snapshot_write(s->world, groups, order, w, &hash, end) != CL_OK) cll_no_memory(L);
  cl_bullets_snapshot_write(s->pools, hash, s->world, w);
  end[END_POOLS] = w->count;
  write_places(s, w);
  end[END_PLACES] = w->count;
  if (w->status != CL_OK) cll_no_memory(L);
}

// core.pack(snapshot, groups, list, count, numbers, nothing, left, loose) -> string; with `loose`
// the digits of a hash instead; or nil and the place in the list of a whole number that is too
// large
static int snapshot_pack(lua_State *L) {
  cll_snapshot *s = cll_check_snapshot(L, 1);
  uint8_t order[CL_MAX_GROUPS];
  unsigned groups = read_group_list(L, 2, order);
  uint32_t count = (uint32_t)luaL_checkinteger(L, 4);
  const value_list values = {3, 5, 6, 7};
  bool loose = lua_toboolean(L, 8);
  size_t end[ENDS];
  cl_writer *w = push_writer(L, loose);
  cl_write_bytes(w, magic, MAGIC_SIZE);
  cl_write_u32(w, VERSION);
  cl_write_u64(w, 0); // the checksum, written when all is there
  write_core(L, s, order, groups, w, end);
  uint32_t beyond = write_values(L, &values, count, w);
  if (beyond) {
    lua_pushnil(L);
    lua_pushinteger(L, (lua_Integer)beyond);
    return 2;
  }
  if (w->status != CL_OK) return cll_no_memory(L);
  uint64_t sum = checksum(w->at + HEADER_SIZE, w->count - HEADER_SIZE);
  if (loose) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)sum);
    lua_pushstring(L, digits);
    return 1;
  }
  cl_writer header = *w;
  header.count = HEADER_SIZE - sizeof sum;
  cl_write_u64(&header, sum);
  lua_pushlstring(L, (const char *)w->at, w->count);
  return 1;
}

// core.compare(a, groupsA, b, groupsB) -> the first part that differs: "actors", "rules",
// "contacts", "cells", "pools" or "places"; nil when all are equal
static int snapshot_compare(lua_State *L) {
  static const char *const names[ENDS] = {"actors", "rules", "contacts",
                                          "cells",  "pools", "places"};
  cl_writer *w[2];
  size_t end[2][ENDS], begin = 0;
  for (int i = 0; i < 2; i++) {
    cll_snapshot *s = cll_check_snapshot(L, 2 * i + 1);
    uint8_t order[CL_MAX_GROUPS];
    unsigned groups = read_group_list(L, 2 * i + 2, order);
    w[i] = push_writer(L, true);
    write_core(L, s, order, groups, w[i], end[i]);
  }
  for (int part = 0; part < ENDS; part++) {
    size_t size = end[0][part] - begin;
    if (end[1][part] != end[0][part] || memcmp(w[0]->at + begin, w[1]->at + begin, size) != 0) {
      lua_pushstring(L, names[part]);
      return 1;
    }
    begin = end[0][part];
  }
  return 0;
}

// Reads the places in the actors' tables into the arrays of a snapshot.
static void read_places(lua_State *L, cll_snapshot *s, cl_reader *r) {
  cl_alloc alloc = cll_alloc(L);
  s->place = cl_snapshot_places(s->world, &s->angle, &s->slots);
  s->numbers = 0;
  if (CL_RESERVE(&alloc, s->flag, s->flag_cap, s->slots) != CL_OK) cll_no_memory(L);
  for (uint32_t slot = 0; slot < s->slots && !r->bad; slot++) {
    if (!cl_snapshot_has(s->world, slot)) continue;
    unsigned flag = s->flag[slot] = cl_read_u8(r);
    cl_read_check(r, !(flag & ~(unsigned)PLACE_FLAGS));
    cl_read_check(r, !(flag & CLL_ODD_ANGLE) || flag & CLL_HAS_ANGLE);
    if (s->numbers + 3 > s->number_room) cll_snapshot_grow(L, s);
    for (int i = 0; i < 2 && flag & CLL_ODD_PLACE; i++) {
      double v = s->number[s->numbers++] = cl_read_f64(r);
      cl_read_check(r, fabs(v) <= CL_MAX_COORD);
    }
    if (!(flag & CLL_ODD_ANGLE)) continue;
    double v = s->number[s->numbers++] = cl_read_f64(r);
    cl_read_check(r, fabs(v) <= CL_MAX_ANGLE);
  }
}

static cl_status read_core(lua_State *L, cll_snapshot *s, cl_reader *r, unsigned *groups) {
  *groups = cl_read_u8(r);
  if (!cl_read_check(r, *groups <= CL_MAX_GROUPS)) return CL_INVALID;
  cl_status status = cl_snapshot_read(r, *groups, s->world);
  if (status != CL_OK) return status;
  status = cl_bullets_snapshot_read(r, s->world, s->pools);
  if (status == CL_OK) read_places(L, s, r);
  return status;
}

// core.unpack(snapshot, string, list, numbers, nothing, left) -> how many values there are in
// `list`, groups, and actors; or nil and "foreign", "newer" or "damaged"
static int snapshot_unpack(lua_State *L) {
  cll_snapshot *s = cll_check_snapshot(L, 1);
  size_t length;
  const uint8_t *text = (const uint8_t *)luaL_checklstring(L, 2, &length);
  const value_list values = {3, 4, 5, 6};
  cl_reader r = {text, length, false};
  const uint8_t *begin = cl_read_bytes(&r, MAGIC_SIZE);
  const char *what = NULL;
  if (!begin || memcmp(begin, magic, MAGIC_SIZE) != 0) what = "foreign";
  if (!what && cl_read_u32(&r) > VERSION && !r.bad) what = "newer";
  uint64_t sum = cl_read_u64(&r);
  if (!what && sum != checksum(r.at, r.left)) what = "damaged";
  unsigned groups = 0;
  cl_status status = what ? CL_INVALID : read_core(L, s, &r, &groups);
  if (status == CL_NOMEM) return cll_no_memory(L);
  uint32_t count = status == CL_OK ? read_values(L, &values, &r) : 0;
  if (status != CL_OK || r.bad || r.left > 0) {
    lua_pushnil(L);
    lua_pushstring(L, what ? what : "damaged");
    return 2;
  }
  lua_pushinteger(L, (lua_Integer)count);
  lua_pushinteger(L, (lua_Integer)groups);
  lua_pushinteger(L, (lua_Integer)s->slots);
  return 3;
}

// core.entry(snapshot, slot) -> group, static, sensor, oneWay, swept and x, y, angle as in the
// world; nothing for a removed actor
static int snapshot_entry(lua_State *L) {
  const cll_snapshot *s = cll_check_snapshot(L, 1);
  lua_Integer slot = luaL_checkinteger(L, 2) - 1;
  luaL_argcheck(L, slot >= 0 && slot < (lua_Integer)s->slots, 2, "no such slot");
  cl_roster_entry entry = cl_snapshot_entry(s->world, (uint32_t)slot);
  if (!(entry.state & CL_LIVE)) return 0;
  lua_pushinteger(L, entry.group);
  lua_pushboolean(L, entry.state & CL_STATIC);
  lua_pushboolean(L, entry.state & CL_SENSOR);
  lua_pushboolean(L, entry.state & CL_ONE_WAY);
  lua_pushboolean(L, entry.state & CL_SWEPT);
  cl_vec at = s->place[slot];
  return 5 + cll_push_numbers(L, 3, (const double[]){at.x, at.y, s->angle ? s->angle[slot] : 0});
}

// core.touches(snapshot) -> whether sharing only a boundary was a hit
static int snapshot_touches(lua_State *L) {
  lua_pushboolean(L, cl_snapshot_touching(cll_check_snapshot(L, 1)->world));
  return 1;
}

// core.poolAt(snapshot, i) -> capacity, radius, whether there is a lifetime; nothing after the last
static int snapshot_pool_at(lua_State *L) {
  const cll_snapshot *s = cll_check_snapshot(L, 1);
  uint32_t i = (uint32_t)luaL_checkinteger(L, 2) - 1;
  if (i >= cl_bullets_snapshot_pools(s->pools)) return 0;
  cl_bullets_def def = cl_bullets_snapshot_def(s->pools, i);
  lua_pushinteger(L, (lua_Integer)def.capacity);
  lua_pushnumber(L, def.radius);
  lua_pushboolean(L, def.lifetime < INFINITY);
  return 3;
}

// core.complete(snapshot, shapes, groups, pools) -> true; or nil, "shape" or "pool", and the slot
// or number of the first that differs from the snapshot; or nil and "grids", if the tiles have too
// few of them. `shapes` by slot, `groups` has the numbers of the snapshot's groups in the world,
// `pools` the tables of the pools.
static int snapshot_complete(lua_State *L) {
  cll_snapshot *s = cll_check_snapshot(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 4, LUA_TTABLE);
  uint8_t group[CL_MAX_GROUPS];
  unsigned groups = read_group_list(L, 3, group);
  cl_shape **shape = push_scratch(L, s->slots, sizeof *shape);
  for (uint32_t slot = 0; slot < s->slots; slot++) {
    lua_rawgeti(L, 2, (int)slot + 1);
    shape[slot] = cll_to_shape(L, -1);
    lua_pop(L, 1);
    bool live = cl_snapshot_has(s->world, slot);
    luaL_argcheck(L, live == (shape[slot] != NULL), 2, "shapes of the live expected");
  }
  cl_status status = CL_OK;
  uint32_t at = 0;
  const char *what = "pool";
  for (uint32_t i = 0; i < cl_bullets_snapshot_pools(s->pools) && status == CL_OK; i++) {
    lua_rawgeti(L, 4, (int)(at = i) + 1);
    cl_bullets_def def = cl_bullets_def_of(cll_pool_in(L, -1)->pool);
    status = cl_bullets_snapshot_set_pool(s->pools, i, &def);
    lua_pop(L, 1);
  }
  if (status == CL_OK) {
    what = "shape";
    status = cl_snapshot_set_shapes(s->world, shape, &at);
    if (at == CL_NOBODY) what = "grids";
  }
  if (status == CL_NOMEM) return cll_no_memory(L);
  lua_pushnil(L);
  lua_pushstring(L, what);
  lua_pushinteger(L, (lua_Integer)at + 1);
  if (status != CL_OK) return 3;
  cl_snapshot_set_groups(s->world, groups, group);
  lua_pushboolean(L, true);
  return 1;
}

void cll_open_pack(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"compare", snapshot_compare}, {"numbered", snapshot_numbered}, {"pack", snapshot_pack},
      {"unpack", snapshot_unpack},   {"touches", snapshot_touches},   {"entry", snapshot_entry},
      {"poolAt", snapshot_pool_at},  {"complete", snapshot_complete}, {NULL, NULL},
  };
  luaL_newmetatable(L, WRITER);
  lua_pushcfunction(L, writer_gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  cll_setfuncs(L, functions);
}
