// collide, MIT licence (see LICENSE)
//
// Plain moves: an upright rectangle, a circle, or a capsule along an axis moves among upright
// rectangles only, which all stop it in the same way; for a rectangle the host may also be asked
// about each of them. Most moves in games are plain. Closed formulas in doubles find how far a
// mover goes. They leave the hard cases to the other files of moves: starts inside others, corners,
// crossings and pushes, and places that rounding has put into others. Where both can decide, both
// find the same and ask the same. Layer: world.
//
// A round mover is a point or a line, `local`, grown by its radius. It touches a rectangle where
// that core is one radius away: beside a face, or round a corner.

#include "base/exact.h"
#include "narrow/primitives.h"
#include "world/move.h"

// ---- what is plain

void cl_move_note_form(cl_body *mover) {
  const cl_shape *shape = mover->placed.shape;
  const cl_part *part = shape->parts;
  bool upright = shape->part_count == 1 && cl_rot_is_none(mover->placed.rot);
  mover->is_box = upright && part->flags & CL_PART_BOX;
  mover->is_round = false;
  mover->radius = 0;
  if (mover->is_box) mover->local = part->bounds;
  if (!upright || !(part->radius > 0) || part->count > 2) return;
  uint32_t i = part->first, k = i + part->count - 1;
  cl_vec p = {shape->vx[i], shape->vy[i]}, q = {shape->vx[k], shape->vy[k]};
  mover->is_round = p.x == q.x || p.y == q.y;
  mover->local =
      (cl_bounds){cl_min(p.x, q.x), cl_min(p.y, q.y), cl_max(p.x, q.x), cl_max(p.y, q.y)};
  if (mover->is_round) mover->radius = part->radius;
}

static inline uint8_t does_at(const cl_movement *m, const cl_body *mover, size_t near) {
  return m->def.responder ? cl_move_does(m, mover, &m->near[near])
                          : cl_move_done_if(m, (uint8_t)m->def.response);
}

// ---- where it fits

// The exact answer to whether a coordinate b is nearer above a than r.
static bool is_nearer(double a, double b, double r) {
  double gap = b - a;
  if (gap != r) return gap < r;
  cl_two exact = cl_two_diff(cl_coord_kept(b), cl_coord_kept(a));
  return exact.hi < r || (exact.hi == r && exact.lo < 0);
}

// Whether a round mover with this core overlaps a rectangle.
static bool is_round_in(const cl_bounds *a, double r, const cl_bounds *b) {
  double x = cl_max(b->l - a->r, a->l - b->r), y = cl_max(b->t - a->b, a->t - b->b);
  if (x <= 0 && y <= 0) return true;
  if (x > r || y > r) return false;
  if (y <= 0) return a->r < b->l ? is_nearer(a->r, b->l, r) : is_nearer(b->r, a->l, r);
  if (x <= 0) return a->b < b->t ? is_nearer(a->b, b->t, r) : is_nearer(b->b, a->t, r);
  cl_vec p = {a->r < b->l ? a->r : a->l, a->b < b->t ? a->b : a->t};
  cl_vec q = {a->r < b->l ? b->l : b->r, a->b < b->t ? b->t : b->b};
  return cl_compare_points(p, q, r, 0) < 0;
}

static inline bool overlap(const cl_bounds *a, const cl_bounds *b) {
  return a->l < b->r && b->l < a->r && a->t < b->b && b->t < a->b;
}

// Whether it overlaps nothing at a place.
static bool is_free_at(const cl_movement *m, const cl_body *mover, cl_vec at) {
  cl_bounds a = cl_bounds_moved(mover->local, at);
  for (size_t i = 0; i < m->nears; i++) {
    const cl_bounds *b = &m->near[i].bounds;
    bool in = mover->is_box ? overlap(&a, b) : is_round_in(&a, mover->radius, b);
    if (in && does_at(m, mover, i) != CL_RESPONSE_NONE) return false;
  }
  return true;
}

bool cl_move_is_clear(const cl_movement *m, const cl_body *mover) {
  return is_free_at(m, mover, cl_body_place(mover));
}

cl_vec cl_move_flush(const cl_bounds *a, const cl_bounds *b, cl_vec n, cl_vec at) {
  if (n.x < 0) {
    for (at.x = b->l - a->r; at.x + a->r > b->l;) at.x = nextafter(at.x, -INFINITY);
  } else if (n.x > 0) {
    for (at.x = b->r - a->l; at.x + a->l < b->r;) at.x = nextafter(at.x, INFINITY);
  } else if (n.y < 0) {
    for (at.y = b->t - a->b; at.y + a->b > b->t;) at.y = nextafter(at.y, -INFINITY);
  } else {
    for (at.y = b->b - a->t; at.y + a->t < b->b;) at.y = nextafter(at.y, INFINITY);
  }
  return at;
}

// The same for a round mover beside a face.
static cl_vec round_flush(const cl_body *mover, const cl_obstacle *o, cl_vec n, cl_vec at) {
  const cl_bounds *a = &mover->local, *b = &o->bounds;
  double r = mover->radius, step = CL_ROUND / CL_TOUCH_SHARE * o->touch;
  if (n.x < 0) {
    for (at.x = (b->l - r) - a->r; is_nearer(at.x + a->r, b->l, r); step *= 2) at.x -= step;
  } else if (n.x > 0) {
    for (at.x = (b->r + r) - a->l; is_nearer(b->r, at.x + a->l, r); step *= 2) at.x += step;
  } else if (n.y < 0) {
    for (at.y = (b->t - r) - a->b; is_nearer(at.y + a->b, b->t, r); step *= 2) at.y -= step;
  } else {
    for (at.y = (b->b + r) - a->t; is_nearer(b->b, at.y + a->t, r); step *= 2) at.y += step;
  }
  return at;
}

// ---- what is met first

// Whether a rectangle stops a round mover, which overlaps nothing: as cl_sweep_box, but without
// `lone`. It stops where the mover would come nearer than the skin allows, beside a face or round a
// corner.
static bool sweep_round(const cl_bounds *a, double r, cl_vec d, const cl_obstacle *o,
                        cl_sweep *out) {
  const cl_bounds *b = &o->bounds;
  const double slow = cl_sweep_slow(d), deep = r - o->touch * CL_SKIN_SHARE;
  const cl_slab x = cl_slab_of(a->l, a->r, d.x, b->l, b->r, slow);
  const cl_slab y = cl_slab_of(a->t, a->b, d.y, b->t, b->b, slow);
  if (cl_slab_misses(&x, -deep) || cl_slab_misses(&y, -deep)) return false;
  double enter = cl_max(x.still ? -INFINITY : (x.ahead - deep) / x.way,
                        y.still ? -INFINITY : (y.ahead - deep) / y.way);
  double leave = cl_min(x.still ? INFINITY : -(x.behind - deep) / x.way,
                        y.still ? INFINITY : -(y.behind - deep) / y.way);
  if (!(enter <= 1 && enter < leave && leave > 0)) return false;
  double at = cl_max(enter, 0);
  bool ahead_x = x.ahead - x.way * at > 0, beside_x = ahead_x || x.behind + x.way * at > 0;
  bool ahead_y = y.ahead - y.way * at > 0, beside_y = ahead_y || y.behind + y.way * at > 0;
  double gap_x = cl_max(cl_max(x.ahead, x.behind), 0), gap_y = cl_max(cl_max(y.ahead, y.behind), 0);
  double far = sqrt(gap_x * gap_x + gap_y * gap_y);
  bool touches = far - r <= o->touch;
  // Along the motion on each axis: the corner, and how far it goes.
  cl_vec v = {ahead_x ? x.ahead : -x.behind, ahead_y ? y.ahead : -y.behind}, w = {x.way, y.way};
  if (beside_x && beside_y) {
    double into = cl_vec_dot(v, w), square = cl_vec_dot(w, w), cross = cl_vec_cross(v, w);
    double root = square * deep * deep - cross * cross;
    if (into <= 0 || root <= slow * slow * deep * deep) return false;
    double length = cl_vec_length(v);
    if ((length - deep) * (length + deep) > into + sqrt(root)) return false;
    root = sqrt(square * r * r - cross * cross);
    out->t = touches ? 0 : cl_max((length - r) * (length + r) / (into + root), 0);
    v = cl_vec_mul(cl_vec_sub(v, cl_vec_mul(w, out->t)), 1 / r);
  } else {
    const cl_slab *s = beside_x ? &x : &y;
    if (s->still || !(enter >= 0)) return false;
    out->t = touches ? 0 : cl_max((s->ahead - r) / s->way, 0);
    v = beside_x ? (cl_vec){1, 0} : (cl_vec){0, 1};
  }
  out->nx = d.x > 0 ? -v.x : v.x;
  out->ny = d.y > 0 ? -v.y : v.y;
  return true;
}

// The first obstacle on the way; false if something is to be crossed or pushed. An obstacle that
// shares no area with the bounds of the way is not met: the skin is far larger than rounding.
static bool meet_first(const cl_movement *m, const cl_body *mover, cl_sweep *first, size_t *near) {
  cl_bounds box = cl_bounds_moved(mover->local, cl_body_place(mover));
  cl_bounds way = cl_bounds_swept(box, mover->left);
  if (mover->is_round) way = cl_bounds_grown(way, mover->radius);
  cl_sweep found;
  *near = CL_MOVE_ENDS;
  first->t = INFINITY, first->nx = first->ny = 0;
  for (size_t i = 0; i < m->nears; i++) {
    const cl_obstacle *o = &m->near[i];
    if (!overlap(&way, &o->bounds)) continue;
    bool stops = mover->is_box ? cl_sweep_box(&box, mover->left, &o->bounds, o->touch, &found)
                               : sweep_round(&box, mover->radius, mover->left, o, &found);
    if (!stops) continue;
    uint8_t does = m->def.responder ? cl_move_does(m, mover, o) : CL_RESPONSE_SLIDE;
    if (does == CL_RESPONSE_CROSS || does == CL_RESPONSE_PUSH) return false;
    if (does == CL_RESPONSE_NONE || !cl_move_is_sooner(&found, first, mover->left)) continue;
    *first = found;
    *near = i;
  }
  return true;
}

// ---- the face that it touches there

// A face of an obstacle, or the tangent at its corner: the outward normal, the gap, and the mover's
// response.
typedef struct face {
  cl_vec n;
  double gap;
  uint8_t does;
} face;

// CL_UNSURE_TOUCH: a rectangle touches two faces at a corner; a round mover overlaps by more than
// the skin.
typedef enum touching { CL_NO_TOUCH, CL_ONE_TOUCH, CL_UNSURE_TOUCH } touching;

// How a box touches another, as cl_touch_box finds it.
static touching touch_box(const cl_bounds *a, const cl_obstacle *o, face *f) {
  const cl_bounds *b = &o->bounds;
  const double touch = o->touch, skin = touch * CL_SKIN_SHARE;
  if (!cl_bounds_touch(cl_bounds_grown(*a, touch), *b)) return CL_NO_TOUCH;
  double l = b->l - a->r, r = a->l - b->r, top = b->t - a->b, bottom = a->t - b->b;
  double x = cl_max(l, r), y = cl_max(top, bottom);
  double beside_x = cl_max(x, 0), beside_y = cl_max(y, 0);
  if (x > touch || y > touch || beside_x * beside_x + beside_y * beside_y > touch * touch)
    return CL_NO_TOUCH;
  bool across = x >= -skin;
  f->n = across ? (cl_vec){l > r ? -1 : 1, 0} : (cl_vec){0, top > bottom ? -1 : 1};
  f->gap = across ? x : y;
  if (y < -skin) return across ? CL_ONE_TOUCH : CL_NO_TOUCH;
  return across ? CL_UNSURE_TOUCH : CL_ONE_TOUCH;
}

static touching touch_round(const cl_bounds *a, double r, const cl_obstacle *o, face *f) {
  const cl_bounds *b = &o->bounds;
  double left = b->l - a->r, right = a->l - b->r, top = b->t - a->b, bottom = a->t - b->b;
  double x = cl_max(left, right), y = cl_max(top, bottom), most = r + 2 * o->touch;
  if (x > most || y > most) return CL_NO_TOUCH;
  f->n = (cl_vec){x > 0 ? left > right ? -x : x : 0, y > 0 ? top > bottom ? -y : y : 0};
  f->gap = cl_vec_normalise(&f->n) - r;
  if (f->gap > o->touch) return CL_NO_TOUCH;
  return f->gap < -o->touch * CL_SKIN_SHARE ? CL_UNSURE_TOUCH : CL_ONE_TOUCH;
}

// Whether the rest of the way surely leads into a face. A way past a corner that comes no nearer
// than the skin is free, so near that limit the answer is no.
static bool leads_into(const cl_body *mover, const cl_obstacle *o, const face *f) {
  cl_vec way = mover->left;
  double into = -cl_vec_dot(way, f->n);
  if (!(into > 1e-8 * (fabs(way.x) + fabs(way.y)))) return false;
  if (f->n.x == 0 || f->n.y == 0) return true;
  double slack = 2 * (cl_max(f->gap, 0) + o->touch * CL_SKIN_SHARE) / mover->radius;
  return into * into > 2 * slack * cl_vec_dot(way, way);
}

// Whether near[`near`] is the only obstacle close to the mover at `at`, as move_faces.c asks.
static bool is_alone(const cl_movement *m, const cl_body *mover, size_t near, cl_vec at) {
  cl_vec by = {at.x - mover->placed.x, at.y - mover->placed.y};
  cl_bounds box = cl_bounds_moved(cl_body_bounds(mover), by);
  for (size_t i = 0; i < m->nears; i++)
    if (i != near && cl_bounds_touch(cl_bounds_grown(box, 2 * m->near[i].touch), m->near[i].bounds))
      return false;
  return true;
}

// A place, moved along the normal of a face to where the mover is flush with the face. At a corner
// it stays.
static cl_vec beside(const cl_body *mover, const cl_obstacle *o, cl_vec n, cl_vec at) {
  if (mover->is_box) return cl_move_flush(&mover->local, &o->bounds, n, at);
  return n.x == 0 || n.y == 0 ? round_flush(mover, o, n, at) : at;
}

// How far a rectangle reaches along the normal of one of its faces.
static double reach_along(const cl_bounds *b, cl_vec n) {
  return n.x != 0 ? (n.x < 0 ? -b->l : b->r) : n.y < 0 ? -b->t : b->b;
}

// Whether the host is asked about an obstacle before another one.
static bool is_asked_before(const cl_obstacle *o, const cl_obstacle *other) {
  return o->slot != other->slot ? o->slot < other->slot : o->value < other->value;
}

// The faces that the mover touches at `at`, if all look the same way, against the motion, with the
// same response: finds the nearest, and the one that reaches farthest along the normal. If the host
// has to be asked about some, the first of these is `near`.
static bool find_face(const cl_movement *m, const cl_body *mover, cl_vec at, face *nearest,
                      size_t *near, size_t *farthest) {
  cl_bounds box = cl_bounds_moved(mover->local, at);
  face f;
  double most = -INFINITY;
  bool asks = false, alike = true;
  *near = CL_MOVE_ENDS;
  for (size_t i = 0; i < m->nears; i++) {
    const cl_obstacle *o = &m->near[i];
    touching is = mover->is_box ? touch_box(&box, o, &f) : touch_round(&box, mover->radius, o, &f);
    if (is == CL_NO_TOUCH) continue;
    f.does = does_at(m, mover, i);
    if (f.does == CL_RESPONSE_NONE) continue;
    bool first = *near == CL_MOVE_ENDS;
    bool same = first || (f.n.x == nearest->n.x && f.n.y == nearest->n.y);
    if (is == CL_UNSURE_TOUCH || !same || f.does == CL_RESPONSE_CROSS || f.does == CL_RESPONSE_PUSH)
      return false;
    double reach = reach_along(&o->bounds, f.n);
    if (reach > most) most = reach, *farthest = i;
    bool unknown = f.does == CL_MOVE_ASKS;
    alike &= first || f.does == nearest->does;
    if (first ||
        (asks ? unknown && is_asked_before(o, &m->near[*near]) : unknown || f.gap < nearest->gap))
      *nearest = f, *near = i;
    asks |= unknown;
  }
  return *near != CL_MOVE_ENDS && (alike || asks) && leads_into(mover, &m->near[*near], nearest);
}

// ---- the way

// Lifts a round mover off a corner until it surely overlaps nothing.
static bool lift_off_corner(const cl_movement *m, const cl_body *mover, const cl_obstacle *o,
                            const face *f, cl_vec *at) {
  static const double shares[] = {0, 0x1p-10, 0x1p-7, 0x1p-4, 0x1p-1};
  cl_vec from = *at;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    double by = cl_max(shares[i] * o->touch - f->gap, 0);
    *at = cl_vec_add(from, cl_vec_mul(f->n, by));
    if (is_free_at(m, mover, *at)) return true;
  }
  return false;
}

// Stops the mover at near[`near`], which it meets first.
static bool stop_at(const cl_movement *m, const cl_body *mover, const cl_sweep *met, size_t near,
                    cl_plain_stop *out) {
  cl_vec from = cl_body_place(mover), left = mover->left;
  cl_vec at = {from.x + left.x * met->t, from.y + left.y * met->t};
  face f = {{met->nx, met->ny}, -met->lift, does_at(m, mover, near)};
  size_t farthest = near;
  if (met->t >= 1) return false;
  bool lone = mover->is_box && met->lone && is_alone(m, mover, near, at);
  if (!lone && !find_face(m, mover, at, &f, &near, &farthest)) return false;
  const cl_obstacle *o = &m->near[near];
  out->t = met->t, out->n = f.n, out->near = near, out->at = from, out->does = f.does;
  if (f.does == CL_MOVE_ASKS) return true;
  if (met->t > 0 || (mover->is_box && f.gap < 0))
    out->at = beside(mover, &m->near[farthest], f.n, at);
  bool moves = out->at.x != from.x || out->at.y != from.y;
  if (moves &&
      !(mover->is_round && f.n.x != 0 && f.n.y != 0 ? lift_off_corner(m, mover, o, &f, &out->at)
                                                    : is_free_at(m, mover, out->at)))
    return false;
  cl_bounds box = cl_bounds_moved(mover->local, out->at);
  out->point = cl_touch_box_point(&box, &o->bounds, f.n);
  return cl_place_ok(out->at);
}

bool cl_move_go_plain(const cl_movement *m, const cl_body *mover, cl_plain_stop *out) {
  cl_sweep met;
  size_t near;
  if (!meet_first(m, mover, &met, &near)) return false;
  if (near != CL_MOVE_ENDS) return stop_at(m, mover, &met, near, out);
  out->at = cl_vec_add(cl_body_place(mover), mover->left);
  out->near = CL_MOVE_ENDS;
  return cl_place_ok(out->at) && is_free_at(m, mover, out->at);
}
