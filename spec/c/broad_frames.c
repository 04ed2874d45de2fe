// collide, MIT licence (see LICENSE)
//
// Broad phases from frame to frame: boxes move, come, go and change their size, and the data that a
// broad phase keeps from the last find must not affect the results. Some finds run out of memory,
// and are repeated.

#include "broad_scenes.h"

enum { MOST = 150 };

// Boxes and how they move. `order` and `static_version` are as in cl_broad_input.
typedef struct play {
  scene *s;
  double side, least, most; // the field's side; the limits of sizes
  double vx[MOST], vy[MOST];
  uint64_t order, static_version;
  bool numbered; // the serial numbers are set
} play;

static cl_fbox new_box(const play *p) {
  double x = test_uniform(0, p->side), y = test_uniform(0, p->side);
  if (test_int(0, 30) == 0) x *= test_uniform(-1e4, 1e4);
  return box_at(x, y, size_between(p->least, p->most), size_between(p->least, p->most));
}

static void add(play *p) {
  scene *s = p->s;
  if (s->count == MOST) return;
  uint32_t i = s->count++;
  s->box[i] = new_box(p);
  s->fixed[i] = (uint8_t)(test_int(0, 1));
  // Half of them leave for ever, faster and faster.
  double speed = size_between(0.01, 3) * p->most;
  p->vx[i] = test_int(0, 1) ? speed : test_uniform(-1, 1) * p->most;
  p->vy[i] = test_uniform(-1, 1) * speed;
  p->order++;
  p->static_version += s->fixed[i];
}

static void take_out(play *p) {
  scene *s = p->s;
  if (s->count == 0) return;
  uint32_t i = (uint32_t)test_int(0, (int)s->count - 1);
  p->order++;
  p->static_version += s->fixed[i];
  s->count--;
  for (; i < s->count; i++) {
    s->box[i] = s->box[i + 1];
    s->fixed[i] = s->fixed[i + 1];
    p->vx[i] = p->vx[i + 1];
    p->vy[i] = p->vy[i + 1];
  }
}

// Gives a box another size and place, or fixes it where it is.
static void change(play *p) {
  scene *s = p->s;
  if (s->count == 0) return;
  uint32_t i = (uint32_t)test_int(0, (int)s->count - 1);
  bool was = s->fixed[i];
  if (test_int(0, 1)) s->box[i] = new_box(p);
  else s->fixed[i] = (uint8_t)test_int(0, 1);
  p->order += was != s->fixed[i];
  p->static_version += was || s->fixed[i];
}

static void move_all(play *p) {
  scene *s = p->s;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->fixed[i] || test_int(0, 3) == 0) continue;
    cl_fbox b = s->box[i];
    s->box[i] = box_at(b.x0 + p->vx[i], b.y0 + p->vy[i], (double)b.x1 - b.x0, (double)b.y1 - b.y0);
    p->vx[i] *= 1.01;
  }
}

static void advance(play *p) {
  switch (test_int(0, 9)) {
  case 0:
    for (int n = test_int(0, 40); n > 0; n--) add(p);
    break;
  case 1:
    for (int n = test_int(0, 40); n > 0; n--) take_out(p);
    break;
  case 2: add(p); break;
  case 3: take_out(p); break;
  case 4:
  case 5: change(p); break;
  default: break;
  }
  move_all(p);
  p->s->some_fixed = false;
  for (uint32_t i = 0; i < p->s->count; i++) p->s->some_fixed |= p->s->fixed[i] != 0;
  scene_find(p->s);
}

// Puts the smaller number of each pair first.
static void turn_pairs(cl_pairs *pairs) {
  for (size_t i = 0; i < pairs->count; i++) {
    cl_pair pair = pairs->at[i];
    if (pair.a > pair.b) pairs->at[i] = (cl_pair){pair.b, pair.a};
  }
}

static void check(cl_broad *broad, int b, play *p, cl_pairs *pairs, heap *h) {
  cl_broad_input in = scene_input(p->s);
  in.either_way = test_int(0, 1);
  if (p->numbered) in.order = p->order, in.static_version = p->static_version;
  h->one_in = test_int(0, 3) ? 0 : 2;
  cl_status status;
  do {
    pairs->count = 0;
    status = broad->class->find(broad, &in, pairs);
    if (in.either_way) turn_pairs(pairs);
    const char *wrong = status == CL_OK ? scene_differs(p->s, pairs->at, pairs->count)
                                        : scene_wrong(p->s, pairs->at, pairs->count);
    CHECK_MSG(!wrong, "%s: %s, %u boxes", broad_names[b], wrong, p->s->count);
  } while (status != CL_OK);
  h->one_in = 0;
}

static void start(play *p) {
  p->s->count = 0;
  p->order = p->static_version = 1;
  p->numbered = test_int(0, 3) > 0;
  p->side = size_between(1, 1e6);
  p->least = size_between(1e-3, 100);
  p->most = p->least * (test_int(0, 1) ? test_uniform(1, 3) : size_between(1, 1e5));
  for (int n = test_int(0, 60); n > 0; n--) add(p);
}

static void frames(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  play *p = calloc(1, sizeof *p);
  REQUIRE(p);
  p->s = malloc(sizeof *p->s);
  REQUIRE(p->s);
  for (long i = test_rounds(800); i > 0; i--) {
    uint64_t seed = test_bits();
    test_state = seed;
    long errors = test_errors;
    cl_broad_def def = field_def(alloc, test_int(0, FIELDS - 1), (unsigned)test_int(0, 6));
    cl_broad *broad[BROADS];
    h.one_in = 0;
    h.state = seed;
    for (int b = 0; b < BROADS; b++) broad[b] = open_broad(b, def);
    start(p);
    for (int frame = 0; frame < 50; frame++) {
      advance(p);
      for (int b = 0; b < BROADS; b++) check(broad[b], b, p, &pairs, &h);
    }
    for (int b = 0; b < BROADS; b++) broad[b]->class->close(broad[b]);
    CHECK_MSG(test_errors == errors, "the play's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(p->s);
  free(p);
  CHECK_HEAP_EMPTY(h);
}

int main(void) {
  RUN(frames);
  return test_end();
}
