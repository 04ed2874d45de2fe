// collide, MIT licence (see LICENSE)
//
// Walks over pairs of parts and over cells of maps. Layer: narrow.

#include "narrow/pairs.h"

#include "base/config.h"
#include "narrow/primitives.h"

#define NONE UINT32_MAX

// Placing a node and descending into it costs as much as comparing this many boxes of parts.
enum { STEPS_TO_DESCEND = 8 };

// --- two trees ---

static const cl_part_node *node_of(const cl_placed *p, uint32_t i) {
  return p->shape->part_count > CL_FEW_PARTS ? &p->shape->nodes[i] : NULL;
}

static bool is_leaf(const cl_part_node *n) { return !n || n->count > 0; }

// The distance between `offset` and the box of the differences of two boxes, along the worse axis:
// 0 if they touch, never NaN.
CL_INLINE double gap_of(cl_bounds a, cl_bounds b, cl_bounds offset) {
  double x = cl_max((b.l - a.r) - offset.r, offset.l - (b.r - a.l));
  double y = cl_max((b.t - a.b) - offset.b, offset.t - (b.b - a.t));
  return cl_max(x, y);
}

// Whether a box that moves along the way passes another at a distance: across the way they are
// apart. All lengths are doubled.
static bool pass(const cl_bvh_pairs *p, const cl_bounds *a, const cl_bounds *b) {
  cl_vec v = {(b->l + b->r) - (a->l + a->r), (b->t + b->b) - (a->t + a->b)};
  double wide = (a->r - a->l) + (b->r - b->l), high = (a->b - a->t) + (b->b - b->t);
  double x = fabs(p->way.x), y = fabs(p->way.y);
  return fabs(cl_vec_cross(p->way, v)) > x * (high + p->margin) + y * (wide + p->margin);
}

static void push(cl_bvh_pairs *p, uint32_t i, uint32_t k, double gap) {
  p->wait[p->waiting].i = i;
  p->wait[p->waiting].k = k;
  p->wait[p->waiting++].gap = gap;
}

// Copies the bounds of a leaf's parts, or of all parts if there are few, side by side.
static int load(const cl_placed *p, uint32_t leaf, uint32_t *parts, cl_bounds *bounds) {
  const cl_part_node *n = node_of(p, leaf);
  uint32_t count = n ? n->count : p->shape->part_count;
  for (uint32_t i = 0; i < count; i++) {
    parts[i] = n ? p->shape->order[n->first + i] : i;
    bounds[i] = cl_placed_part_bounds(p, parts[i]);
  }
  return (int)count;
}

static void begin_leaves(cl_bvh_pairs *p, uint32_t i, uint32_t k) {
  if (p->leaf_a != i) p->count_a = load(p->a, p->leaf_a = i, p->parts_a, p->bounds_a);
  if (p->leaf_b != k) p->count_b = load(p->b, p->leaf_b = k, p->parts_b, p->bounds_b);
  p->at_a = 0;
  p->at_b = -1;
}

// Compares one child of a node of `a` (or of `b`) with the other's node.
static double child_gap(const cl_bvh_pairs *p, uint32_t i, uint32_t k) {
  const cl_part_node *n = node_of(p->a, i), *m = node_of(p->b, k);
  cl_bounds a = cl_placed_box(p->a, n ? &n->bounds : &p->a->shape->bounds, p->error);
  cl_bounds b = cl_placed_box(p->b, m ? &m->bounds : &p->b->shape->bounds, p->error);
  const cl_bounds none = {0, 0, 0, 0};
  if (gap_of(a, b, p->offset) > 0 || (p->moves && pass(p, &a, &b))) return DBL_MAX;
  return p->sorted ? gap_of(a, b, none) : 0;
}

static double extent(const cl_part_node *n) {
  return (n->bounds.r - n->bounds.l) + (n->bounds.b - n->bounds.t);
}

// Splits the larger of two nodes that are not both leaves.
static void descend(cl_bvh_pairs *p, uint32_t i, uint32_t k) {
  const cl_part_node *n = node_of(p->a, i), *m = node_of(p->b, k);
  bool of_a = is_leaf(m) || (!is_leaf(n) && extent(n) >= extent(m));
  uint32_t first = (of_a ? i : k) + 1, second = (of_a ? p->a : p->b)->shape->nodes[first].skip;
  uint32_t pairs[2][2] = {{of_a ? first : i, of_a ? k : first},
                          {of_a ? second : i, of_a ? k : second}};
  double gap = child_gap(p, pairs[0][0], pairs[0][1]);
  double other = child_gap(p, pairs[1][0], pairs[1][1]);
  int near = other < gap;
  if (cl_max(gap, other) < DBL_MAX) push(p, pairs[!near][0], pairs[!near][1], cl_max(gap, other));
  if (cl_min(gap, other) < DBL_MAX) push(p, pairs[near][0], pairs[near][1], cl_min(gap, other));
}

void cl_bvh_pairs_begin(cl_bvh_pairs *p, const cl_placed *a, const cl_placed *b, cl_bounds offset) {
  p->a = a;
  p->b = b;
  p->offset = offset;
  p->moves = false;
  p->sorted = false;
  p->error = cl_placed_error(a) + cl_placed_error(b);
  p->leaf_a = p->leaf_b = NONE;
  p->count_a = p->count_b = p->at_a = p->at_b = p->waiting = 0;
  p->steps = 0;
  push(p, 0, 0, 0);
}

void cl_bvh_pairs_move(cl_bvh_pairs *p, cl_vec way, double margin) {
  p->moves = true;
  p->way = way;
  p->margin = 2 * margin;
}

// The next pair of the two current leaves.
static bool next_here(cl_bvh_pairs *p) {
  while (p->at_a < p->count_a) {
    for (p->at_b++; p->at_b < p->count_b; p->at_b++) {
      p->steps++;
      if (gap_of(p->bounds_a[p->at_a], p->bounds_b[p->at_b], p->offset) > 0) continue;
      if (p->moves && pass(p, &p->bounds_a[p->at_a], &p->bounds_b[p->at_b])) continue;
      p->i = p->parts_a[p->at_a];
      p->k = p->parts_b[p->at_b];
      p->one = p->bounds_a[p->at_a];
      p->two = p->bounds_b[p->at_b];
      return true;
    }
    p->at_a++;
    p->at_b = -1;
  }
  return false;
}

bool cl_bvh_pairs_next(cl_bvh_pairs *p) {
  for (;;) {
    if (next_here(p)) return true;
    if (p->waiting == 0) return false;
    p->waiting--;
    if (p->sorted && p->wait[p->waiting].gap > cl_max(p->offset.r, p->offset.b)) continue;
    p->steps += STEPS_TO_DESCEND;
    uint32_t i = p->wait[p->waiting].i, k = p->wait[p->waiting].k;
    if (is_leaf(node_of(p->a, i)) && is_leaf(node_of(p->b, k))) begin_leaves(p, i, k);
    else descend(p, i, k);
  }
}

// --- tiles ---

// Filling a block costs as much as comparing this many boxes, and this many more for each corner of
// cells that are not full, whose normals are computed.
enum { STEPS_TO_FILL = 40, STEPS_OF_CORNER = 4 };

static void begin_side(cl_pair_side *side, const cl_placed *whole) {
  side->whole = side->now = whole;
  side->part = NONE;
  if (!cl_placed_is_tiles(whole)) return;
  side->few = (cl_placed){&side->block.shape, whole->x, whole->y, {1, 0}};
  side->now = &side->few;
}

// For tiles from here on: only the cells that touch `box`.
static void begin_runs(cl_pair_side *side, cl_bounds box) {
  side->runs = cl_cell_runs_begin(side->whole->shape, cl_tiles_near(side->whole, box));
}

static bool next_runs(cl_part_pairs *m, cl_pair_side *side) {
  side->part = NONE;
  if (!cl_cell_runs_next(&side->runs, &side->block)) return false;
  m->at.steps += STEPS_TO_FILL + STEPS_OF_CORNER * (long)side->block.corners;
  return true;
}

// Where b's tiles can meet what a has now, and a's tiles can meet b.
static cl_bounds in_b(const cl_part_pairs *m) {
  cl_bounds a = cl_placed_bounds(m->a.now), o = m->offset;
  return (cl_bounds){a.l + o.l, a.t + o.t, a.r + o.r, a.b + o.b};
}

static cl_bounds in_a(const cl_part_pairs *m) {
  cl_bounds b = cl_placed_bounds(m->b.whole), o = m->offset;
  return (cl_bounds){b.l - o.r, b.t - o.b, b.r - o.l, b.b - o.t};
}

// The next block of a, with those of b from the first on.
static bool next_of_a(cl_part_pairs *m) {
  if (!cl_placed_is_tiles(m->a.whole) || !next_runs(m, &m->a)) return false;
  if (cl_placed_is_tiles(m->b.whole)) begin_runs(&m->b, in_b(m));
  return true;
}

// The next pair of blocks; two shapes without tiles have none.
static bool next_blocks(cl_part_pairs *m) {
  if (!cl_placed_is_tiles(m->b.whole)) return next_of_a(m);
  while (!next_runs(m, &m->b))
    if (!next_of_a(m)) return false;
  return true;
}

static void begin_trees(cl_part_pairs *m) {
  long steps = m->at.steps;
  cl_bvh_pairs_begin(&m->at, m->a.now, m->b.now, m->offset);
  m->at.steps = steps;
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
  m->at.steps = 0;
  m->room_of_b = has_larger(b, a);
  if (cl_placed_is_tiles(a)) {
    begin_runs(&m->a, in_a(m));
    if (cl_placed_is_tiles(b)) m->b.runs = (cl_cell_runs){b->shape, {0, 0, -1, -1}, 0, 0};
  } else if (cl_placed_is_tiles(b)) {
    begin_runs(&m->b, in_b(m));
  } else {
    begin_trees(m);
  }
}

bool cl_part_pairs_next(cl_part_pairs *m) {
  while (!m->at.a || !cl_bvh_pairs_next(&m->at)) {
    if (!next_blocks(m)) return false;
    begin_trees(m);
  }
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
    return cl_overlap_boxes(m->at.two, m->at.one, touching, out); // how b gets free
  cl_part_pairs_place(m);
  return cl_convex_overlap(&m->p, &m->q, touching, out);
}

static const cl_part *part_of(const cl_placed *p, uint32_t i) { return &p->shape->parts[i]; }

long cl_part_pairs_spent(cl_part_pairs *m) {
  uint32_t corners = part_of(m->a.now, m->at.i)->count + part_of(m->b.now, m->at.k)->count;
  long steps = m->at.steps + (long)corners;
  m->at.steps = 0;
  return steps;
}

bool cl_part_pairs_thin(const cl_part_pairs *m) {
  return cl_part_is_thin(part_of(m->a.now, m->at.i)) || cl_part_is_thin(part_of(m->b.now, m->at.k));
}

// --- cells of maps ---

// Steps of work to make a block.
enum { STEPS_A_BLOCK = 160 };

void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect cells,
                          bool shared) {
  w->tiles = tiles;
  w->cells = cells;
  w->column = cells.left;
  w->row = cells.top;
  w->shared = shared;
  w->placed = (cl_placed){&w->block.shape, tiles->x, tiles->y, {1, 0}};
}

// The first column from `column` on with a solid cell in rows `top` to `bottom`, or the column past
// the last one.
static int32_t next_solid(const cl_cell_blocks *w, int32_t top, int32_t bottom) {
  int32_t first = w->cells.right + 1;
  for (int32_t row = top; row <= bottom && first > w->column; row++)
    first = cl_tiles_next(w->tiles->shape, row, w->column, first - 1, CL_TILES_SOLID);
  return first;
}

// From the beginning of a row of blocks, past those that are empty, if they are as wide as the
// tiles.
static void skip_rows(cl_cell_blocks *w) {
  cl_cell_rect all = cl_tiles_all(w->tiles->shape);
  if (w->column != all.left || w->cells.left != all.left || w->cells.right != all.right) return;
  int32_t solid = cl_tiles_next_row(w->tiles->shape, w->row, w->cells.bottom);
  int32_t step = CL_CELL_BLOCK_ROWS - w->shared, above = solid - w->row - CL_CELL_BLOCK_ROWS + 1;
  if (solid > w->cells.bottom) w->row = solid;
  else if (above > 0) w->row += (above + step - 1) / step * step;
}

bool cl_cell_blocks_seek(cl_cell_blocks *w) {
  while (w->row <= w->cells.bottom) {
    skip_rows(w);
    if (w->row > w->cells.bottom) return false;
    int32_t bottom = w->row + CL_CELL_BLOCK_ROWS - 1;
    if (bottom > w->cells.bottom) bottom = w->cells.bottom;
    int32_t left = next_solid(w, w->row, bottom), right = left + CL_CELL_BLOCK_COLUMNS - 1;
    if (right > w->cells.right) right = w->cells.right;
    w->here = (cl_cell_rect){left, w->row, right, bottom};
    w->column = left + CL_CELL_BLOCK_COLUMNS - w->shared;
    if (right == w->cells.right) {
      w->column = w->cells.left;
      w->row = bottom == w->cells.bottom ? bottom + 1 : w->row + CL_CELL_BLOCK_ROWS - w->shared;
    }
    CL_WORK(1);
    if (left <= right) return true;
  }
  return false;
}

bool cl_cell_blocks_fill(cl_cell_blocks *w) {
  CL_WORK(STEPS_A_BLOCK);
  return cl_cell_block_fill(&w->block, w->tiles->shape, w->here);
}

bool cl_cell_blocks_next(cl_cell_blocks *w) {
  while (cl_cell_blocks_seek(w))
    if (cl_cell_blocks_fill(w)) return true;
  return false;
}

cl_bounds cl_cells_bounds(const cl_placed *tiles, cl_cell_rect s) {
  return (cl_bounds){cl_tiles_x(tiles, s.left), cl_tiles_y(tiles, s.top),
                     cl_tiles_x(tiles, s.right + 1), cl_tiles_y(tiles, s.bottom + 1)};
}

void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out) {
  const double low[2] = {b.l - a.r, b.t - a.b}, high[2] = {b.r - a.l, b.b - a.t};
  const double way[2] = {d.x, d.y};
  *in = 0;
  *out = 1;
  for (int i = 0; i < 2; i++) {
    if (low[i] > cl_max(way[i], 0) || high[i] < cl_min(way[i], 0)) *out = -1;
    else cl_clip_slab(low[i], high[i], way[i], in, out);
  }
}

void cl_way_blocks_begin(cl_way_blocks *w, const cl_placed *tiles, cl_bounds box, cl_vec d,
                         double start, bool shared) {
  bool across = fabs(d.x) > fabs(d.y);
  double cell = across ? tiles->shape->cell.x : tiles->shape->cell.y;
  double mover = (across ? box.r - box.l : box.b - box.t) / cell;
  w->box = box;
  w->d = d;
  w->next = w->count = 0;
  cl_cell_blocks_begin(&w->blocks, tiles, (cl_cell_rect){0, 0, -1, -1}, shared);
  cl_box_pass(box, cl_placed_bounds(tiles), d, &w->in, &w->out);
  w->in = cl_max(w->in, start);
  double length = cl_max(fabs(d.x), fabs(d.y)) / cell * (w->out - w->in);
  if (w->in <= w->out) w->count = ceil(length / cl_max(mover, CL_CELL_BLOCK_ROWS)) + 1;
}

// Goes on to the next piece of the way; false at the end, or if it begins at `best` or later.
static bool next_piece(cl_way_blocks *w, double best) {
  if (w->next >= w->count) return false;
  w->from = w->in + (w->out - w->in) * (w->next / w->count);
  if (best <= w->from) return false;
  double to = w->in + (w->out - w->in) * (++w->next / w->count);
  cl_vec p = cl_vec_mul(w->d, w->from), q = cl_vec_mul(w->d, to);
  cl_bounds swept = {w->box.l + cl_min(p.x, q.x), w->box.t + cl_min(p.y, q.y),
                     w->box.r + cl_max(p.x, q.x), w->box.b + cl_max(p.y, q.y)};
  const cl_placed *tiles = w->blocks.tiles;
  cl_cell_blocks_begin(&w->blocks, tiles, cl_tiles_near(tiles, swept), w->blocks.shared);
  return true;
}

bool cl_way_blocks_seek(cl_way_blocks *w, double best) {
  while (!cl_cell_blocks_seek(&w->blocks))
    if (!next_piece(w, best)) return false;
  return true;
}

bool cl_way_blocks_meets(const cl_way_blocks *w, double best) {
  double in, out;
  cl_box_pass(w->box, cl_cells_bounds(w->blocks.tiles, w->blocks.here), w->d, &in, &out);
  return in <= out && in <= best;
}
