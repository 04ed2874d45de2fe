// collide, MIT licence (see LICENSE)
//
// Overlap of shapes made of parts. Layer: narrow.

#include "narrow/parts_overlap.h"

#include "narrow/canonical_order.h"
#include "narrow/convex_overlap.h"
#include "narrow/primitives.h"
#include "narrow/sat.h"
#include "narrow/union_overlap.h"

static bool overlap_convex(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  cl_vec origin = cl_convex_origin(a, b);
  cl_convex p, q;
  cl_convex_room of_a, of_b;
  cl_convex_place_in(a, 0, origin, &of_a, &p);
  cl_convex_place_in(b, 0, origin, &of_b, &q);
  return cl_convex_overlap(&p, &q, touching, out);
}

static bool overlap_union(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                          cl_hit *out) {
  return cl_union_overlap(a, b, effort, out) || (touching && cl_union_touch(a, b, out));
}

static bool is_single(const cl_placed *p) { return p->shape->part_count == 1; }

bool cl_parts_meet(const cl_placed *a, const cl_placed *b, bool touching) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  cl_hit h;
  cl_effort effort = cl_full_effort(); // single parts take none
  if (is_single(a) && is_single(b)) return cl_parts_overlap(a, b, touching, &effort, &h);
  bool ordered = cl_comes_first(a, b);
  return cl_union_meets(ordered ? a : b, ordered ? b : a, touching);
}

bool cl_parts_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                      cl_hit *out) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  const cl_part *p = a->shape->parts, *q = b->shape->parts;
  bool single = is_single(a) && is_single(b);
  if (single && cl_placed_part_is_box(a, 0) && cl_placed_part_is_box(b, 0))
    return cl_overlap_boxes(cl_placed_part_bounds(a, 0), cl_placed_part_bounds(b, 0), touching,
                            out);
  if (single && p->count == 1 && q->count == 1) {
    cl_vec v = cl_placed_vertex(a, p->first), w = cl_placed_vertex(b, q->first);
    return cl_overlap_circles((cl_disc){v.x, v.y, p->radius}, (cl_disc){w.x, w.y, q->radius},
                              touching, out);
  }
  if (cl_has_block(a->shape) && cl_has_block(b->shape)) {
    cl_verdict verdict = cl_sat_verdict(a, b, out);
    if (verdict != CL_DOUBT) return verdict == CL_HIT;
  }
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  cl_hit h;
  if (!(single ? overlap_convex(first, second, touching, &h)
               : overlap_union(first, second, touching, effort, &h)))
    return false;
  // Rounding may give a depth to parts that only touch.
  double size = (fabs(a->x) + fabs(a->y)) + (fabs(b->x) + fabs(b->y));
  double error = CL_SEPARATION_ERROR * (size + (a->shape->reach + b->shape->reach));
  bool doubtful = touching && h.depth > 0 && h.depth <= error;
  if (doubtful && !cl_parts_meet(a, b, false)) h.depth = 0;
  double sign = ordered ? -1 : 1;
  *out = (cl_hit){h.nx * sign + 0.0, h.ny * sign + 0.0, h.depth}; // + 0 turns -0 into 0
  return true;
}
