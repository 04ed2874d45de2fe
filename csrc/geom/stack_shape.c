// collide, MIT licence (see LICENSE)
//
// Shapes in a variable. Layer: geom.

#include "geom/stack_shape.h"

#include "geom/build.h"

static void fill(cl_stack_shape *temp, cl_shape_kind kind, const cl_vec *v, uint32_t count,
                 double r) {
  *temp = (cl_stack_shape){.shape = {.kind = kind, .references = 1, .part_count = 1, .radius = r}};
  cl_shape *s = &temp->shape;
  s->parts = &temp->part;
  s->vx = temp->vx, s->vy = temp->vy, s->nx = temp->nx, s->ny = temp->ny, s->line = temp->line;
  s->inner = temp->inner;
  s->alloc = cl_alloc_default();
  cl_build build = {.shape = s,
                    .parts = &temp->part,
                    .vx = temp->vx,
                    .vy = temp->vy,
                    .nx = temp->nx,
                    .ny = temp->ny,
                    .line = temp->line,
                    .inner = temp->inner};
  cl_build_part(&build, v, count, r, NULL);
  cl_build_finish(&build);
}

void cl_stack_circle(cl_stack_shape *temp, double r) {
  assert(r >= 0 && r <= CL_MAX_COORD);
  const cl_vec v = {0, 0};
  fill(temp, CL_CIRCLE, &v, 1, r);
}

void cl_stack_segment(cl_stack_shape *temp, double x1, double y1, double x2, double y2) {
  const cl_vec v[2] = {{x1, y1}, {x2, y2}};
  fill(temp, CL_SEGMENT, v, x1 == x2 && y1 == y2 ? 1 : 2, 0);
}

void cl_stack_box(cl_stack_shape *temp, cl_bounds box) {
  const cl_vec v[4] = {{box.l, box.t}, {box.r, box.t}, {box.r, box.b}, {box.l, box.b}};
  fill(temp, CL_RECTANGLE, v, 4, 0);
}
