// collide, MIT licence (see LICENSE)
//
// The actors as targets of what else moves in a step: of bullets. A step is made in two
// halves, see cl_world_begin_step, and between the two the targets can be had. Layer: world.

#ifndef CL_WORLD_TARGETS_H
#define CL_WORLD_TARGETS_H

#include "geom/placed.h"

/// An actor in the step that is being made. `box` holds it on all of its straight way by
/// `motion` (world units), with what rounding may add; `at` is the end of the way, and how
/// it is turned there. The shape is the world's.
typedef struct cl_target {
  cl_bounds box;
  cl_vec motion;
  cl_placed at;
  cl_shape *shape; ///< that of `at`
  uint32_t slot;
  uint8_t group;
} cl_target;

/// The most targets that there can be.
uint32_t cl_world_target_count(const cl_world *world);

/// Writes the actors of some groups, bit g of `groups` for group g, ascending by slot, and
/// returns how many. To be called between the two halves of a step.
uint32_t cl_world_targets(const cl_world *world, uint64_t groups, cl_target *out);

/// The number that cl_world_hash finishes, for callers that add more to it; and that number as it
/// was, until the next step.
uint64_t cl_world_hash_begin(cl_world *world);
void cl_world_restore_hash(cl_world *world, uint64_t hash);

/// What rounding may add to the bounds of something that moves among coordinates up to
/// those of `box`, world units.
double cl_motion_slack(cl_bounds box);

#endif
