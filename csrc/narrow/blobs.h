// collide, MIT licence (see LICENSE)
//
// Minkowski differences b - a of parts ("blobs": convex, grown by the radii), made
// when they are asked for and kept in a cache of fixed size, so that no memory is
// needed however many there are. Layer: narrow.
//
// All coordinates are translations of a, world units, relative to where it is.

#ifndef CL_NARROW_BLOBS_H
#define CL_NARROW_BLOBS_H

#include "narrow/convex.h"
#include "narrow/pairing.h"

enum { CL_BLOBS = 256, CL_BLOB_CORNERS = 1024 };

/// Corners `first` … of the cache's ring, and its bounds with the radius and the
/// room; of large parts (n = 0) only the radius.
typedef struct cl_blob {
  uint32_t i, k;
  int first, n;
  double r;
  cl_bounds bounds;
} cl_blob;

/// A side of a blob: a straight one from v to w, or with `round` the circle of
/// the radius r about v, of which the arc from `normal` to `after` is the blob's.
typedef struct cl_side {
  cl_vec v, w, normal, after;
  double near; ///< its distance from 0, 0
  double r;
  uint32_t i, k; ///< the parts
  bool round;
} cl_side;

typedef struct cl_blobs {
  const cl_placed *a, *b;
  double room; ///< what counts as touching
  cl_convex p, q;
  uint32_t placed_i, placed_k;
  int used;
  cl_blob blob[CL_BLOBS];
  cl_vec ring[CL_BLOB_CORNERS], normal[CL_BLOB_CORNERS];
} cl_blobs;

void cl_blobs_begin(cl_blobs *c, const cl_placed *a, const cl_placed *b, double room);

/// Whether x lies in a blob or less than the room outside.
bool cl_blob_covers(cl_blobs *c, uint32_t i, uint32_t k, cl_vec x);

/// Whether a box lies in a blob (1), may cross its boundary (0) or is certain to
/// lie outside (-1).
int cl_blob_box(cl_blobs *c, uint32_t i, uint32_t k, cl_bounds box);

/// Writes those sides of a blob to `out` that may come into the box and are nearer
/// to 0, 0 than `far`, but for the first `*skip`, from which those passed by are
/// taken off; at most `most`. Returns how many.
int cl_blob_sides(cl_blobs *c, uint32_t i, uint32_t k, cl_bounds box, double far, long *skip,
                  cl_side *out, int most);

#endif
