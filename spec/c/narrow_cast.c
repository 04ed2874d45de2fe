// collide, MIT licence (see LICENSE)
//
// Rays and shape casts of all pairs of kinds.

#include "random_shapes.h"

#include "base/exact.h"
#include "narrow/motion.h"

enum { POOL = 48 };

static cl_alloc alloc;
static cl_shape *pool[KINDS][POOL];
static long hits, misses;

static cl_placed moved(const cl_placed *a, cl_vec d, double t) {
  cl_placed m = *a;
  m.x += d.x * t;
  m.y += d.y * t;
  return m;
}

static void check_cast(const cl_placed *a, cl_vec d, const cl_placed *b, const char *kinds) {
  cl_cast c;
  cl_hit h = {0, 0, 0};
  bool hit = cl_cast_shape(a, d, b, &c);
  double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y) + a->shape->reach +
                b->shape->reach + fabs(d.x) + fabs(d.y);
  double room = CL_CAST_ERROR * size;
  if (cl_overlap(a, b, false, &h)) {
    CHECK(hit && c.t == 0 && c.nx == 0 && c.ny == 0);
    return;
  }
  if (!hit) {
    misses++;
    for (int i = 0; i < 8; i++) {
      cl_placed m = moved(a, d, i == 0 ? 1 : test_uniform(0, 1));
      h.depth = 0;
      CHECK_MSG(!cl_overlap(&m, b, false, &h) || h.depth < room, "%s: missed one %g deep", kinds,
                h.depth);
    }
    return;
  }
  hits++;
  cl_placed m = moved(a, d, c.t);
  CHECK(c.t >= 0 && c.t <= 1 && fabs(c.nx * c.nx + c.ny * c.ny - 1) < 1e-14);
  CHECK_MSG(c.nx * d.x + c.ny * d.y <= 0, "%s: a normal along the way", kinds);
  double left = cl_distance(&m, b).distance;
  CHECK_MSG(left <= room, "%s: %g left at %g", kinds, left, c.t);
  h.depth = 0;
  CHECK_MSG(!cl_overlap(&m, b, false, &h) || h.depth <= room, "%s: %g deep at %g", kinds, h.depth,
            c.t);
  CHECK_MSG(cl_distance_point(b, c.x, c.y) <= 4 * room, "%s: the point is %g off", kinds,
            cl_distance_point(b, c.x, c.y));
  CHECK(cl_distance_point(&m, c.x, c.y) <= 4 * room);
  double length = sqrt(d.x * d.x + d.y * d.y);
  for (int i = 0; i < 8; i++) {
    double t = c.t * test_uniform(0, 1);
    if ((c.t - t) * length < 1e3 * room) continue;
    m = moved(a, d, t);
    h.depth = 0;
    CHECK_MSG(!cl_overlap(&m, b, false, &h) || h.depth < room, "%s: at %g there is an earlier one",
              kinds, c.t);
  }
}

static void random_casts(double size, double far) {
  hits = misses = 0;
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < POOL; i++) pool[k][i] = random_shape(&alloc, k, size);
  for (int k = 0; k < KINDS; k++)
    for (int l = 0; l < KINDS; l++) {
      char kinds[64];
      snprintf(kinds, sizeof kinds, "%s, %s", kind_names[k], kind_names[l]);
      for (long i = test_rounds(1500); i > 0; i--) {
        double x = test_uniform(-far, far), y = test_uniform(-far, far), dx = test_uniform(-5, 5);
        double dy = test_uniform(-5, 5), r = test_uniform(0, 7), q = test_uniform(0, 7);
        cl_placed a = cl_place(pool[k][test_int(0, POOL - 1)], x + dx * size, y + dy * size, r);
        cl_placed b = cl_place(pool[l][test_int(0, POOL - 1)], x, y, q);
        double share = test_uniform(0, 2) * size, u = test_uniform(-1, 1), v = test_uniform(-1, 1);
        cl_vec d = {-dx * share + u * size, -dy * share + v * size};
        check_cast(&a, d, &b, kinds);
      }
    }
  printf("%ld casts hit, %ld missed\n", hits, misses);
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < POOL; i++) cl_shape_release(pool[k][i]);
}

static void pixels(void) { random_casts(100, 1000); }
static void far_away(void) { random_casts(1000, 1e6); }
static void metres(void) { random_casts(0.1, 10); }

// On a lattice, rays often run along edges and through vertices: a ray hits if and only if the
// segment touches.
static void lattice_rays(void) {
  long touching = 0;
  for (long i = test_rounds(50000); i > 0; i--) {
    double xy[8];
    cl_fault fault;
    cl_shape *s = NULL, *ray = NULL;
    int n = test_int(3, 4), r = test_int(0, 3);
    for (int k = 0; k < 8; k++) xy[k] = test_int(0, 6);
    if (r > 1) cl_shape_capsule(&alloc, xy[0], xy[1], xy[2], xy[3], r, &s);
    else if (r == 1) cl_shape_segment(&alloc, xy[0], xy[1], xy[2], xy[3], &s);
    else cl_shape_polygon(&alloc, xy, (uint32_t)n, &fault, &s);
    double x1 = test_int(-4, 10), y1 = test_int(-4, 10), x2 = test_int(-4, 10);
    double y2 = test_int(-4, 10), far = test_int(0, 1) * 1e5;
    if (!s || cl_shape_segment(&alloc, x1, y1, x2, y2, &ray) != CL_OK) {
      if (s) cl_shape_release(s);
      continue;
    }
    cl_placed b = cl_place(s, far, far, 0), a = cl_place(ray, far, far, 0);
    cl_hit h;
    cl_cast c;
    bool want = cl_overlap(&a, &b, true, &h);
    bool hit = cl_cast_ray(far + x1, far + y1, far + x2, far + y2, &b, &c);
    double start = cl_distance_point(&b, far + x1, far + y1);
    if (start > 0) {
      CHECK_MSG(hit == want, "ray %g,%g to %g,%g: %d, wanted %d", x1, y1, x2, y2, hit, want);
      touching += want && !cl_overlap(&a, &b, false, &h);
    }
    if (hit && c.nx * c.nx + c.ny * c.ny > 0) {
      CHECK_MSG(cl_distance_point(&b, c.x, c.y) <= CL_CAST_ERROR * 5e5,
                "far %g, kind %d: %g,%g to %g,%g at %g: %g off", far, r, x1, y1, x2, y2, c.t,
                cl_distance_point(&b, c.x, c.y));
      CHECK(c.nx * (x2 - x1) + c.ny * (y2 - y1) < 1e-6);
    }
    cl_shape_release(s);
    cl_shape_release(ray);
  }
  CHECK(touching > test_rounds(500));
}

// Upright boxes have a special method, which agrees with that of polygons.
static void boxes_and_polygons(void) {
  long hit = 0;
  for (long i = test_rounds(100000); i > 0; i--) {
    bool lattice = test_int(0, 1);
    double v[8];
    for (int k = 0; k < 8; k++) v[k] = lattice ? test_int(-4, 8) : test_uniform(-4, 8);
    double l = v[0], t = v[1], r = l + 1 + fabs(v[2]), b = t + 1 + fabs(v[3]);
    const double xy[] = {l, t, r, t, r, b, l, b};
    cl_shape *box, *poly;
    cl_fault fault;
    cl_cast one, two;
    cl_shape_rectangle(&alloc, l, t, r - l, b - t, &box);
    cl_shape_polygon(&alloc, xy, 4, &fault, &poly);
    bool exact = box->bounds.r == r && box->bounds.b == b;
    cl_placed p = cl_place(box, 0, 0, 0), q = cl_place(poly, 0, 0, 0);
    bool x = cl_cast_ray(v[4], v[5], v[6], v[7], &p, &one);
    bool y = cl_cast_ray(v[4], v[5], v[6], v[7], &q, &two);
    CHECK(!exact || x == y);
    if (x && y) CHECK_MSG(fabs(one.t - two.t) < 1e-12, "%g and %g", one.t, two.t);
    hit += x;
    cl_shape_release(box);
    cl_shape_release(poly);
  }
  CHECK(hit > test_rounds(10000));
}

// ---- single cases

static bool ray(const cl_shape *s, double x1, double y1, double x2, double y2, cl_cast *c) {
  cl_placed b = cl_place(s, 0, 0, 0);
  *c = (cl_cast){-1, 0, 0, 0, 0};
  return cl_cast_ray(x1, y1, x2, y2, &b, c);
}

static void rays_at_a_box(const cl_shape *box) {
  cl_cast c;
  CHECK(ray(box, -10, 5, 10, 5, &c) && c.t == 0.5 && c.x == 0 && c.nx == -1 && c.ny == 0);
  CHECK(ray(box, 5, -10, 5, 10, &c) && c.t == 0.5 && c.y == 0 && c.ny == -1);
  CHECK(ray(box, 30, 5, 5, 5, &c) && c.x == 10 && c.nx == 1);
  CHECK(ray(box, -10, -10, 10, 10, &c) && c.t == 0.5); // a diagonal, at the corner
  CHECK(ray(box, 20, -10, 0, 10, &c) && c.x == 10 && c.y == 0);
  CHECK(ray(box, -10, 20, 10, 0, &c) && c.x == 0 && c.y == 10);
  CHECK(ray(box, 20, 20, 0, 0, &c) && c.x == 10 && c.y == 10);
  CHECK(ray(box, -10, 0, 20, 0, &c) && c.x == 0 && c.nx == -1); // along an edge
  CHECK(ray(box, -5, 5, 5, -5, &c) && c.t == 0.5);              // past a corner, touching it
  CHECK(!ray(box, -5, 4, 4, -5, &c));
  CHECK(ray(box, -10, 5, 0, 5, &c) && c.t == 1); // ends on it
  CHECK(!ray(box, -10, 5, -1e-9, 5, &c));
  CHECK(ray(box, 5, 5, 50, 5, &c) && c.t == 0 && c.nx == 0 && c.ny == 0); // starts inside
  CHECK(ray(box, 5, 5, 5, 5, &c) && c.t == 0);                            // no length
  CHECK(!ray(box, 20, 20, 20, 20, &c) && !ray(box, 0, 5, 0, 5, &c));
  CHECK(ray(box, 0, 5, 5, 5, &c) && c.t == 0 && c.nx == -1); // starts touching: inward
  CHECK(!ray(box, 0, 5, -5, 5, &c) && !ray(box, 0, 5, 0, 8, &c) && !ray(box, 0, 0, 20, 0, &c));
  CHECK(ray(box, 0, 0, 5, 5, &c) && c.t == 0 && c.nx + c.ny < 0);
}

static void rays(void) {
  cl_shape *box, *poly, *circle, *segment;
  cl_fault fault;
  cl_cast c;
  const double xy[] = {0, 0, 10, 0, 10, 10, 0, 10}, *p = xy;
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &box);
  cl_shape_polygon(&alloc, p, 4, &fault, &poly);
  rays_at_a_box(box);
  rays_at_a_box(poly);
  cl_shape_circle(&alloc, 0, 0, 5, &circle);
  CHECK(ray(circle, -10, 0, 10, 0, &c) && c.t == 0.25 && c.x == -5 && c.nx == -1);
  CHECK(ray(circle, -10, 5, 10, 5, &c) && fabs(c.t - 0.5) < 1e-7 && c.ny == 1); // tangent
  CHECK(!ray(circle, -10, nextafter(5, 6), 10, nextafter(5, 6), &c));
  CHECK(ray(circle, 1, 1, 9, 9, &c) && c.t == 0 && c.nx == 0);
  CHECK(ray(circle, -5, 0, 0, 0, &c) && c.t == 0 && c.nx == -1);
  CHECK(!ray(circle, -5, 0, -9, 0, &c) && !ray(circle, -5, 0, -5, 9, &c));
  cl_shape_segment(&alloc, 0, 0, 10, 0, &segment);
  CHECK(ray(segment, 5, -5, 5, 5, &c) && c.t == 0.5 && c.ny == -1);
  CHECK(ray(segment, 5, 5, 5, -5, &c) && c.t == 0.5 && c.ny == 1);
  CHECK(ray(segment, -5, 0, 5, 0, &c) && c.t == 0.5 && c.nx == -1); // end on
  CHECK(ray(segment, 10, -5, 10, 5, &c) && c.t == 0.5);             // at its end
  CHECK(!ray(segment, 5, 0, 5, 5, &c) && !ray(segment, 5, 0, 20, 0, &c));
  cl_shape_release(box);
  cl_shape_release(poly);
  cl_shape_release(circle);
  cl_shape_release(segment);
}

// A box on a floor made of pieces slides along it and stops at a step.
static void sliding_on_a_floor(void) {
  cl_shape *boxes[3], *floor, *box, *ground;
  cl_cast c;
  cl_fault fault;
  const double xy[] = {0, 0, 20, 0, 20, -5, 30, -5, 30, 10, 0, 10};
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &boxes[0]);
  cl_shape_rectangle(&alloc, 10, 0, 10, 10, &boxes[1]);
  cl_shape_rectangle(&alloc, 20, -5, 10, 15, &boxes[2]);
  cl_shape_compound(&alloc, boxes, 3, &floor);
  cl_shape_polygon(&alloc, xy, 6, &fault, &ground);
  cl_shape_rectangle(&alloc, 0, 0, 2, 2, &box);
  for (int i = 0; i < 2; i++) {
    cl_placed b = cl_place(i ? ground : floor, 0, 0, 0);
    for (double x = 0; x < 17; x += 0.5) {
      cl_placed a = cl_place(box, x, -2, 0);
      CHECK(cl_cast_shape(&a, (cl_vec){100, 0}, &b, &c));
      CHECK_MSG(fabs(x + 100 * c.t - 18) < 1e-12 && c.nx == -1 && c.ny == 0,
                "from %g to %g, normal (%g, %g)", x, x + 100 * c.t, c.nx, c.ny);
      CHECK(!cl_cast_shape(&a, (cl_vec){-100, 0}, &b, &c));
      CHECK(cl_cast_shape(&a, (cl_vec){0, 1}, &b, &c) && c.t == 0 && c.ny == -1);
    }
    cl_placed a = cl_place(box, 9, -12, 0); // falls on the seam
    CHECK(cl_cast_shape(&a, (cl_vec){0, 20}, &b, &c) && c.t == 0.5 && c.nx == 0 && c.ny == -1);
    CHECK(cl_cast_shape(&a, (cl_vec){-1, 20}, &b, &c) && c.t == 0.5 && c.nx == 0 && c.ny == -1);
  }
  for (int i = 0; i < 3; i++) cl_shape_release(boxes[i]);
  cl_shape_release(floor);
  cl_shape_release(ground);
  cl_shape_release(box);
}

// A point that falls to the ground from 1 to -1: the distance is that of a straight line.
static void fall(const void *motion, cl_distance_at *at) {
  (void)motion;
  at->distance = 1 - 2 * at->t;
  at->rate = 2;
}

// Each step goes a tenth of the way to the ground.
static void creep(const void *motion, cl_distance_at *at) {
  int *steps = *(int *const *)motion;
  (*steps)++;
  at->distance *= 0.9;
  at->rate = 1000;
}

// The search ends where the distance is reached, where nothing comes nearer, or at the end of the
// way. If it has not ended after many steps, the place counts as reached: no step came much nearer.
static void approaches(void) {
  cl_distance_at at = {.t = 0, .distance = 1, .rate = 2};
  CHECK(cl_approach(fall, NULL, 0.5, 0, 0, &at) == CL_ARRIVES && at.t == 0.25);
  at = (cl_distance_at){.t = 0, .distance = 1, .rate = 2};
  CHECK(cl_approach(fall, NULL, 0.5, 0, 2, &at) == CL_PASSES && at.t == 0);
  at = (cl_distance_at){.t = 0, .distance = 1, .rate = 2};
  CHECK(cl_approach(fall, NULL, -1.5, 0, 0, &at) == CL_ENDS && at.t > 1);
  int steps = 0, *counter = &steps;
  at = (cl_distance_at){.t = 0, .distance = 1, .rate = 1000};
  CHECK(cl_approach(creep, &counter, 0, 1e-9, 0, &at) == CL_ARRIVES);
  CHECK(steps > 100 && steps < 200 && at.distance > 1e-9 && at.t < 1);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(approaches);
  RUN(rays);
  RUN(lattice_rays);
  RUN(sliding_on_a_floor);
  RUN(boxes_and_polygons);
  RUN(pixels);
  RUN(far_away);
  RUN(metres);
  return test_end();
}
