// collide, MIT licence (see LICENSE)
//
// The first difference of two snapshots of worlds. Layer: world.

#include "world/differ.h"

#include "geom/shape.h"

// The numbers of the actors of a hit; past the last hit, numbers above all others.
static cl_pair numbers_of(const cl_snapshot *s, const uint32_t *number, size_t hit) {
  if (hit >= s->now.count) return (cl_pair){CL_NOBODY, CL_NOBODY};
  return (cl_pair){number[s->now.pair[hit].a], number[s->now.pair[hit].b]};
}

static bool is_before(cl_pair p, cl_pair q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }

static bool write_difference(cl_pair pair, cl_hit_field field, double first, double second,
                             cl_hit_difference *out) {
  *out = (cl_hit_difference){pair, field, first, second};
  return first != second;
}

bool cl_snapshot_differing_hit(const cl_snapshot *a, const uint32_t *number_a, const cl_snapshot *b,
                               const uint32_t *number_b, cl_hit_difference *out) {
  for (size_t i = 0; i < a->now.count || i < b->now.count; i++) {
    cl_pair p = numbers_of(a, number_a, i), q = numbers_of(b, number_b, i);
    if (is_before(p, q)) return write_difference(a->now.pair[i], CL_DIFFERS_HIT, 1, 0, out);
    if (is_before(q, p)) return write_difference(b->now.pair[i], CL_DIFFERS_HIT, 0, 1, out);
    cl_pair pair = a->now.pair[i];
    const cl_hit *first = &a->hit[i], *second = &b->hit[i];
    if (write_difference(pair, CL_DIFFERS_NX, first->nx, second->nx, out) ||
        write_difference(pair, CL_DIFFERS_NY, first->ny, second->ny, out) ||
        write_difference(pair, CL_DIFFERS_DEPTH, first->depth, second->depth, out)) {
      return true;
    }
    if (a->any_time && b->any_time &&
        write_difference(pair, CL_DIFFERS_TIME, a->time[i], b->time[i], out)) {
      return true;
    }
  }
  return false;
}

bool cl_snapshot_differing_cell(const cl_snapshot *a, const cl_snapshot *b,
                                cl_cell_difference *out) {
  for (uint32_t i = 0; i < a->copies && i < b->copies; i++) {
    const cl_grid_copy *first = a->copy[i], *second = b->copy[i];
    const cl_grid *grid = a->roster->grid[i];
    for (size_t at = 0; at < first->size && at < second->size; at++) {
      if (first->bytes[at] == second->bytes[at]) continue;
      int64_t width = grid->size[0];
      *out = (cl_cell_difference){cl_roster_slot_of(a->roster, grid), (int64_t)at % width,
                                  (int64_t)at / width, first->bytes[at], second->bytes[at]};
      return true;
    }
  }
  return false;
}
