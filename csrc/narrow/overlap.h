// collide, MIT licence (see LICENSE)
//
// What overlap, ways out, distances and contacts of placed shapes have in common. Layer: narrow.

#ifndef CL_NARROW_OVERLAP_H
#define CL_NARROW_OVERLAP_H

#include "geom/shape.h"

// ---- how much work a way out may take

/// This many pairs of parts that overlap are compared to find the deepest; and the most steps for
/// that and a search for the shortest way out, of which a third is kept for the search: enough for
/// some thousand pairs of parts. A step is one corner of a difference examined.
enum { CL_MTV_MOST = 2048, CL_MTV_WORK = 1500000 };

/// Limits for one way out, and the work done so far for all that were asked for with this.
typedef struct cl_effort {
  int pairs;     ///< as CL_MTV_MOST
  long work;     ///< as CL_MTV_WORK
  double enough; ///< if no way out is as short as this, any depth above it will do
  long spent;    ///< steps so far
  long search;   ///< of cells one by one: the most steps before one that overlaps is found
  bool given_up; ///< none was found in these steps
} cl_effort;

/// The effort of cl_overlap.
static inline cl_effort cl_full_effort(void) {
  return (cl_effort){.pairs = CL_MTV_MOST, .work = CL_MTV_WORK, .enough = INFINITY};
}

// ---- what overlap, ways out, distances and contacts share

/// What a quick test says. A doubt is left to a slower test.
typedef enum cl_verdict { CL_APART, CL_HIT, CL_DOUBT } cl_verdict;

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

/// For two shapes none of whose parts overlap: whether they overlap as wholes, since cuts count as
/// inside (a segment or point on one) and chains continue at their corners (a crossing exactly at
/// one). Exact.
bool cl_seams_overlap(const cl_placed *a, const cl_placed *b);

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
