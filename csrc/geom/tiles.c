// collide, MIT licence (see LICENSE)
//
// Tiles: lines, stretches, and the boxes that a stretch is cut into. Layer: geom.

#include "geom/tiles.h"

#include <string.h>

#include "base/tol.h"
#include "geom/build.h"

static cl_status make(const cl_alloc *alloc, cl_grid *grid, double x, double y, double cell,
                      cl_shape **out) {
  double r = x + (double)grid->size[0] * cell, b = y + (double)grid->size[1] * cell;
  if (grid->dims != 2 || grid->size[0] >= INT32_MAX || grid->size[1] >= INT32_MAX)
    return CL_INVALID;
  if (!cl_point_ok((cl_vec){x, y}) || !cl_point_ok((cl_vec){r, b})) return CL_INVALID;
  // Lines as far out as these must still differ.
  double far = cl_max(cl_max(fabs(x), fabs(y)), cl_max(fabs(r), fabs(b)));
  if (!(cell > 0 && far + cell / 2 > far)) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_TILES, CL_SHAPE_UPRIGHT, 0, 0, 4, 0);
  if (!build.shape) return CL_NOMEM;
  cl_shape *s = build.shape;
  const cl_vec corners[4] = {{x, y}, {r, y}, {r, b}, {x, b}};
  memcpy(build.outline, corners, sizeof corners);
  s->bounds = (cl_bounds){x, y, r, b};
  s->w = r - x;
  s->h = b - y;
  s->cell = cell;
  s->reach = cl_max(fabs(x), fabs(r)) + cl_max(fabs(y), fabs(b));
  s->grid = cl_grid_retain(grid);
  *out = s;
  return CL_OK;
}

cl_status cl_shape_tiles(const cl_alloc *alloc, cl_grid *grid, cl_shape **out) {
  return make(alloc, grid, grid->origin[0], grid->origin[1], grid->cell, out);
}

cl_status cl_tiles_moved(const cl_shape *tiles, double x, double y, double cell, cl_shape **out) {
  return make(&tiles->alloc, tiles->grid, x, y, cell, out);
}

double cl_tiles_area(const cl_shape *tiles) {
  size_t cells = cl_grid_count(tiles->grid), solid = 0;
  for (size_t i = 0; i < cells; i++) solid += tiles->grid->bytes[i] != 0;
  return (double)solid * tiles->cell * tiles->cell;
}

static double line(const cl_placed *p, bool vertical, int32_t i) {
  return vertical ? cl_tiles_x(p, i) : cl_tiles_y(p, i);
}

// The number of lines, of 0 … count, that lie before `at`, those on it included
// where `with`. A quotient says about where; the lines themselves decide.
static int32_t lines_before(const cl_placed *p, bool vertical, int32_t count, double at,
                            bool with) {
  double guess = (at - line(p, vertical, 0)) / p->shape->cell;
  int32_t n = guess <= 0 ? 0 : guess >= count ? count + 1 : (int32_t)guess;
  while (n > 0 && !(line(p, vertical, n - 1) < at || (with && line(p, vertical, n - 1) == at))) n--;
  while (n <= count && (line(p, vertical, n) < at || (with && line(p, vertical, n) == at))) n++;
  return n;
}

// The columns, or rows, that reach from `low` to `high`.
static void cells_between(const cl_placed *p, bool vertical, double low, double high, bool inside,
                          int32_t *first, int32_t *last) {
  int32_t count = (int32_t)p->shape->grid->size[vertical ? 0 : 1];
  int32_t ended = lines_before(p, vertical, count, low, inside); // lines at or before the start
  int32_t begun = lines_before(p, vertical, count, high, !inside);
  *first = ended > 0 ? ended - 1 : 0;
  *last = begun - 1 < count ? begun - 1 : count - 1;
}

cl_stretch cl_tiles_under(const cl_placed *p, cl_bounds box, bool inside) {
  cl_stretch s;
  cells_between(p, true, box.l, box.r, inside, &s.left, &s.right);
  cells_between(p, false, box.t, box.b, inside, &s.top, &s.bottom);
  return s;
}

static cl_stretch clipped(const cl_shape *tiles, cl_stretch s) {
  cl_stretch all = cl_tiles_all(tiles);
  return (cl_stretch){
      s.left > all.left ? s.left : all.left,
      s.top > all.top ? s.top : all.top,
      s.right < all.right ? s.right : all.right,
      s.bottom < all.bottom ? s.bottom : all.bottom,
  };
}

bool cl_tiles_any(const cl_shape *tiles, cl_stretch s) {
  s = clipped(tiles, s);
  for (int32_t row = s.top; row <= s.bottom; row++) {
    const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){0, row, 0});
    for (int32_t column = s.left; column <= s.right; column++)
      if (bytes[column]) return true;
  }
  return false;
}

// Boxes of cells while a stretch is cut. `begun` has for each column of the
// stretch the number, counted from 1, of the last box that begins there.
typedef struct boxes {
  cl_stretch *at;
  uint32_t *begun, count;
} boxes;

// A run of solid cells in a row makes the box above it higher when that is as
// wide, or begins a new one.
static void add_run(boxes *b, int32_t origin, cl_stretch run) {
  uint32_t *begun = &b->begun[run.left - origin];
  if (*begun > 0) {
    cl_stretch *box = &b->at[*begun - 1];
    if (box->bottom == run.top - 1 && box->right == run.right) {
      box->bottom = run.top;
      return;
    }
  }
  b->at[b->count++] = run;
  *begun = b->count;
}

static void collect(const cl_shape *tiles, cl_stretch s, boxes *b) {
  for (int32_t row = s.top; row <= s.bottom; row++) {
    for (int32_t column = s.left; column <= s.right; column++) {
      if (!cl_tiles_solid(tiles, column, row)) continue;
      cl_stretch run = {column, row, column, row};
      while (column < s.right && cl_tiles_solid(tiles, column + 1, row)) column++;
      run.right = column;
      add_run(b, s.left, run);
    }
  }
}

static bool all_solid(const cl_shape *tiles, cl_stretch s) {
  for (int32_t row = s.top; row <= s.bottom; row++)
    for (int32_t column = s.left; column <= s.right; column++)
      if (!cl_tiles_solid(tiles, column, row)) return false;
  return true;
}

// As cl_build_part, for sides that need no measuring.
static void add_box(cl_build *build, const cl_shape *tiles, cl_stretch s) {
  double l = tiles->bounds.l + s.left * tiles->cell;
  double t = tiles->bounds.t + s.top * tiles->cell;
  double r = tiles->bounds.l + (s.right + 1) * tiles->cell;
  double b = tiles->bounds.t + (s.bottom + 1) * tiles->cell;
  const cl_stretch beyond[4] = {
      {s.left, s.top - 1, s.right, s.top - 1},
      {s.right + 1, s.top, s.right + 1, s.bottom},
      {s.left, s.bottom + 1, s.right, s.bottom + 1},
      {s.left - 1, s.top, s.left - 1, s.bottom},
  };
  const double x[4] = {l, r, r, l}, y[4] = {t, t, b, b};
  const double nx[4] = {0, 1, 0, -1}, ny[4] = {-1, 0, 1, 0};
  uint32_t first = build->next_vertex;
  for (uint32_t i = 0; i < 4; i++) {
    build->vx[first + i] = x[i];
    build->vy[first + i] = y[i];
    build->nx[first + i] = nx[i];
    build->ny[first + i] = ny[i];
    build->inner[first + i] = all_solid(tiles, beyond[i]);
  }
  double reach = cl_max(fabs(l), fabs(r)) + cl_max(fabs(t), fabs(b));
  build->parts[build->next_part++] = (cl_part){
      .first = first, .count = 4, .flags = CL_PART_BOX, .reach = reach, .bounds = {l, t, r, b}};
  build->next_vertex += 4;
}

bool cl_window_fill(cl_window *window, const cl_shape *tiles, cl_stretch stretch) {
  cl_stretch s = clipped(tiles, stretch);
  assert(s.right - s.left < CL_WINDOW_COLUMNS && s.bottom - s.top < CL_WINDOW_ROWS);
  if (!cl_tiles_any(tiles, s)) return false;
  cl_shape *shape = &window->shape;
  *shape = (cl_shape){.kind = CL_COMPOUND, .flags = CL_SHAPE_UPRIGHT, .references = 1};
  shape->parts = window->parts;
  shape->vx = window->vx, shape->vy = window->vy;
  shape->nx = window->nx, shape->ny = window->ny;
  shape->inner = window->inner;
  shape->alloc = tiles->alloc;
  cl_build build = {.shape = shape,
                    .parts = window->parts,
                    .vx = window->vx,
                    .vy = window->vy,
                    .nx = window->nx,
                    .ny = window->ny,
                    .inner = window->inner};
  for (int32_t row = s.top; row <= s.bottom; row++)
    for (int32_t column = s.left; column <= s.right; column++)
      if (cl_tiles_solid(tiles, column, row))
        add_box(&build, tiles, (cl_stretch){column, row, column, row});
  shape->part_count = build.next_part;
  cl_build_finish(&build);
  return true;
}

cl_status cl_tiles_cut(const cl_shape *tiles, cl_stretch stretch, cl_shape **out) {
  cl_stretch s = clipped(tiles, stretch);
  size_t solid = 0;
  *out = NULL;
  for (int32_t row = s.top; row <= s.bottom; row++)
    for (int32_t column = s.left; column <= s.right; column++)
      solid += cl_tiles_solid(tiles, column, row);
  if (solid == 0) return CL_OK;
  if (solid > UINT32_MAX / 8) return CL_NOMEM;
  size_t size = solid * sizeof(cl_stretch) + (size_t)(s.right - s.left + 1) * sizeof(uint32_t);
  boxes b = {.at = cl_new(&tiles->alloc, size)};
  if (!b.at) return CL_NOMEM;
  b.begun = (uint32_t *)(b.at + solid);
  collect(tiles, s, &b);
  uint32_t kept = b.count;
  cl_build build = cl_build_new(&tiles->alloc, CL_COMPOUND, CL_SHAPE_UPRIGHT, kept, 4 * kept, 0, 0);
  for (uint32_t i = 0; build.shape && i < kept; i++) add_box(&build, tiles, b.at[i]);
  cl_free(&tiles->alloc, b.at, size);
  if (!build.shape) return CL_NOMEM;
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}
