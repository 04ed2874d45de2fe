// collide, MIT licence (see LICENSE)
//
// The assertions of checked builds about a broad phase: they hold after a layout, and fail if one
// number is wrong.

#include "test.h"

#include "broad/hgrid_table.h"
#include "broad/quadtree.h"
#include "geom/box.h"

enum { COUNT = 200 };

static void make(cl_fbox box[COUNT]) {
  for (int i = 0; i < COUNT; i++) {
    double x = test_uniform(0, 300), y = test_uniform(0, 300), most = test_int(0, 9) ? 9 : 90;
    box[i] = cl_fbox_of(x, y, x + test_uniform(0, most), y + test_uniform(0, most));
  }
}

static void a_grid(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_hgrid grid = {0};
  cl_fbox box[COUNT];
  make(box);
  const cl_hgrid_source from = {box, NULL, COUNT, 0};
  REQUIRE(cl_hgrid_lay_out(&grid, &alloc, &from) == CL_OK);
  CHECK(cl_hgrid_is_valid(&grid, &from));
  for (int i = 0; i < COUNT; i++) {
    float was = grid.box[i].minus_x1;
    grid.box[i].minus_x1 = was - 1;
    CHECK_MSG(!cl_hgrid_is_valid(&grid, &from), "the width of %d", i);
    grid.box[i].minus_x1 = was;
    grid.tag[i].id ^= 1;
    CHECK_MSG(!cl_hgrid_is_valid(&grid, &from), "the number of %d", i);
    grid.tag[i].id ^= 1;
    grid.tag[i].cell++;
    CHECK_MSG(!cl_hgrid_is_valid(&grid, &from), "the cell of %d", i);
    grid.tag[i].cell--;
  }
  grid.table[0].to--;
  CHECK(!cl_hgrid_is_valid(&grid, &from));
  grid.table[0].to++;
  CHECK(cl_hgrid_is_valid(&grid, &from));
  cl_hgrid_free(&grid, &alloc);
}

static void a_quadtree(void) {
  cl_fbox box[COUNT];
  make(box);
  const cl_broad_input in = {.box = box, .count = COUNT};
  const cl_broad_def def = {.alloc = cl_alloc_default()};
  cl_pairs found = {0};
  cl_broad *broad = cl_broad_quadtree.open(&cl_broad_quadtree, &def);
  REQUIRE(broad && cl_broad_quadtree.find(broad, &in, &found) == CL_OK);
  cl_tree *tree = (cl_tree *)broad;
  CHECK(cl_tree_is_valid(tree, &in));
  for (int i = 0; i < COUNT; i++) {
    tree->order[i].key ^= 1;
    CHECK_MSG(!cl_tree_is_valid(tree, &in), "the cell of %d", i);
    tree->order[i].key ^= 1;
  }
  tree->count--;
  CHECK(!cl_tree_is_valid(tree, &in));
  tree->count++;
  for (int i = 0; i < COUNT; i++) {
    uint32_t was = tree->box[i].id;
    tree->box[i].id = tree->box[(i + 1) % COUNT].id;
    CHECK_MSG(!cl_tree_is_valid(tree, &in), "the number of %d", i);
    tree->box[i].id = was;
  }
  CHECK(cl_tree_is_valid(tree, &in));
  CL_FREE(&def.alloc, found.at, found.cap);
  cl_broad_quadtree.close(broad);
}

static void pairs(void) {
  cl_fbox box[COUNT];
  make(box);
  const cl_broad_input in = {.box = box, .count = COUNT};
  const cl_broad_def def = {.alloc = cl_alloc_default()};
  cl_broad *brute = cl_broad_brute.open(&cl_broad_brute, &def);
  REQUIRE(brute);
  cl_pairs found = {0};
  REQUIRE(cl_broad_brute.find(brute, &in, &found) == CL_OK && found.count > 1);
  CHECK(cl_broad_input_is_valid(&in) && cl_pairs_are_right(&in, &found, 0));
  found.count--;
  CHECK(!cl_pairs_are_right(&in, &found, 0));
  found.at[found.count++] = found.at[0];
  CHECK(!cl_pairs_are_right(&in, &found, 0));
  box[7].x1 = box[7].x0 - 1;
  CHECK(!cl_broad_input_is_valid(&in));
  box[7].x1 = INFINITY;
  CHECK(!cl_broad_input_is_valid(&in));
  CL_FREE(&def.alloc, found.at, found.cap);
  cl_broad_brute.close(brute);
}

int main(void) {
  RUN(a_grid);
  RUN(a_quadtree);
  RUN(pairs);
  return test_end();
}
