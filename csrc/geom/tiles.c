// collide, MIT licence (see LICENSE)
//
// Tiles: what cells look like, which cells a box is over, which are solid, and their convex parts.
// Layer: geom.
//
// The lines between cells are sums of doubles, so the cells under a box are found by comparing it
// with the lines themselves: a quotient is only a guess. Rows are bytes that lie one after another;
// searches along them take eight at once where all values but 0 are full.

#include "geom/tiles.h"

// --- what cells look like ---

static const cl_tile_span all_of_it = {0, 1}, nothing = {1, 0};

// Which side of the cell (cl_tile_side) the edge from a corner to the next lies on; -1 for none.
static int side_of(const cl_tile_part *part, uint32_t edge) {
  cl_vec a = part->corner[edge], b = part->corner[edge + 1 < part->count ? edge + 1 : 0];
  if (part->radius > 0 || part->count < 3) return -1;
  if (a.y == 0 && b.y == 0) return CL_TILE_TOP;
  if (a.x == 1 && b.x == 1) return CL_TILE_RIGHT;
  if (a.y == 1 && b.y == 1) return CL_TILE_BOTTOM;
  if (a.x == 0 && b.x == 0) return CL_TILE_LEFT;
  return -1;
}

// How far a corner lies from the line through its neighbours.
static double height_of(const cl_tile_part *part, uint32_t i) {
  cl_vec v = part->corner[i], w = part->corner[(i + 1) % part->count];
  cl_vec u = part->corner[(i + part->count - 1) % part->count], e = cl_vec_sub(w, u);
  return fabs(cl_vec_cross(cl_vec_sub(v, u), e)) / cl_vec_length(e);
}

// Fills in the data that follows from a part's corners: its finest detail, and how much of the
// sides it covers.
static void measure(cl_tile_part *p) {
  p->detail = INFINITY;
  for (int side = 0; side < 4; side++) p->side[side] = nothing;
  for (uint32_t i = 0; i < p->count && p->count > 1; i++) {
    cl_vec a = p->corner[i], b = p->corner[(i + 1) % p->count];
    p->detail = cl_min(p->detail, cl_vec_length(cl_vec_sub(b, a)));
    if (p->count > 2) p->detail = cl_min(p->detail, height_of(p, i));
    int side = side_of(p, i);
    if (side < 0) continue;
    bool across = side == CL_TILE_TOP || side == CL_TILE_BOTTOM;
    double u = across ? a.x : a.y, v = across ? b.x : b.y;
    p->side[side] = (cl_tile_span){cl_min(u, v), cl_max(u, v)};
  }
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
  measure(out);
  return true;
}

// The looks of all values while a set is made of them, which `set` describes without its arrays.
typedef struct reading {
  const cl_shape *shape[256];
  cl_vec look[256]; // of the layers of planks
  uint32_t parts, planks;
  cl_tile_set set;
} reading;

// The layer of a value with this look. Planks in one direction share one.
static uint16_t layer_of(reading *l, const cl_tile_look *look) {
  cl_vec n = look->one_way;
  if (look->flags & CL_TILE_SENSOR) return CL_LAYER_SENSORS;
  if (!(look->flags & CL_TILE_OWN_WAY)) return CL_LAYER_USUAL;
  if (cl_vec_normalise(&n) == 0) return CL_LAYER_WALLS;
  uint32_t i = 0;
  while (i < l->planks && (l->look[i].x != n.x || l->look[i].y != n.y)) i++;
  if (i == l->planks) l->look[l->planks++] = n;
  return (uint16_t)(CL_LAYER_PLANKS + i);
}

// Reads looks; the last look for a value counts. 0 is empty, and values without a look are full.
static cl_status read_looks(reading *l, const cl_tile_look *given, uint32_t count) {
  const cl_tile_look *last[256] = {NULL};
  cl_tile_part part;
  memset(l, 0, sizeof *l);
  memset(l->set.kind + 1, CL_TILE_FULL, sizeof l->set.kind - 1);
  for (uint32_t i = 0; i < count; i++) last[given[i].value] = &given[i];
  if (last[0]) return CL_INVALID;
  for (int v = 1; v < 256; v++) {
    const cl_tile_look *look = last[v];
    if (!look) continue;
    if (!isfinite(look->one_way.x) || !isfinite(look->one_way.y)) return CL_INVALID;
    l->set.layer[v] = layer_of(l, look);
    l->set.layered |= l->set.layer[v] != CL_LAYER_USUAL;
    if (look->flags & CL_TILE_FULL_SQUARE) continue;
    if (look->shape && !cl_tile_part_of(look->shape, &part)) return CL_INVALID;
    l->shape[v] = look->shape;
    l->set.kind[v] = look->shape ? CL_TILE_PART : CL_TILE_EMPTY;
    l->parts += look->shape != NULL;
  }
  return CL_OK;
}

static bool is_in_view(uint32_t view, uint16_t layer) {
  if (view == CL_VIEW_BODY) return layer != CL_LAYER_SENSORS;
  if (view == CL_VIEW_STOPS) return layer < CL_LAYER_SENSORS;
  return layer == view - CL_VIEW_LAYERS;
}

// Makes a set's view, in which the values of other layers are empty.
static void make_view(cl_tile_set *view, const cl_tile_set *of, uint32_t number) {
  *view = *of;
  view->size = view->views = 0;
  view->view = NULL;
  view->part_count = 0;
  view->is_round = false;
  for (int v = 0; v < 256; v++) {
    if (!is_in_view(number, of->layer[v])) view->kind[v] = CL_TILE_EMPTY;
    if (view->kind[v] != CL_TILE_PART) continue;
    view->part_count = of->part_count;
    view->is_round |= of->part[of->index[v]].radius > 0;
  }
}

// The set of these looks; NULL for none.
static cl_status make_set(const cl_alloc *alloc, const cl_tile_look *given, uint32_t count,
                          cl_tile_set **out) {
  reading l;
  *out = NULL;
  if (count == 0) return CL_OK;
  cl_status status = read_looks(&l, given, count);
  if (status != CL_OK) return status;
  uint32_t views = l.set.layered ? CL_VIEW_PLANKS + l.planks : 0;
  size_t size = (1 + views) * sizeof(cl_tile_set) + l.parts * sizeof(cl_tile_part) +
                l.planks * sizeof(cl_vec);
  cl_tile_set *set = *out = cl_new(alloc, size);
  if (!set) return CL_NOMEM;
  *set = l.set;
  set->size = size;
  set->references = 1;
  set->views = views;
  set->view = set + 1;
  set->part = (cl_tile_part *)(void *)(set->view + views);
  set->look = (cl_vec *)(void *)(set->part + l.parts);
  for (int v = 0; v < 256; v++) {
    if (set->kind[v] != CL_TILE_PART) continue;
    set->index[v] = (uint8_t)set->part_count;
    cl_tile_part *p = &set->part[set->part_count++];
    cl_tile_part_of(l.shape[v], p);
    set->is_round = set->is_round || p->radius > 0;
  }
  if (l.planks > 0) memcpy(set->look, l.look, l.planks * sizeof *l.look);
  for (uint32_t i = 0; i < views; i++) make_view(&set->view[i], set, i);
  return CL_OK;
}

// The stretch of a side that cells of a value cover.
static cl_tile_span side_span(const cl_tile_set *set, uint8_t value, int side) {
  int kind = set->kind[value];
  if (kind == CL_TILE_PART) return set->part[set->index[value]].side[side];
  return kind == CL_TILE_FULL ? all_of_it : nothing;
}

// --- making tiles ---

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

// False if there is no memory. Views are never retained, and never released.
static bool make_views(cl_shape *s) {
  uint32_t count = s->set->views;
  if (count == 0) return true;
  cl_shape *views = cl_new_array(&s->alloc, count, sizeof *views);
  for (uint32_t i = 0; views && i < count; i++) {
    views[i] = *s;
    views[i].set = &s->set->view[i];
  }
  return s->views = views, views != NULL;
}

static cl_status make_tiles(const cl_alloc *alloc, cl_grid *grid, cl_tile_set *set, cl_vec at,
                            cl_vec cell, cl_shape **out) {
  double x = at.x, y = at.y, least = cl_min(cell.x, cell.y);
  double r = x + (double)grid->size[0] * cell.x, b = y + (double)grid->size[1] * cell.y;
  if (grid->dims != 2 || grid->size[0] >= INT32_MAX || grid->size[1] >= INT32_MAX)
    return CL_INVALID;
  if (!cl_place_ok((cl_vec){x, y}) || !cl_place_ok((cl_vec){r, b})) return CL_INVALID;
  // Neighbouring lines must still differ that far out.
  double far = cl_max(cl_max(fabs(x), fabs(y)), cl_max(fabs(r), fabs(b)));
  if (!(least >= CL_MIN_SIZE && far + least / 2 > far)) return CL_INVALID;
  if (set && !are_parts_clear(set, far + cl_max(r - x, b - y), least)) return CL_INVALID;
  if (set && set->is_round && cell.x != cell.y) return CL_INVALID; // no ellipses
  cl_build build = cl_build_new(alloc, CL_TILES, CL_SHAPE_UPRIGHT, (cl_build_size){.outline = 4});
  if (!build.shape) return CL_NOMEM;
  cl_shape *s = build.shape;
  const cl_vec corners[4] = {{x, y}, {r, y}, {r, b}, {x, b}};
  memcpy(s->outline, corners, sizeof corners);
  s->bounds = (cl_bounds){x, y, r, b};
  s->w = r - x;
  s->h = b - y;
  s->cell = cell;
  s->reach = cl_max(fabs(x), fabs(r)) + cl_max(fabs(y), fabs(b));
  s->grid = cl_grid_retain(grid);
  if (set) set->references++;
  s->set = set;
  if (set && !make_views(s)) {
    cl_shape_release(s);
    return CL_NOMEM;
  }
  CL_CHECK(cl_shape_is_valid(s));
  *out = s;
  return CL_OK;
}

cl_status cl_shape_tiles(const cl_alloc *alloc, cl_grid *grid, const cl_tile_look *looks,
                         uint32_t count, cl_shape **out) {
  cl_tile_set *set;
  cl_status status = make_set(alloc, looks, count, &set);
  if (status != CL_OK) return status;
  status = make_tiles(alloc, grid, set, (cl_vec){grid->origin[0], grid->origin[1]},
                      (cl_vec){grid->cell[0], grid->cell[1]}, out);
  if (set && --set->references == 0) cl_free(alloc, set, set->size);
  return status;
}

cl_status cl_tiles_moved(const cl_shape *tiles, cl_vec at, cl_vec cell, cl_shape **out) {
  return make_tiles(&tiles->alloc, tiles->grid, tiles->set, at, cell, out);
}

cl_status cl_tiles_of_value(const cl_shape *tiles, uint8_t value, cl_shape **out) {
  const cl_alloc *alloc = &tiles->alloc;
  const cl_tile_set *all = tiles->set;
  size_t size = all ? all->size : sizeof *all;
  cl_tile_set *set = cl_new(alloc, size);
  if (!set) return CL_NOMEM;
  if (all) memcpy(set, all, size);
  memset(set->kind, CL_TILE_EMPTY, sizeof set->kind);
  set->kind[value] = (uint8_t)cl_tiles_kind_of(tiles, value);
  set->size = size;
  set->references = 1;
  const cl_vec at = {tiles->bounds.l, tiles->bounds.t};
  cl_status status = make_tiles(alloc, tiles->grid, set, at, tiles->cell, out);
  if (--set->references == 0) cl_free(alloc, set, size);
  return status;
}

double cl_shape_area(const cl_shape *tiles) {
  if (tiles->kind != CL_TILES) return tiles->area;
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
  return ((double)full + area) * tiles->cell.x * tiles->cell.y;
}

// --- lines and cells ---

// Line i, of `count`, is p->x + (l + i * cell): as cl_tiles_x and cl_tiles_y give it.
typedef struct lines {
  double at, low, cell;
  int32_t count;
} lines;

CL_INLINE bool is_line_before(const lines *l, int32_t i, double at, bool with) {
  double line = l->at + (l->low + i * l->cell);
  return with ? line <= at : line < at;
}

static inline lines lines_of(const cl_placed *p, bool vertical) {
  const cl_shape *s = p->shape;
  int32_t count = (int32_t)s->grid->size[!vertical] + 1;
  return vertical ? (lines){p->x, s->bounds.l, s->cell.x, count}
                  : (lines){p->y, s->bounds.t, s->cell.y, count};
}

// By bisection, for lines as dense as doubles, where a quotient can be far off.
static int32_t bisect(const lines *l, double at, bool with) {
  int32_t none = 0, most = l->count;
  while (none < most) {
    int32_t n = none + (most - none) / 2;
    if (is_line_before(l, n, at, with)) none = n + 1;
    else most = n;
  }
  return none;
}

// A quotient guesses how many, and the lines themselves decide.
CL_INLINE int32_t count_lines(lines l, double at, bool with) {
  double guess = (at - (l.at + l.low)) / l.cell + 1;
  if (!(guess > 1)) return is_line_before(&l, 0, at, with) ? bisect(&l, at, with) : 0;
  int32_t n = guess < l.count ? (int32_t)guess : l.count;
  if (!is_line_before(&l, n - 1, at, with)) { // as when `at` is on a line
    if (n == 1 || is_line_before(&l, n - 2, at, with)) return n - 1;
  } else if (n == l.count || !is_line_before(&l, n, at, with)) {
    return n;
  }
  return bisect(&l, at, with);
}

int32_t cl_tiles_lines(const cl_placed *p, bool vertical, double at, bool with) {
  return count_lines(lines_of(p, vertical), at, with);
}

// The first column, or row, that reaches to `low`; the last one that reaches to `high`.
CL_INLINE int32_t first_reached(lines l, double low, bool inside) {
  int32_t ended = count_lines(l, low, inside); // lines at or before the start
  return ended > 0 ? ended - 1 : 0;
}

CL_INLINE int32_t last_reached(lines l, double high, bool inside) {
  int32_t begun = count_lines(l, high, !inside);
  return begun < l.count ? begun - 1 : l.count - 2;
}

static inline cl_cell_rect under(const cl_placed *p, cl_bounds box, bool inside) {
  lines x = lines_of(p, true), y = lines_of(p, false);
  return (cl_cell_rect){first_reached(x, box.l, inside), first_reached(y, box.t, inside),
                        last_reached(x, box.r, inside), last_reached(y, box.b, inside)};
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

// --- cells as parts ---

// Boxes of cells while a rectangle of cells is cut. `begun` has for each column of the
// rectangle the number, counted from 1, of the last box that begins there.
typedef struct boxes {
  cl_cell_rect *at;
  uint32_t *begun, count;
} boxes;

// A run of full cells in a row extends the box above it, if that is as wide, or
// begins a new one.
static void add_run(boxes *b, int32_t origin, cl_cell_rect run) {
  uint32_t *begun = &b->begun[run.left - origin];
  if (*begun > 0) {
    cl_cell_rect *box = &b->at[*begun - 1];
    if (box->bottom == run.top - 1 && box->right == run.right) {
      box->bottom = run.top;
      return;
    }
  }
  b->at[b->count++] = run;
  *begun = b->count;
}

// Counts the runs of full cells, which is an upper bound of the number of boxes; unless `b` is
// NULL, makes boxes of them.
static size_t collect_runs(const cl_shape *tiles, cl_cell_rect s, boxes *b) {
  size_t runs = 0;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    cl_cell_rect run = {s.left, row, s.left, row};
    while ((run.left = cl_tiles_next(tiles, row, run.left, s.right, CL_TILES_FULL)) <= s.right) {
      run.right = cl_tiles_next(tiles, row, run.left, s.right, CL_TILES_NOT_FULL) - 1;
      if (b) add_run(b, s.left, run);
      run.left = run.right + 1;
      runs++;
    }
  }
  return runs;
}

// Like cl_build_part, but with known normals. Returns the four flags of `inner`, all 0.
static uint8_t *add_box(cl_build *build, const cl_shape *tiles, cl_cell_rect s) {
  double l = tiles->bounds.l + s.left * tiles->cell.x;
  double t = tiles->bounds.t + s.top * tiles->cell.y;
  double r = tiles->bounds.l + (s.right + 1) * tiles->cell.x;
  double b = tiles->bounds.t + (s.bottom + 1) * tiles->cell.y;
  const double x[4] = {l, r, r, l}, y[4] = {t, t, b, b};
  const double nx[4] = {0, 1, 0, -1}, ny[4] = {-1, 0, 1, 0}, line[4] = {-t, r, b, -l};
  cl_shape *shape = build->shape;
  uint32_t first = build->next_vertex;
  for (uint32_t i = 0; i < 4; i++) {
    shape->vx[first + i] = x[i], shape->vy[first + i] = y[i];
    shape->nx[first + i] = nx[i], shape->ny[first + i] = ny[i];
    shape->line[first + i] = line[i], shape->inner[first + i] = 0;
  }
  double reach = cl_max(fabs(l), fabs(r)) + cl_max(fabs(t), fabs(b));
  shape->parts[build->next_part++] = (cl_part){
      .first = first, .count = 4, .flags = CL_PART_BOX, .reach = reach, .bounds = {l, t, r, b}};
  build->next_vertex += 4;
  return shape->inner + first;
}

// Whether two cells act alike on movers: if not, there is a face between them.
static bool are_alike(const cl_shape *tiles, uint8_t a, uint8_t b) {
  if (!tiles->set) return true;
  uint16_t one = tiles->set->layer[a], two = tiles->set->layer[b];
  return one == two || (one <= CL_LAYER_WALLS && two <= CL_LAYER_WALLS);
}

// Whether the cell beyond a side covers a span of it.
static bool is_side_covered(const cl_shape *tiles, int32_t column, int32_t row, int side,
                            cl_tile_span span) {
  static const int32_t beyond_x[4] = {0, 1, 0, -1}, beyond_y[4] = {-1, 0, 1, 0};
  uint8_t value = cl_tiles_value(tiles, column + beyond_x[side], row + beyond_y[side]);
  if (!tiles->set) return value != 0;
  if (tiles->set->layered && !are_alike(tiles, value, cl_tiles_value(tiles, column, row)))
    return false;
  cl_tile_span other = side_span(tiles->set, value, side ^ 2);
  return other.low <= span.low && other.high >= span.high;
}

static void add_full(cl_build *build, const cl_shape *tiles, int32_t column, int32_t row) {
  uint8_t *inner = add_box(build, tiles, (cl_cell_rect){column, row, column, row});
  for (int side = 0; side < 4; side++)
    inner[side] = is_side_covered(tiles, column, row, side, (cl_tile_span){0, 1});
}

// A cell's own part. Corners on its sides come from the same sums as the lines between cells.
static void add_part(cl_build *build, const cl_shape *tiles, int32_t column, int32_t row,
                     bool with_inner) {
  const cl_tile_set *set = tiles->set;
  const cl_tile_part *part = &set->part[set->index[cl_tiles_value(tiles, column, row)]];
  cl_vec v[CL_TILE_CORNERS];
  uint8_t inner[CL_TILE_CORNERS] = {0};
  for (uint32_t i = 0; i < part->count; i++) {
    cl_vec at = part->corner[i];
    v[i].x = tiles->bounds.l + (column + at.x) * tiles->cell.x;
    v[i].y = tiles->bounds.t + (row + at.y) * tiles->cell.y;
    int side = with_inner ? side_of(part, i) : -1;
    inner[i] = side >= 0 && is_side_covered(tiles, column, row, side, part->side[side]);
  }
  cl_build_part(build, v, part->count, part->radius * tiles->cell.x, inner);
  if (part->is_box) build->shape->parts[build->next_part - 1].flags = CL_PART_BOX;
}

static cl_build begin_block(cl_cell_block *block, const cl_shape *tiles) {
  cl_shape *shape = &block->shape;
  *shape = (cl_shape){.kind = CL_COMPOUND, .flags = CL_SHAPE_UPRIGHT, .references = 1};
  shape->parts = block->parts;
  cl_shape_place_arrays(shape, block->arrays, CL_CELL_BLOCK_VERTICES);
  shape->inner = block->inner;
  shape->alloc = tiles->alloc;
  return (cl_build){.shape = shape};
}

static bool end_block(cl_build *build) {
  build->shape->part_count = build->next_part;
  if (build->next_part == 0) return false;
  cl_build_finish(build);
  return true;
}

// Notes which cell the part added last comes from.
static void note_part_cell(cl_cell_block *block, const cl_build *build, int32_t column,
                           int32_t row) {
  block->column[build->next_part - 1] = column;
  block->row[build->next_part - 1] = row;
}

// Adds a cell as a part of its own, unless it is empty.
static void add_cell(cl_cell_block *block, cl_build *build, const cl_shape *tiles, int32_t column,
                     int32_t row) {
  unsigned kind = cl_tiles_kind_of(tiles, cl_tiles_value(tiles, column, row));
  if (kind == CL_TILE_EMPTY) return;
  if (kind == CL_TILE_FULL) add_full(build, tiles, column, row);
  else add_part(build, tiles, column, row, true);
  note_part_cell(block, build, column, row);
}

bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect cells) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  assert(s.right - s.left < CL_CELL_BLOCK_COLUMNS && s.bottom - s.top < CL_CELL_BLOCK_ROWS);
  if (!cl_tiles_any(tiles, s, CL_TILES_SOLID)) return false;
  cl_build build = begin_block(block, tiles);
  for (int32_t row = s.top; row <= s.bottom; row++)
    for (int32_t column = s.left; column <= s.right; column++)
      add_cell(block, &build, tiles, column, row);
  return end_block(&build);
}

bool cl_cell_block_around(cl_cell_block *block, const cl_shape *tiles, int32_t column,
                          int32_t row) {
  uint8_t own = cl_tiles_value(tiles, column, row);
  cl_build build = begin_block(block, tiles);
  for (int32_t y = row - 1; y <= row + 1; y++)
    for (int32_t x = column - 1; x <= column + 1; x++)
      if ((x != column || y != row) && are_alike(tiles, cl_tiles_value(tiles, x, y), own))
        add_cell(block, &build, tiles, x, y);
  return end_block(&build);
}

bool cl_tiles_is_hidden(const cl_shape *tiles, int32_t column, int32_t row) {
  bool hidden = cl_tiles_is(tiles, column, row, CL_TILES_FULL);
  for (int side = 0; side < 4 && hidden; side++)
    hidden = is_side_covered(tiles, column, row, side, (cl_tile_span){0, 1});
  return hidden;
}

cl_cell_runs cl_cell_runs_begin(const cl_shape *tiles, cl_cell_rect cells) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  return (cl_cell_runs){tiles, s, s.left, s.top};
}

bool cl_cell_runs_next(cl_cell_runs *runs, cl_cell_block *block) {
  const cl_cell_rect *s = &runs->cells;
  cl_build build = begin_block(block, runs->tiles);
  block->corners = 0;
  while (runs->row <= s->bottom && build.next_part < CL_CELL_BLOCK) {
    int32_t from = cl_tiles_next(runs->tiles, runs->row, runs->column, s->right, CL_TILES_SOLID);
    if (from <= s->right) {
      runs->column = from + 1;
      if (cl_tiles_is(runs->tiles, from, runs->row, CL_TILES_FULL)) {
        runs->column = cl_tiles_next(runs->tiles, runs->row, from, s->right, CL_TILES_NOT_FULL);
        add_box(&build, runs->tiles, (cl_cell_rect){from, runs->row, runs->column - 1, runs->row});
      } else {
        uint32_t vertices = build.next_vertex;
        add_part(&build, runs->tiles, from, runs->row, false);
        block->corners += build.next_vertex - vertices;
      }
      note_part_cell(block, &build, from, runs->row);
    } else {
      runs->column = s->left;
      runs->row++;
    }
  }
  return end_block(&build);
}

// Counts the cells that are parts, and their vertices; with a build, also adds them.
static void collect_parts(const cl_shape *tiles, cl_cell_rect s, cl_build *build,
                          cl_build_size *size) {
  if (!cl_tiles_has_parts(tiles)) return;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    int32_t column = s.left;
    for (; (column = cl_tiles_next(tiles, row, column, s.right, CL_TILES_PART)) <= s.right;
         column++) {
      uint8_t value = cl_tiles_value(tiles, column, row);
      if (build) add_part(build, tiles, column, row, false);
      size->parts += 1;
      size->vertices += cl_build_padded(tiles->set->part[tiles->set->index[value]].count);
    }
  }
}

cl_status cl_tiles_cut(const cl_shape *tiles, cl_cell_rect cells, cl_shape **out) {
  cl_cell_rect s = cl_tiles_clip(tiles, cells);
  size_t runs = collect_runs(tiles, s, NULL);
  cl_build_size n = {0};
  collect_parts(tiles, s, NULL, &n);
  *out = NULL;
  if (runs == 0 && n.parts == 0) return CL_OK;
  if (runs > UINT32_MAX / 8) return CL_NOMEM;
  size_t size = runs * sizeof(cl_cell_rect) + (size_t)(s.right - s.left + 1) * sizeof(uint32_t);
  boxes b = {.at = cl_new(&tiles->alloc, size)};
  if (!b.at) return CL_NOMEM;
  b.begun = (uint32_t *)(b.at + runs);
  collect_runs(tiles, s, &b);
  n.parts += b.count;
  n.vertices += 4 * (uint64_t)b.count;
  cl_build build = cl_build_new(&tiles->alloc, CL_COMPOUND, CL_SHAPE_UPRIGHT, n);
  for (uint32_t i = 0; build.shape && i < b.count; i++) add_box(&build, tiles, b.at[i]);
  cl_free(&tiles->alloc, b.at, size);
  if (!build.shape) return CL_NOMEM;
  collect_parts(tiles, s, &build, &n);
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}
