// collide, MIT licence (see LICENSE)
//
// The grid. Boxes that move are laid out again at each find; fixed boxes have tables of their own,
// kept as long as they stay the same, and are tested only with boxes that move. Within a class of
// sizes a box is tested with half of the cells around it, since the other half finds it; the boxes
// of a class find the boxes of larger classes. Layer: broad.

#include "broad/check.h"
#include "broad/hgrid.h"

// The ids of fixed boxes: their number among the fixed with this bit, so that
// they need not be laid out again when others are added before them.
#define FIXED 0x80000000u

typedef struct grid {
  cl_broad head;
  const cl_hgrid_sweeps *sweeps;
  cl_hgrid moving, fixed;
  uint64_t order, static_version; // of the input that the lists and `fixed` are from
  uint32_t *move, *stay;          // the numbers of boxes that move, and of those that do not
  size_t move_cap, stay_cap;
  uint32_t moves, stays;
  cl_crowd crowd;
} grid;

static const cl_hgrid_sweeps *best_sweeps(unsigned vectors) {
  bool fours = vectors != CL_VECTORS_NONE && (CL_HAS_SSE2 || CL_HAS_NEON);
  const cl_hgrid_sweeps *best = fours ? &cl_hgrid_fours : &cl_hgrid_plain;
#if CL_HAS_AVX2
  if (vectors == CL_VECTORS_BEST && CL_PROCESSOR_HAS("avx2")) best = &cl_hgrid_avx2;
#endif
  return best;
}

static cl_broad *grid_open(const cl_broad_def *def) {
  grid *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  self->head = (cl_broad){&cl_broad_grid, cl_broad_grid.name, def->alloc};
  self->sweeps = best_sweeps(def->vectors);
  return &self->head;
}

static void grid_close(cl_broad *broad) {
  grid *self = (grid *)broad;
  cl_alloc alloc = broad->alloc;
  cl_hgrid_free(&self->moving, &alloc);
  cl_hgrid_free(&self->fixed, &alloc);
  CL_FREE(&alloc, self->move, self->move_cap);
  CL_FREE(&alloc, self->stay, self->stay_cap);
  cl_crowd_free(&self->crowd, &alloc);
  cl_free(&alloc, self, sizeof *self);
}

// Writes the two lists, each number to both of them: no branch depends on the data.
static cl_status list_boxes(grid *self, const cl_broad_input *in) {
  if (in->order != 0 && in->order == self->order) return CL_OK;
  self->order = 0;
  self->moves = self->stays = 0;
  const cl_alloc *alloc = &self->head.alloc;
  size_t capacity = (size_t)in->count + 1;
  cl_status status = CL_RESERVE(alloc, self->move, self->move_cap, capacity);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->stay, self->stay_cap, capacity);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < in->count; i++) {
    self->move[self->moves] = self->stay[self->stays] = i;
    self->moves += !in->fixed[i];
    self->stays += !!in->fixed[i];
  }
  self->order = in->order;
  return CL_OK;
}

static cl_status lay_out_fixed(grid *self, const cl_broad_input *in) {
  if (in->static_version != 0 && in->static_version == self->static_version) return CL_OK;
  self->static_version = 0;
  cl_hgrid_source from = {in->box, self->stay, self->stays, FIXED};
  cl_status status = cl_hgrid_lay_out(&self->fixed, &self->head.alloc, &from);
  if (status == CL_OK) self->static_version = in->static_version;
  return status;
}

// Lists the boxes that move, after laying out the fixed ones.
static cl_status list_moving(grid *self, const cl_broad_input *in, cl_hgrid_source *from) {
  *from = (cl_hgrid_source){in->box, NULL, in->count, 0};
  if (!in->fixed) {
    self->order = self->static_version = 0;
    self->stays = self->fixed.classes = self->fixed.count = 0;
    return CL_OK;
  }
  cl_status status = list_boxes(self, in);
  if (status == CL_OK) status = lay_out_fixed(self, in);
  CL_CHECK(
      status != CL_OK ||
      cl_hgrid_is_valid(&self->fixed, &(cl_hgrid_source){in->box, self->stay, self->stays, FIXED}));
  from->list = self->move;
  from->count = self->moves;
  return status;
}

static cl_status grid_begin(cl_broad *broad, const cl_broad_input *in) {
  grid *self = (grid *)broad;
  cl_hgrid_source from;
  cl_status status = list_moving(self, in, &from);
  return status == CL_OK ? cl_hgrid_begin(&self->moving, &broad->alloc, &from) : status;
}

static void grid_take(cl_broad *broad, const cl_broad_input *in, uint32_t from, uint32_t to) {
  grid *self = (grid *)broad;
  cl_hgrid_source all = {in->box, in->fixed ? self->move : NULL, 0, 0};
  cl_hgrid_take(&self->moving, &all, from, to);
}

static cl_status lay_out(grid *self, const cl_broad_input *in) {
  cl_hgrid_source from;
  cl_status status = list_moving(self, in, &from);
  if (status == CL_OK) status = cl_hgrid_lay_out(&self->moving, &self->head.alloc, &from);
  CL_CHECK(status != CL_OK || cl_hgrid_is_valid(&self->moving, &from));
  return status;
}

static uint32_t count_of(const cl_hgrid_table *t) { return t->to - t->from; }

// Work, in nanoseconds of some processor: to look for a box in a table, for each row (more if rows
// are in pieces, because the table wraps), and for each box that is tested.
static const double WORK_LOOK = 2, WORK_ROW = 4, WORK_WRAPPED_ROW = 6, WORK_TEST = 0.6;

// The estimated work of looking up all boxes of one table in another.
static double work_of_looking(const cl_hgrid_table *mine, const cl_hgrid_table *other) {
  double columns = mine->mean[0] / other->width + 2, rows = mine->mean[1] / other->height + 2;
  double density = (double)count_of(other) / other->cells, row = WORK_ROW;
  if (cl_hgrid_wraps(other)) {
    if (4 * rows * (rows + columns) > other->cells) return INFINITY;
    row = WORK_WRAPPED_ROW;
  }
  return count_of(mine) * (WORK_LOOK + rows * row + columns * rows * density * WORK_TEST);
}

// Pairs of two tables: the boxes of one are looked up in the other, in the direction with less
// work, or all are tested if one table has very few boxes.
static cl_status sweep_between(const grid *self, const cl_hgrid *a, const cl_hgrid_table *in_a,
                               const cl_hgrid *b, const cl_hgrid_table *in_b, cl_hgrid_to *to) {
  const cl_hgrid_sweeps *sweeps = self->sweeps;
  double ab = work_of_looking(in_a, in_b), ba = work_of_looking(in_b, in_a);
  double all = (double)count_of(in_a) * count_of(in_b) * WORK_TEST;
  if (all <= ab && all <= ba) {
    if (count_of(in_a) < count_of(in_b)) return sweeps->all(a, in_a, b, in_b, to);
    return sweeps->all(b, in_b, a, in_a, to);
  }
  if (ab <= ba) return sweeps->across(a, in_a, b, in_b, to);
  return sweeps->across(b, in_b, a, in_a, to);
}

static cl_status find_moving(const grid *self, cl_hgrid_to *to) {
  const cl_hgrid *moving = &self->moving;
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < moving->classes; k++) {
    const cl_hgrid_table *large = &moving->table[k];
    if (status == CL_OK) status = self->sweeps->within(moving, large, to);
    for (uint32_t j = 0; j < k && status == CL_OK; j++) {
      status = sweep_between(self, moving, &moving->table[j], moving, large, to);
    }
  }
  return status;
}

static cl_status find_fixed(const grid *self, cl_hgrid_to *to) {
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < self->moving.classes; k++) {
    for (uint32_t j = 0; j < self->fixed.classes && status == CL_OK; j++) {
      status = sweep_between(self, &self->moving, &self->moving.table[k], &self->fixed,
                             &self->fixed.table[j], to);
    }
  }
  return status;
}

// Gives the fixed boxes of pairs their numbers in the input.
static void number_fixed(const grid *self, cl_pairs *out, size_t from) {
  for (size_t i = from; i < out->count; i++) {
    uint32_t a = out->at[i].a, b = out->at[i].b;
    out->at[i] =
        a & FIXED ? (cl_pair){self->stay[a - FIXED], b} : (cl_pair){a, self->stay[b - FIXED]};
  }
}

// Puts the smaller number of each pair first.
static void order_pairs(cl_pairs *out, size_t from) {
  for (size_t i = from; i < out->count; i++) {
    uint32_t a = out->at[i].a, b = out->at[i].b;
    out->at[i] = (cl_pair){a < b ? a : b, a < b ? b : a};
  }
}

static cl_status find_by_cells(grid *self, const cl_broad_input *in, cl_hgrid_to *to) {
  cl_pairs *out = to->out;
  size_t first = out->count;
  cl_status status = lay_out(self, in);
  if (status == CL_OK) status = find_moving(self, to);
  size_t from = out->count;
  if (status == CL_OK) status = find_fixed(self, to);
  number_fixed(self, out, from);
  if (!in->either_way) order_pairs(out, first);
  return status;
}

static cl_status grid_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  CL_CHECK(cl_broad_input_is_valid(in));
  grid *self = (grid *)broad;
  cl_hgrid_to to = {&broad->alloc, out, cl_guard_of(&self->crowd, in, out)};
  cl_status status = CL_CROWDED;
  if (!in->fine) status = find_by_cells(self, in, &to);
  status = cl_crowd_settle(&self->crowd, &broad->alloc, &to.guard, status, out);
  CL_CHECK(status != CL_OK || cl_pairs_are_right(in, out, to.guard.first));
  return status;
}

static size_t grid_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const grid *self = (const grid *)broad;
  return cl_hgrid_cells(&self->fixed, out, capacity,
                        cl_hgrid_cells(&self->moving, out, capacity, 0));
}

const cl_broad_class cl_broad_grid = {"grid",    grid_open, grid_close, grid_begin,
                                      grid_take, grid_find, grid_cells};
