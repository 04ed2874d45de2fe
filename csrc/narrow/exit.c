// collide, MIT licence (see LICENSE)
//
// The nearest way out of a union: of the parts' Minkowski differences b - a, all
// convex and grown by the radii, the point of their common boundary nearest to
// 0, 0. It is the foot of 0, 0 on a side of one of them or the corner between
// two, whichever is the nearest that none of them covers. Layer: narrow.

#include <string.h>

#include "narrow/outline.h"

// One difference: corners `first` … of the ring array, grown by r, and its bounds.
typedef struct blob {
  int first, n;
  double r;
  cl_bounds bounds;
} blob;

// A side of a blob: a straight one from v to w, or with `round` the circle of
// the blob's radius about v. `near` is its distance from 0, 0.
typedef struct side {
  cl_vec v, w, normal;
  double near;
  int of;
  bool round;
} side;

typedef struct exits {
  const cl_placed *a, *b;
  blob *blobs;
  cl_vec *ring, *normals; // corners, and the outward normals of the edges from them
  side *sides;
  int blob_count, ring_count, side_count;
  int last;           // the blob that covered the last point refused: it may well do so again
  double room, least; // what counts as touching; nothing nearer can be free
  cl_hit best;        // the direction points from 0, 0 to the boundary
  void *memory;
  size_t size;
} exits;

static double square_to_edge(cl_vec x, cl_vec v, cl_vec w) {
  cl_vec e = cl_vec_sub(w, v), p = cl_vec_sub(x, v);
  double n = cl_vec_dot(e, e), t = n > 0 ? cl_vec_dot(p, e) / n : 0;
  p = cl_vec_sub(p, cl_vec_mul(e, cl_max(0, cl_min(1, t))));
  return cl_vec_dot(p, p);
}

// Whether x lies in a blob or less than `room` outside.
static bool covers(const exits *e, const blob *b, cl_vec x) {
  double reach = b->r + e->room;
  if (x.x < b->bounds.l || x.x > b->bounds.r || x.y < b->bounds.t || x.y > b->bounds.b)
    return false;
  const cl_vec *v = e->ring + b->first, *n = e->normals + b->first;
  double most = -DBL_MAX;
  for (int i = 0; i < b->n; i++) most = cl_max(most, cl_vec_dot(cl_vec_sub(x, v[i]), n[i]));
  if (most >= reach) return false;
  if (b->n > 2 && (most <= 0 || b->r == 0)) return true;
  for (int i = 0; i < b->n; i++)
    if (square_to_edge(x, v[i], v[i + 1 < b->n ? i + 1 : 0]) < reach * reach) return true;
  return false;
}

// Whether x is nearer than the best so far and not nearer than can be free.
static bool wanted(const exits *e, cl_vec x) {
  double square = cl_vec_dot(x, x);
  return square < e->best.depth * e->best.depth && square >= e->least * e->least;
}

// Takes x when it is wanted and a step from it along `out`, which goes 1 away from
// each of the sides it lies on, leads out of all blobs.
static void offer(exits *e, cl_vec x, cl_vec out) {
  if (!wanted(e, x)) return;
  cl_vec beyond = cl_vec_add(x, cl_vec_mul(out, 4 * e->room));
  if (covers(e, &e->blobs[e->last], beyond)) return;
  for (int i = 0; i < e->blob_count; i++)
    if (covers(e, &e->blobs[i], beyond)) {
      e->last = i;
      return;
    }
  double distance = cl_vec_length(x);
  cl_vec way = distance <= e->room ? out : x;
  cl_vec_normalise(&way);
  e->best = (cl_hit){way.x, way.y, distance};
}

// The foot of 0, 0 on a side.
static void offer_foot(exits *e, const side *s) {
  double r = e->blobs[s->of].r;
  if (s->round) {
    cl_vec u = {-s->v.x, -s->v.y};
    if (cl_vec_normalise(&u) > 0) offer(e, cl_vec_add(s->v, cl_vec_mul(u, r)), u);
    return;
  }
  cl_vec edge = cl_vec_sub(s->w, s->v);
  if (cl_vec_dot(s->v, edge) > 0 || cl_vec_dot(s->w, edge) < 0) return;
  offer(e, cl_vec_mul(s->normal, cl_vec_dot(s->normal, s->v)), s->normal);
}

// The corner at x between sides with these outward directions: the way out lies
// midway, when they leave room.
static void offer_corner(exits *e, cl_vec x, cl_vec m, cl_vec n) {
  cl_vec out = cl_vec_add(m, n);
  double square = cl_vec_dot(out, out); // out . m = out . n = half of it
  if (square > 1e-8) offer(e, x, cl_vec_mul(out, 2 / square));
}

static void meet_lines(exits *e, const side *s, const side *t) {
  cl_vec d = cl_vec_sub(s->w, s->v), f = cl_vec_sub(t->w, t->v), v = cl_vec_sub(t->v, s->v);
  double det = cl_vec_cross(d, f);
  if (det == 0) return;
  double k = cl_vec_cross(v, f) / det, l = cl_vec_cross(v, d) / det;
  if (k < 0 || k > 1 || l < 0 || l > 1) return;
  offer_corner(e, cl_vec_add(s->v, cl_vec_mul(d, k)), s->normal, t->normal);
}

static cl_vec toward(cl_vec from, cl_vec to) {
  cl_vec v = cl_vec_sub(to, from);
  cl_vec_normalise(&v);
  return v;
}

static void meet_line_circle(exits *e, const side *s, const side *c) {
  double r = e->blobs[c->of].r, h = cl_vec_dot(cl_vec_sub(s->v, c->v), s->normal);
  double half = r * r - h * h;
  if (half < 0) return;
  cl_vec d = cl_vec_sub(s->w, s->v);
  double length = cl_vec_normalise(&d), foot = cl_vec_dot(cl_vec_sub(c->v, s->v), d);
  for (int i = -1; i < 2; i += 2) {
    double along = foot + i * sqrt(half);
    if (along < 0 || along > length) continue;
    cl_vec x = cl_vec_add(s->v, cl_vec_mul(d, along));
    if (wanted(e, x)) offer_corner(e, x, s->normal, toward(c->v, x));
  }
}

static void meet_circles(exits *e, const side *c, const side *d) {
  double r = e->blobs[c->of].r, q = e->blobs[d->of].r;
  cl_vec way = cl_vec_sub(d->v, c->v);
  double gap = cl_vec_normalise(&way);
  if (gap == 0) return;
  double foot = (gap * gap + r * r - q * q) / (2 * gap), half = r * r - foot * foot;
  if (half < 0) return;
  cl_vec up = {-way.y, way.x}, middle = cl_vec_add(c->v, cl_vec_mul(way, foot));
  for (int i = -1; i < 2; i += 2) {
    cl_vec x = cl_vec_add(middle, cl_vec_mul(up, i * sqrt(half)));
    if (wanted(e, x)) offer_corner(e, x, toward(c->v, x), toward(d->v, x));
  }
}

static void add_side(exits *e, cl_vec v, cl_vec w, cl_vec normal, int of, bool round) {
  cl_vec d = cl_vec_sub(w, v);
  double n = cl_vec_dot(d, d), t = n > 0 ? -cl_vec_dot(v, d) / n : 0;
  t = cl_max(0, cl_min(1, t));
  double r = e->blobs[of].r, near = cl_vec_length(cl_vec_add(v, cl_vec_mul(d, t)));
  double far = cl_max(cl_vec_length(v), cl_vec_length(w)) + (round ? r : 0);
  if (round) near = fabs(near - r);
  if (near < e->best.depth && far >= e->least)
    e->sides[e->side_count++] = (side){v, w, normal, near, of, round};
}

// The difference of two parts and its sides.
static void add_blob(exits *e, const cl_convex *p, const cl_convex *q) {
  int of = e->blob_count++, first = e->ring_count;
  blob *b = &e->blobs[of];
  cl_vec *ring = e->ring + first;
  *b = (blob){.first = first, .n = cl_convex_difference(p, q, ring), .r = p->r + q->r};
  b->bounds = (cl_bounds){DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
  e->ring_count += b->n;
  for (int i = 0; i < b->n; i++) {
    cl_vec v = ring[i], w = ring[i + 1 < b->n ? i + 1 : 0], d = cl_vec_sub(w, v);
    double r = b->r + e->room;
    b->bounds = cl_bounds_join(b->bounds, (cl_bounds){v.x - r, v.y - r, v.x + r, v.y + r});
    if (b->r > 0) add_side(e, v, v, (cl_vec){0, 0}, of, true);
    bool edge = cl_vec_normalise(&d) > 0;
    cl_vec n = {d.y, -d.x}, grow = cl_vec_mul(n, b->r);
    e->normals[first + i] = n;
    if (edge) add_side(e, cl_vec_add(v, grow), cl_vec_add(w, grow), n, of, false);
  }
}

// Room for the blobs of all pairs of parts.
static bool reserve(exits *e) {
  size_t corners = 0, pairs = (size_t)e->a->shape->part_count * e->b->shape->part_count;
  for (uint32_t i = 0; i < e->a->shape->part_count; i++)
    for (uint32_t k = 0; k < e->b->shape->part_count; k++)
      corners += e->a->shape->parts[i].count + e->b->shape->parts[k].count;
  e->size = pairs * sizeof(blob) + corners * 2 * (sizeof(cl_vec) + sizeof(side));
  e->memory = cl_new(&e->a->shape->alloc, e->size);
  if (!e->memory) return false;
  e->sides = e->memory;
  e->ring = (cl_vec *)(e->sides + 2 * corners);
  e->normals = e->ring + corners;
  e->blobs = (blob *)(e->normals + corners);
  return true;
}

// Whether the difference of two boxes comes as near to 0, 0 as `near`.
static bool within(cl_bounds a, cl_bounds b, double near) {
  return b.l - a.r <= near && a.l - b.r <= near && b.t - a.b <= near && a.t - b.b <= near;
}

static void collect(exits *e) {
  cl_bounds wa, wb;
  cl_placed_bounds(e->a, &wa);
  cl_placed_bounds(e->b, &wb);
  // Out of the bounds is out of the shapes: nothing farther matters.
  double far = cl_min(cl_min(wa.r - wb.l, wb.r - wa.l), cl_min(wa.b - wb.t, wb.b - wa.t));
  far = cl_min(far, e->best.depth) + 8 * e->room;
  cl_vec origin = {e->a->x, e->a->y};
  cl_convex p, q;
  for (uint32_t i = 0; i < e->a->shape->part_count; i++) {
    cl_bounds one = cl_placed_part_bounds(e->a, i);
    if (!within(one, wb, far)) continue;
    cl_convex_place(e->a, i, origin, &p);
    for (uint32_t k = 0; k < e->b->shape->part_count; k++) {
      if (!within(one, cl_placed_part_bounds(e->b, k), far)) continue;
      cl_convex_place(e->b, k, origin, &q);
      add_blob(e, &p, &q);
    }
  }
}

static void search_corners(exits *e) {
  int kept = 0; // the sides near enough to matter
  for (int i = 0; i < e->side_count; i++)
    if (e->sides[i].near < e->best.depth) e->sides[kept++] = e->sides[i];
  e->side_count = kept;
  for (int i = 0; i < e->side_count; i++) {
    const side *s = &e->sides[i];
    if (s->near >= e->best.depth) continue;
    for (int k = i + 1; k < e->side_count; k++) {
      const side *t = &e->sides[k];
      if (t->of == s->of || t->near >= e->best.depth) continue;
      if (s->round && t->round) meet_circles(e, s, t);
      else if (s->round) meet_line_circle(e, t, s);
      else if (t->round) meet_line_circle(e, s, t);
      else meet_lines(e, s, t);
    }
  }
}

bool cl_outline_exit(const cl_placed *a, const cl_placed *b, double least, double most,
                     cl_hit *out) {
  exits e = {.a = a, .b = b, .best = {0, 0, most}};
  if (!reserve(&e)) return false;
  double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y);
  e.room = CL_MEET * 1e-2 * (a->shape->reach + b->shape->reach) + 8 * CL_SEPARATION_ERROR * size;
  e.least = cl_max(least - e.room, 0);
  collect(&e);
  for (int i = 0; i < e.side_count; i++)
    if (e.sides[i].near < e.best.depth) offer_foot(&e, &e.sides[i]);
  search_corners(&e);
  cl_free(&a->shape->alloc, e.memory, e.size);
  if (e.best.depth == most) return false;
  *out = (cl_hit){-e.best.nx, -e.best.ny, e.best.depth}; // b moves against its difference
  return true;
}
