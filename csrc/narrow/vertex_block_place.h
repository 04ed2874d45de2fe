// collide, MIT licence (see LICENSE)
//
// Turns small convex parts, four vertices at a time. The including file first defines
// BLOCK_PLACING, the name of its cl_block_placing. Layer: narrow.

#include "base/f64x2.h"
#include "base/tol.h"
#include "narrow/vertex_block.h"

// Where the vertices from `i` on come from: if a shape's arrays have room for four only, the same
// four are repeated.
static inline size_t source(const cl_part *part, size_t i) {
  return part->first + (part->count > CL_BLOCK_FEW ? i : 0);
}

// Turns four vertices, from the i-th of the block on.
CL_WIDE CL_INLINE void turn_four(const cl_placed *p, size_t room, size_t i, double *block,
                                 cl_f64x4 *x, cl_f64x4 *y) {
  const cl_shape *s = p->shape;
  size_t k = source(s->parts, i);
  cl_f64x4 c = cl_f64x4_all(p->rot.c), d = cl_f64x4_all(p->rot.s);
  cl_f64x4 minus_d = cl_f64x4_all(-p->rot.s);
  cl_f64x4 lx = cl_f64x4_load(s->vx + k), ly = cl_f64x4_load(s->vy + k);
  cl_f64x4 u = cl_f64x4_load(s->nx + k), v = cl_f64x4_load(s->ny + k);
  double *out = block + i;
  *x = cl_f64x4_dot(c, minus_d, lx, ly);
  *y = cl_f64x4_dot(d, c, lx, ly);
  cl_f64x4_store(out, *x);
  cl_f64x4_store(out + room, *y);
  cl_f64x4_store(out + 2 * room, cl_f64x4_dot(c, minus_d, u, v));
  cl_f64x4_store(out + 3 * room, cl_f64x4_dot(d, c, u, v));
  cl_f64x4_store(out + 4 * room, cl_f64x4_load(s->line + k));
}

CL_WIDE CL_INLINE cl_f64x2 least_of_four(cl_f64x4 a) {
  return cl_f64x2_min(cl_f64x4_low(a), cl_f64x4_high(a));
}

CL_WIDE CL_INLINE cl_f64x2 most_of_four(cl_f64x4 a) {
  return cl_f64x2_max(cl_f64x4_low(a), cl_f64x4_high(a));
}

// Rounding keeps order: the outermost vertices stay outermost when the place is added. Bounds are
// stored in pairs, the way they are loaded later: a load that spans two separate stores is slow.
CL_WIDE CL_INLINE void place(const cl_placed *p, size_t room, double *block, cl_bounds *bounds) {
  cl_f64x4 x, y, z, w;
  turn_four(p, room, 0, block, &x, &y);
  z = x, w = y;
  if (room > CL_BLOCK_FEW) turn_four(p, room, CL_BLOCK_FEW, block, &z, &w);
  if (!bounds) return;
  cl_f64x4 l = cl_f64x4_min(x, z), t = cl_f64x4_min(y, w);
  cl_f64x4 r = cl_f64x4_max(x, z), b = cl_f64x4_max(y, w);
  cl_f64x2 at = cl_f64x2_load(&p->x);
  cl_f64x2 lt = cl_f64x2_least_of_each(least_of_four(l), least_of_four(t));
  cl_f64x2 rb = cl_f64x2_most_of_each(most_of_four(r), most_of_four(b));
  cl_f64x2_store(&bounds->l, cl_f64x2_add(at, lt));
  cl_f64x2_store(&bounds->r, cl_f64x2_add(at, rb));
}

CL_WIDE static void place_few(const cl_placed *p, double *block, cl_bounds *bounds) {
  place(p, CL_BLOCK_FEW, block, bounds);
}

CL_WIDE static void place_many(const cl_placed *p, double *block, cl_bounds *bounds) {
  place(p, CL_BLOCK_MANY, block, bounds);
}

const cl_block_placing BLOCK_PLACING = {place_few, place_many};
