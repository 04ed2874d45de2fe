// collide, MIT licence (see LICENSE)
//
// Distances from tiles: of blocks of cells, in growing rectangles round the other shape.
// Layer: narrow.

#include "narrow/tiles_distance.h"

#include "narrow/cell_blocks.h"
#include "narrow/parts_distance.h"

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

cl_gap cl_tiles_distance(const cl_placed *tiles, const cl_placed *b, double below) {
  assert(cl_placed_is_tiles(tiles));
  cl_bounds box, whole;
  box = cl_placed_bounds(b);
  whole = cl_placed_bounds(tiles);
  cl_gap best = {below, {tiles->x, tiles->y}, {b->x, b->y}};
  double reach = cl_bounds_gap(box, whole) + tiles->shape->cell;
  for (bool done = false; !done; reach *= 2) {
    cl_cell_rect s = cl_tiles_near(tiles, cl_bounds_grown(box, reach));
    cl_cell_blocks w;
    cl_cell_blocks_begin(&w, tiles, s, false);
    while (best.distance > 0 && cl_cell_blocks_next(&w)) {
      cl_bounds near;
      near = cl_placed_bounds(&w.placed);
      if (cl_bounds_gap(box, near) > best.distance) continue;
      cl_gap gap = block_distance(&w.placed, b, best.distance);
      if (gap.distance < best.distance) best = gap;
    }
    done = best.distance <= reach || has_all(tiles->shape, s);
  }
  return best;
}
