// collide, MIT licence (see LICENSE)
//
// Overlap of tiles with other shapes. Layer: narrow.

#include "narrow/tiles_overlap.h"

#include "narrow/cell_blocks.h"
#include "narrow/parts_overlap.h"
#include "narrow/tiles_box.h"
#include "narrow/union_overlap.h"

// The point of full cells nearest to the centre of a circle of radius r, relative to that centre;
// its distance is 0 if the centre is in a cell.
static cl_vec nearest_of(const cl_placed *tiles, double x, double y, double r, double *distance) {
  cl_cell_rect s = cl_tiles_under(tiles, (cl_bounds){x - r, y - r, x + r, y + r}, false);
  cl_vec best = {0, 0};
  double least = INFINITY;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    double t = cl_tiles_y(tiles, row), b = cl_tiles_y(tiles, row + 1);
    double v = y < t ? t - y : y > b ? b - y : 0;
    for (int32_t column = s.left; column <= s.right; column++) {
      if (!cl_tiles_is(tiles->shape, column, row, CL_TILES_FULL)) continue;
      double l = cl_tiles_x(tiles, column), right = cl_tiles_x(tiles, column + 1);
      double u = x < l ? l - x : x > right ? right - x : 0;
      if (u * u + v * v < least) least = u * u + v * v, best = (cl_vec){u, v};
    }
  }
  *distance = sqrt(least);
  return best;
}

// Whether cells that may touch a box have parts of their own.
static bool has_parts_near(const cl_placed *tiles, cl_bounds box) {
  return cl_tiles_has_parts(tiles->shape) &&
         cl_tiles_any(tiles->shape, cl_tiles_near(tiles, box), CL_TILES_PART);
}

static bool has_parts_round(const cl_placed *tiles, cl_vec c, double r) {
  return has_parts_near(tiles, (cl_bounds){c.x - r, c.y - r, c.x + r, c.y + r});
}

// For a circle with its centre outside all cells: 1 if moving it straight away from their nearest
// point frees it, 0 if there is no overlap, -1 if neither is certain.
static int overlap_circle(const cl_placed *tiles, cl_vec c, double r, cl_hit *out) {
  double size = fabs(tiles->x) + fabs(tiles->y) + tiles->shape->reach + fabs(c.x) + fabs(c.y) + r;
  double margin = CL_SEPARATION_ERROR * size, away, after;
  if (has_parts_round(tiles, c, r)) return -1;
  cl_vec near = nearest_of(tiles, c.x, c.y, r, &away);
  if (away > r + margin) return 0;
  if (away <= margin || away >= r - margin) return -1;
  *out = (cl_hit){-near.x / away, -near.y / away, r - away};
  c = (cl_vec){c.x + out->nx * out->depth, c.y + out->ny * out->depth};
  nearest_of(tiles, c.x, c.y, r, &after);
  return after >= r - margin && !has_parts_round(tiles, c, r) ? 1 : -1;
}

// An upright box: 1 if it overlaps full cells and the shortest way out of these alone leads to a
// place where no cell has a part of its own, so that none is shorter; 0 if it overlaps no cell; -1
// if neither is certain.
static int overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out) {
  bool near = has_parts_near(tiles, box);
  if (!cl_tiles_overlap_box(tiles, box, touching && !near, out)) return near ? -1 : 0;
  double x = out->nx * out->depth, y = out->ny * out->depth;
  return has_parts_near(tiles, (cl_bounds){box.l + x, box.t + y, box.r + x, box.b + y}) ? -1 : 1;
}

// cl_overlap of another shape, which may be tiles too, with a block of cells.
static bool overlap_block(const cl_placed *b, const cl_placed *block, cl_effort *effort,
                          cl_hit *out) {
  cl_hit h;
  if (!cl_placed_is_tiles(b)) return cl_parts_overlap(b, block, true, effort, out);
  if (!cl_tiles_overlap(b, block, true, effort, &h)) return false;
  *out = (cl_hit){0.0 - h.nx, 0.0 - h.ny, h.depth};
  return true;
}

// If no cell overlaps the other shape: the normal of the first that touches it.
static bool find_touch(const cl_placed *tiles, const cl_placed *b, cl_hit *out) {
  cl_effort effort = {.work = CL_MTV_WORK, .enough = INFINITY}; // straight ways out are enough
  cl_bounds box;
  cl_cell_blocks w;
  box = cl_placed_bounds(b);
  cl_cell_blocks_begin(&w, tiles, cl_tiles_near(tiles, box),
                       (b->shape->flags & CL_SHAPE_THIN) != 0);
  while (cl_cell_blocks_next(&w)) {
    if (!overlap_block(b, &w.placed, &effort, out)) continue;
    out->depth = 0;
    return true;
  }
  return false;
}

bool cl_tiles_overlap(const cl_placed *tiles, const cl_placed *b, bool touching, cl_effort *effort,
                      cl_hit *out) {
  assert(cl_placed_is_tiles(tiles));
  const cl_part *part = b->shape->parts;
  bool single = b->shape->part_count == 1;
  int found = -1;
  if (single && cl_placed_part_is_box(b, 0))
    found = overlap_box(tiles, cl_placed_part_bounds(b, 0), touching, out);
  else if (single && part->count == 1)
    found = overlap_circle(tiles, cl_placed_vertex(b, part->first), part->radius, out);
  if (found >= 0) return found > 0;
  return cl_union_overlap(tiles, b, effort, out) || (touching && find_touch(tiles, b, out));
}

bool cl_tiles_meet(const cl_placed *tiles, const cl_placed *b, bool touching) {
  assert(cl_placed_is_tiles(tiles));
  if (b->shape->part_count == 1 && cl_placed_part_is_box(b, 0)) {
    cl_bounds box = cl_placed_part_bounds(b, 0);
    if (cl_tiles_any(tiles->shape, cl_tiles_under(tiles, box, !touching), CL_TILES_FULL))
      return true;
    if (!has_parts_near(tiles, box)) return false;
  }
  return cl_union_meets(tiles, b, touching);
}
