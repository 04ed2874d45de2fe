// collide, MIT licence (see LICENSE)
//
// Convex parts at a place, and pairs of them. Layer: narrow.
//
// Two parts are compared by their cores, the hulls of their vertices, and the radii are added at
// the end. The best axis is the normal of an edge along which the cores are farthest apart, or
// overlap least; it is found in doubles, with an error bound. From there a walk along the boundary
// of the Minkowski difference finds the closest points. If the distance differs from the radii by
// less than the error, exact arithmetic on the placed vertices decides whether the parts overlap;
// only depths and directions are rounded. Small parts are tested four edges at a time; in large
// ones the farthest vertex is found by walking on from the last one.

#include "narrow/convex.h"

#include "base/exact.h"
#include "base/simd.h"
#include "narrow/primitives.h"

// --- placing ---

// The arrays for the placed corners and edges of a part.
typedef struct corners {
  double *x, *y, *nx, *ny;
} corners;

// Places them four at a time.
CL_INLINE void place_corners(const cl_placed *p, const cl_part *part, cl_vec origin, corners out) {
  const cl_shape *s = p->shape;
  const double *vx = s->vx + part->first, *vy = s->vy + part->first;
  const double *nx = s->nx + part->first, *ny = s->ny + part->first;
  cl_f64x4 c = cl_f64x4_all(p->rot.c), d = cl_f64x4_all(p->rot.s);
  cl_f64x4 minus_d = cl_f64x4_all(-p->rot.s);
  cl_f64x4 px = cl_f64x4_all(p->x), py = cl_f64x4_all(p->y);
  cl_f64x4 ox = cl_f64x4_all(origin.x), oy = cl_f64x4_all(origin.y);
  for (int i = 0, n = (int)part->count; i < n; i += 4) {
    cl_f64x4 x = cl_f64x4_load(vx + i), y = cl_f64x4_load(vy + i);
    cl_f64x4 u = cl_f64x4_load(nx + i), v = cl_f64x4_load(ny + i);
    cl_f64x4 wx = cl_f64x4_add(px, cl_f64x4_dot(c, minus_d, x, y));
    cl_f64x4 wy = cl_f64x4_add(py, cl_f64x4_dot(d, c, x, y));
    cl_f64x4_store(out.x + i, cl_f64x4_sub(wx, ox));
    cl_f64x4_store(out.y + i, cl_f64x4_sub(wy, oy));
    cl_f64x4_store(out.nx + i, cl_f64x4_dot(c, minus_d, u, v));
    cl_f64x4_store(out.ny + i, cl_f64x4_dot(d, c, u, v));
  }
}

void cl_convex_place_in(const cl_placed *p, uint32_t index, cl_vec origin, cl_convex_room *room,
                        cl_convex *out) {
  assert(index < p->shape->part_count);
  const cl_part *part = &p->shape->parts[index];
  out->placed = p;
  out->part = part;
  out->origin = origin;
  out->from = (cl_vec){p->x - origin.x, p->y - origin.y};
  out->line = p->shape->line + part->first;
  out->n = (int)part->count;
  out->r = part->radius;
  out->size = fabs(p->x) + fabs(p->y) + part->reach + part->radius;
  out->room = room && part->count > CL_SMALL && part->count <= CL_ROOM ? room : NULL;
  if (part->count <= CL_SMALL)
    place_corners(p, part, origin, (corners){out->x, out->y, out->nx, out->ny});
  else if (out->room)
    place_corners(p, part, origin, (corners){room->x, room->y, room->nx, room->ny});
}

cl_vec cl_convex_vertex_large(const cl_convex *c, int i) {
  assert(i >= 0 && i < c->n);
  return cl_vec_sub(cl_placed_vertex(c->placed, c->part->first + (uint32_t)i), c->origin);
}

cl_vec cl_convex_normal_large(const cl_convex *c, int i) {
  assert(i >= 0 && i < c->n);
  const cl_shape *s = c->placed->shape;
  uint32_t k = c->part->first + (uint32_t)i;
  return cl_rot_apply(c->placed->rot, (cl_vec){s->nx[k], s->ny[k]});
}

// --- supports ---

static int support_of_all(const cl_convex *c, cl_vec d) {
  int best = 0;
  double most = -DBL_MAX;
  for (int i = 0; i < c->n; i++) {
    double along = cl_vec_dot(cl_convex_vertex(c, i), d);
    if (along > most) most = along, best = i;
  }
  return best;
}

// Parts of fewer vertices are searched as a whole.
enum { FEW = 8 };

// Along a convex outline the vertices only rise to the farthest one, except for rounding. Where
// they have fallen by more than that below the best so far, in both directions, no better one
// follows.
int cl_convex_support_near(const cl_convex *c, cl_vec d, int from) {
  if (c->n <= FEW) return support_of_all(c, d);
  const double fall = 0x1p-30 * c->size * (fabs(d.x) + fabs(d.y));
  double most = cl_vec_dot(cl_convex_vertex(c, from), d);
  int best = from, left = c->n - 1;
  for (int back = 0; back < 2; back++) {
    for (int i = from; left > 0; left--) {
      i = back ? cl_convex_before(c, i) : cl_convex_next(c, i);
      double along = cl_vec_dot(cl_convex_vertex(c, i), d);
      if (along < most - fall) break;
      if (along > most || (along == most && i < best)) most = along, best = i;
    }
  }
  return best;
}

// Whether v is more than half a turn past u.
static bool is_late(cl_vec u, cl_vec v) {
  double side = cl_vec_cross(u, v);
  return side < 0 || (side == 0 && cl_vec_dot(u, v) < 0);
}

// The normals of the edges go round once, so the one before `d` is found by bisection: the farthest
// vertex is at the end of its edge, or near it.
static int guess_support(const cl_convex *c, cl_vec d) {
  cl_vec first = cl_convex_normal(c, 0);
  bool late = is_late(first, d);
  int low = 0, high = c->n - 1;
  while (low < high) {
    int mid = (low + high + 1) / 2;
    cl_vec n = cl_convex_normal(c, mid);
    bool n_late = is_late(first, n), before = late != n_late ? late : cl_vec_cross(n, d) >= 0;
    if (before) low = mid;
    else high = mid - 1;
  }
  return cl_convex_next(c, low);
}

int cl_convex_support(const cl_convex *c, cl_vec d) {
  if (c->n <= CL_SMALL) return support_of_all(c, d);
  return cl_convex_support_near(c, d, guess_support(c, d));
}

double cl_convex_least(const cl_convex *c, cl_vec d) {
  double least = DBL_MAX;
  for (int i = 0; i < c->n; i++) least = cl_min(least, cl_vec_dot(cl_convex_vertex(c, i), d));
  return least;
}

// --- the best axis ---

// The arguments of cl_convex_axis: the separation above which any axis will do, and a's motion.
typedef struct question {
  double enough;
  cl_vec d;
} question;

// Whether n goes before m, for two directions from a to b with the same separation.
static bool goes_first(cl_vec n, cl_vec m, cl_vec d) {
  double rate = cl_vec_dot(n, d), other = cl_vec_dot(m, d);
  if (rate != other) return rate < other;
  return cl_vec_goes_first(cl_vec_mul(n, -1), cl_vec_mul(m, -1));
}

// The same for two edges of c, a part that is a (`sign` 1) or b (-1).
static int first_of(const cl_convex *c, int i, int k, double sign, cl_vec d) {
  cl_vec n = cl_vec_mul(cl_convex_normal(c, i), sign), m = cl_vec_mul(cl_convex_normal(c, k), sign);
  return goes_first(m, n, d) ? k : i;
}

// Four edges at a time against every vertex of b. Padding repeats the last edge,
// which changes nothing.
static double separation_small(const cl_convex *a, const cl_convex *b, const question *ask,
                               double sign, int *edge) {
  cl_f64x4 fx = cl_f64x4_all(a->from.x), fy = cl_f64x4_all(a->from.y);
  double best = -DBL_MAX;
  int at = 0, m = b->n;
  for (int i = 0; i < a->n && best <= ask->enough; i += 4) {
    cl_f64x4 nx = cl_f64x4_load(a->nx + i), ny = cl_f64x4_load(a->ny + i);
    cl_f64x4 s = cl_f64x4_dot(nx, ny, cl_f64x4_all(b->x[0]), cl_f64x4_all(b->y[0]));
    for (int k = 1; k < m; k++) {
      cl_f64x4 x = cl_f64x4_all(b->x[k]), y = cl_f64x4_all(b->y[k]);
      s = cl_f64x4_min(cl_f64x4_dot(nx, ny, x, y), s);
    }
    cl_f64x4 own = cl_f64x4_add(cl_f64x4_load(a->line + i), cl_f64x4_dot(nx, ny, fx, fy));
    cl_f64x4 v = cl_f64x4_sub(s, own);
    double most = cl_f64x4_most(v);
    if (most < best) continue;
    unsigned tied = cl_f64x4_eq_bits(v, cl_f64x4_all(most));
    if (a->n - i < 4) tied &= (1u << (a->n - i)) - 1; // without padding
    if (most > best) {
      at = i + (int)cl_first_bit(tied);
      tied &= tied - 1;
    }
    best = most;
    for (; tied; tied &= tied - 1) at = first_of(a, at, i + (int)cl_first_bit(tied), sign, ask->d);
  }
  *edge = at;
  return best;
}

// As the normals turn, b's nearest vertex only moves round with them.
static double separation_large(const cl_convex *a, const cl_convex *b, const question *ask,
                               double sign, int *edge) {
  double best = -DBL_MAX;
  cl_vec n = cl_convex_normal(a, 0);
  int at = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  for (int i = 0; i < a->n && best <= ask->enough; i++) {
    n = cl_convex_normal(a, i);
    double least = cl_vec_dot(n, cl_convex_vertex(b, at));
    for (int left = b->n; left > 0; left--) {
      int next = cl_convex_next(b, at);
      double d = cl_vec_dot(n, cl_convex_vertex(b, next));
      if (d > least) break;
      least = d, at = next;
    }
    double s = least - (a->line[i] + cl_vec_dot(n, a->from));
    if (s == best) *edge = first_of(a, *edge, i, sign, ask->d);
    if (s > best) best = s, *edge = i;
  }
  return best;
}

// The largest separation of the cores along the normals of a's edges, and its edge; -DBL_MAX if a
// has no edges. Returns the first separation that is enough.
static double separation(const cl_convex *a, const cl_convex *b, const question *ask, double sign,
                         int *edge) {
  *edge = 0;
  if (a->n == 1) return -DBL_MAX;
  if (a->n <= CL_SMALL && b->n <= CL_SMALL) return separation_small(a, b, ask, sign, edge);
  return separation_large(a, b, ask, sign, edge);
}

cl_axis cl_convex_axis_moving(const cl_convex *a, const cl_convex *b, double enough, cl_vec d) {
  int i, k;
  const question ask = {enough, d};
  double s = separation(a, b, &ask, 1, &i);
  if (s <= enough) {
    double t = separation(b, a, &ask, -1, &k);
    if (t >= s && b->n > 1) {
      cl_vec n = cl_convex_normal(b, k), back = {-n.x, -n.y};
      if (t > s || goes_first(back, cl_convex_normal(a, i), d)) return (cl_axis){t, back, k, true};
    }
  }
  return (cl_axis){s, cl_convex_normal(a, i), i, false};
}

// --- closest points ---

// The best axis is the normal of an edge of the Minkowski difference b - a; if 0, 0 is not beside
// that edge, a walk along the boundary finds the nearest point, usually at the edge's end.

// A corner of the difference: vertex k of b minus vertex i of a.
typedef struct corner {
  const cl_convex *a, *b;
  int i, k;
} corner;

static cl_vec place_of(const corner *c) {
  return cl_vec_sub(cl_convex_vertex(c->b, c->k), cl_convex_vertex(c->a, c->i));
}

// The corner at the other end of an edge of a, or with `of_b` of b, forward or back.
static corner step(const corner *c, bool of_b, bool ahead) {
  corner d = *c;
  if (of_b) d.k = ahead ? cl_convex_next(d.b, d.k) : cl_convex_before(d.b, d.k);
  else d.i = ahead ? cl_convex_next(d.a, d.i) : cl_convex_before(d.a, d.i);
  return d;
}

// The unit vector along that edge.
static cl_vec way_along(const corner *c, bool of_b, bool ahead) {
  const cl_convex *p = of_b ? c->b : c->a;
  int at_edge = of_b ? c->k : c->i;
  return cl_edge_way(cl_convex_normal(p, ahead ? at_edge : cl_convex_before(p, at_edge)), of_b,
                     ahead);
}

// Whether the next edge at a corner reached along `way` is b's.
static bool next_is_of_b(const corner *c, cl_vec way, bool ahead) {
  if (c->a->n == 1) return true;
  if (c->b->n == 1) return false;
  return cl_edge_turns_less(way_along(c, false, ahead), way_along(c, true, ahead), way, ahead);
}

static cl_closest at_corner(const corner *c) {
  cl_closest r = {.corner = true, .i = c->i, .k = c->k};
  r.a = cl_convex_vertex(c->a, c->i);
  r.b = cl_convex_vertex(c->b, c->k);
  cl_vec v = cl_vec_sub(r.b, r.a);
  r.distance = cl_vec_normalise(&v);
  r.normal = v;
  return r;
}

// The closest points if 0, 0 is beside the edge of a or b that begins at the corner. A flat part
// has two edges in one place: uses the normal that points from a to b.
static cl_closest at_edge(const corner *c, bool of_b) {
  cl_vec p = cl_convex_vertex(c->a, c->i), q = cl_convex_vertex(c->b, c->k);
  cl_vec n = of_b ? cl_convex_normal(c->b, c->k) : cl_convex_normal(c->a, c->i);
  double s = of_b ? cl_convex_outside(c->b, c->k, p) : cl_convex_outside(c->a, c->i, q);
  if (of_b) n = (cl_vec){-n.x, -n.y};
  if (s < 0) n = (cl_vec){-n.x, -n.y}, s = -s;
  cl_vec way = cl_vec_mul(n, s);
  return (cl_closest){.a = of_b ? p : cl_vec_sub(q, way),
                      .b = of_b ? cl_vec_add(p, way) : q,
                      .normal = n,
                      .distance = s};
}

// Walks the boundary from a corner reached along `way`, as long as that comes nearer to 0, 0.
static cl_closest walk(corner c, cl_vec way, bool ahead) {
  cl_vec v = place_of(&c);
  for (int left = c.a->n + c.b->n; left > 0; left--) {
    bool of_b = next_is_of_b(&c, way, ahead);
    way = way_along(&c, of_b, ahead);
    if (cl_vec_dot(v, way) >= 0) break;
    corner next = step(&c, of_b, ahead);
    v = place_of(&next);
    if (cl_vec_dot(v, way) >= 0) return at_edge(ahead ? &c : &next, of_b);
    c = next;
  }
  return at_corner(&c);
}

static bool is_lower_point(cl_vec a, cl_vec b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// A side of a part, from its low end across a direction to its high one.
typedef struct stretch {
  cl_vec low, high;
  double from, to;
} stretch;

static stretch stretch_of(const cl_convex *c, int i, int k, cl_vec across) {
  cl_vec p = cl_convex_vertex(c, i), q = cl_convex_vertex(c, k);
  double from = cl_vec_dot(p, across), to = cl_vec_dot(q, across);
  return from <= to ? (stretch){p, q, from, to} : (stretch){q, p, to, from};
}

// For two sides that face each other along the best axis: takes the end with the lower coordinates
// of the stretch that they share. False if they share none.
static bool face_each_other(const cl_axis *axis, const stretch *a, const stretch *b,
                            cl_closest *out) {
  if (cl_max(a->from, b->from) > cl_min(a->to, b->to)) return false;
  cl_vec lift = cl_vec_mul(axis->normal, axis->separation);
  bool inside = axis->separation < 0; // as at_edge has it
  cl_closest low = {.normal = inside ? cl_vec_mul(axis->normal, -1) : axis->normal,
                    .distance = fabs(axis->separation)};
  cl_closest high = low;
  low.a = a->from >= b->from ? a->low : cl_vec_sub(b->low, lift);
  low.b = b->from >= a->from ? b->low : cl_vec_add(a->low, lift);
  high.a = a->to <= b->to ? a->high : cl_vec_sub(b->high, lift);
  high.b = b->to <= a->to ? b->high : cl_vec_add(a->high, lift);
  *out = is_lower_point(high.a, low.a) ? high : low;
  return true;
}

// Finds the vertex next to the farthest one of the part that does not have the best axis, if it is
// as far. Of equally far ones the first is known.
static bool has_facing_side(const corner *start, const cl_axis *axis, int *other) {
  const cl_convex *c = axis->of_b ? start->a : start->b;
  int far = axis->of_b ? start->i : start->k;
  if (c->n == 1) return false;
  double along = cl_vec_dot(cl_convex_vertex(c, far), axis->normal);
  *other = cl_convex_next(c, far);
  if (cl_vec_dot(cl_convex_vertex(c, *other), axis->normal) == along) return true;
  *other = c->n - 1;
  return far == 0 && cl_vec_dot(cl_convex_vertex(c, *other), axis->normal) == along;
}

// How far 0, 0 is past the ends of the edge whose normal is the best axis.
static double past_ends(const corner *start, const cl_axis *axis) {
  corner end = step(start, axis->of_b, true);
  cl_vec way = way_along(start, axis->of_b, true);
  return cl_max(cl_vec_dot(place_of(start), way), -cl_vec_dot(place_of(&end), way));
}

cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis) {
  cl_vec n = axis->normal;
  corner start = {a, b, 0, 0};
  cl_closest found;
  int other;
  if (a->n == 1 && b->n == 1) return at_corner(&start);
  if (axis->of_b) start.i = cl_convex_support(a, n), start.k = axis->edge;
  else start.i = axis->edge, start.k = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  if (has_facing_side(&start, axis, &other)) {
    cl_vec across = {-n.y, n.x};
    int i = axis->of_b ? other : cl_convex_next(a, start.i);
    int k = axis->of_b ? cl_convex_next(b, start.k) : other;
    stretch one = stretch_of(a, start.i, i, across), two = stretch_of(b, start.k, k, across);
    if (face_each_other(axis, &one, &two, &found)) return found;
    corner second = axis->of_b ? (corner){a, b, other, start.k} : (corner){a, b, start.i, other};
    if (past_ends(&second, axis) < past_ends(&start, axis)) start = second;
  }
  corner end = step(&start, axis->of_b, true);
  cl_vec way = way_along(&start, axis->of_b, true);
  if (cl_vec_dot(place_of(&start), way) > 0) return walk(start, cl_vec_mul(way, -1), false);
  if (cl_vec_dot(place_of(&end), way) < 0) return walk(end, way, true);
  return at_edge(&start, axis->of_b);
}

bool cl_convex_corner(const cl_convex *a, const cl_convex *b, cl_closest *out) {
  double r = a->r + b->r;
  if (r == 0) return false;
  cl_axis axis = cl_convex_axis(a, b, r);
  if (axis.separation <= 0 && a->n + b->n > 2) return false;
  *out = cl_convex_closest(a, b, &axis);
  return out->corner;
}

// --- sides that face along a normal ---

// Whether two edges are collinear, as edges of a cut part can be.
static bool in_line(cl_vec n, cl_vec m) {
  return fabs(cl_vec_cross(n, m)) <= CL_MEET && cl_vec_dot(n, m) > 0;
}

// The edge at the farthest vertex that faces along n more, extended by the edges collinear with it;
// the vertex alone if both face it equally.
cl_facet cl_facet_of(const cl_convex *c, cl_vec n, cl_vec across) {
  int from = cl_convex_support(c, n), to = from, before = cl_convex_before(c, from);
  double ahead = c->n > 1 ? cl_vec_dot(cl_convex_normal(c, from), n) : 0;
  double behind = c->n > 1 ? cl_vec_dot(cl_convex_normal(c, before), n) : 0;
  if (ahead != behind) {
    if (ahead < behind) from = before;
    cl_vec side = cl_convex_normal(c, from);
    to = cl_convex_next(c, from);
    for (int i = 2; i < c->n && in_line(side, cl_convex_normal(c, to)); i++) {
      to = cl_convex_next(c, to);
    }
    before = cl_convex_before(c, from);
    for (int i = 2; i < c->n && in_line(side, cl_convex_normal(c, before)); i++) {
      from = before;
      before = cl_convex_before(c, from);
    }
  }
  cl_vec p = cl_convex_vertex(c, from), q = cl_convex_vertex(c, to);
  cl_facet f = {cl_vec_dot(p, across), cl_vec_dot(q, across), cl_vec_dot(p, n), cl_vec_dot(q, n)};
  if (f.u0 > f.u1) f = (cl_facet){f.u1, f.u0, f.h1, f.h0};
  if (f.u0 == f.u1) f.h0 = f.h1 = cl_max(f.h0, f.h1); // end-on, only the tip counts
  return f;
}

double cl_facet_height(const cl_facet *f, double u) {
  if (u <= f->u0) return f->h0;
  if (u >= f->u1) return f->h1;
  // Computed from the nearer end, so that the order of the ends does not matter.
  double past = u - f->u0, left = f->u1 - u, rise = f->h1 - f->h0, length = f->u1 - f->u0;
  if (past == left) return (f->h0 + f->h1) / 2;
  return past < left ? f->h0 + rise * (past / length) : f->h1 - rise * (left / length);
}

// --- overlap, exactly ---

// For the few pairs within the error of doubles. Placing rounds vertices, so a placed part is
// defined as the convex hull of its placed vertices. Almost always these are its corners, in order;
// otherwise gift wrapping (Jarvis 1973) finds its edges without memory.

// The placed vertices of a part as a set of points; if n is twice their number, also the same
// points moved by `sweep`.
typedef struct cloud {
  const cl_placed *placed;
  uint32_t first, count, n;
  cl_vec sweep;
  bool convex; // the points are the corners of their hull, in the positive order
} cloud;

static bool same_point(cl_vec p, cl_vec q) { return p.x == q.x && p.y == q.y; }

static cl_vec point(const cloud *c, uint32_t i) {
  bool moved = i >= c->count;
  cl_vec v = cl_placed_vertex(c->placed, c->first + (moved ? i - c->count : i));
  return moved ? cl_vec_add(v, c->sweep) : v;
}

static uint32_t after(const cloud *c, uint32_t i) { return i + 1 < c->n ? i + 1 : 0; }

// Whether the direction from p to q is to the right, or straight up.
static bool leads_right(cl_vec p, cl_vec q) { return q.x > p.x || (q.x == p.x && q.y > p.y); }

// Whether the points in their order turn left at each of them, and go round once: then they lead to
// the right along one chain, and to the left along the other.
static bool is_convex(const cloud *c) {
  int turns = 0;
  cl_vec p = point(c, c->n - 1), q = point(c, 0);
  for (uint32_t i = 0; i < c->n; i++) {
    cl_vec v = point(c, after(c, i));
    if (cl_orient(p, q, v) <= 0) return false;
    turns += leads_right(p, q) != leads_right(q, v);
    p = q, q = v;
  }
  return turns == 2;
}

static cloud cloud_of(const cl_placed *placed, const cl_part *part, cl_vec sweep) {
  bool moves = sweep.x != 0 || sweep.y != 0;
  uint32_t n = moves ? 2 * part->count : part->count;
  cloud c = {placed, part->first, part->count, n, sweep, false};
  c.convex = n > 2 && !moves && is_convex(&c);
  return c;
}

// The leftmost point, the lowest y first: a corner of the hull.
static uint32_t first_corner(const cloud *c) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < c->n; i++)
    if (is_lower_point(point(c, i), point(c, best))) best = i;
  return best;
}

// The hull's corner after p: nothing lies to the right of the line there, and of several points on
// it this is the farthest. False if all points equal p.
static bool next_corner(const cloud *c, cl_vec p, cl_vec *out) {
  bool found = false;
  for (uint32_t i = 0; i < c->n; i++) {
    cl_vec q = point(c, i);
    if (same_point(q, p)) continue;
    double side = found ? cl_orient(p, *out, q) : 0;
    bool farther = found && side == 0 && cl_dot(*out, q, p, *out) > 0;
    if (!found || side < 0 || farther) *out = q;
    found = true;
  }
  return found;
}

// Whether all of `c` lies to the right of the line from p to q, or on it too
// when `weak`.
static bool right_of(const cloud *c, cl_vec p, cl_vec q, bool weak) {
  for (uint32_t i = 0; i < c->n; i++) {
    cl_vec v = point(c, i);
    double side = cl_orient(p, q, v);
    if (side > 0 || (side == 0 && !weak)) return false;
  }
  return true;
}

// Whether all of `c` lies past q (seen from p) or before p, along p → q.
static bool beyond(const cloud *c, cl_vec p, cl_vec q) {
  bool after = true, before = true;
  for (uint32_t i = 0; i < c->n; i++) {
    cl_vec v = point(c, i);
    after = after && cl_dot(p, q, q, v) > 0;
    before = before && cl_dot(p, q, p, v) < 0;
  }
  return after || before;
}

// Walks round a's hull. An edge separates it from b if all of b is to its right, or also on it when
// `weak`: then they may share boundary points. A flat hull has an edge in each direction; its ends
// can separate as well.
static bool edge_separates(const cloud *a, const cloud *b, bool weak) {
  for (uint32_t i = 0; a->convex && i < a->n; i++)
    if (right_of(b, point(a, i), point(a, after(a, i)), weak)) return true;
  if (a->convex) return false;
  cl_vec start = point(a, first_corner(a)), p = start, q, next;
  for (uint32_t left = a->n; left > 0 && next_corner(a, p, &q); left--) {
    if (right_of(b, p, q, weak)) return true;
    if (next_corner(a, q, &next) && same_point(next, p)) // flat: both its edges are this line
      return right_of(b, q, p, weak) || (!weak && beyond(b, p, q));
    if (same_point(q, start)) break;
    p = q;
  }
  return false;
}

// Whether the hulls are apart; `weak`: whether their interiors are (the interior of their
// difference does not contain 0, 0).
static bool separated(const cloud *a, const cloud *b, bool weak) {
  cl_vec p = point(a, 0), q = point(b, 0), next;
  bool points = !a->convex && !b->convex && !next_corner(a, p, &next) && !next_corner(b, q, &next);
  if (points) return weak || !same_point(p, q);
  return edge_separates(a, b, weak) || edge_separates(b, a, weak);
}

// The smallest sign of (distance from b's points to a's hull's edges) - (r + s).
static int nearest(const cloud *a, const cloud *b, double r, double s) {
  int least = 1;
  uint32_t left = a->n, at = a->convex ? 0 : first_corner(a);
  cl_vec start = point(a, at), p = start, q;
  do {
    if (a->convex) q = point(a, at = after(a, at));
    else if (!next_corner(a, p, &q)) q = p;
    for (uint32_t i = 0; i < b->n && least >= 0; i++) {
      int sign = cl_compare_segment(point(b, i), p, q, r, s);
      if (sign < least) least = sign;
    }
    p = q;
  } while (!same_point(p, start) && least >= 0 && --left > 0);
  return least;
}

bool cl_core_is_box(const cl_placed *p, const cl_part *part, cl_bounds *out) {
  cl_vec v = cl_placed_vertex(p, part->first), w = v;
  if (part->count == 2) w = cl_placed_vertex(p, part->first + 1);
  if (part->count == 4 && (part->flags & CL_PART_BOX) && cl_rot_is_none(p->rot))
    w = cl_placed_vertex(p, part->first + 2);
  else if (part->count > 2 || (v.x != w.x && v.y != w.y)) return false;
  *out = (cl_bounds){cl_min(v.x, w.x), cl_min(v.y, w.y), cl_max(v.x, w.x), cl_max(v.y, w.y)};
  return true;
}

// The ends of the gap between two ranges; any number twice where they meet.
static void find_gap(double low, double high, double other_low, double other_high, double *from,
                     double *to) {
  *from = high < other_low ? high : low;
  *to = high < other_low ? other_low : other_high < low ? other_high : low;
}

int cl_compare_cores(cl_bounds a, cl_bounds b, double r, double s) {
  cl_vec p, q;
  find_gap(a.l, a.r, b.l, b.r, &p.x, &q.x);
  find_gap(a.t, a.b, b.t, b.b, &p.y, &q.y);
  return cl_compare_points(p, q, r, s);
}

bool cl_exact_overlap(const cl_placed *a, const cl_part *part_a, cl_vec sweep, const cl_placed *b,
                      const cl_part *part_b, bool touching) {
  double r = part_a->radius, s = part_b->radius;
  cl_bounds one, two;
  bool still = sweep.x == 0 && sweep.y == 0;
  if (still && r + s > 0 && cl_core_is_box(a, part_a, &one) && cl_core_is_box(b, part_b, &two))
    return cl_compare_cores(one, two, r, s) < touching;
  cloud ca = cloud_of(a, part_a, sweep), cb = cloud_of(b, part_b, (cl_vec){0, 0});
  if (r == 0 && s == 0) return !separated(&ca, &cb, !touching);
  if (!separated(&ca, &cb, false)) return true;
  int sign = nearest(&ca, &cb, r, s), back = nearest(&cb, &ca, r, s);
  if (back < sign) sign = back;
  return sign < 0 || (sign == 0 && touching);
}

// --- overlap ---

// Two circles: as cl_overlap_circles, which is exact by itself.
static bool overlap_points(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  cl_vec p = cl_placed_vertex(a->placed, a->part->first);
  cl_vec q = cl_placed_vertex(b->placed, b->part->first);
  cl_hit h; // how a gets free
  if (!cl_overlap_circles((cl_disc){p.x, p.y, a->r}, (cl_disc){q.x, q.y, b->r}, touching, &h))
    return false;
  *out = (cl_hit){-h.nx, -h.ny, h.depth};
  return true;
}

bool cl_convex_overlap(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  if (a->n == 1 && b->n == 1) return overlap_points(a, b, touching, out);
  double r = a->r + b->r, error = cl_convex_error(a, b);
  cl_axis axis = cl_convex_axis(a, b, r + error);
  if (axis.separation > r + error) return false;
  *out = (cl_hit){axis.normal.x, axis.normal.y, cl_max(r - axis.separation, 0)};
  if (axis.separation < -error) return true;
  const cl_vec still = {0, 0};
  if (r == 0) return cl_exact_overlap(a->placed, a->part, still, b->placed, b->part, touching);
  cl_closest c = cl_convex_closest(a, b, &axis);
  if (c.distance > r + error) return false;
  if (c.distance >= r - error &&
      !cl_exact_overlap(a->placed, a->part, still, b->placed, b->part, touching))
    return false;
  // If nearer than the error, the edge's normal is the better one.
  if (c.distance > error) *out = (cl_hit){c.normal.x, c.normal.y, cl_max(r - c.distance, 0)};
  return true;
}
