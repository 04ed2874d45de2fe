// collide, MIT licence (see LICENSE)
//
// Pools saved: snapshots of the live bullets, their memories, and the remaining events of the last
// step; snapshots as bytes, and back; the first difference of two; and whether pools are valid.
// Layer: bullets.

#include "base/alloc.h"
#include "bullets/host.h"
#include "bullets/state.h"

// How many arrays of numbers a pool has.
static int kept_fields(const cl_kept_pool *kept) {
  return kept->accelerates ? CL_KEPT_FIELDS : CL_KEPT_AX;
}

// The arrays of numbers of a pool, in the order in which they are kept.
static void kept_arrays(const cl_bullets *pool, double *at[CL_KEPT_FIELDS]) {
  double *const arrays[CL_KEPT_FIELDS] = {pool->x,      pool->y,   pool->vx,  pool->vy,
                                          pool->radius, pool->age, pool->tag, pool->number,
                                          pool->ax,     pool->ay};
  memcpy(at, arrays, sizeof arrays);
}

cl_bullets_snapshot *cl_bullets_snapshot_new(const cl_alloc *alloc) {
  cl_bullets_snapshot *snapshot = cl_new(alloc, sizeof *snapshot);
  if (snapshot) snapshot->alloc = *alloc;
  return snapshot;
}

static void release_lasers(cl_kept_pool *kept) {
  for (uint32_t i = 0; i < kept->lasers; i++) cl_laser_release_shapes(&kept->laser[i]);
  kept->lasers = 0;
}

static void clear(cl_bullets_snapshot *s) {
  for (uint32_t i = 0; i < s->pools_used; i++) release_lasers(&s->pool[i]);
  s->pools = 0;
  s->shots.count = s->rest.count = s->met.count = 0;
}

void cl_bullets_snapshot_free(cl_bullets_snapshot *s) {
  cl_alloc alloc = s->alloc;
  clear(s);
  for (uint32_t i = 0; i < s->pools_used; i++) {
    cl_kept_pool *kept = &s->pool[i];
    CL_FREE(&alloc, kept->number, kept->number_cap);
    CL_FREE(&alloc, kept->survived, kept->survived_cap);
    CL_FREE(&alloc, kept->laser, kept->laser_cap);
  }
  CL_FREE(&alloc, s->pool, s->pool_cap);
  CL_FREE(&alloc, s->shots.at, s->shots.cap);
  CL_FREE(&alloc, s->rest.at, s->rest.cap);
  CL_FREE(&alloc, s->met.at, s->met.cap);
  CL_FREE(&alloc, s->log.note, s->log.cap);
  cl_free(&alloc, s, sizeof *s);
}

uint32_t cl_bullets_snapshot_pools(const cl_bullets_snapshot *s) { return s->pools; }

cl_bullets_def cl_bullets_snapshot_def(const cl_bullets_snapshot *s, uint32_t i) {
  assert(i < s->pools);
  return s->pool[i].def;
}

static cl_status reserve_pools(cl_bullets_snapshot *s, uint32_t pools) {
  cl_status status = CL_RESERVE(&s->alloc, s->pool, s->pool_cap, pools);
  if (status != CL_OK) return status;
  for (; s->pools_used < pools; s->pools_used++) s->pool[s->pools_used] = (cl_kept_pool){0};
  return CL_OK;
}

static cl_status reserve_pool(const cl_alloc *alloc, cl_kept_pool *kept, const cl_bullets *pool) {
  size_t numbers = (size_t)pool->live * (pool->accelerates ? CL_KEPT_FIELDS : CL_KEPT_AX);
  cl_status status = CL_RESERVE_NEAR(alloc, kept->number, kept->number_cap, numbers);
  if (status == CL_OK && pool->survives) {
    status = CL_RESERVE_NEAR(alloc, kept->survived, kept->survived_cap, pool->live);
  }
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, kept->laser, kept->laser_cap, pool->lasers);
}

static cl_status reserve(cl_bullets_snapshot *s, const cl_pools *pools) {
  const cl_alloc *alloc = &s->alloc;
  size_t shots = pools->shots.count - pools->cursor;
  size_t rest = pools->rest.count + pools->echoes;
  cl_status status = reserve_pools(s, pools->count);
  for (uint32_t i = 0; i < pools->count && status == CL_OK; i++) {
    status = reserve_pool(alloc, &s->pool[i], pools->at[i]);
  }
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->shots.at, s->shots.cap, shots);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->rest.at, s->rest.cap, rest);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->met.at, s->met.cap, pools->met.count);
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, s->log.note, s->log.cap, pools->log.count);
}

// Copies the live bullets' numbers of an array.
static void take(const cl_bullets *pool, const double *from, double *to) {
  if (pool->live == pool->used) {
    if (pool->used > 0) memcpy(to, from, pool->used * sizeof *to);
    return;
  }
  for (uint32_t i = 0, n = 0; n < pool->live; i++) {
    if (!pool->dead[i]) to[n++] = from[i];
  }
}

static void take_lasers(cl_kept_pool *kept, const cl_bullets *pool) {
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    if (pool->laser[k].shape) kept->laser[kept->lasers++] = cl_laser_copy(&pool->laser[k]);
  }
}

static void take_pool(cl_kept_pool *kept, const cl_bullets *pool) {
  double *from[CL_KEPT_FIELDS];
  kept_arrays(pool, from);
  kept->def = pool->def;
  kept->clock = pool->clock;
  kept->largest = pool->largest;
  kept->hits = pool->hits;
  kept->grazes = pool->grazes;
  kept->accelerates = pool->accelerates;
  kept->survives = pool->survives;
  kept->count = pool->live;
  for (int f = 0; f < kept_fields(kept); f++) {
    take(pool, from[f], CL_AT(kept->number, (size_t)f * kept->count));
  }
  for (uint32_t i = 0, n = 0; pool->survives && i < pool->used; i++) {
    if (!pool->dead[i]) kept->survived[n++] = pool->survived[i];
  }
  take_lasers(kept, pool);
}

static void take_shots(cl_shots *to, const cl_shots *from, size_t cursor) {
  to->count = from->count - cursor;
  if (to->count > 0) memcpy(to->at, from->at + cursor, to->count * sizeof *to->at);
}

static void copy_log(cl_bullets_log *to, const cl_bullets_log *from) {
  cl_bullet_note *note = to->note;
  size_t cap = to->cap;
  *to = *from;
  to->note = note;
  to->cap = cap;
  if (to->count > 0) memcpy(note, from->note, to->count * sizeof *note);
}

cl_status cl_pools_snapshot(const cl_pools *pools, cl_bullets_snapshot *into) {
  assert(!pools->stepping);
  cl_status status = reserve(into, pools);
  if (status != CL_OK) return status;
  clear(into);
  into->pools = pools->count;
  for (uint32_t i = 0; i < pools->count; i++) take_pool(&into->pool[i], pools->at[i]);
  take_shots(&into->shots, &pools->shots, pools->cursor);
  take_shots(&into->rest, &pools->rest, 0);
  if (pools->echoes) cl_rest_push(&into->rest, &pools->echo);
  cl_shots_sort(&into->rest); // packs are in the order of dispatch; a sorted list is a heap, too
  into->met.count = pools->met.count;
  if (into->met.count > 0) {
    memcpy(into->met.at, pools->met.at, into->met.count * sizeof *into->met.at);
  }
  into->met_kept = pools->met_kept;
  into->last = pools->last;
  into->begun = pools->begun;
  into->current = pools->current;
  into->moment = pools->moment;
  copy_log(&into->log, &pools->log);
  return CL_OK;
}

cl_status cl_pools_restore_reserve(cl_pools *pools, const cl_bullets_snapshot *from,
                                   cl_bullets *const order[]) {
  assert(!pools->stepping);
  const cl_alloc *alloc = &pools->alloc;
  size_t shots = from->shots.count;
  cl_status status = CL_RESERVE(alloc, pools->shots.at, pools->shots.cap, shots);
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->back, pools->back_cap, shots);
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, pools->rest.at, pools->rest.cap, from->rest.count);
  }
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->met.at, pools->met.cap, from->met.count);
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, pools->log.note, pools->log.cap, from->log.count);
  }
  for (uint32_t i = 0; i < from->pools && status == CL_OK; i++) {
    cl_bullets *pool = order[i];
    assert(pool->def.capacity == from->pool[i].def.capacity);
    status = CL_RESERVE(alloc, pool->laser, pool->laser_cap, from->pool[i].lasers);
  }
  return status;
}

static void put_pool(cl_bullets *pool, const cl_kept_pool *kept) {
  double *to[CL_KEPT_FIELDS];
  kept_arrays(pool, to);
  size_t size = kept->count * sizeof *kept->number;
  pool->clock = kept->clock;
  pool->largest = kept->largest;
  pool->hits = kept->hits;
  pool->grazes = kept->grazes;
  pool->accelerates = kept->accelerates;
  pool->survives = kept->survives;
  pool->used = pool->live = kept->count;
  pool->hint = pool->gone_count = 0;
  for (int f = 0; f < kept_fields(kept) && size > 0; f++) {
    memcpy(to[f], kept->number + (size_t)f * kept->count, size);
  }
  if (kept->count > 0) memset(pool->dead, 0, kept->count);
  if (kept->count > 0 && kept->survives) memcpy(pool->survived, kept->survived, kept->count);
}

static void put_lasers(cl_bullets *pool, const cl_kept_pool *kept) {
  cl_bullets_kill_lasers(pool);
  for (uint32_t i = 0; i < kept->lasers; i++) pool->laser[i] = cl_laser_copy(&kept->laser[i]);
  pool->laser_used = pool->lasers = kept->lasers;
  pool->most -= kept->lasers;
}

static void put_shots(cl_shots *to, const cl_shots *from) {
  to->count = from->count;
  if (to->count > 0) memcpy(to->at, from->at, to->count * sizeof *to->at);
}

void cl_pools_restore(cl_pools *pools, const cl_bullets_snapshot *from, cl_bullets *const order[]) {
  assert(!pools->stepping && pools->count == from->pools);
  pools->log.over = false; // a bullet that is killed here causes no event
  for (uint32_t i = 0; i < from->pools; i++) {
    pools->at[i] = order[i];
    pools->at[i]->index = i;
    put_pool(pools->at[i], &from->pool[i]);
    put_lasers(pools->at[i], &from->pool[i]);
  }
  put_shots(&pools->shots, &from->shots);
  put_shots(&pools->rest, &from->rest);
  pools->cursor = 0;
  pools->echoes = pools->flights.made = false;
  pools->last_moved = 0; // their places before the last step are not kept
  pools->met.count = from->met.count;
  if (from->met.count > 0) memcpy(pools->met.at, from->met.at, from->met.count * sizeof(cl_met));
  pools->met_kept = from->met_kept;
  pools->met_hint = 0;
  pools->last = from->last;
  pools->begun = from->begun;
  pools->current = from->current;
  pools->moment = from->moment;
  pools->bouncer.number = 0;
  pools->fresh.count = pools->fresh_met.count = 0;
  copy_log(&pools->log, &from->log);
  cl_scene_forget(&pools->scene);
  cl_pools_link_backs(pools);
  CL_CHECK(cl_pools_are_valid(pools));
}

// As bytes; reading and writing go in the same order.

// The points of a laser: for each capsule both ends; of those after the first, only the second end
// is new.
static uint32_t count_points(const cl_laser *laser) {
  return (uint32_t)(cl_shape_point_count(laser->shape) / 2 + 1);
}

static cl_vec point_of(const cl_laser *laser, uint32_t i) {
  return cl_shape_point(laser->shape, i == 0 ? 0 : 2 * (uint64_t)i - 1);
}

static void write_laser(const cl_laser *laser, cl_writer *w) {
  const cl_bullet *at = &laser->at;
  const double numbers[] = {(double)laser->number,
                            at->x,
                            at->y,
                            at->vx,
                            at->vy,
                            at->ax,
                            at->ay,
                            at->radius,
                            at->tag,
                            at->age,
                            laser->warmup,
                            laser->lifetime};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) cl_write_f64(w, numbers[i]);
  cl_write_u32(w, count_points(laser));
  for (uint32_t i = 0; i < count_points(laser); i++) {
    cl_vec p = point_of(laser, i);
    cl_write_f64(w, p.x);
    cl_write_f64(w, p.y);
  }
}

static void write_pool(const cl_kept_pool *kept, cl_writer *w) {
  cl_write_u32(w, kept->def.capacity);
  cl_write_f64(w, kept->def.radius);
  cl_write_u8(w, kept->def.lifetime < INFINITY);
  cl_write_f64(w, kept->clock);
  cl_write_u64(w, kept->hits);
  cl_write_u64(w, kept->grazes);
  cl_write_u8(w, kept->accelerates);
  cl_write_u8(w, kept->survives);
  cl_write_u32(w, kept->count);
  size_t numbers = (size_t)kept_fields(kept) * kept->count;
  for (size_t i = 0; i < numbers; i++) cl_write_f64(w, kept->number[i]);
  if (kept->survives) cl_write_bytes(w, kept->survived, kept->count);
  cl_write_u32(w, kept->lasers);
  for (uint32_t i = 0; i < kept->lasers; i++) write_laser(&kept->laser[i], w);
}

static bool is_live(const cl_pack_actors *actors, uint32_t slot) {
  uint32_t number = actors->number[slot];
  return number != CL_NOBODY && actors->live[number];
}

// Whether the target of a shot still exists.
static bool stands(const cl_pack_actors *actors, const cl_shot *shot) {
  if (shot->kind == CL_SHOT_EXPIRED || shot->actor == CL_SHOT_BULLET) return true;
  return shot->actor != CL_SHOT_NOBODY && is_live(actors, shot->actor);
}

static void write_shot(const cl_pack_actors *actors, const cl_shot *shot, cl_writer *w) {
  bool about = shot->kind != CL_SHOT_EXPIRED;
  bool bullet = about && shot->actor == CL_SHOT_BULLET;
  uint32_t actor = CL_SHOT_NOBODY;
  if (bullet) actor = CL_SHOT_BULLET;
  else if (about && stands(actors, shot)) actor = actors->number[shot->actor];
  cl_write_u64(w, shot->number);
  cl_write_u32(w, shot->pool);
  cl_write_u32(w, actor);
  cl_write_u64(w, bullet ? shot->other : 0);
  cl_write_u32(w, bullet ? shot->other_pool : 0);
  cl_write_u8(w, shot->kind);
  cl_write_u8(w, shot->wanted);
  cl_write_u8(w, shot->sure);
  const double numbers[] = {shot->nx, shot->ny, shot->t, shot->x, shot->y, shot->left};
  for (int i = 0; i < 6; i++) cl_write_f64(w, numbers[i]);
}

static void write_shots(const cl_pack_actors *actors, const cl_shots *shots, cl_writer *w) {
  uint32_t count = 0;
  for (size_t i = 0; i < shots->count; i++) count += stands(actors, &shots->at[i]);
  cl_write_u32(w, count);
  for (size_t i = 0; i < shots->count; i++) {
    if (stands(actors, &shots->at[i])) write_shot(actors, &shots->at[i], w);
  }
}

static bool is_met(const cl_pack_actors *actors, const cl_met *met) {
  if (met->flags == 0) return false;
  return met->other & CL_OTHER_BULLET || is_live(actors, (uint32_t)met->other);
}

static void write_mets(const cl_pack_actors *actors, const cl_mets *mets, cl_writer *w) {
  uint32_t count = 0;
  for (size_t i = 0; i < mets->count; i++) count += is_met(actors, &mets->at[i]);
  cl_write_u32(w, count);
  for (size_t i = 0; i < mets->count; i++) {
    const cl_met *met = &mets->at[i];
    if (!is_met(actors, met)) continue;
    bool bullet = met->other & CL_OTHER_BULLET;
    cl_write_u64(w, met->number);
    cl_write_u64(w, bullet ? met->other : actors->number[met->other]);
    cl_write_u32(w, met->pool);
    cl_write_u8(w, met->flags);
  }
}

static cl_hashed_pool kept_pool_at(const void *of, uint32_t p) {
  const cl_bullets_snapshot *s = of;
  const cl_kept_pool *kept = &s->pool[p];
  return (cl_hashed_pool){.number = CL_AT(kept->number, (size_t)CL_KEPT_NUMBER * kept->count),
                          .x = CL_AT(kept->number, (size_t)CL_KEPT_X * kept->count),
                          .y = CL_AT(kept->number, (size_t)CL_KEPT_Y * kept->count),
                          .used = kept->count,
                          .laser = kept->laser,
                          .laser_used = kept->lasers,
                          .hits = kept->hits,
                          .grazes = kept->grazes};
}

void cl_bullets_snapshot_write(cl_bullets_snapshot *s, uint64_t hash, const cl_pack_actors *actors,
                               cl_writer *w) {
  cl_write_u32(w, s->pools);
  cl_write_f64(w, s->last);
  for (uint32_t i = 0; i < s->pools; i++) write_pool(&s->pool[i], w);
  write_shots(actors, &s->shots, w);
  write_shots(actors, &s->rest, w);
  write_mets(actors, &s->met, w);
  cl_write_u8(w, s->begun);
  if (s->begun) write_shot(actors, &s->current, w);
  const cl_moment *m = &s->moment;
  cl_write_u8(w, m->active);
  if (m->active) {
    cl_write_u32(w, m->pool);
    cl_write_u32(w, m->set);
    cl_write_u64(w, m->number);
    const double numbers[] = {m->x, m->y, m->vx, m->vy, m->left};
    for (int i = 0; i < 5; i++) cl_write_f64(w, numbers[i]);
  }
  cl_write_u8(w, s->log.over);
  if (s->log.over) cl_write_u64(w, cl_hash_of_pools(hash, &s->log, s->pools, kept_pool_at, s));
}

enum {
  POOL_SIZE = 4 + 8 + 1 + 8 + 8 + 8 + 1 + 1 + 4 + 4, ///< bytes of a pool without bullets
  LASER_SIZE = 12 * 8 + 4,
  SHOT_SIZE = 8 + 4 + 4 + 8 + 4 + 3 + 6 * 8,
  MET_SIZE = 8 + 8 + 4 + 1,
};

static bool is_finite(double v) { return fabs(v) < INFINITY; }
static bool is_whole(double v) { return fabs(v) <= CL_ALL_DISPATCHED && v == floor(v); }

static bool read_bool(cl_reader *r) {
  uint8_t v = cl_read_u8(r);
  cl_read_check(r, v <= 1);
  return v;
}

// Numbers rise, and a bullet that was spawned earlier is older: by its age, or by the clock.
static void check_bullet(cl_reader *r, const cl_bullets_snapshot *s, const cl_kept_pool *kept,
                         uint32_t i) {
  const double *at = kept->number + i;
  size_t n = kept->count;
  for (int f = 0; f < kept_fields(kept); f++) cl_read_check(r, is_finite(at[f * n]));
  double number = at[CL_KEPT_NUMBER * n], age = at[CL_KEPT_AGE * n], tag = at[CL_KEPT_TAG * n];
  double radius = at[CL_KEPT_RADIUS * n];
  cl_read_check(r, is_whole(number) && number >= 1 && number <= s->last && is_whole(tag));
  cl_read_check(r, radius > 0 && radius <= CL_MAX_COORD && age >= 0);
  bool ages = kept->def.lifetime < INFINITY;
  cl_read_check(r, ages || age <= kept->clock);
  if (i == 0 || r->bad) return;
  double before = at[CL_KEPT_AGE * n - 1];
  cl_read_check(r, at[CL_KEPT_NUMBER * n - 1] < number && (ages ? before >= age : before <= age));
}

static cl_status read_bullets(cl_reader *r, cl_bullets_snapshot *s, cl_kept_pool *kept) {
  size_t fields = (size_t)kept_fields(kept);
  kept->count = cl_read_count(r, fields * 8);
  if (!cl_read_check(r, kept->count <= kept->def.capacity)) kept->count = 0;
  size_t numbers = fields * kept->count;
  cl_status status = CL_RESERVE(&s->alloc, kept->number, kept->number_cap, numbers);
  if (status == CL_OK) {
    status = CL_RESERVE(&s->alloc, kept->survived, kept->survived_cap, kept->count);
  }
  if (status != CL_OK) return status;
  for (size_t i = 0; i < numbers; i++) kept->number[i] = cl_read_f64(r);
  kept->largest = kept->def.radius;
  for (uint32_t i = 0; i < kept->count; i++) {
    kept->survived[i] = kept->survives ? cl_read_u8(r) : 0;
    cl_read_check(r, !(kept->survived[i] & ~(CL_PASSED | CL_BOUNCED)));
    check_bullet(r, s, kept, i);
    kept->largest = cl_max(kept->largest, kept->number[CL_KEPT_RADIUS * (size_t)kept->count + i]);
  }
  return CL_OK;
}

// Its graze is made when the pool is known.
static cl_status read_laser(cl_reader *r, cl_bullets_snapshot *s, cl_laser *laser) {
  double v[12];
  for (int i = 0; i < 12; i++) {
    v[i] = cl_read_f64(r);
    cl_read_check(r, i == 11 ? v[i] > 0 : is_finite(v[i]));
  }
  bool right = is_whole(v[0]) && v[0] >= 1 && v[0] <= s->last && is_whole(v[8]);
  cl_read_check(r, right && v[7] > 0 && v[7] <= CL_MAX_COORD && v[9] >= 0 && v[10] >= 0);
  uint32_t points = cl_read_count(r, 2 * 8);
  const uint8_t *bytes = cl_read_bytes(r, (size_t)points * 2 * 8);
  if (!cl_read_check(r, points >= 2) || !bytes) return CL_OK;
  *laser = (cl_laser){.number = (uint64_t)v[0],
                      .at = {.x = v[1],
                             .y = v[2],
                             .vx = v[3],
                             .vy = v[4],
                             .ax = v[5],
                             .ay = v[6],
                             .radius = v[7],
                             .tag = v[8],
                             .age = v[9]},
                      .warmup = v[10],
                      .lifetime = v[11]};
  cl_reader own = {bytes, (size_t)points * 2 * 8, false};
  double *xy = cl_new_array(&s->alloc, 2 * (uint64_t)points, sizeof *xy);
  if (!xy) return CL_NOMEM;
  for (size_t i = 0; i < 2 * (size_t)points; i++) xy[i] = cl_read_f64(&own);
  cl_laser_def def = {.xy = xy, .count = points, .width = 2 * v[7]};
  cl_status status = cl_laser_make_shape(&s->alloc, &def, v[7], &laser->shape);
  CL_FREE(&s->alloc, xy, 2 * (size_t)points);
  cl_read_check(r, status != CL_INVALID);
  return status == CL_INVALID ? CL_OK : status;
}

static cl_status read_lasers(cl_reader *r, cl_bullets_snapshot *s, cl_kept_pool *kept) {
  uint32_t count = cl_read_count(r, LASER_SIZE);
  if (!cl_read_check(r, count <= kept->def.capacity - kept->count)) return CL_OK;
  cl_status status = CL_RESERVE(&s->alloc, kept->laser, kept->laser_cap, count);
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    kept->laser[i] = (cl_laser){0};
    kept->lasers = i + 1;
    status = read_laser(r, s, &kept->laser[i]);
    cl_read_check(r, i == 0 || kept->laser[i - 1].number < kept->laser[i].number);
    if (r->bad) break;
  }
  return status;
}

static cl_status read_pool(cl_reader *r, cl_bullets_snapshot *s, cl_kept_pool *kept) {
  kept->def = (cl_bullets_def){0};
  kept->def.capacity = cl_read_u32(r);
  kept->def.radius = cl_read_f64(r);
  kept->def.lifetime = read_bool(r) ? 1 : INFINITY;
  kept->clock = cl_read_f64(r);
  kept->hits = cl_read_u64(r);
  kept->grazes = cl_read_u64(r);
  kept->accelerates = read_bool(r);
  kept->survives = read_bool(r);
  kept->count = 0;
  cl_read_check(r, kept->def.capacity >= 1 && kept->def.capacity <= CL_MAX_BULLETS);
  cl_read_check(r, kept->def.radius > 0 && kept->clock >= 0 && is_finite(kept->clock));
  if (r->bad) return CL_OK;
  cl_status status = read_bullets(r, s, kept);
  return status == CL_OK && !r->bad ? read_lasers(r, s, kept) : status;
}

static bool is_actor(const cl_pack_actors *actors, uint64_t number) {
  return number < actors->count && actors->live[number];
}

static cl_shot read_shot(cl_reader *r, const cl_pack_actors *actors, const cl_bullets_snapshot *s,
                         bool gone) {
  cl_shot shot = {0};
  shot.number = cl_read_u64(r);
  shot.pool = cl_read_u32(r);
  shot.actor = cl_read_u32(r);
  shot.other = cl_read_u64(r);
  shot.other_pool = cl_read_u32(r);
  uint8_t kind = cl_read_u8(r);
  shot.kind = kind;
  shot.wanted = read_bool(r);
  shot.sure = read_bool(r);
  double *const numbers[] = {&shot.nx, &shot.ny, &shot.t, &shot.x, &shot.y, &shot.left};
  for (int i = 0; i < 6; i++) {
    *numbers[i] = cl_read_f64(r);
    cl_read_check(r, is_finite(*numbers[i]));
  }
  bool bullet = shot.actor == CL_SHOT_BULLET && kind == CL_SHOT_HIT;
  bool known = bullet || is_actor(actors, shot.actor) ||
               (shot.actor == CL_SHOT_NOBODY && (gone || kind == CL_SHOT_EXPIRED));
  cl_read_check(r, kind <= CL_SHOT_EXPIRED && known && shot.t >= 0 && shot.t <= 1);
  cl_read_check(r, shot.pool < s->pools && shot.other_pool < s->pools && shot.left >= 0);
  cl_read_check(r, (double)shot.number <= CL_ALL_DISPATCHED &&
                       (double)shot.other <= CL_ALL_DISPATCHED);
  return shot;
}

static cl_status read_shots(cl_reader *r, const cl_pack_actors *actors, cl_bullets_snapshot *s,
                            cl_shots *shots) {
  uint32_t count = cl_read_count(r, SHOT_SIZE);
  cl_status status = CL_RESERVE(&s->alloc, shots->at, shots->cap, count);
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    cl_shot shot = read_shot(r, actors, s, false);
    const cl_shot *last = i > 0 ? &shots->at[i - 1] : NULL;
    bool after =
        !last || last->pool < shot.pool || (last->pool == shot.pool && last->number <= shot.number);
    if (!cl_read_check(r, after)) break;
    shots->at[shots->count++] = shot;
  }
  return status;
}

static bool is_met_after(const cl_met *a, const cl_met *b) {
  if (a->pool != b->pool) return a->pool < b->pool;
  return a->number != b->number ? a->number < b->number : a->other < b->other;
}

static cl_status read_mets(cl_reader *r, const cl_pack_actors *actors, cl_bullets_snapshot *s) {
  uint32_t count = cl_read_count(r, MET_SIZE);
  cl_status status = CL_RESERVE(&s->alloc, s->met.at, s->met.cap, count);
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    cl_met met = {cl_read_u64(r), 0, 0, 0};
    met.other = cl_read_u64(r);
    met.pool = cl_read_u32(r);
    met.flags = cl_read_u8(r);
    bool known = met.other & CL_OTHER_BULLET || is_actor(actors, met.other);
    bool after = i == 0 || is_met_after(&s->met.at[i - 1], &met);
    cl_read_check(r, (double)met.number <= CL_ALL_DISPATCHED && met.pool < s->pools);
    cl_read_check(r, !(met.flags & ~(CL_GRAZED | CL_INSIDE | CL_WAS_INSIDE | CL_MET)));
    if (!cl_read_check(r, known && after)) break;
    s->met.at[s->met.count++] = met;
  }
  s->met_kept = s->met.count;
  return status;
}

static void read_moment(cl_reader *r, cl_bullets_snapshot *s) {
  cl_moment m = {.active = read_bool(r)};
  if (m.active) {
    m.pool = cl_read_u32(r);
    m.set = cl_read_u32(r);
    m.number = cl_read_u64(r);
    double *const numbers[] = {&m.x, &m.y, &m.vx, &m.vy, &m.left};
    for (int i = 0; i < 5; i++) {
      *numbers[i] = cl_read_f64(r);
      cl_read_check(r, is_finite(*numbers[i]));
    }
    cl_read_check(r, m.pool < s->pools && (double)m.number <= CL_ALL_DISPATCHED);
  }
  s->moment = m;
}

static cl_status read_all(cl_reader *r, const cl_pack_actors *actors, cl_bullets_snapshot *s) {
  uint32_t pools = cl_read_count(r, POOL_SIZE);
  cl_status status = reserve_pools(s, pools);
  s->last = cl_read_f64(r);
  cl_read_check(r, is_whole(s->last) && s->last >= 0);
  for (; s->pools < pools && status == CL_OK && !r->bad; s->pools++) {
    status = read_pool(r, s, &s->pool[s->pools]);
  }
  if (status == CL_OK) status = read_shots(r, actors, s, &s->shots);
  if (status == CL_OK) status = read_shots(r, actors, s, &s->rest);
  if (status == CL_OK) status = read_mets(r, actors, s);
  if (status != CL_OK) return status;
  s->begun = read_bool(r);
  if (s->begun) s->current = read_shot(r, actors, s, true);
  read_moment(r, s);
  s->log.over = s->log.known = read_bool(r);
  s->log.count = 0;
  s->log.hash = s->log.over ? cl_read_u64(r) : 0;
  return CL_OK;
}

static int by_value(const void *a, const void *b) {
  const double *v = a, *w = b;
  return (*v > *w) - (*v < *w);
}

// Each bullet or laser, of all pools, has a number of its own.
static cl_status check_numbers(cl_reader *r, const cl_bullets_snapshot *s) {
  size_t count = 0, n = 0;
  for (uint32_t i = 0; i < s->pools; i++) count += s->pool[i].count + s->pool[i].lasers;
  double *number = cl_new_array(&s->alloc, count + 1, sizeof *number);
  if (!number) return CL_NOMEM;
  for (uint32_t i = 0; i < s->pools; i++) {
    const cl_kept_pool *kept = &s->pool[i];
    const double *of = CL_AT(kept->number, (size_t)CL_KEPT_NUMBER * kept->count);
    for (uint32_t k = 0; k < kept->count; k++) number[n++] = of[k];
    for (uint32_t k = 0; k < kept->lasers; k++) number[n++] = (double)kept->laser[k].number;
  }
  cl_sort_by(number, n, sizeof *number, by_value);
  for (size_t i = 1; i < n; i++) cl_read_check(r, number[i - 1] < number[i]);
  CL_FREE(&s->alloc, number, count + 1);
  return CL_OK;
}

cl_status cl_bullets_snapshot_read(cl_reader *r, const cl_pack_actors *actors,
                                   cl_bullets_snapshot *into) {
  clear(into);
  cl_status status = read_all(r, actors, into);
  if (status == CL_OK && !r->bad) status = check_numbers(r, into);
  if (status == CL_OK && r->bad) status = CL_INVALID;
  if (status != CL_OK) clear(into);
  return status;
}

// A laser that was read has only the shape that hits.
static cl_status make_graze(cl_bullets_snapshot *s, cl_laser *laser, double radius) {
  uint32_t count = count_points(laser);
  double *xy = cl_new_array(&s->alloc, 2 * (uint64_t)count, sizeof *xy);
  if (!xy) return CL_NOMEM;
  for (uint32_t i = 0; i < count; i++) {
    cl_vec p = point_of(laser, i);
    xy[2 * i] = p.x;
    xy[2 * i + 1] = p.y;
  }
  const cl_laser_def points = {.xy = xy, .count = count};
  cl_status status = cl_laser_make_shape(&s->alloc, &points, radius, &laser->graze);
  CL_FREE(&s->alloc, xy, 2 * (size_t)count);
  return status;
}

cl_status cl_bullets_snapshot_set_pool(cl_bullets_snapshot *s, uint32_t i,
                                       const cl_bullets_def *def) {
  cl_kept_pool *kept = &s->pool[i];
  bool alike = kept->def.capacity == def->capacity && kept->def.radius == def->radius &&
               (kept->def.lifetime < INFINITY) == (def->lifetime < INFINITY);
  if (!alike) return CL_INVALID;
  kept->def = *def;
  cl_status status = CL_OK;
  for (uint32_t k = 0; def->graze > 0 && k < kept->lasers && status == CL_OK; k++) {
    cl_laser *laser = &kept->laser[k];
    status = make_graze(s, laser, laser->at.radius + (def->graze - def->radius));
  }
  return status;
}

// The first bullet that only one of two pools has, or that differs in a number.
static bool find_in_pool(const cl_kept_pool *a, const cl_kept_pool *b, cl_bullet_difference *out) {
  const double *of_a = CL_AT(a->number, (size_t)CL_KEPT_NUMBER * a->count);
  const double *of_b = CL_AT(b->number, (size_t)CL_KEPT_NUMBER * b->count);
  int fields = kept_fields(a->accelerates ? b : a); // those of both
  for (uint32_t i = 0; i < a->count || i < b->count; i++) {
    double first = i < a->count ? of_a[i] : INFINITY, second = i < b->count ? of_b[i] : INFINITY;
    out->bullet = cl_min(first, second);
    if (first != second) {
      out->field = CL_KEPT_FIELDS;
      out->a = first < second;
      out->b = second < first;
      return true;
    }
    for (int f = 0; f < fields; f++) {
      out->field = f;
      out->a = a->number[(size_t)f * a->count + i];
      out->b = b->number[(size_t)f * b->count + i];
      if (out->a != out->b) return true;
    }
  }
  return false;
}

bool cl_bullets_snapshot_differ(const cl_bullets_snapshot *a, const cl_bullets_snapshot *b,
                                cl_bullet_difference *out) {
  for (uint32_t i = 0; i < a->pools && i < b->pools; i++) {
    out->pool = i;
    if (find_in_pool(&a->pool[i], &b->pool[i], out)) return true;
  }
  return false;
}

// Whether pools are valid: a walk over all their data.

static bool are_lasers_valid(const cl_bullets *pool) {
  uint32_t live = 0;
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    const cl_laser *laser = &pool->laser[k];
    if (k > 0 && laser[-1].number >= laser->number) return false;
    if ((double)laser->number > *pool->last || (!laser->shape && laser->graze)) return false;
    live += laser->shape != NULL;
  }
  return live == pool->lasers && live + pool->most == pool->def.capacity;
}

bool cl_pool_is_valid(const cl_bullets *pool) {
  uint32_t live = 0;
  if (pool->used > pool->cap || pool->live > pool->most) return false;
  for (uint32_t i = 0; i < pool->used; i++) {
    if (!(pool->number[i] > (i > 0 ? pool->number[i - 1] : 0))) return false;
    if (!(pool->number[i] <= *pool->last)) return false;
    if (pool->ages && !(pool->age[i] >= 0 && (i == 0 || pool->age[i] <= pool->age[i - 1]))) {
      return false; // bullets spawned earlier are older
    }
    if (pool->dead[i]) continue;
    if (!(pool->radius[i] > 0 && pool->radius[i] <= pool->largest)) return false;
    if (pool->x[i] != pool->x[i] || pool->y[i] != pool->y[i]) return false; // NaN
    live++;
  }
  return live == pool->live && are_lasers_valid(pool);
}

static bool is_shot_valid(const cl_pools *pools, const cl_shot *shot) {
  if (shot->pool >= pools->count || !(shot->t >= 0 && shot->t <= 1)) return false;
  if (shot->kind == CL_SHOT_EXPIRED) return true;
  if (shot->actor == CL_SHOT_BULLET) return shot->other_pool < pools->count;
  return shot->actor < cl_world_slots(pools->world);
}

// The pending shots, in the order of pools and bullets.
static bool are_shots_valid(const cl_pools *pools) {
  const cl_shots *shots = &pools->shots;
  for (size_t i = pools->cursor; i < shots->count; i++) {
    const cl_shot *shot = &shots->at[i], *last = i > pools->cursor ? shot - 1 : NULL;
    if (!is_shot_valid(pools, shot)) return false;
    if (last && last->pool > shot->pool) return false;
    if (last && last->pool == shot->pool && last->number > shot->number) return false;
  }
  return true;
}

// The memories, in the order of pools, bullets and what they have met, each once.
static bool are_mets_valid(const cl_pools *pools) {
  for (size_t i = 1; i < pools->met.count; i++) {
    const cl_met *a = &pools->met.at[i - 1], *b = &pools->met.at[i];
    if (a->pool != b->pool ? a->pool > b->pool : a->number > b->number) return false;
    if (a->pool == b->pool && a->number == b->number && a->other >= b->other) return false;
  }
  return true;
}

bool cl_pools_are_valid(const cl_pools *pools) {
  for (uint32_t i = 0; i < pools->count; i++) {
    if (pools->at[i]->index != i || !cl_pool_is_valid(pools->at[i])) return false;
  }
  return are_shots_valid(pools) && are_mets_valid(pools);
}
