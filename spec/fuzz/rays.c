// collide, MIT licence (see LICENSE)
//
// Rays through cells, compared with exact arithmetic; casts in a grid, compared with the walk
// through all cells; and circles that pass through a grid, compared with rays and with smaller
// circles.

#include "fuzz.h"

#include "../c/cells_walks.h"

static double any_end(int size) {
  switch (test_int(0, 4)) {
  case 0: return test_int(-2, size + 2);
  case 1: return test_int(-8, 4 * size + 8) / 4.0;
  case 2: return test_uniform(-size, 2 * size);
  case 3: return test_int(0, size) + test_int(-4, 4) * 0x1p-40;
  default: return (test_int(0, 1) ? 1 : -1) * ldexp(1 + test_uniform(0, 1), test_int(-80, 9));
  }
}

static cl_grid *any_grid(int dims) {
  cl_alloc alloc = cl_alloc_default();
  const double origin[3] = {0, 0, 0};
  const int64_t size[3] = {test_int(1, 12), test_int(1, 12), dims == 3 ? test_int(1, 12) : 1};
  cl_grid *grid;
  if (cl_grid_new(&alloc, dims, size, (double[]){1, 1, 1}, origin, &grid) != CL_OK) abort();
  int64_t c[3];
  for (int i = test_int(0, 40); i > 0; i--) {
    for (int a = 0; a < 3; a++) c[a] = test_int(0, (int)size[a] - 1);
    cl_grid_set(grid, c, (uint8_t)test_int(0, 3));
  }
  return grid;
}

static void check_casts(void) {
  int dims = test_int(2, 3);
  cl_grid *grid = any_grid(dims);
  bool stops[256] = {[1] = true, [2] = test_int(0, 1)};
  for (int i = 0; i < 6 && !input_is_over(); i++) {
    double f[3], t[3];
    for (int a = 0; a < 3; a++) {
      f[a] = any_end((int)grid->size[a]);
      t[a] = test_int(0, 7) ? any_end((int)grid->size[a]) : f[a];
    }
    cl_grid_hit want = {.t = 0}, got = want;
    bool hit = walk_to_hit(grid, f, t, stops, &want);
    bool same = cl_grid_cast(grid, f, t, stops, &got) == hit && (!hit || equal_hits(&want, &got));
    CHECK_MSG(same, "(%a, %a, %a) to (%a, %a, %a), %dD", f[0], f[1], f[2], t[0], t[1], t[2], dims);
  }
  CHECK(cl_grid_is_valid(grid));
  cl_grid_release(grid);
}

// Where a circle passes, a smaller one passes, too, in both directions, and no solid cell is on the
// ray along its centre.
static void check_circles(void) {
  cl_grid *grid = any_grid(2);
  bool stops[256];
  memset(stops, true, sizeof stops);
  stops[0] = false;
  for (int i = 0; i < 6 && !input_is_over(); i++) {
    double f[2], t[2], radius = test_int(0, 1) ? test_int(1, 16) / 4.0 : test_uniform(1e-9, 3);
    for (int a = 0; a < 2; a++)
      f[a] = any_end((int)grid->size[a]), t[a] = any_end((int)grid->size[a]);
    bool clear = cl_grid_is_clear(grid, f, t, radius);
    CHECK(cl_grid_is_clear(grid, t, f, radius) == clear);
    CHECK(!clear || cl_grid_is_clear(grid, f, t, radius / 2));
    cl_grid_hit hit;
    CHECK(!clear || !cl_grid_cast(grid, f, t, stops, &hit));
  }
  cl_grid_release(grid);
}

static void check_walks(void) {
  for (int i = 0; i < 4 && !input_is_over(); i++) {
    segment s = random_segment(test_int(2, 3));
    CHECK_MSG(walk_follow(&s, test_int(0, 1)) >= 0, SEGMENT_FORMAT, SEGMENT_ARGS(s));
  }
}

static void rays(void) {
  switch (test_int(0, 2)) {
  case 0: check_walks(); break;
  case 1: check_casts(); break;
  default: check_circles(); break;
  }
}

FUZZ(rays)
