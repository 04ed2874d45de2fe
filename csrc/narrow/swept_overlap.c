// collide, MIT licence (see LICENSE)
//
// Swept overlap: a cast for which a touch is not enough. Convex parts overlap at some moment of a
// motion if the one at rest overlaps the area that the other sweeps, which is convex too.
// Layer: narrow.

#include "narrow/swept_overlap.h"

#include "geom/shape.h"
#include "narrow/overlap.h"
#include "narrow/ray_box.h"
#include "narrow/tiles_cast.h"

// The first of the pairs of parts that come to overlap.
static bool meet_parts(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                       cl_first_meeting *best) {
  cl_parts_cast m; // large: filled in as needed
  cl_cast found = {.t = 2};
  cl_parts_cast_begin(&m, a, d, b, NULL);
  m.touching = m.any_strict = !touching;
  bool any =
      cl_placed_is_tiles(b) ? cl_tiles_cast_meet(&m, &found) : cl_parts_cast_meet(&m, &found);
  if (any) *best = (cl_first_meeting){found.t, found.nx, found.ny};
  return any;
}

// A segment that moves along its own line, from p to q at the start.
typedef struct line {
  cl_vec p, q, d;
} line;

// Whether the area that it sweeps until t overlaps b.
static bool overlaps_until(const line *l, double t, const cl_placed *b) {
  cl_stack_shape swept;
  cl_vec end = cl_vec_add(l->q, cl_vec_mul(l->d, t));
  cl_stack_segment(&swept, l->p.x, l->p.y, end.x, end.y);
  cl_placed placed = {&swept.shape, 0, 0, {1, 0}};
  return cl_bounds_touch(swept.shape.bounds, cl_placed_bounds(b)) && cl_overlaps(&placed, b, false);
}

enum { HALVINGS = 53 };

// The swept area only grows.
static bool meet_line(const line *l, const cl_placed *b, cl_first_meeting *best) {
  double low = 0, high = cl_min(best->t, 1);
  if (!overlaps_until(l, high, b)) return false;
  for (int i = 0; i < HALVINGS; i++) {
    double t = 0.5 * (low + high);
    if (overlaps_until(l, t, b)) high = t;
    else low = t;
  }
  if (low >= best->t) return false;
  cl_vec normal = cl_vec_mul(l->d, -1);
  cl_vec_normalise(&normal);
  *best = (cl_first_meeting){low, normal.x + 0.0, normal.y + 0.0};
  return true;
}

// Segments of `a` that move along their own line. One may enter along a cut or between two tiles,
// or cross a chain at its corner: then it overlaps the whole of b but none of its parts.
static bool meet_lines(const cl_placed *a, cl_vec d, const cl_placed *b, cl_first_meeting *best) {
  bool any = false;
  if (!(a->shape->flags & CL_SHAPE_THIN)) return false;
  for (uint32_t i = 0; i < a->shape->part_count; i++) {
    const cl_part *part = &a->shape->parts[i];
    if (!cl_part_is_thin(part) || part->count != 2) continue;
    line l = {cl_placed_vertex(a, part->first), cl_placed_vertex(a, part->first + 1), d};
    cl_vec along = cl_vec_sub(l.q, l.p);
    if (cl_vec_cross(along, d) != 0) continue;
    if (cl_vec_dot(along, d) < 0) l = (line){l.q, l.p, d};
    any = meet_line(&l, b, best) || any;
  }
  return any;
}

static bool meet(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                 cl_first_meeting *out) {
  double in, leave, room = cl_placed_error(a) + cl_placed_error(b);
  cl_box_pass(cl_bounds_grown(cl_placed_bounds(a), room), cl_placed_bounds(b), d, &in, &leave);
  if (in > leave || cl_overlaps(a, b, touching)) return false;
  cl_first_meeting best = {.t = 2};
  bool any = meet_parts(a, d, b, touching, &best);
  if (!touching) {
    any = meet_lines(a, d, b, &best) || any;
    if (meet_lines(b, cl_vec_mul(d, -1), a, &best)) {
      any = true;
      best = (cl_first_meeting){best.t, 0.0 - best.nx, 0.0 - best.ny};
    }
  }
  if (any) *out = best;
  return any;
}

bool cl_swept_overlap(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                      cl_first_meeting *out) {
  bool tiles = cl_placed_is_tiles(a), other_tiles = cl_placed_is_tiles(b);
  if ((d.x == 0 && d.y == 0) || (tiles && other_tiles)) return false;
  if (other_tiles || (!tiles && cl_comes_first(a, b))) return meet(a, d, b, touching, out);
  if (!meet(b, cl_vec_mul(d, -1), a, touching, out)) return false;
  out->nx = 0.0 - out->nx;
  out->ny = 0.0 - out->ny;
  return true;
}
