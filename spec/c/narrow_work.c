// collide, MIT licence (see LICENSE)
//
// No call takes longer than a frame: its steps of work are counted, which only a checked build does
// (`make test-work`), and compared with 16 ms.

#include "slow_inputs.h"
#include "test.h"

#include "base/config.h"

// Steps of work that a processor of 2.5 GHz does in 16 ms: 150 000 or more per ms, see
// spec/bench/slow.
enum { MOST_STEPS = 2400000 };

static cl_alloc alloc;

static void steps_of_work(void) {
#if CL_CHECKED
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < SLOW_CALLS; k++) {
      cl_work_done = 0;
      slow_call(&input[i], k);
      CHECK_MSG(cl_work_done <= MOST_STEPS, "%s, %s: %llu steps", input[i].name, slow_calls[k],
                (unsigned long long)cl_work_done);
    }
  slow_release(input, n);
#else
  printf("steps are counted only by checked builds\n");
#endif
}

// The answers of the calls are still correct: the way out frees the shape.
static void ways_out(void) {
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input);
  for (int i = 0; i < n; i++) {
    cl_placed a = cl_place(input[i].a, input[i].ax, input[i].ay, input[i].angle);
    cl_placed b = cl_place(input[i].b, 0, 0, 0);
    cl_hit h, left = {0, 0, 0};
    CHECK(cl_overlap(&a, &b, false, &h) == cl_overlaps(&a, &b, false));
    if (!cl_overlap(&a, &b, false, &h)) continue;
    a.x += h.nx * h.depth, a.y += h.ny * h.depth;
    bool still = cl_overlap(&a, &b, false, &left);
    CHECK_MSG(!still || left.depth <= 0x1p-40 * 300, "%s: by %g, %g, %g it is still %g deep",
              input[i].name, h.nx, h.ny, h.depth, left.depth);
  }
  slow_release(input, n);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(steps_of_work);
  RUN(ways_out);
  return test_end();
}
