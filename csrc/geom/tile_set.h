// collide, MIT licence (see LICENSE)
//
// What the cells of tiles look like, by their value: empty, a full square, or a convex part
// of one. Layer: geom.

#ifndef CL_GEOM_TILE_SET_H
#define CL_GEOM_TILE_SET_H

#include "base/alloc.h"
#include "base/vec.h"

typedef enum cl_tile_kind { CL_TILE_EMPTY, CL_TILE_FULL, CL_TILE_PART } cl_tile_kind;

/// The four sides of a cell, in the order of a rectangle's edges.
typedef enum cl_tile_side { CL_TILE_TOP, CL_TILE_RIGHT, CL_TILE_BOTTOM, CL_TILE_LEFT } cl_tile_side;

/// What a tile covers of one side of its cell, from 0 to 1; low is above high when it covers none.
typedef struct cl_tile_span {
  double low, high;
} cl_tile_span;

/// A convex part of the cell 0 … 1, with its corners in the positive order. Corners are few, since
/// blocks of cells are made on the stack.
typedef struct cl_tile_part {
  uint32_t count;
  bool is_box; ///< an upright rectangle
  double radius, area;
  double detail; ///< its shortest edge, or least distance of a corner from its neighbours' line
  cl_vec corner[CL_TILE_CORNERS];
  cl_tile_span side[4];
} cl_tile_part;

/// Shared by counting references; it never changes.
typedef struct cl_tile_set {
  cl_alloc alloc;
  size_t size; ///< of the allocation
  uint32_t references;
  uint32_t part_count;
  bool is_round;      ///< some part has a radius
  uint8_t kind[256];  ///< by value: cl_tile_kind
  uint8_t index[256]; ///< by value: which part
  cl_tile_part part[];
} cl_tile_set;

/// A set in which 0 is empty and all other values are full, with memory for `parts` parts. NULL
/// when out of memory.
cl_tile_set *cl_tile_set_new(const cl_alloc *alloc, uint32_t parts);
cl_tile_set *cl_tile_set_retain(cl_tile_set *set);
void cl_tile_set_release(cl_tile_set *set);

/// Makes a value look like this part, whose corners, radius and area are given. The set must be
/// new, and must already have memory for the part.
void cl_tile_set_part(cl_tile_set *set, uint8_t value, const cl_tile_part *part);

/// Which side of the cell (cl_tile_side) the edge from a corner to the next lies on; -1 for none.
int cl_tile_part_side(const cl_tile_part *part, uint32_t edge);

/// What cells of a value cover of a side. In the set NULL, 0 is empty and all other values are
/// full.
cl_tile_span cl_tile_set_span(const cl_tile_set *set, uint8_t value, cl_tile_side side);

/// Below 0, 0 or above 0 for an order that depends only on what values look like. Either may be
/// NULL.
int cl_tile_set_compare(const cl_tile_set *a, const cl_tile_set *b);

#endif
