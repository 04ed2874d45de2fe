// collide, MIT licence (see LICENSE)
//
// Walks tiles block by block. Layer: narrow.

#include "narrow/cell_blocks.h"

#include "base/work.h"

// Steps of work to make a block.
enum { STEPS_TO_FILL = 160 };

void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect cells,
                          bool shared) {
  w->tiles = tiles;
  w->cells = cells;
  w->column = cells.left;
  w->row = cells.top;
  w->shared = shared;
  w->placed = (cl_placed){&w->block.shape, tiles->x, tiles->y, {1, 0}};
}

// The first column from `column` on with a solid cell in rows `top` to `bottom`, or the column past
// the last one.
static int32_t next_solid(const cl_cell_blocks *w, int32_t top, int32_t bottom) {
  int32_t first = w->cells.right + 1;
  for (int32_t row = top; row <= bottom && first > w->column; row++)
    first = cl_tiles_next(w->tiles->shape, row, w->column, first - 1, CL_TILES_SOLID);
  return first;
}

// From the beginning of a row of blocks, past those that are empty, if they are as wide as the
// tiles.
static void skip_rows(cl_cell_blocks *w) {
  cl_cell_rect all = cl_tiles_all(w->tiles->shape);
  if (w->column != all.left || w->cells.left != all.left || w->cells.right != all.right) return;
  int32_t solid = cl_tiles_next_row(w->tiles->shape, w->row, w->cells.bottom);
  int32_t step = CL_CELL_BLOCK_ROWS - w->shared, above = solid - w->row - CL_CELL_BLOCK_ROWS + 1;
  if (solid > w->cells.bottom) w->row = solid;
  else if (above > 0) w->row += (above + step - 1) / step * step;
}

bool cl_cell_blocks_seek(cl_cell_blocks *w) {
  while (w->row <= w->cells.bottom) {
    skip_rows(w);
    if (w->row > w->cells.bottom) return false;
    int32_t bottom = w->row + CL_CELL_BLOCK_ROWS - 1;
    if (bottom > w->cells.bottom) bottom = w->cells.bottom;
    int32_t left = next_solid(w, w->row, bottom), right = left + CL_CELL_BLOCK_COLUMNS - 1;
    if (right > w->cells.right) right = w->cells.right;
    w->here = (cl_cell_rect){left, w->row, right, bottom};
    w->column = left + CL_CELL_BLOCK_COLUMNS - w->shared;
    if (right == w->cells.right) {
      w->column = w->cells.left;
      w->row = bottom == w->cells.bottom ? bottom + 1 : w->row + CL_CELL_BLOCK_ROWS - w->shared;
    }
    CL_WORK(1);
    if (left <= right) return true;
  }
  return false;
}

bool cl_cell_blocks_fill(cl_cell_blocks *w) {
  CL_WORK(STEPS_TO_FILL);
  return cl_cell_block_fill(&w->block, w->tiles->shape, w->here);
}

bool cl_cell_blocks_next(cl_cell_blocks *w) {
  while (cl_cell_blocks_seek(w))
    if (cl_cell_blocks_fill(w)) return true;
  return false;
}

double cl_cell_blocks_pieces(const cl_placed *tiles, cl_bounds box, cl_vec d, double share) {
  double length = cl_max(fabs(d.x), fabs(d.y)) / tiles->shape->cell * share;
  double mover = (fabs(d.x) > fabs(d.y) ? box.r - box.l : box.b - box.t) / tiles->shape->cell;
  return ceil(length / cl_max(mover, CL_CELL_BLOCK_ROWS)) + 1;
}
