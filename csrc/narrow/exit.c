// collide, MIT licence (see LICENSE)
//
// The nearest way out of a union: of the parts' Minkowski differences b - a, all
// convex and grown by the radii, the point of their common boundary nearest to
// 0, 0. It is the foot of 0, 0 on a side of one of them or the corner between
// two, whichever is the nearest that none of them covers. Layer: narrow.
//
// The plane is cut into ever smaller boxes, the nearer ones first. A box that one
// difference covers is done with, as is one that is farther than the best point
// so far; where few differences are left their sides are gone through. Nothing is
// allocated, however many parts there are: what a box cannot remember is looked
// up again in the shapes' trees.

#include "narrow/blobs.h"
#include "narrow/outline.h"

// A box remembers up to LIST differences that cross it; with no more than FEW the
// sides are looked at, SIDES at a time. No box is cut more than DEEPEST times.
enum { LIST = 96, FEW = 6, SIDES = 96, DEEPEST = 16, RECENT = 4 };

// What crosses a box; not `complete` if it is more than can be remembered.
typedef struct crossing {
  int count;
  bool complete;
  uint32_t i[LIST], k[LIST];
} crossing;

typedef struct exits {
  double least;         // nothing nearer can be free
  cl_hit best;          // the direction points from 0, 0 to the boundary
  cl_bounds near;       // the box whose sides are gone through, and a little more
  double far;           // how near sides must be for it
  const crossing *list; // of the box whose sides are gone through
  uint32_t recent_i[RECENT], recent_k[RECENT]; // that covered something: the last first
  cl_side one[SIDES], two[SIDES];
  cl_pairing at;
  cl_blobs blobs;
} exits;

static bool holds(cl_bounds b, cl_vec x) {
  return x.x >= b.l && x.x <= b.r && x.y >= b.t && x.y <= b.b;
}

static void remember(exits *e, uint32_t i, uint32_t k) {
  int at = 0;
  while (at < RECENT - 1 && (e->recent_i[at] != i || e->recent_k[at] != k)) at++;
  for (; at > 0; at--) {
    e->recent_i[at] = e->recent_i[at - 1];
    e->recent_k[at] = e->recent_k[at - 1];
  }
  e->recent_i[0] = i;
  e->recent_k[0] = k;
}

// Whether any difference covers x.
static bool covered(exits *e, cl_vec x) {
  for (int i = 0; i < RECENT; i++)
    if (cl_blob_covers(&e->blobs, e->recent_i[i], e->recent_k[i], x)) return true;
  if (e->list->complete && holds(e->near, x)) {
    for (int i = 0; i < e->list->count; i++) {
      if (!cl_blob_covers(&e->blobs, e->list->i[i], e->list->k[i], x)) continue;
      remember(e, e->list->i[i], e->list->k[i]);
      return true;
    }
    return false;
  }
  double room = e->blobs.room;
  cl_pairing_begin(&e->at, e->blobs.a, e->blobs.b,
                   (cl_bounds){x.x - room, x.y - room, x.x + room, x.y + room}, false);
  while (cl_pairing_next(&e->at))
    if (cl_blob_covers(&e->blobs, e->at.i, e->at.k, x)) {
      remember(e, e->at.i, e->at.k);
      return true;
    }
  return false;
}

// Whether x lies in the box at hand, is nearer than the best so far and not
// nearer than can be free.
static bool wanted(const exits *e, cl_vec x) {
  double square = cl_vec_dot(x, x);
  return square < e->best.depth * e->best.depth && square >= e->least * e->least &&
         holds(e->near, x);
}

// Takes x when it is wanted and a step from it along `out`, which goes 1 away from
// each of the sides it lies on, leads out of all differences.
static void offer(exits *e, cl_vec x, cl_vec out) {
  double room = e->blobs.room;
  if (!wanted(e, x) || covered(e, cl_vec_add(x, cl_vec_mul(out, 4 * room)))) return;
  double distance = cl_vec_length(x);
  cl_vec way = distance <= room ? out : x;
  cl_vec_normalise(&way);
  e->best = (cl_hit){way.x, way.y, distance};
}

// Whether the direction u from its centre leads to a side's own arc.
static bool on_arc(const cl_side *s, cl_vec u) {
  return cl_vec_cross(s->normal, u) >= -1e-6 && cl_vec_cross(u, s->after) >= -1e-6;
}

// The foot of 0, 0 on a side.
static void offer_foot(exits *e, const cl_side *s) {
  if (s->round) {
    cl_vec u = {-s->v.x, -s->v.y};
    if (cl_vec_normalise(&u) > 0 && on_arc(s, u))
      offer(e, cl_vec_add(s->v, cl_vec_mul(u, s->r)), u);
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

static void meet_lines(exits *e, const cl_side *s, const cl_side *t) {
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

static void meet_line_circle(exits *e, const cl_side *s, const cl_side *c) {
  double h = cl_vec_dot(cl_vec_sub(s->v, c->v), s->normal);
  double half = c->r * c->r - h * h;
  if (half < 0) return;
  cl_vec d = cl_vec_sub(s->w, s->v);
  double length = cl_vec_normalise(&d), foot = cl_vec_dot(cl_vec_sub(c->v, s->v), d);
  for (int i = -1; i < 2; i += 2) {
    double along = foot + i * sqrt(half);
    if (along < 0 || along > length) continue;
    cl_vec x = cl_vec_add(s->v, cl_vec_mul(d, along)), u = toward(c->v, x);
    if (on_arc(c, u)) offer_corner(e, x, s->normal, u);
  }
}

static void meet_circles(exits *e, const cl_side *c, const cl_side *d) {
  cl_vec way = cl_vec_sub(d->v, c->v);
  double gap = cl_vec_normalise(&way);
  if (gap == 0) return;
  double foot = (gap * gap + c->r * c->r - d->r * d->r) / (2 * gap),
         half = c->r * c->r - foot * foot;
  if (half < 0) return;
  cl_vec up = {-way.y, way.x}, middle = cl_vec_add(c->v, cl_vec_mul(way, foot));
  for (int i = -1; i < 2; i += 2) {
    cl_vec x = cl_vec_add(middle, cl_vec_mul(up, i * sqrt(half)));
    cl_vec u = toward(c->v, x), v = toward(d->v, x);
    if (on_arc(c, u) && on_arc(d, v)) offer_corner(e, x, u, v);
  }
}

static void meet(exits *e, const cl_side *s, const cl_side *t) {
  bool same = s->i == t->i && s->k == t->k;
  if (same || cl_max(s->near, t->near) >= e->best.depth) return;
  if (s->round && t->round) meet_circles(e, s, t);
  else if (s->round) meet_line_circle(e, t, s);
  else if (t->round) meet_line_circle(e, s, t);
  else meet_lines(e, s, t);
}

// The sides that come into the box, from number `skip` on.
static int list_sides(exits *e, long skip, cl_side *out) {
  int n = 0;
  for (int i = 0; e->list->complete && i < e->list->count && n < SIDES; i++)
    n += cl_blob_sides(&e->blobs, e->list->i[i], e->list->k[i], e->near, e->far, &skip, out + n,
                       SIDES - n);
  if (e->list->complete) return n;
  cl_pairing_begin(&e->at, e->blobs.a, e->blobs.b, e->near, false);
  while (n < SIDES && cl_pairing_next(&e->at))
    n += cl_blob_sides(&e->blobs, e->at.i, e->at.k, e->near, e->far, &skip, out + n, SIDES - n);
  return n;
}

// All feet and corners in the box.
static void search_sides(exits *e) {
  for (long first = 0;; first += SIDES) {
    int n = list_sides(e, first, e->one);
    for (int i = 0; i < n; i++)
      if (e->one[i].near < e->best.depth) offer_foot(e, &e->one[i]);
    for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++) meet(e, &e->one[i], &e->one[k]);
    if (n < SIDES) return;
    for (long second = first + SIDES;; second += SIDES) {
      int m = list_sides(e, second, e->two);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) meet(e, &e->one[i], &e->two[k]);
      if (m < SIDES) break;
    }
  }
}

// Takes one difference into the list of a box; false when it covers the box.
static bool take(exits *e, crossing *list, cl_bounds box, uint32_t i, uint32_t k) {
  int how = cl_blob_box(&e->blobs, i, k, box);
  if (how > 0) remember(e, i, k);
  if (how != 0) return how < 0;
  if (list->count < LIST) list->i[list->count] = i, list->k[list->count] = k;
  list->complete = ++list->count <= LIST;
  return true;
}

// Lists what crosses a box, going by the list of the box it is cut from; false when
// something covers it.
static bool list_crossing(exits *e, cl_bounds box, const crossing *from, crossing *list) {
  list->count = 0;
  list->complete = true;
  for (int i = 0; i < RECENT; i++)
    if (cl_blob_box(&e->blobs, e->recent_i[i], e->recent_k[i], box) > 0) return false;
  if (from && from->complete) {
    for (int i = 0; i < from->count; i++)
      if (!take(e, list, box, from->i[i], from->k[i])) return false;
    return true;
  }
  cl_pairing_begin(&e->at, e->blobs.a, e->blobs.b, box, false);
  while (list->complete && cl_pairing_next(&e->at))
    if (!take(e, list, box, e->at.i, e->at.k)) return false;
  return true;
}

static double away(double low, double high) { return cl_max(cl_max(low, -high), 0); }

// Whether a box has points that may be free and nearer than the best.
static bool matters(const exits *e, cl_bounds b) {
  cl_vec near = {away(b.l, b.r), away(b.t, b.b)};
  cl_vec far = {cl_max(-b.l, b.r), cl_max(-b.t, b.b)};
  return cl_vec_dot(near, near) < e->best.depth * e->best.depth &&
         cl_vec_dot(far, far) >= e->least * e->least;
}

// `stale`: how often in a row cutting has left a box with what the whole had.
static void search(exits *e, cl_bounds box, const crossing *from, int level, int stale) {
  crossing list;
  if (!matters(e, box)) return;
  cl_bounds near = cl_bounds_grown(box, 8 * e->blobs.room);
  if (!list_crossing(e, near, from, &list)) return;
  bool same = from && from->complete && list.count * 8 > from->count * 7;
  stale = same ? stale + 1 : 0;
  if ((list.complete && (list.count <= FEW << stale)) || level == DEEPEST) {
    e->list = &list;
    e->near = near;
    e->far = e->best.depth;
    search_sides(e);
    return;
  }
  double x = level == 0 ? 0 : (box.l + box.r) / 2, y = level == 0 ? 0 : (box.t + box.b) / 2;
  bool left = x > 0, above = y > 0; // where 0, 0 lies
  for (int i = 0; i < 4; i++) {
    bool l = left != (i & 1), t = above != (i >> 1);
    cl_bounds part = {l ? box.l : x, t ? box.t : y, l ? x : box.r, t ? y : box.b};
    search(e, part, &list, level + 1, stale);
  }
}

// A box that certainly holds the nearest way out.
static cl_bounds everything(const exits *e) {
  cl_bounds a, b;
  cl_placed_bounds(e->blobs.a, &a);
  cl_placed_bounds(e->blobs.b, &b);
  // Out of the bounds is out of the shapes: nothing farther matters.
  double far = cl_min(cl_min(a.r - b.l, b.r - a.l), cl_min(a.b - b.t, b.b - a.t));
  far = cl_min(far, e->best.depth) + 8 * e->blobs.room;
  return (cl_bounds){-far, -far, far, far};
}

bool cl_outline_exit(const cl_placed *a, const cl_placed *b, double least, double most,
                     cl_hit *out) {
  exits e; // large: filled in as needed
  double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y);
  double room = CL_MEET * 1e-2 * (a->shape->reach + b->shape->reach);
  room += 8 * CL_SEPARATION_ERROR * size;
  cl_blobs_begin(&e.blobs, a, b, room);
  e.best = (cl_hit){0, 0, most};
  e.least = cl_max(least - room, 0);
  for (int i = 0; i < RECENT; i++) e.recent_i[i] = e.recent_k[i] = 0;
  search(&e, everything(&e), NULL, 0, 0);
  if (e.best.depth == most) return false;
  *out = (cl_hit){-e.best.nx, -e.best.ny, e.best.depth}; // b moves against its difference
  return true;
}
