// collide, MIT licence (see LICENSE)
//
// A mover that starts inside others is first pushed out of all of them, if a way no longer than the
// smaller side of its bounds does that. Layer: world.

#include "cells/grid.h"
#include "geom/tiles.h"
#include "world/move.h"

// Another actor near the mover, with all of it that matters.
typedef struct seen {
  cl_shape *shape;  // a reference
  double at[4];     // its place and rotation
  uint64_t changes; // of the grid, for tiles
  uint32_t slot;
  uint8_t state;
} seen;

// `limited`: the limits of work may have decided; they are counted from `most`, which belongs to
// this `way`. Otherwise the way matters only by its reach, and that only beyond `least`.
struct cl_crushed {
  uint32_t slot;
  cl_shape *shape; // a reference
  double at[3];    // its place and angle
  cl_vec way;
  double reach, least;
  uint64_t groups;
  cl_response response;
  bool by_rules, limited;
  size_t most;
  cl_bounds box; // all that matters is in there
  size_t count, hits;
  cl_move_hit *hit; // behind `near`
  seen near[];
};

static size_t size_of(size_t count, size_t hits) {
  return sizeof(cl_crushed) + count * sizeof(seen) + hits * sizeof(cl_move_hit);
}

static void release(cl_crushed *c, const cl_alloc *alloc) {
  cl_shape_release(c->shape);
  for (size_t i = 0; i < c->count; i++) cl_shape_release(c->near[i].shape);
  cl_free(alloc, c, size_of(c->count, c->hits));
}

// The first memory with this slot or a later one.
static size_t find(const cl_movement *m, uint32_t slot) {
  size_t low = 0, high = m->crusheds;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (m->crushed[middle]->slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_at(const cl_movement *m, size_t at, uint32_t slot) {
  return at < m->crusheds && m->crushed[at]->slot == slot;
}

void cl_movement_forget_all(cl_movement *m, const cl_alloc *alloc) {
  if (!m) return;
  for (size_t i = 0; i < m->crusheds; i++) release(m->crushed[i], alloc);
  CL_FREE(alloc, m->crushed, m->crushed_cap);
  m->crushed = NULL;
  m->crusheds = m->crushed_cap = 0;
}

void cl_movement_forget(cl_movement *m, const cl_alloc *alloc, uint32_t slot) {
  size_t at = m ? find(m, slot) : 0;
  if (!m || !is_at(m, at, slot)) return;
  if (m->crusheds == 1) {
    cl_movement_forget_all(m, alloc);
    return;
  }
  release(m->crushed[at], alloc);
  m->crusheds--;
  memmove(&m->crushed[at], &m->crushed[at + 1], (m->crusheds - at) * sizeof *m->crushed);
}

// An actor as it is now, without a reference to its shape.
static seen see(cl_world *world, uint32_t slot) {
  cl_placed p = cl_actor_place(&world->actors, slot);
  cl_shape *shape = world->actors.shape[slot];
  return (seen){.shape = shape,
                .at = {p.x, p.y, p.rot.c, p.rot.s},
                .changes = shape->grid ? shape->grid->changes : 0,
                .slot = slot,
                .state = world->actors.state[slot]};
}

static bool is_same(const seen *a, const seen *b) {
  return a->slot == b->slot && a->state == b->state && a->shape == b->shape &&
         a->changes == b->changes && memcmp(a->at, b->at, sizeof a->at) == 0;
}

// Whether the mover, and what it asks for, are the same.
static bool is_same_move(const cl_world *world, const cl_crushed *c) {
  const cl_movement *m = world->movement;
  const cl_move_def *def = &m->def;
  const double at[3] = {def->x, def->y, def->angle}, reach = m->mover->reach;
  bool same_way = c->way.x == def->dx && c->way.y == def->dy;
  bool same_reach = reach == c->reach || (reach < c->least && c->reach < c->least);
  return !def->asks && !def->asks_sensors && def->response == c->response &&
         def->by_rules == c->by_rules && cl_move_filter(world, def->slot).groups == c->groups &&
         world->actors.shape[def->slot] == c->shape && memcmp(at, c->at, sizeof at) == 0 &&
         same_reach && (same_way || !c->limited);
}

// Whether everything near it is the same.
static cl_going are_same_near(cl_world *world, const cl_crushed *c, bool *same) {
  const cl_move_body *mover = world->movement->mover;
  const cl_found *found = &world->touched;
  *same = false;
  size_t most = 0;
  if (c->limited) {
    if (cl_move_list(world, mover, cl_move_ahead(mover)) != CL_GO) return CL_STUCK;
    most = found->count;
  }
  if (cl_move_list(world, mover, c->box) != CL_GO) return CL_STUCK;
  if (found->count > most) most = found->count;
  if (found->count != c->count || (c->limited && most != c->most)) return CL_GO;
  for (size_t i = 0; i < c->count; i++) {
    seen now = see(world, found->at[i]);
    if (!is_same(&now, &c->near[i])) return CL_GO;
  }
  *same = true;
  return CL_GO;
}

cl_going cl_move_recall(cl_world *world, bool *done) {
  cl_movement *m = world->movement;
  size_t at = find(m, m->def.slot);
  *done = false;
  if (!is_at(m, at, m->def.slot)) return CL_GO;
  const cl_crushed *c = m->crushed[at];
  bool same = is_same_move(world, c);
  if (same && are_same_near(world, c, &same) != CL_GO) return CL_STUCK;
  if (!same) {
    cl_movement_forget(m, &world->alloc, m->def.slot);
    return CL_GO;
  }
  if (CL_RESERVE(&world->alloc, m->hit, m->hit_cap, c->hits) != CL_OK) return CL_STUCK;
  memcpy(m->hit, c->hit, c->hits * sizeof *m->hit);
  m->hits = c->hits;
  m->moved[0] = (cl_moved){c->slot, {m->def.x, m->def.y}};
  *done = true;
  return CL_GO;
}

// Beyond rounding the smallest of the largest coordinates of what was found: a mover that reaches
// less far does not decide what counts as touching.
static double least_of(const cl_movement *m) {
  double least = INFINITY;
  for (size_t i = 0; i < m->nears; i++) least = cl_min(least, cl_bounds_largest(m->near[i].bounds));
  return least * (1 - 0x1p-40);
}

// Without memory nothing is remembered.
void cl_move_remember(cl_world *world, const cl_move_body *mover, cl_bounds box) {
  cl_movement *m = world->movement;
  const cl_move_def *def = &m->def;
  const cl_alloc *alloc = &world->alloc;
  if (mover != m->mover || def->asks || def->asks_sensors) return;
  cl_movement_forget(m, alloc, mover->slot);
  size_t most = m->most;
  if (CL_RESERVE(alloc, m->crushed, m->crushed_cap, m->crusheds + 1) != CL_OK) return;
  if (cl_move_list(world, mover, box) != CL_GO) return;
  const cl_found *found = &world->touched;
  cl_crushed *c = cl_new(alloc, size_of(found->count, m->hits));
  if (!c) return;
  *c = (cl_crushed){
      .slot = mover->slot,
      .shape = cl_shape_retain(world->actors.shape[mover->slot]),
      .at = {def->x, def->y, def->angle},
      .way = mover->way,
      .reach = mover->reach,
      .least = least_of(m),
      .groups = cl_move_filter(world, mover->slot).groups,
      .response = def->response,
      .by_rules = def->by_rules,
      .limited = m->gave_up || (double)m->spent > CL_MOVE_INSIDE_SHARE * CL_MOVE_WORK,
      .most = most,
      .box = box,
      .count = found->count,
      .hits = m->hits,
  };
  for (size_t i = 0; i < c->count; i++) {
    c->near[i] = see(world, found->at[i]);
    cl_shape_retain(c->near[i].shape);
  }
  c->hit = (cl_move_hit *)(void *)&c->near[c->count];
  memcpy(c->hit, m->hit, m->hits * sizeof *m->hit);
  size_t at = find(m, c->slot);
  memmove(&m->crushed[at + 1], &m->crushed[at], (m->crusheds - at) * sizeof *m->crushed);
  m->crushed[at] = c;
  m->crusheds++;
}

bool cl_movement_is_valid(const cl_world *world) {
  const cl_movement *m = world->movement;
  for (size_t i = 0; m && i < m->crusheds; i++) {
    const cl_crushed *c = m->crushed[i];
    bool ascends = i == 0 || m->crushed[i - 1]->slot < c->slot;
    if (!ascends || !cl_world_can_move(world, c->slot)) return false;
    if (c->hits == 0 || c->shape->references == 0) return false;
  }
  return true;
}

// ---- pushing out

// The straight ways that are tried if repeated pushing out of the deepest does not help; how often
// each may go on from one overlap to the next; and the most steps for all of them together. A step
// is the work for two boxes.
enum { EIGHTH = 45, DIRECTIONS = 8 * (EIGHTH + 1), MOST_EXITS = 64, MOST_STEPS = 1 << 18 };

// The steps for any other shape, and in addition for each of its parts.
enum { STEPS_A_SHAPE = 16, STEPS_A_PART = 2 };

// The steps to find a point of another actor, for each part of the mover.
enum { STEPS_A_POINT = 128 };

static const double TURN = 6.283185307179586;

// Finds all that stop the mover and that it overlaps where it is, and the deepest of them.
static cl_going find_inside(cl_world *world, const cl_move_body *mover, cl_overlapped *deepest) {
  cl_movement *m = world->movement;
  cl_bounds box = cl_move_body_bounds(mover);
  deepest->hit.depth = -1;
  m->insides = 0;
  for (size_t i = 0, end; i < m->nears; i = end) {
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, box, i, end)) continue;
    if (CL_RESERVE(&world->alloc, m->inside, m->inside_cap, m->insides + 1) != CL_OK)
      return CL_STUCK;
    cl_overlapped found = {.hit.depth = -1};
    cl_going going = cl_move_overlap(world, mover, &mover->placed, i, &found);
    if (going != CL_GO) return going;
    if (found.hit.depth < 0) continue;
    m->inside[m->insides++] = found;
    if (cl_move_is_deeper(&found, deepest)) *deepest = found;
  }
  return CL_GO;
}

// Pushes out of the deepest overlap, `found` at first, until none is left; at least once.
static cl_going push_out(cl_world *world, const cl_move_body *mover, cl_overlapped found,
                         cl_vec *at, bool *free) {
  const cl_movement *m = world->movement;
  for (int i = 0; i <= CL_MOVE_PUSHES; i++) {
    if (i > 1 && cl_move_is_tired(m, m->def.asks ? CL_MOVE_INSIDE_SHARE : 1)) break;
    cl_going going = i > 0 ? cl_move_overlapped(world, mover, *at, &found) : CL_GO;
    *free = going == CL_GO && found.hit.depth < 0 && !m->gave_up && cl_move_is_in_range(*at);
    if (going != CL_GO || found.hit.depth < 0) return going;
    double depth = found.hit.depth + i * found.touch / 1024;
    at->x += found.hit.nx * depth;
    at->y += found.hit.ny * depth;
  }
  return CL_GO;
}

// A mover that leaves the shapes where it starts: the obstacles nearby, the direction, and the
// steps of work that are left.
typedef struct leaver {
  cl_world *world;
  const cl_move_body *mover;
  cl_placed placed;
  cl_bounds box; // the bounds there
  int32_t steps;
  bool begun;   // what is_blocked finds where the mover starts is known: it is blocked
  int32_t cost; // the steps that this took
} leaver;

static void go_to(leaver *l, cl_vec at) {
  l->placed.x = at.x;
  l->placed.y = at.y;
  l->box = l->mover->is_box ? cl_bounds_moved(l->mover->local, at) : cl_placed_bounds(&l->placed);
}

static int32_t steps_of(const leaver *l, const cl_obstacle *o) {
  if (o->is_box) return 1;
  const cl_shape *shape = l->world->actors.shape[o->slot];
  uint32_t parts = shape->part_count < CL_FEW_PARTS ? shape->part_count : CL_FEW_PARTS;
  return STEPS_A_SHAPE + STEPS_A_PART * (int32_t)parts;
}

// Whether any obstacle there stops the mover.
static cl_going is_blocked(leaver *l, bool *blocked) {
  const cl_movement *m = l->world->movement;
  *blocked = false;
  for (size_t i = 0, end; i < m->nears && !*blocked; i = end) {
    end = cl_move_run_end(m, i);
    l->steps -= (int32_t)(end - i);
    if (!cl_move_may_overlap(m, l->box, i, end)) continue;
    l->steps -= steps_of(l, &m->near[i]);
    cl_going going = cl_move_blocks(l->world, l->mover, &l->placed, i, blocked);
    if (going != CL_GO) return going;
  }
  return CL_GO;
}

// The same where the mover starts: each straight way begins there.
static cl_going is_blocked_first(leaver *l, bool *blocked) {
  if (l->begun) {
    *blocked = true;
    l->steps -= l->cost;
    return CL_GO;
  }
  int32_t before = l->steps;
  cl_going going = is_blocked(l, blocked);
  l->begun = going == CL_GO && *blocked;
  l->cost = before - l->steps;
  return going;
}

// How far the mover has to go along `u` to leave one other actor.
static double exit_from(leaver *l, cl_vec u, size_t from, size_t to) {
  const cl_movement *m = l->world->movement;
  const cl_obstacle *o = &m->near[from];
  cl_values values;
  const cl_values *passes;
  if (cl_move_passes(l->world, l->mover, o->slot, &values, &passes)) return 0;
  if (!o->is_box) {
    l->steps -= steps_of(l, o);
    cl_placed other = cl_move_placed(l->world, o->slot);
    cl_effort effort = {.work = CL_MOVE_WAY_OUT};
    double far = cl_sweep_exit(&l->placed, u, &other, passes, &effort);
    l->world->movement->spent += effort.spent;
    return far;
  }
  double most = 0;
  for (size_t i = from; i < to; i++) {
    if (passes && cl_values_have(passes, (unsigned)m->near[i].value)) continue;
    if (!cl_move_may_overlap(m, l->box, i, i + 1)) continue;
    most = cl_max(most, cl_sweep_box_exit(&l->box, u, &m->near[i].bounds));
  }
  return most;
}

// The same for all that it overlaps, and the largest distance that counts as touching one.
static double exit_along(leaver *l, cl_vec u, double *touch) {
  const cl_movement *m = l->world->movement;
  double most = 0;
  *touch = 0;
  for (size_t i = 0, end; i < m->nears; i = end) {
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, l->box, i, end)) continue;
    most = cl_max(most, exit_from(l, u, i, end));
    *touch = cl_max(*touch, m->near[i].touch);
  }
  return most;
}

// Goes straight along `u`, from one overlap to the next.
static cl_going leave_along(leaver *l, cl_vec u, double limit, double *way) {
  cl_vec from = {l->mover->placed.x, l->mover->placed.y};
  *way = 0;
  for (int i = 0; i < MOST_EXITS && *way <= limit && l->steps > 0; i++) {
    if (cl_move_is_tired(l->world->movement, CL_MOVE_INSIDE_SHARE)) break;
    bool blocked;
    double touch;
    go_to(l, cl_vec_add(from, cl_vec_mul(u, *way)));
    cl_going going = i > 0 ? is_blocked(l, &blocked) : is_blocked_first(l, &blocked);
    if (going != CL_GO || !blocked) return going;
    *way += exit_along(l, u, &touch) + touch / 1024;
  }
  *way = INFINITY;
  return CL_GO;
}

// The i-th of the directions, one for each degree: those of an eighth of the circle, and their
// images.
static cl_vec direction(int i) {
  int degree = i % (EIGHTH + 1), image = i / (EIGHTH + 1);
  cl_rot rot = cl_rot_of(TURN * degree / 360);
  cl_vec u = {rot.c, degree == EIGHTH ? rot.c : rot.s};
  if (image & 1) u.x = -u.x;
  if (image & 2) u.y = -u.y;
  return image & 4 ? (cl_vec){u.y, u.x} : u;
}

static cl_going search_straight(cl_world *world, const cl_move_body *mover, double limit,
                                cl_vec *at, bool *free) {
  cl_vec from = {mover->placed.x, mover->placed.y}, along = {0, 0};
  double best = limit, way;
  leaver l = {.world = world, .mover = mover, .placed = mover->placed, .steps = MOST_STEPS};
  *free = false;
  for (int i = 0; i < DIRECTIONS; i++) {
    cl_vec u = direction(i);
    cl_going going = leave_along(&l, u, best, &way);
    if (going != CL_GO) return going;
    cl_vec to = cl_vec_add(from, cl_vec_mul(u, way));
    if (way > best || !cl_move_is_in_range(to)) continue;
    if (*free && way == best && !cl_vec_goes_first(u, along)) continue;
    best = way;
    along = u;
    *free = true;
    *at = to;
  }
  return CL_GO;
}

// Reports one actor that the mover overlaps at its start.
static cl_going report_inside(cl_world *world, const cl_move_body *mover, cl_move_hit hit) {
  cl_placed other = cl_move_placed(world, hit.slot);
  world->movement->spent += STEPS_A_POINT * (long)mover->placed.shape->part_count;
  hit.point = cl_distance(&mover->placed, &other).a;
  hit.column = hit.row = -1;
  hit.inside = true;
  return cl_move_report(world, mover, &hit);
}

// Reports all actors that find_inside has found; afterwards the mover is at `to`. What each of them
// does is known already.
static cl_going report_all(cl_world *world, const cl_move_body *mover, cl_vec to, bool crushed) {
  const cl_movement *m = world->movement;
  cl_going going = CL_GO;
  for (size_t i = 0; i < m->insides && going == CL_GO; i++) {
    cl_overlapped found = m->inside[i];
    cl_move_ask about = cl_move_about(mover, found.slot);
    about.value = found.value;
    cl_move_known *known;
    going = cl_move_know(world, &about, &known);
    if (going != CL_GO) continue;
    going = report_inside(world, mover,
                          (cl_move_hit){.slot = found.slot,
                                        .normal = {found.hit.nx, found.hit.ny},
                                        .at = to,
                                        .value = found.value,
                                        .response = known->response,
                                        .crushed = crushed});
  }
  return going;
}

// Whether the mover overlaps another actor where it is, and the value of its deepest cell if cells
// matter one by one.
static bool overlaps_cell(cl_world *world, const cl_move_body *mover, const cl_placed *other,
                          const cl_values *passes, int32_t *value) {
  cl_hit hit;
  *value = -1;
  if (!passes) return cl_move_touches(world, &mover->placed, other);
  return cl_move_way_out(world, &mover->placed, other, passes, INFINITY, &hit, value);
}

// Reports sensors, and others that are crossed, that the mover overlaps at its start, or where it
// was pushed out to.
static cl_going report_crossed(cl_world *world, const cl_move_body *mover) {
  const cl_movement *m = world->movement;
  cl_bounds box = cl_move_body_bounds(mover);
  for (size_t i = 0, end; i < m->nears; i = end) {
    uint32_t slot = m->near[i].slot;
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, box, i, end)) continue;
    cl_values values;
    const cl_values *passes;
    if (cl_move_passes(world, mover, slot, &values, &passes)) continue;
    cl_placed other = cl_move_placed(world, slot);
    int32_t value;
    while (!cl_move_is_tired(m, CL_MOVE_INSIDE_SHARE) &&
           overlaps_cell(world, mover, &other, passes, &value)) {
      cl_move_ask about = cl_move_about(mover, slot);
      about.value = value;
      cl_move_known *known;
      cl_going going = cl_move_know(world, &about, &known);
      if (going != CL_GO) return going;
      if (cl_move_stops(known->response)) break;
      if (known->response == CL_RESPONSE_CROSS && !known->reported) {
        known->reported = true;
        going = report_inside(world, mover,
                              (cl_move_hit){.slot = slot,
                                            .at = {mover->placed.x, mover->placed.y},
                                            .value = value,
                                            .response = CL_RESPONSE_CROSS});
        if (going != CL_GO) return going;
      }
      if (!passes || value < 0) break;
      cl_values_add(&values, (unsigned)value);
    }
  }
  return CL_GO;
}

// Whether the shortest way out of one of them alone is longer than `limit`. Only that out of a
// single convex part is known to be the shortest.
static bool is_too_deep(const cl_world *world, const cl_move_body *mover, double limit) {
  const cl_movement *m = world->movement;
  for (size_t i = 0; i < m->insides; i++) {
    const cl_shape *other = world->actors.shape[m->inside[i].slot];
    bool convex = other->kind != CL_TILES && other->part_count == 1;
    if (convex && mover->placed.shape->part_count == 1 &&
        m->inside[i].hit.depth > limit + m->inside[i].touch)
      return true;
  }
  return false;
}

static double smaller_side(cl_bounds b) { return cl_min(b.r - b.l, b.b - b.t); }

cl_going cl_move_begin(cl_world *world, cl_move_body *mover) {
  cl_vec from = {mover->placed.x, mover->placed.y}, to = from;
  cl_overlapped found = {.hit.depth = -1};
  cl_going going = cl_move_find_ahead(world, mover);
  if (going == CL_GO) going = report_crossed(world, mover);
  if (going == CL_GO) going = find_inside(world, mover, &found);
  if (going != CL_GO) return going;
  mover->begun = found.hit.depth < 0;
  if (mover->begun) return CL_GO;
  cl_bounds box = cl_move_body_bounds(mover);
  double limit = smaller_side(box);
  bool free = false, slight = found.hit.depth <= found.touch;
  // No search then; but where the host is asked, it is asked about all that a search meets.
  bool stuck = !world->movement->def.asks && is_too_deep(world, mover, limit);
  mover->looked = mover->found = false;
  if (!stuck) box = cl_bounds_grown(box, 2 * limit), going = cl_move_find(world, mover, box);
  if (going == CL_GO && !stuck) going = push_out(world, mover, found, &to, &free);
  double far = cl_vec_length(cl_vec_sub(to, from));
  // Overlaps within the distance that counts as touching are resolved without a report.
  bool silent = free && slight && far <= found.touch;
  if (going == CL_GO && !silent) {
    if (!stuck && (!free || far > limit)) going = search_straight(world, mover, limit, &to, &free);
    if (going == CL_GO) going = report_all(world, mover, free ? to : from, !free);
  }
  if (going != CL_GO) return going;
  if (!free) cl_move_remember(world, mover, box);
  mover->left = free ? cl_move_in_range(to, mover->left) : (cl_vec){0, 0};
  if (free) mover->placed.x = to.x, mover->placed.y = to.y;
  // A question about what is crossed there is followed by a new beginning, at this place.
  if (free && !silent) going = report_crossed(world, mover);
  mover->begun = going == CL_GO;
  return going;
}

// ---- movers that meet nothing

// The cells along an axis that may touch the stretch between `low` and `high`, `first` to `last`,
// perhaps with one too many on either side.
static void cells_about(double low, double high, double origin, double per, int64_t count,
                        int32_t *first, int32_t *last) {
  const double margin = 0x1p-16;
  double from = (low - origin) * per - margin, to = (high - origin) * per + margin;
  *first = (int32_t)cl_max(from, 0);
  *last = to < 0 ? -1 : (int32_t)cl_min(to, (double)(count - 1));
}

static unsigned kind_at(const cl_shape *tiles, int32_t column, int32_t row) {
  return cl_tiles_kind_of(tiles, *cl_grid_at(tiles->grid, (int64_t[3]){column, row, 0}));
}

static bool are_all_empty(const cl_shape *tiles, cl_cell_rect s) {
  for (int32_t row = s.top; row <= s.bottom; row++) {
    for (int32_t column = s.left; column <= s.right; column++)
      if (kind_at(tiles, column, row) != CL_TILE_EMPTY) return false;
  }
  return true;
}

// Whether all cells of tiles that may touch a box are empty. False, too, if coordinates are too
// large compared with a cell to know. The corners are all that a small box touches: without a loop,
// since the number of its rounds would be mispredicted.
static bool are_cells_empty(const cl_shape *tiles, cl_vec at, cl_bounds box) {
  _Static_assert(CL_TILE_EMPTY == 0, "kinds that are all empty are 0 together");
  const cl_grid *grid = tiles->grid;
  double left = at.x + tiles->bounds.l, top = at.y + tiles->bounds.t, per = 1 / tiles->cell;
  double size = fabs(left) + fabs(top) + cl_bounds_largest(box) + tiles->reach;
  cl_cell_rect s;
  if (!(size * per <= 0x1p28)) return false;
  cells_about(box.l, box.r, left, per, grid->size[0], &s.left, &s.right);
  cells_about(box.t, box.b, top, per, grid->size[1], &s.top, &s.bottom);
  if (s.left > s.right || s.top > s.bottom) return true;
  unsigned kinds = kind_at(tiles, s.left, s.top) | kind_at(tiles, s.right, s.top) |
                   kind_at(tiles, s.left, s.bottom) | kind_at(tiles, s.right, s.bottom);
  if (kinds != CL_TILE_EMPTY) return false;
  return (s.right - s.left <= 1 && s.bottom - s.top <= 1) || are_all_empty(tiles, s);
}

cl_going cl_move_is_clear(cl_world *world, const cl_placed *placed, bool *clear) {
  const cl_move_def *def = &world->movement->def;
  cl_actors *actors = &world->actors;
  cl_bounds box = cl_placed_is_one_box(placed) ? cl_bounds_moved(placed->shape->parts->bounds,
                                                                 (cl_vec){placed->x, placed->y})
                                               : cl_placed_bounds(placed);
  box = cl_sweep_bounds(box, (cl_vec){def->dx, def->dy});
  cl_filter filter = cl_move_filter(world, def->slot);
  if (cl_trees_near(world, box, &filter) != CL_OK) return CL_STUCK;
  const cl_found *found = &world->touched;
  *clear = true;
  for (size_t i = 0; i < found->count && *clear; i++) {
    uint32_t slot = found->at[i];
    const cl_shape *shape = actors->shape[slot];
    if (!cl_move_is_meant(world, def->slot, slot)) continue;
    *clear = shape->kind == CL_TILES && are_cells_empty(shape, actors->place[slot], box);
  }
  return CL_GO;
}
