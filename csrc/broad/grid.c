// collide, MIT licence (see LICENSE)
//
// A grid whose cells are as large as the largest box, made anew by counting sort
// at each step. A box is kept once, in the cell of its top left corner, so those
// that it can touch lie in that cell and the eight around it; half of these will
// do, since the other half finds this one. Boxes in row order make them two runs:
// the rest of the own cell with the next one, and three cells of the row below.
// Layer: broad.

#include "broad/broad.h"
#include "broad/field.h"
#include "broad/sweep.h"

// No more cells than these for each box: sparse boxes get larger ones.
enum { MOST_CELLS = 1 };

// Cells are larger than the largest box by this share: much more than what
// rounding can move a box by in units of cells.
static const double MARGIN = 1e-6;

typedef struct grid {
  cl_broad head;
  uint32_t columns, rows; // each row has one more column, which stays empty
  double left, top, perx, pery;
  cl_run run;
  uint32_t *cell;  // by input number
  uint32_t *start; // by cell, and one more
  size_t box_cap, id_cap, fixed_cap, cell_cap, start_cap;
} grid;

static cl_broad *grid_open(const cl_broad_def *def) {
  grid *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  self->head = (cl_broad){&cl_broad_grid, cl_broad_grid.name, def->alloc};
  return &self->head;
}

static void grid_close(cl_broad *broad) {
  grid *self = (grid *)broad;
  cl_alloc alloc = broad->alloc;
  cl_free(&alloc, self->run.box, self->box_cap * sizeof *self->run.box);
  cl_free(&alloc, self->run.id, self->id_cap * sizeof *self->run.id);
  cl_free(&alloc, self->run.fixed, self->fixed_cap * sizeof *self->run.fixed);
  cl_free(&alloc, self->cell, self->cell_cap * sizeof *self->cell);
  cl_free(&alloc, self->start, self->start_cap * sizeof *self->start);
  cl_free(&alloc, self, sizeof *self);
}

static double larger(double a, double b) { return a > b ? a : b; }

// So many cells of at least `size` along `length`.
static uint32_t cells_along(double length, double size, uint32_t most) {
  double cells = size > 0 ? floor(length / size) : 1;
  return cells < 1 ? 1 : cells < most ? (uint32_t)cells : most;
}

static void choose_cells(grid *self, const cl_broad_input *in) {
  cl_sizes sizes = cl_sizes_of(in);
  cl_fbox all = sizes.all;
  double width = (double)all.x1 - all.x0, height = (double)all.y1 - all.y0;
  double sparse = sqrt(width * height / ((double)in->count * MOST_CELLS + 1));
  uint32_t most = in->count * MOST_CELLS + 1;
  self->columns = cells_along(width, larger(sizes.widest, sparse) * (1 + MARGIN), most);
  self->rows = cells_along(height, larger(sizes.highest, sparse) * (1 + MARGIN), most);
  self->left = all.x0;
  self->top = all.y0;
  self->perx = width > 0 ? self->columns / width : 0;
  self->pery = height > 0 ? self->rows / height : 0;
}

static cl_status reserve(grid *self, const cl_broad_input *in) {
  const cl_alloc *alloc = &self->head.alloc;
  size_t cells = ((size_t)self->columns + 1) * self->rows;
  cl_status status = CL_RESERVE(alloc, self->run.box, self->box_cap, in->count);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->run.id, self->id_cap, in->count);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->run.fixed, self->fixed_cap, in->count);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->cell, self->cell_cap, in->count);
  // Room for the cells to the right of and below the last.
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, self->start, self->start_cap, cells + self->columns + 4);
  }
  return status;
}

// Counting sort by cells: counts go two places up, so that start[c + 1] is where
// cell c's next box goes, and in the end where c + 1 begins.
static void lay_out(grid *self, const cl_broad_input *in) {
  uint32_t stride = self->columns + 1, entries = stride * self->rows + stride + 3;
  uint32_t *start = self->start;
  memset(start, 0, entries * sizeof *start);
  double last_column = (double)self->columns - 1, last_row = (double)self->rows - 1;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t column = cl_field_cut(in->box[i].x0, self->left, self->perx, last_column);
    uint32_t row = cl_field_cut(in->box[i].y0, self->top, self->pery, last_row);
    self->cell[i] = row * stride + column;
    start[self->cell[i] + 2]++;
  }
  for (uint32_t k = 2; k < entries; k++) start[k] += start[k - 1];
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t at = start[self->cell[i] + 1]++;
    self->run.box[at] = cl_lanes_of(in->box[i]);
    self->run.id[at] = i;
    self->run.fixed[at] = in->fixed ? in->fixed[i] : 0;
  }
}

static cl_status sweep_all(grid *self, cl_pairs *out) {
  uint32_t stride = self->columns + 1, cells = stride * self->rows;
  const cl_alloc *alloc = &self->head.alloc;
  const uint32_t *start = self->start;
  cl_status status = CL_OK;
  for (uint32_t cell = 0; cell < cells; cell++) {
    uint32_t below = cell + stride;
    // Left of the first column is the empty one of the row above.
    uint32_t from = start[below - 1], to = start[below + 2];
    for (uint32_t i = start[cell]; i < start[cell + 1] && status == CL_OK; i++) {
      status = cl_sweep(alloc, &self->run, i, &self->run, i + 1, start[cell + 2], out);
      if (status == CL_OK) status = cl_sweep(alloc, &self->run, i, &self->run, from, to, out);
    }
  }
  return status;
}

static cl_status grid_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  grid *self = (grid *)broad;
  self->columns = self->rows = 0;
  if (in->count == 0) return CL_OK;
  choose_cells(self, in);
  cl_status status = reserve(self, in);
  if (status != CL_OK) {
    self->columns = self->rows = 0;
    return status;
  }
  lay_out(self, in);
  return sweep_all(self, out);
}

static size_t grid_cells(const cl_broad *broad, cl_cell *out, size_t room) {
  const grid *self = (const grid *)broad;
  // Boxes in a line, or at one point, have cells as thin.
  double width = self->perx > 0 ? 1 / self->perx : 0, height = self->pery > 0 ? 1 / self->pery : 0;
  size_t n = 0;
  for (uint32_t row = 0; row < self->rows; row++) {
    for (uint32_t column = 0; column < self->columns; column++) {
      const uint32_t *start = self->start + row * (self->columns + 1) + column;
      if (start[0] == start[1]) continue;
      double left = self->left + column * width, top = self->top + row * height;
      cl_fbox box = cl_fbox_of(left, top, left + width, top + height);
      if (n < room) out[n] = (cl_cell){box, start[1] - start[0]};
      n++;
    }
  }
  return n;
}

const cl_broad_class cl_broad_grid = {"grid", grid_open, grid_close, grid_find, grid_cells};
