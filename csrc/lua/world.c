// collide, MIT licence (see LICENSE)
//
// Worlds: making a core, adding and removing actors, and data about the last step. Only the files
// of lua/collide/ call methods of cores, and they check the users' arguments. So a wrong value here
// is a bug of the library, and it is enough that it does no harm. Slots count from 1.
// Layer: lua.

#include "lua/binding.h"

#include "broad/broad.h"
#include "geom/shape.h"

// The actor of the arguments shape, x, y, angle, group, static, sensor, swept, oneWay from `at` on;
// oneWay is two numbers, x and y of the direction.
static cl_actor_def actor_of(lua_State *L, const cll_call *c, int at) {
  const double *v = &c->v[at - 2];
  return (cl_actor_def){.shape = cll_check_shape(L, at),
                        .x = v[1],
                        .y = v[2],
                        .angle = v[3],
                        .group = (uint8_t)v[4],
                        .fixed = v[5] != 0,
                        .sensor = v[6] != 0,
                        .swept = v[7] != 0,
                        .one_way = {v[8], v[9]}};
}

static bool is_one_way(const cl_actor_def *actor) {
  return actor->one_way.x != 0 || actor->one_way.y != 0;
}

static const cl_broad_class *const broad_phases[] = {
    &cl_broad_auto, &cl_broad_grid, &cl_broad_incremental, &cl_broad_quadtree, &cl_broad_brute,
};

static const cl_broad_class *find_broad(lua_State *L, const char *name, bool loose) {
  const cl_broad_class *found = NULL;
  for (size_t i = 0; i < sizeof broad_phases / sizeof *broad_phases && !found; i++) {
    if (!strcmp(name, broad_phases[i]->name)) found = broad_phases[i];
  }
  if (!found) cll_error(L, "no broad phase \"%s\"", name);
  return found == &cl_broad_quadtree && loose ? &cl_broad_loose : found;
}

// Sets the part of a core that the accelerator uses, also for a core that has been collected.
static void open_calls(cll_world *c) {
  c->ray_cast = cll_ray_cast;
  c->rays_ignore = c->few;
  c->move_now = cll_move_now;
  c->move_on = cll_move_on;
  c->move_commit = cll_move_commit;
  c->stride = cll_stride;
  c->stride_in = c->striding;
}

// core.newWorld(width, height, broadphase, depth, loose, touching, listed)
static int world_new(lua_State *L) {
  cl_world_def def = {.alloc = cll_alloc(L)};
  def.width = luaL_checknumber(L, 1);
  def.height = luaL_checknumber(L, 2);
  def.broad = find_broad(L, luaL_checkstring(L, 3), lua_toboolean(L, 5));
  def.depth = (unsigned)luaL_checkinteger(L, 4);
  def.touching = lua_toboolean(L, 6);
  def.listed = lua_toboolean(L, 7);
  luaL_argcheck(L, def.depth <= CL_BROAD_MAX_DEPTH, 4, "too deep");
  cll_world *c = cll_push_object(L, CLL_WORLD, sizeof *c); /* stack: … core */
  c->dispatched = CL_ALL_DISPATCHED;
  open_calls(c);
  c->world = cl_world_new(&def, &c->io);
  if (c->world) c->pools = cl_pools_new(&def.alloc, c->world);
  if (!c->pools) return cll_no_memory(L);
  return 1;
}

static int world_gc(lua_State *L) {
  cll_world *c = cll_collect(L, CLL_WORLD);
  cl_alloc alloc = cll_alloc(L);
  CL_FREE(&alloc, c->ignored, c->ignored_room);
  if (c->pools) cl_pools_free(c->pools);
  if (c->world) cl_world_free(c->world);
  *c = (cll_world){0}; // a dispatch that a finaliser resumes has no events left
  open_calls(c);
  return 0;
}

// Raises if the world has been closed.
static int world_check(lua_State *L, const cll_call *c) {
  (void)L, (void)c;
  return 0;
}

// The slot at `index`, of a live actor or of the one that will be added next.
static uint32_t slot_to_be(lua_State *L, const cll_call *c, int index) {
  if (lua_tonumber(L, index) == (double)c->core->io.slots + 1) return c->core->io.slots;
  return cll_check_live(L, c->core, index);
}

// Reads the list of slots at `index`, or nil, into a userdata that it pushes. Each pair is two
// successive slots.
static uint32_t *push_slots(lua_State *L, const cll_call *c, int index, size_t *count) {
  bool any = lua_istable(L, index);
  *count = any ? cll_rawlen(L, index) : 0;
  uint32_t *slot = lua_newuserdata(L, (*count + 1) * sizeof *slot);
  for (size_t i = 0; i < *count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    slot[i] = slot_to_be(L, c, lua_gettop(L));
    lua_pop(L, 1);
  }
  return slot;
}

// `pairs` is as for core:setIgnored, or nil. -> whether it has been added: false if there is no
// memory
static int world_add(lua_State *L, const cll_call *c) {
  enum { PAIRS = 12 };
  cl_actor_def def = actor_of(L, c, 2);
  bool named = lua_istable(L, PAIRS);
  size_t slots = 0;
  uint32_t *pairs = named ? push_slots(L, c, PAIRS, &slots) : NULL, slot;
  cl_status status = named ? cl_world_reserve_ignored(c->world, slots / 2) : CL_OK;
  if (status == CL_OK) status = cl_world_add(c->world, &def, &slot);
  if (status == CL_OK && named)
    status = cl_world_set_ignored(c->world, NULL, 0, (cl_pair *)(void *)pairs, slots / 2);
  lua_pushboolean(L, status == CL_OK);
  return 1;
}

// `namers` is an ascending list of slots; `pairs` has pairs of slots: a namer, and one that it
// names. Actors in `namers` lose the names that they had before; others keep them.
static int world_set_ignored(lua_State *L, const cll_call *c) {
  size_t namers, slots;
  const uint32_t *namer = push_slots(L, c, 2, &namers);
  cl_pair *pairs = (cl_pair *)(void *)push_slots(L, c, 3, &slots);
  if (cl_world_set_ignored(c->world, namer, namers, pairs, slots / 2) != CL_OK)
    return cll_no_memory(L);
  return 0;
}

// -> whether two actors ignore each other
static int world_ignores(lua_State *L, const cll_call *c) {
  lua_pushboolean(L, cl_world_ignores(c->world, (uint32_t)c->v[0], (uint32_t)c->v[1]));
  return 1;
}

static int world_refresh(lua_State *L, const cll_call *c) {
  cl_actor_def def = actor_of(L, c, 3);
  if (def.angle != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  cl_pools_reshape(c->core->pools, (uint32_t)c->v[0], def.shape);
  cl_world_refresh(c->world, (uint32_t)c->v[0], &def);
  return 0;
}

static int world_teleport(lua_State *L, const cll_call *c) {
  if (c->v[3] != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  cl_world_put(c->world, (uint32_t)c->v[0], (cl_vec){c->v[1], c->v[2]}, c->v[3]);
  return 0;
}

// -> x, y, angle before the last step and x, y, angle after it
static int world_motion(lua_State *L, const cll_call *c) {
  cl_motion m = cl_world_motion(c->world, (uint32_t)c->v[0]);
  const double v[] = {m.from.x, m.from.y, m.from_angle, m.to.x, m.to.y, m.to_angle};
  return cll_push_numbers(L, 6, v);
}

// -> whether its table must be kept for a leave
static int world_remove(lua_State *L, const cll_call *c) {
  lua_pushboolean(L, cl_world_remove(c->world, (uint32_t)c->v[0], c->core->dispatched));
  return 1;
}

static int world_set_event_mask(lua_State *L, const cll_call *c) {
  (void)L;
  cl_world_set_event_mask(c->world, (uint32_t)c->v[0], (uint8_t)c->v[1], (uint8_t)c->v[2]);
  return 0;
}

// Writes the slots of the actors that `next` finds by a mask to the list, and pushes their number.
static int list_slots(lua_State *L, const cll_call *c,
                      uint32_t (*next)(const cl_world *, uint32_t, uint8_t)) {
  int n = 0;
  for (uint32_t slot = 0; (slot = next(c->world, slot, (uint8_t)c->v[1])) < c->core->io.slots;) {
    cll_push_slot(L, slot++);
    lua_rawseti(L, 2, ++n);
  }
  lua_pushinteger(L, n);
  return 1;
}

// -> the number of actors with an event mask that has any of `events`
static int world_with_events(lua_State *L, const cll_call *c) {
  return list_slots(L, c, cl_world_next_with_event);
}

// -> the number of actors without a call of core:setEventMask with `mask` since they were added or
// refreshed
static int world_unread(lua_State *L, const cll_call *c) {
  return list_slots(L, c, cl_world_next_unread);
}

// With `first` only actors of the first group get events.
static int world_set_rule(lua_State *L, const cll_call *c) {
  (void)L;
  cl_hits hits = c->v[3] != 0 ? CL_HITS_FIRST : CL_HITS_BOTH;
  if (c->v[2] == 0) hits = CL_HITS_NONE;
  cl_world_set_rule(c->world, (unsigned)c->v[0], (unsigned)c->v[1], hits);
  return 0;
}

static int world_can_hit(lua_State *L, const cll_call *c) {
  lua_pushboolean(L, cl_world_can_hit(c->world, (unsigned)c->v[0], (unsigned)c->v[1]));
  return 1;
}

// -> whether actors of the first group get events of hits with the second
static int world_is_notified(lua_State *L, const cll_call *c) {
  uint64_t groups = cl_world_groups_notified(c->world, (unsigned)c->v[0]);
  lua_pushboolean(L, (int)(groups >> (unsigned)c->v[1] & 1));
  return 1;
}

// -> group number, static
static int world_group(lua_State *L, const cll_call *c) {
  uint32_t slot = (uint32_t)c->v[0];
  lua_pushinteger(L, cl_world_group(c->world, slot));
  lua_pushboolean(L, c->core->io.state[slot] & CL_STATIC);
  return 2;
}

// -> whether an actor is one-way; for a map with layers, whether cells with the value are, or with
// any value if that is 0
static int world_is_one_way(lua_State *L, const cll_call *c) {
  cl_actor_def actor = cl_world_actor(c->world, (uint32_t)c->v[0]);
  unsigned value = (unsigned)c->v[1] & UINT8_MAX;
  bool own = is_one_way(&actor), any = own;
  const cl_tile_set *set = actor.shape->views ? actor.shape->set : NULL;
  if (set && value > 0)
    any = set->layer[value] >= CL_LAYER_PLANKS || (own && set->layer[value] == CL_LAYER_USUAL);
  else if (set) any = own || set->views > CL_VIEW_PLANKS;
  lua_pushboolean(L, any);
  return 1;
}

// -> actors, candidates, hits of the last step, name of the broad phase that found them
static int world_counts(lua_State *L, const cll_call *c) {
  cl_counts counts = cl_world_counts(c->world);
  lua_pushinteger(L, (lua_Integer)counts.actors);
  lua_pushinteger(L, (lua_Integer)counts.candidates);
  lua_pushinteger(L, (lua_Integer)counts.hits);
  lua_pushstring(L, counts.broad);
  return 4;
}

static size_t count_hits(lua_State *L, const cll_call *c, double slot) {
  size_t count;
  if (slot == 0) return cl_world_counts(c->world).hits;
  uint32_t of = cll_check_live(L, c->core, 2);
  if (cl_world_hits_of(c->world, of, &count) != CL_OK) cll_no_memory(L);
  return count;
}

// -> the number of an actor's hits; of all, if the slot is 0
static int world_hits(lua_State *L, const cll_call *c) {
  lua_pushinteger(L, (lua_Integer)count_hits(L, c, c->v[0]));
  return 1;
}

// -> a, b, nx, ny, depth of the k-th of these hits, and t if the two have met only on their way;
// nothing if one of the two was removed
static int world_hit(lua_State *L, const cll_call *c) {
  double slot = c->v[0], k = c->v[1];
  luaL_argcheck(L, k >= 1 && k <= (double)count_hits(L, c, slot), 3, "no such hit");
  size_t i = (size_t)k - 1;
  if (slot > 0) i = cl_world_hit_of(c->world, (uint32_t)slot - 1, i);
  cl_pair pair;
  cl_hit hit;
  if (!cl_world_hit(c->world, i, &pair, &hit)) return 0;
  cll_push_slot(L, pair.a);
  cll_push_slot(L, pair.b);
  cll_push_hit(L, &hit);
  const double *time = c->core->io.time, t = time ? time[i] : -1;
  if (t < 0) return 5;
  lua_pushnumber(L, t);
  return 6;
}

// -> flat list of the pairs whose two actors are present. As in queries.c, making the list may run
// finalisers that change the world.
static int world_candidates(lua_State *L, const cll_call *c) {
  const cl_pair *pairs;
  size_t count;
  uint64_t changes;
  do {
    lua_settop(L, 2);
    cl_world_candidates(c->world, &pairs, &count);
    changes = cl_world_changes(c->world);
    lua_createtable(L, (int)(2 * count), 0);
  } while (cl_world_changes(c->world) != changes);
  int at = 0;
  const uint8_t *state = c->core->io.state;
  for (size_t i = 0; i < count; i++) {
    if (!(state[pairs[i].a] & state[pairs[i].b] & CL_LIVE)) continue;
    lua_rawgeti(L, 2, (int)pairs[i].a + 1);
    lua_rawseti(L, 3, ++at);
    lua_rawgeti(L, 2, (int)pairs[i].b + 1);
    lua_rawseti(L, 3, ++at);
  }
  return 1;
}

// -> flat list of left, top, width, height, count
static int world_cells(lua_State *L, const cll_call *c) {
  size_t room, count = cl_world_cells(c->world, NULL, 0);
  cl_cell *cell;
  do {
    room = count;
    cell = lua_newuserdata(L, (room + 1) * sizeof *cell);
    count = cl_world_cells(c->world, cell, room);
  } while (count > room);
  lua_createtable(L, (int)(5 * count), 0); /* stack: core … cells list */
  int at = 0;
  for (size_t i = 0; i < count; i++) {
    double part[] = {cell[i].box.x0, cell[i].box.y0, (double)cell[i].box.x1 - cell[i].box.x0,
                     (double)cell[i].box.y1 - cell[i].box.y0, (double)cell[i].count};
    for (int k = 0; k < 5; k++) {
      lua_pushnumber(L, part[k]);
      lua_rawseti(L, -2, ++at);
    }
  }
  return 1;
}

// -> decimal digits
static int world_hash(lua_State *L, const cll_call *c) {
  char text[24];
  uint64_t hash = cl_pools_hash(c->core->pools);
  snprintf(text, sizeof text, "%llu", (unsigned long long)hash);
  lua_pushstring(L, text);
  return 1;
}

// -> its fields as read when it was added or refreshed: its shape, whether that is `shape`, x, y,
// angle as the world has them now, group number, static, sensor, swept, x and y of its one-way
// direction; and its event mask, and the bits of it that are not read yet
static int world_actor(lua_State *L, const cll_call *c) {
  lua_settop(L, 3);
  cl_shape **box = cll_push_shape(L); // which may run finalisers that refresh the actor
  uint32_t slot = cll_check_live(L, c->core, 2);
  cl_actor_def actor = cl_world_actor(c->world, slot);
  cl_shape_retain(actor.shape);
  *box = actor.shape;
  lua_pushboolean(L, actor.shape == cll_to_shape(L, 3));
  cll_push_numbers(L, 3, (const double[]){actor.x, actor.y, actor.angle});
  lua_pushinteger(L, actor.group);
  lua_pushboolean(L, actor.fixed);
  lua_pushboolean(L, actor.sensor);
  lua_pushboolean(L, actor.swept);
  cll_push_numbers(L, 2, (const double[]){actor.one_way.x, actor.one_way.y});
  uint8_t unread;
  lua_pushinteger(L, cl_world_event_mask(c->world, slot, &unread));
  lua_pushinteger(L, unread);
  return 13;
}

// Bits for the fields that the host read of an actor, as in lua/collide/world/reader.lua; the
// number of its group is added times SEEN_GROUP.
enum {
  SEEN_STATIC = 1,
  SEEN_SENSOR = 2,
  SEEN_ONE_WAY = 4,
  SEEN_SWEPT = 8,
  SEEN_ENTER = 16,
  SEEN_HIT = 32,
  SEEN_LEAVE = 64,
  SEEN_UPDATE = 128,
  SEEN_GROUP = 256,
};

// Those bits; -1 if a method of `events` has not been read yet.
static int seen_bits(const cl_world *world, uint32_t slot, const cl_actor_def *actor,
                     unsigned events) {
  uint8_t unread;
  unsigned heard = cl_world_event_mask(world, slot, &unread) & events;
  if (unread & events) return -1;
  return (actor->fixed ? SEEN_STATIC : 0) | (actor->sensor ? SEEN_SENSOR : 0) |
         (is_one_way(actor) ? SEEN_ONE_WAY : 0) | (actor->swept ? SEEN_SWEPT : 0) |
         (heard & CL_EVENT_ENTER ? SEEN_ENTER : 0) | (heard & CL_EVENT_HIT ? SEEN_HIT : 0) |
         (heard & CL_EVENT_LEAVE ? SEEN_LEAVE : 0) | (heard & CL_EVENT_UPDATE ? SEEN_UPDATE : 0) |
         (int)actor->group * SEEN_GROUP;
}

// Lists the fields that the host has read of `count` actors, or of all: in the order of slots, from
// the one after `from` on, starting over at the end. Each takes seven places: the slot, the bits
// above; of a static actor x, y, angle; of a one-way actor x and y of its direction. -> their
// number, and the slot of the last
static int world_seen(lua_State *L, const cll_call *call) {
  enum { LIST = 2, STRIDE = 7 };
  const cll_world *c = call->core;
  uint32_t slots = c->io.slots, from = (uint32_t)call->v[1], last = 0;
  unsigned events = CL_EVENT_EVENTS | (call->v[3] != 0 ? CL_EVENT_UPDATE : 0);
  int count = 0;
  for (uint32_t i = 0; i < slots && count < call->v[2]; i++) {
    uint32_t slot = from + i < slots ? from + i : from + i - slots;
    if (!(c->io.state[slot] & CL_LIVE)) continue;
    cl_actor_def actor = cl_world_actor(c->world, slot);
    int at = STRIDE * count++;
    last = slot;
    cll_push_slot(L, slot);
    lua_rawseti(L, LIST, at + 1);
    lua_pushinteger(L, seen_bits(c->world, slot, &actor, events));
    lua_rawseti(L, LIST, at + 2);
    const double v[] = {actor.x, actor.y, actor.angle, actor.one_way.x, actor.one_way.y};
    for (int k = actor.fixed ? 0 : 3, end = is_one_way(&actor) ? 5 : 3; k < end; k++) {
      lua_pushnumber(L, v[k]);
      lua_rawseti(L, LIST, at + 3 + k);
    }
  }
  lua_pushinteger(L, count);
  cll_push_slot(L, last);
  return 2;
}

// -> nx, ny, t for two actors, one of them swept, if they met on their way to these places; else
// nothing
static int world_would_meet(lua_State *L, const cll_call *c) {
  cl_pair pair = {(uint32_t)c->v[0], (uint32_t)c->v[4]};
  cl_placed to[2];
  for (int i = 0; i < 2; i++) {
    const double *place = &c->v[1 + 4 * i];
    cl_actor_def actor = cl_world_actor(c->world, i == 0 ? pair.a : pair.b);
    to[i] = cl_place(actor.shape, place[0], place[1], place[2]);
  }
  cl_hit hit;
  double t;
  if (!cl_world_would_meet(c->world, pair, to, &hit, &t)) return 0;
  return cll_push_numbers(L, 3, (const double[]){hit.nx, hit.ny, t});
}

static const cll_function methods[] = {
    {world_check, "check", NULL, ""},
    {world_add, "add", NULL,
     "shape:any x y angle:angle group:group static:flag sensor:flag swept:flag lookX:finite "
     "lookY:finite pairs:any"},
    {world_refresh, "refresh", NULL,
     "slot:live shape:any x y angle:angle group:group static:flag sensor:flag swept:flag "
     "lookX:finite lookY:finite"},
    {world_teleport, "teleport", NULL, "slot:live x y angle:angle"},
    {world_motion, "motion", NULL, "slot:live"},
    {world_remove, "remove", NULL, "slot:live"},
    {world_set_ignored, "setIgnored", NULL, "namers:table pairs:table"},
    {world_ignores, "ignores", NULL, "slot:live other:live"},
    {world_set_event_mask, "setEventMask", NULL, "slot:live mask:number events:number"},
    {world_with_events, "withEvents", NULL, "list:table events:number"},
    {world_unread, "unread", NULL, "list:table mask:number"},
    {world_set_rule, "setRule", NULL, "groupA:groups groupB:groups hit:flag first:flag"},
    {world_can_hit, "canHit", NULL, "groupA:group groupB:group"},
    {world_is_notified, "isNotified", NULL, "groupA:group groupB:group"},
    {world_group, "group", NULL, "slot:live"},
    {world_is_one_way, "isOneWay", NULL, "slot:live value:number"},
    {world_counts, "counts", NULL, ""},
    {world_hits, "hits", NULL, "slot:number"},
    {world_hit, "hit", NULL, "slot:number k:whole"},
    {world_candidates, "candidates", NULL, "actors:table"},
    {world_cells, "cells", NULL, ""},
    {world_hash, "hash", NULL, ""},
    {world_actor, "actor", NULL, "slot:live shape:any"},
    {world_seen, "seen", NULL, "list:table from:number count:number updates:flag"},
    {world_would_meet, "wouldMeet", NULL,
     "slot:live x y angle:angle other:live otherX otherY otherAngle:angle"},
    {NULL, NULL, NULL, NULL},
};

void cll_open_world(lua_State *L) {
  cll_begin_class(L, CLL_WORLD); /* stack: … core metatable methods */
  cll_set_functions(L, methods, cll_enter_core, lua_gettop(L) - 1);
  cll_open_step_methods(L);
  cll_open_query_methods(L);
  cll_open_move_methods(L);
  cll_open_snapshot_methods(L);
  cll_open_pool_methods(L);
  cll_end_class(L, CLL_WORLD, world_gc, NULL);
  lua_pushcfunction(L, world_new);
  lua_setfield(L, -2, "newWorld");
}
