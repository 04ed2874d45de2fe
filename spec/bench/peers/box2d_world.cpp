// collide, MIT licence (see LICENSE)
//
// A whole step of Box2D 2.4's b2World, for a game that moves its objects itself and only wants
// to know which ones hit: bodies with sensors and without forces, and a loop over all touching
// contacts after each step.

#include <box2d/box2d.h>

#include <vector>

#include "peers.h"

namespace {

constexpr float METRE = 30; // as in box2d.cpp

class World {
public:
  explicit World(const peer_scene &s) : scene(s), world(b2Vec2(0, 0)), body(s.count) {
    world.SetAllowSleeping(false);
    for (uint32_t i = 0; i < scene.count; i++) add(i);
  }

  void frame(peer_pairs *out) {
    for (uint32_t i = 0; i < scene.count; i++)
      if (!scene.fixed[i]) body[i]->SetTransform(place(i), 0);
    world.Step(1.0f / 60, 8, 3);
    for (b2Contact *c = world.GetContactList(); c; c = c->GetNext())
      if (c->IsTouching())
        peer_take(&scene, out, number(c->GetFixtureA()), number(c->GetFixtureB()));
  }

private:
  peer_scene scene;
  b2World world;
  std::vector<b2Body *> body;

  b2Vec2 place(uint32_t i) const {
    return b2Vec2(scene.box[i][0] / METRE, scene.box[i][1] / METRE);
  }

  static uint32_t number(b2Fixture *fixture) { return uint32_t(fixture->GetUserData().pointer); }

  void add(uint32_t i) {
    const float *b = scene.box[i];
    b2BodyDef def;
    def.type = scene.fixed[i] ? b2_staticBody : b2_dynamicBody;
    def.position = place(i);
    def.fixedRotation = true;
    float w = (b[2] - b[0]) / METRE / 2, h = (b[3] - b[1]) / METRE / 2;
    b2PolygonShape shape;
    shape.SetAsBox(w, h, b2Vec2(w, h), 0);
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.density = 1;
    fixture.isSensor = true;
    fixture.userData.pointer = i;
    body[i] = world.CreateBody(&def);
    body[i]->CreateFixture(&fixture);
  }
};

void *open_world(const peer_scene *scene) { return new World(*scene); }
void frame(void *peer, peer_pairs *out) { static_cast<World *>(peer)->frame(out); }
void close_world(void *peer) { delete static_cast<World *>(peer); }

} // namespace

extern "C" const peer_class peer_box2d_world = {"Box2D 2.4's world", open_world, frame, close_world,
                                                true};
