// collide, MIT licence (see LICENSE)
//
// A whole step of Chipmunk 7's space, for a game that moves its objects itself and only wants
// to know which ones hit: kinematic bodies and sensors, and a call for each pair in each step.

#include <chipmunk/chipmunk.h>

#include "peers.h"

typedef struct space_of {
  cpSpace *space;
  peer_scene scene;
  peer_pairs *out;
  cpBody **body;
} space_of;

// Called in each step for each pair of shapes that overlap.
static cpBool take(cpArbiter *arbiter, cpSpace *space, cpDataPointer data) {
  (void)space;
  const space_of *peer = data;
  cpShape *a, *b;
  cpArbiterGetShapes(arbiter, &a, &b);
  peer_take(&peer->scene, peer->out, (uint32_t)(uintptr_t)cpShapeGetUserData(a),
            (uint32_t)(uintptr_t)cpShapeGetUserData(b));
  return cpTrue;
}

static cpVect place_of(const space_of *peer, uint32_t i) {
  const float *b = peer->scene.box[i];
  return cpv((double)b[0], (double)b[1]);
}

static void add(space_of *peer, uint32_t i) {
  const float *b = peer->scene.box[i];
  double width = (double)b[2] - (double)b[0], height = (double)b[3] - (double)b[1];
  cpBody *body = peer->scene.fixed[i] ? cpBodyNewStatic() : cpBodyNewKinematic();
  cpShape *shape = cpBoxShapeNew2(body, cpBBNew(0, 0, width, height), 0);
  cpBodySetPosition(body, place_of(peer, i));
  cpShapeSetSensor(shape, cpTrue);
  cpShapeSetUserData(shape, (cpDataPointer)(uintptr_t)i);
  cpSpaceAddBody(peer->space, body);
  cpSpaceAddShape(peer->space, shape);
  peer->body[i] = body;
}

static void *open_space(const peer_scene *scene) {
  space_of *peer = calloc(1, sizeof *peer);
  if (!peer) abort();
  peer->scene = *scene;
  peer->body = calloc(scene->count, sizeof(cpBody *));
  if (!peer->body) abort();
  peer->space = cpSpaceNew();
  cpCollisionHandler *handler = cpSpaceAddDefaultCollisionHandler(peer->space);
  handler->preSolveFunc = take;
  handler->userData = peer;
  for (uint32_t i = 0; i < scene->count; i++) add(peer, i);
  return peer;
}

// A step first moves the bodies by their velocities, to the places of the boxes. The tree also
// uses the velocities to predict motion.
static void frame(void *self, peer_pairs *out) {
  space_of *peer = self;
  peer->out = out;
  for (uint32_t i = 0; i < peer->scene.count; i++) {
    if (peer->scene.fixed[i]) continue;
    const float *v = peer->scene.speed[i];
    cpVect speed = cpv((double)v[0], (double)v[1]);
    cpBodySetPosition(peer->body[i], cpvsub(place_of(peer, i), speed));
    cpBodySetVelocity(peer->body[i], speed);
  }
  cpSpaceStep(peer->space, 1);
}

static void free_shape(cpBody *body, cpShape *shape, void *data) {
  (void)body;
  cpSpaceRemoveShape(data, shape);
  cpShapeFree(shape);
}

static void close_space(void *self) {
  space_of *peer = self;
  for (uint32_t i = 0; i < peer->scene.count; i++) {
    cpBodyEachShape(peer->body[i], free_shape, peer->space);
    cpSpaceRemoveBody(peer->space, peer->body[i]);
    cpBodyFree(peer->body[i]);
  }
  cpSpaceFree(peer->space);
  free(peer->body);
  free(peer);
}

const peer_class peer_chipmunk_space = {"Chipmunk's space", open_space, frame, close_space, true};
