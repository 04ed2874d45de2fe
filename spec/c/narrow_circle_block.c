// collide, MIT licence (see LICENSE)
//
// Circles against vertex blocks, along edges and at corners: the answers are those of cl_overlap to
// the bit, and hardly any are left open.

#include "block_shapes.h"

#include "narrow/primitives.h"
#include "collide.h"

static cl_alloc alloc;

typedef struct tally {
  long hits, apart, open, corners;
} tally;

// The answer of both steps; corners are tested only if edges leave it open.
static bool ask(const cl_disc_at *circle, const cl_block_at *block, int room, bool *near,
                cl_hit *out, tally *t) {
  cl_disc_edge edge;
  bool is = cl_overlap_disc_block(circle, block, room, near, &edge, out);
  if (!*near) return is;
  is = cl_overlap_disc_corner(circle->disc.r, block, room, &edge, near, out);
  t->corners += !*near;
  return is;
}

static void check_pair(const cl_placed *polygon, const cl_placed *circle, tally *t) {
  const cl_shape *s = circle->shape;
  double few[CL_BLOCK(CL_BLOCK_FEW)], many[CL_BLOCK(CL_BLOCK_MANY)];
  cl_disc_at c = {{circle->x + s->vx[0], circle->y + s->vy[0], s->radius}, {circle->x, circle->y}};
  for (int size = 0; size < 2; size++) {
    if (size == 0 && !cl_has_few(polygon->shape)) continue;
    if (size == 0) CL_BEST(cl_place_block)(polygon, CL_BLOCK_FEW, few, NULL);
    else CL_BEST(cl_place_block)(polygon, CL_BLOCK_MANY, many, NULL);
    cl_block_at block = block_at(polygon, size == 0 ? few : many);
    bool near;
    cl_hit out, h;
    bool is = ask(&c, &block, size == 0 ? CL_BLOCK_FEW : CL_BLOCK_MANY, &near, &out, t);
    t->open += near, t->hits += is && !near, t->apart += !is && !near;
    if (near) continue;
    for (int touching = 0; touching < 2; touching++) {
      CHECK(cl_overlap(circle, polygon, touching, &h) == is);
      if (is) CHECK(same_hit(&h, &out));
      CHECK(cl_overlap(polygon, circle, touching, &h) == is);
      cl_hit back = {0.0 - out.nx, 0.0 - out.ny, out.depth};
      if (is) CHECK(same_hit(&h, &back));
    }
  }
}

static void answers(bool lattice, double far, tally *t) {
  const double right = 1.5707963267948966;
  cl_shape *polygon = block_shape(&alloc, lattice), *circle;
  double x = lattice ? (double)(int64_t)far : far, y = -x;
  bool off = test_int(0, 3) == 0;
  double ox = off ? test_int(-3, 3) : 0, oy = off ? test_int(-3, 3) : 0;
  double r = lattice ? test_int(1, 4) : test_uniform(0.01, 10);
  REQUIRE(cl_shape_circle(&alloc, ox, oy, r, &circle) == CL_OK);
  for (int i = 0; i < 64; i++) {
    double angle = lattice ? right * test_int(0, 3) : test_uniform(-9, 9);
    double dx = lattice ? test_int(-6, 6) : test_uniform(-15, 15);
    double dy = lattice ? test_int(-6, 6) : test_uniform(-15, 15);
    cl_placed p = cl_place(polygon, x, y, angle), q = cl_place(circle, x + dx, y + dy, 0);
    check_pair(&p, &q, t);
  }
  cl_shape_release(polygon);
  cl_shape_release(circle);
}

static void answers_are_those_of_overlap(void) {
  tally free = {0}, lattice = {0};
  for (long i = test_rounds(2000); i > 0 && test_errors == 0; i--) {
    double far = i % 3 ? test_uniform(-1000, 1000) : test_uniform(-1e7, 1e7);
    answers(false, far, &free);
    answers(true, far, &lattice);
  }
  CHECK(free.hits > 1000 && free.apart > 1000 && lattice.hits > 1000 && lattice.apart > 1000);
  CHECK(lattice.open > 1000); // pairs that only touch
  CHECK(free.corners > 1000 && lattice.corners > 1000);
  CHECK_MSG(100 * free.open < free.hits + free.apart, "%ld open of %ld", free.open,
            free.open + free.hits + free.apart);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(answers_are_those_of_overlap);
  return test_end();
}
