// collide, MIT licence (see LICENSE)
//
// Small convex parts laid out for vector instructions: vertices and normals are turned once for all
// the pairs that a part is in. Layer: narrow.

#ifndef CL_NARROW_VERTEX_BLOCK_H
#define CL_NARROW_VERTEX_BLOCK_H

#include "base/simd.h"
#include "geom/shape.h"

/// A block of doubles contains the vertices of a sharp shape of one part, 2 to CL_BLOCK_MANY of
/// them, turned about its place and relative to it: with room for m vertices, m times x, m times y,
/// the same of the normals, and of each edge how far along its normal it is. There is room for
/// CL_BLOCK_FEW if that is enough, otherwise for CL_BLOCK_MANY; if there are fewer vertices, some
/// are repeated, which changes nothing.
enum { CL_BLOCK_FEW = 4, CL_BLOCK_MANY = 8 };
#define CL_BLOCK(room) (5 * (room))

/// A block and its place. `size` is at least |x| + |y| of all coordinates used, for error bounds.
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

/// Whether such a shape has few vertices.
static inline bool cl_has_few(const cl_shape *shape) { return shape->parts->count <= CL_BLOCK_FEW; }

/// The block of a shape that is not turned: its own arrays, which are adjacent.
static inline const double *cl_own_block(const cl_shape *shape) {
  CL_CHECK(cl_has_block(shape) && shape->line == shape->vx + 4 * (shape->vy - shape->vx));
  return shape->vx;
}

/// Write blocks of CL_BLOCK(CL_BLOCK_FEW) and CL_BLOCK(CL_BLOCK_MANY) doubles, and, unless NULL,
/// cl_placed_bounds. A large block may contain few vertices, too.
typedef struct cl_block_placing {
  void (*few)(const cl_placed *placed, double *block, cl_bounds *bounds);
  void (*many)(const cl_placed *placed, double *block, cl_bounds *bounds);
} cl_block_placing;

/// Both give the same bits; the second needs a processor with AVX2.
extern const cl_block_placing cl_block_placing_plain;
#if CL_HAS_AVX2
extern const cl_block_placing cl_block_placing_avx2;
#endif

static inline const cl_block_placing *cl_block_placing_best(void) {
#if CL_HAS_AVX2
  if (CL_PROCESSOR_HAS("avx2")) return &cl_block_placing_avx2;
#endif
  return &cl_block_placing_plain;
}

#endif
