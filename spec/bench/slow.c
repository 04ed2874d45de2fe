// collide, MIT licence (see LICENSE)
//
// The slowest inputs: each pair of spec/c/slow_inputs.h with each call, in milliseconds, and
// in a checked build also in steps of work, which spec/c/narrow_work.c limits.

#include "bench.h"

#include "../c/slow_inputs.h"
#include "base/config.h"

// The least of a few times, since other load of the machine only adds to the time.
static double time_of(const slow_input *in, int call) {
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    double start = bench_now();
    slow_call(in, call);
    least = fmin(least, bench_now() - start);
  }
  return least;
}

int main(void) {
  cl_alloc alloc = cl_alloc_default();
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input);
  bench_header();
  for (int i = 0; i < n; i++)
    for (int k = 0; k < SLOW_CALLS; k++)
      bench_row(input[i].name, slow_calls[k], 1, time_of(&input[i], k), "ms", 0, 0);
#if CL_CHECKED
  for (int i = 0; i < n; i++)
    for (int k = 0; k < SLOW_CALLS; k++) {
      cl_work_done = 0;
      slow_call(&input[i], k);
      bench_row(input[i].name, slow_calls[k], 1, (double)cl_work_done, "steps", 0, 0);
    }
#endif
  slow_release(input, n);
  return 0;
}
