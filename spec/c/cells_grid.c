// collide, MIT licence (see LICENSE)
//
// cells/grid: rays, compared with a walk that reads each cell, and its bytes, sizes, memory and
// conversions.

#include "cells_walks.h"
#include "checked_alloc.h"

static cl_grid *grid_of(const cl_alloc *alloc, int dims, const int64_t size[]) {
  cl_grid *grid = NULL;
  CHECK(cl_grid_new(alloc, dims, size, (double[]){1, 1, 1}, (double[]){0, 0, 0}, &grid) == CL_OK);
  return grid;
}

static cl_grid *random_grid(const cl_alloc *alloc, int dims, int most) {
  int64_t size[3];
  for (int a = 0; a < 3; a++) size[a] = test_int(0, 5) ? test_int(1, most) : 1;
  cl_grid *grid = grid_of(alloc, dims, size);
  int one_in = test_int(0, 3) ? test_int(2, 60) : 1000000;
  int64_t c[3];
  for (c[2] = 0; c[2] < grid->size[2]; c[2]++) {
    for (c[1] = 0; c[1] < grid->size[1]; c[1]++) {
      for (c[0] = 0; c[0] < grid->size[0]; c[0]++)
        cl_grid_set(grid, c, (uint8_t)(test_int(1, one_in) == 1 ? test_int(1, 3) : 0));
    }
  }
  return grid;
}

// A segment short enough for the walk, moved by whole cells to be near the grid, often with a
// corner of the grid at the origin.
static segment segment_near(const cl_grid *grid) {
  segment s;
  bool near;
  do {
    s = random_segment(grid->dims);
    near = true;
    for (int a = 0; a < s.dims; a++) near = near && fabs(s.f[a]) < 600 && fabs(s.t[a]) < 600;
  } while (!near);
  for (int a = 0; a < s.dims; a++) {
    int size = (int)grid->size[a];
    double shift = test_int(0, 1) ? test_int(0, size) : test_int(0, 1) * size;
    if (fabs(s.f[a]) > 1e-9) s.f[a] += shift;
    if (fabs(s.t[a]) > 1e-9) s.t[a] += shift;
  }
  return s;
}

static void casts(int dims) {
  cl_alloc alloc = cl_alloc_default();
  long hits = 0, n = test_rounds(50000);
  for (long i = 0; i < n; i++) {
    cl_grid *grid = random_grid(&alloc, dims, test_int(0, 9) ? 12 : 40);
    bool stops[256] = {false};
    for (int v = 0; v < 4; v++) stops[v] = test_int(0, 3) ? v > 0 : test_int(0, 1);
    for (int k = 0; k < 20; k++) {
      segment s = segment_near(grid);
      cl_grid_hit want = {.t = 0}, got = want;
      bool hit = walk_to_hit(grid, s.f, s.t, stops, &want);
      hits += hit;
      bool same = cl_grid_cast(grid, s.f, s.t, stops, &got) == hit;
      CHECK_MSG(same && (!hit || equal_hits(&want, &got)),
                "case %ld: " SEGMENT_FORMAT " in %d x %d x %d", i, SEGMENT_ARGS(s),
                (int)grid->size[0], (int)grid->size[1], (int)grid->size[2]);
    }
    cl_grid_release(grid);
  }
  CHECK_MSG(hits > n / 2 && hits < 10 * n, "%ld hits of %ld", hits, 20 * n);
}

static void casts_in_two(void) { casts(2); }
static void casts_in_three(void) { casts(3); }

// More cells than fit into one block of times, with no solid cell before the end.
static void long_casts(void) {
  cl_alloc alloc = cl_alloc_default();
  int64_t size[3] = {3000, 3000, 1};
  cl_grid *flat = grid_of(&alloc, 2, size);
  bool stops[256];
  memset(stops, true, sizeof stops);
  stops[0] = false;
  for (long i = test_rounds(400); i > 0; i--) {
    double f[2], t[2], reach = test_int(0, 1) ? 3000 : 6000;
    for (int a = 0; a < 2; a++) {
      f[a] = test_uniform(-reach / 2, reach);
      t[a] = test_int(0, 3) ? test_uniform(-reach / 2, reach) : f[a] + (f[0] < 1500 ? 999 : -999);
    }
    int64_t wall[3] = {(int64_t)fabs(t[0]) % 3000, (int64_t)fabs(t[1]) % 3000, 0};
    cl_grid_set(flat, wall, 9);
    cl_grid_hit want = {.t = 0}, got = want;
    bool hit = walk_to_hit(flat, f, t, stops, &want);
    CHECK_MSG(cl_grid_cast(flat, f, t, stops, &got) == hit && (!hit || equal_hits(&want, &got)),
              "(%a, %a) to (%a, %a)", f[0], f[1], t[0], t[1]);
    cl_grid_set(flat, wall, 0);
  }
  cl_grid_release(flat);
}

// Mostly empty blocks; more are skipped than times are exact for, often along diagonals and sides
// of blocks, where the order is uncertain.
static void long_casts_over_blocks(void) {
  cl_alloc alloc = cl_alloc_default();
  int64_t size[3] = {1201, 90, 77};
  cl_grid *deep = grid_of(&alloc, 3, size);
  bool stops[256] = {[2] = true};
  long hits = 0, n = test_rounds(4000);
  for (int i = 0; i < 4000; i++) {
    int64_t cell[3];
    for (int a = 0; a < 3; a++) cell[a] = test_int(0, (int)size[a] - 1);
    cl_grid_set(deep, cell, (uint8_t)test_int(0, 2));
  }
  for (long i = 0; i < n; i++) {
    double f[3], t[3];
    for (int a = 0; a < 3; a++) {
      double s = (double)size[a], reach = test_int(0, 3) ? 0 : s / 2;
      f[a] = test_uniform(-reach, s + reach);
      t[a] = test_int(0, 3) ? test_uniform(-reach, s + reach) : f[a] + test_int(-1, 1) * 60;
      if (test_int(0, 2) == 0) f[a] = 8 * floor(f[a] / 8), t[a] = 8 * floor(t[a] / 8);
    }
    cl_grid_hit want = {.t = 0}, got = want;
    bool hit = walk_to_hit(deep, f, t, stops, &want);
    hits += hit;
    CHECK_MSG(cl_grid_cast(deep, f, t, stops, &got) == hit && (!hit || equal_hits(&want, &got)),
              "(%a, %a, %a) to (%a, %a, %a)", f[0], f[1], f[2], t[0], t[1], t[2]);
  }
  CHECK_MSG(hits > n / 50 && hits < n / 2, "%ld hits of %ld", hits, n);
  cl_grid_release(deep);
}

// From the farthest cells possible: the walk there would take weeks.
static void casts_from_afar(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_grid *grid = grid_of(&alloc, 3, (int64_t[]){5, 5, 5});
  bool stops[256] = {[7] = true};
  cl_grid_hit hit;
  double f[3], t[3];
  for (int corner = 0; corner < 8; corner++) {
    for (int a = 0; a < 3; a++) {
      f[a] = corner >> a & 1 ? 0x1p50 : -0x1p50 + 5;
      t[a] = corner >> a & 1 ? 0 : 5;
    }
    cl_grid_set(grid, (int64_t[]){2, 2, 2}, 7);
    REQUIRE(cl_grid_cast(grid, f, t, stops, &hit));
    CHECK(hit.cell[0] == 2 && hit.cell[1] == 2 && hit.cell[2] == 2 && hit.value == 7);
    for (int a = 0; a < 3; a++) {
      CHECK(fabs(hit.normal[a] - (corner >> a & 1 ? 1 : -1) / sqrt(3)) < 1e-15);
    }
    cl_grid_set(grid, (int64_t[]){2, 2, 2}, 0);
    CHECK(!cl_grid_cast(grid, f, t, stops, &hit));
  }
  cl_grid_release(grid);
}

// The blocks' counts match their cells.
static void check_blocks(const cl_grid *grid) {
  int64_t c[3], b[3];
  for (b[2] = 0; b[2] < grid->blocks[2]; b[2]++) {
    for (b[1] = 0; b[1] < grid->blocks[1]; b[1]++) {
      for (b[0] = 0; b[0] < grid->blocks[0]; b[0]++) {
        int filled = 0;
        for (int i = 0; i < CL_GRID_BLOCK * CL_GRID_BLOCK * CL_GRID_BLOCK; i++) {
          c[0] = b[0] * CL_GRID_BLOCK + i % CL_GRID_BLOCK;
          c[1] = b[1] * CL_GRID_BLOCK + i / CL_GRID_BLOCK % CL_GRID_BLOCK;
          c[2] = b[2] * CL_GRID_BLOCK + i / CL_GRID_BLOCK / CL_GRID_BLOCK;
          filled += cl_grid_has(grid, c) && *cl_grid_at(grid, c) != 0;
        }
        CHECK(grid->filled[b[0] + grid->blocks[0] * (b[1] + grid->blocks[1] * b[2])] == filled);
      }
    }
  }
  CHECK(cl_grid_is_valid(grid));
}

// After every way of setting cells.
static void blocks(void) {
  cl_alloc alloc = cl_alloc_default();
  for (long i = test_rounds(300); i > 0; i--) {
    cl_grid *grid = random_grid(&alloc, 3, 20);
    check_blocks(grid);
    for (int k = 0; k < 5; k++) {
      int64_t low[3], size[3];
      for (int a = 0; a < 3; a++) {
        low[a] = test_int(0, (int)grid->size[a] - 1);
        size[a] = test_int(1, (int)(grid->size[a] - low[a]));
      }
      cl_grid_fill(grid, low, size, (uint8_t)test_int(0, 2));
      check_blocks(grid);
      cl_grid_set(grid, low, (uint8_t)test_int(0, 1));
      check_blocks(grid);
    }
    size_t count = cl_grid_count(grid);
    uint8_t *bytes = malloc(count);
    REQUIRE(bytes);
    for (size_t k = 0; k < count; k++) bytes[k] = (uint8_t)(test_int(0, 9) == 0);
    cl_grid_load(grid, bytes);
    CHECK(memcmp(grid->bytes, bytes, count) == 0);
    check_blocks(grid);
    free(bytes);
    int64_t wrong = test_int(0, (int)(grid->blocks[0] * grid->blocks[1] * grid->blocks[2]) - 1);
    grid->filled[wrong]++;
    CHECK(!cl_grid_is_valid(grid));
    cl_grid_release(grid);
  }
}

static void fills(void) {
  cl_alloc alloc = cl_alloc_default();
  for (long i = test_rounds(2000); i > 0; i--) {
    cl_grid *grid = random_grid(&alloc, 3, 6);
    int64_t low[3], size[3], c[3];
    for (int a = 0; a < 3; a++) {
      low[a] = test_int(0, (int)grid->size[a] - 1);
      size[a] = test_int(1, (int)(grid->size[a] - low[a]));
    }
    cl_grid_fill(grid, low, size, 200);
    for (c[2] = 0; c[2] < grid->size[2]; c[2]++) {
      for (c[1] = 0; c[1] < grid->size[1]; c[1]++) {
        for (c[0] = 0; c[0] < grid->size[0]; c[0]++) {
          bool in = true;
          for (int a = 0; a < 3; a++) in = in && c[a] >= low[a] && c[a] < low[a] + size[a];
          CHECK((cl_grid_get(grid, c) == 200) == in);
        }
      }
    }
    cl_grid_release(grid);
  }
}

static void sizes_and_memory(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  const double origin[3] = {0, 0, 0};
  cl_grid *grid = NULL;
  CHECK(cl_grid_new(&alloc, 2, (int64_t[]){0, 5}, (double[]){1, 1}, origin, &grid) == CL_INVALID);
  CHECK(cl_grid_new(&alloc, 2, (int64_t[]){1 << 16, (1 << 15) + 1}, (double[]){1, 1}, origin,
                    &grid) == CL_INVALID);
  CHECK(cl_grid_new(&alloc, 3, (int64_t[]){1 << 16, 1 << 15, 2}, (double[]){1, 1, 1}, origin,
                    &grid) == CL_INVALID);
  CHECK(cl_grid_new(&alloc, 2, (int64_t[]){3, 5}, (double[]){0, 0}, origin, &grid) == CL_INVALID);
  for (h.allowed = 0; h.allowed < 2; h.allowed++) {
    long allowed = h.allowed;
    CHECK(cl_grid_new(&alloc, 2, (int64_t[]){3, 5}, (double[]){1, 1}, origin, &grid) == CL_NOMEM &&
          !grid);
    h.allowed = allowed;
    CHECK_HEAP_EMPTY(h);
  }
  for (h.allowed = 0; h.allowed < 3; h.allowed++) { // also for the blocks' counts
    long allowed = h.allowed;
    CHECK(cl_grid_new(&alloc, 3, (int64_t[]){3, 5, 9}, (double[]){1, 1, 1}, origin, &grid) ==
              CL_NOMEM &&
          !grid);
    h.allowed = allowed;
    CHECK_HEAP_EMPTY(h);
  }
  h.allowed = -1;
  REQUIRE(cl_grid_new(&alloc, 3, (int64_t[]){3, 5, 9}, (double[]){1, 1, 1}, origin, &grid) ==
          CL_OK);
  CHECK(h.blocks == 3);
  cl_grid_release(grid);
  CHECK_HEAP_EMPTY(h);
  grid = NULL;
  REQUIRE(cl_grid_new(&alloc, 2, (int64_t[]){3, 5}, (double[]){1, 1}, origin, &grid) == CL_OK);
  int64_t size[3];
  CHECK(cl_grid_size(grid, size) == 2 && size[0] == 3 && size[1] == 5 && size[2] == 1);
  CHECK(cl_grid_count(grid) == 15);
  for (int i = 0; i < 15; i++) CHECK(grid->bytes[i] == 0);
  cl_grid_retain(grid);
  cl_grid_release(grid);
  CHECK(h.blocks == 2);
  cl_grid_release(grid);
  CHECK_HEAP_EMPTY(h);
}

// (v - origin) / cell by long division of whole numbers, rounded to even.
static double quotient(wide n, wide d) {
  bool below = n < 0;
  if (below) n = -n;
  int shift = 0;
  while (n / d < (wide)1 << 53) n *= 2, shift++;
  while (n / d >= (wide)1 << 54) d *= 2, shift--;
  wide q = n / d, rest = n % d; // 54 bits: one to round by
  if (q % 2 && (rest != 0 || q % 4 == 3)) q++;
  q -= q % 2;
  double v = ldexp((double)q, -shift);
  return below ? -v : v;
}

static void conversions(void) {
  for (long i = test_rounds(200000); i > 0; i--) {
    double cell = ldexp(test_int(1, 1 << 20), -10),
           origin = ldexp(test_int(-(1 << 29), 1 << 29), -12);
    double v = ldexp((double)((int64_t)test_bits() >> 11), -test_int(12, 45));
    int axis = test_int(0, 2);
    cl_grid grid = {.cell = {3, 3, 3}};
    grid.cell[axis] = cell;
    grid.origin[axis] = origin;
    wide n = (wide)ldexp(v, 45) - (wide)ldexp(origin, 45);
    if (n == 0 || fabs(v) > 0x1p45) continue;
    CHECK_MSG(cl_grid_to_cells(&grid, axis, v) == quotient(n, (wide)ldexp(cell, 45)),
              "(%a - %a) / %a", v, origin, cell);
  }
}

// Whether the answer for a ray with blurred ends is that of each ray within the blur. One that
// ends, or leaves the grid, just before the cell may not meet it.
static bool is_right_for_all(const cl_grid *grid, const segment *s, double blur, cl_near near,
                             const int64_t cell[2]) {
  static const bool stops[256] = {false, true};
  for (int corner = 0; corner < 16; corner++) {
    double from[2], to[2];
    for (int a = 0; a < 2; a++) {
      from[a] = s->f[a] + (corner >> a & 1 ? blur : -blur);
      to[a] = s->t[a] + (corner >> (2 + a) & 1 ? blur : -blur);
    }
    cl_grid_hit hit = {.t = 0};
    if (!cl_grid_cast(grid, from, to, stops, &hit)) {
      if (near == CL_NEAR_INSIDE) return false;
      continue;
    }
    if (near == CL_NEAR_NONE || hit.cell[0] != cell[0] || hit.cell[1] != cell[1]) return false;
    if ((hit.t == 0) != (near == CL_NEAR_INSIDE)) return false;
  }
  return true;
}

static void check_blurred(const cl_grid *grid, const segment *s, double blur, long count[4]) {
  static const uint8_t stops[256] = {0, 1};
  int64_t cell[2] = {-1, -1};
  cl_near near = cl_grid_near(grid, stops, s->f, s->t, blur, cell);
  count[near]++;
  if (near == CL_NEAR_UNSURE) return;
  CHECK_MSG(is_right_for_all(grid, s, blur, near, cell), "%d at %lld, %lld: " SEGMENT_FORMAT,
            (int)near, (long long)cell[0], (long long)cell[1], SEGMENT_ARGS(*s));
}

static void casts_with_blurred_ends(void) {
  cl_alloc alloc = cl_alloc_default();
  long count[4] = {0};
  for (long i = 0, n = test_rounds(3000); i < n; i++) {
    cl_grid *grid = random_grid(&alloc, 2, 12);
    for (int k = 0; k < 20; k++) {
      segment s = segment_near(grid);
      if (test_int(0, 1)) {
        for (int a = 0; a < 2; a++) s.f[a] = test_uniform(-2, 14), s.t[a] = test_uniform(-2, 14);
      }
      check_blurred(grid, &s, test_int(0, 1) ? 0x1p-24 : 0x1p-40, count);
    }
    cl_grid_release(grid);
  }
  for (int k = 0; k < 4; k++) CHECK_MSG(count[k] > 5, "%d: %ld", k, count[k]);
}

// Rays so steep that the blur leaves open in which of several rows they change the column, with a
// cell there that may stop them. Some lie down.
static void steep_casts_with_blurred_ends(void) {
  enum { LONG = 20000 };
  cl_alloc alloc = cl_alloc_default();
  long count[4] = {0};
  for (int lies = 0; lies < 2; lies++) {
    int64_t size[3] = {2, 2, 1};
    size[!lies] = LONG;
    cl_grid *grid = grid_of(&alloc, 2, size);
    for (long i = 0, n = test_rounds(1000); i < n; i++) {
      double width = pow(2, test_uniform(-16, -4));
      segment s = {.dims = 2};
      s.f[!lies] = 0.5, s.t[!lies] = LONG - 0.5;
      s.f[lies] = 1 - width * test_uniform(0.5, 1.5), s.t[lies] = 1 + width;
      // At about this row the ray changes the column.
      double row = LONG * (1 - s.f[lies]) / (s.t[lies] - s.f[lies]);
      int64_t at[3] = {0};
      at[lies] = test_int(0, 1);
      at[!lies] = (int64_t)row + test_int(-4, 4);
      cl_grid_set(grid, at, 1);
      check_blurred(grid, &s, 0x1p-24, count);
      cl_grid_set(grid, at, 0);
    }
    cl_grid_release(grid);
  }
  CHECK_MSG(count[CL_NEAR_NONE] > 10 && count[CL_NEAR_CELL] > 10 && count[CL_NEAR_UNSURE] > 10,
            "%ld, %ld, %ld", count[CL_NEAR_NONE], count[CL_NEAR_CELL], count[CL_NEAR_UNSURE]);
}

int main(void) {
  RUN(casts_in_two);
  RUN(casts_in_three);
  RUN(long_casts);
  RUN(casts_from_afar);
  RUN(long_casts_over_blocks);
  RUN(casts_with_blurred_ends);
  RUN(steep_casts_with_blurred_ends);
  RUN(blocks);
  RUN(fills);
  RUN(sizes_and_memory);
  RUN(conversions);
  return test_end();
}
