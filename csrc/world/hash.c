// collide, MIT licence (see LICENSE)
//
// A hash of all results of a step. It is computed when it is asked for, which is rare. Until then,
// changes after the step are noted. Layer: world.

#include "base/hash.h"
#include "world/hash.h"
#include "world/targets.h"

// The fewest notes that are kept, and the number of slots for each further one.
enum { FEW_NOTES = 16, SLOTS_PER_NOTE = 16 };

#define NO_NOTE UINT32_MAX

void cl_hash_begin_log(cl_world *world) {
  cl_hash_log *log = &world->hash;
  log->count = 0;
  log->slots = world->actors.count;
  log->known = false;
}

void cl_hash_free(cl_hash_log *log, const cl_alloc *alloc) { CL_FREE(alloc, log->note, log->cap); }

void cl_hash_note_actor(cl_world *world, uint32_t slot) {
  cl_hash_log *log = &world->hash;
  const cl_actors *actors = &world->actors;
  if (log->known || slot >= log->slots) return;
  if (log->count > 0 && log->note[log->count - 1].slot == slot) return;
  if (log->count >= FEW_NOTES + log->slots / SLOTS_PER_NOTE ||
      CL_RESERVE(&world->alloc, log->note, log->cap, log->count + 1) != CL_OK) {
    cl_world_hash_begin(world);
    return;
  }
  log->note[log->count++] =
      (cl_hash_note){actors->place[slot], actors->angle ? actors->angle[slot] : 0, slot};
}

// The places of the actors. Hits refer to an actor by its rank among them, because its slot depends
// on when gaps were closed.
static uint64_t add_places(uint64_t hash, const cl_hashed_step *step) {
  const cl_hash_log *log = step->log;
  uint32_t *note = step->rank, rank = 0;
  for (uint32_t slot = 0; slot < log->slots; slot++) note[slot] = NO_NOTE;
  for (size_t k = log->count; k-- > 0;) note[log->note[k].slot] = (uint32_t)k;
  for (uint32_t slot = 0; slot < log->slots; slot++) {
    bool noted = note[slot] != NO_NOTE;
    if (!noted && !(step->state[slot * step->stride] & CL_LIVE)) continue;
    cl_vec at = noted ? log->note[note[slot]].at : step->place[slot];
    double angle = step->angle ? step->angle[slot] : 0;
    if (noted) angle = log->note[note[slot]].angle;
    step->rank[slot] = rank++;
    hash = cl_hash_number(hash, at.x);
    hash = cl_hash_number(hash, at.y);
    hash = cl_hash_number(hash, angle);
  }
  return hash;
}

uint64_t cl_hash_of_step(const cl_hashed_step *step) {
  if (step->log->known) return step->log->hash;
  uint64_t hash = add_places(CL_HASH_BEGIN, step);
  for (size_t k = 0; k < step->hits; k++) {
    cl_pair pair = step->pair[k];
    cl_hit hit = step->hit[k];
    hash = cl_hash_word(cl_hash_word(hash, step->rank[pair.a]), step->rank[pair.b]);
    hash = cl_hash_number(hash, hit.nx);
    hash = cl_hash_number(hash, hit.ny);
    hash = cl_hash_number(hash, hit.depth);
    bool met = step->time && step->time[k] >= 0;
    if (met) hash = cl_hash_number(hash, step->time[k]);
  }
  return hash;
}

uint64_t cl_world_hash_begin(cl_world *world) {
  cl_hash_log *log = &world->hash;
  const cl_actors *actors = &world->actors;
  const cl_contact_list *contacts = &world->contacts;
  const cl_hashed_step step = {.place = actors->place,
                               .angle = actors->angle,
                               .state = actors->state,
                               .stride = 1,
                               .rank = actors->rank,
                               .hits = contacts->now.count,
                               .pair = contacts->now.pair,
                               .hit = contacts->hit,
                               .time = contacts->any_time ? contacts->time : NULL,
                               .log = log};
  log->hash = cl_hash_of_step(&step);
  log->known = true;
  return log->hash;
}

uint64_t cl_world_hash(cl_world *world) { return cl_hash_end(cl_world_hash_begin(world)); }
