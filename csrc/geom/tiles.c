// collide, MIT licence (see LICENSE)
//
// Tiles: lines, rectangles, and the boxes that a rectangle is cut into. Layer: geom.

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

// Line i is p->x + (l + i * cell): as cl_tiles_x and cl_tiles_y give it.
typedef struct lines {
  double at, low, cell;
} lines;

static inline bool is_before(const lines *l, int32_t i, double at, bool with) {
  double line = l->at + (l->low + i * l->cell);
  return with ? line <= at : line < at;
}

static inline lines lines_of(const cl_placed *p, bool vertical) {
  const cl_shape *s = p->shape;
  return vertical ? (lines){p->x, s->bounds.l, s->cell} : (lines){p->y, s->bounds.t, s->cell};
}

// Where lines are as dense as doubles, so that a quotient can be far off.
static int32_t halve(const lines *l, int32_t most, double at, bool with) {
  int32_t none = 0;
  while (none < most) {
    int32_t n = none + (most - none) / 2;
    if (is_before(l, n, at, with)) none = n + 1;
    else most = n;
  }
  return none;
}

// A quotient says about how many, and the lines themselves decide.
static inline int32_t count_lines(lines l, int32_t most, double at, bool with) {
  double guess = (at - (l.at + l.low)) / l.cell + 1;
  if (!(guess > 1)) return is_before(&l, 0, at, with) ? halve(&l, most, at, with) : 0;
  int32_t n = guess < most ? (int32_t)guess : most;
  if (!is_before(&l, n - 1, at, with)) { // as where it is on a line
    if (n == 1 || is_before(&l, n - 2, at, with)) return n - 1;
  } else if (n == most || !is_before(&l, n, at, with)) {
    return n;
  }
  return halve(&l, most, at, with);
}

int32_t cl_tiles_lines(const cl_placed *p, bool vertical, double at, bool with) {
  return count_lines(lines_of(p, vertical), (int32_t)p->shape->grid->size[!vertical] + 1, at, with);
}

// The columns, or rows, that reach from `low` to `high`.
static inline void cells_between(lines l, int64_t size, double low, double high, bool inside,
                                 int32_t *first, int32_t *last) {
  int32_t count = (int32_t)size;
  int32_t ended = count_lines(l, count + 1, low, inside); // lines at or before the start
  int32_t begun = count_lines(l, count + 1, high, !inside);
  *first = ended > 0 ? ended - 1 : 0;
  *last = begun - 1 < count ? begun - 1 : count - 1;
}

static inline cl_cell_rect under(const cl_placed *p, cl_bounds box, bool inside) {
  const int64_t *size = p->shape->grid->size;
  cl_cell_rect s;
  cells_between(lines_of(p, true), size[0], box.l, box.r, inside, &s.left, &s.right);
  cells_between(lines_of(p, false), size[1], box.t, box.b, inside, &s.top, &s.bottom);
  return s;
}

cl_cell_rect cl_tiles_under(const cl_placed *p, cl_bounds box, bool inside) {
  return inside ? under(p, box, true) : under(p, box, false);
}

static cl_cell_rect clipped(const cl_shape *tiles, cl_cell_rect s) {
  cl_cell_rect all = cl_tiles_all(tiles);
  return (cl_cell_rect){
      s.left > all.left ? s.left : all.left,
      s.top > all.top ? s.top : all.top,
      s.right < all.right ? s.right : all.right,
      s.bottom < all.bottom ? s.bottom : all.bottom,
  };
}

// The first byte that is not 0, of n.
static int32_t first_other(const uint8_t *bytes, int32_t n) {
  int32_t i = 0;
  for (uint64_t eight; i + 8 <= n; i += 8) {
    memcpy(&eight, bytes + i, sizeof eight);
    if (eight) break;
  }
  while (i < n && !bytes[i]) i++;
  return i;
}

int32_t cl_tiles_next(const cl_shape *tiles, int32_t row, int32_t from, int32_t to, bool solid) {
  if (from > to) return to + 1;
  const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){from, row, 0});
  if ((*bytes != 0) == solid) return from; // as a rule
  if (solid) return from + first_other(bytes, to - from + 1);
  const uint8_t *found = memchr(bytes, 0, (size_t)(to - from) + 1);
  return found ? from + (int32_t)(found - bytes) : to + 1;
}

// Whether any of eight bytes is 0 (Warren, Hacker's Delight, 6-1).
static inline bool has_zero(uint64_t eight) {
  return ((eight - 0x0101010101010101u) & ~eight & 0x8080808080808080u) != 0;
}

int32_t cl_tiles_run(const cl_shape *tiles, int32_t row, int32_t column) {
  const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){0, row, 0});
  for (uint64_t eight; column >= 8; column -= 8) {
    memcpy(&eight, bytes + column - 8, sizeof eight);
    if (has_zero(eight)) break;
  }
  while (column > 0 && bytes[column - 1]) column--;
  return column;
}

bool cl_tiles_any(const cl_shape *tiles, cl_cell_rect s) {
  s = clipped(tiles, s);
  bool narrow = s.right - s.left < 8;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    if (narrow) {
      const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){0, row, 0});
      for (int32_t column = s.left; column <= s.right; column++)
        if (bytes[column]) return true;
    } else if (cl_tiles_next(tiles, row, s.left, s.right, true) <= s.right) {
      return true;
    }
  }
  return false;
}

// Boxes of cells while a rectangle is cut. `begun` has for each column of the
// rectangle the number, counted from 1, of the last box that begins there.
typedef struct boxes {
  cl_cell_rect *at;
  uint32_t *begun, count;
} boxes;

// A run of solid cells in a row makes the box above it higher when that is as
// wide, or begins a new one.
static void add_run(boxes *b, int32_t origin, cl_cell_rect run) {
  uint32_t *begun = &b->begun[run.left - origin];
  if (*begun > 0) {
    cl_cell_rect *box = &b->at[*begun - 1];
    if (box->bottom == run.top - 1 && box->right == run.right) {
      box->bottom = run.top;
      return;
    }
  }
  b->at[b->count++] = run;
  *begun = b->count;
}

static void collect(const cl_shape *tiles, cl_cell_rect s, boxes *b) {
  for (int32_t row = s.top; row <= s.bottom; row++) {
    cl_cell_rect run = {s.left, row, s.left, row};
    while ((run.left = cl_tiles_next(tiles, row, run.left, s.right, true)) <= s.right) {
      run.right = cl_tiles_next(tiles, row, run.left, s.right, false) - 1;
      add_run(b, s.left, run);
      run.left = run.right + 1;
    }
  }
}

// The most boxes that a rectangle can be cut into: its runs.
static size_t count_runs(const cl_shape *tiles, cl_cell_rect s) {
  size_t runs = 0;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    int32_t from = s.left;
    while ((from = cl_tiles_next(tiles, row, from, s.right, true)) <= s.right) {
      from = cl_tiles_next(tiles, row, from, s.right, false);
      runs++;
    }
  }
  return runs;
}

// As cl_build_part, for sides that need no measuring; with none of them inner.
static uint8_t *add_box(cl_build *build, const cl_shape *tiles, cl_cell_rect s) {
  double l = tiles->bounds.l + s.left * tiles->cell;
  double t = tiles->bounds.t + s.top * tiles->cell;
  double r = tiles->bounds.l + (s.right + 1) * tiles->cell;
  double b = tiles->bounds.t + (s.bottom + 1) * tiles->cell;
  const double x[4] = {l, r, r, l}, y[4] = {t, t, b, b};
  const double nx[4] = {0, 1, 0, -1}, ny[4] = {-1, 0, 1, 0};
  uint32_t first = build->next_vertex;
  for (uint32_t i = 0; i < 4; i++) {
    build->vx[first + i] = x[i];
    build->vy[first + i] = y[i];
    build->nx[first + i] = nx[i];
    build->ny[first + i] = ny[i];
    build->inner[first + i] = 0;
  }
  double reach = cl_max(fabs(l), fabs(r)) + cl_max(fabs(t), fabs(b));
  build->parts[build->next_part++] = (cl_part){
      .first = first, .count = 4, .flags = CL_PART_BOX, .reach = reach, .bounds = {l, t, r, b}};
  build->next_vertex += 4;
  return build->inner + first;
}

// Marks the edges of a cell that solid cells lie behind.
static void mark_inner(uint8_t *inner, const cl_shape *tiles, int32_t column, int32_t row) {
  inner[0] = cl_tiles_solid(tiles, column, row - 1);
  inner[1] = cl_tiles_solid(tiles, column + 1, row);
  inner[2] = cl_tiles_solid(tiles, column, row + 1);
  inner[3] = cl_tiles_solid(tiles, column - 1, row);
}

static cl_build begin_block(cl_cell_block *block, const cl_shape *tiles) {
  cl_shape *shape = &block->shape;
  *shape = (cl_shape){.kind = CL_COMPOUND, .flags = CL_SHAPE_UPRIGHT, .references = 1};
  shape->parts = block->parts;
  shape->vx = block->vx, shape->vy = block->vy;
  shape->nx = block->nx, shape->ny = block->ny;
  shape->inner = block->inner;
  shape->alloc = tiles->alloc;
  return (cl_build){.shape = shape,
                    .parts = block->parts,
                    .vx = block->vx,
                    .vy = block->vy,
                    .nx = block->nx,
                    .ny = block->ny,
                    .inner = block->inner};
}

static bool end_block(cl_build *build) {
  build->shape->part_count = build->next_part;
  if (build->next_part == 0) return false;
  cl_build_finish(build);
  return true;
}

bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect rect) {
  cl_cell_rect s = clipped(tiles, rect);
  assert(s.right - s.left < CL_CELL_BLOCK_COLUMNS && s.bottom - s.top < CL_CELL_BLOCK_ROWS);
  if (!cl_tiles_any(tiles, s)) return false;
  cl_build build = begin_block(block, tiles);
  for (int32_t row = s.top; row <= s.bottom; row++)
    for (int32_t column = s.left; column <= s.right; column++) {
      if (!cl_tiles_solid(tiles, column, row)) continue;
      mark_inner(add_box(&build, tiles, (cl_cell_rect){column, row, column, row}), tiles, column,
                 row);
    }
  return end_block(&build);
}

cl_runs cl_runs_begin(const cl_shape *tiles, cl_cell_rect rect) {
  cl_cell_rect s = clipped(tiles, rect);
  return (cl_runs){tiles, s, s.left, s.top};
}

bool cl_runs_next(cl_runs *runs, cl_cell_block *block) {
  const cl_cell_rect *s = &runs->rect;
  cl_build build = begin_block(block, runs->tiles);
  while (runs->row <= s->bottom && build.next_part < CL_CELL_BLOCK) {
    int32_t from = cl_tiles_next(runs->tiles, runs->row, runs->column, s->right, true);
    if (from <= s->right) {
      int32_t end = cl_tiles_next(runs->tiles, runs->row, from, s->right, false);
      add_box(&build, runs->tiles, (cl_cell_rect){from, runs->row, end - 1, runs->row});
      runs->column = end;
    } else {
      runs->column = s->left;
      runs->row++;
    }
  }
  return end_block(&build);
}

cl_status cl_tiles_cut(const cl_shape *tiles, cl_cell_rect rect, cl_shape **out) {
  cl_cell_rect s = clipped(tiles, rect);
  size_t runs = count_runs(tiles, s);
  *out = NULL;
  if (runs == 0) return CL_OK;
  if (runs > UINT32_MAX / 8) return CL_NOMEM;
  size_t size = runs * sizeof(cl_cell_rect) + (size_t)(s.right - s.left + 1) * sizeof(uint32_t);
  boxes b = {.at = cl_new(&tiles->alloc, size)};
  if (!b.at) return CL_NOMEM;
  b.begun = (uint32_t *)(b.at + runs);
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
