// collide, MIT licence (see LICENSE)
//
// Methods of the core with which move/ moves actors. A move calls back where the game decides.
// Layer: lua.

#include "lua/binding.h"

static const char *const responses[CL_RESPONSES] = {"none",   "slide", "touch",
                                                    "bounce", "cross", "push"};

static cl_response check_response(lua_State *L, double response, int index) {
  luaL_argcheck(L, response >= 0 && response < CL_RESPONSES, index, "no such response");
  return (cl_response)response;
}

// The arguments of `move` after the described ones: a function that decides, and its first
// arguments.
enum { DECIDE = 15 };

// Calls decide(…, other, mover, nx, ny, value, sensor), both as slots, value nil unless the other
// is tiles. An error in it leaves the core.
static cl_response ask_host(void *context, const cl_move_ask *ask) {
  lua_State *L = context;
  int top = lua_gettop(L);
  luaL_checkstack(L, top, "too many arguments");
  for (int i = DECIDE; i <= top; i++) lua_pushvalue(L, i);
  cll_push_slot(L, ask->other);
  cll_push_slot(L, ask->mover);
  cll_push_numbers(L, 2, (const double[]){ask->nx, ask->ny});
  if (ask->value < 0) lua_pushnil(L);
  else lua_pushinteger(L, ask->value);
  lua_pushboolean(L, ask->sensor);
  lua_call(L, top - DECIDE + 6, 1);
  cl_response response = check_response(L, lua_tonumber(L, -1), DECIDE);
  lua_pop(L, 1);
  return response;
}

// Computes a move.
static int world_move(lua_State *L, const cll_call *call) {
  enum { X = 1, Y, ANGLE, DX, DY, LOW, HIGH, BY_RULES, ASKS_SENSORS, RESPONSE, INSTEAD, IGNORED };
  cll_world *c = call->core;
  const double *v = call->v;
  cl_move_def def = {.slot = (uint32_t)v[0], .x = v[X], .y = v[Y], .angle = v[ANGLE]};
  def.dx = v[DX], def.dy = v[DY];
  def.filter.groups = cll_groups(v[LOW], v[HIGH]);
  def.by_rules = v[BY_RULES] != 0;
  def.asks_sensors = v[ASKS_SENSORS] != 0;
  def.response = check_response(L, v[RESPONSE], RESPONSE + 2);
  def.instead = check_response(L, v[INSTEAD], INSTEAD + 2);
  uint32_t ignored = (uint32_t)v[IGNORED] - 1;
  if (v[IGNORED] > 0) def.filter.ignored = &ignored, def.filter.count = 1;
  if (lua_gettop(L) >= DECIDE) def.responder = ask_host, def.context = L;
  return cl_world_move(c->world, &def) == CL_OK ? 0 : cll_no_memory(L);
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

// -> x, y, hits: the end of the last finished move, and its number of hits, which are written to
// the list; see cll_fit_records
static int moved_to(lua_State *L, const cll_call *c) {
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
  cll_push_numbers(L, 2, (const double[]){result.moved[0].to.x, result.moved[0].to.y});
  lua_pushinteger(L, (lua_Integer)count);
  return 3;
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

// -> x, y, angle of an actor in the world
static int place(lua_State *L, const cll_call *c) {
  double angle;
  cl_vec at = cl_world_place(c->world, (uint32_t)c->v[0], &angle);
  return cll_push_numbers(L, 3, (const double[]){at.x, at.y, angle});
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

// NaN is neither a coordinate nor any other number.
int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response) {
  bool sound = cl_coord_ok(x) && cl_coord_ok(y) && cl_coord_ok(dx) && cl_coord_ok(dy) &&
               cl_coord_ok(x + dx) && cl_coord_ok(y + dy) && fabs(angle) <= CL_MAX_ANGLE;
  if (!sound || !c->world || !(slot >= 1 && slot <= c->io.slots)) return -1;
  uint32_t mover = (uint32_t)slot - 1;
  if (!cl_world_can_move(c->world, mover)) return -1;
  cl_move_def def = {.slot = mover, .x = x, .y = y, .angle = angle, .dx = dx, .dy = dy};
  def.by_rules = group == CLL_BY_RULES;
  // "*", every group, is the number after the last one.
  bool all = def.by_rules || group >= CL_MAX_GROUPS;
  def.filter.groups = all ? UINT64_MAX : UINT64_C(1) << (unsigned)group;
  def.response = (cl_response)response;
  if (cl_world_move(c->world, &def) != CL_OK) return -1;
  cl_move_result result = cl_world_move_result(c->world);
  c->moved = result.moved[0].to;
  c->move_hit = result.hit;
  if (result.hits == 0 && cl_world_move_commit(c->world) != CL_OK) return -1;
  return (int32_t)result.hits;
}

// -> x, y, hits: like cll_move_now, from the actor's own x and y; returns nothing for -1
static int move_now(lua_State *L, const cll_call *call) {
  enum { ACTOR = 2, KEY_X, KEY_Y, SLOT, REST = 6 };
  cll_world *c = call->core;
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
  cll_push_numbers(L, 2, (const double[]){c->moved.x, c->moved.y});
  lua_pushinteger(L, hits);
  return 3;
}

// -> slot, x, y of the i-th moved actor, the mover first; nothing after the last
static int moved(lua_State *L, const cll_call *c) {
  cl_move_result result = cl_world_move_result(c->world);
  luaL_argcheck(L, c->v[0] >= 1, 2, "no such actor");
  if (c->v[0] > (double)result.moves) return 0;
  const cl_moved *m = &result.moved[(size_t)c->v[0] - 1];
  cll_push_slot(L, m->slot);
  return 1 + cll_push_numbers(L, 2, (const double[]){m->to.x, m->to.y});
}

// -> the slot of the first actor, from that slot on, that the shape would overlap there; nil if it
// fits
static int fits(lua_State *L, const cll_call *c) {
  cl_placed placed = cll_check_placed(L, 8);
  double from = c->v[10];
  luaL_argcheck(L, from >= 1, 12, "no such slot");
  cl_filter filter = cll_read_filter(L, c->core, cll_groups(c->v[2], c->v[3]));
  uint32_t other;
  if (cl_world_fits(c->world, &placed, filter, (uint32_t)from - 1, &other) != CL_OK) {
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

// -> low, high: the groups that an actor can hit
static int hit_groups(lua_State *L, const cll_call *c) {
  uint64_t groups = cl_world_hit_groups(c->world, (uint32_t)c->v[0]);
  return cll_push_numbers(L, 2, (const double[]){(double)(uint32_t)groups, (double)(groups >> 32)});
}

static const cll_function methods[] = {
    {world_move, "move", NULL,
     "slot:live x y angle:angle dx dy low:number high:number byRules:flag asksSensors:flag "
     "response:number instead:number ignored:number"},
    {move_now, "moveNow", NULL, "actor:table"},
    {moved_to, "movedTo", NULL, "actors:table list:table spare:table listOf:table"},
    {commit_move, "commitMove", NULL, ""},
    {moved, "moved", NULL, "i:number"},
    {place, "place", NULL, "slot:live"},
    {put, "put", NULL, "slot:live x y angle:angle"},
    {riders, "riders", NULL, "list:table slot:live"},
    {in_the_way, "inTheWay", NULL, "list:table slot:live dx dy low:number high:number"},
    {fits, "fits", NULL,
     "actors:any slots:table low:number high:number ignored:any asking:any shape:any x y "
     "angle:angle from:number"},
    {hit_groups, "hitGroups", NULL, "slot:live"},
    {NULL, NULL, NULL, NULL},
};

void cll_open_move_methods(lua_State *L) { /* stack: … metatable methods */
  cll_set_functions(L, methods, cll_enter_core, lua_gettop(L) - 1);
}
