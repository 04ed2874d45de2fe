// collide, MIT licence (see LICENSE)
//
// Shapes of every kind: which are refused, their bounds, area, points, parts, transforms,
// containment, the detection of damage, and allocators that fail.

#include "random_shapes.h"

#include "cells/grid.h"
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
  CHECK(cl_shape_rectangle(&alloc, 1e12, 0, 1e-5, 1, &s) == CL_INVALID);
  CHECK(cl_shape_rectangle(&alloc, 0, 1e12, 1, 1e-5, &s) == CL_INVALID);
  CHECK(cl_shape_capsule(&alloc, 1.1e12, 0, 1, 1, 1, &s) == CL_INVALID);
  CHECK(cl_shape_segment(&alloc, 1.1e12, 0, 1, 1, &s) == CL_INVALID);
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

static void refused_members(void) {
  cl_shape *plain, *upright, *s = NULL, *inner;
  REQUIRE(cl_shape_rectangle(&alloc, 0, 0, 2, 2, &plain) == CL_OK);
  REQUIRE(cl_shape_upright(plain, &upright) == CL_OK);
  cl_shape *const mixed[2][2] = {{plain, upright}, {upright, plain}};
  CHECK(cl_shape_compound(&alloc, mixed[0], 2, &s) == CL_INVALID);
  CHECK(cl_shape_compound(&alloc, mixed[1], 2, &s) == CL_INVALID && s == NULL);
  inner = cl_shape_retain(plain);
  for (int level = 0; level < CL_SHAPE_LEVELS; level++) {
    REQUIRE(cl_shape_compound(&alloc, &inner, 1, &s) == CL_OK);
    cl_shape_release(inner);
    inner = s;
  }
  CHECK(cl_shape_compound(&alloc, &inner, 1, &s) == CL_INVALID);
  cl_shape_release(inner);
  cl_shape_release(plain);
  cl_shape_release(upright);
}

// The members of shapes of one kind, by number or by name.
static void members_like_others(void) {
  cl_shape *one, *part[3], *named, *other, *plain, *chain;
  cl_fault fault;
  const double xy[] = {0, 0, 1, 0, 1, 1};
  REQUIRE(cl_shape_rectangle(&alloc, 0, 0, 2, 2, &one) == CL_OK);
  REQUIRE(cl_shape_chain(&alloc, xy, 3, false, &fault, &chain) == CL_OK);
  for (int i = 0; i < 3; i++) part[i] = one;
  const cl_name abc[] = {{"a", 1}, {"ab", 2}, {"c", 1}}, bc[] = {{"ab", 2}, {"c", 1}};
  REQUIRE(cl_shape_compound_named(&alloc, part, abc, 3, &named) == CL_OK);
  REQUIRE(cl_shape_compound_named(&alloc, part, bc, 2, &other) == CL_OK);
  REQUIRE(cl_shape_compound(&alloc, part, 2, &plain) == CL_OK);
  const struct {
    const cl_shape *shape, *other;
    uint32_t member, like;
  } cases[] = {
      {named, other, 0, 0}, {named, other, 1, 2}, {named, other, 2, 3}, {other, named, 1, 0},
      {other, named, 2, 1}, {other, named, 3, 2}, {named, plain, 1, 0}, {plain, named, 1, 0},
      {plain, plain, 2, 2}, {plain, plain, 3, 0}, {chain, chain, 2, 2}, {chain, chain, 3, 0},
      {chain, plain, 1, 0}, {one, one, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t like = cl_shape_member_like(cases[i].shape, cases[i].other, cases[i].member);
    CHECK_MSG(like == cases[i].like, "case %zu: %u", i, like);
  }
  CHECK(cl_shape_member_count(one) == 0 && cl_shape_member_count(chain) == 2);
  CHECK(cl_shape_member_name(named, 0).bytes == NULL && cl_shape_member_name(named, 4).length == 0);
  CHECK(cl_name_compare(cl_shape_member_name(named, 2), abc[1]) == 0);
  cl_shape *all[] = {one, named, other, plain, chain};
  for (int i = 0; i < 5; i++) cl_shape_release(all[i]);
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

static void tiles_out_of_memory(void) {
  failing f = {0, 0};
  cl_alloc poor = {resize_failing, &f};
  const int64_t size[] = {2, 2};
  const double cell[] = {1, 1}, origin[] = {0, 0}, slope[] = {0, 0, 1, 1, 0, 1};
  cl_grid *grid;
  cl_shape *half;
  cl_fault fault;
  REQUIRE(cl_grid_new(&alloc, 2, size, cell, origin, &grid) == CL_OK);
  REQUIRE(cl_shape_polygon(&alloc, slope, 3, &fault, &half) == CL_OK);
  const cl_tile_look looks[] = {{.value = 1, .shape = half},
                                {.value = 2, .flags = CL_TILE_FULL_SQUARE | CL_TILE_SENSOR}};
  cl_status status = CL_NOMEM;
  for (long left = 0; status != CL_OK; left++) {
    cl_shape *s = NULL;
    f.left = left;
    status = cl_shape_tiles(&poor, grid, looks, 2, &s);
    REQUIRE(status == (left < 3 ? CL_NOMEM : CL_OK)); // the looks, the shape and its views
    CHECK((s != NULL) == (status == CL_OK) && grid->references == 1 + (s != NULL));
    if (s) cl_shape_release(s);
    CHECK_MSG(f.live == 0, "%ld blocks lost", f.live);
  }
  CHECK(grid->references == 1);
  cl_shape_release(half);
  cl_grid_release(grid);
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

#define SHAPE_BREAKS(s, what, broken) BREAKS(cl_shape_is_valid(s), what, broken)

static void faults_of_parts_are_found(void) {
  cl_shape *six, *circle, *segment;
  cl_fault fault;
  const double xy[] = {2, 0, 4, 0, 6, 3, 4, 6, 2, 6, 0, 3};
  REQUIRE(cl_shape_polygon(&alloc, xy, 6, &fault, &six) == CL_OK && six->part_count == 1);
  REQUIRE(cl_shape_circle(&alloc, 1, 2, 3, &circle) == CL_OK);
  REQUIRE(cl_shape_segment(&alloc, 0, 0, 3, 4, &segment) == CL_OK);
  cl_part *part = six->parts;
  SHAPE_BREAKS(six, six->references, 0);
  SHAPE_BREAKS(six, six->bounds.b, six->bounds.t - 1);
  SHAPE_BREAKS(six, six->part_count, 0);
  SHAPE_BREAKS(six, part->count, 0);
  SHAPE_BREAKS(six, part->radius, -1);
  SHAPE_BREAKS(six, part->flags, CL_PART_BOX);
  SHAPE_BREAKS(six, part->reach, 1);
  SHAPE_BREAKS(six, six->vx[6], six->vx[6] + 1); // the padding
  SHAPE_BREAKS(six, six->vy[7], six->vy[7] + 1);
  SHAPE_BREAKS(six, six->line[1], six->line[1] + 1);
  for (int k = 0; k < 6; k++) {
    cl_vec n = {six->nx[k], six->ny[k]};
    SHAPE_BREAKS(six, six->nx[k], n.x + 1e-3); // too long
    const cl_vec wrong[] = {{-n.x, -n.y}, {n.y, -n.x}};
    for (int i = 0; i < 2; i++) {
      six->nx[k] = wrong[i].x, six->ny[k] = wrong[i].y;
      CHECK(!cl_shape_is_valid(six));
      six->nx[k] = n.x, six->ny[k] = n.y;
    }
  }
  SHAPE_BREAKS(circle, circle->flags, 0);
  SHAPE_BREAKS(segment, segment->flags, 0);
  cl_shape_release(six);
  cl_shape_release(circle);
  cl_shape_release(segment);
}

// A part with these corners and correct normals.
static bool can_be_part(const cl_vec *corner, uint32_t count) {
  cl_build_size size = {.parts = 1, .vertices = cl_build_padded(count)};
  cl_build build = cl_build_new(&alloc, CL_POLYGON, 0, size);
  CHECK(build.shape);
  cl_build_part(&build, corner, count, 0, NULL);
  bool valid = cl_part_is_valid(build.shape, build.shape->parts);
  cl_shape_release(build.shape);
  return valid;
}

static void parts_are_convex(void) {
  const cl_vec square[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}},
               dent[] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
  const cl_vec backward[] = {{0, 0}, {0, 4}, {4, 4}, {4, 0}};
  const cl_vec twice[] = {{4, 4}, {4, 4}, {0, 4}, {0, 0}, {4, 0}};
  const cl_vec star[] = {{0, 0}, {4, 3}, {-1, 3}, {3, 0}, {1, 5}}; // turns left all the way
  CHECK(can_be_part(square, 4) && can_be_part(twice, 5));
  CHECK(!can_be_part(dent, 4) && !can_be_part(backward, 4) && !can_be_part(star, 5));
}

static void faults_of_trees_are_found(void) {
  cl_shape *s;
  cl_fault fault;
  double xy[2 * 12];
  for (int i = 0; i < 12; i++) xy[2 * i] = i, xy[2 * i + 1] = i % 2;
  REQUIRE(cl_shape_chain(&alloc, xy, 12, false, &fault, &s) == CL_OK);
  REQUIRE(s->part_count == 11 && s->nodes[0].count == 0);
  uint32_t nodes = s->nodes[0].skip, leaves = 0;
  for (uint32_t i = 0; i < nodes; i++) {
    cl_part_node *n = &s->nodes[i];
    for (uint32_t k = 0; k <= nodes + 1; k++) {
      if (k != n->skip) SHAPE_BREAKS(s, n->skip, k);
    }
    SHAPE_BREAKS(s, n->bounds.r, n->bounds.r - 0.5);
    if (n->count == 0) continue;
    SHAPE_BREAKS(s, n->first, n->first + 1);
    SHAPE_BREAKS(s, n->count, n->count + 1);
    SHAPE_BREAKS(s, n->count, n->count - 1);
    leaves++;
  }
  CHECK(leaves > 2 && nodes == 2 * leaves - 1);
  for (uint32_t i = 0; i < 11; i++) {
    SHAPE_BREAKS(s, s->order[i], 11);
    SHAPE_BREAKS(s, s->order[i], s->order[(i + 1) % 11]);
  }
  cl_shape_release(s);
}

static void faults_of_members_are_found(void) {
  cl_shape *member[2], *s;
  REQUIRE(cl_shape_rectangle(&alloc, 0, 0, 4, 2, &member[0]) == CL_OK);
  REQUIRE(cl_shape_circle(&alloc, 3, 3, 1, &member[1]) == CL_OK);
  const cl_name name[] = {{"", 0}, {"b", 1}};
  REQUIRE(cl_shape_compound_named(&alloc, member, name, 2, &s) == CL_OK);
  SHAPE_BREAKS(s, member[0]->references, 0);
  SHAPE_BREAKS(s, member[1]->kind, CL_TILES);
  SHAPE_BREAKS(s, member[1]->flags, member[1]->flags ^ CL_SHAPE_UPRIGHT);
  SHAPE_BREAKS(s, s->levels, 0);
  SHAPE_BREAKS(s, s->ends[0], 2);
  SHAPE_BREAKS(s, s->ends[1], 1);
  SHAPE_BREAKS(s, s->names[1], s->names[0]);
  SHAPE_BREAKS(s, s->kind, CL_CHAIN);
  for (int i = 0; i < 2; i++) cl_shape_release(member[i]);
  cl_shape_release(s);
}

static void faults_of_tiles_are_found(void) {
  const int64_t size[] = {2, 2};
  const double cell[] = {1, 1}, origin[] = {0, 0}, slope[] = {0, 0, 1, 1, 0, 1};
  cl_grid *grid;
  cl_shape *half, *s;
  cl_fault fault;
  REQUIRE(cl_grid_new(&alloc, 2, size, cell, origin, &grid) == CL_OK);
  REQUIRE(cl_shape_polygon(&alloc, slope, 3, &fault, &half) == CL_OK);
  const cl_tile_look look = {.value = 1, .shape = half};
  REQUIRE(cl_shape_tiles(&alloc, grid, &look, 1, &s) == CL_OK);
  SHAPE_BREAKS(s, s->part_count, 1);
  SHAPE_BREAKS(s, s->grid, NULL);
  SHAPE_BREAKS(s, grid->references, 0);
  SHAPE_BREAKS(s, s->cell.x, 0);
  SHAPE_BREAKS(s, s->cell.y, 0);
  SHAPE_BREAKS(s, s->flags, 0);
  SHAPE_BREAKS(s, s->set->references, 0);
  cl_shape_release(half);
  cl_shape_release(s);
  cl_grid_release(grid);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(refused);
  RUN(refused_members);
  RUN(members_like_others);
  RUN(plain_figures);
  RUN(tiles);
  RUN(shapes_of_tiles);
  RUN(damaged);
  RUN(faults_of_parts_are_found);
  RUN(parts_are_convex);
  RUN(faults_of_trees_are_found);
  RUN(faults_of_members_are_found);
  RUN(faults_of_tiles_are_found);
  RUN(transforms);
  RUN(centered_rectangle);
  RUN(bounds);
  RUN(gaps);
  RUN(parts);
  RUN(contains);
  RUN(out_of_memory);
  RUN(tiles_out_of_memory);
  RUN(temporary);
  return test_end();
}
