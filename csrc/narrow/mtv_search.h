// collide, MIT licence (see LICENSE)
//
// What the files that search for a way out share; nobody else includes it. Layer: narrow.
//
// The plane about the shapes is cut into boxes, until at most CL_MTV_PAIRS differences with
// CL_MTV_CORNERS corners in all come into one. The answer is the shortest as long as that
// takes no more than CL_MTV_WORK steps (a step: a corner of a difference looked at), which
// is enough for some thousand pairs of parts. Where they run out the best way so far counts,
// which frees as well: a straight one along the deepest pair's way or an axis, or better.

#ifndef CL_NARROW_MTV_SEARCH_H
#define CL_NARROW_MTV_SEARCH_H

#include "base/work.h"
#include "narrow/difference.h"
#include "narrow/part_pairs.h"

enum { CL_MTV_PAIRS = 256, CL_MTV_CORNERS = 2048, CL_MTV_WORK = 1500000 };

/// A corner of a difference that is made takes so many steps of work.
enum { CL_MTV_STEPS_A_CORNER = 4 };

/// Side `corner` of a difference: the edge that begins there, or the arc about it.
typedef struct cl_mtv_side {
  double near; ///< a lower bound of its distance from 0, 0
  uint16_t difference, corner;
  bool arc;
} cl_mtv_side;

/// Coordinates are translations of a. `best` points from 0, 0 to the best place so far.
typedef struct cl_mtv_search {
  const cl_placed *a, *b;
  cl_vec origin;
  cl_hit best;
  double tolerance;
  bool seams;          ///< where thin parts may lie on
  long work, straight; ///< steps that are left, in all and for straight ways
  cl_bounds box;       ///< that is searched, and a little more; what follows is of it
  int last;            ///< the difference that held the last place
  int count, corners, sides;
  cl_difference difference[CL_MTV_PAIRS];
  cl_vec v[CL_MTV_CORNERS], n[CL_MTV_CORNERS];
  cl_mtv_side heap[2 * CL_MTV_CORNERS];
} cl_mtv_search;

/// Takes from the steps that are left.
static inline void cl_mtv_spend(cl_mtv_search *s, long steps) {
  s->work -= steps;
  s->straight -= steps;
  CL_WORK(steps);
}

/// What it took to come to a pair, and to place it.
static inline void cl_mtv_spend_pairs(cl_mtv_search *s, cl_part_pairs *at) {
  cl_mtv_spend(s, at->steps + cl_part_pairs_vertices(at));
  at->steps = 0;
}

/// At which depth a difference begins to hold a place, and at which it is left.
static inline double cl_mtv_held_depth(const cl_mtv_search *s, bool thin) {
  return thin && s->seams ? -s->tolerance : s->tolerance;
}
static inline double cl_mtv_left_depth(const cl_mtv_search *s, bool thin) {
  return thin && s->seams ? -2 * s->tolerance : 0;
}

/// From 0, 0 along a unit vector, beginning at `from`, until nothing holds the place; whether
/// that is nearer than the best so far, which it then is. Where parts may lie on seams the
/// place has to be free a little farther on.
bool cl_mtv_go_straight(cl_mtv_search *s, cl_vec way, double from);

/// Goes through the boundary of the differences that are collected, within the box.
void cl_mtv_search_boundary(cl_mtv_search *s);

#endif
