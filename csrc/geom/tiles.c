// collide, MIT licence (see LICENSE)
//
// Tiles: lines between cells, and which cells are solid. Layer: geom.

#include "geom/tiles.h"

#include <string.h>

#include "base/tol.h"
#include "geom/build.h"
#include "geom/shape_check.h"

// Whether the corners of all parts stay distinct at coordinates up to `far`: each is rounded three
// times.
static bool are_parts_clear(const cl_tile_set *set, double far, double cell) {
  for (uint32_t i = 0; i < set->part_count; i++) {
    const cl_tile_part *part = &set->part[i];
    if (!(part->detail * cell > 32 * CL_ROUND * far)) return false;
    if (part->radius > 0 && !(part->radius * cell > 32 * CL_ROUND * far)) return false;
  }
  return true;
}

static cl_status make(const cl_alloc *alloc, cl_grid *grid, cl_tile_set *set, double x, double y,
                      double cell, cl_shape **out) {
  double r = x + (double)grid->size[0] * cell, b = y + (double)grid->size[1] * cell;
  if (grid->dims != 2 || grid->size[0] >= INT32_MAX || grid->size[1] >= INT32_MAX)
    return CL_INVALID;
  if (!cl_point_ok((cl_vec){x, y}) || !cl_point_ok((cl_vec){r, b})) return CL_INVALID;
  // Neighbouring lines must still differ that far out.
  double far = cl_max(cl_max(fabs(x), fabs(y)), cl_max(fabs(r), fabs(b)));
  if (!(cell >= CL_MIN_SIZE && far + cell / 2 > far)) return CL_INVALID;
  if (set && !are_parts_clear(set, far + cl_max(r - x, b - y), cell)) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_TILES, CL_SHAPE_UPRIGHT, 0, 0, 4, 0);
  if (!build.shape) return CL_NOMEM;
  cl_shape *s = build.shape;
  const cl_vec corners[4] = {{x, y}, {r, y}, {r, b}, {x, b}};
  memcpy(build.outline, corners, sizeof corners);
  s->bounds = (cl_bounds){x, y, r, b};
  s->w = r - x;
  s->h = b - y;
  s->cell = cell;
  s->reach = cl_max(fabs(x), fabs(r)) + cl_max(fabs(y), fabs(b));
  s->grid = cl_grid_retain(grid);
  s->set = set ? cl_tile_set_retain(set) : NULL;
  CL_CHECK(cl_shape_is_valid(s));
  *out = s;
  return CL_OK;
}

bool cl_tile_part_of(const cl_shape *shape, cl_tile_part *out) {
  const cl_part *part = shape->parts;
  if (shape->part_count != 1 || cl_part_is_thin(part) || part->count > CL_TILE_CORNERS)
    return false;
  const cl_bounds *b = &part->bounds;
  if (!(b->l >= 0 && b->t >= 0 && b->r <= 1 && b->b <= 1)) return false;
  *out = (cl_tile_part){.count = part->count, .radius = part->radius};
  out->is_box = part->flags & CL_PART_BOX;
  for (uint32_t i = 0; i < part->count; i++)
    out->corner[i] = (cl_vec){shape->vx[part->first + i], shape->vy[part->first + i]};
  out->area = cl_area_convex(out->corner, out->count, out->radius);
  return true;
}

// Whether no later look is for the same value.
static bool is_last(const cl_tile_look *looks, uint32_t count, uint32_t i) {
  for (uint32_t k = i + 1; k < count; k++)
    if (looks[k].value == looks[i].value) return false;
  return true;
}

static cl_status make_set(const cl_alloc *alloc, const cl_tile_look *looks, uint32_t count,
                          cl_tile_set **out) {
  cl_tile_part part;
  uint32_t parts = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (looks[i].value == 0) return CL_INVALID;
    if (looks[i].shape && !cl_tile_part_of(looks[i].shape, &part)) return CL_INVALID;
    parts += looks[i].shape && is_last(looks, count, i);
  }
  cl_tile_set *set = cl_tile_set_new(alloc, parts);
  if (!set) return CL_NOMEM;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_last(looks, count, i)) continue;
    if (!looks[i].shape) set->kind[looks[i].value] = CL_TILE_EMPTY;
    else if (cl_tile_part_of(looks[i].shape, &part)) cl_tile_set_part(set, looks[i].value, &part);
  }
  *out = set;
  return CL_OK;
}

cl_status cl_shape_tiles(const cl_alloc *alloc, cl_grid *grid, const cl_tile_look *looks,
                         uint32_t count, cl_shape **out) {
  cl_tile_set *set = NULL;
  cl_status status = count > 0 ? make_set(alloc, looks, count, &set) : CL_OK;
  if (status != CL_OK) return status;
  status = make(alloc, grid, set, grid->origin[0], grid->origin[1], grid->cell, out);
  if (set) cl_tile_set_release(set);
  return status;
}

cl_status cl_tiles_moved(const cl_shape *tiles, double x, double y, double cell, cl_shape **out) {
  return make(&tiles->alloc, tiles->grid, tiles->set, x, y, cell, out);
}

double cl_tiles_area(const cl_shape *tiles) {
  assert(tiles->kind == CL_TILES);
  size_t cells = cl_grid_count(tiles->grid), count[256] = {0};
  for (size_t i = 0; i < cells; i++) count[tiles->grid->bytes[i]]++;
  double area = 0;
  size_t full = 0;
  for (int v = 0; v < 256; v++) {
    unsigned kind = cl_tiles_kind_of(tiles, (uint8_t)v);
    if (kind == CL_TILE_FULL) full += count[v];
    else if (kind == CL_TILE_PART)
      area += (double)count[v] * tiles->set->part[tiles->set->index[v]].area;
  }
  return ((double)full + area) * tiles->cell * tiles->cell;
}

// Line i is p->x + (l + i * cell): as cl_tiles_x and cl_tiles_y give it.
typedef struct lines {
  double at, low, cell;
} lines;

CL_INLINE bool is_before(const lines *l, int32_t i, double at, bool with) {
  double line = l->at + (l->low + i * l->cell);
  return with ? line <= at : line < at;
}

static inline lines lines_of(const cl_placed *p, bool vertical) {
  const cl_shape *s = p->shape;
  return vertical ? (lines){p->x, s->bounds.l, s->cell} : (lines){p->y, s->bounds.t, s->cell};
}

// By bisection, for lines as dense as doubles, where a quotient can be far off.
static int32_t halve(const lines *l, int32_t most, double at, bool with) {
  int32_t none = 0;
  while (none < most) {
    int32_t n = none + (most - none) / 2;
    if (is_before(l, n, at, with)) none = n + 1;
    else most = n;
  }
  return none;
}

// A quotient guesses how many, and the lines themselves decide.
CL_INLINE int32_t count_lines(lines l, int32_t most, double at, bool with) {
  double guess = (at - (l.at + l.low)) / l.cell + 1;
  if (!(guess > 1)) return is_before(&l, 0, at, with) ? halve(&l, most, at, with) : 0;
  int32_t n = guess < most ? (int32_t)guess : most;
  if (!is_before(&l, n - 1, at, with)) { // as when `at` is on a line
    if (n == 1 || is_before(&l, n - 2, at, with)) return n - 1;
  } else if (n == most || !is_before(&l, n, at, with)) {
    return n;
  }
  return halve(&l, most, at, with);
}

int32_t cl_tiles_lines(const cl_placed *p, bool vertical, double at, bool with) {
  return count_lines(lines_of(p, vertical), (int32_t)p->shape->grid->size[!vertical] + 1, at, with);
}

// The columns, or rows, that reach from `low` to `high`.
CL_INLINE void cells_between(lines l, int64_t size, double low, double high, bool inside,
                             int32_t *first, int32_t *last) {
  int32_t count = (int32_t)size;
  int32_t ended = count_lines(l, count + 1, low, inside); // lines at or before the start
  int32_t begun = count_lines(l, count + 1, high, !inside);
  *first = ended > 0 ? ended - 1 : 0;
  *last = begun - 1 < count ? begun - 1 : count - 1;
}

static inline cl_cell_rect under(const cl_placed *p, cl_bounds box, bool inside) {
  const int64_t *size = p->shape->grid->size;
  cl_cell_rect s;
  cells_between(lines_of(p, true), size[0], box.l, box.r, inside, &s.left, &s.right);
  cells_between(lines_of(p, false), size[1], box.t, box.b, inside, &s.top, &s.bottom);
  return s;
}

cl_cell_rect cl_tiles_under(const cl_placed *p, cl_bounds box, bool inside) {
  assert(cl_placed_is_tiles(p) && box.l <= box.r && box.t <= box.b);
  return inside ? under(p, box, true) : under(p, box, false);
}

cl_cell_rect cl_tiles_near(const cl_placed *p, cl_bounds box) {
  bool is_round = p->shape->set && p->shape->set->is_round;
  return cl_tiles_under(p, is_round ? cl_bounds_grown(box, cl_placed_error(p)) : box, false);
}

cl_cell_rect cl_tiles_clip(const cl_shape *tiles, cl_cell_rect s) {
  assert(tiles->kind == CL_TILES);
  cl_cell_rect all = cl_tiles_all(tiles);
  return (cl_cell_rect){
      s.left > all.left ? s.left : all.left,
      s.top > all.top ? s.top : all.top,
      s.right < all.right ? s.right : all.right,
      s.bottom < all.bottom ? s.bottom : all.bottom,
  };
}

// The first byte that is not 0, of n.
static int32_t first_other(const uint8_t *bytes, int32_t n) {
  int32_t i = 0;
  for (uint64_t eight; i + 8 <= n; i += 8) {
    memcpy(&eight, bytes + i, sizeof eight);
    if (eight) break;
  }
  while (i < n && !bytes[i]) i++;
  return i;
}

// The same for kinds of cells, with a tile set.
static int32_t first_of_kind(const cl_tile_set *set, const uint8_t *bytes, int32_t n,
                             unsigned kinds) {
  int32_t i = 0;
  while (i < n && !(kinds >> set->kind[bytes[i]] & 1)) i++;
  return i;
}

int32_t cl_tiles_next(const cl_shape *tiles, int32_t row, int32_t from, int32_t to,
                      unsigned kinds) {
  if (from > to) return to + 1;
  const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){from, row, 0});
  assert(cl_grid_has(tiles->grid, (int64_t[3]){from, row, 0}) && to < tiles->grid->size[0]);
  if (tiles->set) return from + first_of_kind(tiles->set, bytes, to - from + 1, kinds);
  bool solid = kinds & CL_TILES_FULL;
  if ((*bytes != 0) == solid) return from; // the usual case
  if (solid) return from + first_other(bytes, to - from + 1);
  const uint8_t *found = memchr(bytes, 0, (size_t)(to - from) + 1);
  return found ? from + (int32_t)(found - bytes) : to + 1;
}

int32_t cl_tiles_next_row(const cl_shape *tiles, int32_t row, int32_t bottom) {
  const int64_t columns = tiles->grid->size[0];
  const int64_t most = INT32_MAX / columns; // rows whose cells an int32_t can count
  while (row <= bottom) {
    const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){0, row, 0});
    int64_t rows = (int64_t)bottom - row + 1;
    if (rows > most) rows = most;
    int32_t n = (int32_t)(rows * columns), at;
    if (tiles->set) at = first_of_kind(tiles->set, bytes, n, CL_TILES_SOLID);
    else at = bytes[0] ? 0 : first_other(bytes, n);
    if (at < n) return row + (int32_t)(at / columns);
    row += (int32_t)rows;
  }
  return bottom + 1;
}

// Whether any of eight bytes is 0 (Warren, Hacker's Delight, 6-1).
static inline bool has_zero(uint64_t eight) {
  return ((eight - 0x0101010101010101u) & ~eight & 0x8080808080808080u) != 0;
}

int32_t cl_tiles_run(const cl_shape *tiles, int32_t row, int32_t column) {
  assert(cl_tiles_is(tiles, column, row, CL_TILES_FULL));
  const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){0, row, 0});
  for (uint64_t eight; column >= 8 && !tiles->set; column -= 8) {
    memcpy(&eight, bytes + column - 8, sizeof eight);
    if (has_zero(eight)) break;
  }
  while (column > 0 && cl_tiles_kind_of(tiles, bytes[column - 1]) == CL_TILE_FULL) column--;
  return column;
}

bool cl_tiles_any(const cl_shape *tiles, cl_cell_rect s, unsigned kinds) {
  s = cl_tiles_clip(tiles, s);
  bool narrow = s.right - s.left < 8 && !tiles->set && (kinds & CL_TILES_FULL);
  for (int32_t row = s.top; row <= s.bottom; row++) {
    if (narrow) {
      const uint8_t *bytes = cl_grid_at(tiles->grid, (int64_t[3]){0, row, 0});
      for (int32_t column = s.left; column <= s.right; column++)
        if (bytes[column]) return true;
    } else if (cl_tiles_next(tiles, row, s.left, s.right, kinds) <= s.right) {
      return true;
    }
  }
  return false;
}
