// collide, MIT licence (see LICENSE)
//
// Shapes of many parts, which have a tree: answers equal those of comparing every pair of parts,
// and the nearest way out leads out.

#include "random_shapes.h"

#include "narrow/convex.h"
#include "narrow/pairs.h"

static cl_alloc alloc;

// Stars, chains and compounds of 9 to 60 parts.
static cl_shape *many_parts(int kind) {
  cl_shape *members[60], *s = NULL;
  cl_fault fault;
  double xy[122];
  int n = test_int(9, 60);
  for (int i = 0; i < 2 * n + 2; i++) xy[i] = test_uniform(-100, 100);
  if (kind == 0) return random_polygon(&alloc, test_int(20, 60), 100, 0.8);
  if (kind == 1) {
    cl_shape_chain(&alloc, xy, (uint32_t)n + 1, false, &fault, &s);
    return s;
  }
  for (int i = 0; i < n; i++) members[i] = random_shape(&alloc, test_int(0, 5), 30);
  cl_shape_compound(&alloc, members, (uint32_t)n, &s);
  for (int i = 0; i < n; i++) cl_shape_release(members[i]);
  return s;
}

static cl_placed place_one(cl_shape *s, double far) {
  double angle = test_int(0, 2) ? test_uniform(-7, 7) : 0;
  return cl_place(s, far + test_uniform(-150, 150), far + test_uniform(-150, 150), angle);
}

// Each pair of parts whose bounds touch is visited once, and no other pair.
static void check_pairing(const cl_placed *a, const cl_placed *b) {
  cl_bvh_pairs at;
  long found = 0, want = 0, sum = 0, want_sum = 0;
  cl_bvh_pairs_begin(&at, a, b, (cl_bounds){0, 0, 0, 0});
  at.sorted = test_int(0, 1);
  for (; cl_bvh_pairs_next(&at); found++) sum += (long)(at.i * 1009 + at.k);
  for (uint32_t i = 0; i < a->shape->part_count; i++)
    for (uint32_t k = 0; k < b->shape->part_count; k++) {
      if (!cl_bounds_touch(cl_placed_part_bounds(a, i), cl_placed_part_bounds(b, k))) continue;
      want++;
      want_sum += (long)(i * 1009 + k);
    }
  CHECK_MSG(found == want && sum == want_sum, "%ld pairs, wanted %ld", found, want);
}

static void check_placed(const cl_placed *p) {
  cl_bounds whole, all = cl_placed_part_bounds(p, 0);
  cl_shape one = *p->shape;
  cl_placed part = {&one, p->x, p->y, p->rot};
  bool inside = false;
  double x = p->x + test_uniform(-100, 100), y = p->y + test_uniform(-100, 100);
  if (test_int(0, 1)) {
    cl_vec v = cl_placed_vertex(p, p->shape->parts[0].first);
    x = v.x, y = v.y;
  }
  whole = cl_placed_bounds(p);
  one.part_count = 1;
  for (uint32_t i = 0; i < p->shape->part_count; i++) {
    all = cl_bounds_join(all, cl_placed_part_bounds(p, i));
    one.parts = &p->shape->parts[i];
    inside = inside || cl_placed_contains(&part, x, y);
  }
  CHECK(memcmp(&whole, &all, sizeof all) == 0);
  CHECK(cl_placed_contains(p, x, y) == inside);
}

// The smallest distance between any two parts, each by itself.
static double by_parts(const cl_placed *a, const cl_placed *b) {
  cl_shape s = *a->shape, t = *b->shape;
  cl_placed p = {&s, a->x, a->y, a->rot}, q = {&t, b->x, b->y, b->rot};
  double least = INFINITY;
  s.part_count = t.part_count = 1;
  for (uint32_t i = 0; i < a->shape->part_count; i++)
    for (uint32_t k = 0; k < b->shape->part_count; k++) {
      s.parts = &a->shape->parts[i];
      t.parts = &b->shape->parts[k];
      least = fmin(least, cl_distance(&p, &q).distance);
    }
  return least;
}

static void like_every_pair(void) {
  long hits = 0, n = test_rounds(1000);
  for (long i = 0; i < n; i++) {
    cl_shape *s = many_parts(test_int(0, 2));
    cl_shape *t = test_int(0, 1) ? many_parts(test_int(0, 2)) : random_shape(&alloc, 7, 40);
    double far = test_int(0, 1) * 1e5;
    cl_placed a = place_one(s, far), b = place_one(t, far);
    cl_hit h;
    check_pairing(&a, &b);
    check_placed(&a);
    double want = by_parts(&a, &b), got = cl_distance(&a, &b).distance;
    CHECK_MSG(fabs(want - got) <= 1e-9, "distance %g, by parts %g", got, want);
    CHECK(cl_overlap(&a, &b, true, &h) == (want == 0));
    hits += want == 0;
    cl_shape_release(s);
    cl_shape_release(t);
  }
  CHECK(hits > n / 10 && hits < n * 9 / 10);
}

static bool overlaps_moved(const cl_placed *a, const cl_placed *b, double dx, double dy) {
  cl_placed moved = *a;
  cl_hit h;
  cl_bvh_pairs at;
  cl_convex p, q;
  moved.x += dx, moved.y += dy;
  cl_vec origin = {moved.x, moved.y};
  cl_bvh_pairs_begin(&at, &moved, b, (cl_bounds){0, 0, 0, 0});
  while (cl_bvh_pairs_next(&at)) {
    cl_convex_place(&moved, at.i, origin, &p);
    cl_convex_place(b, at.k, origin, &q);
    if (cl_convex_overlap(&p, &q, false, &h) && h.depth > 1e-6) return true;
  }
  return false;
}

// The nearest way out leads out, and no shorter sampled way does.
static void exits(void) {
  long asked = 0;
  for (long i = test_rounds(500); i > 0; i--) {
    cl_shape *s = many_parts(test_int(0, 2)), *t = many_parts(test_int(0, 2));
    cl_placed a = place_one(s, 0), b = place_one(t, 0);
    cl_hit h;
    if (overlaps_moved(&a, &b, 0, 0)) {
      asked++;
      CHECK(cl_overlap(&a, &b, false, &h));
      CHECK(!overlaps_moved(&a, &b, h.nx * h.depth, h.ny * h.depth));
      for (int k = 0; k < 100; k++) {
        double angle = test_uniform(0, 6.2832), d = h.depth * sqrt(test_uniform(0, 0.99)) - 1e-5;
        if (d > 0) CHECK(overlaps_moved(&a, &b, d * cos(angle), d * sin(angle)));
      }
    }
    cl_shape_release(s);
    cl_shape_release(t);
  }
  CHECK(asked > test_rounds(50));
}

// Many differences that coincide: cutting cannot separate them.
static void one_above_the_other(void) {
  cl_shape *members[40], *s;
  cl_hit h;
  for (int i = 0; i < 40; i++)
    if (i % 2) cl_shape_circle(&alloc, 0, 0, 10, &members[i]);
    else cl_shape_rectangle(&alloc, -10, -10, 20, 20, &members[i]);
  cl_shape_compound(&alloc, members, 40, &s);
  cl_placed a = cl_place(s, 0, 0, 0), b = cl_place(s, 3, 0, 0);
  CHECK(cl_overlap(&a, &b, false, &h) && h.nx == -1 && fabs(h.depth - 17) < 1e-9);
  for (int i = 0; i < 40; i++) cl_shape_release(members[i]);
  cl_shape_release(s);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(like_every_pair);
  RUN(exits);
  RUN(one_above_the_other);
  return test_end();
}
