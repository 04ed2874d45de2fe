// collide, MIT licence (see LICENSE)
//
// Where two placed shapes meet, and how far they are apart. Layer: narrow.
//
// Contact points of shapes of parts: the features that face each other along the way out are
// projected across it, and the ends of the stretch that they share are the points. Contacts of
// tiles are the faces of cells: each cell is compared with each part of the other shape. Only
// directions that lead out of the whole tiles count: no neighbour of the cell reaches farther along
// them. Source: the clipping of Catto, Contact Manifolds (GDC 2007), in the frame of the normal,
// where it is the same for both shapes.
//
// Distances are the least over pairs of parts; from tiles, over blocks of cells in growing
// rectangles round the other shape.

#include "base/config.h"
#include "narrow/overlap.h"
#include "narrow/pairs.h"

// --- contact points of parts ---

// This many overlapping pairs are measured to find the deepest.
enum { MOST_DEPTHS = 2048 };

// The result so far: the outermost points of all pairs.
typedef struct patch {
  cl_vec normal, across, origin;
  double low, high;       // places across the normal
  double depth, margin;   // of the whole; depths that differ by less count as equal
  double deepest;         // of the pairs by their own depth
  uint32_t member, other; // of the current pair
  cl_contact at_low, at_high;
  bool any;
} patch;

// Which of two points at one place across the normal counts: the deeper, then the lower, then the
// one of the first members.
static bool is_deeper(const cl_contact *a, const cl_contact *b) {
  if (a->depth != b->depth) return a->depth > b->depth;
  if (a->x != b->x || a->y != b->y) return a->x < b->x || (a->x == b->x && a->y < b->y);
  return a->member < b->member || (a->member == b->member && a->other < b->other);
}

static void add_point(patch *p, double u, double h, double depth) {
  cl_vec at = cl_vec_add(cl_vec_mul(p->across, u), cl_vec_mul(p->normal, h));
  cl_contact c = {.x = at.x + p->origin.x,
                  .y = at.y + p->origin.y,
                  .depth = cl_max(depth, 0),
                  .member = p->member,
                  .other = p->other};
  if (!p->any || u < p->low || (u == p->low && is_deeper(&c, &p->at_low)))
    p->low = u, p->at_low = c;
  if (!p->any || u > p->high || (u == p->high && is_deeper(&c, &p->at_high)))
    p->high = u, p->at_high = c;
  p->any = true;
}

// Adds the ends of the stretch that two facets share, if the parts overlap there; always the deeper
// end. With `always` something is added in any case.
static void add_pair(patch *p, const cl_convex *a, const cl_convex *b, bool always) {
  cl_vec back = {-p->normal.x, -p->normal.y};
  cl_facet f = cl_facet_of(a, p->normal, p->across), g = cl_facet_of(b, back, p->across);
  g.h0 = -g.h0, g.h1 = -g.h1;
  double low = cl_max(f.u0, g.u0), high = cl_min(f.u1, g.u1), r = a->r + b->r;
  if (low > high + p->margin && !always) return; // their own way out is beside the facing features
  double error = cl_convex_error(a, b);
  if (high - low <= error) low = high = (low + high) / 2;
  double u[2] = {low, high}, top[2], depth[2];
  for (int i = 0; i < 2; i++) {
    double under = cl_facet_height(&g, u[i]);
    top[i] = cl_facet_height(&f, u[i]);
    depth[i] = r + top[i] - under;
    top[i] = ((top[i] + a->r) + (under - b->r)) / 2;
  }
  int deeper = depth[1] > depth[0];
  if (depth[deeper] < p->depth - p->margin && !always) return; // likewise
  add_point(p, u[deeper], top[deeper], depth[deeper]);
  if (high > low && depth[!deeper] >= -error)
    add_point(p, u[!deeper], top[!deeper], depth[!deeper]);
}

// How far b would have to move along n to leave a.
static double depth_along(const cl_convex *a, const cl_convex *b, cl_vec n) {
  cl_vec p = cl_convex_vertex(a, cl_convex_support(a, n));
  cl_vec q = cl_convex_vertex(b, cl_convex_support(b, (cl_vec){-n.x, -n.y}));
  return a->r + b->r - (cl_vec_dot(q, n) - cl_vec_dot(p, n));
}

// More than depth_along can be for parts within these bounds.
static double most_along(cl_bounds a, cl_bounds b, cl_vec n) {
  double x = n.x > 0 ? a.r - b.l : a.l - b.r, y = n.y > 0 ? a.b - b.t : a.t - b.b;
  return n.x * x + n.y * y;
}

// The deepest pair so far by its own depth, along its own normal.
static void take_deepest(patch *p, const cl_convex *a, const cl_convex *b, const cl_hit *h) {
  cl_vec n = {h->nx, h->ny}, way = {-n.x, -n.y}, known = {-p->normal.x, -p->normal.y};
  bool same = n.x == p->normal.x && n.y == p->normal.y && p->any;
  if (h->depth < p->deepest) return;
  if (h->depth == p->deepest && !same && !cl_vec_goes_first(way, known)) return;
  p->any = same && h->depth == p->deepest;
  p->deepest = h->depth;
  p->depth = h->depth;
  p->normal = (cl_vec){h->nx, h->ny};
  p->across = (cl_vec){-h->ny, h->nx};
  add_pair(p, a, b, true);
}

// Adds every pair of parts that overlaps and is as deep along the normal as the whole; with `own`,
// only the pair with the largest depth of its own, among the first MOST_DEPTHS candidates.
static void add_parts(patch *p, const cl_placed *a, const cl_placed *b, bool own) {
  cl_hit h;
  cl_part_pairs at;
  cl_part_pairs_begin(&at, a, b, (cl_bounds){0, 0, 0, 0}, p->origin);
  for (int overlaps = 0; overlaps < MOST_DEPTHS && cl_part_pairs_next(&at);) {
    CL_WORK(at.at.steps + 1);
    at.at.steps = 0;
    // A pair's own depth is at most that of its bounds.
    if (own ? cl_bounds_exit(at.at.one, at.at.two) < p->deepest - p->margin
            : most_along(at.at.one, at.at.two, p->normal) < p->depth - p->margin)
      continue;
    cl_part_pairs_place(&at);
    CL_WORK(2 * (at.p.n + at.q.n));
    if (!cl_convex_overlap(&at.p, &at.q, true, &h)) continue;
    overlaps += own;
    p->member = cl_shape_member_at(at.p.placed->shape, at.at.i);
    p->other = cl_shape_member_at(at.q.placed->shape, at.at.k);
    if (own) take_deepest(p, &at.p, &at.q, &h);
    else if (fabs(depth_along(&at.p, &at.q, p->normal) - p->depth) <= p->margin)
      add_pair(p, &at.p, &at.q, false);
  }
}

// The two in canonical order, so that the result does not depend on the order of arguments.
static patch begin(const cl_placed *first, const cl_placed *second) {
  double size = (fabs(first->x) + fabs(first->y)) + (fabs(second->x) + fabs(second->y));
  double reach = first->shape->reach + second->shape->reach;
  return (patch){.origin = cl_convex_origin(first, second),
                 .margin = CL_MEET * reach + CL_SEPARATION_ERROR * size,
                 .deepest = -1};
}

static void turn_members(cl_contact *c) {
  uint32_t member = c->member;
  c->member = c->other, c->other = member;
}

// The one or two points of two shapes that overlap by `hit`, the result of cl_overlap. Writes them
// to `out` and returns their number. The points do not depend on the order of arguments.
static int find_points(const cl_placed *a, const cl_placed *b, const cl_hit *hit,
                       cl_contact out[2]) {
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  double sign = ordered ? -1 : 1; // the normal points from the first to the second
  patch p = begin(first, second);
  p.normal = (cl_vec){hit->nx * sign, hit->ny * sign};
  p.across = (cl_vec){-p.normal.y, p.normal.x};
  p.depth = hit->depth;
  add_parts(&p, first, second, false);
  // The way out of the whole may differ from that of every pair.
  if (!p.any) add_parts(&p, first, second, true);
  out[0] = p.at_low;
  out[1] = p.at_high;
  for (int i = 0; i < 2; i++) {
    out[i].depth = cl_min(out[i].depth, hit->depth);
    out[i].nx = p.normal.x * sign + 0.0, out[i].ny = p.normal.y * sign + 0.0; // + 0 turns -0 into 0
    if (!ordered) turn_members(&out[i]);
  }
  return p.high > p.low ? 2 : 1;
}

// The place of cl_contact_point, and the members there.
static cl_contact deepest_contact(const cl_placed *a, const cl_placed *b) {
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  patch p = begin(first, second);
  add_parts(&p, first, second, true);
  bool deeper = p.high > p.low && is_deeper(&p.at_high, &p.at_low);
  cl_contact c = deeper ? p.at_high : p.at_low;
  if (!p.any) c = (cl_contact){.x = first->x, .y = first->y};
  if (!ordered) turn_members(&c);
  return c;
}

cl_vec cl_contact_point(const cl_placed *a, const cl_placed *b) {
  cl_contact c = deepest_contact(a, b);
  return (cl_vec){c.x, c.y};
}

// --- faces of tiles ---

// Steps of work to make a cell and its neighbours, in addition to the step to examine it.
enum { STEPS_TO_FILL = 8, STEPS_TO_SURROUND = 64 };

// How far from the ends of an edge the test points are, as a fraction of it: exactly at the ends
// the neighbours would decide.
#define BESIDE_END 1e-3

// A cell with its neighbours, and the faces of it found so far.
typedef struct tile {
  const cl_placed *tiles;
  cl_placed placed;
  cl_cell_block block, around;
  bool has_around, touching;
  int32_t column, row;
  cl_contact *out;
  int count, most;
} tile;

// The best way out of a cell for a part of the other shape.
typedef struct face {
  double depth;
  cl_vec normal, at; // how the other gets free; a point on the cell's surface, relative to the
                     // origin
} face;

// A place on the cell's core, and the point beside it where the neighbours are tested.
typedef struct place {
  cl_vec at, beside;
} place;

// Whether a direction leads out of all tiles at a point of the cell's surface.
static bool leads_out(const tile *c, const cl_part_pairs *pair, cl_vec at, cl_vec n) {
  if (!c->has_around) return true;
  cl_vec local = {at.x + pair->origin.x - c->placed.x, at.y + pair->origin.y - c->placed.y};
  return cl_outline_leads(&c->around.shape, UINT32_MAX, local, n);
}

// The middle of the stretch that an edge of the cell shares with the facing side of the other part.
static place middle_of(const cl_convex *p, const cl_convex *q, int edge, cl_vec n) {
  cl_vec across = {-n.y, n.x}, back = {-n.x, -n.y};
  cl_vec from = cl_convex_vertex(p, edge), to = cl_convex_vertex(p, cl_convex_next(p, edge));
  cl_facet g = cl_facet_of(q, back, across);
  double u = cl_vec_dot(from, across), v = cl_vec_dot(to, across);
  double low = cl_max(cl_min(u, v), g.u0), high = cl_min(cl_max(u, v), g.u1);
  double t = ((low + high) / 2 - u) / (v - u);
  cl_vec e = cl_vec_sub(to, from);
  double beside = cl_min(cl_max(t, BESIDE_END), 1 - BESIDE_END);
  return (place){cl_vec_add(from, cl_vec_mul(e, cl_min(cl_max(t, 0), 1))),
                 cl_vec_add(from, cl_vec_mul(e, beside))};
}

// Whether the other part overlaps an edge of the cell (a vertex if both ends are the same), or with
// `touching` touches it.
static bool is_met(const tile *c, const cl_part_pairs *pair, cl_vec from, cl_vec to) {
  cl_stack_shape edge;
  cl_convex e;
  const cl_convex *q = &pair->q;
  cl_stack_segment(&edge, from.x, from.y, to.x, to.y);
  cl_placed placed = {&edge.shape, pair->origin.x, pair->origin.y, {1, 0}};
  cl_convex_place(&placed, 0, pair->origin, &e);
  double r = q->r + pair->p.r, error = cl_convex_error(&e, q);
  cl_axis axis = cl_convex_axis(&e, q, r + error);
  double apart = axis.separation;
  if (apart > r + error) return false;
  if (apart > -error || e.n + q->n == 2) apart = cl_convex_closest(&e, q, &axis).distance;
  return apart - r < (c->touching ? error : -error);
}

static void take_face(const tile *c, const cl_part_pairs *pair, face *best, double depth, place at,
                      cl_vec n) {
  if (!(depth < best->depth)) return;
  cl_vec out = cl_vec_mul(n, pair->p.r);
  if (leads_out(c, pair, cl_vec_add(at.beside, out), n))
    *best = (face){depth, n, cl_vec_add(at.at, out)};
}

// The directions of the cell's edges, unless neighbours cover them.
static void take_own_edges(const tile *c, const cl_part_pairs *pair, face *best) {
  const cl_convex *p = &pair->p, *q = &pair->q;
  int at = 0;
  for (int i = 0; i < p->n && p->n > 1; i++) {
    if (c->block.inner[p->part->first + (uint32_t)i]) continue;
    cl_vec n = cl_convex_normal(p, i), to = cl_convex_vertex(p, cl_convex_next(p, i));
    at = cl_convex_support_near(q, (cl_vec){-n.x, -n.y}, at);
    cl_vec far = cl_convex_vertex(q, at);
    double depth = p->r + q->r - cl_vec_dot(cl_vec_sub(far, cl_convex_vertex(p, i)), n);
    if (!(depth < best->depth) || !is_met(c, pair, cl_convex_vertex(p, i), to)) continue;
    take_face(c, pair, best, depth, middle_of(p, q, i, n), n);
  }
}

// The directions of the other's edges, at the cell's farthest vertex.
static void take_edges_of_other(const tile *c, const cl_part_pairs *pair, face *best) {
  const cl_convex *p = &pair->p, *q = &pair->q;
  uint32_t asked = 0, met = 0; // by the cell's vertices, a bit for each
  for (int i = 0; i < q->n && q->n > 1; i++) {
    if (q->placed->shape->inner[q->part->first + (uint32_t)i]) continue;
    cl_vec m = cl_convex_normal(q, i), n = {-m.x, -m.y};
    int at = cl_convex_support(p, n);
    cl_vec far = cl_convex_vertex(p, at);
    double depth = p->r + q->r - cl_vec_dot(cl_vec_sub(far, cl_convex_vertex(q, i)), m);
    if (!(depth < best->depth)) continue;
    if (!(asked >> at & 1) && is_met(c, pair, far, far)) met |= UINT32_C(1) << at;
    asked |= UINT32_C(1) << at;
    if (met >> at & 1) take_face(c, pair, best, depth, (place){far, far}, n);
  }
}

// Takes the direction between two vertices; if they coincide, any direction will do.
static void take_corner(const tile *c, const cl_part_pairs *pair, face *best) {
  cl_closest near;
  if (!cl_convex_corner(&pair->p, &pair->q, &near)) return;
  cl_vec n = near.distance > 0 ? near.normal : (cl_vec){0, -1};
  double depth = pair->p.r + pair->q.r - near.distance;
  take_face(c, pair, best, depth, (place){near.a, near.a}, n);
}

// Adds a face of the cell, or deepens one that is known.
static void add_face(tile *c, const cl_part_pairs *pair, const face *f) {
  cl_vec n = f->normal;
  double depth = cl_max(f->depth, 0);
  cl_contact *to = NULL;
  for (int i = c->count - 1; i >= 0 && !to; i--) {
    cl_contact *known = &c->out[i];
    if (known->column != c->column || known->row != c->row) break;
    if (fabs(known->nx - n.x) + fabs(known->ny - n.y) <= CL_MEET) to = known;
  }
  if (!to && c->count == c->most) return;
  cl_vec at = cl_vec_sub(f->at, cl_vec_mul(n, depth / 2));
  cl_contact found = {.x = at.x + pair->origin.x,
                      .y = at.y + pair->origin.y,
                      .depth = depth,
                      .nx = n.x + 0.0, // + 0 turns -0 into 0
                      .ny = n.y + 0.0,
                      .other = cl_shape_member_at(pair->q.placed->shape, pair->at.k),
                      .is_tile = true,
                      .value = cl_tiles_value(c->tiles->shape, c->column, c->row),
                      .column = c->column,
                      .row = c->row};
  found.member = found.value;
  bool same = to && to->depth == depth && to->x == found.x && to->y == found.y;
  if (to && !(depth > to->depth || (same && found.other < to->other))) return;
  *(to ? to : &c->out[c->count++]) = found;
}

// Compares the cell with all parts of the other shape.
static void compare_cell(tile *c, const cl_placed *b) {
  cl_part_pairs pair;
  cl_hit h;
  bool surrounded = false;
  cl_cell_block_fill(&c->block, c->tiles->shape,
                     (cl_cell_rect){c->column, c->row, c->column, c->row});
  CL_WORK(STEPS_TO_FILL);
  cl_part_pairs_begin(&pair, &c->placed, b, (cl_bounds){0, 0, 0, 0}, (cl_vec){b->x, b->y});
  while (cl_part_pairs_next(&pair)) {
    CL_WORK(cl_part_pairs_spent(&pair));
    if (!cl_part_pairs_overlap(&pair, c->touching, &h)) continue;
    cl_part_pairs_place(&pair);
    if (!surrounded) {
      c->has_around = cl_cell_block_around(&c->around, c->tiles->shape, c->column, c->row);
      surrounded = true;
      CL_WORK(STEPS_TO_SURROUND);
    }
    face best = {.depth = DBL_MAX};
    take_own_edges(c, &pair, &best);
    take_edges_of_other(c, &pair, &best);
    take_corner(c, &pair, &best);
    if (best.depth < DBL_MAX) add_face(c, &pair, &best);
  }
}

// Writes an entry for each face of a cell that `b` overlaps, or with `touching` touches, up to
// `most`, ordered by rows, then columns; returns how many. A face is a side of a cell that no
// neighbour covers. If the same part of b overlaps several faces, only the one with the shortest
// way out counts. The vectors are how the OTHER gets free.
static int find_faces(const cl_placed *tiles, const cl_placed *b, bool touching, cl_contact *out,
                      int most) {
  tile c; // large: filled in as needed
  assert(cl_placed_is_tiles(tiles));
  const cl_shape *s = tiles->shape;
  cl_cell_rect near = cl_tiles_near(tiles, cl_placed_bounds(b));
  c.tiles = tiles;
  c.touching = touching;
  c.placed = (cl_placed){&c.block.shape, tiles->x, tiles->y, {1, 0}};
  c.out = out;
  c.count = 0;
  c.most = most;
  for (c.row = near.top; c.row <= near.bottom; c.row++) {
    c.column = near.left;
    for (; c.count < most; c.column++) {
      int32_t from = c.column;
      c.column = cl_tiles_next(s, c.row, from, near.right, CL_TILES_SOLID);
      CL_WORK(1 + (c.column - from) / 8);
      if (c.column > near.right) break;
      if (!cl_tiles_is_hidden(s, c.column, c.row)) compare_cell(&c, b);
    }
  }
  return c.count;
}

// --- contacts ---

// Assigns a contact to the first non-empty one of these cells, if there is one.
static bool note_cell(const cl_shape *tiles, cl_cell_rect cells, cl_contact *c) {
  cells = cl_tiles_clip(tiles, cells);
  for (int32_t row = cells.top; row <= cells.bottom; row++) {
    int32_t column = cl_tiles_next(tiles, row, cells.left, cells.right, CL_TILES_SOLID);
    if (column > cells.right) continue;
    c->is_tile = true;
    c->column = column, c->row = row;
    c->value = cl_tiles_value(tiles, column, row);
    return true;
  }
  return false;
}

// The contact if no face is met: the way out of the whole.
static cl_contact whole_contact(const cl_placed *a, const cl_placed *b, const cl_placed *tiles,
                                bool touching) {
  cl_hit hit = {0, 0, 0};
  cl_overlap(a, b, touching, &hit);
  const cl_placed *other = tiles == a ? b : a;
  cl_contact c = deepest_contact(tiles, other);
  c.depth = hit.depth, c.nx = hit.nx, c.ny = hit.ny;
  cl_bounds here = {c.x, c.y, c.x, c.y};
  if (!note_cell(tiles->shape, cl_tiles_under(tiles, here, false), &c))
    note_cell(tiles->shape, cl_tiles_near(tiles, cl_placed_bounds(other)), &c);
  c.member = c.value;
  return c;
}

// The contacts of tiles, and of another shape that it overlaps, or with `touching` only touches.
// With `back`, the tiles are the first of the two.
static int contacts_with(const cl_placed *tiles, const cl_placed *other, bool touching, bool back,
                         cl_contact *out, int most) {
  const cl_placed *a = back ? tiles : other, *b = back ? other : tiles;
  if (most == 0 || !cl_overlaps(a, b, touching)) return 0;
  int n = find_faces(tiles, other, touching, out, most);
  for (int i = 0; i < n && back; i++) out[i].nx = 0.0 - out[i].nx, out[i].ny = 0.0 - out[i].ny;
  if (n == 0) out[n++] = whole_contact(a, b, tiles, touching);
  for (int i = 0; i < n; i++) {
    cl_contact cell = {.value = 0}, *c = &out[i];
    cl_bounds here = {c->x, c->y, c->x, c->y};
    if (cl_placed_is_tiles(other) && note_cell(other->shape, cl_tiles_near(other, here), &cell))
      c->other = cell.value;
    if (!back) turn_members(c);
  }
  return n;
}

// For two tiles, reports the cells of `b`. Those that are sensors come after the others.
static int contacts_of_tiles(const cl_placed *a, const cl_placed *b, bool touching,
                             cl_contact *out) {
  bool back = !cl_placed_is_tiles(b);
  const cl_placed *tiles = back ? a : b, *other = back ? b : a;
  touching = touching && !cl_overlaps(a, b, false);
  cl_placed body = cl_placed_view(tiles, CL_VIEW_BODY);
  int n = contacts_with(&body, other, touching, back, out, CL_CONTACTS_MOST);
  if (!tiles->shape->views) return n;
  cl_placed sensors = cl_placed_view(tiles, CL_VIEW_SENSORS);
  return n + contacts_with(&sensors, other, touching, back, out + n, CL_CONTACTS_MOST - n);
}

int cl_contacts(const cl_placed *a, const cl_placed *b, bool touching,
                cl_contact out[CL_CONTACTS_MOST]) {
  if (cl_placed_is_tiles(a) || cl_placed_is_tiles(b)) return contacts_of_tiles(a, b, touching, out);
  cl_hit hit;
  return cl_overlap(a, b, touching, &hit) ? find_points(a, b, &hit, out) : 0;
}

// --- distances of parts ---

// The distance of two parts, relative to their origin, if it is less than `below`; 0 if they touch.
static cl_gap part_gap(const cl_convex *a, const cl_convex *b, double below) {
  double r = a->r + b->r, error = cl_convex_error(a, b);
  double enough = below + r + 4 * error; // beyond rounding
  cl_axis axis = cl_convex_axis(a, b, enough);
  cl_gap gap = {0, {0, 0}, {0, 0}};
  if (axis.separation > enough) {
    gap.distance = below;
    return gap;
  }
  if (axis.separation < -error && a->n + b->n > 2) return gap;
  cl_closest c = cl_convex_closest(a, b, &axis);
  double d = c.distance - r;
  if (d < -error) return gap;
  if (d <= error) {
    const cl_vec still = {0, 0};
    if (cl_exact_overlap(a->placed, a->part, still, b->placed, b->part, true)) return gap;
    d = cl_max(d, DBL_MIN); // apart by less than doubles can represent
  }
  gap.distance = d;
  gap.a = cl_vec_add(c.a, cl_vec_mul(c.normal, a->r));
  gap.b = cl_vec_sub(c.b, cl_vec_mul(c.normal, b->r));
  return gap;
}

// Bounds of parts that are no farther apart than a distance, with room for rounding.
static cl_bounds square_of(double distance) {
  double most = distance * (1 + 4 * CL_ROUND);
  return (cl_bounds){-most, -most, most, most};
}

// The least distance over pairs of parts; pairs whose bounds are farther apart than the best so far
// are skipped. If it is not less than `below`, the answer is `below`.
static cl_gap least_gap(const cl_placed *a, const cl_placed *b, cl_vec origin, double below) {
  cl_gap best = {below, {0, 0}, {0, 0}};
  cl_part_pairs at;
  cl_part_pairs_begin(&at, a, b, square_of(below), origin);
  at.at.sorted = true;
  while (best.distance > 0 && cl_part_pairs_next(&at)) {
    if (cl_bounds_gap(at.at.one, at.at.two) > best.distance) continue;
    cl_part_pairs_place(&at);
    CL_WORK(at.p.n + at.q.n);
    cl_gap gap = part_gap(&at.p, &at.q, best.distance);
    if (!(gap.distance < best.distance)) continue;
    best = gap;
    at.at.offset = square_of(gap.distance);
  }
  CL_WORK(at.at.steps);
  return best;
}

// distance_below of two shapes that are not tiles.
static cl_gap parts_distance(const cl_placed *a, const cl_placed *b, double below) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  bool ordered = cl_comes_first(a, b);
  cl_vec origin = ordered ? (cl_vec){a->x, a->y} : (cl_vec){b->x, b->y};
  cl_gap gap = ordered ? least_gap(a, b, origin, below) : least_gap(b, a, origin, below);
  if (gap.distance >= below) return gap;
  if (gap.distance == 0) {
    gap.a = gap.b = cl_contact_point(a, b);
    return gap;
  }
  cl_vec p = cl_vec_add(gap.a, origin), q = cl_vec_add(gap.b, origin);
  gap.a = ordered ? p : q;
  gap.b = ordered ? q : p;
  return gap;
}

// --- distances from tiles ---

// More than MANY cells are searched nearest first. In a row, SPAN columns are tested together.
enum { MANY = 512, SPAN = 32 };

static bool has_all(const cl_shape *tiles, cl_cell_rect s) {
  cl_cell_rect all = cl_tiles_all(tiles);
  return s.left <= all.left && s.top <= all.top && s.right >= all.right && s.bottom >= all.bottom;
}

static cl_gap tiles_distance(const cl_placed *tiles, const cl_placed *b, double below);

// cl_distance if it is less than `below`; otherwise the distance is `below`, and the points mean
// nothing.
static cl_gap distance_below(const cl_placed *a, const cl_placed *b, double below) {
  if (cl_placed_is_tiles(a)) return tiles_distance(a, b, below);
  if (!cl_placed_is_tiles(b)) return parts_distance(a, b, below);
  cl_gap back = tiles_distance(b, a, below);
  return (cl_gap){back.distance, back.b, back.a};
}

// A search for the nearest cells: the best so far, and how far rounding may be off.
typedef struct search {
  const cl_placed *tiles, *b;
  cl_bounds box; // of b
  double error;
  cl_gap best;
  bool many; // cells, so that it pays to look at rectangles of them as a whole
} search;

// The distance of a rectangle of cells as a whole, less what rounding may add. If it is not less
// than the best so far, it is only approximate.
static double cells_gap(const search *s, cl_cell_rect cells) {
  const cl_shape *tiles = s->tiles->shape;
  double l = tiles->bounds.l, t = tiles->bounds.t, w = tiles->cell.x, h = tiles->cell.y;
  const cl_bounds box = {l + cells.left * w, t + cells.top * h, l + (cells.right + 1) * w,
                         t + (cells.bottom + 1) * h};
  cl_stack_shape shape;
  cl_stack_box(&shape, box);
  cl_placed placed = {&shape.shape, s->tiles->x, s->tiles->y, {1, 0}};
  double below = s->best.distance + 2 * s->error;
  double least = cl_bounds_gap(cl_placed_bounds(&placed), s->box);
  cl_vec origin = {placed.x, placed.y};
  if (least < below) least = least_gap(&placed, s->b, origin, below).distance;
  return least - s->error;
}

static bool may_be_near(const search *s, cl_cell_rect cells) {
  return !s->many || s->best.distance == INFINITY || cells_gap(s, cells) <= s->best.distance;
}

static void take_block(search *s, const cl_placed *block) {
  if (cl_bounds_gap(s->box, cl_placed_bounds(block)) > s->best.distance) return;
  cl_gap gap = distance_below(block, s->b, s->best.distance);
  if (gap.distance < s->best.distance) s->best = gap;
}

// Goes through the blocks of a rectangle row by row. Before it looks at single blocks, it looks
// at those of SPAN columns together.
static void search_rows(search *s, cl_cell_rect cells) {
  cl_cell_blocks w;
  int32_t row = -1, free = -1; // in this row, nothing as far as column `free` can be nearer
  cl_cell_blocks_begin(&w, s->tiles, cells, false);
  while (s->best.distance > 0 && cl_cell_blocks_seek(&w)) {
    cl_cell_rect span = w.here;
    if (span.top != row) row = span.top, free = -1;
    if (span.right <= free) continue;
    span.right = span.left + SPAN - 1 < cells.right ? span.left + SPAN - 1 : cells.right;
    if (!may_be_near(s, span)) {
      free = span.right;
      continue;
    }
    if (!may_be_near(s, w.here) || !cl_cell_blocks_fill(&w)) continue;
    take_block(s, &w.placed);
  }
}

// Not inlined: the block of cells is large and needs its own stack frame.
static CL_SELDOM void take_few(search *s, cl_cell_rect cells) {
  cl_cell_block block;
  cl_placed placed = {&block.shape, s->tiles->x, s->tiles->y, {1, 0}};
  if (cl_cell_block_fill(&block, s->tiles->shape, cells)) take_block(s, &placed);
}

// Halves a rectangle of cells, and goes through the nearer half first.
static void search_halves(search *s, cl_cell_rect cells) {
  int32_t columns = cells.right - cells.left + 1, rows = cells.bottom - cells.top + 1;
  if (s->best.distance == 0 || !cl_tiles_any(s->tiles->shape, cells, CL_TILES_SOLID)) return;
  if (columns <= CL_CELL_BLOCK_COLUMNS && rows <= CL_CELL_BLOCK_ROWS) {
    take_few(s, cells);
    return;
  }
  cl_cell_rect half[2] = {cells, cells};
  if (columns > 2 * rows || rows <= CL_CELL_BLOCK_ROWS)
    half[0].right = cells.left + columns / 2 - 1, half[1].left = cells.left + columns / 2;
  else half[0].bottom = cells.top + rows / 2 - 1, half[1].top = cells.top + rows / 2;
  double gap[2] = {cells_gap(s, half[0]), cells_gap(s, half[1])};
  int near = gap[1] < gap[0];
  if (gap[near] <= s->best.distance) search_halves(s, half[near]);
  if (gap[!near] <= s->best.distance) search_halves(s, half[!near]);
}

// If there are many cells, first finds how near the nearest is. Then few cells are left for the
// search by rows, whose order decides between equally near cells.
static void search_cells(search *s, cl_cell_rect cells) {
  int64_t columns = cells.right - cells.left + 1, rows = cells.bottom - cells.top + 1;
  s->many = columns * rows > MANY && !cl_placed_is_tiles(s->b);
  if (s->many) {
    cl_gap before = s->best;
    search_halves(s, cells);
    if (!(s->best.distance < before.distance)) return;
    s->best.distance = cl_min(s->best.distance + s->error, before.distance);
  }
  search_rows(s, cells);
}

static cl_gap tiles_distance(const cl_placed *tiles, const cl_placed *b, double below) {
  assert(cl_placed_is_tiles(tiles));
  search s = {.tiles = tiles, .b = b, .box = cl_placed_bounds(b)};
  s.error = 16 * (cl_placed_error(tiles) + cl_placed_error(b));
  s.best = (cl_gap){below, {tiles->x, tiles->y}, {b->x, b->y}};
  double side = cl_max(tiles->shape->cell.x, tiles->shape->cell.y);
  double reach = cl_bounds_gap(s.box, cl_placed_bounds(tiles)) + side;
  for (bool done = false; !done; reach *= 2) {
    cl_cell_rect cells = cl_tiles_near(tiles, cl_bounds_grown(s.box, reach));
    search_cells(&s, cells);
    done = s.best.distance <= reach || has_all(tiles->shape, cells);
  }
  return s.best;
}

// --- distances ---

cl_gap cl_distance(const cl_placed *a, const cl_placed *b) {
  return distance_below(a, b, INFINITY);
}

double cl_distance_point(const cl_placed *p, double x, double y) {
  cl_stack_shape point;
  cl_stack_circle(&point, 0);
  cl_placed at = {&point.shape, x, y, {1, 0}};
  return cl_placed_is_tiles(p) ? tiles_distance(p, &at, INFINITY).distance
                               : least_gap(p, &at, (cl_vec){x, y}, INFINITY).distance;
}
