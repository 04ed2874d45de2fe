// collide, MIT licence (see LICENSE)
//
// cl_overlap of convex shapes, all pairs of kinds: checked by its contract (it separates by the
// depth and not by less, and is reversed when swapped), by an independent measure in long double,
// and on a small lattice by integers.

#include "random_shapes.h"

enum { CONVEX = 5 };

#define GOLDEN 0xb393ea227e04c860u

static cl_alloc alloc;
static cl_shape *pool[CONVEX][64];

// ---- an independent measure, in long double

typedef struct lvec {
  long double x, y;
} lvec;

static lvec lsub(lvec a, lvec b) { return (lvec){a.x - b.x, a.y - b.y}; }
static long double lcross(lvec a, lvec b) { return a.x * b.y - a.y * b.x; }
static long double ldot(lvec a, lvec b) { return a.x * b.x + a.y * b.y; }

static int vertices(const cl_placed *p, lvec *out) {
  const cl_part *part = p->shape->parts;
  for (uint32_t i = 0; i < part->count; i++) {
    cl_vec v = cl_placed_vertex(p, part->first + i);
    out[i] = (lvec){v.x, v.y};
  }
  return (int)part->count;
}

// The square of the distance.
static long double to_segment(lvec p, lvec a, lvec b) {
  lvec e = lsub(b, a), v = lsub(p, a);
  long double n = ldot(e, e), t = n > 0 ? ldot(v, e) / n : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  lvec w = {v.x - t * e.x, v.y - t * e.y};
  return ldot(w, w);
}

// The area of b clipped by a (Sutherland and Hodgman).
static long double clipped_area(const lvec *a, int n, const lvec *b, int m) {
  static lvec in[1024], out[1024];
  memcpy(in, b, (size_t)m * sizeof *b);
  for (int i = 0; i < n && m > 0; i++) {
    lvec p = a[i], e = lsub(a[(i + 1) % n], p);
    int k = 0;
    for (int j = 0; j < m; j++) {
      lvec u = in[j], v = in[(j + 1) % m];
      long double s = lcross(e, lsub(u, p)), t = lcross(e, lsub(v, p));
      if (s >= 0) out[k++] = u;
      if ((s > 0 && t < 0) || (s < 0 && t > 0)) {
        long double f = s / (s - t);
        out[k++] = (lvec){u.x + f * (v.x - u.x), u.y + f * (v.y - u.y)};
      }
    }
    memcpy(in, out, (size_t)k * sizeof *in);
    m = k;
  }
  long double area = 0;
  for (int j = 2; j < m; j++) area += lcross(lsub(in[j - 1], in[0]), lsub(in[j], in[0]));
  return area / 2;
}

static bool cores_cross(const lvec *a, int n, const lvec *b, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      lvec p = a[i], q = a[(i + 1) % n], r = b[j], s = b[(j + 1) % m];
      if (lcross(lsub(q, p), lsub(r, p)) * lcross(lsub(q, p), lsub(s, p)) < 0 &&
          lcross(lsub(s, r), lsub(p, r)) * lcross(lsub(s, r), lsub(q, r)) < 0)
        return true;
    }
  for (int side = 0; side < 2; side++) {
    bool inside = n > 2;
    for (int i = 0; i < n; i++)
      inside = inside && lcross(lsub(a[(i + 1) % n], a[i]), lsub(b[0], a[i])) > 0;
    if (inside) return true;
    const lvec *c = a;
    int k = n;
    a = b, n = m, b = c, m = k;
  }
  return false;
}

// 1: overlap, -1: apart, 0: too close to decide in long double.
static int oracle(const cl_placed *a, const cl_placed *b) {
  static lvec p[512], q[512];
  int n = vertices(a, p), m = vertices(b, q);
  long double r = (long double)a->shape->parts->radius + b->shape->parts->radius;
  long double size = 1e-15L * (fabs(a->x) + fabs(a->y) + a->shape->reach + b->shape->reach);
  if (r == 0 && n > 2 && m > 2) {
    long double area = clipped_area(p, n, q, m);
    if (area > 0) return area > size * size + size ? 1 : 0;
  } else if (cores_cross(p, n, q, m)) {
    return 1;
  }
  long double d = INFINITY;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      long double u = to_segment(p[i], q[j], q[(j + 1) % m]);
      long double v = to_segment(q[j], p[i], p[(i + 1) % n]);
      d = u < d ? u : d;
      d = v < d ? v : d;
    }
  d = sqrtl(d);
  return d < r - size ? 1 : d > r + size ? -1 : 0;
}

// ---- random pairs

typedef struct setting {
  double scale, far; // the scale of the shapes, and of their places
} setting;

static cl_placed place_any(int kind, double x, double y) {
  double angle = test_int(0, 3) ? test_uniform(-10, 10) : 0;
  return cl_place(pool[kind][test_int(0, 63)], x, y, angle);
}

// The result is the same, except for rounding, if both are moved, or turned about 0, 0.
static void check_moved(const cl_placed *a, const cl_placed *b, const cl_hit *h, bool hit,
                        const char *kinds) {
  double angle = test_uniform(-7, 7), x = test_uniform(-500, 500), y = test_uniform(-500, 500);
  cl_rot r = cl_rot_of(angle);
  cl_placed p = *a, q = *b;
  cl_vec u = cl_rot_apply(r, (cl_vec){a->x, a->y}), v = cl_rot_apply(r, (cl_vec){b->x, b->y});
  p.x = u.x + x, p.y = u.y + y, q.x = v.x + x, q.y = v.y + y;
  p.rot = (cl_rot){a->rot.c * r.c - a->rot.s * r.s, a->rot.s * r.c + a->rot.c * r.s};
  q.rot = (cl_rot){b->rot.c * r.c - b->rot.s * r.s, b->rot.s * r.c + b->rot.c * r.s};
  double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y) + fabs(x) + fabs(y) +
                a->shape->reach + b->shape->reach;
  double room = 4 * CL_SEPARATION_ERROR * size;
  cl_hit k = {0, 0, 0};
  bool again = cl_overlap(&p, &q, false, &k);
  CHECK_MSG(again == hit || fmax(h->depth, k.depth) < room, "%s: %d, and turned %d", kinds, hit,
            again);
  CHECK_MSG(!again || !hit || fabs(h->depth - k.depth) < room, "%s: %.17g, and turned %.17g", kinds,
            h->depth, k.depth);
}

static void check_pair(const cl_placed *a, const cl_placed *b, const char *kinds) {
  cl_hit h = {0, 0, 0}, back;
  bool hit = cl_overlap(a, b, false, &h), touch = cl_overlap(a, b, true, &back);
  check_moved(a, b, &h, hit, kinds);
  CHECK_MSG(!hit || touch, "%s: an overlap does not touch", kinds);
  int want = oracle(a, b);
  CHECK_MSG(want == 0 || hit == (want > 0), "%s: overlap %d, wanted %d", kinds, hit, want);
  bool swapped = cl_overlap(b, a, false, &back);
  CHECK_MSG(hit == swapped, "%s: not the same from the other side", kinds);
  if (!hit) return;
  CHECK_MSG(h.nx == -back.nx && h.ny == -back.ny && h.depth == back.depth,
            "%s: (%.17g, %.17g) %.17g and (%.17g, %.17g) %.17g", kinds, h.nx, h.ny, h.depth,
            back.nx, back.ny, back.depth);
  double size =
      fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y) + a->shape->reach + b->shape->reach;
  double room = 2 * CL_SEPARATION_ERROR * size;
  CHECK(h.depth >= 0 && fabs(h.nx * h.nx + h.ny * h.ny - 1) < 1e-15 * 4);
  cl_placed moved = *a;
  moved.x += h.nx * (h.depth + room), moved.y += h.ny * (h.depth + room);
  CHECK_MSG(!cl_overlap(&moved, b, false, &back), "%s: depth %g leaves %g", kinds, h.depth,
            back.depth);
  if (0.01 * h.depth < room) return;
  moved.x = a->x + h.nx * h.depth * 0.99, moved.y = a->y + h.ny * h.depth * 0.99;
  CHECK_MSG(cl_overlap(&moved, b, false, &back), "%s: 0.99 of %g separates", kinds, h.depth);
}

static void random_pairs(double size, double far) {
  for (int k = 0; k < CONVEX; k++)
    for (int i = 0; i < 64; i++) pool[k][i] = random_shape(&alloc, k, size);
  for (int k = 0; k < CONVEX; k++)
    for (int l = k; l < CONVEX; l++) {
      char kinds[64];
      snprintf(kinds, sizeof kinds, "%s, %s", kind_names[k], kind_names[l]);
      for (long i = test_rounds(100000 / 3); i > 0; i--) {
        double x = test_uniform(-far, far), y = test_uniform(-far, far);
        cl_placed a = place_any(k, x, y);
        double dx = test_uniform(-3, 3) * size, dy = test_uniform(-3, 3) * size;
        cl_placed b = place_any(l, x + dx, y + dy);
        check_pair(&a, &b, kinds);
      }
    }
  for (int k = 0; k < CONVEX; k++)
    for (int i = 0; i < 64; i++) cl_shape_release(pool[k][i]);
}

static void pixels(void) { random_pairs(100, 1000); }
static void far_away(void) { random_pairs(5000, 1e6); }
static void metres(void) { random_pairs(0.02, 10); }

// ---- the lattice: small whole coordinates, where shapes touch all the time

typedef struct ipoly {
  int n;
  int64_t x[8], y[8];
} ipoly;

static int64_t icross(const ipoly *p, int i, int64_t x, int64_t y) {
  int k = (i + 1) % p->n;
  return (p->x[k] - p->x[i]) * (y - p->y[i]) - (p->y[k] - p->y[i]) * (x - p->x[i]);
}

// A convex lattice polygon or a segment, and the shape for it.
static cl_shape *lattice_shape(ipoly *out, int radius) {
  cl_shape *s = NULL;
  cl_fault fault;
  while (!s) {
    double xy[8];
    int n = radius ? test_int(1, 2) : test_int(2, 4);
    out->n = n;
    for (int i = 0; i < n; i++) {
      xy[2 * i] = (double)(out->x[i] = test_int(0, 4));
      xy[2 * i + 1] = (double)(out->y[i] = test_int(0, 4));
    }
    if (n == 1) cl_shape_circle(&alloc, xy[0], xy[1], radius, &s);
    else if (n == 2 && radius) cl_shape_capsule(&alloc, xy[0], xy[1], xy[2], xy[3], radius, &s);
    else if (n == 2) cl_shape_segment(&alloc, xy[0], xy[1], xy[2], xy[3], &s);
    else if (cl_shape_polygon(&alloc, xy, (uint32_t)n, &fault, &s) == CL_OK &&
             (s->part_count > 1 || (int)s->parts[0].count != n)) {
      cl_shape_release(s);
      s = NULL;
    }
  }
  int64_t turn = out->n > 2 ? icross(out, 0, out->x[2], out->y[2]) : 1;
  if (turn < 0)
    for (int i = 0, k = out->n - 1; i < k; i++, k--) {
      int64_t x = out->x[i], y = out->y[i];
      out->x[i] = out->x[k], out->y[i] = out->y[k];
      out->x[k] = x, out->y[k] = y;
    }
  return s;
}

// Whether an edge of a separates it from b: all of b is on or beyond its outer side (`weak`), or
// beyond it. For the closed question, the ends of a flat shape separate, too.
static bool iseparates(const ipoly *a, const ipoly *b, bool weak) {
  for (int i = 0; i < a->n && a->n > 1; i++) {
    bool beyond = true, after = a->n == 2 && !weak;
    int k = (i + 1) % a->n;
    for (int j = 0; j < b->n; j++) {
      int64_t c = icross(a, i, b->x[j], b->y[j]);
      beyond = beyond && (weak ? c <= 0 : c < 0);
      after =
          after &&
          (a->x[k] - a->x[i]) * (b->x[j] - a->x[k]) + (a->y[k] - a->y[i]) * (b->y[j] - a->y[k]) > 0;
    }
    if (beyond || after) return true;
  }
  return false;
}

static void lattice_polygons(void) {
  long touching = 0;
  for (long i = test_rounds(100000); i > 0; i--) {
    ipoly p, q;
    cl_shape *s = lattice_shape(&p, 0), *t = lattice_shape(&q, 0);
    int dx = test_int(-4, 4), dy = test_int(-4, 4);
    double far = test_int(0, 1) ? 1e6 : 0;
    cl_placed a = cl_place(s, far, -far, 0), b = cl_place(t, far + dx, dy - far, 0);
    for (int k = 0; k < q.n; k++) q.x[k] += dx, q.y[k] += dy;
    for (int closed = 0; closed < 2; closed++) {
      bool want = !iseparates(&p, &q, !closed) && !iseparates(&q, &p, !closed);
      cl_hit h = {0, 0, -1}, back;
      bool hit = cl_overlap(&a, &b, closed, &h);
      CHECK_MSG(hit == want && cl_overlap(&b, &a, closed, &back) == want,
                "%d and %d vertices, touching %d: %d, wanted %d", p.n, q.n, closed, hit, want);
      if (!closed || !hit || cl_overlap(&a, &b, false, &back)) continue;
      CHECK_MSG(h.depth <= 1e-9, "touches with depth %g", h.depth);
      touching++;
      cl_placed out = a; // an outward normal: a step along it separates
      out.x += h.nx * 1e-3, out.y += h.ny * 1e-3;
      CHECK(!cl_overlap(&out, &b, true, &back));
    }
    cl_shape_release(s);
    cl_shape_release(t);
  }
  CHECK(touching > test_rounds(1000));
}

// Round shapes: exact touching at integer distances (3, 4, 5 and others).
static void lattice_round(void) {
  long touching = 0;
  for (long i = test_rounds(100000); i > 0; i--) {
    ipoly p, q;
    int r = test_int(1, 3), u = test_int(0, 2);
    cl_shape *s = lattice_shape(&p, r), *t = lattice_shape(&q, u);
    int dx = test_int(-8, 8), dy = test_int(-8, 8);
    cl_placed a = cl_place(s, 0, 0, 0), b = cl_place(t, dx, dy, 0);
    lvec v[8], w[8];
    int n = vertices(&a, v), m = vertices(&b, w);
    long double d = cores_cross(v, n, w, m) ? 0 : INFINITY;
    for (int k = 0; k < n; k++)
      for (int l = 0; l < m; l++) {
        d = fminl(d, to_segment(v[k], w[l], w[(l + 1) % m]));
        d = fminl(d, to_segment(w[l], v[k], v[(k + 1) % n]));
      }
    d = sqrtl(d);
    cl_hit h, back;
    // Distances are square roots of fractions: one that is nearer to r + u than this is equal to
    // it.
    bool touch = fabsl(d - (r + u)) < 1e-12L, over = !touch && d < r + u;
    CHECK(cl_overlap(&a, &b, false, &h) == over && cl_overlap(&b, &a, false, &back) == over);
    CHECK(cl_overlap(&a, &b, true, &h) == (over || touch));
    CHECK(cl_overlap(&b, &a, true, &back) == (over || touch));
    touching += touch;
    if (over || touch) CHECK(h.depth >= 0 && (over || h.depth < 1e-12));
    cl_shape_release(s);
    cl_shape_release(t);
  }
  CHECK(touching > test_rounds(1000));
}

// The same for circles and upright capsules beside a box and beside a cell, in integers; also far
// from 0, 0, and nearer or farther than touching by the last bit.
static void upright_round(void) {
  const int64_t size[3] = {1, 1, 1};
  const double origin[3] = {0, 0, 0};
  cl_grid *grid;
  cl_shape *box, *cell, *s;
  REQUIRE(cl_grid_new(&alloc, 2, size, (double[]){8, 8}, origin, &grid) == CL_OK);
  cl_grid_set(grid, (int64_t[3]){0, 0, 0}, 1);
  REQUIRE(cl_shape_tiles(&alloc, grid, NULL, 0, &cell) == CL_OK);
  REQUIRE(cl_shape_rectangle(&alloc, 0, 0, 8, 8, &box) == CL_OK);
  long touching = 0;
  for (long i = test_rounds(100000); i > 0; i--) {
    const int64_t one = INT64_C(1) << 12; // far from 0, 0 a double has no more bits
    int r = test_int(1, 5), length = test_int(0, 6), across = test_int(0, 1);
    int w = across ? length : 0, h = across ? 0 : length;
    int64_t x = test_int(-16, 16) * one + test_int(-1, 1);
    int64_t y = test_int(-16, 16) * one + test_int(-1, 1), u = 0, v = 0;
    if (x > 8 * one) u = x - 8 * one;
    else if (x + w * one < 0) u = x + w * one;
    if (y > 8 * one) v = y - 8 * one;
    else if (y + h * one < 0) v = y + h * one;
    int64_t far = u * u + v * v - r * r * one * one;
    double at = test_int(0, 1) ? 0x1p40 : 0, unit = 1 / (double)one;
    cl_status status = length > 0 ? cl_shape_capsule(&alloc, 0, 0, w, h, r, &s)
                                  : cl_shape_circle(&alloc, 0, 0, r, &s);
    REQUIRE(status == CL_OK);
    cl_placed a = cl_place(s, at + (double)x * unit, (double)y * unit - at, 0);
    for (int k = 0; k < 4; k++) {
      cl_placed b = cl_place(k / 2 ? cell : box, at, -at, 0);
      bool closed = k % 2, want = far < 0 || (far == 0 && closed);
      cl_hit hit;
      CHECK(cl_overlaps(&a, &b, closed) == want && cl_overlaps(&b, &a, closed) == want);
      CHECK(cl_overlap(&a, &b, closed, &hit) == want);
    }
    touching += far == 0;
    cl_shape_release(s);
  }
  CHECK(touching > test_rounds(1000));
  cl_shape_release(box);
  cl_shape_release(cell);
  cl_grid_release(grid);
}

// ---- single cases

static cl_hit overlap(const cl_shape *s, double ax, double ay, const cl_shape *t, double bx,
                      double by, bool touching, bool *hit) {
  cl_placed a = cl_place(s, ax, ay, 0), b = cl_place(t, bx, by, 0);
  cl_hit h = {0, 0, -1};
  *hit = cl_overlap(&a, &b, touching, &h);
  return h;
}

static void boxes_and_circles(void) {
  cl_shape *box, *circle;
  bool hit;
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &box);
  cl_shape_circle(&alloc, 0, 0, 5, &circle);
  cl_hit h = overlap(box, 0, 0, box, 8, 1, false, &hit);
  CHECK(hit && h.nx == -1 && h.ny == 0 && h.depth == 2);
  h = overlap(box, 0, 0, box, 1, -7, false, &hit);
  CHECK(hit && h.nx == 0 && h.ny == 1 && h.depth == 3);
  overlap(box, 0, 0, box, 10, 0, false, &hit);
  CHECK(!hit);
  h = overlap(box, 0, 0, box, 10, 0, true, &hit);
  CHECK(hit && h.nx == -1 && h.depth == 0);
  h = overlap(box, 3, 3, box, 3, 3, false, &hit); // one place: a tie of all four
  CHECK(hit && h.nx == -1 && h.ny == 0 && h.depth == 10);
  h = overlap(circle, 0, 0, circle, 6, 0, false, &hit);
  CHECK(hit && h.nx == -1 && h.ny == 0 && h.depth == 4);
  h = overlap(circle, 1, 1, circle, 1, 1, false, &hit);
  CHECK(hit && h.nx == -1 && h.ny == 0 && h.depth == 10);
  overlap(circle, 0, 0, circle, 6, 8, false, &hit);
  CHECK(!hit);
  h = overlap(circle, 0, 0, circle, 6, 8, true, &hit);
  CHECK(hit && h.nx == -0.6 && h.ny == -0.8 && h.depth == 0);
  h = overlap(circle, 12, 5, box, 0, 0, false, &hit); // its side
  CHECK(hit && h.nx == 1 && h.ny == 0 && h.depth == 3);
  h = overlap(circle, 13, 14, box, 0, 0, true, &hit); // its corner, 3, 4, 5
  CHECK(hit && h.nx == 0.6 && h.ny == 0.8 && h.depth == 0);
  h = overlap(circle, 5, 8, box, 0, 0, false, &hit); // the centre inside
  CHECK(hit && h.nx == 0 && h.ny == 1 && h.depth == 7);
  cl_shape_release(box);
  cl_shape_release(circle);
}

// Two upright boxes give the same result as boxes and as polygons.
static void boxes_as_polygons(void) {
  for (long i = test_rounds(20000); i > 0; i--) {
    double x = test_int(0, 9) / 10.0, y = test_int(0, 9) / 10.0, w = test_int(1, 9) / 10.0;
    double l = test_int(-9, 9) / 10.0, t = test_int(-9, 9) / 10.0;
    cl_shape *box, *poly;
    cl_fault fault;
    cl_shape_rectangle(&alloc, x, y, w, 1, &box);
    double xy[] = {x, y, x + w, y, x + w, y + 1, x, y + 1};
    cl_shape_polygon(&alloc, xy, 4, &fault, &poly);
    for (int touching = 0; touching < 2; touching++) {
      bool one, two;
      cl_hit h = overlap(box, 0, 0, box, l, t, touching, &one);
      cl_hit k = overlap(box, 0, 0, poly, l, t, touching, &two);
      CHECK(one == two && (!one || fabs(h.depth - k.depth) < 1e-14));
    }
    cl_shape_release(box);
    cl_shape_release(poly);
  }
}

// Polygons of 500 vertices behave like circles, and use the walk for large parts.
static void many_vertices(void) {
  double xy[1000];
  cl_shape *many, *circle;
  cl_fault fault;
  for (int i = 0; i < 1000; i++) xy[i] = 100 * (i % 2 ? sin : cos)(i / 2 * 6.283185307179586 / 500);
  CHECK(cl_shape_polygon(&alloc, xy, 500, &fault, &many) == CL_OK);
  cl_shape_circle(&alloc, 0, 0, 100, &circle);
  for (long i = test_rounds(3000); i > 0; i--) {
    double x = test_uniform(-1e4, 1e4), angle = test_uniform(0, 7), d = test_uniform(0, 250);
    double c = cos(angle), s = sin(angle);
    cl_placed a = cl_place(many, x, 0, test_uniform(0, 7));
    const cl_shape *other = test_int(0, 1) ? many : circle;
    cl_placed b = cl_place(other, x + d * c, d * s, test_uniform(0, 7));
    cl_hit h;
    bool hit = cl_overlap(&a, &b, false, &h);
    if (fabs(d - 200) > 0.01) CHECK(hit == (d < 200));
    if (hit) CHECK_MSG(fabs(h.depth - (200 - d)) < 0.01, "%g at %g", h.depth, d);
    if (hit && d > 10) CHECK(h.nx * c + h.ny * s < -0.99);
    if (i % 8 == 0 && b.shape == many) check_pair(&a, &b, "500 vertices");
  }
  cl_shape_release(many);
  cl_shape_release(circle);
}

// One inside the other, equal shapes at the same place, and needles.
static void traps(void) {
  cl_shape *big, *small, *needle, *hexagon;
  cl_fault fault;
  bool hit;
  const double hex[] = {4, 0, 2, 3, -2, 3, -4, 0, -2, -3, 2, -3};
  cl_shape_polygon(&alloc, hex, 6, &fault, &hexagon);
  cl_shape_rectangle(&alloc, 0, 0, 100, 100, &big);
  cl_shape_rectangle(&alloc, 0, 0, 2, 2, &small);
  cl_hit h = overlap(small, 3, 40, big, 0, 0, false, &hit); // inside, nearest to the left
  CHECK(hit && h.nx == -1 && h.depth == 5);
  h = overlap(big, 0, 0, small, 3, 40, false, &hit);
  CHECK(hit && h.nx == 1 && h.depth == 5);
  h = overlap(hexagon, 7, 7, hexagon, 7, 7, false, &hit); // out by its least width
  CHECK(hit && fabs(h.depth - 6) < 1e-12 && fabs(h.ny) == 1);
  h = overlap(hexagon, 0, 6, hexagon, 0, 0, true, &hit); // edge on edge
  CHECK(hit && h.nx == 0 && h.ny == 1 && h.depth == 0);
  overlap(hexagon, 0, 6, hexagon, 0, 0, false, &hit);
  CHECK(!hit);
  h = overlap(hexagon, 8, 0, hexagon, 0, 0, true, &hit); // corner on corner
  CHECK(hit && h.nx > 0 && h.depth == 0);
  cl_shape_rectangle(&alloc, 0, 0, 100, 0.01, &needle);
  h = overlap(needle, 0, 0, needle, 50, 0.005, false, &hit);
  CHECK(hit && h.ny == -1 && fabs(h.depth - 0.005) < 1e-15);
  for (int i = 0; i < 1000; i++) {
    double r = test_uniform(-7, 7), s = r + test_uniform(-1e-3, 1e-3), x = test_uniform(-9, 9);
    cl_placed a = cl_place(needle, 1e5, 1e5, r), b = cl_place(needle, 1e5 + x, 1e5, s);
    check_pair(&a, &b, "needles");
    b.x = a.x, b.rot = a.rot; // in one place: a tie
    CHECK(cl_overlap(&a, &b, false, &h) && fabs(h.depth - 0.01) < 1e-10);
  }
  cl_shape_release(big);
  cl_shape_release(small);
  cl_shape_release(needle);
  cl_shape_release(hexagon);
}

// At the ends of the range nothing overflows, and answers keep the contract.
static void extremes(void) {
  random_pairs(1e11, 5e11);
  random_pairs(1e-6, 1e-3);
}

// From CL_MIN_SIZE on, decisions are correct; smaller sizes are refused, and smaller coordinates
// are 0.
static void smallest(void) {
  cl_shape *s = NULL, *t = NULL;
  cl_hit h;
  for (double r = CL_MIN_SIZE; r < 1e-3; r *= 1e7) {
    REQUIRE(cl_shape_circle(&alloc, 0, 0, r, &s) == CL_OK);
    const double xy[] = {-r, -r, 2 * r, -r, 0, 3 * r};
    cl_fault fault;
    REQUIRE(cl_shape_polygon(&alloc, xy, 3, &fault, &t) == CL_OK);
    for (int turned = 0; turned < 2; turned++) {
      cl_placed a = cl_place(s, 0, 0, turned), b = cl_place(s, 5 * r, 0, turned);
      cl_placed c = cl_place(s, r, 0, 0), p = cl_place(t, 9 * r, r, turned);
      cl_placed q = cl_place(t, 10 * r, 0, 3 * turned);
      CHECK(!cl_overlap(&a, &b, true, &h) && cl_overlap(&a, &c, false, &h));
      CHECK(fabs(cl_distance(&a, &b).distance - 3 * r) < 1e-9 * r);
      CHECK(!cl_overlap(&a, &p, true, &h) && cl_overlap(&q, &p, false, &h));
      CHECK(cl_placed_contains(&p, 9 * r, r) && !cl_placed_contains(&p, 14 * r, r));
    }
    cl_shape_release(s);
    cl_shape_release(t);
  }
  const double less = 0.99 * CL_MIN_SIZE, dot[] = {0, 0, less, 0, 0, less}, one[] = {0, 0, 1, 0};
  cl_fault fault;
  CHECK(cl_shape_circle(&alloc, 0, 0, less, &s) == CL_INVALID);
  CHECK(cl_shape_rectangle(&alloc, 0, 0, 1, less, &s) == CL_INVALID);
  CHECK(cl_shape_capsule(&alloc, 0, 0, 1, 0, less, &s) == CL_INVALID);
  CHECK(cl_shape_segment(&alloc, 0, 0, less, -less, &s) == CL_INVALID);
  CHECK(cl_shape_polygon(&alloc, dot, 3, &fault, &s) == CL_INVALID);
  CHECK(cl_shape_chain(&alloc, dot, 3, false, &fault, &s) == CL_INVALID);
  REQUIRE(cl_shape_circle(&alloc, 0, 0, 2 * CL_MIN_SIZE, &s) == CL_OK);
  CHECK(cl_shape_scaled(s, 0.4, 0.4, &t) == CL_INVALID);
  cl_shape_release(s);
  REQUIRE(cl_shape_segment(&alloc, 0, less, 1, -less, &s) == CL_OK);
  CHECK(cl_shape_point(s, 0).y == 0 && cl_shape_point(s, 1).y == 0);
  REQUIRE(cl_shape_chain(&alloc, one, 2, false, &fault, &t) == CL_OK);
  cl_placed a = cl_place(s, 0, 1e-300, 0), b = cl_place(t, 0, 0, 0);
  CHECK(!cl_overlap(&a, &b, true, &h)); // places may be that near
  cl_shape_release(s);
  cl_shape_release(t);
}

// Every compiler, optimisation level and machine must get these bits.
static void golden(void) {
  uint64_t hash = TEST_HASH_BEGIN, state = test_state;
  test_state = 7;
  for (int i = 0; i < 20000; i++) {
    cl_shape *s = random_shape(&alloc, test_int(0, KINDS - 1), 10);
    cl_shape *t = random_shape(&alloc, test_int(0, KINDS - 1), 10);
    double x = test_uniform(-15, 15), y = test_uniform(-15, 15), r = test_uniform(-9, 9);
    cl_placed a = cl_place(s, x, y, r), b = cl_place(t, 0, 0, test_uniform(-9, 9));
    cl_hit h = {0, 0, -1};
    cl_overlap(&a, &b, i % 2, &h);
    hash = test_hash_double(test_hash_double(test_hash_double(hash, h.nx), h.ny), h.depth);
    cl_shape_release(s);
    cl_shape_release(t);
  }
  test_state = state;
  CHECK_MSG(hash == GOLDEN, "%llx", (unsigned long long)hash);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(boxes_and_circles);
  RUN(boxes_as_polygons);
  RUN(lattice_polygons);
  RUN(lattice_round);
  RUN(upright_round);
  RUN(many_vertices);
  RUN(traps);
  RUN(golden);
  RUN(extremes);
  RUN(smallest);
  RUN(pixels);
  RUN(far_away);
  RUN(metres);
  return test_end();
}
