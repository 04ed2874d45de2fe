// collide, MIT licence (see LICENSE)
//
// What a mover may meet: which actors are near it, what each of them does to it, which it overlaps,
// and which it meets first on its way. Layer: world.

#include "geom/tiles.h"
#include "narrow/cell_blocks.h"
#include "narrow/convex.h"
#include "narrow/primitives.h"
#include "world/move.h"

cl_move_ask cl_move_about(const cl_move_body *mover, uint32_t other) {
  return (cl_move_ask){.mover = mover->slot, .other = other, .value = -1};
}

cl_placed cl_move_placed(cl_world *world, uint32_t slot) {
  const cl_movement *m = world->movement;
  for (int i = 0; i < m->movers; i++) {
    if (m->mover[i].slot == slot) return m->mover[i].placed;
  }
  cl_placed placed = cl_actor_place(&world->actors, slot);
  for (size_t i = 1; i < m->moves; i++) {
    if (m->moved[i].slot == slot) placed.x = m->moved[i].to.x, placed.y = m->moved[i].to.y;
  }
  return placed;
}

cl_bounds cl_move_bounds(const cl_move_body *m) {
  return cl_sweep_bounds(cl_move_body_bounds(m), m->left);
}

cl_bounds cl_move_ahead(const cl_move_body *m) {
  return cl_bounds_grown(cl_move_bounds(m), 4 * CL_TOUCH_SHARE * m->reach);
}

bool cl_move_has_moved(const cl_movement *m, uint32_t slot) {
  for (int i = 0; i < m->movers; i++) {
    if (m->mover[i].slot == slot) return true;
  }
  for (size_t i = 1; i < m->moves; i++) {
    if (m->moved[i].slot == slot) return true;
  }
  return false;
}

bool cl_move_is_meant(const cl_world *world, uint32_t mover, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  bool both = actors->state[slot] & actors->state[mover] & CL_STATIC;
  return slot != mover && !(world->movement->def.by_rules && both);
}

cl_filter cl_move_filter(const cl_world *world, uint32_t mover) {
  cl_filter filter = world->movement->def.filter;
  if (world->movement->def.by_rules)
    filter.groups = world->rules.hits_with[world->actors.group[mover]];
  return filter;
}

// Adds the full cells of tiles under a box as obstacles of their own, if they are few and no other
// cells are there; otherwise returns false.
static bool add_cells(cl_movement *m, const cl_placed *tiles, cl_bounds box, cl_obstacle as) {
  cl_cell_rect s = cl_tiles_clip(tiles->shape, cl_tiles_near(tiles, box));
  const cl_grid *grid = tiles->shape->grid;
  if (s.left > s.right || s.top > s.bottom) return true;
  if ((int64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1) > CL_MOVE_CELLS) return false;
  if (cl_tiles_has_parts(tiles->shape) && cl_tiles_any(tiles->shape, s, CL_TILES_PART))
    return false;
  as.is_box = true;
  for (as.row = s.top; as.row <= s.bottom; as.row++) {
    const uint8_t *bytes = cl_grid_at(grid, (int64_t[3]){0, as.row, 0});
    for (as.column = s.left; as.column <= s.right; as.column++) {
      as.value = bytes[as.column];
      if (cl_tiles_kind_of(tiles->shape, bytes[as.column]) != CL_TILE_FULL) continue;
      as.bounds = (cl_bounds){cl_tiles_x(tiles, as.column), cl_tiles_y(tiles, as.row),
                              cl_tiles_x(tiles, as.column + 1), cl_tiles_y(tiles, as.row + 1)};
      m->near[m->nears++] = as;
    }
  }
  return true;
}

// Adds an actor at its present place, if it is within a box.
static cl_going add_near(cl_world *world, const cl_move_body *mover, cl_bounds box, uint32_t slot) {
  cl_movement *m = world->movement;
  if (CL_RESERVE(&world->alloc, m->near, m->near_cap, m->nears + CL_MOVE_CELLS) != CL_OK)
    return CL_STUCK;
  cl_placed placed = cl_move_placed(world, slot);
  cl_obstacle as = {.slot = slot, .column = -1, .row = -1, .value = -1};
  bool plain = mover->is_box && !(world->actors.state[slot] & CL_ONE_WAY);
  as.is_box = plain && cl_placed_is_one_box(&placed);
  as.bounds = as.is_box ? cl_placed_part_bounds(&placed, 0) : cl_placed_bounds(&placed);
  if (!cl_bounds_touch(as.bounds, box)) return CL_GO;
  as.touch = CL_TOUCH_SHARE * cl_max(cl_bounds_largest(as.bounds), mover->reach);
  bool tiles = plain && cl_placed_is_tiles(&placed);
  if (!tiles || !add_cells(m, &placed, box, as)) m->near[m->nears++] = as;
  return CL_GO;
}

// Adds actors that take part in this move, because they may have moved already.
static cl_going add_moved(cl_world *world, const cl_move_body *mover, uint32_t slot,
                          uint64_t groups) {
  cl_found *found = &world->touched;
  bool meant =
      groups >> world->actors.group[slot] & 1 && cl_move_is_meant(world, mover->slot, slot);
  if (!meant) return CL_GO;
  if (CL_RESERVE(&world->alloc, found->at, found->cap, found->count + 1) != CL_OK) return CL_STUCK;
  size_t at = found->count++;
  for (; at > 0 && found->at[at - 1] > slot; at--) found->at[at] = found->at[at - 1];
  found->at[at] = slot;
  return CL_GO;
}

cl_going cl_move_list(cl_world *world, const cl_move_body *mover, cl_bounds box) {
  const cl_movement *m = world->movement;
  cl_filter filter = cl_move_filter(world, mover->slot);
  if (cl_trees_near(world, box, &filter) != CL_OK) return CL_STUCK;
  cl_found *found = &world->touched;
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++) {
    uint32_t slot = found->at[i];
    found->at[count] = slot;
    count += cl_move_is_meant(world, mover->slot, slot) && !cl_move_has_moved(m, slot);
  }
  found->count = count;
  cl_going going = CL_GO;
  for (int i = 0; i < m->movers && going == CL_GO; i++)
    going = add_moved(world, mover, m->mover[i].slot, filter.groups);
  for (size_t i = 1; i < m->moves && going == CL_GO; i++)
    going = add_moved(world, mover, m->moved[i].slot, filter.groups);
  return going;
}

cl_going cl_move_find(cl_world *world, const cl_move_body *mover, cl_bounds box) {
  cl_movement *m = world->movement;
  const cl_found *found = &world->touched;
  cl_going going = cl_move_list(world, mover, box);
  m->nears = 0;
  m->near_box = box;
  if (found->count > m->most) m->most = found->count;
  for (size_t i = 0; i < found->count && going == CL_GO; i++)
    going = add_near(world, mover, box, found->at[i]);
  return going;
}

cl_going cl_move_find_ahead(cl_world *world, cl_move_body *mover) {
  if (mover->found) return CL_GO;
  cl_bounds box = cl_move_bounds(mover);
  if (!mover->looked || !cl_bounds_cover(world->movement->near_box, box)) {
    cl_going going = cl_move_find(world, mover, cl_move_ahead(mover));
    if (going != CL_GO) return going;
  }
  mover->looked = mover->found = true;
  return CL_GO;
}

static cl_move_known *find_known(const cl_movement *m, uint32_t mover, uint32_t other,
                                 int32_t value) {
  for (size_t i = 0; i < m->knowns; i++) {
    cl_move_known *k = &m->known[i];
    if (k->mover == mover && k->other == other && k->value == value) return k;
  }
  return NULL;
}

cl_going cl_move_make_sure(cl_world *world) {
  cl_movement *m = world->movement;
  cl_move_ask about = m->unsure;
  cl_move_known *known;
  m->unsure.other = CL_NOBODY;
  return about.other == CL_NOBODY ? CL_GO : cl_move_know(world, &about, &known);
}

cl_going cl_move_know(cl_world *world, const cl_move_ask *about, cl_move_known **known) {
  cl_movement *m = world->movement;
  bool sensor = world->actors.state[about->other] & CL_SENSOR;
  // If all cells do the same, one entry is for all of them.
  int32_t value = m->def.asks ? about->value : -1;
  *known = find_known(m, about->mover, about->other, value);
  if (*known) return CL_GO;
  if (CL_RESERVE(&world->alloc, m->known, m->known_cap, m->knowns + 1) != CL_OK) return CL_STUCK;
  // A mover that begins inside more cells than there is time for stays there, whatever they would
  // do.
  bool stays = value >= 0 && cl_move_is_tired(m, CL_MOVE_INSIDE_SHARE);
  uint8_t response = stays ? CL_RESPONSE_SLIDE : (uint8_t)m->def.response;
  if (sensor) response = CL_RESPONSE_CROSS;
  if (!stays && (sensor ? m->def.asks_sensors : m->def.asks)) {
    *m->ask = *about;
    m->ask->sensor = sensor;
    return CL_ASKED;
  }
  *known = &m->known[m->knowns++];
  **known = (cl_move_known){about->mover, about->other, value, response, false};
  return CL_GO;
}

void cl_move_foretell(const cl_world *world, uint32_t mover, cl_move_touch *t) {
  const cl_movement *m = world->movement;
  bool sensor = world->actors.state[t->slot] & CL_SENSOR;
  const cl_move_known *known = find_known(m, mover, t->slot, m->def.asks ? t->touch.value : -1);
  t->known = known || !(sensor ? m->def.asks_sensors : m->def.asks);
  t->response = known ? known->response : sensor ? CL_RESPONSE_CROSS : (uint8_t)m->def.response;
  t->pushed = known && known->reported && cl_move_has_moved(m, t->slot);
  // A sensor stops the mover only if the host has said so.
  if (!t->known && sensor) t->known = true, t->response = CL_RESPONSE_CROSS;
  if (t->response != CL_RESPONSE_PUSH || cl_move_can_push(world, t->slot)) return;
  t->response = CL_RESPONSE_SLIDE;
}

static bool is_passed(const cl_move_known *known) {
  return known->response == CL_RESPONSE_NONE ||
         (known->response == CL_RESPONSE_CROSS && known->reported);
}

bool cl_move_passes(cl_world *world, const cl_move_body *mover, uint32_t other, cl_values *values,
                    const cl_values **passes) {
  const cl_movement *m = world->movement;
  bool tiles = m->def.asks && world->actors.shape[other]->kind == CL_TILES;
  *passes = tiles ? values : NULL;
  if (tiles) memset(values, 0, sizeof *values);
  for (size_t i = 0; i < m->knowns; i++) {
    const cl_move_known *known = &m->known[i];
    if (known->mover != mover->slot || known->other != other || !is_passed(known)) continue;
    if (!tiles || known->value < 0) return true;
    cl_values_add(values, (unsigned)known->value);
  }
  return false;
}

// The steps to make a block of cells.
enum { STEPS_A_BLOCK = 64 };

static bool is_one_way(const cl_world *world, uint32_t slot) {
  return world->actors.state[slot] & CL_ONE_WAY;
}

// Where one-way actors look up.
static cl_vec up_of(const cl_placed *placed) { return cl_rot_apply(placed->rot, (cl_vec){0, -1}); }

// A stretch of a face of part q, which part p of the mover touches; all relative to q's origin. The
// share up to `done` is covered.
typedef struct stretch {
  const cl_move_rule *rule;
  const cl_convex *p, *q;
  cl_vec from, to;
  cl_bounds box; // of the stretch, in the world
  double done;
} stretch;

// Whether an actor, or a value of a map, is in the union: it stops the mover. If the host has to be
// asked, it is asked soon, and the stretch looked at again.
static bool joins(const stretch *s, uint32_t slot, int32_t value) {
  cl_movement *m = s->rule->world->movement;
  cl_move_touch t = {.slot = slot, .touch.value = value};
  cl_move_foretell(s->rule->world, s->rule->mover->slot, &t);
  if (!t.known) {
    m->unsure = cl_move_about(s->rule->mover, slot);
    m->unsure.value = value;
  }
  return t.known && cl_move_stops(t.response);
}

static bool is_within(const cl_convex *c, cl_vec at, double margin) {
  for (int i = 0; i < c->n; i++)
    if (cl_convex_outside(c, i, at) > margin) return false;
  return true;
}

// Covers what is in another part, if that is flush there: it goes on above, or the mover is in it,
// not beside it.
static void cover_by_part(const cl_placed *placed, uint32_t k, uint32_t slot, int32_t value,
                          stretch *s) {
  double touch = s->rule->of->touch, low = 0, high = 1;
  cl_convex c;
  cl_hit hit;
  if (!cl_bounds_touch(cl_placed_part_bounds(placed, k), s->box)) return;
  cl_convex_place(placed, k, s->q->origin, &c);
  // Round ones are not flush.
  if (c.n <= 2 || c.r > 0) return;
  for (int i = 0; i < c.n && low <= high; i++) {
    double f = cl_convex_outside(&c, i, s->from) - touch;
    double g = cl_convex_outside(&c, i, s->to) - touch;
    if (f > 0) low = g > 0 ? 2 : cl_max(low, f / (f - g));
    else if (g > 0) high = cl_min(high, f / (f - g));
  }
  if (low > cl_min(high, s->done) || high <= s->done) return;
  cl_vec middle = cl_vec_add(s->from, cl_vec_mul(cl_vec_sub(s->to, s->from), (low + high) / 2));
  cl_vec above = cl_vec_add(middle, cl_vec_mul(s->rule->rule.up, touch));
  bool inside = is_within(&c, above, touch / 16) ||
                (cl_convex_overlap(s->p, &c, false, &hit) && hit.depth > CL_SKIN_SHARE * touch);
  if (inside && joins(s, slot, value)) s->done = high;
}

static void cover_by(const cl_placed *placed, uint32_t slot, stretch *s) {
  long *spent = &s->rule->world->movement->spent;
  if (!cl_placed_is_tiles(placed)) {
    *spent += (long)placed->shape->part_count;
    for (uint32_t k = 0; k < placed->shape->part_count; k++) cover_by_part(placed, k, slot, -1, s);
    return;
  }
  cl_cell_blocks w;
  const cl_cell_block *b = &w.block;
  cl_cell_blocks_begin(&w, placed, cl_tiles_near(placed, s->box), false);
  for (; cl_cell_blocks_next(&w); *spent += STEPS_A_BLOCK)
    for (uint32_t k = 0; k < b->shape.part_count; k++)
      cover_by_part(&w.placed, k, slot, cl_tiles_value(placed->shape, b->column[k], b->row[k]), s);
}

// Whether others that are one-way in the same direction are flush with a stretch of a face: then it
// is no face of what they are together.
static bool is_covered(const void *context, const cl_convex *p, const cl_convex *q, cl_vec from,
                       cl_vec to) {
  const cl_move_rule *rule = context;
  cl_world *world = rule->world;
  const cl_movement *m = world->movement;
  stretch s = {.rule = rule, .p = p, .q = q, .from = from, .to = to};
  s.box = (cl_bounds){cl_min(from.x, to.x), cl_min(from.y, to.y), cl_max(from.x, to.x),
                      cl_max(from.y, to.y)};
  s.box = cl_bounds_grown(cl_bounds_moved(s.box, q->origin), 2 * rule->of->touch);
  for (double before = -1; s.done > before && s.done < 1;) {
    before = s.done;
    for (size_t i = 0, end; i < m->nears; i = end) {
      const cl_obstacle *o = &m->near[i];
      end = cl_move_run_end(m, i);
      if (!is_one_way(world, o->slot) || !cl_bounds_touch(o->bounds, s.box)) continue;
      cl_placed other = cl_move_placed(world, o->slot);
      if (cl_vec_dot(up_of(&other), rule->rule.up) > 1 - 1e-9) cover_by(&other, o->slot, &s);
    }
  }
  return s.done >= 1;
}

const cl_one_way *cl_move_one_way(cl_world *world, const cl_move_body *mover,
                                  const cl_placed *other, const cl_obstacle *o,
                                  cl_move_rule *rule) {
  if (!is_one_way(world, o->slot)) return NULL;
  rule->rule = (cl_one_way){up_of(other), &rule->start, is_covered, rule};
  rule->world = world;
  rule->mover = mover;
  rule->of = o;
  rule->start = mover->placed;
  rule->start.x = mover->start.x, rule->start.y = mover->start.y;
  return &rule->rule;
}

// A one-way actor pushes a mover out only upwards, and only by up to the distance that counts as
// touching.
static bool is_in_the_way(const cl_world *world, const cl_placed *other,
                          const cl_overlapped *found) {
  if (!is_one_way(world, found->slot)) return true;
  cl_vec n = {found->hit.nx, found->hit.ny};
  return found->hit.depth <= found->touch && cl_vec_dot(n, up_of(other)) >= CL_ONE_WAY_COSINE;
}

bool cl_move_may_overlap(const cl_movement *m, cl_bounds box, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const cl_obstacle *o = &m->near[i];
    cl_hit hit;
    if (o->is_box ? cl_overlap_boxes(box, o->bounds, false, &hit) : cl_bounds_touch(box, o->bounds))
      return true;
  }
  return false;
}

// The steps that it takes to compare two shapes.
static long steps_to_compare(const cl_placed *a, const cl_placed *b) {
  if (!cl_placed_is_tiles(b)) return (long)a->shape->part_count + (long)b->shape->part_count;
  cl_cell_rect s = cl_tiles_clip(b->shape, cl_tiles_near(b, cl_placed_bounds(a)));
  int64_t cells =
      (int64_t)cl_max(s.right - s.left + 1, 0) * (int64_t)cl_max(s.bottom - s.top + 1, 0);
  return (long)a->shape->part_count + (long)(cells / 8);
}

bool cl_move_touches(cl_world *world, const cl_placed *placed, const cl_placed *other) {
  world->movement->spent += steps_to_compare(placed, other);
  return cl_overlaps(placed, other, false);
}

bool cl_move_way_out(cl_world *world, const cl_placed *placed, const cl_placed *other,
                     const cl_values *passes, double enough, cl_hit *out, int32_t *value) {
  cl_movement *m = world->movement;
  double left = cl_max(cl_move_limit(m) - (double)m->spent, CL_MOVE_WAY_OUT);
  cl_effort effort = {.pairs = CL_MOVE_PAIRS,
                      .work = CL_MOVE_WAY_OUT,
                      .enough = enough,
                      .search = m->gave_up ? 0 : (long)left};
  bool overlaps = cl_sweep_way_out(placed, other, passes, &effort, out, value);
  m->spent += effort.spent;
  m->gave_up = m->gave_up || effort.given_up;
  return overlaps;
}

// Whether a mover at some place overlaps another actor, and its way out. That of a one-way actor
// matters only if it is short.
static bool find_way_out(cl_world *world, const cl_obstacle *o, const cl_placed *placed,
                         const cl_placed *other, const cl_values *passes, cl_overlapped *out) {
  out->value = -1;
  if (o->is_box && o->column < 0)
    return cl_overlap_boxes(cl_placed_part_bounds(placed, 0), o->bounds, false, &out->hit);
  // Cells are compared one by one for the way out, too.
  if (!passes && !cl_move_touches(world, placed, other)) return false;
  bool one_way = world->actors.state[o->slot] & CL_ONE_WAY;
  double enough = one_way ? 2 * o->touch : INFINITY;
  return cl_move_way_out(world, placed, other, passes, enough, &out->hit, &out->value);
}

// Values that are crossed count as passed here, reported or not.
cl_going cl_move_overlap(cl_world *world, const cl_move_body *mover, const cl_placed *placed,
                         size_t from, cl_overlapped *deepest) {
  const cl_obstacle o = world->movement->near[from];
  cl_values values;
  const cl_values *passes;
  if (cl_move_passes(world, mover, o.slot, &values, &passes)) return CL_GO;
  cl_placed other = cl_move_placed(world, o.slot);
  cl_overlapped found = {.slot = o.slot, .touch = o.touch};
  while (find_way_out(world, &o, placed, &other, passes, &found)) {
    cl_move_known *known;
    cl_move_ask about = cl_move_about(mover, o.slot);
    about.value = found.value;
    cl_going going = cl_move_know(world, &about, &known);
    if (going != CL_GO) return going;
    if (cl_move_stops(known->response)) {
      if (cl_move_is_deeper(&found, deepest) && is_in_the_way(world, &other, &found))
        *deepest = found;
      return CL_GO;
    }
    if (!passes || found.value < 0) return CL_GO;
    cl_values_add(&values, (unsigned)found.value);
  }
  return CL_GO;
}

// The depth matters only to responses that use the way out.
cl_going cl_move_blocks(cl_world *world, const cl_move_body *mover, const cl_placed *placed,
                        size_t from, bool *answer) {
  const cl_movement *m = world->movement;
  const cl_obstacle o = m->near[from];
  *answer = false;
  if (m->def.asks || world->actors.state[o.slot] & CL_ONE_WAY) {
    cl_overlapped found = {.hit.depth = -1};
    cl_going going = cl_move_overlap(world, mover, placed, from, &found);
    *answer = found.hit.depth >= 0 || m->gave_up;
    return going;
  }
  if (!o.is_box) {
    cl_placed other = cl_move_placed(world, o.slot);
    if (!cl_move_touches(world, placed, &other)) return CL_GO;
  }
  cl_move_ask about = cl_move_about(mover, o.slot);
  cl_move_known *known;
  cl_going going = cl_move_know(world, &about, &known);
  *answer = going == CL_GO && cl_move_stops(known->response);
  return going;
}

// The greatest share of a way along one axis that stays in range.
static double share_in_range(double at, double way) {
  double end = at + way;
  if (fabs(end) <= CL_MAX_COORD) return 1;
  return (copysign(CL_MAX_COORD, way) - at) / way;
}

cl_vec cl_move_cut_to_range(cl_vec at, cl_vec way) {
  double share = cl_min(share_in_range(at.x, way.x), share_in_range(at.y, way.y));
  if (share == 1) return way;
  // Short enough to be in range after rounding.
  cl_vec part = cl_vec_mul(way, cl_max(share - 0x1p-40, 0));
  return cl_move_is_in_range(cl_vec_add(at, part)) ? part : (cl_vec){0, 0};
}

cl_going cl_move_report(cl_world *world, const cl_move_body *mover, const cl_move_hit *hit) {
  cl_movement *m = world->movement;
  if (mover != m->mover) return CL_GO;
  if (CL_RESERVE(&world->alloc, m->hit, m->hit_cap, m->hits + 1) != CL_OK) return CL_STUCK;
  m->hit[m->hits++] = *hit;
  return CL_GO;
}

// ---- what is met first

// Whether one of two sweeps comes first: of those at once, that which faces the motion most
// directly.
static bool is_sooner(const cl_sweep *a, const cl_sweep *b, cl_vec way) {
  if (a->t != b->t) return a->t < b->t;
  cl_vec n = {a->nx, a->ny}, other = {b->nx, b->ny};
  double into = cl_vec_dot(n, way), most = cl_vec_dot(other, way);
  return into != most ? into < most : cl_vec_goes_first(n, other);
}

// What comes first of what is met at once: what is crossed, which is reported; then what has to be
// asked; then what stops the mover.
static int rank_of(const cl_world *world, const cl_move_body *mover, uint32_t slot, int32_t value) {
  cl_move_touch t = {.slot = slot, .touch.value = value};
  cl_move_foretell(world, mover->slot, &t);
  return !t.known ? 1 : cl_move_stops(t.response) ? 2 : 0;
}

// Whether something met comes before what was met first so far. Of those that stop the mover at
// once, the one that faces the motion most directly does.
static bool is_first(const cl_world *world, const cl_move_body *mover, uint32_t slot,
                     const cl_sweep *s, const cl_meeting *first) {
  const cl_sweep *f = &first->sweep;
  if (s->t != f->t || first->other == CL_NOBODY) return s->t < f->t;
  int rank = rank_of(world, mover, slot, s->value);
  int other = rank_of(world, mover, first->other, f->value);
  return rank != other ? rank < other : rank == 2 && is_sooner(s, f, mover->left);
}

// Tests the boxes from `from` to `to`, all of one other actor.
static void meet_boxes(const cl_world *world, const cl_move_body *mover, cl_bounds box, size_t from,
                       size_t to, const cl_values *passes, cl_meeting *first) {
  const cl_movement *m = world->movement;
  cl_sweep best = {.t = INFINITY}, found;
  size_t at = to;
  for (size_t i = from; i < to; i++) {
    const cl_obstacle *o = &m->near[i];
    if (passes && cl_values_have(passes, (unsigned)o->value)) continue;
    if (!cl_sweep_box(&box, mover->left, &o->bounds, o->touch, &found)) continue;
    if (at < to && !is_sooner(&found, &best, mover->left)) continue;
    best = found;
    at = i;
  }
  if (at == to) return;
  const cl_obstacle *o = &m->near[at];
  best.column = o->column, best.row = o->row, best.value = o->value;
  if (!is_first(world, mover, o->slot, &best, first)) return;
  *first = (cl_meeting){best, o->slot, at, o->touch};
}

static void meet_shape(cl_world *world, const cl_move_body *mover, size_t near,
                       const cl_values *passes, cl_meeting *first) {
  const cl_obstacle *o = &world->movement->near[near];
  cl_placed other = cl_move_placed(world, o->slot);
  cl_move_rule rule;
  const cl_movement *m = world->movement;
  const cl_stopper how = {o->touch, (long)cl_move_limit(m) - m->spent, passes,
                          cl_move_one_way(world, mover, &other, o, &rule)};
  cl_sweep found;
  long *spent = &world->movement->spent;
  if (!cl_sweep_shape(&mover->placed, mover->left, &other, &how, spent, &found)) return;
  if (!is_first(world, mover, o->slot, &found, first)) return;
  *first = (cl_meeting){found, found.given_up ? CL_NOBODY : o->slot, near, o->touch};
}

void cl_move_find_first(cl_world *world, const cl_move_body *mover, cl_meeting *first) {
  const cl_movement *m = world->movement;
  first->other = CL_NOBODY;
  first->sweep.t = INFINITY;
  if (m->nears == 0) return;
  cl_bounds box = cl_move_body_bounds(mover), reach = cl_sweep_bounds(box, mover->left);
  for (size_t i = 0, end; i < m->nears; i = end) {
    const cl_obstacle *o = &m->near[i];
    end = cl_move_run_end(m, i);
    cl_values values;
    const cl_values *passes;
    if (cl_move_passes(world, mover, o->slot, &values, &passes)) continue;
    if (o->is_box) meet_boxes(world, mover, box, i, end, passes, first);
    else if (cl_bounds_touch(o->bounds, reach)) meet_shape(world, mover, i, passes, first);
  }
}
