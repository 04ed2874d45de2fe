// collide, MIT licence (see LICENSE)
//
// Plain moves: of an upright rectangle, among no more than upright rectangles, which all stop it in
// the same way; so are the moves of most games. Closed forms in doubles decide how far one goes,
// and they leave to the other files of moves, which find the same wherever both decide: starts
// inside others, corners, places that rounding has put into others. Layer: world.

#include "narrow/primitives.h"
#include "world/move.h"

bool cl_move_may_be_plain(const cl_movement *m, const cl_body *mover) {
  uint8_t response = cl_move_done_if(m, (uint8_t)m->def.response);
  return mover->is_box && !m->def.responder && cl_move_stops(response) &&
         response != CL_RESPONSE_PUSH;
}

// Whether any obstacle overlaps the mover with these bounds.
static bool is_free_at(const cl_movement *m, cl_bounds box) {
  for (size_t i = 0; i < m->nears; i++) {
    cl_bounds b = m->near[i].bounds;
    if (box.l < b.r && b.l < box.r && box.t < b.b && b.t < box.b) return false;
  }
  return true;
}

bool cl_move_is_clear(const cl_movement *m, const cl_body *mover) {
  return is_free_at(m, cl_body_bounds(mover));
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

// What is met first on the way.
static size_t find_first_box(const cl_movement *m, const cl_body *mover, cl_sweep *first) {
  cl_bounds box = cl_body_bounds(mover);
  cl_sweep found;
  size_t near = CL_MOVE_ENDS;
  first->t = INFINITY, first->nx = first->ny = 0;
  for (size_t i = 0; i < m->nears; i++) {
    const cl_obstacle *o = &m->near[i];
    if (!cl_sweep_box(&box, mover->left, &o->bounds, o->touch, &found)) continue;
    if (!cl_move_is_sooner(&found, first, mover->left)) continue;
    *first = found;
    near = i;
  }
  return near;
}

// Whether nothing but what is met is near the mover at `at`: as in move_faces.c.
static bool is_alone(const cl_movement *m, const cl_body *mover, size_t near, cl_vec at) {
  cl_vec by = {at.x - mover->placed.x, at.y - mover->placed.y};
  cl_bounds box = cl_bounds_moved(cl_body_bounds(mover), by);
  for (size_t i = 0; i < m->nears; i++)
    if (i != near && cl_bounds_touch(cl_bounds_grown(box, 2 * m->near[i].touch), m->near[i].bounds))
      return false;
  return true;
}

// The side with which a box touches another, as cl_touch_box finds it. False if there is none;
// `corner`: there are two.
static bool touches_side(const cl_bounds *a, const cl_obstacle *o, cl_vec *n, double *gap,
                         bool *corner) {
  const cl_bounds *b = &o->bounds;
  const double touch = o->touch, skin = touch * CL_SKIN_SHARE;
  double l = b->l - a->r, r = a->l - b->r, top = b->t - a->b, bottom = a->t - b->b;
  double x = cl_max(l, r), y = cl_max(top, bottom);
  double beside_x = cl_max(x, 0), beside_y = cl_max(y, 0);
  if (!cl_bounds_touch(cl_bounds_grown(*a, touch), *b)) return false;
  if (x > touch || y > touch || beside_x * beside_x + beside_y * beside_y > touch * touch)
    return false;
  bool across = x >= -skin;
  *corner = across && y >= -skin;
  *n = across ? (cl_vec){l > r ? -1 : 1, 0} : (cl_vec){0, top > bottom ? -1 : 1};
  *gap = across ? x : y;
  return across || y >= -skin;
}

// The faces that the mover touches at `at`, if they all look the same way, against the motion: the
// nearest of them, and how far the mover is in it. Sets `flush` to where their sides are flush.
static bool find_face(const cl_movement *m, const cl_body *mover, cl_vec at, cl_plain_stop *out,
                      double *lift, cl_vec *flush) {
  cl_bounds box = cl_bounds_moved(mover->local, at);
  double least = INFINITY;
  out->near = CL_MOVE_ENDS;
  for (size_t i = 0; i < m->nears; i++) {
    const cl_obstacle *o = &m->near[i];
    cl_vec n;
    double gap;
    bool corner;
    if (!touches_side(&box, o, &n, &gap, &corner)) continue;
    bool first = out->near == CL_MOVE_ENDS;
    if (corner || !(first || (n.x == out->n.x && n.y == out->n.y))) return false;
    cl_vec beside = cl_move_flush(&mover->local, &o->bounds, n, at);
    if (first || cl_vec_dot(beside, n) > cl_vec_dot(*flush, n)) *flush = beside;
    out->n = n;
    if (gap < least) least = gap, out->near = i;
  }
  *lift = cl_max(-least, 0);
  cl_vec rest = mover->left;
  return out->near != CL_MOVE_ENDS && out->t < 1 &&
         cl_vec_dot(rest, out->n) < -1e-8 * (fabs(rest.x) + fabs(rest.y));
}

bool cl_move_go_plain(const cl_movement *m, const cl_body *mover, cl_plain_stop *out) {
  cl_sweep met;
  cl_vec at = cl_body_place(mover), left = mover->left, to = cl_vec_add(at, left), beside = to;
  size_t near = find_first_box(m, mover, &met);
  double lift = 0;
  out->near = near;
  if (near != CL_MOVE_ENDS) {
    to = (cl_vec){at.x + left.x * met.t, at.y + left.y * met.t};
    out->t = met.t;
    if (met.lone && is_alone(m, mover, near, to)) {
      out->n = (cl_vec){met.nx, met.ny};
      lift = met.lift;
      beside = cl_move_flush(&mover->local, &m->near[near].bounds, out->n, to);
    } else if (!find_face(m, mover, to, out, &lift, &beside)) {
      return false;
    }
    to = met.t > 0 || lift > 0 ? beside : at;
  }
  cl_bounds box = cl_bounds_moved(mover->local, to);
  bool moves = to.x != at.x || to.y != at.y;
  if (!cl_place_ok(to) || (moves && !is_free_at(m, box))) return false;
  out->at = to;
  if (near != CL_MOVE_ENDS)
    out->point = cl_touch_box_point(&box, &m->near[out->near].bounds, out->n);
  return true;
}
