// collide, MIT licence (see LICENSE)
//
// The checks of worlds and pools: valid ones pass, and every fault is found.

#include "test.h"

#include "bullets/state.h"
#include "world/state.h"

typedef struct scene {
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool;
} scene;

static void step(scene *s) {
  cl_shot shot;
  CHECK(cl_world_begin_step(s->world, CL_ALL_DISPATCHED) == CL_OK);
  CHECK(cl_pools_begin_step(s->pools, 1 / 60.0) == CL_OK);
  cl_world_end_step(s->world);
  cl_pools_end_step(s->pools);
  CHECK(cl_pools_next_shot(s->pools, &shot));
}

// Three boxes that hit each other, one of them static, and bullets.
static void open_scene(scene *s) {
  const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto};
  *s = (scene){0};
  s->world = cl_world_new(&def, &s->io);
  s->pools = cl_pools_new(&def.alloc, s->world);
  cl_shape *box;
  uint32_t slot;
  CHECK(cl_shape_rectangle(&def.alloc, 0, 0, 10, 10, &box) == CL_OK);
  for (int i = 0; i < 3; i++) {
    const cl_actor_def actor = {.shape = box, .x = 6 * i, .fixed = i == 2};
    CHECK(cl_world_add(s->world, &actor, &slot) == CL_OK);
    cl_world_set_event_mask(s->world, slot, CL_EVENT_EVENTS, CL_EVENT_HIT);
  }
  cl_shape_release(box);
  const cl_bullets_def bullets = {
      .capacity = 20, .radius = 1, .bounds = {-100, -100, 100, 100}, .lifetime = 5, .pierce = true};
  CHECK(cl_bullets_new(s->pools, &bullets, &s->pool) == CL_OK);
  cl_bullets_set_event_mask(s->pool, CL_BULLET_EVENT_HIT);
  for (int i = 0; i < 5; i++)
    cl_bullets_spawn(s->pool, (cl_vec){3 * i, 5}, (cl_vec){1, 0}, (cl_vec){0, 0}, i);
  uint64_t number;
  const double xy[] = {0, 0, 20, 0};
  const cl_laser_def laser = {xy, 2, 1, 0, INFINITY, 0};
  CHECK(cl_bullets_spawn_laser(s->pool, &laser, &number) == CL_OK && number > 0);
  s->io.place[0].x = 4;
  step(s);
  CHECK(s->world->contacts.now.count == 3 && s->pools->shots.count > 5);
  CHECK(cl_world_is_valid(s->world) && cl_pools_are_valid(s->pools));
}

static void close_scene(scene *s) {
  cl_pools_free(s->pools);
  cl_world_free(s->world);
}

// Breaks one value for a moment.
#define BREAKS(valid, what, broken)                                                                \
  do {                                                                                             \
    __typeof__(what) kept = (what);                                                                \
    (what) = (broken);                                                                             \
    CHECK(!(valid));                                                                               \
    (what) = kept;                                                                                 \
    CHECK(valid);                                                                                  \
  } while (0)

static void faults_of_worlds_are_found(void) {
  scene s;
  open_scene(&s);
  cl_world *w = s.world;
  cl_actors *a = &w->actors;
  cl_contact_list *c = &w->contacts;
  BREAKS(cl_world_is_valid(w), a->live, 2);
  BREAKS(cl_world_is_valid(w), a->state[1], 0);
  BREAKS(cl_world_is_valid(w), a->shape[0], NULL);
  BREAKS(cl_world_is_valid(w), a->kind[0], 99);
  BREAKS(cl_world_is_valid(w), a->group[1], 64);
  BREAKS(cl_world_is_valid(w), a->place[0].x, NAN);
  BREAKS(cl_world_is_valid(w), a->next[2].x, 1);
  BREAKS(cl_world_is_valid(w), a->unread_events, 5);
  BREAKS(cl_world_is_valid(w), a->unread_updates, 1);
  BREAKS(cl_world_is_valid(w), a->event_mask[0], 16);
  BREAKS(cl_world_is_valid(w), a->dirty[1], 1);
  BREAKS(cl_world_is_valid(w), a->kinds.form[CL_FORM_BOX], 2);
  BREAKS(cl_world_is_valid(w), w->proxies.box[1].x0, 1);
  BREAKS(cl_world_is_valid(w), w->proxies.slot[1], 0);
  BREAKS(cl_world_is_valid(w), w->proxies.count, 2);
  BREAKS(cl_world_is_valid(w), w->proxies.fixed[2], 0);
  BREAKS(cl_world_is_valid(w), c->now.pair[0].b, 0);
  BREAKS(cl_world_is_valid(w), c->now.pair[1].b, 3);
  BREAKS(cl_world_is_valid(w), c->now.pair[1], c->now.pair[0]);
  BREAKS(cl_world_is_valid(w), c->hit[0].nx, 2);
  BREAKS(cl_world_is_valid(w), c->hit[0].depth, -1);
  BREAKS(cl_world_is_valid(w), w->candidates.at[0], w->candidates.at[1]);
  BREAKS(cl_world_is_valid(w), w->rules.hits_with[3], 1);
  BREAKS(cl_world_is_valid(w), s.io.slots, 2);
  BREAKS(cl_world_is_valid(w), s.io.events, 4);
  close_scene(&s);
}

static void faults_of_pools_are_found(void) {
  scene s;
  open_scene(&s);
  cl_pools *p = s.pools;
  cl_bullets *b = s.pool;
  BREAKS(cl_pools_are_valid(p), b->index, 1);
  BREAKS(cl_pool_is_valid(b), b->live, 4);
  BREAKS(cl_pool_is_valid(b), b->dead[2], 1);
  BREAKS(cl_pool_is_valid(b), b->number[2], b->number[1]);
  BREAKS(cl_pool_is_valid(b), b->number[4], 99);
  BREAKS(cl_pool_is_valid(b), b->age[3], 99);
  BREAKS(cl_pool_is_valid(b), b->radius[0], 0);
  BREAKS(cl_pool_is_valid(b), b->radius[0], 7);
  BREAKS(cl_pool_is_valid(b), b->x[0], NAN);
  BREAKS(cl_pool_is_valid(b), b->most, 20);
  BREAKS(cl_pool_is_valid(b), b->lasers, 0);
  BREAKS(cl_pool_is_valid(b), b->laser[0].number, 99);
  size_t i = p->cursor;
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].pool, 1);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].t, 2);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].actor, 3);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].number, 99);
  CHECK(p->met.count > 2);
  BREAKS(cl_pools_are_valid(p), p->met.at[1], p->met.at[0]);
  close_scene(&s);
}

int main(void) {
  RUN(faults_of_worlds_are_found);
  RUN(faults_of_pools_are_found);
  return test_end();
}
