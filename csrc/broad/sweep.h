// collide, MIT licence (see LICENSE)
//
// The innermost loop that all trees share: one box against a run of boxes.
// Layer: broad.

#ifndef CL_BROAD_SWEEP_H
#define CL_BROAD_SWEEP_H

#include "base/f32x4.h"
#include "base/work.h"
#include "broad/crowd.h"

/// A box with its far corner negated: then the four comparisons that decide an
/// overlap all go the same way, and are one instruction where a vector has four
/// lanes.
typedef struct cl_lanes {
  float x0, y0, minus_x1, minus_y1;
} cl_lanes;

/// Boxes in the order in which a tree has laid them out; `id` gives their place
/// in the input, `fixed` is as there.
typedef struct cl_run {
  cl_lanes *box;
  uint32_t *id;
  uint8_t *fixed;
} cl_run;

static inline cl_lanes cl_lanes_of(cl_fbox b) { return (cl_lanes){b.x0, b.y0, -b.x1, -b.y1}; }

/// The same, from one array to another: a load, a change of two signs, a store.
static inline void cl_lanes_put(cl_lanes *to, const cl_fbox *from) {
  cl_f32x4_store(&to->x0, cl_f32x4_neg_high(cl_f32x4_load(&from->x0)));
}

/// A box with its corners exchanged, as cl_lanes_touch takes it.
static inline cl_f32x4 cl_lanes_reach(const cl_lanes *me) {
  return cl_f32x4_neg(cl_f32x4_swapped(cl_f32x4_load(&me->x0)));
}

/// Whether `it` shares a point with another box, whose cl_lanes_reach is `reach`: on both axes it
/// starts no later than the other ends, and ends no sooner than the other starts.
static inline bool cl_lanes_touch(const cl_lanes *it, cl_f32x4 reach) {
  return cl_f32x4_le(cl_f32x4_load(&it->x0), reach) == 15;
}

/// Appends the pairs of box `i` of `mine` with the boxes `from` to `to` (not
/// included) of `run`. Every pair is written, and the next one overwrites it if
/// it does not count: no branch depends on the data.
static inline cl_status cl_sweep(const cl_alloc *alloc, const cl_run *mine, uint32_t i,
                                 const cl_run *run, uint32_t from, uint32_t to, cl_guard *guard,
                                 cl_pairs *out) {
  guard->left -= to - from;
  CL_WORK(1 + (to - from) / 4);
  if (guard->left < 0 && !cl_guard_allows(guard, out->count)) return CL_CROWDED;
  if (from == to) return CL_OK;
  if (out->count + (to - from) > out->cap) {
    cl_status status = CL_RESERVE(alloc, out->at, out->cap, out->count + (to - from));
    if (status != CL_OK) return status;
  }
  cl_f32x4 reach = cl_lanes_reach(&mine->box[i]);
  uint32_t id = mine->id[i];
  uint8_t fixed = mine->fixed[i];
  cl_pair *at = out->at + out->count;
  for (uint32_t j = from; j < to; j++) {
    uint32_t other = run->id[j];
    *at = (cl_pair){id < other ? id : other, id < other ? other : id};
    at += cl_lanes_touch(&run->box[j], reach) & !(fixed & run->fixed[j]);
  }
  out->count = (size_t)(at - out->at);
  return CL_OK;
}

#endif
