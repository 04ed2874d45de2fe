// collide, MIT licence (see LICENSE)
//
// Distances from tiles: of blocks of cells, in growing rectangles round the other shape.
// Layer: narrow.

#include "narrow/tiles_distance.h"

#include "geom/shape.h"
#include "narrow/cell_blocks.h"
#include "narrow/parts_distance.h"

// More cells than this are looked at nearest first. In a row, this many columns are looked at
// together.
enum { MANY = 512, SPAN = 32 };

static bool has_all(const cl_shape *tiles, cl_cell_rect s) {
  cl_cell_rect all = cl_tiles_all(tiles);
  return s.left <= all.left && s.top <= all.top && s.right >= all.right && s.bottom >= all.bottom;
}

// The distance of a block and another shape, which may be tiles too, if it is less than `below`.
static cl_gap block_distance(const cl_placed *block, const cl_placed *b, double below) {
  if (!cl_placed_is_tiles(b)) return cl_parts_distance(block, b, below);
  cl_gap back = cl_tiles_distance(b, block, below);
  return (cl_gap){back.distance, back.b, back.a};
}

// A search for the nearest cells: the best so far, and how far rounding may be off.
typedef struct search {
  const cl_placed *tiles, *b;
  cl_bounds box; // of b
  double error;
  cl_gap best;
  bool many; // cells, so that it pays to look at rectangles of them as a whole
} search;

// The distance of a rectangle of cells as a whole, less what rounding may add; or, if that is not
// less than the best, about that.
static double gap_of(const search *s, cl_cell_rect cells) {
  const cl_shape *tiles = s->tiles->shape;
  double l = tiles->bounds.l, t = tiles->bounds.t, cell = tiles->cell;
  const cl_bounds box = {l + cells.left * cell, t + cells.top * cell, l + (cells.right + 1) * cell,
                         t + (cells.bottom + 1) * cell};
  cl_stack_shape shape;
  cl_stack_box(&shape, box);
  cl_placed placed = {&shape.shape, s->tiles->x, s->tiles->y, {1, 0}};
  double below = s->best.distance + 2 * s->error;
  double least = cl_bounds_gap(cl_placed_bounds(&placed), s->box);
  if (least < below) least = cl_parts_gap(&placed, s->b, below);
  return least - s->error;
}

static bool may_be_near(const search *s, cl_cell_rect cells) {
  return !s->many || s->best.distance == INFINITY || gap_of(s, cells) <= s->best.distance;
}

// Goes through the blocks of a rectangle row by row. Before it looks at single blocks, it looks
// at those of SPAN columns together.
static void look_in_rows(search *s, cl_cell_rect cells) {
  cl_cell_blocks w;
  int32_t row = -1, free = -1; // in this row, nothing as far as column `free` can be nearer
  cl_cell_blocks_begin(&w, s->tiles, cells, false);
  while (s->best.distance > 0 && cl_cell_blocks_seek(&w)) {
    cl_cell_rect span = w.here;
    if (span.top != row) row = span.top, free = -1;
    if (span.right <= free) continue;
    span.right = span.left + SPAN - 1 < cells.right ? span.left + SPAN - 1 : cells.right;
    if (!may_be_near(s, span)) {
      free = span.right;
      continue;
    }
    if (!may_be_near(s, w.here) || !cl_cell_blocks_fill(&w)) continue;
    if (cl_bounds_gap(s->box, cl_placed_bounds(&w.placed)) > s->best.distance) continue;
    cl_gap gap = block_distance(&w.placed, s->b, s->best.distance);
    if (gap.distance < s->best.distance) s->best = gap;
  }
}

static void look_at_block(search *s, cl_cell_rect cells) {
  cl_cell_block block;
  if (!cl_cell_block_fill(&block, s->tiles->shape, cells)) return;
  cl_placed placed = {&block.shape, s->tiles->x, s->tiles->y, {1, 0}};
  cl_gap gap = block_distance(&placed, s->b, s->best.distance);
  if (gap.distance < s->best.distance) s->best = gap;
}

// Halves a rectangle of cells, and goes through the nearer half first.
static void look_nearby(search *s, cl_cell_rect cells) {
  int32_t columns = cells.right - cells.left + 1, rows = cells.bottom - cells.top + 1;
  if (s->best.distance == 0 || !cl_tiles_any(s->tiles->shape, cells, CL_TILES_SOLID)) return;
  if (columns <= CL_CELL_BLOCK_COLUMNS && rows <= CL_CELL_BLOCK_ROWS) {
    look_at_block(s, cells);
    return;
  }
  cl_cell_rect half[2] = {cells, cells};
  if (columns > 2 * rows || rows <= CL_CELL_BLOCK_ROWS)
    half[0].right = cells.left + columns / 2 - 1, half[1].left = cells.left + columns / 2;
  else half[0].bottom = cells.top + rows / 2 - 1, half[1].top = cells.top + rows / 2;
  double gap[2] = {gap_of(s, half[0]), gap_of(s, half[1])};
  int near = gap[1] < gap[0];
  if (gap[near] <= s->best.distance) look_nearby(s, half[near]);
  if (gap[!near] <= s->best.distance) look_nearby(s, half[!near]);
}

static bool are_many(cl_cell_rect s) {
  return (int64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1) > MANY;
}

// Of many cells, it finds first how near the nearest is; then little is left for the order of rows,
// which decides between cells that are equally near.
static void look_in(search *s, cl_cell_rect cells) {
  s->many = are_many(cells) && !cl_placed_is_tiles(s->b);
  if (s->many) {
    cl_gap before = s->best;
    look_nearby(s, cells);
    if (!(s->best.distance < before.distance)) return;
    s->best.distance = cl_min(s->best.distance + s->error, before.distance);
  }
  look_in_rows(s, cells);
}

cl_gap cl_tiles_distance(const cl_placed *tiles, const cl_placed *b, double below) {
  assert(cl_placed_is_tiles(tiles));
  cl_bounds whole = cl_placed_bounds(tiles);
  search s = {tiles,
              b,
              cl_placed_bounds(b),
              16 * (cl_placed_error(tiles) + cl_placed_error(b)),
              {below, {tiles->x, tiles->y}, {b->x, b->y}},
              false};
  double reach = cl_bounds_gap(s.box, whole) + tiles->shape->cell;
  for (bool done = false; !done; reach *= 2) {
    cl_cell_rect cells = cl_tiles_near(tiles, cl_bounds_grown(s.box, reach));
    look_in(&s, cells);
    done = s.best.distance <= reach || has_all(tiles->shape, cells);
  }
  return s.best;
}
