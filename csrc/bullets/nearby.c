// collide, MIT licence (see LICENSE)
//
// Which of many boxes are near something: a coarse map for a great many moving points, and a tree
// for a few queries. Layer: bullets.
//
// One lookup in the map shows that a point is near no box. A cell lists the boxes that reach into
// it or one of the eight cells around it. So a point that moves by at most one cell on each axis
// can only meet boxes in the list of the cell where it starts. The two outermost cells at each edge
// have no boxes: points outside count as in the outermost cell. If there are few points or boxes,
// testing all of them is less work than making cells: then there is one cell, which lists all
// boxes. If most boxes crowd in a few cells, because others are very far away, a tree of the boxes
// replaces the lists.

#include "bullets/state.h"

#include "base/tol.h"
#include "bullets/nearby_kernels.h"

// The tree. Up to this many boxes are tested one by one.
enum { FEW = 32 };

void cl_box_finder_free(cl_box_finder *f, const cl_alloc *alloc) {
  CL_FREE(alloc, f->box, f->box_cap);
  CL_FREE(alloc, f->fine, f->fine_cap);
  CL_FREE(alloc, f->found.at, f->found.cap);
  cl_bvh_free(&f->bvh, alloc);
}

static cl_status make_finder(cl_box_finder *f, const cl_alloc *alloc, uint32_t count,
                             cl_box_of *box_of, const void *user) {
  cl_status status = CL_RESERVE(alloc, f->box, f->box_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, f->fine, f->fine_cap, count);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < count; i++) {
    cl_bounds b = f->fine[i] = box_of(user, i);
    f->box[i] = cl_fbox_of(b.l, b.t, b.r, b.b);
  }
  status = cl_bvh_build(&f->bvh, alloc, f->box, f->fine, NULL, count);
  f->made = status == CL_OK;
  return status;
}

cl_status cl_box_finder_find(cl_box_finder *f, const cl_alloc *alloc, uint32_t count,
                             cl_box_of *box_of, const void *user, cl_bounds box) {
  cl_found *found = &f->found;
  cl_status status = CL_OK;
  found->count = 0;
  if (count <= FEW) {
    status = CL_RESERVE(alloc, found->at, found->cap, FEW);
    for (uint32_t i = 0; i < count && status == CL_OK; i++) found->at[found->count++] = i;
    return status;
  }
  if (!f->made) status = make_finder(f, alloc, count, box_of, user);
  return status == CL_OK ? cl_bvh_query(&f->bvh, alloc, box, found) : status;
}

// The map.

// The number of cells on a side, if the bounds of the boxes are a square. It is limited by the
// number of points, so that making the cells takes no longer than they save; and so that the bytes
// that mark empty cells stay in the processor's caches.
enum { LEAST_SIDE = 64, MOST_SIDE = 250 };
// Cells at each edge: two empty ones, and a half for rounding.
#define BORDER 2.5
// The most entries of all lists: this many, and this many more for each box; else cells grow.
enum { FREE_ENTRIES = 1 << 16, ENTRIES_PER_BOX = 32 };
// With no more than this many points, or pairs of a point and a box, there is one cell.
enum { FEW_POINTS = 16, FEW_PAIRS = 2048 };

// With this many boxes in a list, on average over all entries, a map is crowded.
enum { CROWD = 64 };

typedef cl_nearby_boxes boxes;

static cl_bounds own_box(const void *user, uint32_t i) {
  const boxes *b = user;
  cl_bounds box;
  memcpy(&box, (const char *)b->box + i * b->stride, sizeof box);
  return box;
}

// Box i, grown; false if it is left out.
static bool get_box(const boxes *b, uint32_t i, cl_bounds *out) {
  *out = cl_bounds_grown(own_box(b, i), b->reach);
  return !b->within || cl_bounds_touch(*out, *b->within);
}

// A map of one cell for all points, with all boxes.
static cl_status build_single(cl_nearby *f, const cl_alloc *alloc, uint32_t count) {
  cl_status status = CL_RESERVE(alloc, f->occupied, f->occupied_cap, 1);
  if (status == CL_OK) status = CL_RESERVE(alloc, f->start, f->start_cap, 2);
  if (status == CL_OK) status = CL_RESERVE(alloc, f->item, f->item_cap, count);
  if (status != CL_OK) return status;
  f->x = f->y = f->scale = f->last_x = f->last_y = 0;
  f->columns = f->rows = 1;
  f->occupied[0] = count > 0;
  f->start[0] = 0;
  f->start[1] = count;
  for (uint32_t i = 0; i < count; i++) f->item[i] = i;
  return CL_OK;
}

static void lay_out_map(cl_nearby *f, cl_bounds all, double size) {
  f->x = all.l - BORDER * size;
  f->y = all.t - BORDER * size;
  f->scale = 1 / size;
  f->columns = (uint32_t)((all.r - all.l) / size + BORDER) + 4;
  f->rows = (uint32_t)((all.b - all.t) / size + BORDER) + 4;
  f->last_x = f->columns - 1;
  f->last_y = f->rows - 1;
}

// The cells of a box and their neighbours.
typedef struct cells {
  uint32_t left, top, right, bottom;
} cells;

// Those of box i; false if it is left out.
static bool get_cells(const cl_nearby *f, const boxes *b, uint32_t i, cells *out) {
  cl_bounds box;
  if (!get_box(b, i, &box)) return false;
  *out = (cells){(uint32_t)cl_nearby_column(f, box.l) - 1, (uint32_t)cl_nearby_row(f, box.t) - 1,
                 (uint32_t)cl_nearby_column(f, box.r) + 1, (uint32_t)cl_nearby_row(f, box.b) + 1};
  return true;
}

static size_t count_listed(const cl_nearby *f, const boxes *b) {
  size_t n = 0;
  cells c;
  for (uint32_t i = 0; i < b->count; i++) {
    if (get_cells(f, b, i, &c)) n += (size_t)(c.right - c.left + 1) * (c.bottom - c.top + 1);
  }
  return n;
}

// The size of a cell such that side * side cells, with the edges, cover a field of w by h: solves
// (w q + e) (h q + e) = side^2 for q, cells per unit, with e = 2 BORDER for the edges.
static double side_of_cells(double w, double h, double side) {
  double free = side * side - 4 * BORDER * BORDER, edges = 2 * BORDER * (w + h);
  return (edges + sqrt(edges * edges + 4 * w * h * free)) / (2 * free);
}

// The first size of a cell: as small as possible, since each box is listed in three more cells than
// it covers on an axis; but large enough for coordinates to distinguish cells.
static double first_size(cl_bounds all, uint32_t points, double least) {
  double side = cl_min(cl_max(sqrt(points * 2.0), LEAST_SIDE), MOST_SIDE);
  double size = side_of_cells(all.r - all.l, all.b - all.t, side);
  double most = cl_max(cl_max(fabs(all.l), fabs(all.r)), cl_max(fabs(all.t), fabs(all.b)));
  return cl_max(cl_max(least, size), most * 1e4 * CL_ROUND);
}

// Counts the boxes of each cell's list; or lists them, with `start` at the end of each list. It
// goes from the last box to the first, so that each list ascends and `start` ends up at its first
// entry.
CL_INLINE void list_boxes(cl_nearby *f, const boxes *b, bool lists) {
  cells c;
  for (uint32_t i = b->count; i-- > 0;) {
    if (!get_cells(f, b, i, &c)) continue;
    for (uint32_t row = c.top; row <= c.bottom; row++) {
      uint32_t *start = f->start + (size_t)row * f->columns;
      for (uint32_t column = c.left; column <= c.right; column++) {
        if (lists) f->item[--start[column]] = i;
        else start[column]++;
      }
    }
  }
}

// Returns the sum of the squares of the lists' lengths.
static uint64_t fill_lists(cl_nearby *f, const boxes *b) {
  uint64_t meetings = 0;
  size_t n = (size_t)f->columns * f->rows;
  memset(f->start, 0, (n + 1) * sizeof *f->start);
  list_boxes(f, b, false);
  for (size_t cell = 0; cell < n; cell++) {
    f->occupied[cell] = f->start[cell] != 0;
    meetings += (uint64_t)f->start[cell] * f->start[cell];
  }
  cl_sum_up(f->start, n + 1); // the ends of the lists
  list_boxes(f, b, true);
  return meetings;
}

// Reserves room for finding all boxes, so that no query fails.
static cl_status build_crowded(cl_nearby *f, const cl_alloc *alloc, const boxes *b) {
  cl_found *found = &f->tree.found;
  cl_status status = CL_RESERVE(alloc, found->at, found->cap, (size_t)b->count + 4);
  if (status == CL_OK) status = make_finder(&f->tree, alloc, b->count, own_box, b);
  f->crowded = status == CL_OK;
  return status;
}

static void visit_tree(cl_nearby *f, cl_bounds box, cl_nearby_visit *visit, void *user) {
  cl_found *found = &f->tree.found;
  found->count = 0;
  cl_status status = cl_bvh_query(&f->tree.bvh, &f->alloc, box, found);
  assert(status == CL_OK);
  (void)status;
  if (found->count > 0) visit(user, found->at, (uint32_t)found->count);
}

// The bounds of the boxes that count; false if none does.
static bool join_all(const boxes *b, cl_bounds *all) {
  bool any = false;
  cl_bounds box;
  for (uint32_t i = 0; i < b->count; i++) {
    if (!get_box(b, i, &box)) continue;
    *all = any ? cl_bounds_join(*all, box) : box;
    any = true;
  }
  return any;
}

cl_status cl_nearby_build(cl_nearby *f, const cl_alloc *alloc, const boxes *b, uint32_t points,
                          double least) {
  f->crowded = false;
  f->reach = b->reach;
  f->alloc = *alloc;
  if (points <= FEW_POINTS || (uint64_t)points * b->count <= FEW_PAIRS) {
    return build_single(f, alloc, b->count);
  }
  cl_bounds all = {0, 0, 0, 0};
  if (!join_all(b, &all)) return build_single(f, alloc, 0);
  double size = first_size(all, points, least);
  lay_out_map(f, all, size);
  size_t entries;
  while ((entries = count_listed(f, b)) > FREE_ENTRIES + (size_t)ENTRIES_PER_BOX * b->count) {
    size *= 2;
    lay_out_map(f, all, size);
  }
  size_t n = (size_t)f->columns * f->rows;
  cl_status status = CL_RESERVE(alloc, f->occupied, f->occupied_cap, n);
  if (status == CL_OK) status = CL_RESERVE(alloc, f->start, f->start_cap, n + 1);
  if (status == CL_OK) status = CL_RESERVE(alloc, f->item, f->item_cap, entries);
  if (status != CL_OK || fill_lists(f, b) <= (uint64_t)CROWD * entries) return status;
  return build_crowded(f, alloc, b);
}

void cl_nearby_free(cl_nearby *f, const cl_alloc *alloc) {
  CL_FREE(alloc, f->occupied, f->occupied_cap);
  CL_FREE(alloc, f->start, f->start_cap);
  CL_FREE(alloc, f->item, f->item_cap);
  cl_box_finder_free(&f->tree, alloc);
}

// The part of a way within the map along one axis, as shares of the way.
static void clip_to_map(double from, double to, double scale, double start, double last, double *in,
                        double *out) {
  double p = (from - start) * scale, d = (to - from) * scale;
  if (d != 0) cl_clip_slab(-p, last + 1 - p, d, in, out);
}

void cl_nearby_walk_far(cl_nearby *f, cl_vec from, cl_vec to, cl_nearby_visit *visit, void *user) {
  if (f->crowded) {
    cl_bounds way = cl_way_box(from, to);
    double slack = 16 * CL_ROUND * cl_bounds_largest(way);
    visit_tree(f, cl_bounds_grown(way, f->reach + slack), visit, user);
    return;
  }
  double in = 0, out = 1;
  clip_to_map(from.x, to.x, f->scale, f->x, f->last_x, &in, &out);
  clip_to_map(from.y, to.y, f->scale, f->y, f->last_y, &in, &out);
  if (!(in <= out)) return;
  cl_vec d = {to.x - from.x, to.y - from.y};
  double far = cl_max(fabs(d.x), fabs(d.y)) * f->scale * (out - in);
  // Pieces shorter than a cell; the empty border absorbs the rounding of the clipping.
  uint32_t pieces = (uint32_t)far + 1, last = UINT32_MAX;
  if (far > 0.5) pieces++;
  for (uint32_t i = 0; i < pieces; i++) {
    double t = in + (out - in) * i / pieces;
    int32_t column = cl_nearby_column(f, from.x + d.x * t);
    int32_t row = cl_nearby_row(f, from.y + d.y * t);
    uint32_t cell = (uint32_t)row * f->columns + (uint32_t)column;
    if (cell != last) cl_nearby_list(f, cell, visit, user);
    last = cell;
  }
}

uint64_t cl_nearby_under(cl_nearby *f, cl_bounds box, uint64_t most, cl_nearby_visit *visit,
                         void *user) {
  uint32_t left = (uint32_t)cl_nearby_column(f, box.l), top = (uint32_t)cl_nearby_row(f, box.t);
  uint32_t right = (uint32_t)cl_nearby_column(f, box.r), end = (uint32_t)cl_nearby_row(f, box.b);
  uint64_t count = f->crowded ? 1 : (uint64_t)(right - left + 1) * (end - top + 1);
  if (count > most) return 0;
  if (f->crowded) visit_tree(f, cl_bounds_grown(box, f->reach), visit, user);
  for (uint32_t row = top; row <= end && !f->crowded; row++) {
    for (uint32_t column = left; column <= right; column++) {
      cl_nearby_list(f, row * f->columns + column, visit, user);
    }
  }
  return count;
}
