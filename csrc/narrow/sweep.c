// collide, MIT licence (see LICENSE)
//
// Sweeps over the parts of two shapes, and through tiles. Layer: narrow.

#include "narrow/motion.h"

// A step is about the work for two boxes of parts. Sweeping one part against another takes some
// for each of their corners, more if one is round. So does a block of cells, and each cell that is
// compared as a shape.
enum {
  STEPS_A_CORNER = 8,
  STEPS_A_ROUND_CORNER = 16,
  STEPS_A_BLOCK = 64,
  STEPS_A_BUILT_CORNER = 2
};
enum { STEPS_A_CELL = 32, STEPS_A_CELL_OUT = 64, STEPS_A_PART = 8 };

static long steps_of_pair(const cl_convex *p, const cl_convex *q) {
  return (p->r + q->r > 0 ? STEPS_A_ROUND_CORNER : STEPS_A_CORNER) * (long)(p->n + q->n);
}

double cl_touch_distance(const cl_placed *a, cl_vec d, const cl_placed *b) {
  cl_bounds one = cl_placed_bounds(a), two = cl_placed_bounds(b);
  cl_bounds end = {one.l + d.x, one.t + d.y, one.r + d.x, one.b + d.y};
  return CL_TOUCH_SHARE *
         cl_max(cl_bounds_largest(two), cl_max(cl_bounds_largest(one), cl_bounds_largest(end)));
}

// Whether the mover overlapped part k of the other at the start, by more than touching.
static bool was_inside(cl_sweep_walk *s, uint32_t k) {
  const cl_placed *start = s->how->one_way->start;
  cl_vec origin = {start->x, start->y};
  cl_convex p, q;
  cl_hit hit;
  cl_convex_place(s->pair.b, k, origin, &q);
  cl_bounds box = cl_placed_part_bounds(s->pair.b, k);
  s->steps += (long)start->shape->part_count;
  for (uint32_t i = 0; i < start->shape->part_count; i++) {
    if (!cl_bounds_touch(cl_placed_part_bounds(start, i), box)) continue;
    cl_convex_place(start, i, origin, &p);
    s->steps += steps_of_pair(&p, &q);
    if (cl_convex_overlap(&p, &q, false, &hit) && hit.depth > s->pair.touch) return true;
  }
  return false;
}

// Whether a side with the normal n is inside the other shape, between two cells or two parts of a
// polygon.
static bool is_inner(const cl_convex *q, cl_vec n) {
  for (int i = 0; i < q->n && q->n > 1; i++) {
    if (!q->placed->shape->inner[q->part->first + (uint32_t)i]) continue;
    if (cl_vec_dot(cl_convex_normal(q, i), n) > 1 - 1e-9) return true;
  }
  return false;
}

// The stretch along u of all that reaches farthest along n.
static void side_along(const cl_convex *c, cl_vec n, cl_vec u, double touch, double *low,
                       double *high) {
  double most = -cl_convex_least(c, cl_vec_mul(n, -1));
  for (int i = 0; i < c->n; i++) {
    cl_vec v = cl_convex_vertex(c, i);
    if (cl_vec_dot(v, n) < most - touch) continue;
    *low = cl_min(*low, cl_vec_dot(v, u));
    *high = cl_max(*high, cl_vec_dot(v, u));
  }
}

// Whether the stretch that the mover touches of a side with the normal n is covered.
static bool is_covered(const cl_one_way *one_way, const cl_convex_motion *m, cl_vec n) {
  cl_vec u = {-n.y, n.x}, at = cl_vec_mul(n, m->q.r - cl_convex_least(&m->q, cl_vec_mul(n, -1)));
  double low = INFINITY, high = -INFINITY, first = INFINITY, last = -INFINITY;
  side_along(&m->q, n, u, m->touch, &low, &high);
  side_along(&m->p, cl_vec_mul(n, -1), u, m->touch, &first, &last);
  first = cl_min(cl_max(first, low), high), last = cl_min(cl_max(last, low), high);
  return one_way->is_covered(one_way->context, &m->p, &m->q, cl_vec_add(at, cl_vec_mul(u, first)),
                             cl_vec_add(at, cl_vec_mul(u, last)));
}

// Whether a side with the normal n, which the mover touches, stops motion.
static bool stops(const cl_one_way *one_way, const cl_convex_motion *m, cl_vec n) {
  if (!one_way) return true;
  return cl_vec_dot(n, one_way->up) >= CL_ONE_WAY_COSINE && !is_inner(&m->q, n) &&
         !is_covered(one_way, m, n);
}

// Whether a one-way part lets the mover pass. Where the mover meets a corner of it, and the other
// face there stops motion, that is the face that is met.
static bool lets_pass(cl_sweep_walk *s, cl_sweep *found, uint32_t k) {
  const cl_one_way *one_way = s->how->one_way;
  if (!one_way) return false;
  cl_convex_motion *m = &s->pair;
  cl_convex start = m->p;
  cl_vec back = cl_vec_mul(m->d, found->t), origin = {m->a->x, m->a->y};
  cl_convex_place(m->a, m->i, cl_vec_sub(origin, back), &m->p); // where they meet
  bool passes = !stops(one_way, m, (cl_vec){found->nx, found->ny});
  if (passes && !found->lone) {
    cl_touch touch;
    int faces = cl_motion_touch(m, &touch) ? touch.faces : 0;
    for (int i = 0; i < faces && passes; i++) {
      passes = cl_vec_dot(touch.n[i], m->d) >= 0 || !stops(one_way, m, touch.n[i]);
      if (passes) continue;
      found->nx = touch.n[i].x, found->ny = touch.n[i].y;
      found->lift = cl_max(-touch.gap[i], 0);
    }
  }
  m->p = start;
  return passes || was_inside(s, k);
}

// Whether all cells of a rectangle are passed. Empty cells do not count.
static bool are_passed(const cl_placed *tiles, cl_cell_rect cells, const cl_values *passes) {
  for (int32_t row = cells.top; passes && row <= cells.bottom; row++)
    for (int32_t column = cells.left; column <= cells.right; column++) {
      uint8_t value = cl_tiles_value(tiles->shape, column, row);
      bool solid = cl_tiles_kind_of(tiles->shape, value) != CL_TILE_EMPTY;
      if (solid && !cl_values_have(passes, value)) return false;
    }
  return passes != NULL;
}

// ---- quick tests, for small round parts where rounding is far less than the skin

static bool are_plain(const cl_sweep_walk *s, const cl_part *p, uint32_t corners, double radius,
                      double error) {
  return p->radius + radius > s->pair.touch && p->count <= CL_SMALL && corners <= CL_SMALL &&
         s->pair.skin >= 8 * error;
}

// Whether bounds never share more than a part of the skin along one axis. What is in them does not
// stop motion then.
static bool boxes_pass(const cl_sweep_walk *s, const cl_bounds *a, const cl_bounds *b) {
  const cl_slab x = cl_slab_of(a->l, a->r, s->pair.d.x, b->l, b->r, s->pair.slow);
  const cl_slab y = cl_slab_of(a->t, a->b, s->pair.d.y, b->t, b->b, s->pair.slow);
  return cl_slab_misses(&x, s->pair.skin / 2) || cl_slab_misses(&y, s->pair.skin / 2);
}

static const cl_part *part_at(const cl_placed *p, uint32_t i) { return &p->shape->parts[i]; }

// Whether the current pair surely passes each other; whether it is surely farther apart than counts
// as touching, by the bounds of the cores.
static bool pair_passes(const cl_sweep_walk *s) {
  const cl_part *p = part_at(s->pair.a, s->at.i), *q = part_at(s->pair.b, s->at.k);
  return are_plain(s, p, q->count, q->radius, s->at.error) && boxes_pass(s, &s->at.one, &s->at.two);
}

static bool pair_is_apart(const cl_sweep_walk *s) {
  const cl_part *p = part_at(s->pair.a, s->at.i), *q = part_at(s->pair.b, s->at.k);
  const cl_bounds *a = &s->at.one, *b = &s->at.two;
  double r = p->radius + q->radius, x = cl_max(b->l - a->r, a->l - b->r) + r;
  double y = cl_max(b->t - a->b, a->t - b->b) + r, far = r + 2 * s->pair.touch;
  x = cl_max(x, 0), y = cl_max(y, 0);
  return x * x + y * y > far * far && are_plain(s, p, q->count, q->radius, s->at.error);
}

// The same of the mover and all cells of a rectangle that are solid.
static bool cells_pass(const cl_sweep_walk *s, cl_cell_rect cells) {
  double error = cl_placed_error(s->pair.a) + cl_placed_error(s->tiles);
  if (s->pair.a->shape->part_count > 1) return false;
  if (!are_plain(s, s->pair.a->shape->parts, CL_TILE_CORNERS, 0, error)) return false;
  for (int32_t row = cells.top; row <= cells.bottom; row++)
    for (int32_t column = cells.left; column <= cells.right; column++) {
      if (!cl_tiles_is(s->tiles->shape, column, row, CL_TILES_SOLID)) continue;
      cl_bounds cell = cl_cells_bounds(s->tiles, (cl_cell_rect){column, row, column, row});
      if (!boxes_pass(s, &s->bounds, &cell)) return false;
    }
  return true;
}

// The steps to make a block: more for cells of many corners.
static long steps_of_block(const cl_cell_block *block) {
  const cl_part *last = &block->parts[block->shape.part_count - 1];
  long corners = (long)(last->first + last->count), usual = 4 * CL_CELL_BLOCK;
  return STEPS_A_BLOCK + (corners > usual ? STEPS_A_BUILT_CORNER * (corners - usual) : 0);
}

// Whether the steps have run out: asked before each pair of parts, and before each block of cells,
// since many blocks may have no pair.
static bool gives_up(cl_sweep_walk *s, long more) {
  s->given_up = s->given_up || s->steps + more > s->how->most;
  return s->given_up;
}

// Begins with the pairs of parts of the two shapes, or of a block of cells.
static void begin_pairs(cl_sweep_walk *s) {
  cl_bvh_pairs_begin(&s->at, s->pair.a, s->pair.b, cl_bounds_of_way(s->way, s->pair.touch));
}

// Goes on to the next block of cells. One whose cells are all passed is not in the way.
static bool next_block(cl_sweep_walk *s) {
  cl_cell_blocks *w = &s->cells.blocks;
  bool moves = s->way.x != 0 || s->way.y != 0;
  while (!s->given_up && cl_way_blocks_seek(&s->cells, s->until) && !gives_up(s, 0)) {
    s->steps += moves;
    if (moves && are_passed(s->tiles, w->here, s->how->passes)) continue;
    if (moves && !s->thorough && cells_pass(s, w->here)) {
      s->skipped = true;
      continue;
    }
    if (!cl_cell_blocks_fill(w)) continue;
    s->steps += moves ? steps_of_block(&w->block) : STEPS_A_BLOCK;
    begin_pairs(s);
    return true;
  }
  return false;
}

// Goes on to the next pair of parts that is not passed. When too much work has been done, that pair
// is the last.
static bool next_pair(cl_sweep_walk *s) {
  for (;;) {
    while (!s->at.a || s->given_up || !cl_bvh_pairs_next(&s->at)) {
      if (s->at.a) s->steps += s->at.steps;
      if (!s->tiles || !next_block(s)) return false;
    }
    gives_up(s, s->at.steps);
    if (!s->tiles) return true;
    const cl_cell_block *cells = &s->cells.blocks.block;
    s->column = cells->column[s->at.k], s->row = cells->row[s->at.k];
    s->value = cl_tiles_value(s->tiles->shape, s->column, s->row);
    if (!s->how->passes || !cl_values_have(s->how->passes, (unsigned)s->value)) return true;
  }
}

static void place_pair(cl_sweep_walk *s) {
  assert(s->at.i != UINT32_MAX);
  cl_motion_place_a(&s->pair, s->at.i);
  cl_motion_place_b(&s->pair, s->at.k);
  s->steps += steps_of_pair(&s->pair.p, &s->pair.q);
}

// `way` is how far the walk goes along d: the whole, or nowhere.
static void begin_walk(cl_sweep_walk *s, const cl_placed *a, cl_vec d, const cl_placed *b,
                       const cl_stopper *how, cl_vec way) {
  cl_motion_begin(&s->pair, a, d, b);
  s->pair.touch = how->touch;
  s->pair.skin = how->touch * CL_SKIN_SHARE;
  s->pair.slow = cl_sweep_slow(d);
  s->how = how;
  s->way = way;
  s->until = INFINITY;
  s->tiles = cl_placed_is_tiles(b) ? b : NULL;
  s->column = s->row = s->value = -1;
  s->steps = 0;
  s->given_up = s->skipped = s->thorough = false;
  s->at.a = NULL;
  if (s->tiles) {
    s->bounds = cl_placed_bounds(a);
    cl_bounds box = cl_bounds_grown(s->bounds, how->touch);
    cl_way_blocks_begin(&s->cells, b, box, way, 0, how->one_way != NULL);
    s->pair.b = &s->cells.blocks.placed;
  } else {
    begin_pairs(s);
  }
}

// Sweeps over all pairs. Returns how many there were.
static long sweep_pairs(cl_sweep_walk *s, cl_sweep *best) {
  long pairs = 0;
  *best = (cl_sweep){.t = INFINITY};
  while (next_pair(s)) {
    if (s->given_up) continue;
    pairs++;
    if (pair_passes(s)) continue;
    place_pair(s);
    cl_sweep found = *best;
    if (!cl_motion_stop(&s->pair, &found) || lets_pass(s, &found, s->at.k)) continue;
    *best = found;
    best->column = s->column, best->row = s->row, best->value = s->value;
    s->until = best->t;
  }
  return pairs;
}

bool cl_sweep_shape(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stopper *how,
                    long *spent, cl_sweep *out) {
  assert(!cl_placed_is_tiles(a));
  if (d.x == 0 && d.y == 0) return false;
  cl_sweep_walk s; // large: filled in as needed
  begin_walk(&s, a, d, b, how, d);
  long pairs = sweep_pairs(&s, out);
  bool doubtful = out->t < INFINITY && out->lone && pairs == 1 && s.skipped && !s.given_up;
  if (doubtful) { // those skipped may be near
    *spent += s.steps;
    begin_walk(&s, a, d, b, how, d);
    s.thorough = true;
    pairs = sweep_pairs(&s, out);
  }
  *spent += s.steps;
  if (s.given_up) *out = (cl_sweep){.t = s.tiles ? cl_max(s.cells.from, 0) : 0, .given_up = true};
  else out->lone &= pairs == 1;
  return out->t < INFINITY;
}

void cl_touches_begin(cl_sweep_walk *s, const cl_placed *a, cl_vec d, const cl_placed *b,
                      const cl_stopper *how) {
  begin_walk(s, a, d, b, how, (cl_vec){0, 0});
}

bool cl_touches_next(cl_sweep_walk *s, cl_touch *touch) {
  while (next_pair(s)) {
    if (pair_is_apart(s)) continue;
    place_pair(s);
    if (!cl_motion_touch(&s->pair, touch)) continue;
    touch->stops[0] = stops(s->how->one_way, &s->pair, touch->n[0]);
    touch->stops[1] = stops(s->how->one_way, &s->pair, touch->n[1]);
    if (!touch->stops[0] && !touch->stops[1]) continue;
    if (s->how->one_way && was_inside(s, s->at.k)) continue;
    touch->column = s->column, touch->row = s->row, touch->value = s->value;
    return true;
  }
  return false;
}

// ---- ways out, by the deepest cell or along a direction

// Those of `a`, and of tiles b the cells one after another: that it may touch, with values that are
// not in `passes`.
typedef struct way_out {
  const cl_placed *a, *b;
  const cl_values *passes;
  cl_effort *effort;
  long most;           // steps of work before the next cell
  cl_vec u;            // the direction,
  double exit;         // and how far it is to leave the cells so far
  double deepest;      // of the cells so far, or -1,
  cl_hit *hit;         // how to leave it,
  int32_t value, *out; // and its value
} way_out;

// Takes a cell, as a shape, into account; false if no more are needed.
typedef bool take_cell(way_out *w, const cl_placed *cell);

// The parts of a block that the shape may touch, a bit for each.
static uint32_t find_near(const way_out *w, const cl_placed *block) {
  double error = cl_placed_error(w->a) + cl_placed_error(w->b);
  uint32_t near = 0, all = (UINT32_C(1) << block->shape->part_count) - 1;
  cl_bvh_pairs at;
  cl_bvh_pairs_begin(&at, w->a, block, (cl_bounds){-error, -error, error, error});
  while (near != all && cl_bvh_pairs_next(&at)) near |= UINT32_C(1) << at.k;
  w->effort->spent += at.steps;
  return near;
}

// False if the steps have run out before the last cell.
static bool take_cells(way_out *w, take_cell *take) {
  long *spent = &w->effort->spent, steps = STEPS_A_PART * (long)(w->a->shape->part_count - 1);
  cl_cell_blocks at;
  cl_cell_blocks_begin(&at, w->b, cl_tiles_near(w->b, cl_placed_bounds(w->a)), false);
  while (cl_cell_blocks_seek(&at)) {
    if (are_passed(w->b, at.here, w->passes) || !cl_cell_blocks_fill(&at)) continue;
    if (*spent > w->most) return false;
    *spent += steps_of_block(&at.block);
    uint32_t near = find_near(w, &at.placed);
    for (uint32_t k = 0; near >> k; k++) {
      w->value = cl_tiles_value(w->b->shape, at.block.column[k], at.block.row[k]);
      bool passed = w->passes && cl_values_have(w->passes, (unsigned)w->value);
      if (passed || !(near >> k & 1)) continue;
      *spent += STEPS_A_CELL + steps;
      if (*spent > w->most) return false;
      cl_shape one = at.block.shape; // in the memory of the block
      one.parts += k;
      one.part_count = 1;
      one.bounds = one.parts->bounds;
      cl_placed cell = {&one, w->b->x, w->b->y, {1, 0}};
      if (!take(w, &cell)) return true;
    }
  }
  return true;
}

// Keeps the way out of the deepest cell; of the cells so far, once that has taken a quarter of the
// steps for one way out. A single part is compared only once.
static bool leave_cell(way_out *w, const cl_placed *cell) {
  uint32_t corners = w->a->shape->parts->count;
  bool single = w->a->shape->part_count == 1;
  double error = 16 * (cl_placed_error(w->a) + cl_placed_error(w->b));
  cl_hit hit;
  if (cl_bounds_exit(cl_placed_bounds(w->a), cl_placed_bounds(cell)) < w->deepest - error)
    return true;
  if (single && corners > CL_SMALL) w->effort->spent += (long)corners;
  if (!single && !cl_overlaps(w->a, cell, false)) return true;
  w->effort->spent += STEPS_A_CELL_OUT;
  if (!cl_overlap_within(w->a, cell, false, w->effort, &hit) || hit.depth <= w->deepest)
    return true;
  w->deepest = hit.depth;
  *w->hit = hit;
  *w->out = w->value;
  w->most = w->effort->work / 4;
  return true;
}

bool cl_sweep_way_out(const cl_placed *a, const cl_placed *b, const cl_values *passes,
                      cl_effort *effort, cl_hit *out, int32_t *value) {
  way_out w = {.a = a, .b = b, .passes = passes, .effort = effort, .most = effort->search};
  *value = -1;
  if (!passes || !cl_placed_is_tiles(b)) return cl_overlap_within(a, b, false, effort, out);
  w.deepest = -1, w.hit = out, w.out = value;
  effort->given_up = !take_cells(&w, leave_cell) && w.deepest < 0;
  return w.deepest >= 0;
}

// Neither shape is tiles. False if the work is done.
static bool exit_parts(way_out *w, const cl_placed *b) {
  cl_convex_motion m; // large: filled in as needed
  cl_hit hit;
  cl_bvh_pairs at;
  cl_motion_begin(&m, w->a, w->u, b);
  m.slow = 32 * CL_ROUND;
  cl_bvh_pairs_begin(&at, w->a, b, (cl_bounds){0, 0, 0, 0});
  while (w->effort->spent <= w->effort->work && cl_bvh_pairs_next(&at)) {
    cl_motion_place_a(&m, at.i);
    cl_motion_place_b(&m, at.k);
    w->effort->spent += steps_of_pair(&m.p, &m.q);
    if (cl_convex_overlap(&m.p, &m.q, false, &hit)) w->exit = cl_max(w->exit, cl_motion_exit(&m));
  }
  w->effort->spent += at.steps;
  return w->effort->spent <= w->effort->work;
}

double cl_sweep_exit(const cl_placed *a, cl_vec u, const cl_placed *b, const cl_values *passes,
                     cl_effort *effort) {
  way_out w = {.a = a, .b = b, .passes = passes, .effort = effort, .most = effort->work, .u = u};
  if (cl_placed_is_tiles(b)) take_cells(&w, exit_parts);
  else exit_parts(&w, b);
  return w.exit;
}
