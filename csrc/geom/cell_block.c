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

// A run of full cells in a row extends the box above it, if that is as wide, or
// begins a new one.
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
    while ((run.left = cl_tiles_next(tiles, row, run.left, s.right, CL_TILES_FULL)) <= s.right) {
      run.right = cl_tiles_next(tiles, row, run.left, s.right, CL_TILES_NOT_FULL) - 1;
      add_run(b, s.left, run);
      run.left = run.right + 1;
    }
  }
}

// An upper bound of the number of boxes: the runs.
static size_t count_runs(const cl_shape *tiles, cl_cell_rect s) {
  size_t runs = 0;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    int32_t from = s.left;
    while ((from = cl_tiles_next(tiles, row, from, s.right, CL_TILES_FULL)) <= s.right) {
      from = cl_tiles_next(tiles, row, from, s.right, CL_TILES_NOT_FULL);
      runs++;
    }
  }
  return runs;
}

// Like cl_build_part, but with known normals. Returns the four flags of `inner`, all 0.
static uint8_t *add_box(cl_build *build, const cl_shape *tiles, cl_cell_rect s) {
  double l = tiles->bounds.l + s.left * tiles->cell;
  double t = tiles->bounds.t + s.top * tiles->cell;
  double r = tiles->bounds.l + (s.right + 1) * tiles->cell;
  double b = tiles->bounds.t + (s.bottom + 1) * tiles->cell;
  const double x[4] = {l, r, r, l}, y[4] = {t, t, b, b};
  const double nx[4] = {0, 1, 0, -1}, ny[4] = {-1, 0, 1, 0}, line[4] = {-t, r, b, -l};
  uint32_t first = build->next_vertex;
  for (uint32_t i = 0; i < 4; i++) {
    build->vx[first + i] = x[i];
    build->vy[first + i] = y[i];
    build->nx[first + i] = nx[i];
    build->ny[first + i] = ny[i];
    build->line[first + i] = line[i];
    build->inner[first + i] = 0;
  }
  double reach = cl_max(fabs(l), fabs(r)) + cl_max(fabs(t), fabs(b));
  build->parts[build->next_part++] = (cl_part){
      .first = first, .count = 4, .flags = CL_PART_BOX, .reach = reach, .bounds = {l, t, r, b}};
  build->next_vertex += 4;
  return build->inner + first;
}

// Whether the cell beyond a side covers a span of it.
static bool is_covered(const cl_shape *tiles, int32_t column, int32_t row, int side,
                       cl_tile_span span) {
  static const int32_t beyond_x[4] = {0, 1, 0, -1}, beyond_y[4] = {-1, 0, 1, 0};
  uint8_t value = cl_tiles_value(tiles, column + beyond_x[side], row + beyond_y[side]);
  if (!tiles->set) return value != 0;
  cl_tile_span other = cl_tile_set_span(tiles->set, value, (cl_tile_side)(side ^ 2));
  return other.low <= span.low && other.high >= span.high;
}

static void add_full(cl_build *build, const cl_shape *tiles, int32_t column, int32_t row) {
  uint8_t *inner = add_box(build, tiles, (cl_cell_rect){column, row, column, row});
  for (int side = 0; side < 4; side++)
    inner[side] = is_covered(tiles, column, row, side, (cl_tile_span){0, 1});
}

// A cell's own part. Corners on its sides come from the same sums as the lines between cells.
static void add_part(cl_build *build, const cl_shape *tiles, int32_t column, int32_t row,
                     bool with_inner) {
  const cl_tile_set *set = tiles->set;
  const cl_tile_part *part = &set->part[set->index[cl_tiles_value(tiles, column, row)]];
  cl_vec v[CL_TILE_CORNERS];
  uint8_t inner[CL_TILE_CORNERS] = {0};
  for (uint32_t i = 0; i < part->count; i++) {
    cl_vec at = part->corner[i];
    v[i].x = tiles->bounds.l + (column + at.x) * tiles->cell;
    v[i].y = tiles->bounds.t + (row + at.y) * tiles->cell;
    int side = with_inner ? cl_tile_part_side(part, i) : -1;
    inner[i] = side >= 0 && is_covered(tiles, column, row, side, part->side[side]);
  }
  cl_build_part(build, v, part->count, part->radius * tiles->cell, inner);
  if (part->is_box) build->parts[build->next_part - 1].flags = CL_PART_BOX;
}

static cl_build begin_block(cl_cell_block *block, const cl_shape *tiles) {
  cl_shape *shape = &block->shape;
  *shape = (cl_shape){.kind = CL_COMPOUND, .flags = CL_SHAPE_UPRIGHT, .references = 1};
  shape->parts = block->parts;
  shape->vx = block->vx, shape->vy = block->vy;
  shape->nx = block->nx, shape->ny = block->ny, shape->line = block->line;
  shape->inner = block->inner;
  shape->alloc = tiles->alloc;
  return (cl_build){.shape = shape,
                    .parts = block->parts,
                    .vx = block->vx,
                    .vy = block->vy,
                    .nx = block->nx,
                    .ny = block->ny,
                    .line = block->line,
                    .inner = block->inner};
}

static bool end_block(cl_build *build) {
  build->shape->part_count = build->next_part;
  if (build->next_part == 0) return false;
  cl_build_finish(build);
  return true;
}

// Notes which cell the part added last comes from.
static void note_cell(cl_cell_block *block, const cl_build *build, int32_t column, int32_t row) {
  block->column[build->next_part - 1] = column;
  block->row[build->next_part - 1] = row;
}

// Adds a cell as a part of its own, unless it is empty.
static void add_cell(cl_cell_block *block, cl_build *build, const cl_shape *tiles, int32_t column,
                     int32_t row) {
  unsigned kind = cl_tiles_kind_of(tiles, cl_tiles_value(tiles, column, row));
  if (kind == CL_TILE_EMPTY) return;
  if (kind == CL_TILE_FULL) add_full(build, tiles, column, row);
  else add_part(build, tiles, column, row, true);
  note_cell(block, build, column, row);
}

bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect cells) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  assert(s.right - s.left < CL_CELL_BLOCK_COLUMNS && s.bottom - s.top < CL_CELL_BLOCK_ROWS);
  if (!cl_tiles_any(tiles, s, CL_TILES_SOLID)) return false;
  cl_build build = begin_block(block, tiles);
  for (int32_t row = s.top; row <= s.bottom; row++)
    for (int32_t column = s.left; column <= s.right; column++)
      add_cell(block, &build, tiles, column, row);
  return end_block(&build);
}

bool cl_cell_block_around(cl_cell_block *block, const cl_shape *tiles, int32_t column,
                          int32_t row) {
  cl_build build = begin_block(block, tiles);
  for (int32_t y = row - 1; y <= row + 1; y++)
    for (int32_t x = column - 1; x <= column + 1; x++)
      if (x != column || y != row) add_cell(block, &build, tiles, x, y);
  return end_block(&build);
}

bool cl_tiles_is_hidden(const cl_shape *tiles, int32_t column, int32_t row) {
  bool hidden = cl_tiles_is(tiles, column, row, CL_TILES_FULL);
  for (int side = 0; side < 4 && hidden; side++)
    hidden = is_covered(tiles, column, row, side, (cl_tile_span){0, 1});
  return hidden;
}

cl_cell_runs cl_cell_runs_begin(const cl_shape *tiles, cl_cell_rect cells) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  return (cl_cell_runs){tiles, s, s.left, s.top};
}

bool cl_cell_runs_next(cl_cell_runs *runs, cl_cell_block *block) {
  const cl_cell_rect *s = &runs->cells;
  cl_build build = begin_block(block, runs->tiles);
  block->corners = 0;
  while (runs->row <= s->bottom && build.next_part < CL_CELL_BLOCK) {
    int32_t from = cl_tiles_next(runs->tiles, runs->row, runs->column, s->right, CL_TILES_SOLID);
    if (from <= s->right) {
      runs->column = from + 1;
      if (cl_tiles_is(runs->tiles, from, runs->row, CL_TILES_FULL)) {
        runs->column = cl_tiles_next(runs->tiles, runs->row, from, s->right, CL_TILES_NOT_FULL);
        add_box(&build, runs->tiles, (cl_cell_rect){from, runs->row, runs->column - 1, runs->row});
      } else {
        uint32_t vertices = build.next_vertex;
        add_part(&build, runs->tiles, from, runs->row, false);
        block->corners += build.next_vertex - vertices;
      }
      note_cell(block, &build, from, runs->row);
    } else {
      runs->column = s->left;
      runs->row++;
    }
  }
  return end_block(&build);
}

// Counts the cells that are parts, and their vertices; with a build, also adds them.
static void collect_parts(const cl_shape *tiles, cl_cell_rect s, cl_build *build, uint64_t *parts,
                          uint64_t *vertices) {
  for (int32_t row = s.top; row <= s.bottom; row++) {
    int32_t column = s.left;
    for (; (column = cl_tiles_next(tiles, row, column, s.right, CL_TILES_PART)) <= s.right;
         column++) {
      uint8_t value = cl_tiles_value(tiles, column, row);
      if (build) add_part(build, tiles, column, row, false);
      *parts += 1;
      *vertices += cl_build_padded(tiles->set->part[tiles->set->index[value]].count);
    }
  }
}

cl_status cl_tiles_cut(const cl_shape *tiles, cl_cell_rect cells, cl_shape **out) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  size_t runs = count_runs(tiles, s);
  uint64_t parts = 0, vertices = 0;
  if (cl_tiles_has_parts(tiles)) collect_parts(tiles, s, NULL, &parts, &vertices);
  *out = NULL;
  if (runs == 0 && parts == 0) return CL_OK;
  if (runs > UINT32_MAX / 8) return CL_NOMEM;
  size_t size = runs * sizeof(cl_cell_rect) + (size_t)(s.right - s.left + 1) * sizeof(uint32_t);
  boxes b = {.at = cl_new(&tiles->alloc, size)};
  if (!b.at) return CL_NOMEM;
  b.begun = (uint32_t *)(b.at + runs);
  collect(tiles, s, &b);
  parts += b.count;
  vertices += 4 * (uint64_t)b.count;
  cl_build build =
      cl_build_new(&tiles->alloc, CL_COMPOUND, CL_SHAPE_UPRIGHT, parts, vertices, 0, 0);
  for (uint32_t i = 0; build.shape && i < b.count; i++) add_box(&build, tiles, b.at[i]);
  cl_free(&tiles->alloc, b.at, size);
  if (!build.shape) return CL_NOMEM;
  if (cl_tiles_has_parts(tiles)) collect_parts(tiles, s, &build, &parts, &vertices);
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}
