// collide, MIT licence (see LICENSE)
//
// Separating axes in lanes. Layer: narrow.
//
// Every loop has a fixed length and there is no early way out: which axis
// separates two shapes nobody can predict, and a wrong guess costs more than
// all of the axes. Lanes are only compared, never added up, so the width of the
// vectors doesn't show.

#include "narrow/axes.h"

#include "narrow/convex.h"
#include "narrow/lanes.h"

// A shape's vertices and normals: four arrays of CL_AXES.
typedef struct axes {
  const double *x, *y, *nx, *ny;
} axes;

// The vertices of both, relative to the origin.
typedef struct near_by {
  double ax[CL_AXES], ay[CL_AXES], bx[CL_AXES], by[CL_AXES];
} near_by;

// Worth a few tests: the time that a shape takes to come from the outer caches.
enum { AHEAD = 6 };

CL_INLINE unsigned first_bit(unsigned bits) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctz(bits);
#else
  unsigned i = 0;
  while (!(bits >> i & 1)) i++;
  return i;
#endif
}

CL_INLINE void come_near(const double *from, double origin, double *out) {
  for (int i = 0; i < CL_AXES; i += 2) store(out + i, sub(load(from + i), both(origin)));
}

// Four axes from the i-th on of one part, with its own vertices px, py: how far
// beyond each the nearest vertex of the other lies, qx, qy.
CL_INLINE void separate_four(const double *nx, const double *ny, const double *px, const double *py,
                             const double *qx, const double *qy, pair *out) {
  pair ux = load(nx), uy = load(ny), vx = load(nx + 2), vy = load(ny + 2);
  pair x = both(qx[0]), y = both(qy[0]);
  pair s = dot(ux, uy, x, y), t = dot(vx, vy, x, y);
  for (int k = 1; k < CL_AXES; k++) {
    x = both(qx[k]), y = both(qy[k]);
    s = least(dot(ux, uy, x, y), s);
    t = least(dot(vx, vy, x, y), t);
  }
  out[0] = sub(s, dot(ux, uy, load(px), load(py)));
  out[1] = sub(t, dot(vx, vy, load(px + 2), load(py + 2)));
}

// The largest separation along the normals of both, and which it is: `edge` counts a's from
// 0 and b's from CL_AXES; of equals it is the first. The vertices are taken relative to
// `origin`, so that projections keep their bits.
CL_INLINE double separation_of_pairs(axes a, axes b, cl_vec origin, unsigned *edge) {
  near_by v;
  come_near(a.x, origin.x, v.ax), come_near(a.y, origin.y, v.ay);
  come_near(b.x, origin.x, v.bx), come_near(b.y, origin.y, v.by);
  pair s[CL_AXES];
  separate_four(a.nx, a.ny, v.ax, v.ay, v.bx, v.by, s);
  separate_four(a.nx + 4, a.ny + 4, v.ax + 4, v.ay + 4, v.bx, v.by, s + 2);
  separate_four(b.nx, b.ny, v.bx, v.by, v.ax, v.ay, s + 4);
  separate_four(b.nx + 4, b.ny + 4, v.bx + 4, v.by + 4, v.ax, v.ay, s + 6);
  pair best =
      most(most(most(s[0], s[1]), most(s[2], s[3])), most(most(s[4], s[5]), most(s[6], s[7])));
  double all = most_of(best);
  unsigned where = 0;
  for (unsigned i = 0; i < CL_AXES; i++) where |= equal(s[i], both(all)) << 2 * i;
  *edge = first_bit(where);
  return all;
}

#if CL_HAS_AVX2
CL_AVX2 CL_INLINE __m256d dot_four(__m256d ax, __m256d ay, __m256d bx, __m256d by) {
  return _mm256_add_pd(_mm256_mul_pd(ax, bx), _mm256_mul_pd(ay, by));
}

CL_AVX2 CL_INLINE void come_near_wide(const double *from, double origin, double *out) {
  __m256d o = _mm256_set1_pd(origin);
  _mm256_storeu_pd(out, _mm256_sub_pd(_mm256_loadu_pd(from), o));
  _mm256_storeu_pd(out + 4, _mm256_sub_pd(_mm256_loadu_pd(from + 4), o));
}

CL_AVX2 CL_INLINE unsigned equal_four(__m256d a, __m256d b) {
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ));
}

CL_AVX2 CL_INLINE double separation_of_fours(axes a, axes b, cl_vec origin, unsigned *edge) {
  near_by v;
  come_near_wide(a.x, origin.x, v.ax), come_near_wide(a.y, origin.y, v.ay);
  come_near_wide(b.x, origin.x, v.bx), come_near_wide(b.y, origin.y, v.by);
  __m256d anx = _mm256_loadu_pd(a.nx), any = _mm256_loadu_pd(a.ny);
  __m256d amx = _mm256_loadu_pd(a.nx + 4), amy = _mm256_loadu_pd(a.ny + 4);
  __m256d bnx = _mm256_loadu_pd(b.nx), bny = _mm256_loadu_pd(b.ny);
  __m256d bmx = _mm256_loadu_pd(b.nx + 4), bmy = _mm256_loadu_pd(b.ny + 4);
  __m256d s, t, p, q;
  s = t = p = q = _mm256_set1_pd(DBL_MAX);
  for (int k = 0; k < CL_AXES; k++) {
    __m256d x = _mm256_broadcast_sd(v.bx + k), y = _mm256_broadcast_sd(v.by + k);
    s = _mm256_min_pd(dot_four(anx, any, x, y), s);
    t = _mm256_min_pd(dot_four(amx, amy, x, y), t);
    x = _mm256_broadcast_sd(v.ax + k), y = _mm256_broadcast_sd(v.ay + k);
    p = _mm256_min_pd(dot_four(bnx, bny, x, y), p);
    q = _mm256_min_pd(dot_four(bmx, bmy, x, y), q);
  }
  s = _mm256_sub_pd(s, dot_four(anx, any, _mm256_loadu_pd(v.ax), _mm256_loadu_pd(v.ay)));
  t = _mm256_sub_pd(t, dot_four(amx, amy, _mm256_loadu_pd(v.ax + 4), _mm256_loadu_pd(v.ay + 4)));
  p = _mm256_sub_pd(p, dot_four(bnx, bny, _mm256_loadu_pd(v.bx), _mm256_loadu_pd(v.by)));
  q = _mm256_sub_pd(q, dot_four(bmx, bmy, _mm256_loadu_pd(v.bx + 4), _mm256_loadu_pd(v.by + 4)));
  __m256d best = _mm256_max_pd(_mm256_max_pd(s, t), _mm256_max_pd(p, q));
  best = _mm256_max_pd(best, _mm256_permute2f128_pd(best, best, 1));
  best = _mm256_max_pd(best, _mm256_permute_pd(best, 5));
  *edge = first_bit(equal_four(s, best) | equal_four(t, best) << 4 | equal_four(p, best) << 8 |
                    equal_four(q, best) << 12);
  return _mm256_cvtsd_f64(best);
}

#endif

// Bounds are stored in pairs, as they will be loaded again: loading together what was
// stored apart takes the processor a while.
static void bound_pairs(const cl_corners *c, cl_bounds *bounds) {
  pair l = load(c->x), t = load(c->y), r = l, b = t;
  for (int i = 2; i < CL_AXES; i += 2) {
    pair x = load(c->x + i), y = load(c->y + i);
    l = least(x, l), r = most(x, r), t = least(y, t), b = most(y, b);
  }
  store(&bounds->l, least_of_each(l, t));
  store(&bounds->r, most_of_each(r, b));
}

static void place_pairs(const cl_placed *p, cl_corners *out) {
  const cl_shape *s = p->shape;
  size_t first = s->parts->first, more = s->parts->count > 4 ? 4 : 0;
  pair c = both(p->rot.c), d = both(p->rot.s), minus_d = both(-p->rot.s);
  pair px = both(p->x), py = both(p->y);
  for (size_t i = 0; i < CL_AXES; i += 2) {
    size_t k = first + (i & 2) + (i & more);
    pair x = load(s->vx + k), y = load(s->vy + k), u = load(s->nx + k), v = load(s->ny + k);
    store(out->x + i, add(px, dot(c, minus_d, x, y)));
    store(out->y + i, add(py, dot(d, c, x, y)));
    store(out->nx + i, dot(c, minus_d, u, v));
    store(out->ny + i, dot(d, c, u, v));
  }
}

#if CL_HAS_AVX2
CL_AVX2 CL_INLINE __m128d fold(__m256d a, bool to_most) {
  __m128d low = _mm256_castpd256_pd128(a), high = _mm256_extractf128_pd(a, 1);
  return to_most ? _mm_max_pd(low, high) : _mm_min_pd(low, high);
}

// Corners i to i + 3, and where they are.
CL_AVX2 CL_INLINE void place_four(const cl_placed *p, size_t from, cl_corners *out, int i,
                                  __m256d *x, __m256d *y) {
  const cl_shape *s = p->shape;
  __m256d c = _mm256_set1_pd(p->rot.c), d = _mm256_set1_pd(p->rot.s);
  __m256d minus_d = _mm256_set1_pd(-p->rot.s);
  __m256d lx = _mm256_loadu_pd(s->vx + from), ly = _mm256_loadu_pd(s->vy + from);
  __m256d u = _mm256_loadu_pd(s->nx + from), v = _mm256_loadu_pd(s->ny + from);
  *x = _mm256_add_pd(_mm256_set1_pd(p->x), dot_four(c, minus_d, lx, ly));
  *y = _mm256_add_pd(_mm256_set1_pd(p->y), dot_four(d, c, lx, ly));
  _mm256_storeu_pd(out->x + i, *x);
  _mm256_storeu_pd(out->y + i, *y);
  _mm256_storeu_pd(out->nx + i, dot_four(c, minus_d, u, v));
  _mm256_storeu_pd(out->ny + i, dot_four(d, c, u, v));
}

// `v` gets x and y of the first four and of the others.
CL_AVX2 CL_INLINE void place_fours(const cl_placed *p, cl_corners *out, __m256d v[4]) {
  size_t first = p->shape->parts->first, more = p->shape->parts->count > 4 ? 4 : 0;
  place_four(p, first, out, 0, &v[0], &v[1]);
  place_four(p, first + more, out, 4, &v[2], &v[3]);
}

CL_AVX2 static void place_and_bound_fours(const cl_placed *p, cl_corners *out, cl_bounds *bounds) {
  __m256d v[4];
  place_fours(p, out, v);
  __m128d l = fold(_mm256_min_pd(v[0], v[2]), false), t = fold(_mm256_min_pd(v[1], v[3]), false);
  __m128d r = fold(_mm256_max_pd(v[0], v[2]), true), b = fold(_mm256_max_pd(v[1], v[3]), true);
  store(&bounds->l, least_of_each(l, t));
  store(&bounds->r, most_of_each(r, b));
}
#endif

CL_INLINE void place_the_rest(const cl_placed *p, cl_corners *out) {
  out->at_x = p->x, out->at_y = p->y;
  out->size = fabs(p->x) + fabs(p->y) + p->shape->parts->reach;
}

void cl_corners_place(const cl_placed *p, bool wide, cl_corners *out, cl_bounds *bounds) {
  place_the_rest(p, out);
#if CL_HAS_AVX2
  if (wide) {
    place_and_bound_fours(p, out, bounds);
    return;
  }
#endif
  (void)wide;
  place_pairs(p, out);
  bound_pairs(out, bounds);
}

CL_INLINE axes axes_of(const cl_corners *c) { return (axes){c->x, c->y, c->nx, c->ny}; }

// The bound of cl_convex_error for parts that are small.
CL_INLINE double error_of(const cl_corners *a, const cl_corners *b) {
  return CL_SEPARATION_ERROR * (a->size + b->size) * (1 + 2 * CL_AXES / (4.0 * CL_SMALL));
}

// A couple in the order of cl_comes_first, as far as places tell it.
typedef struct ordered {
  uint32_t first, second;
  bool as_given, one_place;
} ordered;

CL_INLINE ordered order(const cl_corners *at, cl_couple c) {
  const cl_corners *a = &at[c.a], *b = &at[c.b];
  bool in_column = a->at_x == b->at_x;
  bool as_given = (a->at_x < b->at_x) | (in_column & (a->at_y < b->at_y));
  uint32_t swap = (c.a ^ c.b) & ((uint32_t)as_given - 1);
  return (ordered){c.a ^ swap, c.b ^ swap, as_given, in_column & (a->at_y == b->at_y)};
}

// Writes down a couple's separation along an edge. What doesn't count is overwritten by
// the next: no branch hangs on it.
CL_INLINE void judge(const cl_corners *at, ordered o, uint32_t number, double separation,
                     unsigned edge, cl_verdicts *out) {
  double error = error_of(&at[o.first], &at[o.second]);
  unsigned of_second = edge / CL_AXES;
  const cl_corners *owner = &at[o.first ^ ((o.first ^ o.second) & (0 - of_second))];
  double nx = owner->nx[edge % CL_AXES], ny = owner->ny[edge % CL_AXES];
  double sign = 1 - 2 * (double)(o.as_given ^ of_second);
  out->hit[out->hits] = (cl_hit){nx * sign + 0.0, ny * sign + 0.0, -separation};
  out->which[out->hits] = out->doubt[out->doubts] = number;
  bool hit = (separation < -error) & !o.one_place, apart = separation > error;
  out->hits += hit;
  out->doubts += !(hit | apart);
}

// Asks for what the couple some places ahead will need.
CL_INLINE void prefetch(const cl_corners *at, const cl_couple *couple, uint32_t i, uint32_t count) {
  cl_couple c = couple[i + AHEAD < count ? i + AHEAD : i];
  const char *a = (const char *)&at[c.a], *b = (const char *)&at[c.b];
  for (size_t k = 0; k < sizeof *at; k += 64) CL_WILL_READ(a + k), CL_WILL_READ(b + k);
}

CL_INLINE cl_vec origin_of(const cl_corners *first) { return (cl_vec){first->at_x, first->at_y}; }

#if CL_HAS_AVX2
CL_AVX2 CL_INLINE void overlap_couple_fours(const cl_corners *at, cl_couple couple, uint32_t number,
                                            cl_verdicts *out) {
  ordered o = order(at, couple);
  const cl_corners *a = &at[o.first], *b = &at[o.second];
  unsigned edge;
  double s = separation_of_fours(axes_of(a), axes_of(b), origin_of(a), &edge);
  judge(at, o, number, s, edge, out);
}

CL_AVX2 static void overlap_fours(const cl_corners *at, const cl_couple *couple, uint32_t count,
                                  cl_verdicts *out) {
  for (uint32_t i = 0; i < count; i++) {
    prefetch(at, couple, i, count);
    overlap_couple_fours(at, couple[i], i, out);
  }
}

CL_AVX2 static void overlap_placed_fours(const cl_placed *a, const cl_placed *b, cl_verdicts *out) {
  cl_corners at[2];
  __m256d unused[4];
  place_fours(a, &at[0], unused), place_the_rest(a, &at[0]);
  place_fours(b, &at[1], unused), place_the_rest(b, &at[1]);
  overlap_couple_fours(at, (cl_couple){0, 1}, 0, out);
}
#endif

CL_INLINE void overlap_couple_pairs(const cl_corners *at, cl_couple couple, uint32_t number,
                                    cl_verdicts *out) {
  ordered o = order(at, couple);
  const cl_corners *a = &at[o.first], *b = &at[o.second];
  unsigned edge;
  double s = separation_of_pairs(axes_of(a), axes_of(b), origin_of(a), &edge);
  judge(at, o, number, s, edge, out);
}

static void overlap_placed_pairs(const cl_placed *a, const cl_placed *b, cl_verdicts *out) {
  cl_corners at[2];
  place_pairs(a, &at[0]), place_the_rest(a, &at[0]);
  place_pairs(b, &at[1]), place_the_rest(b, &at[1]);
  overlap_couple_pairs(at, (cl_couple){0, 1}, 0, out);
}

static void overlap_pairs(const cl_corners *at, const cl_couple *couple, uint32_t count,
                          cl_verdicts *out) {
  for (uint32_t i = 0; i < count; i++) {
    prefetch(at, couple, i, count);
    overlap_couple_pairs(at, couple[i], i, out);
  }
}

void cl_corners_overlap(const cl_corners *at, const cl_couple *couple, uint32_t count, bool wide,
                        cl_verdicts *out) {
#if CL_HAS_AVX2
  if (wide) {
    overlap_fours(at, couple, count, out);
    return;
  }
#endif
  (void)wide;
  overlap_pairs(at, couple, count, out);
}

cl_verdict cl_corners_verdict(const cl_placed *a, const cl_placed *b, bool wide, cl_hit *out) {
  cl_hit hit;
  uint32_t which, doubt;
  cl_verdicts found = {&hit, &which, &doubt, 0, 0};
#if CL_HAS_AVX2
  if (wide) overlap_placed_fours(a, b, &found);
  else overlap_placed_pairs(a, b, &found);
#else
  (void)wide;
  overlap_placed_pairs(a, b, &found);
#endif
  if (found.hits) *out = hit;
  return found.hits ? CL_HIT : found.doubts ? CL_DOUBT : CL_APART;
}
