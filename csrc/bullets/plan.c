// collide, MIT licence (see LICENSE)
//
// Plans: what bullets do at certain ages. A plan never changes, and is counted by reference, as a
// shape is. Layer: bullets.

#include "base/alloc.h"
#include "base/bytes.h"
#include "bullets/state.h"

static size_t size_of(uint32_t count) {
  return sizeof(cl_plan) + (size_t)count * sizeof(cl_plan_entry);
}

cl_status cl_plan_new(const cl_alloc *alloc, const cl_plan_entry *entry, uint32_t count,
                      cl_plan **out) {
  assert(count > 0 && count <= CL_MAX_PLAN);
  cl_plan *plan = cl_new(alloc, size_of(count));
  if (!plan) return CL_NOMEM;
  plan->alloc = *alloc;
  plan->references = 1;
  plan->count = count;
  memcpy(plan->entry, entry, count * sizeof *entry);
  plan->hash = CL_HASH_BEGIN;
  for (uint32_t i = 0; i < count; i++) {
    const cl_plan_entry *e = &entry[i];
    const double v[] = {e->at, e->vx, e->vy,  e->angle,     e->speed,
                        e->ax, e->ay, e->tag, e->turn_rate, e->radius};
    for (size_t k = 0; k < sizeof v / sizeof *v; k++) plan->hash = cl_hash_number(plan->hash, v[k]);
    plan->hash = cl_hash_word(plan->hash, e->sets);
    plan->sets |= e->sets;
  }
  plan->hash = cl_hash_end(plan->hash);
  *out = plan;
  return CL_OK;
}

cl_plan *cl_plan_retain(cl_plan *plan) {
  assert(plan->references > 0 && plan->references < UINT32_MAX);
  plan->references++;
  return plan;
}

void cl_plan_release(cl_plan *plan) {
  assert(plan->references > 0);
  if (--plan->references > 0) return;
  cl_alloc alloc = plan->alloc;
  cl_free(&alloc, plan, size_of(plan->count));
}

uint32_t cl_plan_common(const cl_plan *a, const cl_plan *b) {
  uint32_t i = 0;
  for (; i < a->count && i < b->count; i++) {
    const cl_plan_entry *p = &a->entry[i], *q = &b->entry[i];
    if (p->sets != q->sets || memcmp(p, q, offsetof(cl_plan_entry, sets)) != 0) break;
  }
  return i;
}

bool cl_plan_equals(const cl_plan *a, const cl_plan *b) {
  return a->hash == b->hash && a->count == b->count && cl_plan_common(a, b) == a->count;
}

// Tolerates rounding in sums of times.
double cl_plan_due(const cl_plan *plan, uint32_t stage) {
  return stage < plan->count ? plan->entry[stage].at * (1 - CL_LIFETIME_ERROR) : INFINITY;
}
