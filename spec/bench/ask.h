// collide, MIT licence (see LICENSE)
//
// Questions about two placed shapes. Each returns a number that depends on the answer; the
// caller adds these up and uses the sum, so that no compiler can remove the question.

#ifndef CL_BENCH_ASK_H
#define CL_BENCH_ASK_H

#include "bench.h"
#include "base/config.h"

typedef double bench_ask(const cl_placed *a, const cl_placed *b);

static inline double bench_ask_overlap(const cl_placed *a, const cl_placed *b) {
  cl_hit h = {0, 0, 0};
  cl_overlap(a, b, false, &h);
  return h.depth;
}

static inline double bench_ask_distance(const cl_placed *a, const cl_placed *b) {
  return cl_distance(a, b).distance;
}

#endif
