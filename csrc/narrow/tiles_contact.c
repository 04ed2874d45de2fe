// collide, MIT licence (see LICENSE)
//
// Faces of tiles. Layer: narrow.
//
// Each cell is compared with each part of the other shape, as two convex parts. Only directions
// that lead out of the tiles as a whole count: no neighbour of the cell reaches farther along them.

#include "narrow/tiles_contact.h"

#include "base/work.h"
#include "geom/shape.h"
#include "narrow/cell_blocks.h"
#include "narrow/closest.h"
#include "narrow/convex_overlap.h"
#include "narrow/facet.h"
#include "narrow/outline.h"
#include "narrow/part_pairs.h"

// Steps of work to make a cell and its neighbours, in addition to the step to examine it.
enum { STEPS_TO_FILL = 8, STEPS_TO_SURROUND = 64 };

// How far from the ends of an edge the test points are, as a share: at the ends the neighbours
// decide.
#define BESIDE_END 1e-3

// A cell with its neighbours, and the faces of it found so far.
typedef struct cell {
  const cl_placed *tiles;
  cl_placed placed;
  cl_cell_block block, around;
  bool has_around, touching;
  int32_t column, row;
  cl_contact *out;
  int count, most;
} cell;

// The best way out of a cell for a part of the other shape.
typedef struct face {
  double depth;
  cl_vec normal, at; // how the other gets free; on the cell's surface, relative to the origin
} face;

// A place on the cell's core, and the point beside it where the neighbours are tested.
typedef struct place {
  cl_vec at, beside;
} place;

// Whether a direction leads out of all tiles at a point of the cell's surface.
static bool leads_out(const cell *c, const cl_part_pairs *pair, cl_vec at, cl_vec n) {
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
static bool is_met(const cell *c, const cl_part_pairs *pair, cl_vec from, cl_vec to) {
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

static void take(const cell *c, const cl_part_pairs *pair, face *best, double depth, place at,
                 cl_vec n) {
  if (!(depth < best->depth)) return;
  cl_vec out = cl_vec_mul(n, pair->p.r);
  if (leads_out(c, pair, cl_vec_add(at.beside, out), n))
    *best = (face){depth, n, cl_vec_add(at.at, out)};
}

// The directions of the cell's edges, unless neighbours cover them.
static void take_edges(const cell *c, const cl_part_pairs *pair, face *best) {
  const cl_convex *p = &pair->p, *q = &pair->q;
  int at = 0;
  for (int i = 0; i < p->n && p->n > 1; i++) {
    if (c->block.inner[p->part->first + (uint32_t)i]) continue;
    cl_vec n = cl_convex_normal(p, i), to = cl_convex_vertex(p, cl_convex_next(p, i));
    at = cl_convex_support_near(q, (cl_vec){-n.x, -n.y}, at);
    cl_vec far = cl_convex_vertex(q, at);
    double depth = p->r + q->r - cl_vec_dot(cl_vec_sub(far, cl_convex_vertex(p, i)), n);
    if (!(depth < best->depth) || !is_met(c, pair, cl_convex_vertex(p, i), to)) continue;
    take(c, pair, best, depth, middle_of(p, q, i, n), n);
  }
}

// The directions of the other's edges, at the cell's farthest vertex.
static void take_edges_of_other(const cell *c, const cl_part_pairs *pair, face *best) {
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
    if (met >> at & 1) take(c, pair, best, depth, (place){far, far}, n);
  }
}

// The direction between two vertices, if those are the closest of round parts.
static void take_corner(const cell *c, const cl_part_pairs *pair, face *best) {
  const cl_convex *p = &pair->p, *q = &pair->q;
  double r = p->r + q->r;
  if (r == 0) return;
  cl_axis axis = cl_convex_axis(p, q, r);
  if (axis.separation <= 0 && p->n + q->n > 2) return;
  cl_closest near = cl_convex_closest(p, q, &axis);
  cl_vec n = near.distance > 0 ? near.normal : (cl_vec){0, -1}; // about one point: any direction
                                                                // will do
  if (near.corner) take(c, pair, best, r - near.distance, (place){near.a, near.a}, n);
}

// Adds a face of the cell, or deepens one that is known.
static void add_face(cell *c, const cl_part_pairs *pair, const face *f) {
  cl_vec n = f->normal;
  double depth = cl_max(f->depth, 0);
  cl_contact *to = NULL;
  for (int i = c->count - 1; i >= 0 && !to; i--) {
    cl_contact *known = &c->out[i];
    if (known->column != c->column || known->row != c->row) break;
    if (fabs(known->nx - n.x) + fabs(known->ny - n.y) <= CL_MEET) to = known;
  }
  if (to && to->depth >= depth) return;
  if (!to && c->count == c->most) return;
  if (!to) to = &c->out[c->count++];
  cl_vec at = cl_vec_sub(f->at, cl_vec_mul(n, depth / 2));
  *to = (cl_contact){.x = at.x + pair->origin.x,
                     .y = at.y + pair->origin.y,
                     .depth = depth,
                     .nx = n.x + 0.0, // + 0 turns -0 into 0
                     .ny = n.y + 0.0,
                     .is_tile = true,
                     .value = cl_tiles_value(c->tiles->shape, c->column, c->row),
                     .column = c->column,
                     .row = c->row};
}

// Compares the cell with all parts of the other shape.
static void look_at_cell(cell *c, const cl_placed *b) {
  cl_part_pairs pair;
  cl_hit h;
  bool surrounded = false;
  cl_cell_block_fill(&c->block, c->tiles->shape,
                     (cl_cell_rect){c->column, c->row, c->column, c->row});
  CL_WORK(STEPS_TO_FILL);
  cl_part_pairs_begin(&pair, &c->placed, b, (cl_bounds){0, 0, 0, 0}, (cl_vec){b->x, b->y});
  while (cl_part_pairs_next(&pair)) {
    CL_WORK(pair.steps + cl_part_pairs_vertices(&pair));
    pair.steps = 0;
    if (!cl_part_pairs_overlap(&pair, c->touching, &h)) continue;
    cl_part_pairs_place(&pair);
    if (!surrounded) {
      c->has_around = cl_cell_block_around(&c->around, c->tiles->shape, c->column, c->row);
      surrounded = true;
      CL_WORK(STEPS_TO_SURROUND);
    }
    face best = {.depth = DBL_MAX};
    take_edges(c, &pair, &best);
    take_edges_of_other(c, &pair, &best);
    take_corner(c, &pair, &best);
    if (best.depth < DBL_MAX) add_face(c, &pair, &best);
  }
}

int cl_tiles_contacts(const cl_placed *tiles, const cl_placed *b, bool touching, int most,
                      cl_contact *out) {
  cell c; // large: filled in as needed
  assert(cl_placed_is_tiles(tiles) && most > 0);
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
      if (!cl_tiles_is_hidden(s, c.column, c.row)) look_at_cell(&c, b);
    }
  }
  return c.count;
}
