// collide, MIT licence (see LICENSE)
//
// A ray among unit cells, from the bottom up: products of lengths compared exactly; the exact order
// of a ray's crossings; the times by which a step costs an addition; and the walk from cell to
// cell. Layer: cells.

#include "cells/ray.h"

#include "base/tol.h"

// Products of lengths, in whole numbers of as many bits as they take. Products of doubles can
// underflow, and no expansion of doubles survives that. A double is a whole multiple of the
// smallest one, and products of whole numbers lose nothing. Source: Knuth, The Art of Computer
// Programming, volume 2, 4.3.1.

// A difference of doubles within ±2^60 has at most 61 + 1074 bits.
enum { LIMBS = 36 };

// What lies between two doubles, in either order. Its length is exact, not rounded.
typedef struct interval {
  double a, b;
} interval;

// A number in two's complement, in units of the smallest double. limb[0] is the lowest; those below
// `first` are 0.
typedef struct number {
  int first;
  uint32_t limb[LIMBS];
} number;

static void add_double(number *to, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  int biased = (int)(bits >> 52 & 0x7ff), shift = biased > 0 ? biased - 1 : 0, i = shift / 32;
  bits = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(biased > 0) << 52;
  if (bits == 0) return;
  uint64_t low = (bits & UINT32_MAX) << shift % 32, high = (bits >> 32) << shift % 32;
  high += low >> 32;
  const int64_t part[3] = {low & UINT32_MAX, high & UINT32_MAX, (int64_t)(high >> 32)};
  int64_t sum = 0;
  if (i < to->first) to->first = i;
  for (int k = 0; i < LIMBS && (k < 3 || sum != 0); i++, k++) {
    if (k < 3) sum += v < 0 ? -part[k] : part[k];
    sum += to->limb[i];
    to->limb[i] = (uint32_t)sum;
    sum = sum < 0 ? -1 : sum >> 32;
  }
}

static number length_of(interval s) {
  assert(fabs(s.a) <= 0x1p60 && fabs(s.b) <= 0x1p60);
  number length = {.first = LIMBS};
  add_double(&length, s.a < s.b ? s.b : s.a);
  add_double(&length, s.a < s.b ? -s.a : -s.b);
  return length;
}

// |x| |y|. Returns the index of the lowest limb that may not be 0.
static int multiply(interval x, interval y, uint32_t product[2 * LIMBS]) {
  const number a = length_of(x), b = length_of(y);
  memset(product, 0, 2 * LIMBS * sizeof *product);
  for (int i = a.first; i < LIMBS; i++) {
    uint64_t carry = 0;
    for (int k = b.first; k < LIMBS; k++) {
      carry += (uint64_t)a.limb[i] * b.limb[k] + product[i + k];
      product[i + k] = (uint32_t)carry;
      carry >>= 32;
    }
    product[i + LIMBS] = (uint32_t)carry;
  }
  return a.first + b.first;
}

// The sign (-1, 0, 1) of |x[0]| |y[0]| - |x[1]| |y[1]|, where |s| is the length of s. Certain for
// all doubles within ±2^60, the denormal ones included.
static int compare_length_products(const interval x[2], const interval y[2]) {
  uint32_t p[2 * LIMBS], q[2 * LIMBS];
  int lowest = multiply(x[0], y[0], p), other = multiply(x[1], y[1], q);
  if (other < lowest) lowest = other;
  for (int i = 2 * LIMBS - 1; i >= lowest; i--) {
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  }
  return 0;
}

// The exact order of the crossings of a ray: crossing i of axis a is reached at t = |boundary -
// from| / |to - from|, so two crossings are compared by cross-multiplying four differences of
// doubles.

// By conversion, since floor is a function call on many machines; |v| < 2^63.
static double floor_of(double v) {
  double whole = (double)(int64_t)v;
  return whole > v ? whole - 1 : whole;
}

static void set_axis(cl_ray_axis *axis, double from, double to) {
  double cell = floor_of(from);
  *axis = (cl_ray_axis){.from = from, .to = to, .cell = cell, .first = cell};
  if (to > from) {
    axis->first = cell + 1;
    axis->step = 1;
    axis->length = cl_two_diff(to, from);
    axis->count = (int64_t)(floor_of(to) - cell);
  } else if (to < from) {
    axis->step = -1;
    axis->length = cl_two_diff(from, to);
    axis->count = (int64_t)(cell + floor_of(-to) + 1);
  }
}

void cl_ray_set(cl_ray *ray, int dims, const double from[], const double to[]) {
  assert(dims == 2 || dims == 3);
  for (int i = 0; i < dims; i++) assert(fabs(from[i]) <= CL_MAX_CELL && fabs(to[i]) <= CL_MAX_CELL);
  ray->dims = dims;
  for (int i = 0; i < dims; i++) set_axis(&ray->axis[i], from[i], to[i]);
  if (dims < 3) set_axis(&ray->axis[2], 0, 0);
}

int cl_ray_compare(const cl_ray *ray, int a, int64_t i, int b, int64_t j) {
  const cl_ray_axis *x = &ray->axis[a], *y = &ray->axis[b];
  assert(i >= 0 && i <= x->count && j >= 0 && j <= y->count);
  double at_x = cl_ray_boundary(x, i), at_y = cl_ray_boundary(y, j);
  double p = fabs(at_x - x->from) * y->length.hi, q = fabs(at_y - y->from) * x->length.hi;
  // Each product has three roundings, so their difference is off by less than
  // 3.01 CL_ROUND of their sum and one rounding of its own; a product that
  // underflows by less than the smallest normal double.
  if (fabs(p - q) > 8 * CL_ROUND * (p + q) + DBL_MIN) return p < q ? -1 : 1;
  const interval along_x[2] = {{at_x, x->from}, {x->to, x->from}};
  const interval along_y[2] = {{y->to, y->from}, {at_y, y->from}};
  return compare_length_products(along_x, along_y);
}

int64_t cl_ray_before(const cl_ray *ray, int a, int b, int64_t j) {
  const cl_ray_axis *x = &ray->axis[a];
  if (x->count == 0) return 0;
  // The guess has four roundings, of no more than the length of the axis in cells:
  // it is wrong by a few at most.
  double guess = cl_ray_time(&ray->axis[b], j) * x->length.hi - fabs(x->first - x->from);
  int64_t i = guess < 0 ? 0 : (int64_t)guess + 1;
  if (i > x->count) i = x->count;
  while (i > 0 && cl_ray_compare(ray, a, i - 1, b, j) >= 0) i--;
  while (i < x->count && cl_ray_compare(ray, a, i, b, j) < 0) i++;
  return i;
}

unsigned cl_ray_next(const cl_ray *ray, const int64_t passed[3]) {
  unsigned axes = 0;
  int best = -1;
  for (int a = 0; a < ray->dims; a++) {
    if (passed[a] >= ray->axis[a].count) continue;
    int sign = best < 0 ? -1 : cl_ray_compare(ray, a, passed[a], best, passed[best]);
    if (sign < 0) axes = 0;
    if (sign <= 0) axes |= 1u << a;
    if (sign < 0) best = a;
  }
  return axes;
}

// The times of a ray's next crossings.
// Source of the arithmetic: Dekker, A floating-point technique for extending the
// available precision (1971).

// A time that is never reached: it is later than CL_DDA_STEPS crossings of the fastest axis.
#define NEVER (INT64_C(1) << 61)

// One for each axis, so that they do not seem to cross together.
static int64_t never(int axis) { return NEVER + ((int64_t)axis << 59); }

// A ray shorter than this along an axis has few crossings there, and products
// would underflow: cl_ray_next decides the order.
#define LEAST_LENGTH 0x1p-200

// A product or difference of double doubles is off by less than this fraction of its
// operands: the bound is 7 squares of 2^-53, the rest is margin.
#define DOUBLE_ROUND 0x1p-100

// `lo` of an exact result is 0. `hi` may have underflowed to 0.
static cl_two two_multiply(cl_two a, cl_two b, bool *exact) {
  cl_two p = cl_two_product(a.hi, b.hi);
  if (a.lo != 0 || b.lo != 0 || p.lo != 0 || (a.hi != 0 && fabs(p.hi) < LEAST_LENGTH)) {
    *exact = false;
    return cl_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
  }
  return p;
}

static cl_two two_subtract(cl_two a, cl_two b, bool *exact) {
  cl_two d = cl_two_diff(a.hi, b.hi);
  if (a.lo != 0 || b.lo != 0 || d.lo != 0) {
    *exact = false;
    return cl_two_sum(d.hi, d.lo + (a.lo - b.lo));
  }
  return d;
}

// The power of two that brings v, at least 2^-401, into [2^49, 2^50).
static double scale_for(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  u = (1023 + 49 + 1023 - (u >> 52)) << 52;
  double scale;
  memcpy(&scale, &u, sizeof scale);
  return scale;
}

// v * scale in whole units, off by less than 2; never(axis) when that is too large.
static int64_t fixed(cl_two v, double scale, int axis, bool *exact) {
  double hi = v.hi * scale, lo = v.lo * scale;
  if (fabs(hi) >= (double)NEVER) return never(axis);
  int64_t units = (int64_t)hi;
  if (lo != 0 || (double)units != hi) {
    *exact = false;
    units += (int64_t)lo;
  }
  return units;
}

static cl_two distance_to_crossing(const cl_ray_axis *axis, int64_t passed) {
  double at = cl_ray_boundary(axis, passed);
  return axis->step > 0 ? cl_two_diff(at, axis->from) : cl_two_diff(axis->from, at);
}

// The axes that still cross, the fastest first; how many.
static int moving_axes(const cl_ray *ray, const int64_t passed[3], int axes[3]) {
  int n = 0;
  for (int a = 0; a < ray->dims; a++) {
    if (passed[a] >= ray->axis[a].count) continue;
    axes[n++] = a;
    if (ray->axis[a].length.hi > ray->axis[axes[0]].length.hi) {
      axes[n - 1] = axes[0];
      axes[0] = a;
    }
  }
  return n;
}

// Sets the times for a ray that has made `passed` crossings of each axis.
static void set_times(cl_dda *dda, const cl_ray *ray, const int64_t passed[3]) {
  int axes[3], n = moving_axes(ray, passed, axes);
  *dda = (cl_dda){.time = {never(0), never(1), never(2)}, .exact = true};
  if (n == 0) return;
  int fast = axes[0];
  const cl_ray_axis *f = &ray->axis[fast];
  dda->time[fast] = 0;
  if (n == 1) return;
  static const cl_two one = {1, 0};
  // others[i] is the product of the lengths of all axes but axes[i].
  cl_two length[3] = {f->length, one, one};
  for (int i = 1; i < n; i++) length[i] = ray->axis[axes[i]].length;
  if (length[1].hi < LEAST_LENGTH || length[2].hi < LEAST_LENGTH) {
    *dda = (cl_dda){.exact = false}; // all times equal, and that says nothing
    return;
  }
  bool exact = true;
  cl_two wait = n == 2 ? length[1] : two_multiply(length[1], length[2], &exact);
  double scale = scale_for(wait.hi), error = 0;
  dda->wait[fast] = fixed(wait, scale, fast, &exact);
  cl_two df = distance_to_crossing(f, passed[fast]);
  for (int i = 1; i < n; i++) {
    int a = axes[i];
    cl_two other = n == 2 ? one : length[3 - i],
           da = distance_to_crossing(&ray->axis[a], passed[a]);
    cl_two u = two_multiply(da, length[0], &exact), v = two_multiply(df, length[i], &exact);
    cl_two later = two_subtract(u, v, &exact), between = length[0];
    if (n == 3) {
      later = two_multiply(later, other, &exact);
      between = two_multiply(length[0], other, &exact);
    }
    dda->time[a] = fixed(later, scale, a, &exact);
    dda->wait[a] = fixed(between, scale, a, &exact);
    error += 4 * DOUBLE_ROUND * (u.hi + v.hi) * other.hi * scale;
  }
  if (exact) return;
  // Each axis adds its wait, off by less than 2, at most CL_DDA_STEPS times.
  *dda = error < 0x1p50 ? *dda : (cl_dda){.exact = false};
  dda->slack = error < 0x1p50 ? (int64_t)error + 4 * CL_DDA_STEPS + 8 : 0;
  dda->exact = false;
}

// The walk from cell to cell.

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

bool cl_walk_set_times(cl_walk *walk, int64_t least) {
  if (walk->fresh > least) return false;
  set_times(&walk->dda, &walk->ray, walk->passed);
  walk->fresh = CL_DDA_STEPS;
  return true;
}

unsigned cl_walk_next(const cl_walk *walk) {
  if (!walk->dda.exact) return cl_ray_next(&walk->ray, walk->passed);
  const int64_t *time = walk->dda.time;
  int64_t least = time[0] < time[1] ? time[0] : time[1];
  if (time[2] < least) least = time[2];
  return (unsigned)((time[0] == least) | (time[1] == least) << 1 | (time[2] == least) << 2);
}

// Writes the cell reached by one more crossing of each axis in `axes`.
static double *put_cell(const cl_walk *walk, unsigned axes, double *out) {
  *out++ = walk->step;
  for (int a = 0; a < walk->ray.dims; a++) {
    const cl_ray_axis *axis = &walk->ray.axis[a];
    *out++ = axis->cell + axis->step * (double)(walk->passed[a] + (axes >> a & 1));
  }
  *out++ = walk->t;
  return out;
}

// One step across one boundary or several.
static double *step_across(cl_walk *walk, unsigned axes, double *out) {
  const unsigned char *cells = cl_walk_groups[axes];
  walk->step++;
  for (int a = 0; a < 3; a++) {
    double t = axes >> a & 1 ? cl_ray_time(&walk->ray.axis[a], walk->passed[a]) : 0;
    walk->t = t > walk->t ? t : walk->t;
  }
  if (walk->diagonal) {
    out = put_cell(walk, axes, out);
  } else {
    for (; *cells; cells++) out = put_cell(walk, *cells, out);
  }
  for (int a = 0; a < 3; a++) cl_walk_pass(walk, a, axes >> a & 1);
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
// They return how many they made.

static int64_t walk_flat(cl_walk *walk, int64_t most, double *out) {
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

static int64_t walk_deep(cl_walk *walk, int64_t most, double *out) {
  const cl_ray_axis *axis = walk->ray.axis;
  const clock clocks[3] = {clock_of(&axis[0]), clock_of(&axis[1]), clock_of(&axis[2])};
  cl_dda dda = walk->dda;
  int64_t nx = walk->passed[0], ny = walk->passed[1], nz = walk->passed[2], i = 0;
  double step = walk->step, t = walk->t;
  for (; i < most; i++, out += 5) {
    cl_dda_axis to;
    if (!cl_dda_step(&dda, &to)) break;
    t = later_of(t, &clocks[(to.y & 1) + (to.z & 2)], (nx & to.x) | (ny & to.y) | (nz & to.z));
    nx -= to.x;
    ny -= to.y;
    nz -= to.z;
    out[0] = step += 1;
    out[1] = axis[0].cell + axis[0].step * (double)nx;
    out[2] = axis[1].cell + axis[1].step * (double)ny;
    out[3] = axis[2].cell + axis[2].step * (double)nz;
    out[4] = t;
  }
  for (int a = 0; a < 3; a++) walk->dda.time[a] = dda.time[a];
  walk->passed[0] = nx;
  walk->passed[1] = ny;
  walk->passed[2] = nz;
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
    out = put_cell(walk, 0, out);
  }
  while (walk->left > 0 && out <= last) {
    cl_walk_set_times(walk, 0);
    int64_t most = cl_walk_most(walk, (last - out) / width + 1);
    int64_t made = width == 4 ? walk_flat(walk, most, out) : walk_deep(walk, most, out);
    out += made * width;
    walk->left -= made;
    walk->fresh -= made;
    if (made < most) out = step_across(walk, cl_walk_next(walk), out);
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
