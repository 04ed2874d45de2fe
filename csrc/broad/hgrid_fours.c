// collide, MIT licence (see LICENSE)
//
// The grid's loops with vectors of four floats. Layer: broad.

#include "broad/hgrid.h"

#define SWEEP_NAME cl_hgrid_fours
#define SWEEP_WITH

enum { SWEEP_SLACK = 1 };

// Masks of the first n of four.
static const uint8_t FIRST[5] = {0, 1, 3, 7, 15};

CL_INLINE unsigned left(cl_hgrid_span run) {
  uint32_t n = run.to - run.from;
  return FIRST[n < 4 ? n : 4];
}

// Writes all four; the next ones overwrite those that do not count. So no branch
// depends on the data.
CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, uint32_t id, unsigned touched) {
  *at = (cl_pair){tag[0].id, id};
  at += touched & 1;
  *at = (cl_pair){tag[1].id, id};
  at += touched >> 1 & 1;
  *at = (cl_pair){tag[2].id, id};
  at += touched >> 2 & 1;
  *at = (cl_pair){tag[3].id, id};
  return at + (touched >> 3 & 1);
}

CL_INLINE cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id, const cl_lanes *box,
                             const cl_hgrid_tag *tag, cl_hgrid_span a, cl_hgrid_span b) {
  cl_f32x4 reach = cl_lanes_reach(me);
  do {
    unsigned in_a = cl_f32x4_rows_le(&box[a.from].x0, reach) & left(a);
    unsigned in_b = cl_f32x4_rows_le(&box[b.from].x0, reach) & left(b);
    at = write_four(at, &tag[a.from], id, in_a);
    at = write_four(at, &tag[b.from], id, in_b);
    a.from = a.from + 4 < a.to ? a.from + 4 : a.to;
    b.from = b.from + 4 < b.to ? b.from + 4 : b.to;
  } while (a.from < a.to || b.from < b.to);
  return at;
}

#include "broad/hgrid_sweep.h"
