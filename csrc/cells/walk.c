// collide, MIT licence (see LICENSE)
//
// Walking from cell to cell. Layer: cells.

#include "cells/walk.h"

const unsigned char cl_walk_groups[8][CL_WALK_GROUP + 1] = {
    {0}, {1}, {2}, {1, 2, 3}, {4}, {1, 4, 5}, {2, 4, 6}, {1, 2, 4, 3, 5, 6, 7},
};

void cl_walk_set(cl_walk *walk, int dims, const double from[], const double to[], bool diagonal) {
  cl_ray_set(&walk->ray, dims, from, to);
  walk->left = 0;
  for (int a = 0; a < 3; a++) {
    walk->passed[a] = 0;
    walk->left += walk->ray.axis[a].count;
  }
  walk->fresh = 0;
  walk->step = walk->t = 0;
  walk->diagonal = diagonal;
}

// Writes the cell reached by one more crossing of each axis in `axes`.
static double *put(const cl_walk *walk, unsigned axes, double *out) {
  *out++ = walk->step;
  for (int a = 0; a < walk->ray.dims; a++) {
    const cl_ray_axis *axis = &walk->ray.axis[a];
    *out++ = axis->cell + axis->step * (double)(walk->passed[a] + (axes >> a & 1));
  }
  *out++ = walk->t;
  return out;
}

// One step across one boundary or several.
static double *cross(cl_walk *walk, unsigned axes, double *out) {
  const unsigned char *cells = cl_walk_groups[axes];
  walk->step++;
  for (int a = 0; a < 3; a++) {
    double t = axes >> a & 1 ? cl_ray_time(&walk->ray.axis[a], walk->passed[a]) : 0;
    walk->t = t > walk->t ? t : walk->t;
  }
  if (walk->diagonal) {
    out = put(walk, axes, out);
  } else {
    for (; *cells; cells++) out = put(walk, *cells, out);
  }
  for (int a = 0; a < 3; a++) {
    int64_t once = axes >> a & 1;
    walk->passed[a] += once;
    walk->left -= once;
    walk->fresh -= once;
    walk->dda.time[a] += once * walk->dda.wait[a];
  }
  return out;
}

// What cl_ray_time computes, with the signs taken out: the same bits by fewer steps.
typedef struct clock {
  double boundary, from, length;
} clock;

static clock clock_of(const cl_ray_axis *axis) {
  return (clock){axis->step * axis->first, axis->step * axis->from, axis->length.hi};
}

static inline double later_of(double t, const clock *c, int64_t passed) {
  double reached = ((c->boundary + (double)passed) - c->from) / c->length;
  reached = reached < 1 ? reached : 1;
  return reached > t ? reached : t;
}

// The two loops below make single crossings, `most` of them, up to one whose order is uncertain.
// Which axis crosses is a mask of all bits, not a branch, which would be mispredicted too often.
// They return how many they made.

static int64_t run_flat(cl_walk *walk, int64_t most, double *out) {
  const cl_ray_axis *axis = walk->ray.axis;
  const clock clocks[2] = {clock_of(&axis[0]), clock_of(&axis[1])};
  int64_t wx = walk->dda.wait[0], wy = walk->dda.wait[1], slack = walk->dda.slack;
  int64_t later = walk->dda.time[0] - walk->dda.time[1];
  int64_t nx = walk->passed[0], ny = walk->passed[1];
  int64_t dx = (int64_t)axis[0].step, dy = (int64_t)axis[1].step;
  int64_t cx = (int64_t)axis[0].cell + dx * nx, cy = (int64_t)axis[1].cell + dy * ny, i = 0;
  double step = walk->step, t = walk->t;
  for (; i < most && !cl_dda_near(later, slack); i++, out += 4) {
    int64_t x = cl_dda_mask(later); // all bits when x crosses
    later += (x & (wx + wy)) - wy;
    t = later_of(t, &clocks[1 + x], ny ^ ((nx ^ ny) & x));
    nx -= x;
    ny += 1 + x;
    cx += x & dx;
    cy += ~x & dy;
    out[0] = step += 1;
    out[1] = (double)cx;
    out[2] = (double)cy;
    out[3] = t;
  }
  walk->dda.time[0] = later;
  walk->dda.time[1] = 0;
  walk->passed[0] = nx;
  walk->passed[1] = ny;
  walk->step = step;
  walk->t = t;
  return i;
}

static int64_t run_deep(cl_walk *walk, int64_t most, double *out) {
  const cl_ray_axis *axis = walk->ray.axis;
  const clock clocks[3] = {clock_of(&axis[0]), clock_of(&axis[1]), clock_of(&axis[2])};
  int64_t *time = walk->dda.time, *passed = walk->passed, slack = walk->dda.slack, i = 0;
  int64_t wx = walk->dda.wait[0], wy = walk->dda.wait[1], wz = walk->dda.wait[2];
  int64_t tx = time[0], ty = time[1], tz = time[2];
  int64_t nx = passed[0], ny = passed[1], nz = passed[2];
  double step = walk->step, t = walk->t;
  for (; i < most; i++, out += 5) {
    int64_t xy = tx - ty, xz = tx - tz, yz = ty - tz;
    if (cl_dda_any_near(xy, xz, yz, slack)) break;
    int64_t x = cl_dda_mask(xy & xz), y = cl_dda_mask(~xy & yz), z = ~(x | y);
    tx += x & wx;
    ty += y & wy;
    tz += z & wz;
    t = later_of(t, &clocks[(y & 1) + (z & 2)], (nx & x) | (ny & y) | (nz & z));
    nx -= x;
    ny -= y;
    nz -= z;
    out[0] = step += 1;
    out[1] = axis[0].cell + axis[0].step * (double)nx;
    out[2] = axis[1].cell + axis[1].step * (double)ny;
    out[3] = axis[2].cell + axis[2].step * (double)nz;
    out[4] = t;
  }
  time[0] = tx;
  time[1] = ty;
  time[2] = tz;
  passed[0] = nx;
  passed[1] = ny;
  passed[2] = nz;
  walk->step = step;
  walk->t = t;
  return i;
}

int cl_walk_fill(cl_walk *walk, double *out, int capacity) {
  assert(capacity >= CL_WALK_GROUP && (walk->ray.dims == 2 || walk->ray.dims == 3));
  double *start = out;
  int width = walk->ray.dims + 2;
  const double *last =
      out + (capacity - CL_WALK_GROUP) * width; // the last place where a corner still fits
  if (walk->step == 0) {
    walk->step = 1;
    out = put(walk, 0, out);
  }
  while (walk->left > 0 && out <= last) {
    if (walk->fresh <= 0) {
      cl_dda_set(&walk->dda, &walk->ray, walk->passed);
      walk->fresh = CL_DDA_STEPS;
    }
    int64_t most = (last - out) / width + 1;
    if (most > walk->left) most = walk->left;
    if (most > walk->fresh) most = walk->fresh;
    int64_t made = width == 4 ? run_flat(walk, most, out) : run_deep(walk, most, out);
    out += made * width;
    walk->left -= made;
    walk->fresh -= made;
    if (made < most) out = cross(walk, cl_dda_next(&walk->dda, &walk->ray, walk->passed), out);
  }
  return (int)((out - start) / width);
}

bool cl_cells_on_ray(int dims, const double from[], const double to[], bool diagonal,
                     cl_cell_visit *visit, void *user) {
  enum { CELLS = 8 * CL_WALK_GROUP };
  double cells[5 * CELLS];
  cl_walk walk;
  cl_walk_set(&walk, dims, from, to, diagonal);
  assert(walk.ray.dims == dims);
  for (int count; (count = cl_walk_fill(&walk, cells, CELLS)) > 0;) {
    for (const double *it = cells; count > 0; count--, it += dims + 2) {
      const int64_t cell[3] = {(int64_t)it[1], (int64_t)it[2], dims == 3 ? (int64_t)it[3] : 0};
      if (visit(user, it[0], cell, it[dims + 1])) return true;
    }
  }
  return false;
}
