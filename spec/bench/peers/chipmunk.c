// collide, MIT licence (see LICENSE)
//
// Chipmunk 7's spatial indexes, the hash and the tree, as cpSpace uses them: statics are in an
// index of their own, and the tree knows the velocities.

#include <chipmunk/chipmunk.h>

#include "peers.h"

typedef struct index_of {
  cpSpatialIndex *moving, *still;
  peer_scene scene;
  peer_pairs *out;
  struct item {
    struct index_of *owner;
    uint32_t number;
  } items[];
} index_of;

static cpBB box_of(void *object) {
  const struct item *item = object;
  const float *b = item->owner->scene.box[item->number];
  return cpBBNew((double)b[0], (double)b[1], (double)b[2], (double)b[3]);
}

static cpVect speed_of(void *object) {
  const struct item *item = object;
  const float *v = item->owner->scene.speed[item->number];
  return cpv((double)v[0], (double)v[1]);
}

static cpCollisionID take(void *a, void *b, cpCollisionID id, void *data) {
  const index_of *index = data;
  peer_take(&index->scene, index->out, ((struct item *)a)->number, ((struct item *)b)->number);
  return id;
}

static index_of *new_index(const peer_scene *scene) {
  index_of *index = calloc(1, sizeof *index + scene->count * sizeof *index->items);
  if (!index) abort();
  index->scene = *scene;
  return index;
}

static void *fill(index_of *index) {
  for (uint32_t i = 0; i < index->scene.count; i++) {
    index->items[i] = (struct item){index, i};
    cpSpatialIndexInsert(index->scene.fixed[i] ? index->still : index->moving, &index->items[i], i);
  }
  return index;
}

static void *open_hash(const peer_scene *scene) {
  // Roughly as the manual advises. Half or twice the cell or table size is no faster.
  index_of *index = new_index(scene);
  double cell = (double)scene->size * 2;
  int cells = (int)scene->count * 10;
  index->still = cpSpaceHashNew(cell, cells, box_of, NULL);
  index->moving = cpSpaceHashNew(cell, cells, box_of, index->still);
  return fill(index);
}

static void *open_tree(const peer_scene *scene) {
  index_of *index = new_index(scene);
  index->still = cpBBTreeNew(box_of, NULL);
  index->moving = cpBBTreeNew(box_of, index->still);
  cpBBTreeSetVelocityFunc(index->moving, speed_of);
  fill(index);
  cpBBTreeOptimize(index->still);
  return index;
}

static void frame(void *peer, peer_pairs *out) {
  index_of *index = peer;
  index->out = out;
  cpSpatialIndexReindexQuery(index->moving, take, index);
}

static void close_index(void *peer) {
  index_of *index = peer;
  cpSpatialIndexFree(index->moving);
  cpSpatialIndexFree(index->still);
  free(index);
}

const peer_class peer_chipmunk_hash = {"Chipmunk hash", open_hash, frame, close_index, false};
const peer_class peer_chipmunk_tree = {"Chipmunk tree", open_tree, frame, close_index, false};
