// collide, MIT licence (see LICENSE)
//
// Casts: when a moving shape first touches one at rest. Layer: narrow.
//
// A cast finds the first touch of all pairs of convex parts (motion.h). Rays against boxes, single
// parts and full cells are decided in doubles, if rounding leaves no doubt. A swept overlap is a
// cast for which a touch may not be enough. Circles that have bounced start at a surface, so they
// have their own cast, `cl_circle_entry`.

#include "narrow/motion.h"

#include "cells/grid.h"
#include "narrow/overlap.h"
#include "narrow/pairs.h"
#include "narrow/primitives.h"

// ---- rays against upright boxes; a doubt is for exact arithmetic

// Only for rays that start outside the box and do not touch it there.
static cl_verdict enter_box(cl_vec p, cl_vec d, cl_bounds b, cl_cast *out) {
  double in_x = -INFINITY, in_y = -INFINITY, out_x = INFINITY, out_y = INFINITY;
  cl_clip_slab(b.l - p.x, b.r - p.x, d.x, &in_x, &out_x);
  cl_clip_slab(b.t - p.y, b.b - p.y, d.y, &in_y, &out_y);
  double enter = cl_max(in_x, in_y), leave = cl_min(out_x, out_y);
  const double slip = 8 * CL_ROUND; // relative, of a quotient of differences
  double low = enter * (1 - slip), high = enter * (1 + slip); // enter > 0 for a possible hit
  if (low > 1 || leave < 0 || low > leave * (1 + slip)) return CL_APART;
  if (!(enter > 0 && high <= 1 && high < leave * (1 - slip)) || in_x == in_y) return CL_DOUBT;
  bool across = in_x > in_y;
  *out = (cl_cast){enter, p.x + enter * d.x, p.y + enter * d.y, 0, 0};
  if (across) out->nx = d.x > 0 ? -1 : 1;
  else out->ny = d.y > 0 ? -1 : 1;
  return CL_HIT;
}

// The answer for a ray that begins inside something.
static cl_verdict ray_inside(cl_vec p, cl_vec d, cl_cast *out) {
  *out = (cl_cast){0, p.x + 0 * d.x, p.y + 0 * d.y, 0, 0};
  return CL_HIT;
}

static cl_verdict ray_box(cl_vec p, cl_vec d, cl_bounds b, cl_cast *out) {
  if (p.x < b.l || p.x > b.r || p.y < b.t || p.y > b.b) return enter_box(p, d, b, out);
  if (p.x > b.l && p.x < b.r && p.y > b.t && p.y < b.b) return ray_inside(p, d, out);
  // From a side, outward or along it.
  bool by_x = (p.x == b.l && d.x <= 0) || (p.x == b.r && d.x >= 0);
  bool by_y = (p.y == b.t && d.y <= 0) || (p.y == b.b && d.y >= 0);
  return by_x || by_y ? CL_APART : CL_DOUBT;
}

// A ray against a shape of one part, likewise.
static cl_verdict ray_part(cl_vec p, cl_vec d, const cl_placed *b, cl_cast *out) {
  cl_first_touch at;
  cl_verdict is = cl_motion_ray(p, d, b, &at);
  *out = (cl_cast){at.t, p.x + at.t * d.x, p.y + at.t * d.y, at.normal.x + 0.0, at.normal.y + 0.0};
  return is;
}

// ---- shapes of parts

enum { FEW_EDGES = 8 };

// Steps of work to test whether two parts pass each other, and for each corner if they do not.
enum { STEPS_TO_PASS = 4, STEPS_A_CORNER = 8 };

// A moving shape against another, during the search for the first touch.
typedef struct search {
  cl_convex_motion pair;
  bool touching;    // some parts touch at the start
  bool any_strict;  // then all pairs count as touching
  bool clean;       // the best so far has a normal of the outline, not of a cut
  double limit;     // touches later than this fraction of the way do not matter
  double margin;    // parts are surely apart if their bounds are this far apart
  cl_vec across;    // the unit vector across the motion,
  double low, high; // and how far the vertices of the current part reach along it
} search;

// Whether other parts touch right before t, as when the motion runs along a surface of several
// parts: then the touch at the start goes on.
static bool slides(const search *m, double t) {
  double length = cl_vec_length(m->pair.d),
         step = 1e-5 * (m->pair.a->shape->reach + m->pair.b->shape->reach);
  double margin = 8 * m->pair.error;
  cl_placed moved = *m->pair.a;
  t = cl_max(t - step / length, 0);
  moved.x += t * m->pair.d.x, moved.y += t * m->pair.d.y;
  cl_vec origin = {moved.x, moved.y};
  cl_convex p, q;
  cl_bvh_pairs at;
  cl_bvh_pairs_begin(&at, &moved, m->pair.b, (cl_bounds){-margin, -margin, margin, margin});
  while (cl_bvh_pairs_next(&at)) {
    if (at.i == m->pair.i && at.k == m->pair.k) continue;
    cl_convex_place(&moved, at.i, origin, &p);
    cl_convex_place(m->pair.b, at.k, origin, &q);
    cl_axis axis = cl_convex_axis(&p, &q, DBL_MAX);
    if (cl_convex_closest(&p, &q, &axis).distance - p.r - q.r <= margin) return true;
  }
  return false;
}

// Finds the first touch of two parts, if it comes before the best so far, or at the same time and
// the best has met only a cut.
static bool meet(search *m, cl_cast *best) {
  cl_convex_motion *pair = &m->pair;
  cl_first_touch at;
  if (!cl_motion_meets(pair, &at)) return false;
  if (m->touching && !pair->strict && !cl_motion_enters(pair) && slides(m, at.t)) return false;
  // A touch of the outline goes before a touch of a cut at about the same time.
  double same = pair->error / (fabs(pair->d.x) + fabs(pair->d.y));
  double slack = at.outline == m->clean ? 0 : at.outline ? same : -same;
  at.t = cl_min(at.t, 1);
  cl_vec normal = at.normal, known = {best->nx, best->ny};
  // The motion runs along the outline, into a cut: no edge that it meets belongs to the outline. Or
  // rounding has left no normal, since both parts are tiny compared with the way.
  if (!at.outline || (normal.x == 0 && normal.y == 0)) {
    normal = (cl_vec){-pair->d.x, -pair->d.y};
    cl_vec_normalise(&normal);
  }
  if (m->clean && at.outline && at.t == best->t) { // of two met together as for one part
    double rate = cl_vec_dot(normal, pair->d), other = cl_vec_dot(known, pair->d);
    if (!cl_faces_first(rate, normal, other, known)) return false;
  } else if (at.t >= best->t + slack) {
    return false;
  }
  m->clean = at.outline;
  *best = (cl_cast){at.t, 0, 0, normal.x + 0.0, normal.y + 0.0};
  if (pair->ray) return true; // the point follows from t
  double separation;
  cl_closest c = cl_motion_closest(pair, at.t, &separation);
  cl_vec point = cl_motion_point(pair, &c);
  best->x = point.x, best->y = point.y;
  return true;
}

// How far the current part of a reaches across the motion.
static void note_reach(search *m) {
  const cl_convex *p = &m->pair.p;
  m->low = INFINITY, m->high = -INFINITY;
  for (int k = 0; k < p->n; k++) {
    double at = cl_vec_dot(m->across, cl_convex_vertex(p, k));
    m->low = cl_min(m->low, at), m->high = cl_max(m->high, at);
  }
}

// Whether the current part of a certainly passes a box, up to this fraction of the motion: it stays
// away from the box across the motion, or along the normal of one of its edges. Testing a few edges
// is far less work than comparing the parts.
static bool passes(const search *m, cl_bounds box, double share) {
  const cl_convex *p = &m->pair.p;
  double u = 0.5 * (box.l + box.r) - m->pair.a->x, v = 0.5 * (box.t + box.b) - m->pair.a->y;
  double at = m->across.x * u + m->across.y * v;
  double half = 0.5 * (fabs(m->across.x) * (box.r - box.l) + fabs(m->across.y) * (box.b - box.t));
  double apart = cl_max(at - half - m->high, m->low - at - half);
  if (apart > p->r + m->margin) return true;
  int step = 1 + (p->n - 1) / FEW_EDGES;
  for (int i = 0; i < p->n && p->n > 1; i += step) {
    cl_vec n = cl_convex_normal(p, i), from = cl_convex_vertex(p, i);
    double x = (n.x > 0 ? box.l : box.r) - m->pair.a->x - from.x;
    double y = (n.y > 0 ? box.t : box.b) - m->pair.a->y - from.y;
    double gap = n.x * x + n.y * y - p->r, after = gap - share * cl_vec_dot(n, m->pair.d);
    if (cl_min(gap, after) > m->margin) return true;
  }
  return false;
}

static void begin_search(search *m, const cl_placed *a, cl_vec d, const cl_placed *b,
                         const cl_stack_shape *ray) {
  cl_vec way = d;
  cl_vec_normalise(&way);
  m->across = (cl_vec){-way.y, way.x};
  cl_motion_begin(&m->pair, a, d, b);
  m->pair.ray = ray;
  m->touching = m->any_strict = false;
  m->clean = true;
  m->limit = 1;
  // More than the error of any pair of parts, which grows with their corners.
  m->margin =
      16 * (cl_placed_error(a) + cl_placed_error(b) + 8 * CL_ROUND * (fabs(d.x) + fabs(d.y)));
}

// What rounding, and the motion up to this fraction of it, add to the bounds of a part of a.
static cl_bounds way_of(const search *m, double share) {
  return cl_bounds_of_way(cl_vec_mul(m->pair.d, share), m->margin);
}

// Writes the first touch of any two parts to `out` and returns true, if it comes before the best so
// far. Neither shape is tiles.
static bool cast_parts(search *m, cl_cast *out) {
  cl_convex_motion *pair = &m->pair;
  cl_bvh_pairs at;
  bool any = false;
  double most = cl_min(out->t, m->limit);
  cl_bvh_pairs_begin(&at, pair->a, pair->b, way_of(m, most));
  cl_bvh_pairs_move(&at, pair->d, m->margin);
  while (cl_bvh_pairs_next(&at)) {
    if (cl_motion_place_a(pair, at.i)) note_reach(m);
    CL_WORK(STEPS_TO_PASS);
    if (passes(m, at.two, most)) continue;
    CL_WORK(STEPS_A_CORNER * (pair->p.n + (int)pair->b->shape->parts[at.k].count));
    cl_motion_place_b(pair, at.k);
    cl_hit h;
    pair->strict =
        m->touching && (m->any_strict || cl_convex_overlap(&pair->p, &pair->q, true, &h));
    if (!meet(m, out)) continue;
    any = true;
    if (out->t < most) at.offset = way_of(m, most = out->t);
  }
  CL_WORK(at.steps);
  return any;
}

// ---- tiles: shapes a piece of their way at a time, rays cell by cell

// The first cell that stops a ray from p to q.
static cl_near first_cell(const cl_placed *tiles, cl_vec p, cl_vec q, int64_t at[2]) {
  const cl_shape *s = tiles->shape;
  double left = tiles->x + s->bounds.l, top = tiles->y + s->bounds.t;
  const double from[2] = {(p.x - left) / s->cell.x, (p.y - top) / s->cell.y};
  const double to[2] = {(q.x - left) / s->cell.x, (q.y - top) / s->cell.y};
  // Lines have three roundings each; the walk adds some of its own.
  double size =
      fabs(tiles->x) + fabs(tiles->y) + s->reach + fabs(p.x) + fabs(p.y) + fabs(q.x) + fabs(q.y);
  const uint8_t *stops = s->set ? s->set->kind : NULL;
  double blur = 32 * CL_ROUND * (size / cl_min(s->cell.x, s->cell.y));
  return cl_grid_near(s->grid, stops, from, to, blur, at);
}

static bool is_part(const cl_placed *tiles, const int64_t at[2]) {
  return cl_tiles_is(tiles->shape, (int32_t)at[0], (int32_t)at[1], CL_TILES_PART);
}

static cl_bounds cell_bounds(const cl_placed *tiles, const int64_t at[2]) {
  int32_t column = (int32_t)at[0], row = (int32_t)at[1];
  return cl_cells_bounds(tiles, (cl_cell_rect){column, row, column, row});
}

// The fraction of its way before which a ray meets nothing; above 1 if it never does.
static double ray_starts(const search *m, const cl_placed *tiles) {
  const cl_placed *a = m->pair.a;
  cl_vec p = {a->x, a->y}, q = cl_vec_add(p, m->pair.d);
  int64_t at[2];
  double in, out;
  switch (first_cell(tiles, p, q, at)) {
  case CL_NEAR_NONE: return 2;
  case CL_NEAR_CELL:
    cl_box_pass((cl_bounds){p.x, p.y, p.x, p.y}, cell_bounds(tiles, at), m->pair.d, &in, &out);
    return in <= out ? in : 0;
  default: return 0;
  }
}

// More cells than this are looked at in squares of this side first.
enum { MANY = 512, SQUARE = 8 };

// Tests the cells of a rectangle in squares, starting on the side that the motion comes from: once
// something is met, the squares behind it are skipped. Returns when something is first met, if it
// is before the best; else less than 0.
static double first_of_squares(search *m, const cl_placed *tiles, cl_bounds box, cl_cell_rect cells,
                               const cl_cast *best) {
  int32_t columns = (cells.right - cells.left) / SQUARE, rows = (cells.bottom - cells.top) / SQUARE;
  cl_cast first = *best;
  bool clean = m->clean, any = false;
  m->limit = 1; // that of the piece before does not hold here
  for (int32_t i = 0; i < (columns + 1) * (rows + 1); i++) {
    int32_t column = i % (columns + 1), row = i / (columns + 1);
    cl_cell_rect s;
    s.left = cells.left + SQUARE * (m->pair.d.x < 0 ? columns - column : column);
    s.top = cells.top + SQUARE * (m->pair.d.y < 0 ? rows - row : row);
    s.right = s.left + SQUARE - 1 < cells.right ? s.left + SQUARE - 1 : cells.right;
    s.bottom = s.top + SQUARE - 1 < cells.bottom ? s.top + SQUARE - 1 : cells.bottom;
    double in, out;
    cl_box_pass(box, cl_cells_bounds(tiles, s), m->pair.d, &in, &out);
    if (in > out || in > first.t) continue;
    cl_cell_blocks blocks;
    cl_cell_blocks_begin(&blocks, tiles, s, false);
    m->pair.b = &blocks.placed;
    while (cl_cell_blocks_next(&blocks)) any = cast_parts(m, &first) || any;
  }
  m->clean = clean;
  return any ? first.t : -1;
}

// In a piece of the way with many cells, finds the time of the first hit in the order of the
// motion. Then only cells met no later are tested in the order of rows, which decides between cells
// met at once.
static bool cast_tiles(search *m, cl_cast *best) {
  const cl_placed *tiles = m->pair.b;
  cl_bounds box = cl_bounds_grown(cl_placed_bounds(m->pair.a), 2 * m->margin);
  cl_way_blocks w;
  bool any = false;
  double piece = 0;
  cl_way_blocks_begin(&w, tiles, box, m->pair.d, m->pair.ray ? ray_starts(m, tiles) : 0, false);
  while (cl_way_blocks_seek(&w, best->t)) {
    cl_cell_rect all = w.blocks.cells;
    bool many = (int64_t)(all.right - all.left + 1) * (all.bottom - all.top + 1) > MANY;
    if (piece != w.next) m->limit = many ? first_of_squares(m, tiles, box, all, best) : 1;
    piece = w.next;
    m->pair.b = &w.blocks.placed;
    if (cl_way_blocks_meets(&w, cl_min(best->t, m->limit)) && cl_cell_blocks_fill(&w.blocks))
      any = cast_parts(m, best) || any;
  }
  return any;
}

static bool cast_all(search *m, cl_cast *best) {
  return cl_placed_is_tiles(m->pair.b) ? cast_tiles(m, best) : cast_parts(m, best);
}

// A ray from p to q against tiles, as ray_box.
static cl_verdict ray_tiles(cl_vec p, cl_vec q, const cl_placed *tiles, cl_cast *out) {
  int64_t at[2];
  switch (first_cell(tiles, p, q, at)) {
  case CL_NEAR_NONE: return CL_APART;
  case CL_NEAR_INSIDE:
    if (is_part(tiles, at)) return CL_DOUBT;
    return ray_inside(p, cl_vec_sub(q, p), out);
  case CL_NEAR_CELL: break;
  default: return CL_DOUBT;
  }
  if (is_part(tiles, at)) return CL_DOUBT;
  bool hits = ray_box(p, cl_vec_sub(q, p), cell_bounds(tiles, at), out) == CL_HIT;
  return hits ? CL_HIT : CL_DOUBT;
}

// ---- casts

// Whether the two overlap at the start, which is already the answer. If they only touch, the parts
// that touch must be entered to count from here on.
static bool starts_inside(search *m, cl_cast *out) {
  const cl_placed *a = m->pair.a, *b = m->pair.b;
  m->touching = cl_overlaps(a, b, true);
  if (!m->touching || !cl_overlaps(a, b, false)) return false;
  cl_vec at = cl_contact_point(a, b);
  *out = (cl_cast){0, at.x, at.y, 0, 0};
  return true;
}

static bool cast(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stack_shape *ray,
                 cl_cast *out) {
  search m; // large: filled in as needed
  begin_search(&m, a, d, b, ray);
  m.any_strict = cl_placed_is_tiles(b);
  cl_cast best = {.t = 2};
  if (!starts_inside(&m, &best) && ((d.x == 0 && d.y == 0) || !cast_all(&m, &best))) return false;
  *out = best;
  return true;
}

bool cl_cast_shape(const cl_placed *a, cl_vec d, const cl_placed *b, cl_cast *out) {
  assert(a->shape->kind != CL_TILES);
  return cast(a, d, b, NULL, out);
}

bool cl_cast_ray(double x1, double y1, double x2, double y2, const cl_placed *b, cl_cast *out) {
  cl_vec d = {x2 - x1, y2 - y1};
  cl_verdict found = CL_DOUBT;
  if (cl_placed_is_one_box(b))
    found = ray_box((cl_vec){x1, y1}, d, cl_placed_part_bounds(b, 0), out);
  else if (b->shape->kind == CL_TILES)
    found = ray_tiles((cl_vec){x1, y1}, (cl_vec){x2, y2}, b, out);
  else if (b->shape->part_count == 1) found = ray_part((cl_vec){x1, y1}, d, b, out);
  if (found != CL_DOUBT) return found == CL_HIT;
  cl_stack_shape point, ray;
  cl_stack_circle(&point, 0);
  cl_stack_segment(&ray, x1, y1, x2, y2);
  cl_placed a = {&point.shape, x1, y1, {1, 0}};
  if (!cast(&a, d, b, &ray, out)) return false;
  out->x = x1 + out->t * d.x;
  out->y = y1 + out->t * d.y;
  return true;
}

// ---- swept overlap
//
// Convex parts overlap at some moment of a motion if the one at rest overlaps the area that the
// other one sweeps, which is convex, too.

// A segment that moves along its own line, from p to q at the start.
typedef struct line {
  cl_vec p, q, d;
} line;

// Whether the area that it sweeps until t overlaps b.
static bool overlaps_until(const line *l, double t, const cl_placed *b) {
  cl_stack_shape swept;
  cl_vec end = cl_vec_add(l->q, cl_vec_mul(l->d, t));
  cl_stack_segment(&swept, l->p.x, l->p.y, end.x, end.y);
  cl_placed placed = {&swept.shape, 0, 0, {1, 0}};
  return cl_bounds_touch(swept.shape.bounds, cl_placed_bounds(b)) && cl_overlaps(&placed, b, false);
}

enum { HALVINGS = 53 };

// The swept area only grows.
static bool overlap_line(const line *l, const cl_placed *b, cl_cast *best) {
  double low = 0, high = cl_min(best->t, 1);
  if (!overlaps_until(l, high, b)) return false;
  for (int i = 0; i < HALVINGS; i++) {
    double t = 0.5 * (low + high);
    if (overlaps_until(l, t, b)) high = t;
    else low = t;
  }
  if (low >= best->t) return false;
  cl_vec normal = cl_vec_mul(l->d, -1);
  cl_vec_normalise(&normal);
  *best = (cl_cast){low, 0, 0, normal.x + 0.0, normal.y + 0.0};
  return true;
}

// Tests segments of `a` that move along their own line. One may enter along a cut or between two
// tiles, or cross a chain at its corner: then it overlaps the whole of b but none of its parts.
static bool overlap_lines(const cl_placed *a, cl_vec d, const cl_placed *b, cl_cast *best) {
  bool any = false;
  if (!(a->shape->flags & CL_SHAPE_THIN)) return false;
  for (uint32_t i = 0; i < a->shape->part_count; i++) {
    const cl_part *part = &a->shape->parts[i];
    if (!cl_part_is_thin(part) || part->count != 2) continue;
    line l = {cl_placed_vertex(a, part->first), cl_placed_vertex(a, part->first + 1), d};
    cl_vec along = cl_vec_sub(l.q, l.p);
    if (cl_vec_cross(along, d) != 0) continue;
    if (cl_vec_dot(along, d) < 0) l = (line){l.q, l.p, d};
    any = overlap_line(&l, b, best) || any;
  }
  return any;
}

static bool overlap(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching, cl_cast *out) {
  double in, leave, room = cl_placed_error(a) + cl_placed_error(b);
  cl_box_pass(cl_bounds_grown(cl_placed_bounds(a), room), cl_placed_bounds(b), d, &in, &leave);
  if (in > leave || cl_overlaps(a, b, touching)) return false;
  search m; // large: filled in as needed
  begin_search(&m, a, d, b, NULL);
  m.touching = m.any_strict = !touching;
  cl_cast best = {.t = 2};
  bool any = cast_all(&m, &best);
  if (!touching) {
    any = overlap_lines(a, d, b, &best) || any;
    if (overlap_lines(b, cl_vec_mul(d, -1), a, &best)) {
      any = true;
      best.nx = 0.0 - best.nx, best.ny = 0.0 - best.ny;
    }
  }
  if (any) *out = best;
  return any;
}

bool cl_swept_overlap(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                      cl_cast *out) {
  bool tiles = cl_placed_is_tiles(a), other_tiles = cl_placed_is_tiles(b);
  if ((d.x == 0 && d.y == 0) || (tiles && other_tiles)) return false;
  if (other_tiles || (!tiles && cl_comes_first(a, b))) return overlap(a, d, b, touching, out);
  if (!overlap(b, cl_vec_mul(d, -1), a, touching, out)) return false;
  out->nx = 0.0 - out->nx;
  out->ny = 0.0 - out->ny;
  return true;
}

// ---- circles that have bounced
//
// The distance of a point from a convex part is convex along a straight motion. So a part that the
// circle does not approach at the start is never approached.

// The sine of an angle that counts as flat.
#define FLAT 1e-3

// All relative to the circle's place at the start.
typedef struct entry {
  cl_placed circle;
  double r;
  cl_vec d;
  const cl_vec *own;
  double error, touch; // distances that count as touching during the motion, and at the start
  double length;
  double against; // of the best so far: its rate, scaled by `length`
  bool inside;
  cl_cast best;   // later than the end of the way if there is none
  cl_convex part; // the current one of the other shape
} entry;

static void take_nearer(double distance, cl_vec way, double *least, cl_vec *normal) {
  if (distance > *least || (distance == *least && !cl_vec_goes_first(way, *normal))) return;
  *least = distance, *normal = way;
}

// Measures from p to the edge that begins at vertex i; keeps it if nearer than `least`.
static void take_edge(const cl_convex *c, int i, cl_vec p, double *least, cl_vec *normal) {
  cl_vec a = cl_convex_vertex(c, i), b = cl_convex_vertex(c, cl_convex_next(c, i));
  cl_vec e = cl_vec_sub(b, a), v = cl_vec_sub(p, a), w = cl_vec_sub(p, b);
  bool past_a = cl_vec_dot(v, e) > 0, past_b = cl_vec_dot(w, e) >= 0;
  if (past_a && !past_b) { // beside the edge, the distance from its line is the most precise
    cl_vec n = cl_convex_normal(c, i);
    double off = cl_convex_outside(c, i, p);
    take_nearer(fabs(off), off < 0 ? (cl_vec){-n.x, -n.y} : n, least, normal);
    return;
  }
  if (past_a) v = w;
  double length = cl_vec_normalise(&v);
  if (length == 0) v = cl_convex_normal(c, i);
  take_nearer(length, v, least, normal);
}

// How far p is outside the core, or below 0 inside it, and the way out.
static double distance_of(const cl_convex *c, cl_vec p, cl_vec *normal) {
  double out = -DBL_MAX, least = DBL_MAX;
  if (c->n == 1) {
    *normal = cl_vec_sub(p, cl_convex_vertex(c, 0));
    double length = cl_vec_normalise(normal);
    if (length == 0) *normal = (cl_vec){1, 0};
    return length;
  }
  for (int i = 0; i < c->n && c->n > 2; i++) {
    cl_vec n = cl_convex_normal(c, i);
    double off = cl_convex_outside(c, i, p);
    if (off > out || (off == out && cl_vec_goes_first(n, *normal))) out = off, *normal = n;
  }
  if (c->n > 2 && out <= 0) return out;
  for (int i = 0; i < c->n; i++) take_edge(c, i, p, &least, normal);
  return least;
}

static void take_entry(entry *s, double t, cl_vec normal, double rate) {
  double against = rate / s->length;
  if (t >= s->best.t) {
    cl_vec known = {s->best.nx, s->best.ny};
    if (t > s->best.t || !cl_faces_first(against, normal, s->against, known)) return;
  }
  s->against = against;
  s->best = (cl_cast){t, 0, 0, normal.x + 0.0, normal.y + 0.0};
}

static bool leads_in(cl_vec n, cl_vec way) {
  return cl_vec_dot(n, way) < -8 * CL_ROUND * (fabs(way.x) + fabs(way.y));
}

// Whether a surface met at a flat angle at time t is entered deeper than rounding explains. It is
// not when the circle moves along several tiles in a row.
static bool gets_deeper(const entry *s, double t) {
  const cl_convex *c = &s->part;
  enum { STEPS = 64 };
  double low = t, high = 1, deep = c->r + s->r - 4 * s->error;
  for (int i = 0; i < STEPS; i++) {
    double third = (high - low) / 3, p = low + third, q = high - third;
    cl_vec n;
    double at_p = distance_of(c, cl_vec_mul(s->d, p), &n);
    double at_q = distance_of(c, cl_vec_mul(s->d, q), &n);
    if (at_p < deep || at_q < deep) return true;
    if (at_p < at_q) high = q;
    else low = p;
  }
  return false;
}

// A touch at t after which the motion leads inward.
static void meet_entry(entry *s, double t, cl_vec n) {
  double rate = cl_vec_dot(n, s->d);
  if (-rate > FLAT * s->length || gets_deeper(s, t)) take_entry(s, t, n, rate);
}

// How far the part is from the circle, for cl_approach.
static void look_entry(const void *of, cl_distance_at *at) {
  const entry *s = of;
  const cl_convex *c = &s->part;
  at->distance = distance_of(c, cl_vec_mul(s->d, at->t), &at->normal) - c->r - s->r;
  at->rate = -cl_vec_dot(at->normal, s->d);
}

static void try_part(entry *s) {
  cl_distance_at at = {.t = 0};
  look_entry(s, &at);
  if (at.distance < -s->touch) s->inside = true;
  if (!leads_in(at.normal, s->d)) return; // it never comes nearer
  bool touched = at.distance <= s->touch;
  if (touched && s->own && !leads_in(at.normal, *s->own)) return;
  if (touched || cl_approach(look_entry, s, 0, s->error, 0, &at) == CL_ARRIVES)
    meet_entry(s, at.t, at.normal);
}

// The way until the best so far, for cl_bvh_pairs.
static cl_bounds way_of_entry(const entry *s) {
  return cl_bounds_of_way(cl_vec_mul(s->d, cl_min(s->best.t, 1)), 2 * s->touch);
}

static void try_parts(entry *s, const cl_placed *b) {
  cl_bvh_pairs at;
  cl_bvh_pairs_begin(&at, &s->circle, b, way_of_entry(s));
  cl_bvh_pairs_move(&at, s->d, 2 * s->touch);
  while (cl_bvh_pairs_next(&at)) {
    cl_convex_place(b, at.k, (cl_vec){s->circle.x, s->circle.y}, &s->part);
    try_part(s);
    at.offset = way_of_entry(s);
  }
}

static void try_tiles(entry *s, const cl_placed *tiles) {
  cl_bounds box = cl_bounds_grown(cl_placed_bounds(&s->circle), 2 * s->touch);
  cl_way_blocks w;
  cl_way_blocks_begin(&w, tiles, box, s->d, 0, false);
  while (cl_way_blocks_seek(&w, s->best.t))
    if (cl_way_blocks_meets(&w, s->best.t) && cl_cell_blocks_fill(&w.blocks))
      try_parts(s, &w.blocks.placed);
}

cl_entry cl_circle_entry(cl_vec from, double r, cl_vec d, const cl_vec *own, const cl_placed *b,
                         cl_cast *out) {
  assert(r > 0 && isfinite(from.x) && isfinite(from.y));
  cl_stack_shape circle;
  cl_stack_circle(&circle, r);
  double size = (fabs(from.x) + fabs(from.y)) + (fabs(b->x) + fabs(b->y)) +
                (fabs(d.x) + fabs(d.y)) + (b->shape->reach + r);
  entry s; // large: filled in as needed
  s.circle = (cl_placed){&circle.shape, from.x, from.y, {1, 0}};
  s.r = r;
  s.d = d;
  s.own = own;
  s.error = CL_CAST_ERROR * size;
  s.touch = CL_ENTRY_ERROR * size;
  s.length = cl_vec_length(d);
  s.inside = false;
  s.best.t = 2;
  if (cl_placed_is_tiles(b)) try_tiles(&s, b);
  else try_parts(&s, b);
  if (s.inside) return CL_ENTRY_INSIDE;
  if (s.best.t > 1) return CL_ENTRY_NONE;
  *out = s.best;
  return CL_ENTRY_TOUCH;
}
