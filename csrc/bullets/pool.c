// collide, MIT licence (see LICENSE)
//
// One pool of bullets: its arrays, spawning, killing and finding by number; its lasers; the hash of
// all pools; and the lists of shots, which are the events of bullets. Layer: bullets.
//
// Dead bullets stay in the arrays until gaps are closed, so that indices last while a step or a
// dispatch goes on. Bullets are found by number, which ascends in the arrays.

#include "bullets/save.h"
#include "bullets/state.h"

// The fields of a pool that lua/collide/ffi/frame.lua reads.
const cl_field cl_bullets_layout[] = {
#define FIELD(type, name) CL_FIELD(cl_bullets, name, #name, type *),
    CL_BULLET_FIELDS(FIELD)
#undef FIELD
        {NULL, NULL, 0},
};

// Dead bullets are kept until they are this fraction of a pool or no room is left: closing gaps is
// rare enough to cost little, and dead bullets cost little until then.
enum { BULLETS_PER_GAP = 8, ROOM_PER_GAP = 4, LEAST_GAPS = 64 };

static size_t bullets_size(size_t room) {
  size_t size = 0;
#define ADD(type, name) size += cl_padded(room * sizeof(type));
  CL_BULLET_FIELDS(ADD)
  CL_BULLET_STEP_FIELDS(ADD)
#undef ADD
  return size;
}

cl_status cl_bullets_new(cl_pools *pools, const cl_bullets_def *def, cl_bullets **out) {
  assert(!pools->stepping);
  assert(def->capacity >= 1 && def->capacity <= CL_MAX_BULLETS && def->group < CL_MAX_GROUPS);
  assert(def->radius > 0 && def->radius <= CL_MAX_COORD && def->lifetime > 0);
  assert(def->graze >= 0 && def->graze <= CL_MAX_COORD);
  const cl_alloc *alloc = &pools->alloc;
  cl_status status = CL_RESERVE(alloc, pools->at, pools->cap, (size_t)pools->count + 1);
  if (status != CL_OK) return status;
  cl_bullets *pool = cl_new(alloc, sizeof *pool);
  if (!pool) return CL_NOMEM;
  uint32_t room = def->capacity + def->capacity / ROOM_PER_GAP + LEAST_GAPS;
  // Not zeroed: a pool that is never full touches little of it.
  char *at = pool->block = alloc->resize(alloc->user, NULL, 0, bullets_size(room));
  if (!at) {
    cl_free(alloc, pool, sizeof *pool);
    return CL_NOMEM;
  }
#define PLACE(type, name)                                                                          \
  pool->name = (type *)(void *)at;                                                                 \
  at += cl_padded(room * sizeof(type));
  CL_BULLET_FIELDS(PLACE)
  CL_BULLET_STEP_FIELDS(PLACE)
#undef PLACE
  pool->pools = pools;
  pool->def = *def;
  pool->cap = room;
  pool->radius_new = pool->largest = def->radius;
  pool->most = def->capacity;
  pool->last = &pools->last;
  pool->ages = def->lifetime < INFINITY;
  pool->index = pools->count;
  pools->at[pools->count++] = pool;
  *out = pool;
  return CL_OK;
}

cl_bullets_def cl_bullets_def_of(const cl_bullets *pool) { return pool->def; }

void cl_bullets_set_event_mask(cl_bullets *pool, uint8_t event_mask) {
  assert(!pool->pools->stepping);
  pool->event_mask = event_mask;
}

static int by_slot(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

cl_status cl_bullets_set_ignored(cl_bullets *pool, const uint32_t *slot, size_t count) {
  assert(!pool->pools->stepping);
  cl_status status = CL_RESERVE(&pool->pools->alloc, pool->ignored, pool->ignored_cap, count);
  if (status != CL_OK) return status;
  pool->ignored_count = count;
  if (count > 0) memcpy(pool->ignored, slot, count * sizeof *slot);
  cl_sort_by(pool->ignored, count, sizeof *slot, by_slot);
  return CL_OK;
}

// The hash covers the places of all live bullets and the world after the dispatch of a step. It is
// computed when it is asked for, which is rare. Until then, changes of places are noted.

// The most notes that are kept: FEW_NOTES, and one more for every BULLETS_PER_NOTE bullets. With
// more, computing the hash is less work; if there were as many changes after the step before, it is
// computed at once.
enum { FEW_NOTES = 16, BULLETS_PER_NOTE = 4 };

void cl_pools_begin_log(cl_pools *pools) {
  cl_bullets_log *log = &pools->log;
  if (log->over) return;
  log->over = true;
  pools->legs.count = 0;
  log->known = false;
  log->many = log->changes > log->most;
  log->count = log->changes = 0;
  log->last = pools->last;
  log->pools = pools->count;
  size_t bullets = 0;
  for (uint32_t p = 0; p < pools->count; p++) bullets += cl_bullets_count(pools->at[p]);
  log->most = FEW_NOTES + bullets / BULLETS_PER_NOTE;
}

static void note(cl_bullets *pool, double number, double x, double y, bool laser) {
  cl_pools *pools = pool->pools;
  cl_bullets_log *log = &pools->log;
  if (!log->over || number > log->last || pool->index >= log->pools) return;
  log->changes++;
  if (log->known) return;
  if (!log->many && log->count < log->most &&
      CL_RESERVE(&pools->alloc, log->note, log->cap, log->count + 1) == CL_OK) {
    log->note[log->count] = (cl_bullet_note){number, x, y, log->count, 2 * pool->index + laser};
    log->count++;
  } else {
    cl_pools_end_log(pools);
  }
}

static int in_note_order(const void *p, const void *q) {
  const cl_bullet_note *a = p, *b = q;
  if (a->list != b->list) return a->list < b->list ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->nth > b->nth) - (a->nth < b->nth);
}

// Most games change bullets in order, so the notes are often sorted already.
static void sort_notes(cl_bullets_log *log) {
  size_t i = 1;
  while (i < log->count && in_note_order(&log->note[i - 1], &log->note[i]) < 0) i++;
  if (i < log->count) cl_sort_by(log->note, log->count, sizeof *log->note, in_note_order);
}

// The hash sums over the bullets by number, up to `last`. For a noted bullet its first note, from
// `note` on, replaces its present state.
typedef struct sum {
  uint64_t hash;
  double last;
  uint32_t count;
  const cl_bullet_note *note, *end;
} sum;

static void add_place(sum *s, double x, double y) {
  s->hash = cl_hash_number(cl_hash_number(s->hash, x), y);
  s->count++;
}

// Adds the notes of a list up to this number. Returns whether that number was among them.
static bool add_noted(sum *s, uint32_t list, double number) {
  double last = 0;
  for (; s->note < s->end; s->note++) {
    const cl_bullet_note *n = s->note;
    if (n->list != list || n->number > number) break;
    if (n->number != last) add_place(s, n->x, n->y);
    last = n->number;
  }
  return last == number;
}

static void add_bullets(sum *s, const cl_bullets *pool, uint32_t index) {
  for (uint32_t i = 0; i < pool->used && pool->number[i] <= s->last; i++) {
    bool noted = add_noted(s, 2 * index, pool->number[i]);
    if (!noted && !(pool->dead && pool->dead[i])) add_place(s, pool->x[i], pool->y[i]);
  }
  add_noted(s, 2 * index, INFINITY);
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    const cl_laser *laser = &pool->laser[k];
    if (laser->number > s->last) break;
    bool noted = add_noted(s, 2 * index + 1, laser->number);
    if (!noted && laser->shape) add_place(s, laser->at.x, laser->at.y);
  }
  add_noted(s, 2 * index + 1, INFINITY);
}

uint64_t cl_pools_hash_from(cl_pools *pools, uint64_t hash) {
  cl_bullets_log *log = &pools->log;
  uint32_t count = log->over ? log->pools : pools->count;
  sum s = {.hash = hash, .last = INFINITY};
  if (log->over && log->known) return log->hash;
  if (log->over) {
    sort_notes(log);
    s.last = log->last;
    s.note = log->note;
    s.end = CL_AT(log->note, log->count);
  }
  for (uint32_t p = 0; p < count; p++) {
    const cl_bullets *pool = pools->at[p];
    s.count = 0;
    add_bullets(&s, pool, p);
    s.hash = cl_hash_number(s.hash, (double)s.count);
    s.hash = cl_hash_number(s.hash, (double)pool->hits);
    s.hash = cl_hash_number(s.hash, (double)pool->grazes);
  }
  return cl_hash_end(s.hash);
}

void cl_pools_end_log(cl_pools *pools) {
  cl_bullets_log *log = &pools->log;
  if (!log->over || log->known) return;
  log->hash = cl_pools_hash_from(pools, cl_world_hash_begin(pools->world));
  log->known = true;
}

uint64_t cl_pools_hash(cl_pools *pools) {
  assert(!pools->stepping);
  cl_pools_end_log(pools);
  return cl_pools_hash_from(pools, cl_world_hash_begin(pools->world));
}

// Lasers: capsules along a polyline, relative to its first point. A pool has few.

cl_status cl_laser_make_shape(const cl_alloc *alloc, const cl_laser_def *def, double radius,
                              cl_shape **out) {
  const double *p = def->xy;
  uint32_t count = def->count < 2 ? 1 : def->count - 1;
  cl_shape **member = cl_new_array(alloc, count, sizeof *member);
  if (!member) return CL_NOMEM;
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    size_t from = 2 * (size_t)i, to = def->count < 2 ? 0 : from + 2;
    status = cl_shape_capsule(alloc, p[from] - p[0], p[from + 1] - p[1], p[to] - p[0],
                              p[to + 1] - p[1], radius, &member[i]);
  }
  if (status == CL_OK && count > 1) {
    status = cl_shape_compound(alloc, member, count, out);
  } else if (status == CL_OK) {
    *out = member[0];
    cl_shape_retain(*out);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (member[i]) cl_shape_release(member[i]);
  }
  CL_FREE(alloc, member, count);
  return status;
}

void cl_laser_release_shapes(cl_laser *laser) {
  if (laser->shape) cl_shape_release(laser->shape);
  if (laser->graze) cl_shape_release(laser->graze);
  laser->shape = laser->graze = NULL;
}

cl_status cl_bullets_spawn_laser(cl_bullets *pool, const cl_laser_def *def, uint64_t *number) {
  assert(!pool->pools->stepping);
  assert(def->count >= 1 && def->width > 0 && def->warmup >= 0 && def->lifetime > 0);
  *number = 0;
  if (pool->live >= pool->most) return CL_OK;
  const cl_alloc *alloc = &pool->pools->alloc;
  double radius = def->width / 2, graze = pool->def.graze;
  cl_status status = CL_RESERVE(alloc, pool->laser, pool->laser_cap, (size_t)pool->laser_used + 1);
  if (status != CL_OK) return status;
  cl_laser laser = {
      .at = {.x = def->xy[0], .y = def->xy[1], .radius = radius, .tag = def->tag},
      .warmup = def->warmup,
      .lifetime = def->lifetime,
  };
  status = cl_laser_make_shape(alloc, def, radius, &laser.shape);
  if (status == CL_OK && graze > 0) {
    status = cl_laser_make_shape(alloc, def, radius + (graze - pool->def.radius), &laser.graze);
  }
  if (status != CL_OK) {
    cl_laser_release_shapes(&laser);
    return status;
  }
  laser.number = *pool->last += 1;
  *number = (uint64_t)laser.number;
  pool->laser[pool->laser_used++] = laser;
  pool->lasers++;
  pool->most--;
  return CL_OK;
}

// For structs that begin with their number, as bullets and lasers do.
static int in_number_order(const void *p, const void *q) {
  const double *a = p, *b = q;
  return *a < *b ? -1 : *a > *b;
}

static uint32_t lower_laser(const cl_bullets *pool, uint64_t number) {
  double wanted = (double)number;
  size_t size = sizeof *pool->laser;
  return (uint32_t)cl_lower_bound(pool->laser, pool->laser_used, size, &wanted, in_number_order, 0);
}

cl_laser *cl_bullets_laser(const cl_bullets *pool, uint64_t number) {
  uint32_t k = lower_laser(pool, number);
  if (k == pool->laser_used || pool->laser[k].number != (double)number) return NULL;
  return pool->laser[k].shape ? &pool->laser[k] : NULL;
}

// The index of the next live laser, or the end of the list.
static uint32_t next_laser(const cl_bullets *pool, uint64_t after) {
  uint32_t k = lower_laser(pool, after + 1);
  while (k < pool->laser_used && !pool->laser[k].shape) k++;
  return k;
}

uint64_t cl_bullets_next_laser(const cl_bullets *pool, uint64_t after, cl_laser_place *out) {
  uint32_t k = next_laser(pool, after);
  if (k == pool->laser_used) return 0;
  const cl_laser *laser = &pool->laser[k];
  *out = (cl_laser_place){laser->shape, laser->at.x, laser->at.y, laser->at.age >= laser->warmup};
  return (uint64_t)laser->number;
}

cl_laser cl_laser_copy(const cl_laser *laser) {
  cl_shape_retain(laser->shape);
  if (laser->graze) cl_shape_retain(laser->graze);
  return *laser;
}

static void close_laser_gaps(cl_bullets *pool) {
  uint32_t to = 0;
  for (uint32_t from = 0; from < pool->laser_used; from++) {
    if (pool->laser[from].shape) pool->laser[to++] = pool->laser[from];
  }
  pool->pools->work += pool->laser_used;
  pool->laser_used = to;
}

static void kill_laser(cl_bullets *pool, cl_laser *laser) {
  note(pool, laser->number, laser->at.x, laser->at.y, true);
  cl_laser_release_shapes(laser);
  pool->lasers--;
  pool->most++;
  if (pool->laser_used - pool->lasers > pool->lasers) close_laser_gaps(pool);
}

void cl_bullets_kill_lasers(cl_bullets *pool) {
  for (uint32_t k = 0; k < pool->laser_used; k++) cl_laser_release_shapes(&pool->laser[k]);
  pool->most += pool->lasers;
  pool->lasers = pool->laser_used = 0;
}

static void drop_plan(cl_bullets *pool, uint32_t i) {
  if (!pool->plans) return;
  if (pool->plot[i].plan) cl_plan_release(pool->plot[i].plan);
  pool->plot[i] = (cl_plot){0};
  pool->due[i] = INFINITY;
}

void cl_bullets_drop_plans(cl_bullets *pool) {
  for (uint32_t i = 0; pool->plans && i < pool->used; i++) drop_plan(pool, i);
}

void cl_bullets_release(cl_bullets *pool) {
  const cl_alloc *alloc = &pool->pools->alloc;
  cl_bullets_kill_lasers(pool);
  cl_bullets_drop_plans(pool);
  CL_FREE(alloc, pool->laser, pool->laser_cap);
  CL_FREE(alloc, pool->ignored, pool->ignored_cap);
  CL_FREE(alloc, pool->steers, pool->steers_cap);
  CL_FREE(alloc, pool->course, pool->course_cap);
  CL_FREE(alloc, pool->plot, pool->plot_cap);
  CL_FREE(alloc, pool->due, pool->due_cap);
  CL_FREE(alloc, pool->needle, pool->needle_cap);
  cl_free(alloc, pool->block, bullets_size(pool->cap));
  cl_free(alloc, pool, sizeof *pool);
}

// Round bullets.

void cl_bullets_close_gaps(cl_bullets *pool) {
  if (pool->live == pool->used) return;
  const uint8_t *first = memchr(pool->dead, 1, pool->used);
  uint32_t to = (uint32_t)(first - pool->dead);
  double largest = pool->def.radius;
  for (uint32_t i = 0; i < to; i++) largest = cl_max(largest, cl_bullets_reach(pool, i));
  for (uint32_t from = to; from < pool->used; from++) {
    if (pool->dead[from]) continue;
#define COPY(type, name) pool->name[to] = pool->name[from];
    CL_BULLET_FIELDS(COPY)
    if (pool->courses) {
      COPY(uint8_t, steers)
      COPY(cl_course, course)
    }
    if (pool->plans) {
      COPY(cl_plot, plot)
      COPY(double, due)
    }
    if (pool->needles) {
      COPY(cl_needle, needle)
    }
#undef COPY
    largest = cl_max(largest, cl_bullets_reach(pool, to));
    to++;
  }
  pool->used = to;
  pool->largest = largest;
}

void cl_bullets_mark(cl_bullets *pool, uint32_t i, uint8_t how) {
  if (!pool->survives) memset(pool->survived, 0, pool->used);
  pool->survives = true;
  pool->survived[i] |= how;
}

void cl_bullets_use_accelerations(cl_bullets *pool) {
  if (pool->accelerates) return;
  pool->accelerates = true;
  memset(pool->ax, 0, pool->used * sizeof *pool->ax);
  memset(pool->ay, 0, pool->used * sizeof *pool->ay);
}

// Lengths: the bodies of bullets.

static const cl_needle round_one = {.heading = {1, 0}};

cl_status cl_bullets_reserve_lengths(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  return CL_RESERVE(&pool->pools->alloc, pool->needle, pool->needle_cap, pool->cap);
}

static void set_length(cl_bullets *pool, uint32_t i, double length) {
  cl_needle *needle = &pool->needle[i];
  needle->length = needle->tail = needle->was = length;
  pool->largest = cl_max(pool->largest, cl_bullets_reach(pool, i));
}

static void use_needles(cl_bullets *pool) {
  assert(pool->needle_cap >= pool->cap);
  for (uint32_t k = 0; !pool->needles && k < pool->used; k++) pool->needle[k] = round_one;
  pool->needles = true;
}

void cl_bullets_lengthen(cl_bullets *pool, uint64_t number, double length, cl_vec heading) {
  uint32_t i = cl_bullets_index(pool, number);
  assert(i < pool->used && !pool->pools->stepping && length >= 0 && cl_coord_ok(length));
  use_needles(pool);
  pool->needle[i].heading = cl_heading((cl_vec){pool->vx[i], pool->vy[i]}, heading);
  set_length(pool, i, length);
}

cl_bullet_body cl_bullets_body(const cl_bullets *pool, uint32_t i, cl_vec v) {
  cl_bullet_body body = {.radius = pool->radius[i]};
  const cl_needle *needle = pool->needles ? &pool->needle[i] : NULL;
  if (!needle || needle->length == 0) return body;
  body.tail = needle->tail;
  body.heading = cl_heading(v, needle->heading);
  return body;
}

double cl_tail_grown(double tail, double length, cl_vec way) {
  if (tail >= length) return length;
  return cl_min(tail + cl_vec_normalise(&way), length);
}

static cl_vec tail_of(const cl_bullet_body *b) {
  return b->tail > 0 ? cl_vec_mul(b->heading, 0 - b->tail) : (cl_vec){0, 0};
}

void cl_bullet_body_shape(cl_stack_shape *temp, const cl_bullet_body *body) {
  cl_vec tail = tail_of(body);
  if (body->tail > 0) cl_stack_capsule(temp, tail.x, tail.y, body->radius);
  else cl_stack_circle(temp, body->radius);
}

// The squared distance of 0, 0 from the segment from p along d.
static double apart_from(cl_vec p, cl_vec d) {
  double length = cl_vec_dot(d, d), t = length > 0 ? 0 - cl_vec_dot(p, d) / length : 0;
  cl_vec nearest = t <= 0 ? p : cl_vec_add(p, t < 1 ? cl_vec_mul(d, t) : d);
  return cl_vec_dot(nearest, nearest);
}

double cl_bullet_bodies_apart(const cl_bullet_body *a, cl_vec at, const cl_bullet_body *b,
                              cl_vec to) {
  cl_vec between = cl_vec_sub(to, at), p = tail_of(a), q = tail_of(b), none = {0, 0};
  if (!(a->tail > 0 || b->tail > 0)) return cl_vec_dot(between, between);
  cl_vec far = cl_vec_sub(cl_vec_add(between, q), p), back = cl_vec_sub(none, between);
  double from = cl_vec_cross(p, between), end = cl_vec_cross(p, cl_vec_add(between, q));
  double head = cl_vec_cross(q, back), tail = cl_vec_cross(q, cl_vec_add(back, p));
  if (((from < 0) != (end < 0)) && ((head < 0) != (tail < 0))) return 0;
  double heads = cl_min(apart_from(between, q), apart_from(back, p));
  double tails = cl_min(apart_from(cl_vec_sub(between, p), q), apart_from(cl_vec_sub(back, q), p));
  return cl_min(cl_min(heads, tails), cl_vec_dot(far, far));
}

uint64_t cl_bullets_spawn(cl_bullets *pool, cl_vec at, cl_vec v, cl_vec a, double tag) {
  assert(!pool->pools->stepping && isfinite(v.x) && isfinite(v.y) && isfinite(a.x) &&
         isfinite(a.y));
  if (pool->live >= pool->most) return 0;
  if (pool->used == pool->cap) cl_bullets_close_gaps(pool);
  assert(cl_place_ok(at));
  if (a.x != 0 || a.y != 0) cl_bullets_use_accelerations(pool);
  uint32_t i = pool->used++;
  pool->live++;
  pool->x[i] = at.x;
  pool->y[i] = at.y;
  pool->vx[i] = v.x;
  pool->vy[i] = v.y;
  pool->radius[i] = pool->radius_new;
  pool->age[i] = pool->clock;
  pool->tag[i] = tag;
  pool->dead[i] = 0;
  if (pool->accelerates) pool->ax[i] = a.x, pool->ay[i] = a.y;
  if (pool->survives) pool->survived[i] = 0;
  if (pool->courses) pool->steers[i] = 0;
  if (pool->plans) pool->plot[i] = (cl_plot){0}, pool->due[i] = INFINITY;
  if (pool->needles) pool->needle[i] = round_one;
  return (uint64_t)(pool->number[i] = *pool->last += 1);
}

// The first index with a number that is at least this. The search starts where the last one ended,
// since most numbers come in ascending order.
static uint32_t lower_index(cl_bullets *pool, uint64_t number) {
  double wanted = (double)number, *first = pool->number;
  uint32_t at = pool->hint;
  // If all bullets between are in this pool and none was removed, it is as far ahead as its number.
  double ahead = at < pool->used ? wanted - first[at] : -1;
  if (ahead >= 0 && ahead < pool->used - at && first[at + (uint32_t)ahead] == wanted)
    at += (uint32_t)ahead;
  else
    at = (uint32_t)cl_lower_bound(first, pool->used, sizeof *first, &wanted, in_number_order, at);
  return pool->hint = at;
}

uint32_t cl_bullets_index(cl_bullets *pool, uint64_t number) {
  uint32_t i = lower_index(pool, number);
  return i < pool->used && pool->number[i] == (double)number && !pool->dead[i] ? i : pool->used;
}

bool cl_bullets_alive(cl_bullets *pool, uint64_t number) {
  return cl_bullets_index(pool, number) < pool->used || cl_bullets_laser(pool, number);
}

void cl_bullets_kill_index(cl_bullets *pool, uint32_t i) {
  if (!pool->dead[i]) note(pool, pool->number[i], pool->x[i], pool->y[i], false);
  pool->live -= !pool->dead[i];
  pool->dead[i] = 1;
  // A dead bullet stays in place, so that the sieve of later steps does not select it.
  pool->vx[i] = pool->vy[i] = 0;
  if (pool->accelerates) pool->ax[i] = pool->ay[i] = 0;
  if (pool->courses) pool->steers[i] = 0;
  drop_plan(pool, i);
}

bool cl_bullets_has_gaps(const cl_bullets *pool) {
  uint32_t gaps = pool->used - pool->live;
  return gaps > LEAST_GAPS && gaps > pool->used / BULLETS_PER_GAP;
}

bool cl_bullets_kill(cl_bullets *pool, uint64_t number) {
  assert(!pool->pools->stepping);
  uint32_t i = cl_bullets_index(pool, number);
  if (i < pool->used) {
    cl_bullets_kill_index(pool, i);
    return true;
  }
  cl_laser *laser = cl_bullets_laser(pool, number);
  if (laser) kill_laser(pool, laser);
  return laser != NULL;
}

bool cl_bullets_get(cl_bullets *pool, uint64_t number, cl_bullet *out) {
  uint32_t i = cl_bullets_index(pool, number);
  if (i < pool->used) {
    bool a = pool->accelerates;
    *out = (cl_bullet){.x = pool->x[i], .y = pool->y[i], .vx = pool->vx[i], .vy = pool->vy[i]};
    out->ax = a ? pool->ax[i] : 0;
    out->ay = a ? pool->ay[i] : 0;
    out->radius = pool->radius[i];
    out->tag = pool->tag[i];
    out->age = pool->ages ? pool->age[i] : pool->clock - pool->age[i];
    out->length = pool->needles ? pool->needle[i].length : 0;
    cl_bullet_body body = cl_bullets_body(pool, i, (cl_vec){0, 0});
    cl_vec tail = tail_of(&body);
    out->tail_x = out->x + tail.x;
    out->tail_y = out->y + tail.y;
  } else {
    const cl_laser *laser = cl_bullets_laser(pool, number);
    if (!laser) return false;
    *out = laser->at;
    out->tail_x = out->x;
    out->tail_y = out->y;
  }
  const cl_moment *m = &pool->pools->moment;
  bool then = m->active && m->pool == pool->index && m->number == number;
  if (then) out->age = cl_max(out->age - m->left, 0);
  return true;
}

cl_vec cl_bullets_between(cl_bullets *pool, uint64_t number, double alpha) {
  uint32_t i = cl_bullets_index(pool, number);
  const cl_laser *laser = i < pool->used ? NULL : cl_bullets_laser(pool, number);
  assert(i < pool->used || laser);
  cl_vec to = laser ? (cl_vec){laser->at.x, laser->at.y} : (cl_vec){pool->x[i], pool->y[i]};
  cl_vec from =
      laser ? (cl_vec){laser->next_x, laser->next_y} : (cl_vec){pool->next_x[i], pool->next_y[i]};
  bool jumped = (double)number > pool->flown || isnan(from.x) || isnan(from.y);
  if (jumped || alpha == 1) return to;
  return cl_vec_add(from, cl_vec_mul(cl_vec_sub(to, from), alpha));
}

// Fields that are set during the dispatch of a hit keep their values afterwards.
static void note_set(cl_pools *pools, const cl_bullets *pool, uint64_t number, uint32_t fields) {
  cl_moment *m = &pools->moment;
  if (!m->active || m->pool != pool->index || m->number != number) return;
  m->set |= fields & CL_BULLET_PLACE ? fields | CL_BULLET_PLACE : fields;
}

static void set_fields(cl_bullet *at, const cl_bullet *to, uint32_t fields) {
  if (fields & CL_BULLET_X) at->x = to->x;
  if (fields & CL_BULLET_Y) at->y = to->y;
  if (fields & CL_BULLET_VX) at->vx = to->vx;
  if (fields & CL_BULLET_VY) at->vy = to->vy;
  if (fields & CL_BULLET_AX) at->ax = to->ax;
  if (fields & CL_BULLET_AY) at->ay = to->ay;
  if (fields & CL_BULLET_RADIUS) at->radius = to->radius;
  if (fields & CL_BULLET_TAG) at->tag = to->tag;
  if (fields & CL_BULLET_LENGTH) at->length = to->length;
}

bool cl_bullets_set(cl_bullets *pool, uint64_t number, const cl_bullet *to, uint32_t fields) {
  assert(!pool->pools->stepping);
  cl_bullet at;
  if (!cl_bullets_get(pool, number, &at)) return false;
  set_fields(&at, to, fields);
  assert(at.radius > 0); // a bullet may have flown out of the range that a place is set in
  assert(!(fields & CL_BULLET_X) || cl_coord_ok(to->x));
  assert(!(fields & CL_BULLET_Y) || cl_coord_ok(to->y));
  assert(!(fields & CL_BULLET_LENGTH) || (to->length >= 0 && cl_coord_ok(to->length)));
  note_set(pool->pools, pool, number, fields);
  cl_laser *laser = cl_bullets_laser(pool, number);
  if (laser) {
    if (fields & CL_BULLET_PLACE) {
      note(pool, laser->number, laser->at.x, laser->at.y, true);
      laser->next_x = at.x;
      laser->next_y = at.y;
    }
    at.radius = laser->at.radius;
    at.age = laser->at.age;
    at.length = 0;
    laser->at = at;
    return true;
  }
  uint32_t i = cl_bullets_index(pool, number);
  if (fields & CL_BULLET_PLACE) {
    note(pool, pool->number[i], pool->x[i], pool->y[i], false);
    pool->next_x[i] = NAN; // it is not on its way
  }
  pool->x[i] = at.x;
  pool->y[i] = at.y;
  pool->vx[i] = at.vx;
  pool->vy[i] = at.vy;
  pool->radius[i] = at.radius;
  pool->tag[i] = at.tag;
  pool->largest = cl_max(pool->largest, cl_bullets_reach(pool, i));
  if (at.ax != 0 || at.ay != 0) cl_bullets_use_accelerations(pool);
  if (pool->accelerates) pool->ax[i] = at.ax, pool->ay[i] = at.ay;
  if (fields & CL_BULLET_LENGTH) use_needles(pool);
  if (!pool->needles) return true;
  pool->needle[i].heading = cl_heading((cl_vec){at.vx, at.vy}, pool->needle[i].heading);
  if (fields & CL_BULLET_LENGTH) set_length(pool, i, at.length);
  return true;
}

uint32_t cl_bullets_kill_circle(cl_bullets *pool, double x, double y, double r) {
  assert(!pool->pools->stepping);
  assert(r >= 0);
  uint32_t before = pool->live;
  const cl_bullet_body none = {0};
  const cl_vec centre = {x, y}, still = {0, 0};
  for (uint32_t i = 0; i < pool->used; i++) {
    cl_vec at = {pool->x[i], pool->y[i]};
    cl_bullet_body body = cl_bullets_body(pool, i, still);
    double reach = pool->radius[i] + r;
    bool touches = cl_bullet_bodies_apart(&none, centre, &body, at) <= reach * reach;
    if (!pool->dead[i] && touches) cl_bullets_kill_index(pool, i);
  }
  return before - pool->live;
}

uint32_t cl_bullets_clear(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  uint32_t count = cl_bullets_count(pool);
  if (count > 0) cl_pools_end_log(pool->pools);
  cl_bullets_kill_lasers(pool);
  cl_bullets_drop_plans(pool);
  pool->used = pool->live = 0;
  return count;
}

void cl_pools_clear(cl_pools *pools) {
  for (uint32_t i = 0; i < pools->count; i++) cl_bullets_clear(pools->at[i]);
}

uint32_t cl_bullets_count(const cl_bullets *pool) { return pool->live + pool->lasers; }

uint64_t cl_bullets_next(cl_bullets *pool, uint64_t after) {
  uint64_t next = 0;
  for (uint32_t i = lower_index(pool, after + 1); i < pool->used; i++) {
    if (pool->dead[i]) continue;
    next = (uint64_t)pool->number[i];
    break;
  }
  uint32_t k = next_laser(pool, after);
  if (k == pool->laser_used) return next;
  uint64_t number = (uint64_t)pool->laser[k].number;
  return next == 0 || number < next ? number : next;
}

uint64_t cl_bullets_last(const cl_bullets *pool) { return (uint64_t)*pool->last; }

cl_bullets_io cl_bullets_show(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  cl_bullets_close_gaps(pool);
  return (cl_bullets_io){pool->x,      pool->y,   pool->vx,     pool->vy,
                         pool->radius, pool->tag, pool->number, pool->used};
}

// Lists of shots, in the order of dispatch.

int cl_shot_order(const cl_shot *a, const cl_shot *b) {
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  // Actors met together on the way are ordered as in a cast; by slot only if their surfaces are
  // alike.
  cl_vec n = {a->nx, a->ny}, m = {b->nx, b->ny};
  bool actors = a->t > 0 && a->actor != CL_SHOT_BULLET && b->actor != CL_SHOT_BULLET;
  if (actors && (n.x != m.x || n.y != m.y)) return cl_vec_goes_first(n, m) ? -1 : 1;
  if (a->actor != b->actor) return a->actor < b->actor ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

cl_shot cl_shot_mirrored(const cl_shot *shot, cl_vec at) {
  return (cl_shot){.number = shot->other,
                   .pool = shot->other_pool,
                   .actor = CL_SHOT_BULLET,
                   .other = shot->number,
                   .other_pool = shot->pool,
                   .kind = CL_SHOT_HIT,
                   .nx = 0 - shot->nx,
                   .ny = 0 - shot->ny,
                   .t = shot->t,
                   .x = at.x,
                   .y = at.y,
                   .left = shot->left,
                   .wanted = shot->wanted};
}

static int in_shot_order(const void *a, const void *b) { return cl_shot_order(a, b); }

void cl_shots_sort(cl_shots *shots) {
  for (size_t i = 1; i < shots->count; i++) {
    if (cl_shot_order(&shots->at[i - 1], &shots->at[i]) <= 0) continue;
    cl_sort_by(shots->at, shots->count, sizeof *shots->at, in_shot_order);
    return;
  }
}

int cl_shot_by_bullet(const void *p, const void *q) {
  const cl_shot *a = p, *b = q;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

size_t cl_shots_of(const cl_shots *shots, size_t from, uint32_t pool, uint64_t number) {
  const cl_shot key = {.pool = pool, .number = number}, *first = CL_AT(shots->at, from);
  size_t count = shots->count - from;
  return from + cl_lower_bound(first, count, sizeof key, &key, cl_shot_by_bullet, 0);
}

void cl_shots_add(cl_pools *pools, cl_shots *to, const cl_shot *shot) {
  if (CL_ROOM(pools, to->at, to->cap, to->count + 1)) to->at[to->count++] = *shot;
}

void cl_pools_add_end(cl_pools *pools, const cl_bullets *pool, uint64_t number) {
  cl_shot shot = {.number = number, .pool = pool->index, .kind = CL_SHOT_EXPIRED, .t = 1};
  shot.actor = CL_SHOT_NOBODY;
  shot.wanted = pool->event_mask & CL_BULLET_EVENT_EXPIRED;
  cl_shots_add(pools, &pools->fresh, &shot);
}

// The shots that were found during the dispatch of a step: a heap with the first in the order of
// dispatch on top.

static int last_first(const void *a, const void *b) { return cl_shot_order(b, a); }

void cl_rest_push(cl_shots *rest, const cl_shot *shot) {
  assert(rest->count < rest->cap);
  rest->at[rest->count] = *shot;
  cl_rest_unpop(rest);
}

cl_shot *cl_rest_pop(cl_shots *rest) {
  assert(rest->count > 0);
  cl_shot first = rest->at[0], *last = &rest->at[--rest->count];
  rest->at[0] = *last;
  *last = first;
  cl_heap_sink(rest->at, 0, rest->count, sizeof first, last_first);
  return last;
}

void cl_rest_unpop(cl_shots *rest) {
  cl_heap_rise(rest->at, rest->count++, sizeof *rest->at, last_first);
}

// An index of the pending shots by the numbers of both bullets: one bullet may have as many shots
// as there are bullets.

static int by_meeting(const void *p, const void *q) {
  const cl_back *a = p, *b = q;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

void cl_pools_link_backs(cl_pools *pools) {
  const cl_shots *shots = &pools->shots;
  size_t n = 0;
  for (size_t i = pools->cursor; i < shots->count; i++) {
    const cl_shot *shot = &shots->at[i];
    if (shot->kind != CL_SHOT_HIT || shot->actor != CL_SHOT_BULLET) continue;
    pools->back[n++] = (cl_back){shot->number, shot->other, i};
  }
  pools->back_count = n;
  cl_sort_by(pools->back, n, sizeof *pools->back, by_meeting);
}

// The index of the first shot that has not been dispatched, if there is one.
static size_t first_meeting(const cl_pools *pools, uint64_t number, uint64_t other) {
  const cl_back key = {number, other, pools->cursor};
  return cl_lower_bound(pools->back, pools->back_count, sizeof key, &key, by_meeting, 0);
}

static bool is_meeting_of(const cl_pools *pools, size_t i, uint64_t number, uint64_t other) {
  return i < pools->back_count && pools->back[i].number == number && pools->back[i].other == other;
}

const cl_shot *cl_pools_find_back(const cl_pools *pools, uint64_t number, uint64_t other) {
  size_t i = first_meeting(pools, number, other);
  return is_meeting_of(pools, i, number, other) ? &pools->shots.at[pools->back[i].at] : NULL;
}

bool cl_pools_assure_back(cl_pools *pools, const cl_shot *shot) {
  size_t first = first_meeting(pools, shot->other, shot->number), i = first;
  for (; is_meeting_of(pools, i, shot->other, shot->number); i++) {
    pools->work++;
    pools->shots.at[pools->back[i].at].sure = true;
  }
  return i > first;
}

bool cl_shot_ends(const cl_pools *pools, const cl_shot *shot) {
  const cl_bullets *pool = pools->at[shot->pool];
  if (shot->kind != CL_SHOT_HIT) return shot->kind == CL_SHOT_EXPIRED;
  return !pool->def.pierce && !cl_bullets_laser(pool, shot->number);
}
