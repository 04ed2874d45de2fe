// collide, MIT licence (see LICENSE)
//
// Whether a mover meets nothing at all, as in most moves: a coarse test, by bounds and by the
// non-empty cells of tiles. Layer: world.

#include "geom/tiles.h"
#include "world/mover.h"

// The cells along an axis that may touch the stretch between `low` and `high`, `first` to `last`,
// perhaps with one too many on either side.
static void cells_about(double low, double high, double origin, double per, int64_t count,
                        int32_t *first, int32_t *last) {
  const double margin = 0x1p-16;
  double from = (low - origin) * per - margin, to = (high - origin) * per + margin;
  *first = (int32_t)cl_max(from, 0);
  *last = to < 0 ? -1 : (int32_t)cl_min(to, (double)(count - 1));
}

static unsigned kind_at(const cl_shape *tiles, int32_t column, int32_t row) {
  return cl_tiles_kind_of(tiles, *cl_grid_at(tiles->grid, (int64_t[3]){column, row, 0}));
}

static bool are_all_empty(const cl_shape *tiles, cl_cell_rect s) {
  for (int32_t row = s.top; row <= s.bottom; row++) {
    for (int32_t column = s.left; column <= s.right; column++)
      if (kind_at(tiles, column, row) != CL_TILE_EMPTY) return false;
  }
  return true;
}

// Whether all cells of tiles that may touch a box are empty. False, too, if coordinates are too
// large compared with a cell to know. The corners are all that a small box touches: without a loop,
// since the number of its rounds would be mispredicted.
static bool are_cells_empty(const cl_shape *tiles, cl_vec at, cl_bounds box) {
  _Static_assert(CL_TILE_EMPTY == 0, "kinds that are all empty are 0 together");
  const cl_grid *grid = tiles->grid;
  double left = at.x + tiles->bounds.l, top = at.y + tiles->bounds.t, per = 1 / tiles->cell;
  double size = fabs(left) + fabs(top) + cl_bounds_largest(box) + tiles->reach;
  cl_cell_rect s;
  if (!(size * per <= 0x1p28)) return false;
  cells_about(box.l, box.r, left, per, grid->size[0], &s.left, &s.right);
  cells_about(box.t, box.b, top, per, grid->size[1], &s.top, &s.bottom);
  if (s.left > s.right || s.top > s.bottom) return true;
  unsigned kinds = kind_at(tiles, s.left, s.top) | kind_at(tiles, s.right, s.top) |
                   kind_at(tiles, s.left, s.bottom) | kind_at(tiles, s.right, s.bottom);
  if (kinds != CL_TILE_EMPTY) return false;
  return (s.right - s.left <= 1 && s.bottom - s.top <= 1) || are_all_empty(tiles, s);
}

cl_going cl_move_is_clear(cl_world *world, const cl_placed *placed, bool *clear) {
  const cl_move_def *def = &world->movement->def;
  cl_actors *actors = &world->actors;
  cl_bounds box = cl_placed_is_one_box(placed) ? cl_bounds_moved(placed->shape->parts->bounds,
                                                                 (cl_vec){placed->x, placed->y})
                                               : cl_placed_bounds(placed);
  box = cl_sweep_bounds(box, (cl_vec){def->dx, def->dy});
  cl_filter filter = cl_move_filter(world, def->slot);
  if (cl_trees_near(world, box, &filter) != CL_OK) return CL_STUCK;
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
