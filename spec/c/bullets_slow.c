// collide, MIT licence (see LICENSE)
//
// A search for slow inputs: shapes of up to 200 corners and maps of 200 × 200 cells are drawn at
// random, and changed a little as long as a call then takes more work. No call may take longer than
// a frame. Work is counted, not timed: in basic blocks, by a core compiled for that
// (`make search-work`). Each call prints its result, and the longest of all comes last.

#include "slow_inputs.h"
#include "test.h"

#include "bullets/state.h"

// Basic blocks that a processor of 2.5 GHz executes in 16 ms: 1.25 or more per nanosecond.
enum { MOST_BLOCKS = 20000000 };

// The number of searches for each call. Each begins with some random inputs, and changes the
// slowest.
enum { ENTRIES = 8, GENES = 16, SEARCHES = 10, STARTS = 12, TRIES = 36 };

// Called by the core in each basic block.
uint64_t blocks;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { blocks++; }

static cl_alloc alloc;

// ---- inputs, each decoded from numbers in 0 … 1

typedef struct input {
  double gene[GENES];
} input;

static int choice(double gene, int n) { return (int)(gene * n); }
static double between(double gene, double a, double b) { return a + (b - a) * gene; }

// Teeth side by side on a bar.
static cl_shape *comb(int teeth, double width, double height) {
  double xy[512];
  int n = 0;
  for (int i = 0; i < teeth; i++) {
    double x = width * i / teeth, step = width / teeth;
    xy[n++] = x, xy[n++] = 0;
    xy[n++] = x + step * 0.5, xy[n++] = height;
  }
  xy[n++] = width, xy[n++] = -1;
  xy[n++] = 0, xy[n++] = -1;
  return slow_polygon(&alloc, xy, n / 2);
}

// Shapes that all tie: boxes on top of one another.
static cl_shape *pile(int count, double side, double apart) {
  cl_shape *member[128] = {NULL}, *s;
  for (int i = 0; i < count; i++) {
    double at = apart * (i % 8), down = apart * (i / 8);
    slow_check(cl_shape_rectangle(&alloc, at, down, side, side, &member[i]));
  }
  slow_check(cl_shape_compound(&alloc, member, (uint32_t)count, &s));
  for (int i = 0; i < count; i++) cl_shape_release(member[i]);
  return s;
}

// A closed polygon of corners on an ellipse.
static cl_shape *ellipse(int corners, double width, double height) {
  double xy[512];
  for (int i = 0; i < corners; i++) {
    double sine, cosine;
    cl_sincos(i * 6.283185307179586 / corners, &sine, &cosine);
    xy[2 * i] = width * cosine, xy[2 * i + 1] = height * sine;
  }
  return slow_polygon(&alloc, xy, corners);
}

// A chain through points far from each other, the same for each number.
static cl_shape *scribble(int corners, double size, double gene) {
  double xy[512], x = gene, y = 0.5;
  for (int i = 0; i < corners; i++) {
    x = 3.9 * x * (1 - x), y = 3.8 * y * (1 - y); // a chaotic sequence
    xy[2 * i] = size * (2 * x - 1), xy[2 * i + 1] = size * (2 * y - 1);
  }
  return slow_chain(&alloc, xy, corners, gene < 0.5);
}

static cl_shape *needle(double size, double width) {
  const double xy[6] = {-size, -size, size, size, size - width, size};
  return slow_polygon(&alloc, xy, 3);
}

// Narrow teeth, some of them longer than others.
static cl_shape *needles(int count, double size, double apart) {
  cl_shape *member[66] = {NULL}, *s;
  if (count > 66) count = 66;
  for (int i = 0; i < count; i++) {
    double at = 2 * apart * i, far = size + (i % 3);
    const double xy[6] = {at, 0, at + far, far, at + far - 0.2, far};
    member[i] = slow_polygon(&alloc, xy, 3);
  }
  slow_check(cl_shape_compound(&alloc, member, (uint32_t)count, &s));
  for (int i = 0; i < count; i++) cl_shape_release(member[i]);
  return s;
}

enum { KINDS = 14, MAPS = 2, PATTERNS = 5, LOOKS = 6 };

// Whether a cell of a map is solid.
static bool in_pattern(int pattern, int64_t x, int64_t y, double gene) {
  uint32_t bits = (uint32_t)(x * 73856093) ^ (uint32_t)(y * 19349663);
  bits = (bits ^ bits >> 13) * UINT32_C(1274126177);
  switch (pattern) {
  case 0: return true;
  case 1: return (x + y) % 2 == 0;
  case 2: return x % 2 == 0 && y % 2 == 0;
  case 3: return (double)(bits >> 8) < gene * 0x1p24;
  default: return (x + (gene < 0.5 ? 3 : 1) * y) % (2 + choice(gene, 8)) == 0;
  }
}

// The value of a solid cell: one value or all of them, with different shapes.
static uint8_t in_look(int look, int64_t x, int64_t y) {
  switch (look) {
  case 0: return 1;
  case 5: return (uint8_t)(1 + (x * 7 + y * 13) % 255);
  case 4: return (uint8_t)(2 + (x + y) % 4);
  default: return (uint8_t)(1 + look);
  }
}

// A map of 200 × 200 full cells, or of shaped ones: half of a cell, a slope, a ball, or 16 corners.
static cl_shape *map_of(const double *g) {
  const int64_t size[3] = {SLOW_MAP, SLOW_MAP, 1};
  const double at[3] = {0, 0, 0}, slope[6] = {0, 1, 1, 0, 1, 1};
  double xy[32];
  cl_fault fault;
  cl_grid *grid;
  cl_tile_look looks[255];
  cl_shape *shape[4], *s;
  int pattern = choice(g[1], PATTERNS), look = choice(g[2], LOOKS);
  for (int i = 0; i < 16; i++) {
    double sine, cosine;
    cl_sincos(i * 6.283185307179586 / 16, &sine, &cosine);
    xy[2 * i] = 0.5 + 0.5 * cosine, xy[2 * i + 1] = 0.5 + 0.5 * sine;
  }
  slow_check(cl_shape_polygon(&alloc, xy, 16, &fault, &shape[0]));
  slow_check(cl_shape_polygon(&alloc, slope, 3, &fault, &shape[1]));
  slow_check(cl_shape_circle(&alloc, 0.5, 0.5, 0.5, &shape[2]));
  slow_check(cl_shape_rectangle(&alloc, 0, 0.5, 1, 0.5, &shape[3]));
  for (int i = 0; i < 254; i++)
    looks[i] = (cl_tile_look){.value = (uint8_t)(2 + i), .shape = shape[i % 4]};
  slow_check(cl_grid_new(&alloc, 2, size, (double[]){1, 1}, at, &grid));
  for (int64_t y = 0; y < SLOW_MAP; y++)
    for (int64_t x = 0; x < SLOW_MAP; x++) {
      bool solid = in_pattern(pattern, x, y, g[3]);
      cl_grid_set(grid, (int64_t[3]){x, y, 0}, solid ? in_look(look, x, y) : 0);
    }
  slow_check(cl_shape_tiles(&alloc, grid, looks, look == 0 ? 0 : look == 5 ? 100 : 4, &s));
  for (int i = 0; i < 4; i++) cl_shape_release(shape[i]);
  cl_grid_release(grid);
  return s;
}

// A shape by four numbers. Maps come last, more often than any single shape.
static cl_shape *shape_of(const double *g, bool with_maps) {
  int even = 2 * (int)between(g[1], 3, 99), kinds = KINDS + (with_maps ? MAPS * 7 : 0);
  double size = between(g[2], 5, 100), inner = size * between(g[3], 0.02, 0.98);
  switch (choice(g[0], kinds)) {
  case 0: return slow_star(&alloc, even, size, inner);
  case 1: return slow_ring(&alloc, even, size);
  case 2: return slow_spiral(&alloc, even < 100 ? 100 : even, size);
  case 3: return slow_rays(&alloc, even / 2 + 1, size, g[3]);
  case 4: return comb(even / 2 + 1, size, inner);
  case 5: return slow_circle(&alloc, g[1] < 0.3 ? size / 100 : size);
  case 6: return slow_box(&alloc, g[1] < 0.3 ? size / 100 : size);
  case 7: return pile(even / 2 + 1, inner, size / 20);
  case 8: return ellipse(even, size, size);
  case 9: return ellipse(even, size, inner);
  case 10: return scribble(even, size, g[3]);
  case 11: return needle(size, inner / 20);
  case 12: return needles(even, size, inner / 20);
  case 13: return slow_rays(&alloc, 1 + even / 50, size, g[3]);
  case 14: return slow_tiles(&alloc, 1 + choice(g[1], 9));
  case 15: return slow_shaped_tiles(&alloc, 1 + choice(g[1], 9));
  default: return map_of(g);
  }
}

typedef struct scene {
  cl_shape *a, *b;
  double x, y, angle, turned;
  cl_vec way;
  cl_io io;
  cl_world *world;
  uint32_t mover, other;
} scene;

static uint32_t add(scene *s, cl_shape *shape, double x, double y, double angle, bool fixed) {
  uint32_t slot;
  const cl_actor_def def = {.shape = shape,
                            .x = x,
                            .y = y,
                            .angle = angle,
                            .fixed = fixed,
                            .swept = shape->kind != CL_TILES};
  slow_check(cl_world_add(s->world, &def, &slot));
  return slot;
}

static void open_scene(scene *s, const input *in) {
  const double *g = in->gene;
  const cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  *s = (scene){.a = shape_of(g, false), .b = shape_of(g + 4, true)};
  bool map = s->b->kind == CL_TILES;
  double reach = map ? 200 : 100, from = map ? 0 : -100;
  s->x = between(g[8], from, reach), s->y = between(g[9], from, reach);
  s->way = (cl_vec){between(g[11], -300, 300), between(g[12], -300, 300)};
  if (g[14] < 0.4) { // from the side, or from far away, towards that place
    double back = g[14] < 0.2 ? between(g[15], 0.2, 1) : between(g[15], 1, 3);
    s->x -= back * s->way.x, s->y -= back * s->way.y;
    if (g[14] >= 0.2) s->way = cl_vec_mul(s->way, 1.2 * back);
  }
  s->angle = g[10] < 0.3 ? 0 : between(g[10], -3, 3);
  s->turned = map || g[13] < 0.3 ? 0 : between(g[13], -3, 3);
  s->world = cl_world_new(&def, &s->io);
  slow_check(cl_world_use_angles(s->world));
  s->mover = add(s, s->a, s->x, s->y, s->angle, false);
  s->other = add(s, s->b, 0, 0, s->turned, map || g[3] < 0.5);
}

static void close_scene(scene *s) {
  cl_world_free(s->world);
  cl_shape_release(s->a);
  cl_shape_release(s->b);
}

// ---- calls

// Makes a step with the mover at some place.
static void step(scene *s, double x, double y) {
  s->io.place[s->mover] = (cl_vec){x, y};
  if (s->io.angle) s->io.angle[s->mover] = s->angle;
  slow_check(cl_world_begin_step(s->world, CL_ALL_DISPATCHED));
  cl_world_end_step(s->world);
}

// Responses of all kinds, by the value of a cell.
static cl_response answer_to(void *context, const cl_move_ask *ask) {
  static const cl_response answers[] = {CL_RESPONSE_NONE, CL_RESPONSE_CROSS, CL_RESPONSE_NONE,
                                        CL_RESPONSE_SLIDE};
  (void)context;
  if (ask->value < 0) return CL_RESPONSE_SLIDE;
  return answers[ask->value < 200 ? ask->value % 2 : ask->value % 4];
}

// Moves an actor, and returns where it ends.
static cl_vec go(scene *s, uint32_t slot, cl_vec from, double angle, cl_vec way,
                 cl_response response, bool asks) {
  const cl_move_def def = {.slot = slot,
                           .x = from.x,
                           .y = from.y,
                           .angle = angle,
                           .dx = way.x,
                           .dy = way.y,
                           .filter = {UINT64_MAX, NULL, 0},
                           .response = response,
                           .responder = asks ? answer_to : NULL};
  slow_check(cl_world_move(s->world, &def));
  return cl_world_move_result(s->world).moved[0].to;
}

static void move(scene *s, cl_response response, bool asks) {
  go(s, s->mover, (cl_vec){s->x, s->y}, s->angle, s->way, response, asks);
}

// Whether the last move began inside the other, and found no way out.
static bool is_crushed(const scene *s) {
  cl_move_result result = cl_world_move_result(s->world);
  for (size_t i = 0; i < result.hits; i++)
    if (result.hit[i].crushed) return true;
  return false;
}

// The sweeps of a character that climbs a ledge and looks for a floor on it. A character that is
// crushed only looks for a floor.
static void walk(scene *s) {
  static const cl_vec up = {0, -5}, down = {0, 5};
  cl_vec at = {s->x, s->y}, aside = cl_vec_mul(s->way, 0.5);
  at = go(s, s->mover, at, s->angle, s->way, CL_RESPONSE_TOUCH, false);
  if (is_crushed(s)) {
    go(s, s->mover, at, s->angle, down, CL_RESPONSE_TOUCH, false);
    return;
  }
  at = go(s, s->mover, at, s->angle, up, CL_RESPONSE_TOUCH, false);
  at = go(s, s->mover, at, s->angle, aside, CL_RESPONSE_TOUCH, false);
  at = go(s, s->mover, at, s->angle, down, CL_RESPONSE_TOUCH, false);
  go(s, s->mover, at, s->angle, down, CL_RESPONSE_SLIDE, false);
}

static void turn(scene *s, bool asks) {
  const cl_move_def def = {.slot = s->mover,
                           .x = s->x,
                           .y = s->y,
                           .angle = s->angle,
                           .filter = {UINT64_MAX, NULL, 0},
                           .response = CL_RESPONSE_TOUCH,
                           .responder = asks ? answer_to : NULL};
  slow_check(cl_world_turn(s->world, &def, 6));
}

static void move_other(scene *s, cl_vec way) {
  cl_vec at = {0, 0};
  go(s, s->other, at, s->turned, way, CL_RESPONSE_PUSH, false);
}

// Steps that report the way out, and the actor's way; the longer of the two counts.
static void steps(scene *s) {
  step(s, s->x, s->y);
  uint64_t first = blocks;
  blocks = 0;
  step(s, s->x + s->way.x, s->y + s->way.y);
  if (first > blocks) blocks = first;
}

// A plan whose entries cut the step, with a turn at each.
static cl_plan *new_plan(void) {
  cl_plan_entry entry[ENTRIES];
  cl_plan *plan;
  for (int i = 0; i < ENTRIES; i++) {
    entry[i] = (cl_plan_entry){.at = (i + 0.5) / ENTRIES, .angle = i, .sets = CL_PLAN_ANGLE};
  }
  slow_check(cl_plan_new(&alloc, entry, ENTRIES, &plan));
  return plan;
}

// A bullet that bounces; if it is planned, it has a length and a plan.
static void bounce(scene *s, bool planned) {
  cl_pools *pools = cl_pools_new(&alloc, s->world);
  const cl_bullets_def def = {.capacity = 1,
                              .radius = between(fabs(s->angle) / 3, 0.1, 20),
                              .bounds = {-1e9, -1e9, 1e9, 1e9},
                              .lifetime = INFINITY};
  cl_bullets *pool = NULL;
  cl_shot shot;
  slow_check(cl_bullets_new(pools, &def, &pool));
  cl_bullets_set_event_mask(pool, CL_BULLET_EVENT_HIT);
  uint64_t number = cl_bullets_spawn(pool, (cl_vec){s->x, s->y}, s->way, (cl_vec){0, 0}, 0);
  if (planned) {
    cl_plan *plan = new_plan();
    slow_check(cl_bullets_reserve_lengths(pool));
    slow_check(cl_bullets_reserve_plans(pool));
    cl_bullets_lengthen(pool, number, fabs(s->way.x) / 3, (cl_vec){1, 0});
    cl_bullets_plan(pool, number, plan);
    cl_plan_release(plan);
  }
  s->io.place[s->mover] = (cl_vec){s->x + 1e6, 0}; // out of its way
  slow_check(cl_world_begin_step(s->world, CL_ALL_DISPATCHED));
  slow_check(cl_pools_begin_step(pools, 1));
  cl_world_end_step(s->world);
  cl_pools_end_step(pools);
  while (cl_pools_next_shot(pools, &shot)) slow_check(cl_pools_answer(pools, CL_SHOT_BOUNCE));
  cl_pools_free(pools);
}

static void snapshot(scene *s) {
  cl_snapshot *kept = cl_snapshot_new(&alloc);
  double dispatched = 0;
  step(s, s->x, s->y);
  blocks = 0;
  slow_check(cl_world_snapshot(s->world, 0, kept));
  slow_check(cl_world_restore(s->world, kept, &dispatched));
  cl_snapshot_free(kept);
}

// The other lets the mover through from below.
static void move_one_way(scene *s) {
  const cl_actor_def def = {.shape = s->b, .angle = s->turned, .fixed = true, .one_way = {0, -1}};
  cl_world_refresh(s->world, s->other, &def);
  move(s, CL_RESPONSE_SLIDE, false);
}

// The other, which may be a map, moves along the way in a step.
static void step_other(scene *s) {
  const cl_actor_def def = {.shape = s->b, .angle = s->turned};
  cl_world_refresh(s->world, s->other, &def);
  s->io.place[s->other] = cl_vec_mul(s->way, -0.5);
  step(s, s->x, s->y);
}

static void fits(scene *s) {
  const cl_filter others = {UINT64_MAX, &s->mover, 1};
  cl_placed placed = cl_place(s->a, s->x, s->y, s->angle);
  uint32_t other;
  slow_check(cl_world_fits(s->world, CL_NOBODY, &placed, others, 0, &other));
}

// The queries and moves of `world:carry`: it moves the riders, then the actors in the way, and
// frees each that still overlaps the platform.
static void carry(scene *s) {
  const cl_filter all = {UINT64_MAX, NULL, 0};
  cl_answers found;
  slow_check(cl_world_riders(s->world, s->mover, &found));
  if (found.count > 0) move_other(s, s->way);
  slow_check(cl_world_in_the_way(s->world, s->mover, s->way, all, &found));
  if (found.count > 0) move_other(s, (cl_vec){found.at[0].cast.nx, found.at[0].cast.ny});
  s->x += s->way.x, s->y += s->way.y;
  slow_check(cl_world_move_to(s->world, s->mover, (cl_vec){s->x, s->y}, s->angle));
  cl_placed a = cl_place(s->a, s->x, s->y, s->angle), b = cl_place(s->b, 0, 0, s->turned);
  if (!cl_overlaps(&a, &b, false)) return;
  if (cl_world_can_move(s->world, s->other)) move_other(s, (cl_vec){0, 0});
  cl_overlaps(&a, &b, false);
}

// A ray, or the mover's shape, along the way.
static void cast(scene *s, bool ray) {
  const cl_filter others = {UINT64_MAX, &s->mover, 1};
  cl_placed placed = cl_place(s->a, s->x, s->y, s->angle);
  const cl_path path = {s->x, s->y, s->x + s->way.x, s->y + s->way.y, ray ? NULL : &placed};
  cl_answers found;
  slow_check(cl_world_cast(s->world, &path, true, others, &found));
}

static const char *const names[] = {
    "overlap",   "touching", "overlaps",    "contact",         "distance",  "cast",  "slide",
    "bounce",    "push",     "asking move", "one-way",         "fits",      "steps", "bullet",
    "nearest",   "ray",      "sweep",       "carry",           "snapshot",  "cross", "touch",
    "character", "turn",     "asking turn", "piece of a plan", "moving map"};
enum { CALLS = sizeof names / sizeof names[0] };

static void call(scene *s, int what) {
  const slow_input pair = {"", s->a, s->b, s->x, s->y, s->angle};
  const cl_filter all = {UINT64_MAX, NULL, 0};
  cl_answers found;
  switch (what) {
  case 6: move(s, CL_RESPONSE_SLIDE, false); break;
  case 7: move(s, CL_RESPONSE_BOUNCE, false); break;
  case 8: move(s, CL_RESPONSE_PUSH, false); break;
  case 9: move(s, CL_RESPONSE_NONE, true); break;
  case 10: move_one_way(s); break;
  case 11: fits(s); break;
  case 12: steps(s); break;
  case 13: bounce(s, false); break;
  case 14: slow_check(cl_world_nearest(s->world, s->x, s->y, 2, all, &found)); break;
  case 15: cast(s, true); break;
  case 16: cast(s, false); break;
  case 17: carry(s); break;
  case 18: snapshot(s); break;
  case 19: move(s, CL_RESPONSE_CROSS, false); break;
  case 20: move(s, CL_RESPONSE_TOUCH, false); break;
  case 21: walk(s); break;
  case 22: turn(s, false); break;
  case 23: turn(s, true); break;
  case 24: // entries cut its way into pieces, each of which may take as long as a whole way
    bounce(s, true);
    blocks /= ENTRIES + 1;
    break;
  case 25: step_other(s); break;
  default: slow_call(&pair, what);
  }
}

static uint64_t work_of(const input *in, int what) {
  scene s;
  open_scene(&s, in);
  blocks = 0;
  call(&s, what);
  uint64_t work = blocks;
  close_scene(&s);
  return work;
}

// ---- the search

static input any_input(void) {
  input in;
  for (int i = 0; i < GENES; i++) in.gene[i] = test_uniform(0, 1);
  return in;
}

// Draws one or a few numbers again, or moves them a little.
static input changed(input in) {
  for (int n = test_int(1, 3); n > 0; n--) {
    int i = test_int(0, GENES - 1);
    double v = test_int(0, 2) ? in.gene[i] + test_uniform(-0.05, 0.05) : test_uniform(0, 1);
    in.gene[i] = v < 0 ? 0 : v >= 1 ? 0.999999 : v;
  }
  return in;
}

static void describe(const input *in) {
  for (int i = 0; i < GENES; i++) printf("%s%.17g", i ? ", " : "  {", in->gene[i]);
  printf("}\n");
}

// Inputs that once took longer than a frame: a turn, a step, three carries, and a move with a
// response function; overlaps, distances, casts, steps, and moves with a response function of large
// shapes in maps; a bullet in a ring, and characters in polygons. The last five show that
// rectangles of cells must be visited nearest first, and that parts must be skipped that a mover
// cannot meet.
static const input known[] = {
    {{0.3545850844900017, 0.75430944052523696, 0.88407704695228484, 0.020645134856752498,
      0.36565026717872295, 0.52093338881799733, 0.026720264290051088, 0.84318792700116463,
      0.50260585571811112, 0.91006197757733298, 0.20879730737551783, 0.58379602290984156,
      0.095898463775927145, 0.57613337414904042, 0.96523884024740647, 0.89707720426871995}},
    {{0.10714285714285714, 0.10195208008469286, 0.98864882559312961, 0.45667768580190216,
      0.5535714285714286, 0.39668690111238969, 0.31466401440894209, 0.2955209914542154,
      0.14501153961616337, 0.10507435285453293, 0.26722504987416218, 0.045638936390613234,
      0.17766516116388553, 0.99132518043391193, 0.9, 0}},
    {{0.5357142857142857, 0.95553942467750463, 0.66339711183504069, 0.7273371432180602,
      0.5178571428571429, 0.19267785729242293, 0.26037897882358996, 0.82551241133691977,
      0.58909630667168844, 0.41836403741927231, 0.10725838747245497, 0.44067969782149552,
      0.041113998447239508, 0.76224120723209754, 0.9, 0}},
    {{0.03571428571428571, 0.23616742653836115, 0.76608427514377386, 0.62955195049702939,
      0.5178571428571429, 0.110523664861361, 0.2591072014225545, 0.087161189739227263,
      0.71115372085285289, 0.1134662686334009, 0.56965149233766543, 0.41307141017245597,
      0.56694973203088894, 0.2187537290122375, 0.9, 0}},
    {{0.5357142857142857, 0.21662918955755947, 0.59045161187233985, 0.4856802608306402,
      0.5535714285714286, 0.092142799689527224, 0.208582584552368, 0.6072198115859182,
      0.25584603526487676, 0.3440311187940287, 0.62048384852530547, 0.99026745296632235,
      0.61472137736646193, 0.056833271851077803, 0.9, 0}},
    {{0.5357142857142857, 0.83133567990957868, 0.83629806836856735, 0.96764967923873357,
      0.5178571428571429, 0.065203548134117106, 0.78995487829391831, 0.97981787920639807,
      0.68881477547281378, 0.49662106072252421, 0.40509135465785284, 0.19607033949777664,
      0.83601749829628325, 0.31483702349587417, 0.9, 0}},
    {{0.89008254804780129, 0.71881890005427374, 0.98174374241252182, 0.4534717356293374,
      0.66477842443741664, 0.22598684757637999, 0.98634367938429102, 0.17130358019785163,
      0.76658536813922307, 0.41975376663714847, 0.97187750794515848, 0.41626462153006361,
      0.32663062453900304, 0.081228206028178263, 0.98187865940964592, 0.045535229150625356}},
    {{0.97689822572126928, 0.8882414616256733, 0.80362135434726001, 0.76152846307412947,
      0.67988685681118988, 0.9015580816521227, 0.15950376633530028, 0.53503390688103525,
      0.12484903130313396, 0.055460514893776423, 0.90416044101921589, 0.86013949499672038,
      0.25689984606941463, 0.59032854329156936, 0.062377869976689038, 0.089867867518181349}},
    {{0.75649776783649036, 0.024439303296188597, 0.85282533881529821, 0.43366549109376207,
      0.7305763775472518, 0.18941407774801206, 0.35601059765552096, 0.02108810252490767,
      0.53137008091953741, 0.40694217196496629, 0.53013662751338608, 0.26155927262274858,
      0.067877670914749971, 0.19315015510023525, 0.89982572250596693, 0.11335670006750764}},
    {{0.95690315972813189, 0.96813354854283962, 0.70387119747705529, 0.56258302378338254,
      0.50859981949156441, 0.30007983478398892, 0.92939190913976755, 0.19191041034313594,
      0.74526526329030385, 0.43560678488610027, 0.40643565071750709, 0.168296898399664,
      0.68116971333893594, 0.86986045560689018, 0.80415225985955074, 0.93773303173694877}},
    {{0.10128300647854338, 0.28843052431733762, 0.88564105710127994, 0.084652956593566933,
      0.96031124835680148, 0.17533130468647753, 0.70842386457858764, 0.82096361888140856,
      0.10400896880284483, 0.78015301826454309, 0.97249785396516464, 0.88193273639024983,
      0.11269125813503011, 0.45033626113333081, 0.36190212578672953, 0.71538565473116977}},
    {{0.61919995263366323, 0.99156324126762085, 0.50958284910930396, 0.74938076706199519,
      0.94299595899152688, 0.13757619951925104, 0.83809078255415503, 0.40655508092975545,
      0.28488962710123955, 0.71330479003267233, 0.088612290909156455, 0.59054368210170582,
      0.73336870002442245, 0.76223847281860768, 0.53263538357031792, 0.10381176947648632}},
    {{0.62924749522790657, 0.81120547678771904, 0.58229810194195464, 0.18914104893415945,
      0.87705631288776065, 0.13515499546901699, 0.23684686041714803, 0.32555193278156475,
      0.34433834718584577, 0.30571363823076486, 0.014113368793925538, 0.36124935856344076,
      0.49262723430393629, 0.37185712877570232, 0.016407058688964415, 0.85129029164157255}},
    {{0.25130990886696869, 0.21470495433961956, 0.84046842874864092, 0.63353760787010704,
      0.64514838695192256, 0.78288961285776237, 0.17696446671244914, 0.95299451367724974,
      0.42885437836998486, 0.44319159705706385, 0.61981717799220759, 0.13564708612754556,
      0.49716150255905817, 0.95548784676068566, 0.55965962861503693, 0.91792816706848002}},
    {{0.36426892758002705, 0.071379493610968514, 0.75853040515603953, 0.30989886591956706,
      0.6607376847038281, 0.076419591672836185, 0.57222137507214943, 0.41105581716636003,
      0.5591002227249241, 0.77403877441777091, 0.3897312963397398, 0.72254936566713235,
      0.41227393686698166, 0.36686332154645107, 0.83043659676562376, 0.48469805598405291}},
    {{0.12173149153390936, 0.79310763187235278, 0.071439105559172877, 0.029633445588553964,
      0.63249408670339047, 0.33120004601694553, 0.18211614903109474, 0.46108785656929308,
      0.73060362173624505, 0.68031076996784734, 0.90492661408170172, 0.2927231622053495,
      0.37154916740359578, 0.075425956578735409, 0.70715459949895454, 0.52134155354367728}},
    {{0.57843412816722262, 0.66249270708841712, 0.15817795487171746, 0.43389402730719051,
      0.29761494875424821, 0.62155382753671606, 0.72239348893073863, 0.12695000168906029,
      0.39084472195246567, 0.51587386965153337, 0.59172423260408935, 0.37845032231402109,
      0.037078966094835408, 0.38307727361003024, 0.4568228662350462, 0.29759468978144443}},
    {{0.74291019797353575, 0.33235113854948012, 0.44255656828150158, 0.47747360928607063,
      0.93594394078743992, 0.35367564412642793, 0.4314401761058595, 0.52527654230327092,
      0.21036658581194162, 0.055387247062821721, 0.36376505345583243, 0.99999899999999997,
      0.37043548318146724, 0.70212740729178202, 0.068156633242231091, 0.46993689483922274}},
    {{0.89749894222560112, 0.91969801548063934, 0.99793566706212489, 0.18212113593897317,
      0.87216058325528412, 0.083282162316882347, 0.79548031972647648, 0.33447342330535712,
      0.10149598405864069, 0.57596917985031837, 0.54245195117146194, 0.91297165276896353,
      0.55921106735510884, 0.14673179518673529, 0.078548185458686692, 0.80729960182649207}},
    {{0.5104361347397266, 0.9876896458135801, 0.25334448643487878, 0.94465796696426618,
      0.99999899999999997, 0.30635482585370843, 0.84753013102221741, 0.085671286643134698,
      0.31810115157543684, 0.86898781437182271, 0.30471324210380035, 0.15993453180370321,
      0.29568658771181233, 0.96560414458999966, 0.2914563317632779, 0.960939403948321}},
    {{0.89749894222560112, 0.91969801548063934, 0.99793566706212489, 0.17307528174423581,
      0.89390308904088933, 0.046194935553964742, 0.79548031972647648, 0.33447342330535712,
      0.14653426384333229, 0.73720810865977704, 0.54245195117146194, 0.91297165276896353,
      0.55921106735510884, 0.14673179518673529, 0.078548185458686692, 0.80729960182649207}},
    {{0.89749894222560112, 0.91969801548063934, 0.99793566706212489, 0.18212113593897317,
      0.87216058325528412, 0.083282162316882347, 0.79548031972647648, 0.33447342330535712,
      0.10149598405864069, 0.51265886540699857, 0.53990321079339942, 0.91297165276896353,
      0.55271619676967076, 0.14673179518673529, 0.30267847637334677, 0.61830223908021453}},
    {{0.58726737348501568, 0.77723897516943108, 0.65643594693433338, 0.54070432183081341,
      0.55022513331808376, 0.00069324425878640461, 0.34416970671300939, 0.79533141120669271,
      0.83667496743644143, 0.49187333457794979, 0.071166948498222568, 0.63015760727468761,
      0.14269344370373788, 0.91118812931178705, 0.39905785849273734, 0.41152000028121916}},
    {{0.62924749522790657, 0.81120547678771904, 0.9550874733917325, 0.18480750582300351,
      0.88419550804276981, 0.088234764014704453, 0.20888445904238928, 0.32555193278156475,
      0.34433834718584577, 0.31070681274748679, 0.014113368793925538, 0.31344674999615896,
      0.47078790293114048, 0.56603534875920547, 0.016407058688964415, 0.85129029164157255}},
};
enum { KNOWN = sizeof known / sizeof *known };

typedef struct slow {
  input in;
  uint64_t work;
} slow;

static void try_input(const input *in, int what, slow *slowest) {
  uint64_t work = work_of(in, what);
  if (work > slowest->work) *slowest = (slow){*in, work};
}

// One search, which begins at a given input if that is slower than all those that it draws.
static void climb(int what, slow *slowest) {
  for (int start = 0; start < STARTS; start++) {
    input in = any_input();
    try_input(&in, what, slowest);
  }
  for (int i = 0; i < TRIES; i++) {
    input in = changed(slowest->in);
    try_input(&in, what, slowest);
  }
}

static uint64_t slowest_of(int what) {
  slow slowest = {known[0], 0};
  for (int i = 0; i < KNOWN; i++) try_input(&known[i], what, &slowest);
  for (long i = 0; i < test_rounds(SEARCHES); i++) {
    slow found = i == 0 ? slowest : (slow){known[0], 0};
    climb(what, &found);
    if (found.work > slowest.work) slowest = found;
  }
  printf("%s: %.2f ms at most\n", names[what], 16.0 * (double)slowest.work / MOST_BLOCKS);
  if (slowest.work <= MOST_BLOCKS) return slowest.work;
  describe(&slowest.in);
  CHECK_MSG(false, "%s: %llu blocks", names[what], (unsigned long long)slowest.work);
  return slowest.work;
}

static void no_call_takes_longer_than_a_frame(void) {
  input probe = any_input();
  int slowest = 0;
  uint64_t most = 0;
  if (work_of(&probe, 4) == 0) {
    printf("work is counted only by `make search-work`\n");
    CHECK(blocks == 0);
    return;
  }
  for (int what = 0; what < CALLS; what++) {
    uint64_t work = slowest_of(what);
    if (work > most) most = work, slowest = what;
  }
  printf("longest call: %s, %.2f ms\n", names[slowest], 16.0 * (double)most / MOST_BLOCKS);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  alloc = cl_alloc_default();
  RUN(no_call_takes_longer_than_a_frame);
  return test_end();
}
