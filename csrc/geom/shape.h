// collide, MIT licence (see LICENSE)
//
// What shapes are made of: one or more convex parts. Layer: geom.
//
// A part is the convex hull of its vertices, grown by a radius: a circle is one
// vertex and a radius, a capsule two, a segment two without radius, a polygon
// three or more. Kinds matter only where a user sees them; the narrow phase sees parts.

#ifndef CL_GEOM_SHAPE_H
#define CL_GEOM_SHAPE_H

#include "base/alloc.h"
#include "geom/box.h"
#include "base/vec.h"

/// Bits of cl_shape.flags.
enum {
  CL_SHAPE_UPRIGHT = 1, ///< ignores its actor's angle
  CL_SHAPE_ROUND = 2,   ///< has a radius somewhere: unequal scales are invalid
  CL_SHAPE_THIN = 4,    ///< has a segment or point somewhere
};

/// Bits of cl_part.flags.
enum {
  CL_PART_BOX = 1, ///< the rectangle `bounds`, compared exactly while upright
};

/// A convex part: `count` vertices from `first` on in the shape's arrays, in the
/// order that makes cl_orient positive. Edge i runs from vertex i to the next
/// (round); a part of one vertex has no edge, one of two has an edge each way.
typedef struct cl_part {
  uint32_t first, count, flags;
  double radius;
  double reach;     ///< no vertex is farther from 0, 0 than this, in |x| + |y|
  cl_bounds bounds; ///< with the radius; a rectangle's are l, t, l + w, t + h as doubles
} cl_part;

/// Whether it is a segment or a point, which have no interior.
static inline bool cl_part_is_thin(const cl_part *part) {
  return part->count < 3 && part->radius == 0;
}

typedef struct cl_part_node cl_part_node; // geom/part_bvh.h

/// Only functions of geom/ write it; those of other layers may read it.
struct cl_shape {
  cl_shape_kind kind;
  uint32_t flags;
  uint32_t references;
  uint32_t part_count;
  uint32_t outline_count;
  uint32_t member_count;
  uint32_t levels;           ///< of compounds within compounds; 0 for other shapes
  cl_bounds bounds;          ///< of all parts
  double area;               ///< of all parts (a compound's overlaps count twice)
  double radius;             ///< of a circle or capsule, else 0
  double w, h;               ///< of a rectangle as given, else of the bounds
  bool closed;               ///< of a chain: the last point is joined to the first
  double reach;              ///< largest of the parts' (reach + radius)
  const cl_part *parts;      ///< `part_count`
  const double *vx, *vy;     ///< vertices; a part's arrays are padded to 4 with its last one,
  const double *nx, *ny;     ///< unit outward normal of the edge that begins at each vertex,
  const double *line;        ///< and how far along it the edge is from 0, 0: of its two ends the
                             ///< farther, so that it is the same whichever of them comes first;
                             ///< of a shape of one part the five arrays follow each other
  const uint8_t *inner;      ///< per edge: 1 when it was made by a cut and lies inside the shape
  const cl_part_node *nodes; ///< of many parts: a tree over them (geom/part_bvh.h)
  const uint32_t *order;     ///< and the parts in the order of its leaves
  const cl_vec *outline;     ///< `outline_count` points, as returned by `points`
  struct cl_shape **members; ///< `member_count` shapes of a compound, a reference to each
  struct cl_grid *grid;      ///< of tiles, a reference
  double cell;               ///< of tiles: a cell's side
  struct cl_tile_set
      *set; ///< of tiles: what values look like, a reference; NULL: all but 0 are full
  cl_alloc alloc;
  size_t size; ///< of the allocation that holds all of this
};

/// Whether a shape is one rectangle, as of a compound with one member, too.
static inline bool cl_shape_is_box(const cl_shape *s) {
  return s->part_count == 1 && (s->parts->flags & CL_PART_BOX);
}

#endif
