// collide, MIT licence (see LICENSE)
//
// Placing small convex parts, in lanes. Layer: narrow.

#include "narrow/corners.h"

#include "base/avx2.h"
#include "base/tol.h"
#include "narrow/lanes.h"

CL_INLINE void place_the_rest(const cl_placed *p, double *block) {
  block[CL_BLOCK_X] = p->x, block[CL_BLOCK_Y] = p->y;
  block[CL_BLOCK_SIZE] = fabs(p->x) + fabs(p->y) + p->shape->parts->reach;
}

// Where the corners from `i` on are taken from: a shape's arrays have room for four if
// that is enough, and then the same four come again.
CL_INLINE size_t source(const cl_part *part, size_t i) {
  size_t more = part->count > CL_FEW ? CL_FEW : 0;
  return part->first + (i & 2) + (i & more);
}

// Bounds are stored in pairs, as they will be loaded again: loading together what was
// stored apart takes the processor a while.
CL_INLINE void place_pairs(const cl_placed *p, size_t room, double *block, cl_bounds *bounds) {
  const cl_shape *s = p->shape;
  pair c = both(p->rot.c), d = both(p->rot.s), minus_d = both(-p->rot.s);
  pair px = both(p->x), py = both(p->y);
  pair l = both(DBL_MAX), t = l, r = both(-DBL_MAX), b = r;
  double *out = block + CL_BLOCK_CORNERS;
  for (size_t i = 0; i < room; i += 2) {
    size_t k = source(s->parts, i);
    pair x = load(s->vx + k), y = load(s->vy + k), u = load(s->nx + k), v = load(s->ny + k);
    store(out + 2 * room + i, dot(c, minus_d, u, v));
    store(out + 3 * room + i, dot(d, c, u, v));
    u = add(px, dot(c, minus_d, x, y)), v = add(py, dot(d, c, x, y));
    store(out + i, u);
    store(out + room + i, v);
    l = least(u, l), r = most(u, r), t = least(v, t), b = most(v, b);
  }
  place_the_rest(p, block);
  if (!bounds) return;
  store(&bounds->l, least_of_each(l, t));
  store(&bounds->r, most_of_each(r, b));
}

#if CL_HAS_AVX2
CL_AVX2 CL_INLINE __m128d fold(__m256d a, bool to_most) {
  __m128d low = _mm256_castpd256_pd128(a), high = _mm256_extractf128_pd(a, 1);
  return to_most ? _mm_max_pd(low, high) : _mm_min_pd(low, high);
}

CL_AVX2 CL_INLINE __m256d dot_four(__m256d ax, __m256d ay, __m256d bx, __m256d by) {
  return _mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by));
}

// Places four corners, the i-th of the block and those after it.
CL_AVX2 CL_INLINE void place_four(const cl_placed *p, size_t room, size_t i, double *block,
                                  __m256d *x, __m256d *y) {
  const cl_shape *s = p->shape;
  size_t k = source(s->parts, i);
  __m256d c = _mm256_set1_pd(p->rot.c), d = _mm256_set1_pd(p->rot.s);
  __m256d minus_d = _mm256_set1_pd(-p->rot.s);
  __m256d lx = _mm256_loadu_pd(s->vx + k), ly = _mm256_loadu_pd(s->vy + k);
  __m256d u = _mm256_loadu_pd(s->nx + k), v = _mm256_loadu_pd(s->ny + k);
  double *out = block + CL_BLOCK_CORNERS + i;
  *x = _mm256_add_pd(_mm256_set1_pd(p->x), dot_four(c, minus_d, lx, ly));
  *y = _mm256_add_pd(_mm256_set1_pd(p->y), dot_four(d, c, lx, ly));
  _mm256_storeu_pd(out, *x);
  _mm256_storeu_pd(out + room, *y);
  _mm256_storeu_pd(out + 2 * room, dot_four(c, minus_d, u, v));
  _mm256_storeu_pd(out + 3 * room, dot_four(d, c, u, v));
}

CL_AVX2 CL_INLINE void place_fours(const cl_placed *p, size_t room, double *block,
                                   cl_bounds *bounds) {
  __m256d x, y, z, w;
  place_four(p, room, 0, block, &x, &y);
  z = x, w = y;
  if (room > CL_FEW) place_four(p, room, CL_FEW, block, &z, &w);
  place_the_rest(p, block);
  if (!bounds) return;
  __m128d l = fold(_mm256_min_pd(x, z), false), t = fold(_mm256_min_pd(y, w), false);
  __m128d r = fold(_mm256_max_pd(x, z), true), b = fold(_mm256_max_pd(y, w), true);
  store(&bounds->l, least_of_each(l, t));
  store(&bounds->r, most_of_each(r, b));
}

CL_AVX2 static void place_few_wide(const cl_placed *p, double *block, cl_bounds *bounds) {
  place_fours(p, CL_FEW, block, bounds);
}

CL_AVX2 static void place_wide(const cl_placed *p, double *block, cl_bounds *bounds) {
  place_fours(p, CL_AXES, block, bounds);
}
#else
static void place_few_wide(const cl_placed *p, double *block, cl_bounds *bounds) {
  place_pairs(p, CL_FEW, block, bounds);
}

static void place_wide(const cl_placed *p, double *block, cl_bounds *bounds) {
  place_pairs(p, CL_AXES, block, bounds);
}
#endif

void cl_corners_place_few(const cl_placed *placed, bool wide, double *block, cl_bounds *bounds) {
  if (wide) place_few_wide(placed, block, bounds);
  else place_pairs(placed, CL_FEW, block, bounds);
}

void cl_corners_place(const cl_placed *placed, bool wide, double *block, cl_bounds *bounds) {
  if (wide) place_wide(placed, block, bounds);
  else place_pairs(placed, CL_AXES, block, bounds);
}
