// collide, MIT licence (see LICENSE)
//
// Data shared by the grid's loops, which are compiled twice, and the rest of the grid.
// Layer: broad.
//
// Boxes are laid out in tables of cells, one for each class of sizes. A table's cells are no
// smaller than its boxes, and a box is kept once, in the cell of its top left corner: the boxes
// that it can touch lie in that cell and the eight around it. Cells are stored row by row, so that
// neighbours in a row are neighbours in memory.

#ifndef CL_BROAD_HGRID_TABLE_H
#define CL_BROAD_HGRID_TABLE_H

#include "broad/search.h"

/// More classes are never useful: sizes at least halve from one class to the next, and a size
/// halved this many times is negligible.
enum { CL_HGRID_CLASSES = 32 };

/// The data of a box in a run: its number in the input, and its cell, numbered
/// across all tables of the grid.
typedef struct cl_hgrid_tag {
  uint32_t id, cell;
} cl_hgrid_tag;

/// Boxes of a run, `to` not included.
typedef struct cl_hgrid_span {
  uint32_t from, to;
} cl_hgrid_span;

/// The vector loops read this many boxes at once, so runs have room for as many more.
enum { CL_HGRID_PAD = 8 };

/// A table of cells for the boxes `from` to `to` (not included) of the run. The
/// cell of a column and a row, each counted from 1, is
/// base + ((row * stride + column) & mask).
/// An exact table has a cell for each place. Its mask is all ones; column 0, row
/// 0, and the cells right of and below the last are empty. A wrapped table, for boxes far apart,
/// has a power of two of cells, and places far from each other share a cell. So a box is also
/// tested with some that are not near it. The stride ensures that no pair is found twice (is_plain
/// in hgrid_kernels.h).
typedef struct cl_hgrid_table {
  double origin[2], per[2], last[2]; // along x and y: see cl_hgrid_place_of
  double offset;
  uint32_t from, to;
  uint32_t base, cells;
  uint32_t stride, mask;
  double width, height; // of a cell
} cl_hgrid_table;

/// The boxes that a grid's tables are made for: `count` of them, the bounds of their top left
/// corners, and their least and greatest width and height.
typedef struct cl_hgrid_measure {
  cl_fbox corners;
  float wide[2], high[2];
  uint32_t count;
} cl_hgrid_measure;

/// Boxes in the order of their cells. Cell c has those from start[c] up to, not
/// including, start[c + 1]. All zeros is an empty grid.
typedef struct cl_hgrid {
  cl_lanes *box;
  cl_hgrid_tag *tag;
  uint32_t *cell;  // by position in the source's list
  uint32_t *start; // by cell, and a few more
  size_t box_cap, tag_cap, cell_cap, start_cap;
  uint32_t count, classes;
  cl_hgrid_table table[CL_HGRID_CLASSES]; // the small ones first
  // The plan: the boxes that the tables are made for, the table for each binary order of magnitude
  // of sizes (bin_of), and how many layouts it has been kept for.
  cl_hgrid_measure planned;
  int top; // the exponent of the largest size
  uint8_t class_of[CL_HGRID_CLASSES];
  uint32_t kept;
} cl_hgrid;

/// Which boxes to lay out: the `count` boxes with the numbers in `list`, or, when
/// it is NULL, the first `count`. The id of a box is its own number, unless
/// `first_id` is not 0: then it is `first_id` plus the position in `list`.
typedef struct cl_hgrid_source {
  const cl_fbox *box;
  const uint32_t *list;
  uint32_t count, first_id;
} cl_hgrid_source;

/// Lays a grid out again. On CL_NOMEM it is empty.
cl_status cl_hgrid_lay_out(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from);
void cl_hgrid_free(cl_hgrid *grid, const cl_alloc *alloc);

/// Column and row of a point, counted from 1. A point beyond a table's ends
/// belongs to the first or last. That no pair is missed depends on two things
/// alone: a place never falls when the coordinate rises, and a cell is a little
/// larger than its boxes.
typedef struct cl_hgrid_place {
  uint32_t column, row;
} cl_hgrid_place;

/// The place of the point in the first two lanes.
static inline cl_hgrid_place cl_hgrid_place_of(const cl_hgrid_table *t, cl_f32x4 point) {
  cl_f64x2 v = cl_f64x2_sub(cl_f32x4_low(point), cl_f64x2_load(t->origin));
  v = cl_f64x2_add(cl_f64x2_mul(v, cl_f64x2_load(t->per)), cl_f64x2_all(t->offset));
  v = cl_f64x2_min(cl_f64x2_max(v, cl_f64x2_all(1)), cl_f64x2_load(t->last));
  uint32_t place[2];
  cl_f64x2_to_u32(v, place);
  return (cl_hgrid_place){place[0], place[1]};
}

/// The cell of a column and row, numbered across all tables.
static inline uint32_t cl_hgrid_cell_at(const cl_hgrid_table *t, uint32_t column, uint32_t row) {
  return t->base + ((row * t->stride + column) & t->mask);
}

/// Whether cells wrap around.
static inline bool cl_hgrid_wraps(const cl_hgrid_table *t) { return t->mask != UINT32_MAX; }

/// The innermost loops. They append each pair once, with either id first, or return CL_CROWDED. The
/// first finds the pairs within a class, the second those of all boxes of `mine` with the boxes of
/// another table, with `all` without looking at cells.
CL_KERNEL_PAIR(cl_status, cl_hgrid_within,
               (const cl_hgrid *grid, const cl_hgrid_table *table, cl_search *search));
CL_KERNEL_PAIR(cl_status, cl_hgrid_across,
               (const cl_hgrid *mine, const cl_hgrid_table *from, const cl_hgrid *other,
                const cl_hgrid_table *table, bool all, cl_search *search));

/// Whether each box is there once and in its cell, cells are as large as their
/// boxes, and tables follow each other.
bool cl_hgrid_is_valid(const cl_hgrid *grid, const cl_hgrid_source *from);

#endif
