// collide, MIT licence (see LICENSE)
//
// Inputs that cause the most work that shapes of up to 200 corners and maps of up to 200 × 200
// cells can, for the benchmark that times them and the test that counts their steps.

#ifndef CL_SPEC_SLOW_INPUTS_H
#define CL_SPEC_SLOW_INPUTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geom/tiles.h"

enum { SLOW_MAP = 200, SLOW_MOST = 32 };

typedef struct slow_input {
  const char *name;
  cl_shape *a, *b;
  double ax, ay, angle; // of a; b is at 0, 0
} slow_input;

static inline void slow_check(cl_status status) {
  if (status != CL_OK) abort();
}

// Cells of side 1 with all values; solid where column + 3 rows is a multiple of `every`.
static inline cl_shape *slow_tiles(const cl_alloc *alloc, int every) {
  const int64_t size[3] = {SLOW_MAP, SLOW_MAP, 1};
  const double at[3] = {0, 0, 0};
  cl_grid *grid;
  cl_shape *s;
  slow_check(cl_grid_new(alloc, 2, size, (double[]){1, 1}, at, &grid));
  for (int64_t y = 0; y < SLOW_MAP; y++)
    for (int64_t x = 0; x < SLOW_MAP; x++) {
      const int64_t cell[3] = {x, y, 0};
      cl_grid_set(grid, cell, (uint8_t)((x + 3 * y) % every == 0 ? 1 + (x + y) % 255 : 0));
    }
  slow_check(cl_shape_tiles(alloc, grid, NULL, 0, &s));
  cl_grid_release(grid);
  return s;
}

// The same map, its cells with 16 corners each, a slope, or round in turn.
static inline cl_shape *slow_shaped_tiles(const cl_alloc *alloc, int every) {
  const int64_t size[3] = {SLOW_MAP, SLOW_MAP, 1};
  const double at[3] = {0, 0, 0}, slope[6] = {0, 1, 1, 0, 1, 1};
  double xy[32];
  cl_fault fault;
  cl_grid *grid;
  cl_tile_look looks[3] = {{.value = 1}, {.value = 2}, {.value = 3}};
  cl_shape *shape[3], *s;
  for (int i = 0; i < 16; i++) {
    double sine, cosine;
    cl_sincos(i * 6.283185307179586 / 16, &sine, &cosine);
    xy[2 * i] = 0.5 + 0.5 * cosine, xy[2 * i + 1] = 0.5 + 0.5 * sine;
  }
  slow_check(cl_shape_polygon(alloc, xy, 16, &fault, &shape[0]));
  slow_check(cl_shape_polygon(alloc, slope, 3, &fault, &shape[1]));
  slow_check(cl_shape_circle(alloc, 0.5, 0.5, 0.5, &shape[2]));
  for (int i = 0; i < 3; i++) looks[i].shape = shape[i];
  slow_check(cl_grid_new(alloc, 2, size, (double[]){1, 1}, at, &grid));
  for (int64_t y = 0; y < SLOW_MAP; y++)
    for (int64_t x = 0; x < SLOW_MAP; x++) {
      const int64_t cell[3] = {x, y, 0};
      cl_grid_set(grid, cell, (uint8_t)((x + 3 * y) % every == 0 ? 1 + (x + y) % 3 : 0));
    }
  slow_check(cl_shape_tiles(alloc, grid, looks, 3, &s));
  for (int i = 0; i < 3; i++) cl_shape_release(shape[i]);
  cl_grid_release(grid);
  return s;
}

static inline cl_shape *slow_box(const cl_alloc *alloc, double side) {
  cl_shape *s;
  slow_check(cl_shape_rectangle(alloc, 0, 0, side, side, &s));
  return s;
}

static inline cl_shape *slow_polygon(const cl_alloc *alloc, const double *xy, int n) {
  cl_fault fault;
  cl_shape *s;
  slow_check(cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, &s));
  return s;
}

static inline cl_shape *slow_chain(const cl_alloc *alloc, const double *xy, int n, bool closed) {
  cl_fault fault;
  cl_shape *s;
  slow_check(cl_shape_chain(alloc, xy, (uint32_t)n, closed, &fault, &s));
  return s;
}

static inline cl_shape *slow_star(const cl_alloc *alloc, int corners, double outer, double inner) {
  double xy[512];
  for (int i = 0; i < corners; i++) {
    double s, c, r = i % 2 ? inner : outer;
    cl_sincos(i * 6.283185307179586 / corners, &s, &c);
    xy[2 * i] = r * c, xy[2 * i + 1] = r * s;
  }
  return slow_polygon(alloc, xy, corners);
}

static inline cl_shape *slow_ring(const cl_alloc *alloc, int corners, double r) {
  double xy[512];
  for (int i = 0; i < corners; i++) {
    double s, c;
    cl_sincos(i * 6.283185307179586 / corners, &s, &c);
    xy[2 * i] = r * c, xy[2 * i + 1] = r * s;
  }
  return slow_chain(alloc, xy, corners, true);
}

static inline cl_shape *slow_gon(const cl_alloc *alloc, int corners, double r) {
  return slow_star(alloc, corners, r, r);
}

// A band between two spirals of three turns.
static inline cl_shape *slow_spiral(const cl_alloc *alloc, int corners, double outer) {
  double xy[512];
  int half = corners / 2;
  for (int i = 0; i < corners; i++) {
    int k = i < half ? i : corners - 1 - i;
    double s, c, r = outer * (0.1 + 0.8 * k / half) + (i < half ? outer * 0.1 : 0);
    cl_sincos(k * 18.0 / half, &s, &c);
    xy[2 * i] = r * c, xy[2 * i + 1] = r * s;
  }
  return slow_polygon(alloc, xy, corners);
}

// Lines through one point.
static inline cl_shape *slow_rays(const cl_alloc *alloc, int count, double r, double turned) {
  cl_shape *members[128] = {NULL}, *s;
  for (int i = 0; i < count; i++) {
    double y, x;
    cl_sincos(turned + i * 6.283185307179586 / count, &y, &x);
    slow_check(cl_shape_segment(alloc, 0, 0, r * x, r * y, &members[i]));
  }
  slow_check(cl_shape_compound(alloc, members, (uint32_t)count, &s));
  for (int i = 0; i < count; i++) cl_shape_release(members[i]);
  return s;
}

static inline cl_shape *slow_circle(const cl_alloc *alloc, double r) {
  cl_shape *s;
  slow_check(cl_shape_circle(alloc, 0, 0, r, &s));
  return s;
}

// Another reference to a shape that is in several inputs.
static inline cl_shape *slow_again(cl_shape *shape) {
  cl_shape_retain(shape);
  return shape;
}

// Fills `out` and returns the number of inputs. The caller releases them.
static inline int slow_inputs(const cl_alloc *alloc, slow_input *out) {
  const double triangle[6] = {-60, 50, 60, 50, 0, -60};
  const double corner[6] = {-1, 201, 201, 201, 201, -1};
  cl_shape *half = slow_tiles(alloc, 2), *fifth = slow_tiles(alloc, 5);
  const slow_input all[] = {
      {"circle(60) in every 2nd cell", slow_circle(alloc, 60), half, 100, 100, 0},
      {"circle(60) at the border", slow_circle(alloc, 60), slow_again(half), 40, 100, 0},
      {"triangle in every 5th cell", slow_polygon(alloc, triangle, 3), fifth, 100, 100, 0},
      {"star of 198 in every 5th cell", slow_star(alloc, 198, 60, 20), slow_again(fifth), 100, 100,
       0.1},
      {"star of 198 on the border", slow_star(alloc, 198, 60, 20), slow_again(fifth), -45, 100,
       0.1},
      {"star of 198 in every 2nd cell", slow_star(alloc, 198, 90, 40), slow_again(half), 100, 100,
       0},
      {"ring of 190 in every 5th cell", slow_ring(alloc, 190, 80), slow_again(fifth), 100.3, 100,
       0},
      {"rings of 190 / shifted", slow_ring(alloc, 190, 50), slow_ring(alloc, 190, 50), 0.3, 0.2, 0},
      {"rings of 128 / crossing", slow_ring(alloc, 128, 50), slow_ring(alloc, 128, 50), 45, 0, 0},
      {"rings of 128 / one in one", slow_ring(alloc, 128, 50), slow_ring(alloc, 128, 49), 2, 0, 0},
      {"spiral / star", slow_spiral(alloc, 200, 60), slow_star(alloc, 198, 60, 20), 3, 2, 0},
      {"spirals", slow_spiral(alloc, 200, 60), slow_spiral(alloc, 200, 60), 3, 2, 1},
      {"stars of 198", slow_star(alloc, 198, 60, 20), slow_star(alloc, 198, 60, 20), 3, 2, 0.01},
      {"stars of 198 / half apart", slow_star(alloc, 198, 60, 20), slow_star(alloc, 198, 60, 30),
       60, 2, 0.01},
      {"rays of 100 / one centre", slow_rays(alloc, 100, 50, 0), slow_rays(alloc, 100, 50, 0), 0, 0,
       0},
      {"rays of 100 / between", slow_rays(alloc, 100, 50, 0), slow_rays(alloc, 100, 50, 0.01), 0, 0,
       0},
      {"tiles / tiles", slow_tiles(alloc, 2), slow_tiles(alloc, 3), 0.5, 0.5, 0},
      {"box(150) in shaped cells", slow_box(alloc, 150), slow_shaped_tiles(alloc, 1), 20.3, 20, 0},
      {"circle(60) in shaped cells", slow_circle(alloc, 60), slow_shaped_tiles(alloc, 2), 100, 100,
       0},
      {"star of 198 in shaped cells", slow_star(alloc, 198, 90, 40), slow_shaped_tiles(alloc, 2),
       100, 100, 0.1},
      {"tiles / shaped tiles", slow_tiles(alloc, 2), slow_shaped_tiles(alloc, 3), 0.5, 0.5, 0},
      {"corner that leaves every 2nd cell", slow_chain(alloc, corner, 3, false), slow_again(half),
       0, 0, 0},
      {"ring of 190 far from a full map", slow_ring(alloc, 190, 60), slow_tiles(alloc, 1), -90, -60,
       0},
      {"star of 198 beside round cells", slow_star(alloc, 198, 80, 5), slow_shaped_tiles(alloc, 1),
       -82, 100, 0.1},
      {"polygon of 190 in round cells", slow_gon(alloc, 190, 50), slow_shaped_tiles(alloc, 2), 100,
       100, 0},
      {"star of 198 on itself", slow_star(alloc, 198, 80, 5), slow_star(alloc, 198, 80, 5), 0, 0,
       0},
      {"ring of 60 far from shaped cells", slow_ring(alloc, 60, 90), slow_shaped_tiles(alloc, 1),
       400, -300, 0.3},
      {"tiles / tiles that fit", slow_tiles(alloc, 2), slow_tiles(alloc, 2), 1, 0, 0},
  };
  int n = (int)(sizeof all / sizeof all[0]);
  for (int i = 0; i < n; i++) out[i] = all[i];
  return n;
}

static inline void slow_release(slow_input *input, int n) {
  for (int i = 0; i < n; i++) {
    cl_shape_release(input[i].a);
    cl_shape_release(input[i].b);
  }
}

// The calls made with each input.
enum { SLOW_CALLS = 7 };
static const char *const slow_calls[SLOW_CALLS] = {"overlap",  "touching", "overlaps", "contact",
                                                   "distance", "cast",     "members"};

static inline double slow_members(const cl_placed *a, const cl_placed *b) {
  cl_alloc alloc = cl_alloc_default();
  cl_member_list list;
  if (a->shape->kind == CL_TILES && b->shape->kind == CL_TILES) return -1; // maps do not hit
  slow_check(cl_member_overlaps(&alloc, a, b, false, &list));
  double deepest = list.count > 0 ? list.at[0].depth : -1;
  cl_member_list_free(&alloc, &list);
  return deepest;
}

// Returns a number from the answer.
static inline double slow_call(const slow_input *in, int call) {
  cl_placed a = cl_place(in->a, in->ax, in->ay, in->angle), b = cl_place(in->b, 0, 0, 0);
  cl_hit h = {0, 0, 0};
  cl_contact points[CL_CONTACTS_MOST];
  cl_cast cast = {0};
  switch (call) {
  case 0: return cl_overlap(&a, &b, false, &h) ? h.depth : -1;
  case 1: return cl_overlap(&a, &b, true, &h) ? h.depth : -1;
  case 2: return cl_overlaps(&a, &b, false);
  case 3: return cl_contacts(&a, &b, false, points);
  case 4: return cl_distance(&a, &b).distance;
  case 6: return slow_members(&a, &b);
  default:
    if (in->a->kind == CL_TILES) return -1; // tiles are static
    if (!cl_cast_shape(&a, (cl_vec){200, 150}, &b, &cast)) return -1;
    return cast.t + cl_cast_member(&a, (cl_vec){200, 150}, &b, &cast);
  }
}

#endif
