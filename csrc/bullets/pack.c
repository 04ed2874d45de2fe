// collide, MIT licence (see LICENSE)
//
// Writes snapshots of pools as bytes. unpack.c reads them in the same order. Layer: bullets.

#include "bullets/pack.h"

#include "bullets/hash.h"

static void write_points(const cl_shape *shape, cl_writer *w) {
  // For each capsule both ends; of those after the first, only the second end is new.
  uint32_t count = (uint32_t)cl_shape_point_count(shape);
  uint32_t points = count / 2 + 1;
  cl_write_u32(w, points);
  for (uint32_t i = 0; i < points; i++) {
    cl_vec p = cl_shape_point(shape, i == 0 ? 0 : 2 * (uint64_t)i - 1);
    cl_write_f64(w, p.x);
    cl_write_f64(w, p.y);
  }
}

static void write_laser(const cl_laser *laser, cl_writer *w) {
  const cl_bullet *at = &laser->at;
  const double numbers[] = {(double)laser->number,
                            at->x,
                            at->y,
                            at->vx,
                            at->vy,
                            at->ax,
                            at->ay,
                            at->radius,
                            at->tag,
                            at->age,
                            laser->warmup,
                            laser->lifetime};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) cl_write_f64(w, numbers[i]);
  write_points(laser->shape, w);
}

static void write_pool(const cl_kept_pool *kept, cl_writer *w) {
  cl_write_u32(w, kept->def.capacity);
  cl_write_f64(w, kept->def.radius);
  cl_write_u8(w, kept->def.lifetime < INFINITY);
  cl_write_f64(w, kept->clock);
  cl_write_u64(w, kept->hits);
  cl_write_u64(w, kept->grazes);
  cl_write_u8(w, kept->accelerates);
  cl_write_u8(w, kept->survives);
  cl_write_u32(w, kept->count);
  size_t numbers = (size_t)cl_kept_fields(kept) * kept->count;
  for (size_t i = 0; i < numbers; i++) cl_write_f64(w, kept->number[i]);
  if (kept->survives) cl_write_bytes(w, kept->survived, kept->count);
  cl_write_u32(w, kept->lasers);
  for (uint32_t i = 0; i < kept->lasers; i++) write_laser(&kept->laser[i], w);
}

static bool is_live(const cl_pack_actors *actors, uint32_t slot) {
  uint32_t number = actors->number[slot];
  return number != CL_NOBODY && actors->live[number];
}

// Whether the target of a shot still exists.
static bool stands(const cl_pack_actors *actors, const cl_shot *shot) {
  if (shot->kind == CL_SHOT_EXPIRED || shot->actor == CL_SHOT_BULLET) return true;
  return shot->actor != CL_SHOT_NOBODY && is_live(actors, shot->actor);
}

static void write_shot(const cl_pack_actors *actors, const cl_shot *shot, cl_writer *w) {
  bool about = shot->kind != CL_SHOT_EXPIRED;
  bool bullet = about && shot->actor == CL_SHOT_BULLET;
  uint32_t actor = CL_SHOT_NOBODY;
  if (bullet) actor = CL_SHOT_BULLET;
  else if (about && stands(actors, shot)) actor = actors->number[shot->actor];
  cl_write_u64(w, shot->number);
  cl_write_u32(w, shot->pool);
  cl_write_u32(w, actor);
  cl_write_u64(w, bullet ? shot->other : 0);
  cl_write_u32(w, bullet ? shot->other_pool : 0);
  cl_write_u8(w, shot->kind);
  cl_write_u8(w, shot->wanted);
  cl_write_u8(w, shot->sure);
  const double numbers[] = {shot->nx, shot->ny, shot->t, shot->x, shot->y, shot->left};
  for (int i = 0; i < 6; i++) cl_write_f64(w, numbers[i]);
}

static void write_shots(const cl_pack_actors *actors, const cl_shots *shots, cl_writer *w) {
  uint32_t count = 0;
  for (size_t i = 0; i < shots->count; i++) count += stands(actors, &shots->at[i]);
  cl_write_u32(w, count);
  for (size_t i = 0; i < shots->count; i++) {
    if (stands(actors, &shots->at[i])) write_shot(actors, &shots->at[i], w);
  }
}

static bool is_met(const cl_pack_actors *actors, const cl_met *met) {
  if (met->flags == 0) return false;
  return met->other & CL_OTHER_BULLET || is_live(actors, (uint32_t)met->other);
}

static void write_mets(const cl_pack_actors *actors, const cl_mets *mets, cl_writer *w) {
  uint32_t count = 0;
  for (size_t i = 0; i < mets->count; i++) count += is_met(actors, &mets->at[i]);
  cl_write_u32(w, count);
  for (size_t i = 0; i < mets->count; i++) {
    const cl_met *met = &mets->at[i];
    if (!is_met(actors, met)) continue;
    bool bullet = met->other & CL_OTHER_BULLET;
    cl_write_u64(w, met->number);
    cl_write_u64(w, bullet ? met->other : actors->number[met->other]);
    cl_write_u32(w, met->pool);
    cl_write_u8(w, met->flags);
  }
}

static cl_hashed_pool pool_at(const void *of, uint32_t p) {
  const cl_bullets_snapshot *s = of;
  const cl_kept_pool *kept = &s->pool[p];
  return (cl_hashed_pool){.number = CL_AT(kept->number, (size_t)CL_KEPT_NUMBER * kept->count),
                          .x = CL_AT(kept->number, (size_t)CL_KEPT_X * kept->count),
                          .y = CL_AT(kept->number, (size_t)CL_KEPT_Y * kept->count),
                          .used = kept->count,
                          .laser = kept->laser,
                          .laser_used = kept->lasers,
                          .hits = kept->hits,
                          .grazes = kept->grazes};
}

void cl_bullets_snapshot_write(cl_bullets_snapshot *s, uint64_t hash, const cl_pack_actors *actors,
                               cl_writer *w) {
  cl_write_u32(w, s->pools);
  cl_write_f64(w, s->last);
  for (uint32_t i = 0; i < s->pools; i++) write_pool(&s->pool[i], w);
  write_shots(actors, &s->shots, w);
  write_shots(actors, &s->rest, w);
  write_mets(actors, &s->met, w);
  cl_write_u8(w, s->begun);
  if (s->begun) write_shot(actors, &s->current, w);
  const cl_moment *m = &s->moment;
  cl_write_u8(w, m->active);
  if (m->active) {
    cl_write_u32(w, m->pool);
    cl_write_u32(w, m->set);
    cl_write_u64(w, m->number);
    const double numbers[] = {m->x, m->y, m->vx, m->vy, m->left};
    for (int i = 0; i < 5; i++) cl_write_f64(w, numbers[i]);
  }
  cl_write_u8(w, s->log.over);
  if (s->log.over) cl_write_u64(w, cl_hash_of_pools(hash, &s->log, s->pools, pool_at, s));
}
