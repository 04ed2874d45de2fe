// collide, MIT licence (see LICENSE)
//
// Spawning bullets, one by one, in rings and in fans, and lasers. Layer: lua.

#include "lua/spawn.h"

#include "base/tol.h"
#include "base/trig.h"
#include "lua/check.h"
#include "lua/pool.h"

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
  cll_bullets *b = cll_check_pool(L, fn);
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
  cll_bullets *b = cll_check_pool(L, fn);
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
  cll_bullets *b = cll_check_pool(L, fn);
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
  cll_bullets *b = cll_check_pool(L, fn);
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
  cll_bullets *b = cll_check_pool(L, "pool:spawnLaser");
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

const luaL_Reg cll_spawn_methods[] = {
    {"spawn", bullets_spawn},
    {"spawnAimed", bullets_spawn_aimed},
    {"spawnRing", bullets_spawn_ring},
    {"spawnFan", bullets_spawn_fan},
    {NULL, NULL},
};

const luaL_Reg cll_spawn_functions[] = {
    {"spawnLaser", bullets_spawn_laser},
    {NULL, NULL},
};
