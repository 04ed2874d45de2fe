// collide, MIT licence (see LICENSE)
//
// Nanoseconds per question about a pair of shapes, by kinds, on so many random pairs that no
// branch predictor learns them: overlap of pairs that hit, and of pairs that miss although
// their bounds overlap; the same for shapes that have been placed before, as in a step; and
// distance and casts of pairs that miss.

#include "ask.h"

#include "../c/random_shapes.h"

#include "narrow/primitives.h"

enum { SHAPES = 512, PAIRS = 4096, ROUNDS = 20 };

// Small convex polygons of 3 to 8 vertices.
static cl_shape *bench_shape(const cl_alloc *alloc, int kind) {
  return kind == 4 ? random_polygon(alloc, test_int(3, 8), 10, 0) : random_shape(alloc, kind, 10);
}

// Fills `pairs` with placed pairs that hit, or that miss although their bounds
// overlap. False when the kinds have no such pairs.
static bool choose(cl_shape **one, cl_shape **two, bool turned, bool hit, cl_placed pairs[][2]) {
  long tries = 0;
  for (int i = 0; i < PAIRS; tries++) {
    if (tries > 200L * PAIRS) return false;
    double angle = turned ? test_uniform(0, 7) : 0, other = turned ? test_uniform(0, 7) : 0;
    cl_placed *p = pairs[i];
    p[0] =
        cl_place(one[test_int(0, SHAPES - 1)], test_uniform(0, 900), test_uniform(0, 900), angle);
    p[1] = cl_place(two[test_int(0, SHAPES - 1)], p[0].x + test_uniform(-20, 20),
                    p[0].y + test_uniform(-20, 20), other);
    cl_bounds a, b;
    cl_hit h;
    a = cl_placed_bounds(&p[0]);
    b = cl_placed_bounds(&p[1]);
    if (cl_overlap(&p[0], &p[1], false, &h) != hit) continue;
    if (!hit && !cl_bounds_touch(a, b)) continue;
    i++;
  }
  return true;
}

static double ask_cast(const cl_placed *a, const cl_placed *b) {
  cl_cast c = {0, 0, 0, 0, 0};
  cl_cast_shape(a, (cl_vec){(b->x - a->x) * 2, (b->y - a->y) * 2}, b, &c);
  return c.t;
}

// A ray from beside the second shape, past or through it; ignores the first shape.
static double ask_ray(const cl_placed *a, const cl_placed *b) {
  cl_cast c = {0, 0, 0, 0, 0};
  cl_cast_ray(b->x - 30, a->y, b->x + 30, b->y + (b->y - a->y), b, &c);
  return c.t;
}

// The median of some rounds, in nanoseconds per pair.
static double measure(bench_ask *question, cl_placed pairs[][2], double *sink) {
  double times[ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    double start = bench_now();
    for (int i = 0; i < PAIRS; i++) *sink += question(&pairs[i][0], &pairs[i][1]);
    times[r] = (bench_now() - start) * 1e6 / PAIRS;
  }
  return bench_median(times, ROUNDS);
}

// Placed pairs, in one batch for each kind of rooms, as in a step.
typedef struct bench_batch {
  cl_couple couple[PAIRS];
  uint32_t count;
} bench_batch;

static void place_couples(cl_placed pairs[][2], bench_batch batches[CL_NONE_FEW + 1]) {
  static double blocks[2 * PAIRS][CL_BLOCK(CL_BLOCK_MANY)];
  cl_bounds bounds;
  for (int r = CL_BOTH_FEW; r <= CL_NONE_FEW; r++) batches[r].count = 0;
  for (int i = 0; i < PAIRS; i++) {
    bool few[2];
    for (int k = 0; k < 2; k++) {
      few[k] = cl_has_few(pairs[i][k].shape);
      int room = few[k] ? CL_BLOCK_FEW : CL_BLOCK_MANY;
      CL_BEST(cl_place_block)(&pairs[i][k], room, blocks[2 * i + k], &bounds);
    }
    cl_rooms rooms = few[0] ? (few[1] ? CL_BOTH_FEW : CL_A_FEW) : few[1] ? CL_B_FEW : CL_NONE_FEW;
    bench_batch *to = &batches[rooms];
    cl_block_at placed[2];
    for (int k = 0; k < 2; k++) {
      const cl_placed *p = &pairs[i][k];
      placed[k] = cl_block_placed(blocks[2 * i + k], (cl_vec){p->x, p->y}, p->shape->parts->reach);
    }
    to->couple[to->count++] = (cl_couple){{placed[0], placed[1]}};
  }
}

// The same for pairs of small polygons that have been placed; 0 for others.
static double measure_placed(cl_placed pairs[][2], double *sink) {
  static bench_batch batches[CL_NONE_FEW + 1];
  static cl_hit hit[PAIRS];
  static uint32_t which[PAIRS], doubt[PAIRS];
  double times[ROUNDS];
  for (int i = 0; i < PAIRS; i++)
    for (int k = 0; k < 2; k++)
      if (!cl_has_block(pairs[i][k].shape)) return 0;
  place_couples(pairs, batches);
  for (int r = 0; r < ROUNDS; r++) {
    double start = bench_now();
    for (cl_rooms rooms = CL_BOTH_FEW; rooms <= CL_NONE_FEW; rooms++) {
      cl_verdicts found = {hit, which, doubt, 0, 0};
      const bench_batch *b = &batches[rooms];
      CL_BEST(cl_test_couples)(b->couple, b->count, rooms, &found);
    }
    times[r] = (bench_now() - start) * 1e6 / PAIRS;
    *sink += hit[0].depth;
  }
  return bench_median(times, ROUNDS);
}

int main(void) {
  cl_alloc alloc = cl_alloc_default();
  static cl_placed hits[PAIRS][2], misses[PAIRS][2];
  static cl_shape *shapes[KINDS][SHAPES];
  double sink = 0;
  test_state = 1;
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < SHAPES; i++) shapes[k][i] = bench_shape(&alloc, k);
  printf("a,b,turned,overlap_miss_ns,overlap_hit_ns,placed_miss_ns,placed_hit_ns,"
         "distance_ns,cast_ns,ray_ns\n");
  for (int a = 0; a < KINDS; a++)
    for (int b = a; b < KINDS; b++)
      for (int turned = a == 0 && b == 0 ? 0 : 1; turned < 2; turned++) {
        bool miss = choose(shapes[a], shapes[b], turned, false, misses);
        bool hit = choose(shapes[a], shapes[b], turned, true, hits);
        cl_placed(*far)[2] = miss ? misses : hits;
        printf("%s,%s,%s,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", kind_names[a], kind_names[b],
               turned ? "yes" : "no", miss ? measure(bench_ask_overlap, misses, &sink) : 0,
               hit ? measure(bench_ask_overlap, hits, &sink) : 0,
               miss ? measure_placed(misses, &sink) : 0, hit ? measure_placed(hits, &sink) : 0,
               measure(bench_ask_distance, far, &sink), measure(ask_cast, far, &sink),
               measure(ask_ray, far, &sink));
      }
  for (int k = 0; k < KINDS; k++)
    for (int i = 0; i < SHAPES; i++) cl_shape_release(shapes[k][i]);
  return sink < 0;
}
