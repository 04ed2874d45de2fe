// collide, MIT licence (see LICENSE)
//
// Writes snapshots as bytes. unpack.c reads them in the same order. Layer: world.

#include "world/pack.h"

#include <string.h>

#include "world/hash.h"

static void mark(uint32_t *number, const cl_links *links) {
  for (size_t i = 0; i < links->count; i++) {
    number[links->pair[i].a] = number[links->pair[i].b] = 0;
  }
}

uint32_t cl_snapshot_number(const cl_snapshot *s, uint32_t *number) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    number[slot] = s->roster->entry[slot].state & CL_LIVE ? 0 : CL_NOBODY;
  }
  mark(number, &s->now);
  mark(number, &s->ended);
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    if (number[slot] != CL_NOBODY) number[slot] = count++;
  }
  return count;
}

static void write_vec(cl_writer *w, cl_vec v) {
  cl_write_f64(w, v.x);
  cl_write_f64(w, v.y);
}

static void write_bounds(cl_writer *w, cl_bounds b) {
  cl_write_f64(w, b.l);
  cl_write_f64(w, b.t);
  cl_write_f64(w, b.r);
  cl_write_f64(w, b.b);
}

static void write_actor(const cl_snapshot *s, uint32_t slot, const uint8_t *place, cl_writer *w) {
  const cl_roster_entry *entry = &s->roster->entry[slot];
  const cl_shape *shape = s->roster->shape[slot];
  cl_write_u8(w, entry->state);
  cl_write_u8(w, place[entry->group]);
  cl_write_u8(w, entry->event_mask);
  cl_write_u8(w, entry->unread);
  if (!(entry->state & CL_LIVE)) {
    cl_write_f64(w, s->place[slot].x); // the progress of the dispatch
    return;
  }
  write_vec(w, s->place[slot]);
  write_vec(w, s->before[slot]);
  cl_write_f64(w, s->turned ? s->angle[slot] : 0);
  cl_write_f64(w, s->turned ? s->angle_before[slot] : 0);
  write_bounds(w, shape ? shape->bounds : s->bounds[slot]);
}

static bool is_live(const cl_snapshot *s, uint32_t slot) {
  return s->roster->entry[slot].state & CL_LIVE;
}

static void write_actors(const cl_snapshot *s, const uint32_t *number, const uint8_t *place,
                         cl_writer *w) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < s->roster->count; slot++) count += number[slot] != CL_NOBODY;
  cl_write_u32(w, count);
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    if (number[slot] != CL_NOBODY) write_actor(s, slot, place, w);
  }
  uint32_t motions = 0; // of actors that still exist
  for (size_t i = 0; i < s->motions; i++) motions += is_live(s, s->motion[i].slot);
  cl_write_u32(w, motions);
  for (size_t i = 0; i < s->motions; i++) {
    const cl_snapshot_motion *motion = &s->motion[i];
    if (!is_live(s, motion->slot)) continue;
    cl_write_u32(w, number[motion->slot]);
    cl_write_u8(w, motion->before);
    write_vec(w, motion->from);
    cl_write_f64(w, motion->from_angle);
  }
}

// For the groups in their order and, if there can be others, one of the others.
static void write_rules(const cl_snapshot *s, unsigned groups, const uint8_t *order, unsigned other,
                        cl_writer *w) {
  unsigned rows = groups < CL_MAX_GROUPS ? groups + 1 : groups;
  for (unsigned i = 0; i < rows; i++) {
    for (unsigned k = 0; k < rows; k++) {
      unsigned g = i < groups ? order[i] : other, h = k < groups ? order[k] : other;
      cl_write_u8(w, (unsigned)((s->hits_with[g] >> h & 1) | (s->notifies[g] >> h & 1) << 1));
    }
  }
}

// The first group that is not among these, or the number of groups.
static unsigned other_group(unsigned groups, const uint8_t *order) {
  uint64_t has = 0;
  for (unsigned i = 0; i < groups; i++) has |= (uint64_t)1 << order[i];
  unsigned other = 0;
  while (other < CL_MAX_GROUPS && has >> other & 1) other++;
  return other;
}

// Whether some group gets events of `g` but not of `other`, or the reverse.
static bool is_column_other(const cl_snapshot *s, unsigned g, unsigned other) {
  for (unsigned h = 0; h < CL_MAX_GROUPS; h++) {
    if ((s->notifies[h] >> g ^ s->notifies[h] >> other) & 1) return true;
  }
  return false;
}

uint64_t cl_snapshot_groups(const cl_snapshot *s, unsigned named, const uint32_t *number) {
  uint64_t used = 0;
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    if (number[slot] != CL_NOBODY) used |= (uint64_t)1 << s->roster->entry[slot].group;
  }
  for (unsigned g = 0; g < named; g++) {
    if (named == CL_MAX_GROUPS) used |= (uint64_t)1 << g;
    else if (s->hits_with[g] != s->hits_with[named] || s->notifies[g] != s->notifies[named] ||
             is_column_other(s, g, named)) {
      used |= (uint64_t)1 << g;
    }
  }
  return used;
}

static void write_links(const cl_links *links, const uint32_t *number, bool bits, cl_writer *w) {
  cl_write_u32(w, (uint32_t)links->count);
  for (size_t i = 0; i < links->count; i++) {
    cl_write_u32(w, number[links->pair[i].a]);
    cl_write_u32(w, number[links->pair[i].b]);
    if (bits) cl_write_u8(w, links->bits[i]);
  }
}

static void write_contacts(const cl_snapshot *s, const uint32_t *number, cl_writer *w) {
  cl_write_u8(w, s->over);
  cl_write_u8(w, s->cut);
  cl_write_u8(w, s->any_muted);
  cl_write_u8(w, s->any_time);
  cl_write_u8(w, s->enters_wanted);
  cl_write_u8(w, s->leaves_wanted);
  write_links(&s->now, number, !s->over, w);
  for (size_t i = 0; i < s->now.count; i++) {
    cl_write_f64(w, s->hit[i].nx);
    cl_write_f64(w, s->hit[i].ny);
    cl_write_f64(w, s->hit[i].depth);
    if (s->any_muted) cl_write_u8(w, s->muted[i]);
    if (s->any_time) cl_write_f64(w, s->time[i]);
  }
  if (s->over) return;
  cl_write_f64(w, s->dispatched);
  write_links(&s->ended, number, true, w);
  cl_write_u32(w, s->leaves);
  cl_write_u32(w, s->events);
  for (uint32_t e = 0; e < s->events; e++) cl_write_u32(w, s->event[e]);
}

static void write_grids(const cl_snapshot *s, cl_writer *w) {
  cl_write_u32(w, s->copies);
  for (uint32_t i = 0; i < s->copies; i++) {
    cl_write_u32(w, (uint32_t)s->copy[i]->size);
    cl_write_bytes(w, s->copy[i]->bytes, s->copy[i]->size);
  }
}

static cl_status write_hash(const cl_snapshot *s, cl_writer *w, uint64_t *hash) {
  uint32_t slots = s->hash.slots;
  uint32_t *rank = cl_new_array(&w->alloc, slots + 1, sizeof *rank);
  if (!rank) return CL_NOMEM;
  const cl_hashed_step step = {.place = s->place,
                               .angle = s->turned ? s->angle : NULL,
                               .state = s->roster->entry ? &s->roster->entry->state : NULL,
                               .stride = sizeof *s->roster->entry,
                               .rank = rank,
                               .hits = s->now.count,
                               .pair = s->now.pair,
                               .hit = s->hit,
                               .time = s->any_time ? s->time : NULL,
                               .log = &s->hash};
  *hash = cl_hash_of_step(&step);
  cl_write_u64(w, *hash);
  CL_FREE(&w->alloc, rank, slots + 1);
  return CL_OK;
}

cl_status cl_snapshot_write(const cl_snapshot *s, unsigned groups, const uint8_t *order,
                            const uint32_t *number, cl_writer *w, uint64_t *hash,
                            size_t end[CL_PACK_PARTS]) {
  uint8_t place[CL_MAX_GROUPS] = {0};
  assert(s->roster && groups <= CL_MAX_GROUPS);
  for (unsigned i = 0; i < groups; i++) place[order[i]] = (uint8_t)i;
  cl_write_u8(w, s->touching);
  write_actors(s, number, place, w);
  end[CL_PACK_ACTORS] = w->count;
  write_rules(s, groups, order, other_group(groups, order), w);
  end[CL_PACK_RULES] = w->count;
  write_contacts(s, number, w);
  end[CL_PACK_CONTACTS] = w->count;
  write_grids(s, w);
  end[CL_PACK_CELLS] = w->count;
  return write_hash(s, w, hash);
}
