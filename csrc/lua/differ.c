// collide, MIT licence (see LICENSE)
//
// What differs between two snapshots, for the sentences of snapshot:diff. Layer: lua.

#include "lua/differ.h"

#include <string.h>

#include "bullets/save.h"
#include "lua/snapshot.h"
#include "world/differ.h"

// Pushes the memory of the numbers of a snapshot's actors, by slot.
static const uint32_t *push_numbers(lua_State *L, const cll_snapshot *s) {
  uint32_t *number = lua_newuserdata(L, (s->slots + (size_t)1) * sizeof *number);
  cl_snapshot_number(s->world, number);
  return number;
}

// The values in two snapshots: numbers, or whether each has the thing at all.
static void push_both(lua_State *L, bool presence, double a, double b) {
  for (int i = 0; i < 2; i++) {
    double value = i == 0 ? a : b;
    if (presence) lua_pushboolean(L, value > 0);
    else lua_pushnumber(L, value);
  }
}

// core.differingHit(a, b) -> two slots, what, and the values in `a` and in `b`: "hit" or the first
// number that differs, of the first hit of the last step that differs; nothing if there is none.
// The slots are of `b` if only `b` has the hit.
static int snapshot_differing_hit(lua_State *L) {
  static const char *const names[] = {"hit", "nx", "ny", "depth", "t"};
  const cll_snapshot *a = cll_check_snapshot(L, 1), *b = cll_check_snapshot(L, 2);
  const uint32_t *number_a = push_numbers(L, a), *number_b = push_numbers(L, b);
  cl_hit_difference found;
  if (!cl_snapshot_differing_hit(a->world, number_a, b->world, number_b, &found)) return 0;
  lua_pushinteger(L, (lua_Integer)found.pair.a + 1);
  lua_pushinteger(L, (lua_Integer)found.pair.b + 1);
  lua_pushstring(L, names[found.field]);
  push_both(L, found.field == CL_DIFFERS_HIT, found.first, found.second);
  return 5;
}

// core.differingCell(a, b) -> the slot in `a` of an actor of tiles, column, row and the values in
// `a` and in `b` of the first cell that differs; nothing if there is none
static int snapshot_differing_cell(lua_State *L) {
  cl_cell_difference found;
  const cll_snapshot *a = cll_check_snapshot(L, 1), *b = cll_check_snapshot(L, 2);
  if (!cl_snapshot_differing_cell(a->world, b->world, &found)) return 0;
  lua_pushinteger(L, (lua_Integer)found.slot + 1);
  cll_pushwhole(L, (double)found.column);
  cll_pushwhole(L, (double)found.row);
  lua_pushinteger(L, found.first);
  lua_pushinteger(L, found.second);
  return 5;
}

// core.differingBullet(a, b) -> pool, bullet, what, and the values in `a` and in `b`: "alive" or
// the first value that differs, of the first bullet that differs; nothing if there is none
static int snapshot_differing_bullet(lua_State *L) {
  cl_bullet_difference found;
  const cll_snapshot *a = cll_check_snapshot(L, 1), *b = cll_check_snapshot(L, 2);
  if (!cl_bullets_snapshot_differ(a->pools, b->pools, &found)) return 0;
  cll_pushwhole(L, found.pool + 1);
  cll_pushwhole(L, found.bullet);
  lua_pushstring(L, found.name);
  push_both(L, strcmp(found.name, "alive") == 0, found.values[0], found.values[1]);
  return 5;
}

void cll_open_differ(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"differingHit", snapshot_differing_hit},
      {"differingCell", snapshot_differing_cell},
      {"differingBullet", snapshot_differing_bullet},
      {NULL, NULL},
  };
  cll_setfuncs(L, functions);
}
