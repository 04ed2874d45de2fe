// collide, MIT licence (see LICENSE)
//
// Pools of bullets. The first argument of every method is the pool's table, with the userdata as
// element 1. Functions that games call often are methods themselves and check all arguments;
// bullets/init.lua calls the others, and checks their arguments first. Layer: lua.

#include "lua/binding.h"

#include "base/vec.h"

// The pool whose table is the first argument; raises if it is not a pool, or its world has
// been closed. Upvalue 1 of the running function is the userdata's metatable.
static cll_bullets *check_pool(lua_State *L, const char *function) {
  cll_bullets *b = NULL;
  if (lua_istable(L, 1)) {
    lua_rawgeti(L, 1, 1);
    b = lua_touserdata(L, -1);
    bool known = b && lua_getmetatable(L, -1);
    if (!known || !lua_rawequal(L, -1, lua_upvalueindex(1))) b = NULL;
    lua_pop(L, known ? 2 : 1);
  }
  if (!b) {
    cll_push_described(L, 1, false);
    cll_error(L, "%s: self expected (pool), got %s; call it with a colon", function,
              lua_tostring(L, -1));
    return NULL;
  }
  if (!*b->world) cll_error(L, "attempt to use bullets of a world that has been closed");
  if (!b->pool) cll_error(L, "attempt to use a pool that has been removed");
  return b;
}

static int enter_pool(lua_State *L) {
  const cll_function *f = cll_running(L);
  return cll_enter(L, f, 2, check_pool(L, f->name)->pool, true);
}

// -> whether it was alive
static int pool_kill(lua_State *L, const cll_call *c) {
  lua_pushboolean(L, cl_bullets_kill(c->self, (uint64_t)c->v[0]));
  return 1;
}

// -> how many it killed
static int pool_kill_circle(lua_State *L, const cll_call *c) {
  cll_pushwhole(L, cl_bullets_kill_circle(c->self, c->v[0], c->v[1], c->v[2]));
  return 1;
}

// -> how many bullets there were
static int pool_clear(lua_State *L, const cll_call *c) {
  cll_pushwhole(L, cl_bullets_clear(c->self));
  return 1;
}

// -> how many are alive
static int pool_count(lua_State *L, const cll_call *c) {
  cll_pushwhole(L, cl_bullets_count(c->self));
  return 1;
}

static int push_state(lua_State *L, const cl_bullet *at) {
  cll_push_numbers(L, 5, (const double[]){at->x, at->y, at->vx, at->vy, at->radius});
  cll_pushwhole(L, at->tag);
  return 6;
}

// Pushes the values that only a bullet with a length has, and returns how many.
static int push_length(lua_State *L, const cl_bullet *at) {
  if (at->length == 0) return 0;
  return cll_push_numbers(L, 3, (const double[]){at->length, at->tail_x, at->tail_y});
}

// -> x, y, vx, vy, radius, tag, ax, ay, age, length, tailX, tailY; nil if it is dead
static int pool_get(lua_State *L, const cll_call *c) {
  cl_bullet at;
  if (!cl_bullets_get(c->self, (uint64_t)c->v[0], &at)) {
    lua_pushnil(L);
    return 1;
  }
  int n = push_state(L, &at);
  n += cll_push_numbers(L, 3, (const double[]){at.ax, at.ay, at.age});
  return n + push_length(L, &at);
}

// -> its tag; nil if it is dead
static int pool_tag(lua_State *L, const cll_call *c) {
  cl_bullet at;
  if (cl_bullets_get(c->self, (uint64_t)c->v[0], &at)) cll_pushwhole(L, at.tag);
  else lua_pushnil(L);
  return 1;
}

// A kind of table of numbers that games give: its name, the text for what is expected there, and
// its fields, with `names` in the order of messages.
enum { MOST_FIELDS = 13 };
typedef struct fields {
  const char *word, *expected, *names;
  int count;
  struct {
    const char *name;
    cll_kind kind;
  } at[MOST_FIELDS];
} fields;

// In the order of cl_bullets_set.
static const fields changes = {
    "changes",
    "table {x = …, vx = …, …}",
    "one of ax, ay, length, radius, tag, vx, vy, x, y",
    9,
    {{"x", CLL_COORDINATE},
     {"y", CLL_COORDINATE},
     {"vx", CLL_COORDINATE},
     {"vy", CLL_COORDINATE},
     {"ax", CLL_COORDINATE},
     {"ay", CLL_COORDINATE},
     {"radius", CLL_POSITIVE},
     {"tag", CLL_WHOLE},
     {"length", CLL_EXTENT}},
};
enum { CHANGE_LENGTH = 8 };

// The last argument of all spawns.
enum {
  SPAWN_TAG,
  SPAWN_AX,
  SPAWN_AY,
  SPAWN_RADIAL,
  SPAWN_TANGENTIAL,
  SPAWN_TURN_RATE,
  SPAWN_MIN_SPEED,
  SPAWN_MAX_SPEED,
  SPAWN_HOME,
  SPAWN_PLAN,
  SPAWN_LENGTH,
  SPAWN_FIELDS
};
static const fields spawn_options = {
    "options",
    "whole number within ±2^53, a tag, or table {tag = …, ax = …, …}",
    "one of ax, ay, home, length, maxSpeed, minSpeed, plan, radial, tag, tangential, turnRate",
    SPAWN_FIELDS,
    {{"tag", CLL_WHOLE},
     {"ax", CLL_COORDINATE},
     {"ay", CLL_COORDINATE},
     {"radial", CLL_COORDINATE},
     {"tangential", CLL_COORDINATE},
     {"turnRate", CLL_ANGLE},
     {"minSpeed", CLL_EXTENT},
     {"maxSpeed", CLL_EXTENT},
     {"home", CLL_ANY},
     {"plan", CLL_ANY},
     {"length", CLL_EXTENT}},
};

// Raises unless the value at `index` is a table, and all its keys are names of fields.
static void check_keys(lua_State *L, const char *fn, const fields *f, int index) {
  char key[24];
  if (!lua_istable(L, index)) cll_fail(L, fn, f->word, f->expected, index);
  lua_pushnil(L);
  while (lua_next(L, index)) { /* stack: … key value */
    bool known = false;
    for (int i = 0; i < f->count && lua_type(L, -2) == LUA_TSTRING; i++) {
      known |= !strcmp(lua_tostring(L, -2), f->at[i].name);
    }
    lua_pop(L, 1);
    if (known) continue;
    snprintf(key, sizeof key, "key of %s", f->word);
    cll_fail(L, fn, key, f->names, lua_gettop(L));
  }
}

// Reads such a table. Returns which fields it has, a bit for each. Missing fields are 0. So are
// fields that are no numbers; their values are left on the stack. It may run the game's code.
static uint32_t read_table(lua_State *L, const char *fn, const fields *f, int index, double *v) {
  uint32_t given = 0;
  check_keys(L, fn, f, index);
  for (int i = 0; i < f->count; i++) {
    v[i] = 0;
    lua_getfield(L, index, f->at[i].name);
    bool number = f->at[i].kind != CLL_ANY;
    if (!lua_isnil(L, -1)) {
      if (number) v[i] = cll_number(L, fn, f->at[i].name, f->at[i].kind, lua_gettop(L));
      given |= 1u << i;
    }
    if (number) lua_pop(L, 1);
  }
  return given;
}

// -> whether it is alive
static int pool_set(lua_State *L, const cll_call *c) {
  double v[MOST_FIELDS];
  uint32_t given = read_table(L, c->fn, &changes, 3, v);
  const cl_bullet to = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], 0, v[CHANGE_LENGTH], 0, 0};
  cl_bullets *pool = check_pool(L, c->fn)->pool; // reading may have removed it
  bool lengthens = given >> CHANGE_LENGTH & 1;
  if (lengthens && cl_bullets_reserve_lengths(pool) != CL_OK) return cll_no_memory(L);
  lua_pushboolean(L, cl_bullets_set(pool, (uint64_t)c->v[0], &to, given));
  return 1;
}

// own.next(pool, after, alpha) -> bullet, x, y, vx, vy, radius, tag, length, tailX, tailY; nothing
// at the end. With alpha, the place is between two steps.
static int own_next(lua_State *L, const cll_call *c) {
  cl_bullet at;
  uint64_t number = cl_bullets_next(c->self, (uint64_t)c->v[0]);
  if (number == 0 || !cl_bullets_get(c->self, number, &at)) return 0;
  if (!lua_isnoneornil(L, 3)) {
    cl_vec place = cl_bullets_between(c->self, number, c->v[1]);
    at.tail_x += place.x - at.x;
    at.tail_y += place.y - at.y;
    at.x = place.x;
    at.y = place.y;
  }
  cll_pushwhole(L, (double)number);
  int n = 1 + push_state(L, &at);
  return n + push_length(L, &at);
}

// own.nextLaser(pool, after) -> laser, x, y, shape, whether it is hot; nothing at the end
static int own_next_laser(lua_State *L, const cll_call *c) {
  cl_shape **shape = cll_push_shape(L); // it may run finalisers, which may remove the pool
  cl_bullets *pool = check_pool(L, c->fn)->pool;
  cl_laser_place at;
  uint64_t number = cl_bullets_next_laser(pool, (uint64_t)c->v[0], &at);
  if (number == 0) return 0;
  *shape = cl_shape_retain(at.shape);
  cll_pushwhole(L, (double)number);
  lua_pushnumber(L, at.x);
  lua_pushnumber(L, at.y);
  lua_pushvalue(L, -4);
  lua_pushboolean(L, at.hot);
  return 5;
}

// own.last(pool) -> the last bullet number that its world has given
static int own_last(lua_State *L, const cll_call *c) {
  cll_pushwhole(L, (double)cl_bullets_last(c->self));
  return 1;
}

// own.fill(pool, list, each, alpha) -> n. Fills the list with the first `each` of x, y, vx, vy, tag
// of each bullet, and removes all else. Bullets without velocity give their heading instead. With
// alpha, the places are between two steps.
static int own_fill(lua_State *L, const cll_call *c) {
  int each = (int)c->v[1], at = 0;
  bool between = !lua_isnoneornil(L, 4);
  cl_bullets_io io = cl_bullets_show(c->self);
  luaL_argcheck(L, each >= 2 && each <= 5, 3, "no such fields");
  for (uint32_t i = 0; i < io.count; i++) {
    cl_vec place = {io.x[i], io.y[i]};
    if (between) place = cl_bullets_between(c->self, (uint64_t)io.number[i], c->v[2]);
    double v[] = {place.x, place.y, io.vx[i], io.vy[i], io.tag[i]};
    cl_bullet state;
    bool stands = each > 2 && v[2] == 0 && v[3] == 0;
    if (stands && cl_bullets_get(c->self, (uint64_t)io.number[i], &state)) {
      v[2] = state.x - state.tail_x;
      v[3] = state.y - state.tail_y;
    }
    for (int k = 0; k < each; k++) {
      lua_pushnumber(L, v[k]);
      lua_rawseti(L, 2, ++at);
    }
  }
  cll_cut(L, 2, (size_t)at);
  cll_pushwhole(L, at / each);
  return 1;
}

// own.show(pool) -> n, after closing the gaps between bullets
static int own_show(lua_State *L, const cll_call *c) {
  cll_pushwhole(L, cl_bullets_show(c->self).count);
  return 1;
}

// own.remove(pool): removes the pool and its bullets; then the userdata is no pool any more
static int own_remove(lua_State *L, const cll_call *c) {
  cl_bullets_free(c->self);
  check_pool(L, c->fn)->pool = NULL;
  return 0;
}

// own.setEventMask(pool, event_mask)
static int own_set_event_mask(lua_State *L, const cll_call *c) {
  (void)L;
  cl_bullets_set_event_mask(c->self, (uint8_t)c->v[0]);
  return 0;
}

// For the accelerator: as pool_spawn, for numbers in their ranges. 0 if no bullet was spawned.
static double spawn_now(cll_bullets *b, double x, double y, double vx, double vy, double tag) {
  const cl_vec none = {0, 0};
  if (!b->pool || !*b->world) return 0;
  return (double)cl_bullets_spawn(b->pool, (cl_vec){x, y}, (cl_vec){vx, vy}, none, tag);
}

// -> userdata
static int world_new_pool(lua_State *L, const cll_call *c) {
  const double *v = c->v;
  cl_bullets_def def = {.capacity = (uint32_t)v[0], .radius = v[1], .graze = v[2]};
  def.group = (uint8_t)v[3];
  def.bounds = (cl_bounds){v[4], v[5], v[6], v[7]};
  def.lifetime = v[8];
  def.pierce = v[9] != 0, def.bullets = v[10] != 0;
  cll_bullets *b = lua_newuserdata(L, sizeof *b); /* stack: core … bullets */
  *b = (cll_bullets){.world = &c->core->world, .spawn = spawn_now};
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
#if LUA_VERSION_NUM >= 502
  lua_setuservalue(L, -2);
#else
  lua_setfenv(L, -2);
#endif
  bool open = c->core->world; // a finaliser may have closed it
  if (!open || cl_bullets_new(c->core->pools, &def, &b->pool) != CL_OK) return cll_no_memory(L);
  luaL_getmetatable(L, CLL_POOL);
  lua_setmetatable(L, -2);
  return 1;
}

// Clears all pools.
static int world_clear_pools(lua_State *L, const cll_call *c) {
  (void)L;
  cl_pools_clear(c->core->pools);
  return 0;
}

// -> kind (0 graze, 1 hit, 2 timer, 3 expired), pool, bullet, slot (0: a bullet was hit), nx, ny,
// t, x, y, that bullet's pool and number; nothing at the end
static int world_next_shot(lua_State *L, const cll_call *c) {
  cl_shot shot;
  if (!cl_pools_next_shot(c->core->pools, &shot)) return 0;
  lua_pushinteger(L, (lua_Integer)shot.kind);
  lua_pushinteger(L, (lua_Integer)shot.pool + 1);
  cll_pushwhole(L, (double)shot.number);
  lua_pushinteger(L, shot.actor == CL_SHOT_BULLET ? 0 : (lua_Integer)shot.actor + 1);
  if (shot.kind == CL_SHOT_TIMER) {
    lua_pushinteger(L, (lua_Integer)shot.member + 1);
    return 5;
  }
  if (shot.kind != CL_SHOT_HIT) return 4;
  cll_push_numbers(L, 5, (const double[]){shot.nx, shot.ny, shot.t, shot.x, shot.y});
  if (shot.actor != CL_SHOT_BULLET) {
    lua_pushinteger(L, (lua_Integer)shot.member);
    return 10;
  }
  lua_pushinteger(L, (lua_Integer)shot.other_pool + 1);
  cll_pushwhole(L, (double)shot.other);
  return 11;
}

// Makes the bullet of nextShot's last hit bounce or pass.
static int world_answer_shot(lua_State *L, const cll_call *c) {
  cl_shot_answer answer = c->v[0] != 0 ? CL_SHOT_BOUNCE : CL_SHOT_PASS;
  return cl_pools_answer(c->core->pools, answer) == CL_OK ? 0 : cll_no_memory(L);
}

static int pushed(lua_State *L, uint64_t number) {
  if (number > 0) {
    cll_pushwhole(L, (double)number);
    return 1;
  }
  lua_pushnil(L);
  lua_pushliteral(L, "the pool is full");
  return 2;
}

// The options of a spawn.
typedef struct spawning {
  cl_bullets *pool;
  bool steers;
  cl_plan *plan; // NULL: none; the options have it
  double v[SPAWN_FIELDS];
  cl_steering steering;
} spawning;

// The slot of the home on top of the stack, an actor in the pool's world.
static uint32_t home_slot(lua_State *L, const cll_call *c, const cll_bullets *b) {
  int home = lua_gettop(L);
  lua_pushliteral(L, "_world");
  lua_rawget(L, 1); /* stack: … home world */
  if (lua_istable(L, -1)) lua_pushliteral(L, "_slots"), lua_rawget(L, -2);
  bool listed = lua_istable(L, -1) && lua_istable(L, home);
  if (listed) lua_pushvalue(L, home), lua_rawget(L, -2);
  double slot = listed ? lua_tonumber(L, -1) - 1 : -1;
  lua_settop(L, home);
  if (slot >= 0 && slot < CLL_MOST_EXACT && cl_world_has(*b->world, (uint32_t)slot)) {
    return (uint32_t)slot;
  }
  cll_fail(L, c->fn, "home", "actor of this world", home);
}

// Reads how a bullet steers, from the fields that were given.
static void read_steering(lua_State *L, const cll_call *c, const cll_bullets *b, uint32_t given,
                          spawning *s) {
  cl_steering *how = &s->steering;
  bool limited = given >> SPAWN_MAX_SPEED & 1;
  how->homes = given >> SPAWN_HOME & 1;
  if (how->homes) how->home = home_slot(L, c, b);
  how->turn_rate = s->v[SPAWN_TURN_RATE];
  how->min_speed = s->v[SPAWN_MIN_SPEED];
  how->max_speed = limited ? s->v[SPAWN_MAX_SPEED] : INFINITY;
  if (how->homes && !(given >> SPAWN_TURN_RATE & 1)) how->turn_rate = INFINITY;
  if (how->homes && how->turn_rate < 0) {
    lua_pushnumber(L, how->turn_rate);
    cll_fail(L, c->fn, "turnRate", "number of radians, 0 or more, with home", lua_gettop(L));
  }
  if (how->max_speed < how->min_speed) {
    lua_pushnumber(L, how->max_speed);
    cll_fail(L, c->fn, "maxSpeed", "number from minSpeed to 1e12", lua_gettop(L));
  }
  if (cl_bullets_reserve_steering(b->pool) != CL_OK) cll_no_memory(L);
}

// The plan at `index`; also makes room for plans in the pool.
static cl_plan *plan_at(lua_State *L, const cll_call *c, const cll_bullets *b, int index) {
  cl_plan **box = cll_to_object(L, index, CLL_PLAN);
  if (!box || !*box) cll_fail(L, c->fn, "plan", "plan made by collide.newPlan", index);
  if (cl_bullets_reserve_plans(b->pool) != CL_OK) cll_no_memory(L);
  return *box;
}

// Reads the options of a spawn, its last argument, at `index`: nothing, a tag, or a table. Reading
// the table may have removed the pool.
static void read_options(lua_State *L, const cll_call *c, int index, spawning *s) {
  int type = lua_type(L, index);
  *s = (spawning){.pool = c->self};
  if (type == LUA_TNONE || type == LUA_TNIL) return;
  if (type == LUA_TNUMBER) {
    double tag = s->v[SPAWN_TAG] = lua_tonumber(L, index);
    bool whole = fabs(tag) <= CLL_MOST_EXACT && tag == floor(tag);
    if (!whole) cll_fail(L, c->fn, spawn_options.word, spawn_options.expected, index);
    return;
  }
  lua_settop(L, index);
  uint32_t given = read_table(L, c->fn, &spawn_options, index, s->v);
  const cll_bullets *b = check_pool(L, c->fn);
  s->pool = b->pool;
  s->steers = given >> SPAWN_TURN_RATE & 15;
  if (given >> SPAWN_PLAN & 1) s->plan = plan_at(L, c, b, index + 2);
  if (s->v[SPAWN_LENGTH] > 0 && cl_bullets_reserve_lengths(s->pool) != CL_OK) cll_no_memory(L);
  lua_pushvalue(L, index + 1); /* stack: … home plan home */
  if (s->steers) read_steering(L, c, b, given, s);
}

// Spawns a bullet with a heading: besides ax, ay it accelerates along the heading and at a right
// angle to it.
static uint64_t spawn_headed(const spawning *s, cl_vec at, cl_vec v, cl_vec heading) {
  const double *o = s->v;
  cl_vec a = {o[SPAWN_AX], o[SPAWN_AY]};
  double radial = o[SPAWN_RADIAL], tangential = o[SPAWN_TANGENTIAL];
  if (radial != 0 || tangential != 0) {
    a.x += radial * heading.x - tangential * heading.y;
    a.y += radial * heading.y + tangential * heading.x;
  }
  uint64_t number = cl_bullets_spawn(s->pool, at, v, a, o[SPAWN_TAG]);
  if (number > 0 && s->steers) cl_bullets_steer(s->pool, number, &s->steering);
  if (number > 0 && s->plan) cl_bullets_plan(s->pool, number, s->plan);
  double length = o[SPAWN_LENGTH];
  if (number > 0 && length > 0) cl_bullets_lengthen(s->pool, number, length, heading);
  return number;
}

// The direction of a vector; along x if it has none.
static cl_vec heading_of(cl_vec v) {
  // Divided first, so that squares do not overflow or vanish.
  double size = fabs(v.x) > fabs(v.y) ? fabs(v.x) : fabs(v.y);
  if (size == 0) v.x = size = 1;
  v.x /= size, v.y /= size;
  double length = sqrt(v.x * v.x + v.y * v.y);
  return (cl_vec){v.x / length, v.y / length};
}

// -> bullet, or nil and the reason
static int pool_spawn(lua_State *L, const cll_call *c) {
  spawning s;
  read_options(L, c, 6, &s);
  cl_vec at = {c->v[0], c->v[1]}, v = {c->v[2], c->v[3]}, heading = {1, 0};
  if (s.v[SPAWN_RADIAL] != 0 || s.v[SPAWN_TANGENTIAL] != 0) heading = heading_of(v);
  return pushed(L, spawn_headed(&s, at, v, heading));
}

// -> bullet, or nil and the reason
static int pool_spawn_aimed(lua_State *L, const cll_call *c) {
  double x = c->v[0], y = c->v[1], speed = c->v[4];
  spawning s;
  read_options(L, c, 7, &s);
  cl_vec heading = heading_of((cl_vec){c->v[2] - x, c->v[3] - y});
  cl_vec v = {heading.x * speed, heading.y * speed};
  return pushed(L, spawn_headed(&s, (cl_vec){x, y}, v, heading));
}

// Spawns bullets at angles from `first` on, `apart` radians from each other -> how many there was
// room for, the first of them. The call's first arguments are x, y and how many; its last is at
// `index`.
static int spawn_volley(lua_State *L, const cll_call *c, int index, double speed, double first,
                        double apart) {
  uint64_t number = 0;
  uint32_t n = 0;
  spawning s;
  read_options(L, c, index, &s);
  for (; n < (uint32_t)c->v[2]; n++) {
    cl_vec heading, at = {c->v[0], c->v[1]};
    cl_sincos(first + n * apart, &heading.y, &heading.x);
    cl_vec v = {heading.x * speed, heading.y * speed};
    uint64_t spawned = spawn_headed(&s, at, v, heading);
    if (spawned == 0) break;
    if (n == 0) number = spawned;
  }
  cll_pushwhole(L, n);
  if (number) cll_pushwhole(L, (double)number);
  else lua_pushnil(L);
  return 2;
}

// -> number spawned, the first
static int pool_spawn_ring(lua_State *L, const cll_call *c) {
  return spawn_volley(L, c, 7, c->v[3], c->v[4], 6.283185307179586 / c->v[2]);
}

// -> number spawned, the first
static int pool_spawn_fan(lua_State *L, const cll_call *c) {
  double n = c->v[2], angle = c->v[3], spread = c->v[4];
  double first = n > 1 ? angle - spread / 2 : angle, apart = n > 1 ? spread / (n - 1) : 0;
  return spawn_volley(L, c, 8, c->v[5], first, apart);
}

// own.setIgnored(pool, slots)
static int own_set_ignored(lua_State *L, const cll_call *c) {
  size_t count = cll_rawlen(L, 2);
  uint32_t *slot = lua_newuserdata(L, (count + 1) * sizeof *slot);
  cll_bullets *b = check_pool(L, c->fn); // a finaliser may have removed it
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    slot[i] = (uint32_t)lua_tonumber(L, -1) - 1;
    luaL_argcheck(L, slot[i] < cl_world_slots(*b->world), 2, "no such slot");
    lua_pop(L, 1);
  }
  return cl_bullets_set_ignored(b->pool, slot, count) == CL_OK ? 0 : cll_no_memory(L);
}

// own.spawnLaser(pool, points, width, warmup, lifetime, tag) -> bullet, or nil and the reason;
// false if the points make no shape
static int own_spawn_laser(lua_State *L, const cll_call *c) {
  const double *v = c->v;
  cl_laser_def def = {.count = (uint32_t)(cll_rawlen(L, 2) / 2), .width = v[1]};
  def.warmup = v[2], def.lifetime = v[3], def.tag = v[4];
  double *xy = lua_newuserdata(L, (2 * (size_t)def.count + 1) * sizeof *xy);
  cl_bullets *pool = check_pool(L, c->fn)->pool; // a finaliser may have removed it
  for (uint32_t i = 0; i < 2 * def.count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    xy[i] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  def.xy = xy;
  uint64_t number;
  cl_status status = cl_bullets_spawn_laser(pool, &def, &number);
  if (status == CL_NOMEM) return cll_no_memory(L);
  if (status == CL_OK) return pushed(L, number);
  lua_pushboolean(L, false);
  return 1;
}

// Plans.

static const fields plan_fields = {
    "entries",
    "table {at = …, speed = …, …}",
    "one of aim, angle, at, ax, ay, call, home, radius, speed, tag, turnRate, vx, vy",
    13,
    {{"at", CLL_EXTENT},
     {"vx", CLL_COORDINATE},
     {"vy", CLL_COORDINATE},
     {"angle", CLL_ANGLE},
     {"speed", CLL_EXTENT},
     {"ax", CLL_COORDINATE},
     {"ay", CLL_COORDINATE},
     {"turnRate", CLL_ANGLE},
     {"radius", CLL_POSITIVE},
     {"tag", CLL_WHOLE},
     {"aim", CLL_FLAG},
     {"home", CLL_FLAG},
     {"call", CLL_FLAG}},
};
enum { PLAN_AIM = 10, PLAN_HOME, PLAN_CALL };

// In the order of the numbers among plan_fields.
static const uint32_t plan_sets[] = {
    0,          CL_PLAN_VX, CL_PLAN_VY,   CL_PLAN_ANGLE,  CL_PLAN_SPEED,
    CL_PLAN_AX, CL_PLAN_AY, CL_PLAN_TURN, CL_PLAN_RADIUS, CL_PLAN_TAG,
};

// Reads the entry on top of the stack, number `n` from 1 on. `last` is the previous entry's age.
static cl_plan_entry read_entry(lua_State *L, const char *fn, int n, double last) {
  char name[48];
  double v[MOST_FIELDS] = {0};
  int entry = lua_gettop(L);
  fields f = plan_fields;
  cl_plan_entry e = {0};
  snprintf(name, sizeof name, "entries[%d]", n);
  f.word = name;
  check_keys(L, fn, &f, entry);
  for (int i = 0; i < f.count; i++) {
    snprintf(name, sizeof name, "entries[%d].%s", n, f.at[i].name);
    lua_getfield(L, entry, f.at[i].name);
    if (i == 0 && lua_isnil(L, -1))
      cll_fail(L, fn, name, "number of seconds, 0 or more", entry + 1);
    if (!lua_isnil(L, -1)) {
      bool flag = f.at[i].kind == CLL_FLAG;
      v[i] = flag ? cll_boolean(L, fn, name, entry + 1) + 1
                  : cll_number(L, fn, name, f.at[i].kind, entry + 1);
      if (!flag) e.sets |= plan_sets[i];
      if (i == 0 && v[0] < last) {
        cll_fail(L, fn, name, "number of seconds, no less than in the entry before", entry + 1);
      }
    }
    lua_pop(L, 1);
  }
  e.at = v[0], e.vx = v[1], e.vy = v[2], e.angle = v[3], e.speed = v[4], e.ax = v[5], e.ay = v[6];
  e.turn_rate = v[7], e.radius = v[8], e.tag = v[9];
  if (v[PLAN_AIM] == 2) e.sets |= CL_PLAN_AIM;
  if (v[PLAN_HOME] > 0) e.sets |= v[PLAN_HOME] == 2 ? CL_PLAN_HOME : CL_PLAN_STRAY;
  if (v[PLAN_CALL] == 2) e.sets |= CL_PLAN_CALL;
  return e;
}

// collide.newPlan(entries) -> plan
static int new_plan(lua_State *L, const cll_call *c) {
  size_t count = lua_istable(L, 1) ? cll_rawlen(L, 1) : 0;
  if (count < 1 || count > CL_MAX_PLAN) {
    cll_fail(L, c->fn, "entries", "list of 1 to 10000 tables {at = …, speed = …, …}", 1);
  }
  lua_settop(L, 1);
  cl_plan_entry *entry = lua_newuserdata(L, count * sizeof *entry);
  cl_plan **box = cll_push_object(L, CLL_PLAN, sizeof *box); /* stack: entries entry plan */
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    entry[i] = read_entry(L, c->fn, (int)i + 1, i > 0 ? entry[i - 1].at : 0);
    lua_settop(L, 3);
  }
  cl_alloc alloc = cll_alloc(L);
  if (cl_plan_new(&alloc, entry, (uint32_t)count, box) != CL_OK) return cll_no_memory(L);
  return 1;
}

static int plan_gc(lua_State *L) {
  cl_plan **box = cll_collect(L, CLL_PLAN);
  if (*box) cl_plan_release(*box);
  return 0;
}

static int plan_tostring(lua_State *L) {
  lua_pushliteral(L, "plan");
  return 1;
}

// core.bulletMethods: methods of the class. core.bullets: functions for bullets/init.lua, which
// calls them own.
static const cll_function methods[] = {
    {pool_kill, "pool:kill", "a bullet", "bullet:bullet"},
    {pool_kill_circle, "pool:killCircle", "x, y and r", "x y r:size"},
    {pool_clear, "pool:clear", "no arguments", ""},
    {pool_count, "pool:count", "no arguments", ""},
    {pool_get, "pool:get", "a bullet", "bullet:bullet"},
    {pool_tag, "pool:tag", "a bullet", "bullet:bullet"},
    {pool_set, "pool:set", "a bullet and a table", "bullet:bullet changes:any"},
    {pool_spawn, "pool:spawn", "x, y, vx, vy and options", "x y vx vy options:any?"},
    {pool_spawn_aimed, "pool:spawnAimed", "x, y, tx, ty, speed and options",
     "x y tx ty speed options:any?"},
    {pool_spawn_ring, "pool:spawnRing", "x, y, n, speed, phase and options",
     "x y n:amount speed phase:turn? options:any?"},
    {pool_spawn_fan, "pool:spawnFan", "x, y, n, angle, spread, speed and options",
     "x y n:amount angle:turn spread:turn speed options:any?"},
    {NULL, NULL, NULL, NULL},
};

static const cll_function own[] = {
    {own_next, "pool.next", NULL, "after:number alpha:number?"},
    {own_next_laser, "pool.nextLaser", NULL, "after:number"},
    {own_last, "pool.last", NULL, ""},
    {own_fill, "pool.fill", NULL, "list:table each:number alpha:number?"},
    {own_show, "pool.show", NULL, ""},
    {own_remove, "pool.remove", NULL, ""},
    {own_set_event_mask, "pool.setEventMask", NULL, "mask:number"},
    {own_set_ignored, "pool.setIgnored", NULL, "slots:table"},
    {own_spawn_laser, "pool.spawnLaser", NULL,
     "points:table width:number warmup:number lifetime:number tag:number"},
    {NULL, NULL, NULL, NULL},
};

void cll_open_bullets(lua_State *L) { /* stack: … core */
  static const cll_function makers[] = {
      {new_plan, "collide.newPlan", "a list of entries", "entries:any"},
      {NULL, NULL, NULL, NULL},
  };
  cll_begin_class(L, CLL_PLAN);
  cll_end_class(L, CLL_PLAN, plan_gc, plan_tostring);
  cll_set_functions(L, makers, cll_enter_dot, 0);
  luaL_newmetatable(L, CLL_POOL); /* stack: … core metatable */
  int metatable = lua_gettop(L);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
  cll_set_functions(L, methods, enter_pool, metatable);
  lua_setfield(L, -3, "bulletMethods");
  lua_newtable(L);
  cll_set_functions(L, own, enter_pool, metatable);
  lua_setfield(L, -3, "bullets");
  lua_pop(L, 1);
}

void cll_open_pool_methods(lua_State *L) { /* stack: … metatable methods */
  static const cll_function world_methods[] = {
      {world_new_pool, "newPool", NULL,
       "capacity:amount radius:number graze:number group:group left top right bottom "
       "lifetime:number pierce:flag bullets:flag"},
      {world_clear_pools, "clearPools", NULL, ""},
      {world_next_shot, "nextShot", NULL, ""},
      {world_answer_shot, "answerShot", NULL, "bounce:flag"},
      {NULL, NULL, NULL, NULL},
  };
  cll_set_functions(L, world_methods, cll_enter_core, lua_gettop(L) - 1);
}
