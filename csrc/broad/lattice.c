// collide, MIT licence (see LICENSE)
//
// Rays through a lattice of cells. Layer: broad.

#include "broad/lattice.h"

#include "broad/field.h"

// About so many cells to a box; with more, a ray walks through empty ones.
enum { CELLS_PER_BOX = 2 };

// Beyond so many entries a box on average, or so many boxes that a box finds in
// its cells, the tree is faster.
enum { MOST_ENTRIES = 8, MOST_NEIGHBOURS = 16 };

static uint32_t cut(double v, double start, double size, uint32_t cells) {
  double cell = (v - start) / size;
  double last = (double)cells - 1;
  cell = cell < last ? cell : last;
  return cell > 0 ? (uint32_t)cell : 0;
}

// The cells that a box reaches into. Cutting never falls when the coordinate
// rises, so any point of the box lies in one of them.
typedef struct span {
  uint32_t left, right, top, bottom;
} span;

static span span_of(const cl_lattice *l, cl_fbox b) {
  return (span){cut(b.x0, l->left, l->width, l->columns), cut(b.x1, l->left, l->width, l->columns),
                cut(b.y0, l->top, l->height, l->rows), cut(b.y1, l->top, l->height, l->rows)};
}

static uint32_t cells_along(double length, double cell, uint32_t most) {
  double cells = ceil(length / cell);
  return cells < 1 ? 1 : cells < most ? (uint32_t)cells : most;
}

static bool choose_size(cl_lattice *l, const cl_fbox *box, uint32_t count) {
  cl_fbox bounds = cl_fbox_join_all(box, count);
  double width = (double)bounds.x1 - bounds.x0, height = (double)bounds.y1 - bounds.y0;
  if (count == 0 || !(width > 0 && height > 0)) return false;
  double cell = sqrt(width * height / ((double)count * CELLS_PER_BOX));
  uint32_t most = count < UINT32_MAX / CELLS_PER_BOX ? count * CELLS_PER_BOX : UINT32_MAX;
  l->columns = cells_along(width, cell, most);
  l->rows = cells_along(height, cell, most);
  l->left = bounds.x0;
  l->top = bounds.y0;
  l->width = width / l->columns;
  l->height = height / l->rows;
  return (uint64_t)l->columns * l->rows <= 4 * (uint64_t)count * CELLS_PER_BOX + 4;
}

// Counts each cell's boxes at start[cell + 1]. False when they do not suit.
static bool count_entries(cl_lattice *l, const cl_fbox *box, uint32_t count, uint64_t *entries) {
  size_t cells = (size_t)l->columns * l->rows;
  *entries = 0;
  memset(l->start, 0, (cells + 2) * sizeof *l->start);
  for (uint32_t i = 0; i < count; i++) {
    span s = span_of(l, box[i]);
    *entries += (uint64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1);
    if (*entries > (uint64_t)MOST_ENTRIES * count + 64) return false;
    for (uint32_t r = s.top; r <= s.bottom; r++) {
      for (uint32_t c = s.left; c <= s.right; c++) l->start[(size_t)r * l->columns + c + 2]++;
    }
  }
  uint64_t meetings = 0;
  for (size_t k = 2; k < cells + 2; k++) meetings += (uint64_t)l->start[k] * l->start[k];
  return meetings <= (uint64_t)MOST_NEIGHBOURS * count;
}

cl_status cl_lattice_build(cl_lattice *l, const cl_alloc *alloc, const cl_fbox *box,
                           uint32_t count) {
  l->fits = false;
  if (!choose_size(l, box, count)) return CL_OK;
  size_t cells = (size_t)l->columns * l->rows;
  uint64_t entries;
  cl_status status = CL_RESERVE(alloc, l->start, l->start_cap, cells + 2);
  if (status != CL_OK || !count_entries(l, box, count, &entries)) return status;
  status = CL_RESERVE(alloc, l->number, l->number_cap, (size_t)entries);
  if (status != CL_OK) return status;
  // start[k + 1] is where cell k's next box goes, and in the end where k + 1 begins.
  for (size_t k = 2; k < cells + 2; k++) l->start[k] += l->start[k - 1];
  for (uint32_t i = 0; i < count; i++) {
    span s = span_of(l, box[i]);
    for (uint32_t r = s.top; r <= s.bottom; r++) {
      for (uint32_t c = s.left; c <= s.right; c++) {
        l->number[l->start[(size_t)r * l->columns + c + 1]++] = i;
      }
    }
  }
  l->fits = true;
  return CL_OK;
}

void cl_lattice_free(cl_lattice *l, const cl_alloc *alloc) {
  CL_FREE(alloc, l->start, l->start_cap);
  CL_FREE(alloc, l->number, l->number_cap);
  *l = (cl_lattice){0};
}

// A ray, and what there is to know for each of its cells.
typedef struct ray {
  const cl_lattice *lattice;
  const cl_fbox *box;
  cl_index_visit *visit;
  void *user;
  double x, y, per_x, per_y; // origin; share of the way to a unit of length
  double slack;              // of a coordinate
  double most;
} ray;

static double least(double a, double b) { return a < b ? a : b; }
static double greatest(double a, double b) { return a > b ? a : b; }

// Whether the ray touches the box before `most`, or may for all that rounding
// can tell.
static bool may_touch(const ray *r, cl_fbox b) {
  double ax = (b.x0 - r->slack - r->x) * r->per_x, bx = (b.x1 + r->slack - r->x) * r->per_x;
  double ay = (b.y0 - r->slack - r->y) * r->per_y, by = (b.y1 + r->slack - r->y) * r->per_y;
  double in = greatest(greatest(least(ax, bx), least(ay, by)), 0);
  double out = least(least(greatest(ax, bx), greatest(ay, by)), r->most);
  return in <= out + 1e-12;
}

static void visit_cell(ray *r, uint32_t column, uint32_t row) {
  const uint32_t *start = r->lattice->start + (size_t)row * r->lattice->columns + column;
  for (uint32_t k = start[0]; k < start[1]; k++) {
    uint32_t number = r->lattice->number[k];
    if (may_touch(r, r->box[number])) r->most = r->visit(r->user, number, r->most);
  }
}

// When the ray comes into a column or row, a little too early.
static double entry(double edge, double far_edge, double from, double per, double slack) {
  double near = per > 0 ? edge - slack : far_edge + slack;
  return (near - from) * per;
}

// The rows in which the ray runs while it is in a column, in its direction.
static void visit_column(ray *r, const cl_way *way, uint32_t column) {
  const cl_lattice *l = r->lattice;
  double left = l->left + column * l->width - r->slack;
  double right = l->left + (column + 1.0) * l->width + r->slack;
  double a = (left - r->x) * r->per_x, b = (right - r->x) * r->per_x;
  // The outer columns hold whatever lies beyond them, too.
  double from = column == 0 && way->dx >= 0 ? 0 : greatest(least(a, b), 0);
  double to = least(greatest(a, b), r->most);
  if (column + 1 == l->columns && way->dx >= 0) to = r->most;
  if (column == 0 && way->dx < 0) to = r->most;
  if (column + 1 == l->columns && way->dx < 0) from = 0;
  double y0 = r->y + from * way->dy, y1 = r->y + to * way->dy;
  bool down = way->dy >= 0;
  uint32_t row = cut(y0 + (down ? -r->slack : r->slack), l->top, l->height, l->rows);
  uint32_t last = cut(y1 + (down ? r->slack : -r->slack), l->top, l->height, l->rows);
  for (;; row = down ? row + 1 : row - 1) {
    double top = l->top + row * l->height;
    bool first = down ? row == 0 : row + 1 == l->rows;
    if (!first && entry(top, top + l->height, r->y, r->per_y, r->slack) > r->most) return;
    visit_cell(r, column, row);
    if (row == last || (down ? row > last : row < last)) return;
  }
}

// Stands for the inverse of 0: finite, so that 0 times it is no NaN.
static double inverse(double d) { return fabs(d) > 1e-280 ? 1 / d : d < 0 ? -1e280 : 1e280; }

void cl_lattice_walk(const cl_lattice *l, const cl_fbox *box, const cl_way *way, double most,
                     cl_index_visit *visit, void *user) {
  double size = fabs(l->left) + fabs(l->top) + l->columns * l->width + l->rows * l->height;
  size += fabs(way->x) + fabs(way->y) + fabs(way->dx) + fabs(way->dy);
  ray r = {l,
           box,
           visit,
           user,
           way->x,
           way->y,
           inverse(way->dx),
           inverse(way->dy),
           size * 64 * DBL_EPSILON,
           most};
  bool right = way->dx >= 0;
  uint32_t column = cut(way->x + (right ? -r.slack : r.slack), l->left, l->width, l->columns);
  double end = way->x + way->dx;
  uint32_t last = cut(end + (right ? r.slack : -r.slack), l->left, l->width, l->columns);
  for (;; column = right ? column + 1 : column - 1) {
    double left = l->left + column * l->width;
    bool first = right ? column == 0 : column + 1 == l->columns;
    if (!first && entry(left, left + l->width, r.x, r.per_x, r.slack) > r.most) return;
    visit_column(&r, way, column);
    if (column == last) return;
  }
}
