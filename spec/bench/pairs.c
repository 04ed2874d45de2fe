// collide, MIT licence (see LICENSE)
//
// Moving boxes and finding all pairs, in milliseconds per frame: every broad phase, a whole step of
// a world in C, a hand-written grid that also calls both boxes of each pair, and the broad phases
// of Chipmunk 7 and Box2D 2.4 where these are installed; in the swarm also their whole steps. All
// get the same boxes and motion; the pairs of the first frames are compared, and differences are
// reported on stderr.
//   pairs [N…]

#include "bench.h"
#include "peers/peers.h"
#include "ours.h"

enum { COMPARED = 3 };

// collide's broad phases, the default first, and the most boxes with which each is measured:
// a frame of brute force takes a second or more at 10^5.
static const struct ours {
  const char *name;
  const cl_broad_class *class;
  uint32_t most;
} ours[] = {
    {"auto", &cl_broad_auto, UINT32_MAX},
    {"grid", &cl_broad_grid, UINT32_MAX},
    {"quadtree", &cl_broad_quadtree, UINT32_MAX},
    {"loose quadtree", &cl_broad_loose, UINT32_MAX},
    {"incremental", &cl_broad_incremental, UINT32_MAX},
    {"brute", &cl_broad_brute, 10000},
};
enum { OURS = sizeof ours / sizeof *ours };

static const peer_class *const peers[] = {
#ifdef HAVE_CHIPMUNK
    &peer_chipmunk_hash,
    &peer_chipmunk_tree,
    &peer_chipmunk_space,
#endif
#ifdef HAVE_BOX2D
    &peer_box2d,
    &peer_box2d_world,
#endif
    NULL};
enum { PEERS = sizeof peers / sizeof *peers - 1 };

// A plain grid that takes an afternoon to write. Cells have the size of a usual box, or of the
// largest box, and a list each; every box is in the cell of its centre. Each box is tested against
// those before it in the cells around, and both boxes of each pair are called.
typedef struct by_hand {
  float cell;
  int columns, rows;
  int *first, *next; // of a cell, and after a box: a box, or -1
  long told;
} by_hand;

typedef struct contender {
  const char *name;
  scene scene; // a copy, since each contender has played a different number of frames
  void (*find)(struct contender *self);
  void (*close)(struct contender *self);
  cl_broad *broad;
  cl_world *world;
  cl_io io;
  const peer_class *peer;
  void *peer_index;
  cl_pairs pairs;
  peer_pairs told;
  by_hand hand;
  bench_task task;
} contender;

static void frame(void *self) {
  contender *c = self;
  scene_move(&c->scene);
  c->find(c);
}

static void find_broad(contender *c) { ours_find(&c->scene, c->broad, &c->pairs); }

static void close_broad(contender *c) { ours_close(c->broad, &c->pairs); }

static void open_broad(contender *c, const struct ours *mine) {
  c->name = mine->name;
  c->find = find_broad;
  c->close = close_broad;
  c->broad = ours_broad(&c->scene, mine->class);
}

static void find_world(contender *c) { ours_step(&c->scene, c->world, &c->io); }

static void close_world(contender *c) { cl_world_free(c->world); }

static void open_world(contender *c) {
  c->name = "a world's step";
  c->find = find_world;
  c->close = close_world;
  c->world = ours_world(&c->scene, &c->io);
  for (uint32_t i = 0; i < c->scene.count; i++) {
    cl_shape *shape = ours_square((double)c->scene.width[i]);
    ours_add(&c->scene, i, c->world, shape);
    cl_shape_release(shape);
  }
}

// Stands for the game's callback of a hit, which is called through a pointer.
static void count_hit(contender *c, uint32_t self, uint32_t other) {
  (void)self, (void)other;
  c->hand.told++;
}
static void (*volatile on_hit)(contender *c, uint32_t self, uint32_t other) = count_hit;

static int cell_at(float v, float cell, int cells) {
  int k = (int)(v / cell) + 1;
  return k < 1 ? 1 : k > cells - 2 ? cells - 2 : k;
}

static void look(contender *c, int cell, uint32_t i) {
  const cl_fbox *box = c->scene.box;
  cl_fbox me = box[i];
  for (int k = c->hand.first[cell]; k >= 0; k = c->hand.next[k]) {
    cl_fbox it = box[k];
    if (c->scene.fixed[i] && c->scene.fixed[k]) continue;
    if (it.x0 >= me.x1 || me.x0 >= it.x1 || it.y0 >= me.y1 || me.y0 >= it.y1) continue;
    if (c->pairs.count < c->pairs.cap) c->pairs.at[c->pairs.count] = (cl_pair){(uint32_t)k, i};
    c->pairs.count++;
    void (*hit)(contender *, uint32_t, uint32_t) = on_hit;
    hit(c, (uint32_t)k, i);
    hit(c, i, (uint32_t)k);
  }
}

static void find_by_hand(contender *c) {
  by_hand *h = &c->hand;
  const cl_fbox *box = c->scene.box;
  memset(h->first, -1, sizeof *h->first * (size_t)(h->columns * h->rows));
  c->pairs.count = 0;
  for (uint32_t i = 0; i < c->scene.count; i++) {
    int column = cell_at((box[i].x0 + box[i].x1) / 2, h->cell, h->columns);
    int row = cell_at((box[i].y0 + box[i].y1) / 2, h->cell, h->rows);
    int cell = row * h->columns + column;
    for (int r = cell - h->columns; r <= cell + h->columns; r += h->columns)
      for (int k = r - 1; k <= r + 1; k++) look(c, k, i);
    h->next[i] = h->first[cell];
    h->first[cell] = (int)i;
  }
}

static void close_by_hand(contender *c) {
  free(c->hand.first);
  free(c->hand.next);
  free(c->pairs.at);
}

static void open_by_hand(contender *c) {
  by_hand *h = &c->hand;
  float widest = 0;
  for (uint32_t i = 0; i < c->scene.count; i++) widest = fmaxf(widest, c->scene.width[i]);
  c->name = "a grid by hand";
  c->find = find_by_hand;
  c->close = close_by_hand;
  h->cell = widest;
  h->columns = h->rows = (int)(c->scene.side / widest) + 4;
  h->first = scene_array((size_t)(h->columns * h->rows), sizeof *h->first);
  h->next = scene_array(c->scene.count, sizeof *h->next);
  c->pairs.cap = 4 * (size_t)c->scene.count;
  c->pairs.at = scene_array(c->pairs.cap, sizeof *c->pairs.at);
}

static void find_peer(contender *c) {
  c->told.count = c->told.told = 0;
  c->peer->frame(c->peer_index, &c->told);
}

static void close_peer(contender *c) {
  c->peer->close(c->peer_index);
  free(c->told.at);
}

static void open_peer(contender *c, const peer_class *peer) {
  peer_scene view = {.count = c->scene.count,
                     .box = (const float(*)[4])c->scene.box,
                     .speed = (const float(*)[2])c->scene.speed,
                     .fixed = c->scene.fixed,
                     .size = c->scene.size};
  c->name = peer->name;
  c->peer = peer;
  c->find = find_peer;
  c->close = close_peer;
  c->peer_index = peer->open(&view);
}

// The pairs that a frame found: their number, and a hash that does not depend on their order.
typedef struct answer {
  size_t count;
  uint64_t sum;
} answer;

static void add_pair(answer *all, uint32_t a, uint32_t b) {
  uint64_t z = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  all->sum += z ^ z >> 31;
  all->count++;
}

static answer answer_of(const contender *c) {
  answer all = {0, 0};
  cl_pair pair;
  cl_hit hit;
  if (c->world) {
    for (size_t i = 0, n = cl_world_counts(c->world).hits; i < n; i++)
      if (cl_world_hit(c->world, i, &pair, &hit)) add_pair(&all, pair.a, pair.b);
  } else if (c->broad || c->hand.first) {
    for (size_t i = 0; i < c->pairs.count; i++) add_pair(&all, c->pairs.at[i].a, c->pairs.at[i].b);
  } else {
    for (size_t i = 0; i < c->told.count; i++) add_pair(&all, c->told.at[i][0], c->told.at[i][1]);
  }
  return all;
}

// Reports contenders whose pairs differ from those of the first, and returns the first's number of
// pairs.
static size_t compare(const char *name, contender **all, int count) {
  answer first = {0, 0};
  for (int f = 0; f < COMPARED; f++)
    for (int i = 0; i < count; i++) {
      contender *c = all[i];
      frame(c);
      answer a = answer_of(c);
      if (i == 0) first = a;
      if (a.count == first.count && a.sum == first.sum) continue;
      fprintf(stderr, "%s, %u boxes, frame %d: %s finds %zu pairs, %s %zu%s\n", name,
              c->scene.count, f + 1, c->name, a.count, all[0]->name, first.count,
              c->world || c->hand.first ? ", without those that only touch" : "");
    }
  fprintf(stderr, "%s, %u boxes: %zu pairs", name, all[0]->scene.count, first.count);
  for (int i = 0; i < count; i++)
    if (all[i]->peer) fprintf(stderr, "; %s tells %zu", all[i]->name, all[i]->told.told);
  fprintf(stderr, "\n");
  return first.count;
}

// Prints a world's step in the swarm against its aims: as a multiple of the broad phase alone,
// with cold caches for both, and of the hand-written grid.
static void say_aims(const char *name, uint32_t count, double broad, double step, double hand) {
  printf("%s of %u boxes: a world's step takes %.2f times the broad phase (aim: at most 2)\n", name,
         count, step / broad);
  printf("%s of %u boxes: a grid by hand takes %.2f times a world's step (aim at 10000: at least "
         "1.5)\n",
         name, count, hand / step);
}

static void say_whole(const char *name, const contender *peer, double step) {
  printf("%s of %u boxes: %s takes %.1f times a world's step\n", name, peer->scene.count,
         peer->name, peer->task.last / step);
}

static void measure(int kind, uint32_t count) {
  contender *all[OURS + PEERS + 2];
  bench_task *tasks[OURS + PEERS + 2];
  char name[] = {'A', (char)('1' + kind), 0};
  int n = 0;
  for (int i = 0; i < OURS + PEERS + 2; i++) {
    if (i < OURS && count > ours[i].most) continue;
    if (i >= OURS + 2 && kind > 0 && peers[i - OURS - 2]->whole) continue;
    contender *c = scene_array(1, sizeof *c);
    scene_make(&c->scene, kind, count);
    if (i < OURS) open_broad(c, &ours[i]);
    else if (i == OURS) open_world(c);
    else if (i == OURS + 1) open_by_hand(c);
    else open_peer(c, peers[i - OURS - 2]);
    c->task.frame = frame;
    c->task.self = c;
    tasks[n] = &c->task;
    all[n++] = c;
  }
  long found = (long)compare(name, all, n);
  bench_run(tasks, n);
  double step = 0, hand = 0;
  for (int i = 0; i < n; i++) {
    bench_row(name, all[i]->name, (long)count, all[i]->task.last, "ms", all[0]->task.last, found);
    if (all[i]->world) step = all[i]->task.last;
    if (all[i]->hand.first) hand = all[i]->task.last;
    if (all[i]->peer && all[i]->peer->whole) say_whole(name, all[i], step);
    all[i]->close(all[i]);
    scene_free(&all[i]->scene);
    if (i > 0) free(all[i]);
  }
  if (kind == 0) say_aims(name, count, all[0]->task.last, step, hand);
  free(all[0]);
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"1000", "10000", "100000"};
  int counts = argc > 1 ? argc - 1 : 3;
  fprintf(stderr, "others tell more pairs than overlap: a hash those of a cell, trees those of "
                  "boxes made larger\n");
  bench_header();
  for (int kind = 0; kind < SCENES; kind++)
    for (int i = 0; i < counts; i++) {
      const char *count = argc > 1 ? argv[i + 1] : usual[i];
      measure(kind, (uint32_t)strtoul(count, NULL, 10));
    }
  return EXIT_SUCCESS;
}
