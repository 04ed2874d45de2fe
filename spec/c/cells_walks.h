// collide, MIT licence (see LICENSE)
//
// The cells of a walk, one by one: compared with exact arithmetic, and the first one that stops a
// ray in a grid.

#ifndef CL_SPEC_CELLS_WALKS_H
#define CL_SPEC_CELLS_WALKS_H

#include "cells_oracle.h"

#include "cells/grid.h"

// The number of cells of a segment that are compared.
enum { WALK_MOST = 250, WALK_BLOCK = 40 };

// Cells one at a time, out of blocks.
typedef struct walk_reader {
  cl_walk walk;
  double block[WALK_BLOCK * 5];
  int at, count, width;
} walk_reader;

static inline void walk_reader_set(walk_reader *r, const segment *s, bool diagonal) {
  cl_walk_set(&r->walk, s->dims, s->f, s->t, diagonal);
  r->at = r->count = 0;
  r->width = s->dims + 2;
}

static inline const double *walk_reader_next(walk_reader *r) {
  if (r->at == r->count) {
    r->count = cl_walk_fill(&r->walk, r->block, test_int(CL_WALK_GROUP, WALK_BLOCK));
    r->at = 0;
    if (r->count == 0) return NULL;
  }
  return &r->block[r->width * r->at++];
}

static inline bool walk_same(const double *got, const oracle *o, const int64_t cell[3]) {
  bool right = got && got[0] == (double)o->step;
  for (int a = 0; right && a < o->s->dims; a++) right = got[1 + a] == (double)cell[a];
  return right && fabsl(got[1 + o->s->dims] - o->t) <= 4.5e-16L * o->t + 0x1p-1074L;
}

// The cells of the step from `old` to the oracle's cell.
static inline bool walk_same_step(walk_reader *r, const oracle *o, const int64_t old[3],
                                  unsigned axes) {
  for (const unsigned char *to = cl_walk_groups[axes]; *to; to++) {
    int64_t cell[3];
    if (r->walk.diagonal && *to != axes) continue;
    for (int a = 0; a < 3; a++) cell[a] = *to >> a & 1 ? o->cell[a] : old[a];
    if (!walk_same(walk_reader_next(r), o, cell)) return false;
  }
  return true;
}

// The number of corners that the segment passed through; -1 if the walk was wrong.
static inline int walk_follow(const segment *s, bool diagonal) {
  walk_reader r;
  oracle o = oracle_of(s);
  int corners = 0;
  int64_t old[3];
  walk_reader_set(&r, s, diagonal);
  if (!walk_same(walk_reader_next(&r), &o, o.cell)) return -1;
  for (int i = 0; i < WALK_MOST; i++) {
    unsigned axes = oracle_next(&o, old);
    corners += (axes & (axes - 1)) != 0;
    if (axes == 0) return walk_reader_next(&r) || walk_reader_next(&r) ? -1 : corners;
    if (!walk_same_step(&r, &o, old, axes)) return -1;
  }
  return corners;
}

// The definition: the first cell of the walk that is in the grid and stops.
static inline bool walk_to_hit(const cl_grid *grid, const double f[], const double t[],
                               const bool stops[256], cl_grid_hit *hit) {
  enum { ROOM = 30 };
  int dims = grid->dims, n;
  double block[ROOM * 5], step = 0;
  int64_t before[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  cl_walk walk;
  cl_walk_set(&walk, dims, f, t, false);
  while ((n = cl_walk_fill(&walk, block, ROOM)) > 0) {
    for (int i = 0; i < n; i++) {
      const double *c = &block[i * (dims + 2)];
      if (c[0] > step) memcpy(before, last, sizeof before);
      step = c[0];
      for (int a = 0; a < dims; a++) last[a] = (int64_t)c[1 + a];
      if (!cl_grid_has(grid, last) || !stops[*cl_grid_at(grid, last)]) continue;
      *hit = (cl_grid_hit){.t = c[1 + dims], .value = *cl_grid_at(grid, last)};
      double length = 0;
      for (int a = 0; a < 3; a++) {
        hit->cell[a] = last[a];
        hit->normal[a] = step > 1 ? (double)(before[a] - last[a]) : 0;
        length += hit->normal[a] * hit->normal[a];
      }
      for (int a = 0; a < 3 && length > 0; a++) hit->normal[a] /= sqrt(length);
      return true;
    }
  }
  return false;
}

static inline bool equal_hits(const cl_grid_hit *a, const cl_grid_hit *b) {
  bool equal = a->t == b->t && a->value == b->value;
  for (int i = 0; i < 3; i++) {
    equal = equal && a->cell[i] == b->cell[i] && fabs(a->normal[i] - b->normal[i]) < 1e-15 &&
            !(a->normal[i] == 0 && signbit(a->normal[i]));
  }
  return equal;
}

#endif
