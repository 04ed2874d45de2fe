// collide, MIT licence (see LICENSE)
//
// An upright box in tiles, the case of most games, without memory: whether they
// overlap is a matter of indices, and the way out leads along an axis, or to an
// inner corner, where two lines of cells meet. Layer: narrow.
//
// Where the box is free its sides stand at its own place or at a line between
// cells: of all such places the nearest is the answer. A gap exactly as wide as
// the box counts as free, since sides at lines are told by the line's number.

#include "base/tol.h"
#include "narrow/tiles.h"

// One axis of the search: the box from low to high among the lines 0 … count.
typedef struct axis {
  const cl_placed *tiles;
  bool vertical; // lines between columns
  int32_t count;
  double low, high, room;
} axis;

// A place to which the box may go along an axis: by `way`, standing over the
// cells `first` to `last`.
typedef struct stop {
  double way;
  int32_t first, last;
} stop;

static double line(const axis *a, int32_t i) {
  return a->vertical ? cl_tiles_x(a->tiles, i) : cl_tiles_y(a->tiles, i);
}

// The last cell that begins before `high`, or less than the room after it, going
// on from a cell that does; and the first that ends after `low`, going back.
static int32_t last_before(const axis *a, int32_t from, double high) {
  while (from + 1 < a->count && line(a, from + 1) < high - a->room) from++;
  return from;
}

static int32_t first_after(const axis *a, int32_t from, double low) {
  while (from > 0 && line(a, from) > low + a->room) from--;
  return from;
}

// The box beside line i, before it or beyond.
static stop before_line(const axis *a, int32_t i) {
  stop s = {line(a, i) - a->high, 0, i - 1};
  s.first = i > 0 ? first_after(a, i - 1, a->low + s.way) : 0;
  return s;
}

static stop beyond_line(const axis *a, int32_t i) {
  stop s = {line(a, i) - a->low, i, 0};
  s.last = i < a->count ? last_before(a, i, a->high + s.way) : a->count - 1;
  return s;
}

// Goes through the stops of an axis, the nearest first: those before lines from
// `back` down, those beyond lines from `on` up.
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
  cl_stretch s = {column->first, row->first, column->last, row->last};
  return !cl_tiles_any(x->tiles->shape, s);
}

// The nearest free stop along one axis, the box standing still on the other.
static stop nearest(const axis *x, const axis *y, bool vertical, cl_stretch under) {
  const stop here =
      vertical ? (stop){0, under.top, under.bottom} : (stop){0, under.left, under.right};
  stops all =
      vertical ? stops_of(x, under.left, under.right) : stops_of(y, under.top, under.bottom);
  stop s = {0, 0, 0};
  while (next_stop(&all, &s) && !is_free(x, vertical ? &s : &here, vertical ? &here : &s)) {
  }
  return s;
}

// The nearest place that is free on neither axis alone, nearer than `best`.
static void search_corners(const axis *x, const axis *y, cl_stretch under, cl_hit *best) {
  stop column, row;
  stops columns = stops_of(x, under.left, under.right);
  while (next_stop(&columns, &column) && fabs(column.way) < best->depth) {
    stops rows = stops_of(y, under.top, under.bottom);
    while (next_stop(&rows, &row)) {
      double far = sqrt(column.way * column.way + row.way * row.way);
      if (!(far < best->depth)) break;
      if (!is_free(x, &column, &row)) continue;
      *best = (cl_hit){column.way / far, row.way / far, far};
      break;
    }
  }
}

static void find_way_out(const axis *x, const axis *y, cl_stretch under, cl_hit *out) {
  stop across = nearest(x, y, true, under), along = nearest(x, y, false, under);
  bool flat = fabs(across.way) <= fabs(along.way);
  double way = flat ? across.way : along.way, sign = way > 0 ? 1 : -1;
  *out = (cl_hit){flat ? sign : 0, flat ? 0 : sign, fabs(way)};
  search_corners(x, y, under, out);
}

// The outward normal where a box only touches: of the side that lies along solid
// cells, or where it is corner to corner of either cell's side.
static void find_normal(const cl_placed *tiles, cl_bounds box, cl_hit *out) {
  cl_stretch near = cl_tiles_under(tiles, box, false), in = cl_tiles_under(tiles, box, true);
  const cl_shape *s = tiles->shape;
  const cl_stretch sides[4] = {
      {in.right + 1, in.top, near.right, in.bottom},
      {near.left, in.top, in.left - 1, in.bottom},
      {in.left, in.bottom + 1, in.right, near.bottom},
      {in.left, near.top, in.right, in.top - 1},
  };
  const cl_hit ways[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  for (int i = 0; i < 4; i++) {
    *out = ways[i];
    if (cl_tiles_any(s, sides[i])) return;
  }
  *out = ways[!cl_tiles_any(s, (cl_stretch){in.right + 1, near.top, near.right, near.bottom})];
}

bool cl_tiles_overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out) {
  cl_stretch under = cl_tiles_under(tiles, box, true);
  if (!cl_tiles_any(tiles->shape, under)) {
    if (!touching || !cl_tiles_any(tiles->shape, cl_tiles_under(tiles, box, false))) return false;
    find_normal(tiles, box, out);
    return true;
  }
  const cl_shape *s = tiles->shape;
  double size = fabs(tiles->x) + fabs(tiles->y) + s->reach;
  double room = CL_SEPARATION_ERROR * (size + (box.r - box.l) + (box.b - box.t));
  axis x = {tiles, true, (int32_t)s->grid->size[0], box.l, box.r, room};
  axis y = {tiles, false, (int32_t)s->grid->size[1], box.t, box.b, room};
  find_way_out(&x, &y, under, out);
  return true;
}
