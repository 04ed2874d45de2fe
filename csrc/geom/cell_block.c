// collide, MIT licence (see LICENSE)
//
// Convex parts of tiles. Layer: geom.

#include "geom/cell_block.h"

#include "geom/build.h"

// Boxes of cells while a rectangle of cells is cut. `begun` has for each column of the
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

bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect cells) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
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

cl_cell_runs cl_cell_runs_begin(const cl_shape *tiles, cl_cell_rect cells) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  return (cl_cell_runs){tiles, s, s.left, s.top};
}

bool cl_cell_runs_next(cl_cell_runs *runs, cl_cell_block *block) {
  const cl_cell_rect *s = &runs->cells;
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

cl_status cl_tiles_cut(const cl_shape *tiles, cl_cell_rect cells, cl_shape **out) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
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
