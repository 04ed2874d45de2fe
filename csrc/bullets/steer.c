// collide, MIT licence (see LICENSE)
//
// Bullets that steer: they turn, home and keep limits of speed. Layer: bullets.
//
// In each step such a bullet first turns, then its velocity and its way get the acceleration, and
// then both are limited; so it flies straight in a step, as all bullets do. What it needs for this
// is in arrays that a pool has only once some bullet steers.

#include "base/alloc.h"
#include "bullets/state.h"

#define PI 3.141592653589793

cl_status cl_bullets_reserve_steering(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  const cl_alloc *alloc = &pool->pools->alloc;
  cl_status status = CL_RESERVE(alloc, pool->steers, pool->steers_cap, pool->cap);
  return status == CL_OK ? CL_RESERVE(alloc, pool->course, pool->course_cap, pool->cap) : status;
}

void cl_bullets_steer(cl_bullets *pool, uint64_t number, const cl_steering *how) {
  uint32_t i = cl_bullets_index(pool, number);
  assert(i < pool->used && pool->course_cap >= pool->cap && !pool->pools->stepping);
  assert(how->min_speed >= 0 && how->min_speed <= how->max_speed && !isnan(how->turn_rate));
  assert(!how->homes || how->turn_rate >= 0);
  if (!pool->courses) memset(pool->steers, 0, pool->used);
  pool->courses = true;
  pool->steers[i] = how->homes ? CL_STEERS | CL_HOMES : CL_STEERS;
  uint32_t home = how->homes ? how->home : CL_SHOT_NOBODY;
  pool->course[i] = (cl_course){how->turn_rate, how->min_speed, how->max_speed, {0, 0}, home};
}

// A vector whose length is from `least` to `most`, unless it has none.
static cl_vec limited(cl_vec v, double least, double most) {
  cl_vec u = v;
  if (!isfinite(v.x) || !isfinite(v.y)) return v;
  double length = cl_vec_normalise(&u);
  if (length == 0 || (length >= least && length <= most)) return v;
  return cl_vec_mul(u, length < least ? least : most);
}

static cl_vec turned(cl_vec v, double sine, double cosine) {
  return (cl_vec){v.x * cosine - v.y * sine, v.x * sine + v.y * cosine};
}

// Turns a velocity by an angle.
static cl_vec spun(cl_vec v, double angle) {
  double sine, cosine;
  if (angle == 0 || !isfinite(angle)) return v;
  if (fabs(angle) > CL_MAX_ANGLE) angle = fmod(angle, 2 * PI);
  cl_sincos(angle, &sine, &cosine);
  return turned(v, sine, cosine);
}

// Turns a velocity towards the direction `to` by at most an angle. If that is behind it, either
// side serves as well.
static cl_vec turned_to(cl_vec v, cl_vec to, double most) {
  cl_vec heading = v;
  double speed = cl_vec_normalise(&heading);
  if (speed == 0 || cl_vec_normalise(&to) == 0) return v;
  if (most < PI) {
    double sine, cosine, side = cl_vec_cross(heading, to);
    cl_sincos(most, &sine, &cosine);
    if (cl_vec_dot(heading, to) < cosine) {
      cl_vec one = turned(v, sine, cosine), other = turned(v, 0 - sine, cosine);
      bool first = side == 0 ? cl_vec_goes_first(one, other) : side > 0;
      return first ? one : other;
    }
  }
  return cl_vec_mul(to, speed);
}

// The velocity with which bullet i, which steers, begins a step.
static cl_vec velocity_of(const cl_bullets *pool, uint32_t i, double dt) {
  const cl_course *course = &pool->course[i];
  const cl_world *world = pool->pools->world;
  cl_vec v = {pool->vx[i], pool->vy[i]}, at = {pool->x[i], pool->y[i]};
  double angle = course->turn_rate * dt;
  if (!(pool->steers[i] & CL_HOMES)) return spun(v, angle);
  if (course->home == CL_SHOT_NOBODY || !cl_world_has(world, course->home)) return v;
  if (!cl_place_ok(at)) return v;
  return turned_to(v, cl_vec_sub(world->actors.next[course->home], at),
                   course->turn_rate < INFINITY ? angle : INFINITY);
}

cl_vec cl_bullets_way(const cl_bullets *pool, uint32_t i, cl_vec v, double dt, cl_vec *after) {
  cl_vec a = {0, 0};
  if (pool->accelerates) a = (cl_vec){pool->ax[i], pool->ay[i]};
  double half = dt * dt / 2;
  cl_vec way = {v.x * dt + a.x * half, v.y * dt + a.y * half};
  *after = (cl_vec){v.x + a.x * dt, v.y + a.y * dt};
  if (!cl_bullets_is_limited(pool, i)) return way;
  const cl_course *course = &pool->course[i];
  *after = limited(*after, course->min_speed, course->max_speed);
  return limited(way, course->min_speed * dt, course->max_speed * dt);
}

void cl_bullets_steer_all(const cl_bullets *pool, uint32_t from, uint32_t to, double dt) {
  for (uint32_t i = from; i < to; i++) {
    if (!pool->steers[i]) continue;
    cl_vec v = velocity_of(pool, i, dt);
    cl_vec way = cl_bullets_way(pool, i, v, dt, &pool->course[i].next_v);
    pool->next_x[i] = pool->x[i] + way.x;
    pool->next_y[i] = pool->y[i] + way.y;
  }
}

void cl_bullets_end_steering(cl_bullets *pool) {
  for (uint32_t i = 0; i < pool->used; i++) {
    if (!pool->steers[i]) continue;
    pool->vx[i] = pool->course[i].next_v.x;
    pool->vy[i] = pool->course[i].next_v.y;
  }
}
