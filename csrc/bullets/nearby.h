// collide, MIT licence (see LICENSE)
//
// Which of many boxes are near something: a coarse map for a great many moving points, and a tree
// for a few questions. Layer: bullets.
//
// One lookup in the map shows that a point is near none. A cell lists the boxes that reach into it
// or one of the eight around it. So a point that moves by at most one cell on each axis can only
// meet boxes in the list of the cell where it starts. Two cells at each edge have no boxes: points
// outside count as in the outermost cell. If there are few points or boxes, testing all of them is
// less work than making cells: then there is one cell, which lists all boxes. Where most boxes
// crowd in a few cells, because others are very far away, a tree of the boxes answers in place of
// the lists.

#ifndef CL_BULLETS_NEARBY_H
#define CL_BULLETS_NEARBY_H

#include "base/simd.h"
#include "geom/box.h"
#include "query/bvh.h"

/// A tree of boxes that is made when it is first needed; `found` is its last answer.
typedef struct cl_box_finder {
  cl_fbox *box;
  size_t box_cap;
  cl_bvh bvh;
  cl_found found;
  bool made;
} cl_box_finder;

void cl_box_finder_free(cl_box_finder *finder, const cl_alloc *alloc);

/// Lists in `found` those of `count` boxes that may touch a box: of a few, all. `box_of` gives box
/// i.
typedef cl_bounds cl_box_of(void *user, uint32_t i);
cl_status cl_box_finder_find(cl_box_finder *finder, const cl_alloc *alloc, uint32_t count,
                             cl_box_of *box_of, void *user, cl_bounds box);

typedef struct cl_nearby {
  double x, y;           ///< left, top
  double scale;          ///< cells per unit
  double last_x, last_y; ///< the outermost cell
  uint32_t columns, rows;
  uint8_t *occupied; ///< by cell: its list is not empty
  uint32_t *start;   ///< by cell: where its list begins; one more for the end
  uint32_t *item;    ///< numbers of boxes, ascending in each list
  size_t occupied_cap, start_cap, item_cap;
  bool crowded;       ///< the tree answers
  cl_box_finder tree; ///< of the boxes as they are
  cl_bounds *fine;
  size_t fine_cap;
  double reach;
  cl_alloc alloc;
} cl_nearby;

/// The boxes of a map: `count` of them, `stride` bytes apart. All are grown by `reach`. Those that
/// do not touch `within` then are left out; NULL leaves out none.
typedef struct cl_nearby_boxes {
  const cl_bounds *box;
  size_t stride;
  uint32_t count;
  double reach;
  const cl_bounds *within;
} cl_nearby_boxes;

/// Builds the map for `points` points. Cells are no smaller than `least`. After CL_NOMEM the map
/// must not be used until it has been built.
cl_status cl_nearby_build(cl_nearby *field, const cl_alloc *alloc, const cl_nearby_boxes *boxes,
                          uint32_t points, double least);
void cl_nearby_free(cl_nearby *field, const cl_alloc *alloc);

/// The box of a straight way.
static inline cl_bounds cl_way_box(cl_vec from, cl_vec to) {
  return (cl_bounds){cl_min(from.x, to.x), cl_min(from.y, to.y), cl_max(from.x, to.x),
                     cl_max(from.y, to.y)};
}

/// The column of x and the row of y: monotone in them.
static inline int32_t cl_nearby_column(const cl_nearby *f, double x) {
  return (int32_t)cl_min(cl_max((x - f->x) * f->scale, 0), f->last_x);
}
static inline int32_t cl_nearby_row(const cl_nearby *f, double y) {
  return (int32_t)cl_min(cl_max((y - f->y) * f->scale, 0), f->last_y);
}

/// Whether a way needs only the list of the cell where it starts, if the map is not crowded, and
/// which cell that is.
static inline bool cl_nearby_is_short(const cl_nearby *f, cl_vec from, cl_vec to, uint32_t *cell) {
  int32_t column = cl_nearby_column(f, from.x), row = cl_nearby_row(f, from.y);
  uint32_t right = (uint32_t)(cl_nearby_column(f, to.x) - column + 1);
  uint32_t down = (uint32_t)(cl_nearby_row(f, to.y) - row + 1);
  *cell = (uint32_t)row * f->columns + (uint32_t)column;
  return (right <= 2) & (down <= 2);
}

/// Calls `visit` with the list of each cell that a point may need on its way: some boxes come more
/// than once. Most ways are short.
typedef void cl_nearby_visit(void *user, const uint32_t *item, uint32_t count);
void cl_nearby_walk_far(cl_nearby *field, cl_vec from, cl_vec to, cl_nearby_visit *visit,
                        void *user);
static inline void cl_nearby_list(const cl_nearby *f, uint32_t cell, cl_nearby_visit *visit,
                                  void *user) {
  uint32_t start = f->start[cell], end = f->start[cell + 1];
  if (start < end) visit(user, f->item + start, end - start);
}
static inline void cl_nearby_walk(cl_nearby *f, cl_vec from, cl_vec to, cl_nearby_visit *visit,
                                  void *user) {
  uint32_t cell;
  bool near = !f->crowded && cl_nearby_is_short(f, from, to, &cell);
  if (near) cl_nearby_list(f, cell, visit, user);
  else cl_nearby_walk_far(f, from, to, visit, user);
}

/// The same with the lists of all cells under a box, and returns their number; if there are more
/// than `most`, it calls nothing and returns 0.
uint64_t cl_nearby_under(cl_nearby *field, cl_bounds box, uint64_t most, cl_nearby_visit *visit,
                         void *user);

/// Points on their ways, which are compared with the boxes of a map, and with bounds.
typedef struct cl_sieve {
  const double *x, *y, *next_x, *next_y;
  const cl_nearby *nearby;
  cl_bounds bounds;
} cl_sieve;

/// Of the points `from` to `to` (not included), writes to `out` those that are near a box, that
/// move farther than a cell's list covers, or that end outside the bounds; returns how many. `out`
/// has room for one more than all of them.
CL_KERNEL_PAIR(uint32_t, cl_nearby_sift,
               (const cl_sieve *s, uint32_t from, uint32_t to, uint32_t *out));

/// The work of building it: how many entries were read and written.
static inline uint64_t cl_nearby_work(const cl_nearby *f) {
  size_t cells = (size_t)f->columns * f->rows;
  return cells + f->start[cells];
}

#endif
