// collide, MIT licence (see LICENSE)
//
// An allocator that counts bytes.

#ifndef CL_BENCH_TALLY_H
#define CL_BENCH_TALLY_H

#include "collide.h"

typedef struct tally {
  cl_alloc alloc; // the allocator below, which has the memory
  size_t now, most;
} tally;

static inline void *tally_resize(void *user, void *p, size_t old, size_t size) {
  tally *t = user;
  void *q = t->alloc.resize(t->alloc.user, p, old, size);
  if (q || size == 0) t->now += size - (p ? old : 0);
  if (t->now > t->most) t->most = t->now;
  return q;
}

#endif
