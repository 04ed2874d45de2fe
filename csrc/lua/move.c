// collide, MIT licence (see LICENSE)
//
// The core's methods for moving actors, which move/ calls. A move calls back where the game
// decides. Layer: lua.

#include "lua/binding.h"

static const char *const responses[CL_RESPONSES] = {"none",   "slide", "touch",
                                                    "bounce", "cross", "push"};

static cl_response check_response(lua_State *L, double response, int index) {
  luaL_argcheck(L, response >= 0 && response < CL_RESPONSES, index, "no such response");
  return (cl_response)response;
}

// Pushes the column, row or value of a cell, nil if there is none.
static void push_cell(lua_State *L, int32_t v) {
  if (v < 0) lua_pushnil(L);
  else lua_pushinteger(L, v);
}

// The last arguments of a move, on the stack from `first` to `last`: the function `decide` and its
// first arguments, of which the first two are the filter function and the responder, or nil.
typedef struct host {
  lua_State *L;
  int first, last;
} host;

// Calls decide(…, other, mover, nx, ny, value, sensor), both as slots, value nil unless the other
// is tiles. An error in it leaves the core.
static cl_response ask_host(void *context, const cl_move_ask *ask) {
  const host *h = context;
  lua_State *L = h->L;
  luaL_checkstack(L, 16, "too many arguments");
  for (int i = h->first; i <= h->last; i++) lua_pushvalue(L, i);
  cll_push_slot(L, ask->other);
  cll_push_slot(L, ask->mover);
  cll_push_numbers(L, 2, (const double[]){ask->nx, ask->ny});
  push_cell(L, ask->value);
  lua_pushboolean(L, ask->sensor);
  lua_call(L, h->last - h->first + 6, 1);
  cl_response response = check_response(L, lua_tonumber(L, -1), h->first);
  lua_pop(L, 1);
  return response;
}

// Lets a move ask the host if there is anything to ask.
static void set_host(cl_move_def *def, host *h) {
  def->asks_sensors = !lua_isnoneornil(h->L, h->first + 1);
  if (!def->asks_sensors && lua_isnoneornil(h->L, h->first + 2)) return;
  def->responder = ask_host, def->context = h;
}

// -> x, y, hits: the end of the last move, and the number of its hits
static int push_result(lua_State *L, const cll_world *c) {
  cl_move_result result = cl_world_move_result(c->world);
  cll_push_numbers(L, 2, (const double[]){result.moved[0].to.x, result.moved[0].to.y});
  lua_pushinteger(L, (lua_Integer)result.hits);
  return 3;
}

// Computes a move -> x, y, hits
static int world_move(lua_State *L, const cll_call *call) {
  enum { X = 1, Y, ANGLE, DX, DY, LOW, HIGH, BY_RULES, RESPONSE, INSTEAD, IGNORED, COUNT };
  cll_world *c = call->core;
  const double *v = call->v;
  cl_move_def def = {.slot = (uint32_t)v[0], .x = v[X], .y = v[Y], .angle = v[ANGLE]};
  def.dx = v[DX], def.dy = v[DY];
  def.filter.groups = cll_groups(v[LOW], v[HIGH]);
  def.by_rules = v[BY_RULES] != 0;
  def.response = check_response(L, v[RESPONSE], RESPONSE + 2);
  def.instead = check_response(L, v[INSTEAD], INSTEAD + 2);
  uint32_t ignored = v[IGNORED] > 0 ? (uint32_t)v[IGNORED] - 1 : 0;
  if (v[IGNORED] > 0) def.filter.ignored = &ignored, def.filter.count = 1;
  else def.through = (uint32_t)-v[IGNORED]; // only its one-way faces are ignored
  set_host(&def, &(host){L, COUNT + 2, lua_gettop(L)});
  c->moves++;
  if (cl_world_move(c->world, &def) != CL_OK) return cll_no_memory(L);
  cl_move_result result = cl_world_move_result(c->world);
  c->move_hit = result.hit;
  c->move_hits = result.hits;
  return push_result(L, c);
}

// -> angle, hits, pushed, dx, dy, putBack: as cl_turn_result, `pushed` a slot or nil
static int push_turn(lua_State *L, cll_world *c) {
  cl_turn_result result = cl_world_turn_result(c->world);
  c->move_hit = result.hit;
  c->move_hits = result.hits;
  lua_pushnumber(L, result.angle);
  lua_pushinteger(L, (lua_Integer)result.hits);
  if (result.pushed == CL_NOBODY) lua_pushnil(L);
  else cll_push_slot(L, result.pushed);
  cll_push_numbers(L, 2, (const double[]){result.way.x, result.way.y});
  lua_pushinteger(L, result.put_back);
  return 6;
}

// Computes a turn, up to the first actor that has to be pushed
static int world_turn(lua_State *L, const cll_call *call) {
  enum { X = 1, Y, ANGLE, BY, LOW, HIGH, BY_RULES, RESPONSE, COUNT };
  cll_world *c = call->core;
  const double *v = call->v;
  cl_move_def def = {.slot = (uint32_t)v[0], .x = v[X], .y = v[Y], .angle = v[ANGLE]};
  def.filter.groups = cll_groups(v[LOW], v[HIGH]);
  def.by_rules = v[BY_RULES] != 0;
  def.response = check_response(L, v[RESPONSE], RESPONSE + 2);
  luaL_argcheck(L, fabs(v[BY]) <= CL_MAX_TURN && fabs(v[ANGLE] + v[BY]) <= CL_MAX_ANGLE, BY + 2,
                "too large");
  set_host(&def, &(host){L, COUNT + 2, lua_gettop(L)});
  if (cl_world_turn(c->world, &def, v[BY]) != CL_OK) return cll_no_memory(L);
  return push_turn(L, c);
}

// Continues the turn
static int turn_on(lua_State *L, const cll_call *call) {
  cll_world *c = call->core;
  host h = {L, 2, lua_gettop(L)};
  if (cl_world_turn_on(c->world, &h) != CL_OK) return cll_no_memory(L);
  return push_turn(L, c);
}

static void push_flag(lua_State *L, bool v) {
  if (v) lua_pushboolean(L, true);
  else lua_pushnil(L);
}

// -> slot, nx, ny, x, y, px, py, t, response, column, row, value, inside, crushed, member of the
// i-th hit of the last finished move or turn
static int move_hit(lua_State *L, const cll_call *c) {
  const cll_world *core = c->core;
  luaL_argcheck(L, c->v[0] >= 1 && c->v[0] <= (double)core->move_hits, 2, "no such hit");
  const cl_move_hit *hit = &core->move_hit[(size_t)c->v[0] - 1];
  cll_push_slot(L, hit->slot);
  cll_push_numbers(L, 7,
                   (const double[]){hit->normal.x, hit->normal.y, hit->at.x, hit->at.y,
                                    hit->point.x, hit->point.y, hit->t});
  lua_pushstring(L, responses[hit->response]);
  push_cell(L, hit->column);
  push_cell(L, hit->row);
  push_cell(L, hit->value);
  push_flag(L, hit->inside);
  push_flag(L, hit->crushed);
  push_cell(L, hit->member > 0 ? (int32_t)hit->member : -1);
  return 15;
}

// Moves an actor there, at once.
static int put(lua_State *L, const cll_call *c) {
  uint32_t slot = (uint32_t)c->v[0];
  cl_vec at = {c->v[1], c->v[2]};
  double angle = c->v[3];
  if (angle != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  if (cl_world_move_to(c->world, slot, at, angle) != CL_OK) return cll_no_memory(L);
  return 0;
}

// -> the arguments for putBack
static int whereabouts(lua_State *L, const cll_call *c) {
  cl_whereabouts is = cl_world_whereabouts(c->world, (uint32_t)c->v[0]);
  const double v[] = {is.at.x,         is.at.y,   is.angle,  is.before.x,   is.before.y,
                      is.angle_before, is.from.x, is.from.y, is.from_angle, is.moved_after};
  return cll_push_numbers(L, 10, v);
}

// Undoes moves and jumps of an actor.
static int put_back(lua_State *L, const cll_call *c) {
  const double *v = c->v;
  const cl_whereabouts was = {
      .at = {v[1], v[2]},
      .angle = v[3],
      .before = {v[4], v[5]},
      .angle_before = v[6],
      .from = {v[7], v[8]},
      .from_angle = v[9],
      .moved_after = (uint32_t)v[10],
  };
  cl_world_put_back(c->world, (uint32_t)v[0], &was);
  (void)L;
  return 0;
}

// Makes the last finished move -> the number of actors moved
static int commit_move(lua_State *L, const cll_call *c) {
  if (cl_world_move_commit(c->world) != CL_OK) return cll_no_memory(L);
  lua_pushinteger(L, (lua_Integer)cl_world_move_result(c->world).moves);
  return 1;
}

int32_t cll_move_commit(cll_world *c) {
  if (!c->world || cl_world_move_commit(c->world) != CL_OK) return -1;
  return (int32_t)cl_world_move_result(c->world).moves;
}

// Begins the definition of a move of an actor that can be moved; false for a bad argument. NaN
// counts as bad.
static bool define_move(const cll_world *c, cl_move_def *def, double slot, double x, double y,
                        double angle, double group, double response) {
  bool sound = cl_coord_ok(x) && cl_coord_ok(y) && fabs(angle) <= CL_MAX_ANGLE;
  if (!sound || !c->world || !(slot >= 1 && slot <= c->io.slots)) return false;
  *def = (cl_move_def){.slot = (uint32_t)slot - 1, .x = x, .y = y, .angle = angle};
  def->by_rules = group == CLL_BY_RULES;
  // "*", every group, is the number after the last one.
  bool all = def->by_rules || group >= CL_MAX_GROUPS;
  def->filter.groups = all ? UINT64_MAX : UINT64_C(1) << (unsigned)group;
  def->response = (cl_response)response;
  return cl_world_can_move(c->world, def->slot);
}

enum { REFUSED = -1, NO_MEMORY = -2 };

// The result of a move: the number of hits, CLL_ASKS, or NO_MEMORY.
static int32_t come_to(cll_world *c, cl_status status) {
  if (status != CL_OK) return NO_MEMORY;
  if (cl_world_move_waits(c->world)) return CLL_ASKS;
  cl_move_result result = cl_world_move_result(c->world);
  c->moved = result.moved[0].to;
  c->move_hit = result.hit;
  c->move_hits = result.hits;
  return (int32_t)result.hits;
}

// Computes a move along a way, if it ends in range. Returns the number of hits, or the reason for a
// failure.
static int32_t sweep(cll_world *c, cl_move_def *def, double dx, double dy) {
  bool sound =
      cl_coord_ok(dx) && cl_coord_ok(dy) && cl_coord_ok(def->x + dx) && cl_coord_ok(def->y + dy);
  if (!sound) return REFUSED;
  def->dx = dx, def->dy = dy;
  c->moves++;
  return come_to(c, cl_world_move(c->world, def));
}

// Commits a move that has met nothing.
static int32_t make_free(cll_world *c, int32_t hits) {
  return hits == 0 && cl_world_move_commit(c->world) != CL_OK ? NO_MEMORY : hits;
}

static cl_response ask_later(void *context, const cl_move_ask *ask) {
  *(cl_move_ask *)context = *ask;
  return CL_RESPONSE_LATER;
}

int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response, double asks) {
  cl_move_def def;
  if (!define_move(c, &def, slot, x, y, angle, group, response)) return REFUSED;
  if (asks > 0) def.responder = ask_later, def.context = &c->asked, def.asks_sensors = asks > 1;
  return make_free(c, sweep(c, &def, dx, dy));
}

int32_t cll_move_on(cll_world *c, double said) {
  return make_free(c, come_to(c, cl_world_move_on(c->world, (cl_response)said)));
}

// -> x, y, hits: like cll_move_now, from the actor's own x and y; returns nothing below 0. It may
// ask the host.
static int move_now(lua_State *L, const cll_call *call) {
  enum { ACTOR = 2, KEY_X, KEY_Y, SLOT, REST = 6 };
  cll_world *c = call->core;
  double v[REST];
  for (int i = 0; i < REST; i++) {
    if (lua_type(L, SLOT + i) != LUA_TNUMBER) return 0;
    v[i] = lua_tonumber(L, SLOT + i);
  }
  host h = {L, SLOT + REST, lua_gettop(L)};
  lua_pushvalue(L, KEY_X);
  bool there = cll_rawget(L, ACTOR) == LUA_TNUMBER;
  lua_pushvalue(L, KEY_Y);
  there = cll_rawget(L, ACTOR) == LUA_TNUMBER && there;
  if (!there) return 0;
  double x = lua_tonumber(L, -2), y = lua_tonumber(L, -1);
  cl_move_def def;
  if (!define_move(c, &def, v[0], x, y, v[1], v[4], v[5])) return 0;
  if (h.last >= h.first) set_host(&def, &h);
  int32_t hits = make_free(c, sweep(c, &def, v[2], v[3]));
  if (hits == NO_MEMORY && def.responder) cll_no_memory(L); // nothing is asked twice
  return hits < 0 ? 0 : push_result(L, c);
}

// A front of world:move ----------------------------------------------------------

// Its upvalues: the list for calls without hits; the key of a World's lock; the names of responses;
// the names of a hit's fields, the first of which every hit has; the map from records to lists;
// move_asked; the lock's text for messages; the handler of errors in move_asked, and the function
// that raises them again. The last upvalue of move_asked is the function that raises.
enum { NO_HITS = CLL_FRONT_OWN, LOCK, RESPONSES, FIELDS = RESPONSES + CL_RESPONSES };
enum { F_ACTOR, F_NX, F_NY, F_X, F_Y, F_PX, F_PY, F_T, F_RESPONSE, F_ALWAYS };
enum { F_COLUMN = F_ALWAYS, F_ROW, F_VALUE, F_INSIDE, F_CRUSHED, F_PART, F_COUNT };
static const char *const fields[F_COUNT] = {"actor", "nx",    "ny",     "x",        "y",
                                            "px",    "py",    "t",      "response", "column",
                                            "row",   "value", "inside", "crushed",  "part"};
enum { RECORDS = FIELDS + F_COUNT, ASKED, MOVING, HANDLER, PASS_ON, REFUSE = ASKED };
enum { MOST_HITS = 8 }; // those of longer lists are made in Lua

// Whether a hit is of a member with a name: such hits are made in Lua.
static bool any_named(const cll_world *c, int hits) {
  for (int i = 0; i < hits; i++)
    if (cl_world_member_name(c->world, c->move_hit[i].slot, c->move_hit[i].member).bytes)
      return true;
  return false;
}

static void push_name(lua_State *L, int field) {
  lua_pushvalue(L, lua_upvalueindex(FIELDS + field));
}

// Sets the fields that not every hit has. A reused record may have others. The names of parts come
// from `c`, if it is given.
static void set_rest(lua_State *L, const cll_world *c, const cl_move_hit *hit, bool is_new) {
  const int32_t number[] = {hit->column, hit->row, hit->value};
  const bool flag[] = {hit->inside, hit->crushed};
  for (int i = 0; i < 3; i++) {
    if (number[i] < 0 && is_new) continue;
    push_name(L, F_COLUMN + i);
    push_cell(L, number[i]);
    lua_rawset(L, -3);
  }
  for (int i = 0; i < 2; i++) {
    if (!flag[i] && is_new) continue;
    push_name(L, F_INSIDE + i);
    push_flag(L, flag[i]);
    lua_rawset(L, -3);
  }
  if (hit->member == 0 && is_new) return;
  cl_name name = {NULL, 0};
  if (c && hit->member > 0) name = cl_world_member_name(c->world, hit->slot, hit->member);
  push_name(L, F_PART);
  if (name.bytes) lua_pushlstring(L, name.bytes, name.length);
  else push_cell(L, hit->member > 0 ? (int32_t)hit->member : -1);
  lua_rawset(L, -3);
}

// Fills the record on top with a hit; `actors` is the index of the list.
static void fill_hit(lua_State *L, const cll_world *c, const cl_move_hit *hit, int actors,
                     bool is_new) {
  const double number[] = {hit->normal.x, hit->normal.y, hit->at.x, hit->at.y,
                           hit->point.x,  hit->point.y,  hit->t};
  push_name(L, F_ACTOR);
  lua_rawgeti(L, actors, (int)hit->slot + 1);
  lua_rawset(L, -3);
  for (int i = 0; i < 7; i++) {
    push_name(L, F_NX + i);
    lua_pushnumber(L, number[i]);
    lua_rawset(L, -3);
  }
  push_name(L, F_RESPONSE);
  lua_pushvalue(L, lua_upvalueindex(RESPONSES + hit->response));
  lua_rawset(L, -3);
  set_rest(L, c, hit, is_new);
}

// Pushes t[key], raw or from the table that is its __index; false if another metamethod has it.
static bool push_plain(lua_State *L, int t, int key) {
  lua_pushvalue(L, key);
  if (cll_rawget(L, t) != LUA_TNIL || !lua_getmetatable(L, t)) return true;
  lua_pushliteral(L, "__index");
  if (cll_rawget(L, lua_gettop(L) - 1) == LUA_TNIL) return lua_pop(L, 2), true;
  if (!lua_istable(L, -1) || lua_getmetatable(L, -1)) return false;
  lua_pushvalue(L, key);
  lua_rawget(L, -2);
  lua_replace(L, -4);
  lua_pop(L, 2);
  return true;
}

// Reads x and y of an actor's table, and its angle. The names of the fields are on the stack, from
// `names` on; the angle's may be false. Returns false if metamethods are needed, or x or y is no
// number.
static bool plain_place(lua_State *L, int actor, int names, double at[3]) {
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, names + i);
    if (cll_rawget(L, actor) != LUA_TNUMBER) return false;
    at[i] = lua_tonumber(L, -1);
  }
  at[2] = 0;
  if (!lua_toboolean(L, names + 2)) return true;
  if (!push_plain(L, actor, names + 2)) return false;
  if (!lua_isnil(L, -1)) at[2] = cll_to_number(L, -1);
  return true;
}

// The arguments of a front, on the stack.
enum { WORLD = 1, MOVER, DX, DY, FILTER, RESPONSE, INTO, GIVEN = INTO, DIRECT };
enum { KEY_OF_X = DIRECT + 1, KEY_OF_Y, ACTORS, LIST, SPARE, LIST_OF };

// The response of that name, CL_RESPONSES if there is none.
static cl_response named_response(lua_State *L, int index) {
  int r = CL_RESPONSE_SLIDE;
  while (r < CL_RESPONSES && !lua_rawequal(L, index, lua_upvalueindex(RESPONSES + r))) r++;
  return (cl_response)r;
}

// Reads the arguments of a move and the mover's place, and leaves the World's actors at ACTORS;
// false if the method in Lua has to move. The filter and the response may be functions.
static bool read_front(lua_State *L, const cll_world *c, cl_move_def *def, cl_vec *way) {
  double at[3], slot, group = CLL_BY_RULES;
  cl_response response = CL_RESPONSE_SLIDE;
  lua_rawgeti(L, DIRECT, CLL_DIRECT_X);
  lua_rawgeti(L, DIRECT, CLL_DIRECT_Y);
  lua_rawgeti(L, DIRECT, CLL_DIRECT_ANGLE);
  if (!plain_place(L, MOVER, KEY_OF_X, at)) return false;
  if (!cll_front_number(L, DIRECT, CLL_DIRECT_SLOTS, MOVER, &slot)) return false;
  if (lua_isfunction(L, FILTER)) group = CL_MAX_GROUPS;
  else if (!lua_isnil(L, FILTER) && !cll_front_number(L, DIRECT, CLL_DIRECT_GROUPS, FILTER, &group))
    return false;
  if (lua_isfunction(L, RESPONSE)) response = CL_RESPONSE_NONE;
  else if (!lua_isnil(L, RESPONSE)) response = named_response(L, RESPONSE);
  *way = (cl_vec){cll_to_number(L, DX), cll_to_number(L, DY)};
  lua_settop(L, KEY_OF_Y);
  lua_rawgeti(L, DIRECT, CLL_DIRECT_ACTORS);
  return response < CL_RESPONSES && define_move(c, def, slot, at[0], at[1], at[2], group, response);
}

// Nil, or a list to fill without metamethods.
static bool is_plain_list(lua_State *L, int index) {
  return lua_isnil(L, index) || (lua_istable(L, index) && !lua_getmetatable(L, index));
}

static bool is_locked(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(LOCK));
  lua_rawget(L, WORLD);
  bool locked = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return locked;
}

// Whether the list for calls without hits is empty.
static bool is_none(lua_State *L) {
  lua_pushnil(L);
  return !lua_next(L, lua_upvalueindex(NO_HITS));
}

static int push_move(lua_State *L, const cll_world *c, int hits) {
  cll_push_numbers(L, 2, (const double[]){c->moved.x, c->moved.y});
  lua_pushvalue(L, LIST);
  lua_pushinteger(L, hits);
  return 4;
}

// Writes where the last move has moved the mover.
static int finish(lua_State *L, const cll_world *c, int hits) {
  lua_pushvalue(L, KEY_OF_X);
  lua_pushnumber(L, c->moved.x);
  lua_rawset(L, MOVER);
  lua_pushvalue(L, KEY_OF_Y);
  lua_pushnumber(L, c->moved.y);
  lua_rawset(L, MOVER);
  return push_move(L, c, hits);
}

// Leaves a list of hits at LIST: the game's own, refilled, or a new one.
static void list_hits(lua_State *L, const cll_world *c, const cl_move_hit *hit, int hits) {
  bool own = !lua_isnil(L, INTO);
  lua_settop(L, ACTORS);
  if (own) {
    lua_pushvalue(L, INTO);
    lua_rawgeti(L, DIRECT, CLL_DIRECT_SPARE);
    lua_pushvalue(L, lua_upvalueindex(RECORDS));
    cll_fit_records(L, LIST, (size_t)hits);
  } else if (hits == 0) {
    lua_pushvalue(L, lua_upvalueindex(NO_HITS));
  } else {
    lua_createtable(L, hits, 0);
  }
  for (int i = 0; i < hits; i++) {
    if (own) lua_rawgeti(L, LIST, i + 1);
    else lua_createtable(L, 0, F_ALWAYS);
    fill_hit(L, c, &hit[i], ACTORS, !own);
    if (own) lua_pop(L, 1);
    else lua_rawseti(L, LIST, i + 1);
  }
}

// Raises for the value on top, which the filter function or the responder has returned.
static void refuse(lua_State *L, bool is_filter) {
  int top = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(REFUSE));
  lua_pushliteral(L, "world:move");
  lua_pushboolean(L, is_filter);
  lua_pushvalue(L, top);
  lua_call(L, 3, 0);
}

// As decide in lua/collide/move/init.lua.
static cl_response ask_game(lua_State *L, cl_response otherwise, const cl_move_ask *ask) {
  int top = lua_gettop(L), other = (int)ask->other + 1, mover = (int)ask->mover + 1;
  luaL_checkstack(L, 12, "too many arguments");
  if (lua_isfunction(L, FILTER)) {
    lua_pushvalue(L, FILTER);
    lua_rawgeti(L, ACTORS, other);
    lua_rawgeti(L, ACTORS, mover);
    lua_call(L, 2, 1);
    bool passes = lua_toboolean(L, -1);
    if (lua_type(L, -1) == LUA_TSTRING) refuse(L, true);
    lua_settop(L, top);
    if (!passes) return CL_RESPONSE_NONE;
  }
  if (ask->sensor) return CL_RESPONSE_CROSS;
  if (!lua_isfunction(L, RESPONSE)) return otherwise;
  lua_pushvalue(L, RESPONSE);
  lua_rawgeti(L, ACTORS, mover);
  lua_rawgeti(L, ACTORS, other);
  cll_push_numbers(L, 2, (const double[]){ask->nx, ask->ny});
  push_cell(L, ask->value);
  lua_call(L, 5, 1);
  cl_response response = CL_RESPONSE_NONE;
  if (!lua_isnil(L, -1)) response = named_response(L, top + 1);
  if (response == CL_RESPONSES) refuse(L, false);
  lua_settop(L, top);
  return response;
}

// Writes the places of all actors that the last move has moved.
static void write_places(lua_State *L, const cll_world *c) {
  cl_move_result result = cl_world_move_result(c->world);
  for (size_t i = 0; i < result.moves; i++) {
    lua_rawgeti(L, ACTORS, (int)result.moved[i].slot + 1);
    for (int k = 0; k < 2; k++) {
      lua_pushvalue(L, KEY_OF_X + k);
      lua_pushnumber(L, k == 0 ? result.moved[i].to.x : result.moved[i].to.y);
      lua_settable(L, -3);
    }
    lua_pop(L, 1);
  }
}

// core.moveAsked(false, list for no hits, map from records to lists, function that raises)(…, hits,
// response) -> as world:move. The first arguments are a front's stack up to ACTORS. Makes a move
// that is computed, with `hits`, or that waits for answers; `response` is used if the responder is
// no function. The world is locked.
static int move_asked(lua_State *L) {
  int32_t hits = (int32_t)lua_tointeger(L, ACTORS + 1);
  cl_response response = (cl_response)lua_tointeger(L, ACTORS + 2);
  lua_rawgeti(L, DIRECT, CLL_DIRECT_CORE);
  cll_world *c = lua_touserdata(L, -1);
  lua_settop(L, ACTORS);
  while (hits == CLL_ASKS) {
    cl_move_ask ask = c->asked;
    hits = come_to(c, cl_world_move_on(c->world, ask_game(L, response, &ask)));
  }
  if (hits == NO_MEMORY) return cll_no_memory(L); // nothing is asked twice
  list_hits(L, c, c->move_hit, hits);
  if (cll_move_commit(c) < 1) return cll_no_memory(L);
  write_places(L, c);
  return push_move(L, c, hits);
}

// Sets the World's lock to an upvalue, or to false, which needs no memory.
static void set_lock(lua_State *L, int upvalue) {
  lua_pushvalue(L, lua_upvalueindex(LOCK));
  if (upvalue) lua_pushvalue(L, lua_upvalueindex(upvalue));
  else lua_pushboolean(L, false);
  lua_rawset(L, WORLD);
}

// Makes a move by move_asked, as `locked` in lua/collide/world/lock.lua does: no function that the
// move calls may yield. No finaliser runs before the world is locked.
static int front_asked(lua_State *L, int32_t hits, cl_response response) {
  enum { AT = ACTORS + 1 };
  set_lock(L, MOVING);
  lua_pushvalue(L, lua_upvalueindex(HANDLER));
  lua_pushvalue(L, lua_upvalueindex(ASKED));
  for (int i = WORLD; i <= ACTORS; i++) lua_pushvalue(L, i);
  lua_pushinteger(L, hits);
  lua_pushinteger(L, response);
  bool failed = lua_pcall(L, ACTORS + 2, 4, AT) != 0;
  set_lock(L, 0);
  if (failed) {
    lua_pushvalue(L, lua_upvalueindex(PASS_ON));
    lua_pushliteral(L, "world:move");
    lua_pushvalue(L, AT + 1);
    lua_call(L, 2, 0); // it raises
  }
  return 4;
}

// Lets a move wait for answers if there are functions to give them.
static void set_waiting(lua_State *L, cll_world *c, cl_move_def *def) {
  def->asks_sensors = lua_isfunction(L, FILTER);
  if (!def->asks_sensors && !lua_isfunction(L, RESPONSE)) return;
  def->responder = ask_later, def->context = &c->asked;
}

// Makes a move -> x, y, hits, n. Making tables for the hits may run finalisers, which move actors
// or change the world: then the move is computed again, unless it has asked the game.
static int move_front(lua_State *L) {
  int top = lua_gettop(L);
  if (top < DY || top > GIVEN) return cll_front_slow(L, top);
  luaL_checkstack(L, 3 * ACTORS, "too many arguments");
  for (;;) {
    cl_move_def def;
    cl_move_hit hit[MOST_HITS];
    cl_vec way;
    lua_settop(L, GIVEN);
    cll_world *c = cll_front_world(L);
    bool usual = c && lua_istable(L, MOVER) && is_plain_list(L, INTO) && !is_locked(L) &&
                 read_front(L, c, &def, &way);
    if (usual) set_waiting(L, c, &def);
    int32_t hits = usual ? sweep(c, &def, way.x, way.y) : REFUSED;
    if ((hits == 0 || hits == CLL_ASKS) && !is_none(L)) return cll_front_slow(L, top);
    bool pushes = hits >= 0 && def.response == CL_RESPONSE_PUSH; // and writes to several actors
    if (hits == CLL_ASKS || pushes) return front_asked(L, hits, def.response);
    if (hits < 0 || hits > MOST_HITS || any_named(c, hits)) return cll_front_slow(L, top);
    if (hits > 0) memcpy(hit, c->move_hit, (size_t)hits * sizeof *hit);
    uint32_t moves = c->moves;
    uint64_t changes = cl_world_changes(c->world);
    list_hits(L, NULL, hit, hits);
    if (!c->world || c->moves != moves || cl_world_changes(c->world) != changes) continue;
    if (cll_move_commit(c) != 1) return cll_no_memory(L);
    return finish(L, c, hits);
  }
}

// Pushes the upvalues after the list for calls without hits, which OWN counts, too.
enum { OWN = 2 + CL_RESPONSES + F_COUNT };
static void push_names(lua_State *L) {
  luaL_checkstack(L, 100, "too many names");
  lua_pushliteral(L, "_lock");
  for (int i = 0; i < CL_RESPONSES; i++) lua_pushstring(L, responses[i]);
  for (int i = 0; i < F_COUNT; i++) lua_pushstring(L, fields[i]);
}

// Pushes a front whose upvalues are the arguments, with the names after the second.
static int push_with_names(lua_State *L, lua_CFunction f, int rest) {
  lua_settop(L, 2 + rest);
  push_names(L);
  for (int i = 0; i < rest; i++) {
    lua_pushvalue(L, 3);
    lua_remove(L, 3);
  }
  return cll_push_front(L, f, OWN + rest);
}

// core.moveFront(method in Lua, list for no hits, map from records to lists, a function of
// core.moveAsked, the lock's text, a handler of errors in that function, a function that raises
// them again) -> the front
static int push_move_front(lua_State *L) { return push_with_names(L, move_front, 5); }

static int push_move_asked(lua_State *L) { return push_with_names(L, move_asked, 2); }

// The usual frame of a character ---------------------------------------------------
//
// In most frames nothing is in the way of a character, and it stands on a floor that has not moved,
// or on none. Such a frame is made here, as lua/collide/character/walk.lua would make it; the rules
// are explained there. Nothing is written, and no function of the game's is called, before it is
// certain that the frame is such a frame.

// Values of the character, its actor, the frame, and its floor. `floor` is a slot, counted from 1,
// or 0; `valued` is 1 if the character knows the value of a cell under it.
typedef struct strider {
  double snap, step, slope, steep_at, steep, size;
  cl_vec up, carried, floor_normal;
  double floor_was[3];
  double slot, group, response, at[3];
  cl_vec velocity;
  double dt, floor, floor_is[3], valued;
} strider;
static_assert(sizeof(strider) == CLL_STRIDE * sizeof(double),
              "lua/collide/ffi/stride.lua writes these");

// Its way, and how far below the end a floor may be; below 0 to look for none.
typedef struct plan {
  cl_vec way;
  double far;
} plan;

// Whether the numbers are those of a usual frame.
static bool are_sound(const strider *s) {
  return cl_place_ok(s->velocity) && s->dt > 0 && s->dt < INFINITY && s->snap >= 0 &&
         cl_coord_ok(s->snap) && s->step >= 0 && cl_coord_ok(s->step) && s->slope == s->steep_at;
}

// Plans its way: along its floor, if it has one and does not rise from it. False if the floor has
// moved.
static bool plan_way(strider *s, plan *p) {
  cl_vec v = s->velocity, right = {-s->up.y, s->up.x};
  bool rises = cl_vec_dot(v, s->up) > CLL_ALIKE * (fabs(v.x) + fabs(v.y));
  *p = (plan){cl_vec_mul(v, s->dt), rises ? -1 : 0};
  if (rises) s->floor = 0;
  if (s->floor == 0) return true;
  double along = cl_vec_dot(p->way, right);
  *p = (plan){{-s->floor_normal.y * along, s->floor_normal.x * along}, s->snap};
  const double *is = s->floor_is, *was = s->floor_was;
  return is[0] == was[0] && is[1] == was[1] && is[2] == was[2];
}

// Reads the `hits` of a look down. Returns their number if the last, which stopped it, is a floor
// at most `far` below; 0 if nothing is there; REFUSED where one more look would decide.
static int32_t find_floor(const cll_world *c, int32_t hits, const strider *s, double far,
                          double reach) {
  for (int32_t i = 0; i < hits && c->move_hit[i].inside; i++)
    if (c->move_hit[i].response != CL_RESPONSE_CROSS) return REFUSED;
  if (hits <= 0) return hits;
  const cl_move_hit *last = &c->move_hit[hits - 1];
  if (last->response == CL_RESPONSE_CROSS) return 0;
  if (last->t > 0 && last->t * reach > far) return 0;
  return cl_vec_dot(last->normal, s->up) >= s->steep ? hits : REFUSED;
}

// Computes where it goes, into c->moved. Returns the number of the hit that is its floor there, 0
// without one.
static int32_t compute_stride(cll_world *c, const strider *s, const plan *p) {
  cl_move_def def;
  const double *at = s->at;
  if (!define_move(c, &def, s->slot, at[0], at[1], at[2], s->group, s->response)) return REFUSED;
  if (s->floor > 0 && cl_world_ignores(c->world, def.slot, (uint32_t)s->floor - 1)) return REFUSED;
  def.instead = CL_RESPONSE_TOUCH;
  cl_vec to = {at[0], at[1]};
  if (p->way.x != 0 || p->way.y != 0) {
    if (sweep(c, &def, p->way.x, p->way.y) != 0) return REFUSED;
    to = c->moved;
  }
  int32_t hits = 0;
  if (p->far >= 0) {
    double reach = cl_max(p->far, CLL_PROBE * (fabs(to.x) + fabs(to.y) + s->size));
    def.x = to.x, def.y = to.y;
    hits = sweep(c, &def, -s->up.x * reach, -s->up.y * reach);
    hits = find_floor(c, hits, s, p->far, reach);
  }
  if (hits > 0) {
    cl_vec on = c->move_hit[hits - 1].at;
    if (on.x != to.x || on.y != to.y) to = on;
  }
  c->moved = to;
  return hits == 0 || (hits > 0 && s->floor > 0) ? hits : REFUSED;
}

// Plans and computes a frame. Returns as compute_stride; refuses if a field for a cell's value
// would have to be made, which could need memory.
static int32_t make_stride(cll_world *c, strider *s, plan *p) {
  if (!are_sound(s) || !plan_way(s, p)) return REFUSED;
  int32_t hits = compute_stride(c, s, p);
  c->along = s->floor > 0;
  if (hits <= 0) return hits < 0 ? REFUSED : 0;
  return (c->move_hit[hits - 1].value >= 0) == (s->valued != 0) ? hits : REFUSED;
}

// Puts the actor there in the world.
static bool put_stride(cll_world *c, const strider *s, const plan *p) {
  cl_vec to = c->moved;
  bool goes = p->way.x != 0 || p->way.y != 0 || to.x != s->at[0] || to.y != s->at[1];
  if (!goes) return true;
  if (s->at[2] != 0 && cl_world_use_angles(c->world) != CL_OK) return false;
  return cl_world_move_to(c->world, (uint32_t)s->slot - 1, to, s->at[2]) == CL_OK;
}

int32_t cll_stride(cll_world *c) {
  strider s;
  plan p;
  memcpy(&s, c->striding, sizeof s);
  int32_t hits = make_stride(c, &s, &p);
  bool stays = hits <= 0 || c->move_hit[hits - 1].slot + 1.0 == s.floor;
  return hits >= 0 && stays && put_stride(c, &s, &p) ? hits : REFUSED;
}

// The character's fields: those at the beginning of a strider, those that must be nil, and others
// that are read or written. Their names are upvalues, after those of push_names.
static const char *const keys[] = {
    "snapLength",  "stepHeight", "maxSlope",   "_steepAt", "_steep",   "_size",   "_upX",
    "_upY",        "_carriedX",  "_carriedY",  "floorNx",  "floorNy",  "_floorX", "_floorY",
    "_floorAngle", "up",         "filter",     "response", "_dropped", "actor",   "floor",
    "_filter",     "_response",  "floorValue", "wall",     "ceiling",  "_atX",    "_atY",
    "floorVx",     "floorVy",    "wallNx",     "wallNy",   "hits",     "n",       "crushed"};
enum { CARRIED_X = 8, FLOOR_NX = 10, FLOOR_X = 12, FLOOR_ANGLE = 14, UNSET, UNSET_END = 19 };
enum { ACTOR = UNSET_END, FLOOR, BY_FILTER, BY_RESPONSE, VALUE, WALL, CEILING, AT_X };
enum { FLOOR_VX = AT_X + 2, WALL_NX = FLOOR_VX + 2, HITS = WALL_NX + 2, N, CRUSHED, KEYS };
static_assert(KEYS == sizeof keys / sizeof *keys, "each has a name");

// The stack of a stride: the World, the character, its velocity, seconds; then the values read.
enum { HERO = 2, VX, VY, DT, TAKES = DT, LISTS, NAME_X, NAME_Y, NAME_ANGLE, WHO, BASE };

static void push_field_key(lua_State *L, int key) {
  lua_pushvalue(L, lua_upvalueindex(CLL_FRONT_OWN + OWN + key));
}

// Pushes a field of the character, and returns its type.
static int get_key(lua_State *L, int key) {
  push_field_key(L, key);
  return cll_rawget(L, HERO);
}

// Reads the character and the arguments; false if this is not a usual frame.
static bool read_hero(lua_State *L, strider *s) {
  double v[UNSET];
  luaL_checkstack(L, KEYS, "too many fields");
  for (int i = 0; i < UNSET_END; i++) {
    if (get_key(L, i) != (i < UNSET ? LUA_TNUMBER : LUA_TNIL)) return false;
    if (i < UNSET) v[i] = lua_tonumber(L, -1);
  }
  memcpy(s, v, sizeof v);
  lua_settop(L, NAME_ANGLE);
  s->velocity = (cl_vec){cll_to_number(L, VX), cll_to_number(L, VY)};
  s->dt = cll_to_number(L, DT);
  s->valued = get_key(L, VALUE) != LUA_TNIL;
  get_key(L, BY_RESPONSE);
  s->response = named_response(L, -1);
  s->group = CLL_BY_RULES;
  return s->response < CL_RESPONSES &&
         (get_key(L, BY_FILTER) == LUA_TNIL ||
          cll_front_number(L, LISTS, CLL_DIRECT_GROUPS, lua_gettop(L), &s->group));
}

// Reads its actor and floor, and leaves both, or nil, at WHO and BASE.
static bool read_places(lua_State *L, strider *s) {
  lua_settop(L, NAME_ANGLE);
  if (get_key(L, ACTOR) != LUA_TTABLE) return false;
  bool has = get_key(L, FLOOR) != LUA_TNIL;
  if (!cll_front_number(L, LISTS, CLL_DIRECT_SLOTS, WHO, &s->slot)) return false;
  if (!plain_place(L, WHO, NAME_X, s->at)) return false;
  s->floor = 0;
  bool known = !has || (cll_front_number(L, LISTS, CLL_DIRECT_SLOTS, BASE, &s->floor) &&
                        plain_place(L, BASE, NAME_X, s->floor_is));
  lua_settop(L, BASE);
  return known;
}

// Replaces the floor at BASE by a hit's, and reads its place; false if reading needs metamethods.
static bool take_floor(lua_State *L, const cl_move_hit *on, strider *s) {
  lua_rawgeti(L, LISTS, CLL_DIRECT_ACTORS);
  lua_rawgeti(L, -1, (int)on->slot + 1);
  lua_replace(L, BASE);
  bool plain = plain_place(L, BASE, NAME_X, s->floor_is) && fabs(s->floor_is[2]) <= CL_MAX_ANGLE;
  lua_settop(L, BASE);
  return plain;
}

// Set a field of the character to the value on top; `key` and the next one to two numbers, or to 0;
// one to nil, without making a key.
static void set_key(lua_State *L, int key) {
  push_field_key(L, key);
  lua_insert(L, -2);
  lua_rawset(L, HERO);
}

static void set_pair(lua_State *L, int key, double x, double y) {
  for (int i = 0; i < 2; i++) {
    push_field_key(L, key + i);
    lua_pushnumber(L, i == 0 ? x : y);
    lua_rawset(L, HERO);
  }
}

static void set_zeros(lua_State *L, int key) {
  for (int i = 0; i < 2; i++) {
    push_field_key(L, key + i);
    lua_pushinteger(L, 0);
    lua_rawset(L, HERO);
  }
}

static void clear_key(lua_State *L, int key) {
  bool has = get_key(L, key) != LUA_TNIL;
  lua_pop(L, 1);
  if (!has) return;
  lua_pushnil(L);
  set_key(L, key);
}

// Writes that it has met nothing, and the velocity of its floor.
static void write_free(lua_State *L, const strider *s) {
  lua_pushvalue(L, lua_upvalueindex(NO_HITS));
  set_key(L, HITS);
  lua_pushinteger(L, 0);
  set_key(L, N);
  lua_pushboolean(L, false);
  set_key(L, CRUSHED);
  clear_key(L, WALL);
  clear_key(L, CEILING);
  set_zeros(L, WALL_NX);
  if (s->floor > 0) set_pair(L, FLOOR_VX, (s->carried.x + 0) / s->dt, (s->carried.y + 0) / s->dt);
  else set_zeros(L, FLOOR_VX);
  set_zeros(L, CARRIED_X);
}

// Writes the floor at BASE, of this hit; or that there is none.
static void write_floor(lua_State *L, const cl_move_hit *on, const strider *s) {
  if (!on) {
    clear_key(L, FLOOR);
    clear_key(L, VALUE);
    set_zeros(L, FLOOR_NX);
    return;
  }
  lua_pushvalue(L, BASE);
  set_key(L, FLOOR);
  set_pair(L, FLOOR_NX, on->normal.x, on->normal.y);
  set_pair(L, AT_X, on->point.x, on->point.y);
  set_pair(L, FLOOR_X, s->floor_is[0], s->floor_is[1]);
  lua_pushnumber(L, s->floor_is[2]);
  set_key(L, FLOOR_ANGLE);
  if (on->value < 0) return;
  lua_pushinteger(L, on->value);
  set_key(L, VALUE);
}

// Writes the actor's place.
static void write_there(lua_State *L, cl_vec to) {
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, NAME_X + i);
    lua_pushnumber(L, i == 0 ? to.x : to.y);
    lua_rawset(L, WHO);
  }
}

// Pushes a number that is no -0.
static void push_left(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, index)) {
    lua_pushvalue(L, index);
    return;
  }
#endif
  lua_pushnumber(L, lua_tonumber(L, index) + 0.0);
}

// core.stride(list for no hits)(world, character, vx, vy, dt) -> the velocity that is left; nothing
// if the frame is not a usual one: then nothing has changed. It does not check that the character's
// shape is the one that was measured.
static int stride(lua_State *L) {
  strider s;
  plan p;
  lua_settop(L, TAKES);
  cll_world *c = cll_front_world(L);
  if (!c || is_locked(L) || !is_none(L)) return 0;
  for (int i = CLL_DIRECT_X; i <= CLL_DIRECT_ANGLE; i++) lua_rawgeti(L, LISTS, i);
  if (!read_hero(L, &s) || !read_places(L, &s)) return 0;
  int32_t hits = make_stride(c, &s, &p);
  if (hits < 0) return 0;
  const cl_move_hit *on = hits > 0 ? &c->move_hit[hits - 1] : NULL;
  if ((on && !take_floor(L, on, &s)) || !put_stride(c, &s, &p)) return 0;
  write_there(L, c->moved);
  write_free(L, &s);
  write_floor(L, on, &s);
  if (on) {
    cl_vec right = {-s.up.y, s.up.x};
    double along = cl_vec_dot(s.velocity, right);
    return cll_push_numbers(L, 2, (const double[]){along * right.x + 0.0, along * right.y + 0.0});
  }
  push_left(L, VX);
  push_left(L, VY);
  return 2;
}

static int push_stride(lua_State *L) {
  lua_settop(L, 1);
  push_names(L);
  for (int i = 0; i < KEYS; i++) lua_pushstring(L, keys[i]);
  lua_pushboolean(L, false); // no method in Lua
  lua_insert(L, 1);
  return cll_push_front(L, stride, OWN + KEYS);
}

void cll_open_move_front(lua_State *L) {
  lua_pushcfunction(L, push_stride);
  lua_setfield(L, -2, "stride");
  if (!CLL_HAS_FRONTS) return;
  lua_pushcfunction(L, push_move_front);
  lua_setfield(L, -2, "moveFront");
  lua_pushcfunction(L, push_move_asked);
  lua_setfield(L, -2, "moveAsked");
}

// -> slot, x, y of the i-th moved actor, the mover first, and its angle in the world; nothing after
// the last
static int moved(lua_State *L, const cll_call *c) {
  cl_move_result result = cl_world_move_result(c->world);
  luaL_argcheck(L, c->v[0] >= 1, 2, "no such actor");
  if (c->v[0] > (double)result.moves) return 0;
  const cl_moved *m = &result.moved[(size_t)c->v[0] - 1];
  double angle;
  cl_world_place(c->world, m->slot, &angle);
  cll_push_slot(L, m->slot);
  return 1 + cll_push_numbers(L, 3, (const double[]){m->to.x, m->to.y, angle});
}

// -> the slot of the first actor, from that slot on, that the shape would overlap there; nil if it
// fits
static int fits(lua_State *L, const cll_call *c) {
  cl_placed placed = cll_check_placed(L, 8);
  double from = c->v[10];
  luaL_argcheck(L, from >= 1, 12, "no such slot");
  cl_filter filter = cll_read_filter(L, c->core, cll_groups(c->v[2], c->v[3]));
  uint32_t as = lua_tonumber(L, 7) > 0 ? cll_check_live(L, c->core, 7) : CL_NOBODY, other;
  if (cl_world_fits(c->world, as, &placed, filter, (uint32_t)from - 1, &other) != CL_OK) {
    return cll_no_memory(L);
  }
  if (other == CL_NOBODY) lua_pushnil(L);
  else cll_push_slot(L, other);
  return 1;
}

// Writes slot, nx, ny of each answer to the list in argument 2 -> their number
static int push_answers(lua_State *L, const cl_answers *found) {
  for (int i = 0; i < (int)found->count; i++) {
    const cl_answer *one = &found->at[i];
    cll_push_slot(L, one->slot);
    lua_rawseti(L, 2, 3 * i + 1);
    lua_pushnumber(L, one->cast.nx);
    lua_rawseti(L, 2, 3 * i + 2);
    lua_pushnumber(L, one->cast.ny);
    lua_rawseti(L, 2, 3 * i + 3);
  }
  lua_pushinteger(L, (lua_Integer)found->count);
  return 1;
}

// -> the number of actors on top of one: slot, nx, ny of each in the list
static int riders(lua_State *L, const cll_call *c) {
  cl_answers found;
  if (cl_world_riders(c->world, (uint32_t)c->v[1], &found) != CL_OK) return cll_no_memory(L);
  return push_answers(L, &found);
}

// -> the number of actors pushed by one that moves: slot, dx, dy of each in the list
static int in_the_way(lua_State *L, const cll_call *c) {
  cl_vec way = {c->v[2], c->v[3]};
  cl_filter filter = {cll_groups(c->v[4], c->v[5]), NULL, 0};
  cl_answers found;
  if (cl_world_in_the_way(c->world, (uint32_t)c->v[1], way, filter, &found) != CL_OK)
    return cll_no_memory(L);
  return push_answers(L, &found);
}

// -> whether a placed shape overlaps walls of an actor
static int in_walls(lua_State *L, const cll_call *c) {
  cl_placed placed = cll_check_placed(L, 3);
  lua_pushboolean(L, cl_world_is_in_walls(c->world, (uint32_t)c->v[0], &placed));
  return 1;
}

// -> low, high: the groups that an actor can hit
static int hit_groups(lua_State *L, const cll_call *c) {
  uint64_t groups = cl_world_hit_groups(c->world, (uint32_t)c->v[0]);
  return cll_push_numbers(L, 2, (const double[]){(double)(uint32_t)groups, (double)(groups >> 32)});
}

static const cll_function methods[] = {
    {world_move, "move", NULL,
     "slot:live x y angle:angle dx dy low:number high:number byRules:flag "
     "response:number instead:number ignored:number"},
    {world_turn, "turn", NULL,
     "slot:live x y angle:angle by:number low:number high:number byRules:flag response:number"},
    {turn_on, "turnOn", NULL, ""},
    {move_now, "moveNow", NULL, "actor:table"},
    {move_hit, "moveHit", NULL, "i:number"},
    {commit_move, "commitMove", NULL, ""},
    {moved, "moved", NULL, "i:number"},
    {whereabouts, "whereabouts", NULL, "slot:live"},
    {put_back, "putBack", NULL,
     "slot:live x y angle:angle beforeX beforeY angleBefore:angle fromX fromY fromAngle:angle "
     "movedAfter:number"},
    {put, "put", NULL, "slot:live x y angle:angle"},
    {riders, "riders", NULL, "list:table slot:live"},
    {in_the_way, "inTheWay", NULL, "list:table slot:live dx dy low:number high:number"},
    {fits, "fits", NULL,
     "actors:any slots:table low:number high:number ignored:any asking:any shape:any x y "
     "angle:angle from:number"},
    {in_walls, "inWalls", NULL, "slot:live shape:any x y angle:angle"},
    {hit_groups, "hitGroups", NULL, "slot:live"},
    {NULL, NULL, NULL, NULL},
};

void cll_open_move_methods(lua_State *L) { /* stack: … metatable methods */
  cll_set_functions(L, methods, cll_enter_core, lua_gettop(L) - 1);
}
