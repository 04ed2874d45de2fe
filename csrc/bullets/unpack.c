// collide, MIT licence (see LICENSE)
//
// Reads snapshots of pools from bytes, and checks all of them. Layer: bullets.

#include "bullets/pack.h"
#include "base/sort.h"

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
  for (int f = 0; f < cl_kept_fields(kept); f++) cl_read_check(r, is_finite(at[f * n]));
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
  size_t fields = (size_t)cl_kept_fields(kept);
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

// Its shapes are made when the pool is known: until then a chain keeps its points.
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
  const cl_bullets_def none = {.radius = 1};
  cl_status status = cl_laser_make_shapes(&s->alloc, &none, &def, laser);
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
  cl_status status = cl_bullets_snapshot_reserve_pools(s, pools);
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
  cl_bullets_snapshot_clear(into);
  cl_status status = read_all(r, actors, into);
  if (status == CL_OK && !r->bad) status = check_numbers(r, into);
  if (status == CL_OK && r->bad) status = CL_INVALID;
  if (status != CL_OK) cl_bullets_snapshot_clear(into);
  return status;
}

// A laser that was read has the shape of one without grazes. With grazes, makes both shapes from
// its points.
static cl_status set_laser(cl_bullets_snapshot *s, cl_laser *laser, const cl_bullets_def *def) {
  if (def->graze == 0) return CL_OK;
  uint32_t count = (uint32_t)(cl_shape_point_count(laser->shape) / 2 + 1);
  double *xy = cl_new_array(&s->alloc, 2 * (uint64_t)count, sizeof *xy);
  if (!xy) return CL_NOMEM;
  for (uint32_t i = 0; i < count; i++) {
    cl_vec p = cl_shape_point(laser->shape, i == 0 ? 0 : 2 * (uint64_t)i - 1);
    xy[2 * i] = p.x;
    xy[2 * i + 1] = p.y;
  }
  cl_laser_def points = {.xy = xy, .count = count, .width = 2 * laser->at.radius};
  cl_shape *shape = laser->shape;
  cl_status status = cl_laser_make_shapes(&s->alloc, def, &points, laser);
  if (status == CL_OK) cl_shape_release(shape);
  else laser->shape = shape;
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
  for (uint32_t k = 0; k < kept->lasers && status == CL_OK; k++) {
    status = set_laser(s, &kept->laser[k], def);
  }
  return status;
}
