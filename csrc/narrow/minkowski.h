// collide, MIT licence (see LICENSE)
//
// The boundary of the Minkowski difference b - a of two convex parts: it consists of the edges of
// both, ordered by direction. Layer: narrow.
// Source: Ericson, Real-Time Collision Detection, 3.11.

#ifndef CL_NARROW_MINKOWSKI_H
#define CL_NARROW_MINKOWSKI_H

#include "narrow/convex.h"

/// A corner of the difference b - a: vertex k of b minus vertex i of a.
typedef struct cl_corner {
  const cl_convex *a, *b;
  int i, k;
} cl_corner;

/// Its position.
cl_vec cl_corner_at(const cl_corner *c);

/// The corner at the other end of an edge of a, or with `of_b` of b, forward or back.
cl_corner cl_corner_step(const cl_corner *c, bool of_b, bool ahead);

/// The unit vector from here along an edge of a or b, forward or back.
cl_vec cl_corner_along(const cl_corner *c, bool of_b, bool ahead);

/// Whether the next edge at a corner reached along `way` is b's.
bool cl_corner_next_is_of_b(const cl_corner *c, cl_vec way, bool ahead);

/// At the corner where vertex i of a is subtracted from vertex k of b; the edge that begins there
/// is b's, or a's reversed. The normals are those of the edges that begin at the two vertices; a
/// point has none: 0, 0.
typedef struct cl_boundary {
  const cl_convex *a, *b;
  int i, k;
  bool of_b;
  cl_vec vertex_a, vertex_b, normal_a, normal_b;
} cl_boundary;

/// Returns the number of corners of one full round in the positive order; edges of both in one
/// direction have a corner between them.
int cl_boundary_begin(cl_boundary *walk, const cl_convex *a, const cl_convex *b);

/// The position of the corner.
static inline cl_vec cl_boundary_at(const cl_boundary *walk) {
  return cl_vec_sub(walk->vertex_b, walk->vertex_a);
}

/// The outward unit normal of the edge that begins there; 0, 0 if it is the only corner.
static inline cl_vec cl_boundary_normal(const cl_boundary *walk) {
  return walk->of_b ? walk->normal_b : cl_vec_mul(walk->normal_a, -1);
}

/// How far along that normal the edge is from 0, 0.
double cl_boundary_line(const cl_boundary *walk);

/// Moves on to the next corner.
void cl_boundary_next(cl_boundary *walk);

#endif
