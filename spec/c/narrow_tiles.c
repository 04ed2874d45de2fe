// collide, MIT licence (see LICENSE)
//
// Tiles, compared with the solid cells one by one: whether they overlap, how far apart they are,
// what a cast meets; and the way out, which leads out, is the shortest that a search through all
// places of a box finds, and is the shortest for other shapes, too.

#include "random_shapes.h"

#include "base/tol.h"
#include "geom/shape.h"
#include "geom/tiles.h"

static cl_alloc alloc;

// A random map, and a rectangle the size of one of its cells.
typedef struct map {
  cl_grid *grid;
  cl_shape *tiles, *one;
  cl_placed placed;
  double cell;
  int w, h;
} map;

static map make_map(int most, double cell, double far) {
  map m = {.cell = cell, .w = test_int(1, most), .h = test_int(1, most)};
  int64_t size[2] = {m.w, m.h};
  double origin[2] = {test_int(-3, 3) * cell, test_int(-3, 3) * cell};
  double height = cell * ldexp(1, test_int(-1, 1));
  if (cl_grid_new(&alloc, 2, size, (double[]){cell, height}, origin, &m.grid) != CL_OK) abort();
  static const double shares[6] = {0, 0.1, 0.4, 0.6, 0.9, 1};
  double share = shares[test_int(0, 5)];
  for (int i = 0; i < m.w * m.h; i++) m.grid->bytes[i] = test_uniform(0, 1) < share;
  if (cl_shape_tiles(&alloc, m.grid, NULL, 0, &m.tiles) != CL_OK) abort();
  if (cl_shape_rectangle(&alloc, 0, 0, cell, height, &m.one) != CL_OK) abort();
  m.placed = cl_place(m.tiles, far + test_int(-2, 2) * cell, far, 0);
  return m;
}

static void drop_map(map *m) {
  cl_shape_release(m->tiles);
  cl_shape_release(m->one);
  cl_grid_release(m->grid);
}

static bool solid(const map *m, int x, int y) {
  return x >= 0 && y >= 0 && x < m->w && y < m->h && m->grid->bytes[x + m->w * y];
}

static cl_placed cell_at(const map *m, int x, int y) {
  return cl_place(m->one, cl_tiles_x(&m->placed, x), cl_tiles_y(&m->placed, y), 0);
}

// Whether any solid cell shares area with a box grown by `by`, by the definition.
static bool covers(const map *m, cl_bounds b, double by) {
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++)
      if (solid(m, x, y) && cl_tiles_x(&m->placed, x) < b.r + by &&
          cl_tiles_x(&m->placed, x + 1) > b.l - by && cl_tiles_y(&m->placed, y) < b.b + by &&
          cl_tiles_y(&m->placed, y + 1) > b.t - by)
        return true;
  return false;
}

// All motions along an axis that may free a box: none, and to each side of each line.
static int ways(const map *m, bool vertical, double low, double high, double *out) {
  int count = vertical ? m->w : m->h, n = 0;
  out[n++] = 0;
  for (int i = 0; i <= count; i++) {
    double line = vertical ? cl_tiles_x(&m->placed, i) : cl_tiles_y(&m->placed, i);
    out[n++] = line - low;
    out[n++] = line - high;
  }
  return n;
}

static double shortest(const map *m, cl_bounds b, double room) {
  double across[64], along[64], best = INFINITY;
  int columns = ways(m, true, b.l, b.r, across), rows = ways(m, false, b.t, b.b, along);
  for (int i = 0; i < columns; i++)
    for (int k = 0; k < rows; k++) {
      double x = across[i], y = along[k], far = sqrt(x * x + y * y);
      if (far >= best) continue;
      cl_bounds to = {b.l + x, b.t + y, b.r + x, b.b + y};
      if (!covers(m, to, -room)) best = far;
    }
  return best;
}

static double pick_side(double cell) {
  return test_int(0, 1) ? cell * test_int(1, 6) / 2 : cell * test_uniform(0.01, 4);
}

// Half of all sides are exactly on lines.
static cl_bounds random_box(const map *m) {
  double w = pick_side(m->cell), h = pick_side(m->cell);
  double x = test_uniform(-2, m->w + 1), y = test_uniform(-2, m->h + 1);
  if (test_int(0, 1)) x = floor(x * 2) / 2;
  if (test_int(0, 1)) y = floor(y * 2) / 2;
  x = cl_tiles_x(&m->placed, 0) + x * m->cell, y = cl_tiles_y(&m->placed, 0) + y * m->cell;
  return (cl_bounds){x, y, x + w, y + h};
}

static void check_box(const map *m, cl_bounds b, double room) {
  cl_shape *s;
  if (cl_shape_rectangle(&alloc, 0, 0, b.r - b.l, b.b - b.t, &s) != CL_OK) abort();
  cl_placed p = cl_place(s, b.l, b.t, 0);
  cl_hit h, back;
  b = cl_placed_part_bounds(&p, 0);
  bool hits = cl_overlap(&p, &m->placed, false, &h), wants = covers(m, b, 0);
  CHECK(hits == wants);
  if (hits && wants) {
    double best = shortest(m, b, room);
    CHECK_MSG(fabs(h.depth - best) <= 2 * room, "depth %.17g, shortest %.17g, room %g", h.depth,
              best, room);
    double x = h.nx * h.depth, y = h.ny * h.depth;
    CHECK(!covers(m, (cl_bounds){b.l + x, b.t + y, b.r + x, b.b + y}, -2 * room));
    CHECK(cl_overlap(&m->placed, &p, false, &back));
    CHECK(back.depth == h.depth && back.nx == -h.nx && back.ny == -h.ny);
  }
  cl_shape_release(s);
}

static void boxes_get_free_by_the_shortest_way(void) {
  static const double cells[5] = {16, 10, 0.1, 1e-6, 1e7}, places[4] = {0, 0, 1e6, 1e9};
  for (long i = test_rounds(10000); i > 0; i--) {
    double far = places[test_int(0, 3)], cell = cells[test_int(0, far < 1e6 ? 4 : 2)];
    map m = make_map(8, cell, far);
    double room = CL_SEPARATION_ERROR * (2 * far + 60 * cell);
    for (int k = 0; k < 10; k++) check_box(&m, random_box(&m), room);
    drop_map(&m);
  }
}

// Compares with every solid cell as a separate rectangle.
static void check_cells(const map *m, const cl_placed *p, double room) {
  cl_hit h;
  bool hits = cl_overlap(p, &m->placed, false, &h), touches = cl_overlap(p, &m->placed, true, &h);
  bool want_hits = false, want_touches = false;
  double away = INFINITY;
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++) {
      if (!solid(m, x, y)) continue;
      cl_placed cell = cell_at(m, x, y);
      away = cl_min(away, cl_distance(p, &cell).distance);
      want_hits = want_hits || cl_overlap(p, &cell, false, &h);
      want_touches = want_touches || cl_overlap(p, &cell, true, &h);
    }
  bool thin = (p->shape->flags & CL_SHAPE_THIN) != 0; // along an inner edge it is inside
  CHECK(hits == want_hits || (thin && hits));
  CHECK(touches == want_touches);
  double d = cl_distance(p, &m->placed).distance;
  CHECK_MSG(d == away || fabs(d - away) <= room, "distance %.17g, wanted %.17g", d, away);
}

// How deep a shape still is in the deepest single cell.
static double left_in(const map *m, const cl_placed *p) {
  double deepest = 0;
  cl_hit h;
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++) {
      cl_placed cell = cell_at(m, x, y);
      if (solid(m, x, y) && cl_overlap(p, &cell, false, &h)) deepest = cl_max(deepest, h.depth);
    }
  return deepest;
}

static void check_way_out(const map *m, const cl_placed *p, double room) {
  cl_hit h;
  if (!cl_overlap(p, &m->placed, false, &h)) return;
  cl_placed to = *p;
  to.x += h.nx * h.depth, to.y += h.ny * h.depth;
  double left = left_in(m, &to);
  CHECK_MSG(left <= room, "%g deep after a way of %.17g, kind %d, cell %g at %g, room %g", left,
            h.depth, p->shape->kind, m->cell, p->x, room);
  CHECK(fabs(h.nx * h.nx + h.ny * h.ny - 1) < 1e-12);
  for (int i = 0; i < 40; i++) {
    double sine, cosine, by = h.depth * (i % 4 ? 0.999 : test_uniform(0, 1));
    cl_sincos(test_uniform(0, 6.3), &sine, &cosine);
    cl_placed nearer = *p;
    nearer.x += cosine * by, nearer.y += sine * by;
    CHECK_MSG(left_in(m, &nearer) > 0 || h.depth <= room, "free after %.17g instead of %.17g", by,
              h.depth);
  }
}

// The first of all cells that a cast meets; a cast that touches at the start is not tested.
static void check_cast(const map *m, const cl_placed *p, double room) {
  cl_hit h;
  cl_cast c = {0}, one;
  cl_vec d = {m->cell * test_uniform(-6, 6), m->cell * test_uniform(-6, 6)};
  if (test_int(0, 3) == 0) d.x = 0;
  if (test_int(0, 3) == 0) d.y = 0;
  bool hits = cl_cast_shape(p, d, &m->placed, &c), wants = false;
  double t = 2;
  if (cl_overlap(p, &m->placed, true, &h)) return;
  for (int y = 0; y < m->h; y++)
    for (int x = 0; x < m->w; x++) {
      cl_placed cell = cell_at(m, x, y);
      if (!solid(m, x, y) || !cl_cast_shape(p, d, &cell, &one)) continue;
      wants = true;
      t = cl_min(t, one.t);
    }
  double length = fabs(d.x) + fabs(d.y);
  CHECK_MSG(hits == wants || t > 1 - room / length, "hits %d, wanted %d at %.17g", hits, wants, t);
  if (!hits || !wants) return;
  CHECK_MSG(fabs(c.t - t) * length <= 1e-6 * m->cell + room, "t %.17g, wanted %.17g", c.t, t);
  cl_placed there = *p;
  there.x += d.x * c.t, there.y += d.y * c.t;
  CHECK(cl_distance(&there, &m->placed).distance <= room);
}

static void shapes_agree_with_single_cells(void) {
  static const double cells[3] = {16, 10, 0.1}, places[3] = {0, 1e4, 1e7};
  for (long i = test_rounds(2500); i > 0; i--) {
    double cell = cells[test_int(0, 2)], far = places[test_int(0, 2)];
    map m = make_map(6, cell, far);
    // Corners of nearly parallel sides are off by a multiple of the rounding.
    double room = 1e-8 * 8 * cell + 256 * CL_SEPARATION_ERROR * (far + 8 * cell);
    for (int k = 0; k < 4; k++) {
      cl_shape *s = random_shape(&alloc, test_int(0, KINDS - 1), cell * test_uniform(0.1, 2));
      double angle = test_int(0, 1) ? test_uniform(-7, 7) : 0;
      cl_bounds at = random_box(&m);
      cl_placed p = cl_place(s, at.l, at.t, angle);
      check_cells(&m, &p, room);
      check_way_out(&m, &p, room);
      check_cast(&m, &p, room);
      cl_shape_release(s);
    }
    drop_map(&m);
  }
}

// An end of a ray: anywhere, on lines, at corners, and slightly beside them. Differences of two
// ends are exact.
static double ray_end(double low, double high, double cell) {
  double v = test_uniform(low - 3 * cell, high + 3 * cell);
  switch (test_int(0, 3)) {
  case 0: v = cell * floor(v / cell); break;
  case 1: v = cell * (floor(v / cell) + test_int(1, 3) / 4.0); break;
  case 2: v = cell * floor(v / cell) + test_int(-2, 2) * 0x1p-30; break;
  default: break;
  }
  return 0x1p-30 * floor(v * 0x1p30);
}

// A ray walks from cell to cell; for a moving point the cells are boxes. If the way is exact, both
// give the same result to the bit.
static void rays_are_points_that_move(void) {
  cl_stack_shape point;
  long hits = 0, corners = 0, n = test_rounds(6000);
  cl_stack_circle(&point, 0);
  for (long i = 0; i < n; i++) {
    double cell = test_int(0, 1) ? 1 : 0.75 * test_int(1, 40);
    map m = make_map(30, cell, test_int(0, 3) ? 0 : 1000);
    if (test_int(0, 1)) m.placed.x += 0.1, m.placed.y -= 0.3;
    cl_bounds all;
    all = cl_placed_bounds(&m.placed);
    for (int k = 0; k < 20; k++) {
      double x1 = ray_end(all.l, all.r, cell), y1 = ray_end(all.t, all.b, cell);
      double x2 = ray_end(all.l, all.r, cell), y2 = ray_end(all.t, all.b, cell);
      switch (test_int(0, 5)) {
      case 0: x2 = x1; break;
      case 1: y2 = y1; break;
      case 2: y2 = y1 + (test_int(0, 1) ? x2 - x1 : x1 - x2); break;
      default: break;
      }
      cl_placed at = {&point.shape, x1, y1, {1, 0}};
      cl_cast ray = {0, 0, 0, 0, 0}, moved = ray;
      bool hit = cl_cast_ray(x1, y1, x2, y2, &m.placed, &ray);
      bool want = cl_cast_shape(&at, (cl_vec){x2 - x1, y2 - y1}, &m.placed, &moved);
      bool same = ray.t == moved.t && ray.nx == moved.nx && ray.ny == moved.ny &&
                  ray.x == x1 + moved.t * (x2 - x1) && ray.y == y1 + moved.t * (y2 - y1);
      hits += hit;
      corners += hit && ray.nx != 0 && ray.ny != 0;
      CHECK_MSG(hit == want && (!hit || same),
                "(%a, %a) to (%a, %a), cell %g: t %a, not %a; %g, %g, not %g, %g", x1, y1, x2, y2,
                cell, hit ? ray.t : -1, want ? moved.t : -1, ray.nx, ray.ny, moved.nx, moved.ny);
    }
    drop_map(&m);
  }
  CHECK_MSG(hits > 4 * n, "%ld hits, %ld at corners, of %ld", hits, corners, 20 * n);
}

// Rays along a row that end right before or behind a side: they meet the cell there only if they
// reach it, to the last bit. The ways of the last two change by rounding when they are split.
static void rays_end_beside_sides(void) {
  static const double ends[][3] = {
      {-2, 0, 1.5},
      {-2, -0x1p-1074, 1.5},
      {-2, 0x1p-50, 1.5},
      {-2, -0x1p-50, 1.5},
      {-0x1.124fcca977b3fp+1, 0x1.e2e090d87422cp-45, 0x1.3d37e7e126858p+1},
      {-0x1.3d57c7c504bf3p+1, 0x1.c24885792d694p-45, 0x1.cbff450a3608dp+0}};
  for (int i = 0; i < 400; i++) {
    map m = make_map(6, 1, 0);
    m.placed.x = -m.placed.shape->bounds.l, m.placed.y = -m.placed.shape->bounds.t;
    for (int k = 0; k < 6; k++) {
      double x1 = ends[k][0], x2 = ends[k][1], y = ends[k][2] * m.tiles->cell.y;
      int row = (int)ends[k][2];
      bool want = x2 >= 0 && row < m.h && solid(&m, 0, row);
      cl_cast c = {0};
      bool hit = cl_cast_ray(x1, y, x2, y, &m.placed, &c);
      CHECK_MSG(hit == want, "from %a to %a at %a: %d", x1, x2, y, hit);
      if (hit) CHECK(c.nx == -1 && c.ny == 0 && fabs(c.x) < 1e-12 && c.y == y);
    }
    drop_map(&m);
  }
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(boxes_get_free_by_the_shortest_way);
  RUN(shapes_agree_with_single_cells);
  RUN(rays_are_points_that_move);
  RUN(rays_end_beside_sides);
  return test_end();
}
