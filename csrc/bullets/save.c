// collide, MIT licence (see LICENSE)
//
// Pools saved: the live bullets without gaps, the lasers, the memories, and the remaining events of
// the last step. The lists of fields below say what is kept. base/record.h takes, restores, packs,
// unpacks and compares snapshots by these lists. Layer: bullets.
//
// A pack has, in this order: the number of pools and the last number given; the pools, each with
// its bullets array by array and its lasers one by one; the shots from steps and those found during
// the dispatch; the memories; the shot that is being dispatched and the moment of its bullet; and
// the hash, if the dispatch is over. Data about removed actors is left out. Bytes may hold
// anything: every number is checked, so that whatever was read can always be restored.

#include "bullets/save.h"
#include "bullets/state.h"

#include <float.h>

#include "base/alloc.h"

// ---- what is kept ---------------------------------------------------------------------------

enum {
  HAS_ACCELERATIONS = 1,
  HAS_SURVIVED = 2,
  HAS_DEF = 4,
  HAS_BEFORE = 8,
  HAS_COURSE = 16,
  HAS_PLAN = 32,
  HAS_NEEDLE = 64
};

#define ARRAY_AS(title, name, kind, least, most, has)                                              \
  { title, kind, CL_COLUMN(cl_bullets, name), 0, least, most, has }
#define ARRAY(name, kind, least, most, has) ARRAY_AS(#name, name, kind, least, most, has)
#define COURSE(name, kind, least, most)                                                            \
  { #name, kind, CL_COLUMN(cl_bullets, course), offsetof(cl_course, name), least, most, HAS_COURSE }
#define NEEDLE(title, name, least, most)                                                           \
  {                                                                                                \
    title, CL_F64, CL_COLUMN(cl_bullets, needle), offsetof(cl_needle, name), least, most,          \
        HAS_NEEDLE                                                                                 \
  }
static const cl_saved bullet_fields[] = {
    ARRAY(x, CL_F64, -DBL_MAX, DBL_MAX, 0),
    ARRAY(y, CL_F64, -DBL_MAX, DBL_MAX, 0),
    ARRAY(vx, CL_F64, -DBL_MAX, DBL_MAX, 0),
    ARRAY(vy, CL_F64, -DBL_MAX, DBL_MAX, 0),
    ARRAY(radius, CL_F64, DBL_TRUE_MIN, CL_MAX_COORD, 0),
    ARRAY(age, CL_F64, 0, DBL_MAX, 0),
    ARRAY(tag, CL_WHOLE, -CL_ALL_DISPATCHED, CL_ALL_DISPATCHED, 0),
    ARRAY(number, CL_WHOLE, 1, CL_ALL_DISPATCHED, 0),
    ARRAY(ax, CL_F64, -DBL_MAX, DBL_MAX, HAS_ACCELERATIONS),
    ARRAY(ay, CL_F64, -DBL_MAX, DBL_MAX, HAS_ACCELERATIONS),
    ARRAY(survived, CL_BITS, 0, CL_PASSED | CL_BOUNCED, HAS_SURVIVED),
    ARRAY(steers, CL_BITS, 0, CL_STEERS | CL_HOMES, HAS_COURSE),
    COURSE(turn_rate, CL_F64, -CL_MAX_ANGLE, INFINITY),
    COURSE(min_speed, CL_F64, 0, INFINITY),
    COURSE(max_speed, CL_F64, 0, INFINITY),
    COURSE(home, CL_SLOT, 0, 0),
    {"stage", CL_U32, CL_COLUMN(cl_bullets, plot), offsetof(cl_plot, stage), 0, CL_MAX_PLAN,
     HAS_PLAN},
    NEEDLE("length", length, 0, CL_MAX_COORD),
    NEEDLE("tail", tail, -CL_MAX_COORD, CL_MAX_COORD),
    NEEDLE("heading_x", heading.x, -1, 1),
    NEEDLE("heading_y", heading.y, -1, 1),
    ARRAY_AS("before_x", next_x, CL_F64, -DBL_MAX, DBL_MAX, HAS_BEFORE),
    ARRAY_AS("before_y", next_y, CL_F64, -DBL_MAX, DBL_MAX, HAS_BEFORE),
    {0},
};

#define LASER(name, kind, least, most)                                                             \
  { #name, kind, CL_COLUMN(cl_bullets, laser), offsetof(cl_laser, name), least, most, 0 }
static const cl_saved laser_fields[] = {
    LASER(number, CL_WHOLE, 1, CL_ALL_DISPATCHED),
    LASER(at.x, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(at.y, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(at.vx, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(at.vy, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(next_x, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(next_y, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(at.ax, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(at.ay, CL_F64, -DBL_MAX, DBL_MAX),
    LASER(at.radius, CL_F64, DBL_TRUE_MIN, CL_MAX_COORD),
    LASER(at.tag, CL_WHOLE, -CL_ALL_DISPATCHED, CL_ALL_DISPATCHED),
    LASER(at.age, CL_F64, 0, DBL_MAX),
    LASER(warmup, CL_F64, 0, DBL_MAX),
    LASER(lifetime, CL_F64, DBL_TRUE_MIN, INFINITY),
    {0},
};

#define POOL(name, kind, least, most, has)                                                         \
  { #name, kind, CL_OWN, offsetof(cl_bullets, name), least, most, has }
static const cl_saved pool_fields[] = {
    POOL(def.capacity, CL_U32, 1, CL_MAX_BULLETS, HAS_DEF),
    POOL(def.radius, CL_F64, DBL_TRUE_MIN, INFINITY, HAS_DEF),
    POOL(ages, CL_BOOL, 0, 0, HAS_DEF),
    POOL(flown, CL_WHOLE, 0, CL_ALL_DISPATCHED, 0),
    POOL(clock, CL_F64, 0, DBL_MAX, 0),
    POOL(hits, CL_U64, 0, INFINITY, 0),
    POOL(grazes, CL_U64, 0, INFINITY, 0),
    POOL(accelerates, CL_BOOL, 0, 0, 0),
    POOL(survives, CL_BOOL, 0, 0, 0),
    POOL(courses, CL_BOOL, 0, 0, 0),
    POOL(plans, CL_BOOL, 0, 0, 0),
    POOL(needles, CL_BOOL, 0, 0, 0),
    {0},
};

#define SHOT(name, kind, least, most)                                                              \
  {                                                                                                \
#name, kind, offsetof(cl_shots, at), offsetof(cl_shots, cap), sizeof(cl_shot),                 \
        offsetof(cl_shot, name), least, most, 0                                                    \
  }
static const cl_saved shot_fields[] = {
    SHOT(number, CL_U64, 0, CL_ALL_DISPATCHED),
    SHOT(pool, CL_U32, 0, UINT32_MAX),
    SHOT(actor, CL_SLOT, 0, 0),
    SHOT(other, CL_U64, 0, CL_ALL_DISPATCHED),
    SHOT(other_pool, CL_U32, 0, UINT32_MAX),
    SHOT(kind, CL_ENUM, 0, CL_SHOT_EXPIRED),
    SHOT(wanted, CL_BOOL, 0, 0),
    SHOT(sure, CL_BOOL, 0, 0),
    SHOT(added, CL_BOOL, 0, 0),
    SHOT(leg, CL_U8, 0, CL_MOST_BOUNCES),
    SHOT(nx, CL_F64, -DBL_MAX, DBL_MAX),
    SHOT(ny, CL_F64, -DBL_MAX, DBL_MAX),
    SHOT(t, CL_F64, 0, 1),
    SHOT(x, CL_F64, -DBL_MAX, DBL_MAX),
    SHOT(y, CL_F64, -DBL_MAX, DBL_MAX),
    SHOT(left, CL_F64, 0, DBL_MAX),
    SHOT(member, CL_U32, 0, UINT32_MAX),
    {0},
};

#define LEG(name, kind, least, most)                                                               \
  {                                                                                                \
#name, kind, offsetof(cl_legs, at), offsetof(cl_legs, cap), sizeof(cl_leg),                    \
        offsetof(cl_leg, name), least, most, 0                                                     \
  }
#define LEG_BODY(name)                                                                             \
  LEG(name.radius, CL_F64, DBL_TRUE_MIN, CL_MAX_COORD),                                            \
      LEG(name.tail, CL_F64, -CL_MAX_COORD, CL_MAX_COORD), LEG(name.heading.x, CL_F64, -1, 1),     \
      LEG(name.heading.y, CL_F64, -1, 1)
static const cl_saved leg_fields[] = {
    LEG(number, CL_U64, 0, CL_ALL_DISPATCHED),
    LEG(pool, CL_U32, 0, UINT32_MAX),
    LEG(bounced, CL_BOOL, 0, 0),
    LEG(begins, CL_F64, 0, 1),
    LEG(ends, CL_F64, 0, 1),
    LEG(age, CL_F64, 0, DBL_MAX),
    LEG(dt, CL_F64, 0, DBL_MAX),
    LEG_BODY(before),
    LEG(flying.at.x, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(flying.at.y, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(flying.v.x, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(flying.v.y, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(flying.a.x, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(flying.a.y, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(flying.course.turn_rate, CL_F64, -CL_MAX_ANGLE, INFINITY),
    LEG(flying.course.min_speed, CL_F64, 0, INFINITY),
    LEG(flying.course.max_speed, CL_F64, 0, INFINITY),
    LEG(flying.course.home, CL_SLOT, 0, 0),
    LEG_BODY(flying.body),
    LEG(flying.tag, CL_WHOLE, -CL_ALL_DISPATCHED, CL_ALL_DISPATCHED),
    LEG(flying.stage, CL_U32, 0, CL_MAX_PLAN),
    LEG(flying.steers, CL_BITS, 0, CL_STEERS | CL_HOMES),
    LEG(to.x, CL_F64, -DBL_MAX, DBL_MAX),
    LEG(to.y, CL_F64, -DBL_MAX, DBL_MAX),
    {0},
};

#define MET(name, kind, most)                                                                      \
  {                                                                                                \
#name, kind, offsetof(cl_mets, at), offsetof(cl_mets, cap), sizeof(cl_met),                    \
        offsetof(cl_met, name), 0, most, 0                                                         \
  }
static const cl_saved met_fields[] = {
    MET(number, CL_U64, CL_ALL_DISPATCHED),
    MET(other, CL_SLOT_64, 0),
    MET(pool, CL_U32, UINT32_MAX),
    MET(flags, CL_ENUM, CL_GRAZED | CL_INSIDE | CL_WAS_INSIDE | CL_MET),
    {0},
};

#define MOMENT(name, kind, least, most)                                                            \
  { #name, kind, CL_OWN, offsetof(cl_moment, name), least, most, 0 }
static const cl_saved moment_fields[] = {
    MOMENT(pool, CL_U32, 0, UINT32_MAX),
    MOMENT(set, CL_U32, 0, UINT32_MAX),
    MOMENT(number, CL_U64, 0, CL_ALL_DISPATCHED),
    MOMENT(x, CL_F64, -DBL_MAX, DBL_MAX),
    MOMENT(y, CL_F64, -DBL_MAX, DBL_MAX),
    MOMENT(vx, CL_F64, -DBL_MAX, DBL_MAX),
    MOMENT(vy, CL_F64, -DBL_MAX, DBL_MAX),
    MOMENT(left, CL_F64, -DBL_MAX, DBL_MAX),
    {0},
};

static const cl_saved last_fields[] = {
    {"last", CL_WHOLE, CL_OWN, offsetof(cl_pools, last), 0, CL_ALL_DISPATCHED, 0},
    {0},
};

static unsigned parts_of(const cl_bullets *pool) {
  return (pool->accelerates ? HAS_ACCELERATIONS : 0) | (pool->survives ? HAS_SURVIVED : 0) |
         (pool->flown > 0 ? HAS_BEFORE : 0) | (pool->courses ? HAS_COURSE : 0) |
         (pool->plans ? HAS_PLAN : 0) | (pool->needles ? HAS_NEEDLE : 0);
}

// ---- taking ---------------------------------------------------------------------------------

cl_bullets_snapshot *cl_bullets_snapshot_new(const cl_alloc *alloc) {
  cl_bullets_snapshot *snapshot = cl_new(alloc, sizeof *snapshot);
  if (snapshot) snapshot->kept.alloc = *alloc;
  return snapshot;
}

// Empties it; it keeps its memory.
static void clear(cl_bullets_snapshot *s) {
  cl_pools *kept = &s->kept;
  for (uint32_t i = 0; i < s->made; i++) {
    cl_bullets *pool = kept->at[i];
    while (pool->lasers > 0) cl_laser_release_shapes(&pool->laser[--pool->lasers]);
    pool->laser_used = 0;
    for (uint32_t k = 0; pool->plans && k < pool->used; k++) {
      if (pool->plot[k].plan) cl_plan_release(pool->plot[k].plan);
    }
    pool->used = 0;
  }
  kept->count = 0;
  kept->legs.count = 0;
  kept->shots.count = kept->rest.count = kept->met.count = 0;
}

void cl_bullets_snapshot_free(cl_bullets_snapshot *s) {
  cl_alloc alloc = s->kept.alloc;
  cl_pools *kept = &s->kept;
  clear(s);
  for (uint32_t i = 0; i < s->made; i++) {
    cl_rows_free(bullet_fields, &alloc, kept->at[i]);
    cl_rows_free(laser_fields, &alloc, kept->at[i]);
    cl_free(&alloc, kept->at[i], sizeof *kept->at[i]);
  }
  cl_rows_free(shot_fields, &alloc, &kept->shots);
  cl_rows_free(shot_fields, &alloc, &kept->rest);
  cl_rows_free(met_fields, &alloc, &kept->met);
  cl_rows_free(leg_fields, &alloc, &kept->legs);
  CL_FREE(&alloc, kept->at, kept->cap);
  CL_FREE(&alloc, kept->log.note, kept->log.cap);
  cl_free(&alloc, s, sizeof *s);
}

size_t cl_bullets_snapshot_bytes(const cl_bullets_snapshot *s) {
  const cl_pools *kept = &s->kept;
  size_t bytes = sizeof *s + cl_rows_bytes(shot_fields, &kept->shots) +
                 cl_rows_bytes(shot_fields, &kept->rest) + cl_rows_bytes(met_fields, &kept->met) +
                 cl_rows_bytes(leg_fields, &kept->legs) + kept->cap * sizeof *kept->at +
                 kept->log.cap * sizeof *kept->log.note;
  for (uint32_t i = 0; i < s->made; i++) {
    bytes += sizeof *kept->at[i] + cl_rows_bytes(bullet_fields, kept->at[i]) +
             cl_rows_bytes(laser_fields, kept->at[i]);
  }
  return bytes;
}

uint32_t cl_bullets_snapshot_pools(const cl_bullets_snapshot *s) { return s->kept.count; }

cl_bullets_def cl_bullets_snapshot_def(const cl_bullets_snapshot *s, uint32_t i) {
  assert(i < s->kept.count);
  return s->kept.at[i]->def;
}

// Room for this many pools; a new one has no memory for bullets.
static cl_status reserve_pools(cl_bullets_snapshot *s, uint32_t pools) {
  cl_pools *kept = &s->kept;
  cl_status status = CL_RESERVE(&kept->alloc, kept->at, kept->cap, pools);
  for (; s->made < pools && status == CL_OK; s->made++) {
    kept->at[s->made] = cl_new(&kept->alloc, sizeof *kept->at[0]);
    if (!kept->at[s->made]) return CL_NOMEM;
  }
  return status;
}

// Makes room in live or kept pools for the shots, memories and notes of others.
static cl_status reserve_lists(cl_pools *to, const cl_pools *from) {
  const cl_alloc *alloc = &to->alloc;
  size_t shots = from->shots.count - from->cursor, rest = from->rest.count + from->echoes;
  cl_status status = cl_rows_reserve(shot_fields, 0, alloc, &to->shots, shots);
  if (status == CL_OK) status = cl_rows_reserve(shot_fields, 0, alloc, &to->rest, rest);
  if (status == CL_OK) status = cl_rows_reserve(met_fields, 0, alloc, &to->met, from->met.count);
  size_t legs = from->legs.count;
  if (status == CL_OK) status = cl_rows_reserve(leg_fields, 0, alloc, &to->legs, legs);
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, to->log.note, to->log.cap, from->log.count);
}

static cl_status reserve(cl_bullets_snapshot *s, const cl_pools *pools) {
  cl_pools *kept = &s->kept;
  cl_status status = reserve_pools(s, pools->count);
  for (uint32_t i = 0; i < pools->count && status == CL_OK; i++) {
    const cl_bullets *pool = pools->at[i];
    unsigned has = parts_of(pool);
    status = cl_rows_reserve(bullet_fields, has, &kept->alloc, kept->at[i], pool->live);
    if (status != CL_OK) break;
    status = cl_rows_reserve(laser_fields, 0, &kept->alloc, kept->at[i], pool->lasers);
  }
  return status == CL_OK ? reserve_lists(kept, pools) : status;
}

// Copies `count` bullets of a live pool from index `from` on to index `to` on.
static void take_run(cl_bullets *kept, uint32_t to, const cl_bullets *pool, uint32_t from,
                     uint32_t count) {
  for (const cl_saved *f = bullet_fields; f->name; f++) {
    uint8_t *out;
    const uint8_t *in;
    if (f->has && !(f->has & parts_of(pool))) continue;
    if (f > bullet_fields && f[-1].at == f->at) continue; // the whole array is copied at once
    memcpy(&out, (const char *)kept + f->at, sizeof out);
    memcpy(&in, (const char *)pool + f->at, sizeof in);
    memcpy(out + to * f->stride, in + from * f->stride, count * f->stride);
  }
}

static const cl_course no_course = {.home = CL_SHOT_NOBODY};

// Clears the courses of bullets that do not steer.
static void settle_courses(cl_bullets *kept) {
  for (uint32_t i = 0; kept->courses && i < kept->used; i++) {
    if (!kept->steers[i]) kept->course[i] = no_course;
  }
}

// Bullets that were spawned, set or bounced since the last step get their present place as the
// place before.
static void settle_before(cl_bullets *kept) {
  for (uint32_t i = 0; kept->flown > 0 && i < kept->used; i++) {
    bool way = kept->number[i] <= kept->flown && !isnan(kept->next_x[i]) && !isnan(kept->next_y[i]);
    kept->next_x[i] = way ? kept->next_x[i] : kept->x[i];
    kept->next_y[i] = way ? kept->next_y[i] : kept->y[i];
  }
  for (uint32_t k = 0; k < kept->lasers; k++) {
    cl_laser *laser = &kept->laser[k];
    if (laser->number <= kept->flown) continue;
    laser->next_x = laser->at.x;
    laser->next_y = laser->at.y;
  }
}

static void retain_plans(cl_bullets *pool) {
  for (uint32_t i = 0; pool->plans && i < pool->used; i++) {
    if (pool->plot[i].plan) cl_plan_retain(pool->plot[i].plan);
  }
}

static void take_pool(cl_bullets *kept, const cl_bullets *pool) {
  cl_rows_copy(pool_fields, HAS_DEF, kept, pool, 0);
  kept->def = pool->def;
  kept->largest = pool->largest;
  kept->used = 0;
  for (uint32_t i = 0, end; i < pool->used; i = end + 1) {
    const uint8_t *dead = memchr(pool->dead + i, 1, pool->used - i);
    end = dead ? (uint32_t)(dead - pool->dead) : pool->used;
    if (i == end) continue;
    take_run(kept, kept->used, pool, i, end - i);
    kept->used += end - i;
  }
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    if (pool->laser[k].shape) kept->laser[kept->lasers++] = cl_laser_copy(&pool->laser[k]);
  }
  kept->laser_used = kept->lasers;
  settle_before(kept);
  settle_courses(kept);
  retain_plans(kept);
}

static void copy_shots(cl_shots *to, const cl_shots *from, size_t first) {
  const cl_shots rest = {CL_AT(from->at, first), from->count - first, 0};
  to->count = rest.count;
  cl_rows_copy(shot_fields, 0, to, &rest, rest.count);
}

static void copy_log(cl_bullets_log *to, const cl_bullets_log *from) {
  cl_bullet_note *note = to->note;
  size_t cap = to->cap;
  *to = *from;
  to->note = note;
  to->cap = cap;
  if (to->count > 0) memcpy(note, from->note, to->count * sizeof *note);
}

// Copies all but the pools.
static void copy_lists(cl_pools *to, const cl_pools *from) {
  copy_shots(&to->shots, &from->shots, from->cursor);
  copy_shots(&to->rest, &from->rest, 0);
  if (from->echoes) cl_rest_push(&to->rest, &from->echo);
  cl_shots_sort(&to->rest); // packs are in the order of dispatch; a sorted list is a heap, too
  to->cursor = 0;
  to->echoes = false;
  to->met.count = from->met.count;
  cl_rows_copy(met_fields, 0, &to->met, &from->met, from->met.count);
  to->legs.count = from->legs.count;
  cl_rows_copy(leg_fields, 0, &to->legs, &from->legs, from->legs.count);
  to->met_kept = from->met_kept;
  to->last = from->last;
  to->dispatching = from->dispatching;
  to->current = from->current;
  to->moment = from->moment;
  copy_log(&to->log, &from->log);
}

cl_status cl_pools_snapshot(const cl_pools *pools, cl_bullets_snapshot *into) {
  assert(!pools->stepping);
  cl_status status = reserve(into, pools);
  if (status != CL_OK) return status;
  clear(into);
  into->kept.count = pools->count;
  for (uint32_t i = 0; i < pools->count; i++) take_pool(into->kept.at[i], pools->at[i]);
  copy_lists(&into->kept, pools);
  return CL_OK;
}

// ---- restoring ------------------------------------------------------------------------------

cl_status cl_pools_restore_reserve(cl_pools *pools, const cl_bullets_snapshot *from,
                                   cl_bullets *const order[]) {
  assert(!pools->stepping);
  const cl_alloc *alloc = &pools->alloc;
  const cl_pools *kept = &from->kept;
  cl_status status = CL_RESERVE(alloc, pools->back, pools->back_cap, kept->shots.count);
  if (status == CL_OK) status = reserve_lists(pools, kept);
  cl_bouncer *b = &pools->bouncer;
  size_t reported = kept->shots.count + kept->rest.count; // if they are dispatched before a step
  if (status == CL_OK) status = CL_RESERVE(alloc, b->reported, b->reported_cap, reported);
  for (uint32_t i = 0; i < kept->count && status == CL_OK; i++) {
    cl_bullets *pool = order[i];
    assert(pool->def.capacity == kept->at[i]->def.capacity);
    status = CL_RESERVE(alloc, pool->laser, pool->laser_cap, kept->at[i]->lasers);
    if (status == CL_OK && kept->at[i]->courses) status = cl_bullets_reserve_steering(pool);
    if (status == CL_OK && kept->at[i]->plans) status = cl_bullets_reserve_plans(pool);
    if (status == CL_OK && kept->at[i]->needles) status = cl_bullets_reserve_lengths(pool);
  }
  return status;
}

static void put_pool(cl_bullets *pool, const cl_bullets *kept) {
  cl_bullets_drop_plans(pool);
  cl_rows_copy(pool_fields, 0, pool, kept, 0);
  cl_rows_copy(bullet_fields, parts_of(kept), pool, kept, kept->used);
  memset(pool->dead, 0, kept->used);
  pool->largest = kept->largest;
  pool->used = pool->live = kept->used;
  retain_plans(pool);
  for (uint32_t i = 0; pool->plans && i < pool->used; i++) {
    const cl_plot *plot = &pool->plot[i];
    pool->due[i] = plot->plan ? cl_plan_due(plot->plan, plot->stage) : INFINITY;
  }
  pool->hint = pool->gone_count = 0;
  pool->ignored_count = 0; // set again before the next step
  cl_bullets_kill_lasers(pool);
  for (uint32_t i = 0; i < kept->lasers; i++) pool->laser[i] = cl_laser_copy(&kept->laser[i]);
  pool->laser_used = pool->lasers = kept->lasers;
  pool->most -= kept->lasers;
}

void cl_pools_restore(cl_pools *pools, const cl_bullets_snapshot *from, cl_bullets *const order[]) {
  assert(!pools->stepping && pools->count == from->kept.count);
  for (uint32_t i = 0; i < pools->count; i++) {
    pools->at[i] = order[i];
    pools->at[i]->index = i;
    put_pool(pools->at[i], from->kept.at[i]);
  }
  copy_lists(pools, &from->kept);
  pools->flights.made = false;
  pools->last_moved = 0; // their places before the last step are not kept
  pools->met_hint = 0;
  pools->bouncer.number = 0;
  pools->fresh.count = pools->fresh_met.count = 0;
  cl_scene_forget(&pools->scene);
  cl_pools_link_backs(pools);
  CL_CHECK(cl_pools_are_valid(pools));
}

// ---- what is in order, in live pools and in packs -------------------------------------------

// Whether numbers rise up to `last`, no tail is longer than its bullet, and a bullet that was
// spawned earlier is older: by its age, or by the clock.
static bool is_pool_in_order(const cl_bullets *pool, double last) {
  const double *number = pool->number, *age = pool->age;
  const cl_laser *laser = pool->laser;
  for (uint32_t i = 0; i < pool->used; i++) {
    double before = i > 0 ? number[i - 1] : 0, first = i > 0 ? age[i - 1] : age[i];
    if (!(number[i] > before && number[i] <= last)) return false;
    if (!(pool->ages ? age[i] >= 0 && age[i] <= first : age[i] >= first)) return false;
    if (!pool->ages && !(age[i] <= pool->clock)) return false;
    if (pool->needles && !(pool->needle[i].tail <= pool->needle[i].length)) return false;
  }
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    double before = k > 0 ? laser[k - 1].number : 0;
    if (!(laser[k].number > before && laser[k].number <= last)) return false;
  }
  return true;
}

// Whether shots are in the order of pools and bullets.
static bool are_shots_in_order(const cl_shots *shots, size_t first) {
  for (size_t i = first + 1; i < shots->count; i++) {
    const cl_shot *a = &shots->at[i - 1], *b = &shots->at[i];
    if (a->pool != b->pool ? a->pool > b->pool : a->number > b->number) return false;
  }
  return true;
}

// Whether the memories are in the order of pools, bullets and targets, each once.
static bool are_mets_in_order(const cl_mets *mets) {
  for (size_t i = 1; i < mets->count; i++) {
    const cl_met *a = &mets->at[i - 1], *b = &mets->at[i];
    if (a->pool != b->pool ? a->pool > b->pool : a->number > b->number) return false;
    if (a->pool == b->pool && a->number == b->number && a->other >= b->other) return false;
  }
  return true;
}

bool cl_pool_is_valid(const cl_bullets *pool) {
  uint32_t live = 0, lasers = 0;
  if (pool->used > pool->cap || pool->live > pool->most) return false;
  if (!is_pool_in_order(pool, *pool->last)) return false;
  for (uint32_t i = 0; i < pool->used; i++) {
    if (pool->dead[i]) continue;
    if (!(pool->radius[i] > 0 && pool->radius[i] <= pool->largest)) return false;
    if (isnan(pool->x[i]) || isnan(pool->y[i])) return false;
    live++;
  }
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    if (!pool->laser[k].shape && pool->laser[k].graze) return false;
    lasers += pool->laser[k].shape != NULL;
  }
  return live == pool->live && lasers == pool->lasers && lasers + pool->most == pool->def.capacity;
}

static bool is_shot_valid(const cl_pools *pools, const cl_shot *shot) {
  if (shot->pool >= pools->count || !(shot->t >= 0 && shot->t <= 1)) return false;
  if (!cl_shot_has_target(shot)) return true;
  if (shot->actor == CL_SHOT_BULLET) return shot->other_pool < pools->count;
  return shot->actor < cl_world_slots(pools->world);
}

bool cl_pools_are_valid(const cl_pools *pools) {
  for (uint32_t i = 0; i < pools->count; i++) {
    if (pools->at[i]->index != i || !cl_pool_is_valid(pools->at[i])) return false;
  }
  for (size_t i = pools->cursor; i < pools->shots.count; i++) {
    if (!is_shot_valid(pools, &pools->shots.at[i])) return false;
  }
  return are_shots_in_order(&pools->shots, pools->cursor) && are_mets_in_order(&pools->met);
}

// ---- what is left when actors or a pool are gone ----------------------------------------------

static bool rename_pool(const cl_renaming *r, uint32_t *pool) {
  if (*pool == r->gone) return false;
  *pool -= *pool > r->gone;
  return true;
}

static bool rename_slot(const cl_renaming *r, uint32_t *slot) {
  if (*slot == CL_SHOT_NOBODY) return false;
  int32_t to = r->moved ? r->moved[*slot] : (int32_t)*slot;
  if (r->actors && !cl_snapshot_has(r->actors, *slot)) to = CL_NOWHERE;
  *slot = to == CL_NOWHERE ? CL_SHOT_NOBODY : (uint32_t)to;
  return to != CL_NOWHERE;
}

// As cl_met.other.
static bool rename_other(const cl_renaming *r, uint64_t *other) {
  if (*other & CL_OTHER_BULLET) return true;
  uint32_t slot = (uint32_t)*other;
  bool stays = rename_slot(r, &slot);
  *other = slot;
  return stays;
}

static bool rename_shot(const cl_renaming *r, cl_shot *shot) {
  if (!rename_pool(r, &shot->pool)) return false;
  if (!cl_shot_has_target(shot)) return true;
  if (shot->actor == CL_SHOT_BULLET) return rename_pool(r, &shot->other_pool);
  return rename_slot(r, &shot->actor);
}

static void rename_shots(const cl_renaming *r, cl_shots *shots, size_t from) {
  size_t n = from;
  for (size_t i = from; i < shots->count; i++) {
    if (rename_shot(r, &shots->at[i])) shots->at[n++] = shots->at[i];
  }
  shots->count = n;
}

// Memories without flags are dropped, too.
static void rename_mets(const cl_renaming *r, cl_mets *mets) {
  size_t n = 0;
  for (size_t i = 0; i < mets->count; i++) {
    cl_met met = mets->at[i];
    bool stays = met.flags != 0 && rename_pool(r, &met.pool) && rename_other(r, &met.other);
    if (stays) mets->at[n++] = met;
  }
  mets->count = n;
}

static void rename_reported(const cl_renaming *r, cl_bouncer *bouncer) {
  size_t n = 0;
  for (size_t i = 0; i < bouncer->reported_count; i++) {
    uint64_t other = bouncer->reported[i];
    if (rename_other(r, &other)) bouncer->reported[n++] = other;
  }
  bouncer->reported_count = n;
}

// The shot that is being dispatched stays, even if its target is gone.
static void rename_current(const cl_renaming *r, cl_pools *pools) {
  cl_shot *current = &pools->current;
  pools->dispatching = pools->dispatching && current->pool != r->gone;
  if (!pools->dispatching || rename_shot(r, current)) return;
  current->actor = CL_SHOT_NOBODY;
  current->other = current->other_pool = 0;
}

static void rename_in_pool(const cl_renaming *r, cl_bullets *pool) {
  size_t n = 0;
  for (uint32_t i = 0; pool->courses && i < pool->used; i++) {
    if (pool->steers[i]) rename_slot(r, &pool->course[i].home);
  }
  for (size_t i = 0; i < pool->ignored_count; i++) {
    uint32_t slot = pool->ignored[i];
    if (rename_slot(r, &slot)) pool->ignored[n++] = slot;
  }
  pool->ignored_count = n;
}

static void rename_legs(const cl_renaming *r, cl_legs *legs) {
  size_t n = 0;
  for (size_t i = 0; i < legs->count; i++) {
    cl_leg leg = legs->at[i];
    rename_slot(r, &leg.flying.course.home);
    if (rename_pool(r, &leg.pool)) legs->at[n++] = leg;
  }
  legs->count = n;
}

void cl_pools_rename(cl_pools *pools, const cl_renaming *r) {
  bool slots = r->moved || r->actors;
  for (uint32_t i = 0; slots && i < pools->count; i++) rename_in_pool(r, pools->at[i]);
  for (uint32_t i = 0; i < pools->scene.count; i++) rename_slot(r, &pools->scene.target[i].slot);
  rename_shots(r, &pools->shots, pools->cursor);
  rename_shots(r, &pools->rest, 0);
  cl_shots_sort(&pools->rest); // a sorted list is a heap, too
  rename_shots(r, &pools->fresh, 0);
  rename_mets(r, &pools->met);
  rename_mets(r, &pools->fresh_met);
  rename_reported(r, &pools->bouncer);
  rename_legs(r, &pools->legs);
  pools->echoes = pools->echoes && rename_shot(r, &pools->echo);
  rename_current(r, pools);
}

// ---- packing --------------------------------------------------------------------------------

// The number of points of a laser: capsules have two ends; each capsule after the first adds one
// point.
static uint32_t count_points(const cl_laser *laser) {
  return (uint32_t)(cl_shape_point_count(laser->shape) / 2 + 1);
}

// The points of a laser, as xy pairs; NULL when out of memory.
static double *points_of(const cl_alloc *alloc, const cl_laser *laser, uint32_t count) {
  double *xy = cl_new_array(alloc, 2 * (uint64_t)count, sizeof *xy);
  for (uint32_t i = 0; xy && laser->shape && i < count; i++) {
    cl_vec p = cl_shape_point(laser->shape, i == 0 ? 0 : 2 * (uint64_t)i - 1);
    xy[2 * i] = p.x;
    xy[2 * i + 1] = p.y;
  }
  return xy;
}

static cl_status make_shape(const cl_alloc *alloc, double *xy, uint32_t count, double radius,
                            cl_shape **out) {
  const cl_laser_def def = {.xy = xy, .count = count};
  return cl_laser_make_shape(alloc, &def, radius, out);
}

// When reading, the graze of a laser is made later, when the pool is known.
static void archive_shape(cl_archive *a, cl_laser *laser) {
  uint32_t count = cl_archive_count(a, laser->shape ? count_points(laser) : 0, 2 * sizeof(double));
  if (!cl_archive_check(a, count >= 2)) return;
  double *xy = points_of(&a->alloc, laser, count);
  if (!cl_archive_note(a, xy ? CL_OK : CL_NOMEM)) return;
  for (size_t i = 0; i < 2 * (size_t)count; i++) cl_archive_f64(a, &xy[i]);
  if (a->reading && a->status == CL_OK) {
    a->status = make_shape(&a->alloc, xy, count, laser->at.radius, &laser->shape);
  }
  CL_FREE(&a->alloc, xy, 2 * (size_t)count);
}

static void archive_lasers(cl_archive *a, cl_bullets *kept) {
  uint32_t count = cl_archive_count(a, kept->lasers, cl_row_size(laser_fields, 0) + 4);
  if (a->reading) {
    if (!cl_archive_check(a, count <= kept->def.capacity - kept->used)) return;
    cl_rows_make(laser_fields, kept, count, a);
    kept->lasers = kept->laser_used = a->status == CL_OK ? count : 0;
  }
  for (uint32_t i = 0; i < count && a->status == CL_OK; i++) {
    cl_row_archive(laser_fields, 0, kept, i, a);
    archive_shape(a, &kept->laser[i]);
  }
}

static void archive_bullets(cl_archive *a, cl_bullets *kept) {
  unsigned has = parts_of(kept);
  uint32_t count = cl_archive_count(a, kept->used, cl_row_size(bullet_fields, has));
  if (a->reading) {
    if (!cl_archive_check(a, count <= kept->def.capacity) ||
        !cl_archive_note(a, cl_rows_reserve(bullet_fields, has, &a->alloc, kept, count))) {
      return;
    }
    if (kept->plans && count > 0) memset(kept->plot, 0, count * sizeof *kept->plot);
    kept->used = count;
    kept->largest = kept->def.radius;
  }
  a->rows = kept->number;
  cl_columns_archive(bullet_fields, has, kept, count, a);
  cl_archive_key(a, CL_ENDED, CL_BULLETS);
  for (uint32_t i = 0; i < count; i++)
    kept->largest = cl_max(kept->largest, cl_bullets_reach(kept, i));
}

static void archive_entry(cl_archive *a, cl_plan_entry *e) {
  double *v[] = {&e->vx, &e->vy, &e->angle, &e->speed, &e->ax, &e->ay, &e->turn_rate, &e->tag};
  cl_archive_f64(a, &e->at);
  cl_archive_f64(a, &e->radius);
  for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
    cl_archive_f64(a, v[k]);
    cl_archive_check(a, isfinite(*v[k]));
  }
  cl_archive_u32(a, &e->sets);
  bool radius = e->radius > 0 && e->radius <= CL_MAX_COORD;
  cl_archive_check(a, isfinite(e->at) && e->at >= 0 && e->sets < 2 * CL_PLAN_CALL);
  cl_archive_check(a, radius || !(e->sets & CL_PLAN_RADIUS));
  cl_archive_check(a, fabs(e->angle) <= CL_MAX_ANGLE && fabs(e->turn_rate) <= CL_MAX_ANGLE);
  cl_archive_check(a, e->tag == floor(e->tag) && fabs(e->tag) <= CL_ALL_DISPATCHED);
}

// Writes a plan by value, or reads one.
static void archive_plan(cl_archive *a, cl_plan **plan) {
  enum { ENTRY_SIZE = 10 * 8 + 4 };
  uint32_t count = cl_archive_count(a, *plan ? (*plan)->count : 0, ENTRY_SIZE);
  if (!cl_archive_check(a, count >= 1 && count <= CL_MAX_PLAN)) return;
  cl_plan_entry *entry = cl_new_array(&a->alloc, count, sizeof *entry);
  if (!cl_archive_note(a, entry ? CL_OK : CL_NOMEM)) return;
  if (*plan) memcpy(entry, (*plan)->entry, count * sizeof *entry);
  for (uint32_t i = 0; i < count && a->status == CL_OK; i++) {
    archive_entry(a, &entry[i]);
    cl_archive_check(a, i == 0 || entry[i - 1].at <= entry[i].at);
  }
  if (a->reading && a->status == CL_OK) a->status = cl_plan_new(&a->alloc, entry, count, plan);
  CL_FREE(&a->alloc, entry, count);
}

// The number of a plan to write, after `plans` others: equal plans share the number of the first,
// since bullets in the same state must have the same hash. `known` is a table by hash.
static uint32_t number_of_plan(cl_plan **known, uint64_t mask, cl_plan *plan, uint32_t plans) {
  if (plan->mark > 0) return plan->mark;
  uint64_t at = plan->hash & mask;
  while (known[at] && !cl_plan_equals(known[at], plan)) at = (at + 1) & mask;
  plan->mark = known[at] ? known[at]->mark : plans + 1;
  if (!known[at]) known[at] = plan;
  return plan->mark;
}

// Packs the plan of each bullet, as a number: 0 for none; a new number is followed by the plan
// itself.
static void archive_plans(cl_archive *a, cl_bullets *kept) {
  uint32_t plans = 0, count = kept->used;
  uint64_t size = 1;
  while (size <= 2 * (uint64_t)count) size *= 2;
  cl_plan **known = cl_new_array(&a->alloc, size, sizeof *known);
  if (!cl_archive_note(a, known ? CL_OK : CL_NOMEM)) return;
  for (uint32_t i = 0; i < count; i++) {
    if (kept->plot[i].plan) kept->plot[i].plan->mark = 0;
  }
  for (uint32_t i = 0; i < count && a->status == CL_OK; i++) {
    cl_plot *plot = &kept->plot[i];
    uint32_t which = plot->plan ? number_of_plan(known, size - 1, plot->plan, plans) : 0;
    cl_archive_u32(a, &which);
    if (!cl_archive_check(a, which <= plans + 1)) break;
    bool fresh = which == plans + 1;
    if (fresh) archive_plan(a, &plot->plan);
    else if (a->reading && which > 0) plot->plan = cl_plan_retain(known[which - 1]);
    if (fresh && a->reading && plot->plan) known[plans] = plot->plan;
    plans += fresh;
    if (!plot->plan) plot->stage = 0;
  }
  CL_FREE(&a->alloc, known, size);
}

// Checks courses that were read, beyond the ranges of their fields.
static bool are_courses_valid(const cl_bullets *kept, const cl_snapshot *actors) {
  for (uint32_t i = 0; kept->courses && i < kept->used; i++) {
    const cl_course *course = &kept->course[i];
    bool homes = kept->steers[i] & CL_HOMES, gone = course->home == CL_SHOT_NOBODY;
    if (!(course->min_speed <= course->max_speed)) return false;
    if (homes && course->turn_rate < 0) return false;
    if (!gone && !(kept->steers[i] && cl_snapshot_has(actors, course->home))) return false;
  }
  return true;
}

static void archive_pool(cl_archive *a, const cl_snapshot *actors, cl_pools *s, cl_bullets *kept) {
  if (a->reading) {
    kept->def = (cl_bullets_def){0};
    kept->used = 0;
  }
  cl_row_archive(pool_fields, HAS_DEF, kept, 0, a);
  if (a->reading) kept->def.lifetime = kept->ages ? 1 : INFINITY;
  archive_bullets(a, kept);
  if (kept->plans && a->status == CL_OK) archive_plans(a, kept);
  archive_lasers(a, kept);
  if (!a->reading) return;
  cl_archive_check(a, is_pool_in_order(kept, s->last));
  if (a->status == CL_OK) cl_archive_check(a, are_courses_valid(kept, actors));
}

// Checks a shot that was read, beyond the ranges of its fields. `gone`: its actor may have been
// removed.
static void check_shot(cl_archive *a, const cl_snapshot *actors, const cl_pools *s,
                       const cl_shot *shot, bool gone) {
  bool bullet = shot->actor == CL_SHOT_BULLET && shot->kind == CL_SHOT_HIT;
  bool nobody = shot->actor == CL_SHOT_NOBODY && (gone || !cl_shot_has_target(shot));
  cl_archive_check(a, bullet || nobody || cl_snapshot_has(actors, shot->actor));
  cl_archive_check(a, shot->pool < s->count && shot->other_pool < s->count);
}

static void archive_shots(cl_archive *a, const cl_snapshot *actors, cl_pools *s, cl_shots *shots) {
  shots->count = cl_rows_archive(shot_fields, 0, shots, (uint32_t)shots->count, a);
  if (!a->reading) return;
  for (size_t i = 0; i < shots->count; i++) check_shot(a, actors, s, &shots->at[i], false);
  cl_archive_check(a, are_shots_in_order(shots, 0));
}

static void archive_legs(cl_archive *a, const cl_snapshot *actors, cl_pools *s) {
  s->legs.count = cl_rows_archive(leg_fields, 0, &s->legs, (uint32_t)s->legs.count, a);
  for (size_t i = 0; a->reading && i < s->legs.count; i++) {
    uint32_t home = s->legs.at[i].flying.course.home;
    cl_archive_check(a, home == CL_SHOT_NOBODY || cl_snapshot_has(actors, home));
  }
}

static void archive_mets(cl_archive *a, const cl_snapshot *actors, cl_pools *s) {
  s->met.count = cl_rows_archive(met_fields, 0, &s->met, (uint32_t)s->met.count, a);
  if (!a->reading) return;
  s->met_kept = s->met.count;
  for (size_t i = 0; i < s->met.count; i++) {
    const cl_met *met = &s->met.at[i];
    cl_archive_check(a, met->other & CL_OTHER_BULLET || cl_snapshot_has(actors, met->other));
    cl_archive_check(a, met->pool < s->count);
  }
  cl_archive_check(a, are_mets_in_order(&s->met));
}

// The shot that is being dispatched, the moment of its bullet, and the hash.
static void archive_dispatch(cl_archive *a, const cl_snapshot *actors, cl_pools *s) {
  cl_shots one = {&s->current, 1, 1};
  if (a->reading) {
    s->current = (cl_shot){0};
    s->moment = (cl_moment){0};
    s->log.known = false;
    s->log.count = 0;
  }
  cl_archive_bool(a, &s->dispatching);
  if (s->dispatching) cl_row_archive(shot_fields, 0, &one, 0, a);
  if (s->dispatching && a->reading) check_shot(a, actors, s, &s->current, true);
  cl_archive_bool(a, &s->moment.active);
  if (s->moment.active) cl_row_archive(moment_fields, 0, &s->moment, 0, a);
  cl_archive_check(a, !s->moment.active || s->moment.pool < s->count);
  cl_archive_bool(a, &s->log.over);
  if (!s->log.over || a->status != CL_OK) return;
  if (!a->reading) s->log.hash = cl_pools_hash_from(s, actors->hash.hash);
  cl_archive_u64(a, &s->log.hash);
  s->log.known = true;
}

static int by_value(const void *a, const void *b) {
  const double *v = a, *w = b;
  return (*v > *w) - (*v < *w);
}

// Checks that the numbers of all bullets and lasers differ, across pools.
static cl_status check_numbers(cl_archive *a, const cl_pools *s) {
  size_t count = 0, n = 0;
  for (uint32_t i = 0; i < s->count; i++) count += s->at[i]->used + s->at[i]->lasers;
  double *number = cl_new_array(&s->alloc, count + 1, sizeof *number);
  if (!number) return CL_NOMEM;
  for (uint32_t i = 0; i < s->count; i++) {
    const cl_bullets *kept = s->at[i];
    for (uint32_t k = 0; k < kept->used; k++) number[n++] = kept->number[k];
    for (uint32_t k = 0; k < kept->lasers; k++) number[n++] = kept->laser[k].number;
  }
  cl_sort_by(number, n, sizeof *number, by_value);
  for (size_t i = 1; i < n; i++) cl_archive_check(a, number[i - 1] < number[i]);
  CL_FREE(&s->alloc, number, count + 1);
  return CL_OK;
}

cl_status cl_bullets_snapshot_archive(cl_archive *a, cl_bullets_snapshot *snapshot,
                                      const cl_snapshot *actors) {
  cl_pools *s = &snapshot->kept;
  if (a->reading) {
    clear(snapshot);
    a->alloc = s->alloc;
  } else { // what is about removed actors changes nothing that later steps depend on
    cl_pools_rename(s, &(cl_renaming){.actors = actors, .gone = UINT32_MAX});
  }
  // In bytes, a pool takes at least its fields and the counts of its bullets and lasers.
  uint32_t pools = cl_archive_count(a, s->count, cl_row_size(pool_fields, HAS_DEF) + 4 + 4);
  if (a->reading && cl_archive_note(a, reserve_pools(snapshot, pools))) s->count = pools;
  cl_row_archive(last_fields, 0, s, 0, a);
  for (uint32_t i = 0; i < pools && a->status == CL_OK; i++) archive_pool(a, actors, s, s->at[i]);
  archive_shots(a, actors, s, &s->shots);
  archive_shots(a, actors, s, &s->rest);
  archive_mets(a, actors, s);
  archive_legs(a, actors, s);
  archive_dispatch(a, actors, s);
  if (a->reading && a->status == CL_OK) cl_archive_note(a, check_numbers(a, s));
  if (a->reading && a->status != CL_OK) clear(snapshot);
  return a->status;
}

// A laser that was read has only the shape that hits: makes the one that grazes.
static cl_status make_graze(const cl_alloc *alloc, cl_laser *laser, double more) {
  uint32_t count = count_points(laser);
  double *xy = points_of(alloc, laser, count);
  if (!xy) return CL_NOMEM;
  cl_status status = make_shape(alloc, xy, count, laser->at.radius + more, &laser->graze);
  CL_FREE(alloc, xy, 2 * (size_t)count);
  return status;
}

cl_status cl_bullets_snapshot_set_pool(cl_bullets_snapshot *s, uint32_t i,
                                       const cl_bullets_def *def) {
  cl_bullets *kept = s->kept.at[i];
  bool alike = kept->def.capacity == def->capacity && kept->def.radius == def->radius &&
               kept->ages == (def->lifetime < INFINITY);
  if (!alike) return CL_INVALID;
  kept->def = *def;
  cl_status status = CL_OK;
  for (uint32_t k = 0; def->graze > 0 && k < kept->lasers && status == CL_OK; k++) {
    status = make_graze(&s->kept.alloc, &kept->laser[k], def->graze - def->radius);
  }
  return status;
}

// ---- differences ----------------------------------------------------------------------------

// Whether the plans of bullet i differ: the values are their numbers of entries, or those of the
// first entries that differ.
static bool plans_differ(const cl_bullets *a, const cl_bullets *b, uint32_t i, cl_difference *out) {
  const cl_plan *p = a->plans ? a->plot[i].plan : NULL, *q = b->plans ? b->plot[i].plan : NULL;
  uint32_t n = p ? p->count : 0, m = q ? q->count : 0, k = p && q ? cl_plan_common(p, q) : 0;
  if (n == m && k == n) return false;
  out->name = "plan";
  out->values[0] = n == m ? p->entry[k].at : n;
  out->values[1] = n == m ? q->entry[k].at : m;
  return true;
}

// The first bullet that only one of two pools has, or that differs in a number.
static bool find_in_pool(cl_row row, cl_row other, cl_difference *out) {
  const cl_bullets *a = row.of, *b = other.of;
  unsigned has = parts_of(a) & parts_of(b) & ~(unsigned)HAS_SURVIVED;
  for (uint32_t i = 0; i < a->used || i < b->used; i++) {
    double first = i < a->used ? a->number[i] : INFINITY;
    double second = i < b->used ? b->number[i] : INFINITY;
    out->subject[1] = cl_min(first, second);
    out->name = "alive";
    out->values[0] = first < second;
    out->values[1] = second < first;
    if (first != second) return true;
    row.i = other.i = i;
    if (cl_row_differ(bullet_fields, has, row, other, out)) return true;
    if (plans_differ(a, b, i, out)) return true;
  }
  return false;
}

bool cl_bullets_snapshot_differ(const cl_bullets_snapshot *a, const uint32_t *number_a,
                                const cl_bullets_snapshot *b, const uint32_t *number_b,
                                cl_difference *out) {
  for (uint32_t i = 0; i < a->kept.count && i < b->kept.count; i++) {
    out->subject[0] = i;
    cl_row row = {a->kept.at[i], 0, number_a}, other = {b->kept.at[i], 0, number_b};
    if (find_in_pool(row, other, out)) return true;
  }
  return false;
}
