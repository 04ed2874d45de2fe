// collide, MIT licence (see LICENSE)
//
// Overlaps that no pair of parts has: a segment that runs along a cut, with area on both sides of
// it, and chains that cross exactly at a corner. Both are decided exactly, on placed vertices.
// Layer: narrow.

#include "base/exact.h"
#include "base/config.h"
#include "narrow/overlap.h"

// An exact comparison takes about this many steps of work.
enum { STEPS_TO_ORIENT = 16 };

typedef struct line {
  cl_vec a, b;
} line;

static line edge_of(const cl_placed *p, const cl_part *part, uint32_t i) {
  return (line){cl_placed_vertex(p, part->first + i),
                cl_placed_vertex(p, part->first + (i + 1) % part->count)};
}

static bool is_same_place(cl_vec p, cl_vec q) { return p.x == q.x && p.y == q.y; }

static bool is_segment(const cl_part *part) { return part->count == 2 && part->radius == 0; }
static bool is_polygon(const cl_part *part) { return part->count > 2 && part->radius == 0; }

// Whether both ends of `e` are on the line of `s`: 1 if it runs in the same direction, -1 in the
// opposite one, 0 if it is not on the line.
static int same_line(const line *s, const line *e) {
  if (cl_orient(s->a, s->b, e->a) != 0 || cl_orient(s->a, s->b, e->b) != 0) return 0;
  return cl_dot(s->a, s->b, e->a, e->b) > 0 ? 1 : -1;
}

// A stretch of a line, as an interval of x, or if it is steep of y.
typedef struct stretch {
  bool steep;
  double low, high;
} stretch;

// What a stretch shares with a segment on its line.
static stretch shared(stretch of, const line *s) {
  double a = of.steep ? s->a.y : s->a.x, b = of.steep ? s->b.y : s->b.x;
  return (stretch){of.steep, cl_max(of.low, cl_min(a, b)), cl_min(of.high, cl_max(a, b))};
}

static cl_bounds bounds_of_line(const line *s) {
  return (cl_bounds){cl_min(s->a.x, s->b.x), cl_min(s->a.y, s->b.y), cl_max(s->a.x, s->b.x),
                     cl_max(s->a.y, s->b.y)};
}

static cl_within parts_at(const cl_placed *a, cl_vec p) {
  return cl_within_placed(a, (cl_bounds){p.x, p.y, p.x, p.y});
}

// Whether some edge of a polygon part of p covers some of a stretch of `s` and has its area on the
// wanted side (edges run with the area on the left). With `again`, another edge there has to have
// its area on the other side.
static bool covered(const cl_placed *p, const line *s, int side, stretch of, bool again) {
  cl_within at = cl_within_placed(p, bounds_of_line(s));
  for (uint32_t k; cl_within_next(&at, &k);) {
    const cl_part *part = &p->shape->parts[k];
    for (uint32_t i = 0; is_polygon(part) && i < part->count; i++) {
      line e = edge_of(p, part, i);
      if (same_line(s, &e) != side) continue;
      stretch on = shared(of, &e);
      if (on.low < on.high && (!again || covered(p, s, -side, on, false))) return true;
    }
  }
  return false;
}

// The next segment part of a shape that touches a box.
static bool next_segment(cl_within *at, const cl_placed *a, line *out) {
  for (uint32_t i; cl_within_next(at, &i);) {
    if (!is_segment(&a->shape->parts[i])) continue;
    *out = edge_of(a, &a->shape->parts[i], 0);
    return true;
  }
  return false;
}

static cl_within parts_near(const cl_placed *a, const cl_placed *b) {
  return cl_within_placed(a, cl_placed_bounds(b));
}

// Whether a segment part of `a` runs between areas of b on both its sides.
static bool along_cut(const cl_placed *a, const cl_placed *b) {
  cl_within at = parts_near(a, b);
  for (line s; next_segment(&at, a, &s);) {
    bool steep = fabs(s.b.x - s.a.x) < fabs(s.b.y - s.a.y);
    stretch all = {steep, -INFINITY, INFINITY};
    if (covered(b, &s, 1, shared(all, &s), true)) return true;
  }
  return false;
}

static bool on_segment(const line *s, cl_vec p) {
  return cl_orient(s->a, s->b, p) == 0 && cl_dot(s->a, p, p, s->b) >= 0;
}

static bool same_way(cl_vec p, cl_vec d, cl_vec e) {
  return cl_orient(p, d, e) == 0 && cl_dot(p, d, p, e) > 0;
}

// The ends of the ways that lead away from point p within the segments of a shape, one after
// another; several may have one direction.
typedef struct ways {
  const cl_placed *shape;
  cl_vec p;
  cl_within at;
  line segment;
  int left; // ends of the segment still to return
} ways;

static ways ways_from(const cl_placed *shape, cl_vec p) {
  return (ways){.shape = shape, .p = p, .at = parts_at(shape, p)};
}

static bool next_way(ways *w, cl_vec *end) {
  for (;;) {
    while (w->left > 0) {
      *end = --w->left ? w->segment.b : w->segment.a;
      if (!is_same_place(*end, w->p)) return true;
    }
    uint32_t i;
    if (!cl_within_next(&w->at, &i)) return false;
    const cl_part *part = &w->shape->shape->parts[i];
    if (!is_segment(part)) continue;
    w->segment = edge_of(w->shape, part, 0);
    CL_WORK(STEPS_TO_ORIENT);
    if (on_segment(&w->segment, w->p)) w->left = 2;
  }
}

// Whether way f is strictly between ways d and e, going round from d.
static bool between(cl_vec p, cl_vec d, cl_vec e, cl_vec f) {
  double side = cl_orient(p, d, e);
  if (side > 0) return cl_orient(p, d, f) > 0 && cl_orient(p, f, e) > 0;
  if (side < 0) return !(cl_orient(p, e, f) >= 0 && cl_orient(p, f, d) >= 0);
  return cl_dot(p, d, p, e) < 0 && cl_orient(p, d, f) > 0;
}

// Finds the ways of `a` from p that enclose way f; false if f is one of them, or there are none.
static bool find_sector(const cl_placed *a, cl_vec p, cl_vec f, cl_vec *from, cl_vec *to) {
  cl_vec d;
  bool any = false;
  ways w = ways_from(a, p);
  while (next_way(&w, &d)) {
    CL_WORK(2 * STEPS_TO_ORIENT);
    if (same_way(p, d, f)) return false;
    if (!any || between(p, *from, f, d)) *from = d;
    if (!any || between(p, f, *to, d)) *to = d;
    any = true;
  }
  return any;
}

// Whether two ways of `a` from p separate two of b's. As soon as one of b's is strictly between two
// neighbours among a's, the answer depends on whether another is outside them. If each is along one
// of a's, there is a doubt.
static cl_verdict part_ways(const cl_placed *a, const cl_placed *b, cl_vec p) {
  cl_vec f, g, from, to;
  ways w = ways_from(b, p);
  while (next_way(&w, &f)) {
    if (!find_sector(a, p, f, &from, &to)) continue;
    ways again = ways_from(b, p);
    while (next_way(&again, &g))
      if (between(p, to, from, g)) return CL_HIT;
    return CL_APART;
  }
  return CL_DOUBT;
}

// Whether at least four different ways lead from p: if two shapes have the same ways, two of one
// that are not neighbours separate the other two.
static bool has_four_ways(const cl_placed *a, cl_vec p) {
  cl_vec known[4], d;
  int n = 0;
  ways w = ways_from(a, p);
  while (n < 4 && next_way(&w, &d)) {
    bool is_known = false;
    for (int i = 0; i < n && !is_known; i++) is_known = same_way(p, known[i], d);
    if (!is_known) known[n++] = d;
  }
  return n == 4;
}

static bool cross_at(const cl_placed *a, const cl_placed *b, cl_vec p) {
  cl_vec d;
  ways of_a = ways_from(a, p), of_b = ways_from(b, p);
  if (!next_way(&of_a, &d) || !next_way(&of_b, &d)) return false;
  cl_verdict is = part_ways(a, b, p);
  if (is == CL_DOUBT) is = part_ways(b, a, p);
  return is == CL_DOUBT ? has_four_ways(a, p) : is == CL_HIT;
}

// The angle that a polygon part fills at point p: from one way to the other, in the positive
// direction. False if p is not on its boundary.
static bool wedge_at(const cl_placed *a, const cl_part *part, cl_vec p, line *out) {
  for (uint32_t i = 0; is_polygon(part) && i < part->count; i++) {
    line e = edge_of(a, part, i);
    if (!on_segment(&e, p) || is_same_place(e.b, p)) continue;
    *out = (line){e.b, e.a};
    if (is_same_place(e.a, p)) // a corner: back along the previous edge
      out->b = edge_of(a, part, (i + part->count - 1) % part->count).a;
    return true;
  }
  return false;
}

// Whether the parts round p fill the full circle: each one's end is inside another.
static bool fills_circle(const cl_placed *a, cl_vec p) {
  bool any = false;
  line w, v;
  cl_within one = parts_at(a, p);
  for (uint32_t i, k; cl_within_next(&one, &i);) {
    if (!wedge_at(a, &a->shape->parts[i], p, &w)) continue;
    bool goes_on = false;
    cl_within two = parts_at(a, p);
    while (!goes_on && cl_within_next(&two, &k))
      goes_on = wedge_at(a, &a->shape->parts[k], p, &v) &&
                (between(p, v.a, v.b, w.b) || same_way(p, v.a, w.b));
    if (!goes_on) return false;
    any = true;
  }
  return any;
}

// Whether a point part of `a` is where parts of b meet, inside the whole.
static bool at_cut(const cl_placed *a, const cl_placed *b) {
  for (uint32_t i = 0; i < a->shape->part_count; i++) {
    const cl_part *part = &a->shape->parts[i];
    if (part->count != 1 || part->radius > 0) continue;
    if (fills_circle(b, cl_placed_vertex(a, part->first))) return true;
  }
  return false;
}

// Whether segments cross at an end of one of a's that is on one of b's.
static bool cross_at_end(const cl_placed *a, const cl_placed *b) {
  cl_within at = parts_near(a, b);
  for (line s; next_segment(&at, a, &s);) {
    if (cross_at(a, b, s.a) || cross_at(a, b, s.b)) return true;
  }
  return false;
}

bool cl_seams_overlap(const cl_placed *a, const cl_placed *b) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  bool thin_a = a->shape->flags & CL_SHAPE_THIN, thin_b = b->shape->flags & CL_SHAPE_THIN;
  return (thin_a && (at_cut(a, b) || along_cut(a, b))) ||
         (thin_b && (at_cut(b, a) || along_cut(b, a))) ||
         (thin_a && thin_b && (cross_at_end(a, b) || cross_at_end(b, a)));
}
