// collide, MIT licence (see LICENSE)
//
// Whether shapes overlap at some moment of a motion, compared with many sampled moments, and for
// boxes of integer coordinates with fractions.

#include <limits.h>

#include "tile_sets.h"

#include "base/exact.h"
#include "narrow/motion.h"

enum { POOL = 24, ALL_KINDS = KINDS + 1, MOMENTS = 16 };

static cl_alloc alloc;
static cl_shape *pool[ALL_KINDS][POOL];
static long met, missed;

static cl_placed moved(const cl_placed *a, cl_vec d, double t) {
  cl_placed m = *a;
  m.x += d.x * t;
  m.y += d.y * t;
  return m;
}

static bool is_deep(const cl_placed *a, cl_vec d, double t, const cl_placed *b, double room) {
  cl_placed m = moved(a, d, t);
  cl_hit h;
  return cl_overlap(&m, b, false, &h) && h.depth > room;
}

// When they are first as near as `room`, above 1 if they never are: between two moments the
// distance cannot shrink by more than the motion in between.
static double first_near(const cl_placed *a, cl_vec d, const cl_placed *b, double room) {
  double length = sqrt(d.x * d.x + d.y * d.y), t = 0;
  for (int steps = 0; t <= 1 && steps < 100000; steps++) {
    cl_placed m = moved(a, d, t);
    double gap = cl_distance(&m, b).distance;
    if (gap <= room) return t;
    t += (gap - room / 2) / length;
  }
  return t;
}

// Checks that the result is the same in the other order, to the bit.
static void check_swapped(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching, bool is,
                          cl_cast at, const char *kinds) {
  cl_cast back = {.t = -1};
  const cl_vec other = {-d.x, -d.y};
  CHECK_MSG(cl_swept_overlap(b, other, a, touching, &back) == is, "%s: swapped", kinds);
  if (!is) return;
  CHECK_MSG(back.t == at.t && back.nx == -at.nx && back.ny == -at.ny,
            "%s: %.17g %g %g, swapped %.17g %g %g", kinds, at.t, at.nx, at.ny, back.t, back.nx,
            back.ny);
}

static void check_way(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                      const char *kinds) {
  cl_cast at = {.t = -1};
  double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y) + a->shape->reach +
                b->shape->reach + fabs(d.x) + fabs(d.y);
  double room = CL_CAST_ERROR * size, length = sqrt(d.x * d.x + d.y * d.y);
  bool is = cl_swept_overlap(a, d, b, touching, &at);
  check_swapped(a, d, b, touching, is, at, kinds);
  if (cl_overlaps(a, b, touching)) {
    CHECK_MSG(!is, "%s: met where they began inside", kinds);
    return;
  }
  double near = first_near(a, d, b, room);
  met += is;
  missed += !is;
  CHECK_MSG(!is || near <= 1, "%s: met at %g, without being near", kinds, at.t);
  if (is) {
    cl_placed m = moved(a, d, at.t);
    double left = cl_distance(&m, b).distance, against = at.nx * d.x + at.ny * d.y;
    CHECK(at.t >= 0 && at.t <= 1 && fabs(at.nx * at.nx + at.ny * at.ny - 1) < 1e-14);
    CHECK_MSG(against <= 1e-9 * length, "%s: a normal along the way, by %g", kinds, against);
    CHECK_MSG(left <= room, "%s: %g left at %g", kinds, left, at.t);
  }
  for (int i = 0; i < MOMENTS && near <= 1; i++) {
    double t = i == 0 ? 1 : test_uniform(near, 1);
    bool later = !is || (at.t - t) * length > 1e3 * room;
    CHECK_MSG(!later || !is_deep(a, d, t, b, room), "%s: overlap at %g, not %g", kinds, t,
              is ? at.t : -1);
  }
}

static cl_shape *any_tiles(double size) {
  double cell = size * test_uniform(0.1, 0.5);
  const int64_t cells[3] = {test_int(1, 6), test_int(1, 6), 1};
  const double origin[3] = {test_uniform(-size, size), test_uniform(-size, size), 0};
  return shaped_tiles(&alloc, cells, cell, origin, test_int(1, 4) / 4.0, false);
}

static cl_placed place(int kind, double x, double y) {
  return cl_place(pool[kind][test_int(0, POOL - 1)], x, y, kind == KINDS ? 0 : test_uniform(0, 7));
}

static void random_ways(double size, double far) {
  met = missed = 0;
  for (int k = 0; k < ALL_KINDS; k++)
    for (int i = 0; i < POOL; i++)
      pool[k][i] = k == KINDS ? any_tiles(size) : random_shape(&alloc, k, size);
  for (int k = 0; k < ALL_KINDS; k++)
    for (int l = 0; l < ALL_KINDS; l++) {
      char kinds[64];
      snprintf(kinds, sizeof kinds, "%s, %s", k == KINDS ? "tiles" : kind_names[k],
               l == KINDS ? "tiles" : kind_names[l]);
      for (long i = k == KINDS && l == KINDS ? 0 : test_rounds(100); i > 0; i--) {
        double x = test_uniform(-far, far), y = test_uniform(-far, far), dx = test_uniform(-5, 5);
        double dy = test_uniform(-5, 5), share = test_uniform(0, 2) * size;
        cl_placed a = place(k, x + dx * size, y + dy * size), b = place(l, x, y);
        double u = test_uniform(-1, 1) * size, v = test_uniform(-1, 1) * size;
        const cl_vec d = {-dx * share + u, -dy * share + v};
        check_way(&a, d, &b, test_int(0, 1), kinds);
      }
    }
  printf("%ld met, %ld missed\n", met, missed);
  for (int k = 0; k < ALL_KINDS; k++)
    for (int i = 0; i < POOL; i++) cl_shape_release(pool[k][i]);
}

static void pixels(void) { random_ways(100, 1000); }
static void far_away(void) { random_ways(1000, 1e6); }

// A moment as a fraction of the way, with a denominator above 0.
typedef struct fraction {
  long over, under;
} fraction;

static bool is_less(fraction p, fraction q) { return p.over * q.under < q.over * p.under; }

// While two intervals of one axis overlap, as fractions of the way; false if they never do.
static bool pass(long low, long high, long d, bool touching, fraction *in, fraction *out) {
  if (d == 0) return touching ? low <= 0 && high >= 0 : low < 0 && high > 0;
  fraction p = {d > 0 ? low : -high, labs(d)}, q = {d > 0 ? high : -low, labs(d)};
  if (is_less(*in, p)) *in = p;
  if (is_less(q, *out)) *out = q;
  return true;
}

// Boxes of integer coordinates, which often touch, slide along each other and miss by a corner.
static void whole_boxes(void) {
  long hits = 0, grazes = 0;
  for (long i = test_rounds(20000); i > 0; i--) {
    long v[8], far = test_int(0, 1) * 100000;
    for (int k = 0; k < 8; k++) v[k] = k % 4 < 2 ? test_int(-5, 5) : test_int(1, 4);
    const cl_vec d = {test_int(-9, 9), test_int(-9, 9)};
    cl_shape *one, *two;
    REQUIRE(cl_shape_rectangle(&alloc, 0, 0, (double)v[2], (double)v[3], &one) == CL_OK);
    REQUIRE(cl_shape_rectangle(&alloc, 0, 0, (double)v[6], (double)v[7], &two) == CL_OK);
    cl_placed a = cl_place(one, (double)(v[0] + far), (double)(v[1] + far), 0);
    cl_placed b = cl_place(two, (double)(v[4] + far), (double)(v[5] + far), 0);
    for (int touching = 0; touching < 2; touching++) {
      fraction in = {LONG_MIN / 100, 1}, out = {LONG_MAX / 100, 1}, none = {0, 1}, all = {1, 1};
      bool may = pass(v[4] - v[0] - v[2], v[4] + v[6] - v[0], (long)d.x, touching, &in, &out) &&
                 pass(v[5] - v[1] - v[3], v[5] + v[7] - v[1], (long)d.y, touching, &in, &out);
      bool is = touching ? may && !is_less(out, in) && !is_less(all, in) && !is_less(out, none)
                         : may && is_less(in, out) && is_less(in, all) && is_less(none, out);
      bool begins = cl_overlaps(&a, &b, touching);
      cl_cast at = {.t = -1};
      bool got = cl_swept_overlap(&a, d, &b, touching, &at);
      CHECK_MSG(got == (is && !begins), "%ld,%ld %ldx%ld to %ld,%ld %ldx%ld by %g,%g: %d", v[0],
                v[1], v[2], v[3], v[4], v[5], v[6], v[7], d.x, d.y, got);
      if (got) CHECK(fabs(at.t - (double)in.over / (double)in.under) < 1e-9);
      check_swapped(&a, d, &b, touching, got, at, "boxes");
      hits += got;
      grazes += got && touching && !cl_swept_overlap(&a, d, &b, false, &at);
    }
    cl_shape_release(one);
    cl_shape_release(two);
  }
  printf("%ld hits, %ld grazes\n", hits, grazes);
  CHECK(hits > test_rounds(3000) && grazes > test_rounds(200));
}

// When a segment of one unit that flies by `way` units along x, at height y, meets `b`.
static double arrow(double x, double y, double way, const cl_placed *b) {
  cl_shape *s;
  cl_cast at = {.t = -1};
  if (cl_shape_segment(&alloc, 0, 0, 1, 0, &s) != CL_OK) abort();
  cl_placed a = cl_place(s, x, y, 0);
  const cl_vec d = {way, 0};
  bool is = cl_swept_overlap(&a, d, b, false, &at);
  check_swapped(&a, d, b, false, is, at, "an arrow");
  if (is) CHECK(at.nx == (way > 0 ? -1 : 1) && at.ny == 0);
  cl_shape_release(s);
  return is ? at.t : -1;
}

static bool is_at(double t, double want) { return fabs(t - want) < 1e-15; }

// The arrow overlaps the whole, but none of its parts.
static void arrows_between_parts(void) {
  static const double ell[] = {0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4};
  static const double zig[] = {-2, -3, 0, 0, 3, 4};
  const int64_t size[3] = {4, 4, 1};
  const double origin[3] = {0, 0, 0};
  cl_fault fault;
  cl_shape *polygon, *tiles, *chain;
  cl_grid *grid;
  REQUIRE(cl_shape_polygon(&alloc, ell, 6, &fault, &polygon) == CL_OK);
  REQUIRE(cl_shape_chain(&alloc, zig, 3, false, &fault, &chain) == CL_OK);
  REQUIRE(cl_grid_new(&alloc, 2, size, (double[]){2, 2}, origin, &grid) == CL_OK);
  const int64_t low[3] = {2, 0, 0}, wall[3] = {1, 4, 1};
  cl_grid_fill(grid, low, wall, 1);
  REQUIRE(cl_shape_tiles(&alloc, grid, NULL, 0, &tiles) == CL_OK);
  cl_placed l = cl_place(polygon, 0, 0, 0), map = cl_place(tiles, 0, 0, 0);
  cl_placed z = cl_place(chain, 0, 0, 0);
  CHECK(is_at(arrow(-5, 2, 20, &l), 0.2) &&
        is_at(arrow(14, 2, -20, &l), 0.6)); // along a side first
  CHECK(is_at(arrow(-5, 1, 20, &l), 0.2) && arrow(-5, 0, 20, &l) == -1);
  CHECK(is_at(arrow(-1, 2, 20, &map), 0.2) && is_at(arrow(16, 4, -20, &map), 0.5));
  CHECK(is_at(arrow(-1, 7, 20, &map), 0.2) && arrow(-1, 8, 20, &map) == -1);
  CHECK(is_at(arrow(-6, 0, 20, &z), 0.25) && arrow(-6, 5, 20, &z) == -1);
  cl_shape_release(polygon);
  cl_shape_release(chain);
  cl_shape_release(tiles);
  cl_grid_release(grid);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(pixels);
  RUN(far_away);
  RUN(whole_boxes);
  RUN(arrows_between_parts);
  return test_end();
}
