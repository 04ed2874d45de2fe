// collide, MIT licence (see LICENSE)
//
// Rectangles as bump.lua 3.1.7 has them, its answers to the bit: a world of items, each with its
// cells; what is met on a straight way, in bump's order; and what lies at a place or along a
// segment. All arithmetic is bump's, operation by operation. The rest of a move, its responses, is
// in csrc/lua/bump_front.c from Lua 5.3 on, else in lua/collide/bump/move.lua. Layer: bump.

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

/// How a rectangle meets another: whether they overlap at the start; the fraction of the way, or,
/// if they overlap, minus an area that grows with the overlap; the normal, and where the first
/// touches the second.
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

/// Counts the calls that add, place and remove.
const uint32_t *cl_bump_changes(const cl_bump *b);

// ---- Searches

/// An item that was found. After a change that removes it from there, its slot is CL_BUMP_NONE.
typedef struct cl_bump_found {
  uint64_t order; ///< in which items were added
  uint32_t slot;
} cl_bump_found;
#define CL_BUMP_NONE UINT32_MAX

/// How an item is met, or passed by a segment: then `ti` is where the infinite line enters, and
/// `normal` has the shares of the way where the segment enters and leaves.
typedef struct cl_bump_hit {
  cl_rect_meeting how;
  double distance; ///< of the centres, as cl_rect_distance
  uint64_t order;
  uint32_t slot, at; ///< `at` is its index before the hits were ranked
} cl_bump_hit;

/// A search, which keeps its memory for the next one, with the items that were found and the hits.
/// Those who decide about them may change the world and use other searches meanwhile.
typedef struct cl_bump_search cl_bump_search;

cl_bump_search *cl_bump_search_new(cl_bump *of);
void cl_bump_search_free(cl_bump_search *s);

/// Its world; the items found and the hits, with `count` written.
cl_bump *cl_bump_of(const cl_bump_search *s);
const cl_bump_found *cl_bump_items(const cl_bump_search *s, size_t *count);
const cl_bump_hit *cl_bump_hits(const cl_bump_search *s, size_t *count);

/// Begins a move, in which an item is met once; notes that an item was met; returns whether it was.
void cl_bump_begin(cl_bump_search *s);
cl_status cl_bump_set_met(cl_bump_search *s, uint32_t slot);
bool cl_bump_was_met(const cl_bump_search *s, uint32_t slot);

/// Finds the items that share a cell with the box around the way of a rectangle to a goal, in the
/// order of adding, except the item in the slot `own` and those met before. There are no hits yet.
cl_status cl_bump_look(cl_bump_search *s, const cl_rect *from, cl_vec goal, uint32_t own);

/// The slot of the i-th item found, for which a filter is to be called next; CL_BUMP_NONE if it is
/// gone. The second function, called after that, says whether the item is met, even if the filter
/// has removed it: then it is the last hit, and `first` says whether it is met before the others.
uint32_t cl_bump_candidate(cl_bump_search *s, size_t i);
bool cl_bump_meet(cl_bump_search *s, size_t i, bool *first);

/// Looks, and makes all hits, in any order.
cl_status cl_bump_meet_all(cl_bump_search *s, const cl_rect *from, cl_vec goal, uint32_t own);

/// The first of the hits, by ti, then by the distance of the centres, then by the order of adding,
/// which is noted as met; NULL if there is none. And puts all hits in this order.
cl_status cl_bump_first(cl_bump_search *s, const cl_bump_hit **first);
void cl_bump_rank(cl_bump_search *s);

/// Find items in the order of adding: all; those that overlap a rectangle; those that hold a point.
cl_status cl_bump_all(cl_bump_search *s);
cl_status cl_bump_query_rect(cl_bump_search *s, const cl_rect *r);
cl_status cl_bump_query_point(cl_bump_search *s, cl_vec p);

/// The hits of a segment, in the order of adding. Touching a side, or beginning or ending at one,
/// does not count, nor does an item that contains the whole segment. A corner that it passes counts
/// if bump visits a cell of the item.
cl_status cl_bump_query_segment(cl_bump_search *s, cl_vec from, cl_vec to);

#endif
