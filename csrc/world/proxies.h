// collide, MIT licence (see LICENSE)
//
// The proxies: the bounds of the live actors, and the trees for queries. Layer: world.

#ifndef CL_WORLD_PROXIES_H
#define CL_WORLD_PROXIES_H

#include "query/bvh.h"

enum { CL_BLOCK_HEAD = 2 };
#define CL_NO_BLOCK UINT32_MAX

/// How many blocks of either size are in use.
typedef struct cl_used {
  uint32_t few, many;
} cl_used;

/// The live actors without gaps: at their next places during a step, at their present ones after
/// it. Actors that were added, refreshed or removed since then make it stale only where `dirty` or
/// `state` say so.
/// `few` and `many` are the vertex blocks of turned shapes of those forms, one after another, each
/// after CL_BLOCK_HEAD doubles, the first of which is its reach. `block`, by slot, is the number of
/// the block of its form, or says that an angle does not affect the area covered.
/// `order` and `static_version` are those of the actors when all were placed last, or 0; as long as
/// they are the same, the static part stays as it is. If any actor is static, `listed` has the
/// numbers of the `movers` that are not, followed by the static ones in reverse.
/// `way` is set while some actor is swept: boxes that contain `box` on the whole way that a step
/// counts. `with_ways` says that it was set when the statics were placed, `static_ways` that one of
/// these had a way.
/// `is_fine` says that trees have the boxes in doubles too, because some are very small for their
/// places: for `fine_for` more steps. `fixed_fine` is what it was when `fixed_tree` was made.
/// Boxes follow actors that are moved between two steps, once a query uses `moving_tree`: `moves`
/// of them since it was made. `lane` has their positions in it.
typedef struct cl_proxies {
  bool current;         ///< at the present places
  bool moving_made;     ///< `moving_tree` has the boxes of the moving actors
  bool ray_grid_tried;  ///< `ray_grid` has been tried on all boxes
  bool ray_grid_passed; ///< and some have changed since
  bool with_ways, static_ways;
  bool is_fine, fixed_fine;
  uint32_t fine_for;
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
  bool fixed_made; ///< `fixed_tree` has been made, with the order and the static version below
  uint64_t fixed_order, fixed_version;
  uint64_t fixed_groups, moving_groups; ///< a bit for each group with an actor in the tree
  bool groups_known;                    ///< and `fixed_tree` is up to date
  uint32_t *lane, moves;
  size_t lane_cap;
  cl_ray_grid ray_grid;
} cl_proxies;

void cl_proxies_free(cl_proxies *proxies, const cl_alloc *alloc);

#endif
