// collide, MIT licence (see LICENSE)
//
// Whether a circle fits through a grid, compared with every cell of it in integers: places and
// radii are multiples of an eighth, so integers of 128 bits decide everything.

#include "test.h"
#include "cells/grid.h"

__extension__ typedef __int128 wide;

enum { PART = 8, MOST = 20 };

typedef struct point {
  int64_t x, y;
} point;

static wide dot(point a, point b, point c) {
  return (wide)(b.x - a.x) * (c.x - a.x) + (wide)(b.y - a.y) * (c.y - a.y);
}

static wide cross(point a, point b, point c) {
  return (wide)(b.x - a.x) * (c.y - a.y) - (wide)(b.y - a.y) * (c.x - a.x);
}

// Whether p is nearer to the segment from a to b than r.
static bool near_segment(point p, point a, point b, int64_t r) {
  wide length = dot(a, b, b), along = dot(a, b, p), rr = (wide)r * r;
  if (along <= 0) return dot(p, a, a) < rr;
  if (along >= length) return dot(p, b, b) < rr;
  wide c = cross(a, b, p);
  return c * c < rr * length;
}

static int side(point a, point b, point c) {
  wide v = cross(a, b, c);
  return (v > 0) - (v < 0);
}

static bool segments_cross(point a, point b, point c, point d) {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

static bool in_cell(point p, point low) {
  return p.x >= low.x && p.x <= low.x + PART && p.y >= low.y && p.y <= low.y + PART;
}

static bool overlaps(point a, point b, int64_t r, point low) {
  static const int ring[5][2] = {{0, 0}, {PART, 0}, {PART, PART}, {0, PART}, {0, 0}};
  if (in_cell(a, low) || in_cell(b, low)) return true;
  for (int i = 0; i < 4; i++) {
    point p = {low.x + ring[i][0], low.y + ring[i][1]};
    point q = {low.x + ring[i + 1][0], low.y + ring[i + 1][1]};
    if (near_segment(p, a, b, r) || near_segment(a, p, q, r) || near_segment(b, p, q, r))
      return true;
    if (segments_cross(a, b, p, q)) return true;
  }
  return false;
}

static cl_grid *make_grid(int w, int h, double share) {
  static const double origin[2] = {0, 0};
  cl_alloc alloc = cl_alloc_default();
  cl_grid *grid;
  if (cl_grid_new(&alloc, 2, (int64_t[]){w, h}, (double[]){1, 1}, origin, &grid) != CL_OK) abort();
  for (int i = 0; i < w * h; i++) grid->bytes[i] = test_uniform(0, 1) < share;
  return grid;
}

static bool clear_by_all(const cl_grid *grid, point a, point b, int64_t r) {
  for (int64_t y = 0; y < grid->size[1]; y++) {
    for (int64_t x = 0; x < grid->size[0]; x++) {
      bool solid = *cl_grid_at(grid, (const int64_t[3]){x, y, 0}) != 0;
      if (solid && overlaps(a, b, r, (point){x * PART, y * PART})) return false;
    }
  }
  return true;
}

// A coordinate around a grid of `n` cells, sometimes far out, in parts.
static int64_t random_part(int n) {
  int64_t v = test_int(-4 * PART, (n + 4) * PART);
  switch (test_int(0, 9)) {
  case 0: return v / PART * PART;
  case 1: return v / 4 * 4;
  case 2: return v + (int64_t)test_int(-1000, 1000) * 1000 * PART;
  default: return v;
  }
}

static void check(const cl_grid *grid, point a, point b, int64_t r, long *clear) {
  const double from[2] = {(double)a.x / PART, (double)a.y / PART};
  const double to[2] = {(double)b.x / PART, (double)b.y / PART};
  bool want = clear_by_all(grid, a, b, r);
  bool got = cl_grid_is_clear(grid, from, to, (double)r / PART);
  CHECK_MSG(got == want, "%d: from (%g, %g) to (%g, %g) by %g in %d x %d", want, from[0], from[1],
            to[0], to[1], (double)r / PART, (int)grid->size[0], (int)grid->size[1]);
  *clear += want;
}

static void every_cell(void) {
  long clear = 0, ways = 0;
  for (long n = test_rounds(3000); n > 0; n--) {
    static const double shares[5] = {0.01, 0.03, 0.1, 0.3, 0.02};
    int w = test_int(1, MOST), h = test_int(1, MOST);
    cl_grid *grid = make_grid(w, h, shares[test_int(0, 4)]);
    for (int k = 0; k < 40; k++, ways++) {
      point a = {random_part(w), random_part(h)}, b = {random_part(w), random_part(h)};
      switch (test_int(0, 7)) {
      case 0: b.x = a.x; break;
      case 1: b.y = a.y; break;
      case 2: b = a; break;
      case 3: b.y = a.y + (b.x - a.x); break; // along a diagonal
      case 4: b = (point){a.x + 3 * (b.x - a.x) / 5 * 5, a.y + 4 * (b.x - a.x) / 5 * 5}; break;
      default: break;
      }
      check(grid, a, b, test_int(0, 3) ? test_int(1, 2 * PART) : test_int(1, 6 * PART), &clear);
    }
    cl_grid_release(grid);
  }
  CHECK_MSG(clear > ways / 5 && clear < ways * 4 / 5, "%ld of %ld are clear", clear, ways);
}

// A circle fits through a passage exactly as wide as itself, and not if it is larger by one unit in
// the last place, also along a slanted way (3, 4, 5).
static void exactly_wide_enough(void) {
  cl_grid *grid = make_grid(40, 40, 0);
  for (int64_t x = 0; x < 40; x++) {
    cl_grid_set(grid, (const int64_t[3]){x, 10, 0}, 1);
    cl_grid_set(grid, (const int64_t[3]){x, 13, 0}, 1);
  }
  const double from[2] = {-5, 12}, to[2] = {50, 12};
  CHECK(cl_grid_is_clear(grid, from, to, 1));
  CHECK(!cl_grid_is_clear(grid, from, to, nextafter(1, 2)));
  CHECK(!cl_grid_is_clear(grid, (const double[2]){-5, nextafter(12, 13)}, to, 1));
  CHECK(!cl_grid_is_clear(grid, from, (const double[2]){50, nextafter(12, 11)}, 1));
  cl_grid_release(grid);
  grid = make_grid(40, 40, 0);
  cl_grid_set(grid, (const int64_t[3]){20, 20, 0}, 1);
  // Ways in the direction 3, 4 at a distance of exactly 5 from the corner 20, 21.
  const double start[2] = {20 - 4 - 9, 21 + 3 - 12}, end[2] = {20 - 4 + 9, 21 + 3 + 12};
  CHECK(cl_grid_is_clear(grid, start, end, 5));
  CHECK(!cl_grid_is_clear(grid, start, end, nextafter(5, 6)));
  CHECK(!cl_grid_is_clear(grid, (const double[2]){nextafter(start[0], 9), start[1]}, end, 5));
  cl_grid_release(grid);
}

// The unit of the grid does not matter: with all lengths multiplied by 2^k the result is the same,
// and next to a wall the radius is exact to the last bit.
static void any_unit(void) {
  cl_alloc alloc = cl_alloc_default();
  for (long n = test_rounds(3000); n > 0; n--) {
    double cell = test_uniform(0.1, 100),
           origin[2] = {test_uniform(-1e3, 1e3), test_uniform(-9, 9)};
    cl_grid *grid, *scaled;
    int k = test_int(-900, 30);
    double origin_scaled[2] = {ldexp(origin[0], k), ldexp(origin[1], k)};
    REQUIRE(cl_grid_new(&alloc, 2, (int64_t[]){9, 9}, (double[]){cell, cell}, origin, &grid) ==
            CL_OK);
    REQUIRE(cl_grid_new(&alloc, 2, (int64_t[]){9, 9}, (double[]){ldexp(cell, k), ldexp(cell, k)},
                        origin_scaled, &scaled) == CL_OK);
    for (int i = 0; i < 6; i++) {
      const int64_t at[3] = {test_int(0, 8), test_int(0, 8), 0};
      cl_grid_set(grid, at, 1);
      cl_grid_set(scaled, at, 1);
    }
    for (int i = 0; i < 10; i++) {
      double ends[4], ends_scaled[4];
      for (int e = 0; e < 4; e++) {
        ends[e] = origin[e % 2] + cell * (test_int(0, 1) ? test_int(-1, 10) : test_uniform(-1, 10));
        ends_scaled[e] = ldexp(ends[e], k);
      }
      double r = cell * (test_int(0, 1) ? test_int(1, 4) / 2.0 : test_uniform(0.1, 2));
      CHECK(cl_grid_is_clear(grid, ends, ends + 2, r) ==
            cl_grid_is_clear(scaled, ends_scaled, ends_scaled + 2, ldexp(r, k)));
    }
    cl_grid_fill(grid, (const int64_t[3]){0, 0, 0}, (const int64_t[3]){9, 9, 1}, 0);
    cl_grid_fill(grid, (const int64_t[3]){0, 0, 0}, (const int64_t[3]){9, 2, 1}, 1);
    double wall = origin[1] + 2 * cell, r = test_uniform(0.1, 3) * cell, y = wall + r;
    const double from[2] = {origin[0] - cell, y}, to[2] = {origin[0] + 10 * cell, y};
    // The difference is rounded, by less than one unit in the last place.
    CHECK(cl_grid_is_clear(grid, from, to, nextafter(y - wall, 0)));
    CHECK(!cl_grid_is_clear(grid, from, to, nextafter(y - wall, INFINITY)));
    cl_grid_release(grid);
    cl_grid_release(scaled);
  }
}

// A way far longer than the grid, or far away, takes no more steps than the grid has rows.
static void far_ends(void) {
  cl_grid *grid = make_grid(30, 30, 0);
  cl_grid_set(grid, (const int64_t[3]){15, 15, 0}, 9);
  const double far = 0x1p50;
  CHECK(!cl_grid_is_clear(grid, (const double[2]){-far, -far}, (const double[2]){far, far}, 1));
  CHECK(!cl_grid_is_clear(grid, (const double[2]){-far, 15.5}, (const double[2]){far, 15.5}, 1e-9));
  CHECK(cl_grid_is_clear(grid, (const double[2]){-far, 17}, (const double[2]){far, 17}, 1));
  CHECK(
      !cl_grid_is_clear(grid, (const double[2]){-far, 17}, (const double[2]){far, 17}, 1.0000001));
  CHECK(!cl_grid_is_clear(grid, (const double[2]){5, 5}, (const double[2]){5, 6}, far));
  CHECK(cl_grid_is_clear(grid, (const double[2]){far, far}, (const double[2]){far, -far}, 1e12));
  CHECK(cl_grid_is_clear(grid, (const double[2]){16, 0}, (const double[2]){16, 30}, 1e-300) ==
        false);
  CHECK(cl_grid_is_clear(grid, (const double[2]){16.5, 0}, (const double[2]){16.5, 30}, 0.5));
  cl_grid_release(grid);
}

int main(void) {
  RUN(every_cell);
  RUN(exactly_wide_enough);
  RUN(any_unit);
  RUN(far_ends);
  return test_end();
}
