// collide, MIT licence (see LICENSE)
//
// Differences of parts. Layer: narrow.

#include "narrow/blobs.h"

#include "narrow/ring.h"

#define NONE UINT32_MAX

static void forget(cl_blobs *c) {
  for (int i = 0; i < CL_BLOBS; i++) c->blob[i].i = NONE;
  c->used = 0;
}

void cl_blobs_begin(cl_blobs *c, const cl_placed *a, const cl_placed *b, double room) {
  c->a = a;
  c->b = b;
  c->room = room;
  c->placed_i = c->placed_k = NONE;
  forget(c);
}

static void place(cl_blobs *c, uint32_t i, uint32_t k) {
  cl_vec origin = {c->a->x, c->a->y};
  if (c->placed_i != i) cl_convex_place(c->a, c->placed_i = i, origin, &c->p);
  if (c->placed_k != k) cl_convex_place(c->b, c->placed_k = k, origin, &c->q);
}

// Small parts only.
static void make(cl_blobs *c, cl_blob *b) {
  place(c, b->i, b->k);
  if (c->used + c->p.n + c->q.n > CL_BLOB_CORNERS) {
    cl_blob kept = *b;
    forget(c);
    *b = kept;
  }
  b->first = c->used;
  cl_ring ring;
  b->n = cl_ring_begin(&ring, &c->p, &c->q);
  b->bounds = (cl_bounds){DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
  double r = b->r + c->room;
  for (int i = 0; i < b->n; i++, cl_ring_next(&ring)) {
    cl_vec v = ring.v;
    c->normal[c->used] = cl_ring_normal(&ring);
    c->ring[c->used++] = v;
    b->bounds = cl_bounds_join(b->bounds, (cl_bounds){v.x - r, v.y - r, v.x + r, v.y + r});
  }
}

static const cl_blob *get(cl_blobs *c, uint32_t i, uint32_t k) {
  cl_blob *b = &c->blob[(i * 11 + k) % CL_BLOBS];
  if (b->i == i && b->k == k) return b;
  const cl_part *p = &c->a->shape->parts[i], *q = &c->b->shape->parts[k];
  *b = (cl_blob){.i = i, .k = k, .r = p->radius + q->radius};
  if (p->count <= CL_SMALL && q->count <= CL_SMALL) make(c, b);
  return b;
}

static double square_to_edge(cl_vec x, cl_vec v, cl_vec w) {
  cl_vec e = cl_vec_sub(w, v), p = cl_vec_sub(x, v);
  double n = cl_vec_dot(e, e), t = n > 0 ? cl_vec_dot(p, e) / n : 0;
  p = cl_vec_sub(p, cl_vec_mul(e, cl_max(0, cl_min(1, t))));
  return cl_vec_dot(p, p);
}

// How far x lies outside of the lines through the edges.
static double beyond_lines(const cl_blobs *c, const cl_blob *b, cl_vec x) {
  const cl_vec *v = c->ring + b->first, *n = c->normal + b->first;
  double most = -DBL_MAX;
  for (int i = 0; i < b->n; i++) most = cl_max(most, cl_vec_dot(cl_vec_sub(x, v[i]), n[i]));
  return most;
}

// The parts of a large blob with a's moved by x: how far they are apart along the
// best of their normals.
static cl_axis axis_at(cl_blobs *c, const cl_blob *b, cl_vec x, cl_convex *moved) {
  place(c, b->i, b->k);
  cl_convex_place(c->a, b->i, cl_vec_sub((cl_vec){c->a->x, c->a->y}, x), moved);
  return cl_convex_axis(moved, &c->q, DBL_MAX);
}

static bool covers_large(cl_blobs *c, const cl_blob *b, cl_vec x) {
  double reach = b->r + c->room;
  cl_convex moved;
  cl_axis axis = axis_at(c, b, x, &moved);
  if (axis.separation >= reach) return false;
  if (axis.separation <= 0 || b->r == 0) return true;
  return cl_convex_closest(&moved, &c->q, &axis).distance < reach;
}

bool cl_blob_covers(cl_blobs *c, uint32_t i, uint32_t k, cl_vec x) {
  const cl_blob *b = get(c, i, k);
  if (b->n == 0) return covers_large(c, b, x);
  if (x.x < b->bounds.l || x.x > b->bounds.r || x.y < b->bounds.t || x.y > b->bounds.b)
    return false;
  double reach = b->r + c->room, most = beyond_lines(c, b, x);
  if (most >= reach) return false;
  if (b->n > 2 && (most <= 0 || b->r == 0)) return true;
  const cl_vec *v = c->ring + b->first;
  for (int m = 0; m < b->n; m++)
    if (square_to_edge(x, v[m], v[m + 1 < b->n ? m + 1 : 0]) < reach * reach) return true;
  return false;
}

int cl_blob_box(cl_blobs *c, uint32_t i, uint32_t k, cl_bounds box) {
  const cl_blob *b = get(c, i, k);
  cl_vec x = {(box.l + box.r) / 2, (box.t + box.b) / 2}, h = {box.r - x.x, box.b - x.y};
  if (b->n == 0) {
    double size = cl_vec_length(h);
    cl_convex moved;
    double away = axis_at(c, b, x, &moved).separation;
    return away > b->r + c->room + size ? -1 : away + size < 0 ? 1 : 0;
  }
  if (!cl_bounds_touch(b->bounds, box)) return -1;
  const cl_vec *v = c->ring + b->first, *n = c->normal + b->first;
  double near = -DBL_MAX, far = -DBL_MAX; // of the box beyond the lines
  for (int m = 0; m < b->n; m++) {
    double along = cl_vec_dot(cl_vec_sub(x, v[m]), n[m]);
    double size = fabs(n[m].x) * h.x + fabs(n[m].y) * h.y;
    near = cl_max(near, along - size);
    far = cl_max(far, along + size);
  }
  if (near > b->r + c->room) return -1;
  if (b->n > 2 && far < 0) return 1;
  if (b->r == 0 || far >= b->r) return 0;
  // Round: convex, so it holds the box when it holds its corners.
  return cl_blob_covers(c, i, k, (cl_vec){box.l, box.t}) &&
         cl_blob_covers(c, i, k, (cl_vec){box.r, box.t}) &&
         cl_blob_covers(c, i, k, (cl_vec){box.r, box.b}) &&
         cl_blob_covers(c, i, k, (cl_vec){box.l, box.b});
}

// Whether a side may come into a box.
static bool comes_into(const cl_side *s, cl_bounds box) {
  cl_vec x = {(box.l + box.r) / 2, (box.t + box.b) / 2}, h = {box.r - x.x, box.b - x.y};
  if (s->round) {
    double u = fabs(s->v.x - x.x), v = fabs(s->v.y - x.y);
    cl_vec near = {cl_max(u - h.x, 0), cl_max(v - h.y, 0)}, far = {u + h.x, v + h.y};
    return cl_vec_dot(near, near) <= s->r * s->r && cl_vec_dot(far, far) >= s->r * s->r;
  }
  if (cl_max(s->v.x, s->w.x) < box.l || cl_min(s->v.x, s->w.x) > box.r) return false;
  if (cl_max(s->v.y, s->w.y) < box.t || cl_min(s->v.y, s->w.y) > box.b) return false;
  double away = cl_vec_dot(cl_vec_sub(x, s->v), s->normal);
  return fabs(away) <= fabs(s->normal.x) * h.x + fabs(s->normal.y) * h.y;
}

static void measure(cl_side *s) {
  cl_vec d = cl_vec_sub(s->w, s->v);
  double n = cl_vec_dot(d, d), t = n > 0 ? -cl_vec_dot(s->v, d) / n : 0;
  t = cl_max(0, cl_min(1, t));
  s->near = cl_vec_length(cl_vec_add(s->v, cl_vec_mul(d, t)));
  if (s->round) s->near = fabs(s->near - s->r);
}

// What is being listed, and how many sides are still to be passed by.
typedef struct listing {
  cl_bounds box;
  uint32_t i, k;
  double r, far;
  long skip;
  cl_side *out;
  int n, most;
} listing;

static void list_side(listing *l, cl_side s) {
  if (!comes_into(&s, l->box)) return;
  measure(&s);
  if (s.near >= l->far || l->skip-- > 0) return;
  l->skip = 0;
  l->out[l->n++] = s;
}

// The edge from corner v to w, and the arc at v after the edge with normal m.
static void list_edge(listing *l, cl_vec v, cl_vec w, cl_vec m, cl_vec n) {
  cl_vec grow = cl_vec_mul(n, l->r);
  cl_side edge = {.normal = n, .r = l->r, .i = l->i, .k = l->k};
  edge.v = cl_vec_add(v, grow), edge.w = cl_vec_add(w, grow);
  cl_side arc = {v, v, m, n, 0, l->r, l->i, l->k, true};
  if (l->r > 0 && l->n < l->most) list_side(l, arc);
  if ((v.x != w.x || v.y != w.y) && l->n < l->most) list_side(l, edge);
}

int cl_blob_sides(cl_blobs *c, uint32_t i, uint32_t k, cl_bounds box, double far, long *skip,
                  cl_side *out, int most) {
  const cl_blob *b = get(c, i, k);
  listing l = {box, i, k, b->r, far, *skip, out, 0, most};
  if (b->n > 0) {
    const cl_vec *v = c->ring + b->first, *n = c->normal + b->first;
    for (int m = 0; m < b->n; m++)
      list_edge(&l, v[m], v[m + 1 < b->n ? m + 1 : 0], n[m > 0 ? m - 1 : b->n - 1], n[m]);
  } else {
    place(c, i, k);
    cl_ring ring;
    int count = cl_ring_begin(&ring, &c->p, &c->q);
    cl_vec before = cl_ring_normal(&ring);
    for (int m = 0; m <= count; m++) { // the first edge only tells the normal before
      cl_vec v = ring.v, n = cl_ring_normal(&ring);
      cl_ring_next(&ring);
      if (m > 0) list_edge(&l, v, ring.v, before, n);
      before = n;
    }
  }
  *skip = l.skip;
  return l.n;
}
