// collide, MIT licence (see LICENSE)
//
// Separating axes in lanes. Layer: narrow.
//
// Every loop has a fixed length and there is no early way out: which axis
// separates two shapes nobody can predict, and a wrong guess costs more than
// all of the axes. Lanes are only compared, never added up, so the width of the
// vectors doesn't show.
//
// A couple goes through four steps, each of which waits for the one before: which
// comes first, where the vertices are seen from there, the separations, and what
// follows from the largest. So each step is a loop over some couples, and the
// processor has something to do while one of them waits.

#include "narrow/axes.h"

#include "base/avx2.h"
#include "narrow/convex.h"
#include "narrow/lanes.h"

// So many couples go through the steps at once, and so far ahead their memory is asked
// for: worth the time that it takes to come from the outer caches.
enum { TOGETHER = 8, AHEAD = 8 };

// A couple in the kernel's order: p has few corners if only one has. The vertices
// of both are taken relative to the place of the one that comes first by cl_comes_first,
// so that projections keep their bits, and its edges go before the other's.
typedef struct job {
  const double *p, *q;
  const double *first;
  uint32_t q_first, one_place;
} job;

// A part's vertices, as seen from the first's place.
typedef struct near_by {
  double x[CL_AXES], y[CL_AXES];
} near_by;

// The largest separation along the normals of both, and along which: bits 0 to 7 are for
// the edges of the first, 8 to 15 for the second's.
typedef struct finding {
  double separation;
  uint32_t edges;
} finding;

CL_INLINE unsigned first_bit(unsigned bits) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctz(bits);
#else
  unsigned i = 0;
  while (!(bits >> i & 1)) i++;
  return i;
#endif
}

CL_INLINE const double *choose(const double *a, const double *b, uint32_t second) {
  uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
  return (const double *)(p ^ ((p ^ q) & (0 - (uintptr_t)second)));
}

CL_INLINE job order(const double *p, const double *q) {
  bool in_column = p[CL_BLOCK_X] == q[CL_BLOCK_X];
  bool p_first = (p[CL_BLOCK_X] < q[CL_BLOCK_X]) | (in_column & (p[CL_BLOCK_Y] < q[CL_BLOCK_Y]));
  bool one_place = in_column & (p[CL_BLOCK_Y] == q[CL_BLOCK_Y]);
  return (job){p, q, choose(p, q, !p_first), !p_first, one_place};
}

CL_INLINE uint32_t edges(uint32_t of_p, uint32_t of_q, uint32_t q_first) {
  return of_p << CL_AXES * q_first | of_q << CL_AXES * (1 - q_first);
}

// ---- two axes to a vector

CL_INLINE void come_near(const double *from, double origin, int room, double *out) {
  for (int i = 0; i < room; i += 2) store(out + i, sub(load(from + i), both(origin)));
}

// How far beyond each edge of one part the nearest vertex of the other lies.
CL_INLINE void separate(const double *normals, int room, const near_by *own, const near_by *other,
                        int others, pair *out) {
  for (int i = 0; i < room; i += 4) {
    pair ux = load(normals + i), uy = load(normals + room + i);
    pair vx = load(normals + i + 2), vy = load(normals + room + i + 2);
    pair s = both(DBL_MAX), t = s;
    for (int k = 0; k < others; k++) {
      pair x = both(other->x[k]), y = both(other->y[k]);
      s = least(dot(ux, uy, x, y), s);
      t = least(dot(vx, vy, x, y), t);
    }
    out[i / 2] = sub(s, dot(ux, uy, load(own->x + i), load(own->y + i)));
    out[i / 2 + 1] = sub(t, dot(vx, vy, load(own->x + i + 2), load(own->y + i + 2)));
  }
}

CL_INLINE finding find_pairs(const job *j, const near_by v[2], int p_room, int q_room) {
  pair s[CL_AXES];
  int p_pairs = p_room / 2, pairs = p_pairs + q_room / 2;
  separate(j->p + CL_BLOCK_CORNERS + 2 * p_room, p_room, &v[0], &v[1], q_room, s);
  separate(j->q + CL_BLOCK_CORNERS + 2 * q_room, q_room, &v[1], &v[0], p_room, s + p_pairs);
  pair best = s[0];
  for (int i = 1; i < pairs; i++) best = most(best, s[i]);
  double all = most_of(best);
  uint32_t of_p = 0, of_q = 0;
  for (int i = 0; i < p_pairs; i++) of_p |= equal(s[i], both(all)) << 2 * i;
  for (int i = p_pairs; i < pairs; i++) of_q |= equal(s[i], both(all)) << 2 * (i - p_pairs);
  return (finding){all, edges(of_p, of_q, j->q_first)};
}

CL_INLINE void near_pairs(const job *j, int p_room, int q_room, near_by v[2]) {
  double x = j->first[CL_BLOCK_X], y = j->first[CL_BLOCK_Y];
  const double *p = j->p + CL_BLOCK_CORNERS, *q = j->q + CL_BLOCK_CORNERS;
  come_near(p, x, p_room, v[0].x), come_near(p + p_room, y, p_room, v[0].y);
  come_near(q, x, q_room, v[1].x), come_near(q + q_room, y, q_room, v[1].y);
}

// ---- four axes to a vector

#if CL_HAS_AVX2
CL_AVX2 CL_INLINE __m256d dot_four(__m256d ax, __m256d ay, __m256d bx, __m256d by) {
  return _mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by));
}

CL_AVX2 CL_INLINE void come_near_wide(const double *from, double origin, int room, double *out) {
  __m256d o = _mm256_set1_pd(origin);
  for (int i = 0; i < room; i += 4) {
    _mm256_storeu_pd(out + i, _mm256_sub_pd(_mm256_loadu_pd(from + i), o));
  }
}

CL_AVX2 CL_INLINE uint32_t equal_four(__m256d a, __m256d b) {
  return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ));
}

// `out` gets the first four edges, and the others if there is room for them.
CL_AVX2 CL_INLINE void separate_wide(const double *normals, int room, const near_by *own,
                                     const near_by *other, int others, __m256d *out) {
  int more = room > CL_FEW ? CL_FEW : 0;
  __m256d ux = _mm256_loadu_pd(normals), uy = _mm256_loadu_pd(normals + room);
  __m256d vx = _mm256_loadu_pd(normals + more), vy = _mm256_loadu_pd(normals + room + more);
  __m256d s = _mm256_set1_pd(DBL_MAX), t = s;
  for (int k = 0; k < others; k++) {
    __m256d x = _mm256_broadcast_sd(other->x + k), y = _mm256_broadcast_sd(other->y + k);
    s = _mm256_min_pd(dot_four(ux, uy, x, y), s);
    if (more) t = _mm256_min_pd(dot_four(vx, vy, x, y), t);
  }
  out[0] = _mm256_sub_pd(s, dot_four(ux, uy, _mm256_loadu_pd(own->x), _mm256_loadu_pd(own->y)));
  if (more)
    out[1] = _mm256_sub_pd(
        t, dot_four(vx, vy, _mm256_loadu_pd(own->x + more), _mm256_loadu_pd(own->y + more)));
}

CL_AVX2 CL_INLINE finding find_fours(const job *j, const near_by v[2], int p_room, int q_room) {
  __m256d s[2], t[2];
  separate_wide(j->p + CL_BLOCK_CORNERS + 2 * p_room, p_room, &v[0], &v[1], q_room, s);
  separate_wide(j->q + CL_BLOCK_CORNERS + 2 * q_room, q_room, &v[1], &v[0], p_room, t);
  __m256d best = _mm256_max_pd(s[0], t[0]);
  if (p_room > CL_FEW) best = _mm256_max_pd(best, s[1]);
  if (q_room > CL_FEW) best = _mm256_max_pd(best, t[1]);
  best = _mm256_max_pd(best, _mm256_permute2f128_pd(best, best, 1));
  best = _mm256_max_pd(best, _mm256_permute_pd(best, 5));
  uint32_t of_p = equal_four(s[0], best), of_q = equal_four(t[0], best);
  if (p_room > CL_FEW) of_p |= equal_four(s[1], best) << CL_FEW;
  if (q_room > CL_FEW) of_q |= equal_four(t[1], best) << CL_FEW;
  return (finding){_mm256_cvtsd_f64(best), edges(of_p, of_q, j->q_first)};
}

CL_AVX2 CL_INLINE void near_fours(const job *j, int p_room, int q_room, near_by v[2]) {
  double x = j->first[CL_BLOCK_X], y = j->first[CL_BLOCK_Y];
  const double *p = j->p + CL_BLOCK_CORNERS, *q = j->q + CL_BLOCK_CORNERS;
  come_near_wide(p, x, p_room, v[0].x), come_near_wide(p + p_room, y, p_room, v[0].y);
  come_near_wide(q, x, q_room, v[1].x), come_near_wide(q + q_room, y, q_room, v[1].y);
}
#endif

// ---- what follows

// The bound of cl_convex_error for parts that are small.
CL_INLINE double error_of(const double *p, const double *q) {
  return CL_SEPARATION_ERROR * (p[CL_BLOCK_SIZE] + q[CL_BLOCK_SIZE]) *
         (1 + 2 * CL_AXES / (4.0 * CL_SMALL));
}

// Writes down what was found about a couple; `flip`: p is its b. What doesn't count is
// overwritten by the next: no branch hangs on it.
CL_INLINE void judge(const job *j, const finding *f, uint32_t number, int p_room, int q_room,
                     bool flip, cl_verdicts *out) {
  double error = error_of(j->p, j->q);
  unsigned edge = first_bit(f->edges), of_second = edge / CL_AXES, of_q = of_second ^ j->q_first;
  size_t room = (size_t)p_room + (size_t)(q_room - p_room) * of_q;
  const double *normal = choose(j->p, j->q, of_q) + CL_BLOCK_CORNERS + 2 * room + edge % CL_AXES;
  double sign = 1 - 2 * (double)(!of_q ^ flip);
  out->hit[out->hits] = (cl_hit){normal[0] * sign + 0.0, normal[room] * sign + 0.0, -f->separation};
  out->which[out->hits] = out->doubt[out->doubts] = number;
  bool hit = (f->separation < -error) & !j->one_place, apart = f->separation > error;
  out->hits += hit;
  out->doubts += !(hit | apart);
}

// Asks for the memory of the couple some places ahead.
CL_INLINE void prefetch(const cl_couple *couple, uint32_t i, uint32_t count, int p_room, int q_room,
                        bool flip) {
  cl_couple c = couple[i + AHEAD < count ? i + AHEAD : i];
  const double *p = flip ? c.b : c.a, *q = flip ? c.a : c.b;
  for (int k = 0; k < CL_BLOCK(p_room); k += 8) CL_WILL_READ(p + k);
  for (int k = 0; k < CL_BLOCK(q_room); k += 8) CL_WILL_READ(q + k);
}

// The loops, for the numbers of a variant and for the width of its steps.
#define STEPS(near, find)                                                                          \
  cl_verdicts found = *out;                                                                        \
  job j[TOGETHER];                                                                                 \
  near_by v[TOGETHER][2];                                                                          \
  finding f[TOGETHER];                                                                             \
  for (uint32_t from = 0; from < count; from += TOGETHER) {                                        \
    uint32_t n = count - from < TOGETHER ? count - from : TOGETHER;                                \
    for (uint32_t i = 0; i < n; i++) {                                                             \
      prefetch(couple, from + i, count, p_room, q_room, flip);                                     \
      cl_couple c = couple[from + i];                                                              \
      j[i] = order(flip ? c.b : c.a, flip ? c.a : c.b);                                            \
    }                                                                                              \
    for (uint32_t i = 0; i < n; i++) near(&j[i], p_room, q_room, v[i]);                            \
    for (uint32_t i = 0; i < n; i++) f[i] = find(&j[i], v[i], p_room, q_room);                     \
    for (uint32_t i = 0; i < n; i++) judge(&j[i], &f[i], from + i, p_room, q_room, flip, &found);  \
  }                                                                                                \
  *out = found;

// A single couple, with room for many corners.
#define STEP(near, find)                                                                           \
  job j = order(p, q);                                                                             \
  near_by v[2];                                                                                    \
  near(&j, CL_AXES, CL_AXES, v);                                                                   \
  finding f = find(&j, v, CL_AXES, CL_AXES);                                                       \
  judge(&j, &f, 0, CL_AXES, CL_AXES, false, out);

static void overlap_pair(const double *p, const double *q,
                         cl_verdicts *out){STEP(near_pairs, find_pairs)}

CL_INLINE void test_pairs(const cl_couple *couple, uint32_t count, int p_room, int q_room,
                          bool flip, cl_verdicts *out) {
  STEPS(near_pairs, find_pairs)
}

static void overlap_pairs(const cl_couple *couple, uint32_t count, cl_rooms rooms,
                          cl_verdicts *out) {
  switch (rooms) {
  case CL_BOTH_FEW: test_pairs(couple, count, CL_FEW, CL_FEW, false, out); break;
  case CL_A_FEW: test_pairs(couple, count, CL_FEW, CL_AXES, false, out); break;
  case CL_B_FEW: test_pairs(couple, count, CL_FEW, CL_AXES, true, out); break;
  case CL_NONE_FEW: test_pairs(couple, count, CL_AXES, CL_AXES, false, out); break;
  }
}

#if CL_HAS_AVX2
CL_AVX2 CL_INLINE void test_fours(const cl_couple *couple, uint32_t count, int p_room, int q_room,
                                  bool flip, cl_verdicts *out){STEPS(near_fours, find_fours)}

CL_AVX2 static void overlap_fours(const cl_couple *couple, uint32_t count, cl_rooms rooms,
                                  cl_verdicts *out) {
  switch (rooms) {
  case CL_BOTH_FEW: test_fours(couple, count, CL_FEW, CL_FEW, false, out); break;
  case CL_A_FEW: test_fours(couple, count, CL_FEW, CL_AXES, false, out); break;
  case CL_B_FEW: test_fours(couple, count, CL_FEW, CL_AXES, true, out); break;
  case CL_NONE_FEW: test_fours(couple, count, CL_AXES, CL_AXES, false, out); break;
  }
}
CL_AVX2 static void overlap_pair_wide(const double *p, const double *q, cl_verdicts *out) {
  STEP(near_fours, find_fours)
}
#else
static void overlap_pair_wide(const double *p, const double *q, cl_verdicts *out) {
  overlap_pair(p, q, out);
}
#endif

void cl_corners_overlap(const cl_couple *couple, uint32_t count, cl_rooms rooms, bool wide,
                        cl_verdicts *out) {
#if CL_HAS_AVX2
  if (wide) {
    overlap_fours(couple, count, rooms, out);
    return;
  }
#endif
  (void)wide;
  overlap_pairs(couple, count, rooms, out);
}

cl_verdict cl_corners_verdict(const cl_placed *a, const cl_placed *b, bool wide, cl_hit *out) {
  double block[2][CL_BLOCK(CL_AXES)];
  cl_hit hit;
  uint32_t which, doubt;
  cl_verdicts found = {&hit, &which, &doubt, 0, 0};
  cl_corners_place(a, wide, block[0], NULL);
  cl_corners_place(b, wide, block[1], NULL);
  (wide ? overlap_pair_wide : overlap_pair)(block[0], block[1], &found);
  if (found.hits) *out = hit;
  return found.hits ? CL_HIT : found.doubts ? CL_DOUBT : CL_APART;
}
