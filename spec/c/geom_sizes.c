// collide, MIT licence (see LICENSE)
//
// Shapes with sizes beyond 32 bits, made of few bytes by sharing members: they are refused, and
// nothing is written past a block. Also tiles, which have no parts.

#include "test.h"

#include "cells/grid.h"
#include "geom/tiles.h"

enum { SIDE = 1 << 16 };
#define MOST_BYTES ((size_t)1 << 30)

// Grants small requests, so that no test takes much memory, and notes large ones.
typedef struct guard {
  size_t refused; // the last large request
  long blocks;
} guard;

static void *resize_guarded(void *user, void *p, size_t old, size_t size) {
  guard *g = user;
  (void)old;
  if (size == 0) {
    g->blocks -= p != NULL;
    free(p);
    return NULL;
  }
  if (size > MOST_BYTES) {
    g->refused = size;
    return NULL;
  }
  g->blocks += p == NULL;
  return realloc(p, size);
}

// `n` corners on a parabola, all of which stay in its single part.
static cl_shape *bowl(const cl_alloc *alloc, uint32_t n) {
  double *xy = malloc(2 * n * sizeof *xy);
  cl_fault fault;
  cl_shape *s = NULL;
  for (uint32_t i = 0; xy && i < n; i++) {
    double x = (double)i - n / 2.0;
    xy[2 * i] = x;
    xy[2 * i + 1] = x * x;
  }
  if (xy) CHECK(cl_shape_polygon(alloc, xy, n, &fault, &s) == CL_OK);
  free(xy);
  return s;
}

// A triangle with `n` points on its outline: one part of three vertices.
static cl_shape *dotted(const cl_alloc *alloc, uint32_t n) {
  double *xy = malloc(2 * n * sizeof *xy);
  cl_fault fault;
  cl_shape *s = NULL;
  for (uint32_t i = 0; xy && i < n; i++) {
    xy[2 * i] = i + 1 < n ? i : 0;
    xy[2 * i + 1] = i + 1 < n ? 0 : 9;
  }
  if (xy) CHECK(cl_shape_polygon(alloc, xy, n, &fault, &s) == CL_OK);
  free(xy);
  return s;
}

static cl_status compound_of(const cl_alloc *alloc, cl_shape *member, uint32_t count,
                             cl_shape **out) {
  cl_shape **members = malloc(count * sizeof *members);
  if (!members) return CL_NOMEM;
  for (uint32_t i = 0; i < count; i++) members[i] = member;
  cl_status status = cl_shape_compound(alloc, members, count, out);
  free(members);
  return status;
}

static void compounds_of_too_many_vertices(void) {
  guard g = {0, 0};
  const cl_alloc alloc = {resize_guarded, &g};
  cl_shape *s = bowl(&alloc, SIDE), *t = NULL;
  REQUIRE(s && s->part_count == 1 && s->parts[0].count == SIDE);
  const uint32_t counts[] = {SIDE, SIDE + 1, SIDE - 1, SIDE / 2, SIDE / 4, 3 * (SIDE / 4)};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    CHECK_MSG(compound_of(&alloc, s, counts[i], &t) == CL_NOMEM, "%u members", counts[i]);
    CHECK(s->references == 1 && t == NULL);
  }
  g.refused = 0;
  CHECK(compound_of(&alloc, s, SIDE / 128, &t) == CL_NOMEM); // can be counted, but not allocated
  CHECK(g.refused >= (size_t)SIDE * (SIDE / 128) * 33);
  cl_shape_release(s);
  CHECK(g.blocks == 0);
}

static void points_are_counted_beyond_32_bits(void) {
  guard g = {0, 0};
  const cl_alloc alloc = {resize_guarded, &g};
  cl_shape *s = dotted(&alloc, SIDE), *t = NULL, *u = NULL;
  REQUIRE(s && s->part_count == 1 && s->parts[0].count == 3);
  REQUIRE(compound_of(&alloc, s, SIDE, &t) == CL_OK);
  CHECK(cl_shape_point_count(t) == (uint64_t)SIDE * SIDE);
  CHECK(cl_shape_point(t, (uint64_t)SIDE * SIDE - 1).y == 9);
  CHECK(cl_shape_point(t, (uint64_t)SIDE * (SIDE - 1) + 5).x == 5);
  REQUIRE(compound_of(&alloc, t, 3, &u) == CL_OK);
  CHECK(cl_shape_point_count(u) == 3 * (uint64_t)SIDE * SIDE);
  cl_shape_release(u);
  cl_shape_release(t);
  cl_shape_release(s);
  CHECK(g.blocks == 0);
}

// So many points that the bytes of some array, or the number itself, exceed 32 bits: none is read.
static void lists_that_are_too_long(void) {
  guard g = {0, 0};
  const cl_alloc alloc = {resize_guarded, &g};
  const double xy[] = {0, 0, 1, 0, 0, 1};
  const uint32_t counts[] = {UINT32_MAX,         UINT32_MAX - 1, UINT32_MAX / 4,     1u << 31,
                             (1u << 31) + 1,     1u << 30,       (1u << 30) + 1,     UINT32_MAX / 3,
                             UINT32_MAX / 3 + 1, 1u << 29,       UINT32_MAX / 52 + 1};
  cl_fault fault;
  cl_shape *s = NULL;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    CHECK(cl_shape_polygon(&alloc, xy, counts[i], &fault, &s) == CL_NOMEM);
    CHECK(cl_shape_chain(&alloc, xy, counts[i], false, &fault, &s) == CL_NOMEM);
    CHECK(cl_shape_chain(&alloc, xy, counts[i], true, &fault, &s) == CL_NOMEM);
  }
  CHECK(s == NULL && g.blocks == 0);
}

static void sums_that_do_not_fit(void) {
  size_t total = 5;
  CHECK(cl_add_size(&total, 3, 8) && total == 29);
  CHECK(cl_add_size(&total, 0, 8) && total == 29);
  CHECK(!cl_add_size(&total, SIZE_MAX / 8 + 1, 8) && total == 29);
  CHECK(!cl_add_size(&total, SIZE_MAX - 28, 1) && total == 29);
  CHECK(cl_add_size(&total, SIZE_MAX - 29, 1) && total == SIZE_MAX);
  const cl_alloc alloc = cl_alloc_default();
  CHECK(cl_new_array(&alloc, SIZE_MAX / 8 + 2, 8) == NULL);
  CHECK(cl_new_array(&alloc, UINT64_MAX, 16) == NULL);
}

static void tiles_have_no_parts(void) {
  guard g = {0, 0};
  const cl_alloc alloc = {resize_guarded, &g};
  const double origin[2] = {3, 4};
  cl_grid *grid = NULL;
  cl_shape *s = NULL, *box = NULL, *t = NULL;
  REQUIRE(cl_grid_new(&alloc, 2, (int64_t[]){4, 3}, (double[]){2, 2}, origin, &grid) == CL_OK);
  grid->bytes[5] = 1;
  REQUIRE(cl_shape_tiles(&alloc, grid, NULL, 0, &s) == CL_OK);
  REQUIRE(cl_shape_rectangle(&alloc, 0, 0, 1, 1, &t) == CL_OK);
  REQUIRE(cl_shape_upright(t, &box) == CL_OK);
  cl_shape_release(t);
  t = NULL;
  CHECK(cl_shape_compound(&alloc, &s, 1, &t) == CL_INVALID);
  CHECK(cl_shape_compound(&alloc, (cl_shape *[]){box, s}, 2, &t) == CL_INVALID);
  CHECK(cl_shape_compound(&alloc, (cl_shape *[]){s, box}, 2, &t) == CL_INVALID);
  const cl_name names[3] = {{"b", 1}, {"b\0", 2}, {"a", 1}};
  CHECK(cl_shape_compound_named(&alloc, (cl_shape *[]){box, box}, names + 1, 2, &t) == CL_INVALID);
  CHECK(cl_shape_compound_named(&alloc, (cl_shape *[]){box, s}, names, 2, &t) == CL_INVALID);
  REQUIRE(cl_shape_compound_named(&alloc, (cl_shape *[]){box, box}, names, 2, &t) == CL_OK);
  CHECK(cl_shape_member_count(t) == 2 && cl_shape_member_name(t, 2).length == 2);
  CHECK(!cl_shape_member_name(t, 3).bytes && !cl_shape_member_name(box, 1).bytes);
  cl_shape_release(t);
  t = NULL;
  CHECK(s->references == 1 && box->references == 1);
  CHECK(cl_shape_part(s, 0, &t) == CL_INVALID);
  CHECK(cl_shape_rotated(s, 1, &t) == CL_INVALID);
  CHECK(cl_shape_scaled(s, -1, 1, &t) == CL_INVALID);
  CHECK(cl_shape_scaled(s, 2, 3, &t) == CL_INVALID && t == NULL);
  CHECK(cl_shape_point_count(s) == 4 && cl_shape_point(s, 2).x == 11);
  CHECK(cl_shape_rotated(s, 0, &t) == CL_OK && t->kind == CL_TILES);
  cl_shape_release(t);
  CHECK(cl_shape_scaled(s, 2, 2, &t) == CL_OK && t->bounds.r == 22 && t->cell.x == 4 &&
        t->cell.y == 4);
  cl_shape_release(t);
  CHECK(cl_shape_centered(s, &t) == CL_OK && t->bounds.l == -4 && t->bounds.b == 3);
  cl_shape_release(t);
  CHECK(cl_shape_upright(s, &t) == CL_OK && t->bounds.l == 3);
  cl_shape_release(t);
  cl_placed p = cl_place(s, 1, 1, 2);
  cl_bounds b;
  b = cl_placed_bounds(&p);
  CHECK(b.l == 4 && b.t == 5 && b.r == 12 && b.b == 11);
  CHECK(cl_placed_contains(&p, 7, 8) && !cl_placed_contains(&p, 5, 6));
  cl_shape_release(s);
  cl_shape_release(box);
  cl_grid_release(grid);
  CHECK(g.blocks == 0);
}

int main(void) {
  RUN(compounds_of_too_many_vertices);
  RUN(lists_that_are_too_long);
  RUN(points_are_counted_beyond_32_bits);
  RUN(sums_that_do_not_fit);
  RUN(tiles_have_no_parts);
  return test_end();
}
