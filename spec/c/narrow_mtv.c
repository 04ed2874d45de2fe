// collide, MIT licence (see LICENSE)
//
// The way out of a whole shape, compared with an independent oracle: the hulls of all differences
// of vertices for each pair of parts, and along each of 360 directions the first place that is in
// none. Coordinates are small multiples of a half, so that exact fits and ties are common. With
// little effort the way out may be longer, and still frees.

#include "tile_sets.h"

#include "narrow/overlap.h"

enum { TILES = KINDS, ALL, POOL = 40, PARTS = 400, HULL = 40, DIRECTIONS = 360 };

static cl_alloc alloc;
static cl_shape *pool[ALL][POOL];

// --- shapes --------------------------------------------------------------------------

static double half(int a, int b) { return test_int(2 * a, 2 * b) * 0.5; }

static cl_shape *half_polygon(bool rough) {
  double angles[8], xy[16];
  cl_fault fault;
  cl_shape *s = NULL;
  while (!s) {
    int n = test_int(3, 8);
    sorted_angles(angles, n);
    for (int i = 0; i < n; i++) {
      double k = rough ? test_uniform(0.2, 1) : 1, sine, cosine;
      cl_sincos(angles[i], &sine, &cosine);
      xy[2 * i] = rint(k * cosine * 10) / 2;
      xy[2 * i + 1] = rint(k * sine * 10) / 2;
    }
    if (cl_shape_polygon(&alloc, xy, (uint32_t)n, &fault, &s) != CL_OK) s = NULL;
    if (s && rough == (s->part_count == 1) && test_int(0, 3)) cl_shape_release(s), s = NULL;
  }
  return s;
}

static cl_shape *half_chain(void) {
  double xy[12];
  cl_fault fault;
  cl_shape *s = NULL;
  while (!s) {
    int n = test_int(2, 6);
    for (int i = 0; i < 2 * n; i++) xy[i] = half(-4, 4);
    if (cl_shape_chain(&alloc, xy, (uint32_t)n, test_int(0, 3) == 0, &fault, &s) != CL_OK) s = NULL;
  }
  return s;
}

static cl_shape *half_tiles(void) {
  cl_grid *grid;
  cl_shape *s = NULL;
  const int64_t size[3] = {test_int(2, 7), test_int(2, 7), 1};
  double cell = test_int(1, 4) * 0.5;
  const double at[3] = {half(-3, 0), half(-3, 0), 0};
  int share = test_int(1, 3);
  if (test_int(0, 1)) return shaped_tiles(&alloc, size, cell, at, share / 4.0, false);
  if (cl_grid_new(&alloc, 2, size, (double[]){cell, cell}, at, &grid) != CL_OK) abort();
  for (int64_t y = 0; y < size[1]; y++)
    for (int64_t x = 0; x < size[0]; x++) {
      const int64_t c[3] = {x, y, 0};
      cl_grid_set(grid, c, (uint8_t)(test_int(0, 3) < share));
    }
  if (cl_shape_tiles(&alloc, grid, NULL, 0, &s) != CL_OK) abort();
  cl_grid_release(grid);
  return s;
}

static cl_shape *half_shape(int kind) {
  double x = half(-3, 3), y = half(-3, 3), w = half(1, 4), h = half(1, 4);
  cl_shape *s = NULL, *members[3];
  cl_status status = CL_OK;
  switch (kind) {
  case 0: status = cl_shape_rectangle(&alloc, x, y, w, h, &s); break;
  case 1: status = cl_shape_circle(&alloc, x, y, w / 2, &s); break;
  case 2: status = cl_shape_capsule(&alloc, x, y, x + half(-3, 3), y + h, w / 2, &s); break;
  case 3: status = cl_shape_segment(&alloc, x, y, x + half(-3, 3), y + h, &s); break;
  case 4: return half_polygon(false);
  case 5: return half_polygon(true);
  case 6: return half_chain();
  case TILES: return half_tiles();
  default: {
    int n = test_int(1, 3);
    for (int i = 0; i < n; i++) members[i] = half_shape(test_int(0, 6));
    status = cl_shape_compound(&alloc, members, (uint32_t)n, &s);
    for (int i = 0; i < n; i++) cl_shape_release(members[i]);
  }
  }
  if (status != CL_OK) abort();
  return s;
}

// --- the oracle ----------------------------------------------------------------------

typedef struct part {
  int n;
  double r, x[16], y[16];
} part;

static int parts_of(const cl_placed *p, part *out) {
  int n = 0;
  if (p->shape->kind == CL_TILES) {
    cl_cell_rect all = cl_tiles_all(p->shape);
    for (int32_t row = 0; row <= all.bottom; row++)
      for (int32_t c = 0; c <= all.right; c++) {
        double xy[32];
        int corners = cell_corners(p->shape, c, row, xy, &out[n].r);
        if (corners == 0) continue;
        out[n].n = corners;
        for (int i = 0; i < corners; i++)
          out[n].x[i] = p->x + xy[2 * i], out[n].y[i] = p->y + xy[2 * i + 1];
        n++;
      }
    return n;
  }
  for (uint32_t i = 0; i < p->shape->part_count; i++) {
    const cl_part *from = &p->shape->parts[i];
    part *q = &out[n++];
    q->n = (int)from->count;
    q->r = from->radius;
    for (uint32_t k = 0; k < from->count; k++) {
      cl_vec v = cl_placed_vertex(p, from->first + k);
      q->x[k] = v.x, q->y[k] = v.y;
    }
  }
  return n;
}

// The hull of b - a, by gift wrapping over all differences of vertices: its corners, the outward
// normals and lengths of its edges, and a circle around it that includes the radius.
typedef struct hull {
  int n;
  double r, x[HULL], y[HULL], nx[HULL], ny[HULL], length[HULL];
  double cx, cy, reach;
} hull;

static double turn(double ax, double ay, double bx, double by, double cx, double cy) {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

static void hull_of(const part *a, const part *b, hull *out) {
  double x[256] = {0}, y[256] = {0};
  int n = 0, start = 0;
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < b->n; k++, n++) x[n] = b->x[k] - a->x[i], y[n] = b->y[k] - a->y[i];
  for (int i = 1; i < n; i++)
    if (x[i] < x[start] || (x[i] == x[start] && y[i] < y[start])) start = i;
  out->n = 0;
  out->r = a->r + b->r;
  int at = start;
  do {
    out->x[out->n] = x[at], out->y[out->n++] = y[at];
    int next = -1;
    for (int i = 0; i < n; i++) {
      if (x[i] == x[at] && y[i] == y[at]) continue;
      if (next < 0) next = i;
      double side = turn(x[at], y[at], x[next], y[next], x[i], y[i]);
      double ex = x[i] - x[at], ey = y[i] - y[at], fx = x[next] - x[at], fy = y[next] - y[at];
      double far = ex * ex + ey * ey, now = fx * fx + fy * fy;
      bool in_line = side * side <= 1e-24 * now * far;
      if (in_line ? far > now : side < 0) next = i;
    }
    if (next < 0) break;
    at = next;
  } while ((x[at] != x[start] || y[at] != y[start]) && out->n < HULL);
  out->cx = out->cy = out->reach = 0;
  for (int i = 0; i < out->n; i++) {
    int k = (i + 1) % out->n;
    double ex = out->x[k] - out->x[i], ey = out->y[k] - out->y[i], l = hypot(ex, ey);
    out->nx[i] = l > 0 ? ey / l : 0, out->ny[i] = l > 0 ? -ex / l : 0, out->length[i] = l;
    out->cx += out->x[i] / out->n, out->cy += out->y[i] / out->n;
  }
  for (int i = 0; i < out->n; i++)
    out->reach = fmax(out->reach, hypot(out->x[i] - out->cx, out->y[i] - out->cy));
  out->reach += out->r;
}

typedef struct interval {
  double low, high;
} interval;

static void widen(interval *w, double low, double high) {
  if (low < w->low) w->low = low;
  if (high > w->high) w->high = high;
}

// Clips the line from 0, 0 along u, v with a half-plane.
static void cut(interval *c, double nx, double ny, double gap, double u, double v) {
  double rate = nx * u + ny * v;
  if (fabs(rate) < 1e-14) {
    if (gap <= 1e-12) c->low = INFINITY;
  } else if (rate > 0) {
    if (gap < c->high * rate) c->high = gap / rate;
  } else {
    if (gap < c->low * rate) c->low = gap / rate;
  }
}

// Where the line from 0, 0 along u, v is inside a hull grown by its radius: in its core, in a
// circle about a corner, or in a band beside an edge.
static interval along(const hull *h, double u, double v) {
  interval w = {INFINITY, -INFINITY}, core = {-INFINITY, INFINITY};
  for (int i = 0; i < h->n; i++) {
    double x = h->x[i], y = h->y[i], nx = h->nx[i], ny = h->ny[i], gap = nx * x + ny * y;
    if (h->n > 2) cut(&core, nx, ny, gap, u, v);
    if (h->r == 0) continue;
    double s = x * u + y * v, d = x * v - y * u, square = h->r * h->r - d * d;
    if (square > 0) widen(&w, s - sqrt(square), s + sqrt(square));
    if (h->n < 2) continue;
    interval band = {-INFINITY, INFINITY};
    double start = -ny * x + nx * y;
    cut(&band, nx, ny, gap + h->r, u, v);
    cut(&band, -nx, -ny, -gap, u, v);
    cut(&band, -ny, nx, start + h->length[i], u, v);
    cut(&band, ny, -nx, -start, u, v);
    if (band.low < band.high) widen(&w, band.low, band.high);
  }
  if (h->n > 2 && core.low < core.high) widen(&w, core.low, core.high);
  return w;
}

// Unit vectors in all directions, and slightly beside those.
static cl_vec unit[2][DIRECTIONS];

static void make_directions(void) {
  for (int beside = 0; beside < 2; beside++)
    for (int i = 0; i < DIRECTIONS; i++) {
      double angle = (i + (beside ? 0.1234567 : 0)) * (6.283185307179586 / DIRECTIONS);
      cl_sincos(angle, &unit[beside][i].y, &unit[beside][i].x);
    }
}

static part parts_a[PARTS], parts_b[PARTS];
static hull hulls[PARTS * 8];
static interval ways[PARTS * 8];
static int known[PARTS * 8]; // the direction that `ways` belongs to

static double largest(const cl_placed *p) {
  cl_bounds b;
  b = cl_placed_bounds(p);
  return fmax(fmax(fabs(b.l), fabs(b.r)), fmax(fabs(b.t), fabs(b.b)));
}

static cl_placed moved(const cl_placed *p, const cl_hit *h) {
  return (cl_placed){p->shape, p->x + h->nx * h->depth, p->y + h->ny * h->depth, p->rot};
}

static void describe(const cl_placed *p) {
  printf("    at %g, %g:", p->x, p->y);
  static part parts[PARTS];
  int n = parts_of(p, parts);
  for (int i = 0; i < n; i++) {
    printf(" [r %g", parts[i].r);
    for (int k = 0; k < parts[i].n; k++) printf(" %g,%g", parts[i].x[k], parts[i].y[k]);
    printf("]");
  }
  printf("\n");
}

// Where direction number `i` is inside a hull, computed only once.
static interval way_in(int k, int i, double u, double v) {
  const hull *d = &hulls[k];
  if (known[k] == i) return ways[k];
  known[k] = i;
  bool met = fabs(d->cx * v - d->cy * u) <= d->reach && d->cx * u + d->cy * v >= -d->reach;
  ways[k] = met ? along(d, u, v) : (interval){INFINITY, -INFINITY};
  return ways[k];
}

// How far along a direction the first gap is that is at least as wide as `gap`, or `enough` if it
// is not nearer than that. The hull that extends it comes first for the next direction.
static double first_gap(int *order, int count, int i, double u, double v, double gap,
                        double enough) {
  double t = 0;
  for (bool again = true; again && t < enough;) {
    again = false;
    for (int k = 0; k < count && t < enough; k++) {
      interval w = way_in(order[k], i, u, v);
      if (w.low >= w.high || w.low >= t + gap || w.high <= t) continue;
      t = w.high, again = true;
      int first = order[k];
      order[k] = order[0], order[0] = first;
    }
  }
  return fmin(t, enough);
}

// Lines may run along cuts and joints, where no single part is overlapped: for lines, the
// directions are never along one, and exact fits do not count.
static bool check_shortest(const cl_placed *a, const cl_placed *b, const cl_hit *h,
                           const char *kinds) {
  static const double quarter[5] = {0, 1, 0, -1, 0};
  static int order[PARTS * 8];
  int n = parts_of(a, parts_a), m = parts_of(b, parts_b), count = 0;
  if (n * m > PARTS * 8) return true;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      hull *d = &hulls[count];
      hull_of(&parts_a[i], &parts_b[k], d);
      order[count] = count, known[count] = -1;
      count += hypot(d->cx, d->cy) < d->reach + h->depth;
    }
  bool thin = (a->shape->flags | b->shape->flags) & CL_SHAPE_THIN;
  for (int i = 0; i < DIRECTIONS; i++) {
    bool straight = i % 90 == 0 && !thin;
    double u = unit[thin][i].x, v = unit[thin][i].y;
    if (straight) u = quarter[i / 90 + 1], v = quarter[i / 90];
    double wanted = h->depth - 1e-7;
    double free = first_gap(order, count, i, u, v, straight ? -1e-9 : 1e-7, wanted);
    CHECK_MSG(free >= wanted, "%s: %.17g, %.17g by %.17g; %g suffices along %d degrees", kinds,
              h->nx, h->ny, h->depth, free, i);
    if (free < wanted) return false;
  }
  return true;
}

static long given_up; // the ways out that little effort did not find the shortest of

// With little effort the way out still frees, and is not shorter than the shortest.
static void check_little_effort(const cl_placed *a, const cl_placed *b, double depth, double room,
                                const char *kinds) {
  static const long works[] = {0, 40, 1000};
  cl_hit h, left;
  for (int k = 0; k < 3; k++) {
    int pairs = test_int(0, 1) ? CL_MTV_MOST : test_int(1, 9);
    cl_effort effort = {.pairs = pairs, .work = works[k], .enough = INFINITY};
    bool hits = cl_overlap_within(a, b, false, &effort, &h);
    CHECK_MSG(hits && h.depth >= depth - room, "%s: %g is less than %g", kinds, h.depth, depth);
    cl_placed out = moved(a, &h);
    bool still = cl_overlap(&out, b, false, &left);
    CHECK_MSG(!still || left.depth <= room, "%s, %ld steps: by %g, %g, %g it is still %g deep",
              kinds, works[k], h.nx, h.ny, h.depth, left.depth);
    given_up += h.depth > depth + room;
  }
}

static long checked;

static void check_pair(const cl_placed *a, const cl_placed *b, const char *kinds) {
  cl_hit h, left;
  if (!cl_overlap(a, b, false, &h)) return;
  checked++;
  bool good = true;
  double room = 0x1p-40 * fmax(largest(a), largest(b));
  cl_placed out = moved(a, &h);
  if (cl_overlap(&out, b, false, &left)) {
    good = left.depth <= room;
    CHECK_MSG(left.depth <= room, "%s: by %g, %g, %g it is still %g deep", kinds, h.nx, h.ny,
              h.depth, left.depth);
  }
  if (good) good = check_shortest(a, b, &h, kinds);
  if (checked % 4 == 0) check_little_effort(a, b, h.depth, room, kinds);
  if (!good && test_errors <= 10) describe(a), describe(b);
}

static void random_overlaps(void) {
  for (int k = 0; k < ALL; k++)
    for (int i = 0; i < POOL; i++) pool[k][i] = half_shape(k);
  for (int k = 0; k < ALL; k++)
    for (int l = k; l < ALL; l++) {
      char kinds[64];
      snprintf(kinds, sizeof kinds, "%s, %s", k < KINDS ? kind_names[k] : "tiles",
               l < KINDS ? kind_names[l] : "tiles");
      long wanted = checked + test_rounds(100000 / 45);
      for (long i = 0; checked < wanted && i < test_rounds(20000); i++) {
        bool turned = test_int(0, 3) == 0;
        double q = turned && k < KINDS ? test_uniform(0, 7) : 0;
        double r = turned && l < KINDS ? test_uniform(0, 7) : 0;
        cl_placed a = cl_place(pool[k][test_int(0, POOL - 1)], half(-3, 3), half(-3, 3), q);
        cl_placed b = cl_place(pool[l][test_int(0, POOL - 1)], half(-3, 3), half(-3, 3), r);
        check_pair(&a, &b, kinds);
      }
    }
  printf("%ld overlaps, %ld longer ways out\n", checked, given_up);
  CHECK(given_up > test_rounds(1000));
  for (int k = 0; k < ALL; k++)
    for (int i = 0; i < POOL; i++) cl_shape_release(pool[k][i]);
}

// The side of a capsule and a corner, which the line passes at different ends, are in line: where
// they meet there is no room for the line, only slightly farther out.
static void a_line_between_round_and_straight(void) {
  const double left[8] = {-2, 1.5, 0, 2.5, 0, 3.5, -2, 3.5};
  cl_shape *line, *member[3], *three;
  cl_fault fault;
  CHECK(cl_shape_segment(&alloc, -1.5, 2, 0, 4, &line) == CL_OK);
  CHECK(cl_shape_polygon(&alloc, left, 4, &fault, &member[0]) == CL_OK);
  CHECK(cl_shape_capsule(&alloc, 0.75, 2.25, 1.25, 2.75, 0.75, &member[1]) == CL_OK);
  CHECK(cl_shape_rectangle(&alloc, -2, 3.5, 2, 2, &member[2]) == CL_OK);
  CHECK(cl_shape_compound(&alloc, member, 3, &three) == CL_OK);
  cl_placed a = cl_place(line, 0, 0, 0), b = cl_place(three, 0, 0, 0);
  check_pair(&a, &b, "segment, compound");
  CHECK(checked == 1);
  for (int i = 0; i < 3; i++) cl_shape_release(member[i]);
  cl_shape_release(line), cl_shape_release(three);
}

int main(void) {
  alloc = cl_alloc_default();
  make_directions();
  RUN(a_line_between_round_and_straight);
  RUN(random_overlaps);
  return test_end();
}
