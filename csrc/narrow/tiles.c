// collide, MIT licence (see LICENSE)
//
// Tiles, a block of a few cells at a time; and the way out. Layer: narrow.

#include "narrow/tiles.h"

#include "base/tol.h"
#include "narrow/parts.h"

void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect rect,
                          bool shared) {
  w->tiles = tiles;
  w->rect = rect;
  w->column = rect.left;
  w->row = rect.top;
  w->shared = shared;
  w->placed = (cl_placed){&w->block.shape, tiles->x, tiles->y, {1, 0}};
}

// The first column from `column` on that has anything solid in the rows `top` to
// `bottom`, or one beyond the rectangle.
static int32_t next_solid(const cl_cell_blocks *w, int32_t top, int32_t bottom) {
  int32_t first = w->rect.right + 1;
  for (int32_t row = top; row <= bottom && first > w->column; row++)
    first = cl_tiles_next(w->tiles->shape, row, w->column, first - 1, true);
  return first;
}

bool cl_cell_blocks_next(cl_cell_blocks *w) {
  while (w->row <= w->rect.bottom) {
    int32_t bottom = w->row + CL_CELL_BLOCK_ROWS - 1;
    if (bottom > w->rect.bottom) bottom = w->rect.bottom;
    int32_t left = next_solid(w, w->row, bottom), right = left + CL_CELL_BLOCK_COLUMNS - 1;
    if (right > w->rect.right) right = w->rect.right;
    cl_cell_rect s = {left, w->row, right, bottom};
    w->column = left + CL_CELL_BLOCK_COLUMNS - w->shared;
    if (right == w->rect.right) {
      w->column = w->rect.left;
      w->row = bottom == w->rect.bottom ? bottom + 1 : w->row + CL_CELL_BLOCK_ROWS - w->shared;
    }
    if (left <= right && cl_cell_block_fill(&w->block, w->tiles->shape, s)) return true;
  }
  return false;
}

static bool has_all(const cl_shape *tiles, cl_cell_rect s) {
  cl_cell_rect all = cl_tiles_all(tiles);
  return s.left <= all.left && s.top <= all.top && s.right >= all.right && s.bottom >= all.bottom;
}

// The nearest point of solid cells to the middle of a circle that reaches as far as r,
// as seen from there; its distance is 0 where the middle is in a cell.
static cl_vec nearest_of(const cl_placed *tiles, double x, double y, double r, double *distance) {
  cl_cell_rect s = cl_tiles_under(tiles, (cl_bounds){x - r, y - r, x + r, y + r}, false);
  cl_vec best = {0, 0};
  double least = INFINITY;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    double t = cl_tiles_y(tiles, row), b = cl_tiles_y(tiles, row + 1);
    double v = y < t ? t - y : y > b ? b - y : 0;
    for (int32_t column = s.left; column <= s.right; column++) {
      if (!cl_tiles_solid(tiles->shape, column, row)) continue;
      double l = cl_tiles_x(tiles, column), right = cl_tiles_x(tiles, column + 1);
      double u = x < l ? l - x : x > right ? right - x : 0;
      if (u * u + v * v < least) least = u * u + v * v, best = (cl_vec){u, v};
    }
  }
  *distance = sqrt(least);
  return best;
}

// A circle whose middle is outside of all cells, and which the way from the nearest
// point of them frees: 1 when it does, 0 when there is no overlap, -1 where neither
// is certain.
static int overlap_circle(const cl_placed *tiles, cl_vec c, double r, cl_hit *out) {
  double size = fabs(tiles->x) + fabs(tiles->y) + tiles->shape->reach + fabs(c.x) + fabs(c.y) + r;
  double room = CL_SEPARATION_ERROR * size, away, after;
  cl_vec near = nearest_of(tiles, c.x, c.y, r, &away);
  if (away > r + room) return 0;
  if (away <= room || away >= r - room) return -1;
  *out = (cl_hit){-near.x / away, -near.y / away, r - away};
  nearest_of(tiles, c.x + out->nx * out->depth, c.y + out->ny * out->depth, r, &after);
  return after >= r - room ? 1 : -1;
}

bool cl_tiles_overlap(const cl_placed *tiles, const cl_placed *b, bool touching, cl_hit *out) {
  const cl_part *part = b->shape->parts;
  bool single = b->shape->part_count == 1;
  if (single && cl_placed_part_is_box(b, 0))
    return cl_tiles_overlap_box(tiles, cl_placed_part_bounds(b, 0), touching, out);
  if (single && part->count == 1) {
    int found = overlap_circle(tiles, cl_placed_vertex(b, part->first), part->radius, out);
    if (found >= 0) return found > 0;
  }
  return cl_parts_overlap(tiles, b, touching, out);
}

bool cl_tiles_meet(const cl_placed *tiles, const cl_placed *b, bool touching) {
  if (b->shape->part_count == 1 && cl_placed_part_is_box(b, 0))
    return cl_tiles_any(tiles->shape,
                        cl_tiles_under(tiles, cl_placed_part_bounds(b, 0), !touching));
  return cl_parts_meet(tiles, b, touching);
}

cl_gap cl_tiles_distance(const cl_placed *tiles, const cl_placed *b) {
  cl_bounds box, whole;
  cl_placed_bounds(b, &box);
  cl_placed_bounds(tiles, &whole);
  cl_gap best = {INFINITY, {tiles->x, tiles->y}, {b->x, b->y}};
  double reach = cl_bounds_gap(box, whole) + tiles->shape->cell;
  for (bool done = false; !done; reach *= 2) {
    cl_cell_rect s = cl_tiles_under(tiles, cl_bounds_grown(box, reach), false);
    cl_cell_blocks w;
    cl_cell_blocks_begin(&w, tiles, s, false);
    while (best.distance > 0 && cl_cell_blocks_next(&w)) {
      cl_bounds near;
      cl_placed_bounds(&w.placed, &near);
      if (cl_bounds_gap(box, near) > best.distance) continue;
      cl_gap gap = cl_distance(&w.placed, b);
      if (gap.distance < best.distance) best = gap;
    }
    done = best.distance <= reach || has_all(tiles->shape, s);
  }
  return best;
}
