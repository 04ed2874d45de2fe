// collide, MIT licence (see LICENSE)
//
// An upright box in tiles, the case of most games, without memory: indices decide the overlap, and
// the way out leads along an axis, or to an inner corner, where two lines of cells meet.
// Layer: narrow.
//
// Where the box is free, its sides are at its own place or at a line between cells: the answer is
// the nearest of all such places. A gap exactly as wide as the box counts as free, since a side at
// a line is identified by the line's number.

#include "narrow/tiles_box.h"

#include "base/tol.h"
#include "geom/tiles.h"

// One axis of the search: the box from low to high, and the lines 0 … count.
typedef struct axis {
  const cl_placed *tiles;
  bool vertical; // lines between columns
  int32_t count;
  double low, high, tolerance;
} axis;

// A place where the box may go along an axis: by `way`, over the cells `first` to `last`.
typedef struct stop {
  double way;
  int32_t first, last;
} stop;

static double line(const axis *a, int32_t i) {
  return a->vertical ? cl_tiles_x(a->tiles, i) : cl_tiles_y(a->tiles, i);
}

static int32_t within(int32_t i, int32_t low, int32_t high) {
  return i < low ? low : i > high ? high : i;
}

// The box beside line i, before it or beyond. It is over the cells that it covers by more than the
// tolerance.
static stop before_line(const axis *a, int32_t i) {
  stop s = {line(a, i) - a->high, 0, i - 1};
  int32_t begun =
      i > 0 ? cl_tiles_lines(a->tiles, a->vertical, a->low + s.way + a->tolerance, true) : 0;
  s.first = i > 0 ? within(begun - 1, 0, i - 1) : 0;
  return s;
}

static stop beyond_line(const axis *a, int32_t i) {
  stop s = {line(a, i) - a->low, i, a->count - 1};
  if (i < a->count) {
    int32_t begun = cl_tiles_lines(a->tiles, a->vertical, a->high + s.way - a->tolerance, false);
    s.last = within(begun - 1, i, a->count - 1);
  }
  return s;
}

// Iterates over the stops of an axis, nearest first: those before lines from `back` down, those
// beyond lines from `on` up.
typedef struct stops {
  axis along;
  int32_t back, on;
} stops;

static stops stops_of(const axis *along, int32_t first, int32_t last) {
  return (stops){*along, last, first + 1};
}

static bool next_stop(stops *s, stop *out) {
  bool can_back = s->back >= 0, can_on = s->on <= s->along.count;
  if (!can_back && !can_on) return false;
  double back = can_back ? s->along.high - line(&s->along, s->back) : INFINITY;
  double on = can_on ? line(&s->along, s->on) - s->along.low : INFINITY;
  *out = back <= on ? before_line(&s->along, s->back--) : beyond_line(&s->along, s->on++);
  return true;
}

static bool is_free(const axis *x, const stop *column, const stop *row) {
  cl_cell_rect s = {column->first, row->first, column->last, row->last};
  return !cl_tiles_any(x->tiles->shape, s, CL_TILES_FULL);
}

// Whether a full cell blocks a stop between columns; writes the column and row of the first one.
static bool find_solid(const axis *x, const stop *column, const stop *row, int32_t *at,
                       int32_t *in) {
  int32_t last = x->count - 1, right = column->last < last ? column->last : last;
  for (*in = row->first; *in <= row->last; ++*in) {
    *at = cl_tiles_next(x->tiles->shape, *in, column->first, right, CL_TILES_FULL);
    if (*at <= right) return true;
  }
  return false;
}

// The nearest free stop before line i or one farther back, over some rows, and nearer than `limit`.
// A solid run of cells is skipped as a whole.
static bool find_back(const axis *x, const stop *row, int32_t i, double limit, stop *out) {
  int32_t at, in;
  for (; i >= 0 && x->high - line(x, i) < limit; i = cl_tiles_run(x->tiles->shape, in, at)) {
    *out = before_line(x, i);
    if (!find_solid(x, out, row, &at, &in)) return true;
  }
  return false;
}

// The same beyond line i or one farther on.
static bool find_on(const axis *x, const stop *row, int32_t i, double limit, stop *out) {
  int32_t at, in;
  for (; i <= x->count && line(x, i) - x->low < limit;
       i = cl_tiles_next(x->tiles->shape, in, at, x->count - 1, CL_TILES_NOT_FULL)) {
    *out = beyond_line(x, i);
    if (!find_solid(x, out, row, &at, &in)) return true;
  }
  return false;
}

static bool find_column(const axis *x, const stop *row, cl_cell_rect under, double limit,
                        stop *out) {
  stop back, on;
  bool backs = find_back(x, row, under.right, limit, &back);
  if (backs) limit = -back.way;
  bool ons = find_on(x, row, under.left + 1, limit, &on);
  *out = ons ? on : back;
  return backs || ons;
}

// The nearest free stop between rows, with the box in place on the other axis.
static stop nearest_row(const axis *x, const axis *y, cl_cell_rect under) {
  const stop here = {0, under.left, under.right};
  stops rows = stops_of(y, under.top, under.bottom);
  stop s = {0, 0, 0};
  while (next_stop(&rows, &s) && !is_free(x, &here, &s)) {
  }
  return s;
}

// Whether the box may be free somewhere over a row within `reach` of its place.
static bool has_gap(const axis *x, int32_t row, double reach) {
  int32_t first = cl_tiles_lines(x->tiles, true, x->low - reach, true) - 1;
  int32_t last = cl_tiles_lines(x->tiles, true, x->high + reach, false) - 1;
  if (first < 0 || last >= x->count) return true; // beyond the grid
  return cl_tiles_next(x->tiles->shape, row, first, last, CL_TILES_NOT_FULL) <= last;
}

// The nearest free place that is reached by moving along both axes, if nearer than `best`.
static void search_corners(const axis *x, const axis *y, cl_cell_rect under, cl_hit *best) {
  stop column, row;
  stops rows = stops_of(y, under.top, under.bottom);
  while (next_stop(&rows, &row) && fabs(row.way) < best->depth) {
    double reach = sqrt(best->depth * best->depth - row.way * row.way);
    if (row.first <= row.last && !has_gap(x, row.first, reach)) continue;
    if (!find_column(x, &row, under, reach, &column)) continue;
    double far = sqrt(column.way * column.way + row.way * row.way);
    if (far < best->depth) *best = (cl_hit){column.way / far, row.way / far, far};
  }
}

static void find_way_out(const axis *x, const axis *y, cl_cell_rect under, cl_hit *out) {
  const stop here = {0, under.top, under.bottom};
  stop along = nearest_row(x, y, under), across = {0, 0, 0};
  find_column(x, &here, under, INFINITY, &across);
  bool flat = fabs(across.way) <= fabs(along.way);
  double way = flat ? across.way : along.way, sign = way > 0 ? 1 : -1;
  *out = (cl_hit){flat ? sign : 0, flat ? 0 : sign, fabs(way)};
  search_corners(x, y, under, out);
}

// The outward normal if a box only touches: of the side that is along solid cells, or corner to
// corner, of either cell's side.
static void find_normal(const cl_placed *tiles, cl_bounds box, cl_hit *out) {
  cl_cell_rect near = cl_tiles_under(tiles, box, false), in = cl_tiles_under(tiles, box, true);
  const cl_shape *s = tiles->shape;
  const cl_cell_rect sides[4] = {
      {in.right + 1, in.top, near.right, in.bottom},
      {near.left, in.top, in.left - 1, in.bottom},
      {in.left, in.bottom + 1, in.right, near.bottom},
      {in.left, near.top, in.right, in.top - 1},
  };
  const cl_hit ways[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  for (int i = 0; i < 4; i++) {
    *out = ways[i];
    if (cl_tiles_any(s, sides[i], CL_TILES_FULL)) return;
  }
  *out = ways[!cl_tiles_any(s, (cl_cell_rect){in.right + 1, near.top, near.right, near.bottom},
                            CL_TILES_FULL)];
}

bool cl_tiles_overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out) {
  assert(cl_placed_is_tiles(tiles) && box.l <= box.r && box.t <= box.b);
  cl_cell_rect under = cl_tiles_under(tiles, box, true);
  if (!cl_tiles_any(tiles->shape, under, CL_TILES_FULL)) {
    if (!touching || !cl_tiles_any(tiles->shape, cl_tiles_under(tiles, box, false), CL_TILES_FULL))
      return false;
    find_normal(tiles, box, out);
    return true;
  }
  const cl_shape *s = tiles->shape;
  double size = fabs(tiles->x) + fabs(tiles->y) + s->reach;
  double tolerance = CL_SEPARATION_ERROR * (size + (box.r - box.l) + (box.b - box.t));
  axis x = {tiles, true, (int32_t)s->grid->size[0], box.l, box.r, tolerance};
  axis y = {tiles, false, (int32_t)s->grid->size[1], box.t, box.b, tolerance};
  find_way_out(&x, &y, under, out);
  return true;
}
