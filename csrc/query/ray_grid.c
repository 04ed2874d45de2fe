// collide, MIT licence (see LICENSE)
//
// Rays through a grid of cells. Layer: query.
// Source: Amanatides and Woo, A fast voxel traversal algorithm for ray tracing (1987).

#include "query/bvh.h"

#include "broad/search.h"
#include "geom/box.h"

// About this many cells per box; with more, a ray walks through empty cells.
#define CELLS_PER_BOX 0.5

// With more entries per box on average, or more other boxes in the cells of a box, the tree is
// faster.
enum { MOST_ENTRIES = 8, MOST_NEIGHBOURS = 16 };

// MARGIN is the fraction of a cell by which boxes are grown and rays may be off. A ray that moves
// by less than MOTIONLESS cells along an axis counts as not moving along it.
#define MARGIN 0x1p-8
#define MOTIONLESS 0x1p-11

// How many entries may be read beyond the last one.
enum { SPARE = 3 };

// The cells that a box reaches into.
typedef struct span {
  uint32_t left, right, top, bottom;
} span;

static span cells_of_box(const cl_ray_grid *g, cl_fbox b) {
  double last_x = (double)g->columns - 1, last_y = (double)g->rows - 1;
  double margin_x = MARGIN / g->per_x, margin_y = MARGIN / g->per_y;
  return (span){cl_morton_grid_cut(b.x0 - margin_x, g->left, g->per_x, last_x),
                cl_morton_grid_cut(b.x1 + margin_x, g->left, g->per_x, last_x),
                cl_morton_grid_cut(b.y0 - margin_y, g->top, g->per_y, last_y),
                cl_morton_grid_cut(b.y1 + margin_y, g->top, g->per_y, last_y)};
}

static uint32_t cells_along(double length, double cell, double most) {
  double cells = ceil(length / cell);
  return cells < 1 ? 1 : cells < most ? (uint32_t)cells : (uint32_t)most;
}

static bool choose_size(cl_ray_grid *g, const cl_fbox *box, uint32_t count) {
  cl_fbox bounds = cl_fbox_join_all(box, count);
  double width = (double)bounds.x1 - bounds.x0, height = (double)bounds.y1 - bounds.y0;
  if (count == 0 || !(width > 0 && height > 0)) return false;
  double cells = ceil(count * CELLS_PER_BOX), cell = sqrt(width * height / cells);
  double most = cells < UINT32_MAX ? cells : UINT32_MAX;
  g->columns = cells_along(width, cell, most);
  g->rows = cells_along(height, cell, most);
  if ((double)g->columns * g->rows > 4 * cells + 4) return false;
  // The outer cells reach beyond the boxes, so that no ray that touches a box
  // seems to miss all cells.
  double more_x = 2 * MARGIN * width / g->columns, more_y = 2 * MARGIN * height / g->rows;
  g->left = bounds.x0 - more_x;
  g->top = bounds.y0 - more_y;
  g->per_x = g->columns / (width + 2 * more_x);
  g->per_y = g->rows / (height + 2 * more_y);
  g->size = cl_fbox_largest(bounds);
  return true;
}

// Counts each cell's boxes at start[cell + 2]. False when the boxes do not suit a grid.
static bool count_in_cells(cl_ray_grid *g, const cl_fbox *box, uint32_t count, uint64_t *entries) {
  size_t cells = (size_t)g->columns * g->rows;
  *entries = 0;
  memset(g->start, 0, (cells + 2) * sizeof *g->start);
  for (uint32_t i = 0; i < count; i++) {
    span s = cells_of_box(g, box[i]);
    *entries += (uint64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1);
    if (*entries > (uint64_t)MOST_ENTRIES * count + 64) return false;
    for (uint32_t r = s.top; r <= s.bottom; r++) {
      for (uint32_t c = s.left; c <= s.right; c++) g->start[(size_t)r * g->columns + c + 2]++;
    }
  }
  uint64_t meetings = 0;
  for (size_t k = 2; k < cells + 2; k++) meetings += (uint64_t)g->start[k] * g->start[k];
  return meetings <= (uint64_t)MOST_NEIGHBOURS * count;
}

static void put_entry(cl_ray_grid *g, size_t entry, uint32_t number, cl_fbox box) {
  float *edge = g->edge + entry;
  g->number[entry] = number;
  edge[0] = box.x0;
  edge[g->stride] = box.y0;
  edge[2 * g->stride] = -box.x1;
  edge[3 * g->stride] = -box.y1;
}

cl_status cl_ray_grid_build(cl_ray_grid *g, const cl_alloc *alloc, const cl_fbox *box,
                            uint32_t count) {
  g->fits = false;
  if (!choose_size(g, box, count)) return CL_OK;
  size_t cells = (size_t)g->columns * g->rows;
  uint64_t entries;
  cl_status status = CL_RESERVE(alloc, g->start, g->start_cap, cells + 2);
  if (status != CL_OK || !count_in_cells(g, box, count, &entries)) return status;
  g->stride = (size_t)entries + SPARE;
  status = CL_RESERVE(alloc, g->number, g->number_cap, g->stride);
  if (status == CL_OK) status = CL_RESERVE(alloc, g->edge, g->edge_cap, 4 * g->stride);
  if (status != CL_OK) return status;
  // start[k + 1] is where cell k's next box goes, and in the end where k + 1 begins.
  cl_sum_up(g->start, cells + 2);
  for (uint32_t i = 0; i < count; i++) {
    span s = cells_of_box(g, box[i]);
    for (uint32_t r = s.top; r <= s.bottom; r++) {
      for (uint32_t c = s.left; c <= s.right; c++)
        put_entry(g, g->start[(size_t)r * g->columns + c + 1]++, i, box[i]);
    }
  }
  for (size_t k = 0; k < SPARE; k++) put_entry(g, (size_t)entries + k, 0, box[0]);
  g->fits = true;
  CL_CHECK(cl_ray_grid_is_valid(g, box, count));
  return CL_OK;
}

static bool is_entry(const cl_ray_grid *g, size_t entry, uint32_t number, cl_fbox box) {
  const float *edge = g->edge + entry;
  return g->number[entry] == number && edge[0] == box.x0 && edge[g->stride] == box.y0 &&
         edge[2 * g->stride] == -box.x1 && edge[3 * g->stride] == -box.y1;
}

bool cl_ray_grid_is_valid(const cl_ray_grid *g, const cl_fbox *box, uint32_t count) {
  if (!g->fits) return true;
  size_t cells = (size_t)g->columns * g->rows;
  uint64_t entries = 0;
  for (size_t k = 0; k < cells; k++) {
    if (g->start[k] > g->start[k + 1]) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    span s = cells_of_box(g, box[i]);
    entries += (uint64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1);
    for (uint32_t r = s.top; r <= s.bottom; r++) {
      for (uint32_t c = s.left; c <= s.right; c++) {
        const uint32_t *start = g->start + (size_t)r * g->columns + c;
        uint32_t found = 0;
        for (uint32_t k = start[0]; k < start[1]; k++) found += is_entry(g, k, i, box[i]);
        if (found != 1) return false;
      }
    }
  }
  return g->start[0] == 0 && g->start[cells] == entries && entries + SPARE == g->stride;
}

void cl_ray_grid_free(cl_ray_grid *g, const cl_alloc *alloc) {
  CL_FREE(alloc, g->start, g->start_cap);
  CL_FREE(alloc, g->number, g->number_cap);
  CL_FREE(alloc, g->edge, g->edge_cap);
  *g = (cl_ray_grid){0};
}

// Shares of the way in fixed point, so that adding them up loses nothing.
#define WHOLE 0x1p50
#define NEVER (INT64_C(1) << 61)

bool cl_ray_grid_takes(const cl_ray_grid *g, const cl_way *way) {
  if (!g->fits) return false;
  double per = g->per_x > g->per_y ? g->per_x : g->per_y;
  double size = g->size + fabs(way->x) + fabs(way->y) + fabs(way->dx) + fabs(way->dy);
  // Each crossing adds a rounding of a fixed-point share; the rest is for a few roundings of
  // coordinates.
  double crossings = (double)g->columns + g->rows + 64;
  return size * per * crossings * (2 / WHOLE) < MARGIN / 2;
}

// A ray along one axis, in cells: where it begins and how far it goes.
typedef struct axis {
  double from, way, per; // per: the fraction of the way that one cell takes
  uint32_t cells;
  uint32_t cell;  // where the walk begins
  int64_t next;   // when it crosses into the next one
  int64_t wait;   // from one crossing to the next
  int64_t border; // when it leaves the last one
} axis;

// Clips `in` … `out` to the shares at which the ray is within the cells along this axis.
static inline void clip_to_cells(axis *a, double *in, double *out) {
  if (fabs(a->way) < MOTIONLESS) {
    if (!(a->from >= -MOTIONLESS && a->from <= (double)a->cells + MOTIONLESS)) *out = -1;
    return;
  }
  a->per = 1 / fabs(a->way);
  double before = a->from * a->per, after = ((double)a->cells - a->from) * a->per;
  *in = cl_max(*in, a->way > 0 ? -before : -after);
  *out = cl_min(*out, a->way > 0 ? after : before);
}

static inline void enter_cells(axis *a, double in) {
  double at = a->from + in * a->way, last = (double)a->cells - 1;
  a->cell = at < last ? (at > 0 ? (uint32_t)at : 0) : a->cells - 1;
  a->next = a->wait = a->border = NEVER;
  if (fabs(a->way) < MOTIONLESS) return;
  double wait = a->per * WHOLE, left = a->way > 0 ? last - a->cell : a->cell;
  a->wait = (int64_t)wait;
  a->next = (int64_t)((a->way > 0 ? a->cell + 1.0 - a->from : a->from - a->cell) * wait);
  if (left * wait < (double)NEVER) a->border = a->next + (int64_t)left * a->wait;
}

static inline int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

void cl_ray_grid_walk(const cl_ray_grid *g, const cl_way *way, double most, cl_bvh_visit *visit,
                      void *user) {
  assert(g->fits && most >= 0 && most <= 1);
  CL_CHECK(cl_ray_grid_takes(g, way));
  axis x = {(way->x - g->left) * g->per_x, way->dx * g->per_x, 0, g->columns, 0, 0, 0, 0};
  axis y = {(way->y - g->top) * g->per_y, way->dy * g->per_y, 0, g->rows, 0, 0, 0, 0};
  double in = 0, out = most;
  clip_to_cells(&x, &in, &out);
  clip_to_cells(&y, &in, &out);
  if (in > out) return;
  enter_cells(&x, in);
  enter_cells(&y, in);
  cl_slabs slabs = cl_slabs_of(way);
  const uint32_t *start = g->start + (size_t)y.cell * g->columns + x.cell;
  ptrdiff_t down = way->dy < 0 ? -(ptrdiff_t)g->columns : (ptrdiff_t)g->columns;
  ptrdiff_t right = way->dx < 0 ? -1 : 1;
  int64_t border = earlier(x.border, y.border) - 1, next_x = x.next, next_y = y.next;
  int64_t last = earlier((int64_t)(most * WHOLE) + 1, border);
  cl_f32x4 most_f = cl_f32x4_all(cl_slabs_most(most));
  for (;;) {
    const uint32_t end = start[1];
    CL_WORK(1 + (end - start[0]) / 4);
    for (uint32_t k = start[0]; k < end; k += 4) {
      const float *edge = g->edge + k;
      const cl_four box = {cl_f32x4_load(edge), cl_f32x4_load(edge + g->stride),
                           cl_f32x4_load(edge + 2 * g->stride),
                           cl_f32x4_load(edge + 3 * g->stride)};
      cl_f32x4 reached;
      unsigned touched = cl_slabs_touch(&slabs, box, most_f, &reached);
      touched &= end - k < 4 ? (1u << (end - k)) - 1 : 15;
      for (uint32_t lane = 0; touched; touched >>= 1, lane++) {
        if (!(touched & 1)) continue;
        most = visit(user, g->number[k + lane], most);
        most_f = cl_f32x4_all(cl_slabs_most(most));
        last = earlier((int64_t)(most * WHOLE) + 1, border);
      }
    }
    int64_t across = -(int64_t)(next_x < next_y); // all bits when x crosses
    if (earlier(next_x, next_y) > last) return;
    next_x += across & x.wait;
    next_y += ~across & y.wait;
    start += (across & right) + (~across & down);
  }
}
