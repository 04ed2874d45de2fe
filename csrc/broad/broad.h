// collide, MIT licence (see LICENSE)
//
// The broad phase: which pairs of boxes overlap. One small interface, and one
// file for each implementation. All find the same set of pairs; `cl_broad_brute`
// is the oracle for the others. Layer: broad.

#ifndef CL_BROAD_BROAD_H
#define CL_BROAD_BROAD_H

#include "base/alloc.h"
#include "base/config.h"

#include <math.h>

/// A growing list of pairs, owned by the caller.
typedef struct cl_pairs {
  cl_pair *at;
  size_t count, cap;
} cl_pairs;

/// The boxes to compare: `count` of them (below 2^31) with l <= r and t <= b, finite. Two boxes
/// overlap when they share a point, their boundaries included. Two fixed boxes are never paired;
/// `fixed` NULL means that none is fixed. `order` and `static_version` are serial numbers that tell
/// a broad phase what it may keep from one find to the next; 0 means nothing. If `order` is the
/// same as in the last find, so are `count` and all of `fixed`. If `static_version` is the same, so
/// are the fixed boxes and their sequence, though perhaps not their indices. With `either_way`,
/// pairs may have a > b, which saves the work of turning them.
///
/// Far from 0, many small boxes may round to the same floats, so that all would overlap. With
/// `enough` above 0 a find may stop once cl_broad_has_enough is true for the pairs found. Then the
/// caller passes the same boxes in doubles as `fine`, with `enough` 0, and these decide which
/// overlap.
typedef struct cl_broad_input {
  const cl_fbox *box;
  const uint8_t *fixed;
  uint32_t count;
  uint64_t order, static_version;
  bool either_way;
  size_t enough;
  const cl_bounds *fine;
} cl_broad_input;

/// Whether a box is so small for its coordinates that rounding to floats may have grown it by an
/// eighth.
static inline bool cl_fbox_is_coarse(cl_fbox b) {
  float size = b.x1 - b.x0 > b.y1 - b.y0 ? b.x1 - b.x0 : b.y1 - b.y0;
  float x = fabsf(b.x0), y = fabsf(b.y0); // about the same at all corners of one that is small
  return size < (x > y ? x : y) * 0x1p-19f;
}

/// Whether there are more than `enough` pairs, and some of the boxes are coarse. This depends on
/// the boxes alone.
bool cl_broad_has_enough(const cl_broad_input *in, size_t pairs);

/// The options of a broad phase. `field` is where most boxes are expected; without one (`bounded`
/// false) each call uses the bounds of the boxes. It is only a hint: boxes may lie anywhere.
/// `depth` is the deepest level of a tree, at most CL_BROAD_MAX_DEPTH, since 16 bits of column
/// and 16 of row make a Morton number of 32; with 0 it follows the number of boxes.
typedef struct cl_broad_def {
  cl_alloc alloc;
  cl_fbox field;
  bool bounded;
  unsigned depth;
  bool fours; ///< use vectors of four floats, no wider ones: to compare them
} cl_broad_def;

typedef struct cl_broad cl_broad;

struct cl_broad_class {
  /// The name by which users choose it.
  const char *name;

  /// A new broad phase of this class, or NULL when out of memory.
  cl_broad *(*open)(const cl_broad_class *class, const cl_broad_def *def);

  void (*close)(cl_broad *broad);

  /// Appends every overlapping pair to `out` once, in any order. On CL_NOMEM
  /// `out` has some of them.
  cl_status (*find)(cl_broad *broad, const cl_broad_input *in, cl_pairs *out);

  /// The number of cells that held boxes in the last find; writes the first
  /// `capacity` of them to `out`.
  size_t (*cells)(const cl_broad *broad, cl_cell *out, size_t capacity);
};

/// The first member of every implementation's own struct.
struct cl_broad {
  const cl_broad_class *class;
  const char *name; ///< of the implementation that does the work, so never "auto"
  cl_alloc alloc;
};

/// Whether most boxes are coarse, judged by a few of them: then pairs found with floats are of
/// little use.
bool cl_are_mostly_coarse(const cl_broad_input *in);

/// Finds the pairs, as cl_broad_class.find does, if most boxes are coarse: it uses `in->fine` and
/// ignores `in->box`. `near` has room for as many boxes. Moved so that their common middle is at 0,
/// floats may be fine enough again, and the boxes in doubles drop the pairs that only rounding
/// made. From `in->enough` pairs on, the boxes count as a crowd that is too dense for floats even
/// there.
cl_status cl_broad_find_fine(cl_broad *broad, const cl_broad_input *in, cl_fbox *near,
                             cl_pairs *out);

#endif
