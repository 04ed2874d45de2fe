// collide, MIT licence (see LICENSE)
//
// Shared by all benchmarks in C: a clock, medians, random numbers, rows of CSV, and turns.
// The tasks that are compared take turns, so that other load of the machine affects all of
// them alike.

#ifndef CL_BENCH_BENCH_H
#define CL_BENCH_BENCH_H

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// The turns of each task, and the measurements in each turn. A measurement is of as many
// frames as take BENCH_MS together. As many frames run before it untimed, to bring the
// task's data back into the caches; a task whose frame takes longer fills the caches in that
// frame anyway. A turn ends early when it has lasted BENCH_TURN_MS.
enum { BENCH_TURNS = 15, BENCH_TIMES = 10 };
#define BENCH_MS 0.1
#define BENCH_TURN_MS 2.0

// Milliseconds of processor time, which passes only while the program runs, so that other load
// counts less.
static inline double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline int bench_ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The median of the values, which it sorts.
static inline double bench_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, bench_ascending);
  return values[count / 2];
}

// Park and Miller's generator, from `state` 1 … 2147483646: the same numbers
// everywhere.
static inline double bench_uniform(uint64_t *state, double a, double b) {
  *state = *state * 48271 % 2147483647;
  return a + (b - a) * ((double)*state / 2147483647.0);
}

// A task that is measured: `frame` does its work once.
typedef struct bench_task {
  void (*frame)(void *self);
  void *self;
  double last; // milliseconds a frame
  int count;
  double times[BENCH_TURNS * BENCH_TIMES];
} bench_task;

static inline void bench_frames(bench_task *task, int frames) {
  double start = bench_now();
  for (int i = 0; i < frames; i++) task->frame(task->self);
  task->last = (bench_now() - start) / frames;
}

static inline void bench_turn(bench_task *task) {
  int frames = 1 + (int)(BENCH_MS / task->last);
  if (frames > 1) bench_frames(task, frames);
  double end = bench_now() + BENCH_TURN_MS;
  int times = 0;
  do {
    bench_frames(task, frames);
    task->times[task->count++] = task->last;
  } while (++times < BENCH_TIMES && bench_now() < end);
}

// Gives every task its turns and puts the median, in milliseconds per frame, into `last`.
static inline void bench_run(bench_task **tasks, int count) {
  for (int i = 0; i < count; i++) {
    tasks[i]->count = 0;
    bench_frames(tasks[i], 3);
  }
  for (int turn = 0; turn < BENCH_TURNS; turn++)
    for (int i = 0; i < count; i++) bench_turn(tasks[i]);
  for (int i = 0; i < count; i++) tasks[i]->last = bench_median(tasks[i]->times, tasks[i]->count);
}

// Every benchmark prints such rows. `times` is the value as a multiple of ours, if there is one to
// compare with; `found` is a figure of the results, for comparing them.
static inline void bench_header(void) { printf("case,who,n,value,unit,times,found\n"); }

static inline void bench_row(const char *name, const char *who, long n, double value,
                             const char *unit, double ours, long found) {
  printf("%s,%s,%ld,%.5g,%s,", name, who, n, value, unit);
  if (ours > 0) printf("%.3g", value / ours);
  printf(",%ld\n", found);
  fflush(stdout);
}

#endif
