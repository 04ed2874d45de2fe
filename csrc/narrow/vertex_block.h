// collide, MIT licence (see LICENSE)
//
// Small convex parts as vectors take them: vertices and normals turned once, for all the pairs
// that a part is in. Layer: narrow.

#ifndef CL_NARROW_VERTEX_BLOCK_H
#define CL_NARROW_VERTEX_BLOCK_H

#include "geom/placed.h"

/// A block of doubles holds the vertices of a sharp shape of one part, 2 to CL_BLOCK_MANY of
/// them, as they are turned about its place, which is left out: with room for m vertices m times
/// x, m times y, and the same of the normals. There is room for CL_BLOCK_FEW if those are enough,
/// for CL_BLOCK_MANY otherwise; where there are fewer, some come again, which changes nothing.
enum { CL_BLOCK_FEW = 4, CL_BLOCK_MANY = 8 };
#define CL_BLOCK(room) (4 * (room))

/// A block and its place. `size` is no less than any coordinate that went into it, in |x| + |y|:
/// for error bounds.
typedef struct cl_block_at {
  const double *block;
  cl_vec at;
  double size;
} cl_block_at;

static inline cl_block_at cl_block_placed(const double *block, cl_vec at, double reach) {
  return (cl_block_at){block, at, fabs(at.x) + fabs(at.y) + reach};
}

/// Whether a shape has such a block.
static inline bool cl_has_block(const cl_shape *shape) {
  const cl_part *part = shape->parts;
  return shape->part_count == 1 && part->radius == 0 && part->count > 1 &&
         part->count <= CL_BLOCK_MANY;
}

/// Whether one that can has few vertices.
static inline bool cl_has_few(const cl_shape *shape) { return shape->parts->count <= CL_BLOCK_FEW; }

/// The block of a shape that is not turned: its own arrays, which follow each other.
static inline const double *cl_own_block(const cl_shape *shape) {
  CL_CHECK(cl_has_block(shape) && shape->ny == shape->vx + 3 * (shape->vy - shape->vx));
  return shape->vx;
}

/// Write blocks of CL_BLOCK(CL_BLOCK_FEW) and CL_BLOCK(CL_BLOCK_MANY) doubles, and, unless
/// NULL, cl_placed_bounds. A large block will do for few vertices, too.
typedef struct cl_block_placing {
  void (*few)(const cl_placed *placed, double *block, cl_bounds *bounds);
  void (*many)(const cl_placed *placed, double *block, cl_bounds *bounds);
} cl_block_placing;

/// The same bits; the second only where cl_has_avx2().
extern const cl_block_placing cl_block_placing_plain;
#if CL_HAS_AVX2
extern const cl_block_placing cl_block_placing_avx2;
#endif

static inline const cl_block_placing *cl_block_placing_best(void) {
#if CL_HAS_AVX2
  if (cl_has_avx2()) return &cl_block_placing_avx2;
#endif
  return &cl_block_placing_plain;
}

#endif
