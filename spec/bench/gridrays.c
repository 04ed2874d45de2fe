// collide, MIT licence (see LICENSE)
//
// Rays through empty cells, in nanoseconds per cell: 200 cells in a grid of 1024 x 1024, and
// 100 cells in a grid of 256 x 256 x 256. The second is measured with all cells empty, and with
// an occupied cell beside the rays in every block, so that each cell has to be read. Compared
// with a plain walk that adds up parameters, and is wrong at corners and far from the origin.
// Both count the same cells, apart from its rounding errors.

#include "bench.h"

#include <math.h>

#include "base/vec.h"
#include "cells/grid.h"
#include "cells/ray.h"

// Enough rays that the branch predictor cannot learn them, and in 3D few enough that the
// grid's bytes stay in the caches, since memory is not to be measured.
enum { FLAT_RAYS = 2048, DEEP_RAYS = 512, WALKS = 3 };

typedef struct rays {
  const char *name;
  int dims, count;
  cl_grid *grid;
  double from[FLAT_RAYS][3], to[FLAT_RAYS][3];
} rays;

static bool inside(const rays *b, int i) {
  for (int a = 0; a < b->dims; a++) {
    if (!(b->to[i][a] > 0 && b->to[i][a] < (double)b->grid->size[a])) return false;
  }
  return true;
}

// Rays in all directions, each long enough to cross `cells` cells, all inside the grid.
static void make(rays *b, const char *name, int dims, int count, int64_t size, double cells) {
  cl_alloc alloc = cl_alloc_default();
  uint64_t state = 1;
  b->name = name;
  b->dims = dims;
  b->count = count;
  if (cl_grid_new(&alloc, dims, (int64_t[]){size, size, size}, (double[]){1, 1, 1},
                  (double[]){0, 0, 0}, &b->grid)) {
    exit(1);
  }
  for (int i = 0; i < count; i++) {
    do {
      double s, c, z = dims == 3 ? bench_uniform(&state, -1, 1) : 0, r = sqrt(1 - z * z);
      cl_sincos(bench_uniform(&state, 0, 6.283185307179586), &s, &c);
      double way[3] = {r * c, r * s, z}, length = cells / (fabs(r * c) + fabs(r * s) + fabs(z));
      for (int a = 0; a < dims; a++) {
        b->from[i][a] = bench_uniform(&state, 0, (double)size);
        b->to[i][a] = b->from[i][a] + length * way[a];
      }
    } while (!inside(b, i));
  }
}

static void see(cl_grid *seen, const rays *b, int i) {
  double block[64 * 5];
  cl_walk w;
  int n;
  cl_walk_set(&w, 3, b->from[i], b->to[i], false);
  while ((n = cl_walk_fill(&w, block, 64)) > 0) {
    for (int k = 0; k < n; k++) {
      const double *cell = &block[k * 5 + 1];
      cl_grid_set(seen, (int64_t[]){(int64_t)cell[0], (int64_t)cell[1], (int64_t)cell[2]}, 1);
    }
  }
}

// Puts something into every block, where no ray passes.
static void furnish(rays *b) {
  cl_alloc alloc = cl_alloc_default();
  cl_grid *seen;
  int64_t c[3];
  if (cl_grid_new(&alloc, 3, b->grid->size, (double[]){1, 1, 1}, (double[]){0, 0, 0}, &seen))
    exit(EXIT_FAILURE);
  for (int i = 0; i < b->count; i++) see(seen, b, i);
  for (c[2] = 0; c[2] < b->grid->size[2]; c[2] += CL_GRID_BLOCK) {
    for (c[1] = 0; c[1] < b->grid->size[1]; c[1] += CL_GRID_BLOCK) {
      for (c[0] = 0; c[0] < b->grid->size[0]; c[0] += CL_GRID_BLOCK) {
        int64_t cell[3] = {c[0], c[1], c[2]};
        while (*cl_grid_at(seen, cell)) cell[0]++;
        cl_grid_set(b->grid, cell, 1);
      }
    }
  }
  cl_grid_release(seen);
}

// How many cells a ray passes through without being stopped.
typedef int64_t walk(const rays *b, int i);

static const bool solid[256] = {[1] = true, [2] = true, [255] = true};

static int64_t walk_cast(const rays *b, int i) {
  cl_grid_hit hit;
  return cl_grid_cast(b->grid, b->from[i], b->to[i], solid, &hit);
}

static int64_t walk_blocks(const rays *b, int i) {
  static double block[64 * 5];
  cl_walk w;
  int64_t cells = 0;
  int n;
  cl_walk_set(&w, b->dims, b->from[i], b->to[i], false);
  while ((n = cl_walk_fill(&w, block, 64)) > 0) cells += n;
  return cells;
}

// Amanatides and Woo, A fast voxel traversal algorithm for ray tracing (1987).
static int64_t walk_plain(const rays *b, int i) {
  int64_t stride[3] = {1, b->grid->size[0], b->grid->size[0] * b->grid->size[1]}, at = 0, cells = 1;
  double t[3] = {2, 2, 2}, wait[3] = {0, 0, 0};
  for (int a = 0; a < b->dims; a++) {
    double from = b->from[i][a], way = b->to[i][a] - from, cell = floor(from);
    at += (int64_t)cell * stride[a];
    if (way == 0) continue;
    wait[a] = 1 / fabs(way);
    t[a] = (way > 0 ? cell + 1 - from : from - cell) * wait[a];
    if (way < 0) stride[a] = -stride[a];
  }
  const uint8_t *bytes = b->grid->bytes;
  if (b->dims == 2) {
    double tx = t[0], ty = t[1];
    for (;;) {
      if (tx < ty) {
        if (tx > 1) return cells;
        tx += wait[0];
        at += stride[0];
      } else {
        if (ty > 1) return cells;
        ty += wait[1];
        at += stride[1];
      }
      if (bytes[at]) return cells;
      cells++;
    }
  }
  for (;;) {
    int a = t[0] < t[1] ? (t[0] < t[2] ? 0 : 2) : (t[1] < t[2] ? 1 : 2);
    if (t[a] > 1) return cells;
    t[a] += wait[a];
    at += stride[a];
    if (bytes[at]) return cells;
    cells++;
  }
}

// A walk that is measured; a frame is all rays.
typedef struct walker {
  const char *name;
  walk *walk;
  const rays *rays;
  int64_t cells;
  bench_task task;
} walker;

static void walk_all(void *self) {
  walker *w = self;
  w->cells = 0;
  for (int i = 0; i < w->rays->count; i++) w->cells += w->walk(w->rays, i);
}

static void measure(const rays *b) {
  walker all[WALKS] = {{.name = "cast", .walk = walk_cast},
                       {.name = "cells", .walk = walk_blocks},
                       {.name = "plain walk", .walk = walk_plain}};
  bench_task *tasks[WALKS];
  for (int k = 0; k < WALKS; k++) {
    all[k].rays = b;
    all[k].task.frame = walk_all;
    all[k].task.self = &all[k];
    tasks[k] = &all[k].task;
  }
  bench_run(tasks, WALKS);
  int64_t cells = all[1].cells;
  if (all[0].cells != 0 || llabs(cells - all[2].cells) > cells / 1000) exit(EXIT_FAILURE);
  for (int k = 0; k < WALKS; k++)
    bench_row(b->name, all[k].name, b->count, all[k].task.last * 1e6 / (double)cells, "ns a cell",
              all[0].task.last * 1e6 / (double)cells, (long)cells);
}

int main(void) {
  static rays flat, deep;
  make(&flat, "grid rays 2D", 2, FLAT_RAYS, 1024, 200);
  make(&deep, "grid rays 3D empty", 3, DEEP_RAYS, 256, 100);
  bench_header();
  measure(&flat);
  measure(&deep);
  furnish(&deep);
  deep.name = "grid rays 3D";
  measure(&deep);
  cl_grid_release(flat.grid);
  cl_grid_release(deep.grid);
  return EXIT_SUCCESS;
}
