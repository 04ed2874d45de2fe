// collide, MIT licence (see LICENSE)
//
// The actors as targets of bullets. A step has two halves, see cl_world_begin_step; the targets are
// available between them. Layer: world.

#ifndef CL_WORLD_TARGETS_H
#define CL_WORLD_TARGETS_H

#include "geom/shape.h"

/// An actor in the step in progress. `box` contains it on the whole of its straight way by `motion`
/// (world units), including rounding; `at` is the end of the way, with its rotation there. The
/// shape is the world's.
typedef struct cl_target {
  cl_bounds box;
  cl_vec motion;
  cl_placed at;
  cl_shape *shape; ///< that of `at`
  uint32_t slot;
  uint8_t group;
} cl_target;

/// The largest possible number of targets.
uint32_t cl_world_target_count(const cl_world *world);

/// Writes the actors of some groups, bit g of `groups` for group g, ascending by slot, and returns
/// how many. Call it between the two halves of a step.
uint32_t cl_world_targets(const cl_world *world, uint64_t groups, cl_target *out);

/// The number that cl_world_hash finishes, for callers that add more to it; the same number until
/// the next step.
uint64_t cl_world_hash_begin(cl_world *world);

/// What rounding may add to the bounds of something that moves among coordinates up to those of
/// `box`, in world units.
static inline double cl_motion_slack(cl_bounds b) {
  double x = cl_max(fabs(b.l), fabs(b.r)), y = cl_max(fabs(b.t), fabs(b.b));
  return 4 * CL_CAST_ERROR * (x + y);
}

/// Gives up a step after its first half: it has not begun.
void cl_world_cancel_step(cl_world *world);

#endif
