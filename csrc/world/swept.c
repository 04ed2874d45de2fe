// collide, MIT licence (see LICENSE)
//
// Swept actors: the boxes of ways for the broad phase, and who has met on them. Layer: world.

#include "world/swept.h"

#include "narrow/swept_overlap.h"
#include "world/targets.h"

void cl_swept_place(cl_world *world, const cl_vec *at, const uint32_t *list, uint32_t from,
                    uint32_t end) {
  cl_proxies *proxies = &world->proxies;
  for (uint32_t k = from; k < end; k++) {
    uint32_t n = list ? list[k] : k, slot = proxies->slot[n];
    cl_fbox f = proxies->box[n];
    cl_vec d = cl_vec_sub(at[slot], cl_actor_way_from(&world->actors, slot, world->steps));
    if (d.x != 0 || d.y != 0) {
      cl_bounds b = {f.x0, f.y0, f.x1, f.y1};
      b = cl_bounds_join(b, (cl_bounds){b.l - d.x, b.t - d.y, b.r - d.x, b.b - d.y});
      b = cl_bounds_grown(b, cl_motion_slack(b));
      f = cl_fbox_of(b.l, b.t, b.r, b.b);
      proxies->static_ways |= proxies->fixed[n];
    }
    proxies->way[n] = f;
  }
}

void cl_swept_note_statics(cl_world *world) {
  world->actors.static_version += world->proxies.static_ways;
  world->proxies.static_ways = false;
}

// An actor where its way begins, turned as at the end of it, which is written to `way`.
static cl_placed start_of(const cl_world *world, uint32_t slot, cl_vec *way) {
  const cl_actors *actors = &world->actors;
  cl_vec from = cl_actor_way_from(actors, slot, world->steps - 1); // this step counts already
  cl_placed placed = cl_actor_placed(actors, slot, false);
  *way = cl_vec_sub(actors->next[slot], from);
  placed.x = from.x;
  placed.y = from.y;
  return placed;
}

bool cl_swept_meet(const cl_world *world, cl_pair pair, cl_hit *hit, double *t) {
  const uint8_t *state = world->actors.state;
  if (!((state[pair.a] | state[pair.b]) & CL_SWEPT)) return false;
  cl_vec way, other_way;
  cl_placed a = start_of(world, pair.a, &way), b = start_of(world, pair.b, &other_way);
  cl_first_meeting met;
  if (!cl_swept_overlap(&a, cl_vec_sub(way, other_way), &b, world->touching, &met)) return false;
  *hit = (cl_hit){met.nx, met.ny, 0};
  *t = met.t;
  return true;
}
