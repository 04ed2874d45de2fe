// collide, MIT licence (see LICENSE)
//
// Shared by the files that search for a way out; no other file includes it. Layer: narrow.
//
// The plane round the shapes is cut into boxes, until at most CL_MTV_PAIRS differences with
// CL_MTV_CORNERS corners in all reach into one. The answer is the shortest if that takes no more
// steps than the effort allows. If the steps run out, the answer is the best way so far, which also
// frees the shape: a straight one along the deepest pair's way or an axis, or better.

#ifndef CL_NARROW_MTV_SEARCH_H
#define CL_NARROW_MTV_SEARCH_H

#include "base/work.h"
#include "narrow/difference.h"
#include "narrow/part_pairs.h"

enum { CL_MTV_PAIRS = 256, CL_MTV_CORNERS = 2048 };

/// Making one corner of a difference takes this many steps of work.
enum { CL_MTV_STEPS_A_CORNER = 4 };

/// Side `corner` of a difference: the edge that begins there, or the arc about it.
typedef struct cl_mtv_side {
  double near; ///< a lower bound of its distance from 0, 0
  uint16_t difference, corner;
  bool arc;
} cl_mtv_side;

/// Coordinates are translations of a. `best` points from 0, 0 to the best place so far, and
/// `simple` to the best along a straight way.
typedef struct cl_mtv_search {
  const cl_placed *a, *b;
  cl_vec origin;
  cl_hit best, simple;
  double tolerance;
  bool seams;          ///< thin parts may lie on seams
  long work, straight; ///< steps left, in all and for straight ways
  cl_bounds box;       ///< the box being searched, slightly enlarged; the fields below are about it
  int last;            ///< the difference that contained the last place
  int count, corners, sides;
  cl_difference difference[CL_MTV_PAIRS];
  cl_vec v[CL_MTV_CORNERS], n[CL_MTV_CORNERS];
  double line[CL_MTV_CORNERS];
  cl_mtv_side heap[2 * CL_MTV_CORNERS];
} cl_mtv_search;

/// Takes steps from those that are left.
static inline void cl_mtv_spend(cl_mtv_search *s, long steps) {
  s->work -= steps;
  s->straight -= steps;
  CL_WORK(steps);
}

/// The steps it took to find a pair and to place it.
static inline void cl_mtv_spend_pairs(cl_mtv_search *s, cl_part_pairs *at) {
  cl_mtv_spend(s, at->steps + cl_part_pairs_vertices(at));
  at->steps = 0;
}

/// The depth from which a difference contains a place, and the depth at which it is left.
static inline double cl_mtv_held_depth(const cl_mtv_search *s, bool thin) {
  return thin && s->seams ? -s->tolerance : s->tolerance;
}
static inline double cl_mtv_left_depth(const cl_mtv_search *s, bool thin) {
  return thin && s->seams ? -2 * s->tolerance : 0;
}

/// Goes from 0, 0 along a unit vector, beginning at `from`, until nothing contains the place.
/// Returns whether that is nearer than the best so far, and makes it the best. If parts may lie on
/// seams, the place has to stay free a little farther on.
bool cl_mtv_go_straight(cl_mtv_search *s, cl_vec way, double from);

/// Takes the place at this distance along a way if nothing contains it.
bool cl_mtv_take_place(cl_mtv_search *s, cl_vec way, double distance);

/// Searches the boundary of the collected differences within the box.
void cl_mtv_search_boundary(cl_mtv_search *s);

#endif
