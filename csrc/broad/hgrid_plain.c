// collide, MIT licence (see LICENSE)
//
// The grid's loops in plain C. Layer: broad.

#include "broad/hgrid.h"

#define SWEEP_NAME cl_hgrid_plain
#define SWEEP_WITH

enum { SWEEP_SLACK = 1 };

CL_INLINE bool touch(const cl_lanes *it, const cl_lanes *reach) {
  return (it->x0 <= reach->x0) & (it->y0 <= reach->y0) & (it->minus_x1 <= reach->minus_x1) &
         (it->minus_y1 <= reach->minus_y1);
}

// Writes every pair; the next one overwrites a pair that does not count. So no
// branch depends on the data.
CL_INLINE cl_pair *test_run(cl_pair *at, const cl_lanes *reach, uint32_t id, const cl_lanes *box,
                            const cl_hgrid_tag *tag, cl_hgrid_span run) {
  for (uint32_t j = run.from; j < run.to; j++) {
    *at = (cl_pair){tag[j].id, id};
    at += touch(&box[j], reach);
  }
  return at;
}

CL_INLINE cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id, const cl_lanes *box,
                             const cl_hgrid_tag *tag, cl_hgrid_span a, cl_hgrid_span b) {
  cl_lanes reach = {-me->minus_x1, -me->minus_y1, -me->x0, -me->y0};
  at = test_run(at, &reach, id, box, tag, a);
  return test_run(at, &reach, id, box, tag, b);
}

#include "broad/hgrid_sweep.h"
