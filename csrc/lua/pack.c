// collide, MIT licence (see LICENSE)
//
// Snapshots as strings, and films, which hold many snapshots. A string has a header: its type, its
// version, and a checksum of the rest. Then come the number of groups; the world and its pools, as
// the core writes them; for each live actor a byte that says whether its table has the world's
// place and angle, and the table's if they differ; and a list of Lua values, each a tag and its
// contents, the same on every Lua. A string may hold anything: nothing is read beyond its end, and
// everything is checked, so that damage is found before anything changes. A film is such a header
// and a list of Lua values. Among them are strings for its shapes and, for each frame, the
// difference between its snapshot's string and the previous frame's (base/delta.h). Layer: lua.

#include "lua/binding.h"

#include "base/delta.h"
#include "bullets/save.h"
#include "geom/saved.h"
#include "world/state.h"

// Stack indices of the values needed for writing: a list; a table with the numbers of actors and,
// after these, of random generators; and the values that stand for nil and for no value at all.
typedef struct value_list {
  int list, numbers, nothing, left;
} value_list;

// Numbers are doubles; whole ones come back as integers where Lua has them.
enum { NIL, FALSE, TRUE, NUMBER, STRING, ACTOR, LEFT };

static bool is_whole(double v) { return fabs(v) <= CLL_MOST_EXACT && v == floor(v); }

// Whether it is a whole number beyond ±CLL_MOST_EXACT.
static bool is_beyond(double v) { return fabs(v) > CLL_MOST_EXACT && fabs(v) < INFINITY; }

// The same for the number on top.
static bool is_top_beyond(lua_State *L) {
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, -1)) {
    lua_Integer n = lua_tointeger(L, -1), most = (lua_Integer)CLL_MOST_EXACT;
    return n > most || n < -most;
  }
#endif
  return is_beyond(lua_tonumber(L, -1));
}

static void write_tag(cl_archive *a, uint8_t tag) { cl_archive_u8(a, &tag); }

static void write_string(lua_State *L, cl_archive *a) {
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  write_tag(a, STRING);
  cl_archive_count(a, (uint32_t)length, 1);
  cl_write_bytes(a, text, length);
}

static void write_double(lua_State *L, cl_archive *a) {
  double number = lua_tonumber(L, -1);
  write_tag(a, NUMBER);
  cl_archive_f64(a, &number);
}

// The number of the actor on top; an actor without one counts as nil.
static void write_actor(lua_State *L, const value_list *v, cl_archive *a) {
  lua_pushvalue(L, -1);
  bool numbered = cll_rawget(L, v->numbers) == LUA_TNUMBER;
  uint32_t number = numbered ? (uint32_t)lua_tonumber(L, -1) : 0;
  write_tag(a, numbered ? ACTOR : NIL);
  if (numbered) cl_archive_u32(a, &number);
  lua_pop(L, 1);
}

// Appends the first `count` values. Returns the place in the list of the first whole number beyond
// 2^53, if the archive is not loose; else 0.
static uint32_t write_values(lua_State *L, const value_list *v, uint32_t count, cl_archive *a) {
  cl_archive_u32(a, &count);
  for (uint32_t i = 1; i <= count; i++) {
    lua_rawgeti(L, v->list, (int)i);
    if (a->taped) cl_archive_key(a, CL_VALUES, i);
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: write_tag(a, lua_toboolean(L, -1) ? TRUE : FALSE); break;
    case LUA_TNUMBER:
      if (!a->loose && is_top_beyond(L)) return i;
      write_double(L, a);
      break;
    case LUA_TSTRING: write_string(L, a); break;
    case LUA_TTABLE:
      if (lua_rawequal(L, -1, v->nothing)) write_tag(a, NIL);
      else if (lua_rawequal(L, -1, v->left)) write_tag(a, LEFT);
      else write_actor(L, v, a);
      break;
    default: write_tag(a, NIL);
    }
    lua_pop(L, 1);
  }
  return 0;
}

static void read_double(lua_State *L, cl_archive *a) {
  double number;
  cl_archive_f64(a, &number);
  cl_archive_check(a, !is_beyond(number));
  bool negative = number == 0 && 1 / number < 0;
  if (is_whole(number) && !negative) cll_pushwhole(L, number);
  else lua_pushnumber(L, number);
}

static void read_string(lua_State *L, cl_archive *a) {
  uint32_t length = cl_archive_count(a, 0, 1);
  const uint8_t *text = cl_read_bytes(a, length);
  lua_pushlstring(L, text ? (const char *)text : "", text ? length : 0);
}

// Pushes a value. For an actor it pushes false, and its number goes into the table.
static void read_value(lua_State *L, const value_list *v, uint32_t i, cl_archive *a) {
  uint8_t tag;
  uint32_t number;
  cl_archive_u8(a, &tag);
  cl_archive_check(a, tag <= LEFT);
  switch (tag) {
  case FALSE:
  case TRUE: lua_pushboolean(L, tag == TRUE); return;
  case NUMBER: read_double(L, a); return;
  case STRING: read_string(L, a); return;
  case ACTOR:
    cl_archive_u32(a, &number);
    cll_pushwhole(L, number);
    lua_rawseti(L, v->numbers, (int)i);
    lua_pushboolean(L, false);
    return;
  case LEFT: lua_pushvalue(L, v->left); return;
  default: lua_pushvalue(L, v->nothing);
  }
}

// Reads a list of values, with false for each actor; the actors' numbers go into the table
// `numbers`, by place in the list. Returns the number of values.
static uint32_t read_values(lua_State *L, const value_list *v, cl_archive *a) {
  uint32_t count = cl_archive_count(a, 0, 1);
  for (uint32_t i = 1; i <= count && a->status == CL_OK; i++) {
    read_value(L, v, i, a);
    lua_rawseti(L, v->list, (int)i);
  }
  return count;
}

enum { VERSION = 1, MAGIC_SIZE = 8, HEADER_SIZE = MAGIC_SIZE + 4 + 8 };
static const char snapshot_magic[] = "collide\x1a", film_magic[] = "colfilm\x1a";

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

// A writer. The collector frees its bytes, unless they have been freed before.
#define WRITER "collide.core.writer"
static int writer_gc(lua_State *L) {
  cl_archive *w = luaL_checkudata(L, 1, WRITER);
  CL_FREE(&w->alloc, w->at, w->cap);
  CL_FREE(&w->alloc, w->tape, w->tape_cap);
  *w = (cl_archive){.alloc = w->alloc};
  return 0;
}

static cl_archive *push_writer(lua_State *L, bool loose) {
  cl_archive *w = lua_newuserdata(L, sizeof *w);
  *w = (cl_archive){.alloc = cl_alloc_default(), .loose = loose};
  luaL_getmetatable(L, WRITER);
  lua_setmetatable(L, -2);
  return w;
}

// Pushes the written bytes.
static int push_written(lua_State *L, const cl_archive *w) {
  if (w->status != CL_OK) return cll_no_memory(L);
  lua_pushlstring(L, (const char *)w->at, w->count);
  return 1;
}

// A reader of the string at `index`.
static cl_archive reader(lua_State *L, int index) {
  size_t length;
  const char *text = luaL_checklstring(L, index, &length);
  return (cl_archive){.reading = true, .next = (const uint8_t *)text, .left = length};
}

// Writes a header, with 0 as checksum.
static void write_header(cl_archive *a, const char *magic) {
  uint64_t sum = 0;
  uint32_t version = VERSION;
  cl_write_bytes(a, magic, MAGIC_SIZE);
  cl_archive_u32(a, &version);
  cl_archive_u64(a, &sum);
}

// Computes the checksum of everything after the header, writes it into the header and returns it.
static uint64_t seal(const cl_archive *a) {
  uint64_t sum = checksum(a->at + HEADER_SIZE, a->count - HEADER_SIZE);
  cl_archive header = {.alloc = a->alloc, .at = a->at, .cap = a->cap};
  header.count = HEADER_SIZE - sizeof sum;
  cl_archive_u64(&header, &sum);
  return sum;
}

// Reads a header. Returns a word for the error in it or in the rest, or NULL.
static const char *read_header(cl_archive *a, const char *magic) {
  uint32_t version;
  uint64_t sum;
  const uint8_t *begin = cl_read_bytes(a, MAGIC_SIZE);
  cl_archive_u32(a, &version);
  cl_archive_u64(a, &sum);
  if (!begin || memcmp(begin, magic, MAGIC_SIZE) != 0) return "foreign";
  if (version > VERSION) return "newer";
  return a->status == CL_OK && version > 0 && sum == checksum(a->next, a->left) ? NULL : "damaged";
}

static int push_fault(lua_State *L, const char *what) {
  lua_pushnil(L);
  lua_pushstring(L, what);
  return 2;
}

// The place in a list of a whole number that is too large.
static int push_beyond(lua_State *L, uint32_t place) {
  lua_pushnil(L);
  lua_pushinteger(L, (lua_Integer)place);
  return 2;
}

static void archive_odd(cl_archive *a, double *odd, double most) {
  cl_archive_f64(a, odd);
  cl_archive_check(a, fabs(*odd) <= most);
}

// The x, y and angle of tables that differ from the world's. Integers are not distinguished, so the
// bytes are the same on every Lua.
static void archive_places(lua_State *L, cll_snapshot *s, cl_archive *a) {
  uint32_t n = 0;
  for (uint32_t slot = 0; slot < s->slots && a->status == CL_OK; slot++) {
    if (!cl_snapshot_has(s->world, slot)) continue;
    uint8_t flag = s->flag[slot] & PLACE_FLAGS;
    cl_archive_u8(a, &flag);
    cl_archive_check(a,
                     !(flag & ~PLACE_FLAGS) && (!(flag & CLL_ODD_ANGLE) || flag & CLL_HAS_ANGLE));
    if (a->reading) {
      s->flag[slot] = flag;
      s->numbers = n;
      if (n + 3 > s->number_room) cll_snapshot_grow(L, s);
    }
    for (int i = 0; i < 2 && flag & CLL_ODD_PLACE; i++)
      archive_odd(a, &s->number[n++], CL_MAX_COORD);
    if (flag & CLL_ODD_ANGLE) archive_odd(a, &s->number[n++], CL_MAX_ANGLE);
  }
  if (a->reading) s->numbers = n;
}

// Makes room for the places that are read, of actors' tables.
static void make_places(lua_State *L, cll_snapshot *s) {
  cl_alloc alloc = cll_alloc(L);
  s->place = cl_snapshot_places(s->world, &s->angle, &s->slots);
  s->numbers = 0;
  if (CL_RESERVE(&alloc, s->flag, s->flag_cap, s->slots) != CL_OK) cll_no_memory(L);
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

// Writes or reads all but the values.
static void archive_core(lua_State *L, cll_snapshot *s, uint8_t *groups, const uint8_t *order,
                         cl_archive *a, size_t end[ENDS]) {
  cl_archive_u8(a, groups);
  if (!cl_archive_check(a, *groups <= CL_MAX_GROUPS)) return;
  if (cl_snapshot_archive(a, s->world, *groups, order, end) != CL_OK) return;
  if (cl_bullets_snapshot_archive(a, s->pools, s->world) != CL_OK) return;
  end[END_POOLS] = a->count;
  if (a->reading) make_places(L, s);
  archive_places(L, s, a);
  end[END_PLACES] = a->count;
}

// Writes all but the values to `a`, with the groups in the list at `index`; scratch stays on the
// stack.
static cl_archive *write_core(lua_State *L, cll_snapshot *s, int index, cl_archive *a,
                              size_t end[ENDS]) {
  uint8_t order[CL_MAX_GROUPS], groups = (uint8_t)read_group_list(L, index, order);
  uint32_t *number = push_scratch(L, s->slots, sizeof *number);
  cl_snapshot_number(s->world, number);
  a->number = number;
  if (!a->brief) write_header(a, snapshot_magic);
  archive_core(L, s, &groups, order, a, end);
  if (a->status != CL_OK) cll_no_memory(L);
  return a;
}

// The versions of a film's frames.
#define DELTA "collide.core.delta"
static cl_delta *check_delta(lua_State *L, int index) { return luaL_checkudata(L, index, DELTA); }

static int delta_gc(lua_State *L) {
  cl_delta_free(check_delta(L, 1));
  return 0;
}

// core.newDelta() -> userdata
static int delta_new(lua_State *L) {
  cl_delta *d = lua_newuserdata(L, sizeof *d);
  *d = (cl_delta){.alloc = cl_alloc_default()};
  luaL_getmetatable(L, DELTA);
  lua_setmetatable(L, -2);
  return 1;
}

// core.restartDelta(delta): the next frame does not refer to an earlier one
static int delta_restart(lua_State *L) {
  cl_delta_restart(check_delta(L, 1));
  return 0;
}

// Begins the part that is compared with the previous frame: writes a list of numbers, with their
// count. The last of them identify the live actors, one number for each.
static void begin_taped(lua_State *L, const cll_snapshot *s, int index, cl_archive *a) {
  enum { REMOVED = 1 << 27 };
  uint32_t *identity = push_scratch(L, s->slots, sizeof *identity);
  a->taped = a->brief = true;
  a->identity = identity;
  uint32_t count = cl_archive_count(a, (uint32_t)cll_rawlen(L, index), sizeof(double)), live = 0;
  for (uint32_t slot = 0; slot < s->slots; slot++) live += cl_snapshot_has(s->world, slot);
  for (uint32_t i = 1, slot = 0; i <= count; i++) {
    lua_rawgeti(L, index, (int)i);
    double number = lua_tonumber(L, -1);
    lua_pop(L, 1);
    for (; i + live > count && slot < s->slots && !cl_snapshot_has(s->world, slot); slot++) {
      identity[slot] = REMOVED + slot;
    }
    if (i + live > count && slot < s->slots) {
      cl_archive_key(a, CL_ROLES, (uint64_t)number);
      identity[slot++] = (uint32_t)number;
    }
    cl_archive_f64(a, &number);
  }
  cl_archive_key(a, CL_ENDED, CL_ROLES);
}

static int push_delta(lua_State *L, cl_delta *d, const cl_archive *a) {
  cl_archive *to = push_writer(L, false);
  cl_delta_write(d, a, to);
  return push_written(L, to);
}

// core.unpackDelta(delta, string, list) -> a brief snapshot for core.unpack, and how many numbers
// came before it, now in `list`; or nil
static int delta_unpack(lua_State *L) {
  cl_delta *d = check_delta(L, 1);
  cl_archive from = reader(L, 2), *to = push_writer(L, false);
  luaL_checktype(L, 3, LUA_TTABLE);
  cl_delta_read(d, &from, to);
  if (to->status == CL_NOMEM) return cll_no_memory(L);
  cl_archive a = {.reading = true, .status = to->status, .next = to->at, .left = to->count};
  uint32_t count = cl_archive_count(&a, 0, sizeof(double));
  for (uint32_t i = 1; i <= count && a.status == CL_OK; i++) {
    read_double(L, &a);
    lua_rawseti(L, 3, (int)i);
  }
  if (a.status != CL_OK || from.left > 0) return push_fault(L, "damaged");
  lua_pushlstring(L, (const char *)a.next, a.left);
  lua_pushinteger(L, (lua_Integer)count);
  return 2;
}

// core.pack(snapshot, groups, list, count, numbers, nothing, left, loose, delta, before) -> string;
// with `loose` the digits of a hash instead; with `delta` the difference of it and of the list of
// numbers `before` from the previous ones; or nil and the place in the list of a whole number that
// is too large
static int snapshot_pack(lua_State *L) {
  cll_snapshot *s = cll_check_snapshot(L, 1);
  uint32_t count = (uint32_t)luaL_checkinteger(L, 4);
  const value_list values = {3, 5, 6, 7};
  bool loose = lua_toboolean(L, 8);
  cl_delta *delta = lua_isnoneornil(L, 9) ? NULL : check_delta(L, 9);
  size_t end[ENDS];
  cl_archive *a = push_writer(L, loose);
  if (delta) begin_taped(L, s, 10, a);
  write_core(L, s, 2, a, end);
  uint32_t beyond = write_values(L, &values, count, a);
  if (beyond) return push_beyond(L, beyond);
  if (a->status != CL_OK) return cll_no_memory(L);
  if (delta) return push_delta(L, delta, a);
  uint64_t sum = seal(a);
  if (!loose) return push_written(L, a);
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)sum);
  lua_pushstring(L, digits);
  return 1;
}

// Pushes the first difference in a part, if known, as six values: three numbers that say whose it
// is, its name, and both values. The numbers are, for contacts: two slots, of the second snapshot
// if only that has the hit; for cells: a slot of the first, column and row; for pools: the pool,
// and the bullet's number. Returns how many it has pushed.
static int push_difference(lua_State *L, int part, cll_snapshot *const s[2],
                           const cl_archive *const w[2]) {
  const cl_snapshot *a = s[0]->world, *b = s[1]->world;
  cl_difference d = {.name = NULL};
  bool any = false, hits = part == CL_PACK_CONTACTS;
  if (hits) any = cl_snapshot_differing_hit(a, w[0]->number, b, w[1]->number, &d);
  if (part == CL_PACK_CELLS) any = cl_snapshot_differing_cell(a, b, &d);
  const cl_bullets_snapshot *p = s[0]->pools, *q = s[1]->pools;
  if (part == END_POOLS) any = cl_bullets_snapshot_differ(p, w[0]->number, q, w[1]->number, &d);
  if (!any) return 0;
  cll_pushwhole(L, d.subject[0] + 1);
  cll_pushwhole(L, d.subject[1] + hits);
  cll_pushwhole(L, d.subject[2]);
  lua_pushstring(L, d.name);
  lua_pushnumber(L, d.values[0]);
  lua_pushnumber(L, d.values[1]);
  return 6;
}

// core.compare(a, groupsA, b, groupsB) -> the first part that differs: "actors", "rules",
// "contacts", "cells", "pools" or "places", and what push_difference pushes; nothing when all are
// equal
static int snapshot_compare(lua_State *L) {
  static const char *const names[ENDS] = {"actors", "rules", "contacts",
                                          "cells",  "pools", "places"};
  cll_snapshot *s[2];
  const cl_archive *w[2];
  size_t end[2][ENDS], begin = 0;
  for (int i = 0; i < 2; i++) {
    s[i] = cll_check_snapshot(L, 2 * i + 1);
    w[i] = write_core(L, s[i], 2 * i + 2, push_writer(L, true), end[i]);
  }
  for (int part = 0; part < ENDS; part++) {
    size_t size = end[0][part] - begin;
    if (end[1][part] != end[0][part] || memcmp(w[0]->at + begin, w[1]->at + begin, size) != 0) {
      lua_pushstring(L, names[part]);
      return 1 + push_difference(L, part, s, w);
    }
    begin = end[0][part];
  }
  return 0;
}

// core.unpack(snapshot, string, list, numbers, nothing, left, brief) -> how many values there are
// in `list`, groups, and actors; or nil and "foreign", "newer" or "damaged"
static int snapshot_unpack(lua_State *L) {
  cll_snapshot *s = cll_check_snapshot(L, 1);
  const value_list values = {3, 4, 5, 6};
  cl_archive a = reader(L, 2);
  a.brief = lua_toboolean(L, 7);
  const char *what = a.brief ? NULL : read_header(&a, snapshot_magic);
  uint32_t count = 0;
  uint8_t groups;
  size_t end[ENDS];
  if (!what) archive_core(L, s, &groups, NULL, &a, end);
  if (!what) count = read_values(L, &values, &a);
  if (a.status == CL_NOMEM) return cll_no_memory(L);
  if (what || a.status != CL_OK || a.left > 0) return push_fault(L, what ? what : "damaged");
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
  cll_push_one_way(L, cl_one_way_of(entry.state, entry.aim));
  lua_pushboolean(L, entry.state & CL_SWEPT);
  cl_vec at = s->place[slot];
  return 5 + cll_push_numbers(L, 3, (const double[]){at.x, at.y, s->angle ? s->angle[slot] : 0});
}

// core.ignored(snapshot) -> a list of slots in pairs: an actor, and one that it names to be ignored
static int snapshot_ignored(lua_State *L) {
  const cl_pairs *ignored = &cll_check_snapshot(L, 1)->world->roster->ignored;
  lua_newtable(L);
  for (size_t i = 0; i < ignored->count; i++) {
    cll_push_slot(L, ignored->at[i].a);
    lua_rawseti(L, -2, 2 * (int)i + 1);
    cll_push_slot(L, ignored->at[i].b);
    lua_rawseti(L, -2, 2 * (int)i + 2);
  }
  return 1;
}

// core.touches(snapshot) -> whether sharing only a boundary counted as a hit
static int snapshot_touches(lua_State *L) {
  lua_pushboolean(L, cll_check_snapshot(L, 1)->world->touching);
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
    const cll_bullets *b = cll_pool_in(L, -1);
    if (!b || !b->pool) cll_error(L, "a pool has lost its bullets");
    cl_bullets_def def = cl_bullets_def_of(b->pool);
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

// ---- films ------------------------------------------------------------------------------------

// core.packList(list, count, nothing) -> a film of these values; or nil and the place of a whole
// number that is too large
static int list_pack(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const value_list values = {1, 1, 3, 3};
  cl_archive *a = push_writer(L, false);
  write_header(a, film_magic);
  uint32_t beyond = write_values(L, &values, (uint32_t)luaL_checkinteger(L, 2), a);
  if (beyond) return push_beyond(L, beyond);
  if (a->status != CL_OK) return cll_no_memory(L);
  seal(a);
  return push_written(L, a);
}

// core.unpackList(string, list, nothing) -> how many values there are in `list`; or nil and
// "foreign", "newer" or "damaged"
static int list_unpack(lua_State *L) {
  const value_list values = {2, 2, 3, 3};
  cl_archive a = reader(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  const char *what = read_header(&a, film_magic);
  uint32_t count = what ? 0 : read_values(L, &values, &a);
  if (!what && (a.status != CL_OK || a.left > 0)) what = "damaged";
  if (what) return push_fault(L, what);
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

// core.packShape(shape) -> string, and a number that only shapes of one grid share
static int shape_pack(lua_State *L) {
  cl_shape *shape = cll_check_shape(L, 1);
  cl_archive *a = push_writer(L, false);
  cl_shape_archive(a, &shape, NULL, 0);
  push_written(L, a);
  lua_pushnumber(L, (double)(uintptr_t)shape->grid);
  return 2;
}

// core.unpackShape(string, most[, shape]) -> a shape; for tiles, with the grid of `shape`, or with
// a new one of at most `most` cells; or nil
static int shape_unpack(lua_State *L) {
  const cl_shape *other = cll_to_shape(L, 3);
  cl_archive a = reader(L, 1);
  a.alloc = cll_alloc(L);
  cl_shape **box = cll_push_shape(L);
  cl_shape_archive(&a, box, other ? other->grid : NULL, luaL_checknumber(L, 2));
  if (a.status == CL_NOMEM) return cll_no_memory(L);
  return a.status == CL_OK && a.left == 0 ? 1 : push_fault(L, "damaged");
}

static void open_class(lua_State *L, const char *name, lua_CFunction gc) {
  luaL_newmetatable(L, name);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

void cll_open_pack(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"compare", snapshot_compare},
      {"numbered", snapshot_numbered},
      {"pack", snapshot_pack},
      {"unpack", snapshot_unpack},
      {"touches", snapshot_touches},
      {"entry", snapshot_entry},
      {"ignored", snapshot_ignored},
      {"poolAt", snapshot_pool_at},
      {"complete", snapshot_complete},
      {"newDelta", delta_new},
      {"restartDelta", delta_restart},
      {"unpackDelta", delta_unpack},
      {"packList", list_pack},
      {"unpackList", list_unpack},
      {"packShape", shape_pack},
      {"unpackShape", shape_unpack},
      {NULL, NULL},
  };
  open_class(L, WRITER, writer_gc);
  open_class(L, DELTA, delta_gc);
  cll_setfuncs(L, functions);
}
