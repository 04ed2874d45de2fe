// collide, MIT licence (see LICENSE)
//
// Bullets that steer: they turn, home and keep limits of speed; and bullets with plans, which
// change their state at certain ages. Layer: bullets.
//
// In each step such a bullet first turns, then its velocity and its way get the acceleration, and
// then both are limited; so it flies straight in a step, as all bullets do. A pool has the arrays
// for this only once some bullet steers. A plan cuts the step where it has an entry, and each
// piece, a leg, is flown like a step.

#include "base/alloc.h"
#include "bullets/state.h"

#define PI 3.141592653589793

cl_status cl_bullets_reserve_steering(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  const cl_alloc *alloc = &pool->pools->alloc;
  cl_status status = CL_RESERVE(alloc, pool->steers, pool->steers_cap, pool->cap);
  return status == CL_OK ? CL_RESERVE(alloc, pool->course, pool->course_cap, pool->cap) : status;
}

static void use_courses(cl_bullets *pool) {
  if (!pool->courses) memset(pool->steers, 0, pool->used);
  pool->courses = true;
}

void cl_bullets_steer(cl_bullets *pool, uint64_t number, const cl_steering *how) {
  uint32_t i = cl_bullets_index(pool, number);
  assert(i < pool->used && pool->course_cap >= pool->cap && !pool->pools->stepping);
  assert(how->min_speed >= 0 && how->min_speed <= how->max_speed && !isnan(how->turn_rate));
  assert(!how->homes || how->turn_rate >= 0);
  use_courses(pool);
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

// Turns a velocity towards the direction `to` by at most an angle. If that is exactly behind it,
// both sides are equal, and geometry decides.
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

// The velocity v of a bullet that steers at a place, when it has turned for a time.
static cl_vec turned_velocity(const cl_world *world, uint8_t steers, const cl_course *course,
                              cl_vec at, cl_vec v, double dt) {
  double angle = course->turn_rate * dt;
  if (!(steers & CL_HOMES)) return spun(v, angle);
  if (course->home == CL_SHOT_NOBODY || !cl_world_has(world, course->home)) return v;
  if (!cl_place_ok(at)) return v;
  return turned_to(v, cl_vec_sub(world->actors.next[course->home], at),
                   course->turn_rate < INFINITY ? angle : INFINITY);
}

// The way of a bullet in `dt` seconds, with velocity v and acceleration a; a course with limits, or
// NULL; and the velocity after it.
static cl_vec way_of(const cl_course *course, cl_vec v, cl_vec a, double dt, cl_vec *after) {
  double half = dt * dt / 2;
  cl_vec way = {v.x * dt + a.x * half, v.y * dt + a.y * half};
  *after = (cl_vec){v.x + a.x * dt, v.y + a.y * dt};
  if (!course) return way;
  *after = limited(*after, course->min_speed, course->max_speed);
  return limited(way, course->min_speed * dt, course->max_speed * dt);
}

cl_vec cl_bullets_way(const cl_bullets *pool, uint32_t i, cl_vec v, double dt, cl_vec *after) {
  cl_vec a = {0, 0};
  if (pool->accelerates) a = (cl_vec){pool->ax[i], pool->ay[i]};
  return way_of(cl_bullets_is_limited(pool, i) ? &pool->course[i] : NULL, v, a, dt, after);
}

void cl_bullets_steer_all(const cl_bullets *pool, uint32_t from, uint32_t to, double dt) {
  for (uint32_t i = from; i < to; i++) {
    if (!pool->steers[i]) continue;
    cl_vec v =
        turned_velocity(pool->pools->world, pool->steers[i], &pool->course[i],
                        (cl_vec){pool->x[i], pool->y[i]}, (cl_vec){pool->vx[i], pool->vy[i]}, dt);
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

// ---- bullets with a length

cl_bullet_body cl_bullets_body_in(const cl_bullets *pool, uint32_t i, double dt) {
  cl_vec v = {pool->vx[i], pool->vy[i]};
  if (!pool->needles || pool->needle[i].length == 0) return cl_bullets_body(pool, i, v);
  if (pool->accelerates) v = (cl_vec){v.x + pool->ax[i] * dt, v.y + pool->ay[i] * dt};
  if (pool->courses && pool->steers[i]) v = pool->course[i].next_v;
  return cl_bullets_body(pool, i, v);
}

void cl_bullets_end_needles(cl_bullets *pool) {
  for (uint32_t i = 0; i < pool->used; i++) {
    cl_needle *needle = &pool->needle[i];
    if (needle->length == 0) continue;
    cl_vec way = {pool->x[i] - pool->next_x[i], pool->y[i] - pool->next_y[i]};
    needle->heading = cl_heading((cl_vec){pool->vx[i], pool->vy[i]}, needle->heading);
    needle->was = needle->tail;
    needle->tail = cl_tail_grown(needle->tail, needle->length, way);
  }
}

// ---- plans

cl_status cl_bullets_reserve_plans(cl_bullets *pool) {
  const cl_alloc *alloc = &pool->pools->alloc;
  cl_status status = cl_bullets_reserve_steering(pool);
  if (status == CL_OK) status = CL_RESERVE(alloc, pool->plot, pool->plot_cap, pool->cap);
  return status == CL_OK ? CL_RESERVE(alloc, pool->due, pool->due_cap, pool->cap) : status;
}

void cl_bullets_plan(cl_bullets *pool, uint64_t number, cl_plan *plan) {
  uint32_t i = cl_bullets_index(pool, number);
  assert(i < pool->used && pool->plot_cap >= pool->cap && !pool->pools->stepping);
  for (uint32_t k = 0; !pool->plans && k < pool->used; k++) {
    pool->plot[k] = (cl_plot){0};
    pool->due[k] = INFINITY;
  }
  pool->plans = true;
  pool->plot[i] = (cl_plot){cl_plan_retain(plan), 0};
  pool->due[i] = cl_plan_due(plan, 0);
  if (plan->sets & (CL_PLAN_TURN | CL_PLAN_HOME | CL_PLAN_STRAY)) use_courses(pool);
  if (plan->sets & (CL_PLAN_AX | CL_PLAN_AY)) cl_bullets_use_accelerations(pool);
}

static const cl_course straight = {0, 0, INFINITY, {0, 0}, CL_SHOT_NOBODY};

static cl_flying flying_of(const cl_bullets *pool, uint32_t i) {
  uint8_t steers = pool->courses ? pool->steers[i] : 0;
  cl_vec a = {0, 0};
  if (pool->accelerates) a = (cl_vec){pool->ax[i], pool->ay[i]};
  return (cl_flying){.at = {pool->x[i], pool->y[i]},
                     .v = {pool->vx[i], pool->vy[i]},
                     .a = a,
                     .course = steers ? pool->course[i] : straight,
                     .body = cl_bullets_body(pool, i, (cl_vec){0, 0}),
                     .tag = pool->tag[i],
                     .stage = pool->plot[i].stage,
                     .steers = steers};
}

void cl_bullets_put_flying(cl_bullets *pool, uint32_t i, const cl_flying *s) {
  cl_plot *plot = &pool->plot[i];
  pool->vx[i] = s->v.x;
  pool->vy[i] = s->v.y;
  if (pool->accelerates) pool->ax[i] = s->a.x, pool->ay[i] = s->a.y;
  if (pool->courses) {
    pool->course[i] = s->course;
    pool->course[i].next_v = s->v;
    pool->steers[i] = s->steers;
  }
  pool->radius[i] = s->body.radius;
  pool->largest = cl_max(pool->largest, cl_bullets_reach(pool, i));
  if (pool->needles && pool->needle[i].length > 0) {
    pool->needle[i].heading = s->body.heading;
    pool->needle[i].tail = s->body.tail;
  }
  pool->tag[i] = s->tag;
  plot->stage = s->stage;
  pool->due[i] = cl_plan_due(plot->plan, s->stage);
}

// Turns a velocity to the direction `to`, with the same speed.
static cl_vec headed(cl_vec v, cl_vec to) {
  double speed = cl_vec_normalise(&v);
  return cl_vec_normalise(&to) > 0 ? cl_vec_mul(to, speed) : cl_vec_mul(v, speed);
}

// The velocity after an entry. A bullet that stands still has no heading, unless the entry gives it
// one.
static cl_vec velocity_after(const cl_world *world, const cl_flying *s, const cl_plan_entry *e) {
  cl_vec v = s->v, to = v;
  uint32_t home = s->course.home;
  if (e->sets & CL_PLAN_VX) v.x = e->vx;
  if (e->sets & CL_PLAN_VY) v.y = e->vy;
  to = v;
  if (e->sets & CL_PLAN_ANGLE) cl_sincos(e->angle, &to.y, &to.x);
  bool aims = e->sets & CL_PLAN_AIM && home != CL_SHOT_NOBODY && cl_world_has(world, home);
  if (aims && cl_place_ok(s->at)) to = cl_vec_sub(world->actors.next[home], s->at);
  if (!(e->sets & CL_PLAN_SPEED)) {
    return e->sets & (CL_PLAN_ANGLE | CL_PLAN_AIM) ? headed(v, to) : v;
  }
  return cl_vec_normalise(&to) > 0 ? cl_vec_mul(to, e->speed) : (cl_vec){0, 0};
}

static void apply(const cl_world *world, cl_flying *s, const cl_plan_entry *e) {
  cl_course *course = &s->course;
  s->v = velocity_after(world, s, e);
  if (e->sets & CL_PLAN_AX) s->a.x = e->ax;
  if (e->sets & CL_PLAN_AY) s->a.y = e->ay;
  if (e->sets & CL_PLAN_TURN) course->turn_rate = e->turn_rate;
  if (e->sets & CL_PLAN_HOME) s->steers |= CL_STEERS | CL_HOMES;
  if (e->sets & CL_PLAN_STRAY) s->steers &= (uint8_t)~CL_HOMES;
  if (e->sets & CL_PLAN_RADIUS) s->body.radius = e->radius;
  if (e->sets & CL_PLAN_TAG) s->tag = e->tag;
  if (course->turn_rate != 0) s->steers |= CL_STEERS;
  if (s->steers & CL_HOMES) course->turn_rate = fabs(course->turn_rate);
  s->stage++;
}

static void add_leg(cl_pools *pools, cl_leg leg) {
  cl_legs *legs = &pools->legs;
  if (CL_ROOM(pools, legs->at, legs->cap, legs->count + 1)) legs->at[legs->count++] = leg;
}

// The event of an entry.
static void add_timer(const cl_bullets *pool, const cl_leg *leg, const cl_flying *s, double t) {
  cl_pools *pools = pool->pools;
  if (!(pool->event_mask & CL_BULLET_EVENT_TIMER)) return;
  cl_shot shot = {.number = leg->number,
                  .pool = pool->index,
                  .actor = CL_SHOT_NOBODY,
                  .kind = CL_SHOT_TIMER,
                  .t = t,
                  .x = s->at.x,
                  .y = s->at.y,
                  .left = leg->dt * (1 - t),
                  .wanted = true,
                  .member = s->stage};
  cl_shots_add(pools, &pools->fresh, &shot);
}

// When the next entry is due, as a fraction of the step; above 1 if it is not in this step.
static double next_entry(const cl_plan *plan, const cl_flying *s, const cl_leg *leg) {
  if (!(cl_plan_due(plan, s->stage) <= leg->age + leg->dt)) return 2;
  if (!(leg->dt > 0)) return 0;
  return cl_min(cl_max((plan->entry[s->stage].at - leg->age) / leg->dt, 0), 1);
}

void cl_bullets_fly(cl_bullets *pool, uint32_t i, cl_flying *s, const cl_leg *like, double begins,
                    bool heads) {
  cl_pools *pools = pool->pools;
  const cl_plan *plan = pool->plot[i].plan;
  double length = pool->needles ? pool->needle[i].length : 0;
  double t = begins, next = next_entry(plan, s, like);
  cl_leg leg = *like;
  leg.before = s->body;
  if (next <= t) { // what it was before the first entry
    leg.begins = leg.ends = t;
    leg.flying = *s;
    leg.to = s->at;
    add_leg(pools, leg);
  }
  for (;;) {
    leg.before = s->body;
    for (; next <= t; next = next_entry(plan, s, like)) {
      const cl_plan_entry *e = &plan->entry[s->stage];
      if (e->sets & CL_PLAN_CALL) add_timer(pool, like, s, t);
      heads = true;
      apply(pools->world, s, e);
    }
    if (t >= 1 && t > begins) return;
    double dt = (cl_min(next, 1) - t) * like->dt;
    if (heads && s->steers) {
      s->v = turned_velocity(pools->world, s->steers, &s->course, s->at, s->v, dt);
    }
    leg.begins = t;
    leg.ends = t = cl_min(next, 1);
    leg.flying = *s;
    cl_vec way = way_of(s->steers ? &s->course : NULL, s->v, s->a, dt, &s->v);
    s->at = cl_vec_add(s->at, way);
    if (length > 0) {
      s->body.heading = leg.flying.body.heading = cl_heading(s->v, s->body.heading);
      s->body.tail = cl_tail_grown(s->body.tail, length, way);
    }
    leg.to = s->at;
    add_leg(pools, leg);
    if (begins >= 1) return;
  }
}

static void cut_bullet(cl_bullets *pool, uint32_t i, double age, double dt) {
  cl_pools *pools = pool->pools;
  if (!CL_ROOM(pools, pools->cut, pools->cut_cap, pools->cut_count + 1)) return;
  cl_cut cut = {.index = i, .first = pools->legs.count, .end = flying_of(pool, i)};
  const cl_leg leg = {
      .number = (uint64_t)pool->number[i], .pool = pool->index, .age = age, .dt = dt};
  cl_bullets_fly(pool, i, &cut.end, &leg, 0, true);
  cut.count = pools->legs.count - cut.first;
  for (size_t k = 0; k < cut.count; k++) {
    pool->largest =
        cl_max(pool->largest, cl_bullet_body_reach(&pools->legs.at[cut.first + k].flying.body));
  }
  pool->largest = cl_max(pool->largest, cl_bullet_body_reach(&cut.end.body));
  pools->cut[pools->cut_count++] = cut;
}

// The first bullet from i on, before `used`, that has an entry in the step. Most have none.
static uint32_t next_due(const cl_bullets *pool, uint32_t i, uint32_t used, double dt) {
  const double *due = pool->due, *age = pool->age;
  double clock = pool->clock;
  if (pool->ages) {
    while (i < used && !(due[i] <= age[i] + dt)) i++;
  } else {
    while (i < used && !(due[i] <= clock - age[i] + dt)) i++;
  }
  return i;
}

void cl_bullets_cut(cl_bullets *pool, double dt) {
  uint32_t used = pool->plans ? pool->used : 0;
  pool->cut_from = pool->cut_to = pool->pools->cut_count;
  for (uint32_t i = 0; (i = next_due(pool, i, used, dt)) < used; i++) {
    double age = pool->ages ? pool->age[i] : pool->clock - pool->age[i];
    bool gone = pool->dead[i] || pool->number[i] == pool->pools->ending;
    if (!gone) cut_bullet(pool, i, age, dt);
  }
  pool->cut_to = pool->pools->cut_count;
}

static int by_index(const void *p, const void *q) {
  const cl_cut *a = p, *b = q;
  return (a->index > b->index) - (a->index < b->index);
}

size_t cl_bullets_first_cut(const cl_bullets *pool, uint32_t i) {
  const cl_cut key = {.index = i};
  size_t count = pool->cut_to - pool->cut_from;
  const cl_cut *first = CL_AT(pool->pools->cut, pool->cut_from);
  return pool->cut_from + cl_lower_bound(first, count, sizeof key, &key, by_index, 0);
}

const cl_cut *cl_bullets_cut_of(const cl_bullets *pool, uint32_t i) {
  if (pool->cut_to == pool->cut_from) return NULL;
  size_t c = cl_bullets_first_cut(pool, i);
  const cl_cut *cut = pool->pools->cut + c;
  return c < pool->cut_to && cut->index == i ? cut : NULL;
}

static bool is_leg_of(const cl_leg *leg, uint32_t pool, uint64_t number) {
  return leg->pool == pool && leg->number == number;
}

static int by_leg(const void *p, const void *q) {
  const cl_leg *a = p, *b = q;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->begins > b->begins) - (a->begins < b->begins);
}

size_t cl_pools_leg_at(const cl_pools *pools, uint32_t pool, uint64_t number, double t) {
  const cl_legs *legs = &pools->legs;
  const cl_leg key = {.number = number, .pool = pool, .begins = t};
  size_t count = legs->count - legs->fresh;
  size_t k = cl_lower_bound(legs->at, count, sizeof key, &key, by_leg, 0); // begins at t or later
  if (k > 0 && is_leg_of(&legs->at[k - 1], pool, number)) k--;
  if (k == count || !is_leg_of(&legs->at[k], pool, number)) return legs->count;
  for (; k + 1 < count && is_leg_of(&legs->at[k + 1], pool, number); k++) {
    const cl_leg *next = &legs->at[k + 1];
    if (!(next->bounced && next->begins == t)) break;
  }
  return k;
}

cl_vec cl_leg_velocity(const cl_leg *leg, double t) {
  const cl_flying *s = &leg->flying;
  cl_vec after;
  way_of(s->steers ? &s->course : NULL, s->v, s->a, (t - leg->begins) * leg->dt, &after);
  return after;
}
