// collide, MIT licence (see LICENSE)
//
// A world's life. Layer: world.

#include "geom/box.h"
#include "world/hash.h"
#include "world/mover.h"
#include "world/roster.h"
#include "world/step.h"

cl_world *cl_world_new(const cl_world_def *def, cl_io *io) {
  assert(def->broad && def->depth <= CL_BROAD_MAX_DEPTH);
  assert(def->width >= 0 && def->width <= CL_MAX_COORD);
  assert(def->height >= 0 && def->height <= CL_MAX_COORD);
  cl_world *world = cl_new(&def->alloc, sizeof *world);
  if (!world) return NULL;
  world->alloc = def->alloc;
  world->io = io;
  world->actors.order = world->actors.static_version = world->steps = 1;
  world->touching = def->touching;
  cl_broad_def broad = {
      .alloc = def->alloc,
      .field = cl_fbox_of(0, 0, def->width, def->height),
      .bounded = def->width > 0 && def->height > 0,
      .depth = def->depth,
  };
  world->broad = def->broad->open(&broad);
  if (!world->broad) {
    cl_free(&world->alloc, world, sizeof *world);
    return NULL;
  }
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    world->hits_with[g] = def->listed ? 0 : UINT64_MAX;
    world->notifies[g] = UINT64_MAX;
  }
  *io = (cl_io){0};
  return world;
}

void cl_world_free(cl_world *world) {
  cl_alloc alloc = world->alloc;
  if (world->roster) cl_roster_release(world->roster);
  cl_actors_free(&world->actors, &alloc);
  world->broad->class->close(world->broad);
  cl_proxies_free(&world->proxies, &alloc);
  cl_pairs_free(world);
  cl_contacts_free(world);
  cl_contact_list_free(&world->contacts, &alloc);
  cl_moves_free(&world->moves, &alloc);
  cl_hit_index_free(&world->hit_index, &alloc);
  cl_hash_free(&world->hash, &alloc);
  cl_movement_free(world->movement, &alloc);
  CL_FREE(&alloc, world->touched.at, world->touched.cap);
  CL_FREE(&alloc, world->answer, world->answer_cap);
  *world->io = (cl_io){0};
  cl_free(&alloc, world, sizeof *world);
}

void cl_world_show(cl_world *world) {
  cl_io *io = world->io;
  const cl_contact_list *contacts = &world->contacts;
  io->place = world->actors.next;
  io->angle = world->actors.next_angle;
  io->state = world->actors.state;
  io->slots = world->actors.count;
  io->event = contacts->event;
  io->contact = contacts->now.pair;
  io->hit = contacts->hit;
  io->calls = contacts->now.bits;
  io->ended = contacts->ended.pair;
  io->ended_calls = contacts->ended.bits;
  io->time = contacts->any_time ? contacts->time : NULL;
}
