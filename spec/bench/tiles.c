// collide, MIT licence (see LICENSE)
//
// Boxes that bounce about in a map of tiles, in milliseconds per frame, as CSV: a whole step of
// a world, the overlap with tiles alone, and a hand-written look-up, which pushes a box out of
// one cell after the other.

#include "bench.h"

#include "geom/tiles.h"

enum { MAP = 64, CELL = 32, SIZE = 16, MOVERS = 1000, FRAMES = 200, ROUNDS = 9 };

static double uniform(double a, double b) {
  static uint64_t state = 1;
  return bench_uniform(&state, a, b);
}

typedef struct game {
  cl_grid *grid;
  cl_shape *tiles, *box;
  cl_placed map;
  double x[MOVERS], y[MOVERS], vx[MOVERS], vy[MOVERS];
  long hits;
} game;

static void start(game *g) {
  cl_alloc alloc = cl_alloc_default();
  const double origin[2] = {0, 0};
  if (cl_grid_new(&alloc, 2, (int64_t[]){MAP, MAP}, (double[]){CELL, CELL}, origin, &g->grid))
    exit(1);
  for (int y = 0; y < MAP; y++)
    for (int x = 0; x < MAP; x++)
      g->grid->bytes[x + MAP * y] =
          x == 0 || y == 0 || x == MAP - 1 || y == MAP - 1 || uniform(0, 1) < 0.25;
  if (cl_shape_tiles(&alloc, g->grid, NULL, 0, &g->tiles)) exit(1);
  if (cl_shape_rectangle(&alloc, 0, 0, SIZE, SIZE, &g->box)) exit(1);
  g->map = cl_place(g->tiles, 0, 0, 0);
  for (int i = 0; i < MOVERS; i++) {
    int x, y;
    do x = (int)uniform(1, MAP - 1), y = (int)uniform(1, MAP - 1);
    while (g->grid->bytes[x + MAP * y]);
    g->x[i] = x * CELL + 8, g->y[i] = y * CELL + 8;
    g->vx[i] = uniform(-3, 3), g->vy[i] = uniform(-3, 3);
  }
}

static void move(game *g) {
  for (int i = 0; i < MOVERS; i++) g->x[i] += g->vx[i], g->y[i] += g->vy[i];
}

static void push(game *g, int i, double nx, double ny, double depth) {
  g->x[i] += nx * depth, g->y[i] += ny * depth;
  if (nx * g->vx[i] < 0) g->vx[i] = -g->vx[i];
  if (ny * g->vy[i] < 0) g->vy[i] = -g->vy[i];
  g->hits++;
}

static void by_overlap(game *g) {
  cl_hit h;
  for (int i = 0; i < MOVERS; i++) {
    cl_placed p = {g->box, g->x[i], g->y[i], {1, 0}};
    if (cl_overlap(&p, &g->map, false, &h)) push(g, i, h.nx, h.ny, h.depth);
  }
}

static void by_hand(game *g) {
  for (int i = 0; i < MOVERS; i++) {
    int left = (int)g->x[i] / CELL, top = (int)g->y[i] / CELL;
    int right = (int)(g->x[i] + SIZE) / CELL, bottom = (int)(g->y[i] + SIZE) / CELL;
    for (int y = top; y <= bottom; y++)
      for (int x = left; x <= right; x++) {
        if (!g->grid->bytes[x + MAP * y]) continue;
        double l = g->x[i] + SIZE - x * CELL, r = (x + 1) * CELL - g->x[i];
        double t = g->y[i] + SIZE - y * CELL, b = (y + 1) * CELL - g->y[i];
        double across = l < r ? l : r, along = t < b ? t : b;
        if (across <= 0 || along <= 0) continue;
        if (across < along) push(g, i, l < r ? -1 : 1, 0, across);
        else push(g, i, 0, t < b ? -1 : 1, along);
      }
  }
}

typedef struct host {
  cl_world *world;
  cl_io io;
} host;

static void open_world(host *h, game *g) {
  const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto, .listed = true};
  uint32_t slot;
  h->world = cl_world_new(&def, &h->io);
  if (!h->world) exit(1);
  cl_world_set_rule(h->world, 0, 1, true);
  const cl_actor_def map = {.shape = g->tiles, .group = 1, .fixed = true};
  for (int i = 0; i < MOVERS; i++) {
    const cl_actor_def def_of = {.shape = g->box, .x = g->x[i], .y = g->y[i]};
    if (cl_world_add(h->world, &def_of, &slot)) exit(1);
    cl_world_set_event_mask(h->world, slot, CL_EVENT_EVENTS, CL_EVENT_HIT);
  }
  if (cl_world_add(h->world, &map, &slot)) exit(1);
  cl_world_set_event_mask(h->world, slot, CL_EVENT_EVENTS, 0);
}

static void by_world(host *h, game *g) {
  for (int i = 0; i < MOVERS; i++) h->io.place[i] = (cl_vec){g->x[i], g->y[i]};
  if (cl_world_step(h->world, CL_ALL_DISPATCHED)) exit(1);
  for (uint32_t e = 0; e < h->io.events; e++) {
    cl_event made = cl_event_of(&h->io, e), *event = &made;
    if (event->calls & CL_CALL_HIT_A) push(g, (int)event->a, event->nx, event->ny, event->depth);
  }
}

int main(void) {
  static const char *const names[3] = {"by hand", "overlap", "world"};
  static game games[3];
  static double times[3][ROUNDS];
  host h;
  start(&games[0]);
  games[1] = games[2] = games[0];
  open_world(&h, &games[2]);
  for (int r = 0; r < ROUNDS; r++)
    for (int k = 0; k < 3; k++) {
      double begun = bench_now();
      for (int f = 0; f < FRAMES; f++) {
        move(&games[k]);
        if (k == 0) by_hand(&games[k]);
        else if (k == 1) by_overlap(&games[k]);
        else by_world(&h, &games[k]);
      }
      times[k][r] = (bench_now() - begun) / FRAMES;
    }
  printf("movers,way,ms_frame,ns_mover,hits_frame\n");
  for (int k = 0; k < 3; k++) {
    double ms = bench_median(times[k], ROUNDS);
    printf("%d,%s,%.4f,%.1f,%.1f\n", MOVERS, names[k], ms, ms * 1e6 / MOVERS,
           (double)games[k].hits / (ROUNDS * FRAMES));
  }
  cl_world_free(h.world);
  cl_shape_release(games[0].tiles);
  cl_shape_release(games[0].box);
  cl_grid_release(games[0].grid);
  return 0;
}
