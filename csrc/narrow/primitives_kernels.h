// collide, MIT licence (see LICENSE)
//
// The loops of primitives.h, which are compiled twice (base/simd.h). Layer: narrow.
// Source: separating axes, Ericson, Real-Time Collision Detection, 5.2.1.
//
// Every loop has a fixed length and no early exit: which axis separates two shapes is not
// predictable, and a mispredicted branch costs more than all the axes. Lanes are only compared,
// never added up, so the width of the vectors does not affect the result.
//
// A couple goes through four steps, each of which depends on the one before: the origin of the two,
// the vertices relative to it, the separations, and the result of the largest. So each step
// is a loop over several couples, and the processor can work on one couple while another waits.

#include "base/simd.h"

// Where the vertices from `i` on come from: if a shape's arrays have room for four only, the same
// four are repeated.
static inline size_t source(const cl_part *part, size_t i) {
  return part->first + (part->count > CL_BLOCK_FEW ? i : 0);
}

// Turns four vertices, from the i-th of the block on.
CL_WIDE CL_INLINE void turn_four(const cl_placed *p, size_t room, size_t i, double *block,
                                 cl_f64x4 *x, cl_f64x4 *y) {
  const cl_shape *s = p->shape;
  size_t k = source(s->parts, i);
  cl_f64x4 c = cl_f64x4_all(p->rot.c), d = cl_f64x4_all(p->rot.s);
  cl_f64x4 minus_d = cl_f64x4_all(-p->rot.s);
  cl_f64x4 lx = cl_f64x4_load(s->vx + k), ly = cl_f64x4_load(s->vy + k);
  cl_f64x4 u = cl_f64x4_load(s->nx + k), v = cl_f64x4_load(s->ny + k);
  double *out = block + i;
  *x = cl_f64x4_dot(c, minus_d, lx, ly);
  *y = cl_f64x4_dot(d, c, lx, ly);
  cl_f64x4_store(out, *x);
  cl_f64x4_store(out + room, *y);
  cl_f64x4_store(out + 2 * room, cl_f64x4_dot(c, minus_d, u, v));
  cl_f64x4_store(out + 3 * room, cl_f64x4_dot(d, c, u, v));
  cl_f64x4_store(out + 4 * room, cl_f64x4_load(s->line + k));
}

CL_WIDE CL_INLINE cl_f64x2 least_of_four(cl_f64x4 a) {
  return cl_f64x2_min(cl_f64x4_low(a), cl_f64x4_high(a));
}

CL_WIDE CL_INLINE cl_f64x2 most_of_four(cl_f64x4 a) {
  return cl_f64x2_max(cl_f64x4_low(a), cl_f64x4_high(a));
}

// Bounds are stored in pairs, the way they are loaded later: a load that spans two separate stores
// is slow.
CL_WIDE CL_INLINE void place_in(const cl_placed *p, size_t room, double *block, cl_bounds *bounds) {
  cl_f64x4 x, y, z, w;
  turn_four(p, room, 0, block, &x, &y);
  z = x, w = y;
  if (room > CL_BLOCK_FEW) turn_four(p, room, CL_BLOCK_FEW, block, &z, &w);
  if (!bounds) return;
  cl_f64x4 l = cl_f64x4_min(x, z), t = cl_f64x4_min(y, w);
  cl_f64x4 r = cl_f64x4_max(x, z), b = cl_f64x4_max(y, w);
  cl_f64x2_store(&bounds->l, cl_f64x2_least_of_each(least_of_four(l), least_of_four(t)));
  cl_f64x2_store(&bounds->r, cl_f64x2_most_of_each(most_of_four(r), most_of_four(b)));
}

CL_WIDE void CL_KERNEL(cl_place_block)(const cl_placed *p, int room, double *block,
                                       cl_bounds *bounds) {
  if (room == CL_BLOCK_FEW) place_in(p, CL_BLOCK_FEW, block, bounds);
  else place_in(p, CL_BLOCK_MANY, block, bounds);
}

// How many couples go through the steps at once.
enum { TOGETHER = 8 };

// How many vertices there is room for, in p and in q.
typedef struct sat_rooms {
  int p, q;
} sat_rooms;

// A couple: p is its a, q its b. The vertices of both are relative to cl_convex_origin, so that
// projections stay precise.
typedef struct job {
  const cl_block_at *p, *q; // of an array of two
  cl_vec origin;
} job;

// A part's vertices, relative to the origin.
typedef struct near_by {
  double x[CL_BLOCK_MANY], y[CL_BLOCK_MANY];
} near_by;

// The largest separation along the normals of both, and its normal: bits 0 to 7 are for the edges
// of p, 8 to 15 for q's.
typedef struct finding {
  double separation;
  uint32_t edges;
} finding;

CL_INLINE job job_of(const cl_couple *c) {
  return (job){&c->of[0], &c->of[1], cl_vec_between(c->of[0].at, c->of[1].at)};
}

CL_WIDE CL_INLINE void come_near(const double *from, double at, double origin, int room,
                                 double *out) {
  cl_f64x4 place = cl_f64x4_all(at), o = cl_f64x4_all(origin);
  for (int i = 0; i < room; i += 4)
    cl_f64x4_store(out + i, cl_f64x4_sub(cl_f64x4_add(place, cl_f64x4_load(from + i)), o));
}

CL_WIDE CL_INLINE void see_from_origin(const job *j, sat_rooms room, near_by v[2]) {
  const double *p = j->p->block, *q = j->q->block;
  cl_vec o = j->origin;
  come_near(p, j->p->at.x, o.x, room.p, v[0].x);
  come_near(p + room.p, j->p->at.y, o.y, room.p, v[0].y);
  come_near(q, j->q->at.x, o.x, room.q, v[1].x);
  come_near(q + room.q, j->q->at.y, o.y, room.q, v[1].y);
}

// How far outside each edge of one part, at `from` seen from the origin, the nearest vertex of the
// other is. `out` gets the first four edges, and the others if there is room for them.
CL_WIDE CL_INLINE void separate(const double *normals, int room, cl_vec from, const near_by *other,
                                int others, cl_f64x4 *out) {
  int more = room - CL_BLOCK_FEW;
  cl_f64x4 ux = cl_f64x4_load(normals), uy = cl_f64x4_load(normals + room);
  cl_f64x4 vx = cl_f64x4_load(normals + more), vy = cl_f64x4_load(normals + room + more);
  cl_f64x4 s = cl_f64x4_all(DBL_MAX), t = s;
  CL_UNROLL
  for (int k = 0; k < others; k++) {
    cl_f64x4 x = cl_f64x4_all(other->x[k]), y = cl_f64x4_all(other->y[k]);
    s = cl_f64x4_min(cl_f64x4_dot(ux, uy, x, y), s);
    if (more) t = cl_f64x4_min(cl_f64x4_dot(vx, vy, x, y), t);
  }
  const double *line = normals + 2 * room;
  cl_f64x4 x = cl_f64x4_all(from.x), y = cl_f64x4_all(from.y);
  out[0] = cl_f64x4_sub(s, cl_f64x4_add(cl_f64x4_load(line), cl_f64x4_dot(ux, uy, x, y)));
  if (more)
    out[1] = cl_f64x4_sub(t, cl_f64x4_add(cl_f64x4_load(line + more), cl_f64x4_dot(vx, vy, x, y)));
}

CL_WIDE CL_INLINE finding find(const job *j, const near_by v[2], sat_rooms room) {
  cl_f64x4 s[2], t[2];
  cl_vec p_from = cl_vec_sub(j->p->at, j->origin), q_from = cl_vec_sub(j->q->at, j->origin);
  separate(j->p->block + 2 * room.p, room.p, p_from, &v[1], room.q, s);
  separate(j->q->block + 2 * room.q, room.q, q_from, &v[0], room.p, t);
  cl_f64x4 best = cl_f64x4_max(s[0], t[0]);
  if (room.p > CL_BLOCK_FEW) best = cl_f64x4_max(best, s[1]);
  if (room.q > CL_BLOCK_FEW) best = cl_f64x4_max(best, t[1]);
  double most = cl_f64x4_most(best);
  best = cl_f64x4_all(most);
  uint32_t of_p = cl_f64x4_eq_bits(s[0], best), of_q = cl_f64x4_eq_bits(t[0], best);
  if (room.p > CL_BLOCK_FEW) of_p |= cl_f64x4_eq_bits(s[1], best) << CL_BLOCK_FEW;
  if (room.q > CL_BLOCK_FEW) of_q |= cl_f64x4_eq_bits(t[1], best) << CL_BLOCK_FEW;
  return (finding){most, of_p | of_q << CL_BLOCK_MANY};
}

// The bound of cl_convex_error for two parts of CL_BLOCK_MANY vertices.
CL_INLINE double error_of(const cl_block_at *p, const cl_block_at *q) {
  return CL_SEPARATION_ERROR * (p->size + q->size) * 1.25;
}

// How p gets free along the normal of an edge.
CL_INLINE cl_vec way_out_along(const job *j, unsigned edge, sat_rooms room) {
  unsigned of_q = edge / CL_BLOCK_MANY;
  size_t own = (size_t)room.p + (size_t)(room.q - room.p) * of_q;
  const double *normal = j->p[of_q].block + 2 * own + edge % CL_BLOCK_MANY;
  double sign = 1 - 2 * (double)!of_q;
  return (cl_vec){normal[0] * sign + 0.0, normal[own] * sign + 0.0};
}

// Writes the result for a couple. An entry that does not count is overwritten by the next, so that
// no branch depends on it. Edges that tie usually lead the same way.
CL_INLINE void judge(const job *j, const finding *f, uint32_t number, sat_rooms room,
                     cl_verdicts *out) {
  double error = error_of(j->p, j->q);
  cl_vec way = way_out_along(j, cl_first_bit(f->edges), room);
  bool tie = false;
  for (unsigned left = f->edges & (f->edges - 1); left; left &= left - 1) {
    cl_vec other = way_out_along(j, cl_first_bit(left), room);
    tie |= (other.x != way.x) | (other.y != way.y);
  }
  out->hit[out->hits] = (cl_hit){way.x, way.y, -f->separation};
  out->which[out->hits] = out->doubt[out->doubts] = number;
  bool hit = (f->separation < -error) & !tie, apart = f->separation > error;
  out->hits += hit;
  out->doubts += !(hit | apart);
}

CL_WIDE CL_INLINE void test(const cl_couple *couple, uint32_t count, sat_rooms room,
                            cl_verdicts *out) {
  cl_verdicts found = *out;
  job j[TOGETHER];
  near_by v[TOGETHER][2];
  finding f[TOGETHER];
  for (uint32_t from = 0; from < count; from += TOGETHER) {
    uint32_t n = count - from < TOGETHER ? count - from : TOGETHER;
    for (uint32_t i = 0; i < n; i++) j[i] = job_of(&couple[from + i]);
    for (uint32_t i = 0; i < n; i++) see_from_origin(&j[i], room, v[i]);
    for (uint32_t i = 0; i < n; i++) f[i] = find(&j[i], v[i], room);
    for (uint32_t i = 0; i < n; i++) judge(&j[i], &f[i], from + i, room, &found);
  }
  *out = found;
}

CL_WIDE void CL_KERNEL(cl_test_couples)(const cl_couple *couple, uint32_t count, cl_rooms rooms,
                                        cl_verdicts *out) {
  enum { FEW = CL_BLOCK_FEW, MANY = CL_BLOCK_MANY };
  switch (rooms) {
  case CL_BOTH_FEW: test(couple, count, (sat_rooms){FEW, FEW}, out); break;
  case CL_A_FEW: test(couple, count, (sat_rooms){FEW, MANY}, out); break;
  case CL_B_FEW: test(couple, count, (sat_rooms){MANY, FEW}, out); break;
  case CL_NONE_FEW: test(couple, count, (sat_rooms){MANY, MANY}, out); break;
  }
}
