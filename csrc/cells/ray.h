// collide, MIT licence (see LICENSE)
//
// A segment among unit cells, 2D or 3D: which boundaries between cells it crosses,
// which of two it reaches first, and the cells that it passes through. Layer: cells.
//
// A cell is named by its lowest corner. One rule covers all cases: the first cell is
// the floor of the start; on each axis every whole number that the segment reaches
// at a parameter in [0, 1] in the direction of travel is a boundary that it crosses.
// So going down from a boundary crosses it at 0, ending on one crosses it at 1, and
// an axis without movement crosses none.

#ifndef CL_CELLS_RAY_H
#define CL_CELLS_RAY_H

#include "base/config.h"
#include "base/exact.h"

/// One axis of a ray. Its crossings have numbers 0 … count - 1 in the order of
/// travel; crossing i leads out of cell + step * i.
typedef struct cl_ray_axis {
  double from, to;
  double cell;   ///< of the start
  double first;  ///< the boundary of crossing 0
  double step;   ///< 1, -1, or 0 without movement
  cl_two length; ///< |to - from|
  int64_t count;
} cl_ray_axis;

/// In 2D the third axis is there and never crosses.
typedef struct cl_ray {
  cl_ray_axis axis[3];
  int dims;
} cl_ray;

/// `from` and `to` have `dims` (2 or 3) coordinates within ±CL_MAX_CELL.
void cl_ray_set(cl_ray *ray, int dims, const double from[], const double to[]);

/// The boundary of crossing i; i may be `count`, one past the last.
static inline double cl_ray_boundary(const cl_ray_axis *axis, int64_t i) {
  return axis->first + axis->step * (double)i;
}

/// The parameter of crossing i of an axis in 0 … 1, rounded.
static inline double cl_ray_time(const cl_ray_axis *axis, int64_t i) {
  double t = fabs(cl_ray_boundary(axis, i) - axis->from) / axis->length.hi;
  return t < 1 ? t : 1;
}

/// The exact sign (-1, 0, 1) of t of crossing i of axis a minus t of crossing j
/// of axis b. i and j are at most `count` of their axis.
int cl_ray_compare(const cl_ray *ray, int a, int64_t i, int b, int64_t j);

/// How many crossings of axis a come before crossing j of axis b. Exact.
int64_t cl_ray_before(const cl_ray *ray, int a, int b, int64_t j);

/// Which axes cross next after `passed` crossings of each: a bit for each axis,
/// several when they cross together, 0 at the end. Exact.
unsigned cl_ray_next(const cl_ray *ray, const int64_t passed[3]);

// The DDA stepper: the next crossings of a ray in fixed point, by which a step from cell
// to cell costs an addition (Amanatides and Woo 1987, in whole numbers).
//
// Times are scaled so that all become sums of products. With lengths X, Y, Z of the
// ray along its axes, crossings of x lie 1/X apart, which times X Y Z is Y Z; and
// from the next crossing of the fastest axis, f, to the next one of axis a it is
//   (da / La - df / Lf) X Y Z = (da Lf - df La) Lother
// where da is the distance along a from the start to that crossing. These are
// computed in double doubles, scaled by a power of two, and rounded to 64 bits once
// every CL_DDA_STEPS crossings; from there one adds.
//
// So `time` and `wait` of each axis are off by a bounded number of units, and two
// crossings whose times differ by more than `slack` are certainly in that order.
// cl_ray_next decides the others. Where nothing was rounded, as with ends on a
// lattice of a few binary digits, slack is 0, and equal times are equal.

/// After so many crossings the times must be set again. The last step may cross
/// all axes at once. The fastest axis waits less than 2^50 units, so that its
/// times stay below 2^61.
enum { CL_DDA_STEPS = 1024 };

typedef struct cl_dda {
  int64_t time[3]; ///< of the next crossing; times and their differences stay within ±2^62
  int64_t wait[3]; ///< from one crossing to the next
  int64_t slack;
  bool exact; ///< equal times are equal, and slack is 0
} cl_dda;

/// Whether two times are too near to tell which is first, given their difference.
static inline bool cl_dda_near(int64_t difference, int64_t slack) {
  return (uint64_t)difference + (uint64_t)slack <= 2 * (uint64_t)slack;
}

/// All bits when a difference is negative, else none.
static inline int64_t cl_dda_mask(int64_t difference) { return -(int64_t)(difference < 0); }

/// The axis of a crossing: all bits of one of them.
typedef struct cl_dda_axis {
  int64_t x, y, z;
} cl_dda_axis;

/// Makes the next crossing of a ray in 3D, of one axis; false when the order is uncertain. Which
/// one is a mask, not a branch, which would be mispredicted too often.
CL_INLINE bool cl_dda_step(cl_dda *dda, cl_dda_axis *to) {
  int64_t xy = dda->time[0] - dda->time[1], xz = dda->time[0] - dda->time[2];
  int64_t yz = dda->time[1] - dda->time[2];
  if (cl_dda_near(xy, dda->slack) || cl_dda_near(xz, dda->slack) || cl_dda_near(yz, dda->slack))
    return false;
  to->x = cl_dda_mask(xy & xz);
  to->y = cl_dda_mask(~xy & yz);
  to->z = ~(to->x | to->y);
  dda->time[0] += to->x & dda->wait[0];
  dda->time[1] += to->y & dda->wait[1];
  dda->time[2] += to->z & dda->wait[2];
  return true;
}

// The cells that a segment passes through, in order, a block at a time.
//
// Boundaries that are reached at the same parameter are crossed together; the cells
// of such a corner share one step and t, in the order x, y, xy (3D edge: the two
// sides in the order of the axes, then the diagonal; corner: x, y, z, xy, xz, yz,
// xyz).

/// The most cells of one step.
enum { CL_WALK_GROUP = 7 };

/// The cells of a corner, for each set of axes that cross together (bits 1, 2, 4). A cell is the
/// set of axes crossed to reach it; each list ends in 0.
extern const unsigned char cl_walk_groups[8][CL_WALK_GROUP + 1];

typedef struct cl_walk {
  cl_ray ray;
  cl_dda dda;
  int64_t passed[3]; ///< crossings made of each axis
  int64_t left;      ///< crossings to come
  int64_t fresh;     ///< crossings that dda is still good for
  double step, t;    ///< of the last cell
  bool diagonal;     ///< at a corner, write only the last cell
} cl_walk;

/// How many crossings can be made one by one, up to `most`.
static inline int64_t cl_walk_most(const cl_walk *walk, int64_t most) {
  int64_t good = walk->left < walk->fresh ? walk->left : walk->fresh;
  return good < most ? good : most;
}

/// Makes crossings of an axis.
static inline void cl_walk_pass(cl_walk *walk, int axis, int64_t count) {
  walk->passed[axis] += count;
  walk->left -= count;
  walk->fresh -= count;
  walk->dda.time[axis] += count * walk->dda.wait[axis];
}

/// Sets the times if they are good for no more than `least` crossings; returns whether it did.
bool cl_walk_set_times(cl_walk *walk, int64_t least);

/// Which axes cross next, as cl_ray_next says; it need not be asked where the times are exact.
unsigned cl_walk_next(const cl_walk *walk);

/// A walk from `from` to `to`, of `dims` coordinates within ±CL_MAX_CELL.
void cl_walk_set(cl_walk *walk, int dims, const double from[], const double to[], bool diagonal);

/// Writes the next cells into `out`, dims + 2 numbers for each: step (from 1), x, y
/// (, z), and t in 0 … 1, which never decreases. Returns how many: at most `capacity`
/// (CL_WALK_GROUP or more), and 0 only at the end.
int cl_walk_fill(cl_walk *walk, double *out, int capacity);

#endif
