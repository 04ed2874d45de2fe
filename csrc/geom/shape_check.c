// collide, MIT licence (see LICENSE)
//
// Walking a shape to check its invariants. Layer: geom.

#include "geom/shape_check.h"

#include "base/exact.h"
#include "base/tol.h"
#include "cells/grid.h"
#include "geom/box.h"
#include "geom/part_bvh.h"
#include "geom/tile_set.h"

// How far a unit normal may be off by rounding, as a sine or a share.
#define NORMAL_ERROR 1e-12

static cl_vec vertex_of(const cl_shape *s, const cl_part *part, uint32_t i) {
  uint32_t k = part->first + i % part->count;
  return (cl_vec){s->vx[k], s->vy[k]};
}

// A convex outline turns only one way, and runs left once and right once.
static bool is_convex(const cl_shape *s, const cl_part *part) {
  int turns = 0;
  for (uint32_t i = 0; i < part->count && part->count > 2; i++) {
    cl_vec u = vertex_of(s, part, i), v = vertex_of(s, part, i + 1), w = vertex_of(s, part, i + 2);
    const double a[2] = {u.x, u.y}, b[2] = {v.x, v.y}, c[2] = {w.x, w.y};
    if (cl_orient(a, b, c) < 0) return false;
    turns += v.x < u.x && !(w.x < v.x);
  }
  return turns <= 1;
}

static bool is_normal(cl_vec n, cl_vec from, cl_vec to) {
  cl_vec e = cl_vec_sub(to, from);
  double length = cl_vec_normalise(&e);
  if (length == 0) return n.x == 0 && n.y == 0;
  return fabs(cl_vec_length(n) - 1) <= NORMAL_ERROR && fabs(cl_vec_dot(n, e)) <= NORMAL_ERROR &&
         cl_vec_cross(n, e) > 0;
}

static bool is_part_valid(const cl_shape *s, const cl_part *part) {
  if (part->count == 0 || !(part->radius >= 0)) return false;
  cl_bounds core = cl_bounds_grown(part->bounds, part->radius * 4 * CL_ROUND - part->radius);
  if ((part->flags & CL_PART_BOX) && part->count != 4) return false;
  for (uint32_t i = 0; i < ((part->count + 3) & ~3u); i++) {
    uint32_t k = part->first + i, same = i < part->count ? i : part->count - 1;
    cl_vec v = vertex_of(s, part, same);
    if (s->vx[k] != v.x || s->vy[k] != v.y) return false;
    double error = 4 * CL_ROUND * part->reach;
    if (!cl_bounds_hold(cl_bounds_grown(core, part->radius > 0 ? error : 0), v)) return false;
    if (!(fabs(v.x) + fabs(v.y) <= part->reach)) return false;
    cl_vec n = {s->nx[k], s->ny[k]};
    cl_vec w = vertex_of(s, part, same + 1);
    if (part->count > 1 && !is_normal(n, v, w)) return false;
    if (s->line[k] != cl_max(cl_vec_dot(n, v), cl_vec_dot(n, w))) return false;
  }
  return is_convex(s, part);
}

// Nodes in preorder, each of which contains the nodes below; the leaves partition `order`.
static bool is_tree_valid(const cl_shape *s) {
  uint32_t nodes = cl_part_bvh_size(s->part_count), at = 0;
  uint64_t sum = 0;
  if (nodes == 0) return true;
  if (s->nodes[0].skip != nodes) return false;
  for (uint32_t i = 0; i < nodes; i++) {
    const cl_part_node *n = &s->nodes[i];
    if (n->skip <= i || n->skip > nodes) return false;
    if (n->count == 0) {
      const cl_part_node *first = n + 1, *second = &s->nodes[first->skip];
      if (first->skip >= n->skip || second->skip != n->skip) return false;
      if (!cl_bounds_cover(n->bounds, first->bounds) || !cl_bounds_cover(n->bounds, second->bounds))
        return false;
      continue;
    }
    if (n->first != at || n->skip != i + 1) return false;
    for (at = n->first; at < n->first + n->count; at++) {
      if (at >= s->part_count || s->order[at] >= s->part_count) return false;
      if (!cl_bounds_cover(n->bounds, s->parts[s->order[at]].bounds)) return false;
      sum += s->order[at];
    }
  }
  return at == s->part_count && sum == (uint64_t)at * (at - 1) / 2;
}

static bool are_members_valid(const cl_shape *s) {
  for (uint32_t i = 0; i < s->member_count; i++) {
    const cl_shape *m = s->members[i];
    if (m->references == 0 || m->kind == CL_TILES || m->levels >= s->levels) return false;
    if ((m->flags ^ s->flags) & CL_SHAPE_UPRIGHT) return false;
  }
  return s->member_count == 0 || s->kind == CL_COMPOUND;
}

bool cl_shape_is_valid(const cl_shape *s) {
  if (s->references == 0 || !(s->bounds.l <= s->bounds.r && s->bounds.t <= s->bounds.b))
    return false;
  if (s->kind == CL_TILES)
    return s->part_count == 0 && s->grid && s->grid->references > 0 && s->cell > 0 &&
           (s->flags & CL_SHAPE_UPRIGHT) && (!s->set || s->set->references > 0);
  if (s->part_count == 0) return false;
  for (uint32_t i = 0; i < s->part_count; i++) {
    const cl_part *part = &s->parts[i];
    if (!is_part_valid(s, part) || !cl_bounds_cover(s->bounds, part->bounds)) return false;
    if (!(part->reach + part->radius <= s->reach)) return false;
    uint32_t needs = part->radius > 0 ? CL_SHAPE_ROUND : part->count <= 2 ? CL_SHAPE_THIN : 0;
    if ((s->flags & needs) != needs) return false;
  }
  return is_tree_valid(s) && are_members_valid(s);
}
