// collide, MIT licence (see LICENSE)
//
// Rays through the tree, the list and the grid of boxes: the first box on the way is that of a loop
// over all boxes, also if several are touched at once, and a structure that ran out of memory finds
// nothing. A tree of crowds has each box once, and boxes that move in a tree are found.

#include "test.h"

#include "checked_alloc.h"

#include "geom/box.h"
#include "query/bvh.h"

enum { MOST = 300, SIZES = 4 };

typedef struct boxes {
  uint32_t count;
  cl_shape *shape[SIZES];
  cl_placed at[MOST];
  cl_fbox box[MOST];
} boxes;

// The first hit of a ray; of several at once, the one with the smallest number.
typedef struct first {
  const boxes *all;
  cl_way way;
  uint32_t number;
  double t;
} first;

static double try_box(void *user, uint32_t number, double most) {
  first *f = user;
  cl_way w = f->way;
  cl_cast cast;
  if (!cl_cast_ray(w.x, w.y, w.x + w.dx, w.y + w.dy, &f->all->at[number], &cast)) return most;
  if (cast.t < f->t || (cast.t == f->t && number < f->number)) {
    f->t = cast.t;
    f->number = number;
  }
  return f->t < most ? f->t : most;
}

// Evenly spread, or at integers so that edges are shared; sometimes all far away.
static void make(boxes *b) {
  bool whole = test_int(0, 1);
  double side = test_uniform(10, 400), out = test_int(0, 4) ? 0 : test_uniform(-1e6, 1e6);
  if (whole) out = floor(out);
  b->count = (uint32_t)test_int(1, test_int(1, MOST));
  for (uint32_t i = 0; i < b->count; i++) {
    double x = test_uniform(0, side), y = test_uniform(0, side);
    cl_bounds r;
    b->at[i] = cl_place(b->shape[test_int(0, SIZES - 1)], out + (whole ? floor(x) : x),
                        out + (whole ? floor(y) : y), 0);
    r = cl_placed_bounds(&b->at[i]);
    b->box[i] = cl_fbox_of(r.l, r.t, r.r, r.b);
  }
}

static double coordinate(double low, double high) {
  double v = test_uniform(2 * low - high, 2 * high - low);
  return test_int(0, 1) ? floor(v) : v;
}

static cl_way make_way(const cl_fbox *in) {
  double far = test_int(0, 9) ? 1 : test_uniform(1, 1e6);
  cl_way w = {coordinate(in->x0, in->x1), coordinate(in->y0, in->y1), 0, 0, {0, 0, 0, 0}};
  w.dx = coordinate(in->x0, in->x1) - w.x;
  w.dy = coordinate(in->y0, in->y1) - w.y;
  switch (test_int(0, 9)) {
  case 0: w.dx = 0; break;
  case 1: w.dy = 0; break;
  case 2: w.dy = test_int(0, 1) ? w.dx : -w.dx; break;
  case 3: w.dx *= 0x1p-20; break;
  case 4: w.dx = w.dy = 0; break;
  default: break;
  }
  w.x -= w.dx * (far - 1);
  w.y -= w.dy * (far - 1);
  w.dx *= far;
  w.dy *= far;
  return w;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// A box touches the same boxes in the tree as in the list, in any order of numbers.
static void check_box(const boxes *b, const cl_bvh *tree, const cl_alloc *alloc) {
  cl_found by_tree = {0}, by_list = {0};
  cl_way way = make_way(&tree->bounds);
  cl_bounds box =
      cl_bounds_swept((cl_bounds){way.x, way.y, way.x, way.y}, (cl_vec){way.dx, way.dy});
  const uint32_t *list = test_int(0, 1) ? tree->id : NULL;
  REQUIRE(cl_bvh_query(tree, alloc, box, &by_tree) == CL_OK);
  REQUIRE(cl_boxes_query(b->box, list, b->count, alloc, box, &by_list) == CL_OK);
  REQUIRE(by_tree.count == by_list.count);
  if (by_tree.count > 0) {
    qsort(by_tree.at, by_tree.count, sizeof *by_tree.at, ascending);
    qsort(by_list.at, by_list.count, sizeof *by_list.at, ascending);
    CHECK(memcmp(by_tree.at, by_list.at, by_tree.count * sizeof *by_tree.at) == 0);
  }
  CL_FREE(alloc, by_tree.at, by_tree.cap);
  CL_FREE(alloc, by_list.at, by_list.cap);
}

static void check_way(const boxes *b, const cl_bvh *tree, const cl_ray_grid *grid, long *taken) {
  cl_way way = make_way(&tree->bounds);
  first want = {b, way, UINT32_MAX, 2}, by_tree = want, by_list = want, by_grid = want;
  const cl_found all = {tree->id, b->count, b->count};
  double most = 1;
  for (uint32_t i = 0; i < b->count; i++) most = try_box(&want, i, most);
  cl_bvh_walk(tree, &way, 1, try_box, &by_tree);
  CHECK_MSG(by_tree.number == want.number, "tree: %u, not %u: (%a, %a) + (%a, %a)", by_tree.number,
            want.number, way.x, way.y, way.dx, way.dy);
  if (cl_boxes_walk(b->box, &all, &way, 1, try_box, &by_list))
    CHECK_MSG(by_list.number == want.number, "list: %u, not %u: (%a, %a) + (%a, %a)",
              by_list.number, want.number, way.x, way.y, way.dx, way.dy);
  if (!cl_ray_grid_takes(grid, &way)) return;
  ++*taken;
  cl_ray_grid_walk(grid, &way, 1, try_box, &by_grid);
  CHECK_MSG(by_grid.number == want.number, "grid: %u, not %u: (%a, %a) + (%a, %a)", by_grid.number,
            want.number, way.x, way.y, way.dx, way.dy);
}

static void first_boxes(void) {
  cl_alloc alloc = cl_alloc_default();
  static const double size[SIZES] = {1, 3, 8, 0.7};
  static boxes b;
  cl_bvh tree = {0};
  cl_ray_grid grid = {0};
  long taken = 0, ways = 0;
  for (int i = 0; i < SIZES; i++)
    REQUIRE(cl_shape_rectangle(&alloc, 0, 0, size[i], size[(i + 1) % SIZES], &b.shape[i]) == CL_OK);
  for (long i = test_rounds(2000); i > 0; i--) {
    make(&b);
    REQUIRE(cl_bvh_build(&tree, &alloc, b.box, NULL, NULL, b.count) == CL_OK);
    REQUIRE(cl_ray_grid_build(&grid, &alloc, b.box, b.count) == CL_OK);
    CHECK(cl_bvh_is_valid(&tree, b.box, NULL, b.count));
    CHECK(cl_ray_grid_is_valid(&grid, b.box, b.count));
    for (int k = 0; k < 20; k++, ways++) check_way(&b, &tree, &grid, &taken);
    for (int k = 0; k < 5; k++) check_box(&b, &tree, &alloc);
  }
  CHECK_MSG(taken > ways / 3, "the grid took %ld of %ld rays", taken, ways);
  for (int i = 0; i < SIZES; i++) cl_shape_release(b.shape[i]);
  cl_bvh_free(&tree, &alloc);
  cl_ray_grid_free(&grid, &alloc);
}

// Boxes in crowds, which a tree sorts again within their own bounds; each is in the tree once. A
// bug: a second crowd overwrote the first.
static void crowds(void) {
  enum { MANY = 2000 };
  cl_alloc alloc = cl_alloc_default();
  static cl_fbox box[MANY];
  cl_bvh tree = {0};
  for (long i = test_rounds(400); i > 0; i--) {
    uint32_t count = (uint32_t)test_int(20, MANY);
    int groups = test_int(1, 5);
    double apart = pow(10, test_int(1, 7)), side = pow(10, test_int(0, 4));
    for (uint32_t k = 0; k < count; k++) {
      double x = apart * test_int(0, groups) + test_uniform(0, side);
      double y = apart * test_int(0, groups) + test_uniform(0, side);
      box[k] = cl_fbox_of(x, y, x + 1, y + 1);
    }
    REQUIRE(cl_bvh_build(&tree, &alloc, box, NULL, NULL, count) == CL_OK);
    CHECK_MSG(cl_bvh_is_valid(&tree, box, NULL, count), "%u boxes, %g apart, %g wide", count, apart,
              side);
  }
  cl_bvh_free(&tree, &alloc);
}

enum { MOVING = 300 };

typedef struct moving_boxes {
  cl_bounds fine[MOVING];
  cl_fbox box[MOVING];
  uint32_t count;
  bool seen[MOVING];
} moving_boxes;

// Floats distinguish few of these boxes if they are far out.
static void put_moving(moving_boxes *b, uint32_t i, double offset) {
  double x = offset + test_uniform(0, 400), y = test_uniform(0, 400) - offset;
  cl_bounds at = {x, y, x + test_uniform(0, 9), y + test_uniform(0, 9)};
  b->fine[i] = at;
  b->box[i] = cl_fbox_of(at.l, at.t, at.r, at.b);
}

static double see(void *user, uint32_t number, double most) {
  ((moving_boxes *)user)->seen[number] = true;
  return most;
}

// The boxes that a tree finds in a box, near a point and along a way are those of a loop; the last
// two may be more.
static void check_moving(moving_boxes *b, const cl_bvh *tree, const cl_alloc *alloc,
                         double offset) {
  double x = offset + test_uniform(0, 400), y = test_uniform(0, 400) - offset;
  double w = test_uniform(0, 90), h = test_uniform(0, 90), far = test_uniform(0, 40);
  cl_bounds of = {x, y, x + w, y + h};
  cl_fbox rough = cl_fbox_of(of.l, of.t, of.r, of.b);
  cl_found found = {0};
  REQUIRE(cl_bvh_query(tree, alloc, of, &found) == CL_OK);
  memset(b->seen, 0, sizeof b->seen);
  for (size_t k = 0; k < found.count; k++) {
    CHECK(!b->seen[found.at[k]]);
    b->seen[found.at[k]] = true;
  }
  for (uint32_t i = 0; i < b->count; i++) {
    bool touches = cl_fbox_touch(b->box[i], rough);
    if (tree->is_fine) touches = touches && cl_bounds_touch(b->fine[i], of);
    CHECK(b->seen[i] == touches);
  }
  CL_FREE(alloc, found.at, found.cap);
  memset(b->seen, 0, sizeof b->seen);
  cl_bvh_near(tree, (cl_vec){x, y}, far, see, b);
  for (uint32_t i = 0; i < b->count; i++) {
    cl_bounds f = b->fine[i];
    double dx = cl_max(cl_max(f.l - x, x - f.r), 0), dy = cl_max(cl_max(f.t - y, y - f.b), 0);
    CHECK(b->seen[i] || dx * dx + dy * dy > far * far);
  }
  memset(b->seen, 0, sizeof b->seen);
  const cl_way across = {.x = x, .y = y, .dx = w};
  cl_bvh_walk(tree, &across, 1, see, b);
  for (uint32_t i = 0; i < b->count; i++) {
    cl_bounds line = {x, y, x + w, y};
    CHECK(b->seen[i] || !cl_bounds_touch(b->fine[i], line));
  }
}

static void boxes_that_move(void) {
  cl_alloc alloc = cl_alloc_default();
  static moving_boxes b;
  cl_bvh tree = {0};
  for (long round = test_rounds(400); round > 0; round--) {
    double offset = test_int(0, 1) ? 0 : 1e9;
    bool fine = test_int(0, 1);
    uint32_t lane[MOVING];
    b.count = (uint32_t)test_int(1, test_int(0, 1) ? MOVING : 20);
    for (uint32_t i = 0; i < b.count; i++) put_moving(&b, i, offset);
    REQUIRE(cl_bvh_build(&tree, &alloc, b.box, fine ? b.fine : NULL, NULL, b.count) == CL_OK);
    for (uint32_t k = 0; k < b.count; k++) lane[tree.id[k]] = k;
    for (int k = 0; k < 20; k++) {
      for (int n = test_int(0, 9); n > 0; n--) {
        uint32_t i = (uint32_t)test_int(0, (int)b.count - 1);
        put_moving(&b, i, offset);
        cl_bvh_move(&tree, lane[i], b.box[i], b.fine[i]);
      }
      CHECK(cl_bvh_is_valid(&tree, b.box, NULL, b.count));
      check_moving(&b, &tree, &alloc, offset);
    }
  }
  cl_bvh_free(&tree, &alloc);
}

// A structure that could not be built finds nothing, and it is built once there is memory again.
static void without_memory(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_fbox box[9];
  for (int i = 0; i < 9; i++)
    box[i] = cl_fbox_of(i % 3 * 10.0, i / 3 * 10.0, i % 3 * 10 + 9.0, i / 3 * 10 + 9.0);
  const cl_way way = {-1, 5, 100, 0, {0, 0, 0, 0}};
  cl_ray_grid grid = {0};
  cl_bvh tree = {0};
  for (int allowed = 0; allowed < 3; allowed++) {
    h.allowed = allowed;
    CHECK(cl_ray_grid_build(&grid, &alloc, box, 9) == CL_NOMEM && !cl_ray_grid_takes(&grid, &way));
    cl_ray_grid_free(&grid, &alloc);
    h.allowed = allowed;
    CHECK(cl_bvh_build(&tree, &alloc, box, NULL, NULL, 9) == CL_NOMEM && tree.levels == 0);
    cl_bvh_free(&tree, &alloc);
  }
  h.allowed = -1;
  CHECK(cl_ray_grid_build(&grid, &alloc, box, 9) == CL_OK && cl_ray_grid_takes(&grid, &way));
  cl_ray_grid_free(&grid, &alloc);
  CHECK_HEAP_EMPTY(h);
}

// If one number is wrong, both report it.
static void faults_are_reported(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_ray_grid grid = {0};
  cl_bvh tree = {0};
  cl_fbox box[30];
  for (int i = 0; i < 30; i++)
    box[i] = cl_fbox_of(i % 6 * 10.0, i / 6 * 10.0, i % 6 * 10 + 9.0, i / 6 * 10 + 9.0);
  REQUIRE(cl_bvh_build(&tree, &alloc, box, NULL, NULL, 30) == CL_OK);
  REQUIRE(cl_ray_grid_build(&grid, &alloc, box, 30) == CL_OK && grid.fits);
  for (uint32_t n = 0; n < tree.from[tree.levels]; n++) {
    for (int lane = 0; lane < 4; lane++) {
      float was = tree.node[n].minus_y1[lane];
      tree.node[n].minus_y1[lane] = was > 1 ? 1 : was + 1;
      CHECK_MSG(!cl_bvh_is_valid(&tree, box, NULL, 30), "node %u, lane %d", n, lane);
      tree.node[n].minus_y1[lane] = was;
    }
  }
  tree.id[3] = tree.id[4];
  CHECK(!cl_bvh_is_valid(&tree, box, NULL, 30));
  CHECK(!cl_bvh_is_valid(&tree, box, NULL, 29));
  for (uint32_t k = 0; k < grid.start[grid.columns * grid.rows]; k++) {
    grid.number[k]++;
    CHECK_MSG(!cl_ray_grid_is_valid(&grid, box, 30), "entry %u", k);
    grid.number[k]--;
  }
  for (uint32_t k = 0; k <= grid.columns * grid.rows; k++) {
    grid.start[k]++;
    CHECK_MSG(!cl_ray_grid_is_valid(&grid, box, 30), "cell %u", k);
    grid.start[k]--;
  }
  CHECK(cl_ray_grid_is_valid(&grid, box, 30));
  cl_bvh_free(&tree, &alloc);
  cl_ray_grid_free(&grid, &alloc);
}

int main(void) {
  RUN(first_boxes);
  RUN(crowds);
  RUN(boxes_that_move);
  RUN(without_memory);
  RUN(faults_are_reported);
  return test_end();
}
