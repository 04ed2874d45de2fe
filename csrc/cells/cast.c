// collide, MIT licence (see LICENSE)
//
// A ray through a grid of bytes: outside of it the ray jumps from event to event, and
// inside it runs without looking at borders. Layer: cells.
//
// Two crossings matter: the last that leads into the grid, and the first that leads out of it. How
// many of each axis come before them is known exactly, so the walk begins at the one and runs to
// the other; only at these two, which may be corners, does it check which cells are in the grid.

#include "base/simd.h"
#include "cells/blocks.h"
#include "cells/walk.h"

// The components of the unit normals at an edge and a corner: 1/sqrt(2) and 1/sqrt(3).
#define HALF_ROOT 0.70710678118654752
#define THIRD_ROOT 0.57735026918962576

// A crossing of an axis; axis -1 for none.
typedef struct event {
  int axis;
  int64_t i;
} event;

typedef struct cast {
  const cl_grid *grid;
  const bool *stops;
  cl_grid_hit *hit;
  cl_ray ray;
  cl_dda dda;
  int64_t passed[3], left;
  int64_t fresh;  // crossings that dda is still good for
  int64_t end[3]; // the last cell before the ray leaves
  event enter, leave;
} cast;

static int compare_events(const cast *c, event a, event b) {
  return cl_ray_compare(&c->ray, a.axis, a.i, b.axis, b.i);
}

// Finds where the ray enters and leaves; false when it is never inside.
static bool find_borders(cast *c) {
  c->enter = c->leave = (event){-1, 0};
  for (int a = 0; a < c->grid->dims; a++) {
    const cl_ray_axis *axis = &c->ray.axis[a];
    int64_t cell = (int64_t)axis->cell, size = c->grid->size[a];
    event in = {a, axis->step > 0 ? -cell - 1 : cell - size};
    event out = {a, axis->step > 0 ? size - 1 - cell : cell};
    if (cell < 0 || cell >= size) {
      if (in.i < 0 || in.i >= axis->count) return false;
      if (c->enter.axis < 0 || compare_events(c, in, c->enter) > 0) c->enter = in;
    }
    if (out.i >= 0 && out.i < axis->count) {
      if (c->leave.axis < 0 || compare_events(c, out, c->leave) < 0) c->leave = out;
    }
  }
  return c->enter.axis < 0 || c->leave.axis < 0 || compare_events(c, c->leave, c->enter) >= 0;
}

// How many crossings of an axis come before an event; all of them when there is no event.
static int64_t before(const cast *c, int axis, event e) {
  if (e.axis < 0) return c->ray.axis[axis].count;
  return axis == e.axis ? e.i : cl_ray_before(&c->ray, axis, e.axis, e.i);
}

// The cell after `axes` have crossed once more.
static void cell_after(const cast *c, unsigned axes, int64_t cell[3]) {
  for (int a = 0; a < 3; a++) {
    const cl_ray_axis *axis = &c->ray.axis[a];
    cell[a] = (int64_t)axis->cell + (int64_t)axis->step * (c->passed[a] + (axes >> a & 1));
  }
}

static const uint8_t *byte_after(const cast *c) {
  int64_t cell[3];
  cell_after(c, 0, cell);
  return cl_grid_at(c->grid, cell);
}

static void pass(cast *c, unsigned axes) {
  for (int a = 0; a < 3; a++) {
    int64_t once = axes >> a & 1;
    c->passed[a] += once;
    c->left -= once;
    c->dda.time[a] += once * c->dda.wait[a];
  }
}

// A hit in the cell across the boundaries of `axes`, all crossed with `together`.
static bool found(const cast *c, unsigned axes, unsigned together, const int64_t cell[3]) {
  static const double length[8] = {1, 1, 1, HALF_ROOT, 1, HALF_ROOT, HALF_ROOT, THIRD_ROOT};
  cl_grid_hit *hit = c->hit;
  *hit = (cl_grid_hit){.value = *cl_grid_at(c->grid, cell)};
  for (int a = 0; a < 3; a++) {
    const cl_ray_axis *axis = &c->ray.axis[a];
    hit->cell[a] = cell[a];
    if (axes >> a & 1) hit->normal[a] = -axis->step * length[axes];
    // t never decreases from step to step, so earlier crossings count.
    int64_t last = c->passed[a] - !(together >> a & 1);
    double t = last >= 0 && axis->count > 0 ? cl_ray_time(axis, last) : 0;
    if (t > hit->t) hit->t = t;
  }
  return true;
}

// One step across the boundaries of `axes`, into cells inside or outside the grid.
static bool cross(cast *c, unsigned axes) {
  for (const unsigned char *to = cl_walk_groups[axes]; *to; to++) {
    int64_t cell[3];
    cell_after(c, *to, cell);
    if (cl_grid_has(c->grid, cell) && c->stops[*cl_grid_at(c->grid, cell)]) {
      return found(c, *to, axes, cell);
    }
  }
  pass(c, axes);
  return false;
}

// Makes single crossings within the grid, at most `most`, while the order is certain and no cell
// stops the ray. Returns how many it made. `stopped` is the bit of the axis that was crossed into a
// cell that stops the ray; it stays as it is when there is none.
static int64_t run_flat(cast *c, int64_t most, unsigned *stopped) {
  int64_t dx = (int64_t)c->ray.axis[0].step, dy = (int64_t)c->ray.axis[1].step * c->grid->size[0];
  int64_t wx = c->dda.wait[0], wy = c->dda.wait[1], slack = c->dda.slack;
  int64_t later = c->dda.time[0] - c->dda.time[1];
  const uint8_t *byte = byte_after(c);
  int64_t i = 0, nx = 0;
  while (i < most && !cl_dda_near(later, slack)) {
    int64_t x = cl_dda_mask(later); // all bits when x crosses
    later = (later - wy) + (x & (wx + wy));
    byte += dy + (x & (dx - dy));
    nx -= x;
    i++;
    if (c->stops[*byte]) {
      *stopped = x ? 1 : 2;
      break;
    }
  }
  c->dda.time[0] = later;
  c->dda.time[1] = 0;
  c->passed[0] += nx;
  c->passed[1] += i - nx;
  return i;
}

// How many steps are made before their cells are read. The cells are far apart in memory in 3D, so
// they are prefetched together.
enum { TOGETHER = 16 };

// How far a step along an axis moves in the bytes; 0 for an axis with only one cell, so that the
// strides of two axes differ.
static ptrdiff_t stride(const cast *c, int a) {
  const int64_t *size = c->grid->size;
  int64_t cells = a == 0 ? 1 : a == 1 ? size[0] : size[0] * size[1];
  return size[a] > 1 ? (ptrdiff_t)(c->ray.axis[a].step * (double)cells) : 0;
}

// The axis of such a step.
static int crossed_by(ptrdiff_t step, ptrdiff_t dx, ptrdiff_t dy) {
  return step == dx ? 0 : step == dy ? 1 : 2;
}

static int64_t run_deep(cast *c, int64_t most, unsigned *stopped) {
  const ptrdiff_t dx = stride(c, 0), dy = stride(c, 1), dz = stride(c, 2);
  int64_t wx = c->dda.wait[0], wy = c->dda.wait[1], wz = c->dda.wait[2], slack = c->dda.slack;
  int64_t tx = c->dda.time[0], ty = c->dda.time[1], tz = c->dda.time[2];
  const uint8_t *byte = byte_after(c), *seen[1 + TOGETHER]; // first the one before the steps
  int64_t made = 0, nx = 0, ny = 0;
  int k = TOGETHER, n = TOGETHER;
  while (k == n && n == TOGETHER && made < most) {
    int64_t together = most - made < TOGETHER ? most - made : TOGETHER;
    seen[0] = byte;
    for (n = 0; n < together; n++) {
      int64_t xy = tx - ty, xz = tx - tz, yz = ty - tz;
      if (cl_dda_near(xy, slack) || cl_dda_near(xz, slack) || cl_dda_near(yz, slack)) break;
      int64_t x = cl_dda_mask(xy & xz), y = cl_dda_mask(~xy & yz), z = ~(x | y);
      tx += x & wx;
      ty += y & wy;
      tz += z & wz;
      byte += (x & dx) + (y & dy) + (z & dz);
      nx -= x;
      ny -= y;
      seen[1 + n] = byte;
      CL_WILL_READ(byte);
    }
    for (k = 0; k < n && !c->stops[*seen[1 + k]]; k++) continue;
    made += n;
  }
  c->passed[0] += nx;
  c->passed[1] += ny;
  c->passed[2] += made - nx - ny;
  c->dda.time[0] = tx;
  c->dda.time[1] = ty;
  c->dda.time[2] = tz;
  if (k == n) return made;
  while (--n > k) { // undo the steps after the one that stopped
    int a = crossed_by(seen[1 + n] - seen[n], dx, dy);
    c->passed[a]--;
    c->dda.time[a] -= c->dda.wait[a];
    made--;
  }
  *stopped = 1u << crossed_by(seen[1 + k] - seen[k], dx, dy);
  return made;
}

// How many cells are walked one by one until blocks are tested again. The number grows while no
// block is empty.
enum { CHUNK = 16, LONGEST_CHUNK = 128 };

// Skips empty blocks, in which nothing stops the ray. Returns how many cells to walk one by one
// next, given the last such number.
static int64_t pass_blocks(cast *c, int64_t last) {
  int64_t cell[3];
  cell_after(c, 0, cell);
  if (!cl_grid_empty(c->grid, cell)) return last < LONGEST_CHUNK ? 2 * last : last;
  int64_t made = cl_blocks_pass(c->grid, &c->ray, c->end, c->fresh, &c->dda, c->passed);
  c->left -= made;
  c->fresh -= made;
  return CHUNK;
}

// Runs to the last crossing before the ray leaves.
static bool run(cast *c) {
  bool blocks = c->grid->filled && !c->stops[0];
  int64_t chunk = blocks ? CHUNK / 2 : CL_DDA_STEPS;
  while (c->left > 0) {
    if (c->fresh <= (blocks ? CL_BLOCKS_LEAST : 0)) {
      cl_dda_set(&c->dda, &c->ray, c->passed);
      c->fresh = CL_DDA_STEPS;
    }
    if (blocks) chunk = pass_blocks(c, chunk);
    int64_t most = c->left < c->fresh ? c->left : c->fresh;
    if (most > chunk) most = chunk;
    unsigned stopped = 0;
    int64_t steps = c->grid->dims == 2 ? run_flat(c, most, &stopped) : run_deep(c, most, &stopped);
    c->left -= steps;
    c->fresh -= steps;
    if (stopped) {
      int64_t cell[3];
      cell_after(c, 0, cell);
      for (int a = 0; a < 3; a++) c->passed[a] -= stopped >> a & 1;
      return found(c, stopped, stopped, cell);
    }
    if (steps < most) {
      if (cross(c, cl_dda_next(&c->dda, &c->ray, c->passed))) return true;
      c->fresh -= 1;
    }
  }
  return false;
}

bool cl_grid_cast(const cl_grid *grid, const double from[], const double to[],
                  const bool stops[256], cl_grid_hit *hit) {
  cast c = {.grid = grid, .stops = stops, .hit = hit};
  cl_ray_set(&c.ray, grid->dims, from, to);
  if (!find_borders(&c)) return false;
  if (c.enter.axis < 0) {
    int64_t cell[3];
    cell_after(&c, 0, cell);
    if (stops[*cl_grid_at(grid, cell)]) return found(&c, 0, 0, cell);
  } else {
    for (int a = 0; a < 3; a++) c.passed[a] = before(&c, a, c.enter);
    if (cross(&c, cl_ray_next(&c.ray, c.passed))) return true;
  }
  c.left = 0;
  for (int a = 0; a < 3; a++) {
    int64_t left = before(&c, a, c.leave) - c.passed[a];
    if (left < 0) return false; // it only touches the grid and leaves again
    c.left += left;
    c.end[a] = (int64_t)c.ray.axis[a].cell + (int64_t)c.ray.axis[a].step * (c.passed[a] + left);
  }
  if (run(&c)) return true;
  return c.leave.axis >= 0 && cross(&c, cl_ray_next(&c.ray, c.passed));
}
