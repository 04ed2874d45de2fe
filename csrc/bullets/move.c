// collide, MIT licence (see LICENSE)
//
// Moving all bullets of a pool, and choosing the few of which more must be known.
// Layer: bullets.

#include "bullets/state.h"

#include "base/avx2.h"

static double last_age(const cl_bullets *pool) {
  return pool->def.lifetime * (1 - CL_LIFETIME_ERROR);
}

bool cl_bullets_expires(const cl_bullets *pool, uint32_t i, double dt) {
  cl_bounds b = pool->def.bounds;
  double x = pool->next_x[i], y = pool->next_y[i];
  return !(x >= b.l && x <= b.r && y >= b.t && y <= b.b) ||
         (pool->ages && pool->age[i] + dt >= last_age(pool));
}

double cl_bullets_pace(const cl_bullets *pool, double dt) {
  enum { SAMPLES = 64 };
  uint32_t every = pool->used / SAMPLES + 1;
  double most = 0;
  for (uint32_t i = 0; i < pool->used; i += every) {
    most = cl_max(most, cl_max(fabs(pool->vx[i]), fabs(pool->vy[i])));
  }
  return most * dt;
}

static void move_block(const cl_bullets *pool, uint32_t from, uint32_t to, double dt) {
  const double *x = pool->x, *y = pool->y, *vx = pool->vx, *vy = pool->vy;
  double *next_x = pool->next_x, *next_y = pool->next_y;
  if (pool->accelerates) {
    const double *ax = pool->ax, *ay = pool->ay;
    double half = dt * dt / 2;
    for (uint32_t i = from; i < to; i++) {
      next_x[i] = x[i] + (vx[i] * dt + ax[i] * half);
      next_y[i] = y[i] + (vy[i] * dt + ay[i] * half);
    }
    return;
  }
  for (uint32_t i = from; i < to; i++) {
    next_x[i] = x[i] + vx[i] * dt;
    next_y[i] = y[i] + vy[i] * dt;
  }
}

// Appends to `out` who is near a box, or goes farther than a cell's list tells, or
// ends outside of the bounds.
typedef struct sieve {
  const cl_bullets *pool;
  const cl_nearby *nearby;
  cl_bounds bounds;
} sieve;

static uint32_t sift(const sieve *s, uint32_t from, uint32_t to, uint32_t *out) {
  const cl_bullets *pool = s->pool;
  const cl_nearby *f = s->nearby;
  cl_bounds bounds = s->bounds;
  uint32_t n = 0;
  for (uint32_t i = from; i < to; i++) {
    double u = pool->next_x[i], v = pool->next_y[i];
    uint32_t cell;
    bool is_short = cl_nearby_is_short(f, (cl_vec){pool->x[i], pool->y[i]}, (cl_vec){u, v}, &cell);
    unsigned inside = (u >= bounds.l) & (u <= bounds.r) & (v >= bounds.t) & (v <= bounds.b);
    out[n] = i;
    n += (f->occupied[cell] | !is_short | !inside) != 0;
  }
  return n;
}

#if CL_HAS_AVX2
// Cells along one axis, as cl_nearby_column has them: a maximum or minimum with what
// is no number is the second operand there and here.
CL_AVX2 static inline __m128i cells_of(__m256d p, double start, double scale, double last) {
  __m256d cell = _mm256_mul_pd(_mm256_sub_pd(p, _mm256_set1_pd(start)), _mm256_set1_pd(scale));
  cell = _mm256_max_pd(cell, _mm256_setzero_pd());
  return _mm256_cvttpd_epi32(_mm256_min_pd(cell, _mm256_set1_pd(last)));
}

CL_AVX2 static inline __m256d outside_of(__m256d p, double low, double high) {
  __m256d below = _mm256_cmp_pd(p, _mm256_set1_pd(low), _CMP_NGE_UQ);
  return _mm256_or_pd(below, _mm256_cmp_pd(p, _mm256_set1_pd(high), _CMP_NLE_UQ));
}

CL_AVX2 static uint32_t sift_fours(const sieve *s, uint32_t from, uint32_t to, uint32_t *out) {
  const cl_bullets *pool = s->pool;
  const cl_nearby *f = s->nearby;
  const __m128i columns = _mm_set1_epi32((int)f->columns), one = _mm_set1_epi32(1);
  uint32_t n = 0;
  for (uint32_t i = from; i < to; i += 4) {
    __m256d u = _mm256_loadu_pd(pool->next_x + i), v = _mm256_loadu_pd(pool->next_y + i);
    __m128i column = cells_of(_mm256_loadu_pd(pool->x + i), f->x, f->scale, f->last_x);
    __m128i row = cells_of(_mm256_loadu_pd(pool->y + i), f->y, f->scale, f->last_y);
    __m128i right = _mm_sub_epi32(cells_of(u, f->x, f->scale, f->last_x), column);
    __m128i down = _mm_sub_epi32(cells_of(v, f->y, f->scale, f->last_y), row);
    __m128i far = _mm_cmpgt_epi32(_mm_max_epi32(_mm_abs_epi32(right), _mm_abs_epi32(down)), one);
    __m256d gone = _mm256_or_pd(outside_of(u, s->bounds.l, s->bounds.r),
                                outside_of(v, s->bounds.t, s->bounds.b));
    unsigned mask = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(far));
    mask |= (unsigned)_mm256_movemask_pd(gone);
    uint32_t cell[4];
    _mm_storeu_si128((__m128i *)(void *)cell, _mm_add_epi32(_mm_mullo_epi32(row, columns), column));
    for (uint32_t k = 0; k < 4; k++) {
      out[n] = i + k;
      n += f->occupied[cell[k]] | (mask >> k & 1);
    }
  }
  return n;
}
#endif

static uint32_t look_up(const sieve *s, uint32_t from, uint32_t to, uint32_t *out) {
  uint32_t n = 0;
#if CL_HAS_AVX2
  if (cl_has_avx2()) {
    uint32_t fours = from + (to - from) / 4 * 4;
    n = sift_fours(s, from, fours, out);
    from = fours;
  }
#endif
  return n + sift(s, from, to, out + n);
}

uint32_t cl_bullets_too_old(const cl_bullets *pool, double dt) {
  double last = last_age(pool);
  uint32_t n = 0;
  while (pool->ages && n < pool->used && pool->age[n] + dt >= last) n++;
  return n;
}

uint32_t cl_bullets_move(const cl_bullets *pool, double dt, const cl_nearby *f, uint32_t from,
                         uint32_t to, uint32_t old, uint32_t *out) {
  const sieve s = {pool, f, pool->def.bounds};
  uint32_t n = 0;
  move_block(pool, from, to, dt);
  while (from < to && from < old) out[n++] = from++;
  return n + look_up(&s, from, to, out + n);
}

void cl_bullets_move_lasers(cl_bullets *pool, double dt) {
  double half = dt * dt / 2;
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    cl_laser *laser = &pool->laser[k];
    laser->next_x = laser->at.x + (laser->at.vx * dt + laser->at.ax * half);
    laser->next_y = laser->at.y + (laser->at.vy * dt + laser->at.ay * half);
  }
}

uint32_t cl_bullets_pick(const cl_bullets *pool, const cl_nearby *f, uint32_t *out) {
  const cl_bounds everywhere = {-INFINITY, -INFINITY, INFINITY, INFINITY};
  const sieve s = {pool, f, everywhere};
  return look_up(&s, 0, pool->used, out);
}
