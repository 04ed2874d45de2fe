// collide, MIT licence (see LICENSE)
//
// Shapes of every kind: which are refused, their bounds, area, points, parts, transforms,
// containment, the detection of damage, and allocators that fail.

#include "random_shapes.h"

#include "geom/box.h"
#include "geom/shape.h"

static cl_alloc alloc;

static void refused(void) {
  cl_shape *s = NULL;
  const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e12, -1.1e12};
  for (int i = 0; i < 5; i++) {
    double b = bad[i];
    CHECK(cl_shape_rectangle(&alloc, b, 0, 1, 1, &s) == CL_INVALID);
    CHECK(cl_shape_rectangle(&alloc, 0, b, 1, 1, &s) == CL_INVALID);
    CHECK(cl_shape_rectangle(&alloc, 0, 0, b, 1, &s) == CL_INVALID);
    CHECK(cl_shape_rectangle(&alloc, 0, 0, 1, b, &s) == CL_INVALID);
    CHECK(cl_shape_circle(&alloc, b, 0, 1, &s) == CL_INVALID);
    CHECK(cl_shape_circle(&alloc, 0, 0, b, &s) == CL_INVALID);
    CHECK(cl_shape_capsule(&alloc, 0, 0, b, 1, 1, &s) == CL_INVALID);
    CHECK(cl_shape_segment(&alloc, 0, 0, 1, b, &s) == CL_INVALID);
  }
  CHECK(cl_shape_rectangle(&alloc, 0, 0, 0, 1, &s) == CL_INVALID);
  CHECK(cl_shape_rectangle(&alloc, 0, 0, 1, -1, &s) == CL_INVALID);
  CHECK(cl_shape_circle(&alloc, 0, 0, 0, &s) == CL_INVALID);
  CHECK(cl_shape_capsule(&alloc, 0, 0, 1, 1, 0, &s) == CL_INVALID);
  CHECK(cl_shape_segment(&alloc, 2, 3, 2, 3, &s) == CL_INVALID);
  CHECK(cl_shape_compound(&alloc, NULL, 0, &s) == CL_INVALID);
  cl_fault fault;
  const double xy[] = {1, 1, 1, 1, 2, 2};
  CHECK(cl_shape_chain(&alloc, xy, 1, false, &fault, &s) == CL_INVALID);
  CHECK(cl_shape_chain(&alloc, xy, 2, false, &fault, &s) == CL_INVALID);
  CHECK(cl_shape_chain(&alloc, xy, 3, true, &fault, &s) == CL_INVALID);
  CHECK(fault.kind == CL_FAULT_FEW && s == NULL);
}

static void tiles(void) {
  cl_grid *flat, *deep;
  cl_shape *s = NULL;
  REQUIRE(cl_grid_new(&alloc, 2, (int64_t[]){3, 2}, (double[]){5, 5}, (double[]){0, 0}, &flat) ==
          CL_OK);
  REQUIRE(cl_grid_new(&alloc, 3, (int64_t[]){3, 2, 2}, (double[]){5, 5, 5}, (double[]){0, 0, 0},
                      &deep) == CL_OK);
  CHECK(cl_shape_tiles(&alloc, deep, NULL, 0, &s) == CL_INVALID && !s);
  REQUIRE(cl_shape_tiles(&alloc, flat, NULL, 0, &s) == CL_OK);
  cl_grid_set(flat, (int64_t[]){1, 1, 0}, 1);
  CHECK(cl_shape_is_valid(s) && cl_shape_kind_of(s) == CL_TILES && cl_shape_area(s) == 25);
  s->flags &= ~(uint32_t)CL_SHAPE_UPRIGHT;
  CHECK(!cl_shape_is_valid(s));
  s->flags |= CL_SHAPE_UPRIGHT;
  cl_shape_release(s);
  cl_grid_release(flat);
  cl_grid_release(deep);
}

// The shape of a value of cells must be one convex part with an area and few corners, in the cell.
static void shapes_of_tiles(void) {
  const double notched[] = {0, 0, 1, 0, 0.5, 0.5, 1, 1, 0, 1};
  double many[2 * (CL_TILE_CORNERS + 1)];
  cl_grid *grid;
  cl_fault fault;
  cl_shape *look[6], *tiles = NULL;
  REQUIRE(cl_grid_new(&alloc, 2, (int64_t[]){3, 2}, (double[]){5, 5}, (double[]){0, 0}, &grid) ==
          CL_OK);
  for (int i = 0; i <= CL_TILE_CORNERS; i++) {
    double angle = 6.283185307179586 * i / (CL_TILE_CORNERS + 1);
    many[2 * i] = 0.5 + cos(angle) / 2.1, many[2 * i + 1] = 0.5 + sin(angle) / 2.1;
  }
  CHECK(cl_shape_polygon(&alloc, notched, 5, &fault, &look[0]) == CL_OK);
  CHECK(cl_shape_segment(&alloc, 0, 0, 1, 1, &look[1]) == CL_OK);
  CHECK(cl_shape_polygon(&alloc, many, CL_TILE_CORNERS + 1, &fault, &look[2]) == CL_OK);
  CHECK(cl_shape_rectangle(&alloc, 0.5, 0, 1, 1, &look[3]) == CL_OK);
  CHECK(cl_shape_polygon(&alloc, many, CL_TILE_CORNERS, &fault, &look[4]) == CL_OK);
  CHECK(cl_shape_rectangle(&alloc, 0, 0, 1, 0.5, &look[5]) == CL_OK);
  for (int i = 0; i < 6; i++) {
    const cl_tile_look looks[] = {{.value = 2, .shape = look[i]}, {.value = 3}};
    CHECK((cl_shape_tiles(&alloc, grid, looks, 2, &tiles) == CL_OK) == (i > 3));
    CHECK((tiles != NULL) == (i > 3));
    if (tiles) cl_shape_release(tiles);
    tiles = NULL;
  }
  for (int i = 0; i < 6; i++) cl_shape_release(look[i]);
  cl_grid_release(grid);
}

static void plain_figures(void) {
  cl_shape *s;
  CHECK(cl_shape_rectangle(&alloc, 0.1, 0.2, 0.3, 0.4, &s) == CL_OK);
  CHECK(s->bounds.l == 0.1 && s->bounds.r == 0.1 + 0.3 && s->bounds.b == 0.2 + 0.4);
  CHECK(s->w == 0.3 && s->h == 0.4 && cl_shape_area(s) == 0.3 * 0.4 && cl_shape_radius(s) == 0);
  CHECK(cl_shape_point_count(s) == 4 && cl_shape_point(s, 2).x == 0.1 + 0.3);
  CHECK(cl_shape_part_count(s) == 1);
  cl_shape_release(s);
  CHECK(cl_shape_circle(&alloc, 1, 2, 3, &s) == CL_OK);
  CHECK(s->bounds.l == -2 && s->bounds.b == 5 &&
        fabs(cl_shape_area(s) - 28.274333882308138) < 1e-12);
  CHECK(cl_shape_point_count(s) == 1 && cl_shape_point(s, 0).y == 2 && cl_shape_radius(s) == 3);
  cl_shape_release(s);
  CHECK(cl_shape_capsule(&alloc, 0, 0, 3, 4, 1, &s) == CL_OK);
  CHECK(fabs(cl_shape_area(s) - (10 + 3.141592653589793)) < 1e-12 && s->bounds.l == -1 &&
        s->bounds.r == 4);
  cl_shape_release(s);
  CHECK(cl_shape_capsule(&alloc, 2, 2, 2, 2, 1, &s) == CL_OK); // of no length
  CHECK(cl_shape_point_count(s) == 2 && cl_shape_kind_of(s) == CL_CAPSULE &&
        s->parts[0].count == 1);
  cl_shape_release(s);
  CHECK(cl_shape_segment(&alloc, 0, 0, 3, 4, &s) == CL_OK);
  CHECK(cl_shape_area(s) == 0 && s->nx[0] == 0.8 && s->ny[0] == -0.6 && s->nx[1] == -0.8);
  cl_shape_release(s);
}

// A transformed shape gives the same answers as transformed points.
static void transforms(void) {
  for (long i = test_rounds(4000); i > 0; i--) {
    cl_shape *s = random_shape(&alloc, test_int(0, KINDS - 1), 10), *t = NULL, *u = NULL;
    CHECK(cl_shape_is_valid(s));
    double dx = test_uniform(-9, 9), dy = test_uniform(-9, 9), angle = test_uniform(-7, 7);
    double sx = test_uniform(0.2, 3) * (test_int(0, 1) ? 1 : -1), sy = test_uniform(0.2, 3);
    double x = test_uniform(-20, 20), y = test_uniform(-20, 20);
    cl_placed here = cl_place(s, 0, 0, 0);
    bool in = cl_placed_contains(&here, x, y);
    CHECK(cl_shape_translated(s, dx, dy, &t) == CL_OK && t->kind == s->kind);
    cl_placed there = cl_place(t, 0, 0, 0);
    CHECK(cl_placed_contains(&there, x + dx, y + dy) == in);
    CHECK(fabs(t->bounds.l - s->bounds.l - dx) < 1e-12 && fabs(t->area - s->area) < 1e-9);
    cl_shape_release(t);
    CHECK(cl_shape_rotated(s, angle, &t) == CL_OK && t->part_count == s->part_count);
    there = cl_place(t, 0, 0, 0);
    cl_vec p = cl_rot_apply(cl_rot_of(angle), (cl_vec){x, y});
    CHECK(cl_placed_contains(&there, p.x, p.y) == in && fabs(t->area - s->area) < 1e-9);
    cl_placed turned = cl_place(s, 0, 0, angle); // the same as the actor's angle
    CHECK(cl_placed_contains(&turned, p.x, p.y) == in);
    cl_shape_release(t);
    if (s->flags & CL_SHAPE_ROUND) {
      CHECK(cl_shape_scaled(s, sx, sy, &t) == CL_INVALID);
      sy = fabs(sx);
    }
    CHECK(cl_shape_scaled(s, 0, 1, &t) == CL_INVALID);
    CHECK(cl_shape_scaled(s, sx, sy, &t) == CL_OK);
    there = cl_place(t, 0, 0, 0);
    CHECK(cl_placed_contains(&there, x * sx, y * sy) == in);
    CHECK(fabs(t->area - s->area * fabs(sx * sy)) < 1e-9 * (1 + t->area));
    CHECK(cl_shape_centered(t, &u) == CL_OK);
    CHECK(fabs(u->bounds.l + u->bounds.r) < 1e-12 && fabs(u->bounds.t + u->bounds.b) < 1e-12);
    cl_shape_release(u);
    cl_shape_release(t);
    CHECK(cl_shape_upright(s, &t) == CL_OK && (t->flags & CL_SHAPE_UPRIGHT));
    CHECK(cl_rot_is_none(cl_place(t, 1, 2, 3).rot) && cl_shape_is_valid(t));
    CHECK(cl_shape_scaled(t, 2, 2, &u) == CL_OK && (u->flags & CL_SHAPE_UPRIGHT));
    CHECK(cl_shape_is_valid(u));
    cl_shape_release(u);
    cl_shape_release(t);
    cl_shape_release(s);
  }
}

static void centered_rectangle(void) {
  cl_shape *s, *t;
  cl_shape_rectangle(&alloc, 0, 0, 10, 20, &s);
  CHECK(cl_shape_centered(s, &t) == CL_OK && t->kind == CL_RECTANGLE);
  CHECK(t->bounds.l == -5 && t->bounds.t == -10 && t->bounds.r == 5 && t->bounds.b == 10);
  cl_shape_release(t);
  CHECK(cl_shape_rotated(s, 1, &t) == CL_OK && t->kind == CL_POLYGON);
  cl_shape_release(t);
  CHECK(cl_shape_rotated(s, 0, &t) == CL_OK && t->kind == CL_RECTANGLE);
  cl_shape_release(t);
  CHECK(cl_shape_scaled(s, -1, 0.5, &t) == CL_OK && t->kind == CL_RECTANGLE);
  CHECK(t->bounds.l == -10 && t->bounds.r == 0 && t->bounds.b == 10);
  cl_shape_release(t);
  cl_shape_release(s);
}

// Bounds contain every placed vertex to the bit, and the float box contains the bounds.
static void bounds(void) {
  for (long i = test_rounds(20000); i > 0; i--) {
    cl_shape *s = random_shape(&alloc, test_int(0, KINDS - 1), 10);
    double far = test_int(0, 1) ? 1e6 : 10, x = test_uniform(-far, far),
           y = test_uniform(-far, far);
    cl_placed p = cl_place(s, x, y, test_int(0, 2) ? test_uniform(-9, 9) : 0);
    cl_bounds b;
    b = cl_placed_bounds(&p);
    cl_fbox f = cl_fbox_of(b.l, b.t, b.r, b.b);
    CHECK((double)f.x0 <= b.l && (double)f.y0 <= b.t && (double)f.x1 >= b.r && (double)f.y1 >= b.b);
    CHECK(b.l - (double)f.x0 <= fabs(b.l) * 2.4e-7 && (double)f.x1 - b.r <= fabs(b.r) * 2.4e-7);
    for (uint32_t k = 0; k < s->part_count; k++) {
      const cl_part *part = &s->parts[k];
      for (uint32_t j = 0; j < part->count; j++) {
        cl_vec v = cl_placed_vertex(&p, part->first + j);
        double r = part->radius;
        CHECK(b.l <= v.x - r && b.r >= v.x + r && b.t <= v.y - r && b.b >= v.y + r);
      }
    }
    cl_shape_release(s);
  }
  const double edges[] = {0, -0.0, 1, -1, 0.1, -0.1, 1e-300, -1e-300, 16777217, 1e12, -1e12, 3e-45};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
    double d = edges[i];
    cl_fbox f = cl_fbox_of(d, d, d, d);
    CHECK((double)f.x0 <= d && (double)f.x1 >= d && f.y0 == f.x0 && f.y1 == f.x1);
    bool whole = d == (double)(float)d; // numbers that a float can hold stay exact
    CHECK(!whole || (f.x0 == f.x1 && (double)f.x0 == d));
  }
}

// Whole numbers, whose differences and squares are exact: rounding never makes a gap larger, and
// hardly smaller.
static void gaps(void) {
  for (long i = test_rounds(20000); i > 0; i--) {
    double w = test_int(0, 1 << 20), h = test_int(0, 1 << 20), far = test_int(0, 1) ? 1 << 25 : 9;
    const cl_bounds a = {0, 0, w, h};
    double l = floor(test_uniform(-far, far)), t = floor(test_uniform(-far, far));
    const cl_bounds b = {l, t, l + test_int(0, 9), t + test_int(0, 9)};
    long double x = fmax(0, fmax(b.l - w, -b.r)), y = fmax(0, fmax(b.t - h, -b.b));
    long double gap = sqrtl(x * x + y * y);
    CHECK(cl_bounds_gap(a, b) == cl_bounds_gap(b, a) && (long double)cl_bounds_gap(a, b) <= gap);
    CHECK((long double)cl_bounds_gap(a, b) >= gap * (1 - 1e-15L));
  }
}

static void parts(void) {
  for (long i = test_rounds(2000); i > 0; i--) {
    cl_shape *s = random_shape(&alloc, test_int(0, KINDS - 1), 10), *t;
    double x = test_uniform(-20, 20), y = test_uniform(-20, 20), area = 0;
    cl_placed p = cl_place(s, 0, 0, 0);
    bool in = false;
    for (uint32_t k = 0; k < s->part_count; k++) {
      CHECK(cl_shape_part(s, k, &t) == CL_OK && t->part_count == 1);
      cl_placed q = cl_place(t, 0, 0, 0);
      in = in || cl_placed_contains(&q, x, y);
      area += t->area;
      cl_shape_release(t);
    }
    CHECK(in == cl_placed_contains(&p, x, y));
    CHECK_MSG(fabs(area - s->area) < 1e-9 * (1 + area), "%g and %g", area, s->area);
    CHECK(cl_shape_part(s, s->part_count, &t) == CL_INVALID);
    cl_shape_release(s);
  }
}

static void contains(void) {
  cl_shape *s;
  cl_fault fault;
  cl_shape_rectangle(&alloc, 0, 0, 10, 10, &s);
  cl_placed p = cl_place(s, 0.1, 0, 0);
  CHECK(cl_placed_contains(&p, 0.1, 0) && cl_placed_contains(&p, 10.1, 10));
  CHECK(!cl_placed_contains(&p, nextafter(0.1, 0), 5));
  cl_shape_release(s);
  cl_shape_circle(&alloc, 0, 0, 5, &s);
  p = cl_place(s, 0, 0, 0);
  CHECK(cl_placed_contains(&p, 3, 4) && !cl_placed_contains(&p, 3, nextafter(4, 5)));
  cl_shape_release(s);
  const double tri[] = {0, 0, 9, 3, 0, 6};
  cl_shape_polygon(&alloc, tri, 3, &fault, &s);
  p = cl_place(s, 0, 0, 0);
  CHECK(cl_placed_contains(&p, 3, 1) && cl_placed_contains(&p, 0, 0)); // an edge, a corner
  CHECK(!cl_placed_contains(&p, 3, nextafter(1, 0)) && !cl_placed_contains(&p, -1e-300, 3));
  cl_shape_release(s);
  cl_shape_chain(&alloc, tri, 3, false, &fault, &s);
  p = cl_place(s, 0, 0, 0);
  CHECK(cl_placed_contains(&p, 3, 1) && !cl_placed_contains(&p, 1, 3));
  CHECK(!cl_placed_contains(&p, 0, 3));
  cl_shape_release(s);
}

// ---- an allocator that fails and counts

typedef struct failing {
  long left, live;
} failing;

static void *resize_failing(void *user, void *p, size_t old, size_t size) {
  failing *f = user;
  (void)old;
  if (size == 0) {
    f->live -= p != NULL;
    free(p);
    return NULL;
  }
  if (f->left-- <= 0) return NULL;
  f->live += p == NULL;
  return realloc(p, size);
}

static void out_of_memory(void) {
  failing f = {0, 0};
  cl_alloc poor = {resize_failing, &f};
  const double xy[] = {0, 0, 10, 0, 10, 10, 5, 5, 0, 10};
  for (long left = 0; left < 30; left++) {
    cl_shape *s[6] = {NULL}, *t = NULL;
    cl_fault fault;
    f.left = left;
    cl_shape_rectangle(&poor, 0, 0, 1, 1, &s[0]);
    cl_shape_polygon(&poor, xy, 5, &fault, &s[1]);
    cl_shape_chain(&poor, xy, 5, true, &fault, &s[2]);
    if (s[0] && s[1] && s[2] && cl_shape_compound(&poor, s, 3, &s[3]) == CL_OK) {
      cl_shape_rotated(s[3], 1, &s[4]);
      cl_shape_part(s[3], 1, &s[5]);
    }
    CHECK(left < 25 || (s[4] && s[5]));
    if (s[1] && cl_shape_scaled(s[1], 2, 2, &t) == CL_OK) cl_shape_release(t);
    for (int i = 0; i < 6; i++)
      if (s[i]) cl_shape_release(s[i]);
    CHECK_MSG(f.live == 0, "%ld blocks lost", f.live);
  }
}

static void temporary(void) {
  cl_stack_shape t;
  cl_stack_circle(&t, 0);
  cl_placed p = cl_place(&t.shape, 3, 4, 0);
  CHECK(cl_placed_contains(&p, 3, 4) && !cl_placed_contains(&p, 3, 4.1));
  cl_stack_segment(&t, 0, 0, 2, 2);
  CHECK(cl_placed_contains(&(cl_placed){&t.shape, 0, 0, {1, 0}}, 1, 1));
}

// The result of cl_shape_is_valid for a shape with one number changed.
static bool valid_with(const cl_shape *s, const double *where, double value) {
  double *at = (double *)(uintptr_t)where, old = *at;
  *at = value;
  bool valid = cl_shape_is_valid(s);
  *at = old;
  return valid;
}

static void damaged(void) {
  for (int round = 0; round < 2000; round++) {
    cl_shape *s = round % 2 ? random_shape(&alloc, 7, 10) : random_polygon(&alloc, 40, 10, 0.8);
    uint32_t p = (uint32_t)test_int(0, (int)s->part_count - 1);
    const cl_part *part = &s->parts[p];
    double far = s->bounds.r + 1;
    CHECK(cl_shape_is_valid(s));
    CHECK(!valid_with(s, &s->vx[part->first], far));
    CHECK(!valid_with(s, &s->parts[p].bounds.r, far));
    CHECK(!valid_with(s, &s->bounds.l, s->bounds.l + 1e-3));
    CHECK(!valid_with(s, &s->reach, s->reach * 0.9));
    CHECK(!valid_with(s, &s->bounds.b, s->bounds.t - 1) && !valid_with(s, &s->bounds.l, NAN));
    CHECK(part->count < 2 || !valid_with(s, &s->nx[part->first], s->nx[part->first] + 0.01));
    if (s->part_count > CL_FEW_PARTS) {
      uint32_t *order = (uint32_t *)(uintptr_t)s->order, old = order[0];
      order[0] = order[1];
      CHECK(!cl_shape_is_valid(s));
      order[0] = old;
      CHECK(!valid_with(s, &s->nodes[0].bounds.t, s->bounds.b + 1));
    }
    cl_shape_release(s);
  }
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(refused);
  RUN(plain_figures);
  RUN(tiles);
  RUN(shapes_of_tiles);
  RUN(damaged);
  RUN(transforms);
  RUN(centered_rectangle);
  RUN(bounds);
  RUN(gaps);
  RUN(parts);
  RUN(contains);
  RUN(out_of_memory);
  RUN(temporary);
  return test_end();
}
