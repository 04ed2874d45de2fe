// collide, MIT licence (see LICENSE)
//
// Methods of the core for each frame: reading the places of actors, stepping, and fetching events.
// Under LuaJIT lua/collide/ffi/frame.lua reads places and fetches events through pointers. Events
// are dispatched in Lua: calling `hit` from C would be no faster. Layer: lua.

#include "lua/binding.h"

// Pulls one actor. Returns 0, or the stack index of the key with a bad value, which is then on top.
// May call __index.
static int pull_actor(lua_State *L, const cll_world *c, uint32_t slot, bool turns, bool inside) {
  enum { ACTOR = 7 };
  double x, y, angle = 0;
  lua_rawgeti(L, 2, (int)slot + 1); /* stack: core actors x y angle at actor */
  if (inside) {
    if (cll_gettable(L, ACTOR, 6) != LUA_TTABLE) return 6;
    lua_replace(L, ACTOR);
  }
  if (!cll_within(L, -1, cll_gettable(L, ACTOR, 3), CL_MAX_COORD, &x)) return 3;
  if (!cll_within(L, -1, cll_gettable(L, ACTOR, 4), CL_MAX_COORD, &y)) return 4;
  if (turns) {
    int type = cll_gettable(L, ACTOR, 5);
    if (type != LUA_TNIL && !cll_within(L, -1, type, CL_MAX_ANGLE, &angle)) return 5;
  }
  if (angle != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  // Fetched only now: an __index may have moved the arrays.
  c->io.place[slot] = (cl_vec){x, y};
  if (c->io.angle) c->io.angle[slot] = angle;
  return 0;
}

// -> nothing, or slot, key, value of the first bad field. `angle` false: not read; `at` true: the
// actors have tables with the rest there.
static int world_pull(lua_State *L, const cll_call *call) {
  const cll_world *c = call->core;
  lua_settop(L, 6);
  bool turns = call->v[3] != 0, inside = call->v[4] != 0;
  for (uint32_t slot = 0; slot < c->io.slots; slot++) {
    if ((c->io.state[slot] & (CL_LIVE | CL_STATIC)) != CL_LIVE) continue;
    int bad = pull_actor(L, c, slot, turns, inside);
    if (bad) { /* stack: core actors x y angle at actor … value */
      cll_push_slot(L, slot);
      lua_pushvalue(L, bad);
      lua_pushvalue(L, -3);
      return 3;
    }
    lua_settop(L, 6);
  }
  return 0;
}

// t[to] = t[from] for the table at `index`.
static void move_element(lua_State *L, int index, int from, int to) {
  lua_rawgeti(L, index, from);
  lua_rawseti(L, index, to);
}

// The lists by slot that world/init.lua keeps, in the order of core:step: the actors; removed ones
// with a pending end; numbers in the order of adding; shapes. The last is the map from actors to
// slots.
enum { ACTORS = 2, GHOSTS, IDS, SHAPES, SLOTS };

// Moves the entries of the lists as slots have been moved. Every key that is set exists already, so
// no memory is needed.
static void move_lists(lua_State *L, const cll_world *c) {
  uint32_t count;
  const int32_t *moved = cl_world_moved(c->world, &count);
  for (uint32_t from = 0; moved && from < count; from++) {
    if (moved[from] == CL_NOWHERE || moved[from] == (int32_t)from) continue;
    int to = moved[from] + 1;
    for (int list = ACTORS; list <= SHAPES; list++) move_element(L, list, (int)from + 1, to);
    lua_rawgeti(L, ACTORS, to);
    if (lua_istable(L, -1)) {
      lua_pushinteger(L, to);
      lua_rawset(L, SLOTS);
    } else {
      lua_pop(L, 1);
    }
  }
  for (uint32_t slot = c->io.slots; moved && slot < count; slot++) {
    for (int list = ACTORS; list <= SHAPES; list++) {
      lua_pushnil(L);
      lua_rawseti(L, list, (int)slot + 1);
    }
  }
}

// -> the slot that core:add will give next, and whether other slots have moved
static int world_make_room(lua_State *L, const cll_call *c) {
  bool moved = cl_world_reclaim(c->world);
  if (moved) {
    cl_pools_follow(c->core->pools);
    move_lists(L, c->core);
  }
  cll_push_slot(L, c->core->io.slots);
  lua_pushboolean(L, moved);
  return 2;
}

// -> number of events, whether slots have moved; or nil and the slot of a map with an angle.
// Bullets fly for dt, if it is given.
static int world_step(lua_State *L, const cll_call *call) {
  cll_world *c = call->core;
  double dt = call->v[5];
  bool fly = !lua_isnoneornil(L, SLOTS + 1);
  luaL_argcheck(L, dt >= 0, SLOTS + 1, "not a time");
  uint32_t turned = cl_world_turned_map(c->world);
  if (turned != CL_NOBODY) {
    lua_pushnil(L);
    cll_push_slot(L, turned);
    return 2;
  }
  cl_status status = cl_world_begin_step(c->world, c->dispatched);
  if (status == CL_OK && fly) status = cl_pools_begin_step(c->pools, dt);
  if (status != CL_OK) return cll_no_memory(L);
  cl_world_end_step(c->world);
  if (fly) cl_pools_end_step(c->pools);
  else cl_pools_stand(c->pools);
  c->dispatched = c->io.events ? 0 : CL_ALL_DISPATCHED;
  move_lists(L, c);
  uint32_t count;
  const uint32_t *released = cl_world_released(c->world, &count);
  for (uint32_t i = 0; i < count; i++) {
    lua_pushboolean(L, false);
    lua_rawseti(L, GHOSTS, (int)released[i] + 1);
  }
  lua_pushinteger(L, (lua_Integer)c->io.events);
  lua_pushboolean(L, cl_world_moved(c->world, &count) != NULL);
  return 2;
}

// The upvalues of the function that core:events returns.
enum { EVENT_OF_CORE = 1, EVENT_OF_ACTORS, EVENT_OF_GHOSTS };

// Pushes the table of a slot: the actor or, if it has been removed, its ghost.
static void push_either(lua_State *L, const cll_world *c, uint32_t slot) {
  bool live = c->io.state[slot] & CL_LIVE;
  lua_rawgeti(L, lua_upvalueindex(live ? EVENT_OF_ACTORS : EVENT_OF_GHOSTS), (int)slot + 1);
}

// event(_, e) -> calls, a, b, nx, ny, depth of the e-th event, and t if the two have met only on
// their way. If the event asks only for hits, its calls count as begun; for others core:begun notes
// them. Returns only 0 calls if the pair has met and one of the two has been removed since.
static int event_at(lua_State *L) {
  cll_world *c = lua_touserdata(L, lua_upvalueindex(EVENT_OF_CORE));
  lua_Integer e = lua_tointeger(L, 2);
  cl_event event = {0};
  if (e >= 1 && e <= (lua_Integer)c->io.events) event = cl_event_of(&c->io, (uint32_t)(e - 1));
  bool none = event.calls == 0 || (event.calls < CL_CALL_LEAVE_B &&
                                   !(c->io.state[event.a] & c->io.state[event.b] & CL_LIVE));
  lua_pushinteger(L, none ? 0 : (lua_Integer)event.calls);
  if (none) return 1;
  if (event.calls < CL_CALL_ENTER_B) c->dispatched = (double)e * CL_CALL_NUMBERS;
  push_either(L, c, event.a);
  push_either(L, c, event.b);
  const double hit[] = {event.nx, event.ny, event.depth, event.t};
  return 3 + cll_push_numbers(L, event.t < 0 ? 3 : 4, hit);
}

// -> event
static int world_events(lua_State *L, const cll_call *c) {
  (void)c;
  lua_settop(L, 3);
  lua_pushcclosure(L, event_at, 3);
  return 1;
}

// Notes that the call with this number, as counted in cl_io, has begun.
static int world_begun(lua_State *L, const cll_call *c) {
  (void)L;
  c->core->dispatched = c->v[0];
  return 0;
}

// -> whether the first and the second of the event of call number `done` are still in the world
static int world_present(lua_State *L, const cll_call *c) {
  const cl_io *io = &c->core->io;
  double e = c->v[0] / CL_CALL_NUMBERS - 1;
  luaL_argcheck(L, e >= 0 && e < io->events, 2, "no such event");
  cl_event event = cl_event_of(io, (uint32_t)e);
  lua_pushboolean(L, io->state[event.a] & CL_LIVE);
  lua_pushboolean(L, io->state[event.b] & CL_LIVE);
  return 2;
}

// Notes that some actor has, or will have, an angle.
static int world_use_angles(lua_State *L, const cll_call *c) {
  return cl_world_use_angles(c->world) == CL_OK ? 0 : cll_no_memory(L);
}

static const cll_function methods[] = {
    {world_pull, "pull", NULL, "actors:table x:any y:any angle:flag at:flag"},
    {world_make_room, "makeRoom", NULL,
     "actors:table ghosts:table ids:table shapes:table slots:table"},
    {world_step, "step", NULL,
     "actors:table ghosts:table ids:table shapes:table slots:table dt:number?"},
    {world_events, "events", NULL, "actors:table ghosts:table"},
    {world_begun, "begun", NULL, "dispatched:number"},
    {world_present, "present", NULL, "done:number"},
    {world_use_angles, "useAngles", NULL, ""},
    {NULL, NULL, NULL, NULL},
};

void cll_open_step_methods(lua_State *L) { /* stack: … metatable methods */
  cll_set_functions(L, methods, cll_enter_core, lua_gettop(L) - 1);
}
