// collide, MIT licence (see LICENSE)
//
// Overlap of concave polygons, chains and compounds: the answer compared with that of each part,
// the way out with samples, and the typical faults at cuts and joints.

#include "random_shapes.h"

#include "cells/grid.h"

enum { POOL = 48 };

static cl_alloc alloc;
static cl_shape *pool[KINDS][POOL];

// One part as a shape of its own, in the arrays of the whole.
static cl_placed only(const cl_placed *p, uint32_t part, cl_shape *view) {
  *view = *p->shape;
  view->parts = &p->shape->parts[part];
  view->part_count = 1;
  return (cl_placed){view, p->x, p->y, p->rot};
}

// Whether any two parts overlap, each by itself, and the largest of their smallest depths.
static bool by_parts(const cl_placed *a, const cl_placed *b, bool touching, double *depth) {
  bool any = false;
  cl_shape s, t;
  *depth = 0;
  for (uint32_t i = 0; i < a->shape->part_count; i++)
    for (uint32_t k = 0; k < b->shape->part_count; k++) {
      cl_placed p = only(a, i, &s), q = only(b, k, &t);
      cl_hit h;
      if (!cl_overlap(&p, &q, touching, &h)) continue;
      any = true;
      *depth = fmax(*depth, h.depth);
    }
  return any;
}

static double size_of(const cl_placed *a, const cl_placed *b) {
  return fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y) + a->shape->reach + b->shape->reach;
}

static bool overlaps_moved(const cl_placed *a, const cl_placed *b, double dx, double dy) {
  cl_placed moved = *a;
  double depth;
  moved.x += dx, moved.y += dy;
  return by_parts(&moved, b, false, &depth);
}

// The same two shapes elsewhere, and turned together about 0, 0.
static void check_elsewhere(const cl_placed *a, const cl_placed *b, const cl_hit *h,
                            const char *kinds) {
  double dx = test_uniform(-99, 99), dy = test_uniform(-99, 99), turn = test_uniform(-3, 3);
  cl_rot rot = cl_rot_of(turn);
  cl_placed both[2] = {*a, *b};
  for (int i = 0; i < 2; i++) {
    cl_vec at = cl_rot_apply(rot, (cl_vec){both[i].x, both[i].y});
    cl_vec x = cl_rot_apply(rot, (cl_vec){both[i].rot.c, both[i].rot.s});
    both[i] = (cl_placed){both[i].shape, at.x + dx, at.y + dy, {x.x, x.y}};
  }
  cl_hit other = {0, 0, 0};
  bool hit = cl_overlap(&both[0], &both[1], false, &other);
  double room = 1e-8 * size_of(a, b);
  CHECK_MSG(hit || h->depth < room, "%s: %g deep, but not elsewhere", kinds, h->depth);
  CHECK_MSG(fabs(other.depth - h->depth) < room, "%s: %g deep, elsewhere %g", kinds, h->depth,
            other.depth);
}

static long detours, pairs;

static void check_pair(const cl_placed *a, const cl_placed *b, const char *kinds) {
  cl_hit h, back;
  double depth;
  bool hit = cl_overlap(a, b, false, &h), want = by_parts(a, b, false, &depth);
  CHECK_MSG(hit == want, "%s: %d, wanted %d", kinds, hit, want);
  CHECK(hit == cl_overlap(b, a, false, &back));
  if (!hit) return;
  pairs++;
  CHECK_MSG(h.nx == -back.nx && h.ny == -back.ny && h.depth == back.depth, "%s: not reversed",
            kinds);
  double room = 1e-8 * size_of(a, b);
  CHECK_MSG(h.depth >= depth - room, "%s: %g of %g", kinds, h.depth, depth);
  if (h.depth > depth + room) detours++;
  check_elsewhere(a, b, &h, kinds);
  // For some pairs: never deeper than a way out found by sampling.
  for (int i = 0; i < 16 && pairs % 32 == 0; i++) {
    double angle = test_uniform(0, 6.2832), d = h.depth * 0.99 - room;
    if (d <= 0) break;
    CHECK_MSG(overlaps_moved(a, b, d * cos(angle), d * sin(angle)), "%s: %g is too far", kinds,
              h.depth);
  }
}

static void random_pairs(void) {
  const double size = 100;
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < POOL; i++) pool[k][i] = random_shape(&alloc, k, size);
  for (int k = 0; k < KINDS; k++)
    for (int l = k > 5 ? k : 5; l < KINDS; l++) {
      char kinds[64];
      snprintf(kinds, sizeof kinds, "%s, %s", kind_names[k], kind_names[l]);
      for (long i = test_rounds(20000); i > 0; i--) {
        double x = test_uniform(-300, 300), y = test_uniform(-300, 300), dx = test_uniform(-3, 3);
        double dy = test_uniform(-3, 3), r = test_uniform(0, 7), q = test_uniform(0, 7);
        cl_placed a = cl_place(pool[k][test_int(0, POOL - 1)], x, y, r);
        cl_placed b = cl_place(pool[l][test_int(0, POOL - 1)], x + dx * size, y + dy * size, q);
        check_pair(&a, &b, kinds);
      }
    }
  printf("%ld of %ld not by the deepest pair's shortest way\n", detours, pairs);
}

// The nearest way out leads out, and no shorter one does.
static void exits(void) {
  for (long i = test_rounds(3000); i > 0; i--) {
    int k = test_int(0, KINDS - 1), l = test_int(0, KINDS - 1);
    double dx = test_uniform(-150, 150), dy = test_uniform(-150, 150), r = test_uniform(0, 7);
    cl_placed a = cl_place(pool[k][test_int(0, POOL - 1)], dx, dy, r);
    cl_placed b = cl_place(pool[l][test_int(0, POOL - 1)], 0, 0, test_uniform(0, 7));
    cl_hit h = {0, 0, -1};
    double depth;
    if (!by_parts(&a, &b, false, &depth)) continue;
    CHECK(cl_overlap(&a, &b, false, &h));
    CHECK_MSG(h.depth >= depth - 1e-6, "%g of %g", h.depth, depth);
    cl_placed out = a; // it may lead into the corner of a notch: to touch is enough
    out.x += h.nx * h.depth, out.y += h.ny * h.depth;
    CHECK_MSG(!by_parts(&out, &b, false, &depth) || depth < 1e-6, "%s, %s: %g leads nowhere",
              kind_names[k], kind_names[l], h.depth);
    for (int j = 0; j < 64; j++) {
      double angle = test_uniform(0, 6.2832), f = h.depth * test_uniform(0.9, 0.999) - 1e-6;
      if (f <= 0) break;
      CHECK_MSG(overlaps_moved(&a, &b, f * cos(angle), f * sin(angle)), "%s, %s: %g, but %g does",
                kind_names[k], kind_names[l], h.depth, f);
    }
  }
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < POOL; i++) cl_shape_release(pool[k][i]);
}

// ---- hard cases

static cl_shape *polygon(const double *xy, uint32_t n) {
  cl_fault fault;
  cl_shape *s = NULL;
  CHECK(cl_shape_polygon(&alloc, xy, n, &fault, &s) == CL_OK);
  return s;
}

static cl_shape *chain(const double *xy, uint32_t n, bool closed) {
  cl_fault fault;
  cl_shape *s = NULL;
  CHECK(cl_shape_chain(&alloc, xy, n, closed, &fault, &s) == CL_OK);
  return s;
}

static bool overlap(const cl_shape *s, double ax, double ay, const cl_shape *t, double bx,
                    double by, bool touching, cl_hit *h) {
  cl_placed a = cl_place(s, ax, ay, 0), b = cl_place(t, bx, by, 0);
  *h = (cl_hit){0, 0, -1};
  return cl_overlap(&a, &b, touching, h);
}

// A floor with a pit, cut into several parts: a box that sinks into its flat top is always pushed
// up. (y grows downwards.)
static void box_in_floor(void) {
  static const double xy[] = {0, 0, 40, 0, 45, 10, 55, 10, 60, 0, 100, 0, 100, 30, 0, 30};
  cl_shape *floor = polygon(xy, 8), *box;
  cl_hit h;
  CHECK(floor->part_count > 1);
  cl_shape_rectangle(&alloc, 0, 0, 8, 8, &box);
  for (int i = 0; i < 400; i++) {
    double x = i * 0.25, depth = 0.5 + (i % 7) * 0.5;
    if (x > 31 && x < 61) continue; // over the pit
    if (x < depth + 1 || x > 91 - depth) continue;
    CHECK(overlap(box, x, depth - 8, floor, 0, 0, false, &h));
    CHECK_MSG(h.nx == 0 && h.ny == -1 && fabs(h.depth - depth) < 1e-12,
              "at %g, %g deep: (%g, %g) %g", x, depth, h.nx, h.ny, h.depth);
  }
  for (int i = 0; i < 10; i++) { // on the pit's bottom
    CHECK(overlap(box, 46 + i * 0.1, 3, floor, 0, 0, false, &h));
    CHECK_MSG(h.nx == 0 && h.ny == -1 && fabs(h.depth - 1) < 1e-12, "pit: (%g, %g) %g", h.nx, h.ny,
              h.depth);
  }
  cl_shape_release(floor);
  cl_shape_release(box);
}

// A ball and a box that slide over the joints of collinear segments, or over the seams of boxes in
// a row, get no sideways normal.
static void sliding(void) {
  static const double xy[] = {0, 0, 10, 0, 20, 0, 30, 0, 40, 0};
  cl_shape *floors[2], *movers[2], *boxes[4];
  cl_hit h;
  floors[0] = chain(xy, 5, false);
  for (int i = 0; i < 4; i++) cl_shape_rectangle(&alloc, i * 10, 0, 10, 10, &boxes[i]);
  cl_shape_compound(&alloc, boxes, 4, &floors[1]);
  cl_shape_circle(&alloc, 0, -2.5, 3, &movers[0]);
  cl_shape_rectangle(&alloc, -3, -5.5, 6, 6, &movers[1]);
  for (int f = 0; f < 2; f++)
    for (int m = 0; m < 2; m++)
      for (double x = 5; x <= 35; x += 0.0625) {
        CHECK(overlap(movers[m], x, 0, floors[f], 0, 0, false, &h));
        CHECK_MSG(h.nx == 0 && h.ny == -1 && fabs(h.depth - 0.5) < 1e-12,
                  "floor %d, mover %d at %g: (%g, %g) %g", f, m, x, h.nx, h.ny, h.depth);
      }
  for (int i = 0; i < 4; i++) cl_shape_release(boxes[i]);
  for (int i = 0; i < 2; i++) cl_shape_release(floors[i]), cl_shape_release(movers[i]);
}

// At a bend of a chain a ball outside is pushed along the cone between the two normals, inside
// along one of them.
static void bends(void) {
  static const double xy[] = {-10, 10, 0, 0, 10, 10};
  cl_shape *roof = chain(xy, 3, false), *ball;
  cl_hit h;
  cl_shape_circle(&alloc, 0, 0, 2, &ball);
  CHECK(overlap(ball, 0, -1, roof, 0, 0, false, &h));
  CHECK(h.nx == 0 && h.ny == -1 && h.depth == 1);
  CHECK(overlap(ball, 0.5, -1.5, roof, 0, 0, false, &h));
  CHECK(h.nx > 0.3 && h.ny < -0.9);
  CHECK(overlap(ball, 1, 2.5, roof, 0, 0, false, &h)); // inside, nearer to the right slope
  CHECK_MSG(fabs(h.nx + sqrt(0.5)) < 1e-12 && fabs(h.ny - sqrt(0.5)) < 1e-12, "(%g, %g)", h.nx,
            h.ny);
  cl_shape_release(roof);
  cl_shape_release(ball);
}

// A shape on a cut is inside, although it only touches each of the parts.
static void along_cuts(void) {
  static const double notch[] = {0, 0, 5, 5, 10, 0, 10, 10, 0, 10};
  cl_shape *vee = polygon(notch, 5), *boxes[2], *both, *s;
  cl_hit h;
  CHECK(vee->part_count == 2);
  uint32_t k = 0; // the cut is the one inner edge of the first part
  while (!vee->inner[k]) k++;
  uint32_t n = (k + 1) % vee->parts[0].count;
  double x = vee->vx[k], y = vee->vy[k], u = vee->vx[n], v = vee->vy[n];
  cl_shape_segment(&alloc, x + (u - x) / 4, y + (v - y) / 4, x + (u - x) / 2, y + (v - y) / 2, &s);
  CHECK(overlap(s, 0, 0, vee, 0, 0, false, &h));
  CHECK_MSG(h.depth > 0.5, "depth %g", h.depth);
  CHECK(!overlaps_moved(&(cl_placed){s, 0, 0, {1, 0}}, &(cl_placed){vee, 0, 0, {1, 0}},
                        h.nx * h.depth * 1.000001, h.ny * h.depth * 1.000001));
  cl_shape_release(s);
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &boxes[0]);
  cl_shape_rectangle(&alloc, 10, 0, 10, 10, &boxes[1]);
  cl_shape_compound(&alloc, boxes, 2, &both);
  cl_shape_segment(&alloc, 10, 2, 10, 4, &s);
  CHECK(overlap(s, 0, 0, both, 0, 0, false, &h)); // along the seam
  CHECK(h.ny == -1 && fabs(h.depth - 4) < 1e-9);
  CHECK(!overlap(s, 10, 0, both, 0, 0, false, &h)); // along the outer edge
  CHECK(overlap(s, 10, 0, both, 0, 0, true, &h) && h.depth == 0 && h.nx == 1);
  cl_shape_release(s);
  for (int i = 0; i < 2; i++) cl_shape_release(boxes[i]);
  cl_shape_release(both);
  cl_shape_release(vee);
}

// Two chains that cross exactly at a joint overlap; chains that only meet there do not.
static void at_joints(void) {
  static const double flat[] = {-5, 0, 0, 0, 5, 0}, peak[] = {-5, 5, 0, 0, 5, 5};
  static const double down[] = {-5, -5, 0, 0, 5, 5};
  cl_shape *level = chain(flat, 3, false), *vee = chain(peak, 3, false);
  cl_shape *slope = chain(down, 3, false);
  cl_hit h;
  CHECK(overlap(slope, 0, 0, level, 0, 0, false, &h) && h.depth > 0);
  CHECK(overlap(level, 0, 0, slope, 0, 0, false, &h));
  CHECK(!overlap(vee, 0, 0, level, 0, 0, false, &h));
  CHECK(overlap(vee, 0, 0, level, 0, 0, true, &h) && h.depth == 0);
  CHECK(overlap(slope, 2.5, 0, level, 0, 0, false, &h)); // its joint on a segment's middle
  CHECK(!overlap(level, 0, 0, level, 2, 0, false, &h));  // in one line
  cl_shape_release(level);
  cl_shape_release(vee);
  cl_shape_release(slope);
}

// A square that is cut into upright strips, with or without a notch of one unit.
static cl_shape *strips(int count, int notch) {
  cl_shape *boxes[4], *s = NULL;
  for (int i = 0; i < count; i++) {
    double w = 12.0 / count, low = i == notch % count && notch > 0 && i > 0 ? 1 : 0;
    CHECK(cl_shape_rectangle(&alloc, i * w, low, w, 12 - low, &boxes[i]) == CL_OK);
  }
  CHECK(cl_shape_compound(&alloc, boxes, (uint32_t)count, &s) == CL_OK);
  for (int i = 0; i < count; i++) cl_shape_release(boxes[i]);
  return s;
}

// Tiles of the same size: cells of 12 / count, some of them empty, but not the corners.
static cl_shape *square_tiles(int count) {
  cl_grid *grid;
  cl_shape *s = NULL;
  const int64_t size[3] = {count, count, 1};
  if (cl_grid_new(&alloc, 2, size, (double[]){12.0 / count, 12.0 / count}, (double[3]){0, 0, 0},
                  &grid) != CL_OK)
    abort();
  for (int i = 0; i < count * count; i++) grid->bytes[i] = (uint8_t)test_int(0, 2);
  grid->bytes[0] = grid->bytes[count * count - 1] = 1;
  CHECK(cl_shape_tiles(&alloc, grid, NULL, 0, &s) == CL_OK);
  cl_grid_release(grid);
  return s;
}

// If two shapes at one place have the same bounds, their parts decide which comes first: swapping
// them reverses the vector, whatever it is.
static void at_one_place(void) {
  for (long i = test_rounds(500); i > 0; i--) {
    bool maps = test_int(0, 2) == 0;
    int n = test_int(1, 4), m = test_int(1, 4);
    cl_shape *s = maps ? square_tiles(n) : strips(n, test_int(0, 4));
    cl_shape *t = maps ? square_tiles(m) : strips(m, test_int(0, 4));
    double x = test_uniform(-9, 9), angle = maps ? 0 : test_uniform(-3, 3);
    cl_placed a = cl_place(s, x, 5, angle), b = cl_place(t, x, 5, angle);
    cl_hit h = {0, 0, -1}, back = h;
    bool hit = cl_overlap(&a, &b, test_int(0, 1), &h);
    CHECK(hit && cl_overlap(&b, &a, false, &back));
    bool same = h.nx == back.nx && h.ny == back.ny && h.depth == back.depth;
    bool reversed = h.nx == -back.nx && h.ny == -back.ny && h.depth == back.depth;
    CHECK_MSG(n == m ? same || reversed : reversed, "%d and %d: %g, %g %g, swapped %g, %g %g", n, m,
              h.nx, h.ny, h.depth, back.nx, back.ny, back.depth);
    cl_gap gap = cl_distance(&a, &b), turned = cl_distance(&b, &a);
    CHECK(gap.distance == 0 && turned.distance == 0);
    cl_shape_release(s);
    cl_shape_release(t);
  }
}

// A box in the middle of a slab of two halves leaves it in the same direction wherever the two are:
// of ways that are equally long except for rounding, the same one is chosen.
static void in_the_middle(void) {
  for (int axis = 0; axis < 2; axis++) {
    cl_shape *half[2], *slab, *box;
    cl_vec first = {0};
    for (int i = 0; i < 2; i++) {
      double at = 2 * (i - 1);
      REQUIRE(axis == 0 ? cl_shape_rectangle(&alloc, 0, at, 0.6, 2, &half[i]) == CL_OK
                        : cl_shape_rectangle(&alloc, at, 0, 2, 0.6, &half[i]) == CL_OK);
    }
    REQUIRE(cl_shape_compound(&alloc, half, 2, &slab) == CL_OK);
    REQUIRE(cl_shape_rectangle(&alloc, -0.2, -0.2, 0.4, 0.4, &box) == CL_OK);
    for (int i = 0; i < 200; i++) {
      double far = i == 0 ? 0 : 10000 + i / 10.0, x = far + 0.3, y = i % 2 ? 0.3 : -0.3;
      cl_placed a = axis == 0 ? cl_place(box, x, y, 0) : cl_place(box, y, x, 0);
      cl_placed b = axis == 0 ? cl_place(slab, far, 0, 0) : cl_place(slab, 0, far, 0);
      cl_hit h;
      CHECK(cl_overlap(&a, &b, false, &h) && fabs(h.depth - 0.5) < 1e-9);
      if (i == 0) first = (cl_vec){h.nx, h.ny};
      CHECK_MSG(h.nx == first.x && h.ny == first.y, "%g, %g at %g", h.nx, h.ny, far);
    }
    for (int i = 0; i < 2; i++) cl_shape_release(half[i]);
    cl_shape_release(slab);
    cl_shape_release(box);
  }
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(random_pairs);
  RUN(exits);
  RUN(box_in_floor);
  RUN(sliding);
  RUN(bends);
  RUN(along_cuts);
  RUN(at_joints);
  RUN(at_one_place);
  RUN(in_the_middle);
  return test_end();
}
