// collide, MIT licence (see LICENSE)
//
// Boxes that slide through a map of tiles and turn back where they are stopped, in milliseconds
// per frame: a hand-written look-up of tiles, which moves a box along one axis after the other;
// and moves of a world, against the same tiles, against a wall actor for each tile, and where
// the boxes also stop each other.

#include "bench.h"

#include "collide.h"

enum { MAP = 64, CELL = 32, SIZE = 16, MOVERS = 1000, FASTEST = 3 };

static const uint64_t WALLS = 1, ALL = UINT64_MAX;

static uint8_t solid[MAP * MAP];

// The state of the boxes, and what stops them.
typedef struct game {
  double x[MOVERS], y[MOVERS], vx[MOVERS], vy[MOVERS];
  cl_world *world;
  cl_io io;
  uint64_t stops;
  long hits, frames;
  bench_task task;
} game;

static cl_shape *tiles, *wall, *box;

static void need(bool good) {
  if (good) return;
  fprintf(stderr, "no memory\n");
  exit(EXIT_FAILURE);
}

static void make_map(uint64_t *state) {
  cl_alloc alloc = cl_alloc_default();
  cl_grid *grid;
  for (int i = 0; i < MAP * MAP; i++) {
    int x = i % MAP, y = i / MAP;
    bool border = x == 0 || y == 0 || x == MAP - 1 || y == MAP - 1;
    solid[i] = bench_uniform(state, 0, 1) < 0.3 || border;
  }
  need(cl_grid_new(&alloc, 2, (int64_t[]){MAP, MAP}, (double[]){CELL, CELL}, (double[]){0, 0},
                   &grid) == CL_OK);
  for (int i = 0; i < MAP * MAP; i++) cl_grid_set(grid, (int64_t[]){i % MAP, i / MAP, 0}, solid[i]);
  need(cl_shape_tiles(&alloc, grid, NULL, 0, &tiles) == CL_OK);
  need(cl_shape_rectangle(&alloc, 0, 0, CELL, CELL, &wall) == CL_OK);
  need(cl_shape_rectangle(&alloc, 0, 0, SIZE, SIZE, &box) == CL_OK);
  cl_grid_release(grid);
}

static void scatter(game *g) {
  uint64_t state = 7;
  for (int i = 0; i < MOVERS; i++) {
    int x, y;
    do x = (int)bench_uniform(&state, 1, MAP - 1), y = (int)bench_uniform(&state, 1, MAP - 1);
    while (solid[x + MAP * y]);
    g->x[i] = x * CELL + bench_uniform(&state, 0, CELL - SIZE);
    g->y[i] = y * CELL + bench_uniform(&state, 0, CELL - SIZE);
    g->vx[i] = bench_uniform(&state, -FASTEST, FASTEST);
    g->vy[i] = bench_uniform(&state, -FASTEST, FASTEST);
  }
}

// The last tile that a box reaches into if it ends at `to`.
static int last_of(double to) {
  int whole = (int)to;
  return (whole - (whole == to)) / CELL;
}

// Moves a box along an axis, whose tiles are `step` apart, to the tiles in the way: those
// from `first` to `last` across, `far` apart.
static void move_by_hand(game *g, double *at, double *speed, int step, int first, int last,
                         int far) {
  double to = *at + *speed;
  int side = *speed > 0 ? last_of(to + SIZE) : (int)to / CELL;
  for (int k = first; k <= last; k++) {
    if (!solid[side * step + k * far]) continue;
    to = *speed > 0 ? side * CELL - SIZE : (side + 1) * CELL;
    *speed = -*speed;
    g->hits++;
    break;
  }
  *at = to;
}

static void by_hand(void *self) {
  game *g = self;
  g->frames++;
  for (int i = 0; i < MOVERS; i++) {
    int top = (int)g->y[i] / CELL, bottom = last_of(g->y[i] + SIZE);
    move_by_hand(g, &g->x[i], &g->vx[i], 1, top, bottom, MAP);
    int left = (int)g->x[i] / CELL, right = last_of(g->x[i] + SIZE);
    move_by_hand(g, &g->y[i], &g->vy[i], MAP, left, right, 1);
  }
}

static void by_world(void *self) {
  game *g = self;
  g->frames++;
  for (int i = 0; i < MOVERS; i++) {
    cl_move_def def = {.slot = (uint32_t)i,
                       .x = g->x[i],
                       .y = g->y[i],
                       .dx = g->vx[i],
                       .dy = g->vy[i],
                       .filter = {g->stops, NULL, 0},
                       .response = CL_RESPONSE_SLIDE};
    need(cl_world_move(g->world, &def) == CL_OK);
    cl_move_result r = cl_world_move_result(g->world);
    g->x[i] = r.moved->to.x, g->y[i] = r.moved->to.y;
    for (size_t k = 0; k < r.hits; k++) {
      cl_vec n = r.hit[k].normal;
      if (n.x * g->vx[i] < 0) g->vx[i] = -g->vx[i];
      if (n.y * g->vy[i] < 0) g->vy[i] = -g->vy[i];
    }
    g->hits += (long)r.hits;
    need(cl_world_move_commit(g->world) == CL_OK);
  }
}

static void add(game *g, cl_shape *shape, double x, double y, uint8_t group) {
  uint32_t slot;
  cl_actor_def def = {.shape = shape, .x = x, .y = y, .group = group, .fixed = group == 0};
  need(cl_world_add(g->world, &def, &slot) == CL_OK);
}

static void open_world(game *g, bool of_tiles, uint64_t stops) {
  const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto};
  g->world = cl_world_new(&def, &g->io);
  need(g->world);
  g->stops = stops;
  for (int i = 0; i < MOVERS; i++) add(g, box, g->x[i], g->y[i], 1);
  if (of_tiles) add(g, tiles, 0, 0, 0);
  for (int i = 0; i < MAP * MAP && !of_tiles; i++)
    if (solid[i]) add(g, wall, i % MAP * CELL, i / MAP * CELL, 0);
}

int main(void) {
  enum { WAYS = 4 };
  static const char *const names[WAYS] = {"by hand", "tiles", "a wall each", "and each other"};
  static game games[WAYS];
  bench_task *tasks[WAYS];
  uint64_t state = 1;
  make_map(&state);
  for (int i = 0; i < WAYS; i++) {
    scatter(&games[i]);
    if (i > 0) open_world(&games[i], i != 2, i == 3 ? ALL : WALLS);
    games[i].task = (bench_task){.frame = i > 0 ? by_world : by_hand, .self = &games[i]};
    tasks[i] = &games[i].task;
  }
  bench_run(tasks, WAYS);
  bench_header();
  for (int i = 0; i < WAYS; i++)
    bench_row("movers", names[i], MOVERS, tasks[i]->last, "ms", tasks[0]->last,
              games[i].hits / games[i].frames);
  for (int i = 1; i < WAYS; i++) cl_world_free(games[i].world);
  cl_shape_release(tiles);
  cl_shape_release(wall);
  cl_shape_release(box);
  return 0;
}
