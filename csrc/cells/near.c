// collide, MIT licence (see LICENSE)
//
// Walking along a ray whose ends are only approximately known. Layer: cells.

#include "cells/near.h"

#include "cells/dda.h"
#include "base/vec.h"

// With more blur than MOST_BLUR, or when one axis moves less than SLOWEST times as far as the
// other, a ray stays near a line for too long.
#define MOST_BLUR 0x1p-24
#define SLOWEST 0x1p-16

// The part of a ray that is in the grid.
typedef struct inner {
  const cl_grid *grid;
  const uint8_t *stops; // or NULL
  double from[2], to[2], blur;
  bool begins; // at the ray's start, not at the grid's border
} inner;

// Clips the ray to the grid. The ends of the part are moved inside the border by the blur, so that
// their cells are in the grid. False when the ray misses the grid.
static bool clip(inner *r, const double from[2], const double to[2]) {
  double in = 0, out = 1;
  for (int a = 0; a < 2; a++) {
    double low = -r->blur - from[a], high = (double)r->grid->size[a] + r->blur - from[a];
    double way = to[a] - from[a];
    if (fabs(way) <= r->blur) { // it hardly moves along this axis
      if (cl_max(from[a], to[a]) < -r->blur - r->blur) return false;
      if (cl_min(from[a], to[a]) > (double)r->grid->size[a] + 2 * r->blur) return false;
      continue;
    }
    double t = low / way, u = high / way;
    in = cl_max(in, cl_min(t, u));
    out = cl_min(out, cl_max(t, u));
  }
  if (in > out) return false;
  r->begins = in == 0;
  for (int a = 0; a < 2; a++) {
    double way = to[a] - from[a], low = r->blur, high = (double)r->grid->size[a] - r->blur;
    r->from[a] = cl_min(cl_max(from[a] + in * way, low), high);
    r->to[a] = cl_min(cl_max(out == 1 ? to[a] : from[a] + out * way, low), high);
  }
  r->blur *= 4;
  return true;
}

static inline bool is_solid(const inner *r, const uint8_t *byte) {
  return *byte && (!r->stops || r->stops[*byte]);
}

// The cells that a point may be in or touch.
typedef struct around {
  int all, inside, solid; // `inside`: in the grid; `solid`: stop the ray
} around;

static around look_around(const inner *r, const double at[2]) {
  int64_t low[2], high[2];
  around found = {0, 0, 0};
  for (int a = 0; a < 2; a++) {
    low[a] = (int64_t)floor(at[a] - r->blur);
    high[a] = (int64_t)floor(at[a] + r->blur);
  }
  for (int64_t y = low[1]; y <= high[1]; y++) {
    for (int64_t x = low[0]; x <= high[0]; x++) {
      const int64_t cell[3] = {x, y, 0};
      bool inside = cl_grid_has(r->grid, cell);
      found.all++;
      found.inside += inside;
      found.solid += inside && is_solid(r, cl_grid_at(r->grid, cell));
    }
  }
  return found;
}

static bool near_line(const inner *r, double v) { return fabs(v - floor(v + 0.5)) <= r->blur; }

// Whether it runs, or may run, along a line between cells.
static bool along_line(const inner *r) {
  double x = fabs(r->to[0] - r->from[0]), y = fabs(r->to[1] - r->from[1]);
  for (int a = 0; a < 2; a++) {
    bool slow = a == 0 ? x <= SLOWEST * y : y <= SLOWEST * x;
    if (slow && (near_line(r, r->from[a]) || near_line(r, r->to[a]))) return true;
  }
  return false;
}

// Sets the times of the next crossings, with the uncertainty that the blur adds.
static void set_dda(cl_dda *dda, const inner *r, const cl_ray *ray, const int64_t passed[3]) {
  cl_dda_set(dda, ray, passed);
  dda->slack += (int64_t)(r->blur * ((double)dda->wait[0] + (double)dda->wait[1])) + 1;
}

static cl_near walk(const inner *r, int64_t cell[2]) {
  const cl_grid *grid = r->grid;
  cl_ray ray;
  cl_dda dda;
  cl_ray_set(&ray, 2, r->from, r->to);
  int64_t dx = (int64_t)ray.axis[0].step, dy = (int64_t)ray.axis[1].step * grid->size[0];
  int64_t passed[3] = {0, 0, 0}, fresh = 0, later = 0;
  int64_t left = ray.axis[0].count + ray.axis[1].count;
  const int64_t start[3] = {(int64_t)ray.axis[0].cell, (int64_t)ray.axis[1].cell, 0};
  const uint8_t *byte = cl_grid_at(grid, start);
  while (left > 0) {
    if (fresh <= 0) {
      set_dda(&dda, r, &ray, passed);
      later = dda.time[0] - dda.time[1];
      fresh = CL_DDA_STEPS;
    }
    int64_t wx = dda.wait[0], wy = dda.wait[1], slack = dda.slack, i = 0, nx = 0;
    int64_t most_steps = left < fresh ? left : fresh;
    while (i < most_steps && !cl_dda_near(later, slack)) {
      int64_t x = cl_dda_mask(later); // all bits when x crosses
      later = (later - wy) + (x & (wx + wy));
      byte += dy + (x & (dx - dy));
      nx -= x;
      i++;
      if (!is_solid(r, byte)) continue;
      cell[0] = (byte - grid->bytes) % grid->size[0];
      cell[1] = (byte - grid->bytes) / grid->size[0];
      return CL_NEAR_CELL;
    }
    passed[0] += nx, passed[1] += i - nx;
    left -= i, fresh -= i;
    if (i == most_steps) continue;
    // It is uncertain which axis crosses first. That does not matter if no cell at the corner stops
    // the ray and no other crossing is as near: then both cross.
    if (passed[0] == ray.axis[0].count || passed[1] == ray.axis[1].count) return CL_NEAR_UNSURE;
    if (later + wx <= slack || later - wy >= -slack) return CL_NEAR_UNSURE;
    if (is_solid(r, byte + dx) || is_solid(r, byte + dy) || is_solid(r, byte + dx + dy))
      return CL_NEAR_UNSURE;
    byte += dx + dy;
    later += wx - wy;
    passed[0]++, passed[1]++;
    left -= 2, fresh -= 2;
  }
  return CL_NEAR_NONE;
}

cl_near cl_grid_near(const cl_grid *grid, const uint8_t stops[256], const double from[2],
                     const double to[2], double blur, int64_t cell[2]) {
  assert(grid->dims == 2 && blur >= 0);
  inner r = {.grid = grid, .stops = stops, .blur = blur};
  if (!(blur <= MOST_BLUR)) return CL_NEAR_UNSURE;
  if (!clip(&r, from, to)) return CL_NEAR_NONE;
  if (along_line(&r)) return CL_NEAR_UNSURE;
  around start = look_around(&r, r.from);
  if (start.solid > 0) {
    if ((r.begins ? start.all : start.inside) > 1) return CL_NEAR_UNSURE;
    cell[0] = (int64_t)r.from[0], cell[1] = (int64_t)r.from[1];
    return r.begins ? CL_NEAR_INSIDE : CL_NEAR_CELL;
  }
  cl_near found = walk(&r, cell);
  if (found == CL_NEAR_NONE && look_around(&r, r.to).solid > 0) return CL_NEAR_UNSURE;
  return found;
}
