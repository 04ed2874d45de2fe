// collide, MIT licence (see LICENSE)
//
// Declarations shared by overlap, ways out, distances and contacts of placed shapes. Layer: narrow.

#ifndef CL_NARROW_OVERLAP_H
#define CL_NARROW_OVERLAP_H

#include "geom/shape.h"

// ---- how much work a way out may take

/// CL_MTV_MOST: this many pairs of overlapping parts are compared to find the deepest. CL_MTV_WORK:
/// the most steps for that and for the search for the shortest way out, which has a third of them:
/// enough for some thousand pairs of parts. A step is one corner of a difference examined.
enum { CL_MTV_MOST = 2048, CL_MTV_WORK = 1500000 };

/// Limits for one way out, and the work so far for all ways out that used this struct.
typedef struct cl_effort {
  int pairs;     ///< as CL_MTV_MOST
  long work;     ///< as CL_MTV_WORK
  double enough; ///< if no way out is this short, any depth above it will do
  long spent;    ///< steps so far
  long search;   ///< for cells one by one: the most steps to find one that overlaps
  bool given_up; ///< no cell was found in these steps
} cl_effort;

/// The effort of cl_overlap.
static inline cl_effort cl_full_effort(void) {
  return (cl_effort){.pairs = CL_MTV_MOST, .work = CL_MTV_WORK, .enough = INFINITY};
}

// ---- what overlap, ways out, distances and contacts share

/// The result of a quick test. In doubt, a slower test decides.
typedef enum cl_verdict { CL_APART, CL_HIT, CL_DOUBT } cl_verdict;

/// An order of placed shapes that depends on places and shapes alone: whether `a` comes before `b`,
/// or is the same shape at the same place. An answer computed in this order, and then reversed if
/// needed, has the same bits for either order of arguments. Compares first properties that all
/// images of the two share, above all how far from 0, 0 they are along the farther axis; only then
/// x, y, bounds, rotation and vertices.
bool cl_comes_first(const cl_placed *a, const cl_placed *b);

/// As cl_overlap. If the effort is not enough, the way out still frees, but need not be the
/// shortest.
bool cl_overlap_within(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                       cl_hit *out);

/// For two shapes of which no parts overlap: whether they overlap as wholes, because a segment or
/// point lies on a cut, or chains cross exactly at a corner. Exact.
bool cl_seams_overlap(const cl_placed *a, const cl_placed *b);

/// Whether no part of the shape except `part` (which may be none) reaches farther along the unit
/// vector `out` at a point, both in the shape's frame.
bool cl_outline_leads(const cl_shape *s, uint32_t part, cl_vec at, cl_vec out);

/// The shortest ways out of the deepest pairs of parts, for each pair alone, as how B gets free:
/// all have one depth, none is the reverse of another, and they are in the order of
/// cl_vec_goes_first.
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

/// The way out of two shapes that overlap; `out` is how B gets free. No way out is shorter than
/// those in `deepest`, which is empty if no pair overlaps alone. If as many pairs overlap as the
/// effort allows, only straight ways are tried, and the deepest of the first pairs is enough. Takes
/// at most `work` steps; if these are enough, the way is the shortest.
void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_deepest *deepest, long work,
            cl_effort *effort, cl_hit *out);

/// A point where two shapes that overlap or touch meet: between the surfaces of the deepest pair of
/// parts. It needs no way out. World units.
cl_vec cl_contact_point(const cl_placed *a, const cl_placed *b);

#endif
