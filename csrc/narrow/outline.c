// collide, MIT licence (see LICENSE)
//
// Normal cones of whole shapes. A direction is in the cone of a union at a point exactly if it is
// in the cones of all parts that contain the point, that is, if none of them reaches farther along
// it. Layer: narrow.

#include "narrow/outline.h"

#include "geom/shape.h"

// How far a point (local frame) is outside a part, below 0 inside; past a corner, slightly less
// than that.
static double outside(const cl_shape *s, const cl_part *part, cl_vec at) {
  const double *x = s->vx + part->first, *y = s->vy + part->first;
  const double *nx = s->nx + part->first, *ny = s->ny + part->first;
  cl_vec v = {at.x - x[0], at.y - y[0]};
  if (part->count == 1) return cl_vec_length(v) - part->radius;
  double most = -DBL_MAX;
  for (uint32_t i = 0; i < part->count; i++)
    most = cl_max(most, nx[i] * (at.x - x[i]) + ny[i] * (at.y - y[i]));
  if (part->count == 2) { // beside a flat part only between its ends
    cl_vec w = {at.x - x[1], at.y - y[1]}, e = {x[1] - x[0], y[1] - y[0]};
    if (cl_vec_dot(v, e) < 0) most = cl_vec_length(v);
    if (cl_vec_dot(w, e) > 0) most = cl_vec_length(w);
  }
  return most - part->radius;
}

static double reach_along(const cl_shape *s, const cl_part *part, cl_vec d) {
  double most = -DBL_MAX;
  for (uint32_t i = part->first; i < part->first + part->count; i++)
    most = cl_max(most, d.x * s->vx[i] + d.y * s->vy[i]);
  return most + part->radius;
}

bool cl_outline_leads(const cl_shape *s, uint32_t part, cl_vec at, cl_vec out) {
  double margin = CL_MEET * s->reach, along = cl_vec_dot(at, out) + margin;
  cl_bounds near = {at.x - margin, at.y - margin, at.x + margin, at.y + margin};
  cl_within w = cl_within_box(s, near);
  for (uint32_t k; cl_within_next(&w, &k);) {
    const cl_part *other = &s->parts[k];
    if (k == part) continue;
    if (outside(s, other, at) <= margin && reach_along(s, other, out) > along) return false;
  }
  return true;
}

static cl_vec vertex_of(const cl_shape *s, uint32_t part, int i) {
  uint32_t k = s->parts[part].first + (uint32_t)i;
  return (cl_vec){s->vx[k], s->vy[k]};
}

bool cl_outline_vertex(const cl_placed *p, uint32_t part, int vertex, cl_vec out) {
  assert(part < p->shape->part_count);
  const cl_shape *s = p->shape;
  if (s->part_count == 1) return true;
  cl_vec d = cl_rot_undo(p->rot, out);
  cl_vec v = vertex_of(s, part, vertex);
  return cl_outline_leads(s, part, cl_vec_add(v, cl_vec_mul(d, s->parts[part].radius)), d);
}

bool cl_outline_edge(const cl_placed *p, uint32_t part, int edge, cl_vec out, cl_vec near) {
  assert(part < p->shape->part_count);
  const cl_shape *s = p->shape;
  if (s->part_count == 1) return true;
  if (s->inner[s->parts[part].first + (uint32_t)edge]) return false;
  if (s->kind != CL_COMPOUND) return true; // a cut edge or the outline, never both
  int n = (int)s->parts[part].count;
  cl_vec d = cl_rot_undo(p->rot, out), at = cl_rot_undo(p->rot, near);
  cl_vec v = vertex_of(s, part, edge), e = cl_vec_sub(vertex_of(s, part, (edge + 1) % n), v);
  double t = cl_vec_dot(cl_vec_sub(at, v), e) / cl_vec_dot(e, e);
  // Beside the ends, not at them: there the neighbours decide.
  const double places[3] = {cl_min(cl_max(t, 1e-3), 1 - 1e-3), 1e-3, 1 - 1e-3};
  for (int i = 0; i < 3; i++) {
    cl_vec q = cl_vec_add(v, cl_vec_mul(e, places[i]));
    if (cl_outline_leads(s, part, cl_vec_add(q, cl_vec_mul(d, s->parts[part].radius)), d))
      return true;
  }
  return false;
}
