// collide, MIT licence (see LICENSE)
//
// Methods of the core with which move/ moves actors. A move with a question returns the actor in
// question; the answer continues the move. Layer: lua.

#include "lua/binding.h"

static const char *const responses[CL_RESPONSES] = {"none",   "slide", "touch",
                                                    "bounce", "cross", "push"};

static cl_response check_response(lua_State *L, int index) {
  lua_Integer response = luaL_checkinteger(L, index);
  luaL_argcheck(L, response >= 0 && response < CL_RESPONSES, index, "no such response");
  return (cl_response)response;
}

// Nothing if the move is done; else
//   other, mover, nx, ny, value, sensor
// both as slots, value nil unless the other is tiles.
static int push_ask(lua_State *L, cll_world *c, cl_status status, const cl_move_ask *ask) {
  if (status != CL_OK) return cll_no_memory(L);
  c->ask = *ask;
  if (ask->other == CL_NOBODY) return 0;
  cll_push_slot(L, ask->other);
  cll_push_slot(L, ask->mover);
  lua_pushnumber(L, ask->nx);
  lua_pushnumber(L, ask->ny);
  if (ask->value < 0) lua_pushnil(L);
  else lua_pushinteger(L, ask->value);
  lua_pushboolean(L, ask->sensor);
  return 6;
}

// core:move(slot, x, y, angle, dx, dy, low, high, byRules, asks, asksSensors, response,
//   ignored)
static int world_move(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_move_def def = {.slot = cll_check_live(L, c, 2)};
  cl_vec at = cll_check_vec(L, 3), way;
  def.x = at.x, def.y = at.y;
  def.angle = luaL_checknumber(L, 5);
  way = cll_check_vec(L, 6);
  def.dx = way.x, def.dy = way.y;
  def.filter.groups = cll_check_groups(L, 8);
  def.by_rules = lua_toboolean(L, 10);
  def.asks = lua_toboolean(L, 11);
  def.asks_sensors = lua_toboolean(L, 12);
  def.response = check_response(L, 13);
  lua_Integer ignored = luaL_checkinteger(L, 14);
  c->move_ignores = (uint32_t)ignored - 1;
  if (ignored > 0) def.filter.ignored = &c->move_ignores, def.filter.count = 1;
  cl_move_ask ask;
  cl_status status = cl_world_move(c->world, &def, &ask);
  return push_ask(L, c, status, &ask);
}

// core:answerMove(response)
static int answer_move(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_response response = check_response(L, 2);
  luaL_argcheck(L, c->ask.other != CL_NOBODY, 2, "nothing was asked");
  cl_move_ask ask = c->ask;
  cl_status status = cl_world_move_answer(c->world, response, &ask);
  return push_ask(L, c, status, &ask);
}

static void set_cell(lua_State *L, const char *name, int32_t v) {
  if (v < 0) lua_pushnil(L);
  else lua_pushinteger(L, v);
  lua_setfield(L, -2, name);
}

static void set_flag(lua_State *L, const char *name, bool v) {
  if (v) lua_pushboolean(L, true);
  else lua_pushnil(L);
  lua_setfield(L, -2, name);
}

// Fills the table on top of the stack.
static void fill_hit(lua_State *L, int actors, const cl_move_hit *hit) {
  lua_rawgeti(L, actors, (int)hit->slot + 1);
  lua_setfield(L, -2, "actor");
  cll_set_number(L, "nx", hit->normal.x);
  cll_set_number(L, "ny", hit->normal.y);
  cll_set_number(L, "x", hit->at.x);
  cll_set_number(L, "y", hit->at.y);
  cll_set_number(L, "px", hit->point.x);
  cll_set_number(L, "py", hit->point.y);
  cll_set_number(L, "t", hit->t);
  lua_pushstring(L, responses[hit->response]);
  lua_setfield(L, -2, "response");
  set_cell(L, "col", hit->column);
  set_cell(L, "row", hit->row);
  set_cell(L, "value", hit->value);
  set_flag(L, "inside", hit->inside);
  set_flag(L, "crushed", hit->crushed);
}

// core:movedTo(actors, list, spare, listOf) -> x, y, hits: the end of the last finished move, and
// its number of hits, which are written to the list; see cll_fit_records
static int moved_to(lua_State *L) {
  cll_world *c = cll_check_world(L);
  for (int i = 2; i <= 5; i++) luaL_checktype(L, i, LUA_TTABLE);
  // Making tables may run finalisers that move actors: the hits are read after that.
  size_t count = cl_world_move_result(c->world).hits;
  (void)cll_fit_records(L, 3, count);
  cl_move_result result = cl_world_move_result(c->world);
  luaL_argcheck(L, result.hits == count && result.moves > 0, 1, "the move is gone");
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 3, (int)i + 1);
    fill_hit(L, 2, &result.hit[i]);
    lua_pop(L, 1);
  }
  lua_pushnumber(L, result.moved[0].to.x);
  lua_pushnumber(L, result.moved[0].to.y);
  lua_pushinteger(L, (lua_Integer)count);
  return 3;
}

// core:put(slot, x, y, angle): moves an actor there, at once
static int put(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  cl_vec at = cll_check_vec(L, 3);
  double angle = luaL_checknumber(L, 5);
  if (angle != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  if (cl_world_move_to(c->world, slot, at, angle) != CL_OK) return cll_no_memory(L);
  return 0;
}

// core:place(slot) -> x, y, angle of an actor in the world
static int place(lua_State *L) {
  cll_world *c = cll_check_world(L);
  double angle;
  cl_vec at = cl_world_place(c->world, cll_check_live(L, c, 2), &angle);
  return cll_push_numbers(L, 3, (const double[]){at.x, at.y, angle});
}

// core:commitMove() -> the number of actors moved
static int commit_move(lua_State *L) {
  cll_world *c = cll_check_world(L);
  if (cl_world_move_commit(c->world) != CL_OK) return cll_no_memory(L);
  lua_pushinteger(L, (lua_Integer)cl_world_move_result(c->world).moves);
  return 1;
}

static bool is_coordinate(double v) { return fabs(v) <= CL_MAX_COORD; }

int32_t cll_move_commit(cll_world *c) {
  if (!c->world || cl_world_move_commit(c->world) != CL_OK) return -1;
  return (int32_t)cl_world_move_result(c->world).moves;
}

// NaN is neither a coordinate nor any other number.
int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response) {
  bool sound = is_coordinate(x) && is_coordinate(y) && is_coordinate(dx) && is_coordinate(dy) &&
               is_coordinate(x + dx) && is_coordinate(y + dy) && fabs(angle) <= CL_MAX_ANGLE;
  if (!sound || !c->world || !(slot >= 1 && slot <= c->io.slots)) return -1;
  uint32_t mover = (uint32_t)slot - 1;
  if (!cl_world_can_move(c->world, mover)) return -1;
  cl_move_def def = {.slot = mover, .x = x, .y = y, .angle = angle, .dx = dx, .dy = dy};
  def.by_rules = group == CLL_BY_RULES;
  // "*", every group, is the number after the last one.
  bool all = def.by_rules || group >= CL_MAX_GROUPS;
  def.filter.groups = all ? UINT64_MAX : UINT64_C(1) << (unsigned)group;
  def.response = (cl_response)response;
  cl_move_ask ask;
  if (cl_world_move(c->world, &def, &ask) != CL_OK) return -1;
  cl_move_result result = cl_world_move_result(c->world);
  c->moved = result.moved[0].to;
  c->move_hit = result.hit;
  if (result.hits == 0 && cl_world_move_commit(c->world) != CL_OK) return -1;
  return (int32_t)result.hits;
}

// core:moveNow(actor, keyX, keyY, slot, angle, dx, dy, group, response) -> x, y, hits: like
// cll_move_now, from the actor's own x and y; returns nothing for -1
static int move_now(lua_State *L) {
  enum { ACTOR = 2, KEY_X, KEY_Y, SLOT, REST = 6 };
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, ACTOR, LUA_TTABLE);
  double v[REST];
  for (int i = 0; i < REST; i++) {
    if (lua_type(L, SLOT + i) != LUA_TNUMBER) return 0;
    v[i] = lua_tonumber(L, SLOT + i);
  }
  lua_pushvalue(L, KEY_X);
  bool there = cll_rawget(L, ACTOR) == LUA_TNUMBER;
  lua_pushvalue(L, KEY_Y);
  there = cll_rawget(L, ACTOR) == LUA_TNUMBER && there;
  if (!there) return 0;
  double x = lua_tonumber(L, -2), y = lua_tonumber(L, -1);
  int32_t hits = cll_move_now(c, v[0], x, y, v[1], v[2], v[3], v[4], v[5]);
  if (hits < 0) return 0;
  lua_pushnumber(L, c->moved.x);
  lua_pushnumber(L, c->moved.y);
  lua_pushinteger(L, hits);
  return 3;
}

// core:moved(i) -> slot, x, y of the i-th moved actor, the mover first; nothing after the last
static int moved(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_move_result result = cl_world_move_result(c->world);
  lua_Integer i = luaL_checkinteger(L, 2);
  luaL_argcheck(L, i >= 1, 2, "no such actor");
  if ((size_t)i > result.moves) return 0;
  const cl_moved *m = &result.moved[i - 1];
  cll_push_slot(L, m->slot);
  return 1 + cll_push_numbers(L, 2, (const double[]){m->to.x, m->to.y});
}

// core:fits(actors, slots, low, high, ignored, asking, shape, x, y, angle, from) -> the slot of the
// first actor, from that slot on, that the shape would overlap there; nil if it fits
static int fits(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 3, LUA_TTABLE);
  cl_placed placed = cll_check_placed(L, 8);
  lua_Integer from = luaL_checkinteger(L, 12);
  luaL_argcheck(L, from >= 1, 12, "no such slot");
  uint64_t groups = cll_check_groups(L, 4);
  cl_filter filter = cll_read_filter(L, c, groups);
  uint32_t other;
  if (cl_world_fits(c->world, &placed, filter, (uint32_t)from - 1, &other) != CL_OK) {
    return cll_no_memory(L);
  }
  if (other == CL_NOBODY) lua_pushnil(L);
  else cll_push_slot(L, other);
  return 1;
}

// Writes a slot and a vector to the list in argument 2, as its i-th three values, from 0.
static void set_third(lua_State *L, size_t i, uint32_t slot, cl_vec v) {
  int at = 3 * (int)i;
  cll_push_slot(L, slot);
  lua_rawseti(L, 2, at + 1);
  lua_pushnumber(L, v.x);
  lua_rawseti(L, 2, at + 2);
  lua_pushnumber(L, v.y);
  lua_rawseti(L, 2, at + 3);
}

// core:riders(list, slot) -> the number of actors on top of it: slot, nx, ny of each in the list
static int riders(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  cl_answers found;
  if (cl_world_riders(c->world, cll_check_live(L, c, 3), &found) != CL_OK) return cll_no_memory(L);
  for (size_t i = 0; i < found.count; i++) {
    set_third(L, i, found.at[i].slot, (cl_vec){found.at[i].cast.nx, found.at[i].cast.ny});
  }
  lua_pushinteger(L, (lua_Integer)found.count);
  return 1;
}

// core:inTheWay(list, slot, dx, dy, low, high) -> the number of actors pushed: slot, dx, dy of each
// in the list
static int in_the_way(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint32_t slot = cll_check_live(L, c, 3);
  cl_vec way = cll_check_vec(L, 4);
  cl_filter filter = {cll_check_groups(L, 6), NULL, 0};
  const cl_pushed *list;
  size_t count;
  if (cl_world_in_the_way(c->world, slot, way, filter, &list, &count) != CL_OK) {
    return cll_no_memory(L);
  }
  for (size_t i = 0; i < count; i++) {
    set_third(L, i, list[i].slot, list[i].way);
  }
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

// core:hitGroups(slot) -> low, high: the groups that it can hit
static int hit_groups(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint64_t groups = cl_world_hit_groups(c->world, cll_check_live(L, c, 2));
  lua_pushnumber(L, (double)(uint32_t)groups);
  lua_pushnumber(L, (double)(groups >> 32));
  return 2;
}

static const luaL_Reg methods[] = {
    {"move", world_move},
    {"answerMove", answer_move},
    {"moveNow", move_now},
    {"movedTo", moved_to},
    {"commitMove", commit_move},
    {"moved", moved},
    {"place", place},
    {"put", put},
    {"riders", riders},
    {"inTheWay", in_the_way},
    {"fits", fits},
    {"hitGroups", hit_groups},
    {NULL, NULL},
};

void cll_open_move_methods(lua_State *L) { cll_set_methods(L, methods, lua_gettop(L) - 1); }
