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

// A world that has, by slot: a turned box that ignores the next two, two boxes, a map that moves, a
// swept circle that has met the static wall after it on its way, a removed box whose contact with
// the last box has ended, and that box. Since then the second one has moved, and the third one has
// become a circle.
static cl_world *open_busy_world(cl_io *io) {
  const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto};
  cl_world *w = cl_world_new(&def, io);
  cl_shape *box, *circle, *map, *wall;
  cl_grid *grid;
  const int64_t size[] = {1, 1};
  const double cell[] = {1, 1}, origin[] = {0, 0};
  CHECK(cl_shape_rectangle(&def.alloc, 0, 0, 10, 10, &box) == CL_OK);
  CHECK(cl_shape_rectangle(&def.alloc, 0, 0, 1, 10, &wall) == CL_OK);
  CHECK(cl_shape_circle(&def.alloc, 0, 0, 2, &circle) == CL_OK);
  CHECK(cl_grid_new(&def.alloc, 2, size, cell, origin, &grid) == CL_OK);
  CHECK(cl_shape_tiles(&def.alloc, grid, NULL, 0, &map) == CL_OK);
  CHECK(cl_world_use_angles(w) == CL_OK);
  const cl_actor_def actor[] = {
      {.shape = box, .angle = 1},       {.shape = box, .x = 30},
      {.shape = box, .x = 60},          {.shape = map, .x = 100},
      {.shape = circle, .swept = true}, {.shape = wall, .x = 200, .y = 195, .fixed = true},
      {.shape = box, .x = 300},         {.shape = box, .x = 305},
  };
  uint32_t slot;
  for (size_t i = 0; i < sizeof actor / sizeof *actor; i++) {
    CHECK(cl_world_add(w, &actor[i], &slot) == CL_OK && slot == i);
    cl_world_set_event_mask(w, slot, CL_EVENT_EVENTS, CL_EVENT_HIT | CL_EVENT_LEAVE);
  }
  cl_pair pair[] = {{0, 1}, {0, 2}};
  const uint32_t first = 0;
  CHECK(cl_world_set_ignored(w, &first, 1, pair, 2) == CL_OK);
  cl_world_put(w, 4, (cl_vec){100, 200}, 0);
  CHECK(cl_world_step(w, CL_ALL_DISPATCHED) == CL_OK);
  io->place[4].x = 300;
  CHECK(cl_world_remove(w, 6, CL_ALL_DISPATCHED));
  CHECK(cl_world_step(w, CL_ALL_DISPATCHED) == CL_OK);
  CHECK(cl_world_move_to(w, 1, (cl_vec){40, 0}, 0) == CL_OK);
  cl_world_refresh(w, 2, &(cl_actor_def){.shape = circle, .x = 60});
  cl_shape_release(box);
  cl_shape_release(wall);
  cl_shape_release(circle);
  cl_shape_release(map);
  cl_grid_release(grid);
  return w;
}

static void faults_of_a_busy_world_are_found(void) {
  cl_io io;
  cl_world *w = open_busy_world(&io);
  cl_actors *a = &w->actors;
  cl_contact_list *c = &w->contacts;
  REQUIRE(a->count == 8 && a->maps == 1 && c->now.count == 1 && c->ended.count == 1);
  REQUIRE(c->any_time && c->events == 2 && c->leaves == 1);
  REQUIRE(a->dirty_count == 1 && a->moved_count == 1);
  BREAKS(cl_world_is_valid(w), io.place, NULL);
  BREAKS(cl_world_is_valid(w), io.angle, NULL);
  BREAKS(cl_world_is_valid(w), io.state, NULL);
  BREAKS(cl_world_is_valid(w), io.contact, NULL);
  BREAKS(cl_world_is_valid(w), io.ended, NULL);
  BREAKS(cl_world_is_valid(w), io.event, NULL);
  BREAKS(cl_world_is_valid(w), io.leaves, 0);
  BREAKS(cl_world_is_valid(w), io.time, NULL);
  BREAKS(cl_world_is_valid(w), a->cap, 7);
  BREAKS(cl_world_is_valid(w), a->state[6], CL_STATIC);
  BREAKS(cl_world_is_valid(w), a->shape[6], a->shape[7]);
  BREAKS(cl_world_is_valid(w), a->unread[6], CL_EVENT_UPDATE);
  BREAKS(cl_world_is_valid(w), a->maps, 0);
  BREAKS(cl_world_is_valid(w), a->swept, 0);
  BREAKS(cl_world_is_valid(w), a->dirty_count, 0);
  BREAKS(cl_world_is_valid(w), a->dirty_slots[0], 0);
  BREAKS(cl_world_is_valid(w), a->moved_count, 0);
  BREAKS(cl_world_is_valid(w), a->moved_slots[0], 0);
  BREAKS(cl_world_is_valid(w), a->kinds.bounded, 1);
  BREAKS(cl_world_is_valid(w), a->kinds.link[a->kind[3]].uses, 0);
  BREAKS(cl_world_is_valid(w), a->kinds.at[a->kind[4]].block, &a->place[0].x);
  BREAKS(cl_world_is_valid(w), a->shape[4], a->shape[5]);
  BREAKS(cl_world_is_valid(w), a->place[5].y, 1);
  BREAKS(cl_world_is_valid(w), a->next_angle[5], 1);
  BREAKS(cl_world_is_valid(w), a->state[3], CL_LIVE);
  BREAKS(cl_world_is_valid(w), w->ignored.at[0].b, 0);
  BREAKS(cl_world_is_valid(w), w->ignored.at[0].b, 6);
  BREAKS(cl_world_is_valid(w), w->ignored.at[1].b, 8);
  BREAKS(cl_world_is_valid(w), w->ignored.at[1].b, 1);
  BREAKS(cl_world_is_valid(w), a->ignoring[0], 0);
  BREAKS(cl_world_is_valid(w), a->ignoring[2], 0);
  BREAKS(cl_world_is_valid(w), a->ignoring[2], 2);
  BREAKS(cl_world_is_valid(w), a->kept[6], 0);
  BREAKS(cl_world_is_valid(w), w->proxies.box[0].x0, -99);
  BREAKS(cl_world_is_valid(w), w->proxies.box[0].x1, 99);
  BREAKS(cl_world_is_valid(w), w->proxies.box[0].y0, -99);
  BREAKS(cl_world_is_valid(w), w->proxies.box[0].y1, 99);
  BREAKS(cl_world_is_valid(w), w->proxies.slot[6], 8);
  BREAKS(cl_world_is_valid(w), c->time[0], -2);
  BREAKS(cl_world_is_valid(w), c->hit[0].depth, 1);
  BREAKS(cl_world_is_valid(w), c->hit[0].depth, NAN);
  io.leaves = 3; // the world and the host agree
  BREAKS(io.leaves != c->leaves || cl_world_is_valid(w), c->leaves, 3);
  io.leaves = 1;
  BREAKS(cl_world_is_valid(w), c->event[0], 1);
  BREAKS(cl_world_is_valid(w), c->ended.bits[0], CL_NOTIFIED);
  BREAKS(cl_world_is_valid(w), c->ended.bits[0], c->ended.bits[0] | CL_CALL_HIT_A);
  BREAKS(cl_world_is_valid(w), c->now.bits[0], c->now.bits[0] | CL_CALL_LEAVE_A);
  BREAKS(cl_world_is_valid(w), c->ended.pair[0].a, c->ended.pair[0].b);
  cl_world_free(w);
}

static void faults_of_pools_are_found(void) {
  scene s;
  open_scene(&s);
  cl_pools *p = s.pools;
  cl_bullets *b = s.pool;
  BREAKS(cl_pools_are_valid(p), b->index, 1);
  BREAKS(cl_pool_is_valid(b), b->live, 4);
  BREAKS(cl_pool_is_valid(b), b->cap, 4);
  BREAKS(cl_pool_is_valid(b), b->most, 4);
  BREAKS(cl_pool_is_valid(b), b->dead[2], 1);
  BREAKS(cl_pool_is_valid(b), b->number[2], b->number[1]);
  BREAKS(cl_pool_is_valid(b), b->number[4], 99);
  BREAKS(cl_pool_is_valid(b), b->age[3], 99);
  BREAKS(cl_pool_is_valid(b), b->radius[0], 0);
  BREAKS(cl_pool_is_valid(b), b->radius[0], 7);
  BREAKS(cl_pool_is_valid(b), b->x[0], NAN);
  BREAKS(cl_pool_is_valid(b), b->y[0], NAN);
  BREAKS(cl_pool_is_valid(b), b->most, 20);
  BREAKS(cl_pool_is_valid(b), b->lasers, 0);
  BREAKS(cl_pool_is_valid(b), b->laser[0].number, 99);
  BREAKS(cl_pool_is_valid(b), b->laser[0].number, 0);
  size_t i = p->cursor;
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].pool, 1);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].t, 2);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].t, -1);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].actor, 3);
  BREAKS(cl_pools_are_valid(p), p->shots.at[i].number, 99);
  CHECK(p->met.count > 2);
  BREAKS(cl_pools_are_valid(p), p->met.at[1], p->met.at[0]);
  close_scene(&s);
}

int main(void) {
  RUN(faults_of_worlds_are_found);
  RUN(faults_of_a_busy_world_are_found);
  RUN(faults_of_pools_are_found);
  return test_end();
}
