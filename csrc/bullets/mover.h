// collide, MIT licence (see LICENSE)
//
// What a bullet or laser meets on its way: its targets, with time and normal. Layer: bullets.

#ifndef CL_BULLETS_MOVER_H
#define CL_BULLETS_MOVER_H

#include "bullets/state.h"

/// A shape on its way through a step; the shape's own place is (0, 0).
typedef struct cl_mover {
  cl_bullets *pool;
  uint64_t number;
  const cl_shape *shape, *graze; ///< graze NULL: it does not graze
  cl_vec from, to;
  cl_bounds box, graze_box; ///< of the whole way: of `shape`, and of `graze` if it has one
  double begins;            ///< when, as a share of the step
  double left;              ///< seconds until the step ends
  bool stays;               ///< no hit ends it, or none has: it remembers the targets that it is
                            ///< inside
  bool late;                ///< only its end counts
  bool bounced;             ///< it has bounced at some time: a circle, see cl_circle_entry
  bool rest;                ///< it has bounced in this step, and this is the rest of its way
} cl_mover;

/// When `shape` of a mover first touches a target that moves by `motion` in a step to the place
/// `at`, and how the mover then gets free: writes when, where and nx, ny of `out`.
bool cl_mover_cast(const cl_mover *m, const cl_shape *shape, cl_vec motion, const cl_placed *at,
                   cl_shot *out);
/// The same for the circle of a bullet that has bounced; `reported`: it had an event with this
/// target in this step. `*inside`: it is inside from the start; then `out` is written for the
/// start.
bool cl_mover_enter(const cl_mover *m, cl_vec motion, const cl_placed *at, bool reported,
                    cl_shot *out, bool *inside);
/// Whether it touches the target at the end; for one that has bounced, whether it is inside.
bool cl_mover_inside(const cl_mover *m, const cl_placed *at);

/// Computes the boxes of a mover's way.
void cl_mover_box(cl_mover *m, double radius, double graze);

/// Tests one target: appends to the fresh shots and memories.
cl_status cl_mover_meet(cl_pools *pools, const cl_mover *m, const cl_target *target);

/// A touch at the start of a step continues one from the last step, if it comes before this share
/// of the way.
#define CL_STILL_INSIDE 1e-6

#endif
