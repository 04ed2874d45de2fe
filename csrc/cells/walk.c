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

// The next cell on each axis that is in `axes`, the present one on the others.
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
    walk->pace.time[a] += once * walk->pace.wait[a];
  }
  return out;
}

// Single crossings up to one that may be together with another, `most` of them.
static double *cross_singly(cl_walk *walk, int64_t most, double *out) {
  const cl_ray_axis *axis = walk->ray.axis;
  int64_t *time = walk->pace.time, slack = walk->pace.slack;
  int64_t passed[3] = {walk->passed[0], walk->passed[1], walk->passed[2]};
  double cell[3], step = walk->step, t = walk->t;
  for (int a = 0; a < 3; a++) cell[a] = axis[a].cell + axis[a].step * (double)passed[a];
  int64_t i = 0;
  bool deep = walk->ray.dims == 3;
  for (; i < most; i++) {
    int64_t xy = time[0] - time[1];
    if (cl_pace_near(xy, slack)) break;
    int a = xy > 0;
    if (deep) {
      if (cl_pace_near(time[0] - time[2], slack) || cl_pace_near(time[1] - time[2], slack)) break;
      a = time[2] < time[a] ? 2 : a;
    }
    double reached = cl_ray_time(&axis[a], passed[a]);
    t = reached > t ? reached : t;
    passed[a]++;
    time[a] += walk->pace.wait[a];
    cell[a] += axis[a].step;
    *out++ = ++step;
    *out++ = cell[0];
    *out++ = cell[1];
    if (deep) *out++ = cell[2];
    *out++ = t;
  }
  for (int a = 0; a < 3; a++) walk->passed[a] = passed[a];
  walk->left -= i;
  walk->fresh -= i;
  walk->step = step;
  walk->t = t;
  return out;
}

int cl_walk_fill(cl_walk *walk, double *out, int room) {
  double *start = out;
  int width = walk->ray.dims + 2;
  const double *last = out + (room - CL_WALK_GROUP) * width; // where a corner still fits in
  if (walk->step == 0) {
    walk->step = 1;
    out = put(walk, 0, out);
  }
  while (walk->left > 0 && out <= last) {
    if (walk->fresh <= 0) {
      cl_pace_set(&walk->pace, &walk->ray, walk->passed);
      walk->fresh = CL_PACE;
    }
    int64_t most = (last - out) / width + 1;
    if (most > walk->left) most = walk->left;
    if (most > walk->fresh) most = walk->fresh;
    const double *before = out;
    out = cross_singly(walk, most, out);
    if (out - before < most * width)
      out = cross(walk, cl_pace_next(&walk->pace, &walk->ray, walk->passed), out);
  }
  return (int)((out - start) / width);
}
