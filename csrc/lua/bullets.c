// collide, MIT licence (see LICENSE)
//
// Pools of bullets. The first argument of every method is the pool's table, with the userdata as
// element 1. Some functions are wrapped by bullets.lua, which checks their arguments; those that a
// game calls often are methods directly and check their own. Layer: lua.

#include "lua/binding.h"

#include "base/trig.h"

// The pool whose table is the first argument; raises if it is not a pool, or its world has
// been closed. Upvalue 1 of the running function is the userdata's metatable.
static cll_bullets *check_pool(lua_State *L, const char *function) {
  cll_bullets *b = NULL;
  if (lua_istable(L, 1)) {
    lua_rawgeti(L, 1, 1);
    b = lua_touserdata(L, -1);
    if (b && lua_getmetatable(L, -1)) {
      if (!lua_rawequal(L, -1, lua_upvalueindex(1))) b = NULL;
      lua_pop(L, 1);
    } else {
      b = NULL;
    }
    lua_pop(L, 1);
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

static uint64_t check_bullet(lua_State *L, const char *function) {
  return (uint64_t)cll_check_whole(L, function, "bullet", 2, 1, CLL_MOST_EXACT,
                                   "number of a bullet, as spawn returns it");
}

// pool:kill(bullet) -> whether it was alive
static int bullets_kill(lua_State *L) {
  const char *fn = "pool:kill";
  cll_bullets *b = check_pool(L, fn);
  uint64_t number = check_bullet(L, fn);
  cll_takes(L, fn, "a bullet", 1, lua_gettop(L) - 1);
  lua_pushboolean(L, cl_bullets_kill(b->pool, number));
  return 1;
}

// pool:killCircle(x, y, r) -> how many it killed
static int bullets_kill_circle(lua_State *L) {
  const char *fn = "pool:killCircle";
  cll_bullets *b = check_pool(L, fn);
  double x = cll_coordinate(L, fn, "x", 2), y = cll_coordinate(L, fn, "y", 3);
  double r = cll_size(L, fn, "r", 4);
  cll_takes(L, fn, "x, y and r", 3, lua_gettop(L) - 1);
  cll_pushwhole(L, cl_bullets_kill_circle(b->pool, x, y, r));
  return 1;
}

// pool:clear() -> how many bullets there were
static int bullets_clear(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:clear");
  cll_takes(L, "pool:clear", "no arguments", 0, lua_gettop(L) - 1);
  cll_pushwhole(L, cl_bullets_clear(b->pool));
  return 1;
}

// pool:count() -> how many are alive
static int bullets_count(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:count");
  cll_takes(L, "pool:count", "no arguments", 0, lua_gettop(L) - 1);
  cll_pushwhole(L, cl_bullets_count(b->pool));
  return 1;
}

static int push_state(lua_State *L, const cl_bullet *at) {
  lua_pushnumber(L, at->x);
  lua_pushnumber(L, at->y);
  lua_pushnumber(L, at->vx);
  lua_pushnumber(L, at->vy);
  lua_pushnumber(L, at->radius);
  cll_pushwhole(L, at->tag);
  return 6;
}

// pool:get(bullet) -> x, y, vx, vy, radius, tag, ax, ay, age; nil if it is dead
static int bullets_get(lua_State *L) {
  const char *fn = "pool:get";
  cll_bullets *b = check_pool(L, fn);
  uint64_t number = check_bullet(L, fn);
  cll_takes(L, fn, "a bullet", 1, lua_gettop(L) - 1);
  cl_bullet at;
  if (!cl_bullets_get(b->pool, number, &at)) {
    lua_pushnil(L);
    return 1;
  }
  int n = push_state(L, &at);
  lua_pushnumber(L, at.ax);
  lua_pushnumber(L, at.ay);
  lua_pushnumber(L, at.age);
  return n + 3;
}

// pool:tag(bullet) -> its tag; nil if it is dead
static int bullets_tag(lua_State *L) {
  const char *fn = "pool:tag";
  cll_bullets *b = check_pool(L, fn);
  uint64_t number = check_bullet(L, fn);
  cll_takes(L, fn, "a bullet", 1, lua_gettop(L) - 1);
  cl_bullet at;
  if (cl_bullets_get(b->pool, number, &at)) cll_pushwhole(L, at.tag);
  else lua_pushnil(L);
  return 1;
}

// own.change(pool, bullet, x, y, vx, vy, ax, ay, radius, tag) -> whether it is alive; nil leaves a
// field unchanged. Without the other arguments it only checks the pool and the bullet.
static int bullets_change(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:set");
  uint64_t number = check_bullet(L, "pool:set");
  double v[8] = {0};
  uint32_t fields = 0;
  for (int i = 0; i < 8; i++) {
    if (lua_isnoneornil(L, i + 3)) continue;
    v[i] = luaL_checknumber(L, i + 3);
    fields |= 1u << i;
  }
  const cl_bullet to = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], 0};
  lua_pushboolean(L, cl_bullets_set(b->pool, number, &to, fields));
  return 1;
}

// own.next(pool, after) -> bullet, x, y, vx, vy, radius, tag; nothing at the end
static int bullets_next(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:each");
  cl_bullet at;
  uint64_t number = cl_bullets_next(b->pool, (uint64_t)luaL_checknumber(L, 2));
  if (number == 0 || !cl_bullets_get(b->pool, number, &at)) return 0;
  cll_pushwhole(L, (double)number);
  return 1 + push_state(L, &at);
}

// own.nextLaser(pool, after) -> laser, x, y, shape, whether it is hot; nothing at the end
static int bullets_next_laser(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:each");
  cl_shape **shape = cll_push_shape(L); /* first, since it may collect garbage */
  cl_laser_place at;
  uint64_t number = cl_bullets_next_laser(b->pool, (uint64_t)luaL_checknumber(L, 2), &at);
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
static int bullets_last(lua_State *L) {
  cll_pushwhole(L, (double)cl_bullets_last(check_pool(L, "pool:each")->pool));
  return 1;
}

// own.fill(pool, list, moving) -> n. Fills the list with x, y of each bullet, or with `moving` x,
// y, vx, vy, and removes all else.
static int bullets_fill(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:fill");
  luaL_checktype(L, 2, LUA_TTABLE);
  bool moving = lua_toboolean(L, 3);
  cl_bullets_io io = cl_bullets_show(b->pool);
  int at = 0;
  for (uint32_t i = 0; i < io.count; i++) {
    double v[] = {io.x[i], io.y[i], io.vx[i], io.vy[i]};
    for (int k = 0; k < (moving ? 4 : 2); k++) {
      lua_pushnumber(L, v[k]);
      lua_rawseti(L, 2, ++at);
    }
    // Growing the list may have run a finaliser that spawns or kills.
    io = cl_bullets_show(b->pool);
  }
  size_t length = cll_rawlen(L, 2);
  for (size_t i = (size_t)at + 1; i <= length; i++) {
    lua_pushnil(L);
    lua_rawseti(L, 2, (int)i);
  }
  cll_pushwhole(L, at / (moving ? 4 : 2));
  return 1;
}

// own.show(pool) -> n, after closing the gaps between bullets
static int bullets_show(lua_State *L) {
  cll_pushwhole(L, cl_bullets_show(check_pool(L, "pool:arrays")->pool).count);
  return 1;
}

// own.remove(pool): removes the pool and its bullets; it is not a pool from here on
static int bullets_remove(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:remove");
  cl_bullets_free(b->pool);
  b->pool = NULL;
  return 0;
}

// own.setEventMask(pool, event_mask)
static int bullets_set_event_mask(lua_State *L) {
  cll_bullets *b = check_pool(L, "world:step");
  cl_bullets_set_event_mask(b->pool, (uint8_t)luaL_checkinteger(L, 2));
  return 0;
}

// own.new(core, capacity, radius, graze, group, l, t, r, b, lifetime, pierce,
// bullets) -> userdata
static int bullets_new(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_bullets_def def = {.pierce = lua_toboolean(L, 11), .bullets = lua_toboolean(L, 12)};
  def.capacity = (uint32_t)luaL_checkinteger(L, 2);
  def.radius = luaL_checknumber(L, 3);
  def.graze = luaL_checknumber(L, 4);
  def.group = (uint8_t)luaL_checkinteger(L, 5);
  def.bounds = cll_check_bounds(L, 6);
  def.lifetime = luaL_checknumber(L, 10);
  luaL_argcheck(L, def.capacity >= 1 && def.capacity <= CL_MAX_BULLETS, 2, "no such capacity");
  luaL_argcheck(L, def.group < CL_MAX_GROUPS, 5, "no such group");
  cll_bullets *b = lua_newuserdata(L, sizeof *b); /* stack: core … bullets */
  *b = (cll_bullets){.world = &c->world};
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
#if LUA_VERSION_NUM >= 502
  lua_setuservalue(L, -2);
#else
  lua_setfenv(L, -2);
#endif
  if (!c->world || cl_bullets_new(c->pools, &def, &b->pool) != CL_OK) return cll_no_memory(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_setmetatable(L, -2);
  return 1;
}

// own.clearAll(core): clears all pools of its world
static int bullets_clear_all(lua_State *L) {
  cl_pools_clear(cll_check_world(L)->pools);
  return 0;
}

// core.nextShot(core) -> kind (0 graze, 1 hit, 2 expired), pool, bullet, slot (0: a bullet was
// hit), nx, ny, t, x, y, that bullet's pool and number; nothing at the end
static int bullets_next_shot(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_shot shot;
  if (!cl_pools_next_shot(c->pools, &shot)) return 0;
  lua_pushinteger(L, (lua_Integer)shot.kind);
  lua_pushinteger(L, (lua_Integer)shot.pool + 1);
  cll_pushwhole(L, (double)shot.number);
  lua_pushinteger(L, shot.actor == CL_SHOT_BULLET ? 0 : (lua_Integer)shot.actor + 1);
  if (shot.kind != CL_SHOT_HIT) return 4;
  lua_pushnumber(L, shot.nx);
  lua_pushnumber(L, shot.ny);
  lua_pushnumber(L, shot.t);
  lua_pushnumber(L, shot.x);
  lua_pushnumber(L, shot.y);
  if (shot.actor != CL_SHOT_BULLET) return 9;
  lua_pushinteger(L, (lua_Integer)shot.other_pool + 1);
  cll_pushwhole(L, (double)shot.other);
  return 11;
}

// core.answer(core, bounce): what the bullet does after the last hit of nextShot: it bounces, or
// passes
static int bullets_answer(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_shot_answer answer = lua_toboolean(L, 2) ? CL_SHOT_BOUNCE : CL_SHOT_PASS;
  return cl_pools_answer(c->pools, answer) == CL_OK ? 0 : cll_no_memory(L);
}

static double check_tag(lua_State *L, const char *function, int index) {
  if (lua_isnoneornil(L, index)) return 0;
  return cll_check_whole(L, function, "tag", index, -CLL_MOST_EXACT, CLL_MOST_EXACT,
                         "whole number within ±2^53");
}

static int full(lua_State *L) {
  lua_pushnil(L);
  lua_pushliteral(L, "the pool is full");
  return 2;
}

static int pushed(lua_State *L, uint64_t number) {
  if (number == 0) return full(L);
  cll_pushwhole(L, (double)number);
  return 1;
}

// The acceleration at `index` and the next, 0 where there is none.
static cl_vec check_acceleration(lua_State *L, const char *function, int index) {
  cl_vec a = {0, 0};
  if (!lua_isnoneornil(L, index)) a.x = cll_coordinate(L, function, "ax", index);
  if (!lua_isnoneornil(L, index + 1)) a.y = cll_coordinate(L, function, "ay", index + 1);
  return a;
}

// For bullets that are spawned with a heading: ax, ay at `index`, then the acceleration along the
// heading, and at a right angle to it.
typedef struct accelerations {
  cl_vec a;
  double radial, tangential;
} accelerations;

static accelerations check_accelerations(lua_State *L, const char *function, int index) {
  accelerations r = {.a = check_acceleration(L, function, index)};
  if (!lua_isnoneornil(L, index + 2)) {
    r.radial = cll_coordinate(L, function, "radial", index + 2);
  }
  if (!lua_isnoneornil(L, index + 3)) {
    r.tangential = cll_coordinate(L, function, "tangential", index + 3);
  }
  return r;
}

static cl_vec along(const accelerations *r, cl_vec heading) {
  cl_vec a = r->a;
  if (r->radial == 0 && r->tangential == 0) return a;
  a.x += r->radial * heading.x - r->tangential * heading.y;
  a.y += r->radial * heading.y + r->tangential * heading.x;
  return a;
}

// pool:spawn(x, y, vx, vy[, tag[, ax, ay]]) -> bullet, or nil and the reason
static int bullets_spawn(lua_State *L) {
  const char *fn = "pool:spawn";
  cll_bullets *b = check_pool(L, fn);
  double x = cll_coordinate(L, fn, "x", 2), y = cll_coordinate(L, fn, "y", 3);
  double vx = cll_coordinate(L, fn, "vx", 4), vy = cll_coordinate(L, fn, "vy", 5);
  double tag = check_tag(L, fn, 6);
  cl_vec a = check_acceleration(L, fn, 7);
  cll_takes(L, fn, "x, y, vx, vy, a tag, ax and ay", 7, lua_gettop(L) - 1);
  return pushed(L, cl_bullets_spawn(b->pool, (cl_vec){x, y}, (cl_vec){vx, vy}, a, tag));
}

// pool:spawnAimed(x, y, tx, ty, speed[, tag[, ax, ay[, radial, tangential]]]) -> bullet, or nil and
// the reason
static int bullets_spawn_aimed(lua_State *L) {
  const char *fn = "pool:spawnAimed";
  cll_bullets *b = check_pool(L, fn);
  double x = cll_coordinate(L, fn, "x", 2), y = cll_coordinate(L, fn, "y", 3);
  double tx = cll_coordinate(L, fn, "tx", 4), ty = cll_coordinate(L, fn, "ty", 5);
  double speed = cll_coordinate(L, fn, "speed", 6), tag = check_tag(L, fn, 7);
  accelerations a = check_accelerations(L, fn, 8);
  cll_takes(L, fn, "x, y, tx, ty, speed, a tag, ax, ay, radial and tangential", 10,
            lua_gettop(L) - 1);
  double dx = tx - x, dy = ty - y, size = fabs(dx) > fabs(dy) ? fabs(dx) : fabs(dy);
  if (size == 0) dx = size = 1;
  dx /= size, dy /= size; // so that squares do not overflow or vanish
  double length = sqrt(dx * dx + dy * dy);
  cl_vec heading = {dx / length, dy / length}, v = {heading.x * speed, heading.y * speed};
  return pushed(L, cl_bullets_spawn(b->pool, (cl_vec){x, y}, v, along(&a, heading), tag));
}

// Spawns bullets at angles from `first` on, `apart` radians from each other -> the number that
// there was room for, the first of them.
typedef struct volley {
  double x, y, speed, first, apart, tag;
  accelerations a;
  uint32_t n;
} volley;

static int spawn_volley(lua_State *L, cl_bullets *pool, volley r) {
  uint64_t first = 0;
  uint32_t n = 0;
  for (; n < r.n; n++) {
    double s, c;
    cl_sincos(r.first + n * r.apart, &s, &c);
    cl_vec v = {c * r.speed, s * r.speed}, a = along(&r.a, (cl_vec){c, s});
    uint64_t number = cl_bullets_spawn(pool, (cl_vec){r.x, r.y}, v, a, r.tag);
    if (number == 0) break;
    if (n == 0) first = number;
  }
  cll_pushwhole(L, n);
  if (first) cll_pushwhole(L, (double)first);
  else lua_pushnil(L);
  return 2;
}

static uint32_t check_amount(lua_State *L, const char *function) {
  return (uint32_t)cll_check_whole(L, function, "n", 4, 1, CL_MAX_BULLETS,
                                   "whole number from 1 to 16777216");
}

// An angle that stays within the limits when the whole volley is added.
static double check_turn(lua_State *L, const char *function, const char *name, int index) {
  double angle = cll_angle(L, function, name, index);
  if (fabs(angle) > CL_MAX_ANGLE / 4) {
    cll_fail(L, function, name, "number of radians within ±2^28", index);
  }
  return angle;
}

// pool:spawnRing(x, y, n, speed[, phase[, tag[, ax, ay[, radial, tangential]]]])
// -> number spawned, the first
static int bullets_spawn_ring(lua_State *L) {
  const char *fn = "pool:spawnRing";
  cll_bullets *b = check_pool(L, fn);
  volley r = {.x = cll_coordinate(L, fn, "x", 2)};
  r.y = cll_coordinate(L, fn, "y", 3);
  r.n = check_amount(L, fn);
  r.speed = cll_coordinate(L, fn, "speed", 5);
  r.first = lua_isnoneornil(L, 6) ? 0 : check_turn(L, fn, "phase", 6);
  r.tag = check_tag(L, fn, 7);
  r.a = check_accelerations(L, fn, 8);
  cll_takes(L, fn, "x, y, n, speed, phase, a tag, ax, ay, radial and tangential", 10,
            lua_gettop(L) - 1);
  r.apart = 6.283185307179586 / r.n;
  return spawn_volley(L, b->pool, r);
}

// pool:spawnFan(x, y, n, angle, spread, speed[, tag[, ax, ay[, radial, tangential]]])
// -> number spawned, the first
static int bullets_spawn_fan(lua_State *L) {
  const char *fn = "pool:spawnFan";
  cll_bullets *b = check_pool(L, fn);
  volley r = {.x = cll_coordinate(L, fn, "x", 2)};
  r.y = cll_coordinate(L, fn, "y", 3);
  r.n = check_amount(L, fn);
  double angle = check_turn(L, fn, "angle", 5), spread = check_turn(L, fn, "spread", 6);
  r.speed = cll_coordinate(L, fn, "speed", 7);
  r.tag = check_tag(L, fn, 8);
  r.a = check_accelerations(L, fn, 9);
  cll_takes(L, fn, "x, y, n, angle, spread, speed, a tag, ax, ay, radial and tangential", 11,
            lua_gettop(L) - 1);
  r.first = r.n > 1 ? angle - spread / 2 : angle;
  r.apart = r.n > 1 ? spread / (r.n - 1) : 0;
  return spawn_volley(L, b->pool, r);
}

// core.spawnLaser(pool, points, width, warmup, lifetime, tag) -> bullet, or nil and the reason;
// false for points that make no shape
static int bullets_spawn_laser(lua_State *L) {
  cll_bullets *b = check_pool(L, "pool:spawnLaser");
  luaL_checktype(L, 2, LUA_TTABLE);
  cl_laser_def def = {.count = (uint32_t)(cll_rawlen(L, 2) / 2)};
  def.width = luaL_checknumber(L, 3);
  def.warmup = luaL_checknumber(L, 4);
  def.lifetime = luaL_checknumber(L, 5);
  def.tag = luaL_checknumber(L, 6);
  double *xy = lua_newuserdata(L, (2 * (size_t)def.count + 1) * sizeof *xy);
  for (uint32_t i = 0; i < 2 * def.count; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    xy[i] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  def.xy = xy;
  uint64_t number;
  cl_status status = cl_bullets_spawn_laser(b->pool, &def, &number);
  if (status == CL_NOMEM) return cll_no_memory(L);
  if (status == CL_OK) return pushed(L, number);
  lua_pushboolean(L, false);
  return 1;
}

// core.bulletMethods: methods of the class. core.bullets: functions for bullets.lua, which calls
// them own.
static const luaL_Reg methods[] = {
    {"kill", bullets_kill},
    {"killCircle", bullets_kill_circle},
    {"clear", bullets_clear},
    {"count", bullets_count},
    {"get", bullets_get},
    {"tag", bullets_tag},
    {"spawn", bullets_spawn},
    {"spawnAimed", bullets_spawn_aimed},
    {"spawnRing", bullets_spawn_ring},
    {"spawnFan", bullets_spawn_fan},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"new", bullets_new},
    {"spawnLaser", bullets_spawn_laser},
    {"change", bullets_change},
    {"next", bullets_next},
    {"nextLaser", bullets_next_laser},
    {"last", bullets_last},
    {"fill", bullets_fill},
    {"show", bullets_show},
    {"remove", bullets_remove},
    {"answer", bullets_answer},
    {"setEventMask", bullets_set_event_mask},
    {"nextShot", bullets_next_shot},
    {"clearAll", bullets_clear_all},
    {NULL, NULL},
};

// Adds functions to the table on top, with the value below it as their upvalue 1.
static void set_functions(lua_State *L, const luaL_Reg *reg) {
  for (; reg->name; reg++) {
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, reg->func, 1);
    lua_setfield(L, -2, reg->name);
  }
}

void cll_open_bullets(lua_State *L) { /* stack: … core */
  lua_newtable(L);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L); /* stack: … core metatable methods */
  set_functions(L, methods);
  lua_setfield(L, -3, "bulletMethods");
  lua_newtable(L); /* stack: … core metatable functions */
  set_functions(L, functions);
  lua_setfield(L, -3, "bullets");
  lua_pop(L, 1);
}
