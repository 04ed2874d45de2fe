// collide, MIT licence (see LICENSE)
//
// Microseconds per question about shapes of many parts: two stars that overlap deeply or
// barely, and a star and a long chain against a small circle.

#include "ask.h"

#include "../c/random_shapes.h"

enum { PAIRS = 16, ROUNDS = 9 };

// A star: its corners alternate between two radii.
static cl_shape *star(const cl_alloc *alloc, int n, double r) {
  static double xy[2048];
  cl_fault fault;
  cl_shape *s = NULL;
  for (int i = 0; i < n; i++) {
    double k = r * (i % 2 ? test_uniform(0.4, 0.6) : test_uniform(0.8, 1)), sine, cosine;
    cl_sincos(6.283185307179586 * i / n, &sine, &cosine);
    xy[2 * i] = k * cosine, xy[2 * i + 1] = k * sine;
  }
  if (cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, &s) != CL_OK) abort();
  return s;
}

// A hilly ground of n segments, 2 units each.
static cl_shape *ground(const cl_alloc *alloc, int n) {
  double *xy = malloc(sizeof *xy * 2 * ((size_t)n + 1));
  cl_fault fault;
  cl_shape *s = NULL;
  for (int i = 0; i <= n; i++) xy[2 * i] = 2 * i, xy[2 * i + 1] = test_uniform(-1, 1);
  if (cl_shape_chain(alloc, xy, (uint32_t)n + 1, false, &fault, &s) != CL_OK) abort();
  free(xy);
  return s;
}

static double ask_cast(const cl_placed *a, const cl_placed *b) {
  cl_cast c = {0, 0, 0, 0, 0};
  cl_cast_shape(a, (cl_vec){3, 20}, b, &c);
  return c.t;
}

// The median of some rounds, in microseconds per pair.
static double measure(bench_ask *question, cl_placed pairs[][2], int rounds) {
  double times[ROUNDS], sink = 0;
  for (int r = 0; r < rounds; r++) {
    double start = bench_now();
    for (int i = 0; i < PAIRS; i++) sink += question(&pairs[i][0], &pairs[i][1]);
    times[r] = (bench_now() - start) * 1e3 / PAIRS;
  }
  if (sink == 0.5) printf("\n");
  return bench_median(times, rounds);
}

static void stars(const cl_alloc *alloc, int n) {
  static const double apart[3] = {5, 70, 160};
  static const char *const names[3] = {"deep", "half", "shallow"};
  cl_shape *s = star(alloc, n, 100), *t = star(alloc, n, 100), *ball;
  cl_placed pairs[PAIRS][2];
  cl_shape_circle(alloc, 0, 0, 2, &ball);
  int rounds = n > 64 ? 3 : ROUNDS;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < PAIRS; i++) {
      double turn = test_uniform(0, 7), sine, cosine;
      cl_sincos(test_uniform(0, 7), &sine, &cosine);
      pairs[i][0] = cl_place(s, 300, 300, turn);
      pairs[i][1] = cl_place(t, 300 + apart[k] * cosine, 300 + apart[k] * sine, test_uniform(0, 7));
    }
    printf("star of %d,star of %d %s,%.2f,,\n", n, n, names[k],
           measure(bench_ask_overlap, pairs, rounds));
    fflush(stdout);
  }
  for (int i = 0; i < PAIRS; i++) {
    double sine, cosine;
    cl_sincos(test_uniform(0, 7), &sine, &cosine);
    pairs[i][0] = cl_place(ball, 300 + 75 * cosine, 300 + 75 * sine, 0);
    pairs[i][1] = cl_place(s, 300, 300, test_uniform(0, 7));
  }
  printf("circle,star of %d,%.2f,%.2f,%.2f\n", n, measure(bench_ask_overlap, pairs, ROUNDS),
         measure(bench_ask_distance, pairs, ROUNDS), measure(ask_cast, pairs, ROUNDS));
  cl_shape_release(s);
  cl_shape_release(t);
  cl_shape_release(ball);
}

static void chains(const cl_alloc *alloc, int n, double turn) {
  cl_shape *s = ground(alloc, n), *ball;
  cl_placed pairs[PAIRS][2];
  cl_shape_circle(alloc, 0, 0, 2, &ball);
  for (int i = 0; i < PAIRS; i++) {
    cl_rot r = cl_rot_of(turn);
    cl_vec v = cl_rot_apply(r, (cl_vec){test_uniform(0, 2 * n), test_uniform(-4, 1)});
    pairs[i][0] = cl_place(ball, v.x, v.y, 0);
    pairs[i][1] = cl_place(s, 0, 0, turn);
  }
  printf("circle,chain of %d%s,%.2f,%.2f,%.2f\n", n, turn != 0 ? " turned" : "",
         measure(bench_ask_overlap, pairs, ROUNDS), measure(bench_ask_distance, pairs, ROUNDS),
         measure(ask_cast, pairs, ROUNDS));
  cl_shape_release(s);
  cl_shape_release(ball);
}

int main(int argc, char **argv) {
  cl_alloc alloc = cl_alloc_default();
  static const int corners[] = {8, 16, 64, 128, 500};
  int most = argc > 1 ? atoi(argv[1]) : 500;
  test_state = 1;
  printf("a,b,overlap_us,distance_us,cast_us\n");
  for (int i = 0; i < 5 && corners[i] <= most; i++) stars(&alloc, corners[i]);
  chains(&alloc, 100, 0);
  chains(&alloc, 10000, 0);
  chains(&alloc, 10000, 0.7);
  return 0;
}
