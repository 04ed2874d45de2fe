// collide, MIT licence (see LICENSE)
//
// Distances and contact points of all pairs of kinds.

#include "random_shapes.h"

#include "base/exact.h"
#include "geom/shape.h"

enum { POOL = 48 };

static cl_alloc alloc;
static cl_shape *pool[KINDS][POOL];

static double length(double x, double y) { return sqrt(x * x + y * y); }

static double size_of(const cl_placed *a, const cl_placed *b) {
  return fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y) + a->shape->reach + b->shape->reach;
}

// A random point of one of the parts, round or not.
static cl_vec sample(const cl_placed *p) {
  const cl_part *part = &p->shape->parts[test_int(0, (int)p->shape->part_count - 1)];
  int n = (int)part->count;
  cl_vec v = cl_placed_vertex(p, part->first + (uint32_t)test_int(0, n - 1));
  for (int i = 0; i < 3; i++) {
    cl_vec w = cl_placed_vertex(p, part->first + (uint32_t)test_int(0, n - 1));
    double t = test_uniform(0, 1);
    v = (cl_vec){v.x + t * (w.x - v.x), v.y + t * (w.y - v.y)};
  }
  double angle = test_uniform(0, 6.2832);
  return (cl_vec){v.x + part->radius * cos(angle), v.y + part->radius * sin(angle)};
}

static void check_distance(const cl_placed *a, const cl_placed *b, const char *kinds) {
  cl_hit h;
  cl_gap gap = cl_distance(a, b), back = cl_distance(b, a);
  bool touch = cl_overlap(a, b, true, &h);
  CHECK_MSG((gap.distance > 0) == !touch, "%s: distance %g, touching %d", kinds, gap.distance,
            touch);
  CHECK_MSG(gap.distance == back.distance, "%s: %g and %g", kinds, gap.distance, back.distance);
  double room = 2 * CL_SEPARATION_ERROR * size_of(a, b);
  if (touch) {
    CHECK(gap.a.x == gap.b.x && gap.a.y == gap.b.y);
    double off = cl_distance_point(a, gap.a.x, gap.a.y);
    CHECK_MSG(off <= h.depth + 1e3 * room, "%s: contact %g off, %g deep", kinds, off, h.depth);
    return;
  }
  CHECK(gap.a.x == back.b.x && gap.a.y == back.b.y && gap.b.x == back.a.x && gap.b.y == back.a.y);
  double d = length(gap.a.x - gap.b.x, gap.a.y - gap.b.y);
  CHECK_MSG(fabs(d - gap.distance) <= room, "%s: %g between the points, not %g", kinds, d,
            gap.distance);
  CHECK(cl_distance_point(a, gap.a.x, gap.a.y) <= room);
  CHECK(cl_distance_point(b, gap.b.x, gap.b.y) <= room);
  for (int i = 0; i < 8; i++) {
    cl_vec p = sample(a), q = sample(b);
    CHECK_MSG(length(p.x - q.x, p.y - q.y) >= gap.distance - room, "%s: samples are nearer", kinds);
  }
  // Moved towards each other by a little less, they do not touch.
  double nx = (gap.b.x - gap.a.x) / d, ny = (gap.b.y - gap.a.y) / d;
  cl_placed moved = *a;
  if (d < 4 * room) return;
  moved.x += nx * (gap.distance - 2 * room), moved.y += ny * (gap.distance - 2 * room);
  CHECK_MSG(!cl_overlap(&moved, b, true, &h), "%s: touch before %g", kinds, gap.distance);
}

static void check_contacts(const cl_placed *a, const cl_placed *b, const char *kinds) {
  cl_hit h = {0, 0, 0};
  cl_contact p[CL_CONTACTS_MOST], q[CL_CONTACTS_MOST];
  int n = cl_contacts(a, b, false, p), m = cl_contacts(b, a, false, q);
  CHECK(n == m && (n > 0) == cl_overlap(a, b, false, &h));
  double room = 1e-8 * size_of(a, b), deepest = 0;
  for (int i = 0; i < n; i++) {
    CHECK_MSG(p[i].x == q[i].x && p[i].y == q[i].y && p[i].depth == q[i].depth,
              "%s: contacts differ from the other side", kinds);
    CHECK(p[i].nx == -q[i].nx && p[i].ny == -q[i].ny);
    CHECK_MSG(p[i].depth >= 0 && p[i].depth <= h.depth + room, "%s: contact %g deep, %g in all",
              kinds, p[i].depth, h.depth);
    deepest = fmax(deepest, p[i].depth);
  }
  bool single = a->shape->part_count == 1 && b->shape->part_count == 1;
  if (!single || n == 0) return;
  CHECK_MSG(fabs(deepest - h.depth) <= room, "%s: deepest %g of %g", kinds, deepest, h.depth);
  // Midway between the surfaces: inside both, or no farther out than half the depth.
  for (int i = 0; i < n; i++) {
    double d = fmax(cl_distance_point(a, p[i].x, p[i].y), cl_distance_point(b, p[i].x, p[i].y));
    CHECK_MSG(d <= h.depth / 2 + room, "%s: contact %g off", kinds, d);
  }
}

static void random_pairs(double size, double far) {
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < POOL; i++) pool[k][i] = random_shape(&alloc, k, size);
  for (int k = 0; k < KINDS; k++)
    for (int l = k; l < KINDS; l++) {
      char kinds[64];
      snprintf(kinds, sizeof kinds, "%s, %s", kind_names[k], kind_names[l]);
      for (long i = test_rounds(10000); i > 0; i--) {
        double x = test_uniform(-far, far), y = test_uniform(-far, far), dx = test_uniform(-5, 5);
        double dy = test_uniform(-5, 5), r = test_uniform(0, 7), q = test_uniform(0, 7);
        cl_placed a = cl_place(pool[k][test_int(0, POOL - 1)], x, y, r);
        cl_placed b = cl_place(pool[l][test_int(0, POOL - 1)], x + dx * size, y + dy * size, q);
        if (i % 12 == 0) {
          check_distance(&a, &b, kinds);
          check_contacts(&a, &b, kinds);
          continue;
        }
        cl_hit h;
        double d = cl_distance(&a, &b).distance;
        CHECK_MSG((d > 0) == !cl_overlap(&a, &b, true, &h), "%s: distance %g", kinds, d);
      }
    }
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < POOL; i++) cl_shape_release(pool[k][i]);
}

static void pixels(void) { random_pairs(100, 1000); }
static void far_away(void) { random_pairs(1000, 1e6); }
static void metres(void) { random_pairs(0.1, 10); }

// Shapes that touch exactly or miss by one unit in the last place.
static void barely(void) {
  cl_shape *box, *circle, *slope;
  cl_fault fault;
  const double xy[] = {0, 0, 3, -4, 6, 4};
  cl_shape_rectangle(&alloc, 0, 0, 1, 1, &box);
  cl_shape_circle(&alloc, 0, 0, 5, &circle);
  cl_shape_polygon(&alloc, xy, 3, &fault, &slope);
  for (int i = 0; i < 1000; i++) {
    double x = nextafter(1, i % 2 ? 2 : 0), far = i % 3 ? 0 : 4;
    cl_placed a = cl_place(box, far, 0, 0), b = cl_place(box, far + x, 0.5, 0);
    check_distance(&a, &b, "boxes");
    a = cl_place(circle, 0, 0, 0), b = cl_place(circle, nextafter(6, i % 2 ? 7 : 0), 8, 0);
    check_distance(&a, &b, "circles");
    b = cl_place(slope, nextafter(3, i % 2 ? 7 : 0), 4, 0);
    check_distance(&a, &b, "circle, triangle");
    a = cl_place(slope, test_uniform(-9, 9), test_uniform(-9, 9), 0);
    b = cl_place(slope, a.x + 3, a.y - 4 + (i % 3 - 1) * 1e-15, 0);
    check_distance(&a, &b, "triangles");
  }
  cl_shape_release(box);
  cl_shape_release(circle);
  cl_shape_release(slope);
}

// Sizes that differ by factors of up to 1e10, all moved until they touch.
static void mixed_sizes(void) {
  long touching = 0;
  for (long i = test_rounds(50000); i > 0; i--) {
    double size[2];
    for (int k = 0; k < 2; k++) {
      int power = test_int(-4, 5);
      for (size[k] = test_uniform(1, 10); power != 0; power += power < 0 ? 1 : -1)
        size[k] *= power < 0 ? 0.1 : 10;
    }
    int k = test_int(0, KINDS - 1), l = test_int(0, KINDS - 1);
    cl_shape *s = random_shape(&alloc, k, size[0]), *t = random_shape(&alloc, l, size[1]);
    cl_placed a = cl_place(s, 0, test_uniform(-size[1], size[1]), test_int(0, 1) * 2.5);
    cl_placed b = cl_place(t, test_uniform(-size[0], size[0]), 0, test_int(0, 1) * 1.25);
    if (test_int(0, 1)) {
      cl_vec v = cl_placed_vertex(&a, 0), w = cl_placed_vertex(&b, 0);
      b.x += v.x - w.x, b.y += v.y - w.y;
    } else {
      cl_gap gap = cl_distance(&a, &b);
      b.x += gap.a.x - gap.b.x, b.y += gap.a.y - gap.b.y;
    }
    cl_hit h = {0, 0, -1};
    bool touch = cl_overlap(&a, &b, true, &h);
    double d = cl_distance(&a, &b).distance;
    CHECK_MSG((d > 0) == !touch, "%s of %g, %s of %g: distance %g, %g deep", kind_names[k], size[0],
              kind_names[l], size[1], d, h.depth);
    CHECK(!touch || fabs(h.nx * h.nx + h.ny * h.ny - 1) < 1e-14);
    touching += touch;
    cl_shape_release(s);
    cl_shape_release(t);
  }
  CHECK(touching > test_rounds(10000));
}

// The number or a neighbouring double. The neighbours of 0 would underflow.
static double next_double(double x) { return x == 0 ? 0 : nextafter(x, test_int(-1, 1) * 99); }

// Placing may round a corner that is almost in line with its neighbours to either side of the line.
// The outline of the part is then not convex, but the part is its hull.
static void corners_in_sides(void) {
  for (long i = test_rounds(20000); i > 0; i--) {
    double xy[12] = {0}, turn = test_int(0, 16) * 0.39269908169872414;
    for (int k = 0; k < 12; k += 4) xy[k] = 2 * test_int(-8, 8), xy[k + 1] = 2 * test_int(-8, 8);
    for (int k = 2; k < 12; k += 4) // the middle of the sides of a triangle, or the next double
      for (int c = 0; c < 2; c++)
        xy[k + c] = next_double((xy[k + c - 2] + xy[(k + c + 2) % 12]) / 2);
    cl_shape *s;
    cl_fault fault;
    if (cl_shape_polygon(&alloc, xy, 6, &fault, &s) != CL_OK) continue;
    cl_placed p = cl_place(s, test_int(-9, 9), test_int(-9, 9), turn);
    for (int k = 0; k < 12; k++) {
      const cl_part *part = &s->parts[test_int(0, (int)s->part_count - 1)];
      cl_vec v = cl_placed_vertex(&p, part->first + (uint32_t)test_int(0, (int)part->count - 1));
      double x = next_double(v.x), y = next_double(v.y);
      cl_stack_shape point;
      cl_stack_circle(&point, 0);
      cl_placed at = {&point.shape, x, y, {1, 0}};
      bool touch = cl_overlaps(&p, &at, true);
      CHECK_MSG(cl_placed_contains(&p, x, y) == touch, "%.17g, %.17g: touching %d", x, y, touch);
      CHECK((cl_distance_point(&p, x, y) == 0) == touch);
    }
    cl_shape_release(s);
  }
}

static int contacts(const cl_shape *s, double ax, double ay, const cl_shape *t, double bx,
                    double by, bool touching, cl_contact out[CL_CONTACTS_MOST]) {
  cl_placed a = cl_place(s, ax, ay, 0), b = cl_place(t, bx, by, 0);
  return cl_contacts(&a, &b, touching, out);
}

static void contact_points(void) {
  cl_shape *box, *circle, *boxes[2], *floor;
  cl_contact p[CL_CONTACTS_MOST];
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &box);
  cl_shape_circle(&alloc, 0, 0, 5, &circle);
  CHECK(contacts(box, 0, 0, box, 20, 0, true, p) == 0);
  CHECK(contacts(box, 3, 8, box, 0, 16, false, p) == 2); // bottom 18 in top 16
  CHECK(fmin(p[0].x, p[1].x) == 3 && fmax(p[0].x, p[1].x) == 10);
  CHECK(p[0].y == 17 && p[1].y == 17 && p[0].depth == 2 && p[1].depth == 2);
  CHECK(contacts(box, 0, 0, box, 10, 0, false, p) == 0);
  CHECK(contacts(box, 0, 0, box, 10, 5, true, p) == 2 && p[0].depth == 0 && p[0].x == 10);
  CHECK(contacts(box, 0, 0, box, 10, 10, true, p) == 1 && p[0].x == 10 && p[0].y == 10);
  CHECK(contacts(circle, 5, -4, box, 0, 0, false, p) == 1);
  CHECK(p[0].x == 5 && p[0].y == 0.5 && p[0].depth == 1);
  // A box across the seam of two has one stretch of contact, not two.
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &boxes[0]);
  cl_shape_rectangle(&alloc, 10, 0, 10, 10, &boxes[1]);
  cl_shape_compound(&alloc, boxes, 2, &floor);
  CHECK(contacts(box, 4, -9, floor, 0, 0, false, p) == 2);
  CHECK_MSG(fmin(p[0].x, p[1].x) == 4 && fmax(p[0].x, p[1].x) == 14, "%g to %g", p[0].x, p[1].x);
  CHECK(p[0].y == 0.5 && p[0].depth == 1);
  cl_shape_release(boxes[0]);
  cl_shape_release(boxes[1]);
  cl_shape_release(floor);
  cl_shape_release(box);
  cl_shape_release(circle);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(pixels);
  RUN(far_away);
  RUN(metres);
  RUN(barely);
  RUN(corners_in_sides);
  RUN(mixed_sizes);
  RUN(contact_points);
  return test_end();
}
