// collide, MIT licence (see LICENSE)
//
// The boxes with which broad phases are measured, and how they move. The density does not
// depend on N. Speeds are up to 5 units per frame on each axis, and boxes that leave the
// field turn round.
//   A1  boxes of 10 x 10, 0.8 pairs a box (the swarm's density)
//   A2  squares of 2 to 200, log-uniform, about a pair a box
//   A3  boxes of 10 x 10, 80 % of them in 1 % of the area, about a pair a box
//   A4  boxes of 10 x 10, a thirtieth of A1's density
//   A5  A1 with 90 % of the boxes fixed

#ifndef CL_BENCH_SCENES_H
#define CL_BENCH_SCENES_H

#include <math.h>

#include "bench.h"
#include "geom/box.h"

enum { SCENES = 5 };

typedef struct scene {
  uint32_t count, fixed_count, clustered; // fixed ones first, then those of the cluster
  float side;                             // of the field, a square from 0, 0
  float size;                             // of a usual box
  cl_fbox *box;
  float (*speed)[2];
  float *width; // and height
  uint8_t *fixed;
} scene;

static inline void *scene_array(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p) {
    fprintf(stderr, "no memory\n");
    exit(EXIT_FAILURE);
  }
  return p;
}

static inline void scene_free(scene *s) {
  free(s->box);
  free(s->speed);
  free(s->width);
  free(s->fixed);
}

// The part of the field that box i is in: a square at 0, 0.
static inline float scene_reach(const scene *s, uint32_t i) {
  return i < s->clustered ? s->side / 10 : s->side;
}

static inline void scene_make(scene *s, int kind, uint32_t count) {
  // The area per box that gives the numbers of pairs above.
  static const double areas[SCENES] = {250, 6192, 12800, 7500, 250};
  uint64_t state = 1;
  *s = (scene){.count = count, .size = kind == 1 ? 43 : 10};
  s->side = (float)sqrt(areas[kind] * count);
  if (kind == 2) s->clustered = (uint32_t)(count * 0.8);
  if (kind == 4) s->fixed_count = (uint32_t)(count * 0.9);
  s->box = scene_array(count, sizeof *s->box);
  s->speed = scene_array(count, sizeof *s->speed);
  s->width = scene_array(count, sizeof *s->width);
  s->fixed = scene_array(count, sizeof *s->fixed);
  for (uint32_t i = 0; i < count; i++) {
    float reach = scene_reach(s, i);
    float x = (float)bench_uniform(&state, 0, reach), y = (float)bench_uniform(&state, 0, reach);
    float width = kind == 1 ? (float)(2 * pow(100, bench_uniform(&state, 0, 1))) : 10;
    s->box[i] = (cl_fbox){x, y, x + width, y + width};
    s->width[i] = width;
    s->fixed[i] = i < s->fixed_count;
    if (s->fixed[i]) continue;
    s->speed[i][0] = (float)bench_uniform(&state, -5, 5);
    s->speed[i][1] = (float)bench_uniform(&state, -5, 5);
  }
}

// The speed, turned back towards the interval 0 … reach if x lies beyond one of its ends.
static inline float scene_turned(float speed, float x, float reach) {
  float size = fabsf(speed);
  return x < 0 ? size : x > reach ? -size : speed;
}

static inline void scene_move_some(scene *s, uint32_t from, uint32_t to, float reach) {
  for (uint32_t i = from; i < to; i++) {
    float x = s->box[i].x0 + s->speed[i][0], y = s->box[i].y0 + s->speed[i][1];
    s->speed[i][0] = scene_turned(s->speed[i][0], x, reach);
    s->speed[i][1] = scene_turned(s->speed[i][1], y, reach);
    s->box[i] = (cl_fbox){x, y, x + s->width[i], y + s->width[i]};
  }
}

static inline void scene_move(scene *s) {
  if (s->clustered) scene_move_some(s, 0, s->clustered, scene_reach(s, 0));
  scene_move_some(s, s->fixed_count > s->clustered ? s->fixed_count : s->clustered, s->count,
                  s->side);
}

#endif
