// collide, MIT licence (see LICENSE)
//
// The broad phase that chooses: the grid while boxes are alike and spread, else
// the quadtree, which does not mind. It goes by the boxes alone, so the same
// worlds choose the same. Layer: broad.

#include "broad/broad.h"
#include "broad/field.h"

// The grid's cells are as large as the largest box. It suits as long as that is no
// longer than so many average ones, and as so many cells would hold all boxes that
// a cell has no more than a few of them when they are spread evenly.
enum { MOST_UNLIKE = 4, MOST_IN_CELL = 4 };

// Evenness is judged by a coarse count: this many squares a side.
enum { SIDE = 16 };

// The fullest of the coarse squares has no more than so many times the average.
enum { MOST_UNEVEN = 8 };

typedef struct choice {
  cl_broad head;
  cl_broad *grid, *quadtree, *last;
} choice;

static void auto_close(cl_broad *broad) {
  choice *self = (choice *)broad;
  cl_alloc alloc = broad->alloc;
  if (self->grid) self->grid->class->close(self->grid);
  if (self->quadtree) self->quadtree->class->close(self->quadtree);
  cl_free(&alloc, self, sizeof *self);
}

static cl_broad *auto_open(const cl_broad_def *def) {
  choice *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  self->head = (cl_broad){&cl_broad_auto, cl_broad_grid.name, def->alloc};
  self->grid = cl_broad_grid.open(def);
  self->quadtree = cl_broad_quadtree.open(def);
  self->last = self->grid;
  if (self->grid && self->quadtree) return &self->head;
  auto_close(&self->head);
  return NULL;
}

static bool are_alike(const cl_sizes *s, uint32_t count) {
  double longest = s->widest > s->highest ? s->widest : s->highest;
  double area = ((double)s->all.x1 - s->all.x0) * ((double)s->all.y1 - s->all.y0);
  return longest * 2 * count <= s->sum * MOST_UNLIKE &&
         longest * longest * count <= area * MOST_IN_CELL;
}

static bool are_spread(const cl_broad_input *in, cl_fbox all) {
  uint32_t count[SIDE * SIDE] = {0}, most = 0;
  double width = (double)all.x1 - all.x0, height = (double)all.y1 - all.y0;
  double perx = width > 0 ? SIDE / width : 0, pery = height > 0 ? SIDE / height : 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t column = cl_field_cut(in->box[i].x0, all.x0, perx, SIDE - 1);
    uint32_t row = cl_field_cut(in->box[i].y0, all.y0, pery, SIDE - 1);
    uint32_t n = ++count[row * SIDE + column];
    most = n > most ? n : most;
  }
  return most <= MOST_UNEVEN * (in->count / (SIDE * SIDE) + 1);
}

static cl_status auto_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  choice *self = (choice *)broad;
  cl_sizes sizes = cl_sizes_of(in);
  bool suits = are_alike(&sizes, in->count) && are_spread(in, sizes.all);
  self->last = suits ? self->grid : self->quadtree;
  self->head.name = self->last->name;
  return self->last->class->find(self->last, in, out);
}

static size_t auto_cells(const cl_broad *broad, cl_cell *out, size_t room) {
  const cl_broad *last = ((const choice *)broad)->last;
  return last->class->cells(last, out, room);
}

const cl_broad_class cl_broad_auto = {"auto", auto_open, auto_close, auto_find, auto_cells};
