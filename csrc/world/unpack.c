// collide, MIT licence (see LICENSE)
//
// Reads snapshots from bytes, which may be anything: every number and length is checked, so that
// the result can always be restored. Layer: world.

#include "world/pack.h"
#include "world/pair_key.h"

enum {
  STATES = CL_LIVE | CL_STATIC | CL_SENSOR | CL_ONE_WAY | CL_SWEPT,
  EVENTS = CL_EVENT_EVENTS | CL_EVENT_UPDATE,
  LEAVES = CL_CALL_LEAVE_A | CL_CALL_LEAVE_B,
  DEAD_SIZE = 4 + 8, ///< bytes of a removed actor, the smallest
};

static bool is_coordinate(double v) { return fabs(v) <= CL_MAX_COORD; }
static bool is_angle(double v) { return fabs(v) <= CL_MAX_ANGLE; }
static bool is_same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

static cl_vec read_vec(cl_reader *r) {
  cl_vec v;
  v.x = cl_read_f64(r);
  v.y = cl_read_f64(r);
  cl_read_check(r, is_coordinate(v.x) && is_coordinate(v.y));
  return v;
}

static double read_angle(cl_reader *r) {
  double angle = cl_read_f64(r);
  cl_read_check(r, is_angle(angle));
  return angle;
}

static bool read_bool(cl_reader *r) {
  uint8_t v = cl_read_u8(r);
  cl_read_check(r, v <= 1);
  return v;
}

static void read_live(cl_reader *r, cl_snapshot *s, uint32_t slot) {
  s->place[slot] = read_vec(r);
  s->before[slot] = read_vec(r);
  s->angle[slot] = read_angle(r);
  s->angle_before[slot] = read_angle(r);
  s->turned |= s->angle[slot] != 0 || s->angle_before[slot] != 0;
  bool still = is_same(s->place[slot], s->before[slot]) && s->angle[slot] == s->angle_before[slot];
  cl_read_check(r, still || !(s->roster->entry[slot].state & CL_STATIC));
  cl_bounds b;
  b.l = cl_read_f64(r);
  b.t = cl_read_f64(r);
  b.r = cl_read_f64(r);
  b.b = cl_read_f64(r);
  s->bounds[slot] = b;
}

static void read_actor(cl_reader *r, unsigned groups, cl_snapshot *s, uint32_t slot) {
  cl_roster_entry entry = {0};
  entry.state = cl_read_u8(r);
  entry.group = cl_read_u8(r);
  entry.event_mask = cl_read_u8(r);
  entry.unread = cl_read_u8(r);
  bool live = entry.state & CL_LIVE;
  cl_read_check(r, !(entry.state & ~STATES) && (live || entry.state == 0) && entry.group < groups);
  cl_read_check(r, !(entry.event_mask & ~EVENTS) && !(entry.unread & ~EVENTS));
  cl_read_check(r, live || entry.unread == 0);
  entry.kept = !live;
  s->roster->shape[slot] = NULL;
  s->roster->entry[slot] = entry;
  s->roster->live += live;
  if (live) {
    read_live(r, s, slot);
    return;
  }
  double progress = cl_read_f64(r);
  cl_read_check(r, progress <= CL_ALL_DISPATCHED); // not NaN
  s->place[slot] = (cl_vec){progress, 0};
  s->before[slot] = (cl_vec){0, 0};
  s->angle[slot] = s->angle_before[slot] = 0;
}

static cl_status reserve_actors(cl_snapshot *s, uint32_t count) {
  cl_snapshot_sizes z = {.slots = count, .turned = true};
  cl_status status = cl_snapshot_reserve(s, &z);
  if (status == CL_OK) status = CL_RESERVE(&s->alloc, s->bounds, s->bounds_cap, count);
  if (status == CL_OK) s->roster = cl_roster_new(&s->alloc, count);
  return s->roster ? status : CL_NOMEM;
}

static cl_status read_actors(cl_reader *r, unsigned groups, cl_snapshot *s) {
  uint32_t count = cl_read_count(r, DEAD_SIZE);
  cl_status status = reserve_actors(s, count);
  if (status != CL_OK) return status;
  s->turned = false;
  for (uint32_t slot = 0; slot < count; slot++) read_actor(r, groups, s, slot);
  s->roster->count = count;
  uint32_t motions = cl_read_count(r, 4 + 1 + 3 * 8);
  status = CL_RESERVE(&s->alloc, s->motion, s->motion_cap, motions);
  for (uint32_t i = 0; i < motions && status == CL_OK; i++) {
    cl_snapshot_motion motion = {0};
    motion.slot = cl_read_u32(r);
    motion.before = read_bool(r);
    motion.from = read_vec(r);
    motion.from_angle = read_angle(r);
    bool known = motion.slot < count && (i == 0 || s->motion[i - 1].slot < motion.slot);
    if (!cl_read_check(r, known && s->roster->entry[motion.slot].state & CL_LIVE)) break;
    s->motion[s->motions++] = motion;
  }
  return status;
}

static void read_rules(cl_reader *r, unsigned groups, cl_snapshot *s) {
  unsigned rows = groups < CL_MAX_GROUPS ? groups + 1 : groups;
  memset(s->hits_with, 0, sizeof s->hits_with);
  memset(s->notifies, 0, sizeof s->notifies);
  for (unsigned g = 0; g < rows; g++) {
    for (unsigned h = 0; h < rows; h++) {
      unsigned rule = cl_read_u8(r);
      s->hits_with[g] |= (uint64_t)(rule & 1) << h;
      s->notifies[g] |= (uint64_t)(rule >> 1 & 1) << h;
      cl_read_check(r, rule <= 3 && (h >= g || (s->hits_with[h] >> g & 1) == (rule & 1)));
    }
  }
}

static cl_status read_links(cl_reader *r, cl_snapshot *s, cl_links *links, bool bits) {
  const cl_alloc *alloc = &s->alloc;
  uint32_t count = cl_read_count(r, 8 + bits);
  cl_status status = CL_RESERVE(alloc, links->pair, links->pair_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, links->bits, links->bits_cap, count);
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    cl_pair pair = {cl_read_u32(r), 0};
    pair.b = cl_read_u32(r);
    links->bits[i] = bits ? cl_read_u8(r) : CL_NOTIFIED;
    bool after = i == 0 || cl_pair_key(links->pair[i - 1]) < cl_pair_key(pair);
    if (!cl_read_check(r, pair.a < pair.b && pair.b < s->roster->count && after)) break;
    links->pair[i] = pair;
    links->count++;
  }
  return status;
}

static cl_status read_hits(cl_reader *r, cl_snapshot *s) {
  size_t count = s->now.count;
  cl_status status = CL_RESERVE(&s->alloc, s->hit, s->hit_cap, count);
  if (status == CL_OK) status = CL_RESERVE(&s->alloc, s->muted, s->muted_cap, count);
  if (status == CL_OK) status = CL_RESERVE(&s->alloc, s->time, s->time_cap, count);
  for (size_t i = 0; i < count && status == CL_OK; i++) {
    cl_hit hit = {cl_read_f64(r), 0, 0};
    hit.ny = cl_read_f64(r);
    hit.depth = cl_read_f64(r);
    s->muted[i] = s->any_muted ? cl_read_u8(r) : 0;
    bool unit = fabs(hit.nx * hit.nx + hit.ny * hit.ny - 1) < 1e-9;
    cl_read_check(r,
                  unit && hit.depth >= 0 && hit.depth < INFINITY && !(s->muted[i] & ~CL_NOTIFIED));
    s->hit[i] = hit;
    double t = s->time[i] = s->any_time ? cl_read_f64(r) : -1;
    cl_read_check(r, t == -1 || (t >= 0 && t <= 1 && hit.depth == 0));
  }
  return status;
}

// Each event belongs to a contact that asks for calls, and they are in order.
static cl_status read_events(cl_reader *r, cl_snapshot *s) {
  s->leaves = cl_read_u32(r);
  uint32_t count = cl_read_count(r, 4);
  cl_status status = CL_RESERVE(&s->alloc, s->event, s->event_cap, count);
  if (status != CL_OK || !cl_read_check(r, s->leaves <= count)) return status;
  for (uint32_t e = 0; e < count; e++) {
    bool leave = e < s->leaves, first = e == 0 || e == s->leaves;
    const cl_links *links = leave ? &s->ended : &s->now;
    uint32_t i = s->event[e] = cl_read_u32(r);
    if (!cl_read_check(r, i < links->count && (first || s->event[e - 1] < i))) return CL_OK;
    unsigned calls = links->bits[i] & CL_CALLS;
    cl_read_check(r, calls != 0 && !(calls & ~(leave ? (unsigned)LEAVES : CL_CALLS & ~LEAVES)));
  }
  s->events = count;
  return CL_OK;
}

static cl_status read_contacts(cl_reader *r, cl_snapshot *s) {
  s->over = read_bool(r);
  s->cut = read_bool(r);
  s->any_muted = read_bool(r);
  s->any_time = read_bool(r);
  s->enters_wanted = read_bool(r);
  s->leaves_wanted = read_bool(r);
  cl_status status = read_links(r, s, &s->now, !s->over);
  if (status == CL_OK) status = read_hits(r, s);
  s->dispatched = CL_ALL_DISPATCHED;
  if (status != CL_OK || s->over) {
    cl_read_check(r, !s->cut);
    return status;
  }
  s->dispatched = cl_read_f64(r);
  cl_read_check(r, s->dispatched >= 0 && s->dispatched <= CL_ALL_DISPATCHED &&
                       s->dispatched == floor(s->dispatched));
  status = read_links(r, s, &s->ended, true);
  return status == CL_OK ? read_events(r, s) : status;
}

static cl_status read_grids(cl_reader *r, cl_snapshot *s) {
  uint32_t count = cl_read_count(r, 4);
  cl_status status = CL_RESERVE(&s->alloc, s->copy, s->copy_cap, count);
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    uint32_t size = cl_read_u32(r);
    const uint8_t *bytes = cl_read_bytes(r, size);
    if (!bytes) return CL_OK;
    s->copy[i] = cl_grid_copy_new(&s->alloc, bytes, size);
    if (s->copy[i]) s->copies++;
    else status = CL_NOMEM;
  }
  return status;
}

// Whether, of two groups that hit, one gets no events.
static bool is_one_sided(const cl_snapshot *s) {
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    if (s->hits_with[g] & ~s->notifies[g]) return true;
  }
  return false;
}

cl_status cl_snapshot_read(cl_reader *r, unsigned groups, cl_snapshot *into) {
  cl_snapshot_clear(into);
  into->touching = read_bool(r);
  cl_status status = read_actors(r, groups, into);
  if (status == CL_OK) read_rules(r, groups, into);
  if (status == CL_OK) status = read_contacts(r, into);
  if (status == CL_OK) status = read_grids(r, into);
  into->hash = (cl_hash_log){into->hash.note, 0, into->hash.cap, 0, true, cl_read_u64(r)};
  if (status == CL_OK && r->bad) status = CL_INVALID;
  if (status != CL_OK) cl_snapshot_clear(into);
  return status;
}

// The rules of one group about all groups of a world, from those about the named ones and the one
// that stands for the others.
static uint64_t row_of(uint64_t row, unsigned groups, const uint8_t *group) {
  uint64_t all = groups < CL_MAX_GROUPS && row >> groups & 1 ? UINT64_MAX : 0;
  for (unsigned g = 0; g < groups; g++) {
    uint64_t bit = (uint64_t)1 << group[g];
    all = row >> g & 1 ? all | bit : all & ~bit;
  }
  return all;
}

void cl_snapshot_set_groups(cl_snapshot *s, unsigned groups, const uint8_t *group) {
  uint64_t hits_with[CL_MAX_GROUPS], notifies[CL_MAX_GROUPS];
  unsigned others = groups < CL_MAX_GROUPS ? groups : 0;
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    hits_with[g] = row_of(s->hits_with[others], groups, group);
    notifies[g] = row_of(s->notifies[others], groups, group);
  }
  for (unsigned g = 0; g < groups; g++) {
    hits_with[group[g]] = row_of(s->hits_with[g], groups, group);
    notifies[group[g]] = row_of(s->notifies[g], groups, group);
  }
  memcpy(s->hits_with, hits_with, sizeof hits_with);
  memcpy(s->notifies, notifies, sizeof notifies);
  s->one_sided = is_one_sided(s);
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    s->roster->entry[slot].group = group[s->roster->entry[slot].group];
  }
}

static bool is_same_bounds(cl_bounds a, cl_bounds b) {
  return a.l == b.l && a.t == b.t && a.r == b.r && a.b == b.b;
}

// Tiles are static, and are not turned.
static bool fits(const cl_snapshot *s, uint32_t slot, const cl_shape *shape) {
  if (!is_same_bounds(shape->bounds, s->bounds[slot])) return false;
  return !shape->grid || (s->roster->entry[slot].state & CL_STATIC && s->angle[slot] == 0);
}

cl_status cl_snapshot_set_shapes(cl_snapshot *s, cl_shape *const *shape, uint32_t *slot) {
  cl_roster *roster = s->roster;
  for (*slot = 0; *slot < roster->count; ++*slot) {
    if (roster->entry[*slot].state & CL_LIVE && !fits(s, *slot, shape[*slot])) return CL_INVALID;
  }
  cl_status status = cl_roster_set_shapes(roster, shape);
  if (status != CL_OK) return status;
  uint32_t fit = 0;
  while (fit < roster->grids && fit < s->copies &&
         cl_grid_count(roster->grid[fit]) == s->copy[fit]->size) {
    fit++;
  }
  if (fit == roster->grids && fit == s->copies) return CL_OK;
  *slot = fit < roster->grids ? cl_roster_slot_of(roster, roster->grid[fit]) : CL_NOBODY;
  cl_roster_drop_shapes(roster);
  return CL_INVALID;
}

bool cl_snapshot_touching(const cl_snapshot *s) { return s->touching; }

cl_roster_entry cl_snapshot_entry(const cl_snapshot *s, uint32_t slot) {
  return s->roster->entry[slot];
}
