/* collide, MIT licence (see LICENSE)
 *
 * Other libraries' broad phases, used as an expert would use them to find every overlapping pair of
 * boxes in each frame. For C and C++. They are measured beside ours where they are installed, but
 * never needed.
 */

#ifndef CL_BENCH_PEERS_H
#define CL_BENCH_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Boxes as left, top, right, bottom, the motion of each per frame, and which of them never move.
 * The arrays stay where they are, and are moved before each frame. */
typedef struct peer_scene {
  uint32_t count;
  const float (*box)[4];
  const float (*speed)[2];
  const uint8_t *fixed;
  float size; /* of a usual box */
} peer_scene;

/* The pairs of a frame, each once, and how many the library reported before the boxes
 * themselves were tested. */
typedef struct peer_pairs {
  uint32_t (*at)[2];
  size_t count, cap, told;
} peer_pairs;

typedef struct peer_class {
  const char *name;
  void *(*open)(const peer_scene *scene);
  void (*frame)(void *peer, peer_pairs *out);
  void (*close)(void *peer);
  bool whole; /* a whole step, with an exact test of each pair */
} peer_class;

extern const peer_class peer_chipmunk_hash, peer_chipmunk_tree, peer_box2d;
extern const peer_class peer_chipmunk_space, peer_box2d_world;

/* Takes a pair that a library reported: keeps it if the boxes share a point. */
static inline void peer_take(const peer_scene *scene, peer_pairs *out, uint32_t a, uint32_t b) {
  const float *p = scene->box[a], *q = scene->box[b];
  out->told++;
  if (p[0] > q[2] || q[0] > p[2] || p[1] > q[3] || q[1] > p[3]) return;
  if (out->count == out->cap) {
    out->cap = out->cap * 2 + 1024;
    out->at = (uint32_t(*)[2])realloc(out->at, out->cap * sizeof *out->at);
    if (!out->at) abort();
  }
  out->at[out->count][0] = a;
  out->at[out->count][1] = b;
  out->count++;
}

#ifdef __cplusplus
}
#endif

#endif
