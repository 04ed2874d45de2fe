// collide, MIT licence (see LICENSE)
//
// Box2D 2.4's b2BroadPhase. It reports only new pairs, so its user keeps each pair for as
// long as the fattened boxes overlap, as b2ContactManager does. (A Query for every box
// instead takes 1.5 times as long.)

#include <box2d/b2_broad_phase.h>

#include <utility>
#include <vector>

#include "peers.h"

namespace {

// Boxes are fattened by 0.1 metres. A metre is 30 pixels, as in LÖVE. With a metre per pixel
// it takes twice as long, since boxes leave their fattened boxes more often.
constexpr float METRE = 30;

class Index {
public:
  explicit Index(const peer_scene &s) : scene(s), proxy(s.count), met(s.count) {
    for (uint32_t i = 0; i < scene.count; i++)
      proxy[i] = broad.CreateProxy(box(i), reinterpret_cast<void *>(uintptr_t(i)));
  }

  void frame(peer_pairs *out) {
    for (uint32_t i = 0; i < scene.count; i++) {
      if (scene.fixed[i]) continue;
      const float *v = scene.speed[i];
      broad.MoveProxy(proxy[i], box(i), b2Vec2(v[0] / METRE, v[1] / METRE));
    }
    broad.UpdatePairs(this);
    for (uint32_t i = 0; i < scene.count; i++) {
      std::vector<uint32_t> &others = met[i];
      for (size_t k = 0; k < others.size();) {
        if (broad.TestOverlap(proxy[i], proxy[others[k]])) {
          peer_take(&scene, out, i, others[k++]);
        } else {
          others[k] = others.back();
          others.pop_back();
        }
      }
    }
  }

  // Called by UpdatePairs.
  void AddPair(void *first, void *second) {
    uint32_t a = uint32_t(reinterpret_cast<uintptr_t>(first));
    uint32_t b = uint32_t(reinterpret_cast<uintptr_t>(second));
    if (scene.fixed[a] && scene.fixed[b]) return;
    if (a > b) std::swap(a, b);
    for (uint32_t other : met[a])
      if (other == b) return;
    met[a].push_back(b);
  }

private:
  peer_scene scene;
  b2BroadPhase broad;
  std::vector<int32> proxy;
  std::vector<std::vector<uint32_t>> met; // by box: the boxes after it that it has met

  b2AABB box(uint32_t i) const {
    const float *b = scene.box[i];
    b2AABB out;
    out.lowerBound.Set(b[0] / METRE, b[1] / METRE);
    out.upperBound.Set(b[2] / METRE, b[3] / METRE);
    return out;
  }
};

void *open_index(const peer_scene *scene) { return new Index(*scene); }
void frame(void *peer, peer_pairs *out) { static_cast<Index *>(peer)->frame(out); }
void close_index(void *peer) { delete static_cast<Index *>(peer); }

} // namespace

extern "C" const peer_class peer_box2d = {"Box2D 2.4", open_index, frame, close_index, false};
