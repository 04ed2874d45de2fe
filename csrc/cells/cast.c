// collide, MIT licence (see LICENSE)
//
// Rays through a grid of bytes: the exact cast, which skips empty blocks in 3D; the cast of a ray
// whose ends are only approximately known; and whether a circle gets through. Layer: cells.

#include "cells/grid.h"

#include "base/exact.h"
#include "base/simd.h"
#include "base/tol.h"
#include "base/vec.h"
#include "cells/ray.h"

// Empty blocks of a 3D grid are skipped. A ray crosses the sides of blocks where it crosses those
// of cells, so the times of its next crossings (cl_dda) give their order: between two block sides
// of an axis lie eight waits. If two of these times are too close to decide, no block is skipped.

// The fewest crossings for which the times must be exact enough.
enum { LEAST_CROSSINGS = 64 };

enum { SIDE = CL_GRID_BLOCK };

// NEVER is later than any time that occurs while the times are exact enough. LONGEST is the
// longest wait of which eight still make a time.
#define NEVER (INT64_C(1) << 61)
#define LONGEST (INT64_C(1) << 57)

// A ray among blocks: when it crosses into the next ones, how many are to come, and how far apart
// the neighbours along each axis are in memory.
typedef struct block_ray {
  const uint16_t *filled;
  cl_dda dda;
  int64_t left;
  ptrdiff_t stride[3];
} block_ray;

// How many cells of its block come after a cell along an axis.
static int64_t cells_ahead(const cl_ray_axis *axis, int64_t cell) {
  return axis->step > 0 ? SIDE - 1 - cell % SIDE : cell % SIDE;
}

static block_ray block_ray_of(const cl_grid *grid, const cl_walk *walk, const int64_t cell[3],
                              const int64_t end[3]) {
  block_ray b = {.filled = cl_grid_block(grid, cell), .dda.slack = walk->dda.slack};
  for (int a = 0; a < 3; a++) {
    int64_t time = walk->dda.time[a], wait = walk->dda.wait[a];
    int64_t ahead = cells_ahead(&walk->ray.axis[a], cell[a]);
    bool longest = wait > LONGEST;
    b.dda.time[a] = !longest || ahead == 0 ? time + ahead * wait : NEVER;
    b.dda.wait[a] = longest ? NEVER : SIDE * wait;
    b.left += llabs(end[a] / SIDE - cell[a] / SIDE);
    int64_t apart = a == 0 ? 1 : a == 1 ? grid->blocks[0] : grid->blocks[0] * grid->blocks[1];
    b.stride[a] = (ptrdiff_t)(walk->ray.axis[a].step > 0 ? apart : -apart);
  }
  return b;
}

// How many crossings, the first at `time` and then every `wait`, come before `at`; -1 if one is too
// near to decide.
static int64_t crossings_before(int64_t time, int64_t wait, int64_t at, int64_t slack) {
  int64_t after = at - time;
  if (cl_dda_near(after, slack)) return -1;
  if (after < 0) return 0;
  int64_t whole = (int64_t)((double)after / (double)wait); // off by one at most
  int64_t rest = after - whole * wait;
  if (rest < 0) rest += wait, whole--;
  else if (rest >= wait) rest -= wait, whole++;
  return rest <= slack || wait - rest <= slack ? -1 : whole + 1;
}

// How a walk through blocks ended.
typedef struct arrival {
  int axis; // the last one crossed, -1 for none
  int64_t time;
  int64_t crossed; // sides of blocks crossed along that axis
  bool through;    // all blocks up to the last are empty
} arrival;

// Goes through empty blocks, at most `most`.
static arrival walk_blocks(const block_ray *b, int64_t most) {
  cl_dda dda = b->dda;
  const uint16_t *filled = b->filled;
  int64_t nx = 0, ny = 0, nz = 0, i = 0;
  arrival last = {-1, 0, 0, false};
  if (most > b->left) most = b->left;
  for (; i < most && *filled == 0; i++) {
    cl_dda_axis to;
    int64_t tx = dda.time[0], ty = dda.time[1], tz = dda.time[2];
    if (!cl_dda_step(&dda, &to)) break;
    last.time = (to.x & tx) | (to.y & ty) | (to.z & tz);
    last.axis = (int)((to.y & 1) + (to.z & 2));
    nx -= to.x, ny -= to.y, nz -= to.z;
    filled += (to.x & b->stride[0]) + (to.y & b->stride[1]) + (to.z & b->stride[2]);
  }
  last.through = i == b->left && *filled == 0;
  last.crossed = last.axis == 0 ? nx : last.axis == 1 ? ny : nz;
  return last;
}

// Advances a ray through empty blocks from a cell of the grid. It stops before it crosses into a
// block that is not empty, or in the cell `end`, which lies on its way. It makes no more crossings
// than the times are good for, LEAST_CROSSINGS or more; none when it is not in an empty block, or
// when the order is uncertain.
static void skip_blocks(const cl_grid *grid, cl_walk *walk, const int64_t cell[3],
                        const int64_t end[3]) {
  assert(grid->dims == 3 && walk->fresh >= LEAST_CROSSINGS);
  const cl_dda *dda = &walk->dda;
  const block_ray b = block_ray_of(grid, walk, cell, end);
  int64_t count[3];
  // Each block has up to SIDE crossings of the axis that leads out of it; those of the last blocks
  // are still ahead.
  arrival at = walk_blocks(&b, (walk->fresh - 3 * SIDE) / SIDE);
  if (at.axis < 0 && !at.through) return;
  for (int a = 0; a < 3; a++) {
    int64_t time = dda->time[a], wait = dda->wait[a];
    if (at.through) count[a] = llabs(end[a] - cell[a]);
    else if (a != at.axis) count[a] = crossings_before(time, wait, at.time, dda->slack);
    else count[a] = cells_ahead(&walk->ray.axis[a], cell[a]) + (at.crossed - 1) * SIDE;
    if (count[a] < 0) return;
  }
  for (int a = 0; a < 3; a++) cl_walk_pass(walk, a, count[a]);
}

// A ray through a grid of bytes: outside of it the ray jumps from event to event, and
// inside it runs without looking at borders.
//
// Two crossings matter: the last that leads into the grid, and the first that leads out of it. How
// many of each axis come before them is known exactly, so the walk begins at the one and runs to
// the other; only at these two, which may be corners, does it check which cells are in the grid.

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
  const uint8_t *stops; // by value: not 0 if it stops the ray
  cl_grid_hit *hit;
  cl_walk walk;
  int64_t end[3]; // the last cell before the ray leaves
  event enter, leave;
} cast;

static int compare_events(const cast *c, event a, event b) {
  return cl_ray_compare(&c->walk.ray, a.axis, a.i, b.axis, b.i);
}

// Finds where the ray enters and leaves; false when it is never inside.
static bool find_borders(cast *c) {
  c->enter = c->leave = (event){-1, 0};
  for (int a = 0; a < c->grid->dims; a++) {
    const cl_ray_axis *axis = &c->walk.ray.axis[a];
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
  if (e.axis < 0) return c->walk.ray.axis[axis].count;
  return axis == e.axis ? e.i : cl_ray_before(&c->walk.ray, axis, e.axis, e.i);
}

// The cell after `axes` have crossed once more.
static void cell_after(const cast *c, unsigned axes, int64_t cell[3]) {
  for (int a = 0; a < 3; a++) {
    const cl_ray_axis *axis = &c->walk.ray.axis[a];
    cell[a] = (int64_t)axis->cell + (int64_t)axis->step * (c->walk.passed[a] + (axes >> a & 1));
  }
}

static const uint8_t *byte_after(const cast *c) {
  int64_t cell[3];
  cell_after(c, 0, cell);
  return cl_grid_at(c->grid, cell);
}

// A hit in the cell across the boundaries of `axes`, all crossed with `together`.
static bool found(const cast *c, unsigned axes, unsigned together, const int64_t cell[3]) {
  static const double length[8] = {1, 1, 1, HALF_ROOT, 1, HALF_ROOT, HALF_ROOT, THIRD_ROOT};
  cl_grid_hit *hit = c->hit;
  *hit = (cl_grid_hit){.value = *cl_grid_at(c->grid, cell)};
  for (int a = 0; a < 3; a++) {
    const cl_ray_axis *axis = &c->walk.ray.axis[a];
    hit->cell[a] = cell[a];
    if (axes >> a & 1) hit->normal[a] = -axis->step * length[axes];
    // t never decreases from step to step, so earlier crossings count.
    int64_t last = c->walk.passed[a] - !(together >> a & 1);
    double t = last >= 0 && axis->count > 0 ? cl_ray_time(axis, last) : 0;
    if (t > hit->t) hit->t = t;
  }
  return true;
}

// One step across the boundaries of `axes`, into cells inside or outside the grid.
static bool cross_into(cast *c, unsigned axes) {
  for (const unsigned char *to = cl_walk_groups[axes]; *to; to++) {
    int64_t cell[3];
    cell_after(c, *to, cell);
    if (cl_grid_has(c->grid, cell) && c->stops[*cl_grid_at(c->grid, cell)]) {
      return found(c, *to, axes, cell);
    }
  }
  for (int a = 0; a < 3; a++) cl_walk_pass(&c->walk, a, axes >> a & 1);
  return false;
}

// Makes single crossings within the grid, at most `most`, while the order is certain and no cell
// stops the ray. Returns how many it made. `stopped` is the bit of the axis that was crossed into a
// cell that stops the ray; it stays as it is when there is none.
CL_INLINE int64_t run_flat(cast *c, int64_t most, unsigned *stopped) {
  int64_t dx = (int64_t)c->walk.ray.axis[0].step,
          dy = (int64_t)c->walk.ray.axis[1].step * c->grid->size[0];
  int64_t wx = c->walk.dda.wait[0], wy = c->walk.dda.wait[1], slack = c->walk.dda.slack;
  int64_t later = c->walk.dda.time[0] - c->walk.dda.time[1];
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
  c->walk.dda.time[0] = later;
  c->walk.dda.time[1] = 0;
  c->walk.passed[0] += nx;
  c->walk.passed[1] += i - nx;
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
  return size[a] > 1 ? (ptrdiff_t)(c->walk.ray.axis[a].step * (double)cells) : 0;
}

// The axis of such a step.
static int crossed_by(ptrdiff_t step, ptrdiff_t dx, ptrdiff_t dy) {
  return step == dx ? 0 : step == dy ? 1 : 2;
}

static int64_t run_deep(cast *c, int64_t most, unsigned *stopped) {
  const ptrdiff_t dx = stride(c, 0), dy = stride(c, 1), dz = stride(c, 2);
  const uint8_t *byte = byte_after(c), *seen[1 + TOGETHER]; // first the one before the steps
  cl_dda dda = c->walk.dda;
  int64_t made = 0, nx = 0, ny = 0, *passed = c->walk.passed;
  int k = TOGETHER, n = TOGETHER;
  while (k == n && n == TOGETHER && made < most) {
    int64_t together = most - made < TOGETHER ? most - made : TOGETHER;
    seen[0] = byte;
    for (n = 0; n < together; n++) {
      cl_dda_axis to;
      if (!cl_dda_step(&dda, &to)) break;
      byte += (to.x & dx) + (to.y & dy) + (to.z & dz);
      nx -= to.x;
      ny -= to.y;
      seen[1 + n] = byte;
      CL_WILL_READ(byte);
    }
    for (k = 0; k < n && !c->stops[*seen[1 + k]]; k++) continue;
    made += n;
  }
  passed[0] += nx;
  passed[1] += ny;
  passed[2] += made - nx - ny;
  for (int a = 0; a < 3; a++) c->walk.dda.time[a] = dda.time[a];
  if (k == n) return made;
  while (--n > k) { // undo the steps after the one that stopped
    int a = crossed_by(seen[1 + n] - seen[n], dx, dy);
    passed[a]--;
    c->walk.dda.time[a] -= dda.wait[a];
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
  if (*cl_grid_block(c->grid, cell) != 0) return last < LONGEST_CHUNK ? 2 * last : last;
  skip_blocks(c->grid, &c->walk, cell, c->end);
  return CHUNK;
}

// Runs to the last crossing before the ray leaves.
static bool run_inside(cast *c) {
  cl_walk *walk = &c->walk;
  bool blocks = c->grid->filled && !c->stops[0];
  int64_t chunk = blocks ? CHUNK / 2 : CL_DDA_STEPS;
  while (walk->left > 0) {
    cl_walk_set_times(walk, blocks ? LEAST_CROSSINGS : 0);
    if (blocks) chunk = pass_blocks(c, chunk);
    int64_t most = cl_walk_most(walk, chunk);
    unsigned stopped = 0;
    int64_t steps = c->grid->dims == 2 ? run_flat(c, most, &stopped) : run_deep(c, most, &stopped);
    walk->left -= steps;
    walk->fresh -= steps;
    if (stopped) {
      int64_t cell[3];
      cell_after(c, 0, cell);
      for (int a = 0; a < 3; a++) walk->passed[a] -= stopped >> a & 1;
      return found(c, stopped, stopped, cell);
    }
    if (steps < most && cross_into(c, cl_walk_next(walk))) return true;
  }
  return false;
}

bool cl_grid_cast(const cl_grid *grid, const double from[], const double to[],
                  const bool stops[256], cl_grid_hit *hit) {
  cast c = {.grid = grid, .stops = (const uint8_t *)stops, .hit = hit};
  cl_ray_set(&c.walk.ray, grid->dims, from, to);
  if (!find_borders(&c)) return false;
  if (c.enter.axis < 0) {
    int64_t cell[3];
    cell_after(&c, 0, cell);
    if (stops[*cl_grid_at(grid, cell)]) return found(&c, 0, 0, cell);
  } else {
    for (int a = 0; a < 3; a++) c.walk.passed[a] = before(&c, a, c.enter);
    if (cross_into(&c, cl_ray_next(&c.walk.ray, c.walk.passed))) return true;
  }
  c.walk.left = 0;
  for (int a = 0; a < 3; a++) {
    int64_t left = before(&c, a, c.leave) - c.walk.passed[a];
    if (left < 0) return false; // it only touches the grid and leaves again
    c.walk.left += left;
    c.end[a] = (int64_t)c.walk.ray.axis[a].cell +
               (int64_t)c.walk.ray.axis[a].step * (c.walk.passed[a] + left);
  }
  if (run_inside(&c)) return true;
  return c.leave.axis >= 0 && cross_into(&c, cl_ray_next(&c.walk.ray, c.walk.passed));
}

// Walking along a ray whose ends are only approximately known.

// With more blur than MOST_BLUR, or when one axis moves less than SLOWEST times as far as the
// other, a ray stays near a line for too long.
#define MOST_BLUR 0x1p-24
#define SLOWEST 0x1p-16

// The part of a ray that is in the grid.
typedef struct inner {
  const cl_grid *grid;
  const uint8_t *stops; // as in a cast
  double from[2], to[2], blur;
  bool begins; // at the ray's start, not at the grid's border
} inner;

// Clips the ray to the grid. The ends of the part are moved inside the border by the blur, so that
// their cells are in the grid. False when the ray misses the grid.
static bool clip_to_grid(inner *r, const double from[2], const double to[2]) {
  double in = 0, out = 1;
  for (int a = 0; a < 2; a++) {
    double low = -r->blur - from[a], high = (double)r->grid->size[a] + r->blur - from[a];
    double way = to[a] - from[a];
    if (fabs(way) <= r->blur) { // it hardly moves along this axis
      if (cl_max(from[a], to[a]) < -r->blur - r->blur) return false;
      if (cl_min(from[a], to[a]) > (double)r->grid->size[a] + 2 * r->blur) return false;
      continue;
    }
    cl_clip_slab(low, high, way, &in, &out);
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
      found.solid += inside && r->stops[*cl_grid_at(r->grid, cell)];
    }
  }
  return found;
}

static bool near_grid_line(const inner *r, double v) { return fabs(v - floor(v + 0.5)) <= r->blur; }

// Whether it runs, or may run, along a line between cells.
static bool along_line(const inner *r) {
  double x = fabs(r->to[0] - r->from[0]), y = fabs(r->to[1] - r->from[1]);
  for (int a = 0; a < 2; a++) {
    bool slow = a == 0 ? x <= SLOWEST * y : y <= SLOWEST * x;
    if (slow && (near_grid_line(r, r->from[a]) || near_grid_line(r, r->to[a]))) return true;
  }
  return false;
}

// How much the blur adds to the uncertainty of the times: it shifts a crossing of one axis by this
// fraction of both waits. A slow axis waits longer than its `wait` can tell.
static int64_t blur_in_time(const inner *r, const cl_walk *walk) {
  const int64_t *wait = walk->dda.wait;
  double x = walk->ray.axis[0].length.hi, y = walk->ray.axis[1].length.hi;
  double both = x < y ? (double)wait[1] * (1 + y / x) : (double)wait[0] * (1 + x / y);
  return wait[0] > 0 && wait[1] > 0 ? (int64_t)(r->blur * both) + 1 : 1;
}

// If it is uncertain which axis crosses first, but no cell at the corner stops the ray and no other
// crossing is as near, then both cross.
static cl_near walk_near(const inner *r, int64_t cell[2]) {
  cast c = {.grid = r->grid, .stops = r->stops};
  cl_walk *walk = &c.walk;
  cl_dda *dda = &walk->dda;
  int64_t at[3];
  cl_walk_set(walk, 2, r->from, r->to, false);
  while (walk->left > 0) {
    if (cl_walk_set_times(walk, 0)) dda->slack += blur_in_time(r, walk);
    unsigned stopped = 0;
    int64_t most = cl_walk_most(walk, CL_DDA_STEPS), made = run_flat(&c, most, &stopped);
    if (stopped) {
      cell_after(&c, 0, at);
      cell[0] = at[0], cell[1] = at[1];
      return CL_NEAR_CELL;
    }
    walk->left -= made;
    walk->fresh -= made;
    if (made == most) continue;
    int64_t later = dda->time[0] - dda->time[1];
    if (later + dda->wait[0] <= dda->slack || later - dda->wait[1] >= -dda->slack) {
      return CL_NEAR_UNSURE;
    }
    for (int a = 0; a < 2; a++) {
      if (walk->passed[a] == walk->ray.axis[a].count) return CL_NEAR_UNSURE;
    }
    for (unsigned axes = 1; axes <= 3; axes++) {
      cell_after(&c, axes, at);
      if (c.stops[*cl_grid_at(c.grid, at)]) return CL_NEAR_UNSURE;
    }
    for (int a = 0; a < 2; a++) cl_walk_pass(walk, a, 1);
  }
  return CL_NEAR_NONE;
}

cl_near cl_grid_near(const cl_grid *grid, const uint8_t stops[256], const double from[2],
                     const double to[2], double blur, int64_t cell[2]) {
  assert(grid->dims == 2 && blur >= 0);
  uint8_t all[256];
  if (!stops) memset(all, 1, sizeof all), all[0] = 0;
  inner r = {.grid = grid, .stops = stops ? stops : all, .blur = blur};
  if (!(blur <= MOST_BLUR)) return CL_NEAR_UNSURE;
  if (!clip_to_grid(&r, from, to)) return CL_NEAR_NONE;
  if (along_line(&r)) return CL_NEAR_UNSURE;
  around start = look_around(&r, r.from);
  if (start.solid > 0) {
    if ((r.begins ? start.all : start.inside) > 1) return CL_NEAR_UNSURE;
    cell[0] = (int64_t)r.from[0], cell[1] = (int64_t)r.from[1];
    return r.begins ? CL_NEAR_INSIDE : CL_NEAR_CELL;
  }
  cl_near found = walk_near(&r, cell);
  if (found == CL_NEAR_NONE && look_around(&r, r.to).solid > 0) return CL_NEAR_UNSURE;
  return found;
}

// The cells in the way of a circle, row by row.
//
// What the circle sweeps is a capsule. It overlaps a cell when an end is nearer to the cell than
// the radius, when a corner of the cell is nearer to the way than the radius, or when the way
// crosses the cell.

// Lengths below SHORTEST, in scaled units, would be lost to underflow in products of four lengths.
// Beyond FARTHEST all lines of a grid are the same double.
#define SHORTEST 1e-60
#define FARTHEST 1e60

// The capsule and the grid's lines, scaled by the power of two that brings the side of a cell into
// 1 … 2, which loses no bit.
typedef struct sight {
  const cl_grid *grid;
  double a[2], b[2], r;
  double origin[2], cell;
  double more; // the radius, and more than rounding can add to the results below
} sight;

static double length(double v) { return fabs(v) < SHORTEST ? 0 : v; }

// False when the grid is so far out that doubles cannot separate its lines.
static bool scale_sight(sight *s, const cl_grid *grid, const double from[2], const double to[2],
                        double r) {
  int exponent;
  double cell = 2 * frexp(grid->cell[0], &exponent), size = 0;
  *s = (sight){.grid = grid, .r = cl_max(ldexp(r, 1 - exponent), SHORTEST), .cell = cell};
  for (int i = 0; i < 2; i++) {
    s->a[i] = length(ldexp(from[i], 1 - exponent));
    s->b[i] = length(ldexp(to[i], 1 - exponent));
    s->origin[i] = length(ldexp(grid->origin[i], 1 - exponent));
    if (!(fabs(s->origin[i]) <= FARTHEST)) return false;
    size += fabs(s->a[i]) + fabs(s->b[i]) + fabs(s->origin[i]) + (double)grid->size[i] * cell;
  }
  s->more = s->r + 64 * CL_ROUND * (size + s->r);
  return true;
}

// Line i between columns, or between rows, at the same place as in tiles.
static double grid_line(const sight *s, int axis, int64_t i) {
  return s->origin[axis] + (double)i * s->cell;
}

// The cells of the grid between two places along an axis; none when `*to` is below `*from`.
static void find_cells(const sight *s, int axis, double low, double high, int64_t *from,
                       int64_t *to) {
  double first = floor((low - s->origin[axis]) / s->cell);
  double last = floor((high - s->origin[axis]) / s->cell), count = (double)s->grid->size[axis];
  *from = first > 0 ? (int64_t)cl_min(first, count) : 0;
  *to = last >= 0 ? (int64_t)cl_min(last, count - 1) : -1;
}

// The columns of a row that the capsule may overlap.
static void find_columns(const sight *s, int64_t row, int64_t *from, int64_t *to) {
  double in = 0, out = 1, way = s->b[1] - s->a[1];
  double low = grid_line(s, 1, row) - s->more - s->a[1];
  double high = grid_line(s, 1, row + 1) + s->more - s->a[1];
  if (way != 0) cl_clip_slab(low, high, way, &in, &out);
  double x = s->a[0] + in * (s->b[0] - s->a[0]), y = s->a[0] + out * (s->b[0] - s->a[0]);
  find_cells(s, 0, cl_min(x, y) - s->more, cl_max(x, y) + s->more, from, to);
  if (in > out) *to = -1;
}

// Whether a point is nearer to a cell than `r`.
static bool end_meets(cl_vec p, double r, const double low[2], const double high[2]) {
  cl_vec nearest = {cl_max(low[0], cl_min(p.x, high[0])), cl_max(low[1], cl_min(p.y, high[1]))};
  return cl_compare_points(p, nearest, r, 0) < 0;
}

static bool capsule_overlaps(const sight *s, int64_t column, int64_t row) {
  const double low[2] = {grid_line(s, 0, column), grid_line(s, 1, row)};
  const double high[2] = {grid_line(s, 0, column + 1), grid_line(s, 1, row + 1)};
  if (low[0] == high[0] || low[1] == high[1]) return false; // nothing is inside
  cl_vec a = {s->a[0], s->a[1]}, b = {s->b[0], s->b[1]};
  if (end_meets(a, s->r, low, high) || end_meets(b, s->r, low, high)) return true;
  bool left = false, right = false;
  for (int i = 0; i < 4; i++) {
    cl_vec corner = {i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1]};
    if (cl_compare_segment(corner, a, b, s->r, 0) < 0) return true;
    double side = cl_orient(a, b, corner);
    left |= side >= 0;
    right |= side <= 0;
  }
  // No axis separates the way from the cell: not x, not y, not the normal of the way.
  for (int i = 0; i < 2; i++) {
    if (cl_max(s->a[i], s->b[i]) < low[i] || cl_min(s->a[i], s->b[i]) > high[i]) return false;
  }
  return left && right;
}

bool cl_grid_is_clear(const cl_grid *grid, const double from[2], const double to[2],
                      double radius) {
  assert(grid->dims == 2 && radius > 0 && radius <= CL_MAX_CELL * grid->cell[0]);
  assert(grid->cell[0] == grid->cell[1]);
  for (int i = 0; i < 2; i++) {
    assert(fabs(cl_grid_to_cells(grid, i, from[i])) <= CL_MAX_CELL);
    assert(fabs(cl_grid_to_cells(grid, i, to[i])) <= CL_MAX_CELL);
  }
  sight s;
  if (!scale_sight(&s, grid, from, to, radius)) return true;
  int64_t row, last;
  find_cells(&s, 1, cl_min(s.a[1], s.b[1]) - s.more, cl_max(s.a[1], s.b[1]) + s.more, &row, &last);
  for (; row <= last; row++) {
    int64_t column, end;
    find_columns(&s, row, &column, &end);
    const uint8_t *bytes = grid->bytes + row * grid->size[0];
    for (; column <= end; column++) {
      if (bytes[column] != 0 && capsule_overlaps(&s, column, row)) return false;
    }
  }
  return true;
}
