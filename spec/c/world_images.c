// collide, MIT licence (see LICENSE)
//
// Worlds and their images: mirrored or turned by a quarter, the actors added in another order.
// Steps and queries must give the image of each answer, to the bit.

#include "images.h"

#include "base/tol.h"
#include "collide.h"

enum { MOST = 24, STEPS = 4, ASKED = 4 };

static cl_alloc alloc;

// The events of a world.
typedef struct scene {
  int count;
  made *shape[MOST];
  cl_vec place[STEPS][MOST];
  double angle[STEPS][MOST];
  bool fixed[MOST], swept[MOST];
  bool touching;
  made *mover;
  double mover_angle;
  cl_vec from[STEPS][ASKED], to[STEPS][ASKED];
} scene;

static void make_scene(scene *s) {
  bool coarse = test_int(0, 2) > 0, turns = test_int(0, 1), sweeps = test_int(0, 2) == 0;
  bool few_kinds = test_int(0, 2) == 0;
  s->count = test_int(2, MOST);
  s->touching = test_int(0, 3) == 0;
  for (int i = 0; i < s->count; i++) {
    s->shape[i] = make_one(test_int(0, few_kinds ? MADE_CIRCLE : MADE_COMPOUND), coarse);
    s->fixed[i] = test_int(0, 3) == 0;
    s->swept[i] = sweeps && test_int(0, 3) == 0;
    for (int k = 0; k < STEPS; k++) {
      bool stays = k > 0 && (s->fixed[i] || test_int(0, 2) == 0);
      s->place[k][i] = stays ? s->place[k - 1][i] : made_point(coarse, 12);
      s->angle[k][i] = stays ? s->angle[k - 1][i] : turns ? test_uniform(-4, 4) : 0;
    }
  }
  s->mover = make_one(test_int(0, MADE_COMPOUND), coarse);
  s->mover_angle = turns ? test_uniform(-4, 4) : 0;
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < ASKED; i++) {
      s->from[k][i] = made_point(coarse, 14);
      do s->to[k][i] = made_point(coarse, 14);
      while (same_points(s->to[k][i], s->from[k][i]));
    }
}

static void free_scene(scene *s) {
  for (int i = 0; i < s->count; i++) made_free(s->shape[i]);
  made_free(s->mover);
}

// The result for a pair after a step, by the numbers in the scene.
typedef struct met {
  bool hits;
  cl_hit hit;
  double t;
} met;

typedef struct answers {
  met met[STEPS][MOST][MOST];
  cl_answer ray[STEPS][ASKED][MOST], cast[STEPS][ASKED][MOST], near[STEPS][ASKED][MOST];
  bool point[STEPS][ASKED][MOST], overlap[STEPS][ASKED][MOST];
  cl_answer first_ray[STEPS][ASKED], first_cast[STEPS][ASKED];
} answers;

typedef struct game {
  cl_world *world;
  cl_io io;
  cl_shape *shape[MOST], *mover;
  uint32_t slot[MOST];
  int number[MOST]; // by slot
  int image;
} game;

static cl_world *fresh_world(bool touching, cl_io *io) {
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto, .touching = touching};
  return cl_world_new(&def, io);
}

// Adds the actors in the order of `at`.
static void begin(const scene *s, int image, const int *at, game *g) {
  g->world = fresh_world(s->touching, &g->io);
  g->image = image;
  if (cl_world_use_angles(g->world) != CL_OK) abort();
  for (int n = 0; n < s->count; n++) {
    int i = at[n];
    cl_vec place = image_of(image, s->place[0][i]);
    g->shape[i] = made_shape(&alloc, s->shape[i], image, image || n != i ? test_int(0, 1000) : 0);
    cl_actor_def def = {.shape = g->shape[i],
                        .x = place.x,
                        .y = place.y,
                        .angle = image_angle(image, s->angle[0][i]),
                        .fixed = s->fixed[i],
                        .swept = s->swept[i]};
    if (cl_world_add(g->world, &def, &g->slot[i]) != CL_OK) abort();
    g->number[g->slot[i]] = i;
  }
  g->mover = made_shape(&alloc, s->mover, image, image ? test_int(0, 1000) : 0);
}

static void end(const scene *s, game *g) {
  cl_world_free(g->world);
  for (int i = 0; i < s->count; i++) cl_shape_release(g->shape[i]);
  cl_shape_release(g->mover);
}

static void take_answers(const game *g, const cl_answers *list, cl_answer *out) {
  for (size_t k = 0; k < list->count; k++) out[g->number[list->at[k].slot]] = list->at[k];
}

static void ask(const scene *s, game *g, int step, answers *x) {
  const cl_filter all = {UINT64_MAX, NULL, 0};
  cl_answers list;
  for (int i = 0; i < ASKED; i++) {
    cl_vec from = image_of(g->image, s->from[step][i]), to = image_of(g->image, s->to[step][i]);
    cl_placed mover = cl_place(g->mover, from.x, from.y, image_angle(g->image, s->mover_angle));
    cl_path ray = {from.x, from.y, to.x, to.y, NULL}, cast = {from.x, from.y, to.x, to.y, &mover};
    for (int k = 0; k < s->count; k++)
      x->ray[step][i][k].cast.t = x->cast[step][i][k].cast.t = x->near[step][i][k].distance = -1;
    if (cl_world_cast(g->world, &ray, true, all, &list) != CL_OK) abort();
    take_answers(g, &list, x->ray[step][i]);
    if (cl_world_cast(g->world, &cast, true, all, &list) != CL_OK) abort();
    take_answers(g, &list, x->cast[step][i]);
    if (cl_world_nearest(g->world, to.x, to.y, MOST, all, &list) != CL_OK) abort();
    take_answers(g, &list, x->near[step][i]);
    x->first_ray[step][i].cast.t = x->first_cast[step][i].cast.t = -1;
    if (cl_world_cast(g->world, &ray, false, all, &list) != CL_OK) abort();
    if (list.count) x->first_ray[step][i] = list.at[0];
    if (cl_world_cast(g->world, &cast, false, all, &list) != CL_OK) abort();
    if (list.count) x->first_cast[step][i] = list.at[0];
    if (cl_world_query_point(g->world, to.x, to.y, all, &list) != CL_OK) abort();
    for (size_t k = 0; k < list.count; k++) x->point[step][i][g->number[list.at[k].slot]] = true;
    if (cl_world_query_shape(g->world, &mover, all, &list) != CL_OK) abort();
    for (size_t k = 0; k < list.count; k++) x->overlap[step][i][g->number[list.at[k].slot]] = true;
  }
}

static void play(const scene *s, int image, const int *order, answers *x) {
  game g;
  memset(x, 0, sizeof *x);
  begin(s, image, order, &g);
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < s->count; i++) {
      if (s->fixed[i]) continue;
      g.io.place[g.slot[i]] = image_of(image, s->place[step][i]);
      g.io.angle[g.slot[i]] = image_angle(image, s->angle[step][i]);
    }
    if (cl_world_step(g.world, CL_ALL_DISPATCHED) != CL_OK) abort();
    cl_pair pair;
    cl_hit hit;
    for (size_t k = 0; k < cl_world_counts(g.world).hits; k++) {
      if (!cl_world_hit(g.world, k, &pair, &hit)) abort();
      int a = g.number[pair.a], b = g.number[pair.b];
      double t = g.io.time ? g.io.time[k] : -1;
      x->met[step][a][b] = (met){true, hit, t};
      x->met[step][b][a] = (met){true, {0.0 - hit.nx, 0.0 - hit.ny, hit.depth}, t};
    }
    ask(s, &g, step, x);
  }
  end(s, &g);
}

enum { HITS, RAYS, CASTS, FIRST_RAYS, FIRST_CASTS, NEAREST, POINTS, OVERLAPS, FAMILIES };
static const char *const name[FAMILIES] = {"hits",       "rays",    "casts",  "first ray",
                                           "first cast", "nearest", "points", "overlaps"};
static long asked[FAMILIES], differ[FAMILIES], tie[FAMILIES], last_bits;

static void count(int family, bool same, bool tied) {
  asked[family]++;
  tie[family] += !same && tied;
  differ[family] += !same && !tied;
}

static void compare_casts(int family, int image, const cl_answer *a, const cl_answer *b) {
  const cl_cast *c = &a->cast, *d = &b->cast;
  cl_vec n = image_of(image, (cl_vec){c->nx, c->ny}), p = image_of(image, (cl_vec){c->x, c->y});
  cl_vec m = {d->nx, d->ny}, q = {d->x, d->y};
  if (c->t < 0 && d->t < 0) return;
  bool same = c->t == d->t && same_vec(n, m) && same_vec(p, q);
  // Of several points on one surface the lower one counts; at a corner, the surface along x.
  count(family, same, c->t == d->t && (same_vec(n, m) || are_images(n, m)));
}

// Whether two actors are equal circles at the same place.
static bool are_equal(const scene *s, int step, int a, int b) {
  const made *p = s->shape[a], *q = s->shape[b];
  cl_vec u = cl_vec_add(s->place[step][a], p->p[0]), v = cl_vec_add(s->place[step][b], q->p[0]);
  return p->kind == MADE_CIRCLE && q->kind == MADE_CIRCLE && p->r == q->r && same_points(u, v);
}

static void compare(const scene *s, int image, const answers *x, const answers *y) {
  for (int k = 0; k < STEPS; k++) {
    for (int a = 0; a < s->count; a++)
      for (int b = 0; b < s->count; b++) {
        const met *p = &x->met[k][a][b], *q = &y->met[k][a][b];
        if (!p->hits && !q->hits) continue;
        cl_vec n = image_of(image, (cl_vec){p->hit.nx, p->hit.ny}), m = {q->hit.nx, q->hit.ny};
        bool alike = p->hits == q->hits && p->hit.depth == q->hit.depth && p->t == q->t;
        // For the way out of many parts at once, see narrow_images.c.
        bool open = s->shape[a]->kind >= MADE_CHAIN || s->shape[b]->kind >= MADE_CHAIN;
        bool equal = are_equal(s, k, a, b); // then the one added first comes first
        bool tied = alike && are_equal_ways(n, m) && (image > 0 || equal);
        if (open && !tied && !(alike && same_vec(n, m))) last_bits++;
        else count(HITS, alike && same_vec(n, m), tied);
      }
    for (int i = 0; i < ASKED; i++) {
      for (int a = 0; a < s->count; a++) {
        compare_casts(RAYS, image, &x->ray[k][i][a], &y->ray[k][i][a]);
        compare_casts(CASTS, image, &x->cast[k][i][a], &y->cast[k][i][a]);
        count(NEAREST, x->near[k][i][a].distance == y->near[k][i][a].distance, false);
        count(POINTS, x->point[k][i][a] == y->point[k][i][a], false);
        count(OVERLAPS, x->overlap[k][i][a] == y->overlap[k][i][a], false);
      }
      compare_casts(FIRST_RAYS, image, &x->first_ray[k][i], &y->first_ray[k][i]);
      compare_casts(FIRST_CASTS, image, &x->first_cast[k][i], &y->first_cast[k][i]);
    }
  }
}

static void images_of_worlds(void) {
  static scene s;
  static answers first, other;
  for (long r = test_rounds(400); r > 0; r--) {
    int order[MOST];
    make_scene(&s);
    for (int i = 0; i < s.count; i++) order[i] = i;
    play(&s, 0, order, &first);
    for (int image = 0; image < IMAGES; image++) {
      for (int i = s.count - 1; i > 0; i--) {
        int k = test_int(0, i), swap = order[i];
        order[i] = order[k], order[k] = swap;
      }
      play(&s, image, order, &other);
      compare(&s, image, &first, &other);
    }
    free_scene(&s);
  }
  for (int f = 0; f < FAMILIES; f++) {
    printf("%-10s %8ld asked %8ld differ %8ld tie\n", name[f], asked[f], differ[f], tie[f]);
    CHECK_MSG(differ[f] == 0, "%s", name[f]);
  }
  printf("%ld hits in the last bits\n", last_bits);
  CHECK(last_bits <= asked[HITS] / 10000 + 10);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(images_of_worlds);
  return test_end();
}
