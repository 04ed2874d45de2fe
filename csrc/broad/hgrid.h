// collide, MIT licence (see LICENSE)
//
// What the files of the grid share. Layer: broad.
//
// Boxes are laid out in tables of cells, one for each class of sizes. A table's
// cells are no smaller than its boxes, and a box is kept once, in the cell of its
// top left corner: the boxes that it can touch lie in that cell and the eight around it. Cells are
// stored row by row, so that neighbours in a row are neighbours in memory.

#ifndef CL_BROAD_HGRID_H
#define CL_BROAD_HGRID_H

#include "broad/broad.h"
#include "broad/sweep.h"

/// More classes are never useful: the sizes of each are at least twice those of the next, and a
/// size halved this many times is nothing.
enum { CL_HGRID_CLASSES = 32 };

/// What goes with a box of a run: its number in the input, and its cell, counted
/// through all tables of the grid.
typedef struct cl_hgrid_tag {
  uint32_t id, cell;
} cl_hgrid_tag;

/// Boxes of a run, `to` not included.
typedef struct cl_hgrid_span {
  uint32_t from, to;
} cl_hgrid_span;

/// The vectors read this many boxes at once, so there is room for as many more.
enum { CL_HGRID_PAD = 8 };

/// A table of cells for the boxes `from` to `to` (not included) of the run. The
/// cell of a column and a row, each counted from 1, is
/// base + ((row * stride + column) & mask).
/// An exact table has a cell for each place: its mask is all ones, column 0 and
/// row 0 are empty, and so is what is right of and below the last. A wrapped one,
/// for boxes far apart, has a power of two of cells, and places far from each
/// other share them: a box is tested with some that are nowhere near, and no pair
/// is found twice, see cl_hgrid_wrap_stride.
typedef struct cl_hgrid_table {
  double origin[2], per[2], last[2]; // x and y: see cl_hgrid_place_of
  double offset;
  uint32_t from, to;
  uint32_t base, cells;
  uint32_t stride, mask;
  double width, height; // of a cell
  double mean[2];       // width and height of its boxes
} cl_hgrid_table;

/// What a grid's tables are made for: `count` boxes, the bounds of their top left corners,
/// and their least and greatest width and height.
typedef struct cl_hgrid_measure {
  cl_fbox corners;
  float wide[2], high[2];
  uint32_t count;
} cl_hgrid_measure;

/// How boxes come to their tables: by the binary order of magnitude of their size, see
/// cl_hgrid_bin.
typedef struct cl_hgrid_plan {
  cl_hgrid_measure of;
  int top;                            // the exponent of the largest size
  uint8_t class_of[CL_HGRID_CLASSES]; // by bin
} cl_hgrid_plan;

/// Boxes in the order of their cells. Cell c has those from start[c] to
/// start[c + 1]. All zero is an empty one.
typedef struct cl_hgrid {
  cl_lanes *box;
  cl_hgrid_tag *tag;
  uint32_t *cell;  // by number in the list it was made from
  uint32_t *start; // by cell, and a few more
  size_t box_cap, tag_cap, cell_cap, start_cap;
  uint32_t count, classes;
  cl_hgrid_table table[CL_HGRID_CLASSES]; // the small ones first
  cl_hgrid_plan plan;
  uint32_t kept; // how often the plan has been
  // Of a layout that has begun with the plan of the last one:
  bool taking, misfits;   // whether it has; whether a box is too large for its class
  uint32_t taken;         // boxes whose cells have been chosen
  cl_hgrid_measure found; // their measure
} cl_hgrid;

/// Which boxes to lay out: `count` of them, those with the numbers in `list`, or
/// the first ones where it is NULL. Their ids are the number k in the list plus
/// `first_id` if there is one and it is not 0, else their own number.
typedef struct cl_hgrid_source {
  const cl_fbox *box;
  const uint32_t *list;
  uint32_t count, first_id;
} cl_hgrid_source;

/// Lays a grid out anew. On CL_NOMEM it is empty. What has been begun is finished, if all its
/// boxes have been taken and the last plan turns out to fit them; else all is done again.
cl_status cl_hgrid_lay_out(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from);
void cl_hgrid_free(cl_hgrid *grid, const cl_alloc *alloc);

/// Begins to lay a grid out with the last plan, if that may fit; then, as boxes come to be
/// known, chooses the cells of those with the numbers `first` to `end` (not included) in the
/// list. Of `from` in the first call the count matters alone, in the second the rest.
cl_status cl_hgrid_begin(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from);
void cl_hgrid_take(cl_hgrid *grid, const cl_hgrid_source *from, uint32_t first, uint32_t end);

/// Measures boxes, at least one; of two lots together.
cl_hgrid_measure cl_hgrid_measure_of(const cl_hgrid_source *from, uint32_t first, uint32_t end);
cl_hgrid_measure cl_hgrid_measure_join(const cl_hgrid_measure *a, const cl_hgrid_measure *b);

/// Makes the plan and its tables, all but their from and to.
void cl_hgrid_make_plan(cl_hgrid *grid, const cl_hgrid_source *from);

/// Whether the plan may fit this many boxes; whether it fits those that were taken with it: sizes
/// fit the cells, and neither they nor the bounds have changed much.
bool cl_hgrid_plan_may_fit(const cl_hgrid *grid, uint32_t count);
bool cl_hgrid_plan_fits(const cl_hgrid *grid);
bool cl_hgrid_fits_cell(const cl_hgrid_table *t, double width, double height);

/// The longer side of a box.
static inline float cl_hgrid_size(cl_fbox b) {
  float w = b.x1 - b.x0, h = b.y1 - b.y0;
  return w > h ? w : h;
}

/// The exponent of a size, and how far it is below the largest one: 0 for that.
static inline int cl_hgrid_exponent(float size) {
  uint32_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (int)(bits >> 23);
}

static inline unsigned cl_hgrid_bin(int top, float size) {
  int below = top - cl_hgrid_exponent(size);
  return below < CL_HGRID_CLASSES ? (unsigned)below : CL_HGRID_CLASSES - 1;
}

/// A wrapped table's stride is this share of its cells, made odd.
#define CL_HGRID_GOLDEN 0.3819660112501051

/// Column and row of a point, counted from 1. What lies beyond a table's ends
/// belongs to its first or last: that this never falls when the coordinate rises,
/// and that a cell is a little larger than its boxes, is all that pairs being
/// complete depends on.
typedef struct cl_hgrid_place {
  uint32_t column, row;
} cl_hgrid_place;

/// The place of the point in the first two lanes.
static inline cl_hgrid_place cl_hgrid_place_of_lanes(const cl_hgrid_table *t, cl_f32x4 point) {
  cl_f64x2 v = cl_f64x2_sub(cl_f32x4_low(point), cl_f64x2_load(t->origin));
  v = cl_f64x2_add(cl_f64x2_mul(v, cl_f64x2_load(t->per)), cl_f64x2_all(t->offset));
  v = cl_f64x2_min(cl_f64x2_max(v, cl_f64x2_all(1)), cl_f64x2_load(t->last));
  uint32_t place[2];
  cl_f64x2_to_u32(v, place);
  return (cl_hgrid_place){place[0], place[1]};
}

static inline cl_hgrid_place cl_hgrid_place_of(const cl_hgrid_table *t, float x, float y) {
  return cl_hgrid_place_of_lanes(t, cl_f32x4_set(x, y, 0, 0));
}

static inline uint32_t cl_hgrid_cell_at(const cl_hgrid_table *t, uint32_t column, uint32_t row) {
  return t->base + ((row * t->stride + column) & t->mask);
}

/// Whether cells wrap around.
static inline bool cl_hgrid_wraps(const cl_hgrid_table *t) { return t->mask != UINT32_MAX; }

/// The innermost loops, once for each kind of vectors; all find the same pairs.
/// They append to `out` each pair once, either id first.
typedef struct cl_hgrid_sweeps {
  /// Pairs within a class.
  cl_status (*within)(const cl_hgrid *grid, const cl_hgrid_table *table, const cl_alloc *alloc,
                      cl_pairs *out);
  /// Pairs of all boxes of `mine` with those of another table.
  cl_status (*across)(const cl_hgrid *grid, const cl_hgrid_table *mine, const cl_hgrid *other,
                      const cl_hgrid_table *table, const cl_alloc *alloc, cl_pairs *out);
  /// The same without looking at cells.
  cl_status (*all)(const cl_hgrid *grid, const cl_hgrid_table *mine, const cl_hgrid *other,
                   const cl_hgrid_table *table, const cl_alloc *alloc, cl_pairs *out);
} cl_hgrid_sweeps;

extern const cl_hgrid_sweeps cl_hgrid_plain, cl_hgrid_fours;
#if CL_HAS_AVX2
extern const cl_hgrid_sweeps cl_hgrid_avx2;
#endif

/// The number of cells that hold boxes, as cl_broad_class.cells; the first
/// `before` have been written by another grid.
size_t cl_hgrid_cells(const cl_hgrid *grid, cl_cell *out, size_t capacity, size_t before);

/// Whether each box is there once and in its cell, cells are as large as their
/// boxes, and tables follow each other.
bool cl_hgrid_is_valid(const cl_hgrid *grid, const cl_hgrid_source *from);

#endif
