// collide, MIT licence (see LICENSE)
//
// The first difference of two snapshots of worlds: of their hits, or of the cells of their tiles.
// Layer: world.

#ifndef CL_WORLD_DIFFER_H
#define CL_WORLD_DIFFER_H

#include "world/snapshot.h"

typedef enum cl_hit_field {
  CL_DIFFERS_HIT, ///< only one has a hit of these two: `first` or `second` is 1, the other 0
  CL_DIFFERS_NX,
  CL_DIFFERS_NY,
  CL_DIFFERS_DEPTH,
  CL_DIFFERS_TIME,
} cl_hit_field;

/// The pair is of slots of the first snapshot, or, if only the second one has the hit, of the
/// second.
typedef struct cl_hit_difference {
  cl_pair pair;
  cl_hit_field field;
  double first, second;
} cl_hit_difference;

/// Whether hits of the last step differ; writes the first. `number_a` and `number_b` as in
/// cl_snapshot_number.
bool cl_snapshot_differing_hit(const cl_snapshot *a, const uint32_t *number_a, const cl_snapshot *b,
                               const uint32_t *number_b, cl_hit_difference *out);

/// The values of a cell of the tiles that are the actor's in `slot` of the first snapshot.
typedef struct cl_cell_difference {
  uint32_t slot;
  int64_t column, row;
  uint8_t first, second;
} cl_cell_difference;

/// Whether a cell of tiles differs in two snapshots with the same actors; writes the first.
bool cl_snapshot_differing_cell(const cl_snapshot *a, const cl_snapshot *b,
                                cl_cell_difference *out);

#endif
