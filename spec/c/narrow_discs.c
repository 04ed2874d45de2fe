// collide, MIT licence (see LICENSE)
//
// The combined test of an upright rectangle and a circle: whenever it decides, its result equals
// that of separating axes one by one, to the bit.

#include "random_shapes.h"
#include "narrow/primitives.h"

static cl_alloc alloc;

typedef struct tally {
  long hits, doubts;
} tally;

static void check_pair(const cl_placed *box, const cl_placed *disc, tally *t) {
  cl_bounds b = box->shape->bounds;
  cl_vec c = cl_placed_vertex(disc, 0);
  bool near;
  cl_hit got, want[2], back;
  cl_disc round = {c.x, c.y, disc->shape->radius};
  cl_vec box_at = {box->x, box->y}, disc_at = {disc->x, disc->y};
  bool hit = cl_overlap_box_disc(&b, &round, &box_at, &disc_at, &near, &got);
  t->hits += hit;
  t->doubts += near;
  if (near) return;
  for (int touching = 0; touching < 2; touching++) {
    bool is = cl_overlap(box, disc, touching, &want[touching]);
    CHECK(is == hit);
    if (is && hit)
      CHECK_MSG(memcmp(&got, &want[touching], sizeof got) == 0, "(%.17g, %.17g) %.17g, not %.17g",
                got.nx, got.ny, got.depth, want[touching].depth);
  }
  if (!hit) return;
  REQUIRE(cl_overlap(disc, box, false, &back));
  CHECK(back.nx == -got.nx + 0.0 && back.ny == -got.ny + 0.0 && back.depth == got.depth);
}

static void meet(bool lattice, double far, tally *t) {
  cl_shape *box, *disc;
  cl_placed p, q;
  if (lattice) {
    REQUIRE(cl_shape_rectangle(&alloc, test_int(-3, 3), test_int(-3, 3), test_int(1, 5),
                               test_int(1, 5), &box) == CL_OK);
    REQUIRE(cl_shape_circle(&alloc, test_int(-3, 3), test_int(-3, 3), test_int(1, 5), &disc) ==
            CL_OK);
    far = floor(far);
    p = cl_place(box, far + test_int(-4, 4), -far + test_int(-4, 4), 0);
    q = cl_place(disc, far + test_int(-4, 4), -far + test_int(-4, 4), test_int(0, 1));
  } else {
    box = random_shape(&alloc, 0, 10), disc = random_shape(&alloc, 1, 10);
    p = cl_place(box, far + test_uniform(-15, 15), -far + test_uniform(-15, 15), 0);
    q = cl_place(disc, far + test_uniform(-15, 15), -far + test_uniform(-15, 15),
                 test_uniform(-9, 9));
  }
  check_pair(&p, &q, t);
  cl_shape_release(box);
  cl_shape_release(disc);
}

static void anywhere(void) {
  tally t = {0, 0};
  long rounds = test_rounds(200000);
  for (long i = rounds; i > 0; i--) {
    meet(false, i % 3 ? test_uniform(-1000, 1000) : test_uniform(-1e7, 1e7), &t);
  }
  CHECK(t.hits > rounds / 10);
  CHECK_MSG(t.doubts < rounds / 1000, "%ld doubts", t.doubts);
}

static void on_a_lattice(void) {
  tally t = {0, 0};
  long rounds = test_rounds(100000);
  for (long i = rounds; i > 0; i--) meet(true, test_uniform(-1e4, 1e4), &t);
  CHECK(t.hits > rounds / 10 && t.doubts > rounds / 100);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(anywhere);
  RUN(on_a_lattice);
  return test_end();
}
