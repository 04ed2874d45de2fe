// collide, MIT licence (see LICENSE)
//
// Chooses the broad phase: brute force for a handful of boxes, the grid for more. The grid was the
// fastest on every scene measured, with boxes of all sizes, clusters and far outliers. The choice
// depends only on the boxes, so equal worlds choose the same. Layer: broad.

#include "broad/broad.h"

// Up to this many boxes, laying out tables takes longer than testing all pairs.
enum { HANDFUL = 4 };

typedef struct choice {
  cl_broad head;
  cl_broad *grid, *brute, *last;
} choice;

static void auto_close(cl_broad *broad) {
  choice *self = (choice *)broad;
  cl_alloc alloc = broad->alloc;
  if (self->grid) self->grid->class->close(self->grid);
  if (self->brute) self->brute->class->close(self->brute);
  cl_free(&alloc, self, sizeof *self);
}

static cl_broad *auto_open(const cl_broad_def *def) {
  choice *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  self->head = (cl_broad){&cl_broad_auto, cl_broad_grid.name, def->alloc};
  self->grid = cl_broad_grid.open(def);
  self->brute = cl_broad_brute.open(def);
  self->last = self->grid;
  if (self->grid && self->brute) return &self->head;
  auto_close(&self->head);
  return NULL;
}

static cl_status auto_begin(cl_broad *broad, const cl_broad_input *in) {
  choice *self = (choice *)broad;
  return in->count <= HANDFUL ? CL_OK : self->grid->class->begin(self->grid, in);
}

static void auto_take(cl_broad *broad, const cl_broad_input *in, uint32_t from, uint32_t to) {
  choice *self = (choice *)broad;
  if (in->count > HANDFUL) self->grid->class->take(self->grid, in, from, to);
}

static cl_status auto_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  choice *self = (choice *)broad;
  self->last = in->count <= HANDFUL ? self->brute : self->grid;
  self->head.name = self->last->name;
  return self->last->class->find(self->last, in, out);
}

static size_t auto_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const cl_broad *last = ((const choice *)broad)->last;
  return last->class->cells(last, out, capacity);
}

const cl_broad_class cl_broad_auto = {"auto",    auto_open, auto_close, auto_begin,
                                      auto_take, auto_find, auto_cells};
