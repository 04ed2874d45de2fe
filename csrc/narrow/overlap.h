// collide, MIT licence (see LICENSE)
//
// What overlap, ways out, distances and contacts of placed shapes have in common. Layer: narrow.

#ifndef CL_NARROW_OVERLAP_H
#define CL_NARROW_OVERLAP_H

#include "geom/shape.h"
#include "narrow/effort.h"

/// An order of placed shapes that depends on places and shapes alone. An answer computed for the
/// first and the second, and then reversed if needed, has the same bits for either order of
/// arguments. Whether `a` comes before `b`, or is the same shape at the same place. Compares what
/// all images of the two have in common, above all how far from 0, 0 they are along the farther
/// axis; only then x, y, bounds, rotation and vertices.
bool cl_comes_first(const cl_placed *a, const cl_placed *b);

/// cl_overlap. If the effort does not suffice, the way out still frees, but
/// need not be the shortest.
bool cl_overlap_within(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                       cl_hit *out);

/// Whether nothing of the shape except `part` (which it may not have) reaches farther along the
/// unit vector `out` at a point, both in the shape's frame.
bool cl_outline_leads(const cl_shape *s, uint32_t part, cl_vec at, cl_vec out);

/// The own shortest ways out of the deepest pairs of parts, as how B gets free: all of one depth,
/// none the reverse of another, that which goes first first.
enum { CL_DEEPEST = 8 };
typedef struct cl_deep_way {
  cl_hit out;
  unsigned images; ///< a bit for each cl_mtv_image of it that is as short for its pair
} cl_deep_way;
typedef struct cl_deepest {
  cl_deep_way way[CL_DEEPEST];
  int count;
  int overlaps; ///< how many pairs overlap
} cl_deepest;

/// The k-th of the eight images of a direction, in the order of cl_vec_goes_first.
static inline cl_vec cl_mtv_image(cl_vec v, int k) {
  double p = cl_max(fabs(v.x), fabs(v.y)), q = cl_min(fabs(v.x), fabs(v.y));
  if (k >= 4) return (cl_vec){k & 2 ? q : -q, k & 1 ? p : -p};
  return (cl_vec){k & 2 ? p : -p, k & 1 ? q : -q};
}

/// For two shapes that overlap. `deepest` is empty if no pair overlaps by itself; no way out is
/// shorter. If as many pairs overlap as the effort allows, only straight ways are tried, and the
/// deepest of the first pairs is enough. It takes `work` steps at most; the way is the shortest if
/// these suffice. `out` is how B gets free.
void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_deepest *deepest, long work,
            cl_effort *effort, cl_hit *out);

/// A point where two shapes that overlap or touch meet: between the surfaces of the pair of parts
/// that is deepest by itself. It needs no way out. World units.
cl_vec cl_contact_point(const cl_placed *a, const cl_placed *b);

#endif
