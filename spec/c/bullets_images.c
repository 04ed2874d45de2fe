// collide, MIT licence (see LICENSE)
//
// Bullets and lasers among actors, and their images: mirrored or turned by a quarter, with the
// actors added in another order. Every event and every place must be the image, to the bit.

#include "images.h"

#include "collide.h"

enum { ACTORS = 10, BULLETS = 12, POOLS = 2, LASERS = 2, STEPS = 6, SHOTS = 4000 };

static cl_alloc alloc;

typedef struct scene {
  int actors;
  made *shape[ACTORS];
  cl_vec place[STEPS][ACTORS];
  double angle[STEPS][ACTORS];
  bool fixed[ACTORS];
  cl_vec at[POOLS][BULLETS], v[POOLS][BULLETS], a[POOLS][BULLETS], laser[LASERS][3];
  bool pierce[POOLS], bullets[POOLS], bounces[POOLS];
  double radius[POOLS], graze[POOLS], length[POOLS][BULLETS];
} scene;

static void make_scene(scene *s) {
  bool coarse = test_int(0, 1), turns = test_int(0, 1), falls = test_int(0, 3) == 0;
  bool needles = test_int(0, 1);
  s->actors = test_int(1, ACTORS);
  for (int i = 0; i < s->actors; i++) {
    s->shape[i] = make_one(test_int(0, MADE_COMPOUND), coarse);
    s->fixed[i] = test_int(0, 1);
    for (int k = 0; k < STEPS; k++) {
      bool stays = k > 0 && (s->fixed[i] || test_int(0, 1));
      s->place[k][i] = stays ? s->place[k - 1][i] : made_point(coarse, 10);
      s->angle[k][i] = stays ? s->angle[k - 1][i] : turns ? test_uniform(-4, 4) : 0;
    }
  }
  for (int p = 0; p < POOLS; p++) {
    s->pierce[p] = test_int(0, 2) == 0;
    s->bullets[p] = test_int(0, 1);
    s->bounces[p] = test_int(0, 1);
    s->radius[p] = coarse ? 0.5 : 0.375;
    s->graze[p] = test_int(0, 1) ? 1.5 : 0;
    for (int i = 0; i < BULLETS; i++) {
      s->at[p][i] = made_point(coarse, 10);
      s->v[p][i] = made_point(coarse, 10);
      s->a[p][i] = falls ? made_point(coarse, 4) : (cl_vec){0, 0};
      s->length[p][i] = needles && test_int(0, 1) ? test_int(1, 4) : 0;
    }
  }
  for (int i = 0; i < LASERS; i++)
    for (int k = 0; k < 3; k++) s->laser[i][k] = made_point(coarse, 10);
}

static void free_scene(scene *s) {
  for (int i = 0; i < s->actors; i++) made_free(s->shape[i]);
}

typedef struct answers {
  cl_shot shot[SHOTS];
  int shots;
  cl_vec at[POOLS][BULLETS], v[POOLS][BULLETS];
} answers;

typedef struct game {
  cl_world *world;
  cl_io io;
  cl_pools *pools;
  cl_bullets *pool[POOLS];
  cl_shape *shape[ACTORS];
  uint32_t slot[ACTORS];
  int image;
} game;

static void add_actors(const scene *s, const int *order, game *g) {
  for (int n = 0; n < s->actors; n++) {
    int i = order[n];
    cl_vec place = image_of(g->image, s->place[0][i]);
    g->shape[i] = made_shape(&alloc, s->shape[i], g->image, test_int(0, 1000));
    cl_actor_def def = {.shape = g->shape[i],
                        .x = place.x,
                        .y = place.y,
                        .angle = image_angle(g->image, s->angle[0][i]),
                        .fixed = s->fixed[i]};
    if (cl_world_add(g->world, &def, &g->slot[i]) != CL_OK) abort();
  }
}

static void add_bullets(const scene *s, game *g) {
  for (int p = 0; p < POOLS; p++) {
    cl_bullets_def def = {.capacity = BULLETS + LASERS,
                          .radius = s->radius[p],
                          .graze = s->graze[p],
                          .bounds = {-50, -50, 50, 50},
                          .lifetime = INFINITY,
                          .pierce = s->pierce[p],
                          .bullets = s->bullets[p]};
    if (cl_bullets_new(g->pools, &def, &g->pool[p]) != CL_OK) abort();
    cl_bullets_set_event_mask(g->pool[p], CL_BULLET_EVENT_HIT | CL_BULLET_EVENT_GRAZE |
                                              CL_BULLET_EVENT_EXPIRED);
    if (cl_bullets_reserve_lengths(g->pool[p]) != CL_OK) abort();
    for (int i = 0; i < BULLETS; i++) {
      uint64_t number =
          cl_bullets_spawn(g->pool[p], image_of(g->image, s->at[p][i]),
                           image_of(g->image, s->v[p][i]), image_of(g->image, s->a[p][i]), i);
      cl_vec ahead = image_of(g->image, (cl_vec){1, 0});
      if (s->length[p][i] > 0) cl_bullets_lengthen(g->pool[p], number, s->length[p][i], ahead);
    }
  }
  for (int i = 0; i < LASERS; i++) {
    cl_vec way[3];
    uint64_t number;
    for (int k = 0; k < 3; k++) way[k] = image_of(g->image, s->laser[i][k]);
    cl_laser_def def = {&way->x, 3, 0.5, 0, INFINITY, 0};
    if (cl_bullets_spawn_laser(g->pool[0], &def, &number) != CL_OK) abort();
  }
}

static void begin(const scene *s, int image, const int *order, game *g) {
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  g->image = image;
  g->world = cl_world_new(&def, &g->io);
  if (cl_world_use_angles(g->world) != CL_OK) abort();
  g->pools = cl_pools_new(&alloc, g->world);
  add_actors(s, order, g);
  add_bullets(s, g);
}

static void step(const scene *s, game *g, int k, answers *x) {
  for (int i = 0; i < s->actors; i++) {
    if (s->fixed[i]) continue;
    g->io.place[g->slot[i]] = image_of(g->image, s->place[k][i]);
    g->io.angle[g->slot[i]] = image_angle(g->image, s->angle[k][i]);
  }
  if (cl_world_begin_step(g->world, CL_ALL_DISPATCHED) != CL_OK ||
      cl_pools_begin_step(g->pools, 0.25) != CL_OK)
    abort();
  cl_world_end_step(g->world);
  cl_pools_end_step(g->pools);
  cl_shot shot;
  while (cl_pools_next_shot(g->pools, &shot)) {
    if (x->shots < SHOTS) x->shot[x->shots++] = shot;
    if (shot.kind == CL_SHOT_HIT && s->bounces[shot.pool] &&
        cl_pools_answer(g->pools, CL_SHOT_BOUNCE) != CL_OK)
      abort();
  }
}

static void play(const scene *s, int image, const int *order, answers *x) {
  game g;
  memset(x, 0, sizeof *x);
  begin(s, image, order, &g);
  for (int k = 0; k < STEPS; k++) step(s, &g, k, x);
  for (int p = 0; p < POOLS; p++) {
    cl_bullets_io io = cl_bullets_show(g.pool[p]);
    for (uint32_t i = 0; i < io.count; i++) {
      int n = (int)io.tag[i];
      x->at[p][n] = (cl_vec){io.x[i], io.y[i]};
      x->v[p][n] = (cl_vec){io.vx[i], io.vy[i]};
    }
  }
  cl_pools_free(g.pools);
  cl_world_free(g.world);
  for (int i = 0; i < s->actors; i++) cl_shape_release(g.shape[i]);
}

static long asked, differ, tie, flights;

static bool same_shot(int image, const cl_shot *a, const cl_shot *b) {
  cl_vec n = image_of(image, (cl_vec){a->nx, a->ny}), p = image_of(image, (cl_vec){a->x, a->y});
  return a->number == b->number && a->kind == b->kind && a->t == b->t && a->left == b->left &&
         same_vec(n, (cl_vec){b->nx, b->ny}) && same_vec(p, (cl_vec){b->x, b->y});
}

// At a corner, either side may count. If a bullet starts inside several actors, the one added first
// comes first, and that decides what it bounces off.
static bool is_tie(int image, const cl_shot *a, const cl_shot *b) {
  cl_vec n = image_of(image, (cl_vec){a->nx, a->ny});
  if (a->t == 0 || b->t == 0) return true;
  return a->number == b->number && a->kind == b->kind && a->t == b->t &&
         are_images(n, (cl_vec){b->nx, b->ny});
}

static void compare(int image, const answers *x, const answers *y) {
  for (int i = 0; i < x->shots || i < y->shots; i++) {
    asked++;
    if (i < x->shots && i < y->shots && same_shot(image, &x->shot[i], &y->shot[i])) continue;
    bool tied = i < x->shots && i < y->shots && is_tie(image, &x->shot[i], &y->shot[i]);
    tie += tied;
    differ += !tied;
    return; // what follows differs too
  }
  for (int p = 0; p < POOLS; p++)
    for (int i = 0; i < BULLETS; i++) {
      flights++;
      CHECK(same_vec(image_of(image, x->at[p][i]), y->at[p][i]) &&
            same_vec(image_of(image, x->v[p][i]), y->v[p][i]));
    }
}

static void images_of_bullets(void) {
  static scene s;
  static answers first, other;
  for (long r = test_rounds(1000); r > 0; r--) {
    int order[ACTORS];
    make_scene(&s);
    for (int i = 0; i < s.actors; i++) order[i] = i;
    play(&s, 0, order, &first);
    for (int image = 0; image < IMAGES; image++) {
      for (int i = s.actors - 1; i > 0; i--) {
        int k = test_int(0, i), swap = order[i];
        order[i] = order[k], order[k] = swap;
      }
      play(&s, image, order, &other);
      compare(image, &first, &other);
    }
    free_scene(&s);
  }
  printf("%ld events, %ld differ, %ld tie; %ld flights\n", asked, differ, tie, flights);
  CHECK(differ == 0 && flights > 0);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(images_of_bullets);
  return test_end();
}
