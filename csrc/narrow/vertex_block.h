// collide, MIT licence (see LICENSE)
//
// Small convex parts at their places: vertices and normals turned once, for all the
// pairs that a part is in. Layer: narrow.

#ifndef CL_NARROW_VERTEX_BLOCK_H
#define CL_NARROW_VERTEX_BLOCK_H

#include "geom/placed.h"

/// A block of doubles holds a sharp shape of one part with 2 to CL_BLOCK_MANY vertices at its
/// place, with room for CL_BLOCK_FEW of them if those are enough, for CL_BLOCK_MANY otherwise:
/// x and y of the place, a bound of the coordinates that went into it (for error bounds),
/// nothing; then with room for m vertices m times x, m times y, and the same of the normals.
/// Where there are fewer than that, some come again, which changes nothing. World units.
enum { CL_BLOCK_FEW = 4, CL_BLOCK_MANY = 8 };
enum { CL_BLOCK_X, CL_BLOCK_Y, CL_BLOCK_SIZE, CL_BLOCK_VERTICES = 4 };
#define CL_BLOCK(room) (CL_BLOCK_VERTICES + 4 * (room))

/// Whether a shape can be placed like that.
static inline bool cl_has_block(const cl_shape *shape) {
  const cl_part *part = shape->parts;
  return shape->part_count == 1 && part->radius == 0 && part->count > 1 &&
         part->count <= CL_BLOCK_MANY;
}

/// Whether one that can has few vertices.
static inline bool cl_has_few(const cl_shape *shape) { return shape->parts->count <= CL_BLOCK_FEW; }

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
