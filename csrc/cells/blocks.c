// collide, MIT licence (see LICENSE)
//
// Going from block to block, and back to cells. Layer: cells.

#include "cells/blocks.h"

enum { SIDE = CL_GRID_BLOCK };

// NEVER is later than any time that occurs while the times are exact enough (dda.h). LONGEST is the
// longest wait of which eight still make a time.
#define NEVER (INT64_C(1) << 61)
#define LONGEST (INT64_C(1) << 57)

// A ray along one axis, in blocks.
typedef struct axis {
  int64_t left; // blocks to come
  int64_t time; // of crossing into the next one
  int64_t wait; // from one to the next
  ptrdiff_t stride;
} axis;

static axis axis_of(const cl_ray_axis *ray, const cl_dda *dda, int a, int64_t cell, int64_t end,
                    ptrdiff_t stride) {
  int64_t time = dda->time[a], wait = dda->wait[a];
  int64_t within = cell % SIDE, before = ray->step > 0 ? SIDE - 1 - within : within;
  bool longest = wait > LONGEST;
  return (axis){
      .left = llabs(end / SIDE - cell / SIDE),
      .time = !longest      ? time + before * wait
              : before == 0 ? time
                            : NEVER,
      .wait = longest ? NEVER : SIDE * wait,
      .stride = ray->step > 0 ? stride : -stride,
  };
}

// How many crossings, the first at `time` and then `wait` apart, come before `at`; -1 if one of
// them is too near to decide.
static int64_t count_before(int64_t time, int64_t wait, int64_t at, int64_t slack) {
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
static arrival walk(const uint16_t *filled, const axis *axes, int64_t slack, int64_t most) {
  int64_t tx = axes[0].time, ty = axes[1].time, tz = axes[2].time;
  int64_t wx = axes[0].wait, wy = axes[1].wait, wz = axes[2].wait;
  int64_t nx = 0, ny = 0, nz = 0, total = axes[0].left + axes[1].left + axes[2].left;
  arrival last = {-1, 0, 0, false};
  if (most > total) most = total;
  int64_t i = 0;
  for (; i < most && *filled == 0; i++) {
    int64_t xy = tx - ty, xz = tx - tz, yz = ty - tz;
    if (cl_dda_any_near(xy, xz, yz, slack)) break;
    int64_t x = cl_dda_mask(xy & xz), y = cl_dda_mask(~xy & yz), z = ~(x | y);
    last.time = (x & tx) | (y & ty) | (z & tz);
    last.axis = (int)((y & 1) + (z & 2));
    nx -= x, ny -= y, nz -= z;
    tx += x & wx, ty += y & wy, tz += z & wz;
    filled += (x & axes[0].stride) + (y & axes[1].stride) + (z & axes[2].stride);
  }
  last.through = i == total && *filled == 0;
  last.crossed = last.axis == 0 ? nx : last.axis == 1 ? ny : nz;
  return last;
}

int64_t cl_blocks_pass(const cl_grid *grid, const cl_ray *ray, const int64_t end[3], int64_t most,
                       cl_dda *dda, int64_t passed[3]) {
  assert(grid->dims == 3 && most >= CL_BLOCKS_LEAST);
  axis axes[3];
  int64_t cell[3], made = 0, count[3];
  ptrdiff_t stride = 1;
  const uint16_t *filled = grid->filled;
  for (int a = 0; a < 3; a++) {
    cell[a] = (int64_t)ray->axis[a].cell + (int64_t)ray->axis[a].step * passed[a];
    filled += (ptrdiff_t)(cell[a] / SIDE) * stride;
    axes[a] = axis_of(&ray->axis[a], dda, a, cell[a], end[a], stride);
    stride *= grid->blocks[a];
  }
  // Each block has up to SIDE crossings of the axis that leads out of it; those of the last blocks
  // are still ahead.
  arrival at = walk(filled, axes, dda->slack, (most - 3 * SIDE) / SIDE);
  if (at.axis < 0 && !at.through) return 0;
  for (int a = 0; a < 3; a++) {
    count[a] = llabs(end[a] - cell[a]);
    if (at.through) continue;
    int64_t within = cell[a] % SIDE, before = ray->axis[a].step > 0 ? SIDE - 1 - within : within;
    count[a] = a == at.axis ? before + (at.crossed - 1) * SIDE
                            : count_before(dda->time[a], dda->wait[a], at.time, dda->slack);
    if (count[a] < 0) return 0;
  }
  for (int a = 0; a < 3; a++) {
    passed[a] += count[a];
    dda->time[a] += count[a] * dda->wait[a];
    made += count[a];
  }
  return made;
}
