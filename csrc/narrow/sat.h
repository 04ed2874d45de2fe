// collide, MIT licence (see LICENSE)
//
// Separating axes of small convex parts, with vector instructions. The vertices and normals of a
// part are turned once, into a block, for all the pairs that it is in; then many pairs of blocks
// are tested one after another, four axes at once. Layer: narrow.

#ifndef CL_NARROW_SAT_H
#define CL_NARROW_SAT_H

#include "base/simd.h"
#include "base/vec.h"
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

/// Writes a block with room for CL_BLOCK_FEW or CL_BLOCK_MANY vertices, and, unless NULL,
/// cl_placed_bounds. A large block may contain few vertices, too.
CL_KERNEL_PAIR(void, cl_place_block,
               (const cl_placed *placed, int room, double *block, cl_bounds *bounds));

/// Two placed parts.
typedef struct cl_couple {
  cl_block_at a, b;
} cl_couple;

/// Which parts of a couple have room for few vertices only.
typedef enum cl_rooms { CL_BOTH_FEW, CL_A_FEW, CL_B_FEW, CL_NONE_FEW } cl_rooms;

/// The results about couples, by their indices, in the caller's arrays. `hit[i]` is for couple
/// `which[i]`; its vector is how its `a` gets free. Each array has room for all couples that are
/// tested.
typedef struct cl_verdicts {
  cl_hit *hit;
  uint32_t *which, *doubt;
  uint32_t hits, doubts;
} cl_verdicts;

/// Tests `count` couples, none of them two upright rectangles. Appends those that overlap, with the
/// same bits as cl_overlap gives, and, as doubts, those that tie or that rounding leaves open;
/// cl_overlap decides these.
CL_KERNEL_PAIR(void, cl_test_couples,
               (const cl_couple *couple, uint32_t count, cl_rooms rooms, cl_verdicts *out));

/// The same for one pair of shapes that have blocks. `out` is written when they hit.
typedef enum cl_verdict { CL_APART, CL_HIT, CL_DOUBT } cl_verdict;
cl_verdict cl_sat_verdict(const cl_placed *a, const cl_placed *b, cl_hit *out);

#endif
