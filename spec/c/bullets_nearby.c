// collide, MIT licence (see LICENSE)
//
// The map of boxes near moving points misses nothing.

#include "checked_alloc.h"
#include "bullets/nearby.h"

enum { MAX_BOXES = 200 };

typedef struct visits {
  bool seen[MAX_BOXES];
  uint32_t limit; // it ends after so many lists
} visits;

static bool see(void *user, const uint32_t *item, uint32_t count) {
  visits *v = user;
  for (uint32_t k = 0; k < count; k++) v->seen[item[k]] = true;
  return v->limit == 0 || --v->limit > 0;
}

// Whether a segment meets a box made smaller, so that rounding does not matter.
static bool crosses(cl_vec p, cl_vec q, cl_bounds b, double less) {
  double in = 0, out = 1;
  const double from[] = {p.x, p.y}, to[] = {q.x, q.y};
  const double low[] = {b.l + less, b.t + less}, high[] = {b.r - less, b.b - less};
  for (int axis = 0; axis < 2; axis++) {
    double d = to[axis] - from[axis];
    if (d == 0) {
      if (from[axis] < low[axis] || from[axis] > high[axis]) return false;
      continue;
    }
    double t = (low[axis] - from[axis]) / d, u = (high[axis] - from[axis]) / d;
    in = fmax(in, fmin(t, u));
    out = fmin(out, fmax(t, u));
  }
  return in <= out;
}

static double any_size(double most) { return exp(test_uniform(log(1e-3), log(most))); }

static cl_vec any_point(double side) {
  double far = test_int(0, 9) ? 1 : 1000;
  return (cl_vec){test_uniform(-far * side, far * side), test_uniform(-far * side, far * side)};
}

static void the_map_misses_nothing(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_nearby f = {0};
  long met = 0, near_none = 0;
  for (long round = 0; round < test_rounds(2000); round++) {
    cl_bounds box[MAX_BOXES];
    uint32_t count = (uint32_t)test_int(0, test_int(0, 3) ? 20 : MAX_BOXES);
    double side = any_size(1e6), reach = any_size(side), offset = test_int(0, 3) ? 0 : 1e8;
    for (uint32_t i = 0; i < count; i++) {
      cl_vec p = any_point(side);
      double w = any_size(side), t = any_size(side);
      box[i] = (cl_bounds){p.x + offset, p.y, p.x + offset + w, p.y + t};
    }
    uint32_t points = test_int(0, 1) ? 10 : 100000;
    double least = test_int(0, 1) ? 0 : any_size(side);
    CHECK(cl_nearby_build(&f, &alloc, box, sizeof *box, count, reach, points, least) == CL_OK);
    for (int way = 0; way < 50; way++) {
      cl_vec from = any_point(side), to = any_point(test_int(0, 1) ? side : side / 100);
      if (test_int(0, 1)) to = cl_vec_add(from, (cl_vec){to.x / 100, to.y / 100});
      from.x += offset, to.x += offset;
      visits v = {{false}, 0};
      uint32_t cell;
      if (cl_nearby_is_short(&f, from, to, &cell)) {
        see(&v, f.item + f.start[cell], f.start[cell + 1] - f.start[cell]);
        CHECK(f.occupied[cell] == (f.start[cell + 1] > f.start[cell]));
        near_none += !f.occupied[cell];
      } else {
        CHECK(cl_nearby_walk(&f, from, to, see, &v));
      }
      double less = 1e-9 * (side * 2000 + offset);
      for (uint32_t i = 0; i < count; i++) {
        cl_bounds b = {box[i].l - reach, box[i].t - reach, box[i].r + reach, box[i].b + reach};
        bool thin = b.r - b.l < 3 * less || b.b - b.t < 3 * less;
        if (thin || !crosses(from, to, b, less)) continue;
        met++;
        CHECK_MSG(v.seen[i], "from %.17g, %.17g to %.17g, %.17g", from.x, from.y, to.x, to.y);
      }
    }
  }
  CHECK(met > 1000 && near_none > 1000);
  cl_nearby_free(&f, &alloc);
  CHECK_HEAP_EMPTY(h);
}

int main(void) {
  RUN(the_map_misses_nothing);
  return test_end();
}
