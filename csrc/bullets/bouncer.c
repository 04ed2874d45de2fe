// collide, MIT licence (see LICENSE)
//
// The bullets that the last dispatched bullet has had events with. Layer: bullets.

#include "bullets/bouncer.h"

cl_status cl_bouncer_reserve(cl_bouncer *b, const cl_alloc *alloc, size_t count) {
  return CL_RESERVE(alloc, b->reported, b->reported_cap, count);
}

void cl_bouncer_free(cl_bouncer *b, const cl_alloc *alloc) {
  CL_FREE(alloc, b->reported, b->reported_cap);
}

void cl_bouncer_report(cl_bouncer *b, const cl_shot *shot) {
  if (b->number != shot->number) b->bounces = 0, b->reported_count = 0;
  b->number = shot->number;
  assert(b->reported_count < b->reported_cap);
  b->reported[b->reported_count++] =
      shot->actor == CL_SHOT_BULLET ? CL_OTHER_BULLET | shot->other : shot->actor;
}

bool cl_pools_was_reported(const cl_pools *pools, uint64_t number, uint64_t other) {
  const cl_bouncer *b = &pools->bouncer;
  if (b->number != number) return false;
  for (size_t i = 0; i < b->reported_count; i++) {
    if (b->reported[i] == other) return true;
  }
  return false;
}
