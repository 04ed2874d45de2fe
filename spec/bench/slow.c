// collide, MIT licence (see LICENSE)
//
// What takes longest: every pair of spec/c/slow_inputs.h with every call, and how many steps
// of work a millisecond has (in a checked build).

#include "bench.h"

#include "../c/slow_inputs.h"
#include "base/work.h"

int main(void) {
  cl_alloc alloc = cl_alloc_default();
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input);
  printf("%-30s", "ms a call");
  for (int k = 0; k < SLOW_CALLS; k++) printf("%10s", slow_calls[k]);
  printf("\n");
  double worst = 0;
  for (int i = 0; i < n; i++) {
    printf("%-30s", input[i].name);
    for (int k = 0; k < SLOW_CALLS; k++) {
      double least = INFINITY;
      for (int again = 0; again < 3; again++) {
        double start = bench_now();
        slow_call(&input[i], k);
        least = fmin(least, bench_now() - start);
      }
      worst = fmax(worst, least);
      printf("%10.3f", least);
    }
    printf("\n");
  }
  printf("%-30s%10.3f\n", "the worst", worst);
#ifdef CL_CHECKED
  for (int i = 0; i < n; i++) {
    printf("%-30s", input[i].name);
    for (int k = 0; k < SLOW_CALLS; k++) {
      cl_work_done = 0;
      slow_call(&input[i], k);
      printf("%10.2f", (double)cl_work_done * 1e-6);
    }
    printf("  million steps\n");
  }
#endif
  return 0;
}
