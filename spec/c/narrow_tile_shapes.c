// collide, MIT licence (see LICENSE)
//
// Tiles with shapes by value, compared with their cells one by one as separate polygons: what they
// contain, whether they overlap or touch, how far apart they are, what rays and moving shapes meet,
// whether the way out leads out (narrow_mtv.c searches for a shorter one), and the faces that
// contacts report.

#include "tile_sets.h"

#include "base/tol.h"

enum { MOST_CELLS = 64, POOL = 40 };

static cl_alloc alloc;

typedef struct map {
  cl_shape *tiles, *cell[MOST_CELLS];
  cl_placed placed, at[MOST_CELLS];
  int count, w, h;
  double side, size; // of a cell; of the coordinates
} map;

static map make_map(bool sharp) {
  static const double sides[5] = {1, 2, 0.5, 0.3, 7}, fars[4] = {0, 0, 100, 1e6};
  map m = {.w = test_int(1, 6), .h = test_int(1, 6), .side = sides[test_int(0, 4)]};
  const int64_t size[3] = {m.w, m.h, 1};
  double far = fars[test_int(0, 3)];
  const double origin[3] = {test_int(-3, 3) * m.side, test_int(-3, 3) * m.side, 0};
  m.tiles = shaped_tiles(&alloc, size, m.side, origin, test_int(1, 4) / 4.0, sharp);
  m.placed = cl_place(m.tiles, far + test_int(-2, 2) * 0.5, far, 0);
  m.size = 2 * far + 20 * m.side + 20;
  for (int row = 0; row < m.h; row++)
    for (int column = 0; column < m.w; column++) {
      cl_shape *s = cell_shape(&alloc, m.tiles, column, row);
      if (!s) continue;
      m.cell[m.count] = s;
      m.at[m.count++] = (cl_placed){s, m.placed.x, m.placed.y, {1, 0}};
    }
  return m;
}

static void drop_map(map *m) {
  for (int i = 0; i < m->count; i++) cl_shape_release(m->cell[i]);
  cl_shape_release(m->tiles);
}

// A place on the map's lines, or anywhere near the map.
static cl_vec pick_place(const map *m) {
  double x = test_uniform(-2, m->w + 2), y = test_uniform(-2, m->h + 2);
  if (test_int(0, 1)) x = floor(x * 4) / 4;
  if (test_int(0, 1)) y = floor(y * 4) / 4;
  return (cl_vec){cl_tiles_x(&m->placed, 0) + x * m->side, cl_tiles_y(&m->placed, 0) + y * m->side};
}

static cl_shape *pick_shape(const map *m) {
  cl_shape *s = NULL;
  double w = m->side * test_int(1, 12) / 4, h = m->side * test_int(1, 12) / 4;
  switch (test_int(0, 4)) {
  case 0: cl_shape_rectangle(&alloc, 0, 0, w, h, &s); break;
  case 1: cl_shape_circle(&alloc, 0, 0, w / 2, &s); break;
  case 2: cl_shape_segment(&alloc, 0, 0, w, test_int(-1, 1) * h, &s); break;
  default: return random_shape(&alloc, test_int(0, KINDS - 1), 2 * m->side);
  }
  return s;
}

static bool thin(const cl_shape *s) { return s->flags & CL_SHAPE_THIN; }

static bool any_cell(const map *m, const cl_placed *b, bool touching) {
  cl_hit h;
  bool any = false;
  for (int i = 0; i < m->count && !any; i++) any = cl_overlap(&m->at[i], b, touching, &h);
  return any;
}

static bool in_any(const map *m, double x, double y) {
  bool in = false;
  for (int i = 0; i < m->count && !in; i++) in = cl_placed_contains(&m->at[i], x, y);
  return in;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The fractions of a segment at which corners of cells are on it or round cells touch it, in
// ascending order: the cells beside it change only there.
static int changes_along(const map *m, cl_vec p, cl_vec e, double at[MOST_CELLS * 16 + 2]) {
  int n = 0;
  double length = hypot(e.x, e.y);
  at[n++] = 0, at[n++] = 1;
  for (int i = 0; i < m->count; i++) {
    const cl_part *part = m->at[i].shape->parts;
    for (uint32_t k = 0; k < part->count; k++) {
      cl_vec d = cl_vec_sub(cl_placed_vertex(&m->at[i], k), p);
      double t = cl_vec_dot(d, e) / (length * length);
      bool near = fabs(cl_vec_cross(d, e)) / length <= part->radius + 1e-6 * m->side;
      if (near && t > 0 && t < 1) at[n++] = t;
    }
  }
  qsort(at, (size_t)n, sizeof *at, by_size);
  return n;
}

// Whether a segment runs along a border of cells with area on both sides of it: 1 or 0, or -1 if
// corners are too near each other to tell. Tests points slightly beside it, between the places
// where that changes.
static int runs_inside(const map *m, const cl_placed *b) {
  double at[MOST_CELLS * 16 + 2], off = 1e-9 * m->side;
  cl_vec p = cl_placed_vertex(b, 0), q = cl_placed_vertex(b, 1), e = cl_vec_sub(q, p);
  cl_vec n = {-e.y, e.x};
  int count = changes_along(m, p, e, at), result = 0;
  double length = cl_vec_normalise(&n);
  for (int i = 1; i < count; i++) {
    double apart = (at[i] - at[i - 1]) * length;
    cl_vec mid = cl_vec_add(p, cl_vec_mul(e, (at[i] + at[i - 1]) / 2));
    if (apart < 1e-9 * m->side) continue;
    if (apart < 1e-4 * m->side) result = -1;
    else if (in_any(m, mid.x + off * n.x, mid.y + off * n.y) &&
             in_any(m, mid.x - off * n.x, mid.y - off * n.y))
      return 1;
  }
  return result;
}

// How deep a shape that is at most `error` deep in each cell may still be in the tiles. Between a
// round cell and another, the gap is so narrow that a shape has to go back far along it.
static double left_in_tiles(const map *m, const cl_placed *b, double error) {
  int cells = 0, round = 0;
  for (int i = 0; i < m->count; i++)
    if (cl_distance(&m->at[i], b).distance <= error)
      cells++, round += m->at[i].shape->parts->radius > 0;
  return cells > 1 && round > 0 ? sqrt(error * m->side) : error;
}

static void check_overlap(const map *m, const cl_placed *b) {
  cl_hit h, back, left;
  bool open = any_cell(m, b, false), closed = any_cell(m, b, true);
  bool got = cl_overlap(&m->placed, b, false, &h), touch = cl_overlap(&m->placed, b, true, &back);
  CHECK_MSG(touch == closed, "touch: %d, cells: %d", touch, closed);
  if (!thin(b->shape)) CHECK_MSG(got == open, "overlap: %d, cells: %d", got, open);
  else if (b->shape->kind == CL_SEGMENT && !open && m->size < 1e3) {
    int inside = runs_inside(m, b);
    CHECK_MSG(inside < 0 || got == inside, "a segment overlaps: %d", got);
  } else CHECK(got || !open);
  CHECK(cl_overlaps(b, &m->placed, false) == got && cl_overlaps(b, &m->placed, true) == touch);
  if (touch) CHECK_MSG(fabs(hypot(back.nx, back.ny) - 1) < 1e-9, "normal %g, %g", back.nx, back.ny);
  if (!got) return;
  cl_hit swapped;
  CHECK(cl_overlap(b, &m->placed, false, &swapped));
  CHECK(swapped.nx == -h.nx && swapped.ny == -h.ny && swapped.depth == h.depth);
  // The way out of the tiles, by which the shape gets free.
  cl_placed out = *b;
  out.x += swapped.nx * swapped.depth, out.y += swapped.ny * swapped.depth;
  bool still = cl_overlap(&out, &m->placed, false, &left);
  CHECK_MSG(!still || left.depth <= left_in_tiles(m, &out, 0x1p-40 * m->size),
            "%g, %g by %g leaves %g", swapped.nx, swapped.ny, swapped.depth, left.depth);
  for (int i = 0; i < m->count; i++)
    if (cl_overlap(&out, &m->at[i], false, &left))
      CHECK_MSG(left.depth <= 0x1p-40 * m->size, "%g, %g by %g leaves %g in a cell", swapped.nx,
                swapped.ny, swapped.depth, left.depth);
}

static void check_distance(const map *m, const cl_placed *b) {
  cl_gap got = cl_distance(&m->placed, b);
  double least = INFINITY;
  for (int i = 0; i < m->count; i++) least = cl_min(least, cl_distance(&m->at[i], b).distance);
  if (m->count == 0) {
    CHECK(got.distance == INFINITY);
    return;
  }
  CHECK_MSG((got.distance == 0) == (least == 0), "%g, cells %g", got.distance, least);
  CHECK_MSG(fabs(got.distance - least) <= 1e-12 * m->size, "%.17g, cells %.17g", got.distance,
            least);
  double apart = hypot(got.a.x - got.b.x, got.a.y - got.b.y);
  CHECK_MSG(fabs(apart - got.distance) <= 1e-10 * m->size, "%g, but points %g apart", got.distance,
            apart);
}

// Entries of contacts lead out of their own cells, and are at points of both shapes.
static void check_contacts(const map *m, const cl_placed *b) {
  static cl_contact c[CL_CONTACTS_MOST], back[CL_CONTACTS_MOST];
  cl_hit h, left;
  int n = cl_contacts(b, &m->placed, false, c);
  int k = cl_contacts(&m->placed, b, false, back);
  CHECK(n == k && (n > 0) == cl_overlap(b, &m->placed, false, &h));
  for (int i = 0; i < n && i < k; i++) {
    CHECK(c[i].is_tile && c[i].value == cl_tiles_value(m->tiles, c[i].column, c[i].row));
    CHECK(c[i].nx == -back[i].nx && c[i].ny == -back[i].ny && c[i].depth == back[i].depth);
    CHECK(c[i].x == back[i].x && c[i].y == back[i].y);
    CHECK_MSG(fabs(hypot(c[i].nx, c[i].ny) - 1) < 1e-9, "normal %g, %g", c[i].nx, c[i].ny);
    CHECK(c[i].depth >= 0);
    if (n == 1 || b->shape->part_count != 1) continue;
    cl_shape *one = cell_shape(&alloc, m->tiles, c[i].column, c[i].row);
    REQUIRE(one);
    cl_placed at = {one, m->placed.x, m->placed.y, {1, 0}}, out = *b;
    out.x += c[i].nx * c[i].depth, out.y += c[i].ny * c[i].depth;
    if (cl_overlap(&out, &at, false, &left))
      CHECK_MSG(left.depth <= 1e-9 * m->size, "%g, %g by %g leaves %g", c[i].nx, c[i].ny,
                c[i].depth, left.depth);
    cl_shape_release(one);
  }
}

static void overlaps(void) {
  for (long i = test_rounds(2500); i > 0; i--) {
    map m = make_map(test_int(0, 1));
    for (int k = 0; k < POOL; k++) {
      cl_shape *s = pick_shape(&m);
      cl_vec at = pick_place(&m);
      cl_placed b = cl_place(s, at.x, at.y, test_int(0, 2) ? 0 : test_uniform(0, 6));
      check_overlap(&m, &b);
      check_distance(&m, &b);
      check_contacts(&m, &b);
      cl_shape_release(s);
      cl_vec p = pick_place(&m);
      CHECK(cl_placed_contains(&m.placed, p.x, p.y) == in_any(&m, p.x, p.y));
      double d = INFINITY;
      for (int c = 0; c < m.count; c++) d = cl_min(d, cl_distance_point(&m.at[c], p.x, p.y));
      if (m.count > 0) CHECK(fabs(cl_distance_point(&m.placed, p.x, p.y) - d) <= 1e-12 * m.size);
    }
    drop_map(&m);
  }
}

static void check_cast(const map *m, bool hit, const cl_cast *got, bool wanted, double t,
                       cl_vec d) {
  CHECK_MSG(hit == wanted, "hit %d, cells %d, at %g", hit, wanted, t);
  if (!hit || !wanted) return;
  double length = hypot(d.x, d.y), error = 256 * CL_ROUND * (m->size + length);
  CHECK_MSG(fabs(got->t - t) * length <= error, "t %.17g, cells %.17g", got->t, t);
  if (got->nx != 0 || got->ny != 0) {
    CHECK(fabs(hypot(got->nx, got->ny) - 1) < 1e-9);
    CHECK_MSG(got->nx * d.x + got->ny * d.y <= 1e-6 * length, "normal %g, %g along %g, %g", got->nx,
              got->ny, d.x, d.y);
  }
}

// So far away that the rounded point of a contact is beside the tiles: the contact still has its
// cell.
static void contacts_beside_the_tiles_are_of_a_cell(void) {
  const double slope[] = {0, 0.5, 1, 1, 0, 1};
  cl_shape *look, *capsule;
  cl_grid *grid;
  cl_fault fault;
  map m = {.w = 1, .h = 2, .side = 1, .size = 2e10};
  REQUIRE(cl_shape_polygon(&alloc, slope, 3, &fault, &look) == CL_OK);
  REQUIRE(cl_grid_new(&alloc, 2, (int64_t[3]){1, 2, 1}, (double[]){1, 1}, (double[3]){-1, 0, 0},
                      &grid) == CL_OK);
  memset(grid->bytes, 5, 2);
  const cl_tile_look looks[] = {{.value = 5, .shape = look}};
  REQUIRE(cl_shape_tiles(&alloc, grid, looks, 1, &m.tiles) == CL_OK);
  REQUIRE(cl_shape_capsule(&alloc, -0x1.599eb910fb2ccp-3, 0x1.d029b6d4d75p-8, -0x1.be8a303f1714ep-4,
                           -0x1.40e6c38a11cp-3, 0x1.4f681140b87a8p-3, &capsule) == CL_OK);
  m.placed = cl_place(m.tiles, 1e10, 1e10, 0);
  for (int row = 0; row < 2; row++) {
    m.cell[row] = cell_shape(&alloc, m.tiles, 0, row);
    m.at[m.count++] = (cl_placed){m.cell[row], 1e10, 1e10, {1, 0}};
  }
  cl_rot rot = {-0x1.a79394c9e8a0ap-53, -1};
  const cl_placed b = {capsule, 0x1.2a05f1ff86fa5p+33, 0x1.2a05f20016fafp+33, rot};
  cl_contact c[CL_CONTACTS_MOST];
  check_overlap(&m, &b);
  check_contacts(&m, &b);
  CHECK(cl_contacts(&m.placed, &b, false, c) == 1 && c[0].column == 0 && c[0].row == 0);
  CHECK(c[0].x < cl_tiles_x(&m.placed, 0) && c[0].x > cl_tiles_x(&m.placed, 0) - 1e-3);
  cl_shape_release(look);
  cl_shape_release(capsule);
  cl_grid_release(grid);
  drop_map(&m);
}

static void casts(void) {
  for (long i = test_rounds(2500); i > 0; i--) {
    map m = make_map(test_int(0, 1));
    for (int k = 0; k < POOL; k++) {
      cl_vec p = pick_place(&m), q = pick_place(&m), d = cl_vec_sub(q, p);
      cl_cast got = {0}, one;
      double t = INFINITY;
      bool wanted = false, starts = in_any(&m, p.x, p.y);
      bool hit = cl_cast_ray(p.x, p.y, q.x, q.y, &m.placed, &got);
      for (int c = 0; c < m.count; c++)
        if (cl_cast_ray(p.x, p.y, q.x, q.y, &m.at[c], &one)) wanted = true, t = cl_min(t, one.t);
      if (!starts) check_cast(&m, hit, &got, wanted, t, d);
      cl_shape *s = pick_shape(&m);
      cl_placed a = cl_place(s, p.x, p.y, test_int(0, 2) ? 0 : test_uniform(0, 6));
      wanted = false, t = INFINITY;
      hit = cl_cast_shape(&a, d, &m.placed, &got);
      if (!any_cell(&m, &a, true)) {
        for (int c = 0; c < m.count; c++)
          if (cl_cast_shape(&a, d, &m.at[c], &one)) wanted = true, t = cl_min(t, one.t);
        check_cast(&m, hit, &got, wanted, t, d);
      } else if (any_cell(&m, &a, false)) {
        CHECK(hit && got.t == 0 && got.nx == 0 && got.ny == 0);
      }
      cl_shape_release(s);
    }
    drop_map(&m);
  }
}

static bool same_answer(const cl_placed *a, const cl_placed *b, bool touching, const cl_hit *want) {
  cl_hit got = {0, 0, -1};
  return cl_overlap(a, b, touching, &got) == (want->depth >= 0) && got.nx == want->nx &&
         got.ny == want->ny && got.depth == want->depth;
}

// If two maps are at one place, which of them counts as the map depends on the shapes of their
// cells, and not on whether they were made of the same list of shapes. Where these differ, swapping
// the two reverses the vector.
static void cell_shapes_decide_the_order_of_tiles(void) {
  long apart = 0;
  for (long i = test_rounds(100); i > 0; i--) {
    cl_grid *grid;
    cl_shape *tiles[4], *form[2];
    const int64_t size[3] = {test_int(1, 4), test_int(1, 4), 1};
    if (cl_grid_new(&alloc, 2, size, (double[]){2, 2}, (double[3]){0, 0, 0}, &grid) != CL_OK)
      abort();
    for (int64_t k = 0; k < size[0] * size[1]; k++) grid->bytes[k] = (uint8_t)test_int(0, 3);
    form[0] = tile_form(&alloc, test_int(0, 1));
    cl_shape_rectangle(&alloc, 0, 0, 1, (2 * test_int(0, 3) + 1) / 8.0, &form[1]);
    for (int k = 0; k < 3; k++) { // the last has its shapes swapped
      const cl_tile_look looks[] = {{.value = 2, .shape = form[k == 2]},
                                    {.value = 3, .shape = form[k != 2]}};
      if (cl_shape_tiles(&alloc, grid, looks, 2, &tiles[k]) != CL_OK) abort();
    }
    if (cl_tiles_moved(tiles[0], (cl_vec){0, 0}, (cl_vec){2, 2}, &tiles[3]) != CL_OK) abort();
    cl_placed at[4];
    for (int k = 0; k < 4; k++) at[k] = cl_place(tiles[k], 5, 7, 0);
    for (int touching = 0; touching < 2; touching++) {
      cl_hit h = {0, 0, -1}, back = h;
      cl_overlap(&at[0], &at[3], touching, &h);
      CHECK(same_answer(&at[0], &at[1], touching, &h) && same_answer(&at[1], &at[0], touching, &h));
      h = back;
      bool hit = cl_overlap(&at[0], &at[2], touching, &h);
      CHECK(cl_overlap(&at[2], &at[0], touching, &back) == hit);
      bool reversed = h.nx == 0.0 - back.nx && h.ny == 0.0 - back.ny && h.depth == back.depth;
      bool has_looks = memchr(grid->bytes, 2, (size_t)(size[0] * size[1])) ||
                       memchr(grid->bytes, 3, (size_t)(size[0] * size[1]));
      CHECK(!hit || !has_looks || reversed);
      apart += hit && has_looks;
    }
    for (int k = 0; k < 4; k++) cl_shape_release(tiles[k]);
    for (int k = 0; k < 2; k++) cl_shape_release(form[k]);
    cl_grid_release(grid);
  }
  CHECK(apart > 20 || test_rounds(100) < 100);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(overlaps);
  RUN(contacts_beside_the_tiles_are_of_a_cell);
  RUN(casts);
  RUN(cell_shapes_decide_the_order_of_tiles);
  return test_end();
}
