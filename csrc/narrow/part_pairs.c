// collide, MIT licence (see LICENSE)
//
// Pairs of parts, tiles included. Tiles are walked in blocks of a few runs of cells; within a
// block, and for shapes without tiles, both trees are walked at once. Layer: narrow.

#include "narrow/part_pairs.h"

#include "narrow/convex_overlap.h"
#include "narrow/primitives.h"

#define NONE UINT32_MAX

// Filling a block costs as much as comparing this many boxes, and this many more for each corner of
// cells that are not full, whose normals are computed.
enum { STEPS_TO_FILL = 40, STEPS_OF_CORNER = 4 };

static void begin_pairing(cl_part_pairs *m) {
  cl_bvh_pairs_begin(&m->at, m->a.now, m->b.now, m->offset, false);
}

// For tiles from here on: only the cells that touch `box`.
static void begin_runs(cl_pair_side *side, cl_bounds box) {
  side->runs = cl_cell_runs_begin(side->whole->shape, cl_tiles_near(side->whole, box));
}

static bool next_runs(cl_part_pairs *m, cl_pair_side *side) {
  side->part = NONE;
  if (!cl_cell_runs_next(&side->runs, &side->block)) return false;
  m->steps += STEPS_TO_FILL + STEPS_OF_CORNER * (long)side->block.corners;
  return true;
}

static cl_bounds bounds_of(const cl_placed *p) {
  cl_bounds box;
  box = cl_placed_bounds(p);
  return box;
}

// Where b's tiles can meet the current block of a, and a's tiles can meet b.
static cl_bounds in_b(const cl_part_pairs *m, cl_bounds a) {
  const cl_bounds *o = &m->offset;
  return (cl_bounds){a.l + o->l, a.t + o->t, a.r + o->r, a.b + o->b};
}

static cl_bounds in_a(const cl_part_pairs *m, cl_bounds b) {
  const cl_bounds *o = &m->offset;
  return (cl_bounds){b.l - o->r, b.t - o->b, b.r - o->l, b.b - o->t};
}

static void begin_side(cl_pair_side *side, const cl_placed *whole) {
  side->whole = side->now = whole;
  side->part = NONE;
  if (!cl_placed_is_tiles(whole)) return;
  side->few = (cl_placed){&side->block.shape, whole->x, whole->y, {1, 0}};
  side->now = &side->few;
}

// The next block of a, with those of b from the first on.
static bool next_of_a(cl_part_pairs *m) {
  if (!cl_placed_is_tiles(m->a.whole) || !next_runs(m, &m->a)) return false;
  if (cl_placed_is_tiles(m->b.whole)) begin_runs(&m->b, in_b(m, bounds_of(m->a.now)));
  return true;
}

// The next pair of blocks; two shapes without tiles have none.
static bool next_blocks(cl_part_pairs *m) {
  if (!cl_placed_is_tiles(m->b.whole)) return next_of_a(m);
  while (!next_runs(m, &m->b))
    if (!next_of_a(m)) return false;
  return true;
}

// Whether p is more likely to have large parts than q: it has fewer, or its first is larger. Cells
// are small.
static bool has_larger(const cl_placed *p, const cl_placed *q) {
  if (cl_placed_is_tiles(p) || cl_placed_is_tiles(q)) return cl_placed_is_tiles(q);
  uint32_t n = p->shape->part_count, m = q->shape->part_count;
  return n < m || (n == m && p->shape->parts->count > q->shape->parts->count);
}

void cl_part_pairs_begin(cl_part_pairs *m, const cl_placed *a, const cl_placed *b, cl_bounds offset,
                         cl_vec origin) {
  m->origin = origin;
  m->offset = cl_bounds_grown(offset, cl_placed_error(a) + cl_placed_error(b));
  begin_side(&m->a, a);
  begin_side(&m->b, b);
  m->at.a = NULL;
  m->steps = 0;
  m->room_of_b = has_larger(b, a);
  if (cl_placed_is_tiles(a)) {
    begin_runs(&m->a, in_a(m, bounds_of(b)));
    if (cl_placed_is_tiles(b)) m->b.runs = (cl_cell_runs){b->shape, {0, 0, -1, -1}, 0, 0};
  } else if (cl_placed_is_tiles(b)) {
    begin_runs(&m->b, in_b(m, bounds_of(a)));
  } else {
    begin_pairing(m);
  }
}

bool cl_part_pairs_next(cl_part_pairs *m) {
  while (!m->at.a || !cl_bvh_pairs_next(&m->at)) {
    if (m->at.a) m->steps += m->at.steps;
    if (!next_blocks(m)) return false;
    begin_pairing(m);
  }
  m->steps += m->at.steps;
  m->at.steps = 0;
  m->one = m->at.one, m->two = m->at.two;
  return true;
}

void cl_part_pairs_place(cl_part_pairs *m) {
  cl_convex_room *of_a = m->room_of_b ? NULL : &m->room, *of_b = m->room_of_b ? &m->room : NULL;
  if (m->a.part != m->at.i)
    cl_convex_place_in(m->a.now, m->a.part = m->at.i, m->origin, of_a, &m->p);
  if (m->b.part != m->at.k)
    cl_convex_place_in(m->b.now, m->b.part = m->at.k, m->origin, of_b, &m->q);
}

bool cl_part_pairs_overlap(cl_part_pairs *m, bool touching, cl_hit *out) {
  if (cl_placed_part_is_box(m->a.now, m->at.i) && cl_placed_part_is_box(m->b.now, m->at.k))
    return cl_overlap_boxes(m->two, m->one, touching, out); // how b gets free
  cl_part_pairs_place(m);
  return cl_convex_overlap(&m->p, &m->q, touching, out);
}

static const cl_part *part_of(const cl_placed *p, uint32_t i) { return &p->shape->parts[i]; }

int cl_part_pairs_vertices(const cl_part_pairs *m) {
  return (int)(part_of(m->a.now, m->at.i)->count + part_of(m->b.now, m->at.k)->count);
}

bool cl_part_pairs_thin(const cl_part_pairs *m) {
  return cl_part_is_thin(part_of(m->a.now, m->at.i)) || cl_part_is_thin(part_of(m->b.now, m->at.k));
}
