// collide, MIT licence (see LICENSE)
//
// Shapes: immutable values in the local frame of whoever carries them, made of
// one or more convex parts. Layer: geom.
//
// A part is the convex hull of its vertices, grown by a radius: a circle is one
// vertex and a radius, a capsule two, a segment two without radius, a polygon
// three or more. All kinds are told apart only where a user sees them; the
// narrow phase sees parts.
//
// Every constructor takes world units, copies what it is given, writes `*out` on
// CL_OK only (the caller then owns one reference) and returns CL_INVALID when a
// number is not finite, a coordinate or size is beyond CL_MAX_COORD, or a size is
// not as its comment says.

#ifndef CL_GEOM_SHAPE_H
#define CL_GEOM_SHAPE_H

#include <stdint.h>

#include "base/alloc.h"
#include "geom/box.h"
#include "base/vec.h"

typedef enum cl_shape_kind {
  CL_RECTANGLE,
  CL_CIRCLE,
  CL_CAPSULE,
  CL_SEGMENT,
  CL_POLYGON,
  CL_CHAIN,
  CL_COMPOUND,
  CL_TILES, ///< see geom/tiles.h: it has no parts
} cl_shape_kind;

/// Bits of cl_shape.flags.
enum {
  CL_SHAPE_UPRIGHT = 1, ///< ignores its actor's angle
  CL_SHAPE_ROUND = 2,   ///< has a radius somewhere: unequal scales are invalid
  CL_SHAPE_THIN = 4,    ///< has a segment or point somewhere
};

/// Bits of cl_part.flags.
enum {
  CL_PART_BOX = 1, ///< the rectangle `bounds`: upright, it is compared exactly
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

/// Whether it is a segment or a point: without inside.
static inline bool cl_part_is_thin(const cl_part *part) {
  return part->count < 3 && part->radius == 0;
}

typedef struct cl_part_node cl_part_node; // geom/part_bvh.h

/// Only functions of geom/ write it; everybody may read it.
typedef struct cl_shape {
  cl_shape_kind kind;
  uint32_t flags;
  uint32_t references;
  uint32_t part_count;
  uint32_t outline_count;
  uint32_t member_count;
  uint32_t levels;           ///< of compounds within compounds; 0 for what is none
  cl_bounds bounds;          ///< of all parts
  double area;               ///< of all parts (a compound's overlaps count twice)
  double radius;             ///< of a circle or capsule, else 0
  double w, h;               ///< of a rectangle as given, else of the bounds
  bool closed;               ///< of a chain: the last point is joined to the first
  double reach;              ///< largest of the parts' (reach + radius)
  const cl_part *parts;      ///< `part_count`
  const double *vx, *vy;     ///< vertices; a part's arrays are padded to 4 with its last one
  const double *nx, *ny;     ///< unit outward normal of the edge that begins at each vertex
  const uint8_t *inner;      ///< per edge: 1 when it was made by a cut and lies inside the shape
  const cl_part_node *nodes; ///< of many parts: a tree over them (geom/part_bvh.h)
  const uint32_t *order;     ///< and the parts in the order of its leaves
  const cl_vec *outline;     ///< `outline_count` points, as `points` tells them
  struct cl_shape **members; ///< `member_count` shapes of a compound, a reference to each
  struct cl_grid *grid;      ///< of tiles, a reference
  double cell;               ///< of tiles: a cell's side
  cl_alloc alloc;
  size_t size; ///< of the allocation that holds all of this
} cl_shape;

/// x, y: the top left corner; w, h > 0.
cl_status cl_shape_rectangle(const cl_alloc *alloc, double x, double y, double w, double h,
                             cl_shape **out);
/// x, y: the centre; r > 0.
cl_status cl_shape_circle(const cl_alloc *alloc, double x, double y, double r, cl_shape **out);

/// r > 0; the ends may be one point.
cl_status cl_shape_capsule(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           double r, cl_shape **out);
/// The ends must differ.
cl_status cl_shape_segment(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           cl_shape **out);

/// What is wrong with a list of points. `i` and `j` count the points as given,
/// from 0.
typedef enum cl_fault_kind {
  CL_FAULT_NONE,
  CL_FAULT_NUMBER, ///< a coordinate of point i
  CL_FAULT_FEW,    ///< fewer different points than the shape needs
  CL_FAULT_FLAT,   ///< all points lie in a line: no area
  CL_FAULT_CROSS,  ///< the edges that begin at points i and j cross or touch
} cl_fault_kind;

typedef struct cl_fault {
  cl_fault_kind kind;
  uint32_t i, j;
} cl_fault;

/// `count` points x, y, x, y, …: the outline of a simple polygon, in either
/// direction, convex or not. Points equal to the one before are dropped. On
/// CL_INVALID `fault` says why.
cl_status cl_shape_polygon(const cl_alloc *alloc, const double *xy, uint32_t count, cl_fault *fault,
                           cl_shape **out);
/// Segments from point to point, and with `closed` from the last to the first;
/// they may cross. At least two different points, closed three.
cl_status cl_shape_chain(const cl_alloc *alloc, const double *xy, uint32_t count, bool closed,
                         cl_fault *fault, cl_shape **out);
/// One or more shapes, to each of which the compound takes a reference of its
/// own. CL_INVALID when some are upright and others are not, for tiles, which have no
/// parts, and beyond CL_SHAPE_LEVELS of compounds within compounds, since they are walked
/// by recursion. One of upright shapes is upright.
enum { CL_SHAPE_LEVELS = 64 };
cl_status cl_shape_compound(const cl_alloc *alloc, cl_shape *const *members, uint32_t count,
                            cl_shape **out);

/// Shapes are shared by counting references; the last release frees. Counting is
/// not atomic: a shape stays within one thread.
cl_shape *cl_shape_retain(cl_shape *shape);
void cl_shape_release(cl_shape *shape);

/// New shapes: CL_INVALID when a result would not be a valid shape. All keep
/// `upright`. A rectangle turned by an angle other than 0 becomes a polygon.
cl_status cl_shape_translated(cl_shape *shape, double dx, double dy, cl_shape **out);
/// |angle| <= CL_MAX_ANGLE, about 0, 0.
cl_status cl_shape_rotated(cl_shape *shape, double angle, cl_shape **out);
/// About 0, 0; below 0 mirrors. CL_INVALID for a scale of 0, and for |sx| != |sy|
/// of a round shape.
cl_status cl_shape_scaled(cl_shape *shape, double sx, double sy, cl_shape **out);
/// Translated so that the middle of its bounds is at 0, 0.
cl_status cl_shape_centered(cl_shape *shape, cl_shape **out);
/// The same shape, but ignoring the angle of its actor.
cl_status cl_shape_upright(cl_shape *shape, cl_shape **out);
/// Part `index` (0-based) as a convex shape of its own.
cl_status cl_shape_part(cl_shape *shape, uint32_t index, cl_shape **out);

/// Points as the user gave them (repeated ones dropped): a rectangle's four, a
/// circle's centre, a compound's members' one after the other. Members that are shared
/// count each time, so there may be more than memory could hold.
uint64_t cl_shape_point_count(const cl_shape *shape);
cl_vec cl_shape_point(const cl_shape *shape, uint64_t index);

#endif
