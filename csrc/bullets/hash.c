// collide, MIT licence (see LICENSE)
//
// A hash of all live bullets and of the world after the dispatch of a step. It is computed when it
// is asked for, which is rare. Until then, changes are noted. Layer: bullets.

#include "base/hash.h"
#include "base/sort.h"
#include "bullets/hash.h"

// The fewest notes that are kept, and the number of bullets for each further one.
enum { FEW_NOTES = 16, BULLETS_PER_NOTE = 16 };

void cl_pools_begin_log(cl_pools *pools) {
  cl_bullets_log *log = &pools->log;
  if (log->over) return;
  log->over = true;
  log->known = false;
  log->count = 0;
  log->last = pools->last;
  log->pools = pools->count;
  size_t bullets = 0;
  for (uint32_t p = 0; p < pools->count; p++) bullets += cl_bullets_count(pools->at[p]);
  log->most = FEW_NOTES + bullets / BULLETS_PER_NOTE;
}

static void note(cl_bullets *pool, cl_bullet_note note) {
  cl_pools *pools = pool->pools;
  cl_bullets_log *log = &pools->log;
  if (!log->over || log->known || note.number > log->last || pool->index >= log->pools) return;
  note.pool = pool->index;
  note.nth = log->count;
  if (log->count < log->most &&
      CL_RESERVE(&pools->alloc, log->note, log->cap, log->count + 1) == CL_OK) {
    log->note[log->count++] = note;
  } else {
    cl_pools_end_log(pools);
  }
}

void cl_bullets_note(cl_bullets *pool, uint32_t i) {
  note(pool, (cl_bullet_note){.number = pool->number[i], .x = pool->x[i], .y = pool->y[i]});
}

void cl_bullets_note_laser(cl_bullets *pool, const cl_laser *laser) {
  note(pool,
       (cl_bullet_note){
           .number = (double)laser->number, .x = laser->at.x, .y = laser->at.y, .laser = true});
}

static int in_order(const void *p, const void *q) {
  const cl_bullet_note *a = p, *b = q;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->laser != b->laser) return a->laser ? 1 : -1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->nth > b->nth) - (a->nth < b->nth);
}

// The sum is over the bullets by number, up to `last`. For a noted bullet its first note counts,
// from `note` on, instead of its present state.
typedef struct sum {
  uint64_t hash;
  double last;
  uint32_t count;
  const cl_bullet_note *note, *end;
} sum;

static void add(sum *s, double x, double y) {
  s->hash = cl_hash_number(cl_hash_number(s->hash, x), y);
  s->count++;
}

// Adds the notes of a list up to this number. Returns whether that number was among them.
static bool add_noted(sum *s, uint32_t pool, bool laser, double number) {
  double last = 0;
  for (; s->note < s->end; s->note++) {
    const cl_bullet_note *n = s->note;
    if (n->pool != pool || n->laser != laser || n->number > number) break;
    if (n->number != last) add(s, n->x, n->y);
    last = n->number;
  }
  return last == number;
}

static void add_bullets(sum *s, const cl_hashed_pool *pool, uint32_t index) {
  for (uint32_t i = 0; i < pool->used && pool->number[i] <= s->last; i++) {
    bool noted = add_noted(s, index, false, pool->number[i]);
    if (!noted && !(pool->dead && pool->dead[i])) add(s, pool->x[i], pool->y[i]);
  }
  add_noted(s, index, false, INFINITY);
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    const cl_laser *laser = &pool->laser[k];
    if ((double)laser->number > s->last) break;
    bool noted = add_noted(s, index, true, (double)laser->number);
    if (!noted && laser->shape) add(s, laser->at.x, laser->at.y);
  }
  add_noted(s, index, true, INFINITY);
}

uint64_t cl_hash_of_pools(uint64_t hash, cl_bullets_log *log, uint32_t count, cl_hashed_pool_at *at,
                          const void *of) {
  sum s = {.hash = hash, .last = INFINITY};
  if (log->over && log->known) return log->hash;
  if (log->over) {
    cl_sort_by(log->note, log->count, sizeof *log->note, in_order);
    s.last = log->last;
    s.note = log->note;
    s.end = CL_AT(log->note, log->count);
    count = log->pools;
  }
  for (uint32_t p = 0; p < count; p++) {
    cl_hashed_pool pool = at(of, p);
    s.count = 0;
    add_bullets(&s, &pool, p);
    s.hash = cl_hash_number(s.hash, (double)s.count);
    s.hash = cl_hash_number(s.hash, (double)pool.hits);
    s.hash = cl_hash_number(s.hash, (double)pool.grazes);
  }
  return cl_hash_end(s.hash);
}

static cl_hashed_pool pool_at(const void *of, uint32_t p) {
  const cl_pools *pools = of;
  const cl_bullets *pool = pools->at[p];
  return (cl_hashed_pool){pool->number, pool->x,          pool->y,    pool->dead,  pool->used,
                          pool->laser,  pool->laser_used, pool->hits, pool->grazes};
}

static uint64_t hash_of(cl_pools *pools) {
  uint64_t hash = cl_world_hash_begin(pools->world);
  return cl_hash_of_pools(hash, &pools->log, pools->count, pool_at, pools);
}

void cl_pools_end_log(cl_pools *pools) {
  cl_bullets_log *log = &pools->log;
  if (!log->over || log->known) return;
  log->hash = hash_of(pools);
  log->known = true;
}

uint64_t cl_pools_hash(cl_pools *pools) {
  assert(!pools->stepping);
  cl_pools_end_log(pools);
  return pools->log.over ? pools->log.hash : hash_of(pools);
}
