// collide, MIT licence (see LICENSE)
//
// Where a mover fits between the actors nearby. Layer: world.

#include "world/mover.h"

// Steps of a search back on the way: the number of bits of a double.
enum { HALVINGS = 54 };

// A mover at some place, and its bounds there.
static cl_bounds place_mover(const cl_move_body *mover, cl_vec at, cl_placed *placed) {
  *placed = mover->placed;
  placed->x = at.x;
  placed->y = at.y;
  return mover->is_box ? cl_bounds_moved(mover->local, at) : cl_placed_bounds(placed);
}

// Whether anything stops the mover at some place. Where the host is asked, it is asked about all
// that the mover overlaps there, whatever their order.
static cl_going is_blocked(cl_world *world, const cl_move_body *mover, cl_vec at, bool *blocked) {
  const cl_movement *m = world->movement;
  cl_placed there;
  cl_bounds box = place_mover(mover, at, &there);
  cl_going going = CL_GO;
  *blocked = false;
  for (size_t i = 0, end; i < m->nears && going == CL_GO; i = end) {
    if (*blocked && !m->def.asks) break;
    bool one = false;
    end = cl_move_run_end(m, i);
    if (cl_move_may_overlap(m, box, i, end)) going = cl_move_blocks(world, mover, &there, i, &one);
    *blocked = *blocked || one;
  }
  return going;
}

cl_going cl_move_overlapped(cl_world *world, const cl_move_body *mover, cl_vec at,
                            cl_overlapped *out) {
  const cl_movement *m = world->movement;
  out->hit.depth = -1;
  if (m->nears == 0) return CL_GO;
  cl_placed there;
  cl_bounds box = place_mover(mover, at, &there);
  cl_going going = CL_GO;
  for (size_t i = 0, end; i < m->nears && going == CL_GO; i = end) {
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, box, i, end)) continue;
    going = cl_move_overlap(world, mover, &there, i, out);
  }
  return going;
}

// Whether the mover fits at a place. None does when the steps are used up.
static cl_going try_exactly(cl_world *world, const cl_move_body *mover, cl_vec at, bool *fits) {
  bool blocked = false;
  *fits = false;
  if (cl_move_is_tired(world->movement, 1) || !cl_move_is_in_range(at)) return CL_GO;
  cl_going going = is_blocked(world, mover, at, &blocked);
  *fits = going == CL_GO && !blocked && !world->movement->gave_up;
  return going;
}

// What a place has to be pushed by to be free: at least `by` along the unit vector n.
typedef struct pressure {
  cl_vec n;
  double by;
} pressure;

// Normals closer to each other than this are of one surface, which may be round.
static const double SAME = 1e-12;

// In a wedge the way out of both sides is longer than that out of each: up to so many times the
// distance that counts as touching, for wedges of one degree and more.
enum { MOST_PRESSURES = 8, LONGEST = 128 };

static bool obeys(cl_vec push, const pressure *p, int count, double slack) {
  for (int i = 0; i < count; i++)
    if (cl_vec_dot(push, p[i].n) < p[i].by - slack) return false;
  return true;
}

// The shortest push that obeys all pressures. False if there is none.
static bool relieve(const pressure *p, int count, double slack, cl_vec *push) {
  double best = INFINITY;
  for (int i = 0; i < count; i++) {
    for (int k = i; k < count; k++) {
      cl_vec a = p[i].n, b = p[k].n, v = cl_vec_mul(a, p[i].by);
      double det = cl_vec_cross(a, b);
      if (i != k && det == 0) continue;
      if (i != k)
        v = (cl_vec){(p[i].by * b.y - p[k].by * a.y) / det, (a.x * p[k].by - b.x * p[i].by) / det};
      double length = cl_vec_length(v);
      if (length > best || !obeys(v, p, count, slack)) continue;
      if (length == best && !cl_vec_goes_first(v, *push)) continue;
      best = length;
      *push = v;
    }
  }
  return best < INFINITY;
}

// False if there are too many.
static bool add_pressure(pressure *p, int *count, cl_vec n, double by) {
  for (int i = 0; i < *count; i++) {
    if (cl_vec_dot(p[i].n, n) < 1 - SAME) continue;
    if (by > p[i].by || (by == p[i].by && cl_vec_goes_first(n, p[i].n))) p[i] = (pressure){n, by};
    return true;
  }
  if (*count == MOST_PRESSURES) return false;
  p[(*count)++] = (pressure){n, by};
  return true;
}

// The face of a corner off which the mover is lifted: the one that it is farther outside of; else
// the one that its way leads along.
static int outer_face(const cl_touch *t, cl_vec way) {
  if (t->gap[0] != t->gap[1]) return t->gap[1] > t->gap[0];
  double first = cl_vec_dot(t->n[0], way), second = cl_vec_dot(t->n[1], way);
  return first != second ? second > first : cl_vec_goes_first(t->n[1], t->n[0]);
}

// Lifts the mover off all faces that it touches at `from`, as they were found there, by a little
// more each time. At a corner one face is enough.
static cl_going lift(cl_world *world, const cl_move_body *mover, cl_vec from, cl_vec *to,
                     bool *fits) {
  const cl_movement *m = world->movement;
  pressure p[MOST_PRESSURES];
  cl_going going = CL_GO;
  double touch = 0;
  for (size_t i = 0; i < m->touches; i++)
    if (m->touched[i].known) touch = cl_max(touch, m->near[m->touched[i].near].touch);
  for (double share = 0x1p-10; going == CL_GO && share < 1 && !*fits; share *= 8) {
    int count = 0;
    cl_vec push = {0, 0};
    for (size_t i = 0; i < m->touches; i++) {
      const cl_touch *t = &m->touched[i].touch;
      if (!m->touched[i].known) continue;
      int k = outer_face(t, mover->left);
      double by = cl_max(share * touch - t->gap[k], 0);
      if (!add_pressure(p, &count, t->n[k], by)) break;
    }
    if (!relieve(p, count, touch / 4096, &push) || cl_vec_length(push) > LONGEST * touch) break;
    *to = cl_vec_add(from, push);
    going = try_exactly(world, mover, *to, fits);
  }
  return going;
}

// Whether the mover fits at `to`, or beside it: then `to` is there.
static cl_going try_place(cl_world *world, const cl_move_body *mover, cl_vec *to, bool *fits) {
  cl_going going = try_exactly(world, mover, *to, fits);
  if (going != CL_GO || *fits || cl_move_is_tired(world->movement, 1)) return going;
  going = cl_move_find_touched(world, mover, *to);
  return going == CL_GO ? lift(world, mover, *to, to, fits) : going;
}

// The last free place on the way from the mover's place, and what it would overlap beyond.
static cl_going search_back(cl_world *world, cl_move_body *mover, cl_vec to,
                            cl_overlapped *blocked) {
  cl_vec from = {mover->placed.x, mover->placed.y}, best = from, way = cl_vec_sub(to, from);
  double low = 0, high = 1;
  for (int i = 0; i < HALVINGS && !cl_move_is_tired(world->movement, 1); i++) {
    double t = (low + high) / 2;
    cl_vec at = cl_vec_add(from, cl_vec_mul(way, t));
    bool fits;
    cl_going going = try_place(world, mover, &at, &fits);
    if (going != CL_GO) return going;
    if (fits) low = t, best = at;
    else high = t;
  }
  cl_going going = CL_GO;
  if (!cl_move_is_tired(world->movement, 1))
    going = cl_move_overlapped(world, mover, cl_vec_add(from, cl_vec_mul(way, high)), blocked);
  if (going != CL_GO) return going;
  mover->placed.x = best.x;
  mover->placed.y = best.y;
  return CL_GO;
}

// Rounding leaves a place within the skin of where it should be.
cl_going cl_move_settle(cl_world *world, cl_move_body *mover, cl_vec to, const cl_vec *touched,
                        cl_overlapped *blocked) {
  cl_vec at = to;
  bool fits;
  blocked->hit.depth = -1;
  cl_going going = CL_GO;
  if (touched) {
    going = try_exactly(world, mover, to, &fits);
    if (going == CL_GO && !fits) going = lift(world, mover, *touched, &at, &fits);
  } else {
    going = try_place(world, mover, &at, &fits);
  }
  if (going != CL_GO) return going;
  if (!fits) return search_back(world, mover, to, blocked);
  mover->placed.x = at.x;
  mover->placed.y = at.y;
  return CL_GO;
}
