// collide, MIT licence (see LICENSE)
//
// The cells that a broad phase reports: each box counts in one, the smallest that contains it.

#include "broad_scenes.h"

typedef struct cells {
  size_t count;
  cl_cell at[MAX_BOXES];
} cells;

static void read_cells(const cl_broad *broad, cells *all) {
  all->count = broad->class->cells(broad, NULL, 0);
  REQUIRE(all->count <= MAX_BOXES);
  CHECK(broad->class->cells(broad, all->at, MAX_BOXES) == all->count);
}

static uint32_t sum(const cells *all) {
  uint32_t n = 0;
  for (size_t i = 0; i < all->count; i++) {
    const cl_cell *cell = &all->at[i];
    CHECK(cell->count > 0 && cell->box.x0 <= cell->box.x1 && cell->box.y0 <= cell->box.y1);
    n += cell->count;
  }
  return n;
}

static void each_box_counts_once(void) {
  static const uint32_t sizes[] = {0, 1, 2, 33, 4097, 1000};
  cl_alloc alloc = cl_alloc_default();
  cl_pairs pairs = {0};
  scene *s = malloc(sizeof *s);
  cells *all = malloc(sizeof *all);
  REQUIRE(s && all);
  for (int at = 0; at < BROADS * FIELDS; at++) {
    cl_broad_def def = field_def(alloc, at / BROADS, at % 2 ? 0 : 7);
    cl_broad *broad = open_broad(at % BROADS, def);
    CHECK(broad->class->cells(broad, NULL, 0) == 0);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
      if (sizes[n] >= 1000 && !test_chosen(at)) continue;
      scene_make(s, (kind)test_int(0, EQUAL - 1), sizes[n]);
      cl_broad_input in = scene_input(s);
      pairs.count = 0;
      CHECK(broad->class->find(broad, &in, &pairs) == CL_OK);
      read_cells(broad, all);
      bool is_brute = strcmp(broad->name, "brute") == 0;
      CHECK_MSG(is_brute ? all->count == 0 : sum(all) == s->count,
                "%s: %u boxes in %zu cells, kind %d", broad_names[at % BROADS], s->count,
                all->count, (int)s->kind);
    }
    broad->class->close(broad);
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  free(all);
}

// It writes no more cells than fit.
static void room_is_kept(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_pairs pairs = {0};
  scene *s = malloc(sizeof *s);
  cells *all = malloc(sizeof *all);
  REQUIRE(s && all);
  for (int b = 1; b < BROADS; b++) {
    cl_broad_def def = field_def(alloc, 0, 4);
    cl_broad *broad = open_broad(b, def);
    scene_make(s, UNIFORM, 40);
    cl_broad_input in = scene_input(s);
    REQUIRE(broad->class->find(broad, &in, &pairs) == CL_OK);
    read_cells(broad, all);
    for (size_t room = 0; room <= all->count; room++) {
      cl_cell some[MAX_BOXES];
      memset(some, 0x7e, sizeof some);
      CHECK(broad->class->cells(broad, some, room) == all->count);
      CHECK(memcmp(some, all->at, room * sizeof *some) == 0);
      for (size_t i = room; i < 41; i++) CHECK(some[i].count == 0x7e7e7e7e);
    }
    broad->class->close(broad);
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  free(all);
}

// The column of a coordinate among those of `level`. In a field whose side is a power of two, all
// lines are exact.
static double column_of(float v, unsigned level) {
  double columns = ldexp(1, (int)level), column = floor(v / SIDE * columns);
  return column < 0 ? 0 : column >= columns ? columns - 1 : column;
}

// The cell where a box should be: the deepest level at which it touches only one cell or, with
// `reach` 1, two neighbours on both axes.
static cl_fbox home_of(cl_fbox box, unsigned depth, double reach) {
  for (unsigned level = depth;; level--) {
    double x = column_of(box.x0, level), y = column_of(box.y0, level);
    double w = column_of(box.x1, level) - x, h = column_of(box.y1, level) - y;
    if (w > reach || h > reach) continue;
    double side = ldexp(SIDE, -(int)level);
    return box_at(x * side, y * side, side, side);
  }
}

static bool same(cl_fbox a, cl_fbox b) {
  return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
}

static void boxes_are_in_the_smallest_cell(void) {
  static const kind kinds[] = {UNIFORM, ASTRIDE, EDGE, OUTSIDE, LATTICE, NEIGHBOURS, POINTS};
  cl_alloc alloc = cl_alloc_default();
  cl_pairs pairs = {0};
  scene *s = malloc(sizeof *s);
  cells *all = malloc(sizeof *all);
  REQUIRE(s && all);
  for (long i = test_rounds(3000); i > 0; i--) {
    int b = test_int(1, TREES - 1);
    cl_broad_def def = field_def(alloc, 0, (unsigned)test_int(1, CL_BROAD_MAX_DEPTH));
    cl_broad *broad = open_broad(b, def);
    scene_make(s, kinds[test_int(0, 6)], (uint32_t)test_int(1, 60));
    cl_broad_input in = scene_input(s);
    pairs.count = 0;
    REQUIRE(broad->class->find(broad, &in, &pairs) == CL_OK);
    read_cells(broad, all);
    for (uint32_t n = 0; n < s->count; n++) {
      cl_fbox home = home_of(s->box[n], def.depth, b == TREES - 1);
      size_t c = 0;
      while (c < all->count && !same(all->at[c].box, home)) c++;
      CHECK_MSG(c < all->count, "%s: no cell %g %g %g %g", broad_names[b], (double)home.x0,
                (double)home.y0, (double)home.x1, (double)home.y1);
      if (c < all->count) all->at[c].count--;
    }
    for (size_t c = 0; c < all->count; c++) CHECK(all->at[c].count == 0);
    broad->class->close(broad);
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  free(all);
}

// Boxes that are too far apart for a grid to have a cell for each place are still few in each cell,
// on all sides of 0.
static void sparse_boxes_share_few_cells(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_pairs pairs = {0};
  scene *s = malloc(sizeof *s);
  cells *all = malloc(sizeof *all);
  REQUIRE(s && all);
  for (int b = TREES; b < BROADS; b++) {
    cl_broad *broad = open_broad(b, field_def(alloc, 0, 7));
    s->count = 1000;
    s->some_fixed = s->in_doubles = false;
    for (uint32_t i = 0; i < s->count; i++) {
      float x = (float)test_uniform(-1e6, 1e6), y = (float)test_uniform(-1e6, 1e6);
      s->box[i] = (cl_fbox){x, y, x + 10, y + 10};
    }
    cl_broad_input in = scene_input(s);
    CHECK(broad->class->find(broad, &in, &pairs) == CL_OK);
    read_cells(broad, all);
    CHECK(sum(all) == s->count);
    for (size_t i = 0; i < all->count; i++)
      CHECK_MSG(all->at[i].count < 20, "%u boxes in a cell", all->at[i].count);
    broad->class->close(broad);
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  free(all);
}

int main(void) {
  RUN(each_box_counts_once);
  RUN(room_is_kept);
  RUN(boxes_are_in_the_smallest_cell);
  RUN(sparse_boxes_share_few_cells);
  return test_end();
}
