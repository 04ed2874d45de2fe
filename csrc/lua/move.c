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

// -> x, y, hits: where the last move ends, and the number of its hits
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
  uint32_t ignored = (uint32_t)v[IGNORED] - 1;
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

// Computes a turn, as far as something has to be pushed
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

// Goes on with it
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

// As cll_move_now, but it also asks the host, if `h` is given. NaN is neither a coordinate nor any
// other number.
static int32_t move_by(cll_world *c, double slot, double x, double y, double angle, double dx,
                       double dy, double group, double response, host *h) {
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
  if (h) set_host(&def, h);
  cl_move_result result = {NULL, NULL, 0, 0};
  c->moves++;
  cl_status status = cl_world_move(c->world, &def);
  if (status == CL_OK) result = cl_world_move_result(c->world);
  if (status == CL_OK && result.hits == 0) status = cl_world_move_commit(c->world);
  if (status != CL_OK && def.responder) cll_no_memory(h->L); // nothing is asked twice
  if (status != CL_OK) return -1;
  c->moved = result.moved[0].to;
  c->move_hit = result.hit;
  c->move_hits = result.hits;
  return (int32_t)result.hits;
}

int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response) {
  return move_by(c, slot, x, y, angle, dx, dy, group, response, NULL);
}

// -> x, y, hits: like cll_move_now, from the actor's own x and y; returns nothing for -1. It may
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
  int32_t hits = move_by(c, v[0], x, y, v[1], v[2], v[3], v[4], v[5], h.last < h.first ? NULL : &h);
  return hits < 0 ? 0 : push_result(L, c);
}

// A front of world:move ----------------------------------------------------------

// Its upvalues: the list of calls without hits, the key of a World's lock, the names of responses,
// then those of the fields of a hit, the first of which every hit has.
enum { NO_HITS = CLL_FRONT_OWN, LOCK, RESPONSES, FIELDS = RESPONSES + CL_RESPONSES };
enum { F_ACTOR, F_NX, F_NY, F_X, F_Y, F_PX, F_PY, F_T, F_RESPONSE, F_ALWAYS };
enum { F_COLUMN = F_ALWAYS, F_ROW, F_VALUE, F_INSIDE, F_CRUSHED, F_PART, F_COUNT };
static const char *const fields[F_COUNT] = {"actor", "nx",    "ny",     "x",        "y",
                                            "px",    "py",    "t",      "response", "column",
                                            "row",   "value", "inside", "crushed",  "part"};
enum { MOST_HITS = 8 }; // those of longer lists are made in Lua

// t[field] = the value on top, for the table below it.
static void set_field(lua_State *L, int field) {
  lua_pushvalue(L, lua_upvalueindex(FIELDS + field));
  lua_insert(L, -2);
  lua_rawset(L, -3);
}

static void set_flag(lua_State *L, int field, bool v) {
  if (!v) return;
  lua_pushboolean(L, true);
  set_field(L, field);
}

// Whether a hit is of a member with a name: these are told in Lua.
static bool any_named(const cll_world *c, int hits) {
  for (int i = 0; i < hits; i++)
    if (cl_world_member_name(c->world, c->move_hit[i].slot, c->move_hit[i].member).bytes)
      return true;
  return false;
}

// Pushes a table with a hit; `actors` is the index of the list.
static void push_hit(lua_State *L, const cl_move_hit *hit, int actors) {
  const double number[] = {hit->normal.x, hit->normal.y, hit->at.x, hit->at.y,
                           hit->point.x,  hit->point.y,  hit->t};
  const int32_t cell[] = {hit->column, hit->row, hit->value};
  lua_createtable(L, 0, F_ALWAYS);
  lua_rawgeti(L, actors, (int)hit->slot + 1);
  set_field(L, F_ACTOR);
  for (int i = 0; i < 7; i++) {
    lua_pushnumber(L, number[i]);
    set_field(L, F_NX + i);
  }
  lua_pushvalue(L, lua_upvalueindex(RESPONSES + hit->response));
  set_field(L, F_RESPONSE);
  for (int i = 0; i < 3; i++) {
    if (cell[i] < 0) continue;
    lua_pushinteger(L, cell[i]);
    set_field(L, F_COLUMN + i);
  }
  if (hit->member > 0) {
    lua_pushinteger(L, (lua_Integer)hit->member);
    set_field(L, F_PART);
  }
  set_flag(L, F_INSIDE, hit->inside);
  set_flag(L, F_CRUSHED, hit->crushed);
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

// What a front was given, on the stack.
enum { WORLD = 1, MOVER, DX, DY, FILTER, RESPONSE, GIVEN = RESPONSE, DIRECT, KEY_OF_X, KEY_OF_Y };

// Reads the arguments of a move and the mover's place; false if the method in Lua has to.
static bool read_front(lua_State *L, cl_move_def *def, double *group) {
  double at[3] = {NAN, NAN, 0};
  lua_rawgeti(L, DIRECT, CLL_DIRECT_X);
  lua_rawgeti(L, DIRECT, CLL_DIRECT_Y);
  lua_rawgeti(L, DIRECT, CLL_DIRECT_ANGLE);
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, KEY_OF_X + i);
    if (cll_rawget(L, MOVER) != LUA_TNUMBER) return false;
    at[i] = lua_tonumber(L, -1);
  }
  if (lua_toboolean(L, KEY_OF_Y + 1)) {
    if (!push_plain(L, MOVER, KEY_OF_Y + 1)) return false;
    at[2] = lua_isnil(L, -1) ? 0 : cll_to_number(L, -1);
  }
  double slot;
  if (!cll_front_number(L, DIRECT, CLL_DIRECT_SLOTS, MOVER, &slot)) return false;
  def->slot = (uint32_t)slot;
  *group = CLL_BY_RULES;
  if (!lua_isnil(L, FILTER) && !cll_front_number(L, DIRECT, CLL_DIRECT_GROUPS, FILTER, group))
    return false;
  def->response = CL_RESPONSE_SLIDE;
  if (!lua_isnil(L, RESPONSE)) {
    int r = CL_RESPONSE_SLIDE;
    while (r < CL_RESPONSE_PUSH && !lua_rawequal(L, RESPONSE, lua_upvalueindex(RESPONSES + r))) r++;
    if (r == CL_RESPONSE_PUSH) return false; // or no response
    def->response = (cl_response)r;
  }
  def->x = at[0], def->y = at[1], def->angle = at[2];
  def->dx = cll_to_number(L, DX), def->dy = cll_to_number(L, DY);
  return true;
}

// Whether a move may begin: the world is not locked, and nothing is in the list without hits.
static bool may_move(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(LOCK));
  cll_rawget(L, WORLD);
  bool locked = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (locked) return false;
  lua_pushnil(L);
  return !lua_next(L, lua_upvalueindex(NO_HITS));
}

// Writes where the last move has moved the mover.
static int finish(lua_State *L, const cll_world *c, int list, int count) {
  lua_pushvalue(L, KEY_OF_X);
  lua_pushnumber(L, c->moved.x);
  lua_rawset(L, MOVER);
  lua_pushvalue(L, KEY_OF_Y);
  lua_pushnumber(L, c->moved.y);
  lua_rawset(L, MOVER);
  lua_pushnumber(L, c->moved.x);
  lua_pushnumber(L, c->moved.y);
  lua_pushvalue(L, list);
  lua_pushinteger(L, count);
  return 4;
}

// Makes a move -> x, y, hits, n. Making tables for the hits may run finalisers, which move actors
// or change the world: then the move is computed again.
static int move_front(lua_State *L) {
  int top = lua_gettop(L);
  if (top < DY || top > GIVEN) return cll_front_slow(L, top);
  for (;;) {
    cl_move_def def = {0};
    cl_move_hit hit[MOST_HITS];
    double group;
    lua_settop(L, GIVEN);
    cll_world *c = cll_front_world(L);
    bool usual = c && lua_istable(L, MOVER) && may_move(L) && read_front(L, &def, &group);
    int32_t hits = usual ? move_by(c, def.slot, def.x, def.y, def.angle, def.dx, def.dy, group,
                                   def.response, NULL)
                         : -1;
    if (hits < 0 || hits > MOST_HITS) return cll_front_slow(L, top);
    if (hits == 0) return finish(L, c, lua_upvalueindex(NO_HITS), 0);
    if (any_named(c, hits)) return cll_front_slow(L, top);
    memcpy(hit, c->move_hit, (size_t)hits * sizeof *hit);
    uint32_t moves = c->moves;
    uint64_t changes = cl_world_changes(c->world);
    lua_settop(L, KEY_OF_Y);
    lua_rawgeti(L, DIRECT, CLL_DIRECT_ACTORS);
    lua_createtable(L, hits, 0); /* stack: … actors list */
    for (int i = 0; i < hits; i++) {
      push_hit(L, &hit[i], KEY_OF_Y + 1);
      lua_rawseti(L, -2, i + 1);
    }
    if (!c->world || c->moves != moves || cl_world_changes(c->world) != changes) continue;
    if (cll_move_commit(c) != 1) return cll_no_memory(L);
    return finish(L, c, KEY_OF_Y + 2, hits);
  }
}

// core.moveFront(method in Lua, list without hits) -> the front
static int push_move_front(lua_State *L) {
  lua_settop(L, 2);
  lua_pushliteral(L, "_lock");
  for (int i = 0; i < CL_RESPONSES; i++) lua_pushstring(L, responses[i]);
  for (int i = 0; i < F_COUNT; i++) lua_pushstring(L, fields[i]);
  return cll_push_front(L, move_front, 2 + CL_RESPONSES + F_COUNT);
}

void cll_open_move_front(lua_State *L) {
  if (!CLL_HAS_FRONTS) return;
  lua_pushcfunction(L, push_move_front);
  lua_setfield(L, -2, "moveFront");
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
    {place, "place", NULL, "slot:live"},
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
