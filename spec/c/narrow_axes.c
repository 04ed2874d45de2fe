// collide, MIT licence (see LICENSE)
//
// Separating axes in lanes: every width gives the bits of a loop over one axis after the
// other, and tests of many pairs those of cl_overlap.

#include "random_shapes.h"

#include "narrow/axes.h"

enum { SHAPES = 64, COUPLES = 512 };

static cl_alloc alloc;
static cl_shape *pool[SHAPES];
static cl_placed placed[SHAPES];
static cl_corners narrow[SHAPES], wide[SHAPES];
static cl_bounds narrow_bounds[SHAPES], wide_bounds[SHAPES];

// ---- one axis after the other

static double along(const cl_corners *c, int edge, double x, double y) {
  return c->nx[edge] * x + c->ny[edge] * y;
}

// How far the nearest vertex of b lies beyond an edge of a, relative to the origin o.
static double beyond(const cl_corners *a, int edge, const cl_corners *b, int vertices, cl_vec o) {
  double least = DBL_MAX;
  for (int k = 0; k < vertices; k++) {
    double d = along(a, edge, b->x[k] - o.x, b->y[k] - o.y);
    least = d < least ? d : least;
  }
  return least - along(a, edge, a->x[edge] - o.x, a->y[edge] - o.y);
}

static double separation(int a, int b, cl_vec origin, unsigned *edge) {
  int n = (int)placed[a].shape->parts->count, m = (int)placed[b].shape->parts->count;
  double best = -DBL_MAX;
  for (int i = 0; i < n + m; i++) {
    double s = i < n ? beyond(&narrow[a], i, &narrow[b], m, origin)
                     : beyond(&narrow[b], i - n, &narrow[a], n, origin);
    if (s > best) best = s, *edge = (unsigned)(i < n ? i : i - n + CL_AXES);
  }
  return best;
}

// ---- random shapes: any, or on a small lattice, where they touch and tie all the time

static cl_shape *some_shape(bool lattice) {
  cl_shape *s = NULL;
  cl_fault fault;
  while (!s) {
    if (lattice && test_int(0, 1)) {
      double xy[8];
      for (int k = 0; k < 8; k++) xy[k] = test_int(0, 4);
      if (cl_shape_polygon(&alloc, xy, (uint32_t)test_int(3, 4), &fault, &s) != CL_OK) s = NULL;
    } else if (lattice) {
      double x = test_int(0, 4), y = test_int(0, 4);
      cl_shape_rectangle(&alloc, x, y, test_int(1, 4), test_int(1, 4), &s);
    } else if (test_int(0, 3)) {
      s = random_polygon(&alloc, test_int(3, 8), 10, 0);
    } else {
      s = random_shape(&alloc, test_int(0, 1) ? 0 : 3, 10);
    }
    if (s && !cl_has_corners(s)) cl_shape_release(s), s = NULL;
  }
  return s;
}

static void make(bool lattice, double far) {
  double right = 1.5707963267948966;
  double x = lattice ? (double)(int64_t)far : far, y = -x;
  for (int i = 0; i < SHAPES; i++) {
    pool[i] = some_shape(lattice);
    double dx = lattice ? test_int(-4, 4) : test_uniform(-15, 15);
    double dy = lattice ? test_int(-4, 4) : test_uniform(-15, 15);
    double angle = lattice ? right * test_int(0, 3) : test_uniform(-9, 9);
    placed[i] = cl_place(pool[i], x + dx, y + dy, angle);
    cl_corners_place(&placed[i], false, &narrow[i], &narrow_bounds[i]);
    cl_corners_place(&placed[i], cl_has_avx2(), &wide[i], &wide_bounds[i]);
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

// ---- what is checked

static bool same_bounds(cl_bounds a, cl_bounds b) {
  return a.l == b.l && a.t == b.t && a.r == b.r && a.b == b.b;
}

static void check_places(bool lattice) {
  (void)lattice;
  for (int i = 0; i < SHAPES; i++) {
    CHECK(memcmp(narrow[i].x, wide[i].x, sizeof narrow[i].x) == 0);
    CHECK(memcmp(narrow[i].y, wide[i].y, sizeof narrow[i].y) == 0);
    CHECK(memcmp(narrow[i].nx, wide[i].nx, sizeof narrow[i].nx) == 0);
    CHECK(memcmp(narrow[i].ny, wide[i].ny, sizeof narrow[i].ny) == 0);
    for (uint32_t k = 0; k < pool[i]->parts->count; k++) {
      cl_vec v = cl_placed_vertex(&placed[i], k);
      CHECK(narrow[i].x[k] == v.x && narrow[i].y[k] == v.y);
    }
    cl_bounds b;
    cl_placed_bounds(&placed[i], &b);
    CHECK(same_bounds(b, narrow_bounds[i]) && same_bounds(b, wide_bounds[i]));
  }
}

// The hit of two shapes by a loop over one axis after the other.
static cl_hit plain_hit(int a, int b) {
  const cl_placed *p = &placed[a], *q = &placed[b];
  bool as_given = p->x < q->x || (p->x == q->x && p->y < q->y);
  int first = as_given ? a : b, second = as_given ? b : a;
  unsigned edge = 0;
  double s = separation(first, second, (cl_vec){placed[first].x, placed[first].y}, &edge);
  const cl_corners *owner = &narrow[edge < CL_AXES ? first : second];
  double sign = as_given == (edge < CL_AXES) ? -1 : 1;
  cl_vec n = {owner->nx[edge % CL_AXES], owner->ny[edge % CL_AXES]};
  return (cl_hit){n.x * sign + 0.0, n.y * sign + 0.0, -s};
}

// Two of them are compared as bounds instead, see cl_overlap_boxes.
static bool upright_box(const cl_placed *p) {
  return (p->shape->parts->flags & CL_PART_BOX) && cl_rot_is_none(p->rot);
}

static bool same(const cl_hit *a, const cl_hit *b) { return memcmp(a, b, sizeof *a) == 0; }

static long doubtful;

// The couples that `found` has as hits are those of cl_overlap, but for its doubts.
static void check_verdicts(const cl_couple *couple, const cl_verdicts *found) {
  uint32_t hits = 0, doubts = 0;
  for (uint32_t i = 0; i < COUPLES; i++) {
    const cl_placed *a = &placed[couple[i].a], *b = &placed[couple[i].b];
    bool doubt = doubts < found->doubts && found->doubt[doubts] == i;
    bool is = hits < found->hits && found->which[hits] == i;
    cl_hit h[2];
    bool open = cl_overlap(a, b, false, &h[0]), closed = cl_overlap(a, b, true, &h[1]);
    bool boxes = upright_box(a) && upright_box(b);
    CHECK(doubt || boxes || (open == is && closed == is));
    cl_hit plain = plain_hit((int)couple[i].a, (int)couple[i].b);
    if (is) CHECK(same(&found->hit[hits], &plain));
    if (is && !boxes) CHECK(same(&plain, &h[0]) && same(&plain, &h[1]));
    hits += is;
    doubts += doubt;
  }
  CHECK(hits == found->hits && doubts == found->doubts);
  doubtful += doubts;
}

static void check_couples(bool lattice) {
  (void)lattice;
  cl_couple couple[COUPLES];
  cl_hit hit[2][COUPLES];
  uint32_t which[2][COUPLES], doubt[2][COUPLES];
  for (int i = 0; i < COUPLES; i++) {
    couple[i] = (cl_couple){(uint32_t)test_int(0, SHAPES - 1), (uint32_t)test_int(0, SHAPES - 1)};
  }
  cl_verdicts one = {hit[0], which[0], doubt[0], 0, 0}, two = {hit[1], which[1], doubt[1], 0, 0};
  cl_corners_overlap(narrow, couple, COUPLES, false, &one);
  cl_corners_overlap(wide, couple, COUPLES, cl_has_avx2(), &two);
  check_verdicts(couple, &one);
  check_verdicts(couple, &two);
}

static void placing(void) { each_kind(check_places); }

static void couples(void) {
  doubtful = 0;
  each_kind(check_couples);
  CHECK(doubtful > 1000); // on the lattice, where shapes touch
}

// Far fewer than one pair in a thousand is left open where nothing touches.
static void doubts_are_rare(void) {
  doubtful = 0;
  for (long i = test_rounds(100); i > 0; i--) {
    make(false, test_uniform(-1000, 1000));
    for (int k = 0; k < SHAPES; k++) {
      cl_couple couple = {(uint32_t)k, (uint32_t)((k + 1) % SHAPES)};
      cl_hit hit;
      uint32_t which, doubt;
      cl_verdicts found = {&hit, &which, &doubt, 0, 0};
      cl_corners_overlap(narrow, &couple, 1, false, &found);
      doubtful += found.doubts;
    }
    drop();
  }
  CHECK(doubtful <= test_rounds(100) * SHAPES / 1000);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(placing);
  RUN(couples);
  RUN(doubts_are_rare);
  return test_end();
}
