// collide, MIT licence (see LICENSE)
//
// Rays through cells, in nanoseconds a cell, as CSV: 200 cells in a grid of 1024 x 1024,
// 100 cells in one of 256 x 256 x 256, nothing in the way. Beside ours, a plain walk that
// adds up parameters and is wrong at corners and far out. The cells are counted with
// both, and come out the same but for what rounding did.

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/trig.h"
#include "cells/grid.h"
#include "cells/walk.h"

// As many rays as keep branches from being learned by heart, and in 3D as few as keep the
// grid's bytes in the caches: their memory is not what is measured.
enum { FLAT_RAYS = 2048, DEEP_RAYS = 512, ROUNDS = 25 };

typedef struct bench {
  int dims, rays;
  cl_grid *grid;
  double from[FLAT_RAYS][3], to[FLAT_RAYS][3];
} bench;

// A generator of Park and Miller: the same numbers everywhere.
static double uniform(void) {
  static uint64_t state = 1;
  state = state * 48271 % 2147483647;
  return (double)state / 2147483647.0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool inside(const bench *b, int i) {
  for (int a = 0; a < b->dims; a++) {
    if (!(b->to[i][a] > 0 && b->to[i][a] < (double)b->grid->size[a])) return false;
  }
  return true;
}

// Rays in all directions, as long as crosses so many cells, all of them in the grid.
static void make(bench *b, int dims, int rays, int64_t size, double cells) {
  cl_alloc alloc = cl_alloc_default();
  b->dims = dims;
  b->rays = rays;
  if (cl_grid_new(&alloc, dims, (int64_t[]){size, size, size}, 1, (double[]){0, 0, 0}, &b->grid)) {
    exit(1);
  }
  for (int i = 0; i < b->rays; i++) {
    do {
      double s, c, z = dims == 3 ? 2 * uniform() - 1 : 0, r = sqrt(1 - z * z);
      cl_sincos(uniform() * 6.283185307179586, &s, &c);
      double way[3] = {r * c, r * s, z}, length = cells / (fabs(r * c) + fabs(r * s) + fabs(z));
      for (int a = 0; a < dims; a++) {
        b->from[i][a] = uniform() * (double)size;
        b->to[i][a] = b->from[i][a] + length * way[a];
      }
    } while (!inside(b, i));
  }
}

// How many cells a ray passes through without being stopped.
typedef int64_t walk(const bench *b, int i);

static const bool solid[256] = {[1] = true, [2] = true, [255] = true};

static int64_t walk_cast(const bench *b, int i) {
  cl_grid_hit hit;
  return cl_grid_cast(b->grid, b->from[i], b->to[i], solid, &hit);
}

static int64_t walk_blocks(const bench *b, int i) {
  static double block[64 * 5];
  cl_walk w;
  int64_t cells = 0;
  int n;
  cl_walk_set(&w, b->dims, b->from[i], b->to[i], false);
  while ((n = cl_walk_fill(&w, block, 64)) > 0) cells += n;
  return cells;
}

// Amanatides and Woo, A fast voxel traversal algorithm for ray tracing (1987).
static int64_t walk_plain(const bench *b, int i) {
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

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const bench *b) {
  static const char *const names[3] = {"cast", "cells", "plain"};
  static walk *const walks[3] = {walk_cast, walk_blocks, walk_plain};
  static double times[3][ROUNDS];
  int64_t cells[3] = {0, 0, 0};
  // In turns, so that what else the machine does falls on all.
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < 3; k++) {
      double start = now();
      cells[k] = 0;
      for (int i = 0; i < b->rays; i++) cells[k] += walks[k](b, i);
      times[k][round] = now() - start;
    }
  }
  if (cells[0] != 0 || llabs(cells[1] - cells[2]) > cells[1] / 1000) exit(1);
  for (int k = 0; k < 3; k++) {
    qsort(times[k], ROUNDS, sizeof times[k][0], by_value);
    printf("%s,%d,%.2f,%.2f\n", names[k], b->dims, times[k][ROUNDS / 2] / (double)cells[1],
           times[k][0] / (double)cells[1]);
  }
}

int main(void) {
  static bench flat, deep;
  make(&flat, 2, FLAT_RAYS, 1024, 200);
  make(&deep, 3, DEEP_RAYS, 256, 100);
  printf("walk,dimensions,ns_a_cell,best\n");
  measure(&flat);
  measure(&deep);
  cl_grid_release(flat.grid);
  cl_grid_release(deep.grid);
  return 0;
}
