// collide, MIT licence (see LICENSE)
//
// Whether a grid's tables are valid. Layer: broad.

#include "broad/hgrid.h"

static bool is_in_cell(const cl_hgrid *grid, const cl_hgrid_table *t, uint32_t i, uint32_t cell) {
  const cl_lanes *b = &grid->box[i];
  cl_hgrid_place place = cl_hgrid_place_of(t, b->x0, b->y0);
  return grid->tag[i].cell == cell && cl_hgrid_cell_at(t, place.column, place.row) == cell &&
         -(double)b->minus_x1 - b->x0 <= t->width && -(double)b->minus_y1 - b->y0 <= t->height;
}

static bool is_table_valid(const cl_hgrid *grid, const cl_hgrid_table *t) {
  const uint32_t *start = grid->start;
  if (t->from > t->to || t->from != start[t->base]) return false;
  for (uint32_t cell = t->base; cell < t->base + t->cells; cell++) {
    if (start[cell] > start[cell + 1]) return false;
    for (uint32_t i = start[cell]; i < start[cell + 1]; i++) {
      if (!is_in_cell(grid, t, i, cell)) return false;
    }
  }
  // What an exact table keeps empty: column 0, and the first and the last row.
  for (uint32_t k = 0; !cl_hgrid_wraps(t) && k < t->cells; k++) {
    bool apart = k % t->stride == 0 || k < t->stride || k + t->stride + 1 >= t->cells;
    if (apart && start[t->base + k] != start[t->base + k + 1]) return false;
  }
  return start[t->base + t->cells] == t->to;
}

bool cl_hgrid_is_valid(const cl_hgrid *grid, const cl_hgrid_source *from) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < grid->classes; k++) {
    if (grid->table[k].from != at || !is_table_valid(grid, &grid->table[k])) return false;
    at = grid->table[k].to;
  }
  if (at != from->count) return false;
  for (uint32_t k = 0; k < from->count; k++) {
    uint32_t cell = grid->cell[k], number = from->list ? from->list[k] : k, found = 0;
    uint32_t id = from->first_id ? from->first_id + k : number;
    cl_fbox b = from->box[number];
    for (uint32_t i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
      const cl_lanes *it = &grid->box[i];
      found += grid->tag[i].id == id && it->x0 == b.x0 && it->y0 == b.y0 && it->minus_x1 == -b.x1 &&
               it->minus_y1 == -b.y1;
    }
    if (found != 1) return false;
  }
  return true;
}
