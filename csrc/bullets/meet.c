// collide, MIT licence (see LICENSE)
//
// What bullets and lasers meet in a step: actors, which move at the same time, and bullets of other
// pools. Layer: bullets.
//
// First come the memories: a bullet reports a graze once, and a bullet that stays does not hit
// again what it is inside. Then the movers, shapes on their way, and their exact tests. Then the
// search of a pool: all its bullets move in blocks, the sieve leaves few of them, and these look
// into the cells of the map under their ways. Last come the hits between bullets of different
// pools. All of this appends to `fresh` and `fresh_met`, which the end of the step merges with the
// others.

#include "base/alloc.h"
#include "bullets/state.h"
#include "geom/shape.h"
#include "narrow/motion.h"
#include "narrow/overlap.h"

// The memories of bullets: what they have grazed, and what they are inside.

static int by_met(const void *p, const void *q) {
  const cl_met *a = p, *b = q;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

void cl_pools_add_met(cl_pools *pools, const cl_met *met) {
  cl_mets *fresh = &pools->fresh_met;
  if (CL_ROOM(pools, fresh->at, fresh->cap, fresh->count + 1)) fresh->at[fresh->count++] = *met;
}

// The first memory at or after a key. The search starts where the last one ended, as bullets come
// in ascending order.
static size_t lower_met(cl_pools *pools, const cl_met *key) {
  const cl_mets *met = &pools->met;
  size_t at = cl_lower_bound(met->at, met->count, sizeof *met->at, key, by_met, pools->met_hint);
  return pools->met_hint = at;
}

static cl_met *met_of(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other) {
  const cl_met key = {number, other, pool, 0};
  size_t at = lower_met(pools, &key);
  bool found = at < pools->met.count && by_met(&pools->met.at[at], &key) == 0;
  return found ? &pools->met.at[at] : NULL;
}

uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other) {
  const cl_met *met = met_of(pools, pool, number, other);
  return met ? met->flags : 0;
}

void cl_pools_set_grazed(cl_pools *pools, const cl_shot *shot, bool grazed) {
  cl_met *met = met_of(pools, shot->pool, shot->number, shot->actor);
  if (met) met->flags = grazed ? met->flags | CL_GRAZED : met->flags & ~(uint32_t)CL_GRAZED;
}

void cl_pools_forget_all(cl_pools *pools, uint32_t pool, uint64_t number, uint32_t flag) {
  const cl_met key = {number, 0, pool, 0};
  for (size_t at = lower_met(pools, &key); at < pools->met.count; at++) {
    cl_met *met = &pools->met.at[at];
    if (met->number != number || met->pool != pool) return;
    met->flags &= ~flag;
  }
}

// Whether a memory is kept: memories of removed actors end, and `thorough` also drops those of dead
// bullets.
static bool keeps(const cl_pools *pools, const cl_met *met, bool thorough) {
  if (met->flags == 0) return false;
  if (!(met->other & CL_OTHER_BULLET) && !cl_world_has(pools->world, (uint32_t)met->other)) {
    return false;
  }
  return !thorough || cl_bullets_alive(pools->at[met->pool], met->number);
}

// The flags that remain in a memory after a step.
static uint32_t faded(uint32_t flags) {
  return (flags & CL_GRAZED) | (flags & CL_INSIDE ? CL_WAS_INSIDE : 0);
}

// A bullet whose step is cut may have several memories of the same target.
static void join_fresh_mets(cl_mets *fresh) {
  size_t n = 0;
  cl_sort_by(fresh->at, fresh->count, sizeof *fresh->at, by_met);
  for (size_t i = 0; i < fresh->count; i++) {
    if (n > 0 && by_met(&fresh->at[n - 1], &fresh->at[i]) == 0) {
      fresh->at[n - 1].flags |= fresh->at[i].flags;
    } else {
      fresh->at[n++] = fresh->at[i];
    }
  }
  fresh->count = n;
}

void cl_pools_merge_mets(cl_pools *pools) {
  enum { FEW = 256 };
  cl_mets *merged = &pools->merged_met, *fresh = &pools->fresh_met;
  const cl_mets *old = &pools->met;
  join_fresh_mets(fresh);
  bool thorough = old->count + fresh->count > 2 * pools->met_kept + FEW;
  merged->count = 0;
  for (size_t i = 0, k = 0; i < old->count || k < fresh->count;) {
    int c = i == old->count ? 1 : -1;
    if (i < old->count && k < fresh->count) c = by_met(&old->at[i], &fresh->at[k]);
    cl_met met = c <= 0 ? old->at[i] : fresh->at[k];
    if (c <= 0) met.flags = faded(met.flags);
    if (c == 0) met.flags |= fresh->at[k].flags;
    i += c <= 0;
    k += c >= 0;
    if (keeps(pools, &met, thorough)) merged->at[merged->count++] = met;
  }
  if (thorough) pools->met_kept = merged->count;
  cl_mets mets = pools->met;
  pools->met = pools->merged_met;
  pools->merged_met = mets;
  fresh->count = 0;
}

void cl_pools_insert_mets(cl_pools *pools) {
  cl_mets *met = &pools->met;
  for (size_t i = 0; i < pools->fresh_met.count; i++) {
    cl_met fresh = pools->fresh_met.at[i];
    size_t at = lower_met(pools, &fresh);
    if (at < met->count && by_met(&met->at[at], &fresh) == 0) {
      met->at[at].flags |= fresh.flags;
      continue;
    }
    memmove(met->at + at + 1, met->at + at, (met->count - at) * sizeof *met->at);
    met->at[at] = fresh;
    met->count++;
  }
  pools->fresh_met.count = 0;
}

bool cl_pools_was_reported(const cl_pools *pools, uint64_t number, uint64_t other) {
  const cl_bouncer *b = &pools->bouncer;
  if (b->number != number) return false;
  for (size_t i = 0; i < b->reported_count; i++) {
    if (b->reported[i] == other) return true;
  }
  return false;
}

// What a bullet or laser meets on its way. Relative to a moving actor its way is also a straight
// line. A turning target has its final rotation all the way.

// Limits of the work for the way out of one target (narrow/overlap.h).
enum { WAY_OUT_PAIRS = 512, WAY_OUT_WORK = 160000 };

static cl_bounds shape_way(const cl_shape *shape, cl_vec from, cl_vec to) {
  cl_bounds b = shape->bounds, way = cl_way_box(from, to);
  b = (cl_bounds){b.l + way.l, b.t + way.t, b.r + way.r, b.b + way.b};
  return cl_bounds_grown(b, cl_motion_slack(b));
}

void cl_mover_box(cl_mover *m) {
  m->box = shape_way(m->shape, m->from, m->to);
  m->graze_box = m->graze ? shape_way(m->graze, m->from, m->to) : m->box;
}

// The fraction of the step where a mover's way ends.
static double ends_at(const cl_mover *m) { return m->cut ? m->ends : 1; }

// Whether a mover is a circle.
static bool is_round(const cl_mover *m) { return m->shape->kind == CL_CIRCLE; }

// A mover's place relative to a target that moves by `motion`, in the frame in which the target
// rests at the end of its way.
static cl_vec start_of(const cl_mover *m, cl_vec motion) {
  return cl_vec_add(m->from, cl_vec_mul(motion, 1 - m->begins));
}

// The same where its way ends.
static cl_vec target_of(const cl_mover *m, cl_vec motion) {
  return m->cut ? cl_vec_add(m->to, cl_vec_mul(motion, 1 - m->ends)) : m->to;
}

// Writes a touch at the share t of the mover's way, with this normal.
static void note_touch(const cl_mover *m, double t, cl_vec normal, cl_shot *out) {
  cl_vec at = cl_vec_add(m->from, cl_vec_mul(cl_vec_sub(m->to, m->from), t));
  if (t == 1) at = m->to;
  double ends = ends_at(m), span = ends - m->begins;
  out->t = t == 1 ? ends : m->begins + span * t;
  out->left = m->cut ? m->pool->pools->dt * (1 - out->t) : m->left * (1 - t);
  out->x = at.x;
  out->y = at.y;
  out->nx = normal.x;
  out->ny = normal.y;
}

// The direction in which the mover gets free. One mover may need several in a step, if it bounces,
// so the work is limited.
static cl_vec direction_out(const cl_placed *moving, const cl_placed *at) {
  cl_hit hit;
  cl_effort effort = {.pairs = WAY_OUT_PAIRS, .work = WAY_OUT_WORK, .enough = INFINITY};
  return cl_overlap_within(moving, at, true, &effort, &hit) ? (cl_vec){hit.nx, hit.ny}
                                                            : (cl_vec){0, 0};
}

// When `shape` of a mover first touches a target.
static bool cast_mover(const cl_mover *m, const cl_shape *shape, cl_vec motion, const cl_placed *at,
                       cl_shot *out) {
  cl_vec from = m->late ? m->to : start_of(m, motion);
  cl_placed moving = {shape, from.x, from.y, {1, 0}};
  cl_vec way = cl_vec_sub(m->late ? m->to : target_of(m, motion), from);
  cl_cast c;
  if (!cl_cast_shape(&moving, way, at, &c)) return false;
  cl_vec normal = {c.nx, c.ny};
  if (c.nx == 0 && c.ny == 0) normal = direction_out(&moving, at);
  if (shape == m->shape) out->member = cl_cast_member(&moving, way, at, &c);
  note_touch(m, m->late ? 1 : c.t, normal, out);
  return true;
}

// The same for the circle of a bullet that has bounced, even if its tail is not out yet.
static bool enter_target(const cl_mover *m, cl_vec motion, const cl_placed *at, bool reported,
                         cl_shot *out, bool *inside) {
  cl_vec from = start_of(m, motion), own = cl_vec_sub(m->to, m->from);
  cl_cast c;
  cl_vec way = cl_vec_sub(target_of(m, motion), from);
  cl_entry entry = cl_circle_entry(from, m->shape->radius, way, reported ? &own : NULL, at, &c);
  *inside = entry == CL_ENTRY_INSIDE;
  if (entry == CL_ENTRY_NONE) return false;
  cl_placed moving = {m->shape, from.x, from.y, {1, 0}};
  cl_vec normal = {c.nx, c.ny};
  double r = m->shape->radius;
  if (*inside) c = (cl_cast){0, from.x, from.y, 0, 0}, normal = direction_out(&moving, at);
  else c.x = from.x + way.x * c.t - normal.x * r, c.y = from.y + way.y * c.t - normal.y * r;
  out->member = cl_cast_member(&moving, way, at, &c);
  note_touch(m, c.t, normal, out);
  return true;
}

bool cl_mover_hits(const cl_mover *m, cl_vec motion, const cl_placed *at, bool reported,
                   cl_shot *out, bool *inside) {
  if (m->bounced && is_round(m)) return enter_target(m, motion, at, reported, out, inside);
  if (!cast_mover(m, m->shape, motion, at, out)) return false;
  *inside = out->t <= m->begins + CL_STILL_INSIDE;
  return true;
}

bool cl_mover_inside(const cl_mover *m, const cl_placed *at) {
  cl_placed end = {m->shape, m->to.x, m->to.y, {1, 0}};
  const cl_vec none = {0, 0};
  cl_cast c;
  if (!(m->bounced && is_round(m))) return cl_overlaps(&end, at, true);
  return cl_circle_entry(m->to, m->shape->radius, none, NULL, at, &c) == CL_ENTRY_INSIDE;
}

// Whether a mover that is inside a target where a later piece of its way begins touched it on the
// piece before, which has reported it.
static bool touched_before(const cl_mover *m, cl_vec motion, const cl_placed *at) {
  cl_stack_shape shape;
  cl_mover then = *m;
  cl_bullet_body_shape(&shape, &m->before);
  then.shape = &shape.shape;
  then.to = start_of(m, motion);
  return cl_mover_inside(&then, at);
}

// Whether a mover hits a target, of which it remembers `flags`: `*fresh` gets the new flags. A
// mover that was inside the target at the end of the last step does not hit it until it has left.
static bool hits_target(const cl_pools *pools, const cl_mover *m, const cl_target *target,
                        uint32_t flags, cl_shot *shot, uint32_t *fresh) {
  const cl_placed *at = &target->at;
  uint32_t was = m->rest ? CL_WAS_INSIDE : CL_INSIDE;
  bool inside, reported = m->rest && cl_pools_was_reported(pools, m->number, target->slot);
  if (!cl_bounds_touch(target->box, m->box)) return false;
  bool hits = cl_mover_hits(m, target->motion, at, reported, shot, &inside);
  // A target that it has bounced off may overtake it: then it is inside without a hit.
  bool ends = m->bounced || (m->stays && hits);
  if (ends && ends_at(m) == 1 && cl_mover_inside(m, at)) *fresh |= CL_INSIDE;
  if (hits && inside && m->later) return !touched_before(m, target->motion, at);
  return hits && !(inside && (reported || (m->stays && flags & was)));
}

static bool is_ignored(const cl_bullets *pool, uint32_t slot) {
  size_t at = cl_first_from(pool->ignored, pool->ignored_count, slot);
  return at < pool->ignored_count && pool->ignored[at] == slot;
}

// On later pieces of its way a bullet remembers what it has met on earlier ones.
static cl_met *fresh_of(cl_pools *pools, const cl_mover *m, uint32_t slot) {
  for (size_t i = m->later ? m->first_met : pools->fresh_met.count; i < pools->fresh_met.count;
       i++) {
    cl_met *met = &pools->fresh_met.at[i];
    if (met->number == m->number && met->pool == m->pool->index && met->other == slot) return met;
  }
  return NULL;
}

void cl_mover_meet(cl_pools *pools, const cl_mover *m, const cl_target *target) {
  cl_bullets *pool = m->pool;
  uint32_t slot = target->slot;
  if (pool->ignored_count > 0 && is_ignored(pool, slot)) return;
  cl_shot shot = {.number = m->number, .pool = pool->index, .actor = slot};
  uint32_t flags = cl_pools_met(pools, pool->index, m->number, slot), fresh = 0;
  cl_met *before = fresh_of(pools, m, slot);
  if (before) flags |= before->flags & CL_GRAZED;
  if (m->graze && !(flags & CL_GRAZED) && cl_bounds_touch(target->box, m->graze_box)) {
    shot.kind = CL_SHOT_GRAZE;
    shot.wanted = true;
    if (cast_mover(m, m->graze, target->motion, &target->at, &shot)) {
      fresh |= CL_GRAZED;
      shot.nx = shot.ny = 0;
      cl_shots_add(pools, &pools->fresh, &shot);
    }
  }
  shot.kind = CL_SHOT_HIT;
  shot.wanted = pool->event_mask & CL_BULLET_EVENT_HIT;
  if (hits_target(pools, m, target, flags, &shot, &fresh)) {
    cl_shots_add(pools, &pools->fresh, &shot);
  }
  if (!fresh) return;
  if (before) before->flags |= fresh;
  else cl_pools_add_met(pools, &(cl_met){m->number, slot, pool->index, fresh});
}

// All bullets move; the few that need exact tests are selected.

static double last_age(const cl_bullets *pool) {
  return pool->def.lifetime * (1 - CL_LIFETIME_ERROR);
}

bool cl_bullets_ends(const cl_bullets *pool, cl_vec at, double age) {
  cl_bounds b = pool->def.bounds;
  return !(at.x >= b.l && at.x <= b.r && at.y >= b.t && at.y <= b.b) ||
         (pool->ages && age >= last_age(pool));
}

// How far bullets of a pool typically move in this step, on the longer axis.
static double pace_of(const cl_bullets *pool, double dt) {
  enum { SAMPLES = 64 };
  uint32_t every = pool->used / SAMPLES + 1;
  double most = 0;
  for (uint32_t i = 0; i < pool->used; i += every) {
    most = cl_max(most, cl_max(fabs(pool->vx[i]), fabs(pool->vy[i])));
  }
  return most * dt;
}

// Fills in the next places of bullets `from` to `to`, as if none steered.
static void move_evenly(const cl_bullets *pool, uint32_t from, uint32_t to, double dt) {
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

static void move_bullets(const cl_bullets *pool, uint32_t from, uint32_t to, double dt) {
  move_evenly(pool, from, to, dt);
  if (pool->courses) cl_bullets_steer_all(pool, from, to, dt);
  const cl_cut *cut = pool->pools->cut;
  for (size_t c = cl_bullets_first_cut(pool, from); c < pool->cut_to && cut[c].index < to; c++) {
    pool->next_x[cut[c].index] = cut[c].end.at.x;
    pool->next_y[cut[c].index] = cut[c].end.at.y;
  }
}

// How many bullets are too old after `dt`: the first ones, since bullets are in the order of
// spawning, the oldest first.
static uint32_t count_too_old(const cl_bullets *pool, double dt) {
  double last = last_age(pool);
  uint32_t n = 0;
  while (pool->ages && n < pool->used && pool->age[n] + dt >= last) n++;
  return n;
}

static void move_lasers(cl_bullets *pool, double dt) {
  double half = dt * dt / 2;
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    cl_laser *laser = &pool->laser[k];
    laser->next_x = laser->at.x + (laser->at.vx * dt + laser->at.ax * half);
    laser->next_y = laser->at.y + (laser->at.vy * dt + laser->at.ay * half);
  }
}

// Finds which actors the bullets and lasers of a pool may meet: for bullets with the map of nearby
// boxes, for lasers with the cells under them.

static void make_map(cl_pools *pools, const cl_nearby_boxes *boxes, uint32_t points, double pace) {
  uint32_t count = boxes->count;
  if (!CL_ROOM(pools, pools->seen, pools->seen_cap, count)) return;
  if (count > 0) memset(pools->seen, 0, count * sizeof *pools->seen);
  pools->searches = 0;
  cl_status status = cl_nearby_build(&pools->nearby, &pools->alloc, boxes, points, pace);
  if (cl_pools_check(pools, status)) pools->work += cl_nearby_work(&pools->nearby);
}

// Lists the actors that a pool may hit. The list serves the next pool, too, if it hits the same
// groups.
static void list_targets(cl_pools *pools, const cl_bullets *pool) {
  uint64_t groups = cl_world_groups_hit(pools->world, pool->def.group);
  if (groups == pools->aimed_at) return;
  uint32_t most = cl_world_target_count(pools->world);
  if (!CL_ROOM(pools, pools->target, pools->target_cap, most)) return;
  pools->target_count = cl_world_targets(pools->world, groups, pools->target);
  pools->work += most;
  pools->aimed_at = groups;
}

// Whether a bullet or laser ends with the event that is being dispatched.
static bool is_ending(const cl_pools *pools, double number) { return number == pools->ending; }

static bool is_gone(const cl_bullets *pool, uint32_t i) {
  return pool->dead[i] || is_ending(pool->pools, pool->number[i]);
}

// Whether an item of the map is met for the first time in this search.
static bool is_first_look(cl_pools *pools, uint32_t item) {
  bool first = pools->seen[item] != pools->searches;
  pools->seen[item] = pools->searches;
  return first;
}

// The shape of a body. A round one is rebuilt only when the radius changes.
typedef struct kept_shape {
  cl_stack_shape temp;
  double radius;
} kept_shape;

static const cl_shape *shape_of(kept_shape *c, cl_bullet_body body) {
  bool round = !(body.tail > 0);
  if (!round || c->radius != body.radius) cl_bullet_body_shape(&c->temp, &body);
  c->radius = round ? body.radius : -1;
  return &c->temp.shape;
}

// A search for what a pool's bullets meet, one bullet after another: actors or other bullets. The
// mover is the bullet at `index`; most of it is filled in only when the first target is near.
typedef struct search {
  cl_pools *pools;
  double graze; // 0: no grazes
  cl_mover mover;
  uint32_t index;
  cl_bounds reach; // the larger of the mover's boxes
  bool ready;
  uint8_t survived;
  kept_shape hit, grazing;
} search;

// It is large: filled in as needed.
static void start_search(search *s, cl_bullets *pool, double graze) {
  s->pools = pool->pools;
  s->graze = graze;
  s->mover = (cl_mover){.pool = pool, .left = pool->pools->dt};
  s->hit.radius = s->grazing.radius = -1;
}

// Turns to bullet i on a way, with this body.
static void aim(search *s, uint32_t i, cl_vec from, cl_vec to, cl_bullet_body body) {
  const cl_bullets *pool = s->mover.pool;
  cl_bounds way = cl_way_box(from, to);
  double reach = cl_max(body.radius, s->graze) + cl_max(body.tail, 0);
  s->reach = cl_bounds_grown(way, reach + cl_motion_slack(way));
  s->mover.body = body;
  s->mover.number = (uint64_t)pool->number[i];
  s->mover.from = from;
  s->mover.to = to;
  s->index = i;
  s->ready = false;
  s->pools->searches++;
}

static void make_ready(search *s) {
  cl_mover *m = &s->mover;
  cl_bullet_body grazing = m->body;
  grazing.radius = s->graze;
  m->shape = shape_of(&s->hit, m->body);
  m->graze = s->graze > 0 ? shape_of(&s->grazing, grazing) : NULL;
  cl_mover_box(m);
  s->survived = cl_bullets_survived(m->pool, s->index);
  m->stays = m->pool->def.pierce || s->survived;
  m->bounced = s->survived & CL_BOUNCED;
  s->ready = true;
}

static void try_target(search *s, uint32_t item) {
  const cl_target *target = &s->pools->target[item];
  if (!cl_bounds_touch(target->box, s->reach) || !is_first_look(s->pools, item)) return;
  if (!s->ready) make_ready(s);
  cl_mover_meet(s->pools, &s->mover, target);
}

static void try_targets(void *user, const uint32_t *item, uint32_t count) {
  search *s = user;
  s->pools->work += count;
  for (uint32_t k = 0; k < count; k++) try_target(s, item[k]);
}

// Whether a bullet has pending shots.
static bool is_pending(const cl_pools *pools, uint32_t pool, uint64_t number) {
  size_t at = cl_shots_of(&pools->shots, pools->cursor, pool, number);
  return at < pools->shots.count && pools->shots.at[at].number == number &&
         pools->shots.at[at].pool == pool;
}

static void count_fresh(const cl_pools *pools, cl_bullets *pool, size_t first) {
  for (size_t i = first; i < pools->fresh.count; i++) {
    pool->new_hits += pools->fresh.at[i].kind == CL_SHOT_HIT;
    pool->new_grazes += pools->fresh.at[i].kind == CL_SHOT_GRAZE;
  }
}

// Handles the fresh shots from `first` on, all of one bullet. If no event is wanted, their effects
// happen at once, and it returns true if the bullet dies. Not so if other bullets, or timers
// (`timed`), may come first.
static bool conclude(cl_pools *pools, cl_bullets *pool, size_t first, uint64_t number, bool timed) {
  cl_shots *fresh = &pools->fresh;
  bool wanted = timed, ends = false;
  count_fresh(pools, pool, first);
  for (size_t i = first; i < fresh->count; i++) {
    ends = ends || cl_shot_ends(pools, &fresh->at[i]);
    wanted = wanted || fresh->at[i].wanted;
  }
  if (wanted || pool->meets || is_pending(pools, pool->index, number)) return false;
  fresh->count = first;
  return ends;
}

// The hits of a bullet whose step is cut, leg by leg.
static void search_legs(search *s, cl_nearby_visit *visit, uint32_t i, const cl_cut *cut) {
  cl_pools *pools = s->pools;
  size_t first_met = pools->fresh_met.count;
  bool later = false;
  for (size_t k = 0; k < cut->count; k++) {
    const cl_leg *leg = &pools->legs.at[cut->first + k];
    if (!cl_place_ok(leg->to)) break;
    if (leg->begins == leg->ends) continue;
    s->mover.cut = true;
    s->mover.later = later;
    s->mover.begins = leg->begins;
    s->mover.ends = leg->ends;
    s->mover.before = leg->before;
    s->mover.first_met = first_met;
    aim(s, i, leg->flying.at, leg->to, leg->flying.body);
    cl_nearby_walk(&pools->nearby, leg->flying.at, leg->to, visit, s);
    later = true;
  }
  s->mover.cut = s->mover.later = false;
  s->mover.begins = 0;
}

// The bullet's hits on the boxes of the map; with actors, also whether it ends.
CL_INLINE void search_one(search *s, cl_nearby_visit *visit, uint32_t i, const cl_cut *cut) {
  cl_pools *pools = s->pools;
  cl_bullets *pool = s->mover.pool;
  size_t first = pools->fresh.count;
  cl_vec end = {pool->next_x[i], pool->next_y[i]};
  if (cut) {
    search_legs(s, visit, i, cut);
  } else if (cl_place_ok(end)) {
    cl_bullet_body body = cl_bullets_body_in(pool, i, pools->dt);
    aim(s, i, (cl_vec){pool->x[i], pool->y[i]}, end, body);
    cl_nearby_walk(&pools->nearby, s->mover.from, end, visit, s);
  }
  if (visit != try_targets) return;
  bool expires = cl_bullets_ends(pool, end, pool->ages ? pool->age[i] + pools->dt : 0);
  if (!expires && pools->fresh.count == first) return;
  uint64_t number = (uint64_t)pool->number[i];
  if (expires) cl_pools_add_end(pools, pool, number);
  bool timed = cut && pool->event_mask & CL_BULLET_EVENT_TIMER;
  if (conclude(pools, pool, first, number, timed)) pool->gone[pool->gone_count++] = i;
}

// Whether the step of a bullet is cut, for bullets in ascending order: the cuts before number `*at`
// belong to earlier bullets.
CL_INLINE bool is_cut(const cl_bullets *pool, uint32_t i, size_t *at) {
  const cl_cut *cut = pool->pools->cut;
  while (*at < pool->cut_to && cut[*at].index < i) ++*at;
  return *at < pool->cut_to && cut[*at].index == i;
}

// The data of a block is still in the first cache when it is read again.
enum { BLOCK = 512 };

// Finds with the map what all bullets meet: actors, for which the bullets are moved first, or other
// bullets. Only few bullets may meet a box of the map, leave the bounds or are too old.
CL_INLINE void search_bullets(cl_pools *pools, cl_bullets *pool, cl_nearby_visit *visit) {
  const cl_bounds everywhere = {-INFINITY, -INFINITY, INFINITY, INFINITY};
  bool actors = visit == try_targets, grazes = pool->event_mask & CL_BULLET_EVENT_GRAZE;
  search s;
  start_search(&s, pool, actors && grazes ? pool->def.graze : 0);
  const cl_sieve sieve = {.x = pool->x,
                          .y = pool->y,
                          .next_x = pool->next_x,
                          .next_y = pool->next_y,
                          .nearby = &pools->nearby,
                          .bounds = actors ? pool->def.bounds : everywhere};
  uint32_t old = actors ? count_too_old(pool, pools->dt) : 0, chosen[BLOCK + 1];
  if (!actors) pools->work += pool->used;
  for (uint32_t from = 0, to; from < pool->used; from = to) {
    uint32_t count = 0, first = from;
    to = pool->used - from < BLOCK ? pool->used : from + BLOCK;
    if (actors) move_bullets(pool, from, to, pools->dt);
    while (from < to && from < old) chosen[count++] = from++;
    count += CL_BEST(cl_nearby_sift)(&sieve, from, to, chosen + count);
    size_t cuts = cl_bullets_first_cut(pool, first), c = cuts;
    for (uint32_t k = 0; k < count; k++) {
      uint32_t i = chosen[k];
      if (!is_gone(pool, i) && !is_cut(pool, i, &c)) search_one(&s, visit, i, NULL);
    }
    for (c = cuts; c < pool->cut_to; c++) {
      const cl_cut *cut = &pools->cut[c];
      if (cut->index >= to) break;
      if (!is_gone(pool, cut->index)) search_one(&s, visit, cut->index, cut);
    }
  }
}

// Tests all targets that a laser may meet: those in the cells under its way, or all if there are
// more cells than targets.
static void sweep_laser(cl_pools *pools, const cl_mover *m) {
  search s;
  start_search(&s, m->pool, 0);
  s.mover = *m;
  s.reach = cl_bounds_join(m->box, m->graze_box);
  s.ready = true;
  pools->searches++;
  uint32_t count = pools->target_count;
  uint64_t cells = cl_nearby_under(&pools->nearby, s.reach, count, try_targets, &s);
  pools->work += cells > 0 ? cells : count;
  for (uint32_t k = 0; cells == 0 && k < count; k++) try_target(&s, k);
}

static void search_laser(cl_pools *pools, cl_bullets *pool, const cl_laser *laser) {
  double age = laser->at.age + pools->dt;
  bool grazes = laser->graze && pool->event_mask & CL_BULLET_EVENT_GRAZE;
  cl_mover m = {
      .pool = pool,
      .number = (uint64_t)laser->number,
      .shape = laser->shape,
      .graze = grazes ? laser->graze : NULL,
      .from = {laser->at.x, laser->at.y},
      .to = {laser->next_x, laser->next_y},
      .left = pools->dt,
      .stays = true,
      .late = laser->at.age < laser->warmup,
  };
  cl_mover_box(&m);
  if (age >= laser->warmup && cl_place_ok(m.to)) sweep_laser(pools, &m);
  bool expires = age >= laser->lifetime * (1 - CL_LIFETIME_ERROR) || !cl_place_ok(m.to);
  if (expires) cl_pools_add_end(pools, pool, m.number);
}

// The death of a laser is always a shot, even without an event: there are few.
static void search_lasers(cl_pools *pools, cl_bullets *pool) {
  size_t first = pools->fresh.count;
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    if (!pool->laser[k].shape || is_ending(pools, pool->laser[k].number)) continue;
    search_laser(pools, pool, &pool->laser[k]);
  }
  count_fresh(pools, pool, first);
}

// The bounds of all bullets' ways that end in the world; other bullets meet nothing.
static cl_bounds bounds_of_ways(const cl_bullets *pool) {
  cl_bounds all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = 0; i < pool->used; i++) {
    cl_vec from = {pool->x[i], pool->y[i]}, to = {pool->next_x[i], pool->next_y[i]};
    if (cl_place_ok(to)) all = cl_bounds_join(all, cl_way_box(from, to));
  }
  const cl_pools *pools = pool->pools;
  for (size_t c = pool->cut_from; c < pool->cut_to; c++) {
    const cl_leg *leg = &pools->legs.at[pools->cut[c].first];
    for (size_t k = 0; k < pools->cut[c].count && cl_place_ok(leg[k].to); k++) {
      all = cl_bounds_join(all, cl_way_box(leg[k].flying.at, leg[k].to));
    }
  }
  return all.l <= all.r ? cl_bounds_grown(all, cl_motion_slack(all)) : all;
}

// Builds the map of all targets; if they crowd in it, of the targets that the bullets can reach.
static void map_targets(cl_pools *pools, const cl_bullets *pool, double reach, double pace) {
  cl_nearby_boxes boxes = {(const void *)pools->target, sizeof *pools->target, pools->target_count,
                           reach, NULL};
  make_map(pools, &boxes, cl_bullets_count(pool), pace);
  if (pools->status != CL_OK || !pools->nearby.crowded || pool->laser_used > 0) return;
  move_bullets(pool, 0, pool->used, pools->dt);
  cl_bounds within = bounds_of_ways(pool);
  boxes.within = &within;
  make_map(pools, &boxes, cl_bullets_count(pool), pace);
}

static void search_pool(cl_pools *pools, cl_bullets *pool) {
  pool->gone_count = 0;
  pool->new_hits = pool->new_grazes = 0;
  pool->cut_from = pool->cut_to = 0;
  if (cl_bullets_count(pool) == 0) return;
  if (pool->plans) cl_bullets_cut(pool, pools->dt);
  list_targets(pools, pool);
  double graze = pool->def.graze;
  double reach = pool->needles ? pool->largest + graze : cl_max(pool->largest, graze);
  map_targets(pools, pool, reach, pace_of(pool, pools->dt));
  if (pools->status != CL_OK) return;
  move_lasers(pool, pools->dt);
  search_bullets(pools, pool, try_targets);
  search_lasers(pools, pool);
}

// Hits between bullets of different pools, if one of the two pools has `hitBullets`. Hits are
// decided in the order of time: a bullet that an actor or another bullet has ended meets nothing
// after that.

// The place of bullet i, in the arrays, at t of the step.
static cl_vec place_at(const cl_bullets *pool, uint32_t i, double t) {
  const cl_pools *pools = pool->pools;
  cl_vec from = {pool->x[i], pool->y[i]}, to = {pool->next_x[i], pool->next_y[i]};
  size_t leg = pools->legs.count;
  if (cl_bullets_cut_of(pool, i)) {
    leg = cl_pools_leg_at(pools, pool->index, (uint64_t)pool->number[i], t);
  }
  if (leg < pools->legs.count) return cl_leg_place(&pools->legs.at[leg], t);
  return (cl_vec){from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

// The legs of a bullet whose step is cut.
static uint32_t add_legs(cl_pools *pools, uint32_t n, uint32_t i, uint32_t pool,
                         const cl_cut *cut) {
  for (size_t k = 0; k < cut->count; k++) {
    const cl_leg *leg = &pools->legs.at[cut->first + k];
    double span = leg->ends - leg->begins;
    if (span == 0 || !cl_place_ok(leg->to)) continue;
    cl_bounds b = cl_way_box(leg->flying.at, leg->to);
    b = cl_bounds_grown(b, cl_bullet_body_reach(&leg->flying.body));
    cl_vec motion = cl_vec_mul(cl_vec_sub(leg->to, leg->flying.at), 1 / span);
    b = cl_bounds_grown(b, cl_motion_slack(b));
    pools->opponent[n++] = (cl_opponent){b, motion, i, pool, leg};
  }
  return n;
}

static void add_opponents(cl_pools *pools, const cl_bullets *pool) {
  uint32_t n = pools->opponent_count;
  size_t most = (size_t)n + pool->used;
  size_t c = pool->cut_from;
  for (size_t k = c; k < pool->cut_to; k++) most += pools->cut[k].count;
  if (!CL_ROOM(pools, pools->opponent, pools->opponent_cap, most)) return;
  for (uint32_t i = 0; i < pool->used; i++) {
    bool cut = is_cut(pool, i, &c);
    if (cut && !is_gone(pool, i)) n = add_legs(pools, n, i, pool->index, &pools->cut[c]);
    if (cut) continue;
    cl_vec from = {pool->x[i], pool->y[i]}, to = {pool->next_x[i], pool->next_y[i]};
    if (is_gone(pool, i) || !cl_place_ok(to)) continue;
    cl_bounds b = cl_bounds_grown(cl_way_box(from, to), cl_bullets_reach(pool, i));
    b = cl_bounds_grown(b, cl_motion_slack(b));
    pools->opponent[n++] = (cl_opponent){b, cl_vec_sub(to, from), i, pool->index, NULL};
  }
  pools->work += pool->used;
  pools->opponent_count = n;
}

// Restricts a mover to the time that it shares with a leg of another; false if there is none.
// Writes whether their circles touched before it.
static bool share_time(cl_mover *m, const cl_leg *leg, bool *touched) {
  double begins = cl_max(m->begins, leg->begins), ends = cl_min(ends_at(m), leg->ends);
  double span = ends_at(m) - m->begins;
  cl_vec from = m->from, way = cl_vec_sub(m->to, from);
  if (!(begins < ends)) return false;
  if (ends < ends_at(m)) m->to = cl_vec_add(from, cl_vec_mul(way, (ends - m->begins) / span));
  if (begins > m->begins) {
    m->from = cl_vec_add(from, cl_vec_mul(way, (begins - m->begins) / span));
    m->before = m->body;
  }
  const cl_bullet_body *body = begins > leg->begins ? &leg->flying.body : &leg->before;
  double reach = m->before.radius + body->radius;
  double apart = cl_bullet_bodies_apart(&m->before, m->from, body, cl_leg_place(leg, begins));
  *touched = begins > 0 && apart <= reach * reach;
  m->cut = true;
  m->begins = begins;
  m->ends = ends;
  cl_mover_box(m);
  return true;
}

// Whether two bullets, of which one has a cut step, touch at the end of the step.
static bool touch_at_end(const cl_bullets *a, uint32_t i, const cl_bullets *b, uint32_t k) {
  const cl_cut *p = cl_bullets_cut_of(a, i), *q = cl_bullets_cut_of(b, k);
  double dt = a->pools->dt;
  cl_bullet_body one = p ? p->end.body : cl_bullets_body_in(a, i, dt);
  cl_bullet_body other = q ? q->end.body : cl_bullets_body_in(b, k, dt);
  cl_vec at = {a->next_x[i], a->next_y[i]}, to = {b->next_x[k], b->next_y[k]};
  double reach = one.radius + other.radius;
  return cl_bullet_bodies_apart(&one, at, &other, to) <= reach * reach;
}

// Tests an opponent. A contact goes to `merged`, which is not used at that time: `number`, `pool`
// and the vector are the mover's, `other` and `other_pool` the opponent's. Until `settle_contacts`
// decides, `sure` means that one is inside the other at the end of the step, and `wanted` that it
// may have been inside since before.
static void try_opponent(search *s, uint32_t item) {
  cl_pools *pools = s->pools;
  cl_mover *m = &s->mover;
  const cl_opponent *opponent = &pools->opponent[item];
  if (!cl_bounds_touch(opponent->box, s->reach) || !is_first_look(pools, item)) return;
  if (!s->ready) make_ready(s);
  const cl_bullets *b = pools->at[opponent->pool];
  uint32_t i = opponent->index;
  const cl_leg *leg = opponent->leg;
  cl_leg whole = {.ends = 1, .to = {b->next_x[i], b->next_y[i]}};
  cl_mover part = *m;
  bool touched = false, cut = leg || m->cut;
  if (!leg) {
    whole.flying.at = (cl_vec){b->x[i], b->y[i]};
    whole.flying.body = whole.before = cl_bullets_body_in(b, i, pools->dt);
  }
  if (cut && !share_time(&part, leg ? leg : &whole, &touched)) return;
  cl_stack_shape shape;
  cl_bullet_body_shape(&shape, leg ? &leg->flying.body : &whole.flying.body);
  cl_vec to = whole.to;
  if (leg) to = cl_vec_add(leg->to, cl_vec_mul(opponent->motion, 1 - leg->ends));
  cl_placed at = {&shape.shape, to.x, to.y, {1, 0}};
  cl_shot shot = {.number = m->number,
                  .pool = m->pool->index,
                  .actor = CL_SHOT_BULLET,
                  .other = (uint64_t)b->number[i],
                  .other_pool = b->index,
                  .kind = CL_SHOT_HIT};
  part.bounced = (s->survived | cl_bullets_survived(b, i)) & CL_BOUNCED;
  if (!cl_mover_hits(&part, opponent->motion, &at, false, &shot, &shot.wanted)) return;
  if (shot.wanted && touched) return;
  shot.sure = cut ? touch_at_end(m->pool, s->index, b, i) : cl_mover_inside(&part, &at);
  cl_shots_add(pools, &pools->merged, &shot);
}

// Of opponents, in the order of the list: a leg of this bullet that ends by `t`.
typedef struct leg_until {
  const cl_opponent *all, *like;
  double t;
} leg_until;

static int by_leg_end(const void *p, const void *q) {
  const leg_until *until = q;
  const cl_opponent *o = &until->all[*(const uint32_t *)p];
  bool same = o->leg && o->index == until->like->index && o->pool == until->like->pool;
  return same && o->leg->ends <= until->t ? -1 : 1;
}

// How many legs of a bullet, from the first item on, do not share the mover's time. They are in the
// order of time, except in the answers of a tree, so plans of very many entries do not cost
// quadratic time.
static size_t count_apart(const search *s, const uint32_t *item, uint32_t count) {
  const cl_mover *m = &s->mover;
  const cl_opponent *all = s->pools->opponent, *o = &all[*item];
  if (!o->leg || s->pools->nearby.crowded) return 0;
  bool late = o->leg->begins >= ends_at(m);
  if (!late && o->leg->ends > m->begins) return 0;
  const leg_until until = {all, o, late ? 1 : m->begins};
  return cl_lower_bound(item, count, sizeof *item, &until, by_leg_end, 0);
}

static void try_opponents(void *user, const uint32_t *item, uint32_t count) {
  search *s = user;
  while (count > 0) {
    uint32_t apart = (uint32_t)count_apart(s, item, count);
    if (apart == 0) try_opponent(s, *item);
    item += apart ? apart : 1;
    count -= apart ? apart : 1;
    s->pools->work++;
  }
}

bool cl_bullets_may_meet(const cl_bullets *a, const cl_bullets *b) {
  return a != b && (a->def.bullets || b->def.bullets) &&
         cl_world_can_hit(a->pools->world, a->def.group, b->def.group);
}

// Whether two pools are alike: another pool may meet both or none.
static bool is_alike(const cl_bullets *a, const cl_bullets *b) {
  return a->def.group == b->def.group && a->def.bullets == b->def.bullets;
}

// Finds contacts between the larger pools and those of the smaller ones that are like the first.
static void find_contacts(cl_pools *pools, cl_bullets **larger, uint32_t count,
                          cl_bullets **smaller, uint32_t others) {
  double reach = 0, ways = 0;
  uint32_t bullets = 0;
  for (uint32_t k = 0; k < count; k++) {
    const cl_bullets *a = larger[k];
    if (!cl_bullets_may_meet(a, smaller[0])) continue;
    reach = cl_max(reach, a->largest);
    ways += pace_of(a, pools->dt) * a->live;
    bullets += a->live;
  }
  if (bullets == 0) return;
  pools->opponent_count = 0;
  for (uint32_t k = 0; k < others; k++) {
    if (is_alike(smaller[k], smaller[0])) add_opponents(pools, smaller[k]);
  }
  cl_nearby_boxes boxes = {(const void *)pools->opponent, sizeof *pools->opponent,
                           pools->opponent_count, reach, NULL};
  make_map(pools, &boxes, bullets, ways / bullets);
  for (uint32_t k = 0; k < count && pools->status == CL_OK; k++) {
    if (cl_bullets_may_meet(larger[k], smaller[0])) search_bullets(pools, larger[k], try_opponents);
  }
}

// Finds contacts between all these pools, which are sorted by size: the larger half against the
// smaller one, each set of alike pools at once; then those within the halves. So each bullet is
// visited only a few times, with any number of pools.
static void find_between(cl_pools *pools, cl_bullets **pool, uint32_t count) {
  if (count < 2) return;
  uint32_t half = count / 2;
  uint64_t seen[2] = {0, 0};
  for (uint32_t k = half; k < count; k++) {
    uint64_t *groups = &seen[pool[k]->def.bullets], group = (uint64_t)1 << pool[k]->def.group;
    if (!(*groups & group)) find_contacts(pools, pool, half, pool + k, count - k);
    *groups |= group;
  }
  find_between(pools, pool, half);
  find_between(pools, pool + half, count - half);
}

static void note_end(cl_bullets *pool, uint64_t number, double t) {
  uint32_t i = cl_bullets_index(pool, number);
  if (i < pool->used) pool->ended[i] = cl_min(pool->ended[i], t);
}

// Notes when actors end bullets of a pool, from the sorted shots.
static void note_ends(cl_pools *pools, cl_bullets *pool) {
  const cl_shots *fresh = &pools->fresh;
  for (uint32_t i = 0; i < pool->used; i++) pool->ended[i] = INFINITY;
  if (pool->def.pierce) return;
  for (size_t at = cl_shots_of(fresh, 0, pool->index, 0); at < fresh->count; at++) {
    const cl_shot *shot = &fresh->at[at];
    if (shot->pool != pool->index) return;
    if (shot->kind == CL_SHOT_HIT) note_end(pool, shot->number, shot->t);
  }
}

// Whether an actor or another bullet ends this bullet before t.
static bool is_ended(cl_bullets *pool, uint64_t number, double t) {
  uint32_t i = cl_bullets_index(pool, number);
  return i == pool->used || pool->ended[i] <= t;
}

// One side of a contact: makes the event of bullet `shot->number` about the other.
static void tell(cl_pools *pools, cl_bullets *pool, cl_shot *shot, bool inside, cl_shots *out) {
  if (!pool->def.bullets) return;
  uint64_t other = CL_OTHER_BULLET | shot->other;
  uint32_t flags = cl_pools_met(pools, pool->index, shot->number, other);
  bool stays = pool->def.pierce || cl_bullets_survived(pool, cl_bullets_index(pool, shot->number));
  if (stays && inside) {
    cl_pools_add_met(pools, &(cl_met){shot->number, other, pool->index, CL_INSIDE});
  }
  if (stays && flags & CL_INSIDE && shot->wanted) return;
  shot->wanted = pool->event_mask & CL_BULLET_EVENT_HIT;
  // The other bullet, which gets no event, may be dead by then, from a later hit.
  shot->sure = !pools->at[shot->other_pool]->def.bullets;
  cl_shots_add(pools, out, shot);
  pool->new_hits++;
  if (!pool->def.pierce) note_end(pool, shot->number, shot->t);
}

static int in_time_order(const void *p, const void *q) {
  const cl_shot *a = p, *b = q;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

static void settle_contacts(cl_pools *pools) {
  cl_shots *found = &pools->merged, accepted = {0};
  cl_sort_by(found->at, found->count, sizeof *found->at, in_time_order);
  pools->work += found->count;
  for (size_t i = 0; i < found->count; i++) {
    cl_shot shot = found->at[i];
    cl_bullets *a = pools->at[shot.pool], *b = pools->at[shot.other_pool];
    if (is_ended(a, shot.number, shot.t) || is_ended(b, shot.other, shot.t)) continue;
    uint32_t k = cl_bullets_index(b, shot.other);
    cl_shot back = cl_shot_mirrored(&shot, place_at(b, k, shot.t));
    bool inside = shot.sure;
    tell(pools, a, &shot, inside, &accepted);
    tell(pools, b, &back, inside, &accepted);
  }
  for (size_t i = 0; i < accepted.count; i++) {
    cl_shots_add(pools, &pools->fresh, &accepted.at[i]);
  }
  CL_FREE(&pools->alloc, accepted.at, accepted.cap);
}

static int by_size(const void *p, const void *q) {
  const cl_bullets *a = *(cl_bullets *const *)p, *b = *(cl_bullets *const *)q;
  if (a->live != b->live) return a->live > b->live ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

// Lists the pools that may hit another's bullets, or that others may hit, the largest first.
static void rank_pools(cl_pools *pools) {
  uint64_t groups[2] = {0, 0}; // of the pools that have not asked for it, and that have
  uint32_t n = 0;
  for (uint32_t i = 0; i < pools->count; i++) {
    cl_bullets *pool = pools->at[i];
    pool->meets = false;
    if (pool->live > 0) groups[pool->def.bullets] |= (uint64_t)1 << pool->def.group;
  }
  pools->rank_count = 0;
  if (groups[1] == 0 || !CL_ROOM(pools, pools->rank, pools->rank_cap, pools->count)) return;
  for (uint32_t i = 0; i < pools->count; i++) {
    cl_bullets *pool = pools->at[i];
    uint64_t others = pool->def.bullets ? groups[0] | groups[1] : groups[1];
    uint64_t hit = cl_world_groups_hit(pools->world, pool->def.group);
    pool->meets = pool->live > 0 && hit & others;
    if (pool->meets) pools->rank[n++] = pool;
  }
  cl_sort_by(pools->rank, n, sizeof *pools->rank, by_size);
  pools->rank_count = n;
}

static void find_duels(cl_pools *pools) {
  uint32_t count = pools->rank_count;
  pools->merged.count = 0;
  find_between(pools, pools->rank, count);
  if (pools->merged.count == 0) return;
  for (uint32_t k = 0; k < count; k++) note_ends(pools, pools->rank[k]);
  settle_contacts(pools);
  cl_shots_sort(&pools->fresh);
}

void cl_pools_search(cl_pools *pools) {
  const cl_shot *current = &pools->current;
  bool ends = pools->dispatching && cl_shot_ends(pools, current);
  pools->ending = ends ? (double)current->number : 0;
  pools->aimed_at = 0; // no targets
  pools->target_count = 0;
  pools->cut_count = pools->legs.count = 0;
  rank_pools(pools);
  for (uint32_t i = 0; i < pools->count && pools->status == CL_OK; i++) {
    search_pool(pools, pools->at[i]);
  }
  cl_shots_sort(&pools->fresh);
  if (pools->status == CL_OK) find_duels(pools);
}
