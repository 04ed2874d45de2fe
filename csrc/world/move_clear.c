// collide, MIT licence (see LICENSE)
//
// Whether a mover meets nothing at all, as in most moves: a coarse test, by bounds and by the
// non-empty cells of tiles. Layer: world.

#include "geom/tiles.h"
#include "world/mover.h"
#include "world/trees.h"

// The cells along an axis that may touch the stretch between `low` and `high`, `first` to `last`,
// perhaps with one too many on either side. False if numbers are too large to decide this way.
static bool cells_about(double low, double high, double origin, double per, int64_t count,
                        int32_t *first, int32_t *last) {
  const double margin = 0x1p-16, most = 0x1p28;
  double from = (low - origin) * per - margin, to = (high - origin) * per + margin;
  if (!(from > -most && to < most && (double)count < 0x1p28)) return false;
  *first = from > 0 ? (int32_t)from : 0;
  *last = to < 0 ? -1 : to < (double)count ? (int32_t)to : (int32_t)count - 1;
  return true;
}

// Whether all cells of tiles that may touch a box are empty. False, too, if coordinates are too
// large compared with a cell to know.
static bool are_cells_empty(const cl_shape *tiles, cl_vec at, cl_bounds box) {
  const cl_grid *grid = tiles->grid;
  double left = at.x + tiles->bounds.l, top = at.y + tiles->bounds.t, per = 1 / tiles->cell;
  double size = fabs(left) + fabs(top) + cl_bounds_largest(box) + tiles->reach;
  cl_cell_rect s;
  if (size * per > 0x1p28) return false;
  if (!cells_about(box.l, box.r, left, per, grid->size[0], &s.left, &s.right)) return false;
  if (!cells_about(box.t, box.b, top, per, grid->size[1], &s.top, &s.bottom)) return false;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    const uint8_t *bytes = cl_grid_at(grid, (int64_t[3]){0, row, 0});
    for (int32_t column = s.left; column <= s.right; column++)
      if (cl_tiles_kind_of(tiles, bytes[column]) != CL_TILE_EMPTY) return false;
  }
  return true;
}

cl_going cl_move_is_clear(cl_world *world, const cl_placed *placed, bool *clear) {
  const cl_move_def *def = &world->movement->def;
  cl_actors *actors = &world->actors;
  cl_bounds box = cl_placed_is_one_box(placed) ? cl_bounds_moved(placed->shape->parts->bounds,
                                                                 (cl_vec){placed->x, placed->y})
                                               : cl_placed_bounds(placed);
  box = cl_sweep_bounds(box, (cl_vec){def->dx, def->dy});
  if (cl_trees_near(world, box, cl_move_filter(world, def->slot)) != CL_OK) return CL_STUCK;
  const cl_found *found = &world->touched;
  *clear = true;
  for (size_t i = 0; i < found->count && *clear; i++) {
    uint32_t slot = found->at[i];
    const cl_shape *shape = actors->shape[slot];
    if (!cl_move_is_meant(world, def->slot, slot)) continue;
    *clear = shape->kind == CL_TILES && are_cells_empty(shape, actors->place[slot], box);
  }
  return CL_GO;
}
