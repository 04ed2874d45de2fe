// collide, MIT licence (see LICENSE)
//
// Walks: over the pairs of convex parts of two shapes that may meet, and over cells of maps.
// Layer: narrow.
//
// Pairs are found without comparing all pairs: the trees over the parts of both are walked at once.
// Tiles are walked in blocks of a few runs of their cells.
// Source: Ericson, Real-Time Collision Detection, 6.3 (two hierarchies at once).

#ifndef CL_NARROW_PAIRS_H
#define CL_NARROW_PAIRS_H

#include "geom/tiles.h"
#include "narrow/convex.h"

/// How many pairs of nodes can wait: each step down either tree, of at most 32 levels, leaves one
/// behind.
enum { CL_BVH_PAIRS_DEPTH = 72 };

/// The pair of part i of a and part k of b is returned if `offset` touches the box of the
/// differences of their bounds, b's minus a's. With {0, 0, 0, 0} these are the pairs whose bounds
/// touch, with the box of a motion those that touch somewhere on it, with a square those within
/// half its side of each other. The caller may make `offset` smaller between two calls. `one` and
/// `two` are the placed bounds of the two parts.
typedef struct cl_bvh_pairs {
  const cl_placed *a, *b;
  cl_bounds offset, one, two;
  uint32_t i, k;
  long steps;  ///< work so far: pairs of boxes compared
  bool sorted; ///< may be set after the beginning: near pairs tend to come before far ones
  // Private to the walk:
  double error;
  cl_vec way;
  double margin;
  bool moves;
  int waiting;
  struct {
    uint32_t i, k;
    double gap;
  } wait[CL_BVH_PAIRS_DEPTH];
  uint32_t leaf_a, leaf_b;
  int count_a, count_b, at_a, at_b;
  uint32_t parts_a[CL_FEW_PARTS], parts_b[CL_FEW_PARTS];
  cl_bounds bounds_a[CL_FEW_PARTS], bounds_b[CL_FEW_PARTS];
} cl_bvh_pairs;

/// The `offset` of a motion, with a margin.
static inline cl_bounds cl_bounds_of_way(cl_vec way, double margin) {
  return (cl_bounds){cl_min(way.x, 0) - margin, cl_min(way.y, 0) - margin,
                     cl_max(way.x, 0) + margin, cl_max(way.y, 0) + margin};
}

/// Neither `a` nor `b` is tiles.
void cl_bvh_pairs_begin(cl_bvh_pairs *p, const cl_placed *a, const cl_placed *b, cl_bounds offset);
/// After the beginning: leaves out pairs that only pass each other, farther apart than the margin,
/// when a moves along a way.
void cl_bvh_pairs_move(cl_bvh_pairs *p, cl_vec way, double margin);
/// Goes on to the next pair; false at the end.
bool cl_bvh_pairs_next(cl_bvh_pairs *p);

/// One of the two shapes: itself, or for tiles a few runs of their cells.
typedef struct cl_pair_side {
  const cl_placed *whole, *now;
  cl_placed few;
  cl_cell_runs runs;
  cl_cell_block block;
  uint32_t part; ///< the part that is placed
} cl_pair_side;

/// Returns the same pairs of two shapes, either of which may be tiles:
///   cl_part_pairs pairs;
///   cl_part_pairs_begin(&pairs, a, b, offset, origin);
///   while (cl_part_pairs_next(&pairs)) …
/// It uses no memory except its own.
typedef struct cl_part_pairs {
  cl_convex p, q;  ///< the current pair, relative to `origin`, once placed
  cl_bvh_pairs at; ///< the current pair of those of some cells: its bounds and numbers; its steps
                   ///< are those of the whole walk
  // Private to the walk:
  cl_vec origin;
  cl_bounds offset;
  cl_pair_side a, b;
  bool room_of_b; ///< the shape of fewer parts, which may be large, has the room
  cl_convex_room room;
} cl_part_pairs;

void cl_part_pairs_begin(cl_part_pairs *pairs, const cl_placed *a, const cl_placed *b,
                         cl_bounds offset, cl_vec origin);
bool cl_part_pairs_next(cl_part_pairs *pairs);

/// Places `p` and `q`; they are valid until the next pair.
void cl_part_pairs_place(cl_part_pairs *pairs);

/// cl_convex_overlap of the current pair.
bool cl_part_pairs_overlap(cl_part_pairs *pairs, bool touching, cl_hit *out);

/// The steps it took to find the current pair, and to place it. They count only once.
long cl_part_pairs_spent(cl_part_pairs *pairs);

/// Whether one of the two parts is a segment or point.
bool cl_part_pairs_thin(const cl_part_pairs *pairs);

// ---- the cells of a rectangle, a block at a time, and the way of a box, a piece at a time

/// The blocks of a rectangle of cells that contain a solid cell, one after another:
///   cl_cell_blocks_begin(&w, tiles, cells, false);
///   while (cl_cell_blocks_next(&w)) … &w.placed …
/// With `shared`, neighbouring blocks have a row or a column in common, so that all cells that meet
/// in a point are in one of them.
typedef struct cl_cell_blocks {
  cl_placed placed; ///< the block's parts, at the place of the tiles
  const cl_placed *tiles;
  cl_cell_rect cells;
  cl_cell_rect here; ///< the cells of the block
  int32_t column, row;
  bool shared;
  cl_cell_block block;
} cl_cell_blocks;
void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect cells,
                          bool shared);
bool cl_cell_blocks_next(cl_cell_blocks *w);

/// The same in two steps: goes on to the next block, of which only `here` is known, and makes it;
/// false if it has no solid cell.
bool cl_cell_blocks_seek(cl_cell_blocks *w);
bool cl_cell_blocks_fill(cl_cell_blocks *w);

/// The bounds of cells, in world units.
cl_bounds cl_cells_bounds(const cl_placed *tiles, cl_cell_rect cells);

/// When a box moving along d may touch another, as shares t: `in` greater than `out` if never.
void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out);

/// The blocks near the way of a box that moves along d, one piece of the way after another: what is
/// met in one piece is met before all that is met in later ones. A piece is about as long as a
/// block, or as the box if that is longer, so most cells are looked at only a few times.
///   cl_way_blocks_begin(&w, tiles, box, d, start, false);
///   while (cl_way_blocks_seek(&w, best)) … cl_cell_blocks_fill(&w.blocks) …
/// `start`: the fraction of the way before which it meets nothing.
typedef struct cl_way_blocks {
  double from; ///< where the piece begins, as a fraction of d
  cl_cell_blocks blocks;
  cl_bounds box;
  cl_vec d;
  double in, out, count, next;
} cl_way_blocks;
void cl_way_blocks_begin(cl_way_blocks *w, const cl_placed *tiles, cl_bounds box, cl_vec d,
                         double start, bool shared);
/// Goes on to the next block; false at the end, or at a piece that begins at the share `best` or
/// later.
bool cl_way_blocks_seek(cl_way_blocks *w, double best);
/// Whether the box may meet the block, at `best` or earlier.
bool cl_way_blocks_meets(const cl_way_blocks *w, double best);

#endif
