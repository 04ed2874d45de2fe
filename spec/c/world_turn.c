// collide, MIT licence (see LICENSE)
//
// Turns among shapes of every kind end at the same angle in any order of adding, and in a mirrored
// or turned scene at the mirrored or turned angle, to the bit; they end where nothing overlaps,
// just before something does. The work of turns of shapes of up to 200 corners is bounded.

#include "images.h"
#include "slow_inputs.h"

#include "world/move.h"

enum { MOST = 8 };

static cl_alloc alloc;

// The turner, which is the first, and the shapes that it may meet.
typedef struct scene {
  int count;
  bool coarse;
  made *shape[MOST];
  cl_vec place[MOST];
  double angle[MOST], by;
} scene;

// Angles that are exact in all images; some turns end at 0.
static double some_angle(void) {
  return test_int(0, 1) ? test_int(-12, 12) * 0.25 : test_int(0, 3) ? 0 : test_uniform(-4, 4);
}

static void make_scene(scene *s) {
  s->coarse = test_int(0, 1);
  s->count = test_int(2, MOST);
  for (int i = 0; i < s->count; i++) {
    s->shape[i] = make_one(test_int(0, MADE_COMPOUND), s->coarse);
    s->place[i] = made_point(s->coarse, i == 0 ? 2 : 8);
    s->angle[i] = some_angle();
  }
  s->by = test_int(0, 3) ? test_uniform(-7, 7) : test_int(-6, 6);
}

static void free_scene(scene *s) {
  for (int i = 0; i < s->count; i++) made_free(s->shape[i]);
}

typedef struct answer {
  double angle;
  int met; // by its number in the scene, or -1
  cl_vec normal;
} answer;

typedef struct game {
  cl_world *world;
  cl_io io;
  cl_shape *shape[MOST];
  uint32_t slot[MOST];
  int number[MOST];
} game;

static void begin(const scene *s, int image, bool back, game *g) {
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  g->world = cl_world_new(&def, &g->io);
  if (cl_world_use_angles(g->world) != CL_OK) abort();
  for (int n = 0; n < s->count; n++) {
    int i = back ? s->count - 1 - n : n;
    cl_vec place = image_of(image, s->place[i]);
    g->shape[i] = made_shape(&alloc, s->shape[i], image, image ? test_int(0, 1000) : 0);
    cl_actor_def one = {.shape = g->shape[i], .x = place.x, .y = place.y};
    one.angle = image_angle(image, s->angle[i]);
    if (cl_world_add(g->world, &one, &g->slot[i]) != CL_OK) abort();
    g->number[g->slot[i]] = i;
  }
}

static void end(const scene *s, game *g) {
  cl_world_free(g->world);
  for (int i = 0; i < s->count; i++) cl_shape_release(g->shape[i]);
}

static cl_move_def def_of(const cl_world *world, uint32_t slot) {
  double angle;
  cl_vec at = cl_world_place(world, slot, &angle);
  return (cl_move_def){.slot = slot,
                       .x = at.x,
                       .y = at.y,
                       .angle = angle,
                       .filter = {UINT64_MAX, NULL, 0},
                       .response = CL_RESPONSE_TOUCH};
}

static cl_placed placed_of(const scene *s, const game *g, int i, double angle) {
  return cl_place(g->shape[i], s->place[i].x, s->place[i].y, angle);
}

// Whether the turner overlaps shape i at an angle, but not at its start.
static bool stands_in(const scene *s, const game *g, int i, double angle) {
  cl_placed a = placed_of(s, g, 0, angle), b = placed_of(s, g, i, s->angle[i]);
  cl_placed first = placed_of(s, g, 0, s->angle[0]);
  return cl_overlaps(&a, &b, false) && !cl_overlaps(&first, &b, false);
}

static void check_end(const scene *s, const game *g, answer x) {
  double turned = x.angle - s->angle[0], way = s->by < 0 ? -1 : 1;
  bool beyond = false;
  CHECK(turned * way >= 0 && fabs(turned) <= fabs(s->by) + 1e-12);
  for (int i = 1; i < s->count; i++) {
    for (int k = 1; k <= 8; k++) {
      double angle = k == 8 ? x.angle : s->angle[0] + turned * k / 8;
      CHECK_MSG(!stands_in(s, g, i, angle), "overlaps %d at %d of 8", i, k);
    }
    for (int k = 20; k < 46; k++)
      beyond = beyond || stands_in(s, g, i, x.angle + way * ldexp(1, -k));
  }
  CHECK_MSG(x.met >= 0 ? beyond : x.angle == s->angle[0] + s->by, "nothing is beyond %.17g",
            turned);
}

static answer play(const scene *s, int image, bool back) {
  game g;
  answer x = {.met = -1};
  begin(s, image, back, &g);
  cl_move_def def = def_of(g.world, g.slot[0]);
  if (cl_world_turn(g.world, &def, image_angle(image, s->by)) != CL_OK) abort();
  cl_turn_result r = cl_world_turn_result(g.world);
  CHECK(r.hits <= 1 && r.pushed == CL_NOBODY && r.put_back == 0);
  x.angle = r.angle;
  if (r.hits > 0) x.met = g.number[r.hit->slot], x.normal = r.hit->normal;
  if (image == 0 && !back) check_end(s, &g, x);
  end(s, &g);
  return x;
}

static void images_are_the_same(void) {
  long met = 0, ties = 0;
  for (long i = 0; i < test_rounds(4000); i++) {
    scene s;
    make_scene(&s);
    answer x = play(&s, 0, false);
    met += x.met >= 0;
    for (int image = 0; image < IMAGES; image++) {
      answer y = play(&s, image, test_int(0, 1));
      cl_vec n = image_of(image, x.normal);
      CHECK_MSG(same_number(image_angle(image, x.angle) + 0.0, y.angle + 0.0),
                "scene %ld, image %d: %.17g, %.17g", i, image, x.angle, y.angle);
      bool same = x.met == y.met && same_vec(n, y.normal);
      ties += !same;
      CHECK_MSG(same || s.coarse, "scene %ld, image %d: the hit", i, image);
    }
    free_scene(&s);
  }
  printf("%ld turns met something, %ld images of hits are ties\n", met, ties);
}

// ---- work

static cl_response cross_all(void *context, const cl_move_ask *ask) {
  (void)context, (void)ask;
  return CL_RESPONSE_CROSS;
}

static long most_spent;

static void turn_slow(const slow_input *in, int how) {
  const cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_io io = {0};
  cl_world *world = cl_world_new(&def, &io);
  uint32_t slot, other;
  bool tiles = in->b->kind == CL_TILES;
  CHECK(cl_world_add(world, &(cl_actor_def){.shape = in->a}, &slot) == CL_OK);
  CHECK(cl_world_add(world, &(cl_actor_def){.shape = in->b, .fixed = tiles}, &other) == CL_OK);
  cl_move_def turn = def_of(world, slot);
  turn.x = in->ax + (how & 2 ? test_uniform(-200, 200) : 0), turn.y = in->ay,
  turn.angle = in->angle;
  if (how & 1) turn.responder = cross_all;
  CHECK(cl_world_turn(world, &turn, how & 4 ? 50 : 0.5) == CL_OK);
  long spent = world->turning->spent;
  most_spent = spent > most_spent ? spent : most_spent;
  CHECK_MSG(spent <= 2 * CL_MOVE_WORK, "%s, %d: %ld steps", in->name, how, spent);
  cl_world_free(world);
}

static void no_turn_takes_more_than_its_steps(void) {
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input);
  for (int i = 0; i < n; i++)
    for (int how = 0; how < 8 && input[i].a->kind != CL_TILES; how++) turn_slow(&input[i], how);
  slow_release(input, n);
  printf("%ld steps at most\n", most_spent);
}

// A circle that turns about a post, and a smaller circle that ends the turn.
enum { TURNER, POST, WALL, ROUNDS };

typedef struct round_scene {
  cl_shape *shape[ROUNDS];
  cl_vec at[ROUNDS];
} round_scene;

// The turner grazes the post: at each angle rounding decides whether they overlap. The wall is
// beside the turner at the angle `stop`.
static void make_round_scene(round_scene *s, double stop) {
  double r = test_uniform(1, 3), post = test_uniform(1, 3), far = r + post, beside = r + 0.45;
  for (int k = test_int(0, 4); k > 0; k--) far = nextafter(far, INFINITY);
  CHECK(cl_shape_circle(&alloc, far, 0, r, &s->shape[TURNER]) == CL_OK);
  CHECK(cl_shape_circle(&alloc, 0, 0, post, &s->shape[POST]) == CL_OK);
  CHECK(cl_shape_circle(&alloc, 0, 0, 0.5, &s->shape[WALL]) == CL_OK);
  s->at[TURNER] = s->at[POST] = (cl_vec){0, 0};
  s->at[WALL].x = far * cos(stop) - beside * sin(stop);
  s->at[WALL].y = far * sin(stop) + beside * cos(stop);
}

static bool turner_overlaps(const round_scene *s, double angle, int k) {
  cl_placed turner = cl_place(s->shape[TURNER], 0, 0, angle);
  cl_placed other = cl_place(s->shape[k], s->at[k].x, s->at[k].y, 0);
  return cl_overlaps(&turner, &other, false);
}

// The wall often ends the turn at an angle between those that the search along the post has tried.
static void turns_around_a_post_end_free(void) {
  long met[ROUNDS] = {0};
  for (long i = 0; i < test_rounds(5000); i++) {
    round_scene s;
    double angle = test_uniform(-3, 3), by = test_uniform(0.1, 0.7);
    make_round_scene(&s, angle + by * test_uniform(0.5, 1.2));
    cl_io io;
    const cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
    cl_world *world = cl_world_new(&def, &io);
    CHECK(cl_world_use_angles(world) == CL_OK);
    for (int k = 0; k < ROUNDS; k++) {
      uint32_t slot;
      cl_actor_def actor = {.shape = s.shape[k], .x = s.at[k].x, .y = s.at[k].y};
      if (k == TURNER) actor.angle = angle;
      CHECK(cl_world_add(world, &actor, &slot) == CL_OK);
    }
    cl_move_def turn = def_of(world, TURNER);
    CHECK(cl_world_turn(world, &turn, by) == CL_OK);
    cl_turn_result r = cl_world_turn_result(world);
    if (r.hits > 0) met[r.hit[0].slot]++;
    for (int k = POST; k < ROUNDS; k++) {
      bool overlaps = turner_overlaps(&s, r.angle, k);
      CHECK_MSG(!overlaps || turner_overlaps(&s, angle, k), "%ld: overlaps %d", i, k);
    }
    cl_world_free(world);
    for (int k = 0; k < ROUNDS; k++) cl_shape_release(s.shape[k]);
  }
  CHECK_MSG(met[POST] > test_rounds(200) && met[WALL] > test_rounds(200), "%ld, %ld", met[POST],
            met[WALL]);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(images_are_the_same);
  RUN(turns_around_a_post_end_free);
  RUN(no_turn_takes_more_than_its_steps);
  return test_end();
}
