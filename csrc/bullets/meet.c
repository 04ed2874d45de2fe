// collide, MIT licence (see LICENSE)
//
// What a bullet or laser meets on its way: actors that move at the same time. Relative to these its
// way is a straight line too. A turning target has its rotation at the end of the step.
// Layer: bullets.

#include "bullets/bouncer.h"
#include "bullets/mets.h"
#include "bullets/mover.h"
#include "bullets/shots.h"
#include "narrow/cast.h"
#include "narrow/overlap.h"

// Limits of the work for the way out of one target (narrow/effort.h).
enum { WAY_OUT_PAIRS = 512, WAY_OUT_WORK = 160000 };

void cl_mover_box(cl_mover *m, double radius, double graze) {
  cl_bounds way = {cl_min(m->from.x, m->to.x), cl_min(m->from.y, m->to.y),
                   cl_max(m->from.x, m->to.x), cl_max(m->from.y, m->to.y)};
  double slack = cl_motion_slack(way);
  m->box = cl_bounds_grown(way, radius + slack);
  m->graze_box = cl_bounds_grown(way, graze + slack);
}

// A mover's place relative to a target that moves by `motion`, in the frame where the target rests
// at the end of its way.
static cl_vec start_of(const cl_mover *m, cl_vec motion) {
  return cl_vec_add(m->from, cl_vec_mul(motion, 1 - m->begins));
}

// Writes a touch at the share t of the mover's way, with this normal.
static void note(const cl_mover *m, double t, cl_vec normal, cl_shot *out) {
  cl_vec at = cl_vec_add(m->from, cl_vec_mul(cl_vec_sub(m->to, m->from), t));
  if (t == 1) at = m->to;
  out->t = m->begins + (1 - m->begins) * t;
  out->left = m->left * (1 - t);
  out->x = at.x;
  out->y = at.y;
  out->nx = normal.x;
  out->ny = normal.y;
}

// The direction in which the mover gets free. One mover may need several in a step, if it bounces,
// so the work is limited.
static cl_vec way_out(const cl_placed *moving, const cl_placed *at) {
  cl_hit hit;
  cl_effort effort = {.pairs = WAY_OUT_PAIRS, .work = WAY_OUT_WORK, .enough = INFINITY};
  return cl_overlap_within(moving, at, true, &effort, &hit) ? (cl_vec){hit.nx, hit.ny}
                                                            : (cl_vec){0, 0};
}

bool cl_mover_cast(const cl_mover *m, const cl_shape *shape, cl_vec motion, const cl_placed *at,
                   cl_shot *out) {
  cl_vec from = m->late ? m->to : start_of(m, motion);
  cl_placed moving = {shape, from.x, from.y, {1, 0}};
  cl_cast c;
  if (!cl_cast_shape(&moving, cl_vec_sub(m->to, from), at, &c)) return false;
  cl_vec normal = {c.nx, c.ny};
  if (c.nx == 0 && c.ny == 0) normal = way_out(&moving, at);
  note(m, m->late ? 1 : c.t, normal, out);
  return true;
}

bool cl_mover_enter(const cl_mover *m, cl_vec motion, const cl_placed *at, bool reported,
                    cl_shot *out, bool *inside) {
  cl_vec from = start_of(m, motion), own = cl_vec_sub(m->to, m->from);
  cl_cast c;
  cl_entry entry = cl_circle_entry(from, m->shape->radius, cl_vec_sub(m->to, from),
                                   reported ? &own : NULL, at, &c);
  *inside = entry == CL_ENTRY_INSIDE;
  if (entry == CL_ENTRY_NONE) return false;
  cl_placed moving = {m->shape, from.x, from.y, {1, 0}};
  if (*inside) note(m, 0, way_out(&moving, at), out);
  else note(m, c.t, (cl_vec){c.nx, c.ny}, out);
  return true;
}

bool cl_mover_inside(const cl_mover *m, const cl_placed *at) {
  cl_placed end = {m->shape, m->to.x, m->to.y, {1, 0}};
  const cl_vec none = {0, 0};
  cl_cast c;
  if (!m->bounced) return cl_overlaps(&end, at, true);
  return cl_circle_entry(m->to, m->shape->radius, none, NULL, at, &c) == CL_ENTRY_INSIDE;
}

// Whether a mover hits a target, of which it remembers `flags`: `*fresh` gets the flags to
// remember. A mover that was inside the target at the end of the last step does not hit it until it
// has left.
static bool hits(const cl_pools *pools, const cl_mover *m, const cl_target *target, uint32_t flags,
                 cl_shot *shot, uint32_t *fresh) {
  const cl_placed *at = &target->at;
  uint32_t was = m->rest ? CL_WAS_INSIDE : CL_INSIDE;
  bool inside = true, reported = m->rest && cl_pools_was_reported(pools, m->number, target->slot);
  if (!cl_bounds_touch(target->box, m->box)) return false;
  if (m->bounced) {
    // A target that it has bounced off may overtake it: then it is inside without having entered.
    if (cl_mover_inside(m, at)) *fresh |= CL_INSIDE;
    if (!cl_mover_enter(m, target->motion, at, reported, shot, &inside)) return false;
    return !inside || !(reported || flags & was);
  }
  if (!cl_mover_cast(m, m->shape, target->motion, at, shot)) return false;
  if (m->stays && cl_mover_inside(m, at)) *fresh |= CL_INSIDE;
  return !(m->stays && flags & was && shot->t <= CL_STILL_INSIDE);
}

cl_status cl_mover_meet(cl_pools *pools, const cl_mover *m, const cl_target *target) {
  cl_bullets *pool = m->pool;
  uint32_t slot = target->slot;
  cl_shot shot = {.number = m->number, .pool = pool->index, .actor = slot};
  uint32_t flags = cl_pools_met(pools, pool->index, m->number, slot), fresh = 0;
  cl_status status = CL_OK;
  if (m->graze && !(flags & CL_GRAZED) && cl_bounds_touch(target->box, m->graze_box)) {
    shot.kind = CL_SHOT_GRAZE;
    shot.wanted = true;
    if (cl_mover_cast(m, m->graze, target->motion, &target->at, &shot)) {
      fresh |= CL_GRAZED;
      shot.nx = shot.ny = 0;
      status = cl_pools_add_shot(pools, &shot);
    }
  }
  shot.kind = CL_SHOT_HIT;
  shot.wanted = pool->event_mask & CL_BULLET_EVENT_HIT;
  if (status == CL_OK && hits(pools, m, target, flags, &shot, &fresh)) {
    status = cl_pools_add_shot(pools, &shot);
  }
  if (status != CL_OK || !fresh) return status;
  return cl_pools_add_met(pools, &(cl_met){m->number, slot, pool->index, fresh});
}
