// collide, MIT licence (see LICENSE)
//
// What a mover may meet: which actors are near it, its response to each, and which it meets first
// on its way. Layer: world.

#include "cells/grid.h"
#include "geom/tiles.h"
#include "narrow/pairs.h"
#include "narrow/convex.h"
#include "narrow/members.h"
#include "narrow/primitives.h"
#include "world/move.h"

// ---- places

static const cl_body *find_mover(const cl_movement *m, uint32_t slot) {
  for (int i = 0; i < m->movers; i++)
    if (m->mover[i].slot == slot) return &m->mover[i];
  return NULL;
}

static const cl_moved *find_moved(const cl_movement *m, uint32_t slot) {
  for (size_t i = 1; i < m->moves; i++)
    if (m->moved[i].slot == slot) return &m->moved[i];
  return NULL;
}

// Whether an actor takes part in the move: it is a mover, or was one.
static bool has_moved(const cl_movement *m, uint32_t slot) {
  return find_mover(m, slot) || find_moved(m, slot);
}

cl_placed cl_move_placed(const cl_movement *m, uint32_t slot) {
  const cl_body *mover = find_mover(m, slot);
  if (mover) return mover->placed;
  cl_placed placed = cl_actor_place(&m->world->actors, slot);
  const cl_moved *moved = find_moved(m, slot);
  if (moved) placed.x = moved->to.x, placed.y = moved->to.y;
  return placed;
}

// The largest fraction of a way along one axis that stays in range.
static double share_in_range(double at, double way) {
  double end = at + way;
  if (fabs(end) <= CL_MAX_COORD) return 1;
  return (copysign(CL_MAX_COORD, way) - at) / way;
}

cl_vec cl_move_in_range(cl_vec at, cl_vec way) {
  if (cl_place_ok(cl_vec_add(at, way))) return way;
  double share = cl_min(share_in_range(at.x, way.x), share_in_range(at.y, way.y));
  if (share == 1) return way;
  // Short enough to be in range after rounding.
  cl_vec part = cl_vec_mul(way, cl_max(share - 0x1p-40, 0));
  return cl_place_ok(cl_vec_add(at, part)) ? part : (cl_vec){0, 0};
}

// ---- layers

cl_layer cl_layers(const cl_actors *actors, uint32_t slot, const cl_placed *placed) {
  uint8_t state = actors->state[slot] & (CL_SENSOR | CL_ONE_WAY);
  return (cl_layer){.whole = placed, .state = state};
}

// A sensor has no layers. In an actor that is not one-way, the walls are normal cells.
bool cl_layer_next(cl_layer *l) {
  const cl_shape *shape = l->whole->shape;
  if (!shape->views || l->state & CL_SENSOR) {
    l->placed = *l->whole, l->view = CL_NO_VIEW, l->is = l->state;
    return l->next++ == 0;
  }
  uint16_t layer = l->next++;
  bool joined = layer == CL_LAYER_USUAL && !(l->state & CL_ONE_WAY);
  l->view = joined ? CL_VIEW_STOPS : (uint16_t)(CL_VIEW_LAYERS + layer);
  l->is = layer == CL_LAYER_USUAL     ? l->state
          : layer == CL_LAYER_WALLS   ? 0
          : layer == CL_LAYER_SENSORS ? CL_SENSOR
                                      : CL_ONE_WAY;
  if (joined) l->next++;
  if (l->view >= shape->set->views) return false;
  l->placed = cl_placed_view(l->whole, l->view);
  return true;
}

cl_vec cl_move_looks(const cl_actors *actors, uint32_t slot, uint32_t view,
                     const cl_placed *placed) {
  bool own = view != CL_NO_VIEW && view >= CL_VIEW_PLANKS;
  return own ? placed->shape->set->look[view - CL_VIEW_PLANKS]
             : cl_actor_looks(actors, slot, placed);
}

// ---- the actors nearby

cl_filter cl_move_filter(const cl_movement *m, uint32_t mover) {
  cl_filter filter = m->def.filter;
  const cl_world *world = m->world;
  if (m->def.by_rules) filter.groups = world->rules.hits_with[world->actors.group[mover]];
  return filter;
}

// Whether a mover may meet an actor that the filter selects: not if one ignores the other, and
// under the rules of groups, not if both are static.
static bool may_meet(const cl_movement *m, uint32_t mover, uint32_t slot) {
  const cl_actors *actors = &m->world->actors;
  bool both = actors->state[slot] & actors->state[mover] & CL_STATIC;
  return slot != mover && !(m->def.by_rules && both) && !cl_ignores(m->world, mover, slot);
}

// Adds an actor that takes part in this move, since it may have moved already.
static void add_moved(cl_movement *m, uint32_t mover, uint32_t slot, uint64_t groups) {
  cl_found *found = &m->world->touched;
  if (!(groups >> m->world->actors.group[slot] & 1) || !may_meet(m, mover, slot)) return;
  cl_status status = CL_RESERVE(&m->world->alloc, found->at, found->cap, found->count + 1);
  if (!cl_move_check(m, status)) return;
  size_t at = found->count++;
  for (; at > 0 && found->at[at - 1] > slot; at--) found->at[at] = found->at[at - 1];
  found->at[at] = slot;
}

void cl_move_list(cl_movement *m, const cl_body *mover, cl_bounds box) {
  cl_found *found = &m->world->touched;
  cl_filter filter = cl_move_filter(m, mover->slot);
  if (!cl_move_check(m, cl_trees_near(m->world, box, &filter))) found->count = 0;
  bool alone = m->movers == 1 && m->moves == 1; // nothing else has moved
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++) {
    uint32_t slot = found->at[i];
    found->at[count] = slot;
    count += may_meet(m, mover->slot, slot) && (alone || !has_moved(m, slot));
  }
  found->count = count;
  if (alone) return;
  for (int i = 0; i < m->movers; i++) add_moved(m, mover->slot, m->mover[i].slot, filter.groups);
  for (size_t i = 1; i < m->moves; i++) add_moved(m, mover->slot, m->moved[i].slot, filter.groups);
}

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

// If an actor is a map, its cells that may touch a box, perhaps with some more, clipped to the
// grid. Also false if coordinates are too large compared with a cell to know.
static bool find_cells(const cl_actors *actors, uint32_t slot, cl_bounds box, cl_cell_rect *s) {
  const cl_shape *tiles = actors->shape[slot];
  if (tiles->kind != CL_TILES) return false;
  const cl_grid *grid = tiles->grid;
  cl_vec at = actors->place[slot];
  double left = at.x + tiles->bounds.l, top = at.y + tiles->bounds.t;
  cl_vec per = {1 / tiles->cell.x, 1 / tiles->cell.y};
  double size = fabs(left) + fabs(top) + cl_bounds_largest(box) + tiles->reach;
  if (!(size * cl_max(per.x, per.y) <= 0x1p28)) return false;
  cells_about(box.l, box.r, left, per.x, grid->size[0], &s->left, &s->right);
  cells_about(box.t, box.b, top, per.y, grid->size[1], &s->top, &s->bottom);
  return true;
}

// Whether all cells of a rectangle are empty. A small box touches only the four corner cells: these
// need no loop, whose end the processor would mispredict.
static bool are_empty(const cl_shape *tiles, cl_cell_rect s) {
  _Static_assert(CL_TILE_EMPTY == 0, "kinds that are all empty are 0 together");
  if (s.left > s.right || s.top > s.bottom) return true;
  unsigned kinds = kind_at(tiles, s.left, s.top) | kind_at(tiles, s.right, s.top) |
                   kind_at(tiles, s.left, s.bottom) | kind_at(tiles, s.right, s.bottom);
  if (kinds != CL_TILE_EMPTY) return false;
  bool small = s.right - s.left <= 1 && s.bottom - s.top <= 1;
  return small || !cl_tiles_any(tiles, s, CL_TILES_SOLID);
}

static int64_t count_cells(cl_cell_rect s) {
  return (int64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1);
}

// Adds the full cells of tiles that touch a box as obstacles of their own, if they are few and
// there are no other cells; otherwise returns false. `in` is the rectangle of cells, if it is
// known.
static bool add_cells(cl_movement *m, const cl_placed *tiles, cl_bounds box, const cl_cell_rect *in,
                      cl_obstacle as) {
  const cl_shape *shape = tiles->shape;
  if (shape->set && shape->set->is_round) box = cl_bounds_grown(box, cl_placed_error(tiles));
  cl_cell_rect s = in ? *in : cl_tiles_clip(shape, cl_tiles_under(tiles, box, false));
  size_t before = m->nears;
  if (s.left > s.right || s.top > s.bottom) return true;
  if (count_cells(s) > CL_MOVE_CELLS) return false;
  as.is_box = true;
  for (as.row = s.top; as.row <= s.bottom; as.row++) {
    const uint8_t *bytes = cl_grid_at(shape->grid, (int64_t[3]){0, as.row, 0});
    as.bounds.t = cl_tiles_y(tiles, as.row), as.bounds.b = cl_tiles_y(tiles, as.row + 1);
    if (as.bounds.t > box.b || as.bounds.b < box.t) continue;
    for (as.column = s.left; as.column <= s.right; as.column++) {
      as.value = bytes[as.column];
      unsigned kind = cl_tiles_kind_of(shape, bytes[as.column]);
      if (kind == CL_TILE_EMPTY) continue;
      as.bounds.l = cl_tiles_x(tiles, as.column), as.bounds.r = cl_tiles_x(tiles, as.column + 1);
      if (as.bounds.l > box.r || as.bounds.r < box.l) continue;
      if (kind == CL_TILE_PART) {
        m->nears = before;
        return false;
      }
      m->near[m->nears++] = as;
    }
  }
  return true;
}

// Adds an obstacle with a shape, if it is within a box. For tiles `cells`, if not NULL, contains
// the cells there.
static void add_obstacle(cl_movement *m, const cl_body *mover, const cl_placed *placed,
                         cl_bounds box, const cl_cell_rect *cells, cl_obstacle as) {
  size_t count = m->nears + CL_MOVE_CELLS;
  if (!cl_move_check(m, CL_RESERVE(&m->world->alloc, m->near, m->near_cap, count))) return;
  bool plain = (mover->is_box || m->is_plain) && !(as.is & CL_ONE_WAY);
  as.column = as.row = as.value = -1;
  as.is_box = plain && cl_placed_is_one_box(placed);
  as.bounds = as.is_box
                  ? cl_bounds_moved(placed->shape->parts->bounds, (cl_vec){placed->x, placed->y})
                  : cl_placed_bounds(placed);
  if (!cl_bounds_touch(as.bounds, box)) return;
  as.touch = CL_TOUCH_SHARE * cl_max(cl_bounds_largest(as.bounds), mover->reach);
  bool tiles = plain && cl_placed_is_tiles(placed);
  m->is_plain &= as.is == 0 && as.view == CL_NO_VIEW;
  if (tiles && add_cells(m, placed, box, cells, as)) return;
  m->is_plain &= as.is_box;
  m->near[m->nears++] = as;
}

// Adds an actor at its present place, if it is within a box; of a map with layers, the layers with
// cells there. `cells` contains the cells there, if they are known.
static void add_near(cl_movement *m, const cl_body *mover, cl_bounds box, uint32_t slot,
                     const cl_cell_rect *cells) {
  const cl_actors *actors = &m->world->actors;
  cl_placed placed = cl_move_placed(m, slot);
  for (cl_layer l = cl_layers(actors, slot, &placed); cl_layer_next(&l);) {
    if (l.is & CL_ONE_WAY && m->def.through == slot + 1) continue;
    if (l.view != CL_NO_VIEW &&
        !cl_tiles_any(l.placed.shape, cl_tiles_near(&l.placed, box), CL_TILES_SOLID))
      continue;
    add_obstacle(m, mover, &l.placed, box, cells,
                 (cl_obstacle){.slot = slot, .is = l.is, .view = l.view});
  }
}

// Notes which of the actors found are maps: the host may write to their cells.
static void note_maps(cl_movement *m) {
  const cl_found *found = &m->world->touched;
  m->maps = 0;
  for (size_t i = 0; i < found->count; i++) {
    if (m->world->actors.shape[found->at[i]]->kind != CL_TILES) continue;
    if (!cl_move_check(m, CL_RESERVE(&m->world->alloc, m->map, m->map_cap, m->maps + 1))) return;
    m->map[m->maps++] = found->at[i];
  }
}

static uint64_t changes_of_maps(const cl_movement *m) {
  uint64_t changes = 0;
  for (size_t i = 0; i < m->maps; i++) changes += m->world->actors.shape[m->map[i]]->grid->changes;
  return changes;
}

void cl_move_find(cl_movement *m, const cl_body *mover, cl_bounds box) {
  const cl_actors *actors = &m->world->actors;
  const cl_found *found = &m->world->touched;
  m->nears = 0;
  m->near_box = box;
  m->is_plain = cl_move_may_be_plain(m, mover);
  m->is_recalled = false;
  cl_move_list(m, mover, box);
  if (m->def.responder) note_maps(m);
  if (found->count > m->most) m->most = found->count;
  cl_cell_rect cells;
  bool known = false;
  size_t first = 0;
  for (; first < found->count; first++) {
    known = find_cells(actors, found->at[first], box, &cells);
    if (!known || !are_empty(actors->shape[found->at[first]], cells)) break;
  }
  if (first == found->count) return;                    // most movers meet nothing at all
  known = known && count_cells(cells) <= CL_MOVE_CELLS; // else there may be fewer
  // For a round mover, either all obstacles are rectangles or all are shapes.
  bool plain;
  do {
    plain = m->is_plain;
    m->nears = 0;
    for (size_t i = 0; i < found->count && (mover->is_box || m->is_plain == plain); i++)
      add_near(m, mover, box, found->at[i], known && i == first ? &cells : NULL);
  } while (!mover->is_box && m->is_plain != plain);
}

cl_bounds cl_move_ahead(const cl_body *mover) {
  cl_bounds bounds = cl_sweep_bounds(cl_body_bounds(mover), mover->left);
  return cl_bounds_grown(bounds, CL_MOVE_MARGIN * mover->reach);
}

bool cl_move_may_overlap(const cl_movement *m, cl_bounds box, cl_move_run r) {
  for (size_t i = r.from; i < r.to; i++) {
    const cl_obstacle *o = &m->near[i];
    cl_hit hit;
    if (o->is_box ? cl_overlap_boxes(box, o->bounds, false, &hit) : cl_bounds_touch(box, o->bounds))
      return true;
  }
  return false;
}

bool cl_move_next_at(const cl_movement *m, cl_bounds box, cl_move_run *r) {
  while (cl_move_next(m, r))
    if (cl_move_may_overlap(m, box, *r)) return true;
  return false;
}

// ---- responses

// Stores the response to an actor. The caller has reserved the memory.
static cl_known *note_known(cl_movement *m, const cl_move_ask *about, int32_t value, uint8_t said) {
  uint8_t does = cl_move_done_if(m, said);
  m->known[m->knowns] = (cl_known){about->mover, about->other, value, does, said, false};
  return &m->known[m->knowns++];
}

// The list `near` stays valid, unless the host has written to the cells of a map, or a map is near
// and the box of the remaining way differs.
void cl_move_hear(cl_movement *m, uint8_t said) {
  assert(said < CL_RESPONSES);
  m->waits = false;
  note_known(m, &m->asked, m->asked.value, said);
  if (m->maps == 0) return;
  cl_bounds ahead = cl_move_ahead(&m->mover[m->movers - 1]);
  bool same = memcmp(&ahead, &m->near_box, sizeof ahead) == 0;
  if (!same || changes_of_maps(m) != m->changes) m->is_near_known = false;
}

// Asks the host, and halts the move.
static void consult(cl_movement *m, const cl_move_ask *about, bool sensor) {
  m->asked = *about;
  m->asked.sensor = sensor;
  m->changes = changes_of_maps(m);
  uint8_t said = (uint8_t)m->def.responder(m->def.context, &m->asked);
  m->halted = m->waits = true;
  if (said != CL_RESPONSE_LATER) cl_move_hear(m, said);
}

// One entry is for all cells of a map if all act alike; sensors in a map that is no sensor have
// their own.
static int32_t value_that_matters(const cl_movement *m, uint32_t other, int32_t value) {
  const cl_actors *actors = &m->world->actors;
  if (value < 0 || m->def.responder) return value;
  if (actors->state[other] & CL_SENSOR) return -1;
  return cl_tiles_are_sensors(actors->shape[other], value) ? value : -1;
}

CL_INLINE cl_known *find_known(const cl_movement *m, uint32_t mover, uint32_t other,
                               int32_t value) {
  value = value_that_matters(m, other, value);
  for (size_t i = 0; i < m->knowns; i++) {
    cl_known *k = &m->known[i];
    if (k->mover == mover && k->other == other && k->value == value) return k;
  }
  return NULL;
}

cl_known *cl_move_know(cl_movement *m, const cl_move_ask *about) {
  bool sensor = cl_move_is_sensor(m, about->other, about->value);
  int32_t value = value_that_matters(m, about->other, about->value);
  cl_known *known = find_known(m, about->mover, about->other, value);
  if (known) return known;
  m->nobody = (cl_known){.response = CL_RESPONSE_NONE};
  if (m->halted) return &m->nobody;
  cl_status status = CL_RESERVE(&m->world->alloc, m->known, m->known_cap, m->knowns + 1);
  if (!cl_move_check(m, status)) return &m->nobody;
  // A mover that begins inside more cells than there is time for stays there, whatever the
  // responses would be.
  bool stays = m->def.responder && value >= 0 && cl_move_is_over(m, CL_MOVE_INSIDE_SHARE);
  uint8_t said = stays ? CL_RESPONSE_SLIDE : (uint8_t)m->def.response;
  if (sensor) said = CL_RESPONSE_CROSS;
  if (stays || !m->def.responder || (sensor && !m->def.asks_sensors))
    return note_known(m, about, value, said);
  consult(m, about, sensor);
  return &m->nobody;
}

bool cl_move_resume(cl_movement *m) {
  if (!m->halted || m->waits || m->status != CL_OK || !m->is_near_known) return false;
  m->halted = false;
  return true;
}

cl_known *cl_move_know_of(cl_movement *m, const cl_body *mover, uint32_t other, int32_t value) {
  return cl_move_know(m, &(cl_move_ask){.mover = mover->slot, .other = other, .value = value});
}

void cl_move_ask_now(cl_movement *m, const cl_move_ask *about) {
  cl_move_know(m, about);
  m->halted = true;
}

void cl_move_make_sure(cl_movement *m) {
  cl_move_ask about = m->unsure;
  m->unsure.other = CL_NOBODY;
  if (about.other != CL_NOBODY) cl_move_ask_now(m, &about);
}

cl_foretold cl_move_foretell(const cl_movement *m, uint32_t mover, uint32_t other, int32_t value) {
  bool sensor = cl_move_is_sensor(m, other, value);
  const cl_known *known = find_known(m, mover, other, value);
  cl_foretold told = {.response = cl_move_done_if(m, (uint8_t)m->def.response)};
  // A sensor stops the mover only if the host has said so.
  told.known = known || sensor || !m->def.responder;
  if (sensor) told.response = CL_RESPONSE_CROSS;
  if (known) told.response = known->response;
  told.pushed = known && known->reported && has_moved(m, other);
  // Each can be pushed once.
  bool loose = cl_is_loose(&m->world->actors, other) && !has_moved(m, other);
  if (told.response == CL_RESPONSE_PUSH && !(loose && m->movers < CL_MOVE_CHAIN))
    told.response = CL_RESPONSE_SLIDE;
  return told;
}

uint8_t cl_move_does(const cl_movement *m, const cl_body *mover, const cl_obstacle *o) {
  const cl_known *known = find_known(m, mover->slot, o->slot, o->value);
  if (!known) return CL_MOVE_ASKS;
  if (!known->reported) return known->response;
  if (known->response == CL_RESPONSE_CROSS) return CL_RESPONSE_NONE;
  return has_moved(m, o->slot) ? CL_RESPONSE_PUSH : known->response;
}

bool cl_move_passes(const cl_movement *m, const cl_body *mover, const cl_obstacle *o,
                    cl_passed *out) {
  uint32_t other = o->slot;
  bool sensors = o->view == CL_VIEW_SENSORS;
  bool tiles = sensors || (m->def.responder && m->world->actors.shape[other]->kind == CL_TILES);
  out->values = tiles ? &out->room : NULL;
  if (tiles) memset(&out->room, 0, sizeof out->room);
  for (size_t i = 0; i < m->knowns; i++) {
    const cl_known *known = &m->known[i];
    bool passed = known->response == CL_RESPONSE_NONE ||
                  (known->response == CL_RESPONSE_CROSS && known->reported);
    if (known->mover != mover->slot || known->other != other || !passed) continue;
    if (known->value < 0 && !sensors) return true;
    if (tiles && known->value >= 0) cl_values_add(&out->room, (unsigned)known->value);
  }
  return false;
}

// The member that a hit is about.
static uint32_t member_of(const cl_movement *m, const cl_body *mover, const cl_move_hit *hit) {
  if (!cl_shape_has_members(m->world->actors.shape[hit->slot])) return 0;
  if (hit->value >= 0) return (uint32_t)hit->value;
  cl_placed a = mover->placed, b = cl_move_placed(m, hit->slot);
  const cl_vec none = {0, 0};
  if (hit->inside) return cl_member_met(&a, none, &b, hit->point, none, mover->reach);
  a.x = hit->at.x, a.y = hit->at.y;
  return cl_member_met(&a, none, &b, hit->point, hit->normal, mover->reach);
}

void cl_move_report(cl_movement *m, const cl_body *mover, const cl_move_hit *hit) {
  if (mover != m->mover) return;
  if (!cl_move_check(m, CL_RESERVE(&m->world->alloc, m->hit, m->hit_cap, m->hits + 1))) return;
  m->hit[m->hits] = *hit;
  m->hit[m->hits++].member = member_of(m, mover, hit);
}

// ---- one-way actors

// The steps to make a block of cells.
enum { STEPS_A_BLOCK = 64 };

// A stretch of a face of part q, which part p of the mover touches, relative to q's origin. It is
// covered up to the share `done`.
typedef struct stretch {
  const cl_stopping *stopping;
  const cl_convex *p, *q;
  cl_vec from, to;
  cl_bounds box; // of the stretch, in the world
  double done;
} stretch;

// Whether an actor, or a value of a map, belongs to the union because it stops the mover. If the
// host has to be asked, the question is noted, and the stretch is looked at again after the answer.
static bool joins(const stretch *s, uint32_t slot, int32_t value) {
  cl_movement *m = s->stopping->movement;
  uint32_t mover = s->stopping->mover->slot;
  cl_foretold told = cl_move_foretell(m, mover, slot, value);
  if (!told.known) m->unsure = (cl_move_ask){.mover = mover, .other = slot, .value = value};
  return told.known && cl_move_stops(told.response);
}

static bool is_within(const cl_convex *c, cl_vec at, double margin) {
  for (int i = 0; i < c->n; i++)
    if (cl_convex_outside(c, i, at) > margin) return false;
  return true;
}

// Covers the stretch within part k of another actor, of tiles if `value` is not below 0. The part
// has to be flush there: it goes on above, or the mover is in it, not beside it.
static void cover_by_part(stretch *s, const cl_placed *placed, uint32_t k, uint32_t slot,
                          int32_t value) {
  double touch = s->stopping->how.touch, low = 0, high = 1;
  cl_convex c;
  cl_hit hit;
  if (!cl_bounds_touch(cl_placed_part_bounds(placed, k), s->box)) return;
  cl_convex_place(placed, k, s->q->origin, &c);
  // Round parts are not flush.
  if (c.n <= 2 || c.r > 0) return;
  for (int i = 0; i < c.n && low <= high; i++) {
    double f = cl_convex_outside(&c, i, s->from) - touch;
    double g = cl_convex_outside(&c, i, s->to) - touch;
    if (f > 0) low = g > 0 ? 2 : cl_max(low, f / (f - g));
    else if (g > 0) high = cl_min(high, f / (f - g));
  }
  if (low > cl_min(high, s->done) || high <= s->done) return;
  cl_vec middle = cl_vec_add(s->from, cl_vec_mul(cl_vec_sub(s->to, s->from), (low + high) / 2));
  cl_vec above = cl_vec_add(middle, cl_vec_mul(s->stopping->one_way.up, touch));
  bool inside = is_within(&c, above, touch / 16) ||
                (cl_convex_overlap(s->p, &c, false, &hit) && hit.depth > CL_SKIN_SHARE * touch);
  if (inside && joins(s, slot, value)) s->done = high;
}

static void cover_by(stretch *s, const cl_placed *placed, uint32_t slot) {
  long *spent = &s->stopping->movement->spent;
  if (!cl_placed_is_tiles(placed)) {
    *spent += (long)placed->shape->part_count;
    for (uint32_t k = 0; k < placed->shape->part_count; k++) cover_by_part(s, placed, k, slot, -1);
    return;
  }
  cl_cell_blocks w;
  const cl_cell_block *b = &w.block;
  cl_cell_blocks_begin(&w, placed, cl_tiles_near(placed, s->box), false);
  for (; cl_cell_blocks_next(&w); *spent += STEPS_A_BLOCK)
    for (uint32_t k = 0; k < b->shape.part_count; k++)
      cover_by_part(s, &w.placed, k, slot, cl_tiles_value(placed->shape, b->column[k], b->row[k]));
}

// Whether others that are one-way in the same direction are flush with a stretch of a face: then it
// is no face of their union.
static bool is_stretch_covered(const void *context, const cl_convex *p, const cl_convex *q,
                               cl_vec from, cl_vec to) {
  const cl_stopping *stopping = context;
  const cl_movement *m = stopping->movement;
  stretch s = {.stopping = stopping, .p = p, .q = q, .from = from, .to = to};
  s.box = (cl_bounds){cl_min(from.x, to.x), cl_min(from.y, to.y), cl_max(from.x, to.x),
                      cl_max(from.y, to.y)};
  s.box = cl_bounds_grown(cl_bounds_moved(s.box, q->origin), 2 * stopping->how.touch);
  for (double before = -1; s.done > before && s.done < 1;) {
    before = s.done;
    for (cl_move_run r = {0}; cl_move_next(m, &r);) {
      const cl_obstacle *o = &m->near[r.from];
      if (!(o->is & CL_ONE_WAY) || !cl_bounds_touch(o->bounds, s.box)) continue;
      cl_placed other = cl_move_seen(m, o->slot, o->view);
      cl_vec look = cl_move_looks(&m->world->actors, o->slot, o->view, &other);
      if (cl_vec_dot(look, stopping->one_way.up) > 1 - 1e-9) cover_by(&s, &other, o->slot);
    }
  }
  return s.done >= 1;
}

void cl_move_stopping(cl_movement *m, const cl_body *mover, const cl_obstacle *o,
                      const cl_values *passes, cl_stopping *out) {
  out->other = cl_move_seen(m, o->slot, o->view);
  out->how = (cl_stopper){o->touch, (long)cl_move_limit(m) - m->spent, passes, NULL};
  if (!(o->is & CL_ONE_WAY)) return;
  out->movement = m;
  out->mover = mover;
  out->start = mover->placed;
  out->start.x = mover->start.x, out->start.y = mover->start.y;
  cl_vec up = cl_move_looks(&m->world->actors, o->slot, o->view, &out->other);
  out->one_way = (cl_one_way){up, &out->start, is_stretch_covered, out};
  out->how.one_way = &out->one_way;
}

// ---- what is met first

// The order of obstacles met at once: first those that are crossed, which are reported; then those
// that the host is asked about; then those that stop the mover.
static int rank_of(const cl_movement *m, const cl_body *mover, uint32_t slot, int32_t value) {
  cl_foretold told = cl_move_foretell(m, mover->slot, slot, value);
  return !told.known ? 1 : cl_move_stops(told.response) ? 2 : 0;
}

// Whether an obstacle comes before the first so far. Of those that stop the mover at once, the one
// that faces the motion most directly comes first.
static bool is_first(const cl_movement *m, const cl_body *mover, uint32_t slot, const cl_sweep *s,
                     const cl_meeting *first) {
  const cl_sweep *f = &first->sweep;
  if (s->t != f->t || first->other == CL_NOBODY) return s->t < f->t;
  int rank = rank_of(m, mover, slot, s->value);
  int other = rank_of(m, mover, first->other, f->value);
  return rank != other ? rank < other : rank == 2 && cl_move_is_sooner(s, f, mover->left);
}

// Tests boxes, all of one other actor, for a mover with the bounds `box`.
static void meet_boxes(const cl_movement *m, const cl_body *mover, cl_bounds box, cl_move_run run,
                       const cl_values *passes, cl_meeting *first) {
  cl_sweep best = {.t = INFINITY}, found;
  size_t at = run.to;
  for (size_t i = run.from; i < run.to; i++) {
    const cl_obstacle *o = &m->near[i];
    if (passes && cl_values_have(passes, (unsigned)o->value)) continue;
    if (!cl_sweep_box(&box, mover->left, &o->bounds, o->touch, &found)) continue;
    if (at < run.to && !cl_move_is_sooner(&found, &best, mover->left)) continue;
    best = found;
    at = i;
  }
  if (at == run.to) return;
  const cl_obstacle *o = &m->near[at];
  best.column = o->column, best.row = o->row, best.value = o->value;
  if (is_first(m, mover, o->slot, &best, first)) *first = (cl_meeting){best, o->slot, at};
}

static void meet_shape(cl_movement *m, const cl_body *mover, size_t near, const cl_values *passes,
                       cl_meeting *first) {
  const cl_obstacle *o = &m->near[near];
  cl_stopping s;
  cl_sweep found;
  cl_move_stopping(m, mover, o, passes, &s);
  if (!cl_sweep_shape(&mover->placed, mover->left, &s.other, &s.how, &m->spent, &found)) return;
  if (is_first(m, mover, o->slot, &found, first))
    *first = (cl_meeting){found, found.given_up ? CL_NOBODY : o->slot, near};
}

void cl_move_find_first(cl_movement *m, const cl_body *mover, cl_meeting *first) {
  first->other = CL_NOBODY;
  first->sweep.t = INFINITY;
  if (m->nears == 0) return;
  cl_bounds box = cl_body_bounds(mover), reach = cl_sweep_bounds(box, mover->left);
  for (cl_move_run r = {0}; cl_move_next(m, &r);) {
    const cl_obstacle *o = &m->near[r.from];
    cl_passed passed;
    if (cl_move_passes(m, mover, o, &passed)) continue;
    if (o->is_box) meet_boxes(m, mover, box, r, passed.values, first);
    else if (cl_bounds_touch(o->bounds, reach)) meet_shape(m, mover, r.from, passed.values, first);
  }
}
