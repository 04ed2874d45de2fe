// collide, MIT licence (see LICENSE)
//
// Rectangles as bump.lua 3.1.7 has them, its answers to the bit: a world of items, each with its
// cells; what is met on a straight way, in bump's order; and what lies at a place or along a
// segment. All arithmetic is bump's, operation by operation. The rest of a move, its responses, is
// in lua/collide/bump/move.lua. Layer: bump.

#ifndef CL_BUMP_BUMP_H
#define CL_BUMP_BUMP_H

#include "base/config.h"

/// A rectangle: its corner with the least coordinates, and its size, which is positive.
typedef struct cl_rect {
  double x, y, w, h;
} cl_rect;

/// The part of a segment inside a rectangle: the shares of its way where this begins and ends, and
/// the normals of the sides there.
typedef struct cl_clip {
  double t1, t2;
  cl_vec n1, n2;
} cl_clip;

/// How a rectangle meets another: whether they overlap at the start; the share of the way, or, if
/// they overlap, minus an area that grows with the overlap; the normal, and where the first touches
/// the second.
typedef struct cl_rect_meeting {
  bool overlaps;
  double ti;
  cl_vec normal, touch;
} cl_rect_meeting;

/// Whether the point lies inside by more than 1e-10; and whether two share more than a boundary.
bool cl_rect_holds(const cl_rect *r, cl_vec p);
bool cl_rect_overlaps(const cl_rect *a, const cl_rect *b);

/// The corner nearest to a point; of two that are equally near, the one with higher coordinates.
cl_vec cl_rect_corner(const cl_rect *r, cl_vec p);

/// The Minkowski difference b − a, and the square of the distance of the centres.
cl_rect cl_rect_difference(const cl_rect *a, const cl_rect *b);
double cl_rect_distance(const cl_rect *a, const cl_rect *b);

/// Clips a segment between the shares c->t1 and c->t2 of its way, where the normals are 0. False
/// if no part is inside.
bool cl_rect_clip(const cl_rect *r, cl_vec from, cl_vec to, cl_clip *c);

/// Whether `a` meets `b` on its way to a goal. If they overlap, `a` is taken out against the
/// direction of its motion or, if it does not move, by the shortest way.
bool cl_rect_meet(const cl_rect *a, const cl_rect *b, cl_vec goal, cl_rect_meeting *m);

// ---- Worlds

/// Items in cells of one size. Their slots are used again after removal.
typedef struct cl_bump cl_bump;

/// With smaller cells, different cells far from the origin would get the same number.
#define CL_BUMP_MIN_CELL 1e-3

/// Searches keep their world: it is freed with the last of them.
cl_bump *cl_bump_new(const cl_alloc *alloc, double cell);
void cl_bump_release(cl_bump *b);

/// Makes room for one more item and writes its slot; and adds it there.
cl_status cl_bump_reserve(cl_bump *b, uint32_t *slot);
void cl_bump_add(cl_bump *b, uint32_t slot, cl_rect at);

/// For the slot of an item.
void cl_bump_place(cl_bump *b, uint32_t slot, cl_rect at);
void cl_bump_remove(cl_bump *b, uint32_t slot);
bool cl_bump_has(const cl_bump *b, uint32_t slot);

/// The first and last column and row of an item. Columns and rows count from 1. An item whose width
/// or height is lost in rounding is in no cell: then its first is infinite.
cl_bounds cl_bump_cells(const cl_bump *b, uint32_t slot);

uint32_t cl_bump_count(const cl_bump *b);

// ---- Searches

/// An item that was found, and how it is met. On a segment, `ti` is where the infinite line enters,
/// and `normal` has the shares of the way where the segment enters and leaves.
typedef struct cl_bump_hit {
  cl_rect_meeting how;
  double distance;   ///< of the centres, as cl_rect_distance
  uint64_t order;    ///< in which items were added
  uint32_t slot, at; ///< `at` is its index among those found, in the order of adding
  bool met;
} cl_bump_hit;

/// A search, which keeps its memory for the next one, and what was found. Those who decide about
/// what was found may change the world and use other searches meanwhile.
typedef struct cl_bump_search cl_bump_search;

cl_bump_search *cl_bump_search_new(cl_bump *of);
void cl_bump_search_free(cl_bump_search *s);

/// Its world, and what was found, with `count` written.
cl_bump *cl_bump_of(const cl_bump_search *s);
cl_bump_hit *cl_bump_found(cl_bump_search *s, size_t *count);

/// Begins a move, in which an item is met once; notes that one was met, and tells.
void cl_bump_begin(cl_bump_search *s);
cl_status cl_bump_set_met(cl_bump_search *s, uint32_t slot);
bool cl_bump_was_met(const cl_bump_search *s, uint32_t slot);

/// Finds what a rectangle meets on its way to a goal, except the item in the slot `own` and those
/// met before. If `all`, also those that share a cell with the box around the way and are not met,
/// in the order of adding.
cl_status cl_bump_look(cl_bump_search *s, const cl_rect *from, cl_vec goal, uint32_t own, bool all);

/// Looks again at those found, from the i-th on, after a change of the world. Those after the i-th
/// that are gone get the slot CL_BUMP_NONE.
void cl_bump_look_again(cl_bump_search *s, size_t i);
#define CL_BUMP_NONE UINT32_MAX

/// The first of those that are met, by ti, then by the distance of the centres, then by the order
/// of adding, which is noted as met; NULL if there is none. And all of them in this order:
/// cl_bump_rank leaves no others.
cl_status cl_bump_first(cl_bump_search *s, const cl_bump_hit **first);
void cl_bump_rank(cl_bump_search *s);

/// Find items in the order of adding: all; those that overlap a rectangle; those that hold a point.
cl_status cl_bump_all(cl_bump_search *s);
cl_status cl_bump_query_rect(cl_bump_search *s, const cl_rect *r);
cl_status cl_bump_query_point(cl_bump_search *s, cl_vec p);

/// Finds the items that a segment passes through, in the order of adding. Touching a side, or
/// beginning or ending at one, does not count, nor does an item that contains the whole segment. A
/// corner that it passes counts if bump visits a cell of the item.
cl_status cl_bump_query_segment(cl_bump_search *s, cl_vec from, cl_vec to);

#endif
