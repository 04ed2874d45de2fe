// collide, MIT licence (see LICENSE)
//
// Walks over the cells of maps. Layer: narrow.

#include "narrow/cell_blocks.h"

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

cl_bounds cl_cells_bounds(const cl_placed *tiles, cl_cell_rect s) {
  return (cl_bounds){cl_tiles_x(tiles, s.left), cl_tiles_y(tiles, s.top),
                     cl_tiles_x(tiles, s.right + 1), cl_tiles_y(tiles, s.bottom + 1)};
}

void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out) {
  const double low[2] = {b.l - a.r, b.t - a.b}, high[2] = {b.r - a.l, b.b - a.t};
  const double way[2] = {d.x, d.y};
  *in = 0;
  *out = 1;
  for (int i = 0; i < 2; i++) {
    if (low[i] > cl_max(way[i], 0) || high[i] < cl_min(way[i], 0)) *out = -1;
    else if (way[i] != 0) cl_clip_slab(low[i], high[i], way[i], in, out);
  }
}

void cl_way_pieces_begin(cl_way_pieces *w, const cl_placed *tiles, cl_bounds box, cl_vec d,
                         double in, double out) {
  double length = cl_max(fabs(d.x), fabs(d.y)) / tiles->shape->cell * (out - in);
  double mover = (fabs(d.x) > fabs(d.y) ? box.r - box.l : box.b - box.t) / tiles->shape->cell;
  *w = (cl_way_pieces){.box = box, .d = d, .in = in, .out = out};
  if (in <= out) w->count = ceil(length / cl_max(mover, CL_CELL_BLOCK_ROWS)) + 1;
}

bool cl_way_pieces_next(cl_way_pieces *w) {
  if (w->next >= w->count) return false;
  w->from = w->in + (w->out - w->in) * (w->next / w->count);
  double to = w->in + (w->out - w->in) * (++w->next / w->count);
  cl_vec p = cl_vec_mul(w->d, w->from), q = cl_vec_mul(w->d, to);
  w->swept = (cl_bounds){w->box.l + cl_min(p.x, q.x), w->box.t + cl_min(p.y, q.y),
                         w->box.r + cl_max(p.x, q.x), w->box.b + cl_max(p.y, q.y)};
  return true;
}
