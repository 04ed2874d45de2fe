// collide, MIT licence (see LICENSE)
//
// Separating axes in lanes: every width gives the bits of a loop over the axes, and tests of many
// pairs give those of cl_overlap.

#include "block_shapes.h"

#include "narrow/convex.h"
#include "narrow/primitives.h"

enum { SHAPES = 64, COUPLES = 256 };

static cl_alloc alloc;
static cl_shape *pool[SHAPES];
static cl_placed placed[SHAPES];

// A turned shape: in a block for many, and in one for few if that is enough.
typedef struct blocks {
  double many[CL_BLOCK(CL_BLOCK_MANY)], few[CL_BLOCK(CL_BLOCK_FEW)];
  cl_bounds bounds, few_bounds;
} blocks;
static blocks narrow[SHAPES], wide[SHAPES];

static cl_vec vertex(const double *block, int room, int i) {
  return (cl_vec){block[i], block[room + i]};
}

static cl_vec normal(const double *block, int room, int i) {
  return vertex(block + 2 * room, room, i);
}

static cl_vec placed_vertex(int a, int i) {
  cl_vec v = vertex(narrow[a].many, CL_BLOCK_MANY, i);
  return (cl_vec){placed[a].x + v.x, placed[a].y + v.y};
}

// ---- a loop over the axes

static double along(int a, int edge, cl_vec p, cl_vec origin) {
  return cl_vec_dot(normal(narrow[a].many, CL_BLOCK_MANY, edge), cl_vec_sub(p, origin));
}

// How far beyond an edge of a the nearest vertex of b is, relative to the origin o.
static double beyond(int a, int edge, int b, int vertices, cl_vec o) {
  double least = DBL_MAX;
  for (int k = 0; k < vertices; k++) {
    double d = along(a, edge, placed_vertex(b, k), o);
    least = d < least ? d : least;
  }
  cl_vec n = normal(narrow[a].many, CL_BLOCK_MANY, edge);
  cl_vec from = cl_vec_sub((cl_vec){placed[a].x, placed[a].y}, o);
  return least - (placed[a].shape->line[edge] + cl_vec_dot(n, from));
}

static double separation(int a, int b, cl_vec origin, unsigned *edge) {
  int n = (int)placed[a].shape->parts->count, m = (int)placed[b].shape->parts->count;
  double best = -DBL_MAX;
  for (int i = 0; i < n + m; i++) {
    double s = i < n ? beyond(a, i, b, m, origin) : beyond(b, i - n, a, n, origin);
    if (s > best) best = s, *edge = (unsigned)(i < n ? i : i - n + CL_BLOCK_MANY);
  }
  return best;
}

// ---- random shapes

typedef void placing(const cl_placed *p, int room, double *block, cl_bounds *bounds);

static void place(const cl_placed *p, placing *write, blocks *out) {
  const cl_vec at = {p->x, p->y};
  write(p, CL_BLOCK_MANY, out->many, &out->bounds);
  out->bounds = cl_bounds_moved(out->bounds, at);
  if (!cl_has_few(p->shape)) return;
  write(p, CL_BLOCK_FEW, out->few, &out->few_bounds);
  out->few_bounds = cl_bounds_moved(out->few_bounds, at);
}

static void make(bool lattice, double far) {
  double right = 1.5707963267948966;
  double x = lattice ? (double)(int64_t)far : far, y = -x;
  for (int i = 0; i < SHAPES; i++) {
    pool[i] = block_shape(&alloc, lattice);
    double dx = lattice ? test_int(-4, 4) : test_uniform(-15, 15);
    double dy = lattice ? test_int(-4, 4) : test_uniform(-15, 15);
    double angle = lattice ? right * test_int(0, 3) : test_uniform(-9, 9);
    placed[i] = cl_place(pool[i], x + dx, y + dy, angle);
    place(&placed[i], cl_place_block_plain, &narrow[i]);
    place(&placed[i], CL_BEST(cl_place_block), &wide[i]);
  }
}

static void drop(void) {
  for (int i = 0; i < SHAPES; i++) cl_shape_release(pool[i]);
}

static void each_kind(void (*check)(bool lattice)) {
  for (long i = test_rounds(400); i > 0; i--) {
    bool lattice = i % 2;
    make(lattice, i % 3 ? test_uniform(-1000, 1000) : test_uniform(-1e7, 1e7));
    check(lattice);
    drop();
  }
}

// ---- the checks

static long unturned;

static bool same_bounds(cl_bounds a, cl_bounds b) {
  return a.l == b.l && a.t == b.t && a.r == b.r && a.b == b.b;
}

static bool same_block(const double *a, int a_room, const double *b, int b_room) {
  bool same = true;
  for (int i = 0; i < CL_BLOCK_FEW || i < a_room; i++) {
    cl_vec p[2] = {vertex(a, a_room, i), normal(a, a_room, i)};
    cl_vec q[2] = {vertex(b, b_room, i % b_room), normal(b, b_room, i % b_room)};
    same = same && memcmp(p, q, sizeof p) == 0 && a[4 * a_room + i] == b[4 * b_room + i % b_room];
  }
  return same;
}

// A shape that is not turned has its block already.
static void check_own_block(int i) {
  bool few = cl_has_few(pool[i]);
  const double *own = cl_own_block(pool[i]), *block = few ? narrow[i].few : narrow[i].many;
  int numbers = CL_BLOCK(few ? CL_BLOCK_FEW : CL_BLOCK_MANY);
  for (int k = 0; k < numbers; k++) CHECK(own[k] == block[k]);
  unturned++;
}

static void check_place(int i) {
  const blocks *c = &narrow[i], *d = &wide[i];
  CHECK(same_block(c->many, CL_BLOCK_MANY, d->many, CL_BLOCK_MANY));
  for (uint32_t k = 0; k < pool[i]->parts->count; k++) {
    cl_vec v = cl_placed_vertex(&placed[i], k), w = placed_vertex(i, (int)k);
    CHECK(v.x == w.x && v.y == w.y);
  }
  if (cl_rot_is_none(placed[i].rot)) check_own_block(i);
  cl_bounds b;
  b = cl_placed_bounds(&placed[i]);
  CHECK(same_bounds(b, c->bounds) && same_bounds(b, d->bounds));
  if (!cl_has_few(pool[i])) return;
  CHECK(same_block(c->many, CL_BLOCK_MANY, c->few, CL_BLOCK_FEW));
  CHECK(same_block(d->few, CL_BLOCK_FEW, c->few, CL_BLOCK_FEW));
  CHECK(same_bounds(b, c->few_bounds) && same_bounds(b, d->few_bounds));
}

static void check_places(bool lattice) {
  (void)lattice;
  for (int i = 0; i < SHAPES; i++) check_place(i);
}

// The hit of two shapes by a loop over the axes.
static cl_hit plain_hit(int a, int b) {
  unsigned edge = 0;
  double s = separation(a, b, cl_convex_origin(&placed[a], &placed[b]), &edge);
  const double *owner = narrow[edge < CL_BLOCK_MANY ? a : b].many;
  double sign = edge < CL_BLOCK_MANY ? -1 : 1;
  cl_vec n = normal(owner, CL_BLOCK_MANY, (int)edge % CL_BLOCK_MANY);
  return (cl_hit){n.x * sign + 0.0, n.y * sign + 0.0, -s};
}

static long doubtful;

// Two of them, by index.
typedef struct two {
  int a, b;
} two;

// The hits in `found` are those of cl_overlap, except for its doubts.
static void check_verdicts(const two *couple, const cl_verdicts *found) {
  uint32_t hits = 0, doubts = 0;
  for (uint32_t i = 0; i < COUPLES; i++) {
    const cl_placed *a = &placed[couple[i].a], *b = &placed[couple[i].b];
    bool doubt = doubts < found->doubts && found->doubt[doubts] == i;
    bool is = hits < found->hits && found->which[hits] == i;
    cl_hit h[2];
    bool open = cl_overlap(a, b, false, &h[0]), closed = cl_overlap(a, b, true, &h[1]);
    // Boxes are compared as bounds instead, see cl_overlap_boxes.
    bool boxes = cl_placed_part_is_box(a, 0) && cl_placed_part_is_box(b, 0);
    CHECK(doubt || boxes || (open == is && closed == is));
    cl_hit plain = plain_hit(couple[i].a, couple[i].b);
    if (is) CHECK(same_hit(&found->hit[hits], &plain));
    if (is && !boxes) CHECK(same_hit(&plain, &h[0]) && same_hit(&plain, &h[1]));
    hits += is;
    doubts += doubt;
  }
  CHECK(hits == found->hits && doubts == found->doubts);
  doubtful += doubts;
}

// A random shape; with `few` one that has few vertices.
static int some(bool few) {
  int i = test_int(0, SHAPES - 1);
  while (few && !cl_has_few(pool[i])) i = (i + 1) % SHAPES;
  return i;
}

static cl_block_at block_of(const blocks *c, int i, bool few) {
  return block_at(&placed[i], few ? c->few : c->many);
}

static void check_rooms(cl_rooms rooms) {
  bool a_few = rooms == CL_BOTH_FEW || rooms == CL_A_FEW;
  bool b_few = rooms == CL_BOTH_FEW || rooms == CL_B_FEW;
  two which[COUPLES];
  cl_couple one[COUPLES], other[COUPLES];
  cl_hit hit[COUPLES];
  uint32_t number[COUPLES], doubt[COUPLES];
  for (int i = 0; i < COUPLES; i++) {
    int a = some(a_few), b = some(b_few);
    which[i] = (two){a, b};
    one[i] = (cl_couple){{block_of(&narrow[a], a, a_few), block_of(&narrow[b], b, b_few)}};
    other[i] = (cl_couple){{block_of(&wide[a], a, a_few), block_of(&wide[b], b, b_few)}};
  }
  cl_verdicts found = {hit, number, doubt, 0, 0};
  cl_test_couples_plain(one, COUPLES, rooms, &found);
  check_verdicts(which, &found);
  found.hits = found.doubts = 0;
  CL_BEST(cl_test_couples)(other, COUPLES, rooms, &found);
  check_verdicts(which, &found);
}

static void check_couples(bool lattice) {
  (void)lattice;
  for (cl_rooms rooms = CL_BOTH_FEW; rooms <= CL_NONE_FEW; rooms++) check_rooms(rooms);
}

static void places(void) {
  unturned = 0;
  each_kind(check_places);
  CHECK(unturned > test_rounds(1000));
}

static void couples(void) {
  doubtful = 0;
  each_kind(check_couples);
  CHECK(doubtful > test_rounds(1000)); // on the lattice, where shapes touch
}

// Far fewer than one pair in a thousand is left open if nothing touches.
static void doubts_are_rare(void) {
  doubtful = 0;
  for (long i = test_rounds(100); i > 0; i--) {
    make(false, test_uniform(-1000, 1000));
    for (int k = 0; k < SHAPES; k++) {
      int l = (k + 1) % SHAPES;
      cl_couple couple = {{block_of(&narrow[k], k, false), block_of(&narrow[l], l, false)}};
      cl_hit hit;
      uint32_t which, doubt;
      cl_verdicts found = {&hit, &which, &doubt, 0, 0};
      cl_test_couples_plain(&couple, 1, CL_NONE_FEW, &found);
      doubtful += found.doubts;
    }
    drop();
  }
  CHECK(doubtful <= test_rounds(100) * SHAPES / 1000);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(places);
  RUN(couples);
  RUN(doubts_are_rare);
  return test_end();
}
