// collide, MIT licence (see LICENSE)
//
// Swept actors: the boxes of their ways for the broad phase, and the meetings on them.
// Layer: world.

#include "world/swept.h"

#include "geom/box.h"
#include "narrow/cast.h"
#include "world/targets.h"

bool cl_swept_way(const cl_world *world, uint32_t slot, cl_vec at, cl_bounds *b) {
  cl_vec d = cl_vec_sub(at, cl_actor_way_from(&world->actors, slot, world->steps));
  if (d.x == 0 && d.y == 0) return false;
  *b = cl_bounds_join(*b, cl_bounds_moved(*b, (cl_vec){-d.x, -d.y}));
  *b = cl_bounds_grown(*b, cl_motion_slack(*b));
  return true;
}

void cl_swept_place(cl_world *world, const cl_vec *at, const uint32_t *list, uint32_t from,
                    uint32_t end) {
  cl_proxies *proxies = &world->proxies;
  for (uint32_t k = from; k < end; k++) {
    uint32_t n = list ? list[k] : k, slot = proxies->slot[n];
    cl_fbox f = proxies->box[n];
    cl_bounds b = {f.x0, f.y0, f.x1, f.y1};
    if (cl_swept_way(world, slot, at[slot], &b)) {
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

// Whether they meet on their way to the places `to`, in the interval after `steps` steps.
static bool meet(const cl_world *world, cl_pair pair, const cl_placed to[2], uint64_t steps,
                 cl_hit *hit, double *t) {
  const cl_actors *actors = &world->actors;
  if (!((actors->state[pair.a] | actors->state[pair.b]) & CL_SWEPT)) return false;
  cl_vec p = cl_actor_way_from(actors, pair.a, steps), q = cl_actor_way_from(actors, pair.b, steps);
  cl_vec way = {to[0].x - p.x, to[0].y - p.y}, other_way = {to[1].x - q.x, to[1].y - q.y};
  cl_placed a = {to[0].shape, p.x, p.y, to[0].rot}, b = {to[1].shape, q.x, q.y, to[1].rot};
  cl_first_meeting met;
  if (!cl_swept_overlap(&a, cl_vec_sub(way, other_way), &b, world->touching, &met)) return false;
  *hit = (cl_hit){met.nx, met.ny, 0};
  *t = met.t;
  return true;
}

bool cl_swept_meet(const cl_world *world, cl_pair pair, cl_hit *hit, double *t) {
  const cl_actors *actors = &world->actors;
  const cl_placed to[2] = {cl_actor_placed(actors, pair.a, false),
                           cl_actor_placed(actors, pair.b, false)};
  return meet(world, pair, to, world->steps - 1, hit, t); // this step counts already
}

bool cl_world_would_meet(const cl_world *world, cl_pair pair, const cl_placed to[2], cl_hit *hit,
                         double *t) {
  assert(!world->begun && cl_world_has(world, pair.a) && cl_world_has(world, pair.b));
  return meet(world, pair, to, world->steps, hit, t);
}
