// collide, MIT licence (see LICENSE)
//
// The proxies: the bounds of the live actors, and what queries are asked of. Layer: world.

#ifndef CL_WORLD_PROXIES_H
#define CL_WORLD_PROXIES_H

#include "query/bvh.h"
#include "query/ray_grid.h"

enum { CL_BLOCK_HEAD = 2 };
#define CL_NO_BLOCK UINT32_MAX

/// How many blocks of either size are in use.
typedef struct cl_used {
  uint32_t few, many;
} cl_used;

/// The live actors without gaps: at their next places while a step is made, at their present ones
/// after it. Actors that were added, refreshed or removed since then make it stale only where
/// `dirty` or `state` say so. `few` and `many` are the vertex blocks of those forms that are
/// turned, one after the other, each behind CL_BLOCK_HEAD doubles, the first of which is its reach;
/// and `block`, by slot, says which block of its form, or that an angle has no part in where it is.
/// `order` and `static_version` are those of the actors when all were placed last, or 0; as long as
/// they are the same, what is static stays as it is. Where anybody is static, `listed` has the
/// numbers of the `movers` that are not, and after them, last first, those that are. `way` is there
/// while somebody is swept: boxes that hold `box` on all of the way that a step counts. `with_ways`
/// says that it was there when the statics were placed, `static_ways` that one of these had a way.
/// Boxes follow actors that are moved between two steps, once a query goes through `moving_tree`:
/// `moves` of them since it was made. `lane` has where they are in it.
typedef struct cl_proxies {
  bool current;         ///< at the present places
  bool moving_made;     ///< `moving_tree` holds the boxes of those that move
  bool ray_grid_tried;  ///< `ray_grid` has been tried on all boxes
  bool ray_grid_passed; ///< and some have changed since
  bool with_ways, static_ways;
  uint32_t count;
  uint32_t *slot;
  uint8_t *fixed;
  cl_fbox *box, *way;
  uint32_t *block;
  double *few, *many;
  uint64_t order, static_version;
  uint32_t *listed;
  uint32_t movers;
  cl_used fixed_used; ///< how many blocks are static
  size_t slot_cap, fixed_cap, box_cap, way_cap, block_cap;
  size_t few_cap, many_cap, listed_cap;
  cl_bvh fixed_tree, moving_tree;
  bool fixed_made; ///< `fixed_tree` has been made, of the order and the static version that follow
  uint64_t fixed_order, fixed_version;
  uint64_t fixed_groups, moving_groups; ///< a bit for each group that an actor in a tree belongs to
  bool groups_known;                    ///< and `fixed_tree` is as it should be
  uint32_t *lane, moves;
  size_t lane_cap;
  cl_ray_grid ray_grid;
} cl_proxies;

void cl_proxies_free(cl_proxies *proxies, const cl_alloc *alloc);

#endif
