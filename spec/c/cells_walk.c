// collide, MIT licence (see LICENSE)
//
// cells/walk against exact arithmetic: every cell of every segment, in order.

#include "cells_walks.h"

static void random_segments(int dims) {
  long corners = 0, n = test_rounds(400000);
  for (long i = 0; i < n; i++) {
    segment s = random_segment(dims);
    int c = walk_follow(&s, i % 4 == 0);
    CHECK_MSG(c >= 0, "case %ld: " SEGMENT_FORMAT, i, SEGMENT_ARGS(s));
    corners += c;
  }
  CHECK_MSG(corners > n / 2, "only %ld corners", corners);
}

static void segments_in_two(void) { random_segments(2); }
static void segments_in_three(void) { random_segments(3); }

static segment between(int dims, const double f[], const double t[]) {
  segment s = {.dims = dims, .bits = 20};
  for (int a = 0; a < dims; a++) {
    s.from[a] = exact_of(f[a], 20);
    s.to[a] = exact_of(t[a], 20);
  }
  finish(&s);
  return s;
}

// A million cells, more than a block of times holds: errors must not accumulate.
static void long_segments(void) {
  for (int i = 0; i < 4; i++) {
    double reach = i < 2 ? 250000 : 400000;
    segment s = {.dims = 2 + i % 2, .bits = 30};
    for (int a = 0; a < s.dims; a++) {
      s.from[a] = exact_of(floor(test_uniform(0, reach) * 0x1p30), 0);
      s.to[a] = i < 2 ? (coord){s.from[a].a + ((wide)500000 << 30), 0}
                      : exact_of(floor(test_uniform(-reach, reach) * 0x1p30), 0);
    }
    finish(&s);
    walk_reader r;
    oracle o = oracle_of(&s);
    int64_t old[3];
    unsigned axes;
    walk_reader_set(&r, &s, false);
    bool right = walk_same(walk_reader_next(&r), &o, o.cell);
    while (right && (axes = oracle_next(&o, old)) != 0) right = walk_same_step(&r, &o, old, axes);
    CHECK_MSG(right && !walk_reader_next(&r), "step %ld of " SEGMENT_FORMAT, o.step,
              SEGMENT_ARGS(s));
  }
}

// Every direction, to and from every kind of place in a cell.
static void all_small_segments(void) {
  for (int x1 = -3; x1 <= 3; x1++) {
    for (int y1 = -3; y1 <= 3; y1++) {
      for (int x2 = -12; x2 <= 12; x2++) {
        for (int y2 = -12; y2 <= 12; y2++) {
          segment s = between(2, (double[]){x1 * 0.5, y1 * 0.5}, (double[]){x2 * 0.25, y2 * 0.25});
          CHECK_MSG(walk_follow(&s, false) >= 0, SEGMENT_FORMAT, SEGMENT_ARGS(s));
        }
      }
    }
  }
}

// Mirrored in one axis or several, a segment with ends inside cells has the mirrored cells.
static void mirrored(void) {
  for (long i = test_rounds(20000); i > 0; i--) {
    segment s = random_segment(test_int(2, 3)), m = s;
    unsigned turned = (unsigned)test_int(1, 7);
    bool inside = true;
    for (int a = 0; a < s.dims; a++) {
      inside = inside && floor(s.f[a]) < s.f[a] && floor(s.t[a]) < s.t[a];
      if (turned >> a & 1) m.f[a] = -s.f[a], m.t[a] = -s.t[a];
    }
    if (!inside) continue;
    walk_reader r, q;
    walk_reader_set(&r, &s, false);
    walk_reader_set(&q, &m, false);
    for (int k = 0; k < WALK_MOST; k++) {
      const double *x = walk_reader_next(&r), *y = walk_reader_next(&q);
      REQUIRE(!x == !y);
      if (!x) break;
      bool equal = x[0] == y[0] && x[1 + s.dims] == y[1 + s.dims];
      for (int a = 0; a < s.dims; a++) {
        equal = equal && (turned >> a & 1 ? -1 - x[1 + a] : x[1 + a]) == y[1 + a];
      }
      CHECK_MSG(equal, SEGMENT_FORMAT, SEGMENT_ARGS(s));
    }
  }
}

enum { STEPS = 400 };

// The steps of a segment: how many cells each has, and where it ends.
typedef struct steps {
  int n, cells[STEPS];
  double last[STEPS][3], sides[STEPS][3]; // the sum of its side cells
} steps;

static bool collect(steps *out, const segment *s) {
  walk_reader r;
  const double *cell;
  out->n = 0;
  walk_reader_set(&r, s, false);
  while ((cell = walk_reader_next(&r))) {
    int i = (int)cell[0] - 1;
    if (i == STEPS) return false;
    if (i == out->n) {
      out->cells[out->n++] = 0;
      for (int a = 0; a < 3; a++) out->sides[i][a] = out->last[i][a] = 0;
    } else {
      for (int a = 0; a < s->dims; a++) out->sides[i][a] += out->last[i][a];
    }
    out->cells[i]++;
    for (int a = 0; a < s->dims; a++) out->last[i][a] = cell[1 + a];
  }
  return true;
}

// Reversed, a segment with ends inside cells has the same corners in reverse, with the same side
// cells at each.
static void reversed(void) {
  for (long i = test_rounds(20000); i > 0; i--) {
    segment s = random_segment(test_int(2, 3)), back = s;
    static steps there, here;
    bool inside = true;
    for (int a = 0; a < s.dims; a++) {
      inside = inside && floor(s.f[a]) < s.f[a] && floor(s.t[a]) < s.t[a];
      back.f[a] = s.t[a];
      back.t[a] = s.f[a];
    }
    if (!inside || !collect(&there, &s)) continue;
    collect(&here, &back);
    bool equal = there.n == here.n;
    for (int k = 0; equal && k < there.n; k++) {
      int other = there.n - 1 - k;
      for (int a = 0; a < s.dims; a++) {
        equal = equal && there.last[k][a] == here.last[other][a];
        if (k > 0) equal = equal && there.sides[k][a] == here.sides[other + 1][a];
      }
      if (k > 0) equal = equal && there.cells[k] == here.cells[other + 1];
    }
    CHECK_MSG(equal, SEGMENT_FORMAT, SEGMENT_ARGS(s));
  }
}

// The state of a visit of the cells of a segment.
typedef struct visited {
  walk_reader r;
  int dims;
  long cells, most; // the visit that ends it
  bool right;
} visited;

static bool visit(void *user, double step, const int64_t cell[3], double t) {
  visited *v = user;
  const double *want = walk_reader_next(&v->r);
  v->right = v->right && want && want[0] == step && want[1 + v->dims] == t;
  for (int a = 0; v->right && a < 3; a++)
    v->right = cell[a] == (a < v->dims ? (int64_t)want[1 + a] : 0);
  return ++v->cells == v->most;
}

// cl_cells_on_ray visits the cells that are compared above, and stops where the visitor says so.
static void visits(void) {
  long ended = 0, n = test_rounds(4000);
  for (long i = 0; i < n; i++) {
    segment s = random_segment(test_int(2, 3));
    bool diagonal = test_int(0, 1);
    visited v = {.dims = s.dims, .most = test_int(1, 100), .right = true};
    walk_reader_set(&v.r, &s, diagonal);
    bool end = cl_cells_on_ray(s.dims, s.f, s.t, diagonal, visit, &v);
    CHECK_MSG(v.right && end == (v.cells == v.most) && (end || !walk_reader_next(&v.r)),
              SEGMENT_FORMAT, SEGMENT_ARGS(s));
    ended += end;
  }
  CHECK(ended > n / 4 && ended < n);
}

int main(void) {
  RUN(all_small_segments);
  RUN(segments_in_two);
  RUN(segments_in_three);
  RUN(long_segments);
  RUN(mirrored);
  RUN(reversed);
  RUN(visits);
  return test_end();
}
